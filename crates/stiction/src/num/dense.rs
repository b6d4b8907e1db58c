//! Small dense linear systems.

/// Solves `matrix · x = right` in place by elimination with the largest pivot: `right` becomes x. The matrix is given by
/// rows and is destroyed. Returns whether the matrix was regular.
pub fn solve(matrix: &mut [Vec<f64>], right: &mut [f64]) -> bool {
    let size = right.len();
    for pivot in 0..size {
        let Some(best) = (pivot..size).max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()))
        else {
            return false;
        };
        if matrix[best][pivot] == 0.0 || !matrix[best][pivot].is_finite() {
            return false;
        }
        matrix.swap(pivot, best);
        right.swap(pivot, best);
        for row in pivot + 1..size {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let (above, below) = matrix.split_at_mut(row);
            for (entry, upper) in below[0].iter_mut().zip(&above[pivot]).skip(pivot) {
                *entry -= factor * upper;
            }
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right.iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn a_system_that_needs_pivoting_is_solved() {
        let mut matrix = vec![vec![0.0, 2.0, 1.0], vec![1.0, 1.0, 0.0], vec![2.0, 0.0, 3.0]];
        let mut x = vec![7.0, 3.0, 11.0];
        assert!(solve(&mut matrix, &mut x));
        for (found, wanted) in x.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - wanted).abs() < 1e-14);
        }
    }

    #[test]
    fn a_singular_system_is_refused() {
        assert!(!solve(&mut [vec![1.0, 2.0], vec![2.0, 4.0]], &mut [1.0, 2.0]));
    }
}
