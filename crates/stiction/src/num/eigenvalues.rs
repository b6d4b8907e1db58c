//! Eigenvalues of real matrices, without their vectors, by the Schur form of `nalgebra`.
//!
//! Its QR steps have no exceptional shifts: some matrices (a cyclic permutation) are mapped onto themselves without end. They
//! are reflected once, which leaves their eigenvalues and breaks the symmetry. All of it is bounded: a matrix that does not converge
//! says so.

use super::lanes::widely;
use nalgebra::linalg::Schur;
use nalgebra::{Complex, DMatrix, DVector};

/// QR steps for each row before a matrix is given up.
const MAX_ROUNDS: usize = 60;

/// Eigenvalues, in no particular order; none if an entry is not finite or they do not converge.
pub(crate) fn eigenvalues_of(matrix: DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return None;
    }
    let rounds = MAX_ROUNDS * matrix.nrows().max(1);
    let schur = Schur::try_new(matrix.clone(), f64::EPSILON, rounds)
        .or_else(|| Schur::try_new(reflected(matrix), f64::EPSILON, rounds))?;
    Some(schur.complex_eigenvalues().iter().copied().collect())
}

/// P A P with P = 1 − 2 v vᵀ, v along (1, 2, 3, …).
fn reflected(mut a: DMatrix<f64>) -> DMatrix<f64> {
    let size = a.nrows();
    let v = DVector::from_fn(size, |i, _| (i + 1) as f64).normalize();
    let mut product = DVector::zeros(size);
    product.gemv_tr(1.0, &a, &v, 0.0);
    a.ger(-2.0, &v, &product, 1.0);
    product.gemv(1.0, &a, &v, 0.0);
    a.ger(-2.0, &product, &v, 1.0);
    a
}

/// Eigenvalues of the matrix with these rows, balanced before; as `eigenvalues_of`.
pub fn eigenvalues<const N: usize>(mut a: [[f64; N]; N]) -> Option<[Complex<f64>; N]> {
    balance(&mut a);
    eigenvalues_of(DMatrix::from_fn(N, N, |i, j| a[i][j]))?.try_into().ok()
}

/// The matrix with these rows, balanced and reduced to Hessenberg form; none if an entry is not finite.
pub(crate) fn hessenberg<const N: usize>(mut a: [[f64; N]; N]) -> Option<[[f64; N]; N]> {
    if !a.iter().flatten().all(|entry| entry.is_finite()) {
        return None;
    }
    widely(
        #[inline(always)]
        || {
            balance(&mut a);
            to_hessenberg(&mut a);
        },
    );
    Some(a)
}

/// Scales rows and columns by powers of two until their norms agree: the eigenvalues stay, their errors shrink.
#[inline(always)]
fn balance<const N: usize>(a: &mut [[f64; N]; N]) {
    for _ in 0..20 {
        let mut is_done = true;
        for i in 0..N {
            let (mut row, mut column) = (0.0, 0.0);
            for j in (0..N).filter(|&j| j != i) {
                row += a[i][j].abs();
                column += a[j][i].abs();
            }
            if row == 0.0 || column == 0.0 {
                continue;
            }
            let sum = row + column;
            let mut factor = 1.0;
            while column < 0.5 * row {
                factor *= 2.0;
                column *= 4.0;
            }
            while column > 2.0 * row {
                factor *= 0.5;
                column *= 0.25;
            }
            if (column + row) / factor < 0.95 * sum && factor.is_finite() && factor > 0.0 {
                is_done = false;
                for entry in &mut a[i] {
                    *entry /= factor;
                }
                for row in a.iter_mut() {
                    row[i] *= factor;
                }
            }
        }
        if is_done {
            return;
        }
    }
}

/// Elimination with the largest pivots, as a similarity.
#[inline(always)]
fn to_hessenberg<const N: usize>(a: &mut [[f64; N]; N]) {
    for m in 1..N.saturating_sub(1) {
        let mut best = m;
        for row in m + 1..N {
            if a[row][m - 1].abs() > a[best][m - 1].abs() {
                best = row;
            }
        }
        let pivot = a[best][m - 1];
        if pivot == 0.0 {
            continue;
        }
        if best != m {
            a.swap(best, m);
            for row in a.iter_mut() {
                row.swap(best, m);
            }
        }
        for i in m + 1..N {
            let factor = a[i][m - 1] / pivot;
            if factor == 0.0 {
                continue;
            }
            let upper = a[m];
            for (entry, upper) in a[i].iter_mut().zip(upper) {
                *entry -= factor * upper;
            }
            a[i][m - 1] = 0.0;
            for row in a.iter_mut() {
                row[m] += factor * row[i];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_matrices_have_their_eigenvalues() {
        // cyclic permutations: roots of one
        for size in [3_u16, 4, 6, 12] {
            let entry = |i: usize, j: usize| f64::from(u8::from((i + 1) % usize::from(size) == j));
            let values = eigenvalues_of(DMatrix::from_fn(size.into(), size.into(), entry)).unwrap();
            for value in &values {
                assert!((value.powu(size.into()) - 1.0).norm() < 1e-12, "{value}");
            }
            // all of them: their sum is the trace
            assert!(values.len() == usize::from(size) && values.iter().sum::<Complex<f64>>().norm() < 1e-13);
        }
        let triangle = [[3.0, 1e6, 2.0], [0.0, -1.0, 5.0], [0.0, 0.0, 0.5]];
        let mut values: Vec<f64> = eigenvalues(triangle).unwrap().iter().map(|value| value.re).collect();
        values.sort_by(f64::total_cmp);
        assert_eq!(values, [-1.0, 0.5, 3.0]);
        // a stiff oscillator beside a soft one, in units that differ by a million
        let oscillators = [[0.0, 1e6, 0.0, 0.0], [-4e-6, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1e-6], [0.0, 0.0, -9e-6, 0.0]];
        let mut sizes: Vec<f64> = eigenvalues(oscillators).unwrap().iter().map(|value| value.im.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        for (found, wanted) in sizes.iter().zip([3e-6, 3e-6, 2.0, 2.0]) {
            assert!((found / wanted - 1.0).abs() < 1e-14, "{sizes:?}");
        }
        assert!(eigenvalues([[f64::NAN; 2]; 2]).is_none());
    }
}
