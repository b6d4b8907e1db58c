//! The disc in translation with the Gaussian correlation, in closed form.
//!
//! With a = 2R²/l² and the modified Bessel functions I_m(a):
//!
//! ```text
//! Var <G>   = (l/R)² [1 − e⁻ᵃ (I_0 + I_1)],      Var <G η> = (l/R)²/4 [1 − e⁻ᵃ (I_0 + 2 I_1 + I_2)],   η = y/R
//! ```
//! The brackets cancel at large l, where they are ∫ e⁻ᵗ I_1/t dt and 2 ∫ e⁻ᵗ I_2/t dt from 0 to a.

use super::functionals::Matrix;
use crate::num::gauss::Rule;
use crate::num::real::exp;
use crate::num::special::scaled_bessel_i;
use std::f64::consts::PI;

/// Covariance of (F_x, F_y, T) of a disc translating along (c, s), for unit pressure and unit variance of the coefficient.
pub(crate) fn disc_translation(radius: f64, [c, s]: [f64; 2], length: f64) -> Matrix {
    let (mean, first) = patch_variances(length / radius);
    let area = PI * radius * radius;
    let (force, torque) = (area * area * mean, area * area * radius * radius * first);
    [[c * c * force, c * s * force, 0.0], [c * s * force, s * s * force, 0.0], [0.0, 0.0, torque]]
}

/// Variance of the mean of a unit field over a disc, and of its first moment over the radius; t = l/R.
pub(crate) fn patch_variances(t: f64) -> (f64, f64) {
    let a = 2.0 / (t * t);
    let (first, second) = if a < 2.0 {
        let rule = Rule::gauss_legendre(20);
        let first = rule.integral(0.0, a, |x| exp(-x) * bessel_over_argument(1, x));
        (first, 2.0 * rule.integral(0.0, a, |x| exp(-x) * bessel_over_argument(2, x)))
    } else {
        let [i0, i1, i2] = [0, 1, 2].map(|m| scaled_bessel_i(m, a));
        (1.0 - i0 - i1, 1.0 - i0 - 2.0 * i1 - i2)
    };
    (t * t * first, 0.25 * t * t * second)
}

/// I_m(x)/x by its series, for m = 1 or 2 and small x.
fn bessel_over_argument(m: u32, x: f64) -> f64 {
    // (1/2) Σ (x/2)^(2k+m−1) / (k! (k+m)!)
    let half = 0.5 * x;
    let mut term = if m == 1 { 0.5 } else { 0.25 * half };
    let mut sum = term;
    for k in 1..20 {
        term *= half * half / (f64::from(k) * f64::from(k + m));
        sum += term;
    }
    sum
}
