//! Attractors and bifurcations of the law of elmer1997, figure 3.

use divan::Bencher;
use stiction::analysis::Silent;
use stiction::analysis::spring_block::attractors;
use stiction::analysis::spring_block::bifurcation::{locate, scan};
use stiction::integrate::Solver;
use two_slope::{block, speeds};

#[path = "problem/two_slope.rs"]
mod two_slope;

fn main() {
    divan::main();
}

/// Stick-slip only; the coexistence of sliding, oscillation and stick-slip; passing through; sliding only.
#[divan::bench(args = [0.05, 0.155, 0.45, 0.9, 1.2], sample_count = 20)]
fn attractors_at(bencher: Bencher<'_, '_>, speed: f64) {
    let block = block(speed).expect("the block of the paper");
    bencher.bench_local(|| attractors(&block, Solver::default()).expect("attractors").oscillations.len());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn whole_scan(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| scan(&block, &speeds(), Solver::default(), &Silent).expect("a scan").len());
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn locating_all_values(bencher: Bencher<'_, '_>) {
    let points = scan(&block, &speeds(), Solver::default(), &Silent).expect("a scan");
    bencher.bench_local(|| {
        let located = locate(&block, &points, Solver::default(), &Silent).expect("bifurcations");
        assert_eq!(located.len(), 13);
    });
}
