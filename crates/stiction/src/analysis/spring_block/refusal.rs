//! Why a motion cannot be computed, where the friction law is the reason.

use crate::analysis::AnalysisError;
use crate::integrate::{IntegrationError, plain};
use crate::law::FrictionLaw;
use crate::system::SpringBlock;
use crate::system::spring_block::motion::VELOCITY;

/// The error with its reason in the words of the user: friction that is negative at the sliding speed of the motion pushes the
/// block, and such motions are not computed.
pub(super) fn explained(block: &SpringBlock, error: IntegrationError) -> AnalysisError {
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

/// A speed near `speed` at which the coefficient is negative, and the coefficient there: the motion stops just before it.
fn negative_near(block: &SpringBlock, speed: f64) -> Option<(f64, f64)> {
    let away = [1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 0.03, 0.1, 0.3];
    away.into_iter()
        .flat_map(|away| [speed * (1.0 + away), speed * (1.0 - away)])
        .map(|speed| (speed, block.law.kinetic(speed)))
        .find(|(_, value)| *value < 0.0)
}
