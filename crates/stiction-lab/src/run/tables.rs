//! The tables of a campaign: its items and their statistics.

use super::extra::{Cell, Extras};
use super::grid::{Grid, seed_of};
use super::items::{Failure, Layout, Row};
use super::kept::Collected;
use crate::campaign::{Campaign, Given, LONGEST, Vary};
use crate::dataset::{DatasetError, Growing, Outcome, Table, Value};
use crate::scenario::unit_of_key;
use crate::study::{AnySystem, LongTables, StudyError, convergence_table};
use std::collections::BTreeSet;
use stiction::analysis::campaign::Watch;
use stiction::num::statistics::{Running, Spread};

/// More points than this have no lists among the quantities.
const MOST_LISTED: u64 = 1000;
/// Rows that are put together before they go to the file.
const ROWS: usize = 8192;

/// Number, realisation and values of an item, and what came of it.
type ItemRow = (u64, u64, Vec<Given>, Placed);

/// What came of an item, by the columns of the table.
pub(super) struct Placed {
    failure: Option<Failure>,
    numbers: Vec<f64>,
    words: Vec<String>,
    cells: Vec<(usize, Cell)>,
    warnings: String,
}

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
            "warnings",
            "warned",
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
        let numeric =
            |vary: &Vary| (0..vary.count().min(MOST_LISTED)).all(|index| vary.value(index).number().is_some());
        let keys = campaign.keys().enumerate().map(|(index, key)| {
            let whole = key.replace(['.', ' '], "_");
            let last = key.rsplit('.').next().unwrap_or(key).trim();
            let label = key.strip_prefix(&prefix).unwrap_or(key).to_owned();
            let numeric = campaign.vary.get(index).is_none_or(numeric);
            KeyColumn { name: free(&[last, &whole]), label, unit: unit_of_key(key), numeric }
        });
        let keys = keys.collect();
        let numbers = layout.numbers.iter().map(|(name, unit)| (free(&[name]), unit.clone())).collect();
        let words = layout.words.iter().map(|name| free(&[name])).collect();
        Self { keys, numbers, words, seed: grid.seed() }
    }

    /// The values of all keys of an item, as a table of one row.
    pub(super) fn keys(&self, grid: &Grid<'_>, item: u64) -> Table {
        self.with_keys(Table::new("keys", ""), &[grid.values(item)], self.keys.len())
    }

    /// With a column for the first `count` keys, given the values at each row.
    fn with_keys(&self, mut table: Table, rows: &[Vec<Given>], count: usize) -> Table {
        for (index, KeyColumn { name, label, unit, numeric }) in self.keys.iter().take(count).enumerate() {
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
    fn items(&self, rows: &[ItemRow], extras: &Extras) -> Table {
        let whole = |of: fn(&ItemRow) -> u64| rows.iter().map(|row| of(row) as i64).collect();
        let seeds = rows.iter().map(|(_, realisation, ..)| seed_of(self.seed, *realisation) as i64).collect();
        let table = Table::new("items", "one row an item: a realisation at a point, and what came of it")
            .integers("item", "item", whole(|row| row.0))
            .integers("realisation", "realisation", whole(|row| row.1))
            .integers("seed", "seed", seeds);
        let values: Vec<Vec<Given>> = rows.iter().map(|(_, _, values, _)| values.clone()).collect();
        let mut table = self.with_keys(table, &values, self.keys.len());
        for (index, (name, unit)) in self.numbers.iter().enumerate() {
            let numbers = rows.iter().map(|row| row.3.numbers.get(index).copied().unwrap_or(f64::NAN));
            table = table.numbers(name, unit, &name.replace('_', " "), numbers.collect());
        }
        for (index, name) in self.words.iter().enumerate() {
            let words = rows.iter().map(|row| row.3.words.get(index).cloned().unwrap_or_default());
            table = table.words(name, &name.replace('_', " "), words.collect());
        }
        table = extras.with_columns(table, rows.len(), rows.iter().map(|row| &row.3.cells));
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
            .words("warnings", "warnings", rows.iter().map(|row| row.3.warnings.clone()).collect())
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
    /// The columns are known when some rows are.
    Later(LongTables),
    File(Box<Growing>),
    Nowhere,
}

impl<'c> ItemTable<'c> {
    pub(super) fn begin(columns: &'c Columns, items: u64, tables: Option<&LongTables>) -> Self {
        let place = match tables {
            _ if items <= LONGEST => Place::Memory,
            Some(tables) => Place::Later(tables.clone()),
            None => Place::Nowhere,
        };
        Self { columns, waiting: Vec::new(), place }
    }

    pub(super) fn add(
        &mut self,
        grid: &Grid<'_>,
        item: u64,
        placed: Placed,
        extras: &mut Extras,
    ) -> Result<(), StudyError> {
        if matches!(self.place, Place::Nowhere) {
            return Ok(());
        }
        if self.waiting.len() >= ROWS {
            if let Place::Later(tables) = &self.place {
                let file = tables.begin(self.columns.items(&[], extras)).map_err(unwritten)?;
                self.place = Place::File(Box::new(file));
                extras.frozen = true;
            }
            if let Place::File(file) = &mut self.place {
                file.push(self.columns.items(&self.waiting, extras)).map_err(unwritten)?;
                self.waiting.clear();
            }
        }
        self.waiting.push((item, grid.realisation(item), grid.values(item), placed));
        Ok(())
    }

    fn finish(self, outcome: &mut Outcome, extras: &Extras) -> Result<(), StudyError> {
        match self.place {
            Place::Memory | Place::Later(_) => outcome.tables.push(self.columns.items(&self.waiting, extras)),
            Place::File(mut file) => {
                file.push(self.columns.items(&self.waiting, extras)).map_err(unwritten)?;
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

/// The scalars of an item, and its other cells.
type Listed = (Vec<f64>, Vec<(usize, Cell)>);

/// What the items say together.
pub(super) struct Summary<'g> {
    grid: &'g Grid<'g>,
    realisations: u64,
    items: u64,
    failed: Vec<u64>,
    failures: u64,
    impossible: u64,
    first: Option<(u64, String)>,
    keep_rows: u64,
    /// Answers in which a quantity is null, by quantity.
    nulls: Vec<u64>,
    cut: BTreeSet<String>,
    pub(super) extras: Extras,
    collected: Collected,
    /// The values themselves, of one realisation at a few points.
    listed: Vec<Listed>,
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
            keep_rows: campaign.keep_rows,
            nulls: Vec::new(),
            cut: BTreeSet::new(),
            extras: Extras::default(),
            collected: Collected::default(),
            listed: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, item: u64, columns: &Columns, row: Row) -> Placed {
        let point = self.grid.point(item) as usize;
        let Row { failure, numbers, words, leaves, cut, leftovers } = row;
        self.items += 1;
        self.cut.extend(cut);
        let warnings = leftovers.warnings.join("; ");
        self.collected.add(item, &columns.keys(self.grid, item), leftovers);
        let cells = self.extras.place(leaves, (self.realisations > 1).then_some(point));
        if self.realisations == 1 && self.grid.points() <= MOST_LISTED {
            self.listed.push((numbers.clone(), cells.clone()));
        }
        match &failure {
            None => {
                self.nulls.resize(numbers.len(), 0);
                let null = |number: &f64| u64::from(number.is_nan());
                self.nulls.iter_mut().zip(&numbers).for_each(|(count, number)| *count += null(number));
            }
            Some(failure) => self.fail(item, point, failure),
        }
        Placed { failure, numbers, words, cells, warnings }
    }

    fn fail(&mut self, item: u64, point: usize, failure: &Failure) {
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
        self.warn_of_losses(&mut outcome);
        table.finish(&mut outcome, &self.extras)?;
        if self.realisations > 1 {
            outcome.tables.push(self.statistics(watch, columns));
            if !watch.history().is_empty() {
                outcome.tables.push(convergence_table(watch));
            }
        }
        self.collected.push(&mut outcome, self.items, self.keep_rows);
        Ok(outcome)
    }

    fn warn_of_losses(&self, outcome: &mut Outcome) {
        if !self.cut.is_empty() {
            let names: Vec<String> = self.cut.iter().map(|name| format!("`{name}`")).collect();
            outcome.warnings.push(format!(
                "{}: the table of items has only the first entries of these long lists; `stiction replay DIR ITEM` has all",
                names.join(", ")
            ));
        }
        if self.extras.missed > 0 {
            outcome.warnings.push(format!(
                "{} entries of lists are not in the table of items: its columns are those of its first {ROWS} items",
                self.extras.missed
            ));
        }
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
                outcome.push(name, unit, Value::List(self.listed.iter().map(|row| known(&row.0).into()).collect()));
            } else {
                self.push_measures(outcome, name, unit, &|point, of| {
                    watch.at(point as usize).get(index).map(Running::spread).and_then(of)
                });
            }
            if let Some(nulls) = self.nulls.get(index).copied().filter(|nulls| *nulls > 0) {
                outcome.push(&format!("{name}_nulls"), "", nulls as usize);
            }
        }
        for extra in self.extras.numbers() {
            if self.realisations == 1 {
                let here = |cell: &&(usize, Cell)| cell.0 == extra.index;
                let value = |cells: &Vec<(usize, Cell)>| match cells.iter().find(here) {
                    Some((_, Cell::Number(number))) => Value::from(Some(*number).filter(|number| number.is_finite())),
                    _ => Value::Missing,
                };
                outcome.push(
                    extra.name,
                    extra.unit,
                    Value::List(self.listed.iter().map(|row| value(&row.1)).collect()),
                );
            } else {
                self.push_measures(outcome, extra.name, extra.unit, &|point, of| extra.at(point, of));
                let counts = (0..points).map(|point| Value::from(extra.count(point) as usize)).collect();
                outcome.push(&format!("{}_count", extra.name), "", Value::List(counts));
            }
        }
    }

    /// Mean, standard deviation and standard error of a quantity: lists over the points if there are several.
    fn push_measures(
        &self,
        outcome: &mut Outcome,
        name: &str,
        unit: &str,
        known: &dyn Fn(u64, Measure) -> Option<f64>,
    ) {
        let points = self.grid.points();
        for (measure, of) in MEASURES {
            let at = |point: u64| Value::from(known(point, of));
            let value = if points == 1 { at(0) } else { Value::List((0..points).map(at).collect()) };
            outcome.push(&format!("{name}_{measure}"), unit, value);
        }
    }

    fn statistics(&self, watch: &Watch, columns: &Columns) -> Table {
        let points = self.grid.points();
        let values: Vec<Vec<Given>> = (0..points).map(|point| self.grid.varied(point)).collect();
        let rounds = self.items.checked_div(points).unwrap_or(0);
        let table = Table::new("statistics", "one row a point: what its realisations say together").integers(
            "point",
            "point",
            (0..points as i64).collect(),
        );
        let counts = self.failed.iter().map(|failed| rounds.saturating_sub(*failed) as i64).collect();
        let mut table = columns
            .with_keys(table, &values, self.grid.varying())
            .integers("count", "realisations with an answer", counts)
            .integers(
                "failed",
                "realisations without an answer",
                self.failed.iter().map(|count| *count as i64).collect(),
            );
        for (index, (name, unit)) in columns.numbers.iter().enumerate() {
            let known = |point: u64| watch.at(point as usize).get(index).map(Running::spread);
            table = with_measures(table, name, unit, points, &|point, of| known(point).and_then(of), &|point| {
                known(point).map_or(0, |spread| spread.count)
            });
        }
        for extra in self.extras.numbers() {
            let count = |point| extra.count(point);
            table = with_measures(table, extra.name, extra.unit, points, &|point, of| extra.at(point, of), &count);
        }
        table
    }
}

type Measure = fn(Spread) -> Option<f64>;
const MEASURES: [(&str, Measure); 3] =
    [("mean", |spread| spread.mean), ("std", |spread| spread.deviation), ("se", |spread| spread.error)];

/// With the statistics of a quantity at every point, and how many values they are of: nulls are not averaged.
fn with_measures(
    mut table: Table,
    name: &str,
    unit: &str,
    points: u64,
    known: &dyn Fn(u64, Measure) -> Option<f64>,
    count: &dyn Fn(u64) -> u64,
) -> Table {
    let plain = name.replace('_', " ");
    for ((measure, of), label) in MEASURES.into_iter().zip([plain.as_str(), "standard deviation", "standard error"]) {
        let values = (0..points).map(|point| known(point, of).unwrap_or(f64::NAN)).collect();
        table = table.numbers(&format!("{name}_{measure}"), unit, label, values);
    }
    let counts = (0..points).map(|point| count(point) as i64).collect();
    table.integers(&format!("{name}_count"), "realisations with a value", counts)
}
