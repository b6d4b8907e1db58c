//! The correlation matrix of a set of points: its eigenvalues, and the nearest correlation matrix by clipping.

use super::Correlation;
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// Most points: the work grows with the cube.
const MOST: usize = 4000;

/// The correlation matrix of a set of points with its eigenvectors.
#[derive(Debug, Clone)]
pub struct PointMatrix {
    matrix: DMatrix<f64>,
    values: DVector<f64>,
    vectors: DMatrix<f64>,
}

/// What the eigenvalues of a correlation matrix tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatrixReport {
    /// The smallest eigenvalue [-].
    pub smallest: f64,
    /// The largest eigenvalue [-].
    pub largest: f64,
    /// How many are negative.
    pub negative: usize,
    /// Sum of the sizes of the negative ones over the sum of all [-].
    pub negative_mass: f64,
}

/// A correlation matrix made positive: negative eigenvalues clipped, the unit diagonal restored.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    /// The matrix, row by row [-].
    pub rows: Vec<Vec<f64>>,
    /// The largest change of an entry [-].
    pub largest_change: f64,
}

impl PointMatrix {
    /// The matrix of `correlation` between the `points` \[m\]. None for no points, more than 4000, a value that is not
    /// finite, or if the eigenvalues are not found.
    pub fn new(correlation: &Correlation, points: &[[f64; 2]]) -> Option<Self> {
        let count = points.len();
        if count == 0 || count > MOST {
            return None;
        }
        let matrix = DMatrix::from_fn(count, count, |i, j| match (points.get(i), points.get(j)) {
            (Some(a), Some(b)) => correlation.at(a[0] - b[0], a[1] - b[1]),
            _ => f64::NAN,
        });
        if !matrix.iter().all(|value| value.is_finite()) {
            return None;
        }
        let eigen = SymmetricEigen::try_new(matrix.clone(), f64::EPSILON, 100 * count)?;
        Some(Self { matrix, values: eigen.eigenvalues, vectors: eigen.eigenvectors })
    }

    /// Eigenvalues and their negative part.
    pub fn report(&self) -> MatrixReport {
        let negative = self.values.iter().filter(|value| **value < 0.0);
        let mass: f64 = negative.clone().map(|value| -value).sum();
        MatrixReport {
            smallest: self.values.iter().copied().fold(f64::INFINITY, f64::min),
            largest: self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            negative: negative.count(),
            negative_mass: mass / self.values.iter().sum::<f64>(),
        }
    }

    /// The matrix with negative eigenvalues clipped and the unit diagonal restored.
    pub fn projection(&self) -> Projection {
        let clipped = self.values.map(|value| value.max(0.0));
        let scaled = &self.vectors * DMatrix::from_diagonal(&clipped);
        let mut positive = scaled * self.vectors.transpose();
        let spread: Vec<f64> = positive.diagonal().iter().map(|value| value.max(f64::MIN_POSITIVE).sqrt()).collect();
        for (j, mut column) in positive.column_iter_mut().enumerate() {
            for (value, (i, s)) in column.iter_mut().zip(spread.iter().enumerate()) {
                *value = if i == j { 1.0 } else { *value / (s * spread.get(j).copied().unwrap_or(1.0)) };
            }
        }
        let largest_change = (&positive - &self.matrix).iter().fold(0.0, |most: f64, change| most.max(change.abs()));
        let rows = positive.row_iter().map(|row| row.iter().copied().collect()).collect();
        Projection { rows, largest_change }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Family;

    /// numpy.linalg.eigh on 8 by 8 points of the unit square.
    #[test]
    fn eigenvalues_and_projection_match_an_independent_code() {
        let points: Vec<[f64; 2]> = (0..64).map(|k| [f64::from(k % 8) / 7.0, f64::from(k / 8) / 7.0]).collect();
        for (exponent, smallest, largest, negative, mass, change) in [
            (
                3.0,
                -0.510_844_169_056_565_9,
                23.738_247_646_168_93,
                51,
                0.085_173_201_643_464_23,
                0.108_184_060_246_376_61,
            ),
            (
                4.0,
                -1.086_353_714_502_791_7,
                24.239_732_015_191_585,
                29,
                0.174_053_347_093_964_22,
                0.220_168_403_557_452_5,
            ),
        ] {
            let correlation = Correlation::isotropic(Family::PowerExponential { exponent }, 0.5);
            let matrix = PointMatrix::new(&correlation, &points).unwrap();
            let report = matrix.report();
            assert!((report.smallest - smallest).abs() < 1e-12 && (report.largest - largest).abs() < 1e-11);
            assert!(report.negative == negative && (report.negative_mass - mass).abs() < 1e-13, "{report:?}");
            let projection = matrix.projection();
            assert!((projection.largest_change - change).abs() < 1e-12);
            assert!(projection.rows.iter().enumerate().all(|(k, row)| row[k] == 1.0));
        }
        assert!(PointMatrix::new(&Correlation::gaussian(0.5), &[]).is_none());
        assert!(PointMatrix::new(&Correlation::gaussian(0.5), &[[0.0, 0.0], [f64::NAN, 0.0]]).is_none());
    }
}
