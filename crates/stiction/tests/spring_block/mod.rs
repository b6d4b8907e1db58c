//! A block on a moving surface (elmer1997).

#[path = "../support/mod.rs"]
mod support;

mod attractors;
mod basins;
mod closed_forms;
mod equal_at_rest;
mod errata;
mod laws;
mod map_and_motion;
