//! Where the disc lands, against a parameter: a bifurcation diagram of the random belt.

use super::swept::swept;
use super::{model, setting, uniform_belt};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::belt_disc::Row;
use stiction::field::Germ;

const KEY: &str = "study.landing_map";

/// Displacements at landing along one or several sweeps, one realisation (or more) at each value, beside the uniform belt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LandingMap {
    /// The sweeps: each of a key below the system, of `length_ratio` (l/R), or of `mean_coefficient`.
    pub sweep: Vec<Sweep>,
    /// Realisations at each value.
    #[schemars(range(min = 1, max = 100_000))]
    pub realisations: usize,
    /// How long a motion is followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
}

impl Default for LandingMap {
    fn default() -> Self {
        Self { sweep: Vec::new(), realisations: 1, duration: 100.0 }
    }
}

impl Study for LandingMap {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        if self.sweep.is_empty() {
            return Err(StudyError::unsuitable(format!("{KEY}.sweep"), "is empty: give a parameter with its range"));
        }
        let mut outcome = Outcome::default();
        let (mut parameter, mut value, mut landing, mut relative) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut own, mut own_value, mut own_landing) = (Vec::new(), Vec::new(), Vec::new());
        let mut models = Vec::new();
        let mut places = Vec::new();
        for (number, sweep) in self.sweep.iter().enumerate() {
            for (place, one) in swept(disc, sweep, &format!("{KEY}.sweep[{number}]"))?.into_iter().enumerate() {
                // every value has a field of its own
                let first = (place * self.realisations) as u64;
                places.extend((first..first + self.realisations as u64).map(|index| (models.len(), index)));
                models.push((number, one.value, model(&one.disc, self.duration, context.progress)?));
            }
        }
        let run = |here: &Context<'_>, (model, index): &(usize, u64)| {
            let run = models[*model].2.run(&Germ::new(here.seed, *index), &setting(here, self.duration));
            Ok(Row::of(*index, run)?)
        };
        let rows = context.all_items("realisations", &places, run, |row| row.run.is_err())?;
        let mut rows = models.iter().zip(rows.chunks(self.realisations.max(1))).peekable();
        let mut failed = 0;
        for (number, sweep) in self.sweep.iter().enumerate() {
            let (mut spreads, mut centres) = (Vec::new(), Vec::new());
            while let Some(((_, at, shared), rows)) = rows.next_if(|((of, ..), _)| *of == number) {
                let (disc, at) = (shared.disc(), *at);
                let uniform = uniform_belt(disc)?.cycle().ok().map(|cycle| cycle.landing_displacement);
                if let Some(uniform) = uniform {
                    own.push(sweep.parameter.clone());
                    own_value.push(at);
                    own_landing.push(uniform);
                }
                failed += rows.iter().filter(|row| row.run.is_err()).count();
                let found: Vec<f64> = rows
                    .iter()
                    .filter_map(|row| row.run.as_ref().ok())
                    .flat_map(|run| run.landing_displacements())
                    .collect();
                spreads.push((at, deviation(&found)));
                if let Some(uniform) = uniform.filter(|_| !found.is_empty()) {
                    centres.push(found.iter().sum::<f64>() / found.len() as f64 - uniform);
                }
                for x in found {
                    parameter.push(sweep.parameter.clone());
                    value.push(at);
                    landing.push(x);
                    relative.push(uniform.map_or(f64::NAN, |uniform| x - uniform));
                }
            }
            let name = sweep.parameter.replace('.', "_");
            outcome.push(&format!("{name}_values"), "", spreads.iter().map(|spread| spread.0).collect::<Vec<f64>>());
            let spread: Vec<Option<f64>> = spreads.iter().map(|spread| spread.1).collect();
            let known: Vec<(f64, f64)> = spreads.iter().filter_map(|(at, spread)| spread.map(|s| (*at, s))).collect();
            outcome.push(&format!("{name}_spread"), "m", spread);
            outcome.push(&format!("{name}_spread_first"), "m", known.first().map(|first| first.1));
            outcome.push(&format!("{name}_spread_last"), "m", known.last().map(|last| last.1));
            let largest = known.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
            outcome.push(&format!("{name}_spread_max"), "m", largest.map(|largest| largest.1));
            outcome.push(&format!("{name}_spread_argmax"), "", largest.map(|largest| largest.0));
            // thirds are less noisy than the ends of one realisation a value
            let third = (known.len() / 3).max(1);
            let mean = |part: &[(f64, f64)]| {
                (!part.is_empty()).then(|| part.iter().map(|spread| spread.1).sum::<f64>() / part.len() as f64)
            };
            let (low, high) =
                (mean(&known[..third.min(known.len())]), mean(&known[known.len().saturating_sub(third)..]));
            outcome.push(&format!("{name}_spread_low"), "m", low);
            outcome.push(&format!("{name}_spread_high"), "m", high);
            outcome.push(&format!("{name}_spread_growth"), "", low.zip(high).map(|(low, high)| high / low));
            // where the landings of one realisation stay together, how far those of different values are apart
            let late = centres.get(centres.len().saturating_sub(third)..).unwrap_or_default();
            outcome.push(&format!("{name}_centre_spread_high"), "m", deviation(late));
        }
        outcome.push("landings", "", landing.len());
        outcome.push("failed", "", failed);
        outcome.tables.push(
            Table::new("landings", "one row a landing")
                .words("parameter", "parameter", parameter)
                .numbers("value", "", "value of the parameter", value)
                .numbers("landing_displacement", "m", "displacement at landing", landing)
                .numbers("deviation", "m", "difference to the uniform belt", relative),
        );
        outcome.tables.push(
            Table::new("uniform", "landing on the uniform belt, one row a value")
                .words("parameter", "parameter", own)
                .numbers("value", "", "value of the parameter", own_value)
                .numbers("landing_displacement", "m", "displacement at landing", own_landing),
        );
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, false)
    }
}

fn deviation(values: &[f64]) -> Option<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}
