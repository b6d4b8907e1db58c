//! Questions about a disc that is held by springs on a moving belt with friction that varies from place to place.

mod deterministic;
mod landing_map;
mod limit_surface;
mod limits;
mod monte_carlo;
mod realisation;
mod sensitivity;
mod spectrum;
mod summary;
mod swept;
mod tables;
mod threshold_error;

pub use deterministic::Deterministic;
pub use landing_map::LandingMap;
pub use limit_surface::LimitSurface;
pub use limits::Limits;
pub use monte_carlo::MonteCarlo;
pub use realisation::Realisation;
pub use sensitivity::Sensitivity;
pub use spectrum::Spectrum;
pub use threshold_error::ThresholdError;

use super::field::Map;
use super::{AnySystem, ClosedForm, Context, Offer, StudyError};
use stiction::analysis::Progress;
use stiction::analysis::belt_disc::{BeltModel, Setting, UniformBelt, UniformStart};
use stiction::system::BeltDisc;
use stiction::system::belt_disc::{BeltStart, StartName};

/// What all realisations of a disc share.
fn model(disc: &BeltDisc, duration: f64, progress: &dyn Progress) -> Result<BeltModel, StudyError> {
    let map = Map::of(&disc.field, "belt_disc", progress)?;
    Ok(BeltModel::watched(disc, map.surface(), duration, progress)?)
}

/// What `[solver]` can choose for motions of a disc; `variants` are motions under other rules or from other starts.
fn motions(system: &AnySystem, variants: bool) -> Option<Offer> {
    let AnySystem::BeltDisc(disc) = system else { return None };
    let known = disc.is_closed_form();
    Some(Offer::belt(match (disc.field.constant.is_some(), variants) {
        (true, true) => ClosedForm::Phases,
        _ if known => ClosedForm::Everything,
        _ => ClosedForm::Nothing,
    }))
}

/// How runs are computed.
fn setting<'a>(context: &Context<'a>, duration: f64) -> Setting<'a> {
    let (tolerance, closed_form) = (context.solver.tolerance(), context.solver.closed_form);
    Setting { duration, tolerance, closed_form, progress: context.progress, ..Setting::default() }
}

/// The mean coefficient, which every comparison with the uniform belt needs.
fn mean_coefficient(disc: &BeltDisc) -> Result<f64, StudyError> {
    let message = "is a given function without a known mean: give `constant`, or `mean` and `standard_deviation`";
    disc.mean_coefficient().ok_or_else(|| StudyError::of_system("field", message))
}

/// The closed form of the belt with the mean coefficient.
fn uniform_belt(disc: &BeltDisc) -> Result<UniformBelt, StudyError> {
    let coefficient = mean_coefficient(disc)?;
    let BeltDisc { mass, stiffness, belt_speed, gravity, kinetic_ratio, .. } = *disc;
    UniformBelt::new(mass, stiffness, belt_speed, gravity, coefficient, kinetic_ratio)
        .map(|belt| belt.with_policy(disc.contact_policy))
        .map_err(|problem| StudyError::of_system(problem.key, problem.message))
}

/// The start, if the closed form knows it.
fn uniform_start(disc: &BeltDisc) -> Option<UniformStart> {
    match disc.start {
        BeltStart::Named(StartName::Rest) => Some(UniformStart::Rest),
        BeltStart::Named(StartName::Stuck) => Some(UniformStart::Stuck),
        BeltStart::State(_) => None,
    }
}

/// l/R, for fields with one correlation length.
fn length_ratio(disc: &BeltDisc) -> Option<f64> {
    match disc.field_model().correlation_length {
        Some(stiction::field::LengthChoice::Isotropic(length)) => Some(length / disc.radius),
        _ => None,
    }
}
