//! Why the loop gave up.

use super::run::MAX_JUMPS_AT_ONCE;

/// Why the loop gave up. Each carries the instant, the mode and the state.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IntegrationError {
    /// The step fell below what `f64` can resolve.
    #[error(
        "the step fell below {step:.1e} s at t = {time} s in mode {mode}, state {state:?}: the equations are singular or too stiff here"
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
    #[error("the equations of motion are not finite at t = {time} s in mode {mode}, state {state:?}")]
    NotFinite {
        /// When \[s\].
        time: f64,
        /// In which mode.
        mode: String,
        /// In which state.
        state: Vec<f64>,
    },
    /// Too many jumps at one instant.
    #[error(
        "more than {MAX_JUMPS_AT_ONCE} jumps at t = {time} s, the last in mode {mode} at guard {guard}, state {state:?}: guards and jumps contradict each other"
    )]
    EndlessJumps {
        /// When \[s\].
        time: f64,
        /// The guard of the last jump.
        guard: usize,
        /// In which mode.
        mode: String,
        /// In which state.
        state: Vec<f64>,
    },
    /// Too many steps.
    #[error("{steps} steps were not enough: the motion is only at t = {time} s in mode {mode}, state {state:?}")]
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
}
