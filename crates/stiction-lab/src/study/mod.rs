//! Questions: each study turns a system into an outcome.
//!
//! To add a study: its file here, its variant in [`AnyStudy`].

mod attractors;
mod basin;
mod bifurcation;
mod continuation;
mod critical_speed;
mod friction_curve;
mod hopf_normal_form;
mod overdamped;
mod random_parameters;
mod statistics;
mod stick_slip_map;
mod system;
mod trajectory;

pub use attractors::Attractors;
pub use basin::Basin;
pub use bifurcation::Bifurcation;
pub use continuation::Continuation;
pub use critical_speed::CriticalSpeed;
pub use friction_curve::{FrictionCurve, NamedLaw};
pub use hopf_normal_form::HopfNormalForm;
pub use overdamped::Overdamped;
pub use random_parameters::{Question, RandomParameter, RandomParameters};
pub use stick_slip_map::{Diagram, StickSlipMap};
pub use system::{AnySystem, Sweep};
pub use trajectory::Trajectory;

use crate::dataset::Outcome;
use crate::scenario::Scenario;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::{AnalysisError, Cancelled, Progress};
use stiction::integrate::{IntegrationError, Solver};
use stiction::system::SpringBlock;

/// A question that is asked of a system.
pub trait Study {
    /// Answers it.
    ///
    /// # Errors
    /// [`StudyError`] says why there is no answer.
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError>;
}

/// What a study works with.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The mechanism.
    pub system: &'a AnySystem,
    /// How equations of motion are solved.
    pub solver: Solver,
    /// Seed of everything random.
    pub seed: u64,
    /// Hears how far the study is.
    pub progress: &'a dyn Progress,
}

impl<'a> Context<'a> {
    /// The mechanism as a spring-block system.
    ///
    /// # Errors
    /// If it is another one.
    pub fn spring_block(&self) -> Result<&'a SpringBlock, StudyError> {
        match self.system {
            AnySystem::SpringBlock(block) => Ok(block),
        }
    }
}

macro_rules! studies {
    ($($(#[$doc:meta])* $variant:ident($name:literal),)*) => {
        /// The question of a scenario, chosen by name.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum AnyStudy {
            $($(#[$doc])* $variant($variant),)*
        }

        impl AnyStudy {
            /// The name under which a scenario chooses the study.
            pub fn name(&self) -> &'static str {
                match self {
                    $(AnyStudy::$variant(_) => $name,)*
                }
            }

            fn study(&self) -> &dyn Study {
                match self {
                    $(AnyStudy::$variant(study) => study,)*
                }
            }
        }
    };
}

studies! {
    /// The motion from its start, and the cycle that it settles on.
    Trajectory("trajectory"),
    /// Every attractor at one set of parameters, and the unstable states between them.
    Attractors("attractors"),
    /// All attractors and their unstable counterparts against a parameter, with located bifurcations.
    Bifurcation("bifurcation"),
    /// Branches of oscillations without sticking, followed through folds.
    Continuation("continuation"),
    /// The drive speed above which stick-slip motion is impossible.
    CriticalSpeed("critical_speed"),
    /// The stick-slip map of an ageing contact, its fixed points, orbits and Lyapunov exponent.
    StickSlipMap("stick_slip_map"),
    /// The strongly overdamped limit: relaxation oscillations of a light block.
    Overdamped("overdamped"),
    /// Small oscillations next to a Hopf bifurcation, measured and predicted by the normal form.
    HopfNormalForm("hopf_normal_form"),
    /// Which attractor a motion ends on, over the plane of displacement and velocity.
    Basin("basin"),
    /// Kinetic friction against speed, with its extrema.
    FrictionCurve("friction_curve"),
    /// Parameters that are only known by their distributions: the probability of each attractor, the distribution of the critical speed.
    RandomParameters("random_parameters"),
}

/// Why a study has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The analysis failed.
    #[error(transparent)]
    Analysis(AnalysisError),
    /// The motion could not be computed.
    #[error(transparent)]
    Integration(#[from] IntegrationError),
    /// The study and the parameters do not fit together.
    #[error("{key}: {message}")]
    Unsuitable {
        /// The key to change.
        key: String,
        /// What is wrong and what would be right.
        message: String,
    },
}

impl From<AnalysisError> for StudyError {
    fn from(error: AnalysisError) -> Self {
        match error {
            AnalysisError::Cancelled(cancelled) => cancelled.into(),
            AnalysisError::Integration(error) => error.into(),
            AnalysisError::Unsuitable { key, message } => {
                StudyError::unsuitable(format!("system.spring_block.{key}"), message)
            }
            other => StudyError::Analysis(other),
        }
    }
}

impl StudyError {
    /// The study does not fit the value of `key`.
    pub fn unsuitable(key: impl Into<String>, message: impl Into<String>) -> Self {
        StudyError::Unsuitable { key: key.into(), message: message.into() }
    }
}

/// Answers the question of a scenario.
///
/// # Errors
/// [`StudyError`] says why there is no answer.
pub fn run(scenario: &Scenario, progress: &dyn Progress) -> Result<Outcome, StudyError> {
    let Scenario { system, solver, seed, .. } = scenario;
    scenario.study.study().run(&Context { system, solver: *solver, seed: *seed, progress })
}
