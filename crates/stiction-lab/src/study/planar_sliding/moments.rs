//! Mean and covariance of force and torque at one set of parameters.

use super::{exact_covariance, random, sampled, warn_of_field};
use crate::dataset::{Outcome, Table, Value};
use crate::study::field::Map;
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::planar_sliding::{
    Moments as Exact, Pairing, PlanarSliding, Plate, PlateSampler, Samples, Variations,
};
use stiction::field::{CorrelationOf, FieldDescription};

/// Mean and covariance of force and torque, exactly, and by samples on request.
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
        let moments = match sliding.description(CorrelationOf::Coefficient)? {
            FieldDescription::Random(_) | FieldDescription::Constant(_) => {
                plate.moments(&exact_covariance(sliding)?, sliding.policy())?
            }
            given => known(sliding, &plate, &given)?,
        };
        let mean = mean_coefficient(&moments, sliding, &plate)?;
        let variations = plate.variations(&moments, mean, sliding.torque_length);
        push_moments(&mut outcome, &moments);
        push_variations(&mut outcome, &variations);
        outcome.push("correlation_force_x_torque", "", moments.correlation(0, 2));
        outcome.push("correlation_force_y_torque", "", moments.correlation(1, 2));
        outcome.push("mean_force_norm", "N", variations.norm.mean);
        outcome.push("std_force_norm", "N", variations.norm.standard_deviation);
        outcome.push("torque_length", "m", sliding.torque_length.of(&plate.functionals.outline.geometry));
        outcome.push("area", "m²", plate.functionals.outline.geometry.area);
        outcome.push("quadrature_error", "", moments.error);
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
        let exact = plate.moments(&covariance, sliding.policy())?;
        let variations = plate.variations_with(&exact, covariance.mean, sliding.torque_length, found.norm());
        outcome.push("cv_force_norm_sampled", "", variations.force_norm);
        let error = variations.scales.force.map(|scale| found.norm_deviation.standard_error / scale);
        outcome.push("cv_force_norm_sampled_se", "", error);
        outcome.push("samples", "", count);
        Ok(())
    }
}

/// Force and torque of a coefficient that is a given function: nothing is random.
fn known(sliding: &PlanarSliding, plate: &Plate, field: &FieldDescription) -> Result<Exact, StudyError> {
    let map = Map::of(&sliding.field, "planar_sliding")?;
    let sampler = PlateSampler::new(plate, &sliding.shape, field, map.surface(), sliding.field.generator, 0)?;
    let samples = Samples::draw(&sampler, &plate.functionals.twist, sliding.pressure, 1, Pairing::Independent);
    let mean = samples.rows.first().copied().unwrap_or([f64::NAN; 3]);
    Ok(Exact { mean, covariance: [[0.0; 3]; 3], error: 0.0, formal: false })
}

/// Mean of the coefficient over the plate [-].
fn mean_coefficient(moments: &Exact, sliding: &PlanarSliding, plate: &Plate) -> Result<f64, StudyError> {
    Ok(match sliding.description(CorrelationOf::Coefficient)? {
        FieldDescription::Random(field) => field.marginal.mean(),
        FieldDescription::Constant(mean) => mean,
        _ => {
            let [x, y, _] = moments.mean;
            let area = plate.functionals.outline.geometry.area;
            ((x * x + y * y).sqrt() / (sliding.pressure * area)).max(f64::MIN_POSITIVE)
        }
    })
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
