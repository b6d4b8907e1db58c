//! Contact areas: their shape, quadrature over them, and friction of a rigid patch.

mod dissipation;
mod kernel;
mod lattice;
pub mod limit_body;
mod mask;
pub mod nodes;
mod number;
pub mod outline;
mod packed;
pub(crate) mod panels;
mod polar;
mod polygon;
mod shape;
mod uniform_disc;
mod weights;

pub use dissipation::{Cell, Cells, Dissipation, FrozenPatch, PatchMoments, Twist, Wrench};
pub use lattice::CellLattice;
pub use limit_body::Breakaway;
pub use nodes::Nodes;
pub(crate) use nodes::Resolution;
pub use outline::Piece;
pub use outline::{Geometry, Outline, Point};
pub use polar::PolarPatch;
pub(crate) use polar::PolarRule;
pub use shape::{Annulus, Disc, Mask, Polygon, Rectangle, Shape, Square};
pub use uniform_disc::UniformDisc;
pub use uniform_disc::{LimitSurface, UniformAnnulus};
pub use weights::QuadratureWeights;
