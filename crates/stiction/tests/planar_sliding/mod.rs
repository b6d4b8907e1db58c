//! A plate on a surface with random friction (hu2021).

mod any_kernel;
mod closed_forms;
mod errata;
mod frames;
mod given;
mod keys;
mod long_outlines;
mod moments;
pub(crate) mod plain;
mod samplers;
mod spreads;
mod two_lengths;
mod variation;
