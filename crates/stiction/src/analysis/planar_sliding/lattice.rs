//! The lattice on which covariances for Gaussian kernels are summed.
//!
//! ```text
//! exp(−|x−x'|²/l²) = 4/(π l²) ∫exp(−2|x−z|²/l²) exp(−2|x'−z|²/l²) dz ≈ 4/(π l²) h² Σ_z …
//! ```
//! Nodes anywhere are spread one by one. Nodes on a grid are spread along one axis at a time, which costs a tenth.

use super::functionals::{Matrix, PAIRS};
use super::sampling::dot;
use crate::num::bulk::{Loop, vectorised};
use crate::num::real::exp;
use crate::patch::Point;
use std::f64::consts::PI;

/// Lattice spacing: correlation lengths per step, inverted. An error of 4e-10.
const STEPS_PER_LENGTH: f64 = 3.0;

/// Lattice points on each side of a node; beyond, the kernel is below 3e-11.
const HALF: usize = 10;

/// Lattice points that a node reaches along an axis.
const WIDTH: usize = 2 * HALF + 1;

/// Sums U_i(z) = Σ_p load_i(p) exp(−2|x_p − z|²/l²) at the points z of a lattice; x runs fastest.
#[derive(Debug)]
pub(crate) struct Lattice {
    /// Steps per metre.
    scale: f64,
    origin: Point,
    size: [usize; 2],
    sums: [Vec<f64>; 3],
    kernel: Kernel,
}

impl Lattice {
    /// A lattice for nodes between two corners and kernels of this length \[m\].
    pub(crate) fn new(low: Point, high: Point, length: f64) -> Self {
        let scale = STEPS_PER_LENGTH / length;
        // the lattice is centred on the nodes, so that symmetric areas have symmetric sums
        let size = [0, 1].map(|axis| ((high[axis] - low[axis]) * scale).ceil() as usize + 2 * HALF + 3);
        let origin = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]) * scale - 0.5 * (size[axis] - 1) as f64);
        let sums = [0, 1, 2].map(|_| vec![0.0; size[0] * size[1]]);
        Self { scale, origin, size, sums, kernel: Kernel::new() }
    }

    fn kernel_at(&self, axis: usize, place: f64) -> (usize, [f64; WIDTH]) {
        self.kernel.values(place * self.scale - self.origin[axis])
    }

    /// Adds nodes anywhere.
    pub(crate) fn spread(&mut self, points: &[Point], loads: &[[f64; 3]]) {
        for (point, load) in points.iter().zip(loads) {
            let (column, across) = self.kernel_at(0, point[0]);
            let (row, up) = self.kernel_at(1, point[1]);
            let first = row * self.size[0] + column;
            vectorised(Spot { sums: &mut self.sums, first, stride: self.size[0], across: &across, up: &up, load });
        }
    }

    /// Adds the nodes of a grid; `loads` of each functional have y running fastest.
    pub(crate) fn spread_grid(&mut self, xs: &[f64], ys: &[f64], loads: &[Vec<f64>; 3]) {
        let across: Vec<_> = xs.iter().map(|x| self.kernel_at(0, *x)).collect();
        let up: Vec<_> = ys.iter().map(|y| self.kernel_at(1, *y)).collect();
        let columns = self.size[0];
        let mut half_done = vec![0.0; columns * ys.len()];
        let mut turned = vec![0.0; columns * ys.len()];
        for (sums, loads) in self.sums.iter_mut().zip(loads) {
            half_done.fill(0.0);
            let first = Pass { kernels: &across, from: loads, to: &mut half_done, size: ys.len() };
            vectorised(first);
            for (column, line) in half_done.chunks_exact(ys.len()).enumerate() {
                for (value, out) in line.iter().zip(turned[column..].iter_mut().step_by(columns)) {
                    *out = *value;
                }
            }
            vectorised(Pass { kernels: &up, from: &turned, to: sums, size: columns });
        }
    }

    /// Σ_pq load_i(p) load_j(q) exp(−|x_p − x_q|²/l²) over all nodes that were added.
    pub(crate) fn covariance(&self) -> Matrix {
        let norm = 4.0 / (PI * STEPS_PER_LENGTH * STEPS_PER_LENGTH);
        let mut matrix = [[0.0; 3]; 3];
        for (i, j) in PAIRS {
            let mut sum = 0.0;
            vectorised(Product { first: &self.sums[i], second: &self.sums[j], sum: &mut sum });
            (matrix[i][j], matrix[j][i]) = (norm * sum, norm * sum);
        }
        matrix
    }
}

/// The sum of products of two lists.
struct Product<'a> {
    first: &'a [f64],
    second: &'a [f64],
    sum: &'a mut f64,
}

impl Loop for Product<'_> {
    #[inline(always)]
    fn run(self) {
        *self.sum = dot(self.first, self.second);
    }
}

/// One node spread over its square of lattice points.
struct Spot<'a> {
    sums: &'a mut [Vec<f64>; 3],
    first: usize,
    stride: usize,
    across: &'a [f64; WIDTH],
    up: &'a [f64; WIDTH],
    load: &'a [f64; 3],
}

impl Loop for Spot<'_> {
    #[inline(always)]
    fn run(self) {
        for (sums, load) in self.sums.iter_mut().zip(self.load) {
            for (row, factor) in sums[self.first..].chunks_mut(self.stride).zip(self.up) {
                let factor = load * factor;
                for (sum, value) in row.iter_mut().zip(self.across) {
                    *sum += factor * value;
                }
            }
        }
    }
}

/// Spreads every line of values over the lattice lines that its node reaches.
struct Pass<'a> {
    kernels: &'a [(usize, [f64; WIDTH])],
    from: &'a [f64],
    to: &'a mut [f64],
    /// Values of a line.
    size: usize,
}

impl Loop for Pass<'_> {
    #[inline(always)]
    fn run(self) {
        for (line, (first, kernel)) in self.from.chunks_exact(self.size).zip(self.kernels) {
            for (out, factor) in self.to.chunks_exact_mut(self.size).skip(*first).zip(kernel) {
                for (sum, value) in out.iter_mut().zip(line) {
                    *sum += factor * value;
                }
            }
        }
    }
}

/// The kernel exp(−2 x²/l²) on the lattice: two exponentials per node and axis, the rest by multiplication.
#[derive(Debug)]
struct Kernel {
    /// exp(−2 k²/9) for k from 0.
    fixed: [f64; HALF + 1],
}

impl Kernel {
    fn new() -> Self {
        let square = STEPS_PER_LENGTH * STEPS_PER_LENGTH;
        Self { fixed: std::array::from_fn(|k| exp(-2.0 * (k * k) as f64 / square)) }
    }

    /// Index of the first lattice point and the values there and at the following ones, for a node at `place` in steps.
    fn values(&self, place: f64) -> (usize, [f64; WIDTH]) {
        let nearest = place.round();
        let offset = place - nearest;
        let square = STEPS_PER_LENGTH * STEPS_PER_LENGTH;
        let peak = exp(-2.0 * offset * offset / square);
        // exp(−2 (offset − k)²/9) = peak · ratio^k · fixed
        let ratio = exp(4.0 * offset / square);
        let inverse = 1.0 / ratio;
        let mut values = [0.0; WIDTH];
        values[HALF] = peak;
        let (mut up, mut down) = (peak, peak);
        for k in 1..=HALF {
            up *= ratio;
            down *= inverse;
            values[HALF + k] = up * self.fixed[k];
            values[HALF - k] = down * self.fixed[k];
        }
        ((nearest.max(HALF as f64) as usize) - HALF, values)
    }
}
