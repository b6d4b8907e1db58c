//! Energies of many realisations of the field.

use super::run::{Status, total_coefficient};
use super::table::{RunEnergies, WorkTable, integrated};
use crate::analysis::{AnalysisError, Cancelled, Progress};
use crate::integrate::Solver;
use crate::num::distribution::{Distribution, Normal};
use crate::num::purpose::{Germ, Purpose};
use crate::system::CrankSlider;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What the slider feels of a realisation of the field.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Realisation {
    /// h [-]: mean of the coefficient over the bottom.
    pub mean_coefficient: f64,
    /// τ \[m\]: mean over the bottom of the coefficient times the distance from the middle line.
    pub torque_coefficient: f64,
}

/// What a realisation dissipates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Energies {
    /// E_b \[J\].
    pub bottom: f64,
    /// E_s \[J\].
    pub side: f64,
    /// The part of both that was collected with F_n < 0 \[J\].
    pub lifted: f64,
    /// How the run ended.
    pub status: Status,
}

impl Energies {
    /// E_s/(E_b + E_s) [-]; zero without friction.
    pub(crate) fn share(&self) -> f64 {
        let total = self.bottom + self.side;
        if total > 0.0 { self.side / total } else { 0.0 }
    }
}

/// One realisation and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrankRow {
    /// The realisation.
    pub realisation: Realisation,
    /// Its energies, or why there are none.
    pub energies: Result<Energies, AnalysisError>,
}

impl CrankRow {
    /// The word for how the run ended: that of its [`Status`], or `failed`.
    pub fn status(&self) -> &'static str {
        self.energies.as_ref().map_or("failed", |energies| energies.status.name())
    }
}

impl Realisation {
    fn energies(&self, coefficient: f64, outcome: &RunEnergies) -> Energies {
        Energies {
            bottom: self.mean_coefficient * outcome.work,
            side: (coefficient - self.mean_coefficient) * outcome.work,
            lifted: coefficient * outcome.lifted_work,
            status: outcome.status,
        }
    }
}

/// A table that covers all `realisations`.
///
/// # Errors
/// Parameters that make no sense; [`Cancelled`] on request.
pub fn table_for(
    crank: &CrankSlider,
    realisations: &[Realisation],
    duration: f64,
    solver: &Solver,
    progress: &dyn Progress,
) -> Result<WorkTable, AnalysisError> {
    let mut range = (f64::INFINITY, 0.0f64);
    for realisation in realisations {
        // those that make no sense get their row, not a place in the range
        let Realisation { mean_coefficient: mean, torque_coefficient: torque } = *realisation;
        if let Ok(coefficient) = total_coefficient(crank, mean, torque, duration) {
            range = (range.0.min(coefficient), range.1.max(coefficient));
        }
    }
    if range.0 > range.1 {
        range = (0.0, 0.0);
    }
    WorkTable::over(crank, range, duration, solver, progress)
}

/// Energies of all realisations by the table of the sliding work, in their order.
///
/// # Errors
/// [`Cancelled`] on request. What goes wrong with one realisation is told in its row.
pub fn energies(
    table: &WorkTable,
    realisations: &[Realisation],
    progress: &dyn Progress,
) -> Result<Vec<CrankRow>, AnalysisError> {
    let (crank, duration) = table.question();
    rows(crank, duration, realisations, progress, |coefficient| table.outcome(coefficient, progress))
}

/// Energies of all realisations by one integration each, in their order: the check of [`energies`].
///
/// # Errors
/// [`Cancelled`] on request. What goes wrong with one realisation is told in its row.
pub fn direct_energies(
    crank: &CrankSlider,
    realisations: &[Realisation],
    duration: f64,
    solver: &Solver,
    progress: &dyn Progress,
) -> Result<Vec<CrankRow>, AnalysisError> {
    rows(crank, duration, realisations, progress, |coefficient| {
        integrated(crank, coefficient, duration, solver, progress)
    })
}

/// Energies of one realisation by an integration of its own.
pub fn direct_row(
    crank: &CrankSlider,
    realisation: Realisation,
    duration: f64,
    solver: &Solver,
    progress: &dyn Progress,
) -> CrankRow {
    row(crank, duration, realisation, |coefficient| integrated(crank, coefficient, duration, solver, progress))
}

impl CrankRow {
    /// The row, unless the user interrupted its motion.
    ///
    /// # Errors
    /// [`Cancelled`] if the user did.
    pub fn unless_interrupted(self) -> Result<Self, AnalysisError> {
        if self.energies == Err(Cancelled.into()) { Err(Cancelled.into()) } else { Ok(self) }
    }
}

fn row(
    crank: &CrankSlider,
    duration: f64,
    realisation: Realisation,
    outcome: impl Fn(f64) -> Result<RunEnergies, AnalysisError>,
) -> CrankRow {
    let Realisation { mean_coefficient: mean, torque_coefficient: torque } = realisation;
    let energies = total_coefficient(crank, mean, torque, duration)
        .and_then(|coefficient| Ok(realisation.energies(coefficient, &outcome(coefficient)?)));
    CrankRow { realisation, energies }
}

fn rows(
    crank: &CrankSlider,
    duration: f64,
    realisations: &[Realisation],
    progress: &dyn Progress,
    outcome: impl Fn(f64) -> Result<RunEnergies, AnalysisError> + Sync,
) -> Result<Vec<CrankRow>, AnalysisError> {
    progress.begin("realisations", realisations.len() as u64);
    let one = |&realisation: &Realisation| {
        if progress.cancelled() {
            return Err(AnalysisError::from(Cancelled));
        }
        let row = row(crank, duration, realisation, &outcome);
        progress.advance(1);
        row.unless_interrupted()
    };
    realisations.par_iter().with_min_len(16).map(one).collect()
}

/// Realisations without a field: h lognormal and τ normal with the given mean and standard deviations, independent.
///
/// An approximation: over a random field h and τ are uncorrelated by symmetry, but |τ| tends to be larger where h is.
pub fn moment_matched(mean: f64, deviation: f64, torque_deviation: f64, count: usize, seed: u64) -> Vec<Realisation> {
    let level = Distribution::Lognormal(Normal { mean, standard_deviation: deviation });
    let tilt = Distribution::Normal(Normal { mean: 0.0, standard_deviation: torque_deviation });
    let draw = |index: u64| Realisation {
        mean_coefficient: level.draw(&mut Germ::new(seed, index).stream(Purpose::Parameter(0))),
        torque_coefficient: tilt.draw(&mut Germ::new(seed, index).stream(Purpose::Parameter(1))),
    };
    (0..count as u64).map(draw).collect()
}
