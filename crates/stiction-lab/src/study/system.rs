//! The mechanism of a scenario.

use super::StudyError;
use super::field::Region;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use stiction::Problem;
use stiction::analysis::planar_sliding::PlanarSliding;
use stiction::field::FieldModel;
use stiction::system::{BeltDisc, CrankSlider, SpringBlock, TwoDisc, Wheel};

/// What the lab needs of the parameters of a mechanism.
pub(super) trait Mechanism: Serialize + DeserializeOwned {
    /// The name under which a scenario chooses it.
    const NAME: &'static str;

    /// What is wrong with the parameters beyond their single ranges (empty if nothing).
    fn problems(&self) -> Vec<Problem>;

    /// What a file would not be allowed to say: the reader of scenarios checks single ranges before there is a
    /// mechanism. Only for parameters whose ranges [`Mechanism::problems`] does not check again.
    fn out_of_range(&self) -> Option<Problem> {
        None
    }

    /// The friction coefficient over its surface, if it varies.
    fn field_mut(&mut self) -> Option<&mut FieldModel> {
        None
    }

    /// The friction coefficient and the rectangle that it is needed on, if it varies over a surface.
    fn region(&self) -> Option<Region> {
        None
    }
}

macro_rules! systems {
    ($($(#[$doc:meta])* $variant:ident, $access:ident;)*) => {
        /// The mechanism of a scenario, chosen by name.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum AnySystem {
            $($(#[$doc])* $variant($variant),)*
        }

        impl AnySystem {
            /// The name under which a scenario chooses the mechanism.
            pub fn name(&self) -> &'static str {
                match self {
                    $(AnySystem::$variant(_) => $variant::NAME,)*
                }
            }

            /// What is wrong with the parameters beyond their single ranges (empty if nothing).
            pub fn problems(&self) -> Vec<Problem> {
                let problems = match self {
                    $(AnySystem::$variant(system) => Mechanism::problems(system),)*
                };
                problems.into_iter().map(|problem| problem.below(self.name())).collect()
            }

            /// The friction coefficient over its surface, if it varies.
            pub(crate) fn field_mut(&mut self) -> Option<&mut FieldModel> {
                match self {
                    $(AnySystem::$variant(system) => Mechanism::field_mut(system),)*
                }
            }

            /// The friction coefficient and the rectangle that it is needed on.
            pub(super) fn region(&self) -> Option<Region> {
                match self {
                    $(AnySystem::$variant(system) => Mechanism::region(system),)*
                }
            }
        }

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
        self.system.region().ok_or_else(|| StudyError::unsuitable("study", message()))
    }
}
