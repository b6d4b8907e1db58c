//! Nataf's transformation: the correlation of the coefficient from that of its Gaussian parent, and back.
//!
//! ```text
//! R_H = Σ shareₖ R_Gᵏ                      increasing in R_G on [−1, 1]
//! lognormal   R_H = (e^(s² R_G) − 1)/(e^(s²) − 1)          R_G = ln(1 + cv² R_H)/ln(1 + cv²)
//! uniform     R_H = (6/π) asin(R_G/2)                      R_G = 2 sin(π R_H/6)
//! ```

use super::Marginal;
use crate::num::real::{asin, exp_m1, ln, ln_1p, sin};
use crate::num::roots::{minimum, root};
use std::f64::consts::PI;

/// How much the marginal lowers the correlation at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distortion {
    /// The largest R_G − R_H over 0 ≤ R_G ≤ 1 [-].
    pub largest: f64,
    /// The R_G where it is largest [-].
    pub at: f64,
}

impl Marginal {
    /// The correlation R_H of the coefficient where its Gaussian parent has the correlation `parent` = R_G, both [-].
    pub(crate) fn correlation_of_coefficient(&self, parent: f64) -> f64 {
        let parent = parent.clamp(-1.0, 1.0);
        match self {
            Marginal::Lognormal(it) => {
                let variance = it.log_deviation * it.log_deviation;
                exp_m1(variance * parent) / exp_m1(variance)
            }
            Marginal::Gaussian(_) => parent,
            Marginal::Uniform(_) => 6.0 / PI * asin(0.5 * parent),
            Marginal::TruncatedNormal(it) => series(it.shares(), parent),
            Marginal::Quantiles(it) => series(it.shares(), parent),
        }
    }

    /// The correlation R_G of the Gaussian parent for which the coefficient has the correlation `coefficient` = R_H, both
    /// [-]. None below [`Marginal::least_correlation`]: no two coefficients with this marginal repel each other so much.
    pub(crate) fn correlation_of_parent(&self, coefficient: f64) -> Option<f64> {
        // a rounding beyond the ends is forgiven
        let possible = coefficient <= 1.0 + 1e-12 && coefficient >= self.least_correlation() - 1e-12;
        if !possible {
            return None;
        }
        let parent = match self {
            Marginal::Lognormal(it) => {
                let variation = it.standard_deviation / it.mean;
                let square = variation * variation;
                ln_1p(square * coefficient) / ln_1p(square)
            }
            Marginal::Gaussian(_) => coefficient,
            Marginal::Uniform(_) => 2.0 * sin(PI / 6.0 * coefficient),
            Marginal::TruncatedNormal(it) => inverse_series(it.shares(), coefficient)?,
            Marginal::Quantiles(it) => inverse_series(it.shares(), coefficient)?,
        };
        Some(parent.clamp(-1.0, 1.0))
    }

    /// The smallest correlation that two coefficients with this marginal can have [-]: that of R_G = −1.
    pub(crate) fn least_correlation(&self) -> f64 {
        self.correlation_of_coefficient(-1.0)
    }

    /// Shares k! aₖ²/Var H of the powers R_G, R_G², … in the correlation of the coefficient [-]: they sum to one.
    ///
    /// Until the rest is below 1e-18; for marginals that are found by quadrature, until roundings are reached.
    pub(crate) fn shares(&self) -> Vec<f64> {
        match self {
            Marginal::Lognormal(it) => {
                let variance = it.log_deviation * it.log_deviation;
                let mut term = variance / exp_m1(variance);
                let mut shares = vec![term];
                for k in 2..2000 {
                    let k = f64::from(k);
                    term *= variance / k;
                    // the terms rise until k reaches s²
                    if k > variance && term < 1e-18 {
                        break;
                    }
                    shares.push(term);
                }
                shares
            }
            Marginal::Gaussian(_) => vec![1.0],
            // the series of asin
            Marginal::Uniform(_) => {
                let mut shares = Vec::new();
                let mut binomial = 1.0;
                for j in 0..60 {
                    let k = f64::from(2 * j + 1);
                    let share = 3.0 / PI * binomial / k;
                    if share < 1e-18 {
                        break;
                    }
                    shares.extend((j > 0).then_some(0.0));
                    shares.push(share);
                    binomial *= k / f64::from(2 * j + 2) / 4.0;
                }
                shares
            }
            Marginal::TruncatedNormal(it) => it.shares().to_vec(),
            Marginal::Quantiles(it) => it.shares().to_vec(),
        }
    }

    /// Covariance of the coefficient [-] where its Gaussian parent has the correlation `parent` [-].
    pub fn covariance(&self, parent: f64) -> f64 {
        let deviation = self.standard_deviation();
        deviation * deviation * self.correlation_of_coefficient(parent)
    }

    /// The largest difference between prescribed and resulting correlation when the correlation is given to the parent.
    pub(crate) fn distortion(&self) -> Distortion {
        match self {
            Marginal::Gaussian(_) => Distortion { largest: 0.0, at: 0.5 },
            Marginal::Lognormal(it) => lognormal_distortion(it.log_deviation * it.log_deviation),
            _ => {
                // R_H is convex in R_G ≥ 0, so that the difference has one hump
                let least = minimum(0.0, 1.0, |parent| self.correlation_of_coefficient(parent) - parent);
                Distortion { largest: -least.value, at: least.at }
            }
        }
    }
}

/// r* − 1/s² + 1/cv² at r* = ln(cv²/s²)/s², u = s².
fn lognormal_distortion(u: f64) -> Distortion {
    if u < 0.1 {
        // both parts are differences of nearly equal numbers
        let square = u * u;
        let at = 0.5 + u * (1.0 / 24.0 - square * (1.0 / 2880.0 - square / 181_440.0));
        let largest = u * (0.125 - square * (1.0 / 576.0 - square * (1.0 / 25920.0 - square / 1_075_200.0)));
        return Distortion { largest, at };
    }
    let square_variation = exp_m1(u);
    let at = ln(square_variation / u) / u;
    Distortion { largest: at - 1.0 / u + 1.0 / square_variation, at }
}

/// Σ sharesₖ xᵏ, k = 1, 2, …
fn series(shares: &[f64], x: f64) -> f64 {
    x * shares.iter().rev().fold(0.0, |sum, share| sum * x + share)
}

fn inverse_series(shares: &[f64], value: f64) -> Option<f64> {
    let (low, high) = (series(shares, -1.0), series(shares, 1.0));
    if value >= high {
        return Some(1.0);
    }
    if value <= low {
        return Some(-1.0);
    }
    let (low, high) = if value > 0.0 { (0.0, 1.0) } else { (-1.0, 0.0) };
    root(low, high, |x| series(shares, x) - value).ok()
}
