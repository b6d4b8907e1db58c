//! Whether two discs stick and slip, over a plane of two parameters.

use super::map_shape::{Plane, mean_between};
use super::runs;
use super::variant::{DiscVariant, Named, named};
use crate::dataset::{Outcome, Table, Value, number};
use crate::study::family::parameter;
use crate::study::offer::COARSE;
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::AnalysisError;
use stiction::analysis::two_disc::{Outcome as Run, StickSlipClass, StickSlipRule, Transient};
use stiction::keys::Parameter;

const STUDY: &str = "stick_slip_classes";

/// No, passing or lasting stick-slip over a plane of two parameters, by one run at each place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StickSlipClasses {
    /// The first parameter and its values.
    #[serde(default = "loads")]
    pub x: Sweep,
    /// The second parameter and its values.
    #[serde(default = "speeds")]
    pub y: Sweep,
    /// Length of every run \[s\].
    #[serde(default = "duration")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Time before the end over which the amplitude of Θ is told \[s\].
    #[serde(default = "last")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub amplitude_window: f64,
    /// How stick-slip is told.
    #[serde(default)]
    pub stick_slip: StickSlipRule,
    /// Realisations of the field at each place; the class is that of the first, and the shares are over all.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 100_000))]
    pub realisations: u64,
    /// Several pairs of discs, a map each; quantities are lists in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variant: Vec<DiscVariant>,
}

fn loads() -> Sweep {
    Sweep::even("normal_load", 1.0, 50.0, 50)
}

fn speeds() -> Sweep {
    Sweep::even("drive_speed", 0.001, 0.1, 100)
}

fn duration() -> f64 {
    300.0
}

fn last() -> f64 {
    30.0
}

fn one() -> u64 {
    1
}

/// One place: its run, and how many of all its runs have each class.
#[derive(Serialize, Deserialize)]
struct Cell {
    run: Run,
    shares: [f64; 4],
}

const CLASSES: [StickSlipClass; 4] =
    [StickSlipClass::None, StickSlipClass::Partial, StickSlipClass::Sustained, StickSlipClass::Undecided];

/// The map of one pair of discs.
struct ClassMap {
    of: Named,
    cells: Vec<Cell>,
}

impl Study for StickSlipClasses {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let discs = context.two_disc()?;
        let x_knob = parameter(discs, &self.x.parameter, &format!("study.{STUDY}.x.parameter"))?;
        let y_knob = parameter(discs, &self.y.parameter, &format!("study.{STUDY}.y.parameter"))?;
        let x = self.x.values(&format!("study.{STUDY}.x"))?;
        let y = self.y.values(&format!("study.{STUDY}.y"))?;
        let begin = (self.duration - self.amplitude_window).max(0.0);
        let mut transient = runs::transient(STUDY, self.duration, (Some(begin), None), context.solver)?;
        runs::check_rule(STUDY, &self.stick_slip, self.duration)?;
        transient.stick_slip = Some(self.stick_slip);
        let places: Vec<(f64, f64)> = y.iter().flat_map(|y| x.iter().map(move |x| (*x, *y))).collect();
        let variants = named(&self.variant, discs, STUDY)?;
        let all: Vec<(&Named, (f64, f64))> =
            variants.iter().flat_map(|of| places.iter().map(move |place| (of, *place))).collect();
        let make = |here: &Context<'_>, (of, (x, y)): &(&Named, (f64, f64))| {
            self.cell(of, (&x_knob, *x), (&y_knob, *y), &transient, here)
        };
        let mut cells = context.all_items("runs", &all, make, |cell| cell.run.rotation.is_none())?.into_iter();
        let map = |of: Named| ClassMap { of, cells: cells.by_ref().take(places.len()).collect() };
        let maps: Vec<ClassMap> = variants.clone().into_iter().map(map).collect();
        let mut outcome = Outcome::default();
        self.push(&mut outcome, &maps, (&x, &y), (&x_knob, &y_knob));
        let all = maps.iter().flat_map(|map| map.cells.iter().map(|cell| &cell.run));
        outcome.warnings.extend(runs::warnings(all.clone(), discs.lower.radius));
        let needed = all.filter_map(|run| run.stick_slip?.needed_duration).reduce(f64::max);
        if let Some(needed) = needed {
            outcome.warnings.push(format!(
                "some runs are too short to tell their class (undecided): {} s would do for all of them",
                number(needed.ceil())
            ));
        }
        outcome.tables.push(table(&maps, &places, (&x_knob, &y_knob)));
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::stiff(COARSE))
    }
}

fn class(run: &Run) -> StickSlipClass {
    run.stick_slip.map_or(StickSlipClass::Undecided, |found| found.class)
}

impl StickSlipClasses {
    fn cell(
        &self,
        of: &Named,
        (x_knob, x): (&Parameter, f64),
        (y_knob, y): (&Parameter, f64),
        transient: &Transient,
        here: &Context<'_>,
    ) -> Result<Cell, StudyError> {
        let there = y_knob.at(&x_knob.at(&of.discs, x)?, y)?;
        let run = |index: u64| -> Result<Run, StudyError> {
            let run = transient.run_if_possible(there.realisation(here.seed, index)).map_err(AnalysisError::from)?;
            here.progress.worked(run.effort);
            Ok(run)
        };
        let first = run(0)?;
        let mut counts = CLASSES.map(|one| f64::from(u8::from(class(&first) == one)));
        let all = if there.field.is_some() { self.realisations } else { 1 };
        for index in 1..all {
            let found = class(&run(index)?);
            for (count, one) in counts.iter_mut().zip(CLASSES) {
                *count += f64::from(u8::from(found == one));
            }
        }
        Ok(Cell { run: first, shares: counts.map(|count| count / all as f64) })
    }

    fn push(
        &self,
        outcome: &mut Outcome,
        maps: &[ClassMap],
        (x, y): (&[f64], &[f64]),
        (x_knob, y_knob): (&Parameter, &Parameter),
    ) {
        outcome.push("variants", "", maps.iter().map(|map| map.of.name.as_str()).collect::<Vec<_>>());
        let list = |of: &dyn Fn(&ClassMap) -> Option<f64>| Value::List(maps.iter().map(|map| of(map).into()).collect());
        for (index, one) in CLASSES.into_iter().enumerate() {
            let share = |map: &ClassMap| {
                let count = map.cells.iter().filter(|cell| class(&cell.run) == one).count();
                Some(count as f64 / map.cells.len().max(1) as f64)
            };
            outcome.push(&format!("{}_share", one.name()), "", list(&share));
            if self.realisations > 1 {
                let mean = |map: &ClassMap| {
                    Some(map.cells.iter().map(|cell| cell.shares[index]).sum::<f64>() / map.cells.len().max(1) as f64)
                };
                outcome.push(&format!("{}_probability", one.name()), "", list(&mean));
            }
        }
        let heights = |map: &ClassMap, is: fn(StickSlipClass) -> Option<bool>| -> Vec<f64> {
            let cells = map.cells.iter().map(|cell| is(class(&cell.run))).collect();
            Plane { x, y, cells }.boundary().into_iter().map(|(height, _)| height).collect()
        };
        let lasting = |found: StickSlipClass| match found {
            StickSlipClass::Sustained => Some(true),
            StickSlipClass::Undecided => None,
            StickSlipClass::None | StickSlipClass::Partial => Some(false),
        };
        let some = |found: StickSlipClass| match found {
            StickSlipClass::Sustained | StickSlipClass::Partial => Some(true),
            StickSlipClass::Undecided => None,
            StickSlipClass::None => Some(false),
        };
        for (name, low, high) in [("first_fifth", 0.0, 0.2), ("middle_fifth", 0.4, 0.6), ("last_fifth", 0.8, 1.0)] {
            let unit = y_knob.unit();
            let lasts = |map: &ClassMap| mean_between(&heights(map, lasting), low, high);
            let any = |map: &ClassMap| mean_between(&heights(map, some), low, high);
            outcome.push(&format!("sustained_boundary_{name}"), unit, list(&lasts));
            outcome.push(&format!("partial_boundary_{name}"), unit, list(&any));
            let strip = |map: &ClassMap| any(map).zip(lasts(map)).map(|(any, lasts)| any - lasts);
            outcome.push(&format!("partial_strip_{name}"), unit, list(&strip));
        }
        outcome.push(
            "sustained_boundary_mean",
            y_knob.unit(),
            list(&|map| mean_between(&heights(map, lasting), 0.0, 1.0)),
        );
        // where the strip goes on beyond the largest y its width is not known
        let strips = |map: &ClassMap| -> Vec<f64> {
            let edges = heights(map, some).into_iter().zip(heights(map, lasting));
            edges.filter(|(any, _)| y.last().is_some_and(|top| any < top)).map(|(any, lasts)| any - lasts).collect()
        };
        let growth = |map: &ClassMap| {
            let strips = strips(map);
            mean_between(&strips, 0.5, 1.0).zip(mean_between(&strips, 0.0, 0.5)).map(|(right, left)| right - left)
        };
        outcome.push("partial_strip_growth", y_knob.unit(), list(&growth));
        // by how much the boundary lies above that of the first pair of discs
        let mean = |map: &ClassMap| mean_between(&heights(map, lasting), 0.0, 1.0);
        let base = maps.first().and_then(mean);
        let gain = |map: &ClassMap| mean(map).zip(base).map(|(mean, base)| mean - base);
        outcome.push("sustained_boundary_gain", y_knob.unit(), list(&gain));
        let last = |map: &ClassMap| {
            let cells = map.cells.iter().map(|cell| lasting(class(&cell.run))).collect();
            Plane { x, y, cells }.last_yes()
        };
        outcome.push("largest_sustained_x", x_knob.unit(), list(&last));
        let failed =
            |map: &ClassMap| Some(map.cells.iter().filter(|cell| cell.run.stick_slip.is_none()).count() as f64);
        outcome.push("incomplete_runs", "", list(&failed));
    }
}

fn table(maps: &[ClassMap], places: &[(f64, f64)], (x, y): (&Parameter, &Parameter)) -> Table {
    let rows =
        || maps.iter().flat_map(|map| places.iter().zip(&map.cells).map(move |(place, cell)| (map, place, cell)));
    let column =
        |of: &dyn Fn(&Run) -> Option<f64>| rows().map(|(_, _, cell)| of(&cell.run).unwrap_or(f64::NAN)).collect();
    let mut table = Table::new("classes", "class of the motion, one row a place of the plane")
        .words("variant", "discs", rows().map(|(map, ..)| map.of.name.clone()).collect())
        .numbers(&x.column(), x.unit(), x.label(), rows().map(|(_, place, _)| place.0).collect())
        .numbers(&y.column(), y.unit(), y.label(), rows().map(|(_, place, _)| place.1).collect())
        .words("stick_slip", "stick-slip", rows().map(|(.., cell)| class(&cell.run).name().to_owned()).collect())
        .integers(
            "episodes",
            "episodes of stick",
            rows().map(|(.., cell)| cell.run.stick_slip.map_or(-1, |found| found.episodes as i64)).collect(),
        )
        .numbers("last_stick_time", "s", "end of the last stick", column(&|run| run.stick_slip?.last_end))
        .numbers("amplitude", "rad", "amplitude of Θ", column(&|run| Some(0.5 * runs::peak_to_peak(run)?)))
        .numbers("max_contact_distance", "m", "largest distance of the contact", column(&runs::reach))
        .words("status", "status", rows().map(|(.., cell)| cell.run.status.name().to_owned()).collect())
        .words("reason", "why the run has no end", rows().map(|(.., cell)| cell.run.status.reason()).collect());
    for (index, one) in CLASSES.into_iter().enumerate() {
        let shares = rows().map(|(.., cell)| cell.shares[index]).collect();
        table = table.numbers(&format!("share_{}", one.name()), "", &format!("share of {}", one.name()), shares);
    }
    table
}
