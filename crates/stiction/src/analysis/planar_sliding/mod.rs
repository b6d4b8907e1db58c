//! Statistics of a rigid plate that slides on a plane with a random coefficient of friction [hu2021, section 2].
//!
//! The total force and the torque about the centroid are linear functionals of the coefficient: their means and covariances
//! follow exactly from those of the field, for any shape, motion and correlation ([`plate`]). The length of the force is not
//! linear: for it there are closures ([`norm`]) and there are samples ([`sampling`]). From both follow the
//! coefficients of variation ([`variation`], [`curves`]) and the advice how friction should be modelled ([`advisor`]).

pub mod advisor;
pub mod covariance;
pub mod curves;
pub mod disc;
pub mod functionals;
mod given;
pub(crate) mod lines;
pub(crate) mod mesh;
pub mod motion;
pub(crate) mod noise;
pub mod norm;
mod pairs;
mod parameters;
pub mod plate;
mod sampler;
pub mod sampling;
pub mod shape_of_samples;
pub mod square;
pub mod variation;

pub use advisor::{Advice, Question, Verdict};
pub use covariance::{Covariance, Kernel, Stretch};
pub use curves::{Curves, Quantity};
pub use given::Given;
pub use motion::{Kind, Motion, Twist};
pub use norm::{ClosedNorm, Closure};
pub use parameters::{PlanarSliding, SamplerChoice};
pub use plate::{Moments, NoCovariance, Plate, PlateTable};
pub use sampler::PlateSampler;
pub use sampling::{Moving, Pairing, SampledMoments, Samples};
pub use variation::{TorqueLength, Variations};
