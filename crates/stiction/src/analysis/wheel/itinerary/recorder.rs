//! What is kept of a motion while it runs: its events by name, and its path for whoever asks.

use super::events::{ItineraryEvent, named};
use crate::integrate::{Event as LoopEvent, Flow, Sink, Stretch};
use crate::system::Sections;
use crate::system::filippov::{Automaton, AutomatonEvent, Filippov, Mode, Phase};
use crate::system::wheel::{Dynamics, R, State};

/// Receives the path of a motion.
pub trait Path {
    /// A piece of smooth motion: the state at any value of a parameter between `from` and `to`. The parameter is not time;
    /// both clocks are in the state and grow with it.
    fn stretch(&mut self, phase: Phase, from: f64, to: f64, at: &dyn Fn(f64, &mut State));

    /// Whether it left something out, because the memory is full.
    fn is_full(&self) -> bool {
        false
    }
}

/// Keeps nothing.
impl Path for () {
    fn stretch(&mut self, _phase: Phase, _from: f64, _to: f64, _at: &dyn Fn(f64, &mut State)) {}
}

/// Displacement \[m\] at which the slider has run away: in rescaled time it would reach infinity soon.
const RUNAWAY: f64 = 1e3;

/// Listens to the loop: names events, counts them, hands the path on.
pub(super) struct Recorder<'a> {
    pub(super) dynamics: &'a Dynamics,
    pub(super) automaton: &'a Automaton<'a, Dynamics>,
    pub(super) events: &'a mut Vec<ItineraryEvent>,
    pub(super) limit: usize,
    pub(super) path: &'a mut dyn Path,
    pub(super) last: Option<(Mode, usize, AutomatonEvent, State)>,
    pub(super) runaway: bool,
}

impl<'a> Sink<Automaton<'a, Dynamics>> for Recorder<'a> {
    const SECTIONS: Sections = Sections::NONE;

    fn stretch(&mut self, stretch: &Stretch<'_, Automaton<'a, Dynamics>>) -> Flow {
        let (phase, dynamics) = (stretch.mode.phase, self.dynamics);
        let at = |t: f64, y: &mut State| {
            (stretch.at)(t, y);
            if phase.is_stick() {
                dynamics.project(y);
            }
        };
        self.path.stretch(phase, stretch.from, stretch.to, &at);
        let mut y = [0.0; 5];
        at(stretch.to, &mut y);
        self.runaway = y[R].abs() > RUNAWAY;
        if self.runaway { Flow::Stop } else { Flow::Continue }
    }

    fn event(&mut self, event: &LoopEvent<'_, Automaton<'a, Dynamics>>) -> Flow {
        let kind = self.automaton.kind(event.mode, event.guard, event.next, event.after);
        self.last = Some((event.mode, event.guard, kind, *event.after));
        let (Some(name), Some(next)) = (named(kind), event.next) else { return Flow::Continue };
        push(self.events, ItineraryEvent::new(name, event.after, event.mode.phase.into(), next.phase.into()));
        if self.events.len() >= self.limit { Flow::Stop } else { Flow::Continue }
    }
}

pub(super) fn push(events: &mut Vec<ItineraryEvent>, mut event: ItineraryEvent) {
    event.index = events.len();
    events.push(event);
}
