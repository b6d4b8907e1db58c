//! Friction that varies from place to place.
//!
//! A friction coefficient over a plane is a function H(x, y) > 0: uniform, given by a formula, measured, or random. A random
//! one is H = F⁻¹[Φ(G)]: a standard Gaussian field G with a correlation, and a marginal distribution F.

pub mod correlation;
pub mod generator;
pub mod interpolation;
pub mod lattice;
mod model;
pub mod purpose;
pub mod strip;

pub use correlation::{Correlation, Family};
pub use interpolation::Surface;
pub use lattice::{Grid, Lattice, LatticeError};
pub use model::{
    CorrelationOf, FieldModel, GeneratorChoice, Indefinite, InterpolationChoice, KernelChoice, LengthChoice,
    MarginalChoice,
};
pub use purpose::{Germ, Purpose};
pub use strip::{Strip, StripSetting};
