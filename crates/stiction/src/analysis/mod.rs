//! Questions that are asked of a mechanism.

pub mod belt_disc;
mod budget;
pub mod campaign;
pub mod continuation;
pub mod crank_slider;
pub mod critical_speed;
pub mod equilibrium;
mod error;
pub mod overdamped;
mod pace;
pub mod planar_sliding;
pub mod progress;
pub mod spring_block;
pub mod stick_slip_map;
pub mod trajectory;
pub mod two_disc;
pub mod wheel;

pub use budget::Budget;
pub use error::AnalysisError;
pub use pace::Pace;
pub use progress::{Cancelled, Progress, Quiet, Silent};
