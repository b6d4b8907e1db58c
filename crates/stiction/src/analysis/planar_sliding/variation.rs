//! Coefficients of variation of force and torque [hu2021, Eq. 14, 15, 26, 27, 30].
//!
//! ```text
//! translation   CV_F = σ_F/μ_‖F‖,        CV_T = σ_T/(|μ_F| a_m)
//! rotation      CV_F = σ_F a_m/|μ_T|,    CV_T = σ_T/|μ_T|
//! general       CV_F = σ_F/μ_‖F‖,        CV_T = σ_T/|μ_T|
//! ```
//! σ_F is one of three spreads, which are never mixed: that of the length ‖F‖, of the vector √(Var F_x + Var F_y), and of the
//! component F_x. Where a mean is zero, the scaled definition of the other motion takes its place and is marked. The mean of
//! ‖F‖ is not zero as long as the force varies: in general motion CV_F is one formula, however near the centre of rotation is.

use super::motion::Kind;
use super::norm::NormMoments;
use super::plate::{Moments, Plate};
use crate::patch::Geometry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_1_SQRT_2;

/// The length a_m that makes a torque comparable with a force.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TorqueLength {
    /// A length of the shape.
    Named(NamedLength),
    /// A length \[m\].
    Metres(#[schemars(extend("exclusiveMinimum" = 0.0))] f64),
}

/// Lengths of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NamedLength {
    /// a/√2 with a = √area/2: that of the paper.
    Paper,
    /// Root of the mean square distance from the centroid.
    Rms,
    /// Mean distance from the centroid.
    MeanDistance,
}

impl Default for TorqueLength {
    fn default() -> Self {
        Self::Named(NamedLength::Paper)
    }
}

impl TorqueLength {
    /// The length for an area \[m\].
    pub fn of(&self, geometry: &Geometry) -> f64 {
        let [xx, _, yy] = geometry.second_moments;
        match self {
            // the paper calls it the mean square distance of the square; it is the rms radius of a disc of radius a
            TorqueLength::Named(NamedLength::Paper) => geometry.half_side() * FRAC_1_SQRT_2,
            TorqueLength::Named(NamedLength::Rms) => ((xx + yy) / geometry.area).sqrt(),
            TorqueLength::Named(NamedLength::MeanDistance) => geometry.distance_integral / geometry.area,
            TorqueLength::Metres(length) => *length,
        }
    }
}

/// Coefficients of variation [-].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Variations {
    /// Of the force by the spread of its length; none if undefined.
    pub force_norm: Option<f64>,
    /// Of the force by the spread of the vector.
    pub force_vector: Option<f64>,
    /// Of the force by the spread of F_x.
    pub force_component: Option<f64>,
    /// Of the torque.
    pub torque: Option<f64>,
    /// Mean and spread of ‖F‖ \[N\] that were used.
    pub norm: NormMoments,
    /// What the spreads were divided by.
    pub scales: Scales,
}

/// What spreads are divided by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scales {
    /// Of the force \[N\]; none if it is zero.
    pub force: Option<f64>,
    /// Of the torque [N m]; none if it is zero.
    pub torque: Option<f64>,
    /// Whether the force is divided by the mean torque over a_m.
    pub force_scaled: bool,
    /// Whether the torque is divided by the mean force times a_m.
    pub torque_scaled: bool,
}

/// A mean is zero below this part of its natural scale.
const ZERO: f64 = 1e-12;

impl Plate {
    /// Coefficients of variation with the norm of a Gaussian force.
    pub fn variations(&self, moments: &Moments, mean: f64, torque_length: TorqueLength) -> Variations {
        self.variations_with(moments, mean, torque_length, self.norm(moments))
    }

    /// Coefficients of variation with a given mean and spread of ‖F‖, for instance sampled ones; `mean` is that of the
    /// coefficient [-].
    pub fn variations_with(
        &self,
        moments: &Moments,
        mean: f64,
        torque_length: TorqueLength,
        norm: NormMoments,
    ) -> Variations {
        let geometry = &self.functionals.outline.geometry;
        let a_m = torque_length.of(geometry);
        let [x, y, torque] = moments.mean;
        let force = (x * x + y * y).sqrt();
        let natural = self.pressure * mean;
        let no_force = force < ZERO * natural * geometry.area;
        let no_norm = norm.mean < ZERO * natural * geometry.area;
        let no_torque = torque.abs() < ZERO * natural * geometry.distance_integral;
        let kind = self.kind;
        let force_scaled = kind == Kind::Rotation || (no_norm && !no_torque);
        let torque_scaled = kind == Kind::Translation || (no_torque && !no_force);
        let positive = |scale: f64| (scale > 0.0 && scale.is_finite()).then_some(scale);
        let scales = Scales {
            force: if force_scaled { positive(torque.abs() / a_m).filter(|_| !no_torque) } else { positive(norm.mean) },
            torque: if torque_scaled {
                positive(force * a_m).filter(|_| !no_force)
            } else {
                positive(torque.abs()).filter(|_| !no_torque)
            },
            force_scaled,
            torque_scaled,
        };
        let k = &moments.covariance;
        let spread = |variance: f64| variance.max(0.0).sqrt();
        let over_force = |spread: f64| scales.force.map(|scale| spread / scale);
        Variations {
            force_norm: over_force(norm.standard_deviation),
            force_vector: over_force(spread(k[0][0] + k[1][1])),
            force_component: over_force(spread(k[0][0])),
            torque: scales.torque.map(|scale| spread(k[2][2]) / scale),
            norm,
            scales,
        }
    }
}

impl Variations {
    /// Error of the coefficient of variation of ‖F‖ [-] from those of its spread and of its mean \[N\]; none if it is undefined. The
    /// scale is the mean, unless it is the torque: E‖F‖² is exact, so that a mean that is too small makes the spread too large.
    pub fn norm_error(&self, spread: f64, mean: f64) -> Option<f64> {
        let scale = self.scales.force?;
        let own = if self.scales.force_scaled { 0.0 } else { mean };
        Some((spread + self.norm.standard_deviation / scale * own) / scale)
    }
}

impl Moments {
    /// Correlation coefficient [-] of two of (F_x, F_y, T); none if one of them does not vary.
    pub fn correlation(&self, i: usize, j: usize) -> Option<f64> {
        let entry = |i: usize, j: usize| self.covariance.get(i).and_then(|row| row.get(j)).copied();
        let scale = (entry(i, i)? * entry(j, j)?).sqrt();
        if scale > 0.0 { entry(i, j).map(|entry| entry / scale) } else { None }
    }
}
