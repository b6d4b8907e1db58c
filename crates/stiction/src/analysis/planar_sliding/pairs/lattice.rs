//! Pair distances of an area with a long outline, from cells with uniform weights.
//!
//! ```text
//! K_ij = ∫A_ij(ξ) C(|M ξ|) dξ,     A_ij(ξ) = ∫w_i(x) w_j(x + ξ) dS
//! ```
//! For uniform cells A is bilinear between the points of the lattice, where it comes from Fourier transforms. The effort depends on
//! the number of cells, not on that of the pieces. What uniform cells are off falls like the square of their size: two sizes give
//! the limit, and a third the error. Most of it is what weights vary within a cell: a linear variation adds the same to A at all
//! points of the lattice, as long as the area covers itself. Near ξ = 0, where correlations shorter than a cell look, A is known better:
//!
//! ```text
//! A_ij(ξ) = ∫w_i w_j dS − ½ ∮w_i w_j |ξ × ds| + …
//! ```

use super::cells::{Cells, parts};
use super::radii::{NODES, Radii};
use super::side::Metric;
use super::{Entries, SAFETY, total};
use crate::analysis::planar_sliding::functionals::{Functionals, PAIRS};
use crate::analysis::{Cancelled, Progress};
use crate::num::fft::{Fft, LANES, Pack, smooth_size};
use crate::num::gauss::Rules;
use crate::num::real::{atan2, cos, sin};
use crate::patch::outline::{cross, length, minus};
use crate::patch::{Outline, Point};
use rayon::prelude::*;
use std::f64::consts::PI;

/// Numbers of cells along an area that are tried.
const LEVELS: [usize; 3] = [256, 512, 1024];

/// The numbers that differ: cells of which the area is made are halved, or left as they are.
pub(super) fn levels(outline: &Outline) -> impl Iterator<Item = usize> {
    let same = |n: usize| parts(outline, LEVELS[n]).is_some_and(|found| Some(found) == parts(outline, LEVELS[n - 1]));
    (0..LEVELS.len()).filter(move |n| *n == 0 || !same(*n)).map(|n| LEVELS[n])
}

/// Weights of C at all radii for a number of cells along the area: the best estimate, then worse ones.
///
/// # Errors
/// [`Cancelled`] if the user interrupts.
pub(super) fn weights(
    functionals: &Functionals,
    metric: &Metric,
    radii: &Radii,
    wanted: usize,
    progress: &dyn Progress,
) -> Result<Vec<Vec<Entries>>, Cancelled> {
    let slopes = slopes(functionals);
    let of = |cells: &Cells| Lags::of(cells).spread(Some(&slopes), metric, radii, progress);
    // first + share (second − first)
    let between = |first: &[Entries], second: &[Entries], share: f64| -> Vec<Entries> {
        let one =
            |(first, second): (&Entries, &Entries)| std::array::from_fn(|n| first[n] + share * (second[n] - first[n]));
        first.iter().zip(second).map(one).collect()
    };
    let limit = |fine: &[Entries], coarse: &[Entries]| between(fine, coarse, -1.0 / 3.0);
    let cells = Cells::new(functionals, wanted);
    let lags = Lags::of(&cells);
    let fine = lags.spread(Some(&slopes), metric, radii, progress)?;
    let parts = parts(&functionals.outline, wanted);
    let (best, mut worse) = if let Some(1 | 2) = parts {
        // joined cells would cross the outline
        (limit(&fine, &of(&cells.blurred())?), vec![fine.clone()])
    } else {
        let joined = cells.joined();
        let (coarse, coarsest) = (of(&joined)?, of(&joined.joined())?);
        (limit(&fine, &coarse), vec![limit(&coarse, &coarsest)])
    };
    if parts.is_none() {
        // cells that the outline cuts blur A within a cell of 0, at every size alike: the slope there tells how much
        let straight = lags.spread(None, metric, radii, progress)?;
        let moved = |((best, fine), straight): ((&Entries, &Entries), &Entries)| {
            std::array::from_fn(|n| best[n] + BLUR * (straight[n] - fine[n]))
        };
        worse.push(best.iter().zip(&fine).zip(&straight).map(moved).collect());
    }
    let worse: Vec<_> = worse.iter().map(|worse| between(&best, worse, CAUTION / SAFETY)).collect();
    let mut all: Vec<Vec<Entries>> = std::iter::once(best).chain(worse).collect();
    // a force across a translation is 0, and not what transforms leave of the other one
    let reach = functionals.outline.reach();
    let size = [1.0, 1.0, reach * reach].map(|square| NOISE * square * functionals.outline.geometry.area);
    let none = [0, 3, 5].map(|n| cells.products[n]).into_iter().zip(size).map(|(product, size)| product <= size);
    let none: Vec<bool> = none.collect();
    for (n, _) in PAIRS.into_iter().enumerate().filter(|(_, (i, j))| none[*i] || none[*j]) {
        all.iter_mut().flatten().for_each(|entries| entries[n] = 0.0);
    }
    Ok(all)
}

/// Square of what transforms leave of one weight in another [-].
const NOISE: f64 = 1e-24;

/// How much larger than its difference from worse ones the error of the best result may be. For correlations longer than a cell it is
/// some times smaller; for shorter ones the coarser cells may be the better ones.
const CAUTION: f64 = 4.0;

/// What blurred A may be off, in what the slope changes.
const BLUR: f64 = 4.5;

/// A_ij at the points of the lattice with lags ≥ 0 along y.
struct Lags {
    count: [usize; 2],
    step: [f64; 2],
    /// Rows of lags along x, those < 0 at the end.
    rows: [Blocks; 3],
    at_zero: Entries,
    /// What uniform cells leave out of A.
    varying: Entries,
}

impl Lags {
    fn of(cells: &Cells) -> Self {
        let count = cells.count;
        let size = count.map(|count| smooth_size(2 * count).unwrap_or(2 * count));
        let [along, up] = size.map(Fft::new);
        let spectrum = |pair: fn(&[f64; 3]) -> [f64; 2]| {
            let mut blocks = Blocks::new(count[1], size[0], |row, k| {
                if k < count[0] { pair(&cells.means[row * count[0] + k]) } else { [0.0; 2] }
            });
            blocks.transform(&along);
            let mut blocks = blocks.transposed(size[0], size[1]);
            blocks.transform(&up);
            blocks
        };
        let forces = spectrum(|mean| [mean[0], mean[1]]);
        let torque = spectrum(|mean| [mean[2], 0.0]);
        let area = cells.step[0] * cells.step[1];
        let scale = area / (size[0] * size[1]) as f64;
        // real parts of F_i F_j*, two in one complex number
        let products = |[first, second]: [[usize; 2]; 2]| {
            let mut blocks = Blocks::new(size[0], size[1], |row, k| {
                let ([a, b], [c, d]) =
                    (forces.at(row, k), forces.at((size[0] - row) % size[0], (size[1] - k) % size[1]));
                let f = [[0.5 * (a + c), 0.5 * (b - d)], [0.5 * (b + d), 0.5 * (c - a)], torque.at(row, k)];
                [first, second].map(|[i, j]| scale * (f[i][0] * f[j][0] + f[i][1] * f[j][1]))
            });
            blocks.transform(&up);
            let mut blocks = blocks.transposed(count[1] + 1, size[0]);
            blocks.transform(&along);
            blocks
        };
        let rows = [[[0, 0], [0, 1]], [[0, 2], [1, 1]], [[1, 2], [2, 2]]].map(products);
        Self { count, step: cells.step, rows, at_zero: cells.products, varying: cells.varying() }
    }

    /// A at all lags along x from the least to the largest.
    fn row(&self, row: usize) -> Vec<Entries> {
        let [count, size] = [self.count[0], self.rows[0].length];
        let mut values = vec![[0.0; 6]; 2 * count + 1];
        if row > self.count[1] {
            return values;
        }
        for (k, value) in values.iter_mut().enumerate() {
            let lag = (k + size - count) % size;
            let [[a, b], [c, d], [e, f]] = self.rows.each_ref().map(|blocks| blocks.at(row, lag));
            *value = [a, b, c, d, e, f];
            let share = self.overlap(value);
            value.iter_mut().zip(&self.varying).for_each(|(value, varying)| *value += share * varying);
        }
        values
    }

    /// How much of the area still covers itself, as far as the forces tell.
    fn overlap(&self, at: &Entries) -> f64 {
        (at[0] + at[3]) / (self.at_zero[0] + self.at_zero[3])
    }

    /// Weights of C at all radii.
    fn spread(
        &self,
        slopes: Option<&[Entries]>,
        metric: &Metric,
        radii: &Radii,
        progress: &dyn Progress,
    ) -> Result<Vec<Entries>, Cancelled> {
        let parts: Vec<Result<Vec<Entries>, Cancelled>> = (0..self.count[1])
            .into_par_iter()
            .map(|row| {
                if progress.cancelled() {
                    return Err(Cancelled);
                }
                let (low, high) = (self.row(row), self.row(row + 1));
                let mut sums = vec![[0.0; 6]; radii.places.len()];
                let mut sweep = Sweep { metric, radii, sums: &mut sums };
                for (k, (low, high)) in low.windows(2).zip(high.windows(2)).enumerate() {
                    let corners = [low[0], low[1], high[0], high[1]];
                    if corners.iter().flatten().all(|value| *value == 0.0) {
                        continue;
                    }
                    let column = k as f64 - self.count[0] as f64;
                    let [from, to] =
                        [0.0, 1.0].map(|end| [(column + end) * self.step[0], (row as f64 + end) * self.step[1]]);
                    let between = |[x, y]: Point| {
                        let (u, v) = (x / self.step[0] - column, y / self.step[1] - row as f64);
                        let parts = [(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v];
                        std::array::from_fn(|n| (0..4).map(|corner| parts[corner] * corners[corner][n]).sum())
                    };
                    if row == 0 && (k == self.count[0] || k + 1 == self.count[0]) {
                        sweep.add([from, to], &|lag| self.near_zero(lag, slopes, between), DEPTH);
                    } else {
                        sweep.add([from, to], &between, DEPTH);
                    }
                }
                Ok(sums)
            })
            .collect();
        total(parts, radii)
    }

    /// A in the cells around 0: the known value and slope there, and a parabola along each ray to the rim of the cell; a straight
    /// line without slopes.
    fn near_zero(&self, lag: Point, slopes: Option<&[Entries]>, at: impl Fn(Point) -> Entries) -> Entries {
        let share = (lag[0] / self.step[0]).abs().max((lag[1] / self.step[1]).abs()).clamp(f64::MIN_POSITIVE, 1.0);
        let rim = at(lag.map(|part| part / share));
        let Some(slopes) = slopes else {
            return std::array::from_fn(|n| self.at_zero[n] + (rim[n] - self.at_zero[n]) * share);
        };
        let place = atan2(lag[1], lag[0]) / PI * (slopes.len() - 1) as f64;
        let below = (place.max(0.0) as usize).min(slopes.len() - 2);
        let part = place - below as f64;
        std::array::from_fn(|n| {
            let slope = slopes[below][n] + part * (slopes[below + 1][n] - slopes[below][n]);
            self.at_zero[n] + (rim[n] - self.at_zero[n]) * share * share - slope * length(lag) * (1.0 - share)
        })
    }
}

/// Directions from 0 to π at which slopes are known.
const DIRECTIONS: usize = 721;

/// ½ ∮w_i w_j |e × ds|, how A falls from 0 in each direction e.
fn slopes(functionals: &Functionals) -> Vec<Entries> {
    let directions: Vec<Point> = (0..DIRECTIONS)
        .map(|k| PI * k as f64 / (DIRECTIONS - 1) as f64)
        .map(|angle| [cos(angle), sin(angle)])
        .collect();
    let mut slopes = vec![[0.0; 6]; DIRECTIONS];
    let long = LONG_EDGE * functionals.outline.reach();
    for [from, to] in functionals.outline.straight_edges() {
        let side = minus(to, from);
        let rule = Rules::shared().with(if length(side) > long { 12 } else { 3 });
        let mut products = [0.0; 6];
        for (t, share) in rule.on(0.0, 1.0) {
            let weights = functionals.twist.weights([from[0] + t * side[0], from[1] + t * side[1]]);
            for (product, (i, j)) in products.iter_mut().zip(PAIRS) {
                *product += 0.5 * share * weights[i] * weights[j];
            }
        }
        for (slopes, direction) in slopes.iter_mut().zip(&directions) {
            let seen = cross(*direction, side).abs();
            slopes.iter_mut().zip(&products).for_each(|(slope, product)| *slope += seen * product);
        }
    }
    slopes
}

/// Edges along which weights may change much, in largest distances of the area from its centroid.
const LONG_EDGE: f64 = 0.05;

/// Most halvings of a cell of lags towards 0.
const DEPTH: usize = 80;

/// Largest side of a cell of lags in widths of the panel of distances there, and nodes along it.
const NODES_FOR: [(f64, usize); 3] = [(0.03, 2), (0.2, 3), (0.6, 5)];

/// Adds cells of lags to weights of C.
struct Sweep<'a> {
    metric: &'a Metric,
    radii: &'a Radii,
    sums: &'a mut [Entries],
}

impl Sweep<'_> {
    /// Adds a part of the plane of lags; its counterpart at −ξ counts as much.
    fn add(&mut self, [from, to]: [Point; 2], value: &impl Fn(Point) -> Entries, depth: usize) {
        let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
        let Some(width) = self.radii.panel(self.metric.length(middle)).map(|panel| self.radii.width(panel)) else {
            return;
        };
        let sides = [[to[0] - from[0], 0.0], [0.0, to[1] - from[1]]].map(|side| self.metric.length(side));
        let size = sides[0].max(sides[1]) / width;
        let nodes = NODES_FOR.iter().find(|(largest, _)| size <= *largest);
        let Some((_, nodes)) = nodes.or(NODES_FOR.last().filter(|_| depth == 0)) else {
            let axis = usize::from(sides[1] > sides[0]);
            let (mut end, mut start) = (to, from);
            (end[axis], start[axis]) = (middle[axis], middle[axis]);
            self.add([from, end], value, depth - 1);
            self.add([start, to], value, depth - 1);
            return;
        };
        let rule = Rules::shared().with(*nodes);
        for (y, across) in rule.on(from[1], to[1]) {
            for (x, along) in rule.on(from[0], to[0]) {
                let r = self.metric.length([x, y]);
                let Some(panel) = self.radii.panel(r) else { continue };
                let values = value([x, y]).map(|value| 2.0 * along * across * value);
                for (sums, basis) in self.sums[panel * NODES..].iter_mut().zip(self.radii.basis(panel, r)) {
                    sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum += basis * value);
                }
            }
        }
    }
}

/// Rows of complex numbers, [`LANES`] of them side by side.
struct Blocks {
    packs: Vec<Pack>,
    length: usize,
}

impl Blocks {
    fn new(rows: usize, length: usize, value: impl Fn(usize, usize) -> [f64; 2] + Sync) -> Self {
        let mut packs = vec![Pack::ZERO; rows.div_ceil(LANES) * length];
        packs.par_chunks_mut(length).enumerate().for_each(|(block, packs)| {
            for (k, pack) in packs.iter_mut().enumerate() {
                for lane in 0..LANES.min(rows - block * LANES) {
                    [pack.re[lane], pack.im[lane]] = value(block * LANES + lane, k);
                }
            }
        });
        Self { packs, length }
    }

    fn at(&self, row: usize, k: usize) -> [f64; 2] {
        let pack = &self.packs[row / LANES * self.length + k];
        [pack.re[row % LANES], pack.im[row % LANES]]
    }

    fn transform(&mut self, fft: &Fft) {
        let length = self.length;
        let work = || vec![Pack::ZERO; length];
        self.packs.par_chunks_mut(length).for_each_init(work, |work, packs| fft.transform(packs, work));
    }

    /// The first columns as rows, followed by zeros.
    fn transposed(&self, columns: usize, length: usize) -> Self {
        let rows = self.packs.len() / self.length * LANES;
        Self::new(columns, length, |row, k| if k < rows { self.at(k, row) } else { [0.0; 2] })
    }
}
