//! A plate on a surface with random friction (hu2021).

mod any_kernel;
mod errata;
mod frames;
mod given;
mod long_outlines;
mod moments;
mod plain;
mod two_lengths;
mod variation;
