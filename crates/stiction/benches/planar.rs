//! Moments of a turning square: from the lattice, from the table, and by a plain double sum over the same nodes.

use divan::Bencher;
use stiction::analysis::planar_sliding::functionals::{Functionals, difference};
use stiction::analysis::planar_sliding::lengths::LengthTable;
use stiction::analysis::planar_sliding::motion::{General, Motion};
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

#[divan::bench(args = [0.1, 0.3, 1.0, 10.0])]
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
