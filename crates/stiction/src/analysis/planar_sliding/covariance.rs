//! The covariance of the coefficient between two points, as the statistics of a plate need it.
//!
//! Convention A prescribes the correlation of the coefficient, C_H = σ² R. Convention B prescribes that of the Gaussian field
//! behind a lognormal one, C_H = μ² (exp(s² R) − 1) = μ² Σ s^(2k)/k! Rᵏ, and for power exponentials Rᵏ is R with the length
//! l/k^(1/n).

use crate::field::{Correlation, Family, RandomField};
use crate::num::real::{cos, exp, exp_m1, pow, sin};
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
