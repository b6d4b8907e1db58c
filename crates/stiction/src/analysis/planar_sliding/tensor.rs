//! Lognormal fields with the Gaussian correlation on a rectangle, by a product of three small matrices.
//!
//! ```text
//! G = A_x Z A_yᵀ,     A[p, m] = √(2h/(√π l)) exp(−2 (x_p − m h)²/l²),  h = l/2.4,     H = exp(m_h + s_h G)
//! ```
//! Z is white noise on a lattice; the covariance of G is exp(−r²/l²) with an error of 3e-6. The nodes are a grid that does not
//! know the motion: the loads of every motion are integrated against the polynomials of its panels. Variances of force and
//! torque are met to 1e-5: samples in their millions do not see the difference.

use super::grid::{Grid, Line};
use super::motion::Twist;
use super::sampling::Sampler;
use crate::analysis::AnalysisError;
use crate::field::{Germ, Purpose};
use crate::num::bulk::{self, Loop, vectorised};
use crate::num::real::{exp, ln, ln_1p};
use crate::patch::Nodes;
use std::f64::consts::PI;

/// Lattice steps per correlation length: the sum over the lattice has a relative error of 2 exp(−π² 2.4²/4).
const STEPS: f64 = 2.4;

/// Lattice points on each side of a node; beyond, the kernel is below 5e-7.
const HALF: usize = 6;

/// Lattice points that a node sees.
const WIDTH: usize = 2 * HALF + 1;

/// Longest panel in correlation lengths.
const LONGEST_PANEL: f64 = 5.0;

/// Most nodes of a grid.
const MOST_NODES: f64 = 4e6;

/// Realisations of a lognormal field on the nodes of a rectangle.
#[derive(Debug, Clone)]
pub struct TensorSampler {
    grid: Grid,
    nodes: Nodes,
    seed: u64,
    /// Mean and standard deviation of ln H.
    logarithm: [f64; 2],
    across: Axis,
    up: Axis,
}

/// The nodes along one axis: where each begins in the lattice, and the values of the kernel there.
#[derive(Debug, Clone)]
struct Axis {
    kernels: Vec<(usize, [f64; WIDTH])>,
    /// Points of the lattice.
    columns: usize,
}

impl Axis {
    fn new(places: &[f64], half_side: f64, length: f64) -> Self {
        let scale = STEPS / length;
        // the lattice is symmetric about 0 and reaches HALF points beyond the rim
        let most = (half_side * scale).ceil() as usize + HALF;
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
        Self { kernels: places.iter().map(kernel).collect(), columns: 2 * most + 1 }
    }
}

/// A line of a grid for this correlation length.
fn line(half_side: f64, length: f64) -> Line {
    let panels = (2.0 * half_side / (LONGEST_PANEL * length)).ceil().max(1.0);
    let size = 2.0 * half_side / panels / length;
    Line::new(half_side, panels as usize, (5.2 + 1.7 * size).ceil() as usize)
}

impl TensorSampler {
    /// Realisations for a rectangle with half sides `[a, b]` \[m\], a correlation length \[m\] of the Gaussian field, and mean
    /// and standard deviation of the coefficient.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] for numbers that are not > 0, and for lengths that would need millions of nodes.
    pub fn new(half_sides: [f64; 2], length: f64, mean: f64, deviation: f64, seed: u64) -> Result<Self, AnalysisError> {
        let numbers = [
            ("shape", half_sides[0]),
            ("shape", half_sides[1]),
            ("field.correlation_length", length),
            ("field.mean", mean),
        ];
        for (key, value) in numbers {
            if !(value.is_finite() && value > 0.0) {
                return Err(AnalysisError::unsuitable(key, format!("is {value}, but must be a finite number > 0")));
            }
        }
        if !(deviation.is_finite() && deviation >= 0.0) {
            let message = format!("is {deviation}, but must be a finite number >= 0");
            return Err(AnalysisError::unsuitable("field.standard_deviation", message));
        }
        let [columns, rows] = half_sides.map(|side| 9.0 * side / length + 40.0);
        if columns * rows > MOST_NODES {
            let message = format!("is {length} m: too short to be sampled over this area; choose a longer one");
            return Err(AnalysisError::unsuitable("field.correlation_length", message));
        }
        let grid = Grid { lines: half_sides.map(|side| line(side, length)) };
        let [across, up] = &grid.lines;
        let mut nodes = Nodes::default();
        for (x, x_weight) in across.places.iter().zip(&across.weights) {
            for (y, y_weight) in up.places.iter().zip(&up.weights) {
                nodes.points.push([*x, *y]);
                nodes.weights.push(x_weight * y_weight);
            }
        }
        let s2 = ln_1p(deviation * deviation / (mean * mean));
        Ok(Self {
            nodes,
            seed,
            logarithm: [ln(mean) - 0.5 * s2, s2.sqrt()],
            across: Axis::new(&across.places, half_sides[0], length),
            up: Axis::new(&up.places, half_sides[1], length),
            grid,
        })
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

/// Both products. Lattice lines of Z run along x, so that many columns are smoothed together along y; then the rows of
/// the nodes run along y, so that many of them are smoothed together along x.
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

impl Sampler for TensorSampler {
    fn seed(&self) -> u64 {
        self.seed
    }

    fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    fn loads(&self, twist: &Twist) -> [Vec<f64>; 3] {
        self.grid.loads(twist)
    }

    fn serves_all_motions(&self) -> bool {
        true
    }

    fn fill(&self, germ: &Germ, values: &mut [f64], scratch: &mut Vec<f64>) {
        self.gaussian(germ, values, scratch);
        let [m, s] = self.logarithm;
        bulk::lognormal(values, m, germ.sign() * s);
    }

    fn fill_pair(&self, germ: &Germ, plain: &mut [f64], mirrored: &mut [f64], scratch: &mut Vec<f64>) {
        self.gaussian(germ, plain, scratch);
        mirrored.copy_from_slice(plain);
        let [m, s] = self.logarithm;
        bulk::lognormal(plain, m, s);
        bulk::lognormal(mirrored, m, -s);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::planar_sliding::functionals::{Matrix, difference};
    use crate::analysis::planar_sliding::motion::{General, Motion};
    use crate::analysis::planar_sliding::{Covariance, Kernel, NoCovariance, Plate, Stretch};
    use crate::patch::{Shape, Square};
    use nalgebra::DMatrix;

    /// Σ load_i(p) load_j(q) exp(−|x_p − x_q|²/l²) over the nodes of a grid.
    fn double_sum(sampler: &TensorSampler, twist: &Twist, length: f64) -> Matrix {
        let [across, up] = sampler.grid.lines.each_ref().map(|line| {
            let count = line.places.len();
            DMatrix::from_fn(count, count, |i, j| exp(-((line.places[i] - line.places[j]) / length).powi(2)))
        });
        let loads = sampler.loads(twist).map(|load| DMatrix::from_row_slice(across.nrows(), up.nrows(), &load));
        let seen = loads.each_ref().map(|load| &across * load * &up);
        std::array::from_fn(|i| std::array::from_fn(|j| loads[i].dot(&seen[j])))
    }

    #[test]
    fn one_grid_has_the_variances_of_every_motion() {
        let shape = Shape::Square(Square { half_side: 1.0 });
        for length in [0.05, 0.11, 0.3, 0.5, 1.0, 2.0, 100.0] {
            let sampler = TensorSampler::new([1.0, 1.0], length, 0.5, 0.1, 1).unwrap();
            let kernel = Kernel::gaussians(vec![(1.0, length)]);
            let covariance = Covariance { mean: 1.0, kernel, stretch: Stretch::NONE };
            // from the middle over the rim, where panels are cut, to far outside
            for radius in [0.0, 0.1, 0.237, 0.5, 0.97, 1.0, 1.0 + 1e-7, 1.02, 2.0, 5.0] {
                let motion = Motion::General(General { rotation_radius: radius });
                let sampled = double_sum(&sampler, &motion.twist(), length);
                let plate = Plate::new(&shape, &motion, 1.0).unwrap();
                let exact = plate.moments(&covariance, NoCovariance::Refuse).unwrap().covariance;
                let error = difference(&exact, &sampled);
                assert!(error < 1e-5, "l {length}, rho {radius}: {error:e}");
            }
        }
    }

    #[test]
    fn the_noise_has_the_correlation() {
        let sampler = TensorSampler::new([1.0, 0.3], 0.25, 0.5, 0.1, 1).unwrap();
        let line = &sampler.grid.lines[0].places;
        for (x, (first, kernel)) in line.iter().zip(&sampler.across.kernels) {
            for (other, (other_first, other_kernel)) in line.iter().zip(&sampler.across.kernels) {
                let mut sum = 0.0;
                for (k, value) in kernel.iter().enumerate() {
                    let place = (first + k).checked_sub(*other_first);
                    sum += value * place.and_then(|place| other_kernel.get(place)).unwrap_or(&0.0);
                }
                let wanted = exp(-((x - other) / 0.25).powi(2));
                assert!((sum - wanted).abs() < 4e-6, "{x} {other}: {sum} {wanted}");
            }
        }
    }

    #[test]
    fn both_of_a_pair_are_those_drawn_alone() {
        let sampler = TensorSampler::new([1.0, 0.6], 0.4, 0.5, 0.1, 9).unwrap();
        let count = sampler.nodes().points.len();
        let [mut plain, mut mirrored, mut alone] = [0, 1, 2].map(|_| vec![0.0; count]);
        sampler.fill_pair(&Germ::antithetic(9, 6), &mut plain, &mut mirrored, &mut Vec::new());
        for (realisation, wanted) in [(6, &plain), (7, &mirrored)] {
            sampler.fill(&Germ::antithetic(9, realisation), &mut alone, &mut Vec::new());
            assert_eq!(&alone, wanted);
        }
    }
}
