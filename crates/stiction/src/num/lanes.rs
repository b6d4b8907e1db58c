//! Eight numbers at a time, in as few registers as the machine has vector units for.
//!
//! [`Kernel`]s are loops over blocks of eight, compiled once for every vector unit; [`vectorised`] runs the best copy. Nothing is
//! reordered, and every sum has the same eight parts on every machine, so that the bits do not depend on the unit.

use pulp::{Arch, WithSimd};
use std::ops::{Add, Mul, Neg, Sub};

pub(crate) use pulp::Simd;

/// How many numbers are handled at once.
pub(crate) const WIDTH: usize = 8;

/// Eight numbers in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(crate) struct Eight(pub(crate) [f64; WIDTH]);

impl Eight {
    pub(crate) const ZERO: Eight = Eight([0.0; WIDTH]);

    pub(crate) fn smallest(&self) -> f64 {
        self.0.iter().fold(f64::INFINITY, |a, &b| if b < a { b } else { a })
    }
}

/// A loop over blocks of eight.
pub(crate) trait Kernel {
    /// What comes out.
    type Output;
    /// The loop; must be `#[inline(always)]`, as everything that it calls.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs a kernel with the best vector unit of this machine.
#[inline]
pub(crate) fn vectorised<K: Kernel>(kernel: K) -> K::Output {
    struct Body<K>(K);
    impl<K: Kernel> WithSimd for Body<K> {
        type Output = K::Output;
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> K::Output {
            self.0.run(simd)
        }
    }
    Arch::new().dispatch(Body(kernel))
}

/// Runs a plain loop, which must be `#[inline(always)]`, with the best vector unit of this machine.
#[inline]
pub(crate) fn widely<R, F: FnOnce() -> R>(body: F) -> R {
    struct Body<F>(F);
    impl<R, F: FnOnce() -> R> WithSimd for Body<F> {
        type Output = R;
        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> R {
            (self.0)()
        }
    }
    Arch::new().dispatch(Body(body))
}

/// Rows become columns.
///
/// Compilers gather the numbers of a column one by one; in wide registers three exchanges between pairs of rows, first of
/// halves, then of quarters, then of neighbours, take a fifth of the time.
#[inline(always)]
pub(crate) fn transposed<S: Simd>(simd: S, rows: [Eight; WIDTH]) -> [Eight; WIDTH] {
    if S::F64_LANES != WIDTH {
        return std::array::from_fn(|column| Eight(std::array::from_fn(|row| rows[row].0[column])));
    }
    const BITS: [[u64; WIDTH]; 3] = [[0, 0, 0, 0, 4, 4, 4, 4], [0, 0, 2, 2, 0, 0, 2, 2], [0, 1, 0, 1, 0, 1, 0, 1]];
    let mut square = [simd.splat_u64s(0); WIDTH];
    for (numbers, row) in square.iter_mut().zip(&rows) {
        if let [row] = S::as_simd_f64s(&row.0).0 {
            *numbers = simd.transmute_u64s_f64s(*row);
        }
    }
    for (step, bits) in [4, 2, 1].into_iter().zip(&BITS) {
        let [bits] = S::as_simd_u64s(bits).0 else { continue };
        let left = simd.less_than_u64s(*bits, simd.splat_u64s(1));
        for row in (0..WIDTH).filter(|row| row & step == 0) {
            let (upper, lower) = (square[row], square[row + step]);
            square[row] = simd.select_u64s(left, upper, simd.rotate_right_u64s(lower, step));
            square[row + step] = simd.select_u64s(left, simd.rotate_left_u64s(upper, step), lower);
        }
    }
    let mut columns = rows;
    for (column, numbers) in columns.iter_mut().zip(square) {
        if let [target] = S::as_mut_simd_f64s(&mut column.0).0 {
            *target = simd.transmute_f64s_u64s(numbers);
        }
    }
    columns
}

/// Eight numbers in registers: the first 8/`F64_LANES` of them are used.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<S: Simd> {
    simd: S,
    parts: [S::f64s; WIDTH],
}

impl<S: Simd> Lanes<S> {
    const PARTS: usize = if S::F64_LANES < WIDTH { WIDTH / S::F64_LANES } else { 1 };

    /// The same number eight times.
    #[inline(always)]
    pub(crate) fn all(simd: S, value: f64) -> Self {
        Self { simd, parts: [simd.splat_f64s(value); WIDTH] }
    }

    /// Eight numbers of a slice; zeros where it is shorter.
    #[inline(always)]
    pub(crate) fn load(simd: S, slice: &[f64]) -> Self {
        let mut lanes = Self::all(simd, 0.0);
        if let Some(eight) = slice.first_chunk::<WIDTH>() {
            let (vectors, _) = S::as_simd_f64s(eight);
            for (part, vector) in lanes.parts.iter_mut().zip(vectors).take(Self::PARTS) {
                *part = *vector;
            }
        }
        lanes
    }

    #[inline(always)]
    pub(crate) fn of(simd: S, eight: &Eight) -> Self {
        Self::load(simd, &eight.0)
    }

    /// Writes the eight numbers to the front of a slice.
    #[inline(always)]
    pub(crate) fn store(self, slice: &mut [f64]) {
        if let Some(eight) = slice.first_chunk_mut::<WIDTH>() {
            let (vectors, _) = S::as_mut_simd_f64s(eight);
            for (part, vector) in self.parts.iter().zip(vectors).take(Self::PARTS) {
                *vector = *part;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn eight(self) -> Eight {
        let mut eight = [0.0; WIDTH];
        self.store(&mut eight);
        Eight(eight)
    }

    #[inline(always)]
    fn map(mut self, function: impl Fn(S, S::f64s) -> S::f64s) -> Self {
        for part in self.parts.iter_mut().take(Self::PARTS) {
            *part = function(self.simd, *part);
        }
        self
    }

    #[inline(always)]
    fn with(mut self, other: Self, function: impl Fn(S, S::f64s, S::f64s) -> S::f64s) -> Self {
        for (part, other) in self.parts.iter_mut().zip(other.parts).take(Self::PARTS) {
            *part = function(self.simd, *part, other);
        }
        self
    }

    /// A function of each number by itself, one after the other.
    #[inline(always)]
    pub(crate) fn each(self, function: impl Fn(f64) -> f64) -> Self {
        Self::load(self.simd, &self.eight().0.map(function))
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Self {
        self.map(
            #[inline(always)]
            |simd, x| simd.sqrt_f64s(x),
        )
    }

    /// 1/x
    #[inline(always)]
    pub(crate) fn inverse(self) -> Self {
        self.map(
            #[inline(always)]
            |simd, x| simd.div_f64s(simd.splat_f64s(1.0), x),
        )
    }

    /// 1/x, or 0 where x is not positive.
    #[inline(always)]
    pub(crate) fn inverse_or_zero(self) -> Self {
        self.map(
            #[inline(always)]
            |simd, x| {
                let zero = simd.splat_f64s(0.0);
                let inverse = simd.div_f64s(simd.splat_f64s(1.0), x);
                simd.select_f64s(simd.greater_than_f64s(x, zero), inverse, zero)
            },
        )
    }

    #[inline(always)]
    pub(crate) fn scaled(self, factor: f64) -> Self {
        self.map(
            #[inline(always)]
            |simd, x| simd.mul_f64s(x, simd.splat_f64s(factor)),
        )
    }

    #[inline(always)]
    pub(crate) fn shifted(self, offset: f64) -> Self {
        self.map(
            #[inline(always)]
            |simd, x| simd.add_f64s(x, simd.splat_f64s(offset)),
        )
    }

    #[inline(always)]
    pub(crate) fn smallest(self) -> f64 {
        self.parts.iter().take(Self::PARTS).fold(f64::INFINITY, |a, part| a.min(self.simd.reduce_min_f64s(*part)))
    }

    #[inline(always)]
    pub(crate) fn largest(self) -> f64 {
        self.parts.iter().take(Self::PARTS).fold(f64::NEG_INFINITY, |a, part| a.max(self.simd.reduce_max_f64s(*part)))
    }

    /// Sum of the eight numbers, always in the same order.
    #[inline(always)]
    pub(crate) fn sum(self) -> f64 {
        let [a, b, c, d, e, f, g, h] = self.eight().0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }

    /// e⁻ˣ for x ≥ 0, to two units in the last place; 0 beyond [`NEGLIGIBLE`].
    #[inline(always)]
    pub(crate) fn exp_of_negative(self) -> Self {
        self.map(
            #[inline(always)]
            |simd, x| exp_of_negative(simd, x),
        )
    }
}

/// Where e⁻ˣ is below the rounding error of anything of order one that it is added to.
pub(crate) const NEGLIGIBLE: f64 = 45.0;

/// 1/k! from k = 13 down to 0.
const INVERSE_FACTORIALS: [f64; 14] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

#[inline(always)]
fn exp_of_negative<S: Simd>(simd: S, x: S::f64s) -> S::f64s {
    // adding and taking away 1.5·2⁵² rounds to an integer
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    macro_rules! all {
        ($value:expr) => {
            simd.splat_f64s($value)
        };
    }
    let is_small = simd.less_than_f64s(x, all!(NEGLIGIBLE));
    let x = simd.select_f64s(is_small, x, all!(NEGLIGIBLE));
    let mut count =
        simd.sub_f64s(simd.add_f64s(simd.mul_f64s(x, all!(std::f64::consts::LOG2_E)), all!(MAGIC)), all!(MAGIC));
    // −x = −count ln 2 + r
    let r = simd.sub_f64s(simd.mul_f64s(count, all!(LN2_HIGH)), x);
    let r = simd.add_f64s(r, simd.mul_f64s(count, all!(LN2_LOW)));
    // Taylor's series to degree 13: |r| ≤ ln 2/2 leaves 4e-18
    let mut sum = all!(0.0);
    for coefficient in INVERSE_FACTORIALS {
        sum = simd.add_f64s(simd.mul_f64s(sum, r), all!(coefficient));
    }
    // 2^−count, bit by bit: exact
    for (bit, power) in [
        (64.0, 5.421_010_862_427_522e-20),
        (32.0, 2.328_306_436_538_696_3e-10),
        (16.0, 1.525_878_906_25e-5),
        (8.0, 3.906_25e-3),
        (4.0, 0.0625),
        (2.0, 0.25),
        (1.0, 0.5),
    ] {
        let has_bit = simd.greater_than_or_equal_f64s(count, all!(bit));
        sum = simd.select_f64s(has_bit, simd.mul_f64s(sum, all!(power)), sum);
        count = simd.select_f64s(has_bit, simd.sub_f64s(count, all!(bit)), count);
    }
    simd.select_f64s(is_small, sum, all!(0.0))
}

impl<S: Simd> Add for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(
            other,
            #[inline(always)]
            |simd, a, b| simd.add_f64s(a, b),
        )
    }
}

impl<S: Simd> Sub for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(
            other,
            #[inline(always)]
            |simd, a, b| simd.sub_f64s(a, b),
        )
    }
}

impl<S: Simd> Mul for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(
            other,
            #[inline(always)]
            |simd, a, b| simd.mul_f64s(a, b),
        )
    }
}

impl<S: Simd> Neg for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(
            #[inline(always)]
            |simd, x| simd.neg_f64s(x),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Transposition<'a>(&'a mut [Eight; WIDTH]);
    impl Kernel for Transposition<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            *self.0 = transposed(simd, *self.0);
        }
    }

    #[test]
    fn rows_become_columns_on_every_unit() {
        let rows: [Eight; WIDTH] =
            std::array::from_fn(|row| Eight(std::array::from_fn(|column| (10 * row + column) as f64)));
        let (mut found, mut plain) = (rows, rows);
        vectorised(Transposition(&mut found));
        Transposition(&mut plain).run(pulp::Scalar);
        assert_eq!(found, plain);
        for (row, column) in (0..WIDTH).flat_map(|row| (0..WIDTH).map(move |column| (row, column))) {
            assert_eq!(found[column].0[row], rows[row].0[column]);
        }
    }

    use crate::num::real::exp;

    struct Exponential(Eight);
    impl Kernel for Exponential {
        type Output = Eight;
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Eight {
            Lanes::of(simd, &self.0).exp_of_negative().eight()
        }
    }

    #[test]
    fn the_exponential_has_full_precision_on_every_unit() {
        let mut worst = 0.0_f64;
        for i in 0..44_000 {
            let x = Eight(std::array::from_fn(|k| (f64::from(i) + k as f64 / 8.0) * 1.022_345e-3));
            let found = vectorised(Exponential(x));
            assert_eq!(found, Exponential(x).run(pulp::Scalar));
            for (x, found) in x.0.into_iter().zip(found.0) {
                let wanted = if x < NEGLIGIBLE { exp(-x) } else { 0.0 };
                worst = worst.max((found - wanted).abs() / exp(-x));
            }
        }
        assert!(worst < 5e-16, "{worst:e}");
        assert_eq!(vectorised(Exponential(Eight::ZERO)), Eight([1.0; 8]));
        assert_eq!(vectorised(Exponential(Eight([f64::INFINITY; 8]))), Eight::ZERO);
    }

    #[test]
    fn sums_and_extremes_see_every_lane() {
        struct Reduce(Eight);
        impl Kernel for Reduce {
            type Output = [f64; 3];
            #[inline(always)]
            fn run<S: Simd>(self, simd: S) -> [f64; 3] {
                let lanes = Lanes::of(simd, &self.0);
                [lanes.sum(), lanes.smallest(), (lanes + lanes).largest()]
            }
        }
        let eight = Eight([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]);
        assert_eq!(vectorised(Reduce(eight)), [255.0, 1.0, 256.0]);
        assert_eq!(Reduce(eight).run(pulp::Scalar), [255.0, 1.0, 256.0]);
    }
}
