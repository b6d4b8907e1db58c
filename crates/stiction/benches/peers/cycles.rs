//! Oscillations of the law of elmer1997, figure 3: where they are born, fold and graze.

use crate::measure::{fastest, line};
use serde_json::json;
use stiction::analysis::Silent;
use stiction::analysis::spring_block::bifurcation::{Bifurcation, BifurcationKind, locate, signs};
use stiction::integrate::Solver;
use two_slope::{block, speeds};

#[path = "../problem/two_slope.rs"]
mod two_slope;

pub(crate) fn lines() {
    // every bifurcation in the range, without a guess where it is
    let speeds = speeds();
    let (found, seconds) = fastest(3, || {
        let points = signs(&block, &speeds, Solver::default(), &Silent).expect("a scan");
        locate(&block, &points, Solver::default(), &Silent).expect("bifurcations")
    });
    let of =
        |kind: BifurcationKind| found.iter().filter(move |one: &&Bifurcation| one.kind == kind).map(|one| one.value);
    let keys = json!({
        "rtol": Solver::default().relative_tolerance, "points": speeds.len(), "located": found.len(),
        "hopf": of(BifurcationKind::Hopf).collect::<Vec<f64>>(),
        "folds": of(BifurcationKind::Fold).map(|value| [value]).collect::<Vec<_>>(),
        "grazings": of(BifurcationKind::Type2).map(|value| [value]).collect::<Vec<_>>(),
    });
    line("P6", "stiction", seconds, keys);
}
