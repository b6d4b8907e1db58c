//! The friction coefficient over a surface: measured maps, and the study that looks at realisations of a field.

mod map;
mod realisations;

pub use realisations::Field;

pub(super) use map::Map;

use super::StudyError;
use stiction::analysis::Progress;
use stiction::field::{FieldError, FieldModel, LengthChoice};

/// Whether the map of a field, if it has one, can be used.
///
/// # Errors
/// The key, the file, and what is wrong with it.
pub(crate) fn check_map(model: &FieldModel, system: &str, progress: &dyn Progress) -> Result<(), StudyError> {
    Map::of(model, system, progress).map(drop)
}

/// A field and the rectangle that its mechanism uses.
#[derive(Debug, Clone)]
pub(super) struct Region {
    /// The keys of the field.
    pub(super) model: FieldModel,
    /// Lower left and upper right corner \[m\].
    pub(super) corners: [[f64; 2]; 2],
    /// Name of the mechanism.
    pub(super) system: &'static str,
}

/// The first problem of a field, with its whole key.
pub(super) fn wrong(system: &str, error: &FieldError) -> StudyError {
    let key = format!("system.{system}.field");
    match error.problems().into_iter().next() {
        Some(problem) => {
            let problem = problem.below(&key);
            StudyError::unsuitable(problem.key, problem.message)
        }
        None => StudyError::unsuitable(key, error.to_string()),
    }
}

/// A correlation length multiplied by a factor.
pub(super) fn stretched(length: LengthChoice, factor: f64) -> LengthChoice {
    match length {
        LengthChoice::Isotropic(length) => LengthChoice::Isotropic(length * factor),
        LengthChoice::Anisotropic(lengths) => LengthChoice::Anisotropic(lengths.map(|length| length * factor)),
    }
}
