//! Any study over values of any keys, and over realisations: the answer of a scenario with a table `[campaign]`.

use super::answer;
use super::extra::{Leaf, leaves, scalar};
use super::grid::Grid;
use super::kept::Leftovers;
use super::tables::{Columns, ItemTable, Summary};
use crate::campaign::Campaign;
use crate::dataset::{Outcome, Quantity, Value};
use crate::scenario::Scenario;
use crate::study::{Context, StudyError, Upkeep};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use stiction::analysis::campaign::Watched;
use stiction::field::KnownMaps;
use stiction::keys::Key;
use stiction::memory::Need;

/// What every row has: the scalar quantities of the first item that has an answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Layout {
    /// Numbers: name and unit.
    pub(super) numbers: Vec<(String, String)>,
    /// Words: name.
    pub(super) words: Vec<String>,
}

/// What came of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) failure: Option<Failure>,
    pub(super) numbers: Vec<f64>,
    pub(super) words: Vec<String>,
    /// Entries of lists, and what the layout has not.
    pub(super) leaves: Vec<Leaf>,
    /// Lists that are longer than the table of items is wide.
    pub(super) cut: Vec<String>,
    pub(super) leftovers: Leftovers,
}

/// Why an item has no answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Failure {
    /// Whether there is no such system or study; otherwise the study gave up.
    pub(super) impossible: bool,
    pub(super) reason: String,
    /// When in the motion \[s\] it happened, if that is known.
    pub(super) time: Option<f64>,
}

/// Items that are tried for the layout: whoever fails in all of these fails everywhere.
const TRIED: u64 = 100;

impl Layout {
    fn of(outcome: &Outcome) -> Self {
        let mut layout = Self::default();
        for quantity in &outcome.quantities {
            match quantity.value {
                Value::Word(_) => layout.words.push(quantity.name.clone()),
                Value::List(_) | Value::Record(_) => {}
                _ => layout.numbers.push((quantity.name.clone(), quantity.unit.clone())),
            }
        }
        layout
    }

    fn row(&self, outcome: Outcome, most_rows: u64) -> Row {
        let number = |(name, _): &(String, String)| outcome.quantity(name).map_or(f64::NAN, scalar);
        let word = |name: &String| match outcome.quantity(name) {
            Some(Value::Word(word)) => word.clone(),
            _ => String::new(),
        };
        let known = |quantity: &Quantity| match quantity.value {
            Value::List(_) | Value::Record(_) => false,
            Value::Word(_) => self.words.contains(&quantity.name),
            _ => self.numbers.iter().any(|(name, _)| *name == quantity.name),
        };
        let (leaves, cut) = leaves(&outcome, known);
        Row {
            failure: None,
            numbers: self.numbers.iter().map(number).collect(),
            words: self.words.iter().map(word).collect(),
            leaves,
            cut,
            leftovers: Leftovers::of(outcome, most_rows),
        }
    }

    fn failed(&self, failure: Failure) -> Row {
        Row {
            failure: Some(failure),
            numbers: vec![f64::NAN; self.numbers.len()],
            words: vec![String::new(); self.words.len()],
            leaves: Vec::new(),
            cut: Vec::new(),
            leftovers: Leftovers::default(),
        }
    }
}

/// The scenario that an item of a campaign asks, to be run alone.
///
/// # Errors
/// What is wrong with the item or its values.
pub fn item_scenario(scenario: &Scenario, item: u64) -> Result<Scenario, StudyError> {
    let campaign = scenario.campaign.as_ref().filter(|campaign| campaign.repeats());
    let campaign = campaign.ok_or_else(|| StudyError::unsuitable("campaign", "the scenario has none"))?;
    if item >= campaign.items() {
        let message = format!("there is no item {item}: there are {}, counted from 0", campaign.items());
        return Err(StudyError::unsuitable("item", message));
    }
    let asked = grid_of(scenario, campaign)?.scenario(item);
    let asked = asked.map_err(|reason| StudyError::unsuitable(format!("item {item}"), reason))?;
    Ok(asked.with_inputs_of(scenario))
}

fn grid_of<'c>(scenario: &Scenario, campaign: &'c Campaign) -> Result<Grid<'c>, StudyError> {
    Grid::new(scenario, campaign).map_err(|error| StudyError::unsuitable("campaign", error.to_string()))
}

/// Sets aside the memory of running means and of their table: a row for each point, with four columns for each quantity.
fn admit(campaign: &Campaign, layout: &Layout, context: &Context<'_>) -> Result<(), StudyError> {
    let quantities = layout.numbers.len() as f64;
    let row = 120.0 * (campaign.vary.len() + 2) as f64 + 160.0 * quantities;
    let points = campaign.points() as f64;
    let means = if campaign.realisations > 1 { points } else { 0.0 };
    let longest = campaign.vary.iter().enumerate().max_by_key(|(_, vary)| vary.count()).map_or(0, |(index, _)| index);
    let value = campaign.vary.get(longest).map_or(1.0, |vary| vary.count() as f64);
    let need = Need::new(Key::study("points"), value, means, "points of the campaign", row);
    context.progress.memory().admit(&need).map_err(|excess| StudyError::Memory {
        key: format!("campaign.vary[{longest}].points").into(),
        message: excess.message,
    })
}

/// Asks the study of every item; `maps` are the measured maps that the run has read.
pub(super) fn run(
    scenario: &Scenario,
    campaign: &Campaign,
    context: &Context<'_>,
    maps: &KnownMaps,
) -> Result<Outcome, StudyError> {
    let grid = grid_of(scenario, campaign)?;
    let ask = |here: &Context<'_>, item: u64| -> Result<Result<Outcome, Failure>, StudyError> {
        let failure = |impossible, reason, time| Failure { impossible, reason, time };
        let scenario = match grid.scenario(item) {
            Ok(scenario) => scenario,
            Err(reason) => return Ok(Err(failure(true, reason, None))),
        };
        match answer(&scenario, here.progress, Upkeep::NONE, maps) {
            Ok(outcome) => Ok(Ok(outcome)),
            Err(error @ (StudyError::Cancelled(_) | StudyError::Halted(_) | StudyError::Memory { .. })) => Err(error),
            Err(StudyError::Integration(error)) => Ok(Err(failure(false, error.to_string(), Some(error.time())))),
            Err(error @ StudyError::Unsuitable { .. }) => Ok(Err(failure(true, error.to_string(), None))),
            Err(error) => Ok(Err(failure(false, error.to_string(), None))),
        }
    };
    let layout: Layout = context.once("layout", |here| {
        for item in 0..campaign.items().min(TRIED) {
            if let Ok(outcome) = ask(here, item)? {
                return Ok(Layout::of(&outcome));
            }
        }
        Ok(Layout::default())
    })?;
    let columns = Columns::new(&grid, campaign, &layout, &scenario.system);
    let watched: Vec<Watched> = layout.numbers.iter().map(|(name, unit)| Watched::new(name, unit)).collect();
    let points = grid.points() as usize;
    admit(campaign, &layout, context)?;
    // one realisation has no mean
    let mut watch = context.watch(watched, if campaign.realisations > 1 { points } else { 0 })?;
    let mut table = ItemTable::begin(&columns, campaign.items(), context.upkeep.tables);
    let mut summary = Summary::new(&grid, campaign);
    let most_rows = campaign.keep_rows.checked_div(campaign.items()).unwrap_or(0);
    let make = |here: &Context<'_>, item: u64| {
        Ok(match ask(here, item)? {
            Ok(outcome) => layout.row(outcome, most_rows),
            Err(failure) => layout.failed(failure),
        })
    };
    context.items(
        "items",
        campaign.items(),
        make,
        |row: &Row| row.failure.is_some(),
        |item, row| {
            let point = grid.point(item) as usize;
            watch.add(point, &row.numbers);
            table.add(&grid, item, summary.add(item, &columns, row), &mut summary.extras)?;
            if point + 1 < points {
                return Ok(ControlFlow::Continue(()));
            }
            let flow = watch.finish_realisation();
            if points == 1 && watch.looks() {
                context.progress.tell(&watch.words());
            }
            Ok(flow)
        },
    )?;
    summary.outcome(&watch, &columns, table)
}
