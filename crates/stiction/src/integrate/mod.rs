//! The one loop of the library: it moves a system through time without missing an event.
//!
//! # Event rules
//! 1. *Two roots inside one step.* Along a step a guard is a polynomial (the dense output is one). Its Bernstein
//!    coefficients either prove that there is no root in the step or isolate every root (see `events`).
//! 2. *A guard that starts at zero.* Every slip starts on the guard that ends it. The root at the start is divided out of
//!    the polynomial: it is not fired again, and a later return to zero is an ordinary root.
//! 3. *Several guards at the same time.* The lowest index jumps first; the others are looked at again in the new mode, at the
//!    same instant: a boundary that is violated, or zero and falling, fires at once. More than [`MAX_JUMPS_AT_ONCE`] jumps
//!    without progress in time are an error.
//! 4. *Infinitely many events in finite time.* Intervals that shrink geometrically are extrapolated to their accumulation
//!    when what is left is below the resolution of time. There the motion goes on in the system's resting mode
//!    ([`System::rest`]), or stops with [`Stop::Accumulation`].
//! 5. *Grazing.* A guard that dips below zero and comes back within a step has two roots there, however close they are,
//!    down to the rounding error of the guard.
//! 6. *Location.* A root of the dense output is only a first guess: the event time is refined with steps of the method itself
//!    from the same start, so that events have the order of the method, and the restart is exact.

mod control;
mod dop853;
mod dop853_tableau;
mod dopri5;
mod error;
mod euler_maruyama;
mod events;
mod explicit;
mod locate;
mod rk4;
mod rosenbrock;
mod rosenbrock_tableau;
mod run;
mod sink;
mod solver;
mod zeno;

pub use dop853::Dop853;
pub use dopri5::Dopri5;
pub use error::IntegrationError;
pub(crate) use euler_maruyama::EulerMaruyama;
pub use rk4::Rk4;
pub use rosenbrock::Rosenbrock;
pub use rosenbrock_tableau::{RODAS4P, RODAS5P, Tableau};
pub use run::{Finish, MAX_JUMPS_AT_ONCE, Span, Stop, integrate, integrate_from};
pub use sink::{Event, Flow, Sink, Stretch};
pub use solver::{Effort, MethodName, Solver};

use crate::system::{Fault, System};

/// Error tolerances of a step: the error of component `y` is kept below `absolute + relative |y|`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Relative tolerance [-], > 0.
    pub relative: f64,
    /// Absolute tolerance, in the units of the state, > 0.
    pub absolute: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { relative: 1e-12, absolute: 1e-13 }
    }
}

/// A one-step method with dense output. Allocates when it is created, never afterwards.
///
/// The method keeps the start and the end of the current step. The loop calls `restart`, then for every step `attempt`
/// until the error is at most one, `prepare_dense`, any number of `at`, `rate_at` and `trial`, then `advance` or `restart`.
/// Whatever evaluates the equations fails with their [`Fault`].
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Method<S: System> {
    /// A new phase begins at (`t`, `y`): forgets what was before and proposes a first step, at most `longest` \[s\].
    fn restart(&mut self, system: &S, mode: S::Mode, t: f64, y: &S::State, longest: f64) -> Result<f64, Fault>;
    /// Computes a step of length `h` from the start; returns its error divided by the tolerance.
    fn attempt(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<f64, Fault>;
    /// Length of the next step, from that of the last one and its error divided by the tolerance.
    fn next_step(&mut self, h: f64, error: f64) -> f64;
    /// Prepares the dense output of the attempted step.
    fn prepare_dense(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<(), Fault>;
    /// State at the fraction `theta` of the attempted step.
    fn at(&self, theta: f64, y: &mut S::State);
    /// Derivative of the dense output with respect to `theta`; at both ends of the step that of the motion.
    fn rate_at(&self, theta: f64, rate: &mut S::State);
    /// End of a step of length `h` from the same start, computed by the method itself. Keeps the dense output.
    fn trial(&mut self, system: &S, mode: S::Mode, t: f64, h: f64, y: &mut S::State) -> Result<(), Fault>;
    /// The state at the start of the step.
    fn start(&self) -> &S::State;
    /// Time derivative of the state at the start of the step.
    fn slope(&self) -> &S::State;
    /// The state at the end of the attempted step.
    fn end(&self) -> &S::State;
    /// Accepts the step: its end is the start of the next one.
    fn advance(&mut self);
    /// Evaluations of the right-hand side since the method was created, those of a linearisation counted as one.
    fn evaluations(&self) -> u64;
    /// Whether the dense output is as exact as a step: then events are located on it, without further steps. An error of one
    /// order less than that of a step is enough, because it is made once and not in every step.
    fn locates_events(&self) -> bool {
        false
    }
    /// Longest step that the method may take \[s\].
    fn longest_step(&self) -> f64;
}
