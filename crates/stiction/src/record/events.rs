//! What happened in a motion: changes of phase, and the time that each contact stuck.

use super::motion::Motion;
use super::room::Room;
use super::watch::{EventView, StretchView, Watcher};
use crate::integrate::Flow;
use crate::system::Phase;

/// A contact that changed its phase, or, without a contact, another boundary that was met.
#[derive(Debug, Clone, PartialEq)]
pub struct PhaseChange {
    /// When \[s\].
    pub time: f64,
    /// Which contact.
    pub contact: usize,
    /// How it moved before.
    pub from: Phase,
    /// How it moves after.
    pub to: Phase,
    /// The columns after.
    pub columns: Vec<f64>,
}

impl PhaseChange {
    /// `stick` where the contact comes to rest, `slip` where it breaks away, `pass` where it slides on the other way.
    pub fn kind(&self) -> &'static str {
        match (self.from, self.to) {
            (_, Phase::Stick) => "stick",
            (Phase::Stick, _) => "slip",
            _ => "pass",
        }
    }
}

/// Keeps the changes of phase and adds up how long each contact stuck.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Events {
    /// The changes, in order of time, at one instant in the order of the contacts.
    pub changes: Vec<PhaseChange>,
    /// How long each contact stuck \[s\].
    pub stick_times: Vec<f64>,
    /// How long the motion was \[s\].
    pub duration: f64,
    room: Room,
}

impl Events {
    /// Of a motion.
    pub fn of(motion: &dyn Motion) -> Self {
        Self { stick_times: vec![0.0; motion.contacts().len()], ..Self::default() }
    }

    /// The same with at most so many bytes for the changes.
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        Self { room: Room::of(bytes), ..self }
    }

    /// Whether there was no room for a change.
    pub fn is_full(&self) -> bool {
        self.room.is_full()
    }

    fn keep(&mut self, change: PhaseChange) {
        if self.room.take((size_of::<PhaseChange>() + 8 * change.columns.len()) as u64) {
            self.changes.push(change);
        }
    }

    /// Share of the time that each contact stuck [-].
    pub fn stick_shares(&self) -> Vec<f64> {
        self.stick_times.iter().map(|time| if self.duration > 0.0 { time / self.duration } else { 0.0 }).collect()
    }
}

impl Watcher for Events {
    fn stretch(&mut self, stretch: &StretchView<'_>) -> Flow {
        let length = stretch.to - stretch.from;
        self.duration += length;
        for (time, phase) in self.stick_times.iter_mut().zip(stretch.phases) {
            *time += if *phase == Phase::Stick { length } else { 0.0 };
        }
        Flow::Continue
    }

    fn event(&mut self, event: &EventView<'_>) -> Flow {
        for (contact, (&from, &to)) in event.from.iter().zip(event.to).enumerate() {
            // a jump from slip to slip of a planar contact has no direction to compare
            if from != to {
                self.keep(PhaseChange { time: event.time, contact, from, to, columns: event.after.to_vec() });
            }
        }
        self.room.flow()
    }
}
