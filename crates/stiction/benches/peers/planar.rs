//! A disc on a belt with a random friction field: one realisation of 100 s, and a hundred of them.

use crate::measure::{fastest, line};
use serde_json::json;
use stiction::analysis::Silent;
use stiction::analysis::belt_disc::{BeltModel, BeltRun, Phase, Setting, ensemble};
use stiction::field::Germ;
use stiction::integrate::Tolerance;
use stiction::system::BeltDisc;
use stiction::system::belt_disc::Precision;

pub(crate) fn lines() {
    let double = BeltModel::new(&BeltDisc::default(), None, 100.0).expect("a model");
    let (run, seconds) = fastest(5, || double.run(&Germ::new(1, 0), &Setting::default()).expect("a run"));
    print("stiction-double", &double, &run, seconds, 1);
    // as the scenarios of statistics have it: event times to 1e-6 s on smooth fields
    let disc = BeltDisc { precision: Some(Precision::Single), ..BeltDisc::default() };
    let single = BeltModel::new(&disc, None, 100.0).expect("a model");
    let setting = Setting { tolerance: Tolerance { relative: 1e-5, absolute: 1e-7 }, ..Setting::default() };
    let (rows, seconds) = fastest(1, || ensemble(&single, 1, 0..100, &setting, &Silent).expect("a study"));
    let first = rows.into_iter().next().and_then(|row| row.run.ok()).expect("a run");
    print("stiction-single-study", &single, &first, seconds, 100);
}

fn print(peer: &str, model: &BeltModel, run: &BeltRun, seconds: f64, realisations: u64) {
    let work = run.effort.evaluations as f64 * model.points() as f64 * realisations as f64;
    let keys = json!({
        "T": run.duration, "realisations": realisations, "points": model.points(), "evaluations": run.effort.evaluations,
        "ns_per_point_eval": seconds * 1e9 / work, "extrapolated_100s_x_100": seconds * 100.0 / realisations as f64,
        "stick_to_slip": run.events.iter().filter(|event| event.kind == Phase::Slip).count(),
        "stick_time": run.stick_times().iter().sum::<f64>(), "q_end": run.end_state,
        "energy_residual_rel": (run.energy_residual / run.belt_work).abs(),
    });
    line("P3", peer, seconds, keys);
}
