//! How much pairs of points at each distance count in the covariances of force and torque.
//!
//! ```text
//! K_ij = ∫∫ w_i(x) w_j(x') C(|M(x − x')|) dS dS' = ∫C(r) a_ij(r) dr
//! ```
//! The weights are homogeneous about the centre of rotation: w(s y) = s^d w(y), d = 0 for forces and 1 for the torque about it.
//! Scaling both points of a pair until the outer one is on the outline leaves integrals over the outline, the directions e from
//! its points, and the distances:
//!
//! ```text
//! K_ij = ∮ (y × dy) ∫dφ ∫r dr [w_i(y) w_j(y + r e) + w_j(y) w_i(y + r e)] Ĉ(r),     Ĉ(r) = ∫_0^1 σ^(3 + d_i + d_j) C(σ r) dσ
//! ```
//! Directions run over signed triangles from y to all sides: holes and reentrant corners need no care. In translation the weights are
//! homogeneous about the centroid; about a distant centre of rotation they are interpolated between some σ instead.
//!
//! Nothing depends on C: the result is one weight for each of some hundred distances. Every integral is made twice, with fewer and with
//! more nodes, and the difference is the error of each covariance. Long outlines are laid over a lattice instead ([`lattice`]): the
//! same weights from cells, in a time that does not depend on the number of pieces.

mod cells;
mod lattice;
mod line;
mod radii;
mod scene;
mod side;

use super::functionals::{Functionals, Matrix, PAIRS, difference};
use crate::analysis::{Cancelled, Progress};
use crate::num::real::{cos, ln};
use crate::patch::Point;
use crate::patch::outline::length;
use line::Digits;
use radii::NODES;
pub(crate) use radii::Radii;
use scene::{Scene, Sliding};
use side::{Metric, Side};
use std::f64::consts::PI;

/// The six entries of a symmetric matrix in the order of [`PAIRS`].
type Entries = [f64; 6];

/// How much larger than the difference of two results the error of the finer one may be.
const SAFETY: f64 = 8.0;

/// A linear map of the plane with determinant 1 that makes the correlation isotropic.
type Map = [[f64; 2]; 2];

/// Digits to which integrals are made, one after another until two agree.
const LEVELS: [f64; 7] = [3.0, 4.5, 6.0, 7.5, 9.0, 11.0, 13.0];

/// Pieces of the outline of a mask, whose cells are exact, from which on cells are tried first.
const MANY_OF_MASK: usize = 12;

/// Pieces of any other outline from which on cells are tried first.
const MANY_PIECES: usize = 100;

/// Most pieces that are all seen from each other where cells are not accurate enough: the time grows with the square.
const MOST_PIECES: usize = 400;

/// How much longer a stretch makes a line at most, so that cells are not cut too often: √1000 for lengths that differ by 1000.
const LARGEST_STRETCH: f64 = 32.0;

/// Most pieces of an outline under a larger stretch.
const MOST_STRETCHED: usize = 1000;

/// Distance of a centre of rotation, in largest distances of the area from its centroid, from which on it is distant.
const DISTANT: f64 = 5.0;

/// Weights of a covariance at certain distances.
#[derive(Debug, Clone)]
pub(crate) struct Pairs {
    radii: Radii,
    /// With all nodes, and with fewer: the differences are the error.
    weights: Vec<Vec<Entries>>,
    /// With still fewer nodes: how fast the differences fall.
    fewest: Option<Vec<Entries>>,
    /// ∫w_i dS.
    integrals: [f64; 3],
}

impl Pairs {
    /// For ∫w_i dS of the three functionals [m², m², m³] and the distances that `radii` chooses up to the largest one \[m\], with more and more nodes until `accurate`.
    ///
    /// # Errors
    /// [`Cancelled`] if the user interrupts.
    pub(crate) fn new(
        functionals: &Functionals,
        integrals: [f64; 3],
        map: Map,
        radii: impl FnOnce(f64) -> Radii,
        accurate: impl Fn(&Self) -> bool,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let radii = radii(diameter(functionals, map));
        let mut pairs = Self { integrals, radii, weights: Vec::new(), fewest: None };
        let metric = Metric::new(map);
        let pieces = functionals.outline.pieces.len();
        let stretched = metric.largest() > LARGEST_STRETCH;
        let many = if functionals.outline.cell.is_some() { MANY_OF_MASK } else { MANY_PIECES };
        if pieces > many && !stretched {
            for wanted in lattice::levels(&functionals.outline) {
                pairs.weights = lattice::weights(functionals, &metric, &pairs.radii, wanted, progress)?;
                if accurate(&pairs) {
                    return Ok(pairs);
                }
            }
        }
        if pieces > MOST_PIECES && !stretched {
            return Ok(pairs);
        }
        let weights = |digits: f64| weights(functionals, map, &pairs.radii, digits, progress);
        let [first, second, finer @ ..] = LEVELS;
        pairs.weights = vec![weights(second)?, weights(first)?];
        for digits in finer {
            if accurate(&pairs) {
                break;
            }
            pairs.weights.insert(0, weights(digits)?);
            // under a large stretch digits are not what they promise
            pairs.fewest = pairs.weights.pop().filter(|_| !stretched);
        }
        Ok(pairs)
    }

    /// The largest number of pieces of an outline that can be handled for a stretch; none if there is no limit.
    pub(crate) fn most_pieces(map: Map) -> Option<usize> {
        (Metric::new(map).largest() > LARGEST_STRETCH).then_some(MOST_STRETCHED)
    }

    /// The largest distance of two points \[m\].
    pub(crate) fn diameter(&self) -> f64 {
        self.radii.ends.last().copied().unwrap_or(0.0)
    }

    /// K and its estimated error. `level` is C(0), and `drop` is C(0) − C(r), which may be off by `rounding`.
    pub(crate) fn covariance(&self, level: f64, drop: impl Fn(f64) -> f64, rounding: f64) -> Estimate {
        // what is the same at all distances counts exactly
        let farthest = drop(self.diameter());
        let base = level - farthest;
        let values: Vec<f64> = self.radii.places.iter().map(|r| farthest - drop(*r)).collect();
        let of = |weights: &Vec<Entries>| {
            let mut sums = PAIRS.map(|(i, j)| base * self.integrals[i] * self.integrals[j]);
            for (weights, value) in weights.iter().zip(&values) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += weight * value;
                }
            }
            matrix(|n| sums[n])
        };
        let matrices: Vec<Matrix> = self.weights.iter().map(of).collect();
        let Some((fine, others)) = matrices.split_first() else { return Estimate::UNKNOWN };
        let change = others.iter().map(|other| difference(fine, other)).fold(0.0, f64::max);
        // where differences fall, the next one is smaller by as much, but not counted below a quarter
        let falls = self.fewest.as_ref().zip(others.first()).map_or(1.0, |(fewest, coarse)| {
            let before = difference(coarse, &of(fewest));
            if before > 0.0 { (change / before).clamp(0.25, 1.0) } else { 1.0 }
        });
        let rule = SAFETY * falls * change;
        let mut estimate = Estimate { matrix: *fine, error: rule, rule, share: 0.0 };
        // what polynomials between the nodes and the rounding of the covariance may be off
        let rounding = rounding + f64::EPSILON * farthest.abs();
        let (mut unresolved, mut largest) = ([0.0; 6], [0.0; 6]);
        for (tail, weights) in self.radii.tails(&values).zip(self.weights[0].chunks_exact(NODES)) {
            for weights in weights {
                for ((sum, largest), weight) in unresolved.iter_mut().zip(&mut largest).zip(weights) {
                    *sum += (tail + rounding) * weight.abs();
                    *largest += level.abs() * weight.abs();
                }
            }
        }
        for (n, (i, j)) in PAIRS.into_iter().enumerate().filter(|(_, (i, j))| i == j) {
            if unresolved[n] > 0.0 {
                let absolute =
                    others.iter().map(|other| (fine[i][j] - other[i][j]).abs()).fold(unresolved[n], f64::max);
                estimate.error = estimate.error.max(unresolved[n] / fine[i][j].abs());
                estimate.share = estimate.share.max(absolute / largest[n]);
            }
        }
        if !(estimate.error.is_finite() && estimate.share.is_finite()) {
            return Estimate { matrix: estimate.matrix, ..Estimate::UNKNOWN };
        }
        estimate
    }
}

/// A covariance of force and torque.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Estimate {
    pub(crate) matrix: Matrix,
    /// Estimated relative error [-].
    pub(crate) error: f64,
    /// Its part that finer rules would lessen [-].
    pub(crate) rule: f64,
    /// Estimated error in units of the covariance that a uniform field could have [-].
    pub(crate) share: f64,
}

impl Estimate {
    /// Nothing is known.
    const UNKNOWN: Estimate =
        Estimate { matrix: [[0.0; 3]; 3], error: f64::INFINITY, rule: f64::INFINITY, share: f64::INFINITY };
}

/// A symmetric matrix from its entries.
fn matrix(entry: impl Fn(usize) -> f64) -> Matrix {
    let mut matrix = [[0.0; 3]; 3];
    for (n, (i, j)) in PAIRS.into_iter().enumerate() {
        (matrix[i][j], matrix[j][i]) = (entry(n), entry(n));
    }
    matrix
}

/// A bound of the largest distance of two points \[m\].
fn diameter(functionals: &Functionals, map: Map) -> f64 {
    let metric = Metric::new(map);
    let farthest = |side: &Side| match *side {
        Side::Line { from, .. } => metric.length(from),
        Side::Arc { radius, .. } => radius * metric.largest(),
    };
    let sides = Side::all(&functionals.outline, [0.0; 2]);
    2.000_001 * sides.iter().map(farthest).fold(0.0, f64::max)
}

/// Weights of C at all radii.
fn weights(
    functionals: &Functionals,
    map: Map,
    radii: &Radii,
    digits: f64,
    progress: &dyn Progress,
) -> Result<Vec<Entries>, Cancelled> {
    let twist = &functionals.twist;
    let reach = functionals.outline.reach();
    let near = twist.centre().filter(|centre| length(*centre) <= DISTANT * reach);
    let origin = near.unwrap_or([0.0; 2]);
    let velocity = if near.is_some() { [0.0; 2] } else { [twist.vx, twist.vy] };
    let scene = Scene {
        sides: Side::all(&functionals.outline, origin),
        metric: Metric::new(map),
        sliding: Sliding { velocity, omega: twist.omega, sigma: 1.0 },
        centred: near.is_some(),
        reach,
        radii,
        digits: Digits(digits),
        axis: Digits(digits).axis_for(NODES),
    };
    let mut found = vec![[0.0; 6]; radii.places.len()];
    if near.is_some() || twist.omega == 0.0 {
        let powers = PAIRS.map(|(i, j)| 3 + i32::from(i == 2) + i32::from(j == 2));
        spread(radii, &scene.outline(progress)?, |sigma| powers.map(|power| sigma.powi(power)), &mut found);
    } else {
        // singular at σ = |centre|/reach: ρ of the ellipse about 0 and 1 is nearly four times that
        let ratio = length(velocity) / (twist.omega.abs() * reach);
        let count = (2.0 + digits * std::f64::consts::LN_10 / ln(4.0 * ratio - 2.0)).ceil() as usize;
        let sigmas: Vec<f64> = (0..count).map(|k| 0.5 - 0.5 * cos(PI * (k as f64 + 0.5) / count as f64)).collect();
        for (k, sigma) in sigmas.iter().enumerate() {
            let part = Scene { sliding: Sliding { sigma: *sigma, ..scene.sliding }, ..scene.clone() };
            let polynomial = |x: f64| {
                let others = sigmas.iter().enumerate().filter(|(other, _)| *other != k);
                others.map(|(_, other)| (x - other) / (sigma - other)).product::<f64>()
            };
            spread(radii, &part.outline(progress)?, |x| [x * x * x * polynomial(x); 6], &mut found);
        }
    }
    // the torque about the centroid
    for entries in &mut found {
        *entries = about(origin, *entries);
    }
    Ok(found)
}

/// The sum of parts, in their order.
fn total(parts: Vec<Result<Vec<Entries>, Cancelled>>, radii: &Radii) -> Result<Vec<Entries>, Cancelled> {
    let mut sums = vec![[0.0; 6]; radii.places.len()];
    for part in parts {
        for (sum, part) in sums.iter_mut().flatten().zip(part?.iter().flatten()) {
            *sum += part;
        }
    }
    Ok(sums)
}

/// Adds the weights of C that belong to weights of Ĉ, where `share` is what C(σ r) counts in Ĉ(r).
fn spread(radii: &Radii, outer: &[Entries], share: impl Fn(f64) -> Entries, found: &mut [Entries]) {
    for (n, (r, outer)) in radii.places.iter().zip(outer).enumerate() {
        let weight = |s: f64| share(s / r);
        radii.up_to(n, weight, |place, shares| {
            for (found, (share, outer)) in found[place].iter_mut().zip(shares.iter().zip(outer)) {
                *found += share * outer / r;
            }
        });
    }
}

/// Entries with the torque about the centroid instead of that about an origin.
fn about([x, y]: Point, [xx, xy, xt, yy, yt, tt]: Entries) -> Entries {
    let (new_xt, new_yt) = (xt + x * xy - y * xx, yt + x * yy - y * xy);
    let new_tt = tt + x * (yt + new_yt) - y * (xt + new_xt);
    [xx, xy, new_xt, yy, new_yt, new_tt]
}
