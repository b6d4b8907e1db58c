//! Why an analysis has no answer.

use super::Cancelled;
use crate::integrate::IntegrationError;
use crate::num::roots::RootError;
use crate::problem::with_short_numbers;
use crate::system::Fault;

/// Why an analysis has no answer.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The motion could not be computed.
    #[error(transparent)]
    Integration(IntegrationError),
    /// A root was not where it should be.
    #[error(transparent)]
    Root(#[from] RootError),
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The question does not fit the parameters.
    #[error("{key}: {message}")]
    Unsuitable {
        /// The parameter to change.
        key: String,
        /// What is wrong and what would be right.
        message: String,
    },
}

impl From<IntegrationError> for AnalysisError {
    /// What the system itself says is about a parameter; the rest is about the solution.
    fn from(error: IntegrationError) -> Self {
        match error {
            IntegrationError::Fault { problem, .. } => Self::Unsuitable { key: problem.key, message: problem.message },
            error => Self::Integration(error),
        }
    }
}

impl From<Fault> for AnalysisError {
    fn from(fault: Fault) -> Self {
        Self::Unsuitable { key: fault.key, message: fault.message }
    }
}

impl AnalysisError {
    /// What is wrong with its key, or with `key` where it names none.
    pub(crate) fn into_problem(self, key: &str) -> crate::Problem {
        match self {
            Self::Unsuitable { key, message } => crate::Problem::new(key, message),
            other => crate::Problem::new(key, other.to_string()),
        }
    }

    /// The question does not fit the parameter `key`.
    pub fn unsuitable(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Unsuitable { key: key.into(), message: with_short_numbers(&message.into()) }
    }
}
