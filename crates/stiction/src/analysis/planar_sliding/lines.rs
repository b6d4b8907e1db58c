//! A grid of places at which a field is drawn, and how integrals over a plate follow from the values there.
//!
//! ```text
//! ∫H w dS ≈ Σ_k A_k w(x_k) H(x_k) ≈ Σ_g H_g W_g,     W_g = Σ_k A_k w(x_k) L_g(x_k)
//! ```
//! The x_k are the nodes of a quadrature that knows the centre of rotation, where the direction of sliding jumps. L_g are products
//! of Lagrange polynomials along two axes. The grid itself does not know the motion: one realisation serves all motions.

use super::functionals::Functionals;
use crate::field::Grid;
use crate::num::gauss::Rules;
use crate::patch::{Outline, Piece, Point, Resolution};

/// Places along one axis, and the polynomials between them.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Ascending \[m\].
    pub(crate) places: Vec<f64>,
    origin: f64,
    /// Distance of two stencils \[m\].
    step: f64,
    /// Places of the first stencil, in steps from the origin, and their barycentric weights.
    stencil: Vec<f64>,
    barycentric: Vec<f64>,
    /// Places between the starts of two stencils.
    stride: usize,
    /// Steps from the start of a stencil to where it is used.
    before: f64,
    /// The last stencil.
    last: f64,
}

/// Longest panel in correlation lengths.
const LONGEST_PANEL: f64 = 5.0;

/// Places that a polynomial on an even grid passes through.
const EVEN: usize = 6;

impl Line {
    /// Gauss nodes on equal panels that resolve a Gaussian correlation of a length \[m\] to 1e-6.
    fn panels([low, high]: [f64; 2], length: f64) -> Self {
        let panels = ((high - low) / (LONGEST_PANEL * length)).ceil().max(1.0);
        let step = (high - low) / panels;
        let rule = Rules::shared().with((5.2 + 1.7 * step / length).ceil() as usize);
        let stencil: Vec<f64> = rule.nodes.iter().map(|x| 0.5 + 0.5 * x).collect();
        let of_panel = |k: usize| stencil.iter().map(move |x| low + step * (k as f64 + x));
        let places = (0..panels as usize).flat_map(of_panel).collect();
        let (barycentric, stride) = (barycentric(&stencil), stencil.len());
        Self { places, origin: low, step, stencil, barycentric, stride, before: 0.0, last: panels - 1.0 }
    }

    /// `count` places with equal steps \[m\].
    fn even(origin: f64, step: f64, count: usize) -> Self {
        let stencil: Vec<f64> = (0..EVEN).map(|k| k as f64).collect();
        let places = (0..count).map(|k| origin + step * k as f64).collect();
        let (barycentric, last) = (barycentric(&stencil), count.saturating_sub(EVEN) as f64);
        Self { places, origin, step, stencil, barycentric, stride: 1, before: (EVEN / 2 - 1) as f64, last }
    }

    /// The largest distance from 0 \[m\].
    pub(crate) fn reach(&self) -> f64 {
        self.origin.abs().max((self.origin + (self.last + 1.0) * self.step).abs())
    }

    /// The first place of the stencil about a place, and the values of its polynomials there: products of prefixes and suffixes.
    fn basis(&self, place: f64, values: &mut Vec<f64>) -> usize {
        let along = (place - self.origin) / self.step;
        let start = (along.floor() - self.before).clamp(0.0, self.last);
        let x = along - start;
        values.clear();
        let mut product = 1.0;
        for node in &self.stencil {
            values.push(product);
            product *= x - node;
        }
        product = 1.0;
        for ((value, node), weight) in values.iter_mut().zip(&self.stencil).zip(&self.barycentric).rev() {
            *value *= product * weight;
            product *= x - node;
        }
        start as usize * self.stride
    }
}

/// Π 1/(x_i − x_k) over all others, for each place.
fn barycentric(places: &[f64]) -> Vec<f64> {
    let others = |i: usize| places.iter().enumerate().filter(move |(k, _)| *k != i);
    let weight = |(i, at): (usize, &f64)| others(i).map(|(_, x)| at - x).product::<f64>().recip();
    places.iter().enumerate().map(weight).collect()
}

/// A grid along two axes at right angles; the places along the second run fastest.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    /// Along the first and the second axis.
    pub(crate) lines: [Line; 2],
    /// Cosine and sine of the angle from the x axis to the first axis.
    turn: [f64; 2],
}

impl Lines {
    /// A grid that covers an area and resolves a Gaussian correlation with two lengths \[m\] along its axes.
    pub(crate) fn covering(outline: &Outline, lengths: [f64; 2], turn: [f64; 2]) -> Self {
        let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for piece in &outline.pieces {
            let (place, around) = match *piece {
                Piece::Edge { from, .. } => (turned(turn, from), 0.0),
                Piece::Circle { radius, .. } => ([0.0; 2], radius),
            };
            for ([low, high], place) in ends.iter_mut().zip(place) {
                (*low, *high) = (low.min(place - around), high.max(place + around));
            }
        }
        Self { lines: [0, 1].map(|axis| Line::panels(ends[axis], lengths[axis])), turn }
    }

    /// The points of an even grid.
    pub(crate) fn even(grid: &Grid) -> Self {
        let line = |axis: usize| Line::even(grid.origin()[axis], grid.step()[axis], grid.count()[axis]);
        Self { lines: [line(0), line(1)], turn: [1.0, 0.0] }
    }

    /// Number of places.
    pub(crate) fn count(&self) -> usize {
        self.lines[0].places.len() * self.lines[1].places.len()
    }

    /// W_g of the three functionals at all places [m², m², m³].
    pub(crate) fn loads(&self, functionals: &Functionals, resolution: Resolution) -> [Vec<f64>; 3] {
        let nodes = functionals.positive_nodes(resolution);
        let [first, second] = &self.lines;
        let rows = second.places.len();
        let mut loads = [0, 1, 2].map(|_| vec![0.0; self.count()]);
        let (mut across, mut up) = (Vec::new(), Vec::new());
        for (point, area) in nodes.points.iter().zip(&nodes.weights) {
            let [u, v] = turned(self.turn, *point);
            let (column, row) = (first.basis(u, &mut across), second.basis(v, &mut up));
            let weights = functionals.twist.weights(*point);
            for (loads, weight) in loads.iter_mut().zip(weights) {
                for (i, share) in across.iter().enumerate() {
                    let load = area * weight * share;
                    let start = (column + i) * rows + row;
                    for (sum, share) in loads[start..start + up.len()].iter_mut().zip(&up) {
                        *sum += load * share;
                    }
                }
            }
        }
        loads
    }
}

/// A point along two axes that are turned.
fn turned([c, s]: [f64; 2], [x, y]: Point) -> Point {
    [c * x + s * y, c * y - s * x]
}
