//! Extremes in the steady state against a parameter, beside the equilibrium and its stability.

use super::eigenvalues::Linearisation;
use super::stability::{Stability, stability};
use super::transient::{Outcome, Transient};
use super::{Family, in_parallel};
use crate::analysis::{AnalysisError, Progress};
use serde::{Deserialize, Serialize};

/// One value of the parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The value.
    pub value: f64,
    /// The run from the start that the discs ask for.
    pub outcome: Outcome,
    /// The equilibrium and its stability; none where the drive stands still.
    pub stability: Option<Stability>,
}

/// A run at each value of a parameter. A run that fails, or has no equilibrium to start from, is a row with a
/// status.
///
/// # Errors
/// If the discs of a value cannot be made, or on request.
pub fn sweep(
    family: Family<'_>,
    values: &[f64],
    transient: &Transient,
    progress: &dyn Progress,
) -> Result<Vec<Row>, AnalysisError> {
    in_parallel("runs", values, progress, |_, &value| row(family, value, transient))
}

/// The run at one value of a parameter.
///
/// # Errors
/// If the discs cannot be made.
pub fn row(family: Family<'_>, value: f64, transient: &Transient) -> Result<Row, AnalysisError> {
    let discs = family(value)?;
    let stability = match discs.drive_speed {
        0.0 => None,
        _ => Some(stability(&discs, Linearisation::Reduced)?),
    };
    Ok(Row { value, outcome: transient.run_if_possible(discs.realisation(0, 0))?, stability })
}
