//! Systems with very different rates: what a linearly implicit method asks of them beyond [`System`].
//!
//! Each step of such a method solves several linear systems with the same matrix (g − ∂f/∂y). A system with a structure
//! (bristles that see each other only through a few rigid coordinates) solves them in a time that grows linearly with its
//! size; a small system without one uses [`DenseLinear`].

use super::{Fault, System};
use std::fmt::Debug;

/// A system whose derivative is known.
pub trait Stiff: System {
    /// The derivative at one state, and the factors for one rate.
    type Linear: Clone + Debug;

    /// Room for a derivative.
    fn new_linear(&self) -> Self::Linear;

    /// Right-hand side f and its derivatives at (`t`, `y`): `slope` = f, `time_slope` = ∂f/∂t, and ∂f/∂y inside `linear`.
    ///
    /// # Errors
    /// As [`System::rhs`].
    fn linearise(
        &self,
        mode: Self::Mode,
        t: f64,
        y: &Self::State,
        linear: &mut Self::Linear,
        slope: &mut Self::State,
        time_slope: &mut Self::State,
    ) -> Result<(), Fault>;

    /// Prepares solves with `rate` − ∂f/∂y, `rate` [1/s] > 0. Returns whether the matrix is regular.
    fn factorise(&self, rate: f64, linear: &mut Self::Linear) -> bool;

    /// Solves (rate − ∂f/∂y) x = `right` in place.
    fn solve(&self, linear: &Self::Linear, right: &mut Self::State);

    /// Whether f does not depend on time explicitly: then `time_slope` is neither written nor used.
    fn is_autonomous(&self) -> bool {
        false
    }

    /// Size of an `error` of a step from `start` to `end`, one where it is just tolerable: by default the root mean square
    /// of the controlled coordinates, each relative to `absolute` times its [`typical`](System::typical) size + `relative` |y|.
    fn error_size(
        &self,
        (relative, absolute): (f64, f64),
        typical: &Self::State,
        start: &Self::State,
        end: &Self::State,
        error: &Self::State,
    ) -> f64 {
        use super::Coords;
        let controlled = self.controlled().min(start.as_slice().len());
        let mut sum = 0.0;
        let ends = start.as_slice().iter().zip(end.as_slice());
        for (((start, end), error), typical) in ends.zip(error.as_slice()).zip(typical.as_slice()).take(controlled) {
            let scaled = error / (absolute * typical + relative * start.abs().max(end.abs()));
            sum += scaled * scaled;
        }
        (sum / controlled.max(1) as f64).sqrt()
    }
}

/// The derivative of a small system as a full matrix, with its factors.
#[derive(Debug, Clone)]
pub struct DenseLinear {
    size: usize,
    /// Typical size of the state of each equation, and the same in the order of the factors: pivots are compared relative to
    /// them, so that they do not depend on units.
    sizes: [Vec<f64>; 2],
    /// Rows of ∂f/∂y, one after the other.
    pub derivative: Vec<f64>,
    factors: Vec<f64>,
    pivots: Vec<usize>,
}

impl DenseLinear {
    /// Room for the derivative of a system with these typical sizes of its states.
    pub fn new(sizes: &[f64]) -> Self {
        let (size, sizes) = (sizes.len(), [sizes.to_vec(), sizes.to_vec()]);
        Self { size, sizes, derivative: vec![0.0; size * size], factors: vec![0.0; size * size], pivots: vec![0; size] }
    }

    /// Factors of `rate` − ∂f/∂y with the largest pivots relative to the sizes of the states. Returns whether the matrix is regular.
    pub fn factorise(&mut self, rate: f64) -> bool {
        let n = self.size;
        for (i, (factor, entry)) in self.factors.iter_mut().zip(&self.derivative).enumerate() {
            *factor = if i % (n + 1) == 0 { rate - entry } else { -entry };
        }
        let a = &mut self.factors;
        let [given, sizes] = &mut self.sizes;
        sizes.copy_from_slice(given);
        for pivot in 0..n {
            let weight = |row: usize| a[row * n + pivot].abs() / sizes[row];
            let best = (pivot..n).max_by(|&i, &j| weight(i).total_cmp(&weight(j))).unwrap_or(pivot);
            self.pivots[pivot] = best;
            if a[best * n + pivot] == 0.0 || !a[best * n + pivot].is_finite() {
                return false;
            }
            if best != pivot {
                sizes.swap(pivot, best);
                for column in 0..n {
                    a.swap(pivot * n + column, best * n + column);
                }
            }
            for row in pivot + 1..n {
                let factor = a[row * n + pivot] / a[pivot * n + pivot];
                a[row * n + pivot] = factor;
                for column in pivot + 1..n {
                    a[row * n + column] -= factor * a[pivot * n + column];
                }
            }
        }
        true
    }

    /// Solves with the factors, in place.
    pub fn solve(&self, right: &mut [f64]) {
        let (n, a) = (self.size, &self.factors);
        if right.len() != n {
            return;
        }
        for pivot in 0..n {
            right.swap(pivot, self.pivots[pivot]);
        }
        for row in 1..n {
            let known: f64 = (0..row).map(|column| a[row * n + column] * right[column]).sum();
            right[row] -= known;
        }
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|column| a[row * n + column] * right[column]).sum();
            right[row] = (right[row] - known) / a[row * n + row];
        }
    }
}
