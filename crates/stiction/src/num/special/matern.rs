//! Matérn's correlation function, for any smoothness.
//!
//! ```text
//! M_ν(z) = 2^(1−ν)/Γ(ν) z^ν K_ν(z)       M_{ν+1} = M_ν + z²/(4ν(ν−1)) M_{ν−1}
//! ```
//! The recurrence has positive terms only, so that large ν cost no digits; beyond ν = 1000 Debye's uniform expansion of
//! K_ν is used, whose large parts cancel against Γ(ν) on paper.

use super::bessel::{debye_logarithm, scaled_pair};
use super::gamma::gamma;
use crate::num::real::{exp, ln, ln_1p, pow};

const EXPANSION_FROM: f64 = 1000.0;

/// Matérn's correlation [-] of smoothness ν at a distance of `r` correlation lengths, M_ν(z) with z = √(2ν) r.
///
/// ```
/// # use stiction::num::special::matern;
/// assert!((matern(0.5, 2.0) - (-2f64).exp()).abs() < 1e-15);
/// ```
pub fn matern(smoothness: f64, r: f64) -> f64 {
    let r = r.abs();
    let z = (2.0 * smoothness).sqrt() * r;
    if z == 0.0 {
        return 1.0;
    }
    // far below the smallest number, for every smoothness that is summed
    if z > 1e5 && smoothness < EXPANSION_FROM || r > 1e100 {
        return 0.0;
    }
    if smoothness == 0.5 {
        return exp(-z);
    }
    if smoothness == 1.5 {
        return (1.0 + z) * exp(-z);
    }
    if smoothness == 2.5 {
        return (1.0 + z + z * z / 3.0) * exp(-z);
    }
    if smoothness >= EXPANSION_FROM {
        return large_smoothness(smoothness, r);
    }
    by_recurrence(smoothness, z).clamp(0.0, 1.0)
}

fn by_recurrence(smoothness: f64, z: f64) -> f64 {
    let steps = (smoothness + 0.5).floor();
    let mu = smoothness - steps;
    if steps == 0.0 {
        return pow(2.0, 1.0 - mu) / gamma(mu) * pow(z, mu) * scaled_pair(mu, z).0 * exp(-z);
    }
    if z < 1e-100 {
        return 1.0;
    }
    let (low, high) = scaled_pair(mu, z);
    let mut before = pow(0.5, mu) / gamma(mu + 1.0) * pow(z, mu + 1.0) * high;
    if steps == 1.0 {
        return before * exp(-z);
    }
    let mut here = before + pow(0.5, mu + 1.0) / gamma(mu + 2.0) * pow(z, mu + 2.0) * low;
    // e^z M grows like e^z: scaled down on the way
    let mut logarithm = -z;
    let mut nu = mu + 2.0;
    for _ in 2..steps as u64 {
        (before, here) = (here, here + z * z / (4.0 * nu * (nu - 1.0)) * before);
        nu += 1.0;
        if here > 1e200 {
            (before, here) = (before * 1e-200, here * 1e-200);
            logarithm += 200.0 * std::f64::consts::LN_10;
        }
    }
    here * exp(logarithm)
}

/// By Debye's expansion.
fn large_smoothness(nu: f64, r: f64) -> f64 {
    let y2 = 2.0 * r * r / nu;
    let w = (1.0 + y2).sqrt();
    let d = y2 / (1.0 + w);
    // Stirling's series of ln Γ(ν)
    let stirling = (1.0 - 1.0 / (30.0 * nu * nu)) / (12.0 * nu);
    exp(nu * (ln_1p(0.5 * d) - d) - 0.5 * ln(w) - stirling + debye_logarithm(nu, 1.0 / w))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of mpmath with 30 digits.
    #[test]
    fn any_smoothness_has_twelve_digits() {
        for (nu, r, exact) in [
            (0.01, 1e-3, 0.164_389_902_822_851_26),
            (0.3, 0.2, 0.695_459_410_688_125_4),
            (0.5, 1.0, 0.367_879_441_171_442_33),
            (0.8, 0.7, 0.573_179_619_542_994_9),
            (1.0, 0.5, 0.731_914_476_461_462_8),
            (1.2, 3.0, 0.037_499_947_206_525_525),
            (2.0, 0.01, 0.999_900_047_781_360_1),
            (3.7, 1.3, 0.383_322_752_961_200_94),
            (10.0, 2.0, 0.135_933_368_286_168_1),
            (49.5, 2.5, 0.045_454_740_994_405_65),
            (300.0, 1.7, 0.235_433_059_992_284_03),
            (900.0, 0.3, 0.955_950_710_152_601_2),
            (900.0, 6.0, 1.780_319_403_304_336_4e-8),
            (1200.0, 0.8, 0.725_986_328_847_625_2),
            (1e4, 2.0, 0.135_335_284_138_487_06),
            (1e6, 3.0, 0.011_109_059_026_248_634),
        ] {
            let found = matern(nu, r);
            assert!((found / exact - 1.0).abs() < 1e-12, "{nu} {r}: {found} {exact}");
        }
    }

    #[test]
    fn closed_forms_are_limits_of_their_neighbours() {
        for nu in [0.5, 1.5, 2.5] {
            for r in [0.01, 0.3, 1.0, 4.0] {
                let neighbours = 0.5 * (matern(nu - 1e-6, r) + matern(nu + 1e-6, r));
                assert!((neighbours - matern(nu, r)).abs() < 1e-11, "{nu} {r}");
            }
        }
        // ν → ∞: exp(−r²/2), with a relative difference of order r⁴/ν
        assert!((matern(1e12, 1.3) / exp(-0.5 * 1.69) - 1.0).abs() < 1e-11);
        assert_eq!((matern(3.0, 0.0), matern(3.0, 1e4), matern(2e3, 1e9)), (1.0, 0.0, 0.0));
    }
}
