//! Lognormal fields with a Gaussian correlation on a grid, by a product of three small matrices.
//!
//! ```text
//! G = A_1 Z A_2ᵀ,     A[p, m] = √(2h/(√π l)) exp(−2 (x_p − m h)²/l²),  h = l/2.4,     H = exp(m_h + s_h G)
//! ```
//! Z is white noise on a lattice along the axes of the correlation; the covariance of G is exp(−r²/l²) with an error of 3e-6. Variances
//! of force and torque are met to 1e-5: samples in their millions do not see the difference.

use super::lines::Line;
use crate::field::{Germ, Purpose};
use crate::num::bulk::{self, Loop, vectorised};
use crate::num::real::{exp, ln, ln_1p};
use std::f64::consts::PI;

/// Lattice steps per correlation length: the sum over the lattice has a relative error of 2 exp(−π² 2.4²/4).
const STEPS: f64 = 2.4;

/// Lattice points on each side of a place; beyond, the kernel is below 5e-7.
const HALF: usize = 6;

/// Lattice points that a place sees.
const WIDTH: usize = 2 * HALF + 1;

/// White noise that is smoothed along two lines.
#[derive(Debug, Clone)]
pub(crate) struct SmoothedNoise {
    /// Mean and standard deviation of ln H.
    logarithm: [f64; 2],
    across: Axis,
    up: Axis,
}

/// The places along one axis: where each begins in the lattice, and the values of the kernel there.
#[derive(Debug, Clone)]
struct Axis {
    kernels: Vec<(usize, [f64; WIDTH])>,
    /// Points of the lattice.
    columns: usize,
}

impl Axis {
    fn new(line: &Line, length: f64) -> Self {
        let scale = STEPS / length;
        // the lattice is symmetric about 0 and reaches HALF points beyond the rim
        let most = (line.reach() * scale).ceil() as usize + HALF;
        let norm = (2.0 / (STEPS * PI.sqrt())).sqrt();
        let kernel = |place: &f64| {
            let steps = place * scale + most as f64;
            let start = (steps.round() as usize).saturating_sub(HALF);
            let value = |k: usize| {
                let distance = (steps - (start + k) as f64) / STEPS;
                norm * exp(-2.0 * distance * distance)
            };
            (start, std::array::from_fn(value))
        };
        Self { kernels: line.places.iter().map(kernel).collect(), columns: 2 * most + 1 }
    }
}

impl SmoothedNoise {
    /// For two correlation lengths \[m\] of the Gaussian field, and mean and standard deviation of the coefficient.
    pub(crate) fn new(lines: &[Line; 2], lengths: [f64; 2], mean: f64, deviation: f64) -> Self {
        let s2 = ln_1p(deviation * deviation / (mean * mean));
        let [across, up] = [0, 1].map(|axis| Axis::new(&lines[axis], lengths[axis]));
        Self { logarithm: [ln(mean) - 0.5 * s2, s2.sqrt()], across, up }
    }

    /// Writes one realisation.
    pub(crate) fn fill(&self, germ: &Germ, values: &mut [f64], scratch: &mut Vec<f64>) {
        self.gaussian(germ, values, scratch);
        let [m, s] = self.logarithm;
        bulk::lognormal(values, m, germ.sign() * s);
    }

    /// Writes both realisations of an antithetic pair.
    pub(crate) fn fill_pair(&self, germ: &Germ, pair: [&mut [f64]; 2], scratch: &mut Vec<f64>) {
        let [plain, mirrored] = pair;
        self.gaussian(germ, plain, scratch);
        mirrored.copy_from_slice(plain);
        let [m, s] = self.logarithm;
        bulk::lognormal(plain, m, s);
        bulk::lognormal(mirrored, m, -s);
    }

    /// Writes the Gaussian field without its sign.
    fn gaussian(&self, germ: &Germ, values: &mut [f64], scratch: &mut Vec<f64>) {
        let (rows, columns) = (self.up.columns, self.across.columns);
        let lines = self.up.kernels.len();
        scratch.resize(rows * columns + columns + lines * columns, 0.0);
        let (white, rest) = scratch.split_at_mut(rows * columns);
        let (row, half_done) = rest.split_at_mut(columns);
        germ.stream(Purpose::Field).fill_normal(white);
        vectorised(Smoothing { white, row, half_done, values, across: &self.across, up: &self.up });
    }
}

/// Both products. Lattice lines of Z run along the first axis, so that many columns are smoothed together along the second; then the
/// places run along the second axis, so that many of them are smoothed together along the first.
struct Smoothing<'a> {
    white: &'a [f64],
    row: &'a mut [f64],
    half_done: &'a mut [f64],
    values: &'a mut [f64],
    across: &'a Axis,
    up: &'a Axis,
}

impl Loop for Smoothing<'_> {
    #[inline(always)]
    fn run(self) {
        let columns = self.across.columns;
        let lines = self.up.kernels.len();
        for (node, (first, kernel)) in self.up.kernels.iter().enumerate() {
            weighted_sum(self.row, &self.white[first * columns..], kernel);
            for (value, out) in self.row.iter().zip(self.half_done[node..].iter_mut().step_by(lines)) {
                *out = *value;
            }
        }
        for (out, (first, kernel)) in self.values.chunks_exact_mut(lines).zip(&self.across.kernels) {
            weighted_sum(out, &self.half_done[first * lines..], kernel);
        }
    }
}

/// Σ kernel[k] · row k, where `rows` lie one behind the other.
#[inline(always)]
fn weighted_sum(out: &mut [f64], rows: &[f64], kernel: &[f64; WIDTH]) {
    let size = out.len();
    // three rows at a time: fewer passes over the sums
    out.fill(0.0);
    let mut rest = rows;
    for factors in kernel.chunks_exact(3) {
        let (rows, after) = rest.split_at(3 * size);
        let (first, others) = rows.split_at(size);
        let (second, third) = others.split_at(size);
        for (((sum, a), b), c) in out.iter_mut().zip(first).zip(second).zip(third) {
            *sum += factors[0] * a + factors[1] * b + factors[2] * c;
        }
        rest = after;
    }
    let last = kernel[WIDTH - 1];
    for (sum, a) in out.iter_mut().zip(rest) {
        *sum += last * a;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::planar_sliding::lines::Lines;
    use crate::patch::{Outline, Shape, Square};

    #[test]
    fn the_noise_has_the_correlation() {
        let outline = Outline::of(&Shape::Square(Square { half_side: 1.0 })).unwrap();
        let [line, _] = Lines::covering(&outline, [0.25; 2], [1.0, 0.0]).lines;
        let kernels = Axis::new(&line, 0.25).kernels;
        for (x, (first, kernel)) in line.places.iter().zip(&kernels) {
            for (other, (other_first, other_kernel)) in line.places.iter().zip(&kernels) {
                let seen = |k: usize| (first + k).checked_sub(*other_first).and_then(|place| other_kernel.get(place));
                let sum: f64 = (0..WIDTH).map(|k| kernel[k] * seen(k).unwrap_or(&0.0)).sum();
                let wanted = exp(-((x - other) / 0.25).powi(2));
                assert!((sum - wanted).abs() < 4e-6, "{x} {other}: {sum} {wanted}");
            }
        }
    }
}
