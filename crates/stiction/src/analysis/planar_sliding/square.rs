//! The rectangle in translation with the Gaussian correlation, in closed form [hu2021, Eq. 6–9].
//!
//! The printed sums cancel at large l/a; here they are factored, and beyond t = 1.5 summed as series.
//!
//! ```text
//! I0(t) = ∫∫ exp(−(x−x')²/t²) dx dx',   I1(t) = ∫∫ x x' exp(−(x−x')²/t²) dx dx'   over [−1, 1]²
//! ```

use crate::num::real::{erf, exp_m1};
use std::f64::consts::PI;

/// Where the series takes over: there both have full precision.
const SERIES_FROM: f64 = 1.5;

/// I0(t) [-] for t = l/a > 0.
pub(crate) fn i0(t: f64) -> f64 {
    if t >= SERIES_FROM {
        return series(t, 0, |k| 8.0 / ((2.0 * k + 1.0) * (2.0 * k + 2.0)));
    }
    2.0 * PI.sqrt() * t * erf(2.0 / t) + t * t * exp_m1(-4.0 / (t * t))
}

/// I1(t) [-] for t = l/a > 0.
pub(crate) fn i1(t: f64) -> f64 {
    if t >= SERIES_FROM {
        return series(t, 1, |k| {
            let tail = (2.0 * k + 3.0) * (2.0 * k + 4.0);
            4.0 * (4.0 / ((2.0 * k + 1.0) * (2.0 * k + 2.0) * tail) - 2.0 / tail)
        });
    }
    let fall = exp_m1(-4.0 / (t * t));
    let t2 = t * t;
    2.0 / 3.0 * PI.sqrt() * t * erf(2.0 / t) - 2.0 / 3.0 * t2 + t2 / 3.0 * fall - t2 * t2 / 6.0 * fall
}

/// Σ (−4/t²)ᵏ/k! · coefficient(k) from k = `first`.
fn series(t: f64, first: i32, coefficient: impl Fn(f64) -> f64) -> f64 {
    let step = -4.0 / (t * t);
    let (mut power, mut sum) = (1.0, 0.0);
    for k in 0..60 {
        if k > 0 {
            power *= step / f64::from(k);
        }
        if k >= first {
            sum += power * coefficient(f64::from(k));
        }
    }
    sum
}

/// Covariance of (F_x, F_y, T) of a rectangle with half sides `a`, `b` \[m\] translating along (c, s), for unit pressure and
/// unit variance of the coefficient.
pub(crate) fn rectangle_translation(a: f64, b: f64, [c, s]: [f64; 2], length: f64) -> [[f64; 3]; 3] {
    let (x, y) = (length / a, length / b);
    let force = a * a * b * b * i0(x) * i0(y);
    let torque = c * c * a * a * b.powi(4) * i0(x) * i1(y) + s * s * a.powi(4) * b * b * i1(x) * i0(y);
    [[c * c * force, c * s * force, 0.0], [c * s * force, s * s * force, 0.0], [0.0, 0.0, torque]]
}
