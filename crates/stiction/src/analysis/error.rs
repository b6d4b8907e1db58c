//! Why an analysis has no answer.

use super::Cancelled;
use crate::integrate::IntegrationError;
use crate::keys::{Key, KeyPath, KeyTable, Problem, with_short_numbers};
use crate::memory::Excess;
use crate::num::roots::RootError;
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
        /// The key to change.
        key: Key,
        /// What is wrong and what would be right.
        message: String,
    },
    /// More than the run may keep.
    #[error("{}: {}", .0.key, .0.message)]
    Memory(Excess),
}

impl From<Excess> for AnalysisError {
    fn from(excess: Excess) -> Self {
        Self::Memory(excess)
    }
}

impl From<IntegrationError> for AnalysisError {
    /// What the system itself says is about a parameter; the rest is about the solution.
    fn from(error: IntegrationError) -> Self {
        match error {
            IntegrationError::Fault { problem, .. } => problem.into(),
            error => Self::Integration(error),
        }
    }
}

impl From<Problem> for AnalysisError {
    /// What a mechanism says of its parameters.
    fn from(problem: Problem) -> Self {
        Self::unsuitable(problem.key, problem.message)
    }
}

impl From<Fault> for AnalysisError {
    fn from(fault: Fault) -> Self {
        Self::from(*fault)
    }
}

impl AnalysisError {
    /// What is wrong with its key, or with `key` where it names none.
    pub(crate) fn into_problem(self, key: &str) -> Problem {
        match self {
            Self::Unsuitable { key, message } => Problem::new(key.path, message),
            other => Problem::new(key, other.to_string()),
        }
    }

    /// The question does not fit the key `key` of the mechanism.
    pub fn unsuitable(key: impl Into<KeyPath>, message: impl Into<String>) -> Self {
        Self::of(KeyTable::System, key, message)
    }

    /// The question itself is wrong at its key `key`.
    pub(crate) fn question(key: impl Into<KeyPath>, message: impl Into<String>) -> Self {
        Self::of(KeyTable::Study, key, message)
    }

    /// The key `key` of the solver does not fit.
    pub(crate) fn solver(key: impl Into<KeyPath>, message: impl Into<String>) -> Self {
        Self::of(KeyTable::Solver, key, message)
    }

    fn of(table: KeyTable, key: impl Into<KeyPath>, message: impl Into<String>) -> Self {
        Self::Unsuitable { key: Key { table, path: key.into() }, message: with_short_numbers(&message.into()) }
    }
}
