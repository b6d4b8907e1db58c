//! Keys: their paths, units and ranges, the numbers behind them, and what is wrong with those.
//!
//! The types of a scenario are its only description. Their doc comments and ranges become a JSON Schema; [`schema::View`] is how it is
//! read, [`outside`] checks a value against its ranges, and [`Parameter`] is a number of a mechanism that is varied by its path.

mod nearest;
mod parameter;
mod path;
mod problem;
mod range;
mod rules;
pub mod schema;
mod walk;

pub use nearest::{nearest, nearest_few};
pub use parameter::Parameter;
pub use path::KeyTable;
pub use path::{Key, KeyPath};
pub use problem::Problem;
pub(crate) use problem::{Check, number_text, with_short_numbers};
pub use range::Range;
pub(crate) use rules::keyed;
pub use rules::{Keyed, Rules, outside};
