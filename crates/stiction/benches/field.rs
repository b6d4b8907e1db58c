//! A lognormal field of 512 times 4096 points with a Gaussian correlation of five steps: where its time goes.

use divan::Bencher;
use stiction::field::generator::{Gaussian, Lognormal, Separable};
use stiction::field::{Germ, Grid, Purpose};
use stiction::num::{bulk, random::Stream};

fn main() {
    divan::main();
}

const LOGNORMAL: Lognormal = Lognormal { location: -0.712_757_545_355_186_5, scale: 0.198_042_200_435_365_4 };

fn grid() -> Grid {
    Grid::new([0.0, -5.11], [0.02; 2], [4096, 512]).expect("a grid")
}

#[divan::bench]
fn separable(bencher: Bencher<'_, '_>) {
    let plan = Separable::isotropic(0.1).expect("a length").on(&grid()).expect("a plan");
    let mut values = vec![0.0; 512 * 4096];
    bencher.bench_local(|| plan.fill(&Germ::new(1, 0), Purpose::Field(0), &LOGNORMAL, &mut values));
}

#[divan::bench]
fn separable_gaussian_only(bencher: Bencher<'_, '_>) {
    let plan = Separable::isotropic(0.1).expect("a length").on(&grid()).expect("a plan");
    let mut values = vec![0.0; 512 * 4096];
    bencher.bench_local(|| plan.fill(&Germ::new(1, 0), Purpose::Field(0), &Gaussian, &mut values));
}

#[divan::bench]
fn its_normal_numbers(bencher: Bencher<'_, '_>) {
    let mut values = vec![0.0; 333 * 2483];
    bencher.bench_local(|| Stream::new(1, 2, 3).fill_normal(&mut values));
}

#[divan::bench]
fn its_random_words(bencher: Bencher<'_, '_>) {
    let mut words = vec![0; 333 * 2483];
    bencher.bench_local(|| Stream::new(1, 2, 3).fill_words(&mut words));
}

#[divan::bench]
fn its_exponentials(bencher: Bencher<'_, '_>) {
    let mut values = vec![0.0; 512 * 4096];
    bencher.bench_local(|| bulk::lognormal(&mut values, 0.1, -0.2));
}
