//! Questions about a disc that is held by springs on a moving belt.

pub mod closed_form;
pub mod limits;
pub mod spectrum;
pub mod statistics;

pub use closed_form::{UniformTransient, UniformBelt, UniformCycle, UniformSample, UniformStart};
pub use limits::{LargeLength, SmallLength};
pub use spectrum::{Spectrum, Window, periodogram, welch};
pub use statistics::{Convergence, Estimate, Histogram, Pooling, convergence};
