//! What a study answers.

use super::{Data, LongTable, Table};
use stiction::integrate::Effort;

/// What a study answers: quantities in the order in which a person wants to read them, and the tables behind them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// The answers.
    pub quantities: Vec<Quantity>,
    /// What happened, in order of time: one object of named values an event.
    pub events: Vec<Vec<(String, Value)>>,
    /// What the user should know before trusting the answers.
    pub warnings: Vec<String>,
    /// The tables behind the answers.
    pub tables: Vec<Table>,
    /// Tables that are too long for the memory, in files that wait for their place.
    pub long: Vec<LongTable>,
    /// What the motions behind the answers cost.
    pub effort: Effort,
}

/// A named answer with its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Name: lower case with underscores.
    pub name: String,
    /// Unit in SI symbols, `""` if it has none.
    pub unit: String,
    /// The value.
    pub value: Value,
}

/// The value of a quantity.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A real number. Not finite: written as null, with a warning.
    Number(f64),
    /// A whole number.
    Integer(i64),
    /// A word.
    Word(String),
    /// Yes or no.
    Flag(bool),
    /// Several values.
    List(Vec<Value>),
    /// Named values that belong together.
    Record(Vec<(String, Value)>),
    /// There is no such value (no critical speed, no stick-slip motion): written as null.
    Missing,
}

impl Outcome {
    /// Adds a quantity.
    pub fn push(&mut self, name: &str, unit: &str, value: impl Into<Value>) {
        self.quantities.push(Quantity { name: name.to_owned(), unit: unit.to_owned(), value: value.into() });
    }

    /// Adds the columns of a table as lists, but for some.
    pub fn push_columns(&mut self, table: &Table, without: &[&str]) {
        for column in table.columns.iter().filter(|column| !without.contains(&column.name.as_str())) {
            let list = match &column.data {
                Data::Numbers(values) => {
                    let exists = |value: &f64| Some(*value).filter(|value| !value.is_nan()).into();
                    values.iter().map(exists).collect()
                }
                Data::Integers(values) => values.iter().map(|value| Value::Integer(*value)).collect(),
                Data::Words(values) => values.iter().map(|value| Value::Word(value.clone())).collect(),
            };
            self.push(&column.name, &column.unit, Value::List(list));
        }
    }

    /// The quantity of that name.
    pub fn quantity(&self, name: &str) -> Option<&Value> {
        self.quantities.iter().find(|quantity| quantity.name == name).map(|quantity| &quantity.value)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Number(number)
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Value::Integer(number as i64)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Value::Word(word.to_owned())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Flag(flag)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Missing, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Value::List(values.into_iter().map(Into::into).collect())
    }
}
