//! What a person can choose about transitions and quadrature.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the motion starts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum BeltStart {
    /// By name.
    Named(StartName),
    /// x, y \[m\], φ \[rad\], ẋ, ẏ [m/s], φ̇ [rad/s].
    State([f64; 6]),
}

/// Starts with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StartName {
    /// At rest in the ground frame, springs relaxed: the disc slips.
    Rest,
    /// Springs relaxed, moving with the belt.
    Stuck,
}

impl Default for BeltStart {
    fn default() -> Self {
        Self::Named(StartName::Rest)
    }
}

/// When a stuck disc breaks away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BreakawayRule {
    /// Where the force leaves the limit body without torque.
    Section,
    /// Where the force leaves the shadow of the limit body, a circle: the torque is ignored.
    Circle,
}

/// How slip starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnsetRule {
    /// With the acceleration of the principle of Gauss, without a jump.
    Exact,
    /// With a jump of the velocity against the spring force by `landing_threshold`.
    VelocityJump,
    /// Without friction in the first instant, as if 0/0 were 0.
    ZeroStart,
}

/// How slip ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LandingRule {
    /// Below `landing_threshold` the motion is extrapolated to zero slip, where kinetic friction can hold the disc.
    Extrapolate,
    /// Below `landing_threshold` the slip is set to zero, where static friction can hold the disc.
    Threshold,
}

/// A set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// `section`, `exact`, `extrapolate`: the equations without approximation.
    #[default]
    Exact,
    /// `circle`, `velocity_jump`, `threshold`: the algorithm of hu2023_belt.
    Paper,
}

/// What happens at transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// When a stuck disc breaks away.
    pub(crate) breakaway: BreakawayRule,
    /// How slip starts.
    pub(crate) onset: OnsetRule,
    /// How slip ends.
    pub(crate) landing: LandingRule,
}

impl Policy {
    /// Its rules.
    pub(crate) fn rules(self) -> Rules {
        match self {
            Policy::Exact => {
                Rules { breakaway: BreakawayRule::Section, onset: OnsetRule::Exact, landing: LandingRule::Extrapolate }
            }
            Policy::Paper => Rules {
                breakaway: BreakawayRule::Circle,
                onset: OnsetRule::VelocityJump,
                landing: LandingRule::Threshold,
            },
        }
    }
}

/// How friction is summed over the contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quadrature {
    /// On a lattice that is aligned with the grid of the field: fast.
    #[default]
    Lattice,
    /// On polar nodes with the field evaluated at the nodes themselves: slow, for checks.
    Polar,
}

/// Precision in which a field is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// Seven digits: enough for statistics.
    Single,
    /// Sixteen digits.
    Double,
}
