//! A normal distribution cut at zero, found from its mean and standard deviation after the cut.

use super::hermite;
use crate::Problem;
use crate::num::random::inverse_normal;
use crate::num::roots::root;
use crate::num::special::{inverse_mills, normal_below, normal_density};

/// Deepest cut, in standard deviations above the mean of the uncut curve: what is left has probability 1e-284.
const DEEPEST: f64 = 36.0;

/// A normal distribution cut at zero.
#[derive(Debug, Clone, PartialEq)]
pub struct TruncatedNormal {
    mean: f64,
    standard_deviation: f64,
    /// Standard deviation σ₀ of the uncut curve [-].
    uncut_deviation: f64,
    /// Mean of the uncut curve in units of σ₀ [-]; negative if more than half is cut away.
    beta: f64,
    /// Probability that the uncut curve gives to positive values [-].
    kept: f64,
    /// Shares of the Hermite polynomials in the variance [-].
    shares: Vec<f64>,
}

impl TruncatedNormal {
    pub(super) fn new(mean: f64, standard_deviation: f64) -> Result<Self, Problem> {
        let cv = standard_deviation / mean;
        let deepest = squared_variation(-DEEPEST).sqrt();
        let impossible = || {
            Problem::new(
                "standard_deviation",
                format!(
                    "is {standard_deviation}, {cv:.6} times `mean` = {mean}, but a normal distribution that is cut at \
                     zero has at most {deepest:.6} times its mean: give a smaller one, or use `lognormal`"
                ),
            )
        };
        if cv >= deepest {
            return Err(impossible());
        }
        // the squared variation falls from 1 towards 1/β²
        let beta =
            root(-DEEPEST, (2.0 / cv).max(40.0), |beta| squared_variation(beta) - cv * cv).map_err(|_| impossible())?;
        let uncut_deviation = mean / inverse_mills(beta).0;
        let mut found =
            Self { mean, standard_deviation, uncut_deviation, beta, kept: normal_below(beta), shares: Vec::new() };
        found.shares = hermite::of_smooth(|g| found.value(g), standard_deviation);
        Ok(found)
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean
    }

    pub(super) fn standard_deviation(&self) -> f64 {
        self.standard_deviation
    }

    pub(super) fn shares(&self) -> &[f64] {
        &self.shares
    }

    pub(super) fn value(&self, g: f64) -> f64 {
        // from the tail that keeps its digits
        let t = if g < 0.0 && self.beta > 0.0 {
            inverse_normal(normal_below(-self.beta) + self.kept * normal_below(g))
        } else {
            -inverse_normal(self.kept * normal_below(-g))
        };
        (self.uncut_deviation * (t + self.beta)).max(f64::MIN_POSITIVE)
    }

    pub(super) fn density(&self, h: f64) -> f64 {
        if h < 0.0 {
            return 0.0;
        }
        normal_density(h / self.uncut_deviation - self.beta) / (self.kept * self.uncut_deviation)
    }
}

/// Square of standard deviation over mean after the cut at −β.
fn squared_variation(beta: f64) -> f64 {
    let (mean, variance) = inverse_mills(beta);
    variance / (mean * mean)
}
