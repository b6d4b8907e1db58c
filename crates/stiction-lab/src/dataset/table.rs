//! A table: named columns of equal length, each with a unit.

use serde::{Deserialize, Serialize};

/// Named columns of equal length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Name of the table: lower case with underscores; also the name of its file.
    pub name: String,
    /// What a row is, in one sentence.
    pub description: String,
    /// The columns, all of the same length.
    pub columns: Vec<Column>,
}

/// One column of a [`Table`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Name of the column: lower case with underscores.
    pub name: String,
    /// Unit in SI symbols, `""` if it has none (a pure number, a word).
    pub unit: String,
    /// How an axis names the column, for instance `displacement x`.
    pub label: String,
    /// The values.
    pub data: Data,
}

/// The values of a column. A number that does not exist (an unstable branch without a period) is `NaN` here and empty
/// or null in files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Data {
    /// Real numbers.
    Numbers(Vec<f64>),
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Words, for instance a class of motion.
    Words(Vec<String>),
}

impl Table {
    /// An empty table.
    pub fn new(name: &str, description: &str) -> Self {
        Self { name: name.to_owned(), description: description.to_owned(), columns: Vec::new() }
    }

    /// With one more column of real numbers.
    #[must_use]
    pub fn numbers(self, name: &str, unit: &str, label: &str, values: Vec<f64>) -> Self {
        self.with(name, unit, label, Data::Numbers(values))
    }

    /// With one more column of whole numbers.
    #[must_use]
    pub fn integers(self, name: &str, label: &str, values: Vec<i64>) -> Self {
        self.with(name, "", label, Data::Integers(values))
    }

    /// With one more column of words.
    #[must_use]
    pub fn words(self, name: &str, label: &str, values: Vec<String>) -> Self {
        self.with(name, "", label, Data::Words(values))
    }

    fn with(mut self, name: &str, unit: &str, label: &str, data: Data) -> Self {
        debug_assert!(self.columns.first().is_none_or(|first| first.data.len() == data.len()));
        self.columns.push(Column { name: name.to_owned(), unit: unit.to_owned(), label: label.to_owned(), data });
        self
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.data.len())
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl Data {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Data::Numbers(values) => values.len(),
            Data::Integers(values) => values.len(),
            Data::Words(values) => values.len(),
        }
    }

    /// What the values are: `number`, `integer` or `word`.
    pub fn kind(&self) -> &'static str {
        match self {
            Data::Numbers(_) => "number",
            Data::Integers(_) => "integer",
            Data::Words(_) => "word",
        }
    }

    /// Takes the first values away.
    pub(super) fn split_front(&mut self, count: usize) -> Data {
        fn front<T>(values: &mut Vec<T>, count: usize) -> Vec<T> {
            let rest = values.split_off(count.min(values.len()));
            std::mem::replace(values, rest)
        }
        match self {
            Data::Numbers(values) => Data::Numbers(front(values, count)),
            Data::Integers(values) => Data::Integers(front(values, count)),
            Data::Words(values) => Data::Words(front(values, count)),
        }
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
