//! Large studies: numbered items, worked on in any order and reduced in theirs.
//!
//! A study that asks the same of many realisations or parameter values says so by [`ordered`]. An item's result depends on
//! the study and the item's number alone. So it does not matter which thread or machine makes it, whether it was made in an
//! earlier run and kept, or whether it is made twice: the reduction sees the items in the order of their numbers, and its
//! answer has the same bits.
//!
//! What is kept, and where, is the business of a [`Keeper`]: this crate has no files. [Running](crate::num::statistics::Running) means, the rule that ends
//! a study early ([`StopRule`]) and the history of both ([`Watch`]) see the items in the order of their numbers, too.

mod chunk;
mod keeper;
mod ordered;
mod stop;
mod watch;

pub use chunk::{Chunk, weight};
pub use keeper::{Forgetful, Halt, KeepError, Keeper, Part, Stage};
pub use ordered::{Work, ordered};
pub use stop::{Comparison, Condition, Ending, Measure, StopRule, WrongRule};
pub use watch::{Milestone, Watch, Watched, looks, told_means};
