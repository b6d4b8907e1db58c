//! Friction that grows linearly with the sliding speed.

use super::FrictionLaw;
use crate::Problem;
use crate::keys::Check;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kinetic coefficient that grows linearly with speed.
///
/// ```text
/// μ(v) = μ_K0 + γ v,   0 ≤ μ_K0 ≤ μ_S,   γ ≥ 0        [elmer1997, Eq. 2]
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// Static coefficient at the moment of contact [-], >= 0.
    #[schemars(range(min = 0.0))]
    pub static_coefficient: f64,
    /// Kinetic coefficient `μ_K0` at the onset of sliding [-], from 0 to the static coefficient.
    #[schemars(range(min = 0.0))]
    pub kinetic_coefficient: f64,
    /// Growth γ of the kinetic coefficient with speed [s/m], >= 0.
    #[schemars(range(min = 0.0))]
    pub slope: f64,
}

impl FrictionLaw for Linear {
    #[inline]
    fn kinetic(&self, speed: f64) -> f64 {
        self.kinetic_coefficient + self.slope * speed
    }

    #[inline]
    fn kinetic_with_slope(&self, speed: f64) -> (f64, f64) {
        (self.kinetic(speed), self.slope)
    }

    fn kinetic_derivatives(&self, speed: f64) -> [f64; 4] {
        [self.kinetic(speed), self.slope, 0.0, 0.0]
    }

    fn static_coefficient(&self) -> f64 {
        self.static_coefficient
    }

    fn problems(&self) -> Vec<Problem> {
        let Self { static_coefficient, kinetic_coefficient, .. } = *self;
        Check::default()
            .at_most("kinetic_coefficient", kinetic_coefficient, "static_coefficient", static_coefficient)
            .found()
    }
}
