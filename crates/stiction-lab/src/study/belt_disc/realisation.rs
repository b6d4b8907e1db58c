//! One realisation: its motion, transitions and turning points, beside the uniform belt, with the field under the disc.

use super::{length_ratio, mean_coefficient, model, setting, tables, uniform_belt, uniform_start};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Progress;
use stiction::analysis::belt_disc::{BeltModel, BeltRun, PeakToValley, Phase, StickMeasure};
use stiction::field::Germ;
use stiction::keys::Key;
use stiction::memory::Need;
use stiction::num::real::{cos, sin};
use stiction::num::statistics::{deviation, mean};
use stiction::system::BeltDisc;

/// One realisation, named by its index: the same bytes as within a campaign, with its whole motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Realisation {
    /// Index of the realisation, as in a campaign.
    pub index: u64,
    /// How long the motion is followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Time between samples of the motion \[s\]; samples at transitions are added.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub sample_step: f64,
    /// How samples of peak-to-valley values are taken.
    pub peak_to_valley: PeakToValley,
    /// How the stick fraction is measured.
    pub stick_measure: StickMeasure,
    /// Length of belt whose coefficient is mapped \[m\]; 0 for no map.
    #[schemars(range(min = 0.0))]
    pub map_length: f64,
    /// Points of the map per radius of the disc.
    #[schemars(range(min = 2.0, max = 200.0))]
    pub map_points: f64,
}

impl Default for Realisation {
    fn default() -> Self {
        Self {
            index: 0,
            duration: 100.0,
            sample_step: 0.01,
            peak_to_valley: PeakToValley::default(),
            stick_measure: StickMeasure::default(),
            map_length: 0.0,
            map_points: 16.0,
        }
    }
}

impl Study for Realisation {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        let germ = Germ::new(context.seed, self.index);
        let model = model(disc, self.duration, context.progress)?;
        let (run, samples) = model.trajectory(&germ, &setting(context, self.duration), self.sample_step)?;
        let mut outcome = Outcome::default();
        self.push(&mut outcome, disc, &run);
        outcome.events = run.events.iter().map(tables::told).collect();
        outcome.tables.push(tables::motion_table(&samples, disc.belt_speed));
        self.beside_uniform(&mut outcome, disc)?;
        outcome.tables.push(tables::event_table(&run, disc.belt_speed));
        outcome.tables.push(turning_table(&run));
        if self.map_length > 0.0 {
            self.map(&mut outcome, disc, &model, (&germ, &run), context.progress)?;
        }
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, false)
    }
}

impl Realisation {
    fn push(&self, outcome: &mut Outcome, disc: &BeltDisc, run: &BeltRun) {
        let transient = run.transient();
        let first = run.events.iter().find(|event| event.kind == Phase::Slip).map(|event| event.time);
        let turned = || run.turning_points.iter().filter(|point| first.is_some_and(|first| point.time > first));
        outcome.push("stick_fraction", "", run.stick_fraction(self.stick_measure));
        let mut samples = |name: &str, unit: &str, values: Vec<f64>| {
            outcome.push(&format!("{name}_mean"), unit, mean(values.iter().copied()));
            outcome.push(&format!("{name}_std"), unit, deviation(&values));
            outcome.push(name, unit, values);
        };
        samples("peak_to_valley_displacement", "m", run.peak_to_valley_displacement(self.peak_to_valley));
        samples("peak_to_valley_force", "N", run.peak_to_valley_force(self.peak_to_valley));
        samples("stick_time", "s", run.stick_times());
        samples("slip_time", "s", run.slip_times());
        samples("period", "s", run.periods());
        samples("landing_displacement", "m", run.landing_displacements());
        outcome.push("turning_times", "s", turned().map(|point| point.time).collect::<Vec<f64>>());
        outcome.push("turning_displacements", "m", turned().map(|point| point.displacement).collect::<Vec<f64>>());
        let count = |kind: Phase| run.events.iter().filter(|event| event.kind == kind).count();
        outcome.push("landings", "", count(Phase::Stick));
        outcome.push("breakaways", "", count(Phase::Slip));
        outcome.push("near_landings", "", run.near_landings.len());
        outcome.push("transient_time", "s", transient.time);
        outcome.push("flagged", "", transient.flagged);
        outcome.push("largest_transverse_displacement", "m", run.largest_transverse_displacement);
        outcome.push("largest_angular_velocity", "rad/s", run.largest_angular_velocity);
        outcome.push("rotation_share", "", run.rotation_share);
        outcome.push("belt_work", "J", run.belt_work);
        outcome.push("dissipated", "J", run.dissipated);
        outcome.push("energy_residual", "J", run.energy_residual);
        let relative = (run.belt_work.abs() > 0.0).then(|| (run.energy_residual / run.belt_work).abs());
        outcome.push("energy_residual_relative", "", relative);
        outcome.push("evaluations", "", run.effort.evaluations as usize);
        outcome.push("length_ratio", "", length_ratio(disc));
        if transient.flagged {
            outcome.warnings.push("fewer than two breakaways: the end of the transient is a guess".to_owned());
        }
    }

    /// The motion on the belt with the mean coefficient, where there is one in closed form.
    fn beside_uniform(&self, outcome: &mut Outcome, disc: &BeltDisc) -> Result<(), StudyError> {
        if mean_coefficient(disc).is_err() || disc.belt_speed == 0.0 {
            return Ok(());
        }
        let belt = uniform_belt(disc)?;
        let (Some(start), Ok(cycle)) = (uniform_start(disc), belt.cycle()) else { return Ok(()) };
        let samples = (self.duration / self.sample_step).ceil().max(1.0) as usize + 1;
        outcome.tables.push(tables::uniform_table(&belt, disc.belt_speed, start, self.duration, samples)?);
        outcome.push("uniform_period", "s", cycle.period);
        outcome.push("uniform_peak_to_valley_displacement", "m", cycle.peak_to_valley_displacement);
        outcome.push("uniform_peak_to_valley_force", "N", cycle.peak_to_valley_force);
        outcome.push("uniform_stick_fraction", "", belt.raw_stick_fraction(start, self.duration)?);
        Ok(())
    }

    /// The coefficient along the belt, the outline of the disc where it starts and where it sticks, and its path.
    fn map(
        &self,
        outcome: &mut Outcome,
        disc: &BeltDisc,
        model: &BeltModel,
        (germ, run): (&Germ, &BeltRun),
        progress: &dyn Progress,
    ) -> Result<(), StudyError> {
        let radius = disc.radius;
        let step = radius / self.map_points;
        let half = (1.1 * radius / step).floor();
        let rows = 2 * half as usize + 1;
        let columns = (self.map_length / step).ceil().max(1.0) + 1.0;
        let need =
            Need::new(Key::study("map_length"), self.map_length, rows as f64 * columns, "points of the map", 64.0);
        progress.memory().admit(&need)?;
        let columns = columns as usize;
        // the belt passes under the disc: places go backwards from the start
        let ahead = 1.1 * radius;
        let sign = if disc.belt_speed < 0.0 { -1.0 } else { 1.0 };
        let start = run.start_state[0];
        let mut points = Vec::with_capacity(rows * columns);
        for column in 0..columns {
            let x = start + sign * (ahead - self.map_length + step * column as f64);
            points.extend((0..rows).map(|row| [x, step * (row as f64 - half)]));
        }
        let values = model.coefficients(germ, &points)?;
        let field = Table::new("field", "the coefficient on the belt, one row a point; belt coordinates")
            .numbers("x", "m", "place on the belt X", points.iter().map(|point| point[0]).collect())
            .numbers("y", "m", "Y", points.iter().map(|point| point[1]).collect())
            .numbers("coefficient", "", "coefficient H_s", values);
        outcome.tables.push(field);
        let end = start + sign * (ahead - self.map_length + radius);
        let shown = |x: f64| if sign > 0.0 { x > end } else { x < end };
        let mut centres = vec![("start".to_owned(), [start, run.start_state[1]])];
        for event in run.events.iter().filter(|event| event.kind == Phase::Stick) {
            let x = event.displacement - disc.belt_speed * event.time;
            if shown(x) {
                centres.push((format!("stick {}", centres.len()), [x, event.transverse_displacement]));
            }
        }
        let (mut names, mut kinds, mut x, mut y) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (name, centre) in &centres {
            for i in 0..=96 {
                let angle = std::f64::consts::TAU * f64::from(i) / 96.0;
                names.push(name.clone());
                kinds.push((if name == "start" { "at the start" } else { "where it sticks" }).to_owned());
                x.push(centre[0] + radius * cos(angle));
                y.push(centre[1] + radius * sin(angle));
            }
        }
        let outlines = Table::new("outlines", "the rim of the disc on the belt, at the start and where it sticks")
            .words("disc", "disc", names)
            .words("kind", "disc", kinds)
            .numbers("x", "m", "place on the belt X", x)
            .numbers("y", "m", "Y", y);
        outcome.tables.push(outlines);
        Ok(())
    }
}

fn turning_table(run: &BeltRun) -> Table {
    let kind = |maximum: bool| (if maximum { "maximum" } else { "minimum" }).to_owned();
    Table::new("turning_points", "where the disc turns, one row a turning point")
        .numbers("time", "s", "time t", run.turning_points.iter().map(|point| point.time).collect())
        .words("kind", "kind", run.turning_points.iter().map(|point| kind(point.maximum)).collect())
        .numbers("displacement", "m", "displacement x", run.turning_points.iter().map(|p| p.displacement).collect())
}
