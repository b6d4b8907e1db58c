//! The one list of mechanisms, and the one way from their keys to what moves.
//!
//! ```text
//! keys ── Mechanism ──prepare(horizon)──→ Plan ──given(germ)──→ Motion
//! ```
//!
//! A [`Mechanism`] is what a scenario declares; nothing random is known yet. Its [`Plan`] has grids, tables and meshes, made once and
//! shared by all realisations. A germ (seed and number of the realisation) gives a [`Motion`], of which any general question is
//! asked; special analyses use the concrete types below the plan.

mod assembly;
mod belt_disc;
mod crank_slider;
mod planar_sliding;
mod spring_block;
mod two_disc;
mod wheel;

use crate::Problem;
use crate::analysis::planar_sliding::PlanarSliding;
use crate::field::{FieldModel, Germ, Surface};
use crate::keys::Keyed;
use crate::record::{Column, Motion, Name};
use crate::system::{Assembly, BeltDisc, CrankSlider, Fault, SpringBlock, TwoDisc, Wheel};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// How far a plan has to reach.
#[derive(Clone, Copy)]
pub struct Horizon<'a> {
    /// Longest motion \[s\].
    pub duration: f64,
    /// The measured map, where the field is a file: this crate opens none.
    pub map: Option<&'a Surface>,
    /// Whether the user asks to stop: some plans take many seconds.
    pub stop: &'a dyn Fn() -> bool,
}

/// What a scenario declares. Nothing random is known yet.
pub trait Mechanism: Keyed + DeserializeOwned {
    /// The name under which a scenario chooses it.
    const NAME: &'static str;

    /// What is wrong with the parameters (empty if nothing).
    fn problems(&self) -> Vec<Problem>;

    /// The friction coefficient over its surface, if it varies.
    fn field_mut(&mut self) -> Option<&mut FieldModel> {
        None
    }

    /// The friction coefficient with its defaults, and the lower left and upper right corner of the rectangle that it is needed on
    /// \[m\], if it varies over a surface.
    fn region(&self) -> Option<(FieldModel, [[f64; 2]; 2])> {
        None
    }

    /// The columns of its motions, coordinates and velocities first; empty for a mechanism without equations of motion.
    fn columns(&self) -> Vec<Column> {
        Vec::new()
    }

    /// Names of the contacts that stick and slip.
    fn contacts(&self) -> Vec<Name> {
        Vec::new()
    }

    /// Makes what all realisations share.
    ///
    /// # Errors
    /// The key that is at fault, and what to do; mechanisms without equations of motion say so.
    fn prepare(&self, horizon: &Horizon<'_>) -> Result<Box<dyn Plan + '_>, Fault>;
}

/// What all realisations of a mechanism share.
pub trait Plan: Sync {
    /// The realisation of a germ.
    ///
    /// # Errors
    /// The key that is at fault, and what to do.
    fn given(&self, germ: Germ) -> Result<Box<dyn Motion + '_>, Fault>;

    /// What the user should know about how it was made.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

macro_rules! mechanisms {
    ($($(#[$doc:meta])* $variant:ident;)*) => {
        /// A mechanism, chosen by name.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum AnyMechanism {
            $($(#[$doc])* $variant($variant),)*
        }

        impl AnyMechanism {
            /// The names of all mechanisms.
            pub const NAMES: &'static [&'static str] = &[$($variant::NAME),*];

            /// The name under which a scenario chooses the mechanism.
            pub fn name(&self) -> &'static str {
                match self {
                    $(AnyMechanism::$variant(_) => $variant::NAME,)*
                }
            }

            /// What is wrong with the parameters (empty if nothing), below the name of the mechanism.
            pub fn problems(&self) -> Vec<Problem> {
                let problems = match self {
                    $(AnyMechanism::$variant(mechanism) => Mechanism::problems(mechanism),)*
                };
                problems.into_iter().map(|problem| problem.below(self.name())).collect()
            }

            /// As [`Mechanism::field_mut`].
            pub fn field_mut(&mut self) -> Option<&mut FieldModel> {
                match self {
                    $(AnyMechanism::$variant(mechanism) => Mechanism::field_mut(mechanism),)*
                }
            }

            /// As [`Mechanism::region`].
            pub fn region(&self) -> Option<(FieldModel, [[f64; 2]; 2])> {
                match self {
                    $(AnyMechanism::$variant(mechanism) => Mechanism::region(mechanism),)*
                }
            }

            /// As [`Mechanism::columns`].
            pub fn columns(&self) -> Vec<Column> {
                match self {
                    $(AnyMechanism::$variant(mechanism) => Mechanism::columns(mechanism),)*
                }
            }

            /// As [`Mechanism::contacts`].
            pub fn contacts(&self) -> Vec<Name> {
                match self {
                    $(AnyMechanism::$variant(mechanism) => Mechanism::contacts(mechanism),)*
                }
            }

            /// As [`Mechanism::prepare`].
            ///
            /// # Errors
            /// As [`Mechanism::prepare`].
            pub fn prepare(&self, horizon: &Horizon<'_>) -> Result<Box<dyn Plan + '_>, Fault> {
                match self {
                    $(AnyMechanism::$variant(mechanism) => Mechanism::prepare(mechanism, horizon),)*
                }
            }
        }
    };
}

mechanisms! {
    /// A mechanism of one's own: bodies, springs, forces, drives and contacts.
    Assembly;
    /// A block on a moving surface, held by a spring.
    SpringBlock;
    /// A rigid plate that slides on a plane with a friction coefficient that varies over the plate.
    PlanarSliding;
    /// A crank that moves a slider along a track, braked by friction that varies over the slider.
    CrankSlider;
    /// A wheel on a turntable, in a slider on a disc above it.
    Wheel;
    /// Two elastically held discs with a bar between them that rubs through bristles.
    TwoDisc;
    /// A disc on a moving belt, held by springs, with friction that varies over the belt.
    BeltDisc;
}

/// Names as a motion has them.
fn names(contacts: &'static [&'static str]) -> Vec<Name> {
    contacts.iter().map(|&name| Name::Borrowed(name)).collect()
}

/// The first of the problems of a mechanism.
fn sound<M: Mechanism>(mechanism: &M) -> Result<(), Fault> {
    mechanism.problems().into_iter().next().map_or(Ok(()), |problem| Err(Box::new(problem)))
}
