//! The principal branch W₀ of Lambert's function, w eʷ = x, for real x ≥ −1/e.
//!
//! Ageing contacts ask for W₀(−c e⁻ᴬ) where c and e⁻ᴬ leave the range of numbers although W₀ does not:
//! `lambert_w0_of_exponential` takes the logarithm of the product instead.

use super::real::{exp, ln};

/// e as an unevaluated sum of two numbers.
const E_HIGH: f64 = std::f64::consts::E;
const E_LOW: f64 = 1.445_646_891_729_250_2e-16;

/// W₀(x): the solution w ≥ −1 of w eʷ = x [-]. NaN below −1/e, where there is none.
///
/// ```
/// # use stiction::num::lambert::lambert_w0;
/// assert!((lambert_w0(1.0) - 0.567_143_290_409_783_8).abs() < 1e-16);
/// ```
pub fn lambert_w0(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY || x == 0.0 {
        return x;
    }
    // 1 + e x without cancellation: the function is steep at the branch point
    let (product, rest) = two_product(E_HIGH, x);
    let above_branch = (1.0 + product) + (rest + E_LOW * x);
    if above_branch < 0.0 {
        // the number nearest to −1/e lies a little below it
        return if above_branch > -2.0 * f64::EPSILON { -1.0 } else { f64::NAN };
    }
    if above_branch < 1e-3 {
        return branch_series(above_branch);
    }
    if x.abs() < 1e-5 {
        return x * (1.0 - x * (1.0 - x * (1.5 - x * (8.0 / 3.0))));
    }
    let mut w = if x < 1.0 {
        // a rational guess that is right at the branch point and at zero
        let p = (2.0 * above_branch).sqrt();
        if above_branch < 0.5 { -1.0 + p * (1.0 - p * (1.0 / 3.0 - p * 0.152)) } else { x / (1.0 + x * 0.75) }
    } else {
        let l = ln(1.0 + x);
        l * (1.0 - ln(1.0 + l) / (2.0 + l))
    };
    // Fritsch's iteration: fourth order, three rounds are plenty
    for _ in 0..4 {
        let z = if x > 0.0 { ln(x / w) - w } else { ln((x / w).max(f64::MIN_POSITIVE)) - w };
        let s = 1.0 + w;
        let q = 2.0 * s * (s + 2.0 / 3.0 * z);
        let change = (z / s) * ((q - z) / (q - 2.0 * z));
        w += w * change;
        if change.abs() < 1e-9 {
            break;
        }
    }
    w
}

/// W₀(−eˡ) for l = `logarithm` ≤ −1 [-], without forming eˡ: in [−1, 0).
///
/// For the argument −c e⁻ᴬ give `ln c − A`, which exists where c overflows or e⁻ᴬ underflows. NaN above −1.
pub(crate) fn lambert_w0_of_exponential(logarithm: f64) -> f64 {
    if logarithm.is_nan() {
        return f64::NAN;
    }
    let below = -1.0 - logarithm;
    if below < 0.0 {
        return if below > -8.0 * f64::EPSILON { -1.0 } else { f64::NAN };
    }
    // with w = −W: w − ln w = 1 + below
    if below < 1e-3 {
        // 1 + e x = 1 − e^(−below)
        return branch_series(-super::real::exp_m1(-below));
    }
    if logarithm < -700.0 {
        // e^l is tiny (or underflows): W₀(x) = x − x² to all digits
        return -exp(logarithm);
    }
    let mut w = -lambert_w0(-exp(logarithm));
    // the rounding of exp is seen for large |logarithm|: two Newton steps on w − ln w = 1 + below take it out
    for _ in 0..2 {
        let defect = (w - ln(w)) + logarithm;
        w -= defect * w / (w - 1.0);
    }
    -w
}

/// W₀ near the branch point, from d = 1 + e x: the series in p = √(2 d), good to the last digits for d < 1e-3.
fn branch_series(above_branch: f64) -> f64 {
    const SERIES: [f64; 9] = [
        -1.0,
        1.0,
        -1.0 / 3.0,
        11.0 / 72.0,
        -43.0 / 540.0,
        769.0 / 17_280.0,
        -221.0 / 8_505.0,
        680_863.0 / 43_545_600.0,
        -1_963.0 / 204_120.0,
    ];
    let p = (2.0 * above_branch).sqrt();
    SERIES.iter().rev().fold(0.0, |sum, c| sum * p + c)
}

/// a b as an unevaluated sum of two numbers (Dekker).
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let split = |x: f64| {
        let scaled = 134_217_729.0 * x;
        let high = scaled - (scaled - x);
        (high, x - high)
    };
    let product = a * b;
    if !product.is_finite() || b.abs() > 1e290 {
        return (product, 0.0);
    }
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    (product, ((ah * bh - product) + ah * bl + al * bh) + al * bl)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_come_back() {
        // reference values with 17 digits
        for (x, w) in [
            (1.0, 0.567_143_290_409_783_8),
            (std::f64::consts::E, 1.0),
            (-0.2, -0.259_171_101_819_073_76),
            (-0.36, -0.806_084_315_970_817_7),
            (10.0, 1.745_528_002_740_699_4),
            (1e10, 20.028_685_413_304_951),
            (1e300, 684.247_208_629_760_8),
            (1e-9, 9.999_999_99e-10),
        ] {
            assert!((lambert_w0(x) / w - 1.0).abs() < 1e-15, "{x}: {} {w}", lambert_w0(x));
        }
        assert_eq!(lambert_w0(0.0), 0.0);
        assert!(lambert_w0(-0.4).is_nan());
    }

    #[test]
    fn the_branch_point_is_reached() {
        assert!((lambert_w0(-exp(-1.0)) + 1.0).abs() < 2e-8);
        assert_eq!(lambert_w0_of_exponential(-1.0), -1.0);
    }

    proptest::proptest! {
        #[test]
        fn w_times_its_exponential_is_the_argument(w in -0.999f64..600.0) {
            let x = w * exp(w);
            let again = lambert_w0(x);
            // relative condition of the inverse: 1/(1 + w); the argument itself carries a few roundings and |w| more
            let bound = 4.0 * f64::EPSILON * (1.0 + w.abs()) / (1.0 + w);
            proptest::prop_assert!((again - w).abs() <= bound * (w.abs() + 1e-300), "{w} {again}");
        }

        #[test]
        fn the_logarithmic_form_solves_its_equation(w in 1e-6f64..0.999_999) {
            let logarithm = ln(w) - w;
            let again = -lambert_w0_of_exponential(logarithm);
            let bound = 4.0 * f64::EPSILON * (1.0 + logarithm.abs()) / (1.0 - w);
            proptest::prop_assert!((again - w).abs() <= bound * w + 1e-15 * w, "{w} {again}");
        }

        #[test]
        fn the_logarithmic_form_never_fails_below_minus_one(logarithm in -1e6f64..-1.0) {
            let w = lambert_w0_of_exponential(logarithm);
            proptest::prop_assert!((-1.0..=0.0).contains(&w));
        }
    }
}
