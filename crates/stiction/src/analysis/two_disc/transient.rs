//! One run from a start: its window, its samples, its stick-slip, its validity.

use super::stick_slip::{Episodes, StickSlip, StickSlipRule};
use super::watch::Watch;
use super::window::{TrendRule, WindowReport};
use crate::analysis::{AnalysisError, Cancelled, Pace, Progress};
use crate::integrate::{Effort, IntegrationError, Sink, Solver, Span};
use crate::system::System;
use crate::system::two_disc::{Discs, TwoDiscError};
use serde::{Deserialize, Serialize};

/// What a run should tell.
#[derive(Debug, Clone, PartialEq)]
pub struct TransientRequest {
    /// Length of the run \[s\].
    pub duration: f64,
    /// The window in which extremes are sought \[s\].
    pub window: (f64, f64),
    /// Instants at which coordinates are kept, ascending \[s\].
    pub sample_times: Vec<f64>,
    /// How stick-slip is told; not at all if none.
    pub stick_slip: Option<StickSlipRule>,
    /// Limits between trends.
    pub trends: TrendRule,
    /// How the equations are solved.
    pub solver: Solver,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Status {
    /// At its end.
    Complete,
    /// It never began: the start is an equilibrium that does not exist.
    NoStart {
        /// Why there is none.
        reason: String,
    },
    /// The discs flew apart; the run was stopped.
    Unbounded {
        /// When \[s\].
        time: f64,
    },
    /// The steps were used up.
    OutOfSteps {
        /// When \[s\].
        time: f64,
    },
    /// The equations could not be solved.
    Failed(IntegrationError),
}

impl Status {
    /// The name used in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Status::Complete => "complete",
            Status::NoStart { .. } => "no_start",
            Status::Unbounded { .. } => "unbounded",
            Status::OutOfSteps { .. } => "out_of_steps",
            Status::Failed(_) => "failed",
        }
    }

    /// Why the run did not reach its end, in a few words; empty if it did.
    pub fn reason(&self) -> String {
        match self {
            Status::Complete => String::new(),
            Status::NoStart { reason } => format!("no equilibrium to start from: {reason}"),
            Status::Unbounded { time } => format!("the discs fly apart at {time:.4} s"),
            Status::OutOfSteps { time } => format!("the steps are used up at {time:.4} s"),
            Status::Failed(error) => error.to_string(),
        }
    }
}

/// What a run told. What lies beyond the end of a run that was cut short is missing, never guessed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TransientOutcome {
    /// How it ended.
    pub status: Status,
    /// Θ in the window; none if the run did not complete.
    pub rotation: Option<WindowReport>,
    /// Distance between the centres of the discs in the window.
    pub translation: Option<WindowReport>,
    /// Stick-slip, if it was asked for and the run is complete.
    pub stick_slip: Option<StickSlip>,
    /// q, q̇ and the angle of the drive at the instants asked for.
    pub samples: Vec<[f64; 13]>,
    /// Largest distance of a cell from the centre of the lower disc \[m\]; 0 if the run never began.
    pub reach: f64,
    /// When the contact first left the lower disc \[s\]: what follows is outside the model.
    pub left_disc_at: Option<f64>,
    /// What it cost.
    pub effort: Effort,
    /// q and q̇ at the end, if the run is complete.
    pub end: Option<[f64; 12]>,
}

impl TransientRequest {
    /// A run of this length \[s\] with the window over its last third and all else by default.
    pub fn lasting(duration: f64) -> Self {
        Self {
            duration,
            window: (duration * 2.0 / 3.0, duration),
            sample_times: Vec::new(),
            stick_slip: None,
            trends: TrendRule::default(),
            solver: Solver::stiff(),
        }
    }

    /// The same with stick-slip told by the usual rule.
    #[must_use]
    pub fn with_stick_slip(mut self) -> Self {
        self.stick_slip = Some(StickSlipRule::default());
        self
    }

    /// The same with this solver.
    #[must_use]
    pub fn with_solver(mut self, solver: Solver) -> Self {
        self.solver = solver;
        self
    }

    /// Runs discs that may lack a start: then the outcome is a status with a reason, so that one value of a sweep does not take the
    /// others with it.
    ///
    /// # Errors
    /// If the discs cannot be made for another reason; `Cancelled` if the user interrupts.
    pub fn run_if_possible(
        &self,
        discs: Result<Discs, TwoDiscError>,
        progress: &dyn Progress,
    ) -> Result<TransientOutcome, AnalysisError> {
        match discs {
            Ok(discs) => Ok(self.run_with_progress(&discs, progress)?),
            Err(TwoDiscError::NoEquilibrium { reason }) => Ok(TransientOutcome {
                status: Status::NoStart { reason: reason.to_owned() },
                rotation: None,
                translation: None,
                stick_slip: None,
                samples: Vec::new(),
                reach: 0.0,
                left_disc_at: None,
                effort: Effort::default(),
                end: None,
            }),
            Err(error) => Err(error.into()),
        }
    }

    /// Runs the discs from their start.
    pub fn run(&self, discs: &Discs) -> TransientOutcome {
        self.follow(discs, &mut ())
    }

    /// As [`TransientRequest::run`], for a person who waits.
    ///
    /// # Errors
    /// [`Cancelled`] if the user interrupts.
    pub fn run_with_progress(&self, discs: &Discs, progress: &dyn Progress) -> Result<TransientOutcome, Cancelled> {
        let mut pace = Pace::of(progress, 0.0, self.duration);
        let outcome = self.follow(discs, &mut pace);
        pace.proceed()?;
        Ok(outcome)
    }

    fn follow<K: Sink<Discs>>(&self, discs: &Discs, beside: &mut K) -> TransientOutcome {
        let rule = self.stick_slip.filter(|rule| rule.sample_interval > 0.0);
        let episodes = rule.map(|rule| Episodes::new(rule, discs.drive_speed()));
        let mut sinks = (Watch::new(discs, self.window, episodes, &self.sample_times), beside);
        let solver = self.solver.with_default_step(discs.longest_step());
        let finish = solver.integrate_stiff(discs, Span::until(self.duration), discs.start(), &mut sinks);
        let watch = sinks.0;
        let (status, effort, end) = match finish {
            Ok(finish) => {
                let end = finish.state.first_chunk::<12>().copied();
                let status =
                    if watch.is_unbounded { Status::Unbounded { time: finish.time } } else { Status::Complete };
                (status, finish.effort, end)
            }
            Err(IntegrationError::TooManySteps { time, steps, .. }) => {
                (Status::OutOfSteps { time }, Effort { steps, ..Effort::default() }, None)
            }
            Err(error) => (Status::Failed(error), Effort::default(), None),
        };
        let complete = status == Status::Complete;
        let report = |window: &super::window::Window| window.report(&self.trends).filter(|_| complete);
        TransientOutcome {
            rotation: report(&watch.rotation),
            translation: report(&watch.translation),
            stick_slip: watch.episodes.filter(|_| complete).map(|episodes| episodes.verdict(self.duration)),
            samples: watch.samples,
            reach: watch.reach,
            left_disc_at: watch.left_disc_at,
            effort,
            end: end.filter(|_| complete),
            status,
        }
    }
}
