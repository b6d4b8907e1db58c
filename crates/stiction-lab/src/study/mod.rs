//! Questions: each study turns a system into an outcome.
//!
//! To add a study: its file here, its variant in [`AnyStudy`].

mod belt_disc;
mod crank_slider;
mod family;
mod field;
mod planar_sliding;
mod spring_block;
mod statistics;
mod sweep;
mod system;

pub use belt_disc::{
    Deterministic, LandingMap, LimitSurface, Limits, MonteCarlo, Policies, PolicyVariant, Realisation, Sensitivity,
    Spectrum, ThresholdError,
};
pub use crank_slider::{CrankEnergies, CrankRun, Sampling, SideFriction};
pub use field::Field;
pub use planar_sliding::{
    Advisor, Distribution, Functional, MomentCurves, Moments, NormSpread, SampledMoments, Variant,
};
pub use spring_block::{
    Attractors, Basin, Bifurcation, Continuation, CriticalSpeed, Diagram, FrictionCurve, HopfNormalForm, NamedLaw,
    Overdamped, Question, RandomParameter, RandomParameters, StickSlipMap, Trajectory,
};
pub use sweep::Sweep;
pub use system::AnySystem;

use crate::dataset::Outcome;
use crate::scenario::Scenario;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::{AnalysisError, Cancelled, Progress};
use stiction::integrate::{IntegrationError, Solver};

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

macro_rules! studies {
    ($($(#[$doc:meta])* $variant:ident($name:literal, $systems:expr),)*) => {
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

            /// The mechanisms that it can be asked of.
            pub fn systems(&self) -> &'static [&'static str] {
                match self {
                    $(AnyStudy::$variant(_) => $systems,)*
                }
            }

            /// The names of all studies of a mechanism.
            pub fn of_system(system: &str) -> Vec<&'static str> {
                let all: [(&str, &[&str]); _] = [$(($name, $systems)),*];
                all.into_iter().filter(|(_, systems)| systems.contains(&system)).map(|(name, _)| name).collect()
            }

            fn study(&self) -> &dyn Study {
                match self {
                    $(AnyStudy::$variant(study) => study,)*
                }
            }
        }
    };
}

const SPRING_BLOCK: &[&str] = &["spring_block"];

const PLANAR_SLIDING: &[&str] = &["planar_sliding"];
const CRANK_SLIDER: &[&str] = &["crank_slider"];
const BELT_DISC: &[&str] = &["belt_disc"];
const WITH_FIELD: &[&str] = &["planar_sliding", "crank_slider", "belt_disc"];

studies! {
    /// The motion from its start, and the cycle that it settles on.
    Trajectory("trajectory", SPRING_BLOCK),
    /// Every attractor at one set of parameters, and the unstable states between them.
    Attractors("attractors", SPRING_BLOCK),
    /// All attractors and their unstable counterparts against a parameter, with located bifurcations.
    Bifurcation("bifurcation", SPRING_BLOCK),
    /// Branches of oscillations without sticking, followed through folds.
    Continuation("continuation", SPRING_BLOCK),
    /// The drive speed above which stick-slip motion is impossible.
    CriticalSpeed("critical_speed", SPRING_BLOCK),
    /// The stick-slip map of an ageing contact, its fixed points, orbits and Lyapunov exponent.
    StickSlipMap("stick_slip_map", SPRING_BLOCK),
    /// The strongly overdamped limit: relaxation oscillations of a light block.
    Overdamped("overdamped", SPRING_BLOCK),
    /// Small oscillations next to a Hopf bifurcation, measured and predicted by the normal form.
    HopfNormalForm("hopf_normal_form", SPRING_BLOCK),
    /// Which attractor a motion ends on, over the plane of displacement and velocity.
    Basin("basin", SPRING_BLOCK),
    /// Kinetic friction against speed, with its extrema.
    FrictionCurve("friction_curve", SPRING_BLOCK),
    /// Parameters that are only known by their distributions: the probability of each attractor, the distribution of the critical speed.
    RandomParameters("random_parameters", SPRING_BLOCK),
    /// Realisations of the friction coefficient over a surface: maps, statistics, and how they are made.
    Field("field", WITH_FIELD),
    /// Mean and covariance of the force and torque of a sliding plate.
    Moments("moments", PLANAR_SLIDING),
    /// Coefficients of variation of force and torque against the correlation length.
    MomentCurves("moment_curves", PLANAR_SLIDING),
    /// Sampled variances beside the exact ones.
    SampledMoments("sampled_moments", PLANAR_SLIDING),
    /// How force and torque are distributed.
    Distribution("distribution", PLANAR_SLIDING),
    /// How friction should be modelled: as a constant, as one random variable, or as a random field.
    Advisor("advisor", PLANAR_SLIDING),
    /// One run of a crank and its slider with given coefficients of the field.
    CrankRun("crank_run", CRANK_SLIDER),
    /// Energies that friction takes at the bottom and at the sides of a slider, over realisations of the field.
    CrankEnergies("crank_energies", CRANK_SLIDER),
    /// The cycle on a belt with one coefficient everywhere.
    Deterministic("deterministic", BELT_DISC),
    /// One realisation: its motion, transitions and turning points.
    Realisation("realisation", BELT_DISC),
    /// Statistics of stick-slip over realisations of the belt, at one set of parameters or along a sweep.
    MonteCarlo("monte_carlo", BELT_DISC),
    /// What long and short correlation lengths tend to, by quadrature.
    Limits("limits", BELT_DISC),
    /// Forces and torques at the limit of static friction, and the breakaway.
    LimitSurface("limit_surface", BELT_DISC),
    /// The same realisation under several rules for its transitions.
    Policies("policies", BELT_DISC),
    /// How far the threshold of the paper's algorithm moves a trajectory.
    ThresholdError("threshold_error", BELT_DISC),
    /// Spectra of the displacement, beside the lines of the uniform belt.
    Spectrum("spectrum", BELT_DISC),
    /// Where the disc lands, against a parameter.
    LandingMap("landing_map", BELT_DISC),
    /// How fast twin motions on the same belt separate.
    Sensitivity("sensitivity", BELT_DISC),
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
    /// The analysis does not fit a parameter of the system.
    #[error("{key}: {message}")]
    Parameter {
        /// The key below the system.
        key: String,
        /// What is wrong and what would be right.
        message: String,
    },
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
            AnalysisError::Unsuitable { key, message } => StudyError::Parameter { key, message },
            other => StudyError::Analysis(other),
        }
    }
}

impl StudyError {
    pub(super) fn other_system(needed: &str, given: &str) -> Self {
        StudyError::unsuitable("study", format!("asks about {needed}, but the system is {given}"))
    }

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
    let answer = scenario.study.study().run(&Context { system, solver: *solver, seed: *seed, progress });
    answer.map_err(|error| match error {
        StudyError::Parameter { key, message } => {
            StudyError::unsuitable(format!("system.{}.{key}", system.name()), message)
        }
        error => error,
    })
}
