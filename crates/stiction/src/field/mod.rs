//! Friction that varies from place to place.
//!
//! A friction coefficient over a plane is a function H(x, y) > 0: uniform, given by a formula, measured, or random. A random
//! one is H = F⁻¹[Φ(G)]: a standard Gaussian field G with a correlation, and a marginal distribution F.

mod choice;
pub mod correlation;
mod description;
mod error;
mod family;
pub mod generator;
mod hankel;
pub mod interpolation;
mod known_maps;
pub mod lattice;
pub(crate) mod map_statistics;
mod marginal;
mod model;
mod random_field;
mod realisations;
mod resolution;
mod table;
pub mod track;
mod validity;

pub use crate::num::purpose::{Germ, Purpose};
pub(crate) use choice::Domain;
pub use choice::{GeneratorDecision, GeneratorKind};
pub use correlation::{Correlation, Family, Stretched};
pub use description::{FieldDescription, FormulaField};
pub use error::FieldError;
pub use generator::GeneratorError;
pub use interpolation::Surface;
pub use known_maps::{KnownMaps, MeasuredField};
pub use lattice::{Grid, Lattice, LatticeError};
pub use map_statistics::{Estimated, MapStatistics};
pub use marginal::{Distortion, Gaussian, Lognormal, Marginal, Quantiles, TruncatedNormal, Uniform};
pub use model::{
    CorrelationOf, FieldModel, GeneratorChoice, Indefinite, InterpolationChoice, KernelChoice, KernelTerm,
    LengthChoice, MarginalChoice, TermChoice,
};
pub use random_field::{Defect, RandomField};
pub use realisations::{GeneratorReport, Realisations};
pub use resolution::{AcceptedStep, GridPurpose};
pub use table::CorrelationTable;
pub use validity::Certificate;
pub(crate) use validity::Validity;
