//! What a campaign keeps of its items besides their quantities: their tables, up to a number of rows, and their warnings.

use crate::campaign::kept_name;
use crate::dataset::{Column, Data, Outcome, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Kinds of warnings that are listed.
const MOST_KINDS: usize = 20;

/// What an item leaves besides its quantities.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Leftovers {
    pub(super) warnings: Vec<String>,
    tables: Vec<Table>,
    /// Tables that are too long to be kept, with their numbers of rows.
    too_long: Vec<(String, u64)>,
}

impl Leftovers {
    /// What is kept of an outcome, with at most so many rows of each table.
    pub(super) fn of(outcome: Outcome, most_rows: u64) -> Self {
        let warnings = outcome.quantity_warnings();
        let (tables, long): (Vec<Table>, Vec<Table>) =
            outcome.tables.into_iter().partition(|table| table.rows() as u64 <= most_rows);
        let too_long = long.iter().map(|table| (table.name.clone(), table.rows() as u64)).collect();
        Self { warnings, tables, too_long }
    }
}

/// The tables and warnings of all items.
#[derive(Debug, Default)]
pub(super) struct Collected {
    tables: Vec<Table>,
    /// By name: how many items have a longer one, and the longest.
    too_long: BTreeMap<String, (u64, u64)>,
    /// By text without its numbers: the first text, its item, and how many items have it.
    warnings: Vec<(String, Warned)>,
    warned: u64,
}

#[derive(Debug)]
struct Warned {
    text: String,
    item: u64,
    count: u64,
}

impl Collected {
    /// Adds what an item left; `keys` has one row, the values of the keys that differ between items.
    pub(super) fn add(&mut self, item: u64, keys: &Table, leftovers: Leftovers) {
        self.warned += u64::from(!leftovers.warnings.is_empty());
        for text in leftovers.warnings {
            let kind = without_numbers(&text);
            match self.warnings.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, warned)) => warned.count += 1,
                None => self.warnings.push((kind, Warned { text, item, count: 1 })),
            }
        }
        for (name, rows) in leftovers.too_long {
            let (items, longest) = self.too_long.entry(name).or_default();
            (*items, *longest) = (*items + 1, rows.max(*longest));
        }
        for table in leftovers.tables {
            let name = kept_name(&table.name);
            let place = self.tables.iter().position(|known| known.name == name).unwrap_or_else(|| {
                let about = format!("of every item: {}", table.description);
                self.tables.push(Table::new(&name, &about));
                self.tables.len() - 1
            });
            append(&mut self.tables[place], &tagged(item, keys, table));
        }
    }

    /// Adds tables and warnings to the answer of the campaign.
    pub(super) fn push(self, outcome: &mut Outcome, items: u64, keep_rows: u64) {
        outcome.push("warned", "", self.warned as usize);
        let kinds = self.warnings.len();
        for (_, Warned { text, item, count }) in self.warnings.into_iter().take(MOST_KINDS) {
            outcome.warnings.push(format!("{count} of {items} items warn, the first is item {item}: {text}"));
        }
        if kinds > MOST_KINDS {
            let message = format!("there are {} more kinds of warnings; the table `items` has all", kinds - MOST_KINDS);
            outcome.warnings.push(message);
        }
        for (name, (count, longest)) in self.too_long {
            outcome.warnings.push(format!(
                "the table `{name}` of {count} items is not kept: it has up to {longest} rows, and campaign.keep_rows = {keep_rows} \
                 leaves {} to each of {items} items; raise it, or repeat one item by `stiction replay DIR ITEM --out OTHER`",
                keep_rows.checked_div(items).unwrap_or(0),
            ));
        }
        outcome.tables.extend(self.tables);
    }
}

/// Warnings that differ in their numbers only are of one kind.
fn without_numbers(text: &str) -> String {
    let mut kind = String::new();
    for sign in text.chars() {
        if !sign.is_ascii_digit() {
            kind.push(sign);
        } else if !kind.ends_with('#') {
            kind.push('#');
        }
    }
    kind.replace("#.#", "#").replace("#e-#", "#")
}

/// The table of an item with its number and the values of its keys in every row.
fn tagged(item: u64, keys: &Table, table: Table) -> Table {
    let rows = table.rows();
    let mut tagged = Table::new(&table.name, &table.description).integers("item", "item", vec![item as i64; rows]);
    for key in keys.columns.iter().filter(|key| table.column(&key.name).is_none()) {
        let data = match &key.data {
            Data::Numbers(values) => Data::Numbers(values.repeat(rows)),
            Data::Integers(values) => Data::Integers(values.repeat(rows)),
            Data::Words(values) => Data::Words(values.iter().cycle().take(rows).cloned().collect()),
        };
        tagged.columns.push(Column { data, ..key.clone() });
    }
    tagged.columns.extend(table.columns.into_iter().filter(|column| column.name != "item"));
    tagged
}

/// Adds rows; columns that one of the two has not are empty there.
fn append(all: &mut Table, table: &Table) {
    let (before, more) = (all.rows(), table.rows());
    for column in &table.columns {
        if all.column(&column.name).is_none() {
            all.columns.push(Column { data: blank(&column.data, before), ..column.clone() });
        }
    }
    for column in &mut all.columns {
        match (&mut column.data, table.column(&column.name).map(|found| &found.data)) {
            (Data::Numbers(known), Some(Data::Numbers(values))) => known.extend(values),
            (Data::Integers(known), Some(Data::Integers(values))) => known.extend(values),
            (Data::Words(known), Some(Data::Words(values))) => known.extend(values.iter().cloned()),
            (Data::Numbers(known), _) => known.extend(vec![f64::NAN; more]),
            (Data::Integers(known), _) => known.extend(vec![0; more]),
            (Data::Words(known), _) => known.extend(vec![String::new(); more]),
        }
    }
}

fn blank(like: &Data, rows: usize) -> Data {
    match like {
        Data::Numbers(_) => Data::Numbers(vec![f64::NAN; rows]),
        Data::Integers(_) => Data::Integers(vec![0; rows]),
        Data::Words(_) => Data::Words(vec![String::new(); rows]),
    }
}
