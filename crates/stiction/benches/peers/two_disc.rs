//! Two discs with a hundred bristles: an easy and a hard motion at several tolerances.

use crate::measure::{fastest, line};
use serde_json::json;
use stiction::analysis::two_disc::Transient;
use stiction::integrate::{StiffMethod, StiffSolver};
use stiction::num::real::{cos, sin};
use stiction::system::two_disc::{Discs, Face, TwoDisc};

/// Time between samples of the rotation \[s\].
const INTERVAL: f64 = 0.05;

/// Sectors of equal area: 4 n² cells of a face of radius 0.1 m whose centre is 0.9 m off.
pub(crate) fn sectors(rings: u32) -> Face {
    let radius = 0.1;
    let mut cells = Vec::new();
    for k in 0..rings {
        let (inner, outer) = (radius * f64::from(k) / f64::from(rings), radius * f64::from(k + 1) / f64::from(rings));
        let count = 4 * (2 * k + 1);
        let half = std::f64::consts::PI / f64::from(count);
        let mean = 2.0 / 3.0 * (outer.powi(3) - inner.powi(3)) / (outer.powi(2) - inner.powi(2)) * sin(half) / half;
        for j in 0..count {
            let angle = (2.0 * f64::from(j) + 1.0) * half;
            cells.push((0.9 + mean * cos(angle), mean * sin(angle), 1.0));
        }
    }
    Face::from_cells(cells)
}

pub(crate) fn lines() {
    for (load, speed, duration) in [(20.0, 1.0, 50.0), (50.0, 4.0, 10.0)] {
        let discs = TwoDisc::new(load, speed).with(&sectors(5), None).expect("the discs of the paper");
        let reference = rotation(&discs, duration, StiffMethod::Rodas5p, 1e-10).0;
        for (method, name) in [(StiffMethod::Rodas4p, "rodas4p"), (StiffMethod::Rodas5p, "rodas5p")] {
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

fn rotation(discs: &Discs, duration: f64, method: StiffMethod, tolerance: f64) -> (Vec<f64>, u64) {
    let solver = StiffSolver { method, ..StiffSolver::default() }.with_tolerance(tolerance);
    let mut transient = Transient::lasting(duration).with_solver(solver);
    let samples = (duration / INTERVAL).round() as u32;
    transient.sample_times = (0..=samples).map(|k| (f64::from(k) * INTERVAL).min(duration)).collect();
    let run = transient.run(discs);
    (run.samples.iter().map(|sample| sample[2]).collect(), run.steps)
}
