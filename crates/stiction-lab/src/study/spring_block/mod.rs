//! Questions about a block on a moving surface, held by a spring.

mod attractors;
mod basin;
mod bifurcation;
mod critical_speed;
mod friction_curve;
mod hopf_normal_form;
mod motion;
mod overdamped;
mod stick_slip_map;

pub use attractors::Attractors;
pub use basin::Basin;
pub use bifurcation::Bifurcation;
pub use critical_speed::CriticalSpeed;
pub use friction_curve::{FrictionCurve, NamedLaw};
pub use hopf_normal_form::HopfNormalForm;
pub(in crate::study) use motion::BlockMotion;
pub use overdamped::Overdamped;
pub use stick_slip_map::StickSlipMap;

use super::{AnySystem, ClosedForm, Offer, StudyError};
use stiction::system::SpringBlock;
use stiction::system::System;
use stiction::system::spring_block::Mode;

type Family = super::family::Family<SpringBlock>;

pub(in crate::study) fn drive_speed() -> String {
    "drive_speed".to_owned()
}

/// Refuses a duration \[s\] that no computer lives to see: more than ten million periods of the block on its spring.
pub(super) fn check_duration(duration: f64, block: &SpringBlock, key: &str) -> Result<(), StudyError> {
    const MOST_PERIODS: f64 = 1e7;
    let periods = duration / block.natural_period();
    if periods <= MOST_PERIODS {
        return Ok(());
    }
    let message = format!(
        "{duration:e} s are {periods:e} periods of the block on its spring; at most {MOST_PERIODS:e} can be followed: shorten it to \
         {:e} s",
        MOST_PERIODS * block.natural_period()
    );
    Err(StudyError::unsuitable(key, message))
}

/// What `[solver]` can choose for motions of a block.
pub(in crate::study) fn motions(system: &AnySystem) -> Option<Offer> {
    let AnySystem::SpringBlock(block) = system else { return None };
    let known = block.closed_form(Mode::SlipBelow) != stiction::system::ClosedForm::Never;
    Some(Offer::explicit(if known { ClosedForm::Everything } else { ClosedForm::Phases }))
}

/// What `[solver]` can choose for an analysis by single slips. Those backward in time have no closed form.
fn orbits(system: &AnySystem) -> Option<Offer> {
    let AnySystem::SpringBlock(block) = system else { return None };
    let known = block.closed_form(Mode::SlipBelow) != stiction::system::ClosedForm::Never;
    Some(Offer::explicit(if known { ClosedForm::Phases } else { ClosedForm::Nothing }))
}
