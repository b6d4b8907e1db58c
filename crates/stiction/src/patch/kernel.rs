//! The friction of a patch on a lattice, fast.
//!
//! All nodes of the patch have the same place within their grid cells, so that one set of interpolation weights serves all of
//! them and nothing is gathered. Along a column of nodes r is constant and p = a − c η linear: with q = W H/s the sums
//! Σq, Σqη and Σqη² of every column give force and torque. Products are made in the numbers in which the field is stored,
//! columns are added in double precision.

use super::dissipation::{Twist, Wrench};
use super::lattice::{Column, PADDING};
use crate::num::bulk::Loop;
use std::ops::{Add, Mul, Sub};

/// `f32` or `f64`.
pub(super) trait Number: Copy + Default + Add<Output = Self> + Mul<Output = Self> + Sub<Output = Self> {
    fn of(value: f64) -> Self;
    fn wide(self) -> f64;
    fn inverse_root(self) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
    #[inline(always)]
    fn inverse_root(self) -> Self {
        1.0 / self.sqrt()
    }
}

impl Number for f32 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value as f32
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn inverse_root(self) -> Self {
        1.0 / self.sqrt()
    }
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
    /// At least as long as the longest column and [`PADDING`].
    pub(super) scratch: &'a mut [T],
    pub(super) gradient: &'a mut Wrench,
}

impl<T: Number, const TAPS: usize> Loop for Evaluation<'_, T, TAPS> {
    #[inline(always)]
    fn run(self) {
        const L: usize = PADDING;
        let [a, b, c] = self.twist;
        let (across, along) = (self.across.map(T::of), self.along.map(T::of));
        let (slip, turn) = (T::of(a), T::of(c));
        // Σq, Ση q, Ση² q, Σ r q, Σ ξ r q over all columns
        let mut totals = [[0.0_f64; L]; 5];
        for column in self.columns {
            let r = b + c * column.xi;
            let floor = T::of(r * r + self.spread * c * c);
            let length = column.count + L;
            let Some(scratch) = self.scratch.get_mut(..length) else { continue };
            let source = |tap: usize| {
                let start = column.corner[0] * self.stride + column.corner[1] + tap * self.stride;
                self.numbers.get(start..start + length).unwrap_or_default()
            };
            let sources: [&[T]; TAPS] = std::array::from_fn(source);
            if sources[TAPS - 1].len() < length {
                continue;
            }
            // the columns of the field combined into one
            for (block, out) in scratch.chunks_exact_mut(L).enumerate() {
                let mut sum = [T::default(); L];
                for tap in 0..TAPS {
                    let source = &sources[tap][block * L..block * L + L];
                    for lane in 0..L {
                        sum[lane] = sum[lane] + across[tap] * source[lane];
                    }
                }
                out.copy_from_slice(&sum);
            }
            let weights = self.weights.get(column.start..column.start + column.count).unwrap_or_default();
            let rows = self.rows.get(column.corner[1]..column.corner[1] + column.count).unwrap_or_default();
            let mut sums = [[T::default(); L]; 3];
            for (block, (weight, eta)) in weights.chunks_exact(L).zip(rows.chunks_exact(L)).enumerate() {
                let mut value = [T::default(); L];
                for tap in 0..TAPS {
                    let source = &scratch[block * L + tap..block * L + tap + L];
                    for lane in 0..L {
                        value[lane] = value[lane] + along[tap] * source[lane];
                    }
                }
                for lane in 0..L {
                    let p = slip - turn * eta[lane];
                    let q = weight[lane] * value[lane] * (p * p + floor).inverse_root();
                    let moment = q * eta[lane];
                    sums[0][lane] = sums[0][lane] + q;
                    sums[1][lane] = sums[1][lane] + moment;
                    sums[2][lane] = sums[2][lane] + moment * eta[lane];
                }
            }
            let arm = column.xi * r;
            for lane in 0..L {
                let q = sums[0][lane].wide();
                totals[0][lane] += q;
                totals[1][lane] += sums[1][lane].wide();
                totals[2][lane] += sums[2][lane].wide();
                totals[3][lane] += r * q;
                totals[4][lane] += arm * q;
            }
        }
        let [q, eta, square, across, arm] = totals.map(|lanes| lanes.iter().sum::<f64>());
        // τ = ξ r − η p + c² ω
        *self.gradient = [a * q - c * eta, across, arm - a * eta + c * square + self.spread * c * q];
    }
}
