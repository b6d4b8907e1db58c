//! The plane Fourier transform of a function of distance: S(k) = 2π ∫ R(r) J₀(k r) r dr.
//!
//! The function is sampled once, on panels that are halved until Gauss's rule sees no more in them (kinks and steep
//! places are closed in from both sides) and that are short enough for the waves asked for. Every wave number is then one
//! sum over the samples.

use super::family::Family;
use crate::num::gauss::Rule;
use crate::num::special::bessel_j0;
use std::f64::consts::TAU;

/// Most panels: about three million values of the function.
const MOST_PANELS: usize = 200_000;
/// Halvings of a panel around a kink.
const DEEPEST: u32 = 40;
const POINTS: usize = 16;

/// A sampled function of distance, ready for its transform at wave numbers up to the one it was made for.
#[derive(Debug, Clone)]
pub(super) struct RadialTransform {
    /// Distance, and function × distance × weight.
    samples: Vec<(f64, f64)>,
    /// ∫ |R| r dr: what an absolute error is measured by.
    magnitude: f64,
}

impl RadialTransform {
    /// Samples `function` from 0 to `reach`, beyond which it must vanish, with panels that begin and end at the `breaks`.
    ///
    /// None if the function is not finite somewhere, or if too many panels would be needed.
    pub(super) fn new(
        function: impl Fn(f64) -> f64,
        reach: f64,
        breaks: &[f64],
        largest_wave_number: f64,
    ) -> Option<Self> {
        let usable = reach.is_finite() && reach > 0.0 && largest_wave_number.is_finite();
        if !usable {
            return None;
        }
        let rule: Vec<(f64, f64)> = Rule::gauss_legendre(POINTS).on(-1.0, 1.0).collect();
        // 16 points resolve a phase of 8 to the last digits
        let longest = (0.25_f64).max(reach / 64.0).min(8.0 / largest_wave_number.abs().max(1e-300));
        let mut edges: Vec<f64> = breaks.iter().copied().filter(|edge| *edge > 0.0 && *edge < reach).collect();
        edges.extend([0.0, reach]);
        edges.sort_by(f64::total_cmp);
        let mut transform = Self { samples: Vec::new(), magnitude: 0.0 };
        for pair in edges.windows(2) {
            let pieces = ((pair[1] - pair[0]) / longest).ceil().max(1.0);
            if pieces > MOST_PANELS as f64 {
                return None;
            }
            let width = (pair[1] - pair[0]) / pieces;
            for piece in 0..pieces as usize {
                let from = pair[0] + width * piece as f64;
                transform.panels(&function, &rule, from, from + width)?;
            }
        }
        transform.magnitude = transform.samples.iter().map(|(_, value)| value.abs()).sum();
        Some(transform)
    }

    /// Adds the samples of a panel, halved as often as needed.
    fn panels(&mut self, function: &impl Fn(f64) -> f64, rule: &[(f64, f64)], from: f64, to: f64) -> Option<()> {
        let mut waiting = vec![(from, to, self.samples_of(function, rule, from, to)?, 0)];
        while let Some((from, to, whole, depth)) = waiting.pop() {
            if self.samples.len() > MOST_PANELS * POINTS {
                return None;
            }
            let middle = 0.5 * (from + to);
            let left = self.samples_of(function, rule, from, middle)?;
            let right = self.samples_of(function, rule, middle, to)?;
            let sum = |samples: &[(f64, f64)]| samples.iter().map(|(_, value)| value).sum::<f64>();
            let size: f64 = whole.iter().map(|(_, value)| value.abs()).sum();
            let off = (sum(&whole) - sum(&left) - sum(&right)).abs();
            // 1e-16 of the whole integral is of order 1e-16: panels that matter less are left alone
            if off <= 1e-14 * size + 1e-17 || depth >= DEEPEST {
                self.samples.extend(whole);
            } else {
                waiting.push((middle, to, right, depth + 1));
                waiting.push((from, middle, left, depth + 1));
            }
        }
        Some(())
    }

    fn samples_of(
        &self,
        function: &impl Fn(f64) -> f64,
        rule: &[(f64, f64)],
        from: f64,
        to: f64,
    ) -> Option<Vec<(f64, f64)>> {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        rule.iter()
            .map(|(node, weight)| {
                let r = middle + half * node;
                let value = function(r);
                value.is_finite().then_some((r, weight * half * value * r))
            })
            .collect()
    }

    /// S(k), in the square of the unit of distance.
    pub(super) fn at(&self, wave_number: f64) -> f64 {
        TAU * self.samples.iter().map(|(r, value)| value * bessel_j0(wave_number * r)).sum::<f64>()
    }

    /// 2π ∫ |R| r dr: roundings of [`RadialTransform::at`] are about 1e-15 of it.
    pub(super) fn magnitude(&self) -> f64 {
        TAU * self.magnitude
    }
}

impl Family {
    /// The sampled transform for wave numbers up to `largest` [1/correlation length]. None where it does not converge.
    pub(super) fn transform(&self, largest: f64) -> Option<RadialTransform> {
        RadialTransform::new(|r| self.at(r), self.reach()?, &self.breaks(), largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::family::Stretched;
    use crate::num::real::{exp, ln_1p};
    use std::f64::consts::PI;

    #[test]
    fn transforms_of_smooth_pointed_and_cut_functions_match_their_closed_forms() {
        let bell = RadialTransform::new(|r| exp(-r * r), 6.5, &[], 20.0).unwrap();
        let pointed = RadialTransform::new(|r| exp(-r), 40.0, &[], 20.0).unwrap();
        // a disc of radius 1: 2π J₁(k)/k; the jump is found by halving
        let disc = RadialTransform::new(|r| if r < 1.0 { 1.0 } else { 0.0 }, 1.7, &[], 20.0).unwrap();
        for k in [0.0, 0.3, 2.0, 7.7, 20.0_f64] {
            assert!((bell.at(k) - PI * exp(-0.25 * k * k)).abs() < 1e-13);
            assert!((pointed.at(k) - TAU / ((1.0 + k * k) * (1.0 + k * k).sqrt())).abs() < 1e-12);
            let exact = if k == 0.0 { PI } else { TAU * libm::j1(k) / k };
            assert!((disc.at(k) - exact).abs() < 1e-9, "{k}");
        }
        assert!(RadialTransform::new(|_| f64::NAN, 1.0, &[], 1.0).is_none());
        assert!(RadialTransform::new(|r| exp(-r), 1e12, &[], 1.0).is_none());
    }

    fn power(exponent: f64) -> Family {
        Family::PowerExponential { exponent }
    }

    /// mpmath, zero by zero of the Bessel function, 18 digits.
    #[test]
    fn power_exponentials_have_their_transform() {
        for (exponent, k, exact) in [
            (1.5, 0.3, 3.601_829_326_099_261_3),
            (1.5, 3.0, 0.256_024_727_568_113_06),
            (1.5, 10.0, 0.002_441_086_425_968_108),
            (1.9, 2.0, 1.111_811_512_587_889_6),
            (1.9, 6.0, 0.003_914_600_786_768_044),
            (3.0, 2.0, 1.411_157_467_068_145),
            (3.0, 5.0, -0.082_299_072_580_355_2),
            (4.0, 4.0, 0.017_267_895_349_389_29),
        ] {
            let found = power(exponent).transform(k).unwrap().at(k);
            assert!((found - exact).abs() < 1e-11, "{exponent} {k}: {found} {exact}");
        }
    }

    #[test]
    fn closed_forms_agree_with_the_transform() {
        let matern = |nu: f64, k: f64| TAU * exp(-(nu + 1.0) * ln_1p(k * k / (2.0 * nu)));
        for k in [0.0, 0.5, 1.7, 6.0] {
            let square = 1.0 + k * k;
            for (family, closed) in [
                (power(2.0), PI * exp(-0.25 * k * k)),
                (power(1.0), TAU / (square * square.sqrt())),
                (Family::Matern { smoothness: 0.8 }, matern(0.8, k)),
                (Family::Matern { smoothness: 2.5 }, matern(2.5, k)),
            ] {
                let found = family.transform(6.0).unwrap().at(k);
                assert!((found - closed).abs() < 1e-11, "{family:?} {k}: {closed}");
            }
        }
        let factors = [power(1.0), power(2.0)].map(|family| Stretched { length: 1.0, family });
        let product = Family::Product(factors.to_vec());
        assert!((product.transform(1.7).unwrap().at(1.7) - 0.904_000_094_690_038_2).abs() < 1e-12);
    }
}
