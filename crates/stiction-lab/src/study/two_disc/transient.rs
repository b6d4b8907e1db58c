//! Motions of two discs from their start: extremes in a window, samples, stick-slip, validity.

use super::runs;
use super::variant::{DiscVariant, Named, named};
use super::{known, wrong};
use crate::dataset::{Outcome, Table, Value, number};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::two_disc::{Class, Outcome as Run, StickSlip, StickSlipRule, TrendRule, stability};
use stiction::analysis::{AnalysisError, Cancelled};
use stiction::system::two_disc::Start;

const STUDY: &str = "transient";

/// A motion from its start, or several that differ in some numbers.
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
    /// Instants at which coordinates are told \[s\], in any order.
    pub sample_times: Vec<f64>,
    /// Rows of the table of the motion, evenly spaced; 0 for none.
    #[schemars(range(max = 1_000_000))]
    pub rows: usize,
    /// Number of the realisation of the field.
    pub realisation: u64,
    /// How stick-slip is told.
    pub stick_slip: StickSlipRule,
    /// Limits between trends.
    pub trends: TrendRule,
    /// Several motions instead of one; quantities are then lists, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variant: Vec<DiscVariant>,
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
            variant: Vec::new(),
        }
    }
}

/// A motion and the discs that move.
struct Motion {
    of: Named,
    run: Run,
    /// Rotation and growth of the equilibrium, where there is one.
    equilibrium: Option<(f64, Option<f64>)>,
    /// Whether it starts where the centre of rotation sits on a cell, which sticks.
    starts_captured: bool,
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
        let all = named(&self.variant, discs, STUDY)?;
        context.progress.begin("motions", all.len() as u64);
        let motions = crate::parallel::map(&all, |of| -> Result<Motion, StudyError> {
            if context.progress.cancelled() {
                return Err(Cancelled.into());
            }
            let system = of.discs.realisation(context.seed, self.realisation).map_err(AnalysisError::from)?;
            let run = transient.run(&system);
            context.progress.worked(run.effort);
            let stability = match of.discs.drive_speed {
                0.0 => None,
                _ => Some(stability(&of.discs, Default::default())?),
            };
            let equilibrium =
                stability.and_then(|found| found.equilibrium.map(|one| (one.coordinates[2], found.growth)));
            let starts_captured =
                of.discs.start == Start::Equilibrium && stability.is_some_and(|found| found.class == Class::Captured);
            context.progress.advance(1);
            Ok(Motion { of: of.clone(), run, equilibrium, starts_captured })
        })?;
        let mut outcome = Outcome::default();
        self.push(&mut outcome, &motions, &asked);
        outcome.warnings.extend(runs::warnings(motions.iter().map(|motion| &motion.run), discs.lower.radius));
        if !rows.is_empty() {
            outcome.tables.push(table(&motions, &transient.sample_times, &rows));
        }
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::stiff(1e-6))
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

    fn push(&self, outcome: &mut Outcome, motions: &[Motion], asked: &[usize]) {
        let single = self.variant.is_empty();
        let mut push = |name: &str, unit: &str, of: &dyn Fn(&Motion) -> Value| match motions {
            [motion] if single => outcome.push(name, unit, of(motion)),
            _ => outcome.push(name, unit, Value::List(motions.iter().map(of).collect())),
        };
        let low = |motion: &Motion| -> Value { runs::extremes(&motion.run).map(|(low, _)| low).into() };
        let high = |motion: &Motion| -> Value { runs::extremes(&motion.run).map(|(_, high)| high).into() };
        push("rotation_min", "rad", &low);
        push("rotation_max", "rad", &high);
        push("peak_to_peak", "rad", &|motion| runs::peak_to_peak(&motion.run).into());
        push("trend", "", &|motion| runs::trend(&motion.run).into());
        let far = |motion: &Motion| motion.run.translation.map_or(motion.run.status.name(), |one| one.trend.name());
        push("translation_trend", "", &|motion| far(motion).into());
        let stick = |motion: &Motion| motion.run.stick_slip;
        push("stick_slip", "", &|motion| stick(motion).map(|found| found.class.name()).into());
        let count = |found: StickSlip| found.episodes;
        push("stick_episodes", "", &|motion| stick(motion).map(count).into());
        push("last_stick_time", "s", &|motion| stick(motion).and_then(|found| found.last_end).into());
        push("max_contact_distance", "m", &|motion| motion.run.reach.into());
        push("left_disc_time", "s", &|motion| motion.run.left_disc_at.into());
        push("equilibrium_rotation", "rad", &|motion| motion.equilibrium.map(|one| one.0).into());
        push("growth", "1/s", &|motion| motion.equilibrium.and_then(|one| one.1).into());
        push("status", "", &|motion| motion.run.status.name().into());
        push("steps", "", &|motion| (motion.run.effort.steps as usize).into());
        // coordinates at the instants asked for; null beyond the end of a run that was cut short
        for (name, unit, index) in [
            ("rotation", "rad", 2),
            ("upper_x", "m", 0),
            ("upper_y", "m", 1),
            ("lower_x", "m", 3),
            ("lower_y", "m", 4),
            ("lower_rotation", "rad", 5),
        ] {
            if asked.is_empty() {
                continue;
            }
            let list = |motion: &Motion| {
                let at = |place: &usize| motion.run.samples.get(*place).and_then(|sample| known(sample[index]));
                Value::List(asked.iter().map(|place| at(place).into()).collect())
            };
            push(name, unit, &list);
        }
        let name = |motion: &Motion| match motion.of.name.as_str() {
            "" => String::new(),
            name => format!("{name}: "),
        };
        for motion in motions.iter().filter(|motion| motion.starts_captured) {
            outcome.warnings.push(format!(
                "{}the run starts at a captured equilibrium: the centre of rotation sits on a cell, which sticks; without a \
                 perturbation it stays there",
                name(motion)
            ));
        }
        for motion in motions {
            let Some(needed) = stick(motion).and_then(|found| found.needed_duration) else { continue };
            outcome.warnings.push(format!(
                "{}the run is too short to tell stick-slip: it still loads slowly; {} s would do",
                name(motion),
                number(needed.ceil())
            ));
        }
    }
}

fn table(motions: &[Motion], times: &[f64], rows: &[usize]) -> Table {
    let mut columns: [Vec<f64>; 10] = Default::default();
    let mut names = Vec::new();
    for motion in motions {
        let drive = motion.of.discs.drive_speed;
        for &row in rows {
            let (Some(time), Some(sample)) = (times.get(row), motion.run.samples.get(row)) else { break };
            let [x1, y1, theta, x2, y2, phi, _, _, theta_rate, _, _, phi_rate, _] = *sample;
            let values = [*time, theta, theta_rate, theta_rate - drive - phi_rate, x1, y1, x2, y2, phi, phi_rate];
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(value);
            }
            names.push(motion.of.name.clone());
        }
    }
    let kinds = [
        ("time", "s", "time t"),
        ("rotation", "rad", "rotation Θ"),
        ("rotation_rate", "rad/s", "rotation rate dΘ/dt"),
        ("relative_spin", "rad/s", "relative spin"),
        ("upper_x", "m", "X_1"),
        ("upper_y", "m", "Y_1"),
        ("lower_x", "m", "X_2"),
        ("lower_y", "m", "Y_2"),
        ("lower_rotation", "rad", "rotation Φ"),
        ("lower_rotation_rate", "rad/s", "rotation rate dΦ/dt"),
    ];
    let start = Table::new("motion", "the motions, one row a sample").words("variant", "motion", names);
    kinds
        .into_iter()
        .zip(columns)
        .fold(start, |table, ((name, unit, label), column)| table.numbers(name, unit, label, column))
}
