//! The standard normal distribution.

use crate::num::real::{erfc, exp};
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// Probability [-] that a standard normal number lies below `x`; keeps its digits in the lower tail.
pub(crate) fn normal_below(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// Density of the standard normal distribution [-].
pub(crate) fn normal_density(x: f64) -> f64 {
    exp(-0.5 * x * x) / TAU.sqrt()
}

/// δ(β) = β + φ(β)/Φ(β) and 1 − λ δ with λ = φ(β)/Φ(β): mean, measured from the cut, and variance of a standard normal
/// number that is cut from below at −β, both in units of its uncut spread.
///
/// Far in the tail (β < −2) both are differences of nearly equal numbers; the continued fraction of Mills' ratio
/// δ = 1/(x + 2/(x + 3/(x + …))), x = −β, has none.
pub(crate) fn inverse_mills(beta: f64) -> (f64, f64) {
    if beta > -2.0 {
        let lambda = normal_density(beta) / normal_below(beta);
        let mean = beta + lambda;
        return (mean, 1.0 - lambda * mean);
    }
    // from the far end; 200 levels are enough at x = 2, where it converges slowest
    let x = -beta;
    let mut rest = 0.0;
    for level in (2..=200).rev() {
        rest = f64::from(level) / (x + rest);
    }
    let mean = 1.0 / (x + rest);
    (mean, mean * (rest - mean))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_keep_their_digits() {
        assert!((normal_below(-10.0) / 7.619_853_024_160_527e-24 - 1.0).abs() < 1e-13);
        let (above, below) = (inverse_mills(-1.999_999_999), inverse_mills(-2.000_000_001));
        assert!((above.0 / below.0 - 1.0).abs() < 1e-8 && (above.1 / below.1 - 1.0).abs() < 1e-8);
        // far in the tail the number is exponential with mean 1/x
        let (mean, variance) = inverse_mills(-1e4);
        assert!((mean * 1e4 - 1.0).abs() < 3e-8 && (variance / (mean * mean) - 1.0).abs() < 1e-7);
    }
}
