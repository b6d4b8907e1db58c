//! Questions: each study turns a system into an outcome.

use crate::dataset::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Progress;
use stiction::system::SpringBlock;

/// The question of a scenario, chosen by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnyStudy {
    /// The motion from its start, and the cycle that it settles on.
    Trajectory(Trajectory),
}

/// The motion from its start, and the cycle that it settles on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trajectory {
    /// How long the motion is followed [s], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
}

/// The mechanism of a scenario, chosen by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnySystem {
    /// A block on a moving surface, held by a spring.
    SpringBlock(SpringBlock),
}

/// Why a study has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] stiction::analysis::Cancelled),
    /// The study and the parameters do not fit together.
    #[error("{key}: {message}")]
    Unsuitable {
        /// The key to change.
        key: String,
        /// What is wrong and what would be right.
        message: String,
    },
}

/// Answers the question of a scenario.
///
/// # Errors
/// [`StudyError`] says why there is no answer.
pub fn run(_scenario: &crate::scenario::Scenario, _progress: &dyn Progress) -> Result<Outcome, StudyError> {
    Ok(Outcome::default())
}
