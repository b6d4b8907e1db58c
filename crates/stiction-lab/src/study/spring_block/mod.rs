//! Questions about a block on a moving surface, held by a spring.

mod attractors;
mod basin;
mod bifurcation;
mod branch_ends;
mod continuation;
mod critical_speed;
mod friction_curve;
mod hopf_normal_form;
mod meeting;
mod overdamped;
mod random_parameters;
mod stick_slip_map;
mod trajectory;

pub use attractors::Attractors;
pub use basin::Basin;
pub use bifurcation::Bifurcation;
pub use continuation::Continuation;
pub use critical_speed::CriticalSpeed;
pub use friction_curve::{FrictionCurve, NamedLaw};
pub use hopf_normal_form::HopfNormalForm;
pub use overdamped::Overdamped;
pub use random_parameters::{Question, RandomParameter, RandomParameters};
pub use stick_slip_map::{Diagram, StickSlipMap};
pub use trajectory::Trajectory;

use super::system::Mechanism;
use super::{AnySystem, ClosedForm, Offer, StudyError};
use crate::dataset::number;
use stiction::Problem;
use stiction::law::AgingLaw;
use stiction::system::SpringBlock;
use stiction::system::System;
use stiction::system::spring_block::Mode;

type Family = super::family::Family<SpringBlock>;

impl Mechanism for SpringBlock {
    const NAME: &'static str = "spring_block";

    fn problems(&self) -> Vec<Problem> {
        SpringBlock::problems(self)
    }

    fn out_of_range(&self) -> Option<Problem> {
        out_of_range(self)
    }
}

/// What a file would not be allowed to say: the reader of scenarios checks single ranges before there is a block.
fn out_of_range(block: &SpringBlock) -> Option<Problem> {
    let positive = [("mass", block.mass), ("stiffness", block.stiffness), ("normal_load", block.normal_load)];
    let wrong = positive.into_iter().find(|(_, value)| *value <= 0.0);
    let wrong = wrong.map(|(key, value)| Problem::new(key, format!("is {}, but must be > 0", number(value))));
    let ageing = || block.aging.iter().flat_map(AgingLaw::problems).next().map(|problem| problem.below("aging"));
    wrong.or_else(ageing)
}

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

/// The unit of a parameter of the spring-block system, by the last name of its key.
pub(super) fn unit_of(parameter: &str) -> &'static str {
    match parameter.rsplit('.').next().unwrap_or(parameter) {
        "mass" => "kg",
        "stiffness" => "N/m",
        "drive_speed" | "crossover_speed" | "crossover_width" | "stribeck_speed" | "speed" | "velocity" => "m/s",
        "normal_load" => "N",
        "slope" | "low_speed_slope" | "high_speed_slope" | "viscous" | "f1" => "s/m",
        "f2" => "s²/m²",
        "f3" => "s³/m³",
        "time_constant" => "s",
        "displacement" | "microscopic_length" => "m",
        _ => "",
    }
}

/// What `[solver]` can choose for motions of a block.
fn motions(system: &AnySystem) -> Option<Offer> {
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
