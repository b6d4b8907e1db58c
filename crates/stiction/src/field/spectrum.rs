//! Spectral densities: S(k) = ∫ R e^(−ik·x) dx over the plane.
//!
//! ```text
//! n = 2     π l² exp(−k²l²/4)                n = 1     2π l² (1 + k²l²)^(−3/2)
//! Matérn    4πν (2ν)^ν l^(−2ν) (2ν/l² + k²)^(−ν−1)
//! 0 < n < 2, large k     2 Σ_j (−1)^(j+1)/j! 2^(nj+1) k^(−nj−2) Γ(1 + nj/2)² sin(πnj/2)
//! n < 1     4 ∫ exp(−tⁿ cos(πn/2)) sin(tⁿ sin(πn/2)) K₀(kt) t dt         (path turned onto the imaginary axis)
//! others    Hankel transform
//! ```

use super::family::Family;
use super::hankel::RadialTransform;
use crate::num::quadrature::integral;
use crate::num::real::{cos, exp, ln, ln_1p, pow, sin};
use crate::num::special::{bessel_k, ln_gamma};
use std::f64::consts::{FRAC_PI_2, LN_2, PI, TAU};

impl Family {
    /// The spectral density [correlation lengths²] at wave number `k` [1/correlation length]. None where the transform does
    /// not converge.
    pub fn spectral_density(&self, k: f64) -> Option<f64> {
        let k = k.abs();
        let density = match self {
            _ if k == 0.0 => self.area()?,
            Family::PowerExponential { exponent } if *exponent == 2.0 => PI * exp(-0.25 * k * k),
            Family::PowerExponential { exponent } if *exponent == 1.0 => {
                let square = 1.0 + k * k;
                TAU / (square * square.sqrt())
            }
            Family::PowerExponential { exponent } if *exponent < 2.0 => match large_wave_numbers(*exponent, k) {
                Some(density) => density,
                None if *exponent < 0.6 || *exponent < 1.0 && k >= 1.0 => turned_path(*exponent, k)?,
                None => self.transformed(k)?,
            },
            // (1 + k²/2ν)^(−ν−1) keeps its digits for large ν
            Family::Matern { smoothness: nu } => TAU * exp(-(nu + 1.0) * ln_1p(k * k / (2.0 * nu))),
            Family::Sum(terms) => {
                let mut sum = 0.0;
                for (weight, term) in terms {
                    sum += weight * term.length * term.length * term.family.spectral_density(k * term.length)?;
                }
                sum
            }
            Family::Product(_) => match self.power_exponential() {
                Some((exponent, length)) => {
                    let same = Family::PowerExponential { exponent };
                    length * length * same.spectral_density(k * length)?
                }
                None => self.transformed(k)?,
            },
            _ => self.transformed(k)?,
        };
        density.is_finite().then_some(density)
    }

    /// The sampled transform for wave numbers up to `largest`.
    pub(super) fn transform(&self, largest: f64) -> Option<RadialTransform> {
        RadialTransform::new(|r| self.at(r), self.reach()?, &self.breaks(), largest)
    }

    fn transformed(&self, k: f64) -> Option<f64> {
        self.transform(k).map(|transform| transform.at(k))
    }
}

/// The expansion for large k; None if its terms do not fall far enough or cancel.
fn large_wave_numbers(n: f64, k: f64) -> Option<f64> {
    let (mut sum, mut largest, mut last) = (0.0_f64, 0.0_f64, f64::INFINITY);
    for j in 1..400 {
        let x = 0.5 * n * f64::from(j);
        let logarithm = 2.0 * (x * LN_2 + ln_gamma(1.0 + x)) - ln_gamma(f64::from(j) + 1.0) - 2.0 * x * ln(k);
        let size = exp(logarithm);
        // the sine may vanish by chance: the size without it decides
        if size > 2.0 * last {
            return None;
        }
        let term = size * sin(PI * x);
        sum += if j % 2 == 1 { term } else { -term };
        largest = largest.max(size);
        last = size;
        if size < 1e-17 * sum.abs() {
            return (largest < 100.0 * sum.abs()).then_some(4.0 * sum / (k * k));
        }
    }
    None
}

/// For n < 1, with x = tⁿ: 4/n ∫ exp(−x cos) sin(x sin) K₀(k x^(1/n)) x^(2/n − 1) dx.
fn turned_path(n: f64, k: f64) -> Option<f64> {
    let (c, s) = (cos(FRAC_PI_2 * n), sin(FRAC_PI_2 * n));
    let power = 2.0 / n - 1.0;
    let far = pow(45.0 / k, n).min((80.0 + 6.0 * power) / c);
    // the whole is of the size of the transform at 0 or of its tail, whichever is smaller
    let scale = ln_gamma(2.0 / n).max(0.0);
    let integrand = |x: f64| {
        if x == 0.0 {
            return 0.0;
        }
        exp(-x * c + power * ln(x) - scale) * sin(x * s) * bessel_k(0.0, k * pow(x, 1.0 / n))
    };
    // towards zero K₀ is a logarithm: pieces that shrink
    let mut sum = 0.0;
    let mut to = far;
    for _ in 0..12 {
        let from = 0.2 * to;
        sum += integral(from, to, integrand).ok()?.value;
        to = from;
    }
    sum += integral(0.0, to, integrand).ok()?.value;
    Some(4.0 / n * sum * exp(scale)).filter(|density| density.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Correlation, CorrelationTable, Marginal, Stretched};
    use crate::num::formula::Formula;
    use std::collections::BTreeMap;

    fn power(exponent: f64) -> Family {
        Family::PowerExponential { exponent }
    }

    fn stretched(length: f64, family: Family) -> Stretched {
        Stretched { length, family }
    }

    /// mpmath, zero by zero of the Bessel function, 18 digits.
    #[test]
    fn power_exponentials_of_any_exponent_have_their_spectral_density() {
        for (exponent, k, exact) in [
            (1.5, 0.3, 3.601_829_326_099_261_3),
            (1.5, 3.0, 0.256_024_727_568_113_06),
            (1.5, 10.0, 0.002_441_086_425_968_108),
            (1.9, 2.0, 1.111_811_512_587_889_6),
            (1.9, 6.0, 0.003_914_600_786_768_044),
            (0.8, 0.3, 7.464_544_833_420_848),
            (0.8, 3.0, 0.170_603_071_103_043_26),
            (0.5, 2.0, 0.282_318_581_955_076_53),
            (1.2, 30.0, 0.000_133_204_210_064_342_9),
            (3.0, 2.0, 1.411_157_467_068_145),
            (3.0, 5.0, -0.082_299_072_580_355_2),
            (4.0, 4.0, 0.017_267_895_349_389_29),
        ] {
            let found = power(exponent).spectral_density(k).unwrap();
            assert!((found / exact - 1.0).abs() < 1e-9, "{exponent} {k}: {found} {exact}");
        }
    }

    #[test]
    fn closed_forms_agree_with_the_transform_and_with_the_area() {
        for family in [power(2.0), power(1.0), Family::Matern { smoothness: 0.8 }, Family::Matern { smoothness: 2.5 }] {
            let transform = family.transform(6.0).unwrap();
            for k in [0.0, 0.5, 1.7, 6.0] {
                let closed = family.spectral_density(k).unwrap();
                assert!((transform.at(k) - closed).abs() < 1e-11, "{family:?} {k}: {closed}");
            }
        }
        // a heavy tail is reached from both sides: series, turned path, transform
        for (exponent, k) in [(0.3, 1e-3), (0.3, 4.0), (0.7, 0.05), (0.95, 1.0), (0.95, 0.999), (1.05, 2.0)] {
            let near = [0.999, 1.001].map(|f| power(exponent).spectral_density(k * f).unwrap());
            let middle = power(exponent).spectral_density(k).unwrap();
            assert!((0.5 * (near[0] + near[1]) / middle - 1.0).abs() < 1e-4, "{exponent} {k}: {near:?} {middle}");
        }
    }

    #[test]
    fn sums_products_and_stretching_follow_their_rules() {
        let product = Family::Product(vec![stretched(1.0, power(1.0)), stretched(1.0, power(2.0))]);
        assert!((product.spectral_density(1.7).unwrap() - 0.904_000_094_690_038_2).abs() < 1e-12);
        let sum = Family::Sum(vec![(0.3, stretched(2.0, power(2.0))), (0.7, stretched(0.5, power(1.0)))]);
        let transform = sum.transform(3.0).unwrap();
        assert!((transform.at(3.0) - sum.spectral_density(3.0).unwrap()).abs() < 1e-12);
        assert!((sum.area().unwrap() - (0.3 * 4.0 * PI + 0.7 * 0.25 * TAU)).abs() < 1e-13);
        assert_eq!(sum.curvature(), None);
        // e^(−r²) e^(−r²/4) = e^(−(r/0.894)²)
        let bells = Family::Product(vec![stretched(1.0, power(2.0)), stretched(2.0, power(2.0))]);
        let (exponent, length) = bells.power_exponential().unwrap();
        assert!(exponent == 2.0 && (length - 0.8_f64.sqrt()).abs() < 1e-15);
        assert!((bells.curvature().unwrap() - 2.5).abs() < 1e-14);
        assert!((bells.area().unwrap() - 0.8 * PI).abs() < 1e-12);
        // turned by a right angle, the axes swap
        let turned = Correlation { family: power(2.0), length: [0.3, 0.1], angle: FRAC_PI_2 };
        let straight = Correlation { family: power(2.0), length: [0.1, 0.3], angle: 0.0 };
        assert!((turned.at(0.05, 0.2) - straight.at(0.05, 0.2)).abs() < 1e-15);
        assert!(
            (turned.spectral_density(3.0, 9.0).unwrap() - straight.spectral_density(3.0, 9.0).unwrap()).abs() < 1e-15
        );
        assert!((turned.area().unwrap() - PI * 0.03).abs() < 1e-15);
        let cube = Correlation::isotropic(power(1.5), 0.2).power(3).unwrap();
        assert!((cube.at(0.1, 0.0) - Correlation::isotropic(power(1.5), 0.2).at(0.1, 0.0).powi(3)).abs() < 1e-15);
    }

    #[test]
    fn scales_and_curvatures_match_quadrature_and_differences() {
        let formula = Formula::parse("exp(-r^2)*(1 - r^2/4)", &["r"], &BTreeMap::new()).unwrap();
        let table: Vec<[f64; 2]> =
            (0..=60).map(|k| f64::from(k) / 10.0).map(|r| [r, if r < 6.0 { exp(-r * r) } else { 0.0 }]).collect();
        let marginal = Marginal::lognormal(0.5, 0.2).unwrap();
        let parent = Family::Parent { coefficient: Box::new(power(2.0)), marginal: Box::new(marginal) };
        for (family, scale, curvature) in [
            (power(2.0), 0.5 * PI.sqrt(), Some(2.0)),
            (power(1.0), 1.0, None),
            (Family::Matern { smoothness: 1.5 }, 2.0 / 3f64.sqrt(), Some(3.0)),
            (Family::Expression(formula), 0.4375 * PI.sqrt(), Some(2.5)),
            (Family::Table(CorrelationTable::new(&table).unwrap()), 0.886_23, None),
            (parent, 0.905_595_593_098_203_6, Some(2.0 * 0.16 / 1.16 / ln_1p(0.16))),
        ] {
            let digits = if family.name() == "table" { 1e-4 } else { 1e-12 };
            assert!(
                (family.integral_scale().unwrap() - scale).abs() < digits,
                "{family:?} {:?}",
                family.integral_scale()
            );
            let Some(curvature) = curvature else { continue };
            assert!((family.curvature().unwrap() - curvature).abs() < 1e-12, "{family:?}");
            let step = 1e-4;
            assert!((2.0 * (1.0 - family.at(step)) / (step * step) / curvature - 1.0).abs() < 2e-4, "{family:?}");
        }
        assert!(power(1.0).smoothness_in_words().contains("no derivative"));
    }
}
