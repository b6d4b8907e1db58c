//! Moments of a turning square: of one length, from the table, and by a plain double sum over the same nodes; and samples.

use divan::Bencher;
use stiction::analysis::planar_sliding::functionals::{Functionals, difference};
use stiction::analysis::planar_sliding::lengths::LengthTable;
use stiction::analysis::planar_sliding::motion::{General, Motion};
use stiction::analysis::planar_sliding::{
    Covariance, Kernel, Moving, NoCovariance, Pairing, Plate, Samples, Stretch, TensorSampler,
};
use stiction::num::real::exp;
use stiction::patch::{Outline, Resolution, Shape, Square};

fn main() {
    divan::main();
}

fn functionals(rotation_radius: f64) -> Functionals {
    let outline = Outline::of(&Shape::Square(Square { half_side: 1.0 })).expect("a square");
    Functionals::new(outline, Motion::General(General { rotation_radius }).twist())
}

/// What one would write in an afternoon: the kernel between all pairs of nodes.
fn double_sum(functionals: &Functionals, length: f64) -> [[f64; 3]; 3] {
    let loads = functionals.loads(Resolution { length, extra: 0 });
    let mut sum = [[0.0; 3]; 3];
    for (p, first) in loads.points.iter().zip(&loads.loads) {
        for (q, second) in loads.points.iter().zip(&loads.loads) {
            let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
            let kernel = exp(-(dx * dx + dy * dy) / (length * length));
            for i in 0..3 {
                for j in 0..3 {
                    sum[i][j] += kernel * first[i] * second[j];
                }
            }
        }
    }
    sum
}

#[divan::bench(args = [0.03, 0.1, 0.3, 1.0, 10.0])]
fn lattice(bencher: Bencher<'_, '_>, length: f64) {
    let functionals = functionals(0.5);
    bencher.bench_local(|| functionals.gaussian(length, 0));
}

#[divan::bench(args = [0.3, 1.0, 10.0], sample_count = 10)]
fn plain_double_sum(bencher: Bencher<'_, '_>, length: f64) {
    let functionals = functionals(0.5);
    let lattice = functionals.gaussian(length, 0).expect("resolved");
    assert!(difference(&lattice, &double_sum(&functionals, length)) < 2e-9);
    bencher.bench_local(|| double_sum(&functionals, length));
}

#[divan::bench(sample_count = 10)]
fn table_for_all_lengths(bencher: Bencher<'_, '_>) {
    let functionals = functionals(0.5);
    bencher.bench_local(|| LengthTable::new(&functionals));
}

#[divan::bench]
fn one_length_from_the_table(bencher: Bencher<'_, '_>) {
    let table = LengthTable::new(&functionals(0.5));
    bencher.bench_local(|| table.at(divan::black_box(0.37)));
}

/// All that a caller pays for one motion and one length, error estimate included.
#[divan::bench(args = [0.01, 0.02, 0.03, 0.05, 0.1, 0.3, 1.0], sample_count = 20)]
fn moments_of_one_length(bencher: Bencher<'_, '_>, length: f64) {
    let shape = Shape::Square(Square { half_side: 1.0 });
    let plate = Plate::new(&shape, &Motion::General(General { rotation_radius: 0.5 }), 1.0).expect("a plate");
    let kernel = Kernel::Gaussians(vec![(1.0, length)]);
    let covariance = Covariance { mean: 1.0, kernel, stretch: Stretch::NONE };
    bencher.bench_local(|| plate.moments(&covariance, NoCovariance::Refuse));
}

/// 2000 samples of six motions on the same realisations.
#[divan::bench(args = [0.05, 0.1, 0.3, 1.0, 10.0], sample_count = 10)]
fn samples_of_six_motions(bencher: Bencher<'_, '_>, length: f64) {
    let sampler = TensorSampler::new([1.0, 1.0], length, 0.5, 0.1, 1).expect("a sampler");
    let moving = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0]
        .map(|rotation_radius| Moving { twist: Motion::General(General { rotation_radius }).twist(), pressure: 1.0 });
    bencher.bench_local(|| Samples::draw_many(&sampler, &moving, 2000, Pairing::Antithetic));
}
