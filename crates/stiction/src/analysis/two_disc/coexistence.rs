//! Whether the outcome depends on the start: the same discs from rest, from turning, and from beside their equilibrium.

use super::transient::{Outcome, Transient};
use crate::analysis::AnalysisError;
use crate::system::TwoDisc;
use crate::system::two_disc::{Perturbation, Start};

/// Outcomes of the same discs from several starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Coexistence {
    /// From `turning`.
    pub turning: Outcome,
    /// From `at_rest`.
    pub at_rest: Outcome,
    /// From beside the equilibrium; none if there is no equilibrium.
    pub beside_equilibrium: Option<Outcome>,
}

/// Runs the discs from `turning`, from `at_rest`, and from the equilibrium with Θ displaced by `displacement` \[rad\].
///
/// # Errors
/// If the discs cannot be made.
pub fn coexistence(discs: &TwoDisc, displacement: f64, transient: &Transient) -> Result<Coexistence, AnalysisError> {
    let from = |start: Start| -> Result<Outcome, AnalysisError> {
        let perturbation = Perturbation { upper_rotation: displacement, ..Perturbation::default() };
        let discs = TwoDisc { start, perturbation, ..discs.clone() };
        Ok(transient.run(&discs.realisation(0, 0)?))
    };
    let has_equilibrium = discs.drive_speed != 0.0 && discs.equilibrium()?.is_some();
    Ok(Coexistence {
        turning: from(Start::Turning)?,
        at_rest: from(Start::AtRest)?,
        beside_equilibrium: if has_equilibrium { Some(from(Start::Equilibrium)?) } else { None },
    })
}
