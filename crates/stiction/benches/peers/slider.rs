//! A thousand seconds of Coulomb stick-slip of one block.

use crate::measure::{fastest, line};
use serde_json::json;
use stiction::analysis::spring_block::History;
use stiction::integrate::{Dop853, Span, Tolerance, integrate};
use stiction::law::{Coulomb, Law};
use stiction::num::real::atan;
use stiction::system::SpringBlock;
use stiction::system::spring_block::{ContactPolicy, Start};

const DURATION: f64 = 1000.0;

pub(crate) fn lines() {
    let block = SpringBlock {
        mass: 10.0,
        stiffness: 30.0,
        drive_speed: 0.2,
        normal_load: 98.1,
        law: Law::Coulomb(Coulomb { static_coefficient: 0.5, kinetic_coefficient: 0.45 }),
        aging: None,
        contact_policy: ContactPolicy::Strict,
        microscopic_length: None,
        start: Start::default(),
    };
    let exact = Span::until(DURATION);
    measured("stiction-closed-form", &block, exact, 1e-10);
    for tolerance in [1e-8, 1e-10, 1e-12] {
        measured("stiction-dop853-event", &block, exact.integrated(), tolerance);
    }
}

fn measured(peer: &str, block: &SpringBlock, span: Span, tolerance: f64) {
    let mut method = Dop853::new(block, Tolerance { relative: tolerance, absolute: 0.1 * tolerance });
    let (steps, seconds) = fastest(5, || integrate(block, &mut method, span, &mut ()).expect("the slider moves").steps);
    let mut history = History::of(block);
    integrate(block, &mut method, span, &mut history).expect("the slider moves");
    let drop = block.static_force(0.0) - block.kinetic_force(0.0);
    let (kappa, mass, v0) = (block.stiffness, block.mass, block.drive_speed);
    let slip = 2.0 * (std::f64::consts::PI - atan(drop / (v0 * (kappa * mass).sqrt()))) * (mass / kappa).sqrt();
    let exact = slip + 2.0 * drop / (kappa * v0);
    let starts: Vec<f64> = history.cycles.iter().map(|cycle| cycle.start).collect();
    let (first, last) = (starts[0], starts[starts.len() - 1]);
    let cycles = (starts.len() - 1) as f64;
    let period = (last - first) / cycles;
    let keys = json!({
        "rtol": tolerance, "T": DURATION, "cycles": starts.len(), "steps": steps, "period": period, "period_exact": exact,
        "period_rel_err": (period - exact).abs() / exact, "last_release": last,
        "last_release_err": (last - first - cycles * exact).abs(),
    });
    line("P2", peer, seconds, keys);
}
