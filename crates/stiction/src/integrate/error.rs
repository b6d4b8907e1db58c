//! Why the loop gave up.

use super::MethodName;
use super::run::MAX_JUMPS_AT_ONCE;
use crate::Problem;
use crate::keys::number_text;

/// Why the loop gave up. Each carries the instant, the mode and the state.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum IntegrationError {
    /// The step fell below what `f64` can resolve.
    #[error(
        "the step fell below {step:.1e} s at t = {} s in mode {mode}, state {state:?}: the equations are singular or too stiff here",
        number_text(*time)
    )]
    StepTooSmall {
        /// When \[s\].
        time: f64,
        /// The step \[s\].
        step: f64,
        /// In which mode.
        mode: String,
        /// In which state.
        state: Vec<f64>,
    },
    /// The equations gave a value that is not a number.
    #[error("the equations of motion are not finite at t = {} s in mode {mode}, state {state:?}", number_text(*time))]
    NotFinite {
        /// When \[s\].
        time: f64,
        /// In which mode.
        mode: String,
        /// In which state.
        state: Vec<f64>,
    },
    /// The equations have no value, and the system says why.
    #[error("{}: {} (at t = {} s)", problem.key, problem.message, number_text(*time))]
    Fault {
        /// When \[s\].
        time: f64,
        /// The key of the mechanism at fault, and what to do.
        problem: Problem,
    },
    /// Too many jumps at one instant.
    #[error(
        "more than {MAX_JUMPS_AT_ONCE} jumps at t = {} s, the last in mode {mode} at guard `{guard}`, state {state:?}: guards and jumps contradict each other",
        number_text(*time)
    )]
    EndlessJumps {
        /// When \[s\].
        time: f64,
        /// Name of the guard of the last jump.
        guard: String,
        /// In which mode.
        mode: String,
        /// In which state.
        state: Vec<f64>,
    },
    /// Too many steps.
    #[error(
        "{steps} steps were not enough: the motion is only at t = {} s in mode {mode}, state {state:?}",
        number_text(*time)
    )]
    TooManySteps {
        /// When \[s\].
        time: f64,
        /// The limit.
        steps: u64,
        /// In which mode.
        mode: String,
        /// In which state.
        state: Vec<f64>,
    },
    /// The method does not suit the system.
    #[error("the method {method:?} does not suit this system")]
    Unsupported {
        /// The start of the motion \[s\].
        time: f64,
        /// The method.
        method: MethodName,
    },
}

impl IntegrationError {
    /// The equations have no value at a time \[s\], and the system says why.
    pub(crate) fn fault(time: f64, problem: Problem) -> Self {
        Self::Fault { time, problem }
    }

    /// When in the motion it happened \[s\].
    pub fn time(&self) -> f64 {
        match self {
            Self::StepTooSmall { time, .. }
            | Self::NotFinite { time, .. }
            | Self::Fault { time, .. }
            | Self::EndlessJumps { time, .. }
            | Self::TooManySteps { time, .. }
            | Self::Unsupported { time, .. } => *time,
        }
    }
}
