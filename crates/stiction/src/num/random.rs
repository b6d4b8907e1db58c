//! Random numbers that can be replayed.
//!
//! Every realisation has streams of its own: a [`Stream`] is a pure function of (seed, realisation, purpose), so that
//! realisation i never depends on the others, on their number or on the thread that draws it. The generator is the cipher
//! ChaCha8, which is the same on every machine; seed and purpose are its key, the realisation is its stream.

use super::real::ln;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// The random numbers of one purpose (for instance: one parameter) in one realisation.
#[derive(Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream of this purpose in this realisation.
    pub fn new(seed: u64, realisation: u64, purpose: u64) -> Self {
        let mut key = [0; 32];
        let words = seed.to_le_bytes().into_iter().chain(purpose.to_le_bytes());
        for (byte, word) in key.iter_mut().zip(words) {
            *byte = word;
        }
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(realisation);
        Self(generator)
    }

    /// A number between 0 and 1, never one of them: the middle of one of 2⁵² equal cells.
    pub fn uniform(&mut self) -> f64 {
        const CELL: f64 = 1.0 / (1_u64 << 52) as f64;
        ((self.0.next_u64() >> 12) as f64 + 0.5) * CELL
    }

    /// A number of the normal distribution with mean 0 and standard deviation 1.
    ///
    /// By the inverse of the distribution: one uniform number gives one normal number, whatever its value.
    pub fn normal(&mut self) -> f64 {
        inverse_normal(self.uniform())
    }
}

/// The value below which a standard normal number lies with this probability [-], to full double precision.
///
/// −∞ for a probability ≤ 0, ∞ for one ≥ 1. Algorithm AS 241 (Wichura 1988): rational functions of degree 7 in three
/// regions.
pub fn inverse_normal(probability: f64) -> f64 {
    let q = probability - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * polynomial(&A, r) / polynomial(&B, r);
    }
    if probability.is_nan() {
        return f64::NAN;
    }
    let tail = if q < 0.0 { probability } else { 1.0 - probability };
    let distance = if tail > 0.0 {
        let r = (-ln(tail)).sqrt();
        if r <= 5.0 {
            polynomial(&C, r - 1.6) / polynomial(&D, r - 1.6)
        } else {
            polynomial(&E, r - 5.0) / polynomial(&F, r - 5.0)
        }
    } else {
        f64::INFINITY
    };
    if q < 0.0 { -distance } else { distance }
}

/// Horner's rule, coefficients by ascending power.
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

// coefficients of AS 241, by ascending power; their 20 printed digits rounded to doubles. Transcription was checked with
// the sums of mantissas that the algorithm is published with.
const A: [f64; 8] = [
    3.387_132_872_796_366_5,
    133.141_667_891_784_38,
    1_971.590_950_306_551_3,
    13_731.693_765_509_46,
    45_921.953_931_549_87,
    67_265.770_927_008_7,
    33_430.575_583_588_13,
    2_509.080_928_730_122_7,
];
const B: [f64; 8] = [
    1.0,
    42.313_330_701_600_91,
    687.187_007_492_057_9,
    5_394.196_021_424_751,
    21_213.794_301_586_597,
    39_307.895_800_092_71,
    28_729.085_735_721_943,
    5_226.495_278_852_854,
];
const C: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    0.241_780_725_177_450_6,
    0.022_723_844_989_269_184,
    0.000_774_545_014_278_341_4,
];
const D: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    0.689_767_334_985_1,
    0.148_103_976_427_480_08,
    0.015_198_666_563_616_457,
    0.000_547_593_808_499_534_5,
    1.050_750_071_644_416_9e-9,
];
const E: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    0.296_560_571_828_504_87,
    0.026_532_189_526_576_124,
    0.001_242_660_947_388_078_4,
    2.711_555_568_743_487_6e-5,
    2.010_334_399_292_288_1e-7,
];
const F: [f64; 8] = [
    1.0,
    0.599_832_206_555_888,
    0.136_929_880_922_735_8,
    0.014_875_361_290_850_615,
    0.000_786_869_131_145_613_3,
    1.846_318_317_510_054_8e-5,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_7e-15,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::erfc;

    #[test]
    fn streams_are_those_of_the_cipher() {
        // the first: the published key stream of ChaCha8 for a key and a nonce of zeros, 3e00ef2f895f40d6...; the others:
        // an independent implementation of the cipher
        let first = ((0xd640_5f89_2fef_003e_u64 >> 12) as f64 + 0.5) / (1_u64 << 52) as f64;
        assert_eq!(Stream::new(0, 0, 0).uniform(), first);
        for (numbers, expected) in [
            ((0, 0, 0), [0.836_919_756_882_647_3, 0.631_424_494_066_523_1]),
            ((1, 0, 0), [0.381_489_413_238_261, 0.294_927_325_781_675]),
            ((1, 1, 0), [0.103_533_138_648_742_47, 0.817_991_633_357_712_5]),
            ((1, 0, 1), [0.235_527_592_326_240_65, 0.829_717_055_321_670_5]),
            ((7, 999, 3), [0.360_553_373_781_589_7, 0.745_344_473_099_430_2]),
        ] {
            let mut stream = Stream::new(numbers.0, numbers.1, numbers.2);
            assert_eq!([stream.uniform(), stream.uniform()], expected, "{numbers:?}");
        }
    }

    #[test]
    fn known_quantiles_are_met_to_the_last_digits() {
        for (probability, expected) in [
            (0.42, -0.201_893_479_141_850_85),
            (0.1, -1.281_551_565_544_600_5),
            (0.0749, -1.440_238_267_527_963_6),
            (1e-3, -3.090_232_306_167_813_5),
            (1e-10, -6.361_340_902_404_056),
            (1e-20, -9.262_340_089_798_408),
            (1e-300, -37.047_096_299_361_2),
        ] {
            let found = inverse_normal(probability);
            assert!((found - expected).abs() <= 4e-16 * expected.abs(), "{probability}: {found:e}, not {expected:e}");
        }
        assert_eq!(inverse_normal(0.5), 0.0);
        assert_eq!(inverse_normal(0.75), -inverse_normal(0.25));
        assert_eq!(inverse_normal(0.0), f64::NEG_INFINITY);
        assert_eq!(inverse_normal(1.0), f64::INFINITY);
        assert!(inverse_normal(f64::NAN).is_nan());
    }

    #[test]
    fn it_is_the_inverse_of_the_distribution() {
        let mut before = f64::NEG_INFINITY;
        for i in 1..20_000 {
            let probability = f64::from(i) / 20_000.0;
            let value = inverse_normal(probability);
            assert!(value > before, "falls at {probability}");
            before = value;
            let back = 0.5 * erfc(-value / std::f64::consts::SQRT_2);
            // an error of one unit in the last place of the value changes the probability by |value| φ(value) units
            assert!((back - probability).abs() <= 4e-16, "{probability}: back to {back}");
        }
    }

    #[test]
    fn the_ends_of_the_uniform_numbers_have_normal_numbers() {
        let cell = 0.5_f64.powi(53);
        assert!(inverse_normal(cell).is_finite() && inverse_normal(1.0 - cell) == -inverse_normal(cell));
    }
}
