//! The stretched-string tyre behind the friction law (szalai2014, Appendix B, corrected).
//!
//! ```text
//! q(x) = (a + σ − x) tan φ sticks where k q ≤ δ, that is x ≥ x_s = a + σ − (δ/k) cot φ; behind it the pressure is ρδ
//! F = ∫ p dx,  M = −∫ x p dx  over the contact −a ≤ x ≤ a
//! ```

use crate::Problem;
use crate::keys::{keyed, outside};
use crate::num::real::tan;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A tyre as a stretched string.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tyre {
    /// Half length a of the contact \[m\], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) half_length: f64,
    /// Lateral stiffness k per length [N/m²], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) stiffness: f64,
    /// Relaxation length σ \[m\].
    #[schemars(range(min = 0.0))]
    pub(crate) relaxation_length: f64,
    /// Largest pressure δ at rest [N/m], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) static_pressure: f64,
    /// Pressure in slip divided by the largest at rest, ρ [-], in (0, 1].
    #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
    pub(crate) sliding_ratio: f64,
}

keyed!(Tyre);

/// How much of the contact slips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Slip {
    /// None of it.
    None,
    /// The rear part.
    Partial,
    /// All of it.
    Full,
}

/// Lateral force and moment of a tyre at a slip angle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TyreForce {
    /// F \[N\].
    pub force: f64,
    /// M [N m].
    pub moment: f64,
    /// How much of the contact slips.
    pub slip: Slip,
}

impl Tyre {
    /// The tyre whose partial slip is the law of the wheel with this moment arm \[m\] and a unit friction force.
    pub fn simplified(moment_arm: f64) -> Self {
        let pressure = 1.0 / (3.0 * moment_arm);
        Self {
            half_length: 3.0 * moment_arm,
            stiffness: pressure,
            relaxation_length: 0.0,
            static_pressure: pressure,
            sliding_ratio: 2.0 / 3.0,
        }
    }

    /// What is wrong with the parameters (empty if nothing).
    pub fn problems(&self) -> Vec<Problem> {
        outside(self)
    }

    /// Force and moment at a slip angle in (0, π/2) \[rad\].
    pub fn at(&self, angle: f64) -> TyreForce {
        let Self { half_length: a, stiffness: k, relaxation_length: sigma, static_pressure: delta, sliding_ratio: rho } =
            *self;
        let (tan, cot) = (tan(angle), 1.0 / tan(angle));
        let border = a + sigma - delta / k * cot;
        if border <= -a {
            let (force, moment) = (2.0 * a * k * (a + sigma) * tan, 2.0 / 3.0 * a * a * a * k * tan);
            return TyreForce { force, moment, slip: Slip::None };
        }
        if border >= a {
            return TyreForce { force: 2.0 * a * rho * delta, moment: 0.0, slip: Slip::Full };
        }
        let force = rho * delta * (2.0 * a + sigma) + delta * delta * (1.0 - 2.0 * rho) * cot / (2.0 * k)
            - 0.5 * k * sigma * sigma * tan;
        let stick = k * k * k * sigma * sigma * (3.0 * a + sigma) * tan
            + delta * delta * cot * (2.0 * delta * cot - 3.0 * k * (a + sigma));
        let moment = stick / (6.0 * k * k) - 0.5 * delta * rho * (border * border - a * a);
        TyreForce { force, moment, slip: Slip::Partial }
    }

    /// The slip angles \[rad\] at which slip begins and at which it is full; the latter is none without a relaxation
    /// length.
    pub fn borders(&self) -> (f64, Option<f64>) {
        use crate::num::real::atan2;
        let Self { half_length: a, stiffness: k, relaxation_length: sigma, static_pressure: delta, .. } = *self;
        (atan2(delta, k * (2.0 * a + sigma)), (sigma > 0.0).then(|| atan2(delta, k * sigma)))
    }
}

#[cfg(test)]
impl Tyre {
    /// Where the slipping part of the contact begins \[m\], at a slip angle in (0, π/2) \[rad\].
    pub(crate) fn slip_border(&self, angle: f64) -> f64 {
        self.half_length + self.relaxation_length - self.static_pressure / self.stiffness / tan(angle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::atan2;

    #[test]
    fn force_and_moment_are_continuous_where_slip_begins_and_ends() {
        let tyre =
            Tyre { half_length: 0.7, stiffness: 2.0, relaxation_length: 0.3, static_pressure: 1.3, sliding_ratio: 1.0 };
        let (begin, full) = tyre.borders();
        for border in [begin, full.unwrap()] {
            let (before, after) = (tyre.at(border * (1.0 - 1e-13)), tyre.at(border * (1.0 + 1e-13)));
            assert!(before.slip != after.slip);
            assert!((before.force - after.force).abs() < 1e-11 && (before.moment - after.moment).abs() < 1e-11);
        }
    }

    #[test]
    fn the_simplified_tyre_is_the_law_of_the_wheel() {
        let kappa = 0.27;
        let tyre = Tyre::simplified(kappa);
        let begin = atan2(1.0, 6.0 * kappa);
        assert!((tyre.borders().0 - begin).abs() < 1e-15 && tyre.borders().1.is_none());
        for psi in [begin * 1.001, 0.9, 1.3, 1.57] {
            let (found, cot) = (tyre.at(psi), 1.0 / tan(psi));
            assert!((found.force - (4.0 / 3.0 - cot / (18.0 * kappa))).abs() < 1e-14);
            assert!((found.moment - cot / 6.0).abs() < 1e-14, "{} {}", found.moment, cot / 6.0);
        }
    }
}
