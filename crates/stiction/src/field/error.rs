//! Why there is no field.

use super::Certificate;
use crate::Problem;

/// Why a field cannot be described, sampled or used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// Keys are missing, contradict each other or have impossible values.
    #[error("{}", told(.problems))]
    Invalid {
        /// All that was found.
        problems: Vec<Problem>,
    },
    /// The function is no correlation.
    #[error("`{key}`: no random field has this correlation: {certificate}. {alternatives}")]
    Indefinite {
        /// The key that asks for it.
        key: String,
        /// The proof.
        certificate: Certificate,
        /// What else could be done.
        alternatives: String,
    },
    /// The field exists on paper only.
    #[error("`indefinite` is formal, so that there is nothing to sample: {certificate}. {alternatives}")]
    FormalOnly {
        /// The proof that no field has the correlation.
        certificate: Certificate,
        /// What else could be done.
        alternatives: String,
    },
    /// A given coefficient is not positive somewhere.
    #[error("`{key}`: the coefficient is {value} at x = {x}, y = {y}, but must be a finite number > 0")]
    NotPositive {
        /// The key that gives it.
        key: String,
        /// Place \[m\].
        x: f64,
        /// Place \[m\].
        y: f64,
        /// The value there [-].
        value: f64,
    },
    /// The grid cannot show the field.
    #[error(
        "`grid_step` = {step} m is too coarse for a field of this kind: at most {needed} m, {reason}; \
             or set `allow_coarse` = true"
    )]
    TooCoarse {
        /// The step that was asked for \[m\].
        step: f64,
        /// The largest that is allowed \[m\].
        needed: f64,
        /// Where the bound comes from.
        reason: String,
    },
    /// The generator cannot make the field.
    #[error("`generator`: {message}")]
    Generator {
        /// What is wrong, and which generator can.
        message: String,
    },
}

impl FieldError {
    /// The same as a list of problems with keys.
    pub fn problems(&self) -> Vec<Problem> {
        let one = |key: &str| vec![Problem::new(key, self.to_string())];
        match self {
            FieldError::Invalid { problems } => problems.clone(),
            FieldError::Indefinite { key, certificate, alternatives } => {
                vec![Problem::new(key, format!("no random field has this correlation: {certificate}. {alternatives}"))]
            }
            FieldError::NotPositive { key, x, y, value } => {
                let message = format!("is {value} at x = {x}, y = {y}, but must be a finite number > 0");
                vec![Problem::new(key, message)]
            }
            FieldError::FormalOnly { .. } => one("indefinite"),
            FieldError::TooCoarse { .. } => one("grid_step"),
            FieldError::Generator { .. } => one("generator"),
        }
    }
}

fn told(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("`{}` {}", problem.key, problem.message)).collect::<Vec<_>>().join("; ")
}
