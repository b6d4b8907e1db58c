//! The covariance of the coefficient between two points, as the statistics of a plate need it.
//!
//! Convention A prescribes the correlation of the coefficient, C_H = σ² R. Convention B prescribes that of the Gaussian field
//! behind a lognormal one, C_H = μ² (exp(s² R) − 1) = μ² Σ s^(2k)/k! Rᵏ, and for power exponentials Rᵏ is R with the length
//! l/k^(1/n).

use crate::field::{Correlation, CorrelationOf, Family, RandomField};
use crate::num::real::{cos, exp, exp_m1, ln_1p, pow, sin};
use std::fmt;
use std::sync::Arc;

/// Mean of the coefficient, and its covariance between two points.
#[derive(Debug, Clone)]
pub struct Covariance {
    /// Mean [-], > 0.
    pub mean: f64,
    /// Covariance against the distance.
    pub kernel: Kernel,
    /// How the distance is measured.
    pub stretch: Stretch,
}

/// Covariance against the distance.
#[derive(Clone)]
pub enum Kernel {
    /// Σ weight · exp(−(r/length)ⁿ).
    PowerExponentials {
        /// n [-]; no field has such a covariance if n > 2.
        exponent: f64,
        /// Pairs (weight [-], length \[m\]).
        terms: Vec<(f64, f64)>,
    },
    /// Any function of the distance \[m\].
    Function {
        /// Covariance [-] at a distance \[m\].
        value: Arc<dyn Fn(f64) -> f64 + Send + Sync>,
        /// Correlation length \[m\]: the distance over which it falls.
        length: f64,
    },
}

impl fmt::Debug for Kernel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kernel::PowerExponentials { exponent, terms } => {
                formatter.debug_struct("PowerExponentials").field("exponent", exponent).field("terms", terms).finish()
            }
            Kernel::Function { length, .. } => {
                formatter.debug_struct("Function").field("length", length).finish_non_exhaustive()
            }
        }
    }
}

/// How the distance of two points is measured: along two axes with different units, the product of which is 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Ratio of the correlation lengths along the first and the second principal axis [-]; 1 is isotropic.
    pub(crate) ratio: f64,
    /// Angle from the x axis to the first principal axis \[rad\].
    pub(crate) angle: f64,
}

impl Stretch {
    /// The same in all directions.
    pub const NONE: Stretch = Stretch { ratio: 1.0, angle: 0.0 };

    /// The linear map with determinant 1 after which the distance is the ordinary one.
    pub(crate) fn map(&self) -> [[f64; 2]; 2] {
        let (c, s) = (cos(self.angle), sin(self.angle));
        let root = self.ratio.sqrt();
        [[c / root, s / root], [-s * root, c * root]]
    }
}

impl Covariance {
    /// The covariance of a field with this mean, standard deviation and correlation. `of` says whose correlation it is;
    /// `GaussianParent` means that of the Gaussian field behind a lognormal one.
    pub fn new(mean: f64, standard_deviation: f64, correlation: &Correlation, of: CorrelationOf) -> Self {
        let [along, across] = correlation.length;
        let length = (along * across).sqrt();
        let stretch = if correlation.is_isotropic() {
            Stretch::NONE
        } else {
            Stretch { ratio: along / across, angle: correlation.angle }
        };
        let kernel = match (&correlation.family, of) {
            (Family::PowerExponential { exponent }, _) => {
                let terms = match of {
                    CorrelationOf::Coefficient => vec![(standard_deviation * standard_deviation, length)],
                    CorrelationOf::GaussianParent => parent_terms(mean, standard_deviation, length, *exponent),
                };
                Kernel::PowerExponentials { exponent: *exponent, terms }
            }
            (family, of) => {
                let family = family.clone();
                let variance = standard_deviation * standard_deviation;
                let s2 = ln_1p(variance / (mean * mean));
                Kernel::Function {
                    value: Arc::new(move |r| match of {
                        CorrelationOf::Coefficient => variance * family.at(r / length),
                        CorrelationOf::GaussianParent => mean * mean * exp_m1(s2 * family.at(r / length)),
                    }),
                    length,
                }
            }
        };
        Self { mean, kernel, stretch }
    }

    /// The covariance of the coefficient of a random field, whatever its marginal, correlation and convention.
    pub fn of(field: &RandomField) -> Self {
        let Correlation { length: [along, across], angle, .. } = field.prescribed;
        let length = (along * across).sqrt();
        let stretch =
            if field.prescribed.is_isotropic() { Stretch::NONE } else { Stretch { ratio: along / across, angle } };
        // what the stretch leaves is isotropic
        let prescribed = Correlation::isotropic(field.prescribed.family.clone(), length);
        let isotropic = RandomField { prescribed, ..field.clone() };
        let kernel = match isotropic.power_exponential_mixture() {
            Some((exponent, terms)) => Kernel::PowerExponentials { exponent, terms },
            None => Kernel::Function { value: Arc::new(move |r| isotropic.covariance(r, 0.0)), length },
        };
        Self { mean: field.marginal.mean(), kernel, stretch }
    }

    /// The covariance of a uniform coefficient: none.
    pub(crate) fn none(mean: f64) -> Self {
        Self { mean, kernel: Kernel::gaussians(vec![(0.0, 1.0)]), stretch: Stretch::NONE }
    }

    /// Variance of the coefficient at one point [-].
    pub(crate) fn variance(&self) -> f64 {
        self.kernel.at(0.0)
    }

    /// Coefficient of variation of the coefficient at one point [-].
    pub(crate) fn variation(&self) -> f64 {
        self.variance().max(0.0).sqrt() / self.mean
    }

    /// The same covariance with all lengths multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let kernel = match &self.kernel {
            Kernel::PowerExponentials { exponent, terms } => Kernel::PowerExponentials {
                exponent: *exponent,
                terms: terms.iter().map(|(weight, length)| (*weight, length * factor)).collect(),
            },
            Kernel::Function { value, length } => {
                let value = Arc::clone(value);
                Kernel::Function { value: Arc::new(move |r| value(r / factor)), length: length * factor }
            }
        };
        Self { mean: self.mean, kernel, stretch: self.stretch }
    }
}

/// Convention B: the weights and lengths of the powers of the correlation.
fn parent_terms(mean: f64, standard_deviation: f64, length: f64, exponent: f64) -> Vec<(f64, f64)> {
    let s2 = ln_1p(standard_deviation * standard_deviation / (mean * mean));
    let mut terms = Vec::new();
    let mut weight = mean * mean;
    for k in 1..200 {
        let k = f64::from(k);
        weight *= s2 / k;
        terms.push((weight, length / pow(k, exponent.recip())));
        if weight.is_nan() || weight <= 1e-19 * mean * mean * s2 {
            break;
        }
    }
    terms
}

impl Kernel {
    /// Σ weight · exp(−(r/length)ⁿ) of pairs (weight [-], length \[m\]).
    pub fn power_exponentials(exponent: f64, terms: Vec<(f64, f64)>) -> Self {
        Kernel::PowerExponentials { exponent, terms }
    }

    /// Σ weight · exp(−(r/length)²) of pairs (weight [-], length \[m\]).
    pub fn gaussians(terms: Vec<(f64, f64)>) -> Self {
        Self::power_exponentials(2.0, terms)
    }

    /// Matérn's covariance with this variance, smoothness ν > 0 and length \[m\].
    pub fn matern(variance: f64, smoothness: f64, length: f64) -> Self {
        let family = Family::Matern { smoothness };
        Kernel::Function { value: Arc::new(move |r| variance * family.at(r / length)), length }
    }

    /// Covariance [-] at a distance \[m\].
    pub(crate) fn at(&self, r: f64) -> f64 {
        match self {
            Kernel::PowerExponentials { exponent, terms } => {
                terms.iter().map(|(weight, l)| weight * exp(-power(r / l, *exponent))).sum()
            }
            Kernel::Function { value, .. } => value(r),
        }
    }

    /// How much less the covariance is at a distance \[m\] than at 0 [-].
    pub(crate) fn drop(&self, r: f64) -> f64 {
        match self {
            Kernel::PowerExponentials { exponent, terms } => {
                terms.iter().map(|(weight, l)| -weight * exp_m1(-power(r / l, *exponent))).sum()
            }
            Kernel::Function { value, .. } => value(0.0) - value(r),
        }
    }

    /// What [`Kernel::drop`] may be off [-], beyond the rounding of its own size.
    pub(crate) fn rounding(&self) -> f64 {
        match self {
            Kernel::PowerExponentials { .. } => 0.0,
            Kernel::Function { value, .. } => 4.0 * f64::EPSILON * value(0.0).abs(),
        }
    }

    /// The distance over which the covariance falls \[m\]: that of the leading term.
    pub(crate) fn length(&self) -> f64 {
        match self {
            Kernel::PowerExponentials { terms, .. } => {
                let leading = terms.iter().max_by(|a, b| a.0.total_cmp(&b.0));
                leading.map_or(0.0, |(_, length)| *length)
            }
            Kernel::Function { length, .. } => *length,
        }
    }

    /// Pairs (weight, length) if the kernel is a sum of Gaussians.
    pub(crate) fn as_gaussians(&self) -> Option<&[(f64, f64)]> {
        match self {
            Kernel::PowerExponentials { exponent, terms } if *exponent == 2.0 => Some(terms),
            _ => None,
        }
    }
}

fn power(x: f64, exponent: f64) -> f64 {
    if exponent == 2.0 { x * x } else { pow(x, exponent) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matern_has_its_closed_forms() {
        let l = 0.7;
        for r in [0.0, 0.1, 0.5, 2.0] {
            let exponential = Kernel::matern(1.0, 0.5, l).at(r);
            assert!((exponential - exp(-r / l)).abs() < 1e-8, "{r}: {exponential}");
            let z = 3.0_f64.sqrt() * r / l;
            let smoother = Kernel::matern(2.0, 1.5, l).at(r);
            assert!((smoother - 2.0 * (1.0 + z) * exp(-z)).abs() < 1e-10, "{r}: {smoother}");
        }
    }

    #[test]
    fn convention_b_is_the_exponential_of_the_correlation() {
        for exponent in [0.8, 1.0, 2.0, 3.0] {
            let family = Family::PowerExponential { exponent };
            let correlation = Correlation::isotropic(family, 0.6);
            let covariance = Covariance::new(0.5, 0.4, &correlation, CorrelationOf::GaussianParent);
            assert!((covariance.variance() - 0.16).abs() < 1e-15);
            for r in [0.0, 0.1, 0.9] {
                let wanted = 0.25 * exp_m1(ln_1p(0.64) * correlation.at(r, 0.0));
                assert!((covariance.kernel.at(r) - wanted).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn a_stretch_measures_the_distance_of_its_correlation() {
        let family = Family::PowerExponential { exponent: 2.0 };
        let correlation = Correlation { family, length: [2.0, 0.5], angle: 0.7 };
        let covariance = Covariance::new(1.0, 1.0, &correlation, CorrelationOf::Coefficient);
        let [[a, b], [c, d]] = covariance.stretch.map();
        assert!((a * d - b * c - 1.0).abs() < 1e-15);
        for [x, y] in [[0.3, 0.1], [-0.4, 0.9]] {
            let (u, v): (f64, f64) = (a * x + b * y, c * x + d * y);
            let found = covariance.kernel.at((u * u + v * v).sqrt());
            assert!((found - correlation.at(x, y)).abs() < 1e-15);
        }
    }
}
