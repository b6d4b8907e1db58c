//! The nearest field to a function that is no correlation, on any points.
//!
//! The matrix of the points is made positive: its negative eigenvalues are set to zero, then every variance is restored to
//! 1. The field that it makes is not the one that was asked for; the report says how far it is.

use super::GeneratorError;
use super::low_rank::{PointFactor, between};
use nalgebra::{DMatrix, Dyn, SymmetricEigen};

/// What the eigenvalues of a matrix of points tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatrixReport {
    /// Smallest eigenvalue [-].
    pub smallest: f64,
    /// Largest eigenvalue [-].
    pub largest: f64,
    /// Number of negative eigenvalues.
    pub negative_count: usize,
    /// Sum of |negative eigenvalues| / sum of all: a fraction of the variance [-].
    pub negative_mass: f64,
}

/// The values of a function at the lags between points, and their eigenvalues.
pub(crate) struct PointMatrix {
    matrix: DMatrix<f64>,
    eigen: SymmetricEigen<f64, Dyn>,
}

/// A factor of the projected matrix of points.
#[derive(Debug, Clone)]
pub(crate) struct Projected {
    /// One column for each positive eigenvalue, the largest first.
    pub(crate) factor: PointFactor,
    /// Eigenvalues before the projection.
    pub(crate) matrix: MatrixReport,
    /// Largest change of the correlation over all pairs of points [-].
    pub(crate) largest_change: f64,
}

/// Iterations for each eigenvalue at most.
const ITERATIONS: usize = 200;

impl PointMatrix {
    /// The matrix of the values of `function` at the lags between points \[m\]: 32 bytes for each pair, which the caller admits.
    ///
    /// # Errors
    /// If the function is not 1 at lag 0 or above 1 elsewhere, or its eigenvalues are not found.
    pub(crate) fn new(points: &[[f64; 2]], function: &dyn Fn(f64, f64) -> f64) -> Result<Self, GeneratorError> {
        let count = points.len();
        let mut matrix = DMatrix::zeros(count, count);
        for i in 0..count {
            for j in 0..=i {
                let value = between(points, function, [i, j])?;
                matrix[(i, j)] = value;
                matrix[(j, i)] = value;
            }
        }
        let eigen = SymmetricEigen::try_new(matrix.clone(), f64::EPSILON, ITERATIONS * count.max(1))
            .ok_or(GeneratorError::Eigenvalues { points: count })?;
        Ok(Self { matrix, eigen })
    }

    /// Eigenvalues and their negative part.
    pub(crate) fn report(&self) -> MatrixReport {
        let values = &self.eigen.eigenvalues;
        let negative = values.iter().filter(|value| **value < 0.0);
        MatrixReport {
            smallest: values.iter().copied().fold(f64::INFINITY, f64::min),
            largest: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            negative_count: negative.clone().count(),
            // the sum of all is the trace
            negative_mass: negative.fold(0.0, |sum, value| sum - value) / (values.len() as f64).max(1.0),
        }
    }
}

impl Projected {
    /// Projects the matrix of the values of `function` at the lags between points \[m\].
    ///
    /// # Errors
    /// If the function is not 1 at lag 0 or above 1 elsewhere, its eigenvalues are not found, or nothing is left of a variance.
    pub(crate) fn new(points: &[[f64; 2]], function: &dyn Fn(f64, f64) -> f64) -> Result<Self, GeneratorError> {
        let whole = PointMatrix::new(points, function)?;
        let PointMatrix { matrix, eigen } = &whole;
        let count = points.len();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        let mut columns: Vec<f64> = Vec::new();
        for &k in order.iter().filter(|&&k| eigen.eigenvalues[k] > 0.0) {
            // the sign of an eigenvector is arbitrary: its largest entry shall be positive
            let vector = eigen.eigenvectors.column(k);
            let largest =
                vector.iter().fold(0.0_f64, |best, &entry| if entry.abs() > best.abs() { entry } else { best });
            let scale = eigen.eigenvalues[k].sqrt() * largest.signum();
            columns.extend(vector.iter().map(|entry| scale * entry));
        }
        for (i, &[x, y]) in points.iter().enumerate() {
            let variance = columns.chunks_exact(count).fold(0.0, |sum, column| sum + column[i] * column[i]);
            if variance <= f64::EPSILON {
                return Err(GeneratorError::Indefinite { point: i, x, y, remaining: variance });
            }
            columns.chunks_exact_mut(count).for_each(|column| column[i] /= variance.sqrt());
        }
        let factor = PointFactor { count, columns, dropped: 0.0 };
        let mut largest_change = 0.0_f64;
        for i in 0..count {
            for j in 0..i {
                largest_change = largest_change.max((factor.covariance(i, j) - matrix[(i, j)]).abs());
            }
        }
        Ok(Self { factor, matrix: whole.report(), largest_change })
    }
}
