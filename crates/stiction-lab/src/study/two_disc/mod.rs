//! Questions about two discs and the bar between them that rubs.

mod equilibrium;
mod field;
mod hopf;
mod interval;
mod mesh;
mod runs;
mod stability_map;
mod transient;

pub(in crate::study) use equilibrium::DiscEquilibrium;
pub use field::IntervalFieldMaps;
pub use hopf::{Hopf, HopfCurveAlong};
pub use interval::Interval;
pub use mesh::MeshConvergence;
pub use stability_map::{MapPoint, StabilityMap};
pub use transient::Transient;

use super::{AnySystem, Offer, StudyError};
use stiction::analysis::two_disc::Stability;
use stiction::system::TwoDisc;
use stiction::system::two_disc::{Equilibrium, UPPER_ROTATION};

/// What `[solver]` can choose for motions to this relative tolerance.
fn motions(system: &AnySystem, relative_tolerance: f64) -> Option<Offer> {
    let AnySystem::TwoDisc(discs) = system else { return None };
    Some(Offer::stiff(discs, relative_tolerance))
}

/// The error of a key of a study.
fn wrong(study: &str, key: &str, message: impl Into<String>) -> StudyError {
    StudyError::unsuitable(format!("study.{study}.{key}"), message)
}

/// Rotation of the upper disc at an equilibrium \[rad\].
fn rotation(equilibrium: &Equilibrium) -> f64 {
    equilibrium.coordinates[UPPER_ROTATION]
}

/// Rotation of the upper disc at the equilibrium whose stability was found \[rad\].
fn level(found: &Stability) -> Option<f64> {
    found.equilibrium.as_ref().map(rotation)
}

/// The discs with the coefficient in the middle of their field everywhere.
fn without_field(mut discs: TwoDisc) -> TwoDisc {
    if let Some(field) = discs.field.take() {
        let law = discs.law.lugre_mut();
        let ratio = law.ratio();
        law.static_coefficient = field.centre;
        law.kinetic_coefficient = ratio * field.centre;
    }
    discs
}
