//! Statistics of a rigid plate that slides on a plane with a random coefficient of friction [hu2021, section 2].

pub mod advisor;
pub mod covariance;
pub mod curves;
pub mod disc;
pub mod functionals;
pub mod lengths;
pub mod motion;
pub mod norm;
pub mod plate;
pub mod radial;
pub mod square;
pub mod variation;
