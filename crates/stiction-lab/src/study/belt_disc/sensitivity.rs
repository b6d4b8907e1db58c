//! Twin motions that start a little apart: how fast they separate.

use super::{model, setting};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::belt_disc::Sample;
use stiction::field::Germ;
use stiction::keys::Key;
use stiction::memory::Need;
use stiction::num::real::ln;
use stiction::num::statistics::slope;
use stiction::system::BeltDisc;
use stiction::system::belt_disc::BeltStart;

const KEY: &str = "study.sensitivity";

/// Growth of the distance between twin motions on the same belt, and the finite-time Lyapunov exponent with its spread over
/// realisations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sensitivity {
    /// Displacement of the twin at the start \[m\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub shift: f64,
    /// Number of realisations.
    #[schemars(range(min = 1, max = 100_000))]
    pub realisations: usize,
    /// How long the motions are followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Time between samples \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub sample_step: f64,
    /// Distance at which twins count as independent \[m\]; growth is measured below it.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub saturation: f64,
}

impl Default for Sensitivity {
    fn default() -> Self {
        Self { shift: 1e-7, realisations: 10, duration: 100.0, sample_step: 0.02, saturation: 1e-2 }
    }
}

/// One pair of twins.
#[derive(Serialize, Deserialize)]
struct Twins {
    times: Vec<f64>,
    distances: Vec<f64>,
    exponent: Option<f64>,
}

impl Study for Sensitivity {
    fn has_items(&self) -> bool {
        true
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        let noise = context.solver.absolute_tolerance + context.solver.relative_tolerance;
        if self.shift < 10.0 * noise {
            let message = format!(
                "is {:e} m, but the solver's tolerances ({noise:e}) would hide it: lower them or shift more",
                self.shift
            );
            return Err(StudyError::unsuitable(format!("{KEY}.shift"), message));
        }
        let indices: Vec<u64> = (0..self.realisations as u64).collect();
        let twins =
            context.all_items("realisations", &indices, |here, index| self.twins(disc, here, *index), |_| false)?;
        let mut outcome = Outcome::default();
        let exponents: Vec<f64> = twins.iter().filter_map(|twins| twins.exponent).collect();
        crate::study::statistics::push_moments(&mut outcome, "lyapunov_exponent", "1/s", &exponents);
        outcome.push("lyapunov_exponents", "1/s", exponents.clone());
        outcome.push("growing", "", exponents.iter().filter(|exponent| **exponent > 0.0).count());
        let last = |twins: &Twins| twins.distances.last().map(|distance| distance / self.shift);
        outcome.push("final_growth", "", twins.iter().map(last).collect::<Vec<Option<f64>>>());
        let word = |(index, twins): (usize, &Twins)| vec![format!("{index}"); twins.times.len()];
        outcome.tables.push(
            Table::new("growth", "distance of twin motions, one row a time")
                .words("realisation", "realisation", twins.iter().enumerate().flat_map(word).collect())
                .numbers("time", "s", "time t", twins.iter().flat_map(|twins| twins.times.clone()).collect())
                .numbers(
                    "distance",
                    "m",
                    "distance of the twins",
                    twins.iter().flat_map(|t| t.distances.clone()).collect(),
                ),
        );
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, true)
    }

    fn needs(&self) -> Vec<Need> {
        let (realisations, step) = (self.realisations as f64, self.sample_step);
        let count = realisations * self.duration / step;
        let need = Need::new(Key::study("sample_step"), step, count, "samples", 100.0).by_step();
        vec![need.or("duration", self.duration).or("realisations", realisations)]
    }
}

impl Sensitivity {
    fn twins(&self, disc: &BeltDisc, context: &Context<'_>, index: u64) -> Result<Twins, StudyError> {
        let setting = setting(context, self.duration);
        let germ = Germ::new(context.seed, index);
        let follow = |disc: &BeltDisc| -> Result<_, StudyError> {
            if context.progress.cancelled() {
                return Err(stiction::analysis::Cancelled.into());
            }
            Ok(model(disc, self.duration, context.progress)?.trajectory(&germ, &setting, self.sample_step)?)
        };
        let (run, one) = follow(disc)?;
        let mut start = run.start_state;
        start[0] += self.shift;
        let (_, other) = follow(&BeltDisc { start: BeltStart::State(start), ..disc.clone() })?;
        let omega = disc.natural_frequency();
        let grid = |samples: &[Sample]| samples.iter().copied().filter(|sample| !sample.extra).collect::<Vec<Sample>>();
        let (one, other) = (grid(&one), grid(&other));
        let distance = |(a, b): (&Sample, &Sample)| {
            let parts = [
                a.displacement - b.displacement,
                a.transverse_displacement - b.transverse_displacement,
                (a.velocity - b.velocity) / omega,
                (a.transverse_velocity - b.transverse_velocity) / omega,
            ];
            parts.iter().map(|part| part * part).sum::<f64>().sqrt()
        };
        let times: Vec<f64> = one.iter().map(|sample| sample.time).collect();
        let distances: Vec<f64> = one.iter().zip(&other).map(distance).collect();
        let exponent = self.exponent(&times, &distances, run.transient().time);
        Ok(Twins { times, distances, exponent })
    }

    /// Slope of ln(distance) by least squares, from the first breakaway until the twins are independent.
    fn exponent(&self, times: &[f64], distances: &[f64], from: f64) -> Option<f64> {
        let rows: Vec<(f64, f64)> = times
            .iter()
            .zip(distances)
            .take_while(|(_, distance)| **distance < self.saturation)
            .filter(|(time, distance)| **time >= from && **distance > 0.0)
            .map(|(time, distance)| (*time, ln(*distance)))
            .collect();
        if rows.len() < 10 { None } else { slope(&rows) }
    }
}
