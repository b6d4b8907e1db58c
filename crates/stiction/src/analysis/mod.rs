//! Questions that are asked of a mechanism.

mod budget;
pub mod continuation;
pub mod critical_speed;
mod error;
pub mod overdamped;
pub mod progress;
pub mod spring_block;
pub mod stick_slip_map;
pub mod two_disc;

pub use budget::Budget;
pub use error::AnalysisError;
pub use progress::{Cancelled, Progress, Silent};
