//! One lognormal field of 512 times 4096 points with a Gaussian correlation of five steps.

use crate::measure::{fastest, line};
use serde_json::json;
use stiction::field::generator::{Circulant, Embedding, Lognormal, Separable};
use stiction::field::{Germ, Grid};
use stiction::num::real::{exp, ln};

const LOGNORMAL: Lognormal = Lognormal { location: -0.712_757_545_355_186_5, scale: 0.198_042_200_435_365_4 };
const SIZE: [usize; 2] = [4096, 512];
const LENGTH: f64 = 0.1;
const STEP: f64 = 0.02;
const REALISATIONS: u64 = 8;

pub(crate) fn lines() {
    let grid = Grid::new([0.0, -5.11], [STEP; 2], SIZE).expect("a grid");
    let (plan, setup) = fastest(1, || Separable::isotropic(LENGTH).expect("a length").on(&grid).expect("a plan"));
    measured("stiction-separable", setup, |germ, values| {
        plan.fill(germ, &LOGNORMAL, values).expect("a field");
    });
    let gaussian = |x: f64, y: f64| exp(-(x * x + y * y) / (LENGTH * LENGTH));
    let (circulant, setup) =
        fastest(1, || Circulant::new(&grid, &gaussian, &Embedding::new(LENGTH, 5.0)).expect("an embedding"));
    measured("stiction-circulant", setup, |germ, values| {
        circulant.fill(germ, &LOGNORMAL, values).expect("a field");
    });
}

fn measured(peer: &str, setup: f64, fill: impl Fn(&Germ, &mut [f64])) {
    let mut values = vec![0.0; SIZE[0] * SIZE[1]];
    let ((), seconds) = fastest(5, || fill(&Germ::new(1, 0), &mut values));
    let mut sums = [0.0; 5];
    for index in 0..REALISATIONS {
        fill(&Germ::new(1, index), &mut values);
        for (sum, value) in sums.iter_mut().zip(statistics(&values)) {
            *sum += value / REALISATIONS as f64;
        }
    }
    let [mean, std, along_x, along_y, diagonal] = sums;
    let keys = json!({
        "grid": [512, 4096], "l": LENGTH, "dx": STEP, "setup_cpu_s": setup, "realisations": REALISATIONS, "mean": mean,
        "std": std, "corr_l_x": along_x, "corr_l_y": along_y, "corr_l_diag": diagonal, "corr_exact": [exp(-1.0), exp(-2.0)],
    });
    line("P1", peer, seconds, keys);
}

/// Mean and standard deviation of the field; correlations of its logarithm at the correlation length.
fn statistics(values: &[f64]) -> [f64; 5] {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    let parent: Vec<f64> = values.iter().map(|value| (ln(*value) - LOGNORMAL.location) / LOGNORMAL.scale).collect();
    let rows = SIZE[1];
    let lag = (LENGTH / STEP).round() as usize;
    let correlation = |columns_apart: usize, rows_apart: usize| {
        let (mut sum, mut pairs) = (0.0, 0.0);
        for i in 0..SIZE[0] - columns_apart {
            for j in 0..rows - rows_apart {
                sum += parent[i * rows + j] * parent[(i + columns_apart) * rows + j + rows_apart];
                pairs += 1.0;
            }
        }
        sum / pairs
    };
    [mean, variance.sqrt(), correlation(lag, 0), correlation(0, lag), correlation(lag, lag)]
}
