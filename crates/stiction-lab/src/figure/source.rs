//! Looks up tables and columns for a figure, with errors that name what exists.

use super::error::{FigureError, by_likeness};
use super::scale::LARGEST;
use super::subscript::parts;
use crate::dataset::{Column, Data, Table};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The tables of a run, on behalf of one figure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) figure: &'a str,
    pub(super) tables: &'a [Table],
}

/// A table, on behalf of one figure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    figure: &'a str,
    table: &'a Table,
}

impl<'a> Source<'a> {
    /// The table of that name, or the first one.
    pub(super) fn table(&self, name: Option<&str>) -> Result<Rows<'a>, FigureError> {
        let found = match name {
            Some(name) => self.tables.iter().find(|table| table.name == name),
            None => self.tables.first(),
        };
        match found {
            Some(table) => Ok(Rows { figure: self.figure, table }),
            None => Err(FigureError::NoTable {
                figure: self.figure.to_owned(),
                table: name.unwrap_or("(the first one)").to_owned(),
                nearest: by_likeness(name.unwrap_or(""), self.tables.iter().map(|table| table.name.as_str())),
            }),
        }
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
    pub(super) fn figure(&self) -> &'a str {
        self.figure
    }

    pub(super) fn name(&self) -> &'a str {
        &self.table.name
    }

    pub(super) fn column(&self, name: &str) -> Result<&'a Column, FigureError> {
        self.table.column(name).ok_or_else(|| FigureError::NoColumn {
            figure: self.figure.to_owned(),
            table: self.table.name.clone(),
            column: name.to_owned(),
            nearest: by_likeness(name, self.table.columns.iter().map(|column| column.name.as_str())),
        })
    }

    /// A column that may not have been asked for.
    pub(super) fn optional(&self, name: Option<&String>) -> Result<Option<&'a Column>, FigureError> {
        name.map(|name| self.column(name)).transpose()
    }

    /// A column of numbers; infinite ones become `NaN`, too large ones are an error.
    pub(super) fn numbers(&self, name: &str) -> Result<Cow<'a, [f64]>, FigureError> {
        let column = self.column(name)?;
        let values = match &column.data {
            Data::Numbers(values) => Cow::Borrowed(values.as_slice()),
            Data::Integers(values) => Cow::Owned(values.iter().map(|&value| value as f64).collect()),
            Data::Words(_) => {
                return Err(FigureError::NotNumbers {
                    figure: self.figure.to_owned(),
                    table: self.table.name.clone(),
                    column: name.to_owned(),
                });
            }
        };
        match values.iter().find(|value| value.is_finite() && value.abs() > LARGEST) {
            Some(&value) => Err(FigureError::TooLarge {
                figure: self.figure.to_owned(),
                table: self.table.name.clone(),
                column: name.to_owned(),
                value,
            }),
            None => Ok(values),
        }
    }

    /// Two columns of numbers of which the first is nowhere above the second.
    pub(super) fn span(&self, low: &str, high: &str, chosen: &[usize]) -> Result<Span<'a>, FigureError> {
        let (lows, highs) = (self.numbers(low)?, self.numbers(high)?);
        let wrong = chosen.iter().find(|&&row| {
            // ends that were meant to be equal may differ by rounding
            let ends = lows.get(row).zip(highs.get(row));
            ends.is_some_and(|(&low, &high)| low > high && low - high > 1e-9 * low.abs().max(high.abs()))
        });
        if let Some(&row) = wrong {
            return Err(FigureError::BadCell {
                figure: self.figure.to_owned(),
                table: self.table.name.clone(),
                column: low.to_owned(),
                row: row + 1,
                value: lows.get(row).copied().unwrap_or(f64::NAN),
                expected: "`low` must not be above `high`",
            });
        }
        Ok(Span { low: lows, high: highs })
    }

    /// Refuses a number of a column that is `wrong`.
    pub(super) fn check(
        &self,
        column: &str,
        values: &[f64],
        chosen: &[usize],
        expected: &'static str,
        wrong: impl Fn(f64) -> bool,
    ) -> Result<(), FigureError> {
        let found = chosen.iter().find_map(|&row| values.get(row).filter(|value| wrong(**value)).map(|&v| (row, v)));
        let Some((row, value)) = found else { return Ok(()) };
        let (figure, table) = (self.figure.to_owned(), self.table.name.clone());
        Err(FigureError::BadCell { figure, table, column: column.to_owned(), row: row + 1, value, expected })
    }

    /// Refuses more parts of a layer than a reader can tell apart.
    pub(super) fn check_number(
        &self,
        what: &'static str,
        count: usize,
        most: usize,
        remedy: &'static str,
    ) -> Result<(), FigureError> {
        let (figure, table) = (self.figure.to_owned(), self.table.name.clone());
        if count > most { Err(FigureError::TooMany { figure, table, what, count, most, remedy }) } else { Ok(()) }
    }

    /// The rows in which every column of `only` has its word.
    pub(super) fn chosen(&self, only: &BTreeMap<String, String>) -> Result<Vec<usize>, FigureError> {
        let mut rows: Vec<usize> = (0..self.table.rows()).collect();
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
