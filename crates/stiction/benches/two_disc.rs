//! Two discs with bristles: an easy and a hard run, cost per step against the number of cells, stability maps.
//!
//! The two runs are those of a published comparison with CVODE: 100 equal-area cells, F_N = 20 N and Ω = 1 rad/s for 50 s,
//! F_N = 50 N and Ω = 4 rad/s for 10 s. CVODE (BDF, analytic Jacobian, KLU) needed 147 ms for 30 s of the easy one at an error
//! of 9.6e-7, and 834 ms for the hard one at 3.2e-6.

use divan::Bencher;
use stiction::analysis::Silent;
use stiction::analysis::two_disc::{Linearisation, Transient, stability_map};
use stiction::integrate::{StiffMethod, StiffSolver};
use stiction::num::real::{cos, sin};
use stiction::system::two_disc::{Discs, Face, IntervalField, TwoDisc};

fn main() {
    divan::main();
}

/// Sectors of equal area: 4 n² cells.
fn sectors(rings: u32) -> Face {
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

fn discs(load: f64, speed: f64, rings: u32) -> Discs {
    TwoDisc::new(load, speed).with(&sectors(rings), None).expect("the discs of the paper")
}

fn run(bencher: Bencher<'_, '_>, discs: &Discs, duration: f64, method: StiffMethod, tolerance: f64) {
    let solver = StiffSolver { method, ..StiffSolver::default() }.with_tolerance(tolerance);
    let transient = Transient::lasting(duration).with_solver(solver);
    bencher.bench_local(|| transient.run(discs).steps);
}

/// 50 s at an error of 7e-7.
#[divan::bench]
fn easy_rodas4p(bencher: Bencher<'_, '_>) {
    run(bencher, &discs(20.0, 1.0, 5), 50.0, StiffMethod::Rodas4p, 1e-5);
}

/// 50 s at an error of 3e-8.
#[divan::bench]
fn easy_rodas5p(bencher: Bencher<'_, '_>) {
    run(bencher, &discs(20.0, 1.0, 5), 50.0, StiffMethod::Rodas5p, 1e-6);
}

/// 10 s at an error of 4e-6.
#[divan::bench]
fn hard_rodas4p(bencher: Bencher<'_, '_>) {
    run(bencher, &discs(50.0, 4.0, 5), 10.0, StiffMethod::Rodas4p, 1e-5);
}

/// The first half second with 100, 400, 2500 and 10,000 cells: the time per step is linear in their number.
#[divan::bench(args = [5, 10, 25, 50])]
fn cells(bencher: Bencher<'_, '_>, rings: u32) {
    run(bencher, &discs(20.0, 1.0, rings), 0.5, StiffMethod::Rodas4p, 1e-5);
}

/// 300 s with a realisation of the interval field.
#[divan::bench(sample_count = 10)]
fn field_300_s(bencher: Bencher<'_, '_>) {
    let varied = TwoDisc { field: Some(IntervalField::default()), ..TwoDisc::new(20.0, 1.0) };
    let discs = varied.realisation(1, 0).expect("a realisation");
    run(bencher, &discs, 300.0, StiffMethod::Rodas4p, 1e-4);
}

/// A map of 100 x 100 equilibria with their eigenvalues.
#[divan::bench(args = [0.0, 0.1, 0.3, 0.5], sample_count = 10)]
fn map(bencher: Bencher<'_, '_>, radius: f64) {
    let loads: Vec<f64> = (1..=100).map(f64::from).collect();
    let speeds: Vec<f64> = (1..=100).map(|i| 0.1 * f64::from(i)).collect();
    let family = |load: f64, speed: f64| {
        let mut discs = TwoDisc::new(load, speed);
        discs.contact.radius = radius;
        Ok(discs)
    };
    bencher.bench_local(|| {
        stability_map(&family, &loads, &speeds, Linearisation::Reduced, &Silent).expect("a map").cells.len()
    });
}
