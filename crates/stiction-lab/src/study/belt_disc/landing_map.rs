//! Where the disc lands, against a parameter: a bifurcation diagram of the random belt.

use super::swept::swept;
use super::{model, setting, uniform_belt};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::belt_disc::BeltRow;
use stiction::field::Germ;
use stiction::keys::Key;
use stiction::memory::Need;
use stiction::num::statistics::{deviation, mean};

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
    fn has_items(&self) -> bool {
        true
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        if self.sweep.is_empty() {
            return Err(StudyError::unsuitable(format!("{KEY}.sweep"), "is empty: give a parameter with its range"));
        }
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
            Ok(BeltRow::of(*index, run)?)
        };
        let rows = context.all_items("realisations", &places, run, |row| row.run.is_err())?;
        let (mut landings, mut values) = (Vec::new(), Vec::new());
        for ((number, value, shared), rows) in models.iter().zip(rows.chunks(self.realisations.max(1))) {
            let parameter = self.sweep[*number].parameter.as_str();
            let uniform = uniform_belt(shared.disc())?.cycle().ok().map(|cycle| cycle.landing_displacement);
            let found = rows.iter().filter_map(|row| row.run.as_ref().ok()).flat_map(|run| run.landing_displacements());
            let found: Vec<f64> = found.collect();
            values.push(At {
                parameter,
                value: *value,
                uniform,
                mean: mean(found.iter().copied()),
                deviation: deviation(&found),
            });
            landings.extend(found.into_iter().map(|place| (parameter, *value, place, uniform)));
        }
        let mut outcome = Outcome::default();
        outcome.push("landings", "", landings.len());
        outcome.push("failed", "", rows.iter().filter(|row| row.run.is_err()).count());
        let off = |(_, _, place, uniform): &(&str, f64, f64, Option<f64>)| uniform.map_or(f64::NAN, |it| place - it);
        outcome.tables.push(
            Table::new("landings", "one row a landing")
                .words("parameter", "parameter", landings.iter().map(|row| row.0.to_owned()).collect())
                .numbers("value", "", "value of the parameter", landings.iter().map(|row| row.1).collect())
                .numbers("landing_displacement", "m", "displacement at landing", landings.iter().map(|r| r.2).collect())
                .numbers("deviation", "m", "difference to the uniform belt", landings.iter().map(off).collect()),
        );
        outcome.tables.push(value_table(&values));
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, false)
    }

    fn needs(&self) -> Vec<Need> {
        let (count, values) =
            (self.realisations as f64, self.sweep.iter().map(|sweep| sweep.points as f64).sum::<f64>());
        let need = Need::new(Key::study("realisations"), count, count * values, "runs", 400.0);
        vec![if self.sweep.len() == 1 { need.or("sweep[0].points", values) } else { need }]
    }
}

/// What is known at one value.
struct At<'a> {
    parameter: &'a str,
    value: f64,
    /// Landing on the uniform belt \[m\].
    uniform: Option<f64>,
    /// Mean of the landings \[m\].
    mean: Option<f64>,
    /// Standard deviation of the landings \[m\].
    deviation: Option<f64>,
}

fn value_table(values: &[At<'_>]) -> Table {
    let column = |of: &dyn Fn(&At<'_>) -> Option<f64>| values.iter().map(|at| of(at).unwrap_or(f64::NAN)).collect();
    Table::new("uniform", "landing on the uniform belt, and landings on the random one beside it, one row a value")
        .words("parameter", "parameter", values.iter().map(|at| at.parameter.to_owned()).collect())
        .numbers("value", "", "value of the parameter", column(&|at| Some(at.value)))
        .numbers("landing_displacement", "m", "displacement at landing", column(&|at| at.uniform))
        .numbers(
            "centre",
            "m",
            "mean landing minus that on the uniform belt",
            column(&|at| Some(at.mean? - at.uniform?)),
        )
        .numbers("spread", "m", "standard deviation of the landings", column(&|at| at.deviation))
}
