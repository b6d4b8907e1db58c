//! Random numbers that can be replayed.
//!
//! Every realisation has streams of its own: a [`Stream`] is a pure function of (seed, realisation, purpose), so that
//! realisation i never depends on the others, on their number or on the thread that draws it. The generator is the cipher
//! ChaCha8, which is the same on every machine; seed and purpose are its key, the realisation is its stream.

use super::bulk::{Loop, ln_lane, vectorised};
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
        uniform_of_word(self.0.next_u64())
    }

    /// A number of the normal distribution with mean 0 and standard deviation 1.
    ///
    /// By the inverse of the distribution: one uniform number gives one normal number, whatever its value.
    pub fn normal(&mut self) -> f64 {
        inverse_normal(self.uniform())
    }

    /// Goes to number `index` of the stream, counted from 0: every uniform or normal number counts as one.
    pub(crate) fn seek(&mut self, index: u64) {
        self.0.set_word_pos(2 * u128::from(index));
    }

    /// The next numbers of the stream as raw words: what [`Stream::uniform`] and [`Stream::normal`] are made of.
    pub fn fill_words(&mut self, words: &mut [u64]) {
        let mut bytes = [0; 8 * CHUNK];
        for chunk in words.chunks_mut(CHUNK) {
            let bytes = &mut bytes[..8 * chunk.len()];
            self.0.fill_bytes(bytes);
            for (word, bytes) in chunk.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *word = u64::from_le_bytes(*bytes);
            }
        }
    }

    /// The next numbers of the stream as the bytes of their raw words, lowest first.
    pub(crate) fn fill_bytes(&mut self, bytes: &mut [[u8; 8]]) {
        self.0.fill_bytes(bytes.as_flattened_mut());
    }

    /// The next normal numbers, bit for bit those of [`Stream::normal`], several times faster.
    pub fn fill_normal(&mut self, values: &mut [f64]) {
        let mut words = [0; CHUNK];
        for chunk in values.chunks_mut(CHUNK) {
            let words = &mut words[..chunk.len()];
            self.fill_words(words);
            normals(words, chunk);
        }
    }
}

/// How many numbers are made at once in buffers on the stack.
const CHUNK: usize = 256;

/// The normal numbers that belong to raw words of a stream, as many as the shorter of the two slices holds.
pub(crate) fn normals(words: &[u64], values: &mut [f64]) {
    vectorised(Normals { words, values });
}

struct Normals<'a> {
    words: &'a [u64],
    values: &'a mut [f64],
}

impl Loop for Normals<'_> {
    #[inline(always)]
    fn run(self) {
        for (words, values) in self.words.chunks(CHUNK).zip(self.values.chunks_mut(CHUNK)) {
            normals_of_chunk(words, values);
        }
    }
}

/// Central region for all, then the tails, gathered: both without branches, so that vector units can do them.
#[inline(always)]
fn normals_of_chunk(words: &[u64], values: &mut [f64]) {
    for (word, value) in words.iter().zip(values.iter_mut()) {
        *value = central(centred_of_word(*word));
    }
    // tails as bits first, which needs no branch, then as indices
    let mut indices = [0_u8; CHUNK];
    let mut tails = 0;
    for (part, words) in words[..words.len().min(values.len())].chunks(64).enumerate() {
        let mut bits = words.iter().zip(0..).fold(0, |bits, (word, i)| bits | u64::from(is_tail(*word)) << i);
        while bits != 0 {
            indices[tails % CHUNK] = (64 * part) as u8 | bits.trailing_zeros() as u8;
            tails += 1;
            bits &= bits - 1;
        }
    }
    let indices = &indices[..tails.min(CHUNK)];
    let (mut small, mut far) = ([0.5; CHUNK], [0.0; CHUNK]);
    for (small, i) in small.iter_mut().zip(indices) {
        let u = uniform_of_word(words[usize::from(*i)]);
        *small = if u < 0.5 { u } else { 1.0 - u };
    }
    let padded = tails.next_multiple_of(8).min(CHUNK);
    for (far, small) in far[..padded].iter_mut().zip(&small[..padded]) {
        *far = outer((-ln_lane(*small)).sqrt());
    }
    for ((far, small), i) in far.iter().zip(&small).zip(indices) {
        let far = if *small < 2e-11 { -inverse(*small) } else { *far };
        let i = usize::from(*i);
        values[i] = if words[i] >> 63 == 0 { -far } else { far };
    }
}

/// Whether the probability of a word lies outside the central region, by whole numbers: all numbers here are multiples of
/// 2⁻⁵³, and the limit is rounded down to one.
#[inline(always)]
fn is_tail(word: u64) -> bool {
    const LIMIT: u64 = (CENTRAL * (1_u64 << 53) as f64) as u64;
    ((word >> 11 | 1) as i64 - (1 << 52)).unsigned_abs() > LIMIT
}

/// The bits of 1.
const ONE: u64 = 0x3ff0_0000_0000_0000;
/// 2⁻⁵³.
const HALF_CELL: f64 = 1.0 / (1_u64 << 53) as f64;

/// The middle of the cell of [0, 1] that a word stands for.
#[inline(always)]
fn uniform_of_word(word: u64) -> f64 {
    // 52 bits as the fraction of a number in [1, 2)
    f64::from_bits(ONE | (word >> 12)) - 1.0 + HALF_CELL
}

/// The same less 1/2; all steps are exact.
#[inline(always)]
fn centred_of_word(word: u64) -> f64 {
    f64::from_bits(ONE | (word >> 12)) - 1.5 + HALF_CELL
}

/// Largest distance of a probability from 1/2 in the central region.
const CENTRAL: f64 = 0.425;

#[inline(always)]
fn central(q: f64) -> f64 {
    let r = q.mul_add(-q, 0.180625);
    q * polynomial(&A, r) / polynomial(&B, r)
}

#[inline(always)]
fn outer(r: f64) -> f64 {
    polynomial(&C, r - 1.6) / polynomial(&D, r - 1.6)
}

/// The value below which a standard normal number lies with this probability [-], to full double precision.
///
/// −∞ for a probability ≤ 0, ∞ for one ≥ 1. Algorithm AS 241 (Wichura 1988): rational functions of degree 7 in three
/// regions.
pub(crate) fn inverse_normal(probability: f64) -> f64 {
    let mut value = f64::NAN;
    vectorised(One { probability, value: &mut value });
    value
}

/// One number: fused products are fast only where the instructions of the machine are known.
struct One<'a> {
    probability: f64,
    value: &'a mut f64,
}

impl Loop for One<'_> {
    #[inline(always)]
    fn run(self) {
        *self.value = inverse(self.probability);
    }
}

#[inline(always)]
fn inverse(probability: f64) -> f64 {
    let q = probability - 0.5;
    if q.abs() <= CENTRAL {
        return central(q);
    }
    if probability.is_nan() {
        return f64::NAN;
    }
    let tail = if q < 0.0 { probability } else { 1.0 - probability };
    let distance = if tail > 0.0 {
        let r = (-ln(tail)).sqrt();
        if r <= 5.0 { outer(r) } else { polynomial(&E, r - 5.0) / polynomial(&F, r - 5.0) }
    } else {
        f64::INFINITY
    };
    if q < 0.0 { -distance } else { distance }
}

/// Horner's rule, coefficients by ascending power.
#[inline(always)]
fn polynomial(c: &[f64; 8], x: f64) -> f64 {
    let [c @ .., last] = c;
    c.iter().rev().fold(*last, |sum, c| sum.mul_add(x, *c))
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
    fn many_normal_numbers_are_those_drawn_one_by_one() {
        let (mut one, mut many) = (Stream::new(3, 4, 5), Stream::new(3, 4, 5));
        for count in [1, 7, 255, 256, 257, 3000, 300_000] {
            let mut values = vec![0.0; count];
            many.fill_normal(&mut values);
            assert!(values.iter().all(|value| value.to_bits() == one.normal().to_bits()));
        }
        many.seek(263);
        one.seek(0);
        for _ in 0..263 {
            one.uniform();
        }
        assert_eq!(many.normal(), one.normal());
        // words at the joints and ends of the regions
        let edge = |u: f64| ((u * (1_u64 << 52) as f64) as u64) << 12;
        let words: Vec<u64> = [0.0, 1e-13, 1e-11, 1.9e-11, 2.1e-11, 0.075, 0.5, 0.925, 1.0 - 1e-12]
            .into_iter()
            .flat_map(|u| (0..5).map(move |step| edge(u).wrapping_add(step << 12).wrapping_sub(2 << 12)))
            .collect();
        let mut values = vec![0.0; words.len()];
        normals(&words, &mut values);
        for (word, value) in words.iter().zip(values) {
            assert_eq!(value.to_bits(), inverse_normal(uniform_of_word(*word)).to_bits(), "{word:x}");
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
