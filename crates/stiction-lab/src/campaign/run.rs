//! Any study over values of any keys, and over realisations: the answer of a scenario with a table `[campaign]`.

use super::grid::Grid;
use super::spec::Campaign;
use super::tables::{Columns, ItemTable, Summary};
use crate::dataset::{Outcome, Value};
use crate::scenario::Scenario;
use crate::study::{Context, Quiet, StudyError, Upkeep, answer};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use stiction::analysis::campaign::Watched;

/// What the rows have: the scalar quantities of the first item that has an answer.
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
    /// Whether it has quantities that the layout has not.
    pub(super) more: bool,
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
                Value::List(_) => {}
                _ => layout.numbers.push((quantity.name.clone(), quantity.unit.clone())),
            }
        }
        layout
    }

    fn row(&self, outcome: &Outcome) -> Row {
        let number = |(name, _): &(String, String)| match outcome.quantity(name) {
            Some(Value::Number(number)) => *number,
            Some(Value::Integer(number)) => *number as f64,
            Some(Value::Flag(flag)) => f64::from(u8::from(*flag)),
            _ => f64::NAN,
        };
        let word = |name: &String| match outcome.quantity(name) {
            Some(Value::Word(word)) => word.clone(),
            _ => String::new(),
        };
        let known =
            |name: &str| self.numbers.iter().any(|(known, _)| known == name) || self.words.iter().any(|w| w == name);
        let more = outcome.quantities.iter().any(|one| !matches!(one.value, Value::List(_)) && !known(&one.name));
        Row {
            failure: None,
            numbers: self.numbers.iter().map(number).collect(),
            words: self.words.iter().map(word).collect(),
            more,
        }
    }

    fn failed(&self, failure: Failure) -> Row {
        Row {
            failure: Some(failure),
            numbers: vec![f64::NAN; self.numbers.len()],
            words: vec![String::new(); self.words.len()],
            more: false,
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
    grid_of(scenario, campaign)?.scenario(item).map_err(|reason| StudyError::unsuitable(format!("item {item}"), reason))
}

fn grid_of<'c>(scenario: &Scenario, campaign: &'c Campaign) -> Result<Grid<'c>, StudyError> {
    Grid::new(scenario, campaign).map_err(|error| StudyError::unsuitable("campaign", error.to_string()))
}

/// Asks the study of every item.
pub(crate) fn run(scenario: &Scenario, campaign: &Campaign, context: &Context<'_>) -> Result<Outcome, StudyError> {
    let grid = grid_of(scenario, campaign)?;
    let quiet = Quiet(context.progress);
    let ask = |item: u64| -> Result<Result<Outcome, Failure>, StudyError> {
        let failure = |impossible, reason, time| Failure { impossible, reason, time };
        let scenario = match grid.scenario(item) {
            Ok(scenario) => scenario,
            Err(reason) => return Ok(Err(failure(true, reason, None))),
        };
        match answer(&scenario, &quiet, Upkeep::NONE) {
            Ok(outcome) => Ok(Ok(outcome)),
            Err(error @ (StudyError::Cancelled(_) | StudyError::Halted(_))) => Err(error),
            Err(StudyError::Integration(error)) => Ok(Err(failure(false, error.to_string(), Some(error.time())))),
            Err(error @ (StudyError::Parameter { .. } | StudyError::Unsuitable { .. })) => {
                Ok(Err(failure(true, error.to_string(), None)))
            }
            Err(error) => Ok(Err(failure(false, error.to_string(), None))),
        }
    };
    let layout: Layout = context.once("layout", || {
        for item in 0..campaign.items().min(TRIED) {
            if let Ok(outcome) = ask(item)? {
                return Ok(Layout::of(&outcome));
            }
        }
        Ok(Layout::default())
    })?;
    let columns = Columns::new(&grid, campaign, &layout, &scenario.system);
    let watched: Vec<Watched> = layout.numbers.iter().map(|(name, unit)| Watched::new(name, unit)).collect();
    let points = grid.points() as usize;
    // one realisation has no mean
    let mut watch = context.watch(watched, if campaign.realisations > 1 { points } else { 0 })?;
    let mut table = ItemTable::begin(&columns, campaign.items(), context.upkeep.tables)?;
    let mut summary = Summary::new(&grid, campaign);
    let make = |item: u64| {
        Ok(match ask(item)? {
            Ok(outcome) => layout.row(&outcome),
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
            summary.add(item, point, &row);
            table.add(&grid, item, row)?;
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
