//! Campaigns: split, interrupted, killed and damaged.

#[path = "../support/mod.rs"]
mod support;

mod faults;
mod kills;
mod neighbours;
mod runs;
