//! How realisations of a Gaussian field are made.
//!
//! A generator is told the correlation of the Gaussian field and a grid or points, and makes standard Gaussian values from
//! a [`Germ`](super::Germ). What turns them into friction coefficients is given as a [`PointMap`].
//!
//! | generator | correlation | where | exact |
//! |---|---|---|---|
//! | [`separable`] | Gaussian, any length | any grid, any point | covariance to 1e-9 |
//! | [`circulant`] | any | regular grids | to the negative mass it reports |
//! | [`cutoff`] | exponential, long | regular grids | yes |
//! | `low_rank` | any | points, small grids | to the variance it drops |

pub mod circulant;
pub mod cutoff;
mod error;
mod kernel;
pub(crate) mod low_rank;
mod noise;
pub mod projected;
pub mod separable;
mod sweep;

pub(crate) use circulant::Negative;
pub use circulant::{Circulant, Embedding, EmbeddingReport};
pub(crate) use cutoff::Cutoff;
pub use error::GeneratorError;
pub(crate) use low_rank::{PointFactor, WHOLE};
pub use projected::MatrixReport;
pub(super) use projected::PointMatrix;
pub(crate) use projected::Projected;
pub(crate) use separable::SeparableField;
pub use separable::{Separable, SeparablePlan};

use super::Purpose;
use crate::num::bulk;

/// Memory that one generator may use if nothing else is said \[bytes\]: 1 GiB.
pub(crate) const DEFAULT_MEMORY: u64 = 1 << 30;

/// The noise of the field.
const FIELD: Purpose = Purpose::Field;

fn check_size(values: &[f64], wanted: usize) -> Result<(), GeneratorError> {
    if values.len() == wanted { Ok(()) } else { Err(GeneratorError::Size { found: values.len(), wanted }) }
}

/// What is done to the values of a standard Gaussian field, each by itself.
pub trait PointMap: Sync {
    /// Replaces every value.
    fn apply(&self, values: &mut [f64]);
}

impl<F: Fn(f64) -> f64 + Sync> PointMap for F {
    fn apply(&self, values: &mut [f64]) {
        for value in values {
            *value = self(*value);
        }
    }
}

/// The Gaussian values as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gaussian;

impl PointMap for Gaussian {
    fn apply(&self, _: &mut [f64]) {}
}

/// H = exp(`location` + `scale` · G); the exponential has the bits of [`real::exp`](crate::num::real::exp).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lognormal {
    /// Mean of ln H [-].
    pub location: f64,
    /// Standard deviation of ln H [-].
    pub scale: f64,
}

impl PointMap for Lognormal {
    fn apply(&self, values: &mut [f64]) {
        bulk::lognormal(values, self.location, self.scale);
    }
}

/// A value and its slopes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// The value.
    pub(crate) value: f64,
    /// Slopes along x and y [1/m].
    pub(crate) gradient: [f64; 2],
}
