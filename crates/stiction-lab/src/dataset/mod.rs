//! Answers: quantities with units, tables with named columns, events and warnings.

mod outcome;
mod table;

pub use outcome::{Outcome, Quantity, Value};
pub use table::{Column, Data, Table};
