//! Bessel functions of real argument.
//!
//! K of orders −1/2 to 3/2 by Temme's series below x = 2 and Steed's continued fraction above (Temme 1975; Press et al., Numerical Recipes,
//! 6.6): [`matern`](super::matern) goes on from there. Scaled I by Miller's backward recurrence,
//! normalised with 1 = e⁻ˣ(I₀ + 2 I₁ + 2 I₂ + …), and by Hankel's expansion for large x.

use crate::num::real::{cosh, exp, ln, ln_1p, pow, sinh};
use std::f64::consts::{PI, TAU};

/// Coefficients of 1/Γ(1 + z) = Σ cₖ zᵏ.
const RECIPROCAL_GAMMA: [f64; 25] = [
    1.0,
    0.577_215_664_901_532_9,
    -0.655_878_071_520_253_9,
    -0.042_002_635_034_095_24,
    0.166_538_611_382_291_5,
    -0.042_197_734_555_544_34,
    -0.009_621_971_527_876_973,
    0.007_218_943_246_663_1,
    -0.001_165_167_591_859_065_2,
    -0.000_215_241_674_114_950_98,
    0.000_128_050_282_388_116_17,
    -2.013_485_478_078_824e-5,
    -1.250_493_482_142_670_6e-6,
    1.133_027_231_981_695_7e-6,
    -2.056_338_416_977_607e-7,
    6.116_095_104_481_416e-9,
    5.002_007_644_469_223e-9,
    -1.181_274_570_487_02e-9,
    1.043_426_711_691_100_5e-10,
    7.782_263_439_905_071e-12,
    -3.696_805_618_642_205e-12,
    5.100_370_287_454_476e-13,
    -2.058_326_053_566_506_6e-14,
    -5.348_122_539_423_018e-15,
    1.226_778_628_238_260_8e-15,
];

/// The Bessel function J₀(x).
pub(crate) fn bessel_j0(x: f64) -> f64 {
    libm::j0(x)
}

/// e⁻ˣ I_m(x), the scaled modified Bessel function of whole order m = `order`, for x ≥ 0; never overflows. It is taken at
/// |x| for negative x.
///
/// ```
/// # use stiction::num::special::scaled_bessel_i;
/// assert!((scaled_bessel_i(1, 1e3) - 0.012_610_930_256_928_63).abs() < 1e-16);
/// ```
pub fn scaled_bessel_i(order: u16, x: f64) -> f64 {
    let (x, m) = (x.abs(), f64::from(order));
    if x == 0.0 {
        return if order == 0 { 1.0 } else { 0.0 };
    }
    if x > (m * m).max(36.0) {
        // Hankel's expansion: the terms fall until k ≈ 2x, far below the last digit
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..200 {
            let odd = f64::from(2 * k - 1);
            term *= -(4.0 * m * m - odd * odd) / (8.0 * x * f64::from(k));
            sum += term;
            if term.abs() <= 0.1 * f64::EPSILON * sum.abs() {
                break;
            }
        }
        return sum / (TAU * x).sqrt();
    }
    // I_n/I_0 falls like exp(−n²/2x) at first and like (x/2)ⁿ/n! later
    let start = order as usize + 30 + (10.0 * x.sqrt()) as usize;
    let (mut above, mut here, mut sum, mut wanted) = (0.0_f64, 1e-250_f64, 0.0, 0.0);
    for n in (1..=start).rev() {
        // here is I_n
        if n == order as usize {
            wanted = here;
        }
        sum += 2.0 * here;
        let below = above + 2.0 * n as f64 / x * here;
        (above, here) = (here, below);
        if here > 1e200 {
            for value in [&mut above, &mut here, &mut sum, &mut wanted] {
                *value *= 1e-200;
            }
        }
    }
    sum += here;
    if order == 0 {
        wanted = here;
    }
    wanted / sum
}

/// ln Σ (−1)ᵏ Uₖ(p)/νᵏ, the sum of Debye's expansion of K_ν(νz) with p = 1/√(1 + z²), up to U₄: the next term is below
/// 1e-16 from ν = 1000 on.
pub(super) fn debye_logarithm(nu: f64, p: f64) -> f64 {
    let p2 = p * p;
    let u1 = p * (3.0 - 5.0 * p2) / 24.0;
    let u2 = p2 * (81.0 + p2 * (-462.0 + p2 * 385.0)) / 1152.0;
    let u3 = p * p2 * (30375.0 + p2 * (-369_603.0 + p2 * (765_765.0 - p2 * 425_425.0))) / 414_720.0;
    let inner = -94_121_676.0 + p2 * (349_922_430.0 + p2 * (-446_185_740.0 + p2 * 185_910_725.0));
    let u4 = p2 * p2 * (4_465_125.0 + p2 * inner) / 39_813_120.0;
    ln_1p((((u4 / nu - u3) / nu + u2) / nu - u1) / nu)
}

/// eˣ K_μ(x) and eˣ K_{μ+1}(x) for |μ| ≤ 1/2 and x > 0.
pub(super) fn scaled_pair(mu: f64, x: f64) -> (f64, f64) {
    if x < 2.0 {
        let (low, high) = temme_series(mu, x);
        let scale = exp(x);
        (low * scale, high * scale)
    } else {
        steed_fraction(mu, x)
    }
}

/// K_μ(x) and K_{μ+1}(x) for |μ| ≤ 1/2 and 0 < x ≤ 2.
fn temme_series(mu: f64, x: f64) -> (f64, f64) {
    // Γ₁ = [1/Γ(1−μ) − 1/Γ(1+μ)]/2μ and Γ₂ = [1/Γ(1−μ) + 1/Γ(1+μ)]/2 from the odd and the even powers
    let square = mu * mu;
    let (mut gamma_1, mut gamma_2) = (0.0, 0.0);
    for pair in RECIPROCAL_GAMMA.chunks(2).rev() {
        if let [even, odd] = pair {
            gamma_1 = gamma_1 * square - odd;
            gamma_2 = gamma_2 * square + even;
        } else if let [even] = pair {
            gamma_2 = *even;
        }
    }
    let (above, below) = (gamma_2 - mu * gamma_1, gamma_2 + mu * gamma_1);
    let logarithm = ln(2.0 / x);
    let sigma = mu * logarithm;
    let sine_ratio = if sigma.abs() < 1e-8 { 1.0 } else { sinh(sigma) / sigma };
    // νπ/sin νπ = Γ(1+ν) Γ(1−ν)
    let mut f = (gamma_1 * cosh(sigma) + gamma_2 * sine_ratio * logarithm) / (above * below);
    let power = pow(2.0 / x, mu);
    let (mut p, mut q) = (0.5 * power / above, 0.5 / (power * below));
    let quarter = 0.25 * x * x;
    let (mut c, mut low, mut high) = (1.0, f, p);
    for k in 1..100 {
        let k = f64::from(k);
        f = (k * f + p + q) / (k * k - square);
        c *= quarter / k;
        p /= k - mu;
        q /= k + mu;
        low += c * f;
        high += c * (p - k * f);
        if (c * f).abs() < 0.1 * f64::EPSILON * low.abs() {
            break;
        }
    }
    (low, high * 2.0 / x)
}

/// eˣ K_μ(x) and eˣ K_{μ+1}(x) for |μ| ≤ 1/2 and x ≥ 2.
fn steed_fraction(mu: f64, x: f64) -> (f64, f64) {
    let first = 0.25 - mu * mu;
    let mut b = 2.0 * (1.0 + x);
    let mut d = 1.0 / b;
    let (mut h, mut step) = (d, d);
    let (mut q_before, mut q_now) = (0.0, 1.0);
    let (mut q, mut c) = (first, first);
    let mut a = -first;
    let mut s = 1.0 + q * step;
    for k in 2..10_000 {
        let k = f64::from(k);
        a -= 2.0 * (k - 1.0);
        c = -a * c / k;
        let q_next = (q_before - b * q_now) / a;
        (q_before, q_now) = (q_now, q_next);
        q += c * q_next;
        b += 2.0;
        d = 1.0 / (b + a * d);
        step *= b * d - 1.0;
        h += step;
        let change = q * step;
        s += change;
        if change.abs() < 0.1 * f64::EPSILON * s.abs() {
            break;
        }
    }
    let low = (PI / (2.0 * x)).sqrt() / s;
    (low, low * (mu + x + 0.5 - first * h) / x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of mpmath with 30 digits.
    #[test]
    fn scaled_k_has_thirteen_digits_on_both_sides_of_two() {
        for (order, x, exact) in [
            (0.0, 0.1, 2.682_326_102_262_894_4),
            (0.3, 0.5, 1.609_933_659_156_536_3),
            (0.5, 1.0, 1.253_314_137_315_500_3),
            (0.49, 2.0, 0.884_418_204_798_381_8),
            (0.05, 1e-8, 21.349_251_975_131_37),
        ] {
            let found = scaled_pair(order, x).0;
            assert!((found / exact - 1.0).abs() < 1e-13, "{order} {x}: {found} {exact}");
        }
        for (order, x, exact) in [(1.0, 1.9999, 1.033_509_331_487_225_2), (0.75, 300.0, 0.072_397_760_189_678_8)] {
            assert!((scaled_pair(order - 1.0, x).1 / exact - 1.0).abs() < 1e-13, "{order} {x}");
        }
    }

    #[test]
    fn scaled_i_has_thirteen_digits_from_small_to_huge_arguments() {
        for (order, x, exact) in [
            (0, 0.1, 0.907_100_925_782_301_1),
            (1, 0.1, 0.045_298_446_808_809_33),
            (2, 1e-3, 1.248_750_728_854_274e-7),
            (0, 5.0, 0.183_540_812_609_328_36),
            (1, 12.0, 0.111_464_299_290_180_98),
            (2, 29.0, 0.069_365_184_226_405_7),
            (0, 31.0, 0.071_946_496_696_983_83),
            (1, 1e3, 0.012_610_930_256_928_63),
            (2, 2e6, 0.000_282_094_527_310_068_7),
            (5, 7.0, 0.024_516_390_173_996_174),
            (10, 90.0, 0.024_100_142_866_973_175),
            (10, 150.0, 0.023_336_262_354_091_7),
        ] {
            let found = scaled_bessel_i(order, x);
            assert!((found / exact - 1.0).abs() < 1e-13, "{order} {x}: {found} {exact}");
        }
        assert_eq!((scaled_bessel_i(0, 0.0), scaled_bessel_i(2, 0.0)), (1.0, 0.0));
    }
}
