//! White noise on an endless lattice, every number at an address of its own.
//!
//! Column i starts at number 2³¹ z(i) of the stream; within it row j is number z(j), where z runs 0, 1, −1, 2, −2, ... A
//! longer or wider domain thus appends and changes nothing.

use super::FIELD;
use crate::num::bulk::{Loop, vectorised};
use crate::num::purpose::Germ;
use crate::num::random::{Stream, normals};
use std::ops::Range;

/// Columns −2³² < i < 2³² have noise.
pub(crate) const COLUMNS: i64 = 1 << 32;
/// Rows −2³⁰ < j < 2³⁰ have noise.
pub(crate) const ROWS: i64 = 1 << 30;

/// Words drawn at once; even.
const CHUNK: usize = 256;

/// The noise of one realisation.
#[derive(Debug)]
pub(crate) struct Noise {
    stream: Stream,
    sign: f64,
    // kept, since clearing them for every column would cost as much as drawing
    words: [[u8; 8]; CHUNK],
    chosen: [u64; CHUNK],
    values: [f64; CHUNK],
}

/// Place in the order 0, 1, −1, 2, −2, ...
fn zigzag(i: i64) -> u64 {
    if i > 0 { 2 * i.unsigned_abs() - 1 } else { 2 * i.unsigned_abs() }
}

impl Noise {
    pub(crate) fn new(germ: &Germ) -> Self {
        let (words, chosen, values) = ([[0; 8]; CHUNK], [0; CHUNK], [0.0; CHUNK]);
        Self { stream: germ.stream(FIELD), sign: germ.sign(), words, chosen, values }
    }

    /// The numbers of these rows of a column, as many as `target` has places.
    pub(crate) fn column(&mut self, column: i64, rows: Range<i64>, target: &mut [f64]) {
        if rows.is_empty() {
            return;
        }
        let ends = [zigzag(rows.start), zigzag(rows.end - 1)];
        let start = if rows.contains(&0) { 0 } else { ends[0].min(ends[1]) & !1 };
        let end = ends[0].max(ends[1]) + 1;
        self.stream.seek((zigzag(column) << 31) + start);
        let Self { stream, sign, words, chosen, values } = self;
        let mut at = start;
        while at < end {
            let length = CHUNK.min((end - at) as usize);
            stream.fill_bytes(&mut words[..length]);
            // even places hold rows −m, −m − 1, ..., odd ones rows m + 1, m + 2, ...
            let middle = (at / 2) as i64;
            let clip = |row: i64, most: usize| (row.max(0) as usize).min(most);
            let (evens, odds) = (length.div_ceil(2), length / 2);
            let even = clip(1 - middle - rows.end, evens)..clip(1 - middle - rows.start, evens);
            let odd = clip(rows.start - middle - 1, odds)..clip(rows.end - middle - 1, odds);
            vectorised(Choice { words, even: even.clone(), odd: odd.clone(), chosen });
            let count = even.len() + odd.len();
            normals(&chosen[..count], &mut values[..count]);
            let (left, right) = values[..count].split_at(even.len());
            // even places run downwards
            let last = (1 - middle - even.end as i64 - rows.start) as usize;
            let first = (middle + 1 + odd.start as i64 - rows.start) as usize;
            vectorised(Placing { left, right, sign: *sign, last, first, target });
            at += length as u64;
        }
    }
}

/// Words at even places, then words at odd places.
struct Choice<'a> {
    words: &'a [[u8; 8]; CHUNK],
    even: Range<usize>,
    odd: Range<usize>,
    chosen: &'a mut [u64; CHUNK],
}

impl Loop for Choice<'_> {
    #[inline(always)]
    fn run(self) {
        let pairs = self.words.as_chunks::<2>().0;
        let (left, right) = self.chosen.split_at_mut(self.even.len());
        left.iter_mut().zip(&pairs[self.even]).for_each(|(chosen, pair)| *chosen = u64::from_le_bytes(pair[0]));
        right.iter_mut().zip(&pairs[self.odd]).for_each(|(chosen, pair)| *chosen = u64::from_le_bytes(pair[1]));
    }
}

/// Numbers of even places downwards from place `last`, those of odd places upwards from place `first`.
struct Placing<'a> {
    left: &'a [f64],
    right: &'a [f64],
    sign: f64,
    last: usize,
    first: usize,
    target: &'a mut [f64],
}

impl Loop for Placing<'_> {
    #[inline(always)]
    fn run(self) {
        let downwards = self.target.iter_mut().skip(self.last).zip(self.left.iter().rev());
        downwards.for_each(|(target, value)| *target = self.sign * value);
        let upwards = self.target.iter_mut().skip(self.first).zip(self.right);
        upwards.for_each(|(target, value)| *target = self.sign * value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(i: i64, rows: Range<i64>) -> Vec<f64> {
        let mut found = vec![f64::NAN; (rows.end - rows.start).max(0) as usize];
        Noise::new(&Germ::new(1, 2)).column(i, rows, &mut found);
        found
    }

    #[test]
    fn rows_run_outwards_from_zero() {
        let mut stream = Germ::new(1, 2).stream(FIELD);
        stream.seek(3 << 31);
        let drawn: Vec<f64> = (0..5).map(|_| stream.normal()).collect();
        assert_eq!(column(2, -2..3), [drawn[4], drawn[2], drawn[0], drawn[1], drawn[3]]);
    }

    #[test]
    fn a_part_of_a_column_is_a_part_of_it() {
        let whole = column(-7, -1000..1000);
        assert!(whole.iter().all(|value| value.is_finite()));
        for rows in
            [-1000..-999, -600..-1, -600..0, -5..1, -3..700, 0..1, 0..400, 1..2, 2..900, 511..999, 128..129, 4..4]
        {
            let range = (rows.start + 1000) as usize..(rows.end + 1000) as usize;
            assert_eq!(column(-7, rows.clone()), whole[range], "{rows:?}");
        }
        assert_ne!(column(-7, 0..4), column(7, 0..4));
    }

    #[test]
    fn the_ends_have_noise() {
        let far = column(COLUMNS - 1, ROWS - 4..ROWS);
        assert!(far.iter().all(|value| value.is_finite()));
        assert_ne!(far, column(1 - COLUMNS, ROWS - 4..ROWS));
    }
}
