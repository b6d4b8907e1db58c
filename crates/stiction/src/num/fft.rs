//! Discrete Fourier transforms with reproducible bits, eight at a time.
//!
//! ```text
//! X_k = Σ_p x_p exp(−2πi k p/n)
//! ```
//! Transforms lie side by side in the lanes of vectors, so that every operation is one of whole vectors; the angles come
//! from [`real`](super::real), and nothing is fused. The bits are therefore the same on every machine, which no library
//! with hand-made kernels promises. Any length works; lengths of small prime factors are fast.

use super::bulk::{Loop, vectorised};
use super::real::{cos, sin};

/// Transforms that are done together.
pub(crate) const LANES: usize = 8;

/// One place of `LANES` complex sequences.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(crate) struct Pack {
    /// Real parts.
    pub(crate) re: [f64; LANES],
    /// Imaginary parts.
    pub(crate) im: [f64; LANES],
}

impl Pack {
    /// Zeros.
    pub(crate) const ZERO: Pack = Pack { re: [0.0; LANES], im: [0.0; LANES] };

    #[inline(always)]
    fn plus(self, other: Pack) -> Pack {
        let mut sum = self;
        for lane in 0..LANES {
            sum.re[lane] += other.re[lane];
            sum.im[lane] += other.im[lane];
        }
        sum
    }

    #[inline(always)]
    fn minus(self, other: Pack) -> Pack {
        let mut difference = self;
        for lane in 0..LANES {
            difference.re[lane] -= other.re[lane];
            difference.im[lane] -= other.im[lane];
        }
        difference
    }

    #[inline(always)]
    fn scaled(self, factor: f64) -> Pack {
        let mut scaled = self;
        for lane in 0..LANES {
            scaled.re[lane] *= factor;
            scaled.im[lane] *= factor;
        }
        scaled
    }

    /// Times −i.
    #[inline(always)]
    fn turned_back(self) -> Pack {
        let mut turned = Pack { re: self.im, im: self.re };
        for lane in 0..LANES {
            turned.im[lane] = -turned.im[lane];
        }
        turned
    }

    #[inline(always)]
    fn times(self, [c, s]: [f64; 2]) -> Pack {
        let mut product = Pack::ZERO;
        for lane in 0..LANES {
            product.re[lane] = self.re[lane] * c - self.im[lane] * s;
            product.im[lane] = self.re[lane] * s + self.im[lane] * c;
        }
        product
    }
}

/// Transforms of one length.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fft {
    factors: Vec<usize>,
    /// exp(−2πi k/n).
    turns: Vec<[f64; 2]>,
}

/// The smallest even number ≥ `size` without prime factors above 5; None if there is none that can be stored.
pub(crate) fn smooth_size(size: usize) -> Option<usize> {
    let mut best: Option<usize> = None;
    let mut fives = 1_usize;
    loop {
        let mut threes = fives;
        loop {
            let factor = size.div_ceil(threes).max(2).checked_next_power_of_two();
            let candidate = factor.and_then(|factor| factor.checked_mul(threes));
            best = match (best, candidate) {
                (Some(best), Some(candidate)) => Some(best.min(candidate)),
                (best, candidate) => best.or(candidate),
            };
            match threes.checked_mul(3) {
                Some(next) if threes < size => threes = next,
                _ => break,
            }
        }
        match fives.checked_mul(5) {
            Some(next) if fives < size => fives = next,
            _ => break,
        }
    }
    best
}

impl Fft {
    /// Transforms of sequences of `length` ≥ 1 numbers; a length of 0 is taken as 1.
    pub(crate) fn new(length: usize) -> Self {
        let length = length.max(1);
        let mut factors = Vec::new();
        let mut rest = length;
        for factor in [4, 2, 3, 5] {
            while rest.is_multiple_of(factor) {
                factors.push(factor);
                rest /= factor;
            }
        }
        let mut factor = 7;
        while rest > 1 {
            if factor * factor > rest {
                factor = rest;
            }
            while rest.is_multiple_of(factor) {
                factors.push(factor);
                rest /= factor;
            }
            factor += 2;
        }
        let turns = (0..length)
            .map(|k| {
                let angle = -2.0 * std::f64::consts::PI * (k as f64 / length as f64);
                [cos(angle), sin(angle)]
            })
            .collect();
        Self { factors, turns }
    }

    /// Length of the sequences.
    pub(crate) fn length(&self) -> usize {
        self.turns.len()
    }

    /// Transforms the sequences in place. `work` is used as memory; both must be as long as the sequences, otherwise only
    /// what both hold is touched and the result means nothing.
    pub(crate) fn transform(&self, data: &mut [Pack], work: &mut [Pack]) {
        if data.len() == self.length() && work.len() == self.length() {
            vectorised(Stages { fft: self, data, work });
        }
    }
}

struct Stages<'a> {
    fft: &'a Fft,
    data: &'a mut [Pack],
    work: &'a mut [Pack],
}

impl Loop for Stages<'_> {
    /// Stockham's order: every stage reads from one array and writes, sorted, to the other.
    #[inline(always)]
    fn run(self) {
        let (mut from, mut to) = (self.data, self.work);
        let turns = &self.fft.turns;
        let mut stride = 1;
        for &factor in &self.fft.factors {
            match factor {
                2 => stage::<2>(from, to, turns, stride, two),
                3 => stage::<3>(from, to, turns, stride, three),
                4 => stage::<4>(from, to, turns, stride, four),
                5 => stage::<5>(from, to, turns, stride, five),
                other => general_stage(from, to, turns, stride, other),
            }
            std::mem::swap(&mut from, &mut to);
            stride *= factor;
        }
        if self.fft.factors.len() % 2 == 1 {
            to.copy_from_slice(from);
        }
    }
}

#[inline(always)]
fn stage<const N: usize>(
    from: &[Pack],
    to: &mut [Pack],
    turns: &[[f64; 2]],
    stride: usize,
    butterfly: impl Fn([Pack; N]) -> [Pack; N],
) {
    let quarter = from.len() / N;
    let groups = quarter / stride;
    for (group, to) in (0..groups).zip(to.chunks_exact_mut(N * stride)) {
        for within in 0..stride {
            let mut packs = [Pack::ZERO; N];
            for (k, pack) in packs.iter_mut().enumerate() {
                *pack = from[group * stride + within + k * quarter];
            }
            let packs = butterfly(packs);
            for (k, pack) in packs.iter().enumerate() {
                to[within + k * stride] = pack.times(turns[group * k * stride]);
            }
        }
    }
}

#[inline(always)]
fn two([a, b]: [Pack; 2]) -> [Pack; 2] {
    [a.plus(b), a.minus(b)]
}

#[inline(always)]
fn three([a, b, c]: [Pack; 3]) -> [Pack; 3] {
    const SIN: f64 = 0.866_025_403_784_438_6;
    let (sum, difference) = (b.plus(c), b.minus(c).scaled(SIN).turned_back());
    let middle = a.minus(sum.scaled(0.5));
    [a.plus(sum), middle.plus(difference), middle.minus(difference)]
}

#[inline(always)]
fn four([a, b, c, d]: [Pack; 4]) -> [Pack; 4] {
    let (even, odd) = (a.plus(c), b.plus(d));
    let (left, right) = (a.minus(c), b.minus(d).turned_back());
    [even.plus(odd), left.plus(right), even.minus(odd), left.minus(right)]
}

#[inline(always)]
fn five([a, b, c, d, e]: [Pack; 5]) -> [Pack; 5] {
    const COS: [f64; 2] = [0.309_016_994_374_947_45, -0.809_016_994_374_947_5];
    const SIN: [f64; 2] = [0.951_056_516_295_153_5, 0.587_785_252_292_473_1];
    let (outer, inner) = (b.plus(e), c.plus(d));
    let (wide, narrow) = (b.minus(e), c.minus(d));
    let first = a.plus(outer.scaled(COS[0])).plus(inner.scaled(COS[1]));
    let second = a.plus(outer.scaled(COS[1])).plus(inner.scaled(COS[0]));
    let one = wide.scaled(SIN[0]).plus(narrow.scaled(SIN[1])).turned_back();
    let two = wide.scaled(SIN[1]).minus(narrow.scaled(SIN[0])).turned_back();
    [a.plus(outer).plus(inner), first.plus(one), second.plus(two), second.minus(two), first.minus(one)]
}

/// A factor without a formula of its own: the plain sum.
fn general_stage(from: &[Pack], to: &mut [Pack], turns: &[[f64; 2]], stride: usize, factor: usize) {
    let part = from.len() / factor;
    let root = from.len() / factor;
    for group in 0..part / stride {
        for within in 0..stride {
            for k in 0..factor {
                let mut sum = Pack::ZERO;
                for m in 0..factor {
                    sum = sum.plus(from[group * stride + within + m * part].times(turns[k * m % factor * root]));
                }
                to[group * factor * stride + within + k * stride] = sum.times(turns[group * k * stride]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::random::Stream;

    #[test]
    fn transforms_are_the_sums_of_the_definition() {
        for length in [1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 22, 30, 49, 64, 75, 97, 120, 198, 240] {
            let mut stream = Stream::new(1, length as u64, 0);
            let mut data = vec![Pack::ZERO; length];
            for pack in &mut data {
                stream.fill_normal(&mut pack.re);
                stream.fill_normal(&mut pack.im);
            }
            let original = data.clone();
            let fft = Fft::new(length);
            fft.transform(&mut data, &mut vec![Pack::ZERO; length]);
            for (k, found) in data.iter().enumerate() {
                for lane in [0, 3, 7] {
                    let (mut re, mut im) = (0.0, 0.0);
                    for (p, pack) in original.iter().enumerate() {
                        let angle = -2.0 * std::f64::consts::PI * ((k * p % length) as f64 / length as f64);
                        let (c, s) = (cos(angle), sin(angle));
                        re += pack.re[lane] * c - pack.im[lane] * s;
                        im += pack.re[lane] * s + pack.im[lane] * c;
                    }
                    let error = (found.re[lane] - re).abs() + (found.im[lane] - im).abs();
                    assert!(error < 3e-14 * (length as f64).sqrt().max(3.0), "{length}: {error:e}");
                }
            }
        }
    }

    #[test]
    fn smooth_sizes_are_the_next_ones() {
        let smooth = |mut n: usize| {
            for p in [2, 3, 5] {
                while n.is_multiple_of(p) {
                    n /= p;
                }
            }
            n == 1
        };
        for size in 0..3000 {
            let expected = (size.max(2)..).find(|n| n % 2 == 0 && smooth(*n));
            assert_eq!(smooth_size(size), expected, "{size}");
        }
        assert_eq!(smooth_size(4127), Some(4320));
        assert_eq!(smooth_size(usize::MAX), None);
    }
}
