//! A crank that moves a slider along a track, braked by friction that varies over the slider (hu2021, section 3).
//!
//! ```text
//!              pin (R cos θ, R sin θ)
//!               o---__                          y ^   gravity g along -y
//!         R   /        ---___  L, m2              |
//!           / θ               ---___  φ           o--> x
//!    (m1) o . . . . . . . . . . . . .[ m3 ]  ==== track y = 0
//!      torque κ              slider at x₃ = R cos θ + L cos φ
//!
//!   geometry   sin φ = (R/L) sin θ,  cos φ > 0,  ẋ₃ = −R θ̇ sin(θ + φ)/cos φ
//!   bottom     f_b = −sgn(ẋ₃) h |F_n|,                h = mean of the coefficient over the bottom
//!   sides      f_s = −sgn(ẋ₃) n μ_s |F_n τ|/(2a),     τ = mean of the coefficient times y; n walls touched
//!   together   f = −sgn(ẋ₃) c |F_n|,                  c = h + n μ_s |τ|/(2a)
//! ```
//!
//! The field lives on the slider and moves with it, so that h and τ are two constants of a realisation; the motion knows
//! them only through c. [`balance`] holds the equations of motion, [`motion`] the modes, guards and jumps.

pub mod balance;
pub mod motion;

pub use balance::Friction;
pub(crate) use motion::CrankMotion;
pub use motion::{Direction, Ending, Load, Mode, State};

use crate::Problem;
use crate::field::{FieldModel, LengthChoice};
use crate::keys::{Check, keyed, outside};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A crank with a constant torque, a rod, and a slider on a track between two walls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CrankSlider {
    /// Mass m₁ of the crank, a disc about its axis \[kg\]; crank and rod must not both be without mass.
    #[schemars(range(min = 0.0))]
    pub crank_mass: f64,
    /// Mass m₂ of the rod \[kg\].
    #[schemars(range(min = 0.0))]
    pub rod_mass: f64,
    /// Mass m₃ of the slider \[kg\].
    #[schemars(range(min = 0.0))]
    pub slider_mass: f64,
    /// Radius R of the crank \[m\], below the length of the rod.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub crank_radius: f64,
    /// Length L of the rod \[m\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub rod_length: f64,
    /// Half the side a of the slider's square bottom \[m\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub slider_half_side: f64,
    /// Torque κ on the crank [N m].
    pub drive_torque: f64,
    /// Gravity g [m/s²], downward if positive.
    pub gravity: f64,
    /// Friction coefficient over the bottom of the slider.
    pub field: FieldModel,
    /// Friction coefficient μ_s of the side walls [-]; by default the mean of the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub side_friction_coefficient: Option<f64>,
    /// How many of the two wall contacts rub: 1 or 2. The couple of the walls has a force at each of them.
    #[schemars(range(min = 1, max = 2))]
    pub side_contacts: u8,
    /// What happens where the track would have to pull the slider down.
    pub normal_force_policy: NormalForcePolicy,
    /// Angle θ of the crank at the start \[rad\]; 0 is the outer dead centre. Angles beyond 10⁹ have lost the digits that tell one.
    #[schemars(range(min = -1e9, max = 1e9))]
    pub initial_angle: f64,
    /// Speed θ̇ of the crank at the start [rad/s].
    pub initial_speed: f64,
}

/// What happens where the normal force F_n on the slider would be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NormalForcePolicy {
    /// The slider is guided from above too: friction c |F_n|.
    #[default]
    Bilateral,
    /// Friction acts only while F_n > 0; the slider stays on the track.
    Clip,
    /// The motion ends where F_n becomes negative: the model has no flight.
    Unilateral,
    /// Friction c F_n with its sign, which drives the slider where F_n < 0: for comparison only.
    Signed,
    /// Friction c (m₃ + m₂/2)|g|, whatever F_n is: a cheap reference.
    ConstantLoad,
}

impl NormalForcePolicy {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Bilateral, Self::Clip, Self::Unilateral, Self::Signed, Self::ConstantLoad];

    /// The word in scenarios and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bilateral => "bilateral",
            Self::Clip => "clip",
            Self::Unilateral => "unilateral",
            Self::Signed => "signed",
            Self::ConstantLoad => "constant_load",
        }
    }
}

keyed!(CrankSlider);

impl Default for CrankSlider {
    /// The mechanism of hu2021, Table 1, with what the paper leaves open: g = 9.81 m/s², two walls with the mean
    /// coefficient of the field, a slider that is guided from above.
    fn default() -> Self {
        Self {
            crank_mass: 0.3,
            rod_mass: 0.3,
            slider_mass: 0.3,
            crank_radius: 0.3,
            rod_length: 0.5,
            slider_half_side: 0.3,
            drive_torque: 0.5,
            gravity: 9.81,
            field: paper_field(),
            side_friction_coefficient: None,
            side_contacts: 2,
            normal_force_policy: NormalForcePolicy::default(),
            initial_angle: PAPER_ANGLE,
            initial_speed: 10.0,
        }
    }
}

/// The initial angle as printed in hu2021, section 3.
#[expect(clippy::approx_constant, reason = "the printed digits, not −π/3")]
const PAPER_ANGLE: f64 = -1.0472;

/// Mean 0.5 and variance 0.01 (hu2021, Table 1); the correlation length is half the side of the slider.
fn paper_field() -> FieldModel {
    FieldModel {
        mean: Some(0.5),
        standard_deviation: Some(0.1),
        correlation_length: Some(LengthChoice::Isotropic(0.3)),
        ..FieldModel::default()
    }
}

impl CrankSlider {
    /// Mean coefficient of the field [-], if its keys tell it.
    pub fn mean_coefficient(&self) -> Option<f64> {
        self.field.constant.or(self.field.mean)
    }

    /// Friction coefficient of the side walls [-]: as given, or the mean of the field. None if neither is known.
    pub fn side_coefficient(&self) -> Option<f64> {
        self.side_friction_coefficient.or_else(|| self.mean_coefficient())
    }

    /// The coefficient c = h + n μ_s |τ|/(2a) [-] of a slider whose field has the mean h [-] and the torque τ \[m\] over the
    /// bottom. None if the coefficient of the walls is not known.
    pub(crate) fn total_coefficient(&self, mean: f64, torque: f64) -> Option<f64> {
        Some(mean + self.side_coefficient()? * self.side_share(torque))
    }

    /// n |τ|/(2a) [-]: what the coefficient of the walls is multiplied with, for a torque coefficient τ \[m\].
    pub(crate) fn side_share(&self, torque: f64) -> f64 {
        f64::from(self.side_contacts) * torque.abs() / (2.0 * self.slider_half_side)
    }

    /// What is wrong with the parameters (empty if nothing).
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let found = outside(self);
        if !found.is_empty() {
            return found;
        }
        let mut check = Check::default();
        if self.crank_mass == 0.0 && self.rod_mass == 0.0 {
            let message = "is 0 as is `rod_mass`: nothing resists the torque at a dead centre; give one of them a mass";
            check.problem("crank_mass", message.to_owned());
        }
        if self.crank_radius >= self.rod_length {
            let (radius, length) = (self.crank_radius, self.rod_length);
            let message =
                format!("is {radius}, but must be below `rod_length`, which is {length}: the crank cannot turn");
            check.problem("crank_radius", message);
        }
        if self.side_coefficient().is_none() {
            let message = "is not given, and this field has no `mean` to take it from; give a number >= 0";
            check.problem("side_friction_coefficient", message.to_owned());
        }
        let mut found = check.found();
        found.extend(self.field.contradictions().into_iter().map(|problem| problem.below("field")));
        found
    }
}

#[cfg(test)]
impl CrankSlider {
    /// The same mechanism upside down: (θ, θ̇, κ, g) → −(θ, θ̇, κ, g).
    #[must_use]
    pub(crate) fn mirrored(&self) -> Self {
        Self {
            drive_torque: -self.drive_torque,
            gravity: -self.gravity,
            initial_angle: -self.initial_angle,
            initial_speed: -self.initial_speed,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(crank: &CrankSlider) -> Vec<String> {
        crank.problems().into_iter().map(|problem| problem.key.to_string()).collect()
    }

    #[test]
    fn the_mechanism_of_the_paper_is_sound() {
        let crank = CrankSlider::default();
        assert_eq!(crank.problems(), []);
        // two walls: c = h + μ_s |τ|/a
        assert_eq!(crank.total_coefficient(0.4, -0.03), Some(0.4 + 0.5 * 0.1));
        assert_eq!(CrankSlider { side_contacts: 1, ..crank }.total_coefficient(0.4, 0.03), Some(0.4 + 0.5 * 0.05));
    }

    #[test]
    fn mechanisms_that_cannot_turn_are_refused() {
        let paper = CrankSlider::default;
        assert_eq!(keys(&CrankSlider { crank_mass: 0.0, rod_mass: 0.0, ..paper() }), ["crank_mass"]);
        assert_eq!(keys(&CrankSlider { crank_radius: 0.5, ..paper() }), ["crank_radius"]);
        assert_eq!(keys(&CrankSlider { crank_radius: f64::NAN, ..paper() }), ["crank_radius"]);
        assert_eq!(keys(&CrankSlider { initial_angle: 1e300, ..paper() }), ["initial_angle"]);
        assert_eq!(keys(&CrankSlider { side_contacts: 3, ..paper() }), ["side_contacts"]);
        assert_eq!(
            keys(&CrankSlider { side_friction_coefficient: Some(-0.1), ..paper() }),
            ["side_friction_coefficient"]
        );
        let mut unknown = paper();
        unknown.field.mean = None;
        assert_eq!(keys(&unknown), ["side_friction_coefficient", "field.mean"]);
    }

    #[test]
    fn keys_have_the_defaults_of_the_paper_and_no_others_are_taken() {
        let crank: CrankSlider = serde_json::from_str("{}").unwrap();
        assert_eq!(crank, CrankSlider::default());
        let policy: CrankSlider = serde_json::from_str(r#"{"normal_force_policy": "constant_load"}"#).unwrap();
        assert_eq!(policy.normal_force_policy, NormalForcePolicy::ConstantLoad);
        assert!(serde_json::from_str::<CrankSlider>(r#"{"crank_radios": 0.3}"#).is_err());
    }
}
