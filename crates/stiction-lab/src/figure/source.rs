//! Looks up tables and columns for a figure, with errors that name what exists.

use super::error::{Mistake, by_likeness};
use super::scale::LARGEST;
use super::subscript::parts;
use crate::dataset::{Column, Data, Table};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The tables of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a>(pub(super) &'a [Table]);

/// A table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a>(&'a Table);

impl<'a> Source<'a> {
    /// The table of that name, or the first one.
    pub(super) fn table(&self, name: Option<&str>) -> Result<Rows<'a>, Mistake> {
        let found = match name {
            Some(name) => self.0.iter().find(|table| table.name == name),
            None => self.0.first(),
        };
        found.map(Rows).ok_or_else(|| Mistake::NoTable {
            table: name.unwrap_or("(the first one)").to_owned(),
            nearest: by_likeness(name.unwrap_or(""), self.0.iter().map(|table| table.name.as_str())),
        })
    }
}

/// Two columns with the lower and upper ends of something.
#[derive(Debug, Clone)]
pub(super) struct Span<'a> {
    low: Cow<'a, [f64]>,
    high: Cow<'a, [f64]>,
}

impl Span<'_> {
    /// The ends of a row.
    pub(super) fn at(&self, row: usize) -> Option<(f64, f64)> {
        Some((*self.low.get(row)?, *self.high.get(row)?))
    }
}

impl<'a> Rows<'a> {
    pub(super) fn name(&self) -> &'a str {
        &self.0.name
    }

    pub(super) fn column(&self, name: &str) -> Result<&'a Column, Mistake> {
        self.0.column(name).ok_or_else(|| Mistake::NoColumn {
            table: self.0.name.clone(),
            column: name.to_owned(),
            nearest: by_likeness(name, self.0.columns.iter().map(|column| column.name.as_str())),
        })
    }

    /// A column that may not have been asked for.
    pub(super) fn optional(&self, name: Option<&String>) -> Result<Option<&'a Column>, Mistake> {
        name.map(|name| self.column(name)).transpose()
    }

    /// A column of numbers; infinite ones become `NaN`, too large ones are an error.
    pub(super) fn numbers(&self, name: &str) -> Result<Cow<'a, [f64]>, Mistake> {
        let column = self.column(name)?;
        let values = match &column.data {
            Data::Numbers(values) => Cow::Borrowed(values.as_slice()),
            Data::Integers(values) => Cow::Owned(values.iter().map(|&value| value as f64).collect()),
            Data::Words(_) => {
                return Err(Mistake::NotNumbers { table: self.0.name.clone(), column: name.to_owned() });
            }
        };
        match values.iter().find(|value| value.is_finite() && value.abs() > LARGEST) {
            Some(value) => {
                let limit = format!("beyond the {LARGEST:e} that can be drawn");
                let remedy = "give the axis a range, or look at the table for what went wrong";
                Err(self.bad_numbers(name, format!("{value:e}, {limit}; {remedy}")))
            }
            None => Ok(values),
        }
    }

    /// A column holds what its layer cannot draw.
    pub(super) fn bad_numbers(&self, column: &str, reason: impl Into<String>) -> Mistake {
        Mistake::BadNumbers { table: self.0.name.clone(), column: column.to_owned(), reason: reason.into() }
    }

    /// Two columns of numbers of which the first is nowhere above the second.
    pub(super) fn span(&self, low: &str, high: &str, chosen: &[usize]) -> Result<Span<'a>, Mistake> {
        let (lows, highs) = (self.numbers(low)?, self.numbers(high)?);
        let wrong = chosen.iter().find(|&&row| {
            // ends that were meant to be equal may differ by rounding
            let ends = lows.get(row).zip(highs.get(row));
            ends.is_some_and(|(&low, &high)| low > high && low - high > 1e-9 * low.abs().max(high.abs()))
        });
        if let Some(&row) = wrong {
            let value = lows.get(row).copied().unwrap_or(f64::NAN);
            return Err(self.bad_numbers(low, format!("{value:?} in row {}; `low` must not be above `high`", row + 1)));
        }
        Ok(Span { low: lows, high: highs })
    }

    /// Refuses more parts of a layer than a reader can tell apart.
    pub(super) fn check_number(
        &self,
        what: &'static str,
        count: usize,
        most: usize,
        remedy: &'static str,
    ) -> Result<(), Mistake> {
        let table = self.0.name.clone();
        if count > most { Err(Mistake::TooMany { table, what, count, most, remedy }) } else { Ok(()) }
    }

    /// The rows in which every column of `only` has its word.
    pub(super) fn chosen(&self, only: &BTreeMap<String, String>) -> Result<Vec<usize>, Mistake> {
        let mut rows: Vec<usize> = (0..self.0.rows()).collect();
        for (name, word) in only {
            let column = self.column(name)?;
            rows.retain(|&row| text(column, row) == *word);
        }
        Ok(rows)
    }
}

/// The cell of a column as a word.
pub(super) fn text(column: &Column, row: usize) -> Cow<'_, str> {
    match &column.data {
        Data::Words(words) => words.get(row).map_or(Cow::Borrowed(""), |word| Cow::Borrowed(word.as_str())),
        Data::Integers(values) => values.get(row).map_or(Cow::Borrowed(""), |value| Cow::Owned(value.to_string())),
        Data::Numbers(values) => values.get(row).map_or(Cow::Borrowed(""), |value| Cow::Owned(value.to_string())),
    }
}

/// A word of a table as a person reads it: with spaces, but a subscript stays one.
pub(super) fn readable(word: &str) -> String {
    let mut out = String::new();
    for part in parts(word) {
        if part.lowered {
            out.push('_');
            out.push_str(part.text);
        } else {
            out.push_str(&part.text.replace('_', " "));
        }
    }
    out
}
