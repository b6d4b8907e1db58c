//! The belt with one coefficient everywhere: the classical cycle.

use super::{setting, tables, uniform_belt, uniform_start};
use crate::dataset::{Outcome, Table, Value};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::belt_disc::{BeltRun, PeakToValley, StickMeasure, UniformBelt};
use stiction::field::Germ;
use stiction::system::BeltDisc;

/// The cycle on a belt with the mean coefficient everywhere: in closed form, and simulated beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Deterministic {
    /// How long the motion is followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Number of samples in the table of the motion.
    #[schemars(range(min = 2, max = 1_000_000))]
    pub samples: usize,
    /// How many harmonics of the displacement are told.
    #[schemars(range(min = 0, max = 10_000))]
    pub harmonics: usize,
}

impl Default for Deterministic {
    fn default() -> Self {
        Self { duration: 100.0, samples: 2001, harmonics: 6 }
    }
}

impl Study for Deterministic {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        let belt = uniform_belt(disc)?;
        let uniform = disc.uniform(belt.static_coefficient());
        let run = super::model(&uniform, self.duration, context.progress)?
            .run(&Germ::new(context.seed, 0), &setting(context, self.duration))?;
        let mut outcome = Outcome::default();
        match belt.cycle() {
            Ok(_) => self.closed_form(&mut outcome, disc, &belt, &run)?,
            Err(error) => {
                outcome.warnings.push(format!("{error}; the numbers are those of the simulation"));
                simulated(&mut outcome, &run);
            }
        }
        outcome.push("stick_fraction_raw", "", run.stick_fraction(StickMeasure::Raw));
        outcome.push("energy_residual", "J", run.energy_residual);
        outcome.push("evaluations", "", run.effort.evaluations as usize);
        outcome.events = run.events.iter().map(tables::told).collect();
        outcome.tables.push(tables::event_table(&run, disc.belt_speed));
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        let AnySystem::BeltDisc(disc) = system else { return None };
        super::motions(&AnySystem::BeltDisc(disc.uniform(1.0)), false)
    }
}

impl Deterministic {
    fn closed_form(
        &self,
        outcome: &mut Outcome,
        disc: &BeltDisc,
        belt: &UniformBelt,
        run: &BeltRun,
    ) -> Result<(), StudyError> {
        let cycle = belt.cycle()?;
        outcome.push("stick_time", "s", cycle.stick_time);
        outcome.push("slip_time", "s", cycle.slip_time);
        outcome.push("period", "s", cycle.period);
        outcome.push("max_displacement", "m", cycle.max_displacement);
        outcome.push("min_displacement", "m", cycle.min_displacement);
        outcome.push("peak_to_valley_displacement", "m", cycle.peak_to_valley_displacement);
        outcome.push("peak_to_valley_force", "N", cycle.peak_to_valley_force);
        outcome.push("stick_fraction", "", cycle.stick_fraction);
        outcome.push("breakaway_displacement", "m", cycle.breakaway_displacement);
        outcome.push("landing_displacement", "m", cycle.landing_displacement);
        outcome.push("dissipation_per_cycle", "J", cycle.dissipation);
        let first = uniform_start(disc).and_then(|start| belt.transient(start));
        outcome.push("first_landing_time", "s", first.map(|first| first.landing_time));
        outcome.push("first_landing_displacement", "m", first.map(|first| first.landing_displacement));
        outcome.push("first_breakaway_time", "s", first.map(|first| first.breakaway_time));
        let (mean, harmonics) = belt.harmonics(self.harmonics)?;
        outcome.push("mean_displacement", "m", mean);
        outcome.push("harmonics", "m", harmonics.clone());
        // the simulation beside the closed form
        let last = |values: &[f64]| values.last().copied();
        let travel = run.peak_to_valley_displacement(PeakToValley::TurningPoints);
        let pull = run.peak_to_valley_force(PeakToValley::TurningPoints);
        let (time, length, force) = (cycle.period, cycle.peak_to_valley_displacement, cycle.peak_to_valley_force);
        let pairs = [
            (last(&run.stick_times()), cycle.stick_time, time),
            (last(&run.slip_times()), cycle.slip_time, time),
            (last(&run.periods()), cycle.period, time),
            (last(&run.landing_displacements()), cycle.landing_displacement, length),
            (last(&travel), cycle.peak_to_valley_displacement, length),
            (last(&pull), cycle.peak_to_valley_force, force),
        ];
        // relative to the value, unless that is small by chance
        let off = pairs.iter().filter_map(|(found, wanted, size)| {
            found.map(|found| (found - wanted).abs() / wanted.abs().max(1e-3 * size))
        });
        outcome.push("simulation_deviation", "", off.reduce(f64::max));
        let table = Table::new("harmonics", "amplitudes of the harmonics of the displacement, one row a harmonic")
            .integers("number", "harmonic n", (1..=harmonics.len() as i64).collect())
            .numbers("frequency", "Hz", "frequency f", (1..=harmonics.len()).map(|n| n as f64 / cycle.period).collect())
            .numbers("amplitude", "m", "amplitude a_n", harmonics);
        if let Some(start) = uniform_start(disc) {
            outcome.tables.push(tables::uniform_table(belt, disc.belt_speed, start, self.duration, self.samples)?);
        }
        outcome.tables.push(table);
        Ok(())
    }
}

/// The last cycle of a simulation.
fn simulated(outcome: &mut Outcome, run: &BeltRun) {
    let last = |values: Vec<f64>| Value::from(values.last().copied());
    let (stick, period) = (run.stick_times().last().copied(), run.periods().last().copied());
    outcome.push("stick_time", "s", last(run.stick_times()));
    outcome.push("slip_time", "s", last(run.slip_times()));
    outcome.push("period", "s", period);
    let turning = |maximum: bool| {
        let points = run.turning_points.iter().rev().find(|point| point.maximum == maximum);
        Value::from(points.map(|point| point.displacement))
    };
    outcome.push("max_displacement", "m", turning(true));
    outcome.push("min_displacement", "m", turning(false));
    outcome.push(
        "peak_to_valley_displacement",
        "m",
        last(run.peak_to_valley_displacement(PeakToValley::TurningPoints)),
    );
    outcome.push("peak_to_valley_force", "N", last(run.peak_to_valley_force(PeakToValley::TurningPoints)));
    outcome.push("stick_fraction", "", stick.zip(period).map(|(stick, period)| stick / period));
    outcome.push("landing_displacement", "m", last(run.landing_displacements()));
}
