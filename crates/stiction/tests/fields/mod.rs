//! Random fields: what they promise, and what their generators keep.

mod generators;
mod maps;
mod separable;
mod statistics;
mod theory;
