//! How force and torque are distributed [hu2021, appendix A].
//!
//! A sum of lognormal numbers with weights of one sign is compared with the lognormal distribution of the same mean and
//! variance, a torque with the normal one. Both are approximations on a finite area, not limits.

use crate::num::real::{ln, ln_1p};
use crate::num::special::{normal_below, normal_density};
use crate::num::statistics::{mean, powers_about};

/// A distribution with given mean and variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fit {
    /// The bell curve.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation, > 0.
        deviation: f64,
    },
    /// `sign` times a number whose logarithm is normal.
    Lognormal {
        /// +1 or −1.
        sign: f64,
        /// Mean of the logarithm.
        mean: f64,
        /// Standard deviation of the logarithm, > 0.
        deviation: f64,
    },
}

impl Fit {
    /// The normal distribution with this mean and variance; none if the variance is not > 0.
    pub fn normal(mean: f64, variance: f64) -> Option<Self> {
        (variance > 0.0 && mean.is_finite()).then(|| Fit::Normal { mean, deviation: variance.sqrt() })
    }

    /// The lognormal distribution with this mean, of either sign, and variance; none if the mean is zero or the variance not
    /// > 0.
    pub fn lognormal(mean: f64, variance: f64) -> Option<Self> {
        let s2 = ln_1p(variance / (mean * mean));
        let usable = mean != 0.0 && variance > 0.0 && s2.is_finite();
        usable.then(|| Fit::Lognormal { sign: mean.signum(), mean: ln(mean.abs()) - 0.5 * s2, deviation: s2.sqrt() })
    }

    /// Probability [-] of a value not above x.
    pub(crate) fn probability(&self, x: f64) -> f64 {
        match *self {
            Fit::Normal { mean, deviation } => normal_below((x - mean) / deviation),
            Fit::Lognormal { sign, mean, deviation } => {
                let size = sign * x;
                let smaller = if size > 0.0 { normal_below((ln(size) - mean) / deviation) } else { 0.0 };
                if sign > 0.0 { smaller } else { 1.0 - smaller }
            }
        }
    }

    /// Density at x, per unit of x.
    pub fn density(&self, x: f64) -> f64 {
        match *self {
            Fit::Normal { mean, deviation } => normal_density((x - mean) / deviation) / deviation,
            Fit::Lognormal { sign, mean, deviation } => {
                let size = sign * x;
                if size > 0.0 { normal_density((ln(size) - mean) / deviation) / (deviation * size) } else { 0.0 }
            }
        }
    }
}

/// Largest distance [-] between the distribution of the samples and a fit (Kolmogorov–Smirnov).
pub fn kolmogorov_smirnov(samples: &[f64], fit: &Fit) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let distance = |(i, x): (usize, &f64)| {
        let probability = fit.probability(*x);
        (probability - i as f64 / count).abs().max(((i + 1) as f64 / count - probability).abs())
    };
    sorted.iter().enumerate().map(distance).fold(0.0, f64::max)
}

/// Skewness and excess kurtosis of samples [-], with the standard errors they have for normal numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments34 {
    /// Skewness.
    pub skewness: f64,
    /// √(6/n).
    pub skewness_error: f64,
    /// Excess kurtosis: 0 for normal numbers.
    pub excess_kurtosis: f64,
    /// √(24/n).
    pub kurtosis_error: f64,
}

/// Skewness and excess kurtosis; none for fewer than two samples or samples that do not vary.
pub fn third_and_fourth(samples: &[f64]) -> Option<Moments34> {
    let count = samples.len() as f64;
    let mean = mean(samples.iter().copied())?;
    let central = |power: i32| powers_about(mean, samples, power) / count;
    let variance = central(2);
    (samples.len() > 1 && variance > 0.0).then(|| Moments34 {
        skewness: central(3) / (variance * variance.sqrt()),
        skewness_error: (6.0 / count).sqrt(),
        excess_kurtosis: central(4) / (variance * variance) - 3.0,
        kurtosis_error: (24.0 / count).sqrt(),
    })
}
