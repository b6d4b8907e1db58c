//! A block on a moving surface, held by a spring (elmer1997).
//!
//! ```text
//!   wall                x (spring elongation, lab frame)
//!    ||                |---->
//!    ||      κ      +-------+
//!    ||--/\/\/\/\---|   M   |
//!                   +-------+        v = v₀ − ẋ: the surface seen from the block
//!   ==================================== surface moves with speed v₀ ---->
//!
//!   stick:  ẋ = v₀                                while κ|x| ≤ F_S(t − t_r)
//!   slip:   M ẍ + κ x = sign(v) F_K(|v|)
//! ```

pub mod motion;
mod stiff;

pub use crate::system::ContactPolicy;
pub use motion::{Mode, State};

use crate::Problem;
use crate::keys::{keyed, outside};
use crate::law::{Aging, AgingLaw, FrictionLaw, Law};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A block of mass M, held by a spring, on a surface that moves with constant speed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpringBlock {
    /// Mass M of the block \[kg\], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub mass: f64,
    /// Stiffness κ of the spring [N/m], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub stiffness: f64,
    /// Speed v₀ of the surface [m/s]; negative values run the mirror image, zero is a surface at rest.
    pub drive_speed: f64,
    /// Normal load \[N\], > 0; every friction force is a coefficient times this load.
    #[serde(default = "unit_load")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub normal_load: f64,
    /// Friction law of the contact.
    pub law: Law,
    /// How the static coefficient grows with the time at rest; without it the contact does not age.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aging: Option<Aging>,
    /// At which spring forces the block sticks when it reaches the velocity of the surface.
    #[serde(default)]
    pub contact_policy: ContactPolicy,
    /// Lateral length scale of the surface \[m\], > 0: only for a warning where slips are too slow for a law F_K(v)
    /// to make sense (elmer1997, Eq. 6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub microscopic_length: Option<f64>,
    /// Where the motion starts; by default at rest on the surface with a relaxed spring.
    #[serde(default)]
    pub start: Start,
}

keyed!(SpringBlock);

fn unit_load() -> f64 {
    1.0
}

/// The initial state.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Displacement x of the block \[m\].
    #[serde(default)]
    pub displacement: f64,
    /// Velocity ẋ of the block [m/s]; by default that of the surface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<f64>,
    /// Whether a block that starts with the velocity of the surface sticks or slips, where both are possible.
    #[serde(default)]
    pub contact: StartContact,
}

/// How a block begins that has the velocity of the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StartContact {
    /// It sticks, as long as the static limit allows.
    #[default]
    Stick,
    /// It slips, where the equation of motion allows a slip to begin (κ|x| > F_K(0)).
    Slip,
}

impl SpringBlock {
    /// A block of this mass \[kg\] on a spring of this stiffness [N/m], on a surface with this speed [m/s]: under a load of
    /// 1 N, without ageing, with the strict contact policy, at rest on the surface.
    pub fn new(mass: f64, stiffness: f64, drive_speed: f64, law: Law) -> Self {
        Self {
            mass,
            stiffness,
            drive_speed,
            normal_load: unit_load(),
            law,
            aging: None,
            contact_policy: ContactPolicy::default(),
            microscopic_length: None,
            start: Start::default(),
        }
    }

    /// Period of the block on its spring without friction \[s\].
    pub fn natural_period(&self) -> f64 {
        std::f64::consts::TAU * (self.mass / self.stiffness).sqrt()
    }

    /// A length of the size of the motions of this block \[m\].
    pub fn length_scale(&self) -> f64 {
        let inertia = self.drive_speed.abs() * (self.mass / self.stiffness).sqrt();
        let sliding = self.kinetic_force(self.drive_speed.abs()).abs() / self.stiffness;
        self.static_force(0.0) / self.stiffness + inertia + sliding
    }

    /// The same system in a mirror, x → −x: the surface moves the other way.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let start = Start {
            displacement: -self.start.displacement,
            velocity: self.start.velocity.map(|velocity| -velocity),
            contact: self.start.contact,
        };
        Self { drive_speed: -self.drive_speed, start, ..self.clone() }
    }

    /// What is wrong with the parameters (empty if nothing).
    pub fn problems(&self) -> Vec<Problem> {
        let found = outside(self);
        if !found.is_empty() {
            return found;
        }
        let ageing = self.aging.iter().flat_map(AgingLaw::problems).map(|problem| problem.below("aging"));
        let law = self.law.problems().into_iter().map(|problem| problem.below("law"));
        ageing.chain(law).collect()
    }
}
