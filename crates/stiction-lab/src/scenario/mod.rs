//! The TOML file that a person writes.

mod claim;

pub use claim::{Band, Claim};

use crate::figure::Figure;
use crate::study::{AnyStudy, AnySystem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mechanism, a question, and optionally pictures and claims to check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it is, in one line.
    pub title: String,
    /// What it shows, in a few sentences.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// About how long a full run takes on two cores [s]; only for the list of scenarios.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Seed of everything random: the same seed gives the same bytes.
    #[serde(default = "one")]
    pub seed: u64,
    /// The mechanism.
    pub system: AnySystem,
    /// The question.
    pub study: AnyStudy,
    /// How equations of motion are solved.
    #[serde(default)]
    pub solver: Solver,
    /// The pictures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figure: Vec<Figure>,
    /// Statements that the run checks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claim: Vec<Claim>,
}

fn one() -> u64 {
    1
}

/// How equations of motion are solved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Solver {
    /// The method for phases that are integrated.
    pub method: SolverMethod,
    /// Relative tolerance of a step [-].
    #[schemars(extend("exclusiveMinimum" = 0.0), range(max = 0.1))]
    pub relative_tolerance: f64,
    /// Absolute tolerance of a step, in the units of the state.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub absolute_tolerance: f64,
    /// Longest step [s]; for `rk4` the fixed step. By default not limited (`rk4`: 1/1000 of the natural period).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub max_step: Option<f64>,
    /// Whether phases with a closed-form solution are answered by it.
    pub closed_form: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            method: SolverMethod::Dop853,
            relative_tolerance: 1e-12,
            absolute_tolerance: 1e-13,
            max_step: None,
            closed_form: true,
        }
    }
}

/// A one-step method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SolverMethod {
    /// Explicit Runge-Kutta method of order 8 with step control and dense output.
    #[default]
    Dop853,
    /// The classical method of order 4 with a fixed step: a second opinion.
    Rk4,
}
