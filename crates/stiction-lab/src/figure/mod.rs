//! Pictures, drawn from tables and nothing else.

mod spec;

pub use spec::{Axis, Figure, Layer, Panel, Scale};
