//! What the loop tells while it runs, and to whom.

use crate::system::{Guard, Sections, System};

/// Whether a sink wants more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// Stop here.
    Stop,
}

impl Flow {
    /// Goes on if both want it.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        if self == Flow::Stop { self } else { other }
    }
}

/// A stretch of smooth motion that has just been computed.
pub struct Stretch<'a, S: System> {
    /// Its mode.
    pub mode: S::Mode,
    /// Its first instant \[s\].
    pub from: f64,
    /// Its last instant \[s\].
    pub to: f64,
    /// The state at an instant in between.
    pub at: &'a dyn Fn(f64, &mut S::State),
    /// Time derivative of the state at an instant in between, as exact as the state; at the ends of a step that of the motion.
    pub rate: &'a dyn Fn(f64, &mut S::State),
}

/// Something that happened at an instant: a boundary with its jump, or the crossing of a section.
pub struct Event<'a, S: System> {
    /// When \[s\].
    pub time: f64,
    /// Which guard.
    pub guard: usize,
    /// What the guard means in the mode before.
    pub kind: Guard,
    /// Whether the guard was rising.
    pub rising: bool,
    /// The mode before.
    pub mode: S::Mode,
    /// The mode after; none if the motion ends.
    pub next: Option<S::Mode>,
    /// The state before the jump.
    pub before: &'a S::State,
    /// The state after the jump; at a section the same.
    pub after: &'a S::State,
}

/// Receives the motion as it is computed; says whether to go on.
pub trait Sink<S: System> {
    /// The sections that interest this sink; others are not looked for.
    const SECTIONS: Sections = Sections::ALL;
    /// A stretch of smooth motion has been computed.
    fn stretch(&mut self, _stretch: &Stretch<'_, S>) -> Flow {
        Flow::Continue
    }
    /// An event has happened.
    fn event(&mut self, _event: &Event<'_, S>) -> Flow {
        Flow::Continue
    }
}

/// Keeps nothing.
impl<S: System> Sink<S> for () {
    const SECTIONS: Sections = Sections::NONE;
}

/// Lends a sink.
impl<S: System, K: Sink<S>> Sink<S> for &mut K {
    const SECTIONS: Sections = K::SECTIONS;

    fn stretch(&mut self, stretch: &Stretch<'_, S>) -> Flow {
        (**self).stretch(stretch)
    }

    fn event(&mut self, event: &Event<'_, S>) -> Flow {
        (**self).event(event)
    }
}

/// Two sinks at once: the motion goes on as long as both want it.
impl<S: System, A: Sink<S>, B: Sink<S>> Sink<S> for (A, B) {
    const SECTIONS: Sections = A::SECTIONS.or(B::SECTIONS);

    fn stretch(&mut self, stretch: &Stretch<'_, S>) -> Flow {
        self.0.stretch(stretch).and(self.1.stretch(stretch))
    }

    fn event(&mut self, event: &Event<'_, S>) -> Flow {
        self.0.event(event).and(self.1.event(event))
    }
}
