//! A disc on a moving belt, held by springs; the friction coefficient is a field painted on the belt (hu2023_belt).
//!
//! ```text
//!   top view                   ⌇ k_y/2            the springs travel with the disc: no coupling between x and y
//!   wall                       ⌇                                 y ^
//!    ‖          k            .---.                                 |
//!    ‖----/\/\/\/\/---------(  G  ) radius R                       +---> x
//!    ‖                       `---'
//!                              ⌇ k_y/2            belt: ------> v_b,  belt coordinates X = x − v_b t, Y = y
//!
//!   slip    m ẍ = −k x + f_x     m ÿ = −k_y y + f_y     J φ̈ = T,    (f_x, f_y, T) = −∇D_k,   D_k = κ m g d(w)
//!   stick   moves with the belt as long as (k x, k_y y, 0)/(m g) lies in the limit body of static friction
//! ```
//!
//! Pressure is uniform and the disc is round, possibly with a hole in its middle: the angle φ has no influence. [`Contact`] answers what friction does at a place
//! of the belt, `Balance` holds the equations of motion.

pub(crate) mod balance;
mod contact;
pub(crate) mod motion;
mod policy;
mod transition;

pub(crate) use balance::BeltBalance;
pub use balance::State;
pub(crate) use contact::ContactPlan;
pub use contact::{Contact, Frozen};
pub(crate) use motion::BeltMotion;
pub use motion::Mode;
pub use policy::{BeltStart, BreakawayRule, LandingRule, OnsetRule, Policy, Precision, Quadrature, Rules, StartName};

pub use crate::patch::QuadratureWeights;

use super::ContactPolicy;
use crate::Problem;
use crate::field::{CorrelationOf, FieldDescription, FieldError, FieldModel, LengthChoice, MarginalChoice};
use crate::keys::{Check, keyed, outside};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A disc on a belt whose friction varies from place to place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BeltDisc {
    /// Mass m \[kg\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub mass: f64,
    /// Radius R of the disc \[m\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub radius: f64,
    /// Radius of a round hole in the middle of the contact \[m\], less than `radius`; 0 for a full disc.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(range(min = 0.0))]
    pub inner_radius: f64,
    /// Stiffness k of the spring along the belt [N/m].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub stiffness: f64,
    /// Stiffness k_y across the belt [N/m]; by default that along it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub transverse_stiffness: Option<f64>,
    /// Moment of inertia J [kg m²]; by default m (R² + r²)/2, r the inner radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub moment_of_inertia: Option<f64>,
    /// Speed v_b of the belt [m/s]; below 0 the mirror image, at 0 a stuck disc stays stuck.
    pub belt_speed: f64,
    /// Gravity g [m/s²].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub gravity: f64,
    /// Kinetic over static friction κ [-], the same everywhere.
    #[schemars(extend("exclusiveMinimum" = 0.0), range(max = 1.0))]
    pub kinetic_ratio: f64,
    /// Static friction coefficient over the belt; by default mean 0.5, standard deviation 0.1, correlation length 0.1 m.
    pub field: FieldModel,
    /// Where the motion starts: `rest`, `stuck` (it moves with the belt), or six numbers x, y, φ, ẋ, ẏ, φ̇.
    pub start: BeltStart,
    /// When a stuck disc breaks away; by default as `policy` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breakaway: Option<BreakawayRule>,
    /// How slip starts; by default as `policy` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub onset: Option<OnsetRule>,
    /// How slip ends; by default as `policy` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub landing: Option<LandingRule>,
    /// At which spring forces a disc on a line sticks when it reaches the velocity of the belt; in the plane the kinetic
    /// limit decides. With `landing = "threshold"` it is the static limit always.
    #[serde(skip_serializing_if = "is_default")]
    pub contact_policy: ContactPolicy,
    /// Dimensionless slip speed λ at which a landing is looked for [-]; with `velocity_jump` also the jump. A disc that slips
    /// faster than 1 does not land.
    #[schemars(extend("exclusiveMinimum" = 0.0), range(max = 1.0))]
    pub landing_threshold: f64,
    /// `exact`, or `paper`: `circle`, `velocity_jump` and `threshold`.
    pub policy: Policy,
    /// How friction is summed over the contact.
    pub quadrature: Quadrature,
    /// How the nodes of a lattice are weighted at the rim of the disc.
    pub quadrature_weights: QuadratureWeights,
    /// Lattice steps per radius [-]; by default the step is at most R/15 and a third of the correlation length. A random field
    /// with Gaussian correlation that needs more than 60 steps is made on as many, and its means over cells of R/60 are summed;
    /// with a number given here nothing is averaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2.0, max = 1000.0))]
    pub cells_per_radius: Option<f64>,
    /// Time after breakaway that the onset of slip bridges \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub onset_step: f64,
    /// Precision in which the field is stored, by default `double`. `single` is enough for statistics and takes two thirds of
    /// the time; steps finer than a relative tolerance of 1e-7 would see its roundings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
    /// How far the field is made beyond the contact at the start \[m\]; by default a fifth of the radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub strip_margin: Option<f64>,
}

keyed!(BeltDisc);

impl Default for BeltDisc {
    /// The disc of hu2023_belt, Table 1, with g = 9.81 m/s², which the paper leaves open.
    fn default() -> Self {
        Self {
            mass: 10.0,
            radius: 0.5,
            inner_radius: 0.0,
            stiffness: 30.0,
            transverse_stiffness: None,
            moment_of_inertia: None,
            belt_speed: 0.2,
            gravity: 9.81,
            kinetic_ratio: 0.9,
            field: FieldModel::default(),
            start: BeltStart::default(),
            breakaway: None,
            onset: None,
            landing: None,
            contact_policy: ContactPolicy::default(),
            landing_threshold: 1e-3,
            policy: Policy::default(),
            quadrature: Quadrature::default(),
            quadrature_weights: QuadratureWeights::default(),
            cells_per_radius: None,
            onset_step: 1e-4,
            precision: None,
            strip_margin: None,
        }
    }
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

fn is_default(policy: &ContactPolicy) -> bool {
    *policy == ContactPolicy::default()
}

/// Defaults of the paper for keys that a random field leaves open.
const MEAN: f64 = 0.5;
const STANDARD_DEVIATION: f64 = 0.1;
const CORRELATION_LENGTH: f64 = 0.1;

impl BeltDisc {
    /// k_y [N/m].
    pub(crate) fn transverse(&self) -> f64 {
        self.transverse_stiffness.unwrap_or(self.stiffness)
    }

    /// J [kg m²].
    pub fn inertia(&self) -> f64 {
        let square = self.radius * self.radius + self.inner_radius * self.inner_radius;
        self.moment_of_inertia.unwrap_or(0.5 * self.mass * square)
    }

    /// m g \[N\].
    pub fn weight(&self) -> f64 {
        self.mass * self.gravity
    }

    /// w_n = √(k/m) [rad/s].
    pub fn natural_frequency(&self) -> f64 {
        (self.stiffness / self.mass).sqrt()
    }

    /// R w_n [m/s]: the unit of λ.
    pub fn speed_unit(&self) -> f64 {
        self.radius * self.natural_frequency()
    }

    /// The field is made this far beyond the contact at the start \[m\].
    pub fn margin(&self) -> f64 {
        self.strip_margin.unwrap_or(0.2 * self.radius)
    }

    /// What happens at transitions: the policy, with the single keys that override it.
    pub(crate) fn rules(&self) -> Rules {
        let policy = self.policy.rules();
        Rules {
            breakaway: self.breakaway.unwrap_or(policy.breakaway),
            onset: self.onset.unwrap_or(policy.onset),
            landing: self.landing.unwrap_or(policy.landing),
        }
    }

    /// The keys of the field, with the paper's mean, standard deviation and correlation length where a random field leaves
    /// them open.
    pub fn field_model(&self) -> FieldModel {
        let mut model = self.field.clone();
        if model.constant.is_none() && model.expression.is_none() && model.file.is_none() {
            if !matches!(model.marginal, MarginalChoice::Quantiles(_)) {
                model.mean.get_or_insert(MEAN);
                model.standard_deviation.get_or_insert(STANDARD_DEVIATION);
            }
            model.correlation_length.get_or_insert(LengthChoice::Isotropic(CORRELATION_LENGTH));
        }
        model
    }

    /// The field; unless the keys say otherwise, the correlation is that of the Gaussian parent.
    ///
    /// # Errors
    /// What is wrong with the keys of the field.
    pub fn description(&self) -> Result<FieldDescription, FieldError> {
        self.field_model().prepared(CorrelationOf::GaussianParent)
    }

    /// Mean coefficient [-], if the keys of the field tell it.
    pub fn mean_coefficient(&self) -> Option<f64> {
        let model = self.field_model();
        match model.marginal {
            MarginalChoice::Quantiles(_) => match self.description() {
                Ok(FieldDescription::Random(field)) => Some(field.marginal.mean()),
                _ => None,
            },
            _ => model.constant.or(model.mean),
        }
    }

    /// The same disc on a belt with this coefficient everywhere.
    #[must_use]
    pub fn uniform(&self, coefficient: f64) -> Self {
        Self { field: FieldModel { constant: Some(coefficient), ..FieldModel::default() }, ..self.clone() }
    }

    /// Whether the whole motion is known in closed form: one coefficient everywhere, no transverse motion, the exact rules.
    pub fn is_closed_form(&self) -> bool {
        let ([_, y, _, _, vy, spin], _) = self.start_state();
        self.field.constant.is_some() && [y, vy, spin] == [0.0; 3] && self.rules() == Policy::Exact.rules()
    }

    /// What is wrong with the parameters; empty if nothing.
    pub fn problems(&self) -> Vec<Problem> {
        let found = outside(self);
        if !found.is_empty() {
            return found;
        }
        let mut check = Check::default();
        if self.inner_radius >= self.radius {
            let (inner, outer) = (self.inner_radius, self.radius);
            check.problem("inner_radius", format!("is {inner} m, but must be less than `radius` = {outer} m"));
        }
        let unit = self.natural_frequency();
        if check.is_empty() && self.onset_step * unit > 0.1 {
            let message = format!("is {} s, but must be at most {} s, a tenth of 1/w_n", self.onset_step, 0.1 / unit);
            check.problem("onset_step", message);
        }
        if self.cells_per_radius.is_some() && self.field.grid_step.is_some() {
            let message = "contradicts `field.grid_step`: both give the step of the lattice; leave one out";
            check.problem("cells_per_radius", message.to_owned());
        }
        let mut found = check.found();
        found.extend(self.field_model().contradictions().into_iter().map(|problem| problem.below("field")));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> BeltDisc {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn no_keys_are_table_1_of_the_paper() {
        let disc = read("{}");
        assert_eq!(disc, BeltDisc::default());
        assert_eq!(disc.problems(), []);
        assert_eq!((disc.transverse(), disc.inertia(), disc.mean_coefficient()), (30.0, 1.25, Some(0.5)));
        assert!(matches!(disc.description(), Ok(FieldDescription::Random(field)) if field.convention() == 'B'));
    }

    #[test]
    fn single_keys_override_the_policy() {
        let disc = read(r#"{"policy": "paper", "breakaway": "section", "start": "stuck"}"#);
        let rules = Rules {
            breakaway: BreakawayRule::Section,
            onset: OnsetRule::VelocityJump,
            landing: LandingRule::Threshold,
        };
        assert_eq!(disc.rules(), rules);
        assert_eq!(disc.start, BeltStart::Named(StartName::Stuck));
        assert_eq!(read(r#"{"start": [0, 0, 0, 1, 0, 0]}"#).start, BeltStart::State([0.0, 0.0, 0.0, 1.0, 0.0, 0.0]));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let keys = |text: &str| read(text).problems().into_iter().map(|problem| problem.key).collect::<Vec<_>>();
        assert_eq!(keys(r#"{"kinetic_ratio": 1.2}"#), ["kinetic_ratio"]);
        assert_eq!(keys(r#"{"onset_step": 0.1}"#), ["onset_step"]);
        assert_eq!(keys(r#"{"cells_per_radius": 20, "field": {"grid_step": 0.01}}"#), ["cells_per_radius"]);
        assert_eq!(keys(r#"{"field": {"constant": -1.0}, "mass": 0}"#), ["mass", "field.constant"]);
        assert!(serde_json::from_str::<BeltDisc>(r#"{"belt_sped": 0.2}"#).is_err());
    }
}
