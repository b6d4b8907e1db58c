//! A contact area on a lattice: how much of each cell is covered, and the mean weights there.

use super::Entries;
use crate::analysis::planar_sliding::functionals::{Functionals, PAIRS};
use crate::num::gauss::Rules;
use crate::patch::{Outline, Point};

/// Weights of force and torque, uniform in each cell of a lattice. Cells along x run fastest.
#[derive(Clone)]
pub(super) struct Cells {
    /// Sides of a cell \[m\].
    pub(super) step: Point,
    /// Cells along x and y: multiples of [`MULTIPLE`].
    pub(super) count: [usize; 2],
    /// Covered share of each cell, and the mean of w over the cell, where it is 0 outside the area.
    covered: Vec<f64>,
    pub(super) means: Vec<[f64; 3]>,
    /// ∫w_i w_j dS over the area.
    pub(super) products: Entries,
}

/// Counts of cells, so that cells can be joined twice.
const MULTIPLE: usize = 4;

/// Fewest cells along an axis, and most of a narrow area in what is wanted.
const FEWEST: f64 = 16.0;
const LONGEST: f64 = 16.0;

/// Distance from the centre of rotation, in cells, within which directions change too fast for [`SMOOTH`] nodes.
const NEAR: f64 = 4.0;

/// Nodes along each side of a cell.
const SMOOTH: usize = 2;
const TURNING: usize = 12;

/// Cells along the box around an area that are as many as wanted in all, or parts of the cells that the area is made of.
fn counts(outline: &Outline, wanted: usize) -> ([usize; 2], Point) {
    let [low, high] = outline.geometry.bounds;
    let size = [high[0] - low[0], high[1] - low[1]];
    match outline.cell {
        Some(cell) => {
            let parts = parts(outline, wanted).unwrap_or(1);
            let step = cell / parts as f64;
            (size.map(|size| (size / step).round() as usize), [step; 2])
        }
        None => {
            let step = (size[0] * size[1]).sqrt() / wanted as f64;
            let count = size.map(|size| (size / step).round().clamp(FEWEST, LONGEST * wanted as f64) as usize);
            (count, [size[0] / count[0] as f64, size[1] / count[1] as f64])
        }
    }
}

/// Into how many parts a cell of which the area is made is cut along each side, for a number of cells along the area; none if
/// the area is not made of cells.
pub(super) fn parts(outline: &Outline, wanted: usize) -> Option<usize> {
    let [low, high] = outline.geometry.bounds;
    let cells = |cell: f64| (high[0] - low[0]).max(high[1] - low[1]) / cell;
    outline.cell.map(|cell| ((wanted as f64 / cells(cell)).max(1.0) as usize + 1).next_power_of_two() / 2)
}

impl Cells {
    /// The lattice over an area with straight edges that has about `wanted` cells along a side.
    pub(super) fn new(functionals: &Functionals, wanted: usize) -> Self {
        let outline = &functionals.outline;
        let (used, step) = counts(outline, wanted);
        let count = used.map(|count| count.next_multiple_of(MULTIPLE));
        let origin = outline.geometry.bounds[0];
        let cover = Cover::new(outline, origin, step, count);
        let centre = functionals.twist.centre();
        let mut means = vec![[0.0; 3]; count[0] * count[1]];
        let mut products = [0.0; 6];
        let [smooth, turning] = [SMOOTH, TURNING].map(|nodes| Rules::shared().with(nodes));
        for (place, (mean, moments)) in means.iter_mut().zip(&cover.moments).enumerate() {
            let [share, x, y] = *moments;
            if share <= 0.0 {
                continue;
            }
            let corner = [(place % count[0]) as f64, (place / count[0]) as f64];
            let at = |u: f64, v: f64| [origin[0] + step[0] * (corner[0] + u), origin[1] + step[1] * (corner[1] + v)];
            let mut add = |point: Point, share: f64| {
                let weights = functionals.twist.weights(point);
                (0..3).for_each(|i| mean[i] += share * weights[i]);
                for (product, (i, j)) in products.iter_mut().zip(PAIRS) {
                    *product += step[0] * step[1] * share * weights[i] * weights[j];
                }
            };
            let middle = at(0.5, 0.5);
            let near = centre.is_some_and(|c| (0..2).all(|i| (c[i] - middle[i]).abs() < NEAR * step[i]));
            if near || share >= 1.0 {
                let rule = if near { turning } else { smooth };
                for (u, along) in rule.on(0.0, 1.0) {
                    rule.on(0.0, 1.0).for_each(|(v, across)| add(at(u, v), share * along * across));
                }
            } else {
                add(at(x / share, y / share), share);
            }
        }
        let covered = cover.moments.iter().map(|moments| moments[0]).collect();
        Self { step, count, covered, means, products }
    }

    /// ∫w_i w_j dS less that of the mean weights of each cell.
    pub(super) fn varying(&self) -> Entries {
        let mut varying = self.products;
        for (mean, covered) in self.means.iter().zip(&self.covered).filter(|(_, covered)| **covered > 0.0) {
            for (varying, (i, j)) in varying.iter_mut().zip(PAIRS) {
                *varying -= self.step[0] * self.step[1] * mean[i] * mean[j] / covered;
            }
        }
        varying
    }

    /// Four cells joined to one.
    pub(super) fn joined(&self) -> Self {
        let count = self.count.map(|count| count / 2);
        let places = |place: usize| {
            let first = 2 * (place / count[0]) * self.count[0] + 2 * (place % count[0]);
            [first, first + 1, first + self.count[0], first + self.count[0] + 1]
        };
        let of = |place: usize| {
            let four = places(place).map(|place| self.means[place]);
            std::array::from_fn(|i| 0.25 * four.iter().map(|mean| mean[i]).sum::<f64>())
        };
        let covered =
            (0..count[0] * count[1]).map(|place| 0.25 * places(place).iter().map(|p| self.covered[*p]).sum::<f64>());
        let means = (0..count[0] * count[1]).map(of).collect();
        let step = self.step.map(|step| 2.0 * step);
        Self { step, count, covered: covered.collect(), means, products: self.products }
    }

    /// The same cells with the weights of four cells joined, and each cell covered as before.
    pub(super) fn blurred(&self) -> Self {
        let joined = self.joined();
        let mut blurred = self.clone();
        for (place, mean) in blurred.means.iter_mut().enumerate() {
            let other = (place / self.count[0] / 2) * joined.count[0] + place % self.count[0] / 2;
            if joined.covered[other] > 0.0 {
                *mean = joined.means[other].map(|value| value * self.covered[place] / joined.covered[other]);
            }
        }
        blurred
    }
}

/// ∫dS, ∫u dS, ∫v dS of the covered part of each cell, u and v from its lower left corner, all in cells.
struct Cover {
    moments: Vec<[f64; 3]>,
}

/// Places nearer to a line of the lattice than this, in cells, are on it.
const ON_LINE: f64 = 1e-9;

impl Cover {
    fn new(outline: &Outline, origin: Point, step: Point, count: [usize; 2]) -> Self {
        let cells = count[0] * count[1];
        let mut moments = vec![[0.0; 3]; cells];
        // width below an edge and its middle, handed down from row to row
        let mut below = vec![[0.0; 2]; cells + count[0]];
        let placed = |point: Point, axis: usize| {
            let place = (point[axis] - origin[axis]) / step[axis];
            let line = place.round();
            (if (place - line).abs() < ON_LINE { line } else { place }).clamp(0.0, count[axis] as f64)
        };
        for edge in outline.straight_edges() {
            let [from, to] = edge.map(|point| [placed(point, 0), placed(point, 1)]);
            // the area is to the left: below edges that run towards smaller x
            let (sign, left, right) = if from[0] > to[0] { (1.0, to, from) } else { (-1.0, from, to) };
            for [p, q] in cut([left, right], 0) {
                for [p, q] in cut([p, q], 1) {
                    let width = q[0] - p[0];
                    let column = (0.5 * (p[0] + q[0])).floor().clamp(0.0, count[0] as f64 - 1.0);
                    let row = (0.5 * (p[1] + q[1])).floor();
                    let ([x0, x1], [y0, y1]) = ([p[0] - column, q[0] - column], [p[1] - row, q[1] - row]);
                    let place = row as usize * count[0] + column as usize;
                    below[place][0] += sign * width;
                    below[place][1] += sign * width * 0.5 * (x0 + x1);
                    if let Some([area, x, y]) = moments.get_mut(place) {
                        *area += sign * width * 0.5 * (y0 + y1);
                        *x += sign * width * (x0 * (2.0 * y0 + y1) + x1 * (y0 + 2.0 * y1)) / 6.0;
                        *y += sign * width * (y0 * y0 + y0 * y1 + y1 * y1) / 6.0;
                    }
                }
            }
        }
        for place in (0..cells).rev() {
            let [width, first] = below[place + count[0]];
            moments[place][0] += width;
            moments[place][1] += first;
            moments[place][2] += 0.5 * width;
            below[place][0] += width;
            below[place][1] += first;
        }
        for moment in &mut moments {
            match moment[0] {
                share if share < ON_LINE => *moment = [0.0; 3],
                share if share > 1.0 - ON_LINE => *moment = [1.0, 0.5, 0.5],
                _ => {}
            }
        }
        Self { moments }
    }
}

/// The parts of a line between whole numbers along an axis.
fn cut([p, q]: [Point; 2], axis: usize) -> impl Iterator<Item = [Point; 2]> {
    let (low, high) = (p[axis].min(q[axis]), p[axis].max(q[axis]));
    let (first, last) = (low.floor() + 1.0, high.ceil());
    let inner = (last - first).max(0.0) as usize;
    let at = move |k: usize| {
        if k == 0 {
            return p;
        }
        if k > inner {
            return q;
        }
        let line = if p[axis] < q[axis] { first + (k - 1) as f64 } else { last - k as f64 };
        let share = (line - p[axis]) / (q[axis] - p[axis]);
        let mut point = [p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])];
        point[axis] = line;
        point
    };
    (0..=inner).map(move |k| [at(k), at(k + 1)])
}
