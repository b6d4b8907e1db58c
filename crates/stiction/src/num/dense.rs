//! Small dense linear systems, by the factors of `nalgebra`.
//!
//! Its factorisations and substitutions are plain loops: the same bits on every machine. Its products of matrices whose size is
//! known at run time only are not, and are not used.

use nalgebra::{DMatrix, DVector};

/// x with `matrix` x = `right`; none if the matrix is singular or x is not finite.
pub fn solve(matrix: DMatrix<f64>, right: impl IntoIterator<Item = f64>) -> Option<Vec<f64>> {
    let right = DVector::from_iterator(matrix.nrows(), right);
    let x = matrix.lu().solve(&right)?;
    x.iter().all(|entry| entry.is_finite()).then(|| x.data.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_needs_pivoting_is_solved() {
        let matrix = DMatrix::from_row_slice(3, 3, &[0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 2.0, 0.0, 3.0]);
        let x = solve(matrix, [7.0, 3.0, 11.0]).unwrap();
        for (found, wanted) in x.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - wanted).abs() < 1e-14);
        }
    }

    #[test]
    fn a_singular_system_is_refused() {
        assert!(solve(DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 4.0]), [1.0, 2.0]).is_none());
        assert!(solve(DMatrix::from_row_slice(1, 1, &[f64::NAN]), [1.0]).is_none());
    }
}
