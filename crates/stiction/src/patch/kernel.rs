//! The friction of a patch on a lattice, fast.
//!
//! All nodes of the patch have the same place within their grid cells, so that one set of interpolation weights serves all of
//! them and nothing is gathered. The field is interpolated along its columns, each of which serves four columns of nodes, then
//! across them; the values are packed without gaps, and with q = W H/s the sums Σq, Σqξ, Σqη and Σq(ξ² + η²) give force and
//! torque.
//!
//! Products are made in the numbers in which the field is stored; the sums of some groups are added in double precision.
//! Sums have the same parts on every vector unit, and every operation is defined to the bit: results do not depend on the
//! machine.

use super::dissipation::{Twist, Wrench};
use super::number::Number;
use super::packed::{Across, Along, Group, Packed};
use crate::num::lanes::{Kernel, Simd};

/// Groups whose sums are made in the numbers of the field.
const TOGETHER: usize = 64;

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
    /// Both parts of [`Packed::scratch`].
    pub(super) scratch: [&'a mut [T]; 2],
}

impl<T: Number, const N: usize, const TAPS: usize> Kernel for Evaluation<'_, T, N, TAPS> {
    type Output = Wrench;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Wrench {
        let Self { lattice, numbers, stride, twist: [a, b, c], spread, .. } = self;
        let (across, along) = (self.across.map(|w| T::all(simd, w)), self.along.map(|w| T::all(simd, w)));
        let [lines, values] = self.scratch;
        let local = [a, b, c, spread * c * c].map(|w| T::all(simd, w));
        let mut totals = [0.0_f64; 4];
        for stripe in &lattice.stripes {
            for &Along { corner: [column, row], line } in &stripe.along {
                let (start, line) = (column as usize * stride + row as usize, line as usize);
                let group = (numbers.get(start..start + N + TAPS - 1), lines.get_mut(line..line + N));
                if let (Some(source), Some(line)) = group {
                    combined::<T, S, N, TAPS>(simd, &along, source, 1, line);
                }
            }
            let apart = lattice.height;
            for &Across { line, node } in &stripe.across {
                let (line, node) = (line as usize, node as usize);
                let group = (lines.get(line..line + (TAPS - 1) * apart + N), values.get_mut(node..node + N));
                if let (Some(source), Some(values)) = group {
                    combined::<T, S, N, TAPS>(simd, &across, source, apart, values);
                }
            }
            let groups = lattice.groups.get(stripe.groups.clone()).unwrap_or_default();
            add(simd, groups, values.as_chunks().0, local, &mut totals);
        }
        let [q, xi, eta, square] = totals;
        // p = a − c η, r = b + c ξ, τ = ξ r − η p + c² ω
        [a * q - c * eta, b * q + c * xi, b * xi - a * eta + c * (square + spread * q)]
    }
}

/// The sum of parts of a source with weights for the numbers of one group; a part starts `apart` numbers after the one before.
#[inline(always)]
fn combined<T: Number, S: Simd, const N: usize, const TAPS: usize>(
    simd: S,
    weights: &[T::Vector<S>; TAPS],
    source: &[T],
    apart: usize,
    out: &mut [T],
) {
    for (k, out) in T::vectors_mut::<S>(out).iter_mut().enumerate() {
        let mut sum = T::times(simd, weights[0], T::vectors::<S>(&source[..N])[k]);
        for tap in 1..TAPS {
            sum = T::fused(simd, weights[tap], T::vectors::<S>(&source[tap * apart..tap * apart + N])[k], sum);
        }
        *out = sum;
    }
}

/// Adds Σq, Σqξ, Σqη and Σq(ξ² + η²) of these groups.
#[inline(always)]
fn add<T: Number, S: Simd, const N: usize>(
    simd: S,
    groups: &[Group<T, N>],
    values: &[[T; N]],
    [a, b, c, floor]: [T::Vector<S>; 4],
    totals: &mut [f64; 4],
) {
    let zero = T::all(simd, 0.0);
    for (groups, values) in groups.chunks(TOGETHER).zip(values.chunks(TOGETHER)) {
        let mut sums = [[T::default(); N]; 4];
        for part in 0..T::parts::<S>() {
            let [mut s0, mut s1, mut s2, mut s3] = [zero; 4];
            for (group, value) in groups.iter().zip(values) {
                let vectors = [&group.weight, value, &group.xi, &group.eta, &group.square];
                let [weight, value, xi, eta, square] = vectors.map(
                    #[inline(always)]
                    |numbers| T::vectors::<S>(numbers).get(part).copied().unwrap_or(zero),
                );
                let (p, r) = (T::negated(simd, c, eta, a), T::fused(simd, c, xi, b));
                let speed = T::fused(simd, p, p, T::fused(simd, r, r, floor));
                let q = T::times(simd, T::times(simd, weight, value), T::inverse_root(simd, speed));
                s0 = T::plus(simd, s0, q);
                s1 = T::fused(simd, q, xi, s1);
                s2 = T::fused(simd, q, eta, s2);
                s3 = T::fused(simd, q, square, s3);
            }
            for (sums, sum) in sums.iter_mut().zip([s0, s1, s2, s3]) {
                if let Some(out) = T::vectors_mut::<S>(sums).get_mut(part) {
                    *out = sum;
                }
            }
        }
        for (total, sum) in totals.iter_mut().zip(sums) {
            *total += sum.into_iter().map(Into::into).sum::<f64>();
        }
    }
}
