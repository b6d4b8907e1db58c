//! The motion of an assembly: smooth equations between the events of its contacts.

use super::forces::Snapshot;
use super::network::{Network, Signal};
use super::phases::{KnownMode, Mode, Modes, Phases};
use super::settle::{Cause, lost_load};
use super::stick::Stick;
use crate::law::FrictionLaw;
use crate::system::{Fault, Guard, Jump, Phase, System};
use std::cell::RefCell;
use std::rc::Rc;

/// An assembly that moves.
///
/// The state has coordinates, velocities, positions of drives that are integrated, the heat of each contact \[J\], and the instants
/// at which contacts that age came to rest.
#[derive(Debug)]
pub struct Assembled {
    pub(super) network: Network,
    pub(super) modes: Modes,
    start: (Mode, Vec<f64>),
    now: RefCell<Snapshot>,
    /// Contacts whose load is a formula, in order: each has a guard of its own.
    loaded: Vec<usize>,
}

impl Assembled {
    /// The motion of these equations from their declared start.
    ///
    /// # Errors
    /// A [`Fault`] where the start is not determined, or a contact has no load there.
    pub(crate) fn new(network: Network) -> Result<Self, Fault> {
        let loaded = network.contacts.iter().enumerate();
        let loaded = loaded.filter(|(_, contact)| matches!(contact.load, Signal::Formula(_))).map(|(k, _)| k).collect();
        let n = network.coordinates.len();
        let mut state = vec![0.0; network.length()];
        for (k, coordinate) in network.coordinates.iter().enumerate() {
            [state[k], state[n + k]] = coordinate.start;
        }
        let now = RefCell::new(Snapshot::new(&network));
        let mut assembled =
            Self { modes: Modes::default(), start: (Mode::default(), Vec::new()), now, loaded, network };
        assembled.start = (assembled.entered(0.0, &mut state)?, state);
        Ok(assembled)
    }

    /// The mode of a state from outside.
    pub(crate) fn entered(&self, t: f64, y: &mut [f64]) -> Result<Mode, Fault> {
        let sides = vec![false; self.network.kinks];
        let phases = Phases { contacts: vec![Phase::Slip; self.network.contacts.len()], sides };
        let stick = Rc::new(Stick::of(&self.network, std::iter::empty()));
        // without sides the arguments of the kinks decide
        let natural =
            KnownMode { phases: Rc::new(Phases { sides: Vec::new(), ..phases.clone() }), stick: Rc::clone(&stick) };
        let mut now = self.now.borrow_mut();
        self.network.move_along(&natural, t, y, &mut now);
        self.network.accelerate_freely(&natural.phases, t, y, &mut now)?;
        let sides = now.kinks.iter().map(|argument| *argument >= 0.0).collect();
        drop(now);
        let before = KnownMode { phases: Rc::new(Phases { sides, ..phases }), stick };
        let phases = self.network.settle(&before, Cause::Start, t, y)?;
        Ok(self.modes.number(phases))
    }

    /// Shows the motion at an instant.
    pub(super) fn at<T>(&self, mode: Mode, t: f64, y: &[f64], show: impl FnOnce(&Snapshot) -> T) -> Result<T, Fault> {
        let known = self.modes.known(mode, &self.network);
        let mut now = self.now.borrow_mut();
        self.network.evaluate(&known, t, y, &mut now)?;
        Ok(show(&now))
    }

    /// The phase of a contact in a mode.
    pub(crate) fn phase_of(&self, mode: Mode, contact: usize) -> Phase {
        self.modes.phase(mode, contact)
    }

    /// The equations.
    pub fn network(&self) -> &Network {
        &self.network
    }

    fn boundary_guards(&self, known: &KnownMode, now: &Snapshot, guards: &mut [f64]) {
        let KnownMode { phases, stick } = known;
        for ((guard, phase), sliding) in guards.iter_mut().zip(&phases.contacts).zip(&now.sliding) {
            *guard = if *phase == Phase::Stick { 1.0 } else { phase.sign() * sliding };
        }
        for (k, group) in stick.groups.iter().enumerate() {
            if let Some(&(contact, _)) = group.members.first() {
                let (limit, held) = (stick.group_limit(k, &now.limits), now.held[k]);
                guards[contact] = (limit - held) * (limit + held);
            }
        }
    }
}

impl System for Assembled {
    type State = Vec<f64>;
    type Guards = Vec<f64>;
    type Mode = Mode;

    fn start(&self) -> (Mode, Vec<f64>) {
        self.start.clone()
    }

    fn rhs(&self, mode: Mode, t: f64, y: &Vec<f64>, dy: &mut Vec<f64>) -> Result<(), Fault> {
        let known = self.modes.known(mode, &self.network);
        let mut now = self.now.borrow_mut();
        self.network.evaluate(&known, t, y, &mut now)?;
        let n = self.network.coordinates.len();
        dy[..n].copy_from_slice(&now.velocities);
        dy[n..2 * n].copy_from_slice(&now.accelerations);
        dy[2 * n..].fill(0.0);
        for (drive, speed) in self.network.drives.iter().zip(&now.drives[1]) {
            if let super::network::DriveMotion::SpeedFormula(_, slot) = drive {
                dy[2 * n + slot] = *speed;
            }
        }
        let heat = &mut dy[self.network.heat()..];
        for ((rate, friction), sliding) in heat.iter_mut().zip(&now.friction).zip(&now.sliding) {
            *rate = -friction * sliding;
        }
        Ok(())
    }

    fn guard_count(&self) -> usize {
        self.network.contacts.len() + self.loaded.len() + self.network.kinks
    }

    fn guard(&self, mode: Mode, guard: usize) -> Guard {
        let contacts = self.network.contacts.len();
        match guard {
            guard if guard >= contacts + self.loaded.len() => Guard::Boundary("kink of a formula"),
            guard if guard >= contacts => Guard::Boundary("loss of load"),
            guard if self.modes.phase(mode, guard) == Phase::Stick => Guard::Boundary("static limit"),
            _ => Guard::Boundary("end of slip"),
        }
    }

    fn guards(&self, mode: Mode, t: f64, y: &Vec<f64>, guards: &mut Vec<f64>) {
        let known = self.modes.known(mode, &self.network);
        let mut now = self.now.borrow_mut();
        let needs_forces = !known.stick.groups.is_empty() || guards.len() > self.network.contacts.len();
        if needs_forces && self.network.evaluate(&known, t, y, &mut now).is_err() {
            return guards.fill(f64::NAN);
        }
        if !needs_forces {
            self.network.move_along(&known, t, y, &mut now);
        }
        self.boundary_guards(&known, &now, guards);
        let mut others = guards[self.network.contacts.len()..].iter_mut();
        for (&contact, guard) in self.loaded.iter().zip(others.by_ref()) {
            *guard = now.loads[contact];
        }
        for ((guard, argument), side) in others.zip(&now.kinks).zip(&known.phases.sides) {
            *guard = if *side { *argument } else { -argument };
        }
    }

    fn jump(&self, mode: Mode, guard: usize, t: f64, y: &mut Vec<f64>) -> Result<Jump<Mode>, Fault> {
        let known = self.modes.known(mode, &self.network);
        let contacts = self.network.contacts.len();
        let cause = if guard >= contacts + self.loaded.len() {
            Cause::Kink(guard - contacts - self.loaded.len())
        } else if guard >= contacts {
            let contact = &self.network.contacts[self.loaded[guard - contacts]];
            return Err(lost_load(&contact.key, &contact.name, 0.0));
        } else if known.phases.contacts[guard] == Phase::Stick {
            Cause::Release(guard)
        } else {
            Cause::Arrival(guard)
        };
        let phases = self.network.settle(&known, cause, t, y)?;
        Ok(Jump::To(self.modes.number(phases)))
    }

    /// Heat and instants follow along.
    fn controlled(&self) -> usize {
        self.network.heat()
    }

    fn typical(&self, sizes: &mut Vec<f64>) -> f64 {
        self.network.typical(&self.start.1, sizes)
    }
}

impl Network {
    /// Typical sizes of a state, and a typical time \[s\], from stiffnesses, masses, limits, speeds and the start.
    fn typical(&self, start: &[f64], sizes: &mut [f64]) -> f64 {
        let n = self.coordinates.len();
        let mut stiffness = vec![0.0; n];
        let mut force: f64 = 0.0;
        for spring in &self.springs {
            for &(k, c) in &spring.row.entries {
                stiffness[k] += c * c * spring.stiffness.abs();
            }
            force = force.max(spring.preload.abs());
        }
        let rates = stiffness.iter().zip(&self.coordinates).map(|(k, coordinate)| k / coordinate.mass);
        let fastest = rates.fold(0.0, f64::max).sqrt();
        let mut now = Snapshot::new(self);
        let phases = Phases { contacts: vec![Phase::Slip; self.contacts.len()], sides: Vec::new() };
        let known = KnownMode { phases: Rc::new(phases), stick: Rc::new(Stick::of(self, std::iter::empty())) };
        self.move_along(&known, 0.0, start, &mut now);
        // a failure has been reported when the start was entered
        let _ = self.accelerate_freely(&known.phases, 0.0, start, &mut now);
        for (contact, load) in self.contacts.iter().zip(&now.loads) {
            force = force.max(load.abs() * contact.law.static_coefficient());
        }
        let lightest = self.coordinates.iter().map(|coordinate| coordinate.mass).fold(f64::INFINITY, f64::min);
        let fold = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let acceleration = fold(&now.accelerations).max(force / lightest);
        let speed = fold(&now.drives[1]).max(fold(&start[n..2 * n]));
        let length = fold(&start[..n]);
        let time = if fastest > 0.0 {
            1.0 / fastest
        } else if acceleration > 0.0 && speed > 0.0 {
            speed / acceleration
        } else if acceleration > 0.0 && length > 0.0 {
            (length / acceleration).sqrt()
        } else {
            1.0
        };
        let speed = speed.max(acceleration * time);
        let speed = if speed > 0.0 { speed } else { 1.0 };
        sizes.fill(1.0);
        sizes[..n].fill(length.max(speed * time));
        sizes[n..2 * n].fill(speed);
        sizes[2 * n..self.heat()].fill(speed * time);
        time
    }
}
