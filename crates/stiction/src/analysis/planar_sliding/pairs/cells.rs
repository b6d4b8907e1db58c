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
        let cells = count[0] * count[1];
        let (mut covered, mut means, mut products) = (vec![0.0; cells], vec![[0.0; 3]; cells], [0.0; 6]);
        let [smooth, turning] = [SMOOTH, TURNING].map(|nodes| Rules::shared().with(nodes));
        let lines = [0, 1].map(|axis| (1..used[axis]).map(|k| origin[axis] + step[axis] * k as f64).collect());
        for panel in outline.panels(&lines).flatten() {
            let corners = panel.corners();
            let middle = [0, 1].map(|axis| 0.25 * corners.iter().map(|corner| corner[axis]).sum::<f64>());
            let place =
                [0, 1].map(|axis| ((middle[axis] - origin[axis]) / step[axis]).clamp(0.0, used[axis] as f64 - 1.0));
            let place = place[1] as usize * count[0] + place[0] as usize;
            let near = |c: Point| (0..2).all(|axis| (c[axis] - middle[axis]).abs() < NEAR * step[axis]);
            let rule = if functionals.twist.centre().is_some_and(near) { turning } else { smooth };
            for (point, area) in panel.nodes(rule) {
                let share = area / (step[0] * step[1]);
                let weights = functionals.twist.weights(point);
                covered[place] += share;
                (0..3).for_each(|i| means[place][i] += share * weights[i]);
                for (product, (i, j)) in products.iter_mut().zip(PAIRS) {
                    *product += area * weights[i] * weights[j];
                }
            }
        }
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
