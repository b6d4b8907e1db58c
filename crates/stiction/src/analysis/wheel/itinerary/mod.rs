//! An itinerary: the events of one motion of the wheel, in order.
//!
//! Two things are not determined by the equations, and both are requests of the user that are recorded with the run: what
//! follows a stop on the line of rest (`line_policy`), and what follows a two-fold (`exit`; without it the run ends there).

mod certificate;
mod events;
mod line_rule;
mod recorder;
mod run;
mod start;

pub use certificate::Certificate;
pub use events::{EventKind, ItineraryEvent, ModeName, StartRecord};
pub use recorder::Path;
pub use run::ItineraryRun;
pub use start::{Go, LineRay, WheelStart};

use crate::Problem;
use crate::analysis::AnalysisError;
use crate::integrate::Solver;
use crate::keys::{keyed, outside};
use crate::system::filippov::Side;
use crate::system::wheel::Dynamics;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a motion of the wheel is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Itinerary {
    /// Where the motion starts.
    pub start: WheelStart,
    /// Length of the run in rescaled time τ [s/(kg m²)], > 0; give this or `duration`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration_tau: Option<f64>,
    /// Length of the run \[s\], > 0; give this or `duration_tau`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: Option<f64>,
    /// What follows a stop on the line where both sliding velocities vanish.
    pub line_policy: LinePolicy,
    /// Weights of `line_policy = "sampled"`.
    pub line_weights: LineWeights,
    /// What follows a two-fold; without it the run ends there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
    /// Distance from the line at which a slip has reached it [m/s], > 0; at least 1e3 times the absolute error of the
    /// velocities. What is extrapolated from there must be small.
    #[schemars(extend("exclusiveMinimum" = 0.0), range(max = 1e-2))]
    pub line_radius: f64,
    /// Distance from a two-fold at which a stick has reached it, in the units of (r, v, ω), > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0), range(max = 1e-2))]
    pub two_fold_radius: f64,
    /// Most events before the run ends.
    #[schemars(range(min = 1))]
    pub max_events: usize,
    /// Number of evenly spaced samples (in τ) of the path, both ends included; events are rows beside them.
    #[schemars(range(min = 2, max = 10_000_000))]
    pub samples: usize,
    /// Number of the realisation: each has draws of its own.
    pub realisation: u64,
    /// Seed of everything that is drawn; a scenario has one for all its parts.
    #[serde(skip)]
    pub seed: u64,
    /// How the equations are solved; the longest step counts in τ. A scenario has one solver for all its parts.
    #[serde(skip)]
    pub solver: Solver,
}

keyed!(Itinerary);

impl Default for Itinerary {
    fn default() -> Self {
        Self {
            start: WheelStart::default(),
            duration_tau: None,
            duration: None,
            line_policy: LinePolicy::default(),
            line_weights: LineWeights::default(),
            exit: None,
            line_radius: 1e-7,
            two_fold_radius: 1e-5,
            max_events: 10_000,
            samples: 4001,
            realisation: 0,
            seed: 0,
            solver: Self::solver(),
        }
    }
}

/// Length of a run if none is given, in units of the clock ([`Dynamics::clock_unit`]).
const DEFAULT_DURATION: f64 = 50.0;

/// Longest step if none is given, in units of the clock.
pub(super) const DEFAULT_STEP: f64 = 0.25;

/// Most steps of the greatest length that a run may need.
const MOST_SHORT_STEPS: f64 = 1e8;

/// What follows a stop on the line where both sliding velocities vanish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinePolicy {
    /// From slip the other slip; else, and from stick: stick, then slip minus, then slip plus, then rest.
    #[default]
    Continue,
    /// Stick, then slip minus, then slip plus, then rest.
    Stick,
    /// Rest: the run ends.
    Lock,
    /// A draw over all outgoing motions.
    Sampled,
}

/// Weights of a draw over outgoing motions, by kind [-], >= 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LineWeights {
    /// Of each slip with h > 0.
    #[schemars(range(min = 0.0))]
    pub(crate) slip_plus: f64,
    /// Of each slip with h < 0.
    #[schemars(range(min = 0.0))]
    pub(crate) slip_minus: f64,
    /// Of each stick.
    #[schemars(range(min = 0.0))]
    pub(crate) stick: f64,
    /// Of each stick in the escaping region.
    #[schemars(range(min = 0.0))]
    pub(crate) escape: f64,
    /// Of rest.
    #[schemars(range(min = 0.0))]
    pub(crate) stay: f64,
    /// Rate with which a stick in the escaping region ends [1/τ].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) escape_rate: f64,
    /// Probability that it ends to the plus side [-].
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) side_probability: f64,
}

impl Default for LineWeights {
    fn default() -> Self {
        Self {
            slip_plus: 1.0,
            slip_minus: 1.0,
            stick: 1.0,
            escape: 1.0,
            stay: 0.0,
            escape_rate: 1.0,
            side_probability: 0.5,
        }
    }
}

/// A side of the switching surface, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExitSide {
    /// h > 0.
    Plus,
    /// h < 0.
    Minus,
}

impl From<ExitSide> for Side {
    fn from(side: ExitSide) -> Self {
        match side {
            ExitSide::Plus => Self::Plus,
            ExitSide::Minus => Self::Minus,
        }
    }
}

/// What follows a two-fold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// The escaping region is left at a given point.
    At(ExitAt),
    /// The escaping region is left at a point that is drawn.
    Sampled(ExitSampled),
}

/// A point of the escaping region, and a side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExitAt {
    /// Displacement r \[m\].
    pub(crate) r: f64,
    /// Speed ω of the disc [rad/s].
    pub(crate) omega: f64,
    /// The side.
    pub(crate) side: ExitSide,
}

/// How an exit is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExitSampled {
    /// Where.
    pub distribution: ExitDistribution,
    /// Probability of the plus side [-].
    #[serde(default = "half")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub side_probability: f64,
    /// Rate of exit [1/τ], > 0, for `hazard`.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub rate: f64,
}

fn half() -> f64 {
    0.5
}

fn one() -> f64 {
    1.0
}

/// Where the escaping region is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExitDistribution {
    /// Uniform in (r, ω) over the part of the escaping region that can be reached from the two-fold.
    Area,
    /// On the sticking motion through a point drawn by area, after an exponential time since the two-fold; where the motion
    /// meets the border of the region first, it ends there.
    Hazard,
}

impl Itinerary {
    /// What is wrong with the request (empty if nothing).
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let found = outside(self);
        if found.is_empty() && self.duration.is_some() && self.duration_tau.is_some() {
            return vec![Problem::new("duration", "and `duration_tau` are both given; give one")];
        }
        found
    }

    /// Whether it can be asked.
    ///
    /// # Errors
    /// The first key of the request or of its solver that is wrong.
    pub fn check(&self) -> Result<(), AnalysisError> {
        if let Some(problem) = self.problems().into_iter().next() {
            return Err(AnalysisError::question(problem.key, problem.message));
        }
        let length = self.duration_tau.unwrap_or(DEFAULT_DURATION).min(1e4);
        match self.solver.max_step.filter(|step| length / step > MOST_SHORT_STEPS) {
            Some(step) => {
                let message = format!("is {step:e}, too short for a run of {length} in tau");
                Err(AnalysisError::solver("max_step", message))
            }
            None => Ok(()),
        }
    }

    /// Length of the run in τ: the given one, or that of a wheel of this mass; none if it is given in seconds.
    pub fn length(&self, dynamics: &Dynamics) -> Option<f64> {
        let length = || DEFAULT_DURATION * dynamics.clock_unit();
        self.duration_tau.or_else(|| self.duration.is_none().then(length))
    }

    /// Longest step in τ.
    pub(crate) fn longest_step(&self, dynamics: &Dynamics) -> f64 {
        self.solver.max_step.unwrap_or(DEFAULT_STEP * dynamics.clock_unit())
    }

    /// The solver of the wheel if nothing else is chosen: twelve digits; the longest step is that of a wheel of its mass.
    pub fn solver() -> Solver {
        Solver { absolute_tolerance: 1e-16, closed_form: false, ..Solver::default() }
    }
}
