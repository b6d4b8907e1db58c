//! Motions of two discs by `diffsol`, a library that shares nothing with ours but the equations: backward differences of variable
//! order with Newton's iteration on a dense matrix.
//!
//! `cargo run --release --manifest-path crates/stiction/tests/two_disc/reference/Cargo.toml -- 1e-12` prints the values of
//! `../library.rs`; a second tolerance shows how many digits stay.

#[path = "../cases.rs"]
mod cases;

use cases::{CASES, TIMES};
use diffsol::{MatrixCommon, NalgebraLU, NalgebraMat, OdeBuilder, OdeSolverMethod};
use std::cell::RefCell;
use stiction::system::two_disc::{Discs, LEADING, Running};
use stiction::system::{Stiff, System};

fn by_library(system: &Discs, tolerance: f64) -> Vec<[f64; 6]> {
    let (_, start) = system.start();
    let size = start.len();
    let rate = |y: &[f64], _: &[f64], _: f64, slope: &mut [f64]| {
        let mut found = vec![0.0; size];
        system.rhs(Running, 0.0, &y.to_vec(), &mut found).unwrap();
        slope.copy_from_slice(&found);
    };
    // the derivative is asked for column by column at the same state
    let kept = RefCell::new((Vec::new(), system.new_linear()));
    let derivative = |y: &[f64], _: &[f64], _: f64, direction: &[f64], out: &mut [f64]| {
        let (at, linear) = &mut *kept.borrow_mut();
        if at.as_slice() != y {
            *at = y.to_vec();
            system.linearise(Running, 0.0, at, linear, &mut vec![0.0; size], &mut Vec::new()).unwrap();
        }
        let mut found = vec![0.0; size];
        system.derivative_times(linear, direction, &mut found);
        out.copy_from_slice(&found);
    };
    // coordinates and velocities are of the order of a hundredth, scaled bristles of one
    let scales = (0..size).map(|i| tolerance * if i < LEADING { 1e-2 } else { 0.4 });
    let mut problem = OdeBuilder::<NalgebraMat<f64>>::new()
        .rtol(tolerance)
        .atol(scales)
        .rhs_implicit(rate, derivative)
        .init(|_: &[f64], _: f64, y: &mut [f64]| y.copy_from_slice(&start), size)
        .build()
        .unwrap();
    problem.ode_options.max_nonlinear_solver_failures = 10_000;
    problem.ode_options.max_error_test_failures = 1000;
    let (states, _) = problem.bdf::<NalgebraLU<f64>>().unwrap().solve_dense(&TIMES).unwrap();
    let states = states.inner();
    (0..TIMES.len()).map(|k| std::array::from_fn(|i| states[(i, k)])).collect()
}

fn main() {
    let tolerance = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1e-12);
    for case in CASES {
        println!("{case:?}");
        for state in by_library(&case.system(), tolerance) {
            println!("    [{}],", state.map(|value| format!("{value:.10e}")).join(", "));
        }
    }
}
