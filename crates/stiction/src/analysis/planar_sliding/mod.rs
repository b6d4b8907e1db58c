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
mod from_field;
pub mod functionals;
mod given;
mod grid;
mod gridded;
mod mesh;
pub mod motion;
pub mod norm;
mod pairs;
mod parameters;
pub mod plate;
pub mod sampling;
pub mod shape_of_samples;
pub mod square;
pub(crate) mod tensor;
pub mod variation;

pub use advisor::{Advice, Question, Verdict};
pub use covariance::{Covariance, Kernel, Stretch};
pub use curves::{Curves, Quantity};
pub use from_field::{PlateSampler, unsuitable};
pub use given::Given;
pub use gridded::FieldSampler;
pub use mesh::MeshSampler;
pub use motion::{Kind, Motion, Twist};
pub use norm::{ClosedNorm, Closure};
pub use parameters::{PlanarSliding, SamplerChoice};
pub use plate::{Moments, NoCovariance, Plate, PlateTable};
pub use sampling::{Moving, Pairing, SampledMoments, Sampler, Samples};
pub use tensor::TensorSampler;
pub use variation::{TorqueLength, Variations};
