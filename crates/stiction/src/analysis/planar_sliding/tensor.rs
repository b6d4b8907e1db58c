//! Lognormal fields with the Gaussian correlation on a rectangle, by a product of three small matrices.
//!
//! ```text
//! G = A_x Z A_yᵀ,     A[p, m] = √(2h/(√π l)) exp(−2 (x_p − m h)²/l²),  h = l/3,     H = exp(m_h + s_h G)
//! ```
//! Z is white noise on a lattice; the covariance of G is exp(−r²/l²) with an error of 1e-9. Quadrature nodes form a grid whose
//! lines pass through the centre of rotation, if that is inside.

use super::sampling::{Noise, Sampler};
use crate::analysis::AnalysisError;
use crate::num::random::Stream;
use crate::num::real::{exp, ln, ln_1p};
use crate::patch::{Nodes, Point, Resolution};
use std::f64::consts::PI;

/// Lattice steps per correlation length.
const STEPS: f64 = 3.0;

/// Lattice points on each side of a node.
const HALF: usize = 10;

/// Most nodes of a grid.
const MOST_NODES: f64 = 4e6;

/// Number of the random stream, beside those of other purposes.
const PURPOSE: u64 = 0;

/// Realisations of a lognormal field on the nodes of a rectangle.
#[derive(Debug, Clone)]
pub struct TensorSampler {
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
    first: Vec<usize>,
    values: Vec<[f64; 2 * HALF + 1]>,
    columns: usize,
}

impl Axis {
    fn new(places: &[(f64, f64)], half_side: f64, length: f64) -> Self {
        let scale = STEPS / length;
        // the lattice is symmetric about 0 and reaches HALF points beyond the rim
        let most = (half_side * scale).ceil() as usize + HALF;
        let norm = (2.0 / (STEPS * PI.sqrt())).sqrt();
        let (mut first, mut values) = (Vec::new(), Vec::new());
        for (place, _) in places {
            let steps = place * scale + most as f64;
            let start = (steps.round() as usize).saturating_sub(HALF);
            first.push(start);
            values.push(std::array::from_fn(|k| {
                let distance = (steps - (start + k) as f64) / STEPS;
                norm * exp(-2.0 * distance * distance)
            }));
        }
        Self { first, values, columns: 2 * most + 1 }
    }
}

impl TensorSampler {
    /// Realisations for a rectangle with half sides `[a, b]` \[m\], a correlation length \[m\] of the Gaussian field, and mean
    /// and standard deviation of the coefficient; the lines of the grid pass through `centre`.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] for numbers that are not > 0, and for lengths that would need millions of nodes.
    pub fn new(
        half_sides: [f64; 2],
        length: f64,
        mean: f64,
        deviation: f64,
        centre: Option<Point>,
        seed: u64,
    ) -> Result<Self, AnalysisError> {
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
        let resolution = Resolution { length, extra: 0 };
        let axis = |axis: usize| {
            let side = half_sides[axis];
            match centre.map(|centre| centre[axis]).filter(|place| place.abs() < 0.999 * side) {
                Some(place) => {
                    let mut line = resolution.line(-side, place);
                    line.extend(resolution.line(place, side));
                    line
                }
                None => resolution.line(-side, side),
            }
        };
        let (xs, ys) = (axis(0), axis(1));
        let mut nodes = Nodes::default();
        for (x, x_weight) in &xs {
            for (y, y_weight) in &ys {
                nodes.points.push([*x, *y]);
                nodes.weights.push(x_weight * y_weight);
            }
        }
        let s2 = ln_1p(deviation * deviation / (mean * mean));
        Ok(Self {
            nodes,
            seed,
            logarithm: [ln(mean) - 0.5 * s2, s2.sqrt()],
            across: Axis::new(&xs, half_sides[0], length),
            up: Axis::new(&ys, half_sides[1], length),
        })
    }
}

impl Sampler for TensorSampler {
    fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    fn fill(&self, realisation: u64, noise: Noise, values: &mut [f64], scratch: &mut Vec<f64>) {
        let (rows, columns) = (self.across.columns, self.up.columns);
        let lines = self.up.first.len();
        scratch.resize(rows * columns + rows * lines, 0.0);
        let (white, half_done) = scratch.split_at_mut(rows * columns);
        let mut stream = Stream::new(self.seed, realisation, PURPOSE);
        let sign = if noise == Noise::Mirrored { -1.0 } else { 1.0 };
        for value in white.iter_mut() {
            *value = sign * stream.normal();
        }
        for (row, out) in white.chunks_exact(columns).zip(half_done.chunks_exact_mut(lines)) {
            for ((out, first), kernel) in out.iter_mut().zip(&self.up.first).zip(&self.up.values) {
                *out = row[*first..].iter().zip(kernel).map(|(white, kernel)| white * kernel).sum();
            }
        }
        let [m, s] = self.logarithm;
        for ((out, first), kernel) in values.chunks_exact_mut(lines).zip(&self.across.first).zip(&self.across.values) {
            out.fill(0.0);
            for (row, factor) in half_done.chunks_exact(lines).skip(*first).zip(kernel) {
                for (sum, value) in out.iter_mut().zip(row) {
                    *sum += factor * value;
                }
            }
            for value in out {
                *value = exp(m + s * *value);
            }
        }
    }
}
