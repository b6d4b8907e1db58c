//! Polynomials through the six entries of a covariance at Chebyshev places.

use super::functionals::{Matrix, PAIRS, difference};
use super::lengths::{Entries, matrix};
use crate::num::real::{cos, ln};
use std::f64::consts::PI;

/// Chebyshev places of the first kind between two ends.
pub(super) fn chebyshev_places(count: usize, low: f64, high: f64) -> impl Iterator<Item = f64> {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    (0..count).map(move |i| middle - half * cos(PI * (i as f64 + 0.5) / count as f64))
}

/// Six polynomials through values at Chebyshev places.
#[derive(Debug, Clone)]
pub(super) struct Chebyshev {
    low: f64,
    high: f64,
    coefficients: Vec<Entries>,
}

impl Chebyshev {
    pub(super) fn through(values: &[Entries], low: f64, high: f64) -> Self {
        let count = values.len();
        let coefficients = (0..count)
            .map(|k| {
                let mut sum = [0.0; 6];
                for (i, values) in values.iter().enumerate() {
                    let factor = cos(PI * k as f64 * (count as f64 - i as f64 - 0.5) / count as f64);
                    for (sum, value) in sum.iter_mut().zip(values) {
                        *sum += factor * value;
                    }
                }
                sum.map(|sum| sum * if k == 0 { 1.0 } else { 2.0 } / count as f64)
            })
            .collect();
        Self { low, high, coefficients }
    }

    /// K from K (1 + a²/l²), tabulated in ln l.
    pub(super) fn matrix(&self, length: f64, scale: f64) -> Matrix {
        let values = self.at(ln(length));
        let factor = (1.0 + scale * scale / (length * length)).recip();
        matrix(|n| values[n] * factor)
    }

    /// Largest of the last two terms, relative to the roots of the first ones of the diagonal.
    pub(super) fn last_terms(&self) -> f64 {
        let term = |n: usize| self.coefficients.get(n).map_or([[0.0; 3]; 3], |terms| matrix(|k| terms[k]));
        let (first, count) = (term(0), self.coefficients.len());
        let relative = |last: Matrix| {
            let shifted = matrix(|k| first[PAIRS[k].0][PAIRS[k].1] + last[PAIRS[k].0][PAIRS[k].1]);
            difference(&first, &shifted)
        };
        relative(term(count.saturating_sub(1))).max(relative(term(count.saturating_sub(2))))
    }

    /// Clenshaw's recurrence.
    pub(super) fn at(&self, x: f64) -> Entries {
        let t = (2.0 * x - self.low - self.high) / (self.high - self.low);
        let (mut next, mut after) = ([0.0; 6], [0.0; 6]);
        for coefficients in self.coefficients.iter().skip(1).rev() {
            for n in 0..6 {
                (next[n], after[n]) = (2.0 * t * next[n] - after[n] + coefficients[n], next[n]);
            }
        }
        let first = self.coefficients.first().copied().unwrap_or([0.0; 6]);
        std::array::from_fn(|n| first[n] + t * next[n] - after[n])
    }
}
