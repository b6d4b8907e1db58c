//! All attractors of the spring-block system, their unstable counterparts, and where they are born and die.
//!
//! Everything here looks at a surface that moves forward, v₀ > 0; [`SpringBlock::mirrored`](crate::system::SpringBlock::mirrored)
//! turns the other case into this one.

mod attractors;
mod backward;
mod basin;
pub mod bifurcation;
mod cycles;
mod graze;
mod history;
mod orbits;
mod refusal;
mod return_map;
mod settled;
mod slip_map;
mod small_cycles;

pub use attractors::{Attractors, Oscillation, Release, Sliding, StickSlip, Through, attractors};
pub use basin::{Basins, Fate};
pub use cycles::{CycleBranch, CycleEnd, CyclePoint, cycle_branches};
pub use graze::{Graze, GrazeCase};
pub(crate) use history::follow;
pub use history::{ContactChange, ContactEvent, Cycle, History};
pub use orbits::{Contact, Orbits, Path, PathEnd, Turn};
pub use return_map::{Extremum, ReturnMap};
pub use settled::Settled;
pub use slip_map::{EndlessSlip, FollowedSlip};
pub use small_cycles::{SmallCycle, small_cycle};
