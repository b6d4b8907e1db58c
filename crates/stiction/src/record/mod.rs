//! Sinks: what is kept of a motion as it is computed.

mod samples;

pub use samples::Samples;
