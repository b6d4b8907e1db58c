//! Extremes of the rotation against a parameter, deterministic and over realisations of the interval field.

use super::known;
use super::map_shape::mean_between;
use super::runs;
use super::variant::{DiscVariant, Named, named, without_field};
use crate::dataset::{Outcome, Table, Value};
use crate::study::family::parameter;
use crate::study::offer::COARSE;
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::AnalysisError;
use stiction::analysis::two_disc::{IntervalStudy, Row, Transient, bounds, row};
use stiction::keys::Parameter;
use stiction::system::TwoDisc;

const STUDY: &str = "interval_sweep";

/// Cost of one step of a run with the face of the paper on one core [µs]; only for the estimate that is told.
const MICROSECONDS_PER_STEP: f64 = 12.0;

/// Extremes of the rotation in a late window against a parameter: without a field, and over realisations of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IntervalSweep {
    /// The parameter and its values with the field.
    pub sweep: Sweep,
    /// Number of values without the field, over the range of `deterministic_from` to the end of the sweep.
    #[serde(default = "hundred")]
    #[schemars(range(min = 2, max = 100_000))]
    pub deterministic_points: usize,
    /// First value without the field; by default that of the sweep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deterministic_from: Option<f64>,
    /// Length of every run \[s\].
    #[serde(default = "duration")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Begin of the window in which extremes are sought \[s\]; by default after two thirds of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub window_start: Option<f64>,
    /// Realisations of the field at each value.
    #[serde(default = "thousand")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub realisations: u64,
    /// Whether runs at the worst vertices are made too.
    #[serde(default)]
    pub vertices: bool,
    /// Several pairs of discs; quantities are lists in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variant: Vec<DiscVariant>,
}

fn hundred() -> usize {
    100
}

fn duration() -> f64 {
    300.0
}

fn thousand() -> u64 {
    1000
}

/// One value with the field.
struct Sampled {
    value: f64,
    ends: Option<(f64, f64)>,
    vertices: Option<(f64, f64)>,
    failed: usize,
    beyond_disc: usize,
}

/// Everything about one pair of discs.
struct Diagram {
    of: Named,
    deterministic: Vec<Row>,
    sampled: Vec<Sampled>,
}

impl Study for IntervalSweep {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let discs = context.two_disc()?;
        if discs.field.is_none() {
            let message = "is missing: there is nothing uncertain; give `field = {}` for that of the paper";
            return Err(StudyError::unsuitable("system.two_disc.field", message));
        }
        let knob = parameter(discs, &self.sweep.parameter, &format!("study.{STUDY}.sweep.parameter"))?;
        let values = self.sweep.values(&format!("study.{STUDY}.sweep"))?;
        let from = self.deterministic_from.unwrap_or(self.sweep.from);
        let plain = Sweep { from, points: self.deterministic_points, ..self.sweep.clone() };
        let mut plain = plain.values(&format!("study.{STUDY}"))?;
        // what the field does is compared at its own values
        plain.extend(&values);
        plain.sort_by(f64::total_cmp);
        plain.dedup_by(|a, b| (*a - *b).abs() <= 1e-9 * b.abs());
        let transient = runs::transient(STUDY, self.duration, (self.window_start, None), context.solver)?;
        let variants = named(&self.variant, discs, STUDY)?;
        let sampled = self.sample(&variants, &knob, &values, &transient, context)?;
        let bare: Vec<TwoDisc> = variants.iter().map(|of| without_field(of.discs.clone())).collect();
        let all: Vec<(&TwoDisc, f64)> =
            bare.iter().flat_map(|of| plain.iter().map(move |value| (of, *value))).collect();
        let run = |here: &Context<'_>, (of, value): &(&TwoDisc, f64)| {
            let row = row(&|value| Ok(knob.at(*of, value)?), *value, &transient)?;
            here.progress.worked(row.outcome.effort);
            Ok(row)
        };
        let rows = context.all_items("runs", &all, run, |row| row.outcome.rotation.is_none())?;
        let parts = variants.into_iter().zip(rows.chunks(plain.len().max(1))).zip(sampled);
        let diagrams: Vec<Diagram> =
            parts.map(|((of, rows), sampled)| Diagram { of, deterministic: rows.to_vec(), sampled }).collect();
        let mut outcome = Outcome::default();
        push(&mut outcome, &diagrams, &knob);
        outcome.push("realisations", "", self.realisations as usize);
        let plain_runs = diagrams.iter().flat_map(|one| one.deterministic.iter().map(|row| &row.outcome));
        outcome.warnings.extend(runs::warnings(plain_runs, discs.lower.radius));
        let count = |of: fn(&Sampled) -> usize| diagrams.iter().flat_map(|one| &one.sampled).map(of).sum::<usize>();
        for (number, what) in [
            (
                count(|one| one.beyond_disc),
                "let the contact leave the lower disc: from there on they describe no real mechanism",
            ),
            (count(|one| one.failed), "did not reach their end: they are counted, and have no extremes"),
        ] {
            if number > 0 {
                outcome.warnings.push(format!("{number} runs with a field {what}"));
            }
        }
        outcome.tables.push(deterministic_table(&diagrams, &knob));
        outcome.tables.push(sampled_table(&diagrams, &knob));
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::stiff(COARSE))
    }
}

/// What is kept of one realisation.
#[derive(Serialize, Deserialize)]
struct Kept {
    ends: Option<(f64, f64)>,
    beyond_disc: bool,
}

impl IntervalSweep {
    /// All realisations at all values, as one piece of work whose cost is told before it begins; one list for each pair of
    /// discs.
    fn sample(
        &self,
        variants: &[Named],
        knob: &Parameter,
        values: &[f64],
        transient: &Transient,
        context: &Context<'_>,
    ) -> Result<Vec<Vec<Sampled>>, StudyError> {
        let mut places = Vec::new();
        for of in variants {
            for value in values {
                places.push(knob.at(&of.discs, *value)?);
            }
        }
        let per_value = self.realisations as usize;
        let cost = context.once("cost", |_| self.cost(&places, transient))?;
        context.progress.announce(&cost);
        let items: Vec<(&TwoDisc, u64)> =
            places.iter().flat_map(|there| (0..self.realisations).map(move |index| (there, index))).collect();
        let run = |here: &Context<'_>, (there, index): &(&TwoDisc, u64)| {
            let run = transient.run_if_possible(there.realisation(here.seed, *index)).map_err(AnalysisError::from)?;
            here.progress.worked(run.effort);
            Ok(Kept { ends: runs::extremes(&run), beyond_disc: run.left_disc_at.is_some() })
        };
        let kept = context.all_items("realisations", &items, run, |kept| kept.ends.is_none())?;
        let mut kept = places.iter().zip(kept.chunks(per_value));
        let mut all = Vec::with_capacity(variants.len());
        for _ in variants {
            let mut sampled = Vec::with_capacity(values.len());
            for (value, (there, kept)) in values.iter().zip(kept.by_ref()) {
                sampled.push(Sampled {
                    value: *value,
                    ends: kept.iter().filter_map(|one| one.ends).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))),
                    vertices: self.worst(there, transient, context)?,
                    failed: kept.iter().filter(|one| one.ends.is_none()).count(),
                    beyond_disc: kept.iter().filter(|one| one.beyond_disc).count(),
                });
            }
            all.push(sampled);
        }
        Ok(all)
    }

    /// The work in words, with what it will cost: judged by the steps of a few of its runs.
    fn cost(&self, places: &[TwoDisc], transient: &Transient) -> Result<String, StudyError> {
        let runs = places.len() as u64 * self.realisations;
        let judged = [0, places.len() / 2, places.len().saturating_sub(1)];
        let mut steps = 0.0;
        for there in judged.iter().filter_map(|place| places.get(*place)) {
            let run = transient.run_if_possible(there.realisation(0, 0)).map_err(AnalysisError::from)?;
            steps += run.effort.steps as f64;
        }
        let minutes = steps / judged.len() as f64 * runs as f64 * MICROSECONDS_PER_STEP / 60e6;
        let cost =
            if minutes < 1.0 { "under a core-minute".to_owned() } else { format!("about {minutes:.0} core-minutes") };
        Ok(format!("{runs} runs with a field will take {cost}"))
    }

    fn worst(
        &self,
        discs: &TwoDisc,
        transient: &Transient,
        context: &Context<'_>,
    ) -> Result<Option<(f64, f64)>, StudyError> {
        if !self.vertices {
            return Ok(None);
        }
        let study = IntervalStudy { transient: transient.clone(), realisations: 0, seed: context.seed, rounds: 2 };
        Ok(bounds(discs, &study, &[], context.progress)?.vertices)
    }
}

fn nearest(rows: &[Row], value: f64) -> Option<&Row> {
    rows.iter().min_by(|a, b| (a.value - value).abs().total_cmp(&(b.value - value).abs()))
}

/// Whether the two extremes of a run count as two values \[rad\].
fn apart(size: f64) -> bool {
    size > 1e-2
}

/// Share of runs whose extremes are one value, and the share of these at which that value is the equilibrium.
fn single_valued(rows: &[Row]) -> Option<(f64, Option<f64>)> {
    let ends: Vec<(&Row, (f64, f64))> =
        rows.iter().filter_map(|row| Some((row, runs::extremes(&row.outcome)?))).collect();
    let single: Vec<&(&Row, (f64, f64))> = ends.iter().filter(|(_, (low, high))| !apart(high - low)).collect();
    let is_at_rest = |(row, (low, high)): &&&(&Row, (f64, f64))| {
        let level = row.stability.and_then(|found| found.equilibrium).map(|found| found.coordinates[2]);
        level.is_some_and(|level| !apart((low - level).abs().max((high - level).abs())))
    };
    let at_rest = single.iter().filter(is_at_rest).count();
    let share = |part: usize, all: usize| (all > 0).then(|| part as f64 / all as f64);
    Some((share(single.len(), ends.len())?, share(at_rest, single.len())))
}

fn push(outcome: &mut Outcome, diagrams: &[Diagram], knob: &Parameter) {
    outcome.push("variants", "", diagrams.iter().map(|one| one.of.name.as_str()).collect::<Vec<_>>());
    let list = |of: &dyn Fn(&Diagram) -> Option<f64>| {
        Value::List(diagrams.iter().map(|one| of(one).and_then(known).into()).collect())
    };
    let level = |row: &Row| Some(row.stability?.equilibrium?.coordinates[2]);
    let levels =
        |one: &Diagram| one.deterministic.iter().filter_map(|row| Some((row.value, level(row)?))).collect::<Vec<_>>();
    // the first local maximum of the equilibrium
    let top = |one: &Diagram| {
        let levels = levels(one);
        levels.windows(3).find(|w| w[1].1 > w[0].1 && w[1].1 >= w[2].1).map(|w| w[1].0)
    };
    outcome.push("equilibrium_first_maximum", knob.unit(), list(&top));
    let grows = |one: &Diagram| levels(one).windows(2).all(|pair| pair[1].1 >= pair[0].1);
    outcome.push("equilibrium_grows", "", Value::List(diagrams.iter().map(|one| grows(one).into()).collect()));
    let size = |row: &Row| runs::peak_to_peak(&row.outcome);
    let separate =
        |one: &Diagram| one.deterministic.iter().find(|row| size(row).is_some_and(apart)).map(|row| row.value);
    outcome.push("extremes_separate_at", knob.unit(), list(&separate));
    outcome.push("single_valued_share", "", list(&|one| Some(single_valued(&one.deterministic)?.0)));
    outcome.push("at_equilibrium_share", "", list(&|one| single_valued(&one.deterministic)?.1));
    let width = |one: &Sampled| one.ends.map(|(low, high)| high - low);
    let widths = |one: &Diagram, low: f64, high: f64| {
        let all: Vec<f64> = one.sampled.iter().filter_map(width).collect();
        mean_between(&all, low, high)
    };
    outcome.push("sampled_width_mean", "rad", list(&|one| widths(one, 0.0, 1.0)));
    outcome.push("sampled_width_first_fifth", "rad", list(&|one| widths(one, 0.0, 0.2)));
    outcome.push("sampled_width_last_fifth", "rad", list(&|one| widths(one, 0.8, 1.0)));
    // share of values at which the realisations enclose the deterministic extremes
    let encloses = |one: &Diagram| {
        let checked: Vec<bool> = one
            .sampled
            .iter()
            .filter_map(|sampled| {
                let (low, high) = sampled.ends?;
                let (below, above) = runs::extremes(&nearest(&one.deterministic, sampled.value)?.outcome)?;
                Some(low <= below && above <= high)
            })
            .collect();
        (!checked.is_empty()).then(|| checked.iter().filter(|held| **held).count() as f64 / checked.len() as f64)
    };
    outcome.push("enclosing_share", "", list(&encloses));
    let failed = |one: &Diagram| Some(one.sampled.iter().map(|sampled| sampled.failed).sum::<usize>() as f64);
    outcome.push("incomplete_runs", "", list(&failed));
    let beyond = |one: &Diagram| Some(one.sampled.iter().map(|sampled| sampled.beyond_disc).sum::<usize>() as f64);
    outcome.push("runs_beyond_disc", "", list(&beyond));
}

fn deterministic_table(diagrams: &[Diagram], knob: &Parameter) -> Table {
    let rows = || diagrams.iter().flat_map(|one| one.deterministic.iter().map(move |row| (one, row)));
    let column = |of: &dyn Fn(&Row) -> Option<f64>| rows().map(|(_, row)| of(row).unwrap_or(f64::NAN)).collect();
    let ends = |row: &Row| runs::extremes(&row.outcome);
    Table::new("deterministic", "extremes of the rotation without a field, one row a run")
        .words("variant", "discs", rows().map(|(one, _)| one.of.name.clone()).collect())
        .numbers(&knob.column(), knob.unit(), knob.label(), rows().map(|(_, row)| row.value).collect())
        .numbers("rotation_min", "rad", "rotation Θ", column(&|row| ends(row).map(|ends| ends.0)))
        .numbers("rotation_max", "rad", "rotation Θ", column(&|row| ends(row).map(|ends| ends.1)))
        .numbers("equilibrium", "rad", "rotation Θ", column(&|row| Some(row.stability?.equilibrium?.coordinates[2])))
        .words("trend", "trend of Θ", rows().map(|(_, row)| runs::trend(&row.outcome).to_owned()).collect())
        .words("status", "status", rows().map(|(_, row)| row.outcome.status.name().to_owned()).collect())
        .words("reason", "why the run has no end", rows().map(|(_, row)| row.outcome.status.reason()).collect())
}

fn sampled_table(diagrams: &[Diagram], knob: &Parameter) -> Table {
    let rows = || diagrams.iter().flat_map(|one| one.sampled.iter().map(move |sampled| (one, sampled)));
    let column = |of: &dyn Fn(&Sampled) -> Option<f64>| rows().map(|(_, one)| of(one).unwrap_or(f64::NAN)).collect();
    Table::new("sampled", "extremes of the rotation over all realisations of the field")
        .words("variant", "discs", rows().map(|(one, _)| one.of.name.clone()).collect())
        .numbers(&knob.column(), knob.unit(), knob.label(), rows().map(|(_, one)| one.value).collect())
        .numbers("rotation_min", "rad", "rotation Θ", column(&|one| one.ends.map(|ends| ends.0)))
        .numbers("rotation_max", "rad", "rotation Θ", column(&|one| one.ends.map(|ends| ends.1)))
        .numbers("vertex_min", "rad", "rotation Θ", column(&|one| one.vertices.map(|ends| ends.0)))
        .numbers("vertex_max", "rad", "rotation Θ", column(&|one| one.vertices.map(|ends| ends.1)))
        .integers("incomplete", "incomplete runs", rows().map(|(_, one)| one.failed as i64).collect())
        .integers("beyond_disc", "runs beyond the lower disc", rows().map(|(_, one)| one.beyond_disc as i64).collect())
}
