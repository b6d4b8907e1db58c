//! Elementary functions of many numbers at once.
//!
//! No branches, so that the compiler can spread them over the lanes of a vector unit. Which unit the machine has is found at
//! run time. Fused products are written as such and nothing is reordered: a result is the same bits with every vector unit
//! and with none, at any place of any slice.

use super::real;
use pulp::{Arch, Simd, WithSimd};
use std::f64::consts::{LN_2, LOG2_E};

/// A loop over many numbers whose result does not depend on the vector unit that runs it.
pub(crate) trait Loop {
    /// Runs the loop. Implementations must be `#[inline(always)]`: the compiler then makes one copy for every vector unit.
    fn run(self);

    /// The same for a vector unit with 32 registers of eight numbers, where a loop can use so many.
    #[inline(always)]
    fn run_wide(self)
    where
        Self: Sized,
    {
        self.run();
    }
}

/// Runs a loop with the best vector unit of this machine.
pub(crate) fn vectorised<L: Loop>(body: L) {
    struct Body<L>(L);
    impl<L: Loop> WithSimd for Body<L> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) {
            if S::F64_LANES == 8 {
                self.0.run_wide();
            } else {
                self.0.run();
            }
        }
    }
    Arch::new().dispatch(Body(body));
}

/// Replaces every number by its exponential, to 1 ulp.
pub fn exp(values: &mut [f64]) {
    vectorised(Exponentials { values });
}

/// Replaces every g by exp(`location` + `scale` · g): a lognormal number from a standard normal one.
pub fn lognormal(values: &mut [f64], location: f64, scale: f64) {
    vectorised(Lognormals { values, location, scale });
}

/// exp(`location` + `scale` · g), bit for bit as [`lognormal`].
pub(crate) fn lognormal_of(g: f64, location: f64, scale: f64) -> f64 {
    let mut value = g;
    vectorised(OneLognormal { value: &mut value, location, scale });
    value
}

struct OneLognormal<'a> {
    value: &'a mut f64,
    location: f64,
    scale: f64,
}

impl Loop for OneLognormal<'_> {
    #[inline(always)]
    fn run(self) {
        *self.value = exp_of_one(self.scale.mul_add(*self.value, self.location));
    }
}

struct Exponentials<'a> {
    values: &'a mut [f64],
}

impl Loop for Exponentials<'_> {
    #[inline(always)]
    fn run(self) {
        exp_of(self.values, |x| x);
    }
}

struct Lognormals<'a> {
    values: &'a mut [f64],
    location: f64,
    scale: f64,
}

impl Loop for Lognormals<'_> {
    #[inline(always)]
    fn run(self) {
        exp_of(self.values, |g| self.scale.mul_add(g, self.location));
    }
}

/// How many numbers are looked at together for those that need the scalar function.
const CHUNK: usize = 32;
/// Largest argument for which the power of two is surely a normal number.
const LARGEST: f64 = 700.0;

/// Replaces every number by the exponential of a function of it.
#[inline(always)]
fn exp_of(values: &mut [f64], argument: impl Fn(f64) -> f64) {
    let (chunks, rest) = values.as_chunks_mut::<CHUNK>();
    for chunk in chunks {
        exp_of_chunk(chunk, &argument);
    }
    let mut last = [0.0; CHUNK];
    last[..rest.len()].copy_from_slice(rest);
    exp_of_chunk(&mut last, &argument);
    rest.copy_from_slice(&last[..rest.len()]);
}

#[inline(always)]
fn exp_of_chunk(chunk: &mut [f64; CHUNK], argument: &impl Fn(f64) -> f64) {
    let (mut x, mut inside) = ([0.0; CHUNK], true);
    for i in 0..CHUNK {
        x[i] = argument(chunk[i]);
        inside &= x[i].abs() <= LARGEST;
    }
    if inside {
        for i in 0..CHUNK {
            chunk[i] = exp_lane(x[i]);
        }
    } else {
        chunk.iter_mut().zip(x).for_each(|(value, x)| *value = exp_of_one(x));
    }
}

#[inline(always)]
fn exp_of_one(x: f64) -> f64 {
    if x.abs() <= LARGEST { exp_lane(x) } else { real::exp(x) }
}

/// exp(x) for |x| ≤ 700: 2ᵏ times a polynomial of what is left of x, |r| ≤ ½ ln 2; error below 1 ulp.
///
/// A polynomial and no quotient as in [`real::exp`]: half the time. Products and sums are fused, which is what makes the
/// remainder exact enough without a correction.
#[inline(always)]
fn exp_lane(x: f64) -> f64 {
    const LN2_LOW: f64 = 2.319_046_813_846_299_6e-17;
    // adding this leaves an integer in the low bits
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    // (exp r − 1 − r)/r² over the range, coefficients by ascending power: least squares at Chebyshev nodes, error of exp 1.2e-17
    const Q: [f64; 10] = [
        0.500_000_000_000_001_2,
        0.166_666_666_666_664_83,
        0.041_666_666_666_516_31,
        0.008_333_333_333_451_442,
        0.001_388_888_894_668_227_3,
        0.000_198_412_695_971_041_2,
        2.480_149_034_237_594e-5,
        2.755_750_729_306_754_5e-6,
        2.763_112_691_655_867e-7,
        2.502_464_461_535_03e-8,
    ];
    let shifted = x.mul_add(LOG2_E, SHIFT);
    let k = shifted - SHIFT;
    let r = k.mul_add(-LN2_LOW, k.mul_add(-LN_2, x));
    let [q @ .., last] = Q;
    let q = q.iter().rev().fold(last, |sum, c| sum.mul_add(r, *c));
    let y = q.mul_add(r, 1.0).mul_add(r, 1.0);
    y * f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52)
}

/// ln(x) for normal 0 < x < 1: the operations of the scalar function (FreeBSD's `e_log.c`) without its branches.
#[inline(always)]
#[allow(clippy::excessive_precision)] // constants as published
pub(crate) fn ln_lane(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238_164_90e-01;
    const LN2_LOW: f64 = 1.908_214_929_270_587_700_02e-10;
    const L1: f64 = 6.666_666_666_666_735_130e-01;
    const L2: f64 = 3.999_999_999_940_941_908e-01;
    const L3: f64 = 2.857_142_874_366_239_149e-01;
    const L4: f64 = 2.222_219_843_214_978_396e-01;
    const L5: f64 = 1.818_357_216_161_805_012e-01;
    const L6: f64 = 1.531_383_769_920_937_332e-01;
    const L7: f64 = 1.479_819_860_511_658_591e-01;
    const OFFSET: u64 = (0x3ff0_0000 - 0x3fe6_a09e) << 32;
    // 2⁵² as an exponent field: turns an integer in the low bits into a number
    const WHOLE: u64 = 0x4330_0000_0000_0000;

    // x = 2ᵏ (1 + f) with √½ ≤ 1 + f < √2
    let bits = x.to_bits() + OFFSET;
    let k = f64::from_bits(WHOLE | (bits >> 52)) - f64::from_bits(WHOLE) - 1023.0;
    let f = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) + (0x3fe6_a09e_u64 << 32)) - 1.0;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (L2 + w * (L4 + w * L6));
    let odd = z * (L1 + w * (L3 + w * (L5 + w * L7)));
    let r = odd + even;
    s * (half_square + r) + k * LN2_LOW - half_square + f + k * LN2_HIGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::random::Stream;

    /// Numbers of all magnitudes, and those at the joints of the scalar functions.
    fn numbers() -> Vec<f64> {
        let mut stream = Stream::new(1, 0, 0);
        let mut numbers: Vec<f64> = (0..200_000)
            .map(|_| (stream.uniform() - 0.5) * real::exp(40.0 * (stream.uniform() - 0.8)))
            .chain((0..200_000).map(|i| f64::from(i - 100_000) * 0.007))
            .collect();
        for high in [0x3ff0_a2b2_u64, 0x3fd6_2e42, 0x3e30_0000] {
            for low in [0, 1, 0x7fff_ffff, 0xffff_ffff] {
                for sign in [0, 1_u64 << 63] {
                    numbers.extend((0..3).map(|step| f64::from_bits((high + step - 1) << 32 | low | sign)));
                }
            }
        }
        numbers.extend([0.0, -0.0, 1.0, 709.0, 710.0, -708.5, -746.0, f64::INFINITY, f64::NEG_INFINITY]);
        numbers
    }

    /// Distance of two positive numbers in units of the last place.
    fn ulps(a: f64, b: f64) -> u64 {
        a.to_bits().abs_diff(b.to_bits())
    }

    #[test]
    fn exponentials_are_those_of_the_scalar_function_to_one_ulp() {
        let numbers = numbers();
        let mut values = numbers.clone();
        exp(&mut values);
        for (x, found) in numbers.iter().zip(values) {
            assert!(ulps(found, real::exp(*x)) <= 1, "exp({x:e})");
        }
        let mut one = [f64::NAN];
        exp(&mut one);
        assert!(one[0].is_nan());
    }

    #[test]
    fn exponentials_have_the_same_bits_at_every_place() {
        let numbers = numbers();
        let mut values = numbers.clone();
        exp(&mut values);
        for (x, value) in numbers.iter().zip(values).step_by(7) {
            let mut alone = [*x];
            exp(&mut alone);
            assert_eq!(alone[0].to_bits(), value.to_bits(), "exp({x:e})");
        }
    }

    /// exp(x) by mpmath 1.3 with 40 digits, rounded.
    #[test]
    fn exponentials_are_correct_to_one_ulp() {
        let mut values = [-0.7, 0.3465, -0.3466, 1e-9, 20.5, -600.25, 650.125];
        let exact = [
            0.496_585_303_791_409_5,
            1.414_109_493_830_362_4,
            0.707_088_106_941_018_9,
            1.000_000_001,
            799_902_177.475_505_4,
            2.064_130_910_929_509_5e-261,
            2.216_664_914_790_170_8e282,
        ];
        exp(&mut values);
        for (found, exact) in values.into_iter().zip(exact) {
            assert!(ulps(found, exact) <= 1, "{found:e} instead of {exact:e}");
        }
    }

    #[test]
    fn lognormal_numbers_are_those_of_the_formula() {
        let numbers = numbers();
        let mut values = numbers.clone();
        lognormal(&mut values, -0.7, 0.2);
        let mut exponentials: Vec<f64> = numbers.iter().map(|g| 0.2_f64.mul_add(*g, -0.7)).collect();
        exp(&mut exponentials);
        for ((g, found), exponential) in numbers.iter().zip(values).zip(exponentials) {
            assert_eq!(found.to_bits(), exponential.to_bits(), "{g:e}");
            assert_eq!(lognormal_of(*g, -0.7, 0.2).to_bits(), exponential.to_bits(), "{g:e} alone");
        }
    }

    #[test]
    fn logarithms_have_the_bits_of_the_scalar_function() {
        let mut stream = Stream::new(2, 0, 0);
        for i in 0..300_000 {
            let u = stream.uniform();
            let x = if i % 2 == 0 { u } else { u * real::exp(-600.0 * stream.uniform()) };
            assert_eq!(ln_lane(x).to_bits(), real::ln(x).to_bits(), "ln({x:e})");
        }
    }
}
