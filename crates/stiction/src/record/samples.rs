//! The motion at given instants.

use super::motion::End;
use super::room::Room;
use super::watch::{StretchView, Watcher};
use crate::integrate::Flow;
use crate::memory;
use crate::system::Phase;

/// Keeps the columns and phases at given instants.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    wanted: Vec<f64>,
    row: Vec<f64>,
    room: Room,
    /// The instants that were reached \[s\].
    pub times: Vec<f64>,
    /// The values, one list a column.
    pub columns: Vec<Vec<f64>>,
    /// The phases, one list a contact.
    pub phases: Vec<Vec<Phase>>,
}

impl Samples {
    /// Samples at these instants \[s\], ascending, of a motion with this number of columns and contacts.
    pub fn at(times: Vec<f64>, columns: usize, contacts: usize) -> Self {
        Self::within(memory::DEFAULT, times, columns, contacts)
    }

    /// The same with at most so many bytes for what is kept.
    pub fn within(bytes: u64, times: Vec<f64>, columns: usize, contacts: usize) -> Self {
        let room = Room::of(bytes);
        let count = times.len().min(room.entries(row_bytes(columns, contacts)));
        Self {
            wanted: times,
            row: vec![0.0; columns],
            room,
            times: Vec::with_capacity(count),
            columns: vec![Vec::with_capacity(count); columns],
            phases: vec![Vec::with_capacity(count); contacts],
        }
    }

    /// Whether there was no room for some of the instants.
    pub fn is_full(&self) -> bool {
        self.room.is_full()
    }

    /// `count` evenly spaced instants from `start` to `end` \[s\], both included.
    pub fn even(start: f64, end: f64, count: usize) -> Vec<f64> {
        let parts = count.saturating_sub(1).max(1) as f64;
        // multiples of the interval, not sums: no drift
        (0..count)
            .map(|k| if k + 1 == count && k > 0 { end } else { start + (end - start) * (k as f64 / parts) })
            .collect()
    }
}

impl Samples {
    /// The next instant, if it is not after `time` \[s\].
    fn due(&self, time: f64) -> Option<f64> {
        self.wanted.get(self.times.len()).copied().filter(|wanted| *wanted <= time)
    }

    /// Keeps the row at `time` \[s\]; false if there is no room for it.
    fn keep(&mut self, time: f64, phases: &[Phase]) -> bool {
        if !self.room.take(row_bytes(self.columns.len(), self.phases.len())) {
            return false;
        }
        self.times.push(time);
        for (column, value) in self.columns.iter_mut().zip(&self.row) {
            column.push(*value);
        }
        for (column, phase) in self.phases.iter_mut().zip(phases) {
            column.push(*phase);
        }
        true
    }

    /// Takes instants up to the end of the motion that its last stretch missed by rounding: a system with a clock of its own
    /// reaches a time only to the error of its dense output.
    pub(crate) fn close(&mut self, end: &End) {
        while let Some(time) = self.due(end.time) {
            self.row.clone_from(&end.columns);
            if !self.keep(time, &end.phases) {
                return;
            }
        }
    }
}

/// Bytes of a row.
fn row_bytes(columns: usize, contacts: usize) -> u64 {
    (8 * (columns + 1) + size_of::<Phase>() * contacts) as u64
}

impl Watcher for Samples {
    fn stretch(&mut self, stretch: &StretchView<'_>) -> Flow {
        while let Some(time) = self.due(stretch.to) {
            (stretch.at)(time, &mut self.row);
            if !self.keep(time, stretch.phases) {
                break;
            }
        }
        self.room.flow()
    }
}
