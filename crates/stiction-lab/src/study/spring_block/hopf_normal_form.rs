//! Small oscillations next to a Hopf bifurcation, measured and predicted by the normal form.

use super::Family;
use crate::dataset::{Outcome, Table, number};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::spring_block::{Orbits, SmallCycle};
use stiction::analysis::{Budget, Cancelled};
use stiction::law::Law;

/// Small oscillations next to a Hopf bifurcation, measured and predicted by the normal form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HopfNormalForm {
    /// Slopes f₁ of the cubic law, each < 0, toward zero [s/m].
    pub slopes: Vec<f64>,
}

impl Study for HopfNormalForm {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let block = context.spring_block()?;
        if !matches!(block.law, Law::Cubic(_)) {
            let message = format!(
                "`{}`: this study needs law.cubic, whose derivatives at the drive speed are known",
                block.law.name()
            );
            return Err(StudyError::unsuitable("system.spring_block.law", message));
        }
        if self.slopes.is_empty() {
            return Err(StudyError::unsuitable(
                "study.hopf_normal_form.slopes",
                "the list is empty: give at least one slope",
            ));
        }
        let family = Family::of(block, "law.cubic.f1", "study.hopf_normal_form.slopes")?;
        let budget = Budget::of(self.slopes.len(), context.progress);
        context.progress.begin("small oscillations", self.slopes.len() as u64);
        let cycles = crate::parallel::map(&self.slopes, |&slope| {
            if context.progress.cancelled() {
                return Err(StudyError::from(Cancelled));
            }
            let block = family.at(slope)?;
            let cycle = Orbits::without_aging(&block, context.solver)?.within(&budget).small_cycle()?;
            context.progress.advance(1);
            Ok(cycle)
        })?;
        let column = |of: fn(&SmallCycle) -> f64| {
            cycles.iter().map(|cycle| cycle.as_ref().map_or(f64::NAN, of)).collect::<Vec<f64>>()
        };
        let square = |x: f64| x * x;
        let ratio: Vec<f64> =
            column(|c| c.amplitude).iter().zip(column(|c| c.predicted_amplitude)).map(|(a, p)| square(a / p)).collect();
        let detuning = column(|cycle| cycle.detuning_coefficient);
        let mut outcome = Outcome::default();
        let known = |values: &[f64]| -> Vec<Option<f64>> {
            values.iter().map(|value| value.is_finite().then_some(*value)).collect()
        };
        outcome.push("amplitude_squared_ratio", "", known(&ratio));
        outcome.push("detuning_coefficient", "", known(&detuning));
        outcome.push("detuning_limit", "", limit(&self.slopes, &detuning));
        outcome.push("amplitude_squared_limit", "", limit(&self.slopes, &ratio));
        outcome.push(
            "stable",
            "",
            cycles.iter().map(|cycle| cycle.is_some_and(|cycle| cycle.stable)).collect::<Vec<bool>>(),
        );
        outcome.push("all_stable", "", cycles.iter().all(|cycle| cycle.is_some_and(|cycle| cycle.stable)));
        for (slope, cycle) in self.slopes.iter().zip(&cycles) {
            if cycle.is_none() {
                outcome.warnings.push(format!("there is no oscillation at f1 = {} s/m", number(*slope)));
            }
        }
        outcome.tables.push(
            Table::new("cycles", "small oscillations against the slope of the law at the drive speed")
                .numbers("minus_slope", "N s/m", "−F_K′(v₀)", column(|cycle| -cycle.slope))
                .numbers("amplitude", "m", "amplitude (max x − min x)/2", column(|cycle| cycle.amplitude))
                .numbers(
                    "predicted_amplitude",
                    "m",
                    "2|A| by the normal form",
                    column(|cycle| cycle.predicted_amplitude),
                )
                .numbers("frequency", "rad/s", "frequency", column(|cycle| cycle.frequency))
                .numbers(
                    "predicted_frequency",
                    "rad/s",
                    "frequency by the normal form",
                    column(|cycle| cycle.predicted_frequency),
                )
                .numbers("detuning_coefficient", "", "detuning coefficient", detuning)
                .numbers("amplitude_squared_ratio", "", "measured over predicted squared amplitude", ratio),
        );
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::orbits(system)
    }
}

/// Linear extrapolation to slope zero through the two values with the smallest slopes.
fn limit(slopes: &[f64], values: &[f64]) -> Option<f64> {
    let mut pairs: Vec<(f64, f64)> =
        slopes.iter().copied().zip(values.iter().copied()).filter(|pair| pair.1.is_finite()).collect();
    pairs.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    match pairs[..] {
        [(a, fa), (b, fb), ..] if a != b => Some(fa - a * (fb - fa) / (b - a)),
        [(_, only)] => Some(only),
        _ => None,
    }
}
