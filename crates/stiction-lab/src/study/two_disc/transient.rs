//! A motion of two discs from its start: extremes in a window, samples, stick-slip, validity.

use super::{level, runs, wrong};
use crate::dataset::{Outcome, Table, Value, number};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::AnalysisError;
use stiction::analysis::two_disc::{Class, Stability, StickSlipRule, TransientOutcome, TrendRule, stability};
use stiction::system::two_disc::{
    DiscStart, LOWER_ROTATION, LOWER_X, LOWER_Y, RATES, TwoDisc, UPPER_ROTATION, UPPER_X, UPPER_Y,
};

const STUDY: &str = "transient";

/// A motion from its start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Transient {
    /// Length of the run \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Begin of the window in which extremes are sought \[s\]; by default after two thirds of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub window_start: Option<f64>,
    /// End of the window \[s\]; by default that of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub window_end: Option<f64>,
    /// Instants at which coordinates are reported \[s\], in any order.
    pub sample_times: Vec<f64>,
    /// Rows of the table of the motion, evenly spaced; 0 for none.
    #[schemars(range(max = 1_000_000))]
    pub rows: usize,
    /// Number of the realisation of the field.
    pub realisation: u64,
    /// How stick-slip is detected.
    pub stick_slip: StickSlipRule,
    /// Limits between trends.
    pub trends: TrendRule,
}

impl Default for Transient {
    fn default() -> Self {
        Self {
            duration: 300.0,
            window_start: None,
            window_end: None,
            sample_times: Vec::new(),
            rows: 3001,
            realisation: 0,
            stick_slip: StickSlipRule::default(),
            trends: TrendRule::default(),
        }
    }
}

impl Study for Transient {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let discs = context.two_disc()?;
        let window = (self.window_start, self.window_end);
        let mut transient = runs::transient(STUDY, self.duration, window, context.solver)?;
        runs::check_rule(STUDY, &self.stick_slip, self.duration)?;
        transient.stick_slip = Some(self.stick_slip);
        transient.trends = self.trends;
        let (instants, asked, rows) = self.instants()?;
        transient.sample_times = instants;
        let drawn = discs.realisation(context.seed, self.realisation).map_err(AnalysisError::from)?;
        let run = transient.run_with_progress(&drawn, context.progress)?;
        context.progress.worked(run.effort);
        let stability = match discs.drive_speed {
            0.0 => None,
            _ => Some(stability(discs, Default::default())?),
        };
        let mut outcome = Outcome::default();
        push(&mut outcome, &run, stability.as_ref(), &asked);
        outcome.warnings.extend(doubts(discs, &run, stability.as_ref()));
        outcome.warnings.extend(runs::warnings(std::iter::once(&run), discs.lower.radius));
        if !rows.is_empty() {
            outcome.tables.push(table(&run, discs.drive_speed, &transient.sample_times, &rows));
        }
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, 1e-6)
    }
}

/// Instants of a run, ascending; which of them were asked for, in the order of the question; and which are rows.
type Instants = (Vec<f64>, Vec<usize>, Vec<usize>);

impl Transient {
    fn instants(&self) -> Result<Instants, StudyError> {
        if let Some((index, time)) =
            self.sample_times.iter().enumerate().find(|(_, time)| !(0.0..=self.duration).contains(*time))
        {
            let message = format!("is {} s, but the run lasts from 0 to {} s", number(*time), number(self.duration));
            return Err(wrong(STUDY, &format!("sample_times[{index}]"), message));
        }
        let last = self.rows.saturating_sub(1).max(1) as f64;
        let grid = (0..self.rows).map(|row| (self.duration * row as f64 / last, None));
        let asked = self.sample_times.iter().enumerate().map(|(index, time)| (*time, Some(index)));
        let mut all: Vec<(f64, Option<usize>)> = grid.chain(asked).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut places = vec![0; self.sample_times.len()];
        let mut rows = Vec::with_capacity(self.rows);
        for (place, (_, index)) in all.iter().enumerate() {
            match index.and_then(|index| places.get_mut(index)) {
                Some(slot) => *slot = place,
                None => rows.push(place),
            }
        }
        Ok((all.into_iter().map(|(time, _)| time).collect(), places, rows))
    }
}

/// The coordinates with their units and labels, and where they are in a sample.
const COORDINATES: [(&str, &str, &str, usize); 6] = [
    ("rotation", "rad", "rotation Θ", UPPER_ROTATION),
    ("upper_x", "m", "X_1", UPPER_X),
    ("upper_y", "m", "Y_1", UPPER_Y),
    ("lower_x", "m", "X_2", LOWER_X),
    ("lower_y", "m", "Y_2", LOWER_Y),
    ("lower_rotation", "rad", "rotation Φ", LOWER_ROTATION),
];

fn push(outcome: &mut Outcome, run: &TransientOutcome, stability: Option<&Stability>, asked: &[usize]) {
    let extremes = runs::extremes(run);
    outcome.push("rotation_min", "rad", extremes.map(|(low, _)| low));
    outcome.push("rotation_max", "rad", extremes.map(|(_, high)| high));
    outcome.push("peak_to_peak", "rad", runs::peak_to_peak(run));
    outcome.push("first_half", "rad", run.rotation.map(|report| report.halves[0]));
    outcome.push("second_half", "rad", run.rotation.map(|report| report.halves[1]));
    outcome.push("trend", "", runs::trend(run));
    let repetition = run.rotation.and_then(|report| report.repetition);
    outcome.push("peaks_per_period", "", repetition.map(|found| found.peaks));
    outcome.push("peak_difference", "rad", repetition.map(|found| found.difference));
    let translation = run.translation.map_or(run.status.name(), |report| report.trend.name());
    outcome.push("translation_trend", "", translation);
    outcome.push("stick_slip", "", run.stick_slip.map(|found| found.class.name()));
    outcome.push("stick_episodes", "", run.stick_slip.map(|found| found.episodes));
    outcome.push("last_stick_time", "s", run.stick_slip.and_then(|found| found.last_end));
    outcome.push("max_contact_distance", "m", run.reach);
    outcome.push("left_disc_time", "s", run.left_disc_at);
    outcome.push("equilibrium_rotation", "rad", stability.and_then(level));
    outcome.push("growth", "1/s", stability.and_then(|found| found.growth));
    outcome.push("stability", "", stability.map_or("none", |found| found.class.name()));
    outcome.push("status", "", run.status.name());
    outcome.push("steps", "", run.effort.steps as usize);
    if asked.is_empty() {
        return;
    }
    // coordinates at the instants asked for; null beyond the end of a run that was cut short
    for (name, unit, _, index) in COORDINATES {
        let at = |place: &usize| run.samples.get(*place).map(|sample| sample[index]).filter(|value| value.is_finite());
        outcome.push(name, unit, Value::List(asked.iter().map(|place| at(place).into()).collect()));
    }
}

/// What a person should know about the motion.
fn doubts(discs: &TwoDisc, run: &TransientOutcome, stability: Option<&Stability>) -> Vec<String> {
    let mut doubts = Vec::new();
    if discs.start == DiscStart::Equilibrium && stability.is_some_and(|found| found.class == Class::Captured) {
        let message = "the run starts at a captured equilibrium: the centre of rotation sits on a cell, which sticks; without a \
                       perturbation it stays there";
        doubts.push(message.to_owned());
    }
    if let Some(needed) = run.stick_slip.and_then(|found| found.needed_duration) {
        doubts.push(format!(
            "the run is too short to detect stick-slip: it still loads slowly; {} s would do",
            number(needed.ceil())
        ));
    }
    doubts
}

fn table(run: &TransientOutcome, drive_speed: f64, times: &[f64], rows: &[usize]) -> Table {
    // a run that was cut short has fewer samples
    let rows: Vec<(f64, &[f64; 13])> =
        rows.iter().map_while(|&row| times.get(row).copied().zip(run.samples.get(row))).collect();
    let column = |of: &dyn Fn(&[f64; 13]) -> f64| rows.iter().map(|(_, sample)| of(sample)).collect::<Vec<f64>>();
    let rate = |coordinate: usize| column(&|sample| sample[RATES + coordinate]);
    let spin = |sample: &[f64; 13]| sample[RATES + UPPER_ROTATION] - drive_speed - sample[RATES + LOWER_ROTATION];
    let table = Table::new("motion", "the motion, one row a sample").numbers(
        "time",
        "s",
        "time t",
        rows.iter().map(|(time, _)| *time).collect(),
    );
    COORDINATES
        .into_iter()
        .fold(table, |table, (name, unit, label, index)| {
            table.numbers(name, unit, label, column(&|sample| sample[index]))
        })
        .numbers("rotation_rate", "rad/s", "rotation rate dΘ/dt", rate(UPPER_ROTATION))
        .numbers("lower_rotation_rate", "rad/s", "rotation rate dΦ/dt", rate(LOWER_ROTATION))
        .numbers("relative_spin", "rad/s", "relative spin", column(&spin))
}
