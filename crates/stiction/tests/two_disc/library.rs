//! Motions of two discs against a library that shares nothing with ours but the equations: `diffsol`, backward differences of
//! variable order with Newton's iteration on a dense matrix.

use diffsol::{MatrixCommon, NalgebraLU, NalgebraMat, OdeBuilder, OdeSolverMethod};
use std::cell::RefCell;
use stiction::analysis::two_disc::Transient;
use stiction::integrate::{MethodName, Solver};
use stiction::system::two_disc::{Discs, IntervalField, LEADING, Running, TwoDisc};
use stiction::system::{Stiff, System};

const TIMES: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

fn by_library(system: &Discs, tolerance: f64) -> Vec<[f64; 6]> {
    let (_, start) = system.start();
    let size = start.len();
    let rate = |y: &[f64], _: &[f64], _: f64, slope: &mut [f64]| {
        let mut found = vec![0.0; size];
        system.rhs(Running, 0.0, &y.to_vec(), &mut found);
        slope.copy_from_slice(&found);
    };
    // the derivative is asked for column by column at the same state
    let kept = RefCell::new((Vec::new(), system.new_linear()));
    let derivative = |y: &[f64], _: &[f64], _: f64, direction: &[f64], out: &mut [f64]| {
        let (at, linear) = &mut *kept.borrow_mut();
        if at.as_slice() != y {
            *at = y.to_vec();
            system.linearise(Running, 0.0, at, linear, &mut vec![0.0; size], &mut Vec::new());
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

fn by_rosenbrock(system: &Discs, method: MethodName, tolerance: f64) -> Vec<[f64; 6]> {
    let solver = Solver { method, ..Solver::stiff() }.with_tolerance(tolerance);
    let mut transient = Transient::lasting(TIMES[3]).with_solver(solver);
    transient.sample_times = TIMES.to_vec();
    transient.run(system).samples.iter().map(|q| std::array::from_fn(|i| q[i])).collect()
}

/// Largest difference of a coordinate, relative to its largest value.
fn farthest(found: &[[f64; 6]], wanted: &[[f64; 6]]) -> f64 {
    assert_eq!((found.len(), wanted.len()), (TIMES.len(), TIMES.len()));
    (0..6).fold(0.0_f64, |farthest, i| {
        let size = wanted.iter().fold(0.0_f64, |size, q| size.max(q[i].abs()));
        let miss = found.iter().zip(wanted).fold(0.0_f64, |miss, (a, b)| miss.max((a[i] - b[i]).abs()));
        farthest.max(miss / size)
    })
}

/// Motions of faces of six cells and of a point contact, uniform and with a realisation of the field.
fn agree(radius: f64, field: Option<IntervalField>) {
    let mut discs = TwoDisc { field, ..TwoDisc::new(20.0, 1.0) };
    discs.contact.radius = radius;
    discs.contact.rings = 1;
    let system = discs.realisation(3, 0).unwrap();
    let wanted = by_library(&system, 1e-10);
    for (method, tolerance) in [(MethodName::Rodas4p, 1e-9), (MethodName::Rodas5p, 1e-10)] {
        let miss = farthest(&by_rosenbrock(&system, method, tolerance), &wanted);
        assert!(miss < 2e-7, "{method:?}: {miss:e}");
    }
}

#[test]
fn a_face_on_a_uniform_disc_moves_as_another_solver_says() {
    agree(0.1, None);
}

#[test]
fn a_face_on_an_interval_field_moves_as_another_solver_says() {
    agree(0.1, Some(IntervalField::default()));
}

#[test]
fn a_point_on_a_uniform_disc_moves_as_another_solver_says() {
    agree(0.0, None);
}

#[test]
fn a_point_on_an_interval_field_moves_as_another_solver_says() {
    agree(0.0, Some(IntervalField::default()));
}
