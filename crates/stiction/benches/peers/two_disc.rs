//! Two discs with a hundred bristles: an easy and a hard motion at several tolerances.

use crate::measure::{fastest, line};
use sectors::sectors;
use serde_json::json;
use stiction::analysis::two_disc::TransientRequest;
use stiction::integrate::{MethodName, Solver};
use stiction::system::two_disc::{Discs, TwoDisc};

#[path = "../problem/sectors.rs"]
mod sectors;

/// Time between samples of the rotation \[s\].
const INTERVAL: f64 = 0.05;

pub(crate) fn lines() {
    for (load, speed, duration) in [(20.0, 1.0, 50.0), (50.0, 4.0, 10.0)] {
        let discs = TwoDisc::new(load, speed).with(&sectors(5), None).expect("the discs of the paper");
        let reference = rotation(&discs, duration, MethodName::Rodas5p, 1e-10).0;
        for (method, name) in [(MethodName::Rodas4p, "rodas4p"), (MethodName::Rodas5p, "rodas5p")] {
            for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
                let ((found, steps), seconds) = fastest(3, || rotation(&discs, duration, method, tolerance));
                let squares = |of: &dyn Fn(usize) -> f64| (0..found.len()).map(|k| of(k).powi(2)).sum::<f64>();
                let error = (squares(&|k| found[k] - reference[k]) / squares(&|k| reference[k])).sqrt();
                let keys = json!({
                    "rtol": tolerance, "T": duration, "cells": 100, "FN": load, "Omega": speed, "Rc": 0.1, "steps": steps,
                    "theta_end": found.last(), "relL2_theta": error,
                });
                line("P4", &format!("stiction-{name}"), seconds, keys);
            }
        }
    }
}

fn rotation(discs: &Discs, duration: f64, method: MethodName, tolerance: f64) -> (Vec<f64>, u64) {
    let solver = Solver { method, ..Solver::stiff() }.with_tolerance(tolerance);
    let mut transient = TransientRequest::lasting(duration).with_solver(solver);
    let samples = (duration / INTERVAL).round() as u32;
    transient.sample_times = (0..=samples).map(|k| (f64::from(k) * INTERVAL).min(duration)).collect();
    let run = transient.run(discs);
    (run.samples.iter().map(|sample| sample[2]).collect(), run.effort.steps)
}
