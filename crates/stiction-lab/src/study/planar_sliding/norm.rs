//! The best value of the spread of the length of the force, and its error.
//!
//! In translation it is exact, and for a Gaussian coefficient the Gaussian closure is. Where the correlation is short, the
//! force is nearly Gaussian, and a closure that multiplies it by the level of the field is better than samples. Otherwise
//! realisations decide, corrected by the exact mean of ‖F‖².

use super::{exact_covariance, moving, random, sampler};
use crate::dataset::Outcome;
use crate::study::{Context, StudyError};
use stiction::analysis::planar_sliding::norm::NormMoments;
use stiction::analysis::planar_sliding::{
    ClosedNorm, Kind, Moments, NoCovariance, Pairing, PlanarSliding, Plate, Variations,
};
use stiction::analysis::{AnalysisError, Cancelled};
use stiction::field::{CorrelationOf, Marginal, RandomField};
use stiction::keys::Key;

/// A closure that is off by less than this part of the spread is better than samples.
const GOOD_CLOSURE: f64 = 3e-3;
/// Values that are drawn in about a second, and the fewest realisations with many and with few values, by any and by a fast sampler.
const AFFORDABLE: usize = 20_000_000;
const FEWEST: [[usize; 2]; 2] = [[1_000, 10_000], [10_000, 100_000]];
/// Part of the difference between the two conventions of the correlation that a control variate may leave.
const LEFT_OVER: f64 = 0.1;

/// The best value of mean and spread of ‖F‖.
pub(super) struct BestNorm {
    pub(super) norm: NormMoments,
    /// Standard error of the mean \[N\]; none if it is not known.
    mean_error: Option<f64>,
    /// Standard error of the spread \[N\]; none if it is not known.
    error: Option<f64>,
    method: &'static str,
}

impl BestNorm {
    pub(super) fn of(
        sliding: &PlanarSliding,
        plate: &Plate,
        moments: &Moments,
        context: &Context<'_>,
    ) -> Result<Self, StudyError> {
        let closure = plate.norm(moments);
        let rounding = moments.error * closure.standard_deviation;
        let known = |method, error: Option<f64>| Self { norm: closure, mean_error: error, error, method };
        let Some(field) = random(sliding)? else { return Ok(known("exact", Some(0.0))) };
        if plate.kind == Kind::Translation {
            return Ok(known("exact", Some(rounding)));
        }
        if matches!(field.marginal, Marginal::Gaussian(_)) {
            return Ok(known("gaussian_force", Some(rounding)));
        }
        if moments.formal {
            return Ok(known("gaussian_closure", None));
        }
        let translated = plate.translated();
        let translated = translated.moments_unless(context.progress, &exact_covariance(sliding)?, sliding.policy())?;
        let ClosedNorm { norm, error } = plate.closed_norm(moments, Some(&translated));
        let closed = Self { norm, mean_error: Some(error), error: Some(error), method: "level_closure" };
        if error < GOOD_CLOSURE * norm.standard_deviation {
            return Ok(closed);
        }
        // a field that cannot be sampled has moments all the same
        match sampled(sliding, plate, moments, &field, context) {
            Err(error @ (StudyError::Cancelled(_) | StudyError::Analysis(AnalysisError::Memory(_)))) => Err(error),
            found => Ok(found.unwrap_or(closed)),
        }
    }

    pub(super) fn push(&self, outcome: &mut Outcome, variations: &Variations) {
        let error = self.error.and_then(|error| variations.norm_error(error, self.mean_error.unwrap_or(0.0)));
        outcome.push("cv_force_norm_error", "", error);
        outcome.push("cv_force_norm_method", "", self.method);
        outcome.push("mean_force_norm", "N", self.norm.mean);
        outcome.push("mean_force_norm_error", "N", self.mean_error);
        outcome.push("std_force_norm", "N", self.norm.standard_deviation);
        outcome.push("std_force_norm_error", "N", self.error);
        if self.method == "gaussian_closure" && self.error.is_none() {
            let message =
                "cv_force_norm assumes a Gaussian force: no field has this correlation, so that nothing can be sampled";
            outcome.warnings.push(message.to_owned());
        }
    }
}

/// By realisations. The field of convention A may not exist; then that of convention B is drawn, and the exact mean of ‖F‖²
/// under A takes most of the difference away.
fn sampled(
    sliding: &PlanarSliding,
    plate: &Plate,
    moments: &Moments,
    field: &RandomField,
    context: &Context<'_>,
) -> Result<BestNorm, StudyError> {
    let mut like = sliding.clone();
    like.field = like.field_model();
    if field.for_sampling().is_err() {
        like.field.correlation_of = Some(CorrelationOf::GaussianParent);
    }
    let sampler = sampler(&like, plate, context.seed, context.progress)?;
    let [least, most] = FEWEST[usize::from(sampler.is_fast())];
    let fewest = (AFFORDABLE / sampler.count()).clamp(least, most);
    let count = sliding.samples.max(fewest);
    let key = Key::system("samples");
    let drawn = super::drawn(&sampler, &[moving(plate)], key, count, Pairing::Antithetic, context.progress)?;
    let samples = drawn.first().ok_or(Cancelled)?;
    let found = samples.moments(moments);
    let own = like.covariance(CorrelationOf::GaussianParent)?;
    let own = plate.moments_unless(context.progress, &own, NoCovariance::Refuse)?;
    let shift = (samples.moments(&own).norm_deviation.value - found.norm_deviation.value).abs();
    let with_shift = |error: f64| (error * error + (LEFT_OVER * shift).powi(2)).sqrt();
    Ok(BestNorm {
        norm: found.norm(),
        mean_error: Some(found.norm_mean.standard_error),
        error: Some(with_shift(found.norm_deviation.standard_error)),
        method: "sampled",
    })
}
