//! What becomes of a body on a line that reaches the velocity of the surface under it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a contact does when a body on a line reaches the velocity of the surface. Motion on a line meets that velocity exactly, and
/// between the kinetic and the static limit of the spring force two answers make sense: static friction can hold the body, and
/// kinetic friction cannot stop it. In the plane nothing is to be chosen: beyond the kinetic limit a body passes rest at a
/// small distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContactPolicy {
    /// The contact sticks only within the static limit; beyond it the body passes through (elmer1997, Eq. 1 as written;
    /// hu2023_belt, section 2.3.1).
    #[default]
    Strict,
    /// Every contact of a body that was slower than the surface sticks, wherever it happens.
    FirstContact,
    /// The contact sticks only within the kinetic limit, as in the plane.
    Kinetic,
}

/// A contact whose force exceeds its limit by less than this fraction of it is at the limit, where it sticks: what is
/// left is the rounding of a slip in closed form. (Under constant friction with μ_k = 0 every slip ends exactly there.)
const TIE: f64 = 64.0 * f64::EPSILON;

impl ContactPolicy {
    /// The spring force \[N\] up to which a contact sticks, wherever the body came from.
    pub fn limit(self, static_force: f64, kinetic_force: f64) -> f64 {
        match self {
            Self::Strict | Self::FirstContact => static_force,
            Self::Kinetic => kinetic_force,
        }
    }

    /// Whether a contact sticks under a spring force \[N\] that pulls back against the motion of the surface, with this
    /// [`ContactPolicy::limit`]; `behind`: the body was slower than the surface.
    pub(crate) fn sticks(self, pull: f64, limit: f64, behind: bool) -> bool {
        // a contact beyond the limit ahead is a graze and its rounding: the spring pulls the body back at once
        let anywhere = self == Self::FirstContact && behind && pull <= limit;
        anywhere || pull.abs() <= limit * (1.0 + TIE)
    }

    /// The limit that decides, in a word.
    pub fn limit_word(self) -> &'static str {
        match self {
            Self::Strict | Self::FirstContact => "static",
            Self::Kinetic => "kinetic",
        }
    }
}
