//! What a motion is called, and what is kept of it as it is computed.
//!
//! A system that implements [`Observe`] says what its columns and contacts are called. Whoever looks at a motion is a
//! [`Watcher`] and sees columns and phases, not modes and guards; watchers are compiled once for all systems. [`Motion`] is the
//! whole of a system for those who ask questions of anything that moves.
//!
//! [`Samples`], [`Events`] and [`Cycles`] take 2 GiB each at most, or what `within` allows. A motion whose record is full is
//! ended, and the record says so (`is_full`).

mod balance;
mod cycles;
mod events;
mod extremes;
mod motion;
mod observe;
mod room;
mod samples;
mod watch;

pub use crate::system::Phase;
pub use balance::EnergyBalance;
pub use cycles::{Cycles, StickSlipCycle};
pub use events::{Events, PhaseChange};
pub use extremes::Window;
pub use motion::{End, Frozen, Motion, Moving};
pub use observe::{Column, Energy, Name, Observe, Role};
pub use samples::Samples;
pub use watch::{EventView, Seen, StretchView, Watcher};
