//! Columns of a campaign's items that the first item alone does not tell: the entries of lists, and quantities that only other
//! items have.

use crate::dataset::{Outcome, Quantity, Table, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use stiction::num::statistics::{Running, Spread};

/// Entries of one list that become columns; longer lists are cut, and that is reported.
const MOST_ENTRIES: usize = 50;

/// A quantity, or an entry of one, that an item has besides its scalars.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Leaf {
    /// For instance `hopf_loads[1]`.
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) value: Cell,
}

/// A number (not a number where there is none) or a word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Cell {
    Number(f64),
    Word(String),
}

/// All parts of the quantities that are not `known`, and the names of lists that were cut.
pub(super) fn leaves(outcome: &Outcome, known: impl Fn(&Quantity) -> bool) -> (Vec<Leaf>, Vec<String>) {
    let (mut leaves, mut cut) = (Vec::new(), Vec::new());
    for quantity in outcome.quantities.iter().filter(|quantity| !known(quantity)) {
        add(&quantity.name, &quantity.unit, &quantity.value, &mut leaves, &mut cut);
    }
    (leaves, cut)
}

fn add(name: &str, unit: &str, value: &Value, leaves: &mut Vec<Leaf>, cut: &mut Vec<String>) {
    let value = match value {
        Value::List(entries) => {
            for (index, entry) in entries.iter().take(MOST_ENTRIES).enumerate() {
                add(&format!("{name}[{index}]"), unit, entry, leaves, cut);
            }
            if entries.len() > MOST_ENTRIES {
                cut.push(name.to_owned());
            }
            return;
        }
        Value::Record(parts) => {
            return parts.iter().for_each(|(part, value)| add(&format!("{name}.{part}"), unit, value, leaves, cut));
        }
        Value::Word(word) => Cell::Word(word.clone()),
        number => Cell::Number(scalar(number)),
    };
    leaves.push(Leaf { name: name.to_owned(), unit: unit.to_owned(), value });
}

/// A value as a number; not a number where it is none or not finite, which is not averaged.
pub(super) fn scalar(value: &Value) -> f64 {
    match value {
        Value::Number(number) if number.is_finite() => *number,
        Value::Integer(number) => *number as f64,
        Value::Flag(flag) => f64::from(u8::from(*flag)),
        _ => f64::NAN,
    }
}

/// The columns that were met so far, in the order of the items.
#[derive(Debug, Default)]
pub(super) struct Extras {
    columns: Vec<Extra>,
    index: BTreeMap<(String, bool), usize>,
    /// No column can be added any more: the head of the table is written.
    pub(super) frozen: bool,
    /// Entries without a column.
    pub(super) missed: u64,
    /// Running means of numbers by column and point.
    running: BTreeMap<(usize, usize), Running>,
}

#[derive(Debug)]
struct Extra {
    /// The quantity that it is a part of, by its first column: parts of a quantity stand together.
    group: usize,
    name: String,
    unit: String,
    is_word: bool,
}

impl Extras {
    /// The cells of an item by the numbers of their columns; `point` is given where means are wanted.
    pub(super) fn place(&mut self, leaves: Vec<Leaf>, point: Option<usize>) -> Vec<(usize, Cell)> {
        let mut cells = Vec::with_capacity(leaves.len());
        for Leaf { name, unit, value } in leaves {
            let Some(column) = self.column(name, unit, matches!(value, Cell::Word(_))) else {
                self.missed += 1;
                continue;
            };
            if let (Some(point), Cell::Number(number)) = (point, &value) {
                self.running.entry((column, point)).or_default().add(*number);
            }
            cells.push((column, value));
        }
        cells
    }

    fn column(&mut self, name: String, unit: String, is_word: bool) -> Option<usize> {
        let key = (name, is_word);
        if let Some(column) = self.index.get(&key) {
            return Some(*column);
        }
        if self.frozen {
            return None;
        }
        let next = self.columns.len();
        let stem = |name: &str| name.split(['[', '.']).next().unwrap_or_default().to_owned();
        let group = self.columns.iter().position(|column| stem(&column.name) == stem(&key.0)).unwrap_or(next);
        self.columns.push(Extra { group, name: key.0.clone(), unit, is_word });
        self.index.insert(key, next);
        Some(next)
    }

    /// The columns with their numbers, the parts of a quantity together.
    fn ordered(&self) -> Vec<(usize, &Extra)> {
        let mut all: Vec<(usize, &Extra)> = self.columns.iter().enumerate().collect();
        all.sort_by_key(|(_, column)| column.group);
        all
    }

    /// With a column for each of them, given the cells of every row.
    pub(super) fn with_columns<'r>(
        &self,
        table: Table,
        rows: usize,
        cells: impl Iterator<Item = &'r Vec<(usize, Cell)>>,
    ) -> Table {
        let mut numbers = vec![Vec::new(); self.columns.len()];
        let mut words = vec![Vec::new(); self.columns.len()];
        for (index, column) in self.columns.iter().enumerate() {
            if column.is_word {
                words[index] = vec![String::new(); rows];
            } else {
                numbers[index] = vec![f64::NAN; rows];
            }
        }
        for (row, cells) in cells.enumerate() {
            for (column, cell) in cells {
                match cell {
                    Cell::Number(number) => set(&mut numbers, *column, row, *number),
                    Cell::Word(word) => set(&mut words, *column, row, word.clone()),
                }
            }
        }
        self.ordered().into_iter().fold(table, |table, (index, column)| {
            // a quantity that is a number here and a word there has two columns
            let twin = column.is_word && self.index.contains_key(&(column.name.clone(), false));
            let taken = twin || table.column(&column.name).is_some();
            let name = if taken { format!("{}_2", column.name) } else { column.name.clone() };
            let label = name.replace('_', " ");
            if column.is_word {
                table.words(&name, &label, std::mem::take(&mut words[index]))
            } else {
                table.numbers(&name, &column.unit, &label, std::mem::take(&mut numbers[index]))
            }
        })
    }

    /// Columns of numbers with their name, unit, and running mean at a point.
    pub(super) fn numbers(&self) -> Vec<ExtraNumber<'_>> {
        let numbers = self.ordered().into_iter().filter(|(_, column)| !column.is_word);
        numbers.map(|(index, column)| ExtraNumber { name: &column.name, unit: &column.unit, index, of: self }).collect()
    }
}

/// A column of numbers.
pub(super) struct ExtraNumber<'e> {
    pub(super) name: &'e str,
    pub(super) unit: &'e str,
    pub(super) index: usize,
    of: &'e Extras,
}

impl ExtraNumber<'_> {
    /// What is known of it at a point.
    pub(super) fn at<T>(&self, point: u64, of: impl Fn(Spread) -> Option<T>) -> Option<T> {
        self.of.running.get(&(self.index, point as usize)).map(Running::spread).and_then(of)
    }

    /// How many values it has at a point.
    pub(super) fn count(&self, point: u64) -> u64 {
        self.at(point, |spread| Some(spread.count)).unwrap_or(0)
    }
}

fn set<T>(columns: &mut [Vec<T>], column: usize, row: usize, value: T) {
    if let Some(cell) = columns.get_mut(column).and_then(|column| column.get_mut(row)) {
        *cell = value;
    }
}
