//! A cubic polynomial: the test law of the Hopf normal form.

use super::{FrictionLaw, exceeds};
use crate::Problem;
use crate::keys::Check;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A cubic polynomial about a reference speed. Its coefficients are the derivatives that decide whether a Hopf
/// bifurcation at that speed is soft or hard.
///
/// ```text
/// μ(v) = μ₀ + f₁ u + f₂ u²/2 + f₃ u³/6,   u = v − v_r
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cubic {
    /// Coefficient μ₀ at the reference speed [-].
    pub(crate) value: f64,
    /// Slope f₁ there [s/m].
    #[serde(default)]
    pub(crate) f1: f64,
    /// Second derivative f₂ there [s²/m²].
    #[serde(default)]
    pub(crate) f2: f64,
    /// Third derivative f₃ [s³/m³].
    #[serde(default)]
    pub(crate) f3: f64,
    /// Reference speed `v_r` [m/s].
    pub(crate) speed: f64,
    /// Static coefficient at the moment of contact [-], >= 0 and >= μ(0); by default μ(0).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub(crate) static_coefficient: Option<f64>,
}

impl FrictionLaw for Cubic {
    #[inline]
    fn kinetic(&self, speed: f64) -> f64 {
        let u = speed - self.speed;
        self.value + u * (self.f1 + u * (0.5 * self.f2 + u * (self.f3 / 6.0)))
    }

    #[inline]
    fn kinetic_with_slope(&self, speed: f64) -> (f64, f64) {
        let u = speed - self.speed;
        (self.kinetic(speed), self.f1 + u * (self.f2 + u * (0.5 * self.f3)))
    }

    fn kinetic_derivatives(&self, speed: f64) -> [f64; 4] {
        let u = speed - self.speed;
        let (value, slope) = self.kinetic_with_slope(speed);
        [value, slope, self.f2 + u * self.f3, self.f3]
    }

    fn static_coefficient(&self) -> f64 {
        self.static_coefficient.unwrap_or_else(|| self.kinetic(0.0))
    }

    fn problems(&self) -> Vec<Problem> {
        let mut check = Check::default();
        let onset = self.kinetic(0.0);
        if onset < 0.0 {
            let message = format!("gives {onset} at zero speed, but the law must be >= 0 at every speed: raise it");
            check.problem("value", message);
        }
        if exceeds(onset, self.static_coefficient()) {
            let message =
                format!("is {}, but must be at least {onset}, the law at zero speed", self.static_coefficient());
            check.problem("static_coefficient", message);
        }
        check.found()
    }
}
