//! How long a step may be: tolerances, and what the error of the last step says about the next one.

use super::Tolerance;
use crate::system::{Coords, System};
use std::f64::consts::LN_2;

/// Fraction of the step that the error estimate would allow.
const SAFETY: f64 = 0.9;
/// Errors below this fraction of the tolerance are not remembered: the step after them would grow too far.
const SMALLEST_MEMORY: f64 = 1e-3;

/// Tolerances, and the memory of the step control.
#[derive(Debug, Clone)]
pub(super) struct Control<Y> {
    pub(super) tolerance: Tolerance,
    pub(super) longest_step: f64,
    /// What the absolute tolerance is a fraction of, coordinate by coordinate.
    pub(super) typical: Y,
    /// A typical time \[s\], the unit of the first step.
    pub(super) time: f64,
    last_error: f64,
    rejected: bool,
}

impl<Y: Coords> Control<Y> {
    pub(super) fn new<S: System<State = Y>>(system: &S, tolerance: Tolerance) -> Self {
        let mut typical = system.start().1;
        let time = system.typical(&mut typical);
        Self { tolerance, longest_step: f64::INFINITY, typical, time, last_error: 1.0, rejected: false }
    }

    /// Forgets the steps before.
    pub(super) fn restart(&mut self) {
        (self.last_error, self.rejected) = (1.0, false);
    }

    /// Error that coordinate `i` may have where it has this size.
    #[inline(always)]
    pub(super) fn scale(&self, i: usize, size: f64) -> f64 {
        self.tolerance.absolute * self.typical.as_slice()[i] + self.tolerance.relative * size
    }

    /// Root mean square of the leading coordinates of `v` relative to what a state `y` may have as error.
    pub(super) fn norm(&self, controlled: usize, v: &Y, y: &Y) -> f64 {
        let controlled = controlled.min(v.as_slice().len());
        let pairs = v.as_slice().iter().zip(y.as_slice()).enumerate().take(controlled);
        let squares = pairs.map(|(i, (v, y))| {
            let scaled = v / self.scale(i, y.abs());
            scaled * scaled
        });
        (squares.sum::<f64>() / controlled.max(1) as f64).sqrt()
    }

    /// Length of the next step, from that of the last one and its error divided by the tolerance. The step shrinks and grows
    /// at most by the factors of `limits`; in between `growth` tells, from the error and that of the step before, unless a
    /// step has just been rejected.
    #[inline]
    pub(super) fn next_step(
        &mut self,
        h: f64,
        error: f64,
        (smallest, largest): (f64, f64),
        growth: impl FnOnce(f64, Option<f64>) -> f64,
    ) -> f64 {
        let accepted = error <= 1.0;
        let factor = if error == 0.0 {
            largest
        } else if error.is_finite() {
            let memory = Some(self.last_error).filter(|_| accepted && !self.rejected);
            (SAFETY * growth(error, memory)).clamp(smallest, largest)
        } else {
            smallest
        };
        let most = match (accepted, self.rejected) {
            (true, false) => largest,
            (true, true) => 1.0,
            (false, _) => SAFETY,
        };
        self.rejected = !accepted;
        if accepted {
            self.last_error = error.max(SMALLEST_MEMORY);
        }
        h * factor.min(most)
    }
}

/// Logarithm to base two of a number > 0 that is normal, to 0.01. Enough for the length of a step, with the same bits on every
/// machine, and a tenth of the cost of the right one.
#[inline]
pub(super) fn rough_log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = f64::from((bits >> 52) as u32) - 1023.0;
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52) - 1.0;
    exponent + mantissa * (1.344 - 0.344 * mantissa)
}

/// Two to the power of `x`, |x| < 1000, to 0.1 %.
#[inline]
pub(super) fn rough_exp2(x: f64) -> f64 {
    // beyond 2^52 the last binary place of a number is one: its bits hold the integer next to x, and the exponent of the result
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    let shifted = x + 1023.0 + SHIFT;
    let rest = x + 1023.0 - (shifted - SHIFT);
    f64::from_bits(shifted.to_bits() << 52) * (1.0 + rest * (LN_2 + rest * (0.2402 + rest * 0.0555)))
}

#[cfg(test)]
mod tests {
    use super::{rough_exp2, rough_log2};
    use crate::num::real;

    #[test]
    fn rough_logarithms_and_powers_are_right_to_what_they_promise() {
        for k in -2000..2000 {
            let x = real::pow(1.4, f64::from(k));
            let log2 = real::log2(x);
            assert!((rough_log2(x) - log2).abs() < 0.01, "log2 {x:e}: {}", rough_log2(x));
            assert!((rough_exp2(log2) / x - 1.0).abs() < 1e-3, "exp2 {log2}: {}", rough_exp2(log2));
        }
    }
}
