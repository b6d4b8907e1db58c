//! Both limits of the correlation length, by quadrature.

use super::{uniform_belt, uniform_start};
use crate::dataset::{Outcome, Table};
use crate::study::field::wrong;
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::belt_disc::limits::Moments;
use stiction::analysis::belt_disc::{LargeLength, SmallLength, UniformBelt, UniformStart};
use stiction::field::{FieldDescription, Marginal};

/// What every campaign tends to for long and for short correlation lengths: integrals, no simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Duration of a run \[s\], for what depends on it: `_pooled_finite` and the raw stick fraction.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Rows of the table of coefficients.
    #[schemars(range(min = 2, max = 100_000))]
    pub points: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { duration: 100.0, points: 241 }
    }
}

impl Study for Limits {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        let belt = uniform_belt(disc)?;
        let Some(start) = uniform_start(disc) else {
            let message = "is a state: the limits know `rest` and `stuck`".to_owned();
            return Err(StudyError::of_system("start", message));
        };
        let FieldDescription::Random(field) = disc.description().map_err(|error| wrong("belt_disc", &error))? else {
            let message = "is a given function: limits are asked of a random field".to_owned();
            return Err(StudyError::of_system("field", message));
        };
        if disc.inner_radius > 0.0 {
            let message = "is not 0: the limits are known for a full disc; leave it out".to_owned();
            return Err(StudyError::of_system("inner_radius", message));
        }
        let large = LargeLength::of(&belt, &field.marginal, start, self.duration)?;
        let small = SmallLength::of(&belt, disc.radius, &field)?;
        let mut outcome = Outcome::default();
        for (name, moments) in named(&large) {
            let (name, part) = match name.split_once("_pooled") {
                Some((name, rest)) => (name, format!("_pooled{rest}")),
                None => (name, String::new()),
            };
            outcome.push(&format!("large_{name}_mean{part}"), "", moments.mean);
            outcome.push(&format!("large_{name}_std{part}"), "", moments.standard_deviation);
        }
        outcome.push("large_flagged", "", large.flagged);
        outcome.push("small_displacement_slope", "", small.displacement_slope());
        outcome.push("small_force_slope", "", small.force_slope());
        outcome.push("small_slip_force_slope", "", small.slip_force_slope());
        outcome.push("displacement_amplification", "", small.displacement_amplification);
        outcome.push("force_amplification", "", small.force_amplification);
        outcome.push("slip_force_amplification", "", small.slip_force_amplification);
        outcome.push("patch_variation", "", small.patch_variation);
        outcome.push("uniform_stick_fraction_raw", "", belt.raw_stick_fraction(start, self.duration)?);
        outcome.tables.push(self.coefficients(&belt, &field.marginal, start)?);
        Ok(outcome)
    }
}

/// All moments of the limit of long lengths.
fn named(large: &LargeLength) -> [(&'static str, Moments); 8] {
    [
        ("displacement", large.displacement),
        ("force", large.force),
        ("stick", large.stick),
        ("displacement_pooled", large.displacement_pooled),
        ("force_pooled", large.force_pooled),
        ("displacement_pooled_finite", large.displacement_pooled_finite),
        ("force_pooled_finite", large.force_pooled_finite),
        ("stick_raw", large.stick_raw),
    ]
}

impl Limits {
    /// The quantities of the uniform belt against its coefficient, over four standard deviations of the field.
    fn coefficients(&self, belt: &UniformBelt, marginal: &Marginal, start: UniformStart) -> Result<Table, StudyError> {
        let last = (self.points - 1) as f64;
        let values: Vec<f64> = (0..self.points).map(|i| marginal.value(-4.0 + 8.0 * i as f64 / last)).collect();
        let uniform = belt.cycle()?;
        let unit = belt.raw_stick_fraction(start, self.duration)?;
        let mut rows = Vec::with_capacity(values.len());
        for value in &values {
            let other = belt.with_coefficient(*value);
            rows.push((other.cycle()?, other.raw_stick_fraction(start, self.duration)?));
        }
        let raw = |raw: f64| if unit > 0.0 { raw / unit } else { f64::NAN };
        Ok(Table::new(
            "coefficients",
            "ratios of the uniform belt against its coefficient, and how likely the coefficient is",
        )
        .numbers("coefficient", "", "coefficient h", values.clone())
        .numbers("density", "", "probability density", values.iter().map(|value| marginal.density(*value)).collect())
        .numbers(
            "displacement_ratio",
            "",
            "Δx/Δx_d",
            rows.iter().map(|(c, _)| c.peak_to_valley_displacement / uniform.peak_to_valley_displacement).collect(),
        )
        .numbers(
            "force_ratio",
            "",
            "ΔF/ΔF_d",
            rows.iter().map(|(c, _)| c.peak_to_valley_force / uniform.peak_to_valley_force).collect(),
        )
        .numbers(
            "stick_ratio",
            "",
            "stick fraction of the cycle",
            rows.iter().map(|(c, _)| c.stick_fraction / uniform.stick_fraction).collect(),
        )
        .numbers(
            "stick_raw_ratio",
            "",
            "stick fraction of the run",
            rows.iter().map(|(_, r)| raw(*r)).collect(),
        ))
    }
}
