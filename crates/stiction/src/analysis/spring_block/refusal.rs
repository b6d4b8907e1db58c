//! Why a motion cannot be computed, where the friction law is the reason.

use crate::analysis::AnalysisError;
use crate::integrate::{IntegrationError, plain};
use crate::law::{FrictionLaw, Law, Stribeck};
use crate::system::SpringBlock;
use crate::system::spring_block::motion::VELOCITY;

/// The error with its reason in the words of the user: friction that is negative at the sliding speed of the motion pushes the
/// block, and such motions are not computed; nor are releases against friction that falls too steeply at rest.
pub(super) fn explained(block: &SpringBlock, error: IntegrationError) -> AnalysisError {
    if let Some(reason) = steep_at_rest(block) {
        return reason;
    }
    let (IntegrationError::NotFinite { state, .. } | IntegrationError::StepTooSmall { state, .. }) = &error else {
        return error.into();
    };
    let Some(velocity) = state.get(VELOCITY) else { return error.into() };
    let Some((speed, value)) = negative_near(block, (block.drive_speed - velocity).abs()) else { return error.into() };
    let message = format!(
        "gives a friction coefficient of {value:.3e} at a sliding speed of {speed:.6e} m/s: this motion comes to such speeds, and \
         friction must not be negative there; change the law, or lower drive_speed ({} m/s) or start.velocity",
        plain(block.drive_speed)
    );
    AnalysisError::unsuitable(block.law.shaping_key(), message)
}

/// The reason why a block cannot be followed whose friction falls from rest like a small power of the speed: it is released with
/// equal forces, and which of them wins is decided by speeds below the rounding of the drive speed.
fn steep_at_rest(block: &SpringBlock) -> Option<AnalysisError> {
    const STEEP: f64 = 0.5;
    let Law::Stribeck(Stribeck { exponent, .. }) = block.law else { return None };
    (exponent < STEEP).then(|| {
        let message = format!(
            "is {}: friction falls so steeply at rest that the release of the block cannot be computed; give at least {STEEP}, or a \
             law whose kinetic coefficient is smaller than the static one at rest (coulomb, linear)",
            plain(exponent)
        );
        AnalysisError::unsuitable("law.stribeck.exponent", message)
    })
}

/// A speed near `speed` at which the coefficient is negative, and the coefficient there: the motion stops just before it.
fn negative_near(block: &SpringBlock, speed: f64) -> Option<(f64, f64)> {
    let away = [1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 0.03, 0.1, 0.3];
    // at rest on the surface: speeds just above zero
    let slow = away.map(|away| speed + away * block.drive_speed.abs());
    away.into_iter()
        .flat_map(|away| [speed * (1.0 + away), speed * (1.0 - away)])
        .chain(slow)
        .map(|speed| (speed, block.law.kinetic(speed)))
        .find(|(_, value)| *value < 0.0)
}
