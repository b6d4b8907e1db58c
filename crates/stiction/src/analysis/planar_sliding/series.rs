//! Covariances for Gaussian kernels from the size of the area on, by a short series.
//!
//! ```text
//! exp(−(x−x')²/l²) = Σ c_m(x) c_m(x'),     c_m = √(2ᵐ/m!) (x/l)ᵐ exp(−x²/l²)
//! ```
//! All terms are positive, and functionals without mean keep their digits at any l.

use super::functionals::{Matrix, PAIRS};
use super::rows::Rows;
use crate::num::real::exp;

/// Largest total degree of the series; from l = size on, the rest is below 2²⁴/24! of the variance.
const DEGREE: usize = 24;

type Powers = [f64; DEGREE + 1];

/// Sums Σ_p load_i(p) c_m(x_p) c_k(y_p).
#[derive(Debug)]
pub(crate) struct Series {
    /// Correlation length \[m\].
    length: f64,
    /// √(2/m)
    roots: Powers,
    sums: [[Powers; DEGREE + 1]; 3],
}

impl Series {
    /// For kernels of this length \[m\], which must not be below the size of the area.
    pub(crate) fn new(length: f64) -> Self {
        let roots = std::array::from_fn(|m| (2.0 / m.max(1) as f64).sqrt());
        Self { length, roots, sums: [[[0.0; DEGREE + 1]; DEGREE + 1]; 3] }
    }

    fn powers(&self, place: f64) -> Powers {
        let x = place / self.length;
        let mut powers = [0.0; DEGREE + 1];
        powers[0] = exp(-x * x);
        for m in 1..=DEGREE {
            powers[m] = powers[m - 1] * x * self.roots[m];
        }
        powers
    }

    /// Σ_pq load_i(p) load_j(q) exp(−|x_p − x_q|²/l²) over all nodes that were added.
    pub(crate) fn covariance(&self) -> Matrix {
        let mut matrix = [[0.0; 3]; 3];
        for (i, j) in PAIRS {
            let products = self.sums[i].iter().flatten().zip(self.sums[j].iter().flatten());
            let sum: f64 = products.map(|(a, b)| a * b).sum();
            (matrix[i][j], matrix[j][i]) = (sum, sum);
        }
        matrix
    }
}

impl Rows for Series {
    fn add(&mut self, height: f64, places: &[f64], loads: [&[f64]; 3]) {
        let mut along = [[0.0; DEGREE + 1]; 3];
        for (p, place) in places.iter().enumerate() {
            let powers = self.powers(*place);
            for (sums, loads) in along.iter_mut().zip(loads) {
                for (sum, power) in sums.iter_mut().zip(powers) {
                    *sum += loads[p] * power;
                }
            }
        }
        let up = self.powers(height);
        for (sums, along) in self.sums.iter_mut().zip(along) {
            for (m, (row, factor)) in sums.iter_mut().zip(along).enumerate() {
                for (sum, value) in row[..=DEGREE - m].iter_mut().zip(up) {
                    *sum += factor * value;
                }
            }
        }
    }
}
