//! The block of elmer1997, figure 3.

use stiction::analysis::AnalysisError;
use stiction::law::{Law, TwoSlope};
use stiction::system::SpringBlock;

/// The block at a speed of the surface [m/s].
pub(crate) fn block(drive_speed: f64) -> Result<SpringBlock, AnalysisError> {
    let law = TwoSlope {
        static_coefficient: 1.0,
        low_speed_slope: 3.0,
        high_speed_slope: 0.1,
        crossover_speed: 0.2,
        crossover_width: 0.05,
    };
    Ok(SpringBlock::new(40.0, 1.0, drive_speed, Law::TwoSlope(law)))
}

/// Steps of 0.005, as the location of bifurcations asks for.
pub(crate) fn speeds() -> Vec<f64> {
    (8..=250).map(|k| 0.005 * f64::from(k)).collect()
}
