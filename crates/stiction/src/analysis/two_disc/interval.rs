//! Bounds of the rotation under an interval field: by sampling, by the linear estimate, and by runs at the vertices it points to.
//!
//! Sampling and vertex runs are attained, hence *inner* bounds; the linear value is an estimate. None is an enclosure.

use super::in_parallel;
use super::sensitivity::{Response, Sensitivity};
use super::stick_slip::StickSlipClass;
use super::transient::{TransientOutcome, TransientRequest};
use crate::analysis::{AnalysisError, Progress, Quiet};
use crate::system::TwoDisc;
use serde::{Deserialize, Serialize};

/// Angles of the drive, over a quarter turn, at which the linear estimate is made.
const ANGLES: usize = 24;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct IntervalStudy {
    /// The runs.
    pub transient: TransientRequest,
    /// Seed of the realisations.
    pub seed: u64,
    /// Rounds in which vertices are improved; without any linear answer and vertices if none.
    pub rounds: Option<usize>,
}

/// One realisation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Realisation {
    /// Its number: with the seed it replays the realisation.
    pub index: u64,
    /// Its run.
    pub outcome: TransientOutcome,
}

/// Bounds of Θ in the window \[rad\].
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// Smallest and largest value in runs at vertices of the box, improved; none where no run completed.
    pub vertices: Option<(f64, f64)>,
    /// The same from the two vertices ± sign(a) of the drive angle 0 alone.
    pub first_vertices: Option<(f64, f64)>,
    /// Smallest and largest value among random realisations.
    pub sampled: Option<(f64, f64)>,
    /// Extremes of the run without a field.
    pub deterministic: Option<(f64, f64)>,
    /// Stick-slip of the run without a field, if asked for.
    pub deterministic_stick_slip: Option<StickSlipClass>,
    /// Linear estimate Θ_e ± Σ|a_j| at the drive angle 0; none without a linearisation.
    pub linear: Option<(f64, f64)>,
    /// Σ|a_j| at the drive angle where it is largest.
    pub widest_reach: Option<f64>,
    /// Linear standard deviation of Θ \[rad\].
    pub standard_deviation: Option<f64>,
    /// Coordinates that act.
    pub active: usize,
    /// Vertex runs that were made.
    pub vertex_runs: usize,
    /// Realisations whose run did not complete.
    pub failed: u64,
}

impl Realisation {
    /// The run of one realisation.
    ///
    /// # Errors
    /// If the discs cannot be made; `Cancelled` if the user interrupts.
    pub fn of(
        discs: &TwoDisc,
        study: &IntervalStudy,
        index: u64,
        progress: &dyn Progress,
    ) -> Result<Self, AnalysisError> {
        Ok(Self { index, outcome: study.transient.run_if_possible(discs.realisation(study.seed, index), progress)? })
    }
}

/// The discs with the smallest and with the largest coefficient everywhere: between them lies every answer that is monotone in a
/// uniform coefficient, such as the equilibrium and its Hopf points. None without a field.
pub fn uniform_ends(discs: &TwoDisc) -> Option<[TwoDisc; 2]> {
    let field = discs.field.as_ref()?;
    Some([-1.0, 1.0].map(|sign| {
        let mut end = discs.clone();
        let law = end.law.lugre_mut();
        let ratio = law.ratio();
        law.static_coefficient = field.centre + sign * field.half_width;
        law.kinetic_coefficient = ratio * law.static_coefficient;
        end.field = None;
        end
    }))
}

fn span(outcome: &TransientOutcome) -> Option<(f64, f64)> {
    outcome.rotation.map(|report| (report.extremes.smallest, report.extremes.largest))
}

fn wider(a: Option<(f64, f64)>, b: Option<(f64, f64)>) -> Option<(f64, f64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// Bounds of the rotation under the field, by vertices and by the realisations given.
///
/// # Errors
/// If there is no field, the discs cannot be made, or on request.
pub fn bounds(
    discs: &TwoDisc,
    study: &IntervalStudy,
    realisations: &[Realisation],
    progress: &dyn Progress,
) -> Result<Bounds, AnalysisError> {
    if discs.field.is_none() {
        return Err(AnalysisError::unsuitable("field", "is missing: there is nothing to be bounded"));
    }
    let sampled = realisations.iter().fold(None, |all, realisation| wider(all, span(&realisation.outcome)));
    let without_field = study.transient.run_if_possible(discs.uniform(), progress)?;
    let failed = realisations.iter().filter(|r| r.outcome.rotation.is_none()).count() as u64;
    let mut bounds = Bounds {
        vertices: None,
        first_vertices: None,
        sampled,
        deterministic: span(&without_field),
        deterministic_stick_slip: without_field.stick_slip.map(|found| found.class),
        linear: None,
        widest_reach: None,
        standard_deviation: None,
        active: 0,
        vertex_runs: 0,
        failed,
    };
    let Some(rounds) = study.rounds else { return Ok(bounds) };
    let equilibrium = discs.equilibrium()?.filter(|equilibrium| !equilibrium.is_captured());
    let Some(response) = equilibrium.and_then(|equilibrium| Response::new(discs, &equilibrium).ok()) else {
        return Ok(bounds);
    };
    let (first, widest) = (response.at(0.0)?, response.widest(ANGLES)?);
    bounds.linear = Some((response.level - first.reach(), response.level + first.reach()));
    bounds.widest_reach = Some(widest.reach());
    bounds.standard_deviation = Some(first.standard_deviation());
    bounds.active = first.active();
    search(discs, (&study.transient, rounds), &response, &[first, widest], &mut bounds, progress)?;
    Ok(bounds)
}

/// Runs at vertices: those of two drive angles, then of the angles at which the best runs had their extremes.
fn search(
    discs: &TwoDisc,
    (transient, rounds): (&TransientRequest, usize),
    response: &Response,
    starts: &[Sensitivity; 2],
    bounds: &mut Bounds,
    progress: &dyn Progress,
) -> Result<(), AnalysisError> {
    let signed = |vertex: &[f64], sign: f64| vertex.iter().map(|xi| sign * xi).collect::<Vec<f64>>();
    let mut candidates: Vec<Vec<f64>> = Vec::new();
    for start in starts {
        candidates.extend([signed(&start.vertex(), 1.0), signed(&start.vertex(), -1.0)]);
    }
    for round in 0..=rounds {
        let outcomes = in_parallel("vertices", &candidates, progress, |_, coordinates| {
            let outcome = transient.run_with_progress(&discs.given(coordinates)?, &Quiet(progress))?;
            progress.worked(outcome.effort);
            Ok(outcome)
        })?;
        bounds.vertex_runs += outcomes.len();
        if round == 0 {
            bounds.first_vertices = outcomes.iter().take(2).fold(None, |all, outcome| wider(all, span(outcome)));
        }
        let before = bounds.vertices;
        let (mut highest, mut lowest) = (None, None);
        for report in outcomes.iter().filter_map(|outcome| outcome.rotation) {
            let extremes = report.extremes;
            bounds.vertices = wider(bounds.vertices, Some((extremes.smallest, extremes.largest)));
            if highest.is_none_or(|(value, _)| extremes.largest > value) {
                highest = Some((extremes.largest, extremes.largest_at));
            }
            if lowest.is_none_or(|(value, _)| extremes.smallest < value) {
                lowest = Some((extremes.smallest, extremes.smallest_at));
            }
        }
        let improved = |old: Option<(f64, f64)>, new: Option<(f64, f64)>| match (old, new) {
            (Some(old), Some(new)) => new.0 < old.0 - 1e-9 || new.1 > old.1 + 1e-9,
            (None, new) => new.is_some(),
            _ => false,
        };
        if round == rounds || !improved(before, bounds.vertices) {
            break;
        }
        let (Some((_, high_at)), Some((_, low_at))) = (highest, lowest) else { break };
        let speed = discs.drive_speed;
        candidates = vec![
            signed(&response.at(speed * high_at)?.vertex(), 1.0),
            signed(&response.at(speed * low_at)?.vertex(), -1.0),
        ];
    }
    Ok(())
}
