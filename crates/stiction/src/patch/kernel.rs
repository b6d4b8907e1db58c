//! The friction of a patch on a lattice, fast.
//!
//! All nodes of the patch have the same place within their grid cells, so that one set of interpolation weights serves all of
//! them and nothing is gathered. Along a column of nodes r is constant and p = a − c η linear: with q = W H/s the sums
//! Σq, Σqη and Σqη² of every column give force and torque.
//!
//! The field is interpolated across the columns for several columns first and along them afterwards: numbers that were just
//! written cannot be read at another offset without a wait. Products are made in the numbers in which the field is
//! stored; columns are added in double precision, eight at a time. Sums have the same parts on every vector unit and nothing is
//! approximated by the machine, so that the bits do not depend on it.

use super::dissipation::{Twist, Wrench};
use super::lattice::Column;
use crate::num::lanes::{Kernel, Simd};

/// `f32` or `f64`, and its vectors.
pub(super) trait Number: Copy + Default {
    type Vector<S: Simd>: Copy;
    /// Numbers of a column are handled in groups of this many: the widest register of any machine, and not more, because
    /// columns are filled up to whole groups.
    const GROUP: usize;
    /// How many of them a register has.
    fn lanes<S: Simd>() -> usize;
    fn wide(self) -> f64;
    fn narrow(value: f64) -> Self;
    fn all<S: Simd>(simd: S, value: f64) -> Self::Vector<S>;
    fn vectors<S: Simd>(slice: &[Self]) -> &[Self::Vector<S>];
    fn vectors_mut<S: Simd>(slice: &mut [Self]) -> &mut [Self::Vector<S>];
    fn plus<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn minus<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn times<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    /// a/√b
    fn over_root<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
}

macro_rules! number {
    ($number:ty, $group:literal, $vector:ident, $lanes:ident, $splat:ident, $as:ident, $as_mut:ident, $add:ident, $sub:ident, $mul:ident, $over_root:item) => {
        impl Number for $number {
            type Vector<S: Simd> = S::$vector;
            const GROUP: usize = $group;
            #[inline(always)]
            fn lanes<S: Simd>() -> usize {
                S::$lanes
            }
            #[inline(always)]
            fn wide(self) -> f64 {
                self.into()
            }
            #[inline(always)]
            fn narrow(value: f64) -> Self {
                value as $number
            }
            #[inline(always)]
            fn all<S: Simd>(simd: S, value: f64) -> S::$vector {
                simd.$splat(value as $number)
            }
            #[inline(always)]
            fn vectors<S: Simd>(slice: &[Self]) -> &[S::$vector] {
                S::$as(slice).0
            }
            #[inline(always)]
            fn vectors_mut<S: Simd>(slice: &mut [Self]) -> &mut [S::$vector] {
                S::$as_mut(slice).0
            }
            #[inline(always)]
            fn plus<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$add(a, b)
            }
            #[inline(always)]
            fn minus<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$sub(a, b)
            }
            #[inline(always)]
            fn times<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$mul(a, b)
            }
            #[inline(always)]
            $over_root
        }
    };
}

number!(
    f32,
    16,
    f32s,
    F32_LANES,
    splat_f32s,
    as_simd_f32s,
    as_mut_simd_f32s,
    add_f32s,
    sub_f32s,
    mul_f32s,
    // A guess by the exponent and three steps of Newton's method: a fifth of the time of root and quotient, and correct to a
    // few units in the last place. The machine's own approximations differ from maker to maker.
    fn over_root<S: Simd>(simd: S, a: S::f32s, b: S::f32s) -> S::f32s {
        let halved = simd.wrapping_dyn_shr_u32s(simd.transmute_u32s_f32s(b), simd.splat_u32s(1));
        let mut root = simd.transmute_f32s_u32s(simd.sub_u32s(simd.splat_u32s(0x5f37_59df), halved));
        let half = simd.mul_f32s(simd.splat_f32s(0.5), b);
        for _ in 0..3 {
            let square = simd.mul_f32s(simd.mul_f32s(half, root), root);
            root = simd.mul_f32s(root, simd.sub_f32s(simd.splat_f32s(1.5), square));
        }
        simd.mul_f32s(a, root)
    }
);
number!(
    f64,
    8,
    f64s,
    F64_LANES,
    splat_f64s,
    as_simd_f64s,
    as_mut_simd_f64s,
    add_f64s,
    sub_f64s,
    mul_f64s,
    fn over_root<S: Simd>(simd: S, a: S::f64s, b: S::f64s) -> S::f64s {
        simd.div_f64s(a, simd.sqrt_f64s(b))
    }
);

/// Columns that are interpolated, and added in the precision of the field, together.
const TOGETHER: usize = 8;

/// Numbers of the largest group.
const MOST: usize = 16;

/// How many numbers the scratch of an evaluation has, for columns of at most this many nodes.
pub(super) fn scratch_length<T: Number>(longest: usize) -> usize {
    TOGETHER * (longest + T::GROUP)
}

/// One evaluation: `TAPS` = 2 for linear, 4 for cubic interpolation.
pub(super) struct Evaluation<'a, T, const TAPS: usize> {
    pub(super) columns: &'a [Column],
    /// Weights of the nodes, column after column.
    pub(super) weights: &'a [T],
    /// η of the rows of the lattice.
    pub(super) rows: &'a [T],
    /// Numbers of the field from the first tap of the lattice's lower left corner on.
    pub(super) numbers: &'a [T],
    pub(super) stride: usize,
    pub(super) across: [f64; TAPS],
    pub(super) along: [f64; TAPS],
    /// A twist of about unit size.
    pub(super) twist: Twist,
    pub(super) spread: f64,
    /// At least [`scratch_length`] numbers.
    pub(super) scratch: &'a mut [T],
}

impl<T: Number, const TAPS: usize> Kernel for Evaluation<'_, T, TAPS> {
    type Output = Wrench;

    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "several lists are walked with one index")]
    fn run<S: Simd>(self, simd: S) -> Wrench {
        let [a, b, c] = self.twist;
        let (across, along) = (self.across.map(|w| T::all(simd, w)), self.along.map(|w| T::all(simd, w)));
        let (slip, turn, zero) = (T::all(simd, a), T::all(simd, c), T::all(simd, 0.0));
        let spread = self.spread * c * c;
        let slot = self.scratch.len() / TOGETHER;
        let parts = (T::GROUP / T::lanes::<S>()).max(1);
        // the last taps of a column lie beyond it
        let beyond = (TAPS - 1).next_multiple_of(T::lanes::<S>());
        // Σq, Ση q, Ση² q, Σ r q, Σ ξ r q over all columns
        let mut totals = [0.0_f64; 5];
        for columns in self.columns.chunks(TOGETHER) {
            // columns of the field combined into one for each column of nodes
            for (column, scratch) in columns.iter().zip(self.scratch.chunks_exact_mut(slot)) {
                let length = column.count + beyond;
                let start = column.corner[0] * self.stride + column.corner[1];
                let out = T::vectors_mut::<S>(scratch.get_mut(..length).unwrap_or_default());
                let count = out.len();
                let sources: [&[T::Vector<S>]; TAPS] = std::array::from_fn(
                    #[inline(always)]
                    |tap| {
                        let start = start + tap * self.stride;
                        let source = T::vectors::<S>(self.numbers.get(start..start + length).unwrap_or_default());
                        source.get(..count).unwrap_or_default()
                    },
                );
                if sources.iter().any(|source| source.len() != count) {
                    continue;
                }
                for k in 0..count {
                    let mut sum = T::times(simd, across[0], sources[0][k]);
                    for tap in 1..TAPS {
                        sum = T::plus(simd, sum, T::times(simd, across[tap], sources[tap][k]));
                    }
                    out[k] = sum;
                }
            }
            let mut group = [[zero; MOST]; 5];
            for (column, scratch) in columns.iter().zip(self.scratch.chunks_exact(slot)) {
                let r = b + c * column.xi;
                let floor = T::all(simd, r * r + spread);
                let (side, lever) = (T::all(simd, r), T::all(simd, column.xi * r));
                let weights = self.weights.get(column.start..column.start + column.count).unwrap_or_default();
                let rows = self.rows.get(column.corner[1]..column.corner[1] + column.count).unwrap_or_default();
                let weights = T::vectors::<S>(weights);
                let count = weights.len();
                let rows = T::vectors::<S>(rows).get(..count).unwrap_or_default();
                let taps: [&[T::Vector<S>]; TAPS] = std::array::from_fn(
                    #[inline(always)]
                    |tap| {
                        let values = T::vectors::<S>(scratch.get(tap..tap + column.count).unwrap_or_default());
                        values.get(..count).unwrap_or_default()
                    },
                );
                if rows.len() != count || taps.iter().any(|values| values.len() != count) {
                    continue;
                }
                // one register after the other of a group
                for part in 0..parts {
                    let (mut s0, mut s1, mut s2) = (zero, zero, zero);
                    for k in (part..count).step_by(parts) {
                        let mut value = T::times(simd, along[0], taps[0][k]);
                        for tap in 1..TAPS {
                            value = T::plus(simd, value, T::times(simd, along[tap], taps[tap][k]));
                        }
                        let eta = rows[k];
                        let p = T::minus(simd, slip, T::times(simd, turn, eta));
                        let square = T::plus(simd, T::times(simd, p, p), floor);
                        let q = T::over_root(simd, T::times(simd, weights[k], value), square);
                        let moment = T::times(simd, q, eta);
                        s0 = T::plus(simd, s0, q);
                        s1 = T::plus(simd, s1, moment);
                        s2 = T::plus(simd, s2, T::times(simd, moment, eta));
                    }
                    group[0][part] = T::plus(simd, group[0][part], s0);
                    group[1][part] = T::plus(simd, group[1][part], s1);
                    group[2][part] = T::plus(simd, group[2][part], s2);
                    group[3][part] = T::plus(simd, group[3][part], T::times(simd, side, s0));
                    group[4][part] = T::plus(simd, group[4][part], T::times(simd, lever, s0));
                }
            }
            for (total, sums) in totals.iter_mut().zip(group) {
                let mut numbers = [T::default(); MOST];
                for (out, sum) in T::vectors_mut::<S>(&mut numbers).iter_mut().zip(sums).take(parts) {
                    *out = sum;
                }
                *total += numbers.iter().take(T::GROUP).map(|number| number.wide()).sum::<f64>();
            }
        }
        let [q, eta, square, side, arm] = totals;
        // τ = ξ r − η p + c² ω
        [a * q - c * eta, side, arm - a * eta + c * square + self.spread * c * q]
    }
}
