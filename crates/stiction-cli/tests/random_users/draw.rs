//! Random choices of one user: the same number of a case always gives the same choices.

use stiction::num::random::Stream;
use stiction::num::real::{exp, ln};

/// Seed of all cases; a case is a realisation of it.
const SEED: u64 = 0x5714;

/// The random numbers of one case.
pub(crate) struct Draw(Stream);

impl Draw {
    /// The choices of this case.
    pub(crate) fn of(case: u64) -> Self {
        Self(Stream::new(SEED, case, 0))
    }

    /// A number of the interval, evenly distributed.
    pub(crate) fn even(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.uniform()
    }

    /// A positive number of the interval, evenly distributed in its logarithm.
    pub(crate) fn log(&mut self, low: f64, high: f64) -> f64 {
        exp(self.even(ln(low), ln(high)))
    }

    /// A whole number from 0 to `count` − 1.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.0.uniform() * count as f64) as usize
    }

    /// One of several.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// True with this probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.0.uniform() < probability
    }

    /// A power of four between 4⁻ⁿ and 4ⁿ: scaling by it, and by its root, is exact.
    pub(crate) fn power_of_four(&mut self, n: i32) -> f64 {
        4.0f64.powi(self.below(2 * n as usize + 1) as i32 - n)
    }
}
