//! The length of a random force.
//!
//! E‖F‖² = tr K + |m|² is exact for any field. E‖F‖ needs the distribution; if F is Gaussian with principal variances λ_j and
//! means m_j along their axes,
//!
//! ```text
//! E‖F‖ = (1/√π) ∫ [1 − φ(s²)] s⁻² ds,      φ(u) = Π_j (1 + 2uλ_j)^(−1/2) exp(−u m_j²/(1 + 2uλ_j))
//! ```

use super::functionals::Matrix;
use super::motion::Kind;
use super::plate::{Moments, Plate};
use crate::num::quadrature::integral;
use crate::num::real::{exp_m1, ln_1p};
use std::f64::consts::PI;

/// Mean and standard deviation of the length of a force \[N\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormMoments {
    /// Mean \[N\].
    pub mean: f64,
    /// Standard deviation \[N\].
    pub standard_deviation: f64,
}

/// Below this ratio of variance to squared mean the difference E‖F‖² − (E‖F‖)² has fewer digits than its expansion.
const NEARLY_CERTAIN: f64 = 1e-8;

/// Mean and standard deviation of ‖(F_x, F_y)‖ for a Gaussian force; the torque is not looked at.
pub(crate) fn gaussian_norm(mean: [f64; 3], covariance: &Matrix) -> NormMoments {
    let (xx, xy, yy) = (covariance[0][0], covariance[0][1], covariance[1][1]);
    let trace = (xx + yy).max(0.0);
    let squared_mean = mean[0] * mean[0] + mean[1] * mean[1];
    let total = trace + squared_mean;
    if total.is_nan() || total <= 0.0 {
        return NormMoments { mean: 0.0, standard_deviation: 0.0 };
    }
    if trace < NEARLY_CERTAIN * squared_mean {
        let length = squared_mean.sqrt();
        let (c, s) = (mean[0] / length, mean[1] / length);
        let along = (c * c * xx + 2.0 * c * s * xy + s * s * yy).max(0.0);
        let across = (trace - along).max(0.0);
        let standard_deviation = (along + 0.5 * across * across / squared_mean).sqrt();
        return NormMoments { mean: length + 0.5 * across / length, standard_deviation };
    }
    // principal axes of the force
    let (half, lean) = (0.5 * (xx - yy), 0.5 * (xx + yy));
    let radius = (half * half + xy * xy).sqrt();
    let largest = lean + radius;
    // the smaller one as determinant over the larger one, which does not cancel
    let smallest = ((xx * yy - xy * xy) / largest).max(0.0);
    let (mut c, mut s) = if half >= 0.0 { (half + radius, xy) } else { (xy, radius - half) };
    let size = (c * c + s * s).sqrt();
    (c, s) = if size > 0.0 { (c / size, s / size) } else { (1.0, 0.0) };
    let means = [c * mean[0] + s * mean[1], c * mean[1] - s * mean[0]];
    let parts = [(largest, means[0] * means[0]), (smallest, means[1] * means[1])];
    let fall = |u: f64| -> f64 {
        let logarithm: f64 = parts
            .iter()
            .map(|(lambda, square)| -0.5 * ln_1p(2.0 * u * lambda) - u * square / (1.0 + 2.0 * u * lambda))
            .sum();
        -exp_m1(logarithm)
    };
    // s = v/(1 − v) in units of the root mean square
    let scale = total.sqrt().recip();
    let integrand = |v: f64| {
        if v <= 0.0 {
            return scale * scale * total;
        }
        if v >= 1.0 {
            return 1.0;
        }
        let s = scale * v / (1.0 - v);
        fall(s * s) / (v * v)
    };
    let value = integral(0.0, 1.0, integrand).map_or(f64::NAN, |found| found.value) / (scale * PI.sqrt());
    // a force that the quadrature cannot handle is treated as nearly certain rather than as no number
    let mean = if value.is_finite() { value.min(total.sqrt()) } else { squared_mean.sqrt() };
    NormMoments { mean, standard_deviation: (total - mean * mean).max(0.0).sqrt() }
}

/// How the length of the force follows from its mean and covariance, where it is not sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Closure {
    /// The force is Gaussian: exact for a Gaussian coefficient.
    Gaussian,
    /// The force is the level of the coefficient times a Gaussian force. What makes the force of a positive coefficient differ from a
    /// Gaussian one is mostly that its level and its gradients multiply.
    #[default]
    Level,
}

/// A length of the force with what it may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosedNorm {
    /// Mean and standard deviation \[N\].
    pub norm: NormMoments,
    /// Estimated error of both \[N\].
    pub error: f64,
}

/// Part of the difference between the two closures that the better one may be off.
const REST: f64 = 0.3;

impl Plate {
    /// Mean and spread of ‖F‖ if the force is Gaussian; exact in translation, where the force of a positive coefficient keeps
    /// its direction.
    pub fn norm(&self, moments: &Moments) -> NormMoments {
        if self.kind == Kind::Translation {
            let [x, y, _] = moments.mean;
            let variance = moments.covariance[0][0] + moments.covariance[1][1];
            return NormMoments { mean: (x * x + y * y).sqrt(), standard_deviation: variance.max(0.0).sqrt() };
        }
        gaussian_norm(moments.mean, &moments.covariance)
    }

    /// The best mean and spread of ‖F‖ without samples. `translated` are the moments of the plate in translation, whose spread is that
    /// of the level; none for a Gaussian force.
    pub fn closed_norm(&self, moments: &Moments, translated: Option<&Moments>) -> ClosedNorm {
        let gaussian = self.norm(moments);
        let rounding = moments.error * gaussian.standard_deviation;
        let Some(translated) = translated.filter(|_| self.kind != Kind::Translation) else {
            return ClosedNorm { norm: gaussian, error: rounding };
        };
        let (m, square) = (moments.mean, translated.covariance[0][0].max(0.0) / translated.mean[0].powi(2));
        let rest = std::array::from_fn(|i| {
            std::array::from_fn(|j| (moments.covariance[i][j] - square * m[i] * m[j]) / (1.0 + square))
        });
        let total = moments.covariance[0][0] + moments.covariance[1][1] + m[0] * m[0] + m[1] * m[1];
        let mean = gaussian_norm(m, &rest).mean;
        let norm = NormMoments { mean, standard_deviation: (total - mean * mean).max(0.0).sqrt() };
        let off = (norm.standard_deviation - gaussian.standard_deviation).abs();
        ClosedNorm { norm, error: (REST * off).max(rounding) }
    }
}
