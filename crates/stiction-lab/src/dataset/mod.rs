//! Answers: quantities with units, tables with named columns, events and warnings; and the files they go to.

mod columnar;
mod error;
mod json;
mod long;
mod measured;
mod outcome;
mod parquet_check;
mod read;
mod readable;
mod rows;
mod table;
mod text;
mod thrift;

pub use columnar::{parquet_bytes, parquet_metadata};
pub use error::DatasetError;
pub(crate) use json::EVENTS;
pub use json::{MOST_EVENTS, OutcomeJson};
pub use long::{Growing, LongTable};
pub use measured::{MapError, MeasuredMap, read_map};
pub use outcome::{Outcome, Quantity, Value};
pub use read::read_table;
pub(crate) use readable::exact_value;
pub use readable::{readable, readable_value};
pub use table::{Column, Data, Table};
pub use text::csv_bytes;
pub(crate) use text::number;
