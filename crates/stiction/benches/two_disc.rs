//! Two discs with bristles: an easy and a hard run, cost per step against the number of cells, stability maps.
//!
//! Without a filter the error is told beside the time: `cargo bench --bench two_disc` first prints both for a range of tolerances,
//! and the cost of a step with 100, 1000 and 10,000 cells.
//!
//! The two runs are those of a published comparison with CVODE: 100 equal-area cells, F_N = 20 N and Ω = 1 rad/s for 50 s,
//! F_N = 50 N and Ω = 4 rad/s for 10 s. CVODE (BDF, analytic Jacobian, KLU) needed 147 ms for 30 s of the easy one at an error
//! of 9.6e-7, and 834 ms for the hard one at 3.2e-6.

use divan::Bencher;
use sectors::sectors;
use std::time::Instant;
use stiction::analysis::Silent;
use stiction::analysis::two_disc::{Linearisation, TransientOutcome, TransientRequest, stability_map};
use stiction::integrate::{MethodName, Solver};
use stiction::system::two_disc::{Discs, IntervalField, TwoDisc};

#[path = "problem/sectors.rs"]
mod sectors;

fn main() {
    // an argument is a filter of the benches, or asks for a list or a test of them
    if std::env::args().skip(1).all(|argument| argument == "--bench") {
        print_work_and_precision("easy: 20 N, 1 rad/s, 50 s, 100 cells", &discs(20.0, 1.0, 5), 50.0);
        print_work_and_precision("hard: 50 N, 4 rad/s, 10 s, 100 cells", &discs(50.0, 4.0, 5), 10.0);
        print_cost_of_a_step();
    }
    divan::main();
}

/// CPU time of this thread \[s\] where the system tells it, so that other work on the machine does not count; else the clock's.
fn thread_seconds(begin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |nanoseconds| 1e-9 * nanoseconds)
}

/// Mean time of a run \[s\] and what came out. The system counts in steps of some milliseconds: runs are repeated for 0.3 s.
#[allow(clippy::disallowed_methods, reason = "a bench needs a clock")]
fn timed(transient: &TransientRequest, discs: &Discs) -> (f64, TransientOutcome) {
    let begin = Instant::now();
    let before = thread_seconds(begin);
    let mut runs = 0;
    loop {
        let outcome = transient.run(discs);
        runs += 1;
        let passed = thread_seconds(begin) - before;
        if passed >= 0.3 {
            return (passed / f64::from(runs), outcome);
        }
    }
}

/// Time against error: the root mean square of Θ − Θ* over that of Θ*, sampled every 0.05 s, Θ* from a tight run.
fn print_work_and_precision(title: &str, discs: &Discs, duration: f64) {
    let samples = (duration / 0.05).round() as u32;
    let sampled = |method, tolerance| {
        let solver = Solver { method, ..Solver::stiff() }.with_tolerance(tolerance);
        let mut transient = TransientRequest::lasting(duration).with_solver(solver);
        transient.sample_times = (0..=samples).map(|i| 0.05 * f64::from(i)).collect();
        transient
    };
    let exact = sampled(MethodName::Rodas5p, 1e-12).run(discs).samples;
    let size = exact.iter().map(|q| q[2] * q[2]).sum::<f64>();
    println!("{title}\nmethod    tolerance     error   CPU [ms]    steps");
    for method in [MethodName::Rodas4p, MethodName::Rodas5p] {
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8] {
            let (seconds, outcome) = timed(&sampled(method, tolerance), discs);
            let miss = exact.iter().zip(&outcome.samples).map(|(a, b)| (a[2] - b[2]).powi(2)).sum::<f64>();
            let error = (miss / size).sqrt();
            let name = format!("{method:?}").to_lowercase();
            println!("{name:9} {tolerance:9.0e} {error:9.1e} {:10.2} {:8}", 1e3 * seconds, outcome.effort.steps);
        }
    }
    println!();
}

/// What a step costs: the same per cell for any number of cells.
fn print_cost_of_a_step() {
    println!("cost of a step (six stages)\n   cells   [us]   [ns/cell]");
    for rings in [5, 16, 50] {
        let discs = discs(20.0, 1.0, rings);
        let solver = Solver::stiff().with_tolerance(1e-5);
        let (seconds, outcome) = timed(&TransientRequest::lasting(2.0).with_solver(solver), &discs);
        let step = seconds / outcome.effort.steps as f64;
        println!("{:8} {:6.1} {:11.1}", discs.cells(), 1e6 * step, 1e9 * step / discs.cells() as f64);
    }
    println!();
}

fn discs(load: f64, speed: f64, rings: u32) -> Discs {
    TwoDisc::new(load, speed).with(&sectors(rings), None).expect("the discs of the paper")
}

fn run(bencher: Bencher<'_, '_>, discs: &Discs, duration: f64, method: MethodName, tolerance: f64) {
    let solver = Solver { method, ..Solver::stiff() }.with_tolerance(tolerance);
    let transient = TransientRequest::lasting(duration).with_solver(solver);
    bencher.bench_local(|| transient.run(discs).effort.steps);
}

/// 50 s at an error of 7e-7.
#[divan::bench]
fn easy_rodas4p(bencher: Bencher<'_, '_>) {
    run(bencher, &discs(20.0, 1.0, 5), 50.0, MethodName::Rodas4p, 1e-5);
}

/// 50 s at an error of 3e-8.
#[divan::bench]
fn easy_rodas5p(bencher: Bencher<'_, '_>) {
    run(bencher, &discs(20.0, 1.0, 5), 50.0, MethodName::Rodas5p, 1e-6);
}

/// 10 s at an error of 4e-6.
#[divan::bench]
fn hard_rodas4p(bencher: Bencher<'_, '_>) {
    run(bencher, &discs(50.0, 4.0, 5), 10.0, MethodName::Rodas4p, 1e-5);
}

/// The first half second with 100, 400, 2500 and 10,000 cells: the time per step is linear in their number.
#[divan::bench(args = [5, 10, 25, 50])]
fn cells(bencher: Bencher<'_, '_>, rings: u32) {
    run(bencher, &discs(20.0, 1.0, rings), 0.5, MethodName::Rodas4p, 1e-5);
}

/// 300 s with a realisation of the interval field.
#[divan::bench(sample_count = 10)]
fn field_300_s(bencher: Bencher<'_, '_>) {
    let varied = TwoDisc { field: Some(IntervalField::default()), ..TwoDisc::new(20.0, 1.0) };
    let discs = varied.realisation(1, 0).expect("a realisation");
    run(bencher, &discs, 300.0, MethodName::Rodas4p, 1e-4);
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
