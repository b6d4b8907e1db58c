//! A motion as everybody above the loop sees it: columns and phases, whatever the system is.

use super::observe::{Column, Energy, Observe};
use crate::integrate::{Event, Flow, Sink, Stretch};
use crate::num::roots::root;
use crate::system::{Coords, Phase};
use std::cell::RefCell;

/// A stretch of smooth motion.
pub struct StretchView<'a> {
    /// Its first instant \[s\].
    pub(crate) from: f64,
    /// Its last instant \[s\].
    pub(crate) to: f64,
    /// How each contact moves.
    pub(crate) phases: &'a [Phase],
    /// The columns at an instant in between.
    pub(crate) at: &'a dyn Fn(f64, &mut [f64]),
    /// The coordinates and velocities at an instant in between: the leading columns, which are entries of the state.
    pub(crate) entries: &'a dyn Fn(f64, &mut [f64]),
    /// The energy at an instant in between; none if there is no balance of energy.
    pub(crate) energy: &'a dyn Fn(f64) -> Option<Energy>,
}

/// Something that happened at an instant: the end of a mode, or the crossing of a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventView<'a> {
    /// When \[s\].
    pub(crate) time: f64,
    /// The name of the guard.
    pub(crate) name: &'static str,
    /// Whether the guard ends a mode; otherwise it is a section, and nothing changes.
    pub(crate) is_boundary: bool,
    /// Whether the guard was rising.
    pub(crate) rising: bool,
    /// How each contact moved before.
    pub(crate) from: &'a [Phase],
    /// How each contact moves after.
    pub(crate) to: &'a [Phase],
    /// The columns before.
    pub(crate) before: &'a [f64],
    /// The columns after.
    pub(crate) after: &'a [f64],
}

/// Watches a motion; says whether to go on.
pub trait Watcher {
    /// A stretch of smooth motion has been computed.
    fn stretch(&mut self, _stretch: &StretchView<'_>) -> Flow {
        Flow::Continue
    }
    /// An event has happened.
    fn event(&mut self, _event: &EventView<'_>) -> Flow {
        Flow::Continue
    }
}

/// Watches nothing.
impl Watcher for () {}

/// Two watchers at once: the motion goes on as long as both want it.
impl<A: Watcher, B: Watcher> Watcher for (A, B) {
    fn stretch(&mut self, stretch: &StretchView<'_>) -> Flow {
        self.0.stretch(stretch).and(self.1.stretch(stretch))
    }
    fn event(&mut self, event: &EventView<'_>) -> Flow {
        self.0.event(event).and(self.1.event(event))
    }
}

/// Shows a motion of a system to a watcher: a sink of the loop.
pub struct Seen<'a, S: Observe, W: Watcher + ?Sized> {
    system: &'a S,
    watcher: &'a mut W,
    phases: Vec<Phase>,
    next_phases: Vec<Phase>,
    before: Vec<f64>,
    after: Vec<f64>,
    /// Place and sign of the leading columns in the state.
    entries: Vec<(usize, f64)>,
    scratch: RefCell<S::State>,
}

impl<'a, S: Observe, W: Watcher + ?Sized> Seen<'a, S, W> {
    /// Motions of `system`, seen by `watcher`.
    pub fn by(system: &'a S, watcher: &'a mut W) -> Self {
        let (columns, contacts) = (system.columns(), system.contacts().len());
        let entries = columns.iter().map_while(Column::entry).collect();
        let columns = columns.len();
        Self {
            system,
            watcher,
            phases: vec![Phase::Slip; contacts],
            next_phases: vec![Phase::Slip; contacts],
            before: vec![0.0; columns],
            after: vec![0.0; columns],
            entries,
            scratch: RefCell::new(system.start().1),
        }
    }
}

fn fill<S: Observe>(system: &S, mode: S::Mode, phases: &mut [Phase]) {
    for (contact, phase) in phases.iter_mut().enumerate() {
        *phase = system.phase(mode, contact);
    }
}

impl<S: Observe, W: Watcher + ?Sized> Sink<S> for Seen<'_, S, W> {
    fn stretch(&mut self, stretch: &Stretch<'_, S>) -> Flow {
        let (system, mode, scratch) = (self.system, stretch.mode, &self.scratch);
        fill(system, mode, &mut self.phases);
        // the variable of the loop at a time, and the state there, which stays in the scratch state
        let time_of = |t: f64| {
            let mut y = scratch.borrow_mut();
            (stretch.at)(t, &mut y);
            system.time(t, &y)
        };
        let reach = |time: f64| -> f64 {
            let t = if S::OWN_CLOCK { inverse(&time_of, [stretch.from, stretch.to], time) } else { time };
            (stretch.at)(t, &mut scratch.borrow_mut());
            t
        };
        let at = |time: f64, values: &mut [f64]| {
            let t = reach(time);
            system.observe(mode, t, &scratch.borrow(), values);
        };
        let entries = |time: f64, values: &mut [f64]| {
            reach(time);
            let y = scratch.borrow();
            for (value, (index, sign)) in values.iter_mut().zip(&self.entries) {
                *value = sign * y.as_slice()[*index];
            }
        };
        let energy = |time: f64| {
            let t = reach(time);
            system.energy(mode, t, &scratch.borrow())
        };
        let (from, to) =
            if S::OWN_CLOCK { (time_of(stretch.from), time_of(stretch.to)) } else { (stretch.from, stretch.to) };
        self.watcher.stretch(&StretchView {
            from,
            to,
            phases: &self.phases,
            at: &at,
            entries: &entries,
            energy: &energy,
        })
    }

    fn event(&mut self, event: &Event<'_, S>) -> Flow {
        let next = event.next.unwrap_or(event.mode);
        fill(self.system, event.mode, &mut self.phases);
        fill(self.system, next, &mut self.next_phases);
        self.system.observe(event.mode, event.time, event.before, &mut self.before);
        self.system.observe(next, event.time, event.after, &mut self.after);
        let flow = self.watcher.event(&EventView {
            time: self.system.time(event.time, event.before),
            name: event.kind.name(),
            is_boundary: event.kind.is_boundary(),
            rising: event.rising,
            from: &self.phases,
            to: &self.next_phases,
            before: &self.before,
            after: &self.after,
        });
        if self.system.ended(next, event.after).is_some() { Flow::Stop } else { flow }
    }
}

/// Where a rising function of the variable of the loop reaches a time.
fn inverse(time_of: &dyn Fn(f64) -> f64, [from, to]: [f64; 2], time: f64) -> f64 {
    if time <= time_of(from) {
        return from;
    }
    if time >= time_of(to) {
        return to;
    }
    root(from, to, |t| time_of(t) - time).unwrap_or(from)
}
