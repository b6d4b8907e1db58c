//! Questions about two discs and the bar between them that rubs.

mod equilibrium;
mod extremes;
mod field;
mod hopf;
mod interval;
mod interval_sweep;
mod map_shape;
mod mesh;
mod runs;
mod stability_map;
mod stick_slip;
mod transient;
mod variant;

pub(in crate::study) use equilibrium::DiscEquilibrium;
pub use extremes::SteadyExtremes;
pub use field::IntervalFieldMaps;
pub use hopf::{Hopf, HopfCurveAlong};
pub use interval::Interval;
pub use interval_sweep::IntervalSweep;
pub use mesh::MeshConvergence;
pub use stability_map::{MapPoint, StabilityMap};
pub use stick_slip::StickSlipClasses;
pub use transient::Transient;
pub use variant::DiscVariant;

use super::StudyError;

/// A number that there is.
fn known(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// The error of a key of a study.
fn wrong(study: &str, key: &str, message: impl Into<String>) -> StudyError {
    StudyError::unsuitable(format!("study.{study}.{key}"), message)
}
