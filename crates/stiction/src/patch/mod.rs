//! Contact areas: their shape.

mod shape;

pub use shape::{Disc, Mask, Polygon, Rectangle, Shape, Square};
