//! The motion at evenly spaced instants and at every event.

use crate::integrate::{Event, Flow, Sink, Stretch};
use crate::system::{Sections, System};

/// Keeps the state at evenly spaced instants.
#[derive(Debug, Clone)]
pub struct Samples<S: System> {
    start: f64,
    interval: f64,
    next: u64,
    scratch: S::State,
    /// The instants \[s\].
    pub times: Vec<f64>,
    /// The mode at each instant.
    pub modes: Vec<S::Mode>,
    /// The state at each instant.
    pub states: Vec<S::State>,
}

impl<S: System> Samples<S> {
    /// Samples every `interval` \[s\], > 0, from `start` \[s\] on; room for `count` of them is made now.
    pub fn every(system: &S, start: f64, interval: f64, count: usize) -> Self {
        Self {
            start,
            interval,
            next: 0,
            scratch: system.start().1,
            times: Vec::with_capacity(count),
            modes: Vec::with_capacity(count),
            states: Vec::with_capacity(count),
        }
    }
}

impl<S: System> Sink<S> for Samples<S> {
    const SECTIONS: Sections = Sections::NONE;

    fn stretch(&mut self, stretch: &Stretch<'_, S>) -> Flow {
        // anything else would never leave the stretch
        while self.interval > 0.0 {
            // instants are multiples of the interval, not sums: no drift
            let instant = self.start + self.next as f64 * self.interval;
            if instant > stretch.to {
                return Flow::Continue;
            }
            (stretch.at)(instant, &mut self.scratch);
            self.times.push(instant);
            self.modes.push(stretch.mode);
            self.states.push(self.scratch.clone());
            self.next += 1;
        }
        Flow::Continue
    }
}

/// Two sinks at once: the motion goes on as long as both want it.
impl<S: System, A: Sink<S>, B: Sink<S>> Sink<S> for (A, B) {
    const SECTIONS: Sections = A::SECTIONS.or(B::SECTIONS);

    fn stretch(&mut self, stretch: &Stretch<'_, S>) -> Flow {
        both(self.0.stretch(stretch), self.1.stretch(stretch))
    }
    fn event(&mut self, event: &Event<'_, S>) -> Flow {
        both(self.0.event(event), self.1.event(event))
    }
}

fn both(a: Flow, b: Flow) -> Flow {
    if a == Flow::Stop || b == Flow::Stop { Flow::Stop } else { Flow::Continue }
}
