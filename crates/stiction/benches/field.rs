//! A lognormal field of 4096 times 512 points with a Gaussian correlation of five steps: by both routes, by the obvious
//! loop, on two threads, and where its time goes.

use divan::Bencher;
use rayon::prelude::*;
use stiction::field::generator::{Circulant, Embedding, Gaussian, Lognormal, PointMap, Separable, SeparablePlan};
use stiction::field::{Germ, Grid, InterpolationChoice, Lattice, Surface};
use stiction::num::random::Stream;
use stiction::num::{bulk, real};

fn main() {
    divan::main();
}

const LOGNORMAL: Lognormal = Lognormal { location: -0.712_757_545_355_186_5, scale: 0.198_042_200_435_365_4 };
const POINTS: usize = 512 * 4096;
/// Noise nodes that the field depends on.
const NOISE: usize = 328 * 2478;

fn grid() -> Grid {
    Grid::new([0.0, -5.11], [0.02; 2], [4096, 512]).expect("a grid")
}

fn plan() -> SeparablePlan {
    Separable::isotropic(0.1).expect("a length").on(&grid()).expect("a plan")
}

#[divan::bench]
fn separable(bencher: Bencher<'_, '_>) {
    let (plan, mut values) = (plan(), vec![0.0; POINTS]);
    bencher.bench_local(|| plan.fill(&Germ::new(1, 0), &LOGNORMAL, &mut values));
}

#[divan::bench]
fn separable_before_the_marginal(bencher: Bencher<'_, '_>) {
    let (plan, mut values) = (plan(), vec![0.0; POINTS]);
    bencher.bench_local(|| plan.fill(&Germ::new(1, 0), &Gaussian, &mut values));
}

/// Eight fields on as many threads; divide by eight.
#[divan::bench(args = [1, 2], sample_count = 20)]
fn eight_separable_fields(bencher: Bencher<'_, '_>, threads: usize) {
    let plan = plan();
    let mut fields: Vec<Vec<f64>> = (0..threads).map(|_| vec![0.0; POINTS]).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    bencher.bench_local(|| {
        pool.install(|| {
            fields.par_iter_mut().enumerate().for_each(|(thread, values)| {
                for i in (thread..8).step_by(threads) {
                    plan.fill(&Germ::new(1, i as u64), &LOGNORMAL, values).expect("a field");
                }
            });
        });
    });
}

#[divan::bench(sample_count = 20)]
fn circulant(bencher: Bencher<'_, '_>) {
    let gaussian = |x: f64, y: f64| real::exp(-100.0 * (x * x + y * y));
    let circulant = Circulant::new(&grid(), &gaussian, &Embedding::new(0.1, 5.0)).expect("an embedding");
    let mut values = vec![0.0; POINTS];
    bencher.bench_local(|| circulant.fill(&Germ::new(1, 0), &LOGNORMAL, &mut values));
}

/// The same sums but for the fading of the outermost terms, one number at a time: noise, both products, exponential.
#[divan::bench(sample_count = 3)]
fn obvious_loop(bencher: Bencher<'_, '_>) {
    const TERMS: usize = 21;
    let weights = |x: f64| {
        let s = x / (0.1 / 3.0);
        let first = (s + 0.5).floor() - 10.0;
        let weight = |k: usize| 0.613_291_438_903_102_2 * real::exp(-2.0 / 9.0 * (s - first - k as f64).powi(2));
        (first, std::array::from_fn::<f64, TERMS, _>(weight))
    };
    let grid = grid();
    let columns: Vec<_> = (0..4096).map(|i| weights(grid.x(i))).collect();
    let rows: Vec<_> = (0..512).map(|j| weights(grid.y(j))).collect();
    bencher.bench_local(|| {
        let mut stream = Stream::new(1, 0, 0);
        let noise: Vec<Vec<f64>> = (0..2490).map(|_| (0..340).map(|_| stream.normal()).collect()).collect();
        let smoothed: Vec<Vec<f64>> = noise
            .iter()
            .map(|noise| {
                let sum = |(first, weights): &(f64, [f64; TERMS])| {
                    let start = (first - rows[0].0) as usize;
                    weights.iter().zip(&noise[start..]).map(|(weight, noise)| weight * noise).sum::<f64>()
                };
                rows.iter().map(sum).collect()
            })
            .collect();
        let mut values = Vec::with_capacity(POINTS);
        for (first, weights) in &columns {
            let start = (first - columns[0].0) as usize;
            for j in 0..512 {
                let sum: f64 = weights.iter().zip(&smoothed[start..]).map(|(weight, row)| weight * row[j]).sum();
                values.push(real::exp(LOGNORMAL.location + LOGNORMAL.scale * sum));
            }
        }
        values
    });
}

#[divan::bench]
fn its_normal_numbers(bencher: Bencher<'_, '_>) {
    let mut values = vec![0.0; NOISE];
    bencher.bench_local(|| Stream::new(1, 2, 3).fill_normal(&mut values));
}

#[divan::bench]
fn its_random_words(bencher: Bencher<'_, '_>) {
    let mut words = vec![0; NOISE];
    bencher.bench_local(|| Stream::new(1, 2, 3).fill_words(&mut words));
}

#[divan::bench]
fn its_exponentials(bencher: Bencher<'_, '_>) {
    let mut values = vec![0.0; POINTS];
    bencher.bench_local(|| bulk::lognormal(&mut values, 0.1, -0.2));
}

#[divan::bench(sample_count = 10)]
fn its_spline(bencher: Bencher<'_, '_>) {
    let mut values = vec![0.3; POINTS];
    LOGNORMAL.apply(&mut values);
    let lattice = Lattice::positive(grid(), values).expect("values");
    bencher.bench_local(|| Surface::positive(&lattice, InterpolationChoice::Cubic));
}
