//! A wheel on a turntable, held by a slider (szalai2014).
//!
//! ```text
//!  top view         slit ---------[ slider ]==/\/\/==|    e₁ along the slit (r, v), e₂ across it
//!                   |<---- r --->|   \                    spring k₂, damper c₂, rest position r₀
//!                 d |                 \ wheel, at angle γ to the slit
//!                   O  axis: turntable ω₀ (given), upper disc ω (state)
//! ```
//!
//! Dry friction between wheel and turntable gives a lateral force F and a moment M that jump together where the lateral
//! sliding velocity h changes its sign; in stick one unknown drives both. Where the two balance (a two-fold), and where
//! both sliding velocities vanish (the line v = 0, ω = ω₀), the equations do not determine the future.
//!
//! | file | holds |
//! |---|---|
//! | `dynamics` | equations of motion, friction, the switching surface |
//! | `automaton` | the wheel as a [`Filippov`](super::filippov::Filippov) model |
//! | `singular` | two-folds: design, search, class |
//! | `line` | the line where the wheel is at rest: rays, lock, passage |
//! | `tyre` | the stretched-string tyre behind the friction law |

mod automaton;
mod dynamics;
pub mod line;
pub(crate) mod singular;
pub mod tyre;

pub use dynamics::{CLOCK, Dynamics, Friction, R, State, V};
pub(crate) use dynamics::{OMEGA, TIME};
pub use singular::{Designed, WheelTwoFold};

use crate::Problem;
use crate::keys::{Check, keyed, outside};
use crate::num::real;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A wheel on a turntable, in a slider on a disc above it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Wheel {
    /// Mass m of the slider \[kg\], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub slider_mass: f64,
    /// Radius of gyration β of the disc \[m\], > 0: its inertia is m β².
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub gyration_radius: f64,
    /// Distance d of the slit from the axis \[m\].
    #[schemars(range(min = 0.0))]
    pub slit_offset: f64,
    /// Stiffness k₂ of the spring [N/m], > 0; by default it follows from `design`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub spring_stiffness: Option<f64>,
    /// Position r₀ of the slider at which the spring is relaxed \[m\].
    pub rest_position: f64,
    /// Damping c₁ of the disc [N m s].
    #[schemars(range(min = 0.0))]
    pub disc_damping: f64,
    /// Damping c₂ of the slider [N s/m].
    #[schemars(range(min = 0.0))]
    pub slider_damping: f64,
    /// Speed ω₀ of the turntable [rad/s].
    pub turntable_speed: f64,
    /// Angle γ of the wheel to the slit \[rad\].
    pub wheel_angle: f64,
    /// Friction force μ at the onset of slip \[N\], > 0: a force, not a coefficient.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub friction_force: f64,
    /// Ratio κ of moment and force at the onset of slip \[m\], > 0; by default it follows from `design`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub moment_arm: Option<f64>,
    /// Where a two-fold shall lie: gives `moment_arm` and `spring_stiffness`. By default r* = 0.1859 m, ω* = −1.037 rad/s,
    /// unless these two are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design: Option<Design>,
    /// What the damping of the disc acts against.
    pub damping_reference: DampingReference,
    /// Whether the moment has the sign of the rolling velocity.
    pub stick_moment: StickMoment,
    /// How force and moment depend on the direction of slip.
    pub slip_law: SlipLaw,
    /// Smooth friction instead of jumps: a different system, without modes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regularisation: Option<Regularisation>,
    /// Random forces; needs `regularisation`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<Noise>,
}

/// Where a two-fold shall lie.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// Position r* of the slider \[m\]; not 0, not the rest position.
    pub position: f64,
    /// Speed ω* of the disc [rad/s].
    pub speed: f64,
}

impl Default for Design {
    fn default() -> Self {
        Self { position: 0.1859, speed: -1.037 }
    }
}

/// What the damping of the disc acts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DampingReference {
    /// The ground: −c₁ ω, as the equations are printed.
    #[default]
    Ground,
    /// The turntable: −c₁ (ω − ω₀), as the text says.
    Turntable,
}

/// Whether the moment has the sign of the rolling velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StickMoment {
    /// M = sign(g) κ F in stick: the limit of the law in slip.
    #[default]
    Signed,
    /// M = κ F in stick whatever the direction of rolling; the sign of g is dropped in slip too.
    Unsigned,
}

/// How force and moment depend on the direction of slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SlipLaw {
    /// By the slip angle, as a tyre does (Eqs. 6, 7).
    #[default]
    Angle,
    /// F = μ sign(h), M = κ F at every angle; needs `stick_moment = "unsigned"`.
    Constant,
}

/// Smooth friction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Regularisation {
    /// Signs become hyperbolic tangents.
    pub tanh: Widths,
}

/// Widths of smooth signs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Widths {
    /// Lateral velocity over which sign(h) becomes tanh(h/lateral) [m/s], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub lateral: f64,
    /// Rolling velocity over which sign(g) becomes tanh(g/rolling) [m/s], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub rolling: f64,
}

/// Random forces.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// White noise that is added to the velocities.
    pub additive: Additive,
}

/// Strengths of white noise (Itô), per root of rescaled time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Additive {
    /// On v [m/s per √τ].
    #[schemars(range(min = 0.0))]
    pub(crate) velocity: f64,
    /// On ω [rad/s per √τ].
    #[schemars(range(min = 0.0))]
    pub(crate) speed: f64,
}

keyed!(Wheel);

impl Default for Wheel {
    fn default() -> Self {
        Self {
            slider_mass: 1.0,
            gyration_radius: 0.05,
            slit_offset: 1.0,
            spring_stiffness: None,
            rest_position: 0.1,
            disc_damping: 1e-3,
            slider_damping: 1e-3,
            turntable_speed: -1.0,
            wheel_angle: -0.75 * std::f64::consts::PI,
            friction_force: 1.0,
            moment_arm: None,
            design: None,
            damping_reference: DampingReference::default(),
            stick_moment: StickMoment::default(),
            slip_law: SlipLaw::default(),
            regularisation: None,
            noise: None,
        }
    }
}

/// Cosine and sine of an angle \[rad\], exact at multiples of a right angle.
pub(crate) fn exact_cos_sin(angle: f64) -> (f64, f64) {
    let (cos, sin) = (real::cos(angle), real::sin(angle));
    // the nearest double to π/2 has a cosine of 6e-17, and its multiples a few times that
    if cos.abs() < 1e-15 {
        (0.0, sin.signum())
    } else if sin.abs() < 1e-15 {
        (cos.signum(), 0.0)
    } else {
        (cos, sin)
    }
}

impl Wheel {
    /// The equations of this wheel, with moment arm and stiffness from the design where it has one.
    ///
    /// # Errors
    /// What is wrong with the parameters, with the key of each.
    pub fn dynamics(&self) -> Result<Dynamics, Vec<Problem>> {
        let problems = self.problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        let (arm, stiffness) = match (self.moment_arm, self.spring_stiffness) {
            (Some(arm), Some(stiffness)) => (arm, stiffness),
            _ => {
                let designed = self.designed(self.design.unwrap_or_default());
                (designed.moment_arm, designed.spring_stiffness)
            }
        };
        Ok(Dynamics::new(self, arm, stiffness))
    }

    /// What is wrong with the parameters (empty if nothing).
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let found = outside(self);
        if !found.is_empty() {
            return found;
        }
        let mut check = Check::default();
        if self.slip_law == SlipLaw::Constant && self.stick_moment == StickMoment::Signed {
            check.problem(
                "slip_law",
                "is \"constant\", which needs stick_moment = \"unsigned\": with a sign the moment would jump where the wheel \
                 begins to roll backward"
                    .to_owned(),
            );
        }
        if self.noise.is_some() && self.regularisation.is_none() {
            check
                .problem("noise", "needs `regularisation.tanh`: noise is defined on the smooth system only".to_owned());
        }
        match (self.design, self.moment_arm, self.spring_stiffness) {
            (None, Some(_), Some(_)) => {}
            (_, None, None) => {
                if check.is_empty() {
                    self.check_design(self.design.unwrap_or_default(), &mut check);
                }
            }
            (Some(_), ..) => {
                check.problem(
                    "design",
                    "gives `moment_arm` and `spring_stiffness`; give either `design` or these two, not both".to_owned(),
                );
            }
            (None, arm, _) => {
                let (given, missing) =
                    if arm.is_some() { ("moment_arm", "spring_stiffness") } else { ("spring_stiffness", "moment_arm") };
                check.problem(given, format!("is given without `{missing}`; give both, or `design`"));
            }
        }
        check.found()
    }

    fn check_design(&self, design: Design, check: &mut Check) {
        let (cos, sin) = exact_cos_sin(self.wheel_angle);
        if cos == 0.0 || sin == 0.0 {
            check.problem(
                "design",
                format!(
                    "has no solution for wheel_angle = {}: its sine and cosine must not be 0; give `moment_arm` and \
                     `spring_stiffness`",
                    self.wheel_angle
                ),
            );
            return;
        }
        if design.position == 0.0 || design.position == self.rest_position {
            check.problem(
                "design.position",
                format!("is {}, but must be neither 0 nor `rest_position`", design.position),
            );
            return;
        }
        let designed = self.designed(design);
        let at = format!("position = {}, speed = {}", design.position, design.speed);
        for (what, value) in [("moment_arm", designed.moment_arm), ("spring_stiffness", designed.spring_stiffness)] {
            if !(value.is_finite() && value > 0.0) {
                check.problem(
                    "design",
                    format!(
                        "with {at} needs {what} = {value}, but it must be a finite number > 0; choose another point"
                    ),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_wheel_is_the_one_of_the_paper() {
        let dynamics = Wheel::default().dynamics().unwrap();
        assert!((dynamics.kappa - 0.27241).abs() < 1e-4, "{}", dynamics.kappa);
        assert!(dynamics.k2 > 0.0);
    }

    #[test]
    fn either_a_design_or_both_parameters() {
        let keys = |wheel: Wheel| -> Vec<String> {
            wheel.problems().into_iter().map(|problem| problem.key.to_string()).collect()
        };
        let both = Wheel { design: Some(Design::default()), moment_arm: Some(0.3), ..Wheel::default() };
        assert_eq!(keys(both), ["design"]);
        assert_eq!(keys(Wheel { moment_arm: Some(0.3), ..Wheel::default() }), ["moment_arm"]);
        assert_eq!(keys(Wheel { spring_stiffness: Some(0.3), ..Wheel::default() }), ["spring_stiffness"]);
        let given = Wheel { moment_arm: Some(0.3), spring_stiffness: Some(2.0), ..Wheel::default() };
        assert!(keys(given).is_empty());
        assert_eq!(keys(Wheel { slip_law: SlipLaw::Constant, ..Wheel::default() }), ["slip_law"]);
        assert_eq!(keys(Wheel { wheel_angle: std::f64::consts::FRAC_PI_2, ..Wheel::default() }), ["design"]);
        assert_eq!(keys(Wheel { slider_mass: f64::NAN, ..Wheel::default() }), ["slider_mass"]);
        let behind = Design { position: -0.2, speed: -1.0 };
        assert!(keys(Wheel { design: Some(behind), ..Wheel::default() }).iter().all(|key| key == "design"));
    }

    #[test]
    fn right_angles_have_exact_sines() {
        use std::f64::consts::PI;
        assert_eq!(exact_cos_sin(PI / 2.0), (0.0, 1.0));
        assert_eq!(exact_cos_sin(-PI / 2.0), (0.0, -1.0));
        assert_eq!(exact_cos_sin(PI), (-1.0, 0.0));
        assert_eq!(exact_cos_sin(0.0), (1.0, 0.0));
    }
}
