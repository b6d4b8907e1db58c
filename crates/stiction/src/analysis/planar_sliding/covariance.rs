//! The covariance of the coefficient between two points, as the statistics of a plate need it.
//!
//! Most correlations are mixtures of Gaussians, and then everything about them follows from the Gaussian with every length:
//!
//! ```text
//! exp(−r/l)        = (2/√π) ∫ exp(−s²) exp(−r²/(2ls)²) ds                              n = 1
//! exp(−(r/l)ⁿ)     = E exp(−u r²/l²),  u positive stable with index n/2               0 < n < 2
//! Matérn           = (1/Γ(ν)) ∫ u^(ν−1) e^(−u) exp(−ν r²/(2 u l²)) du
//! ```
//! Convention A prescribes the correlation of the coefficient, C_H = σ² R. Convention B prescribes that of the Gaussian field
//! behind a lognormal one, C_H = μ² (exp(s² R) − 1) = μ² Σ s^(2k)/k! Rᵏ, and Rᵏ is R with the length l/k^(1/n).

use crate::field::{Correlation, CorrelationOf, Family};
use crate::num::real::{exp, exp_m1, ln, ln_1p, pow, sin};
use std::f64::consts::PI;
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
    /// Σ weight · exp(−(r/length)²): pairs (weight [-], length \[m\]).
    Gaussians(Vec<(f64, f64)>),
    /// Σ weight · exp(−(r/length)ⁿ): pairs (weight [-], length \[m\]).
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
            Kernel::Gaussians(terms) => formatter.debug_tuple("Gaussians").field(terms).finish(),
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
    pub ratio: f64,
    /// Angle from the x axis to the first principal axis \[rad\].
    pub angle: f64,
}

impl Stretch {
    /// The same in all directions.
    pub const NONE: Stretch = Stretch { ratio: 1.0, angle: 0.0 };

    /// The linear map with determinant 1 after which the distance is the ordinary one.
    pub fn map(&self) -> [[f64; 2]; 2] {
        use crate::num::real::cos;
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
                Kernel::power_exponentials(*exponent, terms)
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

    /// Variance of the coefficient at one point [-].
    pub fn variance(&self) -> f64 {
        self.kernel.at(0.0)
    }

    /// Coefficient of variation of the coefficient at one point [-].
    pub fn variation(&self) -> f64 {
        self.variance().max(0.0).sqrt() / self.mean
    }

    /// The same covariance with all lengths multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let stretched =
            |terms: &[(f64, f64)]| terms.iter().map(|(weight, length)| (*weight, length * factor)).collect();
        let kernel = match &self.kernel {
            Kernel::Gaussians(terms) => Kernel::Gaussians(stretched(terms)),
            Kernel::PowerExponentials { exponent, terms } => {
                Kernel::PowerExponentials { exponent: *exponent, terms: stretched(terms) }
            }
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
    /// Power exponentials; n = 2 becomes Gaussians.
    pub fn power_exponentials(exponent: f64, terms: Vec<(f64, f64)>) -> Self {
        if exponent == 2.0 { Kernel::Gaussians(terms) } else { Kernel::PowerExponentials { exponent, terms } }
    }

    /// Matérn's covariance with this variance, smoothness ν > 0 and length \[m\], as a mixture of Gaussians.
    pub fn matern(variance: f64, smoothness: f64, length: f64) -> Self {
        // u = exp(y): the integrand falls like exp(ν y) to the left and exp(−eʸ) to the right
        let step = 0.1;
        let (from, to) = (-(40.0 / smoothness).clamp(8.0, 400.0), 4.5 + ln_1p(smoothness));
        let count = ((to - from) / step) as usize;
        let mut terms = Vec::with_capacity(count);
        for i in 0..=count {
            let y = from + step * i as f64;
            let u = exp(y);
            terms.push((exp(smoothness * y - u), length * (2.0 * u / smoothness).sqrt()));
        }
        normalised(terms, variance)
    }

    /// Covariance [-] at a distance \[m\].
    pub fn at(&self, r: f64) -> f64 {
        match self {
            Kernel::Gaussians(terms) => terms.iter().map(|(weight, l)| weight * exp(-(r / l) * (r / l))).sum(),
            Kernel::PowerExponentials { exponent, terms } => {
                terms.iter().map(|(weight, l)| weight * exp(-pow(r / l, *exponent))).sum()
            }
            Kernel::Function { value, .. } => value(r),
        }
    }

    /// The distance over which the covariance falls \[m\]: that of the leading term.
    pub fn length(&self) -> f64 {
        match self {
            Kernel::Gaussians(terms) | Kernel::PowerExponentials { terms, .. } => {
                let leading = terms.iter().max_by(|a, b| a.0.total_cmp(&b.0));
                leading.map_or(0.0, |(_, length)| *length)
            }
            Kernel::Function { length, .. } => *length,
        }
    }

    /// Whether the kernel is known to be a mixture of Gaussians.
    pub fn is_mixture(&self) -> bool {
        match self {
            Kernel::Gaussians(_) => true,
            Kernel::PowerExponentials { exponent, .. } => *exponent < 2.0,
            Kernel::Function { .. } => false,
        }
    }

    /// The kernel as a mixture of Gaussians; none if it is not one.
    pub fn mixture(&self) -> Option<Vec<(f64, f64)>> {
        match self {
            Kernel::Gaussians(terms) => Some(terms.clone()),
            Kernel::PowerExponentials { exponent, terms } if *exponent < 2.0 => {
                let unit = if *exponent == 1.0 { exponential() } else { stable(0.5 * exponent) };
                let mixed = terms.iter().flat_map(|(weight, length)| {
                    unit.iter().map(move |(share, factor)| (weight * share, length * factor))
                });
                Some(mixed.collect())
            }
            Kernel::PowerExponentials { .. } | Kernel::Function { .. } => None,
        }
    }
}

fn normalised(mut terms: Vec<(f64, f64)>, variance: f64) -> Kernel {
    let sum: f64 = terms.iter().map(|(weight, _)| weight).sum();
    for (weight, _) in &mut terms {
        *weight *= variance / sum;
    }
    Kernel::Gaussians(terms)
}

/// exp(−r) as a mixture of Gaussians.
fn exponential() -> Vec<(f64, f64)> {
    // s = exp(y); the weights fall like eʸ to the left, where the results fall like e²ʸ
    let step = 0.1;
    let mut terms = Vec::new();
    for i in -140..=20 {
        let s = exp(step * f64::from(i));
        terms.push((2.0 / PI.sqrt() * step * s * exp(-s * s), 2.0 * s));
    }
    terms
}

/// exp(−rⁿ), n = 2α, as a mixture of Gaussians: Kanter's form of the positive stable distribution, with one integral over an
/// angle θ and one over an exponential number E, both by double-exponential sums.
fn stable(alpha: f64) -> Vec<(f64, f64)> {
    let power = (1.0 - alpha) / alpha;
    let mut angles = Vec::new();
    // the smaller the index, the heavier the tail and the sharper the integrands
    let fineness = (2.0 * alpha).clamp(0.2, 1.0);
    let step = 0.08 * fineness;
    let most = (3.74 / step) as i32;
    for i in -most..=most {
        let t = step * f64::from(i);
        // θ = π/(1 + exp(−π sinh t)), measured from the nearer end so that no digit is lost
        let lean = PI * 0.5 * (exp(t) - exp(-t));
        let (near, far) = (PI / (1.0 + exp(-lean)), PI / (1.0 + exp(lean)));
        let weight = step * near * far / PI * 0.5 * (exp(t) + exp(-t));
        // u = A^power E^(−power), A^power = sin(αθ) sin((1−α)θ)^power / sin(θ)^(1/α)
        let sine = if near < far { sin(near) } else { sin(far) };
        let factor = sin(alpha * near) * pow(sin((1.0 - alpha) * near), power) / pow(sine, alpha.recip());
        if factor.is_finite() && factor > 0.0 && weight > 0.0 {
            angles.push((weight, factor));
        }
    }
    let total: f64 = angles.iter().map(|(weight, _)| weight).sum();
    let mut terms = Vec::new();
    let step = 0.08 * fineness;
    for i in (-7.2 / step) as i32..=(3.6 / step) as i32 {
        let y = step * f64::from(i);
        let energy = exp(y - exp(-y));
        let share = step * energy * (1.0 + exp(-y)) * exp(-energy);
        for (weight, factor) in &angles {
            let u = factor * pow(energy, -power);
            let (share, length) = (share * weight / total, u.sqrt().recip());
            if share > 1e-22 && length.is_finite() {
                terms.push((share, length));
            }
        }
    }
    on_lattice(&terms)
}

/// The same mixture with lengths on a lattice of logarithms: results are smooth in ln l, so each weight is spread over the
/// twelve nearest lattice points by Lagrange's polynomials.
fn on_lattice(terms: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const STEP: f64 = 0.05;
    const POINTS: usize = 12;
    let places: Vec<f64> = terms.iter().map(|(_, length)| ln(*length) / STEP).collect();
    let first = places.iter().copied().fold(f64::INFINITY, f64::min).floor() - POINTS as f64;
    let last = places.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil() + POINTS as f64;
    if !(first.is_finite() && last - first < 1e5) {
        return terms.to_vec();
    }
    let mut weights = vec![0.0; (last - first) as usize + 1];
    for ((weight, _), place) in terms.iter().zip(&places) {
        let place = place - first;
        let start = place as usize - (POINTS / 2 - 1);
        let offset = place - start as f64;
        for (k, sum) in weights[start..start + POINTS].iter_mut().enumerate() {
            let others = (0..POINTS).filter(|other| *other != k);
            let value: f64 = others.map(|other| (offset - other as f64) / (k as f64 - other as f64)).product();
            *sum += weight * value;
        }
    }
    let length = |i: usize| exp((first + i as f64) * STEP);
    weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| weight.abs() > 1e-20)
        .map(|(i, weight)| (*weight, length(i)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixtures_are_their_correlations() {
        for exponent in [0.5, 1.0, 1.3, 1.7, 1.95] {
            let kernel = Kernel::power_exponentials(exponent, vec![(1.0, 0.8)]);
            let mixture = Kernel::Gaussians(kernel.mixture().unwrap());
            for r in [0.2, 0.5, 1.0, 2.0, 3.0] {
                let (found, wanted) = (mixture.at(r), kernel.at(r));
                assert!((found - wanted).abs() < 1e-9, "n = {exponent}, r = {r}: {found} not {wanted}");
            }
        }
    }

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
