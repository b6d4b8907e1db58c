//! Oscillations of the law of elmer1997, figure 3: where they are born, fold and graze.

use crate::measure::{fastest, line};
use serde_json::json;
use stiction::analysis::spring_block::bifurcation::{Bifurcation, Kind, locate, signs};
use stiction::analysis::{AnalysisError, Silent};
use stiction::integrate::Solver;
use stiction::law::{Law, TwoSlope};
use stiction::system::SpringBlock;
use stiction::system::spring_block::{ContactPolicy, Start};

fn block(drive_speed: f64) -> Result<SpringBlock, AnalysisError> {
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

pub(crate) fn lines() {
    // every bifurcation in the range, without a guess where it is
    let speeds: Vec<f64> = (8..=250).map(|k| 0.005 * f64::from(k)).collect();
    let (found, seconds) = fastest(3, || {
        let points = signs(&block, &speeds, Solver::default(), &Silent).expect("a scan");
        locate(&block, &points, Solver::default(), &Silent).expect("bifurcations")
    });
    let of = |kind: Kind| found.iter().filter(move |one: &&Bifurcation| one.kind == kind).map(|one| one.value);
    let keys = json!({
        "rtol": Solver::default().relative_tolerance, "points": speeds.len(), "located": found.len(),
        "hopf": of(Kind::Hopf).collect::<Vec<f64>>(),
        "folds": of(Kind::Fold).map(|value| [value]).collect::<Vec<_>>(),
        "grazings": of(Kind::Type2).map(|value| [value]).collect::<Vec<_>>(),
    });
    line("P6", "stiction", seconds, keys);
}
