//! The two banded products of the separable generator, G = W_x Ξ W_yᵀ, column by column along x.
//!
//! Noise columns are smoothed along y first, many columns in the lanes of a vector unit; then along x, many rows in the
//! lanes. Every value is the sum of its own terms in ascending order of the nodes, so that it does not depend on the grid,
//! the tile or the lanes that it was made in.

use super::kernel::{Axis, Nodes, TERMS};
use super::noise::Noise;
use super::{GeneratorError, PointMap};
use crate::field::lattice::Grid;
use crate::num::bulk::{self, Loop};
use crate::num::lanes::{Eight, Kernel, Simd, WIDTH, transposed, vectorised};

/// Noise columns that are smoothed together, and rows that are summed together: eight registers of eight numbers, as many
/// sums as hide the time that one addition takes.
pub(crate) const LANES: usize = 64;
/// Registers that are summed together.
const PACKS: usize = LANES / WIDTH;
/// Columns of the grid that are summed and mapped together: few, so that they stay in a near cache.
const BLOCK: usize = 16;

/// Numbers side by side that are summed together.
type Stripe = [Eight; PACKS];

const EMPTY: Stripe = [Eight::ZERO; PACKS];

/// Σ_k w_k s_k for `N` packs, where `number` tells pack p of s_k.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // with iterators the sums do not stay in registers: half the speed
fn weighted<'a, const N: usize>(weights: &[f64; TERMS], number: impl Fn(usize, usize) -> &'a Eight) -> [Eight; N] {
    let mut sums = [Eight::ZERO; N];
    for term in 0..TERMS {
        for pack in 0..N {
            let numbers = number(term, pack);
            for lane in 0..WIDTH {
                sums[pack].0[lane] = weights[term].mul_add(numbers.0[lane], sums[pack].0[lane]);
            }
        }
    }
    sums
}

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
    /// Noise of some columns side by side: all rows of the first pack of columns, then all of the second, ...
    block: Vec<Eight>,
    /// Noise of a few columns, one after the other.
    drawn: Vec<f64>,
    /// Values of one stripe of a few columns, one after the other.
    sums: Vec<f64>,
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(rows: &'a Rows, noise: Noise) -> Self {
        Self {
            rows,
            noise,
            columns: Vec::new(),
            smoothed: Vec::new(),
            capacity: 1,
            block: vec![Eight::ZERO; PACKS * rows.nodes.count],
            drawn: vec![0.0; WIDTH * rows.nodes.count],
            sums: vec![0.0; BLOCK * LANES],
        }
    }

    /// `map` of the standard Gaussian values of columns at these coordinates, which ascend.
    pub(crate) fn fill(
        &mut self,
        axis: &Axis,
        columns: impl ExactSizeIterator<Item = f64>,
        map: &impl PointMap,
        values: &mut [f64],
    ) -> Result<(), GeneratorError> {
        let (firsts, weights) = axis.windows(columns)?;
        let nodes = Nodes::of(&firsts);
        self.smooth(&nodes);
        let rows = self.rows.weights.len();
        let blocks = nodes.places.chunks(BLOCK).zip(weights.chunks(BLOCK));
        for ((places, weights), values) in blocks.zip(values.chunks_mut(BLOCK * rows)) {
            // one stripe of rows at a time, in a place of its own: columns of the grid may be a power of two apart, and
            // would evict each other from the nearest cache
            for (stripe, smoothed) in self.smoothed.chunks_exact(self.capacity).enumerate() {
                let start = stripe * LANES;
                let length = LANES.min(rows - start);
                let sums = &mut self.sums[..length * places.len()];
                bulk::vectorised(AlongX { smoothed, places, weights, length, sums });
                map.apply(sums);
                for (column, sums) in values.chunks_exact_mut(rows).zip(sums.chunks_exact(length)) {
                    column[start..start + length].copy_from_slice(sums);
                }
            }
        }
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
            for (pack, columns) in columns.chunks(WIDTH).enumerate() {
                self.draw(columns, pack);
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

    /// Draws the noise of a few columns and puts them side by side.
    fn draw(&mut self, columns: &[i64], pack: usize) {
        let nodes = &self.rows.nodes;
        for (&column, mut target) in columns.iter().zip(self.drawn.chunks_exact_mut(nodes.count)) {
            for run in &nodes.runs {
                let (part, rest) = target.split_at_mut((run.end - run.start) as usize);
                self.noise.column(column, run.clone(), part);
                target = rest;
            }
        }
        let block = &mut self.block[pack * nodes.count..(pack + 1) * nodes.count];
        vectorised(Beside { drawn: &self.drawn, block });
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

/// Columns one after the other become columns side by side.
struct Beside<'a> {
    drawn: &'a [f64],
    block: &'a mut [Eight],
}

impl Kernel for Beside<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let rows = self.block.len();
        let columns: [&[f64]; WIDTH] = std::array::from_fn(|c| &self.drawn[c * rows..(c + 1) * rows]);
        let (squares, rest) = self.block.as_chunks_mut::<WIDTH>();
        let start = squares.len() * WIDTH;
        for (part, square) in squares.iter_mut().enumerate() {
            *square = transposed(simd, std::array::from_fn(|c| Eight(columns[c].as_chunks().0[part])));
        }
        for (row, numbers) in rest.iter_mut().enumerate() {
            numbers.0 = std::array::from_fn(|c| columns[c][start + row]);
        }
    }
}

/// t_i(y) = Σ_j w_j(y) ξ_ij for the columns i of a block.
struct AlongY<'a> {
    block: &'a [Eight],
    places: &'a [usize],
    weights: &'a [[f64; TERMS]],
    capacity: usize,
    /// Place of the first column of the block among the smoothed ones.
    first: usize,
    smoothed: &'a mut [Stripe],
}

impl AlongY<'_> {
    #[inline(always)]
    fn sum<S: Simd, const N: usize>(self, simd: S) {
        let rows = self.block.len() / PACKS;
        let mut tile = [EMPTY; WIDTH];
        for (chunk, (places, weights)) in self.places.chunks(WIDTH).zip(self.weights.chunks(WIDTH)).enumerate() {
            for ((sums, place), weights) in tile.iter_mut().zip(places).zip(weights) {
                for (part, sums) in sums.as_chunks_mut::<N>().0.iter_mut().enumerate() {
                    let window = |pack: usize| &self.block[(part * N + pack) * rows + place..][..TERMS];
                    let windows: [&[Eight]; N] = std::array::from_fn(window);
                    *sums = weighted(weights, |term, pack| &windows[pack][term]);
                }
            }
            // columns side by side become columns one after the other
            let (stripe, part) = (chunk / PACKS, chunk % PACKS);
            let start = stripe * self.capacity + self.first;
            let columns = self.smoothed[start..start + LANES].as_chunks_mut::<WIDTH>().0;
            for (pack, columns) in columns.iter_mut().enumerate() {
                let sums = transposed(simd, std::array::from_fn(|row| tile[row][pack]));
                for (column, sums) in columns.iter_mut().zip(sums) {
                    column[part] = sums;
                }
            }
        }
    }
}

impl Kernel for AlongY<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if S::F64_LANES == WIDTH {
            self.sum::<S, 8>(simd);
        } else {
            self.sum::<S, 4>(simd);
        }
    }
}

/// G(x, y) = Σ_i w_i(x) t_i(y) for one stripe of rows.
struct AlongX<'a> {
    smoothed: &'a [Stripe],
    places: &'a [usize],
    weights: &'a [[f64; TERMS]],
    /// Rows of the stripe.
    length: usize,
    sums: &'a mut [f64],
}

impl AlongX<'_> {
    #[inline(always)]
    fn sum<const N: usize>(self) {
        let columns = self.sums.chunks_exact_mut(self.length);
        for ((place, weights), column) in self.places.iter().zip(self.weights).zip(columns) {
            let window = &self.smoothed[*place..][..TERMS];
            for (part, target) in column.chunks_mut(N * WIDTH).enumerate() {
                let sums: [Eight; N] = weighted(weights, |term, pack| &window[term][part * N + pack]);
                if let Some(target) = target.as_chunks_mut::<WIDTH>().0.first_chunk_mut::<N>() {
                    for pack in 0..N {
                        target[pack] = sums[pack].0;
                    }
                } else {
                    let sums = sums.iter().flat_map(|pack| pack.0);
                    target.iter_mut().zip(sums).for_each(|(target, sum)| *target = sum);
                }
            }
        }
    }
}

impl Loop for AlongX<'_> {
    #[inline(always)]
    fn run(self) {
        self.sum::<4>();
    }

    #[inline(always)]
    fn run_wide(self) {
        self.sum::<8>();
    }
}
