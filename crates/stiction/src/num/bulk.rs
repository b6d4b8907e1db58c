//! Elementary functions of many numbers at once, with the bits of [`real`].
//!
//! The same operations in the same order as the scalar functions, without branches, so that the compiler can spread them
//! over the lanes of a vector unit. Which unit the machine has is found at run time. Nothing is fused or reordered: the
//! results are the same bits with and without vector units.

use super::real;
use pulp::{Arch, Simd, WithSimd};
use std::f64::consts::LOG2_E;

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

/// Replaces every number by its exponential, bit for bit that of [`real::exp`].
pub fn exp(values: &mut [f64]) {
    vectorised(Exponentials { values });
}

/// Replaces every g by exp(`location` + `scale` · g): a lognormal number from a standard normal one. The bits are those of
/// [`real::exp`].
pub fn lognormal(values: &mut [f64], location: f64, scale: f64) {
    vectorised(Lognormals { values, location, scale });
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
        exp_of(self.values, |g| self.location + self.scale * g);
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
        chunk.iter_mut().for_each(|value| *value = real::exp(argument(*value)));
    }
}

/// exp(x) for |x| ≤ 700: the operations of the scalar function (FreeBSD's `e_exp.c`: reduction by multiples of ln 2, then a
/// rational function; error below 1 ulp) with selections in place of branches.
#[inline(always)]
#[allow(clippy::excessive_precision)] // constants as published
fn exp_lane(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238_164_90e-01;
    const LN2_LOW: f64 = 1.908_214_929_270_587_700_02e-10;
    const P1: f64 = 1.666_666_666_666_660_190_37e-01;
    const P2: f64 = -2.777_777_777_701_559_338_42e-03;
    const P3: f64 = 6.613_756_321_437_934_361_17e-05;
    const P4: f64 = -1.653_390_220_546_525_153_90e-06;
    const P5: f64 = 4.138_136_797_057_238_460_39e-08;
    // adding this leaves an integer in the low bits
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    // the scalar function compares the upper halves of the bits
    const REDUCED_FROM: f64 = f64::from_bits(0x3fd6_2e43 << 32);
    const CURVED_FROM: f64 = f64::from_bits(0x3e30_0001 << 32);

    // the scalar function sets ±1 below 1.0397 < 1.5 ln 2, where rounding gives the same
    let rounded = (LOG2_E * x + f64::copysign(0.5, x)).trunc();
    let k = if x.abs() >= REDUCED_FROM { rounded } else { 0.0 };
    let high = x - k * LN2_HIGH;
    let low = k * LN2_LOW;
    let reduced = high - low;
    let square = reduced * reduced;
    let c = reduced - square * (P1 + square * (P2 + square * (P3 + square * (P4 + square * P5))));
    let y = 1.0 + (reduced * c / (2.0 - c) - low + high);
    let power = f64::from_bits((k + SHIFT).to_bits().wrapping_add(1023) << 52);
    if x.abs() >= CURVED_FROM { y * power } else { 1.0 + x }
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

    #[test]
    fn exponentials_have_the_bits_of_the_scalar_function() {
        let numbers = numbers();
        let mut values = numbers.clone();
        exp(&mut values);
        for (x, found) in numbers.iter().zip(values) {
            assert_eq!(found.to_bits(), real::exp(*x).to_bits(), "exp({x:e})");
        }
        let mut one = [f64::NAN];
        exp(&mut one);
        assert!(one[0].is_nan());
    }

    #[test]
    fn lognormal_numbers_have_the_bits_of_the_formula() {
        let numbers = numbers();
        let mut values = numbers.clone();
        lognormal(&mut values, -0.7, 0.2);
        for (g, found) in numbers.iter().zip(values) {
            assert_eq!(found.to_bits(), real::exp(-0.7 + 0.2 * g).to_bits(), "{g:e}");
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
