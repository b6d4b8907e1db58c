//! The tables of a campaign: its items, their statistics, and how these converge.

use super::grid::{Grid, seed_of};
use super::run::{Failure, Layout, Row};
use super::spec::{Campaign, Given};
use super::upkeep::LongTables;
use crate::dataset::{DatasetError, Growing, Outcome, Table, Value};
use crate::figure::{Axis, Figure, Layer, Panel, Scale};
use crate::scenario::unit_of_key;
use crate::study::{AnySystem, StudyError};
use std::collections::BTreeSet;
use stiction::analysis::campaign::{Milestone, Running, Seen, Watch};

/// Longer tables grow in a file.
const LONGEST: u64 = 100_000;
/// More points than this have no lists among the quantities.
const MOST_LISTED: u64 = 1000;
/// Rows that are put together before they go to the file.
const ROWS: usize = 8192;

/// Number, realisation and values of an item, and what came of it.
type ItemRow = (u64, u64, Vec<Given>, Row);

/// The column of a varied key.
#[derive(Debug)]
struct KeyColumn {
    name: String,
    label: String,
    unit: String,
    /// Whether its values are numbers.
    numeric: bool,
}

/// Names of the columns, each one once.
#[derive(Debug)]
pub(super) struct Columns {
    keys: Vec<KeyColumn>,
    numbers: Vec<(String, String)>,
    words: Vec<String>,
    seed: u64,
}

impl Columns {
    pub(super) fn new(grid: &Grid<'_>, campaign: &Campaign, layout: &Layout, system: &AnySystem) -> Self {
        let fixed = [
            "item",
            "items",
            "realisation",
            "realisations",
            "point",
            "points",
            "seed",
            "status",
            "reason",
            "failure_time",
            "replay",
            "count",
            "failed",
        ];
        let mut taken: BTreeSet<String> = fixed.map(str::to_owned).into();
        let mut free = |wanted: &[&str]| {
            let all = wanted.iter().map(|name| (*name).to_owned());
            let numbered = (2..).map(|count| format!("{}_{count}", wanted.last().unwrap_or(&"column")));
            let name = all.chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default();
            taken.insert(name.clone());
            name
        };
        let prefix = format!("system.{}.", system.name());
        let keys = campaign.vary.iter().map(|vary| {
            let whole = vary.key.replace(['.', ' '], "_");
            let last = vary.key.rsplit('.').next().unwrap_or(&vary.key).trim();
            let label = vary.key.strip_prefix(&prefix).unwrap_or(&vary.key).to_owned();
            let numeric = (0..vary.count().min(MOST_LISTED)).all(|index| vary.value(index).number().is_some());
            KeyColumn { name: free(&[last, &whole]), label, unit: unit_of_key(&vary.key), numeric }
        });
        let keys = keys.collect();
        let numbers = layout.numbers.iter().map(|(name, unit)| (free(&[name]), unit.clone())).collect();
        let words = layout.words.iter().map(|name| free(&[name])).collect();
        Self { keys, numbers, words, seed: grid.seed() }
    }

    /// With a column for every varied key, given the values at each row.
    fn with_keys(&self, mut table: Table, rows: &[Vec<Given>]) -> Table {
        for (index, KeyColumn { name, label, unit, numeric }) in self.keys.iter().enumerate() {
            let values = rows.iter().map(|row| row.get(index));
            table = if *numeric {
                let number = |value: Option<&Given>| value.and_then(Given::number).unwrap_or(f64::NAN);
                table.numbers(name, unit, label, values.map(number).collect())
            } else {
                table.words(name, label, values.map(|value| value.map(Given::word).unwrap_or_default()).collect())
            };
        }
        table
    }

    /// The rows of items.
    fn items(&self, rows: &[ItemRow]) -> Table {
        let whole = |of: fn(&ItemRow) -> u64| rows.iter().map(|row| of(row) as i64).collect();
        let seeds = rows.iter().map(|(_, realisation, ..)| seed_of(self.seed, *realisation) as i64).collect();
        let table = Table::new("items", "one row an item: a realisation at a point, and what came of it")
            .integers("item", "item", whole(|row| row.0))
            .integers("realisation", "realisation", whole(|row| row.1))
            .integers("seed", "seed", seeds);
        let values: Vec<Vec<Given>> = rows.iter().map(|(_, _, values, _)| values.clone()).collect();
        let mut table = self.with_keys(table, &values);
        for (index, (name, unit)) in self.numbers.iter().enumerate() {
            let numbers = rows.iter().map(|row| row.3.numbers.get(index).copied().unwrap_or(f64::NAN));
            table = table.numbers(name, unit, &name.replace('_', " "), numbers.collect());
        }
        for (index, name) in self.words.iter().enumerate() {
            let words = rows.iter().map(|row| row.3.words.get(index).cloned().unwrap_or_default());
            table = table.words(name, &name.replace('_', " "), words.collect());
        }
        let failure = |of: &dyn Fn(&Failure) -> String| -> Vec<String> {
            rows.iter().map(|row| row.3.failure.as_ref().map(of).unwrap_or_default()).collect()
        };
        let status = rows.iter().map(|row| match &row.3.failure {
            None => "answered".to_owned(),
            Some(Failure { impossible: true, .. }) => "impossible".to_owned(),
            Some(_) => "failed".to_owned(),
        });
        let times = rows.iter().map(|row| row.3.failure.as_ref().and_then(|failure| failure.time).unwrap_or(f64::NAN));
        let replay = rows.iter().map(|row| match &row.3.failure {
            None => String::new(),
            Some(_) => format!("stiction replay . {}", row.0),
        });
        table
            .words("status", "status", status.collect())
            .words("reason", "reason", failure(&|failure| failure.reason.clone()))
            .numbers("failure_time", "s", "time of the failure", times.collect())
            .words("replay", "how to repeat it", replay.collect())
    }
}

/// The table of items: in memory, in a file, or nowhere.
pub(super) struct ItemTable<'c> {
    columns: &'c Columns,
    waiting: Vec<ItemRow>,
    place: Place,
}

enum Place {
    Memory,
    File(Box<Growing>),
    Nowhere,
}

impl<'c> ItemTable<'c> {
    pub(super) fn begin(columns: &'c Columns, items: u64, tables: Option<&LongTables>) -> Result<Self, StudyError> {
        let place = match tables {
            _ if items <= LONGEST => Place::Memory,
            Some(tables) => Place::File(Box::new(tables.begin(columns.items(&[])).map_err(unwritten)?)),
            None => Place::Nowhere,
        };
        Ok(Self { columns, waiting: Vec::new(), place })
    }

    pub(super) fn add(&mut self, grid: &Grid<'_>, item: u64, row: Row) -> Result<(), StudyError> {
        match &mut self.place {
            Place::Nowhere => return Ok(()),
            Place::File(file) if self.waiting.len() >= ROWS => {
                file.push(self.columns.items(&self.waiting)).map_err(unwritten)?;
                self.waiting.clear();
            }
            Place::File(_) | Place::Memory => {}
        }
        self.waiting.push((item, grid.realisation(item), grid.values(grid.point(item)), row));
        Ok(())
    }

    fn finish(self, outcome: &mut Outcome) -> Result<(), StudyError> {
        match self.place {
            Place::Memory => outcome.tables.push(self.columns.items(&self.waiting)),
            Place::File(mut file) => {
                file.push(self.columns.items(&self.waiting)).map_err(unwritten)?;
                outcome.long.push(file.finish().map_err(unwritten)?);
            }
            Place::Nowhere => {}
        }
        Ok(())
    }
}

fn unwritten(error: DatasetError) -> StudyError {
    StudyError::Table(error)
}

/// What the items say together.
pub(super) struct Summary<'g> {
    grid: &'g Grid<'g>,
    realisations: u64,
    items: u64,
    failed: Vec<u64>,
    failures: u64,
    impossible: u64,
    first: Option<(u64, String)>,
    more: u64,
    /// The values themselves, of one realisation at a few points.
    listed: Vec<Vec<f64>>,
}

impl<'g> Summary<'g> {
    pub(super) fn new(grid: &'g Grid<'g>, campaign: &Campaign) -> Self {
        Self {
            grid,
            realisations: campaign.realisations,
            items: 0,
            failed: vec![0; if campaign.realisations > 1 { grid.points() as usize } else { 0 }],
            failures: 0,
            impossible: 0,
            first: None,
            more: 0,
            listed: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, item: u64, point: usize, row: &Row) {
        self.items += 1;
        self.more += u64::from(row.more);
        if self.realisations == 1 && self.grid.points() <= MOST_LISTED {
            self.listed.push(row.numbers.clone());
        }
        let Some(failure) = &row.failure else { return };
        self.failures += 1;
        self.impossible += u64::from(failure.impossible);
        if let Some(count) = self.failed.get_mut(point) {
            *count += 1;
        }
        self.first.get_or_insert_with(|| (item, failure.reason.clone()));
    }

    pub(super) fn outcome(self, watch: &Watch, columns: &Columns, table: ItemTable<'_>) -> Result<Outcome, StudyError> {
        let mut outcome = Outcome::default();
        let points = self.grid.points();
        outcome.push("items", "", self.items as usize);
        outcome.push("points", "", points as usize);
        outcome.push("realisations", "", self.items.checked_div(points).unwrap_or(0) as usize);
        outcome.push("failed", "", self.failures as usize);
        self.push_quantities(&mut outcome, watch, columns);
        if let Some((item, reason)) = &self.first {
            outcome.warnings.push(format!(
                "{} of {} items have no answer ({} with impossible values, {} where the study failed); means are those of the \
                 others. The first is item {item}: {reason}. `stiction replay DIR {item}` repeats it",
                self.failures,
                self.items,
                self.impossible,
                self.failures - self.impossible,
            ));
        }
        if self.more > 0 {
            outcome.warnings.push(format!(
                "{} items have quantities that the first one has not; these are not in the table",
                self.more
            ));
        }
        table.finish(&mut outcome)?;
        if self.realisations > 1 {
            outcome.tables.push(self.statistics(watch, columns));
            if !watch.history().is_empty() {
                outcome.tables.push(convergence_table(watch));
            }
        }
        Ok(outcome)
    }

    fn push_quantities(&self, outcome: &mut Outcome, watch: &Watch, columns: &Columns) {
        let points = self.grid.points();
        if points > MOST_LISTED {
            return;
        }
        for (index, quantity) in columns.numbers.iter().enumerate() {
            let (name, unit) = quantity;
            if self.realisations == 1 {
                let known = |row: &Vec<f64>| row.get(index).copied().filter(|number| number.is_finite());
                outcome.push(name, unit, Value::List(self.listed.iter().map(|row| known(row).into()).collect()));
                continue;
            }
            type Of = fn(&Running) -> Option<f64>;
            let measures: [(&str, Of); 3] =
                [("mean", Running::mean), ("std", Running::deviation), ("se", Running::error)];
            for (measure, of) in measures {
                let at = |point: u64| Value::from(watch.at(point as usize).get(index).and_then(of));
                let value = if points == 1 { at(0) } else { Value::List((0..points).map(at).collect()) };
                outcome.push(&format!("{name}_{measure}"), unit, value);
            }
        }
    }

    fn statistics(&self, watch: &Watch, columns: &Columns) -> Table {
        let points = self.grid.points();
        let values: Vec<Vec<Given>> = (0..points).map(|point| self.grid.values(point)).collect();
        let rounds = self.items.checked_div(points).unwrap_or(0);
        let table = Table::new("statistics", "one row a point: what its realisations say together").integers(
            "point",
            "point",
            (0..points as i64).collect(),
        );
        let counts = self.failed.iter().map(|failed| rounds.saturating_sub(*failed) as i64).collect();
        let mut table =
            columns.with_keys(table, &values).integers("count", "realisations with an answer", counts).integers(
                "failed",
                "realisations without an answer",
                self.failed.iter().map(|count| *count as i64).collect(),
            );
        for (index, (name, unit)) in columns.numbers.iter().enumerate() {
            let column = |of: fn(&Running) -> Option<f64>| -> Vec<f64> {
                let at = |point| watch.at(point as usize).get(index).and_then(of).unwrap_or(f64::NAN);
                (0..points).map(at).collect()
            };
            let label = name.replace('_', " ");
            table = table
                .numbers(&format!("{name}_mean"), unit, &label, column(Running::mean))
                .numbers(&format!("{name}_std"), unit, "standard deviation", column(Running::deviation))
                .numbers(&format!("{name}_se"), unit, "standard error", column(Running::error));
        }
        table
    }
}

/// Running means against the number of realisations, one row for each number and point.
pub(crate) fn convergence_table(watch: &Watch) -> Table {
    let history = watch.history();
    let width = watch.quantities().len().max(1);
    let points = history.first().map_or(1, |first| (first.running.len() / width).max(1));
    let rows = || history.iter().flat_map(|milestone| (0..points).map(move |point| (milestone, point)));
    let mut table = Table::new("convergence", "means of the first realisations, with their standard errors").integers(
        "realisations",
        "realisations",
        rows().map(|(milestone, _)| milestone.realisations as i64).collect(),
    );
    if points > 1 {
        table = table.integers("point", "point", rows().map(|(_, point)| point as i64).collect());
    }
    for (index, quantity) in watch.quantities().iter().enumerate() {
        let column = |of: fn(&Running) -> Option<f64>| -> Vec<f64> {
            let here = |(milestone, point): (&Milestone, usize)| {
                milestone.running.get(point * width + index).and_then(of).unwrap_or(f64::NAN)
            };
            rows().map(here).collect()
        };
        let label = quantity.name.replace('_', " ");
        table = table
            .numbers(&format!("{}_mean", quantity.name), &quantity.unit, &label, column(Running::mean))
            .numbers(&format!("{}_se", quantity.name), &quantity.unit, "standard error", column(Running::error));
    }
    table
}

/// A picture of the convergence of up to four quantities that vary, at one point.
pub(crate) fn convergence_figure(tables: &[Table]) -> Option<Figure> {
    let table = tables.iter().find(|table| table.name == "convergence")?;
    if table.column("point").is_some() || table.rows() < 3 || table.column("realisations").is_none() {
        return None;
    }
    let spread = |name: &str| match &table.column(&format!("{name}_se"))?.data {
        crate::dataset::Data::Numbers(values) => values.last().copied().filter(|error| *error > 0.0),
        _ => None,
    };
    let names = table.columns.iter().filter_map(|column| column.name.strip_suffix("_mean"));
    let panel: Vec<Panel> = names
        .filter(|name| spread(name).is_some())
        .take(4)
        .map(|name| {
            let layer = Layer {
                table: Some("convergence".to_owned()),
                x: "realisations".to_owned(),
                y: vec![format!("{name}_mean")],
                error: Some(format!("{name}_se")),
                ..Layer::default()
            };
            let x_axis = Axis { scale: Scale::Log, ..Axis::default() };
            Panel { x_axis, points: vec![layer], ..Panel::default() }
        })
        .collect();
    if panel.is_empty() {
        return None;
    }
    Some(Figure {
        name: Some("convergence".to_owned()),
        caption: "Means of the first realisations, with their standard errors, against the number of realisations."
            .to_owned(),
        panel,
        ..Figure::default()
    })
}
