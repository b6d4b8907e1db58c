//! Stick-slip cycles of a contact: from one release to the next.

use super::extremes::Window;
use super::motion::Motion;
use super::room::Room;
use super::watch::{EventView, StretchView, Watcher};
use crate::integrate::Flow;
use crate::system::Phase;

/// A cycle: from one release to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct StickSlipCycle {
    /// When the contact was released \[s\].
    pub start: f64,
    /// How long it slid \[s\].
    pub slip_time: f64,
    /// How long it stuck \[s\].
    pub stick_time: f64,
    /// Largest value of each coordinate and velocity.
    pub max: Vec<f64>,
    /// Smallest value of each coordinate and velocity.
    pub min: Vec<f64>,
}

impl StickSlipCycle {
    /// Period \[s\].
    pub fn period(&self) -> f64 {
        self.slip_time + self.stick_time
    }
}

/// Keeps the cycles of one contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Cycles {
    contact: usize,
    window: Window,
    released: Option<f64>,
    stuck: f64,
    since: Option<f64>,
    room: Room,
    /// The complete cycles, in order.
    pub cycles: Vec<StickSlipCycle>,
}

impl Cycles {
    /// Of this contact of a motion, with the extremes of its coordinates and velocities.
    pub fn of(motion: &dyn Motion, contact: usize) -> Self {
        let window = Window::new(f64::NEG_INFINITY, f64::INFINITY, motion.entries());
        Self { contact, window, released: None, stuck: 0.0, since: None, room: Room::default(), cycles: Vec::new() }
    }

    /// The same with at most so many bytes for the cycles.
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        Self { room: Room::of(bytes), ..self }
    }

    /// Whether there was no room for a cycle.
    pub fn is_full(&self) -> bool {
        self.room.is_full()
    }

    fn keep(&mut self, cycle: StickSlipCycle) {
        let bytes = size_of::<StickSlipCycle>() + 8 * (cycle.max.len() + cycle.min.len());
        if self.room.take(bytes as u64) {
            self.cycles.push(cycle);
        }
    }
}

impl Watcher for Cycles {
    fn stretch(&mut self, stretch: &StretchView<'_>) -> Flow {
        if self.released.is_some() { self.window.stretch(stretch) } else { Flow::Continue }
    }

    fn event(&mut self, event: &EventView<'_>) -> Flow {
        let (Some(&from), Some(&to)) = (event.from.get(self.contact), event.to.get(self.contact)) else {
            return Flow::Continue;
        };
        if from != Phase::Stick && to == Phase::Stick {
            self.since = Some(event.time);
        } else if from == Phase::Stick && to != Phase::Stick {
            self.stuck += self.since.take().map_or(0.0, |since| event.time - since);
            if let Some(start) = self.released {
                let (stick_time, slip_time) = (self.stuck, event.time - start - self.stuck);
                let (max, min) = (self.window.max.clone(), self.window.min.clone());
                self.keep(StickSlipCycle { start, slip_time, stick_time, max, min });
            }
            self.released = Some(event.time);
            self.stuck = 0.0;
            self.window.restart(event.time);
            self.window.widen(event.before);
        }
        self.room.flow()
    }
}
