//! A sink that keeps every event and checks that stretches join.

use stiction::integrate::{Event, Flow, Sink, Stretch};
use stiction::system::{Guard, System};

/// An event as it was reported.
#[derive(Debug, Clone)]
pub struct Noted<S: System> {
    pub time: f64,
    pub guard: usize,
    pub kind: Guard,
    pub rising: bool,
    pub mode: S::Mode,
    pub next: Option<S::Mode>,
    pub before: S::State,
    pub after: S::State,
}

/// Keeps events; stops after so many of them.
pub struct Recorder<S: System> {
    pub events: Vec<Noted<S>>,
    /// Ends of the stretches.
    pub stretches: Vec<(f64, f64)>,
    /// Largest difference between the end of a stretch and the state of the event there.
    pub enough: usize,
}

impl<S: System> Default for Recorder<S> {
    fn default() -> Self {
        Self { events: Vec::new(), stretches: Vec::new(), enough: usize::MAX }
    }
}

impl<S: System> Recorder<S> {
    pub fn until(enough: usize) -> Self {
        Self { enough, ..Self::default() }
    }

    pub fn times(&self) -> Vec<f64> {
        self.events.iter().map(|event| event.time).collect()
    }

    pub fn of_guard(&self, guard: usize) -> Vec<f64> {
        self.events.iter().filter(|event| event.guard == guard).map(|event| event.time).collect()
    }
}

impl<S: System> Sink<S> for Recorder<S> {
    fn stretch(&mut self, stretch: &Stretch<'_, S>) -> Flow {
        assert!(stretch.to > stretch.from, "an empty stretch");
        if let Some(&(_, end)) = self.stretches.last() {
            assert_eq!(end, stretch.from, "stretches join");
        }
        self.stretches.push((stretch.from, stretch.to));
        Flow::Continue
    }

    fn event(&mut self, event: &Event<'_, S>) -> Flow {
        if let Some(last) = self.events.last() {
            assert!(last.time <= event.time, "events in order: {} then {}", last.time, event.time);
        }
        self.events.push(Noted {
            time: event.time,
            guard: event.guard,
            kind: event.kind,
            rising: event.rising,
            mode: event.mode,
            next: event.next,
            before: event.before.clone(),
            after: event.after.clone(),
        });
        if self.events.len() >= self.enough { Flow::Stop } else { Flow::Continue }
    }
}
