//! Covariances for a ladder of Gaussian kernels, each from the lattice of a shorter one.
//!
//! A lattice holds the weights smeared by exp(−2r²/l²), and smearing once more lengthens the kernel:
//!
//! ```text
//! exp(−2|x−z'|²/l'²) = N ∫exp(−2|x−z|²/l²) exp(−|z−z'|²/s²) dz,     s² = (l'² − l²)/2
//! ```
//! So only the shortest kernel needs nodes of the plate. Every further one is two short sums along the axes of a lattice which gets
//! coarser with the length: all of them together cost as much as the first.

use super::functionals::{Functionals, Matrix, PAIRS};
use super::lattice::{Lattice, STEPS_PER_LENGTH, covering};
use super::rows::Frame;
use super::sampling::dot;
use crate::num::bulk::{self, Loop};
use crate::patch::{Nodes, Point, Resolution};
use std::collections::VecDeque;
use std::f64::consts::PI;

/// Ratio of neighbouring lengths.
const RATIO: f64 = 1.2;

/// Where a second smearing ends, in its lengths s: beyond, it is below 1e-10.
const WIDEST: f64 = 4.8;

/// Relative error of the values; it is smaller by far at lengths below the size of the area.
pub(crate) const RUNG_ERROR: f64 = 2e-8;

/// Rows that are turned into columns together: a line of the cache.
const BLOCK: usize = 8;

/// Most nodes for the shortest length: some hundredths of a second.
const MOST_NODES: f64 = 4e5;

/// Weights smeared over a lattice: U_i(z) = ∫w_i exp(−2|x − z|²/l²) dS.
#[derive(Debug)]
pub(crate) struct Smeared {
    /// Corners between which the weights lie \[m\].
    pub(super) bounds: [Point; 2],
    /// Steps per metre.
    pub(super) scale: f64,
    /// The first point, in steps.
    pub(super) origin: Point,
    /// Points along both axes; the first runs fastest.
    pub(super) size: [usize; 2],
    pub(super) sums: [Vec<f64>; 3],
}

/// K/P² for unit variance and the kernels exp(−r²/l²) of ascending lengths.
#[derive(Debug)]
pub(crate) struct Ladder {
    /// Lengths \[m\].
    pub(crate) lengths: Vec<f64>,
    pub(crate) values: Vec<Matrix>,
}

/// Lengths from `shortest` to at least `longest` \[m\]. The second rung is left out: so near to the first, it could not be made
/// from it.
pub(crate) fn rungs(shortest: f64, longest: f64) -> Vec<f64> {
    let mut found = vec![shortest, RATIO * RATIO * shortest];
    while let Some(last) = found.last().filter(|last| **last < longest) {
        found.push(RATIO * last);
    }
    found
}

impl Ladder {
    /// Lengths from `shortest` to at least `longest` \[m\]; none if the shortest would need too many nodes.
    pub(crate) fn new(functionals: &Functionals, shortest: f64, longest: f64) -> Option<Self> {
        let stretched = Resolution { length: shortest * functionals.smallest_stretch(), extra: 0 };
        if Nodes::estimated_count(&functionals.outline, stretched) >= MOST_NODES {
            return None;
        }
        let first = Smeared::of(functionals, shortest);
        let lengths = rungs(shortest, longest);
        let mut values = vec![first.covariance()];
        // each rung from the last but one, which is shorter by a root of two
        let mut sources = VecDeque::from([first]);
        for length in &lengths[1..] {
            let Some(next) = sources.front().map(|source| source.longer(*length)) else { break };
            values.push(next.covariance());
            sources.push_back(next);
            if sources.len() > 2 {
                sources.pop_front();
            }
        }
        Some(Self { lengths, values })
    }
}

impl Smeared {
    /// From the nodes of a plate.
    fn of(functionals: &Functionals, length: f64) -> Self {
        let frame = Frame::of(&functionals.outline, functionals.map);
        let mut lattice = Lattice::new(frame.bounds(&functionals.outline), length);
        frame.fill(functionals, Resolution { length, extra: 0 }, &mut lattice);
        lattice.smeared()
    }

    /// Σ_pq load_i(p) load_j(q) exp(−|x_p − x_q|²/l²).
    pub(super) fn covariance(&self) -> Matrix {
        let norm = 4.0 / (PI * STEPS_PER_LENGTH * STEPS_PER_LENGTH);
        let mut matrix = [[0.0; 3]; 3];
        for (i, j) in PAIRS {
            let mut sum = 0.0;
            bulk::vectorised(Product { first: &self.sums[i], second: &self.sums[j], sum: &mut sum });
            (matrix[i][j], matrix[j][i]) = (norm * sum, norm * sum);
        }
        matrix
    }

    /// The same weights smeared over a longer length \[m\], on its lattice. The axes change places.
    fn longer(&self, length: f64) -> Self {
        let scale = STEPS_PER_LENGTH / length;
        let (origin, size) = covering(self.bounds, scale);
        let ratio = self.scale / scale;
        let [across, up] =
            [0, 1].map(|axis| Second::new(ratio, [self.origin[axis], origin[axis]], self.size[axis], size[axis]));
        let mut turned = vec![0.0; self.size[0] * size[1]];
        let sums = self.sums.each_ref().map(|values| {
            let mut block = vec![0.0; BLOCK * self.size[0]];
            let mut sums = vec![0.0; size[0] * size[1]];
            bulk::vectorised(Smearing {
                values,
                across: &across,
                up: &up,
                block: &mut block,
                turned: &mut turned,
                sums: &mut sums,
            });
            sums
        });
        let [low, high] = self.bounds;
        let swapped = |[x, y]: Point| [y, x];
        Self { bounds: [swapped(low), swapped(high)], scale, origin: swapped(origin), size: [size[1], size[0]], sums }
    }
}

/// The second smearing along one axis: for every new point the first of the old ones that it sees, and their shares.
struct Second {
    seen: Vec<(usize, usize)>,
    shares: Vec<f64>,
}

impl Second {
    fn new(ratio: f64, [old, new]: [f64; 2], count: usize, points: usize) -> Self {
        // in old steps
        let square = 0.5 * STEPS_PER_LENGTH * STEPS_PER_LENGTH * (ratio * ratio - 1.0);
        let norm = ((2.0 / (STEPS_PER_LENGTH * STEPS_PER_LENGTH) + 1.0 / square) / PI).sqrt();
        let reach = WIDEST * square.sqrt();
        let (mut seen, mut shares) = (Vec::with_capacity(points), Vec::new());
        for point in 0..points {
            let place = (new + point as f64) * ratio - old;
            let first = (place - reach).ceil().max(0.0) as usize;
            let end = ((place + reach).floor() + 1.0).clamp(0.0, count as f64) as usize;
            seen.push((first.min(end), end));
            shares.extend((first.min(end)..end).map(|index| {
                let away = place - index as f64;
                -away * away / square
            }));
        }
        bulk::exp(&mut shares);
        shares.iter_mut().for_each(|share| *share *= norm);
        Self { seen, shares }
    }

    /// Every new point with the old ones that it sees.
    fn points(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let mut start = 0;
        self.seen.iter().map(move |&(first, end)| {
            let shares = &self.shares[start..start + (end - first)];
            start += end - first;
            (first, shares)
        })
    }
}

/// Smears along both axes: whole rows first, and then whole columns, which were turned into rows.
struct Smearing<'a> {
    values: &'a [f64],
    across: &'a Second,
    up: &'a Second,
    /// Rows that are turned together.
    block: &'a mut [f64],
    turned: &'a mut [f64],
    sums: &'a mut [f64],
}

impl Loop for Smearing<'_> {
    #[inline(always)]
    fn run(self) {
        let (columns, rows) = (self.block.len() / BLOCK, self.up.seen.len());
        let mut points = self.up.points();
        for start in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - start);
            for (row, (first, shares)) in self.block.chunks_exact_mut(columns).take(count).zip(&mut points) {
                weighted_sum(row, &self.values[first * columns..], shares);
            }
            for column in 0..columns {
                let target = &mut self.turned[column * rows + start..][..count];
                for (out, value) in target.iter_mut().zip(self.block[column..].iter().step_by(columns)) {
                    *out = *value;
                }
            }
        }
        for (out, (first, shares)) in self.sums.chunks_exact_mut(rows).zip(self.across.points()) {
            weighted_sum(out, &self.turned[first * rows..], shares);
        }
    }
}

/// Σ share[k] · row k, where `rows` lie one behind the other.
#[inline(always)]
fn weighted_sum(out: &mut [f64], rows: &[f64], shares: &[f64]) {
    let size = out.len();
    out.fill(0.0);
    // four rows at a time: fewer passes over the sums
    for (shares, rows) in shares.chunks(4).zip(rows.chunks(4 * size)) {
        if let [a, b, c, d] = *shares {
            let (first, rest) = rows.split_at(size);
            let (second, rest) = rest.split_at(size);
            let (third, fourth) = rest.split_at(size);
            for ((((sum, p), q), r), s) in out.iter_mut().zip(first).zip(second).zip(third).zip(fourth) {
                *sum += (a * p + b * q) + (c * r + d * s);
            }
        } else {
            for (share, row) in shares.iter().zip(rows.chunks_exact(size)) {
                for (sum, value) in out.iter_mut().zip(row) {
                    *sum += share * value;
                }
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::planar_sliding::functionals::difference;
    use crate::analysis::planar_sliding::motion::Twist;
    use crate::patch::{Disc, Outline, Polygon, Shape, Square};

    #[test]
    fn every_rung_is_the_covariance_from_nodes() {
        let angled = Shape::Polygon(Polygon {
            corners: vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.5], [0.0, 2.0]],
            holes: vec![vec![[0.2, 0.2], [0.8, 0.3], [0.5, 0.7]]],
        });
        let shapes = [Shape::Square(Square { half_side: 1.0 }), Shape::Disc(Disc { radius: 1.0 }), angled];
        for shape in &shapes {
            for twist in [Twist { vx: 0.3, vy: -0.1, omega: 1.0 }, Twist { vx: 1.0, vy: 0.5, omega: 0.0 }] {
                let mut functionals = Functionals::new(Outline::of(shape).unwrap(), twist);
                for map in [[[1.0, 0.0], [0.0, 1.0]], [[0.6, 0.4], [-0.8, 1.133_333_333_333_333_3]]] {
                    functionals.map = map;
                    let ladder = Ladder::new(&functionals, 0.1, 5.0).unwrap();
                    for (length, found) in ladder.lengths.iter().zip(&ladder.values) {
                        let wanted = functionals.gaussian(*length, 0).unwrap();
                        let error = difference(&wanted, found);
                        // ten smearings in a row, and forces that nearly cancel at long lengths
                        assert!(error < RUNG_ERROR, "{shape:?}, {twist:?}, {map:?}, {length}: {error:e}");
                    }
                }
            }
        }
    }
}
