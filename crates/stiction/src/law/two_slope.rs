//! The law of figure 3 of elmer1997: two slopes and a smooth crossover.

use super::FrictionLaw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Friction that climbs steeply at low speed, falls around a crossover speed and climbs gently beyond it, as contacts
/// with boundary lubrication do.
///
/// ```text
/// μ(v) = v [ (γ₁ + γ₂)/2 + b u/s ],   u = v − ṽ,   s = √(Δv² + u²),   b = (γ₂ − γ₁)/2        [elmer1997, Fig. 3]
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TwoSlope {
    /// Static coefficient at the moment of contact [-], >= 0.
    #[schemars(range(min = 0.0))]
    pub static_coefficient: f64,
    /// Slope γ₁ well below the crossover [s/m], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub low_speed_slope: f64,
    /// Slope γ₂ well above the crossover [s/m], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub high_speed_slope: f64,
    /// Crossover speed ṽ [m/s], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub crossover_speed: f64,
    /// Width Δv of the crossover [m/s], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub crossover_width: f64,
}

impl FrictionLaw for TwoSlope {
    #[inline]
    fn kinetic(&self, speed: f64) -> f64 {
        let u = speed - self.crossover_speed;
        let s = (self.crossover_width * self.crossover_width + u * u).sqrt();
        let b = 0.5 * (self.high_speed_slope - self.low_speed_slope);
        speed * (0.5 * (self.high_speed_slope + self.low_speed_slope) + b * u / s)
    }

    #[inline]
    fn kinetic_with_slope(&self, speed: f64) -> (f64, f64) {
        let width2 = self.crossover_width * self.crossover_width;
        let u = speed - self.crossover_speed;
        let s2 = width2 + u * u;
        // one division: this is the innermost expression of every orbit under this law
        let inverse = 1.0 / s2.sqrt();
        let b = 0.5 * (self.high_speed_slope - self.low_speed_slope);
        let secant = 0.5 * (self.high_speed_slope + self.low_speed_slope) + b * u * inverse;
        (speed * secant, secant + b * speed * width2 * (inverse * inverse * inverse))
    }

    fn kinetic_derivatives(&self, speed: f64) -> [f64; 4] {
        let width2 = self.crossover_width * self.crossover_width;
        let u = speed - self.crossover_speed;
        let s2 = width2 + u * u;
        let s = s2.sqrt();
        let b = 0.5 * (self.high_speed_slope - self.low_speed_slope);
        // q = u/s and its derivatives
        let q1 = width2 / (s2 * s);
        let q2 = -3.0 * width2 * u / (s2 * s2 * s);
        let q3 = width2 * (12.0 * u * u - 3.0 * width2) / (s2 * s2 * s2 * s);
        let secant = 0.5 * (self.high_speed_slope + self.low_speed_slope) + b * u / s;
        [speed * secant, secant + b * speed * q1, 2.0 * b * q1 + b * speed * q2, 3.0 * b * q2 + b * speed * q3]
    }

    fn static_coefficient(&self) -> f64 {
        self.static_coefficient
    }
}
