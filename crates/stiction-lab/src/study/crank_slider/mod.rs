//! Questions about a crank that moves a slider along a track.

mod energies;
mod run;

pub use energies::{CrankEnergies, Sampling, SideFriction};
pub use run::CrankRun;
