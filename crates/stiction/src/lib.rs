//! Dry friction as it is: contacts that stick, slip and squeal.
//!
//! The modules read in the order of the physics; each uses only those above it:
//!
//! | module | holds |
//! |---|---|
//! | [`keys`] | keys: their paths, units and ranges, and what is wrong with their values |
//! | [`memory`] | the one owner of memory: what a run may keep |
//! | [`num`] | elementary functions, roots, quadrature, formulas and their derivatives |
//! | [`field`] | friction that varies from place to place: correlations, marginals, generators, grids |
//! | [`law`] | friction laws: what a contact resists while sliding and while at rest |
//! | [`patch`] | contact areas: shapes and quadrature over them |
//! | [`system`] | mechanisms: modes, motion inside a mode, guards, jumps |
//! | [`integrate`] | the one loop that moves a system through time without missing an event |
//! | [`record`] | what a motion is called, and what is kept of it |
//! | [`analysis`] | questions: trajectories, equilibria, attractors, bifurcations, continuation, maps, basins |
//! | [`mechanism`] | the one list of mechanisms, and the one way from their keys to what moves |
//!
//! The crate never reads a file, a clock, an environment variable or a global.

pub mod analysis;
pub mod field;
pub mod integrate;
pub mod keys;
pub mod law;
pub mod mechanism;
pub mod memory;
pub mod num;
pub mod patch;
pub mod record;
pub mod system;

pub use keys::Problem;

// Tests of the mechanisms look behind the public face. They stand beside the tests that use the crate from outside, and name it as those do.
#[cfg(test)]
extern crate self as stiction;

#[cfg(test)]
#[path = "../tests"]
mod inside {
    mod belt_disc;
    mod crank_slider;
    mod fields;
    mod planar_sliding;
    mod spring_block;
    mod two_disc;
    mod wheel;
}
