//! What every campaign must tend to: long correlation lengths, where the field is one random number, and short ones, where
//! the cycle answers linearly to the mean over the disc. Both are integrals; nothing is simulated.

mod large;
mod small;

pub use large::{LargeLength, Moments};
pub use small::SmallLength;

use crate::analysis::AnalysisError;
use crate::num::quadrature::QuadratureError;

/// An integral over the field that failed.
fn not_found(error: QuadratureError) -> AnalysisError {
    AnalysisError::unsuitable("field.standard_deviation", format!("is too large for the limits: {error}"))
}
