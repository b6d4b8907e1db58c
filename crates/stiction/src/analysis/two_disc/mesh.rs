//! How much the mesh of the contact face matters to a transient.

use super::in_parallel;
use super::transient::TransientRequest;
use crate::analysis::{AnalysisError, Progress, Quiet};
use crate::integrate::Solver;
use crate::system::TwoDisc;
use crate::system::two_disc::UPPER_ROTATION;

/// Error of one mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshError {
    /// Rings of the mesh.
    pub rings: usize,
    /// ∫ (Θ − Θ_ref)² dt / ∫ Θ_ref² dt [-]: a ratio of squares.
    pub error: f64,
}

/// Errors of Θ over `duration` \[s\] for several meshes against one with `reference` rings (hu2023_disc, Appendix A).
///
/// # Errors
/// If the discs cannot be made, a run does not complete, or on request.
pub fn mesh_errors(
    discs: &TwoDisc,
    rings: &[usize],
    reference: usize,
    duration: f64,
    solver: Solver,
    progress: &dyn Progress,
) -> Result<Vec<MeshError>, AnalysisError> {
    const SAMPLES: usize = 3000;
    let all: Vec<usize> = std::iter::once(reference).chain(rings.iter().copied()).collect();
    let mut transient = TransientRequest::lasting(duration).with_solver(solver);
    transient.sample_times = (1..=SAMPLES).map(|i| duration * i as f64 / SAMPLES as f64).collect();
    let histories = in_parallel("meshes", &all, progress, |_, &rings| {
        let mut discs = discs.clone();
        discs.contact.rings = rings;
        let outcome = transient.run_with_progress(&discs.uniform()?, &Quiet(progress))?;
        progress.worked(outcome.effort);
        if outcome.samples.len() < SAMPLES {
            let message = format!("with {rings} the run did not reach its end: {}", outcome.status.name());
            return Err(AnalysisError::unsuitable("contact.rings", message));
        }
        Ok(outcome.samples.iter().map(|sample| sample[UPPER_ROTATION]).collect::<Vec<f64>>())
    })?;
    let Some((reference, meshes)) = histories.split_first() else { return Ok(Vec::new()) };
    let size: f64 = reference.iter().map(|theta| theta * theta).sum();
    Ok(rings
        .iter()
        .zip(meshes)
        .map(|(&rings, history)| {
            let sum: f64 = history.iter().zip(reference).map(|(a, b)| (a - b) * (a - b)).sum();
            MeshError { rings, error: sum / size }
        })
        .collect())
}
