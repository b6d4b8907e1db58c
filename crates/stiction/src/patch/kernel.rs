//! The friction of a patch on a lattice, fast.
//!
//! All nodes of the patch have the same place within their grid cells, so that one set of interpolation weights serves all of
//! them and nothing is gathered. A run walks along a band of rows: each column of the field is interpolated along itself once
//! and stays in a register while the columns of nodes that need it pass. With q = W H/s the sums Σq, Σqξ and Σqξ² of every row
//! give force and torque.
//!
//! Products are made in the numbers in which the field is stored; the sums of a run are added in double precision. Sums have
//! the same parts on every vector unit, and every operation is defined to the bit: results do not depend on the machine.

use super::dissipation::{Twist, Wrench};
use super::number::Number;
use super::packed::{Group, Packed, Strip};
use crate::num::lanes::{Kernel, Simd};

/// One evaluation of `N` nodes at a time: `TAPS` = 2 for linear, 4 for cubic interpolation.
pub(super) struct Evaluation<'a, T, const N: usize, const TAPS: usize> {
    pub(super) lattice: &'a Packed<T, N>,
    /// Numbers of the field from the first tap of the lattice's lower left corner on.
    pub(super) numbers: &'a [T],
    pub(super) stride: usize,
    pub(super) across: [f64; TAPS],
    pub(super) along: [f64; TAPS],
    /// A twist of about unit size.
    pub(super) twist: Twist,
    pub(super) spread: f64,
}

impl<T: Number, const N: usize, const TAPS: usize> Kernel for Evaluation<'_, T, N, TAPS> {
    type Output = Wrench;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Wrench {
        let Self { lattice, numbers, stride, twist: [a, b, c], spread, .. } = self;
        let weights = [splats::<T, S, TAPS>(simd, self.across), splats::<T, S, TAPS>(simd, self.along)];
        let local = splats::<T, S, 4>(simd, [a, b, c, spread * c * c]);
        let mut totals = [[0.0_f64; N]; 4];
        for run in &lattice.runs {
            let Some(eta) = lattice.bands.get(run.band) else { continue };
            let source = numbers.get(run.corner[0] * stride + run.corner[1]..).unwrap_or_default();
            let [q, xi, square] = walk(simd, run, eta, (source, stride), &weights, local);
            for row in 0..N {
                let (eta, q): (f64, f64) = (eta.0[row].into(), q[row].into());
                totals[0][row] += q;
                totals[1][row] += xi[row].into();
                totals[2][row] += eta * q;
                totals[3][row] += eta * eta * q + square[row].into();
            }
        }
        let [q, xi, eta, square] = totals.map(|rows| rows.into_iter().sum::<f64>());
        // p = a − c η, r = b + c ξ, τ = ξ r − η p + c² ω
        [a * q - c * eta, b * q + c * xi, b * xi - a * eta + c * (square + spread * q)]
    }
}

/// Numbers, each in all lanes. A loop, since `map` of arrays is not always compiled into its caller.
#[inline(always)]
fn splats<T: Number, S: Simd, const K: usize>(simd: S, values: [f64; K]) -> [T::Vector<S>; K] {
    let mut vectors = [T::all(simd, 0.0); K];
    for (vector, value) in vectors.iter_mut().zip(values) {
        *vector = T::all(simd, value);
    }
    vectors
}

/// Σq, Σqξ and Σqξ² over the columns of a run, for every row of its band.
#[inline(always)]
fn walk<T: Number, S: Simd, const N: usize, const TAPS: usize>(
    simd: S,
    run: &Strip<T, N>,
    eta: &Group<T, N>,
    (source, stride): (&[T], usize),
    [across, along]: &[[T::Vector<S>; TAPS]; 2],
    [a, b, c, floor]: [T::Vector<S>; 4],
) -> [[T; N]; 3] {
    let mut sums = [[T::default(); N]; 3];
    let zero = T::all(simd, 0.0);
    let parts = T::parts::<S>();
    // narrow units leave out the part of a band that has no nodes
    for part in 0..parts.min((run.rows * parts).div_ceil(N)) {
        let eta = T::vectors::<S>(&eta.0)[part];
        let p = T::negated(simd, c, eta, a);
        let base = T::fused(simd, p, p, floor);
        let mut window = [zero; TAPS];
        for (column, place) in window.iter_mut().skip(1).enumerate() {
            *place = line::<T, S, N, TAPS>(simd, source, column * stride, along, part);
        }
        let [mut s0, mut s1, mut s2] = [zero; 3];
        for (column, place) in run.columns.iter().enumerate() {
            for tap in 1..TAPS {
                window[tap - 1] = window[tap];
            }
            window[TAPS - 1] = line::<T, S, N, TAPS>(simd, source, (column + TAPS - 1) * stride, along, part);
            let mut value = T::times(simd, across[0], window[0]);
            for tap in 1..TAPS {
                value = T::fused(simd, across[tap], window[tap], value);
            }
            let xi = [T::splat(simd, place.xi[0]), T::splat(simd, place.xi[1])];
            let r = T::fused(simd, c, xi[0], b);
            let speed = T::fused(simd, r, r, base);
            let weight = T::vectors::<S>(&place.weight.0)[part];
            let q = T::times(simd, T::times(simd, weight, value), T::inverse_root(simd, speed));
            s0 = T::plus(simd, s0, q);
            s1 = T::fused(simd, q, xi[0], s1);
            s2 = T::fused(simd, q, xi[1], s2);
        }
        for (sums, sum) in sums.iter_mut().zip([s0, s1, s2]) {
            T::vectors_mut::<S>(sums)[part] = sum;
        }
    }
    sums
}

/// A column of the field at the rows of a band, interpolated along it.
#[inline(always)]
fn line<T: Number, S: Simd, const N: usize, const TAPS: usize>(
    simd: S,
    source: &[T],
    start: usize,
    along: &[T::Vector<S>; TAPS],
    part: usize,
) -> T::Vector<S> {
    let Some(numbers) = source.get(start..start + N + TAPS - 1) else { return T::all(simd, 0.0) };
    let mut sum = T::times(simd, along[0], T::vectors::<S>(&numbers[..N])[part]);
    for tap in 1..TAPS {
        sum = T::fused(simd, along[tap], T::vectors::<S>(&numbers[tap..tap + N])[part], sum);
    }
    sum
}
