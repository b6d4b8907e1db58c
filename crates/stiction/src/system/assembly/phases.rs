//! How all contacts move: the modes of an assembly.

use super::network::Network;
use super::stick::Stick;
use crate::system::Phase;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The phases of all contacts, and the sides of all kinks, by a number. A mode of many contacts is as cheap to hand on as that of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mode(u32);

/// The phases of all contacts, and the side of each kink of a formula.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Phases {
    pub(super) contacts: Vec<Phase>,
    pub(super) sides: Vec<bool>,
}

impl Phases {
    /// The contacts that stick, ascending.
    pub(super) fn stuck(&self) -> impl Iterator<Item = usize> {
        self.contacts.iter().enumerate().filter(|(_, phase)| **phase == Phase::Stick).map(|(k, _)| k)
    }
}

/// What a mode needs to be evaluated.
#[derive(Debug)]
pub(super) struct KnownMode {
    pub(super) phases: Rc<Phases>,
    pub(super) stick: Rc<Stick>,
}

/// Most modes whose elimination is kept: a chain of many blocks meets a new one at nearly every event.
const MOST_KEPT: usize = 64;

/// The modes that a motion has met.
#[derive(Debug, Default)]
pub(super) struct Modes {
    met: RefCell<Vec<Rc<Phases>>>,
    numbers: RefCell<HashMap<Rc<Phases>, Mode>>,
    sticks: RefCell<HashMap<u32, Rc<Stick>>>,
}

impl Modes {
    /// The mode of these phases.
    pub(super) fn number(&self, phases: Phases) -> Mode {
        if let Some(&mode) = self.numbers.borrow().get(&phases) {
            return mode;
        }
        let (phases, mut met) = (Rc::new(phases), self.met.borrow_mut());
        let mode = Mode(met.len() as u32);
        met.push(Rc::clone(&phases));
        self.numbers.borrow_mut().insert(phases, mode);
        mode
    }

    /// The phases of a mode.
    pub(super) fn phases(&self, mode: Mode) -> Rc<Phases> {
        let met = self.met.borrow();
        met.get(mode.0 as usize).or(met.first()).map(Rc::clone).unwrap_or_default()
    }

    /// How a contact moves in a mode.
    pub(super) fn phase(&self, mode: Mode, contact: usize) -> Phase {
        let met = self.met.borrow();
        met.get(mode.0 as usize).and_then(|phases| phases.contacts.get(contact).copied()).unwrap_or(Phase::Slip)
    }

    /// A mode with its elimination, which is made when it is first asked for.
    pub(super) fn known(&self, mode: Mode, network: &Network) -> KnownMode {
        let phases = self.phases(mode);
        let mut sticks = self.sticks.borrow_mut();
        if let Some(stick) = sticks.get(&mode.0) {
            return KnownMode { phases, stick: Rc::clone(stick) };
        }
        if sticks.len() >= MOST_KEPT {
            sticks.clear();
        }
        let stick = Rc::new(Stick::of(network, phases.stuck()));
        sticks.insert(mode.0, Rc::clone(&stick));
        KnownMode { phases, stick }
    }
}
