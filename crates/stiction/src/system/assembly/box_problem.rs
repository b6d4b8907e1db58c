//! Who sticks and who slips among contacts without sliding velocity: the minimum of ½ λᵀGλ + λᵀb on a box.
//!
//! γ̇ = Gλ + b with |λᵢ| ≤ Sᵢ, and λᵢ = −Sᵢ sgn γ̇ᵢ where γ̇ᵢ ≠ 0. G is symmetric and positive semidefinite, so that γ̇ is unique. An
//! active-set method: exact up to rounding, finite, and the same for the same input. Ties go to the lowest index.

/// Relative size below which a pivot or an acceleration is rounding.
const ROUNDING: f64 = 1e-12;

/// A small dense box problem; matrices are stored row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BoxProblem {
    pub(super) matrix: Vec<f64>,
    pub(super) offset: Vec<f64>,
    pub(super) limits: Vec<f64>,
}

/// Forces of a box problem, and the accelerations that they leave: exact zeros where the contact sticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BoxSolution {
    pub(super) forces: Vec<f64>,
    pub(super) rates: Vec<f64>,
}

/// Where a force stands in its interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Free,
    Lower,
    Upper,
}

impl BoxProblem {
    /// The solution; none if rounding keeps the method from one.
    pub(super) fn solve(&self) -> Option<BoxSolution> {
        let forces = self.active_set().or_else(|| self.enumerated())?;
        Some(BoxSolution { rates: self.clean_rates(&forces), forces })
    }

    fn size(&self) -> usize {
        self.offset.len()
    }

    fn rate(&self, forces: &[f64], row: usize) -> f64 {
        let n = self.size();
        self.offset[row] + (0..n).map(|k| self.matrix[row * n + k] * forces[k]).sum::<f64>()
    }

    /// Size of the terms that make up an acceleration: what is small beside it is rounding.
    fn scale(&self, row: usize) -> f64 {
        let n = self.size();
        self.offset[row].abs() + (0..n).map(|k| self.matrix[row * n + k].abs() * self.limits[k]).sum::<f64>()
    }

    /// Accelerations without rounding: those of forces inside their limits are zero.
    fn clean_rates(&self, forces: &[f64]) -> Vec<f64> {
        let rate = |row: usize| {
            let rate = self.rate(forces, row);
            let inside = forces[row].abs() < self.limits[row];
            if inside || rate.abs() <= ROUNDING * self.scale(row) { 0.0 } else { rate }
        };
        (0..self.size()).map(rate).collect()
    }

    /// Whether every force fits its acceleration.
    fn is_solution(&self, forces: &[f64]) -> bool {
        (0..self.size()).all(|row| {
            let (force, limit) = (forces[row], self.limits[row]);
            let (rate, rounding) = (self.rate(forces, row), 1e3 * ROUNDING * self.scale(row));
            force.abs() <= limit
                && (rate.abs() <= rounding || (force == limit && rate < 0.0) || (force == -limit && rate > 0.0))
        })
    }

    fn active_set(&self) -> Option<Vec<f64>> {
        let n = self.size();
        let (mut forces, mut sides) = (vec![0.0; n], vec![Side::Free; n]);
        for _ in 0..20 * (n + 2) {
            let target = self.minimum(&forces, &sides);
            // as far toward the minimum of the free forces as the box allows
            let (mut step, mut blocked) = (1.0, None);
            for k in (0..n).filter(|&k| sides[k] == Side::Free) {
                let change = target[k] - forces[k];
                let room = if change > 0.0 { self.limits[k] - forces[k] } else { -self.limits[k] - forces[k] };
                if change != 0.0 && room / change < step {
                    (step, blocked) = (room / change, Some((k, change > 0.0)));
                }
            }
            for k in (0..n).filter(|&k| sides[k] == Side::Free) {
                forces[k] += step * (target[k] - forces[k]);
            }
            if let Some((k, upward)) = blocked {
                sides[k] = if upward { Side::Upper } else { Side::Lower };
                forces[k] = if upward { self.limits[k] } else { -self.limits[k] };
                continue;
            }
            let wrong = (0..n).find(|&k| {
                let (rate, rounding) = (self.rate(&forces, k), ROUNDING * self.scale(k));
                (sides[k] == Side::Upper && rate > rounding) || (sides[k] == Side::Lower && rate < -rounding)
            });
            match wrong {
                Some(k) => sides[k] = Side::Free,
                None => return self.is_solution(&forces).then_some(forces),
            }
        }
        None
    }

    /// The minimum over the free forces; those that others determine keep their values. By elimination, in the order of the
    /// contacts.
    fn minimum(&self, forces: &[f64], sides: &[Side]) -> Vec<f64> {
        let n = self.size();
        let free: Vec<usize> = (0..n).filter(|&k| sides[k] == Side::Free).collect();
        let m = free.len();
        let mut factor = vec![0.0; m * m];
        let mut right: Vec<f64> = vec![0.0; m];
        let mut regular: Vec<usize> = Vec::with_capacity(m);
        for i in 0..m {
            let row = free[i];
            let fixed = |k: usize| if sides[k] == Side::Free { 0.0 } else { self.matrix[row * n + k] * forces[k] };
            right[i] = -self.offset[row] - (0..n).map(fixed).sum::<f64>();
            // Cholesky's factor, row by row; a row that those before it determine is left out
            for &j in &regular {
                let known: f64 =
                    regular.iter().take_while(|&&k| k < j).map(|&k| factor[i * m + k] * factor[j * m + k]).sum();
                factor[i * m + j] = (self.matrix[row * n + free[j]] - known) / factor[j * m + j];
            }
            let known: f64 = regular.iter().map(|&k| factor[i * m + k] * factor[i * m + k]).sum();
            let pivot = self.matrix[row * n + row] - known;
            if pivot > ROUNDING * self.matrix[row * n + row] {
                factor[i * m + i] = pivot.sqrt();
                regular.push(i);
            }
        }
        let mut target = forces.to_vec();
        let dependent: Vec<usize> = (0..m).filter(|i| !regular.contains(i)).collect();
        for &i in &regular {
            right[i] -= dependent.iter().map(|&k| self.matrix[free[i] * n + free[k]] * forces[free[k]]).sum::<f64>();
        }
        for (place, &i) in regular.iter().enumerate() {
            let known: f64 = regular[..place].iter().map(|&k| factor[i * m + k] * right[k]).sum();
            right[i] = (right[i] - known) / factor[i * m + i];
        }
        for (place, &i) in regular.iter().enumerate().rev() {
            let known: f64 = regular[place + 1..].iter().map(|&k| factor[k * m + i] * right[k]).sum();
            right[i] = (right[i] - known) / factor[i * m + i];
            target[free[i]] = right[i];
        }
        target
    }

    /// The first of all combinations of sides that is a solution: for a few contacts, where the active set does not settle.
    fn enumerated(&self) -> Option<Vec<f64>> {
        const MOST: usize = 7;
        let n = self.size();
        if n > MOST {
            return None;
        }
        (0..3_usize.pow(n as u32)).find_map(|code| {
            let side = |k: usize| match code / 3_usize.pow(k as u32) % 3 {
                0 => Side::Free,
                1 => Side::Lower,
                _ => Side::Upper,
            };
            let sides: Vec<Side> = (0..n).map(side).collect();
            let bound = |(k, side): (usize, &Side)| match side {
                Side::Free => 0.0,
                Side::Lower => -self.limits[k],
                Side::Upper => self.limits[k],
            };
            let forces: Vec<f64> = sides.iter().enumerate().map(bound).collect();
            let forces = self.minimum(&forces, &sides);
            self.is_solution(&forces).then_some(forces)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::random::Stream;

    /// G = AᵀA of a random matrix A with `rank` rows.
    fn random(n: usize, rank: usize, seed: u64) -> BoxProblem {
        let mut stream = Stream::new(seed, 0, 0);
        let mut uniform = || 2.0 * stream.uniform() - 1.0;
        let a: Vec<f64> = (0..n * rank).map(|_| uniform()).collect();
        let entry = |i: usize, j: usize| (0..rank).map(|k| a[k * n + i] * a[k * n + j]).sum::<f64>();
        let matrix = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        // in the range of G, as accelerations of bodies are
        let force: Vec<f64> = (0..n).map(|_| 3.0 * uniform()).collect();
        let offset = (0..n).map(|i| (0..n).map(|j| entry(i, j) * force[j]).sum::<f64>()).collect();
        BoxProblem { matrix, offset, limits: (0..n).map(|_| 1.0 + uniform().abs()).collect() }
    }

    #[test]
    fn accelerations_are_those_of_the_enumeration() {
        for seed in 0..300 {
            let n = 1 + (seed % 4) as usize;
            for rank in [n, n.max(2) - 1] {
                let problem = random(n, rank, seed);
                let found = problem.active_set().unwrap_or_else(|| panic!("no solution for seed {seed}, rank {rank}"));
                let other = problem.enumerated().unwrap();
                for row in 0..n {
                    let difference = problem.rate(&found, row) - problem.rate(&other, row);
                    assert!(difference.abs() < 1e-10 * problem.scale(row), "seed {seed}, rank {rank}: {difference}");
                }
            }
        }
    }

    #[test]
    fn two_parallel_contacts_share_what_they_hold() {
        let matrix = vec![1.0; 4];
        let held = BoxProblem { matrix: matrix.clone(), offset: vec![-1.5; 2], limits: vec![1.0; 2] }.solve().unwrap();
        assert_eq!(held.rates, [0.0, 0.0]);
        assert!((held.forces[0] + held.forces[1] - 1.5).abs() < 1e-12);
        let lost = BoxProblem { matrix, offset: vec![-2.5; 2], limits: vec![1.0; 2] }.solve().unwrap();
        assert_eq!(lost.forces, [1.0, 1.0]);
        assert!((lost.rates[0] + 0.5).abs() < 1e-12);
    }
}
