//! Smallest and largest rotation in the steady state against a parameter, beside the equilibrium and its Hopf points.

use super::knob::Knob;
use super::known;
use super::runs;
use super::variant::{DiscVariant, Named, named};
use crate::dataset::{Outcome, Table, Value};
use crate::study::offer::COARSE;
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::two_disc::{Crossing, Linearisation, Row, Scan, Stability, crossings, row};
use stiction::num::statistics;
use stiction::system::TwoDisc;

const STUDY: &str = "steady_extremes";

/// Extremes of the rotation in a late window against a parameter: the bifurcation diagram of two discs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SteadyExtremes {
    /// The parameter and its values.
    pub sweep: Sweep,
    /// Length of every run \[s\].
    #[serde(default = "duration")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Begin of the window in which extremes are sought \[s\]; by default after two thirds of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub window_start: Option<f64>,
    /// More values on both sides of every change of stability: so many in between two values of the sweep.
    #[serde(default)]
    #[schemars(range(max = 100))]
    pub refine: usize,
    /// Values at which the peak-to-peak rotation is told, in the unit of the parameter.
    #[serde(default)]
    pub report_at: Vec<f64>,
    /// Several pairs of discs; quantities are lists in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variant: Vec<DiscVariant>,
}

fn duration() -> f64 {
    300.0
}

/// A peak-to-peak rotation above which the motion counts as an oscillation \[rad\].
const OSCILLATES: f64 = 1e-3;

/// The rows of one pair of discs, and where its equilibrium changes stability.
struct Diagram {
    of: Named,
    rows: Vec<Row>,
    scan: Scan,
}

impl Study for SteadyExtremes {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let discs = context.two_disc()?;
        let knob = Knob::of(discs, &self.sweep.parameter, &format!("study.{STUDY}.sweep.parameter"))?;
        let values = self.sweep.values(&format!("study.{STUDY}.sweep"))?;
        let transient = runs::transient(STUDY, self.duration, (self.window_start, None), context.solver)?;
        let mut scanned = Vec::new();
        for of in named(&self.variant, discs, STUDY)? {
            let family = |value: f64| knob.at(&of.discs, value);
            let scan = crossings(&family, &finer(&values), Linearisation::Reduced, context.progress)?;
            let values = refined(&values, &scan.crossings, self.refine);
            scanned.push((of, scan, values));
        }
        let all: Vec<(&TwoDisc, f64)> =
            scanned.iter().flat_map(|(of, _, values)| values.iter().map(|value| (&of.discs, *value))).collect();
        let run = |here: &Context<'_>, (of, value): &(&TwoDisc, f64)| {
            let row = row(&|value| knob.at(of, value), *value, &transient)?;
            here.progress.worked(row.outcome.effort);
            Ok(row)
        };
        let mut rows = context.all_items("runs", &all, run, |row| row.outcome.rotation.is_none())?.into_iter();
        let diagram = |(of, scan, values): (Named, Scan, Vec<f64>)| {
            let rows = rows.by_ref().take(values.len()).collect();
            Diagram { of, rows, scan }
        };
        let diagrams: Vec<Diagram> = scanned.clone().into_iter().map(diagram).collect();
        let mut outcome = Outcome::default();
        self.push(&mut outcome, &diagrams, &knob);
        let all = diagrams.iter().flat_map(|one| one.rows.iter().map(|row| &row.outcome));
        outcome.warnings.extend(runs::warnings(all, discs.lower.radius));
        outcome.tables.push(table(&diagrams, &knob));
        outcome.tables.push(branch_table(&diagrams, &knob));
        outcome.tables.push(crossing_table(&diagrams, &knob));
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::stiff(COARSE))
    }
}

/// The values with three more in between each two: narrow windows of stability are not to be missed.
fn finer(values: &[f64]) -> Vec<f64> {
    let between = |pair: &[f64]| {
        let [a, b] = *pair else { return Vec::new() };
        (0..4).map(|k| a + (b - a) * f64::from(k) / 4.0).collect()
    };
    values.windows(2).flat_map(between).chain(values.last().copied()).collect()
}

/// The values and some more around every crossing.
fn refined(values: &[f64], crossings: &[Crossing], more: usize) -> Vec<f64> {
    let mut all = values.to_vec();
    for pair in values.windows(2) {
        let [a, b] = *pair else { continue };
        if more > 0 && crossings.iter().any(|crossing| (a..=b).contains(&crossing.value)) {
            all.extend((1..=more).map(|k| a + (b - a) * k as f64 / (more + 1) as f64));
        }
    }
    all.sort_by(f64::total_cmp);
    all
}

impl SteadyExtremes {
    fn push(&self, outcome: &mut Outcome, diagrams: &[Diagram], knob: &Knob) {
        outcome.push("variants", "", diagrams.iter().map(|one| one.of.name.as_str()).collect::<Vec<_>>());
        let list = |of: &dyn Fn(&Diagram) -> Option<f64>| {
            Value::List(diagrams.iter().map(|one| of(one).and_then(known).into()).collect())
        };
        let first_loss = |one: &Diagram| one.scan.crossings.iter().find(|crossing| crossing.is_loss).map(|c| c.value);
        outcome.push("first_loss", knob.unit(), list(&first_loss));
        let last_gain =
            |one: &Diagram| one.scan.crossings.iter().rev().find(|crossing| !crossing.is_loss).map(|c| c.value);
        outcome.push("last_gain", knob.unit(), list(&last_gain));
        let last_loss =
            |one: &Diagram| one.scan.crossings.iter().rev().find(|crossing| crossing.is_loss).map(|c| c.value);
        outcome.push("last_loss", knob.unit(), list(&last_loss));
        outcome.push("changes_of_stability", "", list(&|one| Some(one.scan.crossings.len() as f64)));
        outcome.push("first_oscillation", knob.unit(), list(&|one| onset(&one.rows).map(|row| row.value)));
        let largest =
            |one: &Diagram| one.rows.iter().filter_map(|row| runs::peak_to_peak(&row.outcome)).reduce(f64::max);
        outcome.push("largest_peak_to_peak", "rad", list(&largest));
        let mean = |one: &Diagram| statistics::mean(one.rows.iter().filter_map(|row| runs::peak_to_peak(&row.outcome)));
        outcome.push("mean_peak_to_peak", "rad", list(&mean));
        let smallest =
            |one: &Diagram| one.rows.iter().filter_map(|row| runs::peak_to_peak(&row.outcome)).reduce(f64::min);
        outcome.push("smallest_peak_to_peak", "rad", list(&smallest));
        for value in &self.report_at {
            let at = |one: &Diagram| {
                let off = |row: &Row| (row.value - value).abs();
                let nearest = one.rows.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
                nearest.and_then(|row| runs::peak_to_peak(&row.outcome))
            };
            outcome.push(&format!("peak_to_peak_at_{}", runs::in_a_name(*value)), "rad", list(&at));
        }
        let count = |is: fn(&Row) -> bool| list(&|one| Some(one.rows.iter().filter(|row| is(row)).count() as f64));
        outcome.push("runs", "", count(|_| true));
        outcome.push("incomplete_runs", "", count(|row| row.outcome.rotation.is_none()));
        outcome.push("runs_beyond_disc", "", count(|row| row.outcome.left_disc_at.is_some()));
        let disagree = |row: &Row| {
            let Some(growth) = row.stability.and_then(|stability| stability.growth) else { return false };
            let Some(size) = runs::peak_to_peak(&row.outcome) else { return false };
            (growth < 0.0) == (size > OSCILLATES)
        };
        outcome.push("disagreements", "", count(disagree));
        let coexisting: usize = diagrams.iter().flat_map(|one| &one.rows).filter(|row| disagree(row)).count();
        if coexisting > 0 {
            outcome.warnings.push(format!(
                "in {coexisting} runs the motion and the eigenvalues disagree: an oscillation coexists with a stable equilibrium, or the \
                 run is too short for a slow growth or decay; stability is what the eigenvalues say"
            ));
        }
    }
}

/// The first value from which on the motion oscillates at every value of a quarter of the sweep.
fn onset(rows: &[Row]) -> Option<&Row> {
    let run = (rows.len() / 20).max(1);
    let oscillates = |row: &Row| {
        runs::reach(&row.outcome).is_some() && runs::peak_to_peak(&row.outcome).is_none_or(|size| size > OSCILLATES)
    };
    rows.windows(run).find(|window| window.iter().all(oscillates)).and_then(|window| window.first())
}

fn table(diagrams: &[Diagram], knob: &Knob) -> Table {
    let rows = || diagrams.iter().flat_map(|one| one.rows.iter().map(move |row| (one, row)));
    let column = |of: &dyn Fn(&Row) -> Option<f64>| rows().map(|(_, row)| of(row).unwrap_or(f64::NAN)).collect();
    let words = |of: &dyn Fn(&Row) -> &'static str| rows().map(|(_, row)| of(row).to_owned()).collect();
    let extreme = |row: &Row| runs::extremes(&row.outcome);
    Table::new("extremes", "extremes of the rotation in the window, one row a run")
        .words("variant", "discs", rows().map(|(one, _)| one.of.name.clone()).collect())
        .numbers(&knob.column(), knob.unit(), knob.label(), rows().map(|(_, row)| row.value).collect())
        .numbers("rotation_min", "rad", "rotation Θ", column(&|row| extreme(row).map(|ends| ends.0)))
        .numbers("rotation_max", "rad", "rotation Θ", column(&|row| extreme(row).map(|ends| ends.1)))
        .numbers("equilibrium", "rad", "rotation Θ", column(&|row| Some(row.stability?.equilibrium?.coordinates[2])))
        .numbers("growth", "1/s", "growth Re λ", column(&|row| row.stability?.growth))
        .words("stability", "stability", words(&|row| row.stability.map_or("none", |found| found.class.name())))
        .numbers("first_half", "rad", "peak to peak, first half", column(&|row| Some(row.outcome.rotation?.halves[0])))
        .numbers(
            "second_half",
            "rad",
            "peak to peak, second half",
            column(&|row| Some(row.outcome.rotation?.halves[1])),
        )
        .words("trend", "trend of Θ", words(&|row| runs::trend(&row.outcome)))
        .words(
            "translation_trend",
            "trend of the distance between the centres",
            words(&|row| row.outcome.translation.map_or(row.outcome.status.name(), |report| report.trend.name())),
        )
        .numbers(
            "max_contact_distance",
            "m",
            "largest distance of the contact",
            column(&|row| runs::reach(&row.outcome)),
        )
        .numbers("left_disc_time", "s", "contact leaves the lower disc", column(&|row| row.outcome.left_disc_at))
        .words("status", "status", words(&|row| row.outcome.status.name()))
        .words("reason", "why the run has no end", rows().map(|(_, row)| row.outcome.status.reason()).collect())
        .integers("steps", "steps", rows().map(|(_, row)| row.outcome.effort.steps as i64).collect())
}

fn branch_table(diagrams: &[Diagram], knob: &Knob) -> Table {
    let rows = || {
        let points = |one: &'_ Diagram| -> Vec<(f64, Stability)> {
            one.scan.values.iter().copied().zip(one.scan.points.iter().copied()).collect()
        };
        diagrams.iter().flat_map(move |one| points(one).into_iter().map(move |(value, point)| (one, value, point)))
    };
    let rotation = |point: &Stability| point.equilibrium.map_or(f64::NAN, |found| found.coordinates[2]);
    Table::new("branch", "the equilibrium that continues from small loads, more finely than the runs")
        .words("variant", "discs", rows().map(|(one, ..)| one.of.name.clone()).collect())
        .numbers(&knob.column(), knob.unit(), knob.label(), rows().map(|(_, value, _)| value).collect())
        .words("stability", "stability", rows().map(|(.., point)| point.class.name().to_owned()).collect())
        .numbers("rotation", "rad", "rotation Θ_e", rows().map(|(.., point)| rotation(&point)).collect())
        .numbers("growth", "1/s", "growth Re λ", rows().map(|(.., point)| point.growth.unwrap_or(f64::NAN)).collect())
}

fn crossing_table(diagrams: &[Diagram], knob: &Knob) -> Table {
    let rows = || diagrams.iter().flat_map(|one| one.scan.crossings.iter().map(move |crossing| (one, crossing)));
    Table::new("crossings", "changes of the equilibrium's stability, by eigenvalues")
        .words("variant", "discs", rows().map(|(one, _)| one.of.name.clone()).collect())
        .numbers(&knob.column(), knob.unit(), knob.label(), rows().map(|(_, crossing)| crossing.value).collect())
        .words("kind", "kind", rows().map(|(_, crossing)| crossing.kind.name().to_owned()).collect())
        .words(
            "change",
            "change",
            rows().map(|(_, one)| if one.is_loss { "loss" } else { "gain" }.to_owned()).collect(),
        )
        .numbers("frequency", "rad/s", "frequency ω", rows().map(|(_, crossing)| crossing.frequency).collect())
        .numbers(
            "rotation",
            "rad",
            "rotation Θ",
            rows().map(|(_, one)| one.equilibrium.map_or(f64::NAN, |found| found.coordinates[2])).collect(),
        )
}
