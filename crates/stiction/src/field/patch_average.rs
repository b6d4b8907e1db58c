//! Variances of averages over a contact patch: exact for a disc and the Gaussian, limits for every shape.
//!
//! ```text
//! disc of radius R, field of unit variance with exp(−r²/l²), a = 2R²/l²
//! Var ⟨G⟩   = (l/R)² [1 − e⁻ᵃ (I₀ + I₁)]           → (l/R)² for small l,  1 − (R/l)² for large l
//! Var ⟨Gη⟩  = (l/R)²/4 [1 − e⁻ᵃ (I₀ + 2I₁ + I₂)]   η in units of R: torque of a disc that translates
//! ```
//! The brackets are ∫₀ᵃ e⁻ᵗ I₁/t dt and 2 ∫₀ᵃ e⁻ᵗ I₂/t dt; for small a they are summed as such, since the differences cancel.

use crate::num::special::{gamma, scaled_bessel_i};
use std::f64::consts::PI;

/// Variance of the mean of a field of unit variance over a disc [-]; `ratio` = l/R [-], > 0.
pub fn disc_mean_variance(ratio: f64) -> f64 {
    let a = 2.0 / (ratio * ratio);
    let bracket = if a < 1.0 { bracket_series(1, a) } else { 1.0 - (scaled_bessel_i(0, a) + scaled_bessel_i(1, a)) };
    // for the longest lengths a vanishes before its square does
    if a == 0.0 { 1.0 } else { 2.0 * bracket / a }
}

/// Variance of ⟨G η⟩ over a disc for a field of unit variance [-], η the coordinate along a diameter in units of the radius;
/// `ratio` = l/R [-], > 0.
pub fn disc_moment_variance(ratio: f64) -> f64 {
    let a = 2.0 / (ratio * ratio);
    let bracket = if a < 1.0 {
        2.0 * bracket_series(2, a)
    } else {
        1.0 - (scaled_bessel_i(0, a) + 2.0 * scaled_bessel_i(1, a) + scaled_bessel_i(2, a))
    };
    if a == 0.0 { 0.0 } else { 0.5 * bracket / a }
}

/// ∫₀ᵃ e⁻ᵗ I_m(t)/t dt = Σ (−1)ᵏ (2m+2k)!/(k! (2m+k)! (m+k)!) (a/2)^(m+k)/(m+k).
fn bracket_series(order: u32, a: f64) -> f64 {
    let m = f64::from(order);
    // k = 0: (a/2)^m/m!
    let mut term = (0.5 * a).powi(order as i32) / gamma(m + 1.0);
    let mut sum = term / m;
    for k in 1..60 {
        let k = f64::from(k);
        let both = (2.0 * m + 2.0 * k) * (2.0 * m + 2.0 * k - 1.0);
        term *= -both / (k * (2.0 * m + k) * (m + k)) * 0.5 * a;
        sum += term / (m + k);
        if term.abs() < 1e-18 * sum.abs() {
            break;
        }
    }
    sum
}

/// Variance of a linear functional of the coefficient from that of fields of unit variance: Σ weight · unit(length), over
/// the Gaussian terms (weight [-], length \[m\]) of the covariance ([`RandomField::gaussian_mixture`](super::RandomField::gaussian_mixture)).
///
/// ```
/// # use stiction::field::patch_average::{disc_mean_variance, mixed_variance};
/// let radius = 0.1;
/// let variance = mixed_variance(&[(0.01, 0.05)], |length| disc_mean_variance(length / radius));
/// assert_eq!(variance, 0.01 * disc_mean_variance(0.5));
/// ```
pub fn mixed_variance(terms: &[(f64, f64)], unit: impl Fn(f64) -> f64) -> f64 {
    terms.iter().map(|(weight, length)| weight * unit(*length)).sum()
}

/// Limit of small correlation lengths for ∫ w H dS over any shape: correlation area \[m²\] × Var H × ∫ w² dS.
pub fn short_length_variance(correlation_area: f64, variance: f64, square_weight: f64) -> f64 {
    correlation_area * variance * square_weight
}

/// Integrals of a weight w over a patch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightMoments {
    /// ∫ w dS.
    pub whole: f64,
    /// ∫ w x dS, ∫ w y dS.
    pub first: [f64; 2],
    /// ∫ w |x|² dS.
    pub second: f64,
}

/// Law of large correlation lengths for ∫ w H dS over any shape and the Gaussian correlation of length l \[m\]:
/// Var H [(∫w)² − (2/l²)(∫w ∫w|x|² − |∫w x|²)], up to terms of order l⁻⁴.
pub fn long_length_variance(length: f64, variance: f64, moments: &WeightMoments) -> f64 {
    let WeightMoments { whole, first: [x, y], second } = *moments;
    variance * (whole * whole - 2.0 / (length * length) * (whole * second - (x * x + y * y)))
}

/// Area under exp(−(r/l)ⁿ) over the plane \[m²\]: π l² Γ(1 + 2/n).
pub fn power_exponential_area(length: f64, exponent: f64) -> f64 {
    PI * length * length * gamma(1.0 + 2.0 / exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// mpmath with 40 digits; two of them confirmed by double quadrature.
    #[test]
    fn disc_averages_keep_thirteen_digits_from_tiny_to_huge_lengths() {
        for (ratio, mean, moment) in [
            (1e-3, 9.994_358_104_517_14e-7, 2.497_179_052_963_807e-7),
            (0.02, 0.000_395_486_596_173_766_6, 0.000_097_743_523_745_789_99),
            (0.3, 0.074_853_311_928_266_05, 0.015_095_094_257_721_566),
            (1.0, 0.476_222_388_197_391_3, 0.041_928_516_410_930_07),
            (1.41, 0.651_245_147_045_656_4, 0.034_333_941_572_698_49),
            (1.42, 0.654_591_469_190_456_2, 0.034_111_941_305_922_405),
            (3.0, 0.898_427_165_645_163_1, 0.012_016_999_202_875_86),
            (20.0, 0.997_505_199_232_404, 0.000_311_460_608_078_504_65),
            (1e3, 0.999_999_000_000_833_3, 1.249_998_333_334_791_7e-7),
            (1e4, 0.999_999_990_000_000_1, 1.249_999_983_333_333_5e-9),
        ] {
            let found = (disc_mean_variance(ratio), disc_moment_variance(ratio));
            assert!((found.0 / mean - 1.0).abs() < 1e-13, "{ratio}: {} {mean}", found.0);
            assert!((found.1 / moment - 1.0).abs() < 1e-13, "{ratio}: {} {moment}", found.1);
        }
        for extreme in [1e-200, 1e200] {
            assert!(disc_mean_variance(extreme).is_finite() && disc_moment_variance(extreme).is_finite());
        }
    }

    #[test]
    fn both_limits_are_approached_by_their_order() {
        let radius = 0.3;
        let area = PI * radius * radius;
        // w = 1/area, and w = y/(R area)
        let mean = WeightMoments { whole: 1.0, first: [0.0, 0.0], second: 0.5 * radius * radius };
        let moment = WeightMoments { whole: 0.0, first: [0.0, 0.25 * radius], second: 0.0 };
        for ratio in [20.0, 40.0_f64] {
            let remainder = 2.0 / ratio.powi(4);
            let length = ratio * radius;
            assert!((long_length_variance(length, 1.0, &mean) - disc_mean_variance(ratio)).abs() < remainder);
            assert!((long_length_variance(length, 1.0, &moment) - disc_moment_variance(ratio)).abs() < remainder);
        }
        for ratio in [0.01, 0.005] {
            // the rim is missing a share of order l/R
            let square = 1.0 / area;
            let short = short_length_variance(power_exponential_area(ratio * radius, 2.0), 1.0, square);
            assert!((disc_mean_variance(ratio) / short - 1.0).abs() < ratio);
        }
    }
}
