//! The double integral along one line that crosses the outline, all lengths in correlation lengths:
//!
//! ```text
//! ∫du ∫dv (u + v) exp(−(u+v)²) w_i(b − u e) w_j(b + v e),     u over the parts inside, v from 0 on
//! ```
//! Far from the centre of rotation the weights are smooth along the line: fixed nodes serve, and a part of the line is the
//! integral of the polynomial through them. Near it only the weights are rough, not the kernel: what counts are the moments of each
//! side by itself with the functions that make up the kernel ([`Modes`]), at nodes that crowd towards the centre.

use super::modes::Modes;
use super::pieces::Node;
use crate::analysis::planar_sliding::functionals::Matrix;
use crate::analysis::planar_sliding::motion::Twist;
use crate::num::bulk;
use crate::num::gauss::Rules;
use crate::num::lanes::{Lanes, Simd, WIDTH};
use crate::num::real::{asinh, exp};
use crate::patch::Point;

/// Where a ray ends: beyond, the kernel is below 4e-9.
pub(super) const REACH: f64 = 4.4;

/// Rays that pass the centre of rotation within this distance pass it closely.
pub(super) const CLOSE: f64 = 2.0;

/// Nodes of a ray.
const ALONG: usize = 16;

/// Where blocks of eight nodes start.
const BLOCKS: [usize; 2] = [0, WIDTH];

/// Most nodes from a centre of rotation to one side.
const MOST: usize = 24;

/// The nearest that a ray is resolved to pass by the centre of rotation: nearer, the weights jump.
const NEAREST: f64 = 0.02;

type Many = [f64; ALONG];

/// A line with its direction e at a node of the outline.
pub(super) struct Line<'a> {
    pub(super) twist: &'a Twist,
    pub(super) node: &'a Node,
    pub(super) direction: Point,
    /// Correlation length \[m\].
    pub(super) length: f64,
}

impl Line<'_> {
    /// The weights at eight places, outside the outline where `sign` is 1 and inside where it is −1.
    #[inline(always)]
    fn weights<S: Simd>(&self, simd: S, sign: f64, places: &[f64]) -> [Lanes<S>; 3] {
        let (twist, from) = (self.twist, self.node.place);
        let step = self.direction.map(|e| sign * self.length * e);
        let places = Lanes::load(simd, places);
        let (x, y) = (places.scaled(step[0]).shifted(from[0]), places.scaled(step[1]).shifted(from[1]));
        let (u, v) = (y.scaled(-twist.omega).shifted(twist.vx), x.scaled(twist.omega).shifted(twist.vy));
        let factor = -(u * u + v * v).sqrt().inverse_or_zero();
        [factor * u, factor * v, factor * (x * v - y * u)]
    }
}

/// Rules and series that every line shares.
pub(super) struct Ray {
    places: Many,
    /// (u + v) exp(−(u+v)²) times the weight of v; rows of v.
    kernel: Vec<Many>,
    /// What the value at a node adds to the coefficients of the Legendre polynomials; rows of degrees.
    legendre: Vec<Many>,
    /// P_(m+2) = rise · x · P_(m+1) − fall · P_m.
    recurrence: [[f64; 2]; ALONG],
    modes: Modes,
    rules: Rules,
}

/// Places and weights of one side of a line, and room to find them.
#[derive(Default)]
pub(super) struct Side {
    places: Vec<f64>,
    weights: Vec<f64>,
    powers: Vec<f64>,
}

impl Ray {
    pub(super) fn new() -> Self {
        let rules = Rules::up_to(MOST);
        let rule = rules.with(ALONG);
        let (mut places, mut sizes) = ([0.0; ALONG], [0.0; ALONG]);
        for ((place, size), (x, w)) in places.iter_mut().zip(&mut sizes).zip(rule.on(0.0, REACH)) {
            (*place, *size) = (x, w);
        }
        let kernel = std::iter::zip(places, sizes)
            .map(|(v, size)| places.map(|u| size * (u + v) * exp(-(u + v) * (u + v))))
            .collect();
        let recurrence = std::array::from_fn(|m| {
            let m = m as f64 + 1.0;
            [(2.0 * m + 1.0) / (m + 1.0), m / (m + 1.0)]
        });
        let mut legendre: Vec<Many> = vec![[0.0; ALONG]; ALONG];
        for (k, (x, size)) in rule.nodes.iter().zip(sizes).enumerate() {
            let (mut value, mut next) = (1.0, *x);
            for (row, [rise, fall]) in legendre.iter_mut().zip(recurrence) {
                row[k] = 0.5 * size * value;
                (value, next) = (next, rise * x * next - fall * value);
            }
        }
        Self { places, kernel, legendre, recurrence, modes: Modes::new(), rules }
    }

    /// The integral on a line far from the centre of rotation, u between pairs of `ends`.
    #[inline(always)]
    pub(super) fn pair<S: Simd>(&self, simd: S, line: &Line<'_>, ends: &[f64]) -> Matrix {
        let mut after = [[0.0; ALONG]; 3];
        for block in BLOCKS {
            let weights = line.weights(simd, 1.0, &self.places[block..]);
            for j in 0..3 {
                weights[j].store(&mut after[j][block..]);
            }
        }
        let mut parts = [0.0; ALONG];
        for pair in ends.chunks_exact(2) {
            self.add_part(simd, pair[0], pair[1], &mut parts);
        }
        let mut sums = [[Lanes::all(simd, 0.0); 3]; 3];
        for block in BLOCKS {
            let mut means = [Lanes::all(simd, 0.0); 3];
            for (v, row) in self.kernel.iter().enumerate() {
                let row = Lanes::load(simd, &row[block..]);
                for j in 0..3 {
                    means[j] = means[j] + row.scaled(after[j][v]);
                }
            }
            let before = line.weights(simd, -1.0, &self.places[block..]);
            let parts = Lanes::load(simd, &parts[block..]);
            for i in 0..3 {
                let weighted = parts * before[i];
                for j in 0..3 {
                    sums[i][j] = sums[i][j] + weighted * means[j];
                }
            }
        }
        let mut found = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                found[i][j] = sums[i][j].sum();
            }
        }
        found
    }

    /// Adds the weights of the integral from `low` to `high` of the polynomial through values at the nodes.
    #[inline(always)]
    fn add_part<S: Simd>(&self, simd: S, low: f64, high: f64, parts: &mut Many) {
        let mut add = |row: &Many, factor: f64| {
            for block in BLOCKS {
                let sum = Lanes::load(simd, &parts[block..]) + Lanes::load(simd, &row[block..]).scaled(factor);
                sum.store(&mut parts[block..]);
            }
        };
        if low == 0.0 && high == REACH {
            add(&self.legendre[0], 2.0);
            return;
        }
        // (2m + 1) ∫P_m = P_(m+1) − P_(m−1)
        let [low, high] = [low, high].map(|end| 2.0 * end / REACH - 1.0);
        let ([mut a, mut b], [mut next_a, mut next_b]) = ([1.0, 1.0], [low, high]);
        let mut integral = high - low;
        for (row, [rise, fall]) in self.legendre.iter().zip(&self.recurrence) {
            add(row, integral);
            let (after_a, after_b) = (rise * low * next_a - fall * a, rise * high * next_b - fall * b);
            integral = (after_b - b) - (after_a - a);
            (a, b, next_a, next_b) = (next_a, next_b, after_a, after_b);
        }
    }

    /// The same on a line that passes the centre of rotation closely; `to_centre` from the node.
    #[inline(always)]
    pub(super) fn close_pair<S: Simd>(
        &self,
        simd: S,
        line: &Line<'_>,
        to_centre: Point,
        ends: &[f64],
        side: &mut Side,
    ) -> Matrix {
        let e = line.direction;
        let foot = to_centre[0] * e[0] + to_centre[1] * e[1];
        let miss = (to_centre[0] * e[1] - to_centre[1] * e[0]).abs().max(NEAREST);
        side.clear();
        for pair in ends.chunks_exact(2) {
            side.add(&self.rules, [pair[0], pair[1]], -foot, miss);
        }
        let before = self.moments(simd, line, -1.0, side);
        side.clear();
        side.add(&self.rules, [0.0, REACH], foot, miss);
        let after = self.moments(simd, line, 1.0, side);
        self.modes.products(simd, &before, &after)
    }

    /// ∫w_i q_a along one side.
    #[inline(always)]
    fn moments<S: Simd>(&self, simd: S, line: &Line<'_>, sign: f64, side: &Side) -> [Lanes<S>; 3] {
        let mut sums = [Lanes::all(simd, 0.0); 3];
        for (places, sizes) in side.places.chunks_exact(WIDTH).zip(side.weights.chunks_exact(WIDTH)) {
            let sizes = Lanes::load(simd, sizes);
            let [x, y, torque] = line.weights(simd, sign, places);
            let weights = [(x * sizes).eight().0, (y * sizes).eight().0, (torque * sizes).eight().0];
            for (k, place) in places.iter().enumerate() {
                let values = self.modes.at(simd, *place);
                for i in 0..3 {
                    sums[i] = sums[i] + values.scaled(weights[i][k]);
                }
            }
        }
        sums
    }
}

impl Side {
    fn clear(&mut self) {
        self.places.clear();
        self.weights.clear();
    }

    /// Adds nodes between two ends for weights that turn about a place `foot` at the distance `miss`: with sinh t = (u − foot)/miss
    /// they are tanh t and 1/cosh t. The number is filled up to whole blocks by places without weight.
    #[inline(always)]
    fn add(&mut self, rules: &Rules, [low, high]: [f64; 2], foot: f64, miss: f64) {
        if high <= low {
            return;
        }
        if (low - foot).max(foot - high) > CLOSE {
            for (place, weight) in rules.with(ALONG).on(low, high) {
                self.places.push(place);
                self.weights.push(weight);
            }
        } else {
            let [from, to] = [low, high].map(|end| asinh((end - foot) / miss));
            let middle = 0.0_f64.clamp(from, to);
            self.powers.clear();
            let first = self.weights.len();
            for [from, to] in [[from, middle], [middle, to]] {
                if to > from {
                    let count = (10.0 + 1.4 * (to - from)) as usize;
                    for (t, weight) in rules.with(count).on(from, to) {
                        self.powers.push(t);
                        self.weights.push(weight);
                    }
                }
            }
            bulk::exp(&mut self.powers);
            for (weight, power) in self.weights[first..].iter_mut().zip(&self.powers) {
                let inverse = 1.0 / power;
                self.places.push(foot + 0.5 * miss * (power - inverse));
                *weight *= 0.5 * miss * (power + inverse);
            }
        }
        let whole = self.places.len().next_multiple_of(WIDTH);
        self.places.resize(whole, 0.0);
        self.weights.resize(whole, 0.0);
    }
}
