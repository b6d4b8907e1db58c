//! Attractors and bifurcations of the law of elmer1997, figure 3.

use divan::Bencher;
use stiction::analysis::spring_block::attractors;
use stiction::analysis::spring_block::bifurcation::{locate, scan};
use stiction::analysis::{AnalysisError, Silent};
use stiction::integrate::Solver;
use stiction::law::{Law, TwoSlope};
use stiction::system::SpringBlock;
use stiction::system::spring_block::{ContactPolicy, Start};

fn main() {
    divan::main();
}

fn block(drive_speed: f64) -> Result<SpringBlock, AnalysisError> {
    let law = TwoSlope {
        static_coefficient: 1.0,
        low_speed_slope: 3.0,
        high_speed_slope: 0.1,
        crossover_speed: 0.2,
        crossover_width: 0.05,
    };
    Ok(SpringBlock {
        mass: 40.0,
        stiffness: 1.0,
        drive_speed,
        normal_load: 1.0,
        law: Law::TwoSlope(law),
        aging: None,
        contact_policy: ContactPolicy::Strict,
        microscopic_length: None,
        start: Start::default(),
    })
}

/// Steps of 0.005, as the location of bifurcations asks for.
fn speeds() -> Vec<f64> {
    (8..=250).map(|k| 0.005 * f64::from(k)).collect()
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
