//! Questions: each study turns a system into an outcome.
//!
//! To add a study: its file here, its variant in [`AnyStudy`].

mod answers;
mod belt_disc;
mod convergence;
mod crank_slider;
mod equilibrium;
mod family;
mod field;
mod items;
mod missing;
mod offer;
mod planar_sliding;
mod results;
mod spring_block;
mod statistics;
mod sweep;
mod system;
mod tally;
mod trajectory;
mod two_disc;
mod upkeep;
mod wheel;

pub use answers::Answers;
pub(crate) use answers::{fits, quantities_of, with_column};
pub use belt_disc::{
    Deterministic, LandingMap, LimitSurface, Limits, MonteCarlo, Realisation, Sensitivity, Spectrum, ThresholdError,
};
pub(crate) use convergence::{convergence_figure, convergence_table};
pub use crank_slider::{CrankEnergies, CrankRun, Sampling, SideFriction};
pub use equilibrium::Equilibrium;
pub use field::Field;
pub(crate) use field::check_map;
pub use items::Upkeep;
pub(crate) use missing::{warn_of_infinite, warn_of_missing};
pub use offer::{ClosedForm, Offer};
pub use planar_sliding::{
    Advisor, Distribution, Functional, MomentCurves, Moments, NormSpread, SampledMoments, Variant,
};
pub(crate) use results::nearest_results;
pub use results::{Meaning, explain_result, result, results_page};
pub use spring_block::{
    Attractors, Basin, Bifurcation, CriticalSpeed, FrictionCurve, HopfNormalForm, NamedLaw, Overdamped, StickSlipMap,
};
pub use sweep::{Spacing, Sweep};
pub use system::AnySystem;
pub(crate) use tally::Tally;
pub use trajectory::Trajectory;
pub use two_disc::{
    Hopf, HopfCurveAlong, Interval, IntervalFieldMaps, MapPoint, MeshConvergence, StabilityMap, Transient,
};
pub use upkeep::{LongTables, Replay};
pub use wheel::{
    Evaluate, ExitPoint, Exits, GridOfExits, Itinerary, LineStructure, LocalFlow, MapPlace, NamedTyre, ReturnMap,
    SampledExits, Smooth, StatePlace, Surface, SurfacePlace, TwoFold, TwoFoldMap, TwoFolds, Tyre,
};

use crate::dataset::{DatasetError, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::Problem;
use stiction::analysis::campaign::Halt;
use stiction::analysis::{AnalysisError, Cancelled, Progress};
use stiction::integrate::{IntegrationError, Solver};
use stiction::keys::KeyPath;
use stiction::memory::{Excess, Need};

/// A question that is asked of a system.
pub trait Study {
    /// Answers it.
    ///
    /// # Errors
    /// [`StudyError`] says why there is no answer.
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError>;

    /// What `[solver]` can choose; nothing if no motion is followed.
    fn solver(&self, _system: &AnySystem) -> Option<Offer> {
        None
    }

    /// Whether it makes items ([`Context::items`]), which can be split over machines and replayed one by one.
    fn has_items(&self) -> bool {
        false
    }

    /// The quantities whose means can end it early ([`Context::ending`]); empty if nothing can.
    fn ending_quantities(&self) -> &'static [&'static str] {
        &[]
    }

    /// What it will keep, as far as its keys say so: rows of tables, points of maps. Asked before it runs.
    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }
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
    /// Hears how far the study is, and what its motions cost.
    pub progress: &'a dyn Progress,
    /// Keeps the items of long studies.
    pub upkeep: Upkeep<'a>,
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

            /// What `[solver]` can choose for this study of a mechanism; nothing if no motion is followed.
            pub fn solver(&self, system: &AnySystem) -> Option<Offer> {
                self.study().solver(system)
            }

            /// What the study will keep, as far as its keys say so.
            pub fn needs(&self) -> Vec<Need> {
                self.study().needs()
            }

            pub(crate) fn study(&self) -> &dyn Study {
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
const WHEEL: &[&str] = &["wheel"];
const TWO_DISC: &[&str] = &["two_disc"];
const BELT_DISC: &[&str] = &["belt_disc"];
const MOVING: &[&str] = &["assembly", "spring_block", "crank_slider", "wheel", "two_disc", "belt_disc"];
const WITH_FIELD: &[&str] = &["planar_sliding", "crank_slider", "belt_disc"];

studies! {
    /// The motion from its start.
    Trajectory("trajectory", MOVING),
    /// Steady sliding or rest, and its eigenvalues.
    Equilibrium("equilibrium", MOVING),
    /// Every attractor at one set of parameters, and the unstable states between them.
    Attractors("attractors", SPRING_BLOCK),
    /// All attractors and their unstable counterparts against a parameter, with located bifurcations.
    Bifurcation("bifurcation", SPRING_BLOCK),
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
    /// The two-fold of a design: where it lies, its second derivatives, its kind and case.
    TwoFold("two_fold", WHEEL),
    /// All two-folds of a wheel.
    TwoFolds("two_folds", WHEEL),
    /// One motion of the wheel by its events, with what was chosen where nothing is determined.
    Itinerary("itinerary", WHEEL),
    /// Friction and motion at given states and at given points of the switching surface.
    Evaluate("evaluate", WHEEL),
    /// The line where the wheel is at rest on the turntable: motions out of it, thresholds, lock.
    LineStructure("line_structure", WHEEL),
    /// What becomes of motions past a two-fold: whether, when and how they come back.
    ReturnMap("return_map", WHEEL),
    /// Force and moment of the tyre behind the friction law against the slip angle.
    Tyre("tyre", WHEEL),
    /// Where a design loses determinism: conditions and their borders over the place of the two-fold.
    TwoFoldMap("two_fold_map", WHEEL),
    /// Regions of the switching surface, the sticking flow on it, and motions that leave it.
    Surface("surface", WHEEL),
    /// The flow next to a two-fold in scaled coordinates, with its eigenvectors and the slips around it.
    LocalFlow("local_flow", WHEEL),
    /// A wheel with smooth friction next to the one whose friction jumps, and with noise where motions leave the surface.
    Smooth("smooth", WHEEL),
    /// Stability of the equilibrium over a plane of two parameters.
    StabilityMap("stability_map", TWO_DISC),
    /// Every value of a parameter at which the equilibrium changes its stability, and curves of such points.
    Hopf("hopf", TWO_DISC),
    /// A motion from its start: extremes in a window, samples, stick-slip.
    Transient("transient", TWO_DISC),
    /// Bounds of the rotation under an interval field, by worst vertices and by sampling.
    Interval("interval", TWO_DISC),
    /// Realisations of the interval field over the lower disc.
    #[serde(rename = "interval_field")]
    IntervalFieldMaps("interval_field", TWO_DISC),
    /// How much the mesh of the contact face matters to a motion.
    MeshConvergence("mesh_convergence", TWO_DISC),
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
    /// The rest of the items is not made here, or items cannot be kept.
    #[error(transparent)]
    Halted(Halt),
    /// A long table cannot be written.
    #[error(transparent)]
    Table(DatasetError),
    /// The analysis failed.
    #[error(transparent)]
    Analysis(AnalysisError),
    /// The motion could not be computed.
    #[error(transparent)]
    Integration(#[from] IntegrationError),
    /// The study and the parameters do not fit together.
    #[error("{key}: {message}")]
    Unsuitable {
        /// The key to change, from the table that it stands in.
        key: KeyPath,
        /// What is wrong and what would be right.
        message: String,
    },
    /// More than the run may keep, in one item or in all that are made at a time: the run ends, whatever is kept stays.
    #[error("{key}: {message}")]
    Memory {
        /// The key to change.
        key: KeyPath,
        /// Its value, what it would take, and what to do.
        message: String,
    },
}

impl From<AnalysisError> for StudyError {
    fn from(error: AnalysisError) -> Self {
        match error {
            AnalysisError::Cancelled(cancelled) => cancelled.into(),
            AnalysisError::Integration(error) => error.into(),
            other => StudyError::Analysis(other),
        }
    }
}

impl From<Excess> for StudyError {
    fn from(excess: Excess) -> Self {
        StudyError::Analysis(excess.into())
    }
}

impl From<Problem> for StudyError {
    /// What is wrong with a parameter of the mechanism.
    fn from(problem: Problem) -> Self {
        StudyError::Analysis(problem.into())
    }
}

impl StudyError {
    pub(super) fn other_system(needed: &str, given: &str) -> Self {
        StudyError::unsuitable("study", format!("asks about {needed}, but the system is {given}"))
    }

    /// The study does not fit the value of `key`.
    pub fn unsuitable(key: impl Into<KeyPath>, message: impl Into<String>) -> Self {
        StudyError::Unsuitable { key: key.into(), message: message.into() }
    }

    /// An error of an analysis with the full key: that of this mechanism, or of this study or part of one.
    pub(crate) fn within(error: AnalysisError, system: &str, study: &str) -> Self {
        match error {
            AnalysisError::Unsuitable { key, message } => StudyError::unsuitable(key.full(system, study), message),
            AnalysisError::Memory(Excess { key, message }) => {
                StudyError::Memory { key: key.full(system, study), message }
            }
            error => error.into(),
        }
    }

    /// The study does not fit the key `key` of the mechanism.
    pub fn of_system(key: impl Into<KeyPath>, message: impl Into<String>) -> Self {
        StudyError::Analysis(AnalysisError::unsuitable(key, message))
    }
}
