//! Eight numbers at a time: arithmetic that the compiler spreads over the lanes of a vector unit.
//!
//! [`vectorised`] runs a loop with the widest unit that the machine has. Nothing is fused or reordered, and every sum has the
//! same eight parts on every machine, so that the bits do not depend on the unit.

use pulp::{Arch, Simd, WithSimd};
use std::ops::{Add, Mul, Neg, Sub};

/// How many numbers are handled at once.
pub(crate) const WIDTH: usize = 8;

/// Runs `body`, which must be `#[inline(always)]` down to its loops, with the best vector unit of this machine.
#[inline]
pub(crate) fn vectorised<R, F: FnOnce() -> R>(body: F) -> R {
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

/// Eight numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(crate) struct Lanes(pub(crate) [f64; WIDTH]);

impl Lanes {
    pub(crate) const ZERO: Lanes = Lanes([0.0; WIDTH]);

    /// The same number eight times.
    #[inline(always)]
    pub(crate) fn all(value: f64) -> Self {
        Self([value; WIDTH])
    }

    /// Eight numbers of a slice; zeros if it is shorter.
    #[inline(always)]
    pub(crate) fn load(slice: &[f64]) -> Self {
        let mut lanes = [0.0; WIDTH];
        if let Some(eight) = slice.first_chunk::<WIDTH>() {
            lanes = *eight;
        }
        Self(lanes)
    }

    /// Writes the eight numbers to the front of a slice.
    #[inline(always)]
    pub(crate) fn store(self, slice: &mut [f64]) {
        if let Some(eight) = slice.first_chunk_mut::<WIDTH>() {
            *eight = self.0;
        }
    }

    #[inline(always)]
    pub(crate) fn map(self, function: impl Fn(f64) -> f64) -> Self {
        let mut out = [0.0; WIDTH];
        for (out, x) in out.iter_mut().zip(self.0) {
            *out = function(x);
        }
        Self(out)
    }

    #[inline(always)]
    fn with(self, other: Self, function: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = [0.0; WIDTH];
        for k in 0..WIDTH {
            out[k] = function(self.0[k], other.0[k]);
        }
        Self(out)
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }

    /// 1/x
    #[inline(always)]
    pub(crate) fn inverse(self) -> Self {
        self.map(|x| 1.0 / x)
    }

    /// 1/x, or 0 where x is 0.
    #[inline(always)]
    pub(crate) fn inverse_or_zero(self) -> Self {
        self.map(|x| if x > 0.0 { 1.0 / x } else { 0.0 })
    }

    #[inline(always)]
    pub(crate) fn scaled(self, factor: f64) -> Self {
        self.map(|x| x * factor)
    }

    #[inline(always)]
    pub(crate) fn shifted(self, offset: f64) -> Self {
        self.map(|x| x + offset)
    }

    #[inline(always)]
    pub(crate) fn smallest(self) -> f64 {
        self.0.iter().fold(f64::INFINITY, |a, &b| if b < a { b } else { a })
    }

    #[inline(always)]
    pub(crate) fn largest(self) -> f64 {
        self.0.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a })
    }

    /// Sum of the eight numbers, always in the same order.
    #[inline(always)]
    pub(crate) fn sum(self) -> f64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }

    /// e⁻ˣ for x ≥ 0, to two units in the last place; 0 beyond [`NEGLIGIBLE`].
    #[inline(always)]
    pub(crate) fn exp_of_negative(self) -> Self {
        self.map(exp_of_negative)
    }
}

/// Where e⁻ˣ is below the rounding error of anything of order one that it is added to.
pub(crate) const NEGLIGIBLE: f64 = 45.0;

#[inline(always)]
fn exp_of_negative(x: f64) -> f64 {
    // adding and taking away 1.5·2⁵² rounds to an integer, which then sits in the low bits
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let bounded = if x < NEGLIGIBLE { x } else { NEGLIGIBLE };
    let shifted = MAGIC - bounded * std::f64::consts::LOG2_E;
    let count = shifted - MAGIC;
    let r = (-bounded - count * LN2_HIGH) - count * LN2_LOW;
    // Taylor's series to degree 13: |r| ≤ ln 2/2 leaves 4e-18
    let mut sum = 1.0 / 6_227_020_800.0;
    for inverse_factorial in [
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
    ] {
        sum = sum * r + inverse_factorial;
    }
    let power = f64::from_bits(shifted.to_bits().wrapping_shl(52).wrapping_add(1023 << 52));
    if x < NEGLIGIBLE { sum * power } else { 0.0 }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }
}

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::exp;

    #[test]
    fn the_exponential_has_full_precision() {
        let mut worst = 0.0_f64;
        for i in 0..44_000 {
            let x = f64::from(i) * 1.022_345e-3;
            let found = Lanes::all(x).exp_of_negative().0[3];
            let wanted = if x < NEGLIGIBLE { exp(-x) } else { 0.0 };
            worst = worst.max((found - wanted).abs() / exp(-x).max(f64::MIN_POSITIVE));
        }
        assert!(worst < 5e-16, "{worst:e}");
        assert_eq!(Lanes::ZERO.exp_of_negative(), Lanes::all(1.0));
        assert_eq!(Lanes::all(f64::INFINITY).exp_of_negative(), Lanes::ZERO);
    }

    #[test]
    fn sums_and_extremes_see_every_lane() {
        let lanes = Lanes([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]);
        assert_eq!((lanes.sum(), lanes.smallest(), lanes.largest()), (255.0, 1.0, 128.0));
        let twice = vectorised(|| lanes + lanes);
        assert_eq!(twice, lanes.scaled(2.0));
    }
}
