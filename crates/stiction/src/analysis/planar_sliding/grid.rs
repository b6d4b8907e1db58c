//! A grid of Gauss nodes on a rectangle that serves all motions.
//!
//! The direction of sliding jumps at the centre of rotation. Nodes that know the centre cannot be shared between motions, so
//! the loads know it instead:
//!
//! ```text
//! ∫H w dS ≈ Σ H(x_k) W_k,     W_k = ∫w L_k dS
//! ```
//! L_k are the Lagrange polynomials of the panel of node k. In panels near the centre W_k is integrated with the jump, to
//! round-off; elsewhere it is the Gauss weight times w. What remains is the error of H as a polynomial in each panel.

use super::motion::Twist;
use crate::num::gauss::Rule;
use crate::patch::Point;

/// Nodes along one side of the rectangle.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Ends of the panels, ascending \[m\].
    ends: Vec<f64>,
    /// The rule in each panel, and the barycentric weights of its nodes.
    rule: Rule,
    barycentric: Vec<f64>,
    /// Nodes of all panels, ascending \[m\].
    pub(crate) places: Vec<f64>,
    /// Their Gauss weights \[m\].
    pub(crate) weights: Vec<f64>,
}

impl Line {
    /// `panels` equal panels with `order` nodes each from −`half_side` to `half_side`.
    pub(crate) fn new(half_side: f64, panels: usize, order: usize) -> Self {
        let rule = Rule::gauss_legendre(order);
        let width = 2.0 * half_side / panels as f64;
        let ends: Vec<f64> =
            (0..=panels).map(|i| if i == panels { half_side } else { i as f64 * width - half_side }).collect();
        let (mut places, mut weights) = (Vec::new(), Vec::new());
        for pair in ends.windows(2) {
            for (place, weight) in rule.on(pair[0], pair[1]) {
                places.push(place);
                weights.push(weight);
            }
        }
        let others = |i: usize| rule.nodes.iter().enumerate().filter(move |(k, _)| *k != i);
        let barycentric = rule
            .nodes
            .iter()
            .enumerate()
            .map(|(i, at)| others(i).map(|(_, x)| at - x).product::<f64>().recip())
            .collect();
        Self { ends, rule, barycentric, places, weights }
    }

    fn order(&self) -> usize {
        self.rule.nodes.len()
    }

    /// Nodes of a panel among all nodes.
    fn nodes_of(&self, panel: usize) -> std::ops::Range<usize> {
        panel * self.order()..(panel + 1) * self.order()
    }

    /// Values of the Lagrange polynomials of a panel at a place, as products of prefixes and suffixes: no division.
    fn basis(&self, [low, high]: [f64; 2], place: f64, values: &mut [f64]) {
        let x = (2.0 * place - low - high) / (high - low);
        let mut prefix = 1.0;
        for (value, node) in values.iter_mut().zip(&self.rule.nodes) {
            *value = prefix;
            prefix *= x - node;
        }
        let mut suffix = 1.0;
        for ((value, node), weight) in values.iter_mut().zip(&self.rule.nodes).zip(&self.barycentric).rev() {
            *value *= suffix * weight;
            suffix *= x - node;
        }
    }
}

/// A grid of nodes on a rectangle about the origin; the nodes along y run fastest.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// Along x and along y.
    pub(crate) lines: [Line; 2],
}

/// A rectangle: the ends along x and along y \[m\].
type Box2 = [[f64; 2]; 2];

/// Panels and parts of panels farther from the centre than this many times their size have a smooth weight.
const NEAR: f64 = 1.0;

/// Halvings of a panel towards a centre just outside: what is left has no weight.
const DEPTH: usize = 25;

impl Grid {
    /// W_k of the three functionals at all nodes [m², m², m³].
    pub(crate) fn loads(&self, twist: &Twist) -> [Vec<f64>; 3] {
        let [across, up] = &self.lines;
        let rows = up.places.len();
        let mut loads = [0, 1, 2].map(|_| vec![0.0; across.places.len() * rows]);
        for (i, x_ends) in across.ends.windows(2).enumerate() {
            for (j, y_ends) in up.ends.windows(2).enumerate() {
                let panel = [[x_ends[0], x_ends[1]], [y_ends[0], y_ends[1]]];
                let centre = twist.centre().filter(|centre| distance(&panel, *centre) < NEAR * size(&panel));
                let (columns, lines) = (across.nodes_of(i), up.nodes_of(j));
                if let Some(centre) = centre {
                    let mut near = Near::new(&self.lines, panel, centre, twist);
                    near.gather(panel, DEPTH);
                    for (column, found) in columns.zip(near.sums.chunks_exact(up.order())) {
                        for (row, found) in lines.clone().zip(found) {
                            for (loads, value) in loads.iter_mut().zip(found) {
                                loads[column * rows + row] = *value;
                            }
                        }
                    }
                    continue;
                }
                for column in columns {
                    for row in lines.clone() {
                        let area = across.weights[column] * up.weights[row];
                        let weights = twist.weights([across.places[column], up.places[row]]);
                        for (loads, weight) in loads.iter_mut().zip(weights) {
                            loads[column * rows + row] = area * weight;
                        }
                    }
                }
            }
        }
        loads
    }
}

/// The loads of one panel near the centre of rotation.
struct Near<'a> {
    lines: &'a [Line; 2],
    panel: Box2,
    centre: Point,
    twist: &'a Twist,
    /// Nodes along x outside, along y inside.
    sums: Vec<[f64; 3]>,
    /// A rule that is exact for the polynomials of the panel times a smooth weight.
    rule: Rule,
    /// Polynomials at one place along the outer and the inner direction, and sums along the inner one.
    outer: Vec<f64>,
    inner: Vec<f64>,
    partial: Vec<[f64; 3]>,
}

impl<'a> Near<'a> {
    fn new(lines: &'a [Line; 2], panel: Box2, centre: Point, twist: &'a Twist) -> Self {
        let [p, q] = [lines[0].order(), lines[1].order()];
        // degree of the polynomials, and about 14 of the weight: 1e-10
        let rule = Rule::gauss_legendre((p.max(q) + 14).div_ceil(2));
        let sums = vec![[0.0; 3]; p * q];
        Self { lines, panel, centre, twist, sums, rule, outer: Vec::new(), inner: Vec::new(), partial: Vec::new() }
    }

    /// Adds the integrals over a part of the panel.
    fn gather(&mut self, part: Box2, depth: usize) {
        let away = distance(&part, self.centre);
        if away == 0.0 {
            return self.gather_about_centre(part);
        }
        if away >= NEAR * size(&part) || depth == 0 {
            let [_, y_ends] = part;
            return self.sweep(0, part[0], |_| y_ends);
        }
        let halves = |[low, high]: [f64; 2]| {
            let middle = 0.5 * (low + high);
            [[low, middle], [middle, high]]
        };
        for x_ends in halves(part[0]) {
            for y_ends in halves(part[1]) {
                self.gather([x_ends, y_ends], depth - 1);
            }
        }
    }

    /// A part with the centre inside or on its rim: four rectangles with the centre at a corner, each of two triangles. Along
    /// rays from the centre the weight does not change, and the area element removes the jump.
    fn gather_about_centre(&mut self, part: Box2) {
        for x_end in part[0] {
            for y_end in part[1] {
                let corner = [x_end - self.centre[0], y_end - self.centre[1]];
                if corner[0] == 0.0 || corner[1] == 0.0 {
                    continue;
                }
                for axis in 0..2 {
                    self.triangle(axis, corner);
                }
            }
        }
    }

    /// The triangle from the centre to the side of the corner rectangle that crosses `axis`.
    fn triangle(&mut self, axis: usize, corner: Point) {
        let centre = self.centre;
        let (depth, height) = (corner[axis], corner[1 - axis]);
        // slopes: the weight changes over 1, and beyond 1 over the slope itself
        let steepest = (height / depth).abs();
        let mut from = 0.0;
        for _ in 0..1100 {
            let to = if steepest <= 1.3 * f64::max(1.0, 2.0 * from) { steepest } else { f64::max(1.0, 2.0 * from) };
            let ends = [centre[axis].min(centre[axis] + depth), centre[axis].max(centre[axis] + depth)];
            self.sweep(axis, ends, |place| {
                let reach = (place - centre[axis]).abs();
                let sides = [from, to].map(|slope| centre[1 - axis] + height.signum() * reach * slope);
                [sides[0].min(sides[1]), sides[0].max(sides[1])]
            });
            from = to;
            if to >= steepest {
                break;
            }
        }
    }

    /// Adds ∫w L_k over the part between the ends along `axis`, whose ends along the other axis depend on the place.
    fn sweep(&mut self, axis: usize, ends: [f64; 2], across: impl Fn(f64) -> [f64; 2]) {
        let (outer_line, inner_line) = (&self.lines[axis], &self.lines[1 - axis]);
        self.outer.resize(outer_line.order(), 0.0);
        self.inner.resize(inner_line.order(), 0.0);
        self.partial.resize(inner_line.order(), [0.0; 3]);
        let steps = if axis == 0 { [inner_line.order(), 1] } else { [1, outer_line.order()] };
        for (place, weight) in self.rule.on(ends[0], ends[1]) {
            outer_line.basis(self.panel[axis], place, &mut self.outer);
            self.partial.fill([0.0; 3]);
            let [low, high] = across(place);
            for (inner_place, inner_weight) in self.rule.on(low, high) {
                inner_line.basis(self.panel[1 - axis], inner_place, &mut self.inner);
                let point = if axis == 0 { [place, inner_place] } else { [inner_place, place] };
                let area = weight * inner_weight;
                let load = self.twist.weights(point).map(|weight| area * weight);
                for (sum, value) in self.partial.iter_mut().zip(&self.inner) {
                    *sum = [sum[0] + value * load[0], sum[1] + value * load[1], sum[2] + value * load[2]];
                }
            }
            for (k, factor) in self.outer.iter().enumerate() {
                for (m, partial) in self.partial.iter().enumerate() {
                    let sum = &mut self.sums[k * steps[0] + m * steps[1]];
                    *sum = [sum[0] + factor * partial[0], sum[1] + factor * partial[1], sum[2] + factor * partial[2]];
                }
            }
        }
    }
}

fn size([[left, right], [bottom, top]]: &Box2) -> f64 {
    (right - left).max(top - bottom)
}

/// Distance of a point from a rectangle, along the axis where it is farther \[m\].
fn distance([[left, right], [bottom, top]]: &Box2, [x, y]: Point) -> f64 {
    let along = |low: f64, high: f64, place: f64| (low - place).max(place - high).max(0.0);
    along(*left, *right, x).max(along(*bottom, *top, y))
}
