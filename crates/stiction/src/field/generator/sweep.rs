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

/// Noise columns that are smoothed together.
const LANES: usize = 32;
/// Rows that are written together.
const ROWS: usize = 8;
/// Columns of the grid that are summed together.
const BLOCK: usize = 8;

/// Numbers side by side that are summed in registers; aligned, since a vector that straddles two cache lines takes twice
/// the time.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Stripe([f64; LANES]);

const EMPTY: Stripe = Stripe([0.0; LANES]);

/// What is known of the rows of a grid before any noise is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    nodes: Nodes,
    weights: Vec<[f64; TERMS]>,
    /// Stripes of one column.
    stripes: usize,
}

impl Rows {
    pub(crate) fn new(axis: &Axis, grid: &Grid) -> Result<Self, GeneratorError> {
        let (firsts, weights) = axis.windows((0..grid.count()[1]).map(|j| grid.y(j)))?;
        Ok(Self { nodes: Nodes::of(&firsts), stripes: weights.len().div_ceil(LANES), weights })
    }

    /// Memory that a sweep over tiles of this many noise columns takes \[bytes\].
    pub(crate) fn memory(&self, columns: usize) -> usize {
        let stripes = columns.saturating_add(2 * LANES).saturating_mul(self.stripes).saturating_add(self.nodes.count);
        stripes.saturating_mul(size_of::<Stripe>())
    }
}

/// The smoothed noise columns of one realisation near the columns that were asked for last.
#[derive(Debug)]
pub(crate) struct Sweep<'a> {
    rows: &'a Rows,
    noise: Noise,
    /// Nodes of the smoothed columns.
    columns: Vec<i64>,
    /// For each stripe of rows its part of all smoothed columns, and room for more up to `capacity`.
    smoothed: Vec<Stripe>,
    capacity: usize,
    /// Noise of some columns: row by row, columns side by side.
    block: Vec<Stripe>,
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(rows: &'a Rows, noise: Noise) -> Self {
        Self {
            rows,
            noise,
            columns: Vec::new(),
            smoothed: Vec::new(),
            capacity: 1,
            block: vec![EMPTY; rows.nodes.count],
        }
    }

    /// Standard Gaussian values of columns at these coordinates, which ascend.
    pub(crate) fn fill(
        &mut self,
        axis: &Axis,
        columns: impl ExactSizeIterator<Item = f64>,
        values: &mut [f64],
    ) -> Result<(), GeneratorError> {
        let (firsts, weights) = axis.windows(columns)?;
        let nodes = Nodes::of(&firsts);
        self.smooth(&nodes);
        vectorised(AlongX {
            smoothed: &self.smoothed,
            capacity: self.capacity,
            places: &nodes.places,
            weights: &weights,
            rows: self.rows.weights.len(),
            values,
        });
        Ok(())
    }

    /// Makes the smoothed columns of these nodes, and no others.
    fn smooth(&mut self, nodes: &Nodes) {
        let wanted: Vec<i64> = nodes.all().collect();
        let kept = self.keep(&wanted);
        if self.capacity < wanted.len() + LANES {
            self.capacity = wanted.len() + LANES;
            self.smoothed = vec![EMPTY; self.rows.stripes * self.capacity];
        }
        for (group, columns) in wanted[kept..].chunks(LANES).enumerate() {
            for (lane, &column) in columns.iter().enumerate() {
                let mut row = 0;
                for run in &self.rows.nodes.runs {
                    let block = &mut self.block[row..];
                    self.noise.column(column, run.clone(), |place, value| block[place].0[lane] = value);
                    row += (run.end - run.start) as usize;
                }
            }
            vectorised(AlongY {
                block: &self.block,
                places: &self.rows.nodes.places,
                weights: &self.rows.weights,
                capacity: self.capacity,
                first: kept + group * LANES,
                smoothed: &mut self.smoothed,
            });
        }
        self.columns = wanted;
    }

    /// Moves the smoothed columns that the tile before left to the front; how many of the wanted ones these are.
    fn keep(&mut self, wanted: &[i64]) -> usize {
        let Some(first) = wanted.first() else { return 0 };
        let from = self.columns.partition_point(|column| column < first);
        let left = &self.columns[from..];
        if self.capacity < wanted.len() + LANES || !wanted.starts_with(left) {
            return 0;
        }
        for stripe in self.smoothed.chunks_exact_mut(self.capacity) {
            stripe.copy_within(from..self.columns.len(), 0);
        }
        left.len()
    }
}

/// t_i(y) = Σ_j w_j(y) ξ_ij for the columns i of a block.
struct AlongY<'a> {
    block: &'a [Stripe],
    places: &'a [usize],
    weights: &'a [[f64; TERMS]],
    capacity: usize,
    /// Place of the first column of the block among the smoothed ones.
    first: usize,
    smoothed: &'a mut [Stripe],
}

impl Loop for AlongY<'_> {
    #[allow(clippy::needless_range_loop)] // with iterators the sums do not stay in registers: half the speed
    #[inline(always)]
    fn run(self) {
        let mut tile = [EMPTY; ROWS];
        for (chunk, (places, weights)) in self.places.chunks(ROWS).zip(self.weights.chunks(ROWS)).enumerate() {
            for ((sums, place), weights) in tile.iter_mut().zip(places).zip(weights) {
                let mut lanes = [0.0; LANES];
                for (row, weight) in self.block[*place..*place + TERMS].iter().zip(weights) {
                    for lane in 0..LANES {
                        lanes[lane] += weight * row.0[lane];
                    }
                }
                sums.0 = lanes;
            }
            // columns side by side become columns one after the other
            let (stripe, part) = (chunk / (LANES / ROWS), chunk % (LANES / ROWS));
            let start = stripe * self.capacity + self.first;
            for (lane, column) in self.smoothed[start..start + LANES].iter_mut().enumerate() {
                let target = &mut column.0.as_chunks_mut::<ROWS>().0[part];
                for (entry, sums) in target.iter_mut().zip(&tile) {
                    *entry = sums.0[lane];
                }
            }
        }
    }
}

/// G(x, y) = Σ_i w_i(x) t_i(y).
struct AlongX<'a> {
    smoothed: &'a [Stripe],
    capacity: usize,
    places: &'a [usize],
    weights: &'a [[f64; TERMS]],
    rows: usize,
    values: &'a mut [f64],
}

impl Loop for AlongX<'_> {
    #[allow(clippy::needless_range_loop)] // as above
    #[inline(always)]
    fn run(self) {
        // few columns and one stripe of rows at a time: columns a power of two apart would evict each other from the
        // nearest cache
        let tiles = self.values.chunks_mut(BLOCK * self.rows);
        for ((places, weights), values) in self.places.chunks(BLOCK).zip(self.weights.chunks(BLOCK)).zip(tiles) {
            for (stripe, smoothed) in self.smoothed.chunks_exact(self.capacity).enumerate() {
                let start = stripe * LANES;
                for ((place, weights), column) in places.iter().zip(weights).zip(values.chunks_exact_mut(self.rows)) {
                    let mut sums = [0.0; LANES];
                    for (numbers, weight) in smoothed[*place..*place + TERMS].iter().zip(weights) {
                        for lane in 0..LANES {
                            sums[lane] += weight * numbers.0[lane];
                        }
                    }
                    let rest = &mut column[start..];
                    match rest.first_chunk_mut() {
                        Some(target) => *target = sums,
                        None => rest.copy_from_slice(&sums[..rest.len()]),
                    }
                }
            }
        }
    }
}
