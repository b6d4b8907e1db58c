//! The block of elmer1997, figure 3.

use stiction::analysis::AnalysisError;
use stiction::law::{Law, TwoSlope};
use stiction::system::SpringBlock;
use stiction::system::spring_block::{ContactPolicy, Start};

/// The block at a speed of the surface [m/s].
pub(crate) fn block(drive_speed: f64) -> Result<SpringBlock, AnalysisError> {
    let law = TwoSlope {
        static_coefficient: 1.0,
        low_speed_slope: 3.0,
        high_speed_slope: 0.1,
        crossover_speed: 0.2,
        crossover_width: 0.05,
    };
    Ok(SpringBlock {
        mass: 40.0,
        stiffness: 1.0,
        drive_speed,
        normal_load: 1.0,
        law: Law::TwoSlope(law),
        aging: None,
        contact_policy: ContactPolicy::Strict,
        microscopic_length: None,
        start: Start::default(),
    })
}

/// Steps of 0.005, as the location of bifurcations asks for.
pub(crate) fn speeds() -> Vec<f64> {
    (8..=250).map(|k| 0.005 * f64::from(k)).collect()
}
