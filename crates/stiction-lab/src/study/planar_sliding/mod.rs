//! Questions about a rigid plate that slides on a plane with a random coefficient of friction.

mod advisor;
mod curve_summary;
mod curves;
mod distribution;
mod moments;
mod norm;
mod sampled;

pub use advisor::{Advisor, Functional};
pub use curves::{MomentCurves, NormSpread, Variant};
pub use distribution::Distribution;
pub use moments::Moments;
pub use sampled::SampledMoments;

use super::field::Map;
use super::{Context, StudyError};
use crate::dataset::Outcome;
use stiction::analysis::planar_sliding::{
    Covariance, Moving, Pairing, PlanarSliding, Plate, PlateSampler, SampledMoments as Sampled, SamplerChoice, Samples,
};
use stiction::analysis::{Cancelled, Progress};
use stiction::field::{CorrelationOf, FieldDescription, RandomField};
use stiction::keys::Key;
use stiction::memory::Need;

/// Draws the realisations of the force and the torque of a plate.
fn draw(
    sliding: &PlanarSliding,
    plate: &Plate,
    count: usize,
    pairing: Pairing,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Samples, StudyError> {
    let sampler = sampler(sliding, plate, seed, progress)?;
    let drawn = drawn(&sampler, &[moving(plate)], Key::system("samples"), count, pairing, progress)?;
    Ok(drawn.into_iter().next().unwrap_or(Samples { rows: Vec::new(), pairing }))
}

/// The motion of a plate.
fn moving(plate: &Plate) -> Moving {
    Moving { twist: plate.functionals.twist, pressure: plate.pressure }
}

/// Draws realisations of several motions, within the memory.
fn drawn(
    sampler: &PlateSampler,
    motions: &[Moving],
    key: Key,
    count: usize,
    pairing: Pairing,
    progress: &dyn Progress,
) -> Result<Vec<Samples>, StudyError> {
    // twice three numbers, and what statistics need
    let need = Need::new(key, count as f64, count as f64 * motions.len() as f64, "samples", 96.0);
    progress.memory().admit(&need)?;
    Ok(Samples::draw_many(sampler, motions, count, pairing, progress)?)
}

/// What makes the realisations of the field on a plate.
fn sampler(
    sliding: &PlanarSliding,
    plate: &Plate,
    seed: u64,
    progress: &dyn Progress,
) -> Result<PlateSampler, StudyError> {
    let field = sliding.description(CorrelationOf::GaussianParent)?;
    let stop = || progress.cancelled();
    let made = match sliding.sampler {
        SamplerChoice::PaperMesh => PlateSampler::on_mesh(plate, &field, seed, &stop),
        SamplerChoice::Quadrature => {
            let map = Map::of(&sliding.field, "planar_sliding", progress)?;
            PlateSampler::new(plate, &field, map.surface(), sliding.field.generator, seed, &stop)
        }
    };
    if stop() { Err(Cancelled.into()) } else { Ok(made?) }
}

/// Samples with what they tell, beside the exact moments of the same field (convention B unless the keys say A).
fn sampled(
    sliding: &PlanarSliding,
    plate: &Plate,
    count: usize,
    pairing: Pairing,
    context: &Context<'_>,
) -> Result<(Samples, Sampled), StudyError> {
    let samples = draw(sliding, plate, count, pairing, context.seed, context.progress)?;
    let covariance = sliding.covariance(CorrelationOf::GaussianParent)?;
    let exact = plate.moments_unless(context.progress, &covariance, sliding.policy())?;
    let moments = samples.moments(&exact);
    Ok((samples, moments))
}

/// The random field under the convention of exact moments, if the coefficient is one.
fn random(sliding: &PlanarSliding) -> Result<Option<RandomField>, StudyError> {
    Ok(match sliding.description(CorrelationOf::Coefficient)? {
        FieldDescription::Random(field) => Some(*field),
        _ => None,
    })
}

/// The same plate with another correlation length \[m\].
fn with_length(sliding: &PlanarSliding, length: f64) -> PlanarSliding {
    let mut other = sliding.clone();
    let factor = length / sliding.correlation_length();
    let mut model = other.field_model();
    model.correlation_length = model.correlation_length.map(|length| super::field::stretched(length, factor));
    other.field = model;
    other
}

/// What a user should know about a field whose correlation is none, or is distorted.
fn warn_of_field(outcome: &mut Outcome, field: &RandomField) -> Result<(), StudyError> {
    if let Some(defect) = field.defect().map_err(|error| super::field::wrong("planar_sliding", &error))? {
        outcome.warnings.push(format!("{}: {}", defect.label(), defect.certificate));
    }
    Ok(())
}

/// Largest side of the box around the contact \[m\].
fn size(plate: &Plate) -> f64 {
    let [low, high] = plate.functionals.outline.geometry.bounds;
    (high[0] - low[0]).max(high[1] - low[1])
}

/// The same plate on the random field that a measured map is a sample of, as far as the map tells; the plate itself on other
/// fields.
fn on_estimated_field(
    sliding: &PlanarSliding,
    plate: &Plate,
    outcome: &mut Outcome,
    progress: &dyn Progress,
) -> Result<PlanarSliding, StudyError> {
    let map = Map::of(&sliding.field, "planar_sliding", progress)?;
    map.warn_of_units(size(plate), outcome);
    match map.estimate(outcome) {
        Some(found) => Ok(PlanarSliding { field: found.model(), ..sliding.clone() }),
        None => Ok(sliding.clone()),
    }
}

/// The covariance under the convention of exact moments.
fn exact_covariance(sliding: &PlanarSliding) -> Result<Covariance, StudyError> {
    Ok(sliding.covariance(CorrelationOf::Coefficient)?)
}
