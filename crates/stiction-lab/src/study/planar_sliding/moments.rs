//! Mean and covariance of force and torque at one set of parameters.

use super::norm::BestNorm;
use super::{exact_covariance, random, sampled, size, warn_of_field};
use crate::dataset::{Outcome, Table, Value};
use crate::study::field::Map;
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::planar_sliding::{Kind, Moments as Exact, Pairing, PlanarSliding, Plate, Variations};
use stiction::field::{CorrelationOf, FieldDescription};
use stiction::num::real::hypot;

/// Mean and covariance of force and torque, exactly, and by samples if asked for. The spread of the length of the force is
/// sampled wherever it is not known exactly.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Moments {
    /// Whether `system.planar_sliding.samples` realisations are drawn as well (antithetic pairs).
    pub sampled: bool,
}

impl Study for Moments {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let sliding = context.planar_sliding()?;
        let plate = sliding.plate()?;
        let mut outcome = Outcome::default();
        let (moments, mean) = match sliding.description(CorrelationOf::Coefficient)? {
            FieldDescription::Random(_) | FieldDescription::Constant(_) => {
                let covariance = exact_covariance(sliding)?;
                (plate.moments_unless(context.progress, &covariance, sliding.policy())?, covariance.mean)
            }
            given => known(sliding, &plate, &given, &mut outcome, context)?,
        };
        let best = BestNorm::of(sliding, &plate, &moments, context)?;
        let variations = plate.variations_with(&moments, mean, sliding.torque_length, best.norm);
        push_moments(&mut outcome, &moments);
        push_variations(&mut outcome, &variations);
        best.push(&mut outcome, &variations);
        let closure = plate.variations(&moments, mean, sliding.torque_length);
        outcome.push("cv_force_norm_gaussian", "", closure.force_norm);
        push_scales(&mut outcome, &plate, &variations);
        outcome.push("correlation_force_x_torque", "", moments.correlation(0, 2));
        outcome.push("correlation_force_y_torque", "", moments.correlation(1, 2));
        outcome.push("torque_length", "m", sliding.torque_length.of(&plate.functionals.outline.geometry));
        outcome.push("area", "m²", plate.functionals.outline.geometry.area);
        outcome.push("quadrature_error", "", moments.error);
        if moments.error > plate.accuracy {
            outcome.warnings.push(format!(
                "the moments have a relative error of {:.1e}: the field is too fine, or the outline has too many pieces, for more digits",
                moments.error
            ));
        }
        if let Some(field) = random(sliding)? {
            outcome.push("convention", "", field.convention().to_string().as_str());
            outcome.push("distortion", "", field.distortion().largest);
            warn_of_field(&mut outcome, &field)?;
        }
        outcome.push("formal", "", moments.formal);
        if variations.scales.force.is_none() || variations.scales.torque.is_none() {
            outcome.warnings.push("a coefficient of variation is undefined: its mean is zero".to_owned());
        }
        let is_random = random(sliding)?.is_some();
        if self.sampled && !is_random {
            outcome.warnings.push("the field is a given function: there is nothing to sample".to_owned());
        }
        if self.sampled && is_random {
            self.sample(&mut outcome, sliding, &plate, context)?;
        }
        let names = ["force_x", "force_y", "torque"].map(str::to_owned).to_vec();
        let column = |j: usize| moments.covariance.iter().map(|row| row[j]).collect::<Vec<f64>>();
        let table = Table::new("moments", "mean and covariance of force and torque; forces in N, torques in N m")
            .words("functional", "functional", names)
            .numbers("mean", "", "mean", moments.mean.to_vec())
            .numbers("covariance_force_x", "", "covariance with F_x", column(0))
            .numbers("covariance_force_y", "", "covariance with F_y", column(1))
            .numbers("covariance_torque", "", "covariance with T", column(2));
        outcome.tables.push(table);
        Ok(outcome)
    }
}

impl Moments {
    fn sample(
        &self,
        outcome: &mut Outcome,
        sliding: &PlanarSliding,
        plate: &Plate,
        context: &Context<'_>,
    ) -> Result<(), StudyError> {
        let count = sliding.samples;
        let (_, found) = sampled(sliding, plate, count, Pairing::Antithetic, context)?;
        let mut push = |name: &str, unit: &str, estimate: stiction::analysis::planar_sliding::sampling::Estimate| {
            outcome.push(&format!("{name}_sampled"), unit, estimate.value);
            outcome.push(&format!("{name}_sampled_se"), unit, estimate.standard_error);
        };
        for (i, name) in ["force_x", "force_y", "torque"].into_iter().enumerate() {
            push(&format!("mean_{name}"), if i == 2 { "N m" } else { "N" }, found.mean[i]);
            push(&format!("var_{name}"), if i == 2 { "N² m²" } else { "N²" }, found.variance[i]);
        }
        push("cov_force_x_torque", "N² m", found.force_torque);
        push("mean_force_norm", "N", found.norm_mean);
        push("std_force_norm", "N", found.norm_deviation);
        push("correlation_force_norm_torque_size", "", found.dependence);
        let covariance = sliding.covariance(CorrelationOf::GaussianParent)?;
        let exact = plate.moments_unless(context.progress, &covariance, sliding.policy())?;
        let variations = plate.variations_with(&exact, covariance.mean, sliding.torque_length, found.norm());
        outcome.push("cv_force_norm_sampled", "", variations.force_norm);
        let error = variations.scales.force.map(|scale| found.norm_deviation.standard_error / scale);
        outcome.push("cv_force_norm_sampled_se", "", error);
        outcome.push("samples", "", count);
        Ok(())
    }
}

/// Force and torque of a coefficient that is a given function: nothing is random.
/// Also the mean of the coefficient over the plate [-].
fn known(
    sliding: &PlanarSliding,
    plate: &Plate,
    field: &FieldDescription,
    outcome: &mut Outcome,
    context: &Context<'_>,
) -> Result<(Exact, f64), StudyError> {
    let map = Map::of(&sliding.field, "planar_sliding", context.progress)?;
    map.warn_of_units(size(plate), outcome);
    let found = plate.given(field, map.surface(), &|| context.progress.cancelled())?;
    Ok((Exact { mean: found.mean, covariance: [[0.0; 3]; 3], error: found.error, formal: false }, found.coefficient))
}

/// What the spreads are divided by: the definition depends on the motion, and a jump of it must be seen.
fn push_scales(outcome: &mut Outcome, plate: &Plate, variations: &Variations) {
    let scales = &variations.scales;
    let force = if scales.force_scaled { "mean torque over the torque length" } else { "mean length of the force" };
    let torque = if scales.torque_scaled { "mean force times the torque length" } else { "mean torque" };
    outcome.push("force_scale", "N", scales.force);
    outcome.push("force_scale_of", "", force);
    outcome.push("torque_scale", "N m", scales.torque);
    outcome.push("torque_scale_of", "", torque);
    let Some([x, y]) = plate.functionals.twist.centre().filter(|_| plate.kind == Kind::General) else { return };
    let ratio = hypot(x, y) / plate.half_side();
    if ratio < 0.5 {
        outcome.warnings.push(format!(
            "the centre of rotation is {ratio:.3e} a from the centroid: the mean force is small, and cv_force_norm compares the \
             spread of the force with the mean of its length; `motion.rotation` compares it with the mean torque"
        ));
    } else if ratio > 2.0 {
        outcome.warnings.push(format!(
            "the centre of rotation is {ratio:.3e} a from the centroid: the mean torque is small, and cv_torque compares its \
             spread with it; `motion.translation` compares it with the mean force"
        ));
    }
}

fn push_moments(outcome: &mut Outcome, moments: &Exact) {
    let k = &moments.covariance;
    outcome.push("mean_force_x", "N", moments.mean[0]);
    outcome.push("mean_force_y", "N", moments.mean[1]);
    outcome.push("mean_torque", "N m", moments.mean[2]);
    outcome.push("var_force_x", "N²", k[0][0]);
    outcome.push("var_force_y", "N²", k[1][1]);
    outcome.push("var_torque", "N² m²", k[2][2]);
    outcome.push("cov_force_x_force_y", "N²", k[0][1]);
    outcome.push("cov_force_x_torque", "N² m", k[0][2]);
    outcome.push("cov_force_y_torque", "N² m", k[1][2]);
}

/// The coefficients of variation; one that is undefined is missing.
pub(super) fn push_variations(outcome: &mut Outcome, variations: &Variations) {
    for (name, value) in [
        ("cv_force_norm", variations.force_norm),
        ("cv_force_vector", variations.force_vector),
        ("cv_force_component", variations.force_component),
        ("cv_torque", variations.torque),
    ] {
        outcome.push(name, "", Value::from(value));
    }
}
