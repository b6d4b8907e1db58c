//! Coulomb's law: one coefficient at rest, one while sliding.

use super::FrictionLaw;
use crate::Problem;
use crate::keys::Check;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Constant static and kinetic coefficients.
///
/// ```text
/// μ(v) = μ_K,   0 ≤ μ_K ≤ μ_S
/// ```
///
/// ```
/// # use stiction::law::{Coulomb, FrictionLaw};
/// let brick = Coulomb { static_coefficient: 0.5, kinetic_coefficient: 0.45 };
/// assert_eq!(brick.kinetic(3.0), 0.45);
/// assert!(brick.problems().is_empty());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coulomb {
    /// Static coefficient at the moment of contact [-], >= 0.
    #[schemars(range(min = 0.0))]
    pub static_coefficient: f64,
    /// Kinetic coefficient [-], from 0 to the static coefficient.
    #[schemars(range(min = 0.0))]
    pub kinetic_coefficient: f64,
}

impl FrictionLaw for Coulomb {
    #[inline]
    fn kinetic(&self, _speed: f64) -> f64 {
        self.kinetic_coefficient
    }

    #[inline]
    fn kinetic_with_slope(&self, _speed: f64) -> (f64, f64) {
        (self.kinetic_coefficient, 0.0)
    }

    fn kinetic_derivatives(&self, _speed: f64) -> [f64; 4] {
        [self.kinetic_coefficient, 0.0, 0.0, 0.0]
    }

    fn static_coefficient(&self) -> f64 {
        self.static_coefficient
    }

    fn problems(&self) -> Vec<Problem> {
        let Self { static_coefficient, kinetic_coefficient } = *self;
        Check::default()
            .at_most("kinetic_coefficient", kinetic_coefficient, "static_coefficient", static_coefficient)
            .found()
    }
}
