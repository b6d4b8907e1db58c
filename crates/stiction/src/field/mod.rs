//! Friction that varies from place to place.
//!
//! A friction coefficient over a plane is a function H(x, y) > 0: uniform, given by a formula, measured, or random. A random
//! one is H = F⁻¹[Φ(G)]: a standard Gaussian field G with a correlation, and a marginal distribution F.

pub mod correlation;
mod family;
mod hankel;
mod marginal;
mod model;
mod point_matrix;
mod spectrum;
mod table;
mod validity;

pub use correlation::{Correlation, Family, Stretched};
pub use marginal::{Distortion, Gaussian, Lognormal, Marginal, Quantiles, TruncatedNormal, Uniform};
pub use model::{
    CorrelationOf, FieldModel, GeneratorChoice, Indefinite, InterpolationChoice, KernelChoice, LengthChoice,
    MarginalChoice,
};
pub use point_matrix::{MatrixReport, PointMatrix, Projection};
pub use table::CorrelationTable;
pub use validity::{Certificate, Validity};
