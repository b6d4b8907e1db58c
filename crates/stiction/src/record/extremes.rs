//! Largest and smallest values of the coordinates and velocities in a window of time.

use super::watch::{StretchView, Watcher};
use crate::integrate::Flow;
use crate::num::roots::minimum;

/// Parts of a stretch at whose ends a column is looked at; an extreme between them is refined.
const PARTS: usize = 8;

/// Keeps the extremes of coordinates and velocities in a window of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    from: f64,
    to: f64,
    /// Largest value of each column; −∞ where the window was not reached.
    pub max: Vec<f64>,
    /// Smallest value of each column; ∞ where the window was not reached.
    pub min: Vec<f64>,
    rows: Vec<Vec<f64>>,
}

impl Window {
    /// The window from `from` to `to` \[s\] of a motion with this number of coordinates and velocities.
    pub fn new(from: f64, to: f64, columns: usize) -> Self {
        Self {
            from,
            to,
            max: vec![f64::NEG_INFINITY; columns],
            min: vec![f64::INFINITY; columns],
            rows: vec![vec![0.0; columns]; PARTS + 1],
        }
    }

    /// Forgets everything; the window begins at `from` \[s\].
    pub(crate) fn restart(&mut self, from: f64) {
        self.from = from;
        self.max.fill(f64::NEG_INFINITY);
        self.min.fill(f64::INFINITY);
    }

    /// Counts these values, too.
    pub(crate) fn widen(&mut self, values: &[f64]) {
        for ((max, min), value) in self.max.iter_mut().zip(&mut self.min).zip(values) {
            *max = max.max(*value);
            *min = min.min(*value);
        }
    }

    /// Refines the extremes of a column of a stretch whose rows are known.
    fn refine(&mut self, column: usize, stretch: &StretchView<'_>, time: &dyn Fn(usize) -> f64) {
        for sign in [1.0, -1.0] {
            let value = |k: usize| sign * self.rows[k][column];
            let Some(best) = (0..=PARTS).max_by(|&a, &b| value(a).total_cmp(&value(b))) else { continue };
            let mut found = value(best);
            let mut row = vec![0.0; self.max.len()];
            let mut look = |t: f64| {
                (stretch.entries)(t, &mut row);
                -sign * row[column]
            };
            let (low, high) = (best.saturating_sub(1), (best + 1).min(PARTS));
            let known = if sign > 0.0 { self.max[column] } else { -self.min[column] };
            // a parabola through three points bounds how much higher the top can be
            let bend = (2.0 * value(best) - value(low) - value(high)).abs();
            if found + bend >= known {
                found = found.max(-minimum(time(low), time(high), &mut look).value);
            }
            if sign > 0.0 {
                self.max[column] = self.max[column].max(found);
            } else {
                self.min[column] = self.min[column].min(-found);
            }
        }
    }
}

impl Watcher for Window {
    fn stretch(&mut self, stretch: &StretchView<'_>) -> Flow {
        let (from, to) = (stretch.from.max(self.from), stretch.to.min(self.to));
        if from > to {
            return Flow::Continue;
        }
        let time = move |k: usize| if k == PARTS { to } else { from + (to - from) * (k as f64 / PARTS as f64) };
        for (k, row) in self.rows.iter_mut().enumerate() {
            (stretch.entries)(time(k), row);
        }
        for column in 0..self.max.len() {
            self.refine(column, stretch, &time);
        }
        Flow::Continue
    }
}
