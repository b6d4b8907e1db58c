//! Contact areas: their shape, and quadrature over them.

mod mask;
pub mod nodes;
pub mod outline;
mod polygon;
mod shape;

pub use nodes::{Nodes, Resolution};
pub use outline::{Geometry, Outline, Piece, Point};
pub use shape::{Disc, Mask, Polygon, Rectangle, Shape, Square};
