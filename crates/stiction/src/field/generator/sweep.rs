//! The two banded products of the separable generator, G = W_x Ξ W_yᵀ, column by column along x.
//!
//! Noise columns are smoothed along y first, many columns in the lanes of a vector unit; then along x, many rows in the
//! lanes. Every value is the sum of its own terms in ascending order of the nodes, so that it does not depend on the grid,
//! the tile or the lanes that it was made in.

use super::GeneratorError;
use super::kernel::{Axis, Nodes, TERMS};
use super::noise::Noise;
use crate::field::lattice::Grid;
use crate::num::bulk::{Loop, vectorised};
use std::ops::Range;

/// Noise columns that are smoothed together.
const LANES: usize = 32;
/// Rows that are written together.
const ROWS: usize = 8;
/// Rows whose sums along x are kept in registers.
const STRIPE: usize = 32;

/// What is known of the rows of a grid before any noise is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    nodes: Nodes,
    weights: Vec<[f64; TERMS]>,
    /// Distance between smoothed columns in memory: whole stripes, and no multiple of a memory page.
    stride: usize,
}

impl Rows {
    pub(crate) fn new(axis: &Axis, grid: &Grid) -> Result<Self, GeneratorError> {
        let (firsts, weights) = axis.windows((0..grid.count()[1]).map(|j| grid.y(j)))?;
        let stride = (weights.len().next_multiple_of(STRIPE) + STRIPE / 2).next_multiple_of(STRIPE) + 8;
        Ok(Self { nodes: Nodes::of(&firsts), weights, stride })
    }

    /// Memory that a sweep over tiles of this many noise columns takes [bytes].
    pub(crate) fn memory(&self, columns: usize) -> usize {
        8 * (self.nodes.count * LANES + self.stride * (columns + 2 * LANES))
    }
}

/// The smoothed noise columns of one realisation near the columns that were asked for last.
#[derive(Debug)]
pub(crate) struct Sweep<'a> {
    rows: &'a Rows,
    noise: Noise,
    /// Nodes of the smoothed columns.
    columns: Vec<i64>,
    smoothed: Vec<f64>,
    /// Noise of some columns: row by row, columns side by side.
    block: Vec<f64>,
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(rows: &'a Rows, noise: Noise) -> Self {
        Self { rows, noise, columns: Vec::new(), smoothed: Vec::new(), block: vec![0.0; rows.nodes.count * LANES] }
    }

    /// Standard Gaussian values of some columns of the grid.
    pub(crate) fn fill(
        &mut self,
        axis: &Axis,
        grid: &Grid,
        range: Range<usize>,
        values: &mut [f64],
    ) -> Result<(), GeneratorError> {
        let (firsts, weights) = axis.windows(range.map(|i| grid.x(i)))?;
        let nodes = Nodes::of(&firsts);
        self.smooth(&nodes);
        vectorised(AlongX {
            smoothed: &self.smoothed,
            stride: self.rows.stride,
            places: &nodes.places,
            weights: &weights,
            rows: self.rows.weights.len(),
            values,
        });
        Ok(())
    }

    /// Makes the smoothed columns of these nodes, and no others.
    fn smooth(&mut self, nodes: &Nodes) {
        let stride = self.rows.stride;
        let wanted: Vec<i64> = nodes.all().collect();
        // what the tile before left is kept
        let kept = match wanted.first().map(|first| self.columns.partition_point(|column| column < first)) {
            Some(from) if self.columns[from..].iter().eq(wanted.iter().take(self.columns.len() - from)) => {
                self.smoothed.copy_within(from * stride..self.columns.len() * stride, 0);
                self.columns.len() - from
            }
            _ => 0,
        };
        self.smoothed.resize(wanted.len().next_multiple_of(LANES) * stride + LANES * stride, 0.0);
        for (group, columns) in wanted[kept..].chunks(LANES).enumerate() {
            for (lane, &column) in columns.iter().enumerate() {
                let mut row = 0;
                for run in &self.rows.nodes.runs {
                    let block = &mut self.block[row * LANES + lane..];
                    self.noise.column(column, run.clone(), |place, value| {
                        if let Some(entry) = block.get_mut(place * LANES) {
                            *entry = value;
                        }
                    });
                    row += (run.end - run.start) as usize;
                }
            }
            let start = (kept + group * LANES) * stride;
            vectorised(AlongY {
                block: self.block.as_chunks().0,
                places: &self.rows.nodes.places,
                weights: &self.rows.weights,
                stride,
                smoothed: &mut self.smoothed[start..start + LANES * stride],
            });
        }
        self.columns = wanted;
    }
}

/// t_i(y) = Σ_j w_j(y) ξ_ij for the columns i of a block.
struct AlongY<'a> {
    block: &'a [[f64; LANES]],
    places: &'a [usize],
    weights: &'a [[f64; TERMS]],
    stride: usize,
    smoothed: &'a mut [f64],
}

impl Loop for AlongY<'_> {
    #[inline(always)]
    fn run(self) {
        let mut tile = [[0.0; LANES]; ROWS];
        let mut start = 0;
        for (places, weights) in self.places.chunks(ROWS).zip(self.weights.chunks(ROWS)) {
            for ((sums, place), weights) in tile.iter_mut().zip(places).zip(weights) {
                let mut lanes = [0.0; LANES];
                for (row, weight) in self.block[*place..*place + TERMS].iter().zip(weights) {
                    for lane in 0..LANES {
                        lanes[lane] += weight * row[lane];
                    }
                }
                *sums = lanes;
            }
            // columns side by side become columns one after the other; the stride leaves room for a whole tile
            for (lane, column) in self.smoothed.chunks_exact_mut(self.stride).enumerate() {
                if let Some(column) = column.get_mut(start..start + ROWS) {
                    for (entry, sums) in column.iter_mut().zip(&tile) {
                        *entry = sums[lane];
                    }
                }
            }
            start += ROWS;
        }
    }
}

/// G(x, y) = Σ_i w_i(x) t_i(y).
struct AlongX<'a> {
    smoothed: &'a [f64],
    stride: usize,
    places: &'a [usize],
    weights: &'a [[f64; TERMS]],
    rows: usize,
    values: &'a mut [f64],
}

impl Loop for AlongX<'_> {
    #[inline(always)]
    fn run(self) {
        // a stripe of rows at a time: its part of the smoothed columns stays in the nearest cache
        for start in (0..self.rows).step_by(STRIPE) {
            let length = STRIPE.min(self.rows - start);
            for ((place, weights), column) in
                self.places.iter().zip(self.weights).zip(self.values.chunks_exact_mut(self.rows))
            {
                let mut sums = [0.0; STRIPE];
                let window = &self.smoothed[place * self.stride + start..];
                for (column, weight) in window.chunks(self.stride).zip(weights) {
                    let Some(column) = column.first_chunk::<STRIPE>() else { continue };
                    for lane in 0..STRIPE {
                        sums[lane] += weight * column[lane];
                    }
                }
                column[start..start + length].copy_from_slice(&sums[..length]);
            }
        }
    }
}
