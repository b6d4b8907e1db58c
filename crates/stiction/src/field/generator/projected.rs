//! The nearest field to a function that is no correlation, on any points.
//!
//! The matrix of the points is made positive: its negative eigenvalues are set to zero, then every variance is restored to
//! 1. The field that it makes is not the one that was asked for; the report says how far it is.

use super::{DEFAULT_MEMORY, GeneratorError, PointMap};
use crate::field::purpose::{Germ, Purpose};
use nalgebra::{DMatrix, SymmetricEigen};

/// What the projection changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProjectionReport {
    /// Smallest eigenvalue [-].
    pub smallest: f64,
    /// Largest eigenvalue [-].
    pub largest: f64,
    /// Number of negative eigenvalues.
    pub negative_count: usize,
    /// Sum of |negative eigenvalues| / sum of all: a fraction of the variance [-].
    pub negative_mass: f64,
    /// Largest change of the correlation over all pairs of points [-].
    pub largest_change: f64,
}

/// A factor of the projected matrix of points.
#[derive(Debug, Clone)]
pub struct Projected {
    count: usize,
    /// Column by column, one for each positive eigenvalue, the largest first.
    columns: Vec<f64>,
    report: ProjectionReport,
}

/// Iterations for each eigenvalue at most.
const ITERATIONS: usize = 200;

impl Projected {
    /// Projects the matrix of the values of `function` at the lags between points \[m\].
    ///
    /// # Errors
    /// If the function is not 1 at lag 0 or above 1 elsewhere, the matrix needs more than 1 GiB, its eigenvalues are not
    /// found, or nothing is left of a variance.
    pub fn new(points: &[[f64; 2]], function: &dyn Fn(f64, f64) -> f64) -> Result<Self, GeneratorError> {
        let count = points.len();
        let bytes = count.saturating_mul(count).saturating_mul(32);
        if bytes > DEFAULT_MEMORY {
            return Err(GeneratorError::PointMemory {
                generator: "projected",
                points: count,
                needed: (bytes >> 20) as u64 + 1,
                limit: (DEFAULT_MEMORY >> 20) as u64,
                alternative: "use fewer points, or a regular grid with the generator `circulant`",
            });
        }
        let mut matrix = DMatrix::zeros(count, count);
        for i in 0..count {
            for j in 0..=i {
                let [x, y] = [0, 1].map(|axis| points[i][axis] - points[j][axis]);
                let value = function(x, y);
                let right = if i == j { (value - 1.0).abs() <= 1e-12 } else { value.abs() <= 1.0 + 1e-12 };
                if !right {
                    return Err(GeneratorError::Correlation { value, x, y });
                }
                matrix[(i, j)] = value;
                matrix[(j, i)] = value;
            }
        }
        let eigen = SymmetricEigen::try_new(matrix.clone(), f64::EPSILON, ITERATIONS * count.max(1))
            .ok_or(GeneratorError::Eigenvalues { points: count })?;
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
        let negative = eigen.eigenvalues.iter().filter(|value| **value < 0.0);
        let mut report = ProjectionReport {
            smallest: eigen.eigenvalues.iter().copied().fold(f64::INFINITY, f64::min),
            largest: eigen.eigenvalues.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            negative_count: negative.clone().count(),
            negative_mass: negative.fold(0.0, |sum, value| sum - value) / (count as f64).max(1.0),
            largest_change: 0.0,
        };
        let mut projected = Self { count, columns, report };
        for i in 0..count {
            for j in 0..i {
                report.largest_change = report.largest_change.max((projected.covariance(i, j) - matrix[(i, j)]).abs());
            }
        }
        projected.report = report;
        Ok(projected)
    }

    /// What the projection changed.
    pub fn report(&self) -> &ProjectionReport {
        &self.report
    }

    /// The covariance that the factor gives to points i and j; 0 if there is no such point.
    pub fn covariance(&self, i: usize, j: usize) -> f64 {
        if i >= self.count || j >= self.count {
            return 0.0;
        }
        self.columns.chunks_exact(self.count).fold(0.0, |sum, column| sum + column[i] * column[j])
    }

    /// One realisation at all points; the noise is drawn in the order of falling eigenvalues.
    ///
    /// # Errors
    /// If `values` has not as many places as there are points.
    pub fn fill(
        &self,
        germ: &Germ,
        purpose: Purpose,
        map: &impl PointMap,
        values: &mut [f64],
    ) -> Result<(), GeneratorError> {
        if values.len() != self.count {
            return Err(GeneratorError::Size { found: values.len(), wanted: self.count });
        }
        let mut stream = germ.stream(purpose);
        values.fill(0.0);
        for column in self.columns.chunks_exact(self.count.max(1)) {
            let normal = germ.sign() * stream.normal();
            values.iter_mut().zip(column).for_each(|(value, entry)| *value += entry * normal);
        }
        map.apply(values);
        Ok(())
    }
}
