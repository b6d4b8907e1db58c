//! The mechanism of a scenario.

use super::StudyError;
use super::field::Region;
use stiction::analysis::planar_sliding::PlanarSliding;
pub use stiction::mechanism::AnyMechanism as AnySystem;
use stiction::mechanism::Mechanism;
use stiction::system::{BeltDisc, CrankSlider, SpringBlock, TwoDisc, Wheel};

macro_rules! systems {
    ($($(#[$doc:meta])* $variant:ident, $access:ident;)*) => {
        impl<'a> super::Context<'a> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// If the mechanism of the scenario is another one.
                pub fn $access(&self) -> Result<&'a $variant, super::StudyError> {
                    match self.system {
                        AnySystem::$variant(system) => Ok(system),
                        other => Err(super::StudyError::other_system($variant::NAME, other.name())),
                    }
                }
            )*
        }
    };
}

systems! {
    /// A block on a moving surface, held by a spring.
    SpringBlock, spring_block;
    /// A rigid plate that slides on a plane with a friction coefficient that varies over the plate.
    PlanarSliding, planar_sliding;
    /// A crank that moves a slider along a track, braked by friction that varies over the slider.
    CrankSlider, crank_slider;
    /// A wheel on a turntable, in a slider on a disc above it.
    Wheel, wheel;
    /// Two elastically held discs with a bar between them that rubs through bristles.
    TwoDisc, two_disc;
    /// A disc on a moving belt, held by springs, with friction that varies over the belt.
    BeltDisc, belt_disc;
}

impl super::Context<'_> {
    /// The friction coefficient and the rectangle that it is needed on.
    pub(super) fn region(&self) -> Result<Region, StudyError> {
        let name = self.system.name();
        let message = || format!("asks about a friction field, but {name} has none");
        let (model, corners) = self.system.region().ok_or_else(|| StudyError::unsuitable("study", message()))?;
        Ok(Region { model, corners, system: name })
    }
}
