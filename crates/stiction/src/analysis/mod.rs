//! Questions that are asked of a mechanism.

pub mod critical_speed;
pub mod overdamped;
pub mod progress;
pub mod stick_slip_map;

pub use progress::{Cancelled, Progress, Silent};
