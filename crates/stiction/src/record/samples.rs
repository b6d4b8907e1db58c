//! The motion at given instants.

use super::motion::End;
use super::observe::Phase;
use super::watch::{StretchView, Watcher};
use crate::integrate::Flow;

/// Keeps the columns and phases at given instants.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    wanted: Vec<f64>,
    row: Vec<f64>,
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
        let count = times.len();
        Self {
            wanted: times,
            row: vec![0.0; columns],
            times: Vec::with_capacity(count),
            columns: vec![Vec::with_capacity(count); columns],
            phases: vec![Vec::with_capacity(count); contacts],
        }
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

    /// Keeps the row at `time` \[s\].
    fn keep(&mut self, time: f64, phases: &[Phase]) {
        self.times.push(time);
        for (column, value) in self.columns.iter_mut().zip(&self.row) {
            column.push(*value);
        }
        for (column, phase) in self.phases.iter_mut().zip(phases) {
            column.push(*phase);
        }
    }

    /// Takes instants up to the end of the motion that its last stretch missed by rounding: a system with a clock of its own
    /// reaches a time only to the error of its dense output.
    pub(crate) fn close(&mut self, end: &End) {
        while let Some(time) = self.due(end.time) {
            self.row.clone_from(&end.columns);
            self.keep(time, &end.phases);
        }
    }
}

impl Watcher for Samples {
    fn stretch(&mut self, stretch: &StretchView<'_>) -> Flow {
        while let Some(time) = self.due(stretch.to) {
            (stretch.at)(time, &mut self.row);
            self.keep(time, stretch.phases);
        }
        Flow::Continue
    }
}
