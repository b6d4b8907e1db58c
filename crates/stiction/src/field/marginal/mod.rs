//! Distribution of the coefficient at one point, as a function of a standard normal number: H = F⁻¹[Φ(G)].
//!
//! Every marginal expands in Hermite polynomials, H(G) = Σ aₖ Heₖ(G). The share k! aₖ²/Var H of the k-th term says how the
//! correlation of the Gaussian parent becomes that of the coefficient (Nataf's transformation, [`Marginal::correlation_of_coefficient`]).

mod hermite;
mod nataf;
mod quantiles;
mod truncated;

pub use nataf::Distortion;
pub use quantiles::Quantiles;
pub use truncated::TruncatedNormal;

use crate::Problem;
use crate::num::bulk::lognormal_of;
use crate::num::real::{ln, ln_1p};
use crate::num::special::{normal_below, normal_density};

/// Largest probability of a coefficient ≤ 0 that a `gaussian` marginal may have [-].
const NEGATIVE_PROBABILITY: f64 = 1e-12;

/// Smallest spread that can be told from none, relative to the mean [-].
const SMALLEST_VARIATION: f64 = 1e-12;

/// Standard normal numbers of 52 random bits stay below 8.3; values out to here must be numbers.
const FARTHEST: f64 = 9.0;

/// Distribution of the coefficient at one point.
///
/// ```
/// # use stiction::field::Marginal;
/// let marginal = Marginal::lognormal(0.5, 0.1).map_err(|problem| problem.message)?;
/// // mean and standard deviation of ln H follow from those of H
/// assert!((marginal.value(0.0) - 0.5 / (1.0_f64 + 0.04).sqrt()).abs() < 1e-15);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Marginal {
    /// H = exp(m + s G).
    Lognormal(Lognormal),
    /// A normal distribution cut at zero.
    TruncatedNormal(TruncatedNormal),
    /// All values between two bounds with equal probability.
    Uniform(Uniform),
    /// H = mean + standard deviation · G.
    Gaussian(Gaussian),
    /// A table of quantiles.
    Quantiles(Quantiles),
}

/// The exponential of a normal number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lognormal {
    mean: f64,
    standard_deviation: f64,
    /// Mean m of ln H [-].
    pub(crate) log_mean: f64,
    /// Standard deviation s of ln H [-]; s² = ln(1 + cv²).
    pub(crate) log_deviation: f64,
}

/// All values between two bounds with equal probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uniform {
    /// Smallest value [-].
    pub(crate) from: f64,
    /// Largest value [-].
    pub(crate) to: f64,
}

/// A normal number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaussian {
    mean: f64,
    standard_deviation: f64,
}

impl Marginal {
    /// A lognormal coefficient with this mean [-] and standard deviation [-].
    ///
    /// # Errors
    /// [`Problem`] if a number is senseless, or so large a spread that values leave the range of numbers.
    pub fn lognormal(mean: f64, standard_deviation: f64) -> Result<Self, Problem> {
        moments(mean, standard_deviation)?;
        let cv = standard_deviation / mean;
        let variance = ln_1p(cv * cv);
        let (log_mean, log_deviation) = (ln(mean) - 0.5 * variance, variance.sqrt());
        let far = FARTHEST * log_deviation;
        // squares of the values are needed for moments
        let fits = (cv * cv).is_finite() && log_mean + far < 350.0 && log_mean - far > -350.0;
        if !fits {
            return Err(Problem::new(
                "standard_deviation",
                format!(
                    "is {standard_deviation}, {cv:.3e} times `mean` = {mean}: values of a lognormal coefficient with \
                     this spread leave the range of numbers; give a smaller standard deviation"
                ),
            ));
        }
        Ok(Self::Lognormal(Lognormal { mean, standard_deviation, log_mean, log_deviation }))
    }

    /// A normal coefficient cut at zero that has this mean [-] and standard deviation [-] after the cut.
    ///
    /// # Errors
    /// [`Problem`] if a number is senseless, or if the standard deviation comes too close to the mean, which no cut normal
    /// distribution can reach.
    pub(crate) fn truncated_normal(mean: f64, standard_deviation: f64) -> Result<Self, Problem> {
        moments(mean, standard_deviation)?;
        TruncatedNormal::new(mean, standard_deviation).map(Self::TruncatedNormal)
    }

    /// A coefficient with equal probability between two positive bounds, mean ± √3 standard deviations.
    ///
    /// # Errors
    /// [`Problem`] if a number is senseless or the lower bound is not positive.
    pub(crate) fn uniform(mean: f64, standard_deviation: f64) -> Result<Self, Problem> {
        moments(mean, standard_deviation)?;
        let half = 3f64.sqrt() * standard_deviation;
        let (from, to) = (mean - half, mean + half);
        let enough = from > 0.0;
        if !enough {
            return Err(Problem::new(
                "standard_deviation",
                format!(
                    "is {standard_deviation}, so that a uniform coefficient with `mean` = {mean} would range from {from}, \
                     but it must be positive: give less than {}, or another `marginal`",
                    mean / 3f64.sqrt()
                ),
            ));
        }
        Ok(Self::Uniform(Uniform { from, to }))
    }

    /// A normal coefficient, for which values ≤ 0 are practically impossible.
    ///
    /// # Errors
    /// [`Problem`] if a number is senseless or P(H ≤ 0) > 1e-12.
    pub(crate) fn gaussian(mean: f64, standard_deviation: f64) -> Result<Self, Problem> {
        moments(mean, standard_deviation)?;
        let negative = normal_below(-mean / standard_deviation);
        let enough = negative <= NEGATIVE_PROBABILITY;
        if !enough {
            return Err(Problem::new(
                "standard_deviation",
                format!(
                    "is {standard_deviation}, so that a gaussian coefficient with `mean` = {mean} is negative with \
                     probability {negative:.2e}, above {NEGATIVE_PROBABILITY:.0e}: give less than {:.6}, or use \
                     `lognormal` or `truncated_normal`",
                    mean / 7.034_483_825_3
                ),
            ));
        }
        Ok(Self::Gaussian(Gaussian { mean, standard_deviation }))
    }

    /// A coefficient given by pairs (probability, value), linear in between.
    ///
    /// # Errors
    /// [`Problem`] if the table does not lead from probability 0 to 1 by increasing positive values.
    pub(crate) fn quantiles(table: &[[f64; 2]]) -> Result<Self, Problem> {
        Quantiles::new(table).map(Self::Quantiles)
    }

    /// The name under which a scenario chooses the marginal.
    pub fn name(&self) -> &'static str {
        match self {
            Marginal::Lognormal(_) => "lognormal",
            Marginal::TruncatedNormal(_) => "truncated_normal",
            Marginal::Uniform(_) => "uniform",
            Marginal::Gaussian(_) => "gaussian",
            Marginal::Quantiles(_) => "quantiles",
        }
    }

    /// Mean of the coefficient [-].
    pub fn mean(&self) -> f64 {
        match self {
            Marginal::Lognormal(it) => it.mean,
            Marginal::TruncatedNormal(it) => it.mean(),
            Marginal::Uniform(it) => 0.5 * (it.from + it.to),
            Marginal::Gaussian(it) => it.mean,
            Marginal::Quantiles(it) => it.mean(),
        }
    }

    /// Standard deviation of the coefficient [-].
    pub fn standard_deviation(&self) -> f64 {
        match self {
            Marginal::Lognormal(it) => it.standard_deviation,
            Marginal::TruncatedNormal(it) => it.standard_deviation(),
            Marginal::Uniform(it) => (it.to - it.from) / 12f64.sqrt(),
            Marginal::Gaussian(it) => it.standard_deviation,
            Marginal::Quantiles(it) => it.standard_deviation(),
        }
    }

    /// Coefficient of variation [-]: standard deviation over mean.
    pub(crate) fn variation(&self) -> f64 {
        self.standard_deviation() / self.mean()
    }

    /// The coefficient [-] where the Gaussian parent is `g` [-]: F⁻¹[Φ(g)].
    #[inline]
    pub fn value(&self, g: f64) -> f64 {
        match self {
            Marginal::Lognormal(it) => lognormal_of(g, it.log_mean, it.log_deviation),
            Marginal::TruncatedNormal(it) => it.value(g),
            // from the nearer bound
            Marginal::Uniform(it) if g < 0.0 => it.from + (it.to - it.from) * normal_below(g),
            Marginal::Uniform(it) => it.to - (it.to - it.from) * normal_below(-g),
            Marginal::Gaussian(it) => it.mean + it.standard_deviation * g,
            Marginal::Quantiles(it) => it.value(g),
        }
    }

    /// Probability density at the coefficient `h` [-].
    pub fn density(&self, h: f64) -> f64 {
        match self {
            Marginal::Lognormal(_) if h <= 0.0 => 0.0,
            Marginal::Lognormal(it) => {
                normal_density((ln(h) - it.log_mean) / it.log_deviation) / (h * it.log_deviation)
            }
            Marginal::TruncatedNormal(it) => it.density(h),
            Marginal::Uniform(it) => {
                if (it.from..=it.to).contains(&h) {
                    1.0 / (it.to - it.from)
                } else {
                    0.0
                }
            }
            Marginal::Gaussian(it) => normal_density((h - it.mean) / it.standard_deviation) / it.standard_deviation,
            Marginal::Quantiles(it) => it.density(h),
        }
    }
}

/// Mean and standard deviation must be finite and positive: a field without spread has no marginal.
fn moments(mean: f64, standard_deviation: f64) -> Result<(), Problem> {
    for (key, value) in [("mean", mean), ("standard_deviation", standard_deviation)] {
        if !(value.is_finite() && value > 0.0) {
            return Err(Problem::new(key, format!("is {value}, but must be a finite number > 0")));
        }
    }
    if standard_deviation < SMALLEST_VARIATION * mean {
        return Err(Problem::new(
            "standard_deviation",
            format!(
                "is {standard_deviation}, less than {SMALLEST_VARIATION:.0e} of `mean` = {mean}: roundings would hide it; \
                 give 0 for a uniform field"
            ),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
