//! Why a motion cannot be computed, where the friction law is the reason.

use crate::Problem;
use crate::integrate::IntegrationError;
use crate::keys::number_text;
use crate::law::{Law, Stribeck};
use crate::system::SpringBlock;

/// Exponents of a Stribeck law below this make friction fall too steeply at rest.
const STEEP: f64 = 0.5;

/// The error with its reason in the words of the user: a block whose friction falls from rest like a small power of the speed
/// is released with equal forces, and which of them wins is decided by speeds below the rounding of the drive speed.
pub(super) fn explained(block: &SpringBlock, error: IntegrationError) -> IntegrationError {
    let unexplained = !matches!(error, IntegrationError::Fault { .. });
    match block.law {
        Law::Stribeck(Stribeck { exponent, .. }) if exponent < STEEP && unexplained => {
            let message = format!(
                "is {}: friction falls so steeply at rest that the release of the block cannot be computed; give at least \
                 {STEEP}, or a law whose kinetic coefficient is smaller than the static one at rest (coulomb, linear)",
                number_text(exponent)
            );
            IntegrationError::fault(error.time(), Problem::new("law.stribeck.exponent", message))
        }
        _ => error,
    }
}
