//! Questions that are asked of a mechanism.

pub mod critical_speed;
pub mod progress;

pub use progress::{Cancelled, Progress, Silent};
