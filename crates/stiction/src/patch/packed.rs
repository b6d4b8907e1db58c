//! The nodes of a lattice in the order in which the sums over them are made.
//!
//! Columns of nodes follow each other without gaps, in groups that fill the widest vector register of any machine. A stripe is
//! as many columns as fit into the nearest cache together with the field below them; what is moved in it is a list of groups, not
//! a loop over columns, whose lengths no processor foresees.

use super::number::Number;
use std::ops::Range;

/// `N` nodes: 64 bytes of every quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Group<T, const N: usize> {
    pub(super) weight: [T; N],
    /// Places in units of the length of the patch.
    pub(super) xi: [T; N],
    pub(super) eta: [T; N],
    /// ξ² + η²
    pub(super) square: [T; N],
}

/// A column of nodes without holes: where there is no node, there is no weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Column {
    /// Column and first row, counted from the corner of the lattice.
    pub(super) corner: [usize; 2],
    pub(super) count: usize,
    /// Its first node, counted from the first of its stripe.
    pub(super) start: usize,
}

/// A group of one of the field's columns that is interpolated along it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Along {
    /// Column and first row, counted from the corner of the lattice.
    pub(super) corner: [u32; 2],
    /// Its place among the lines.
    pub(super) line: u32,
}

/// A group of a column of nodes that is interpolated across the lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Across {
    /// Its place in the first of its lines.
    pub(super) line: u32,
    /// Its first node, counted from the first of its stripe.
    pub(super) node: u32,
}

/// Columns that are handled together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stripe {
    pub(super) columns: Range<usize>,
    pub(super) groups: Range<usize>,
    pub(super) along: Vec<Along>,
    /// In the order of the nodes: what is written beyond the end of a column is written over by the next.
    pub(super) across: Vec<Across>,
    /// Columns of the field.
    lines: usize,
}

/// A lattice in numbers of one precision.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Packed<T, const N: usize> {
    pub(super) columns: Vec<Column>,
    pub(super) groups: Vec<Group<T, N>>,
    pub(super) stripes: Vec<Stripe>,
    /// Rows of the lattice, and room for a group beyond.
    pub(super) height: usize,
}

/// Most nodes of a stripe: with the field below them they take half of the nearest cache.
const STRIPE: usize = 2048;

/// Fewest columns of a stripe, because neighbouring stripes share three columns of the field.
const FEWEST: usize = 8;

/// Columns of the field that a column of nodes needs: four for splines, the first two of these for lines.
const TAPS: usize = 4;

/// A column of weights; ξ and η of a node are `ratio` times its index.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    pub(super) corner: [usize; 2],
    /// Index of the first node, counted from the one at the centroid.
    pub(super) index: [i32; 2],
    pub(super) weights: Vec<f64>,
}

impl<T: Number, const N: usize> Packed<T, N> {
    pub(super) fn new(sources: &[Weights], ratio: f64) -> Self {
        let height = sources.iter().map(|source| source.corner[1] + source.weights.len()).max().unwrap_or(0) + N;
        let mut packed = Self { columns: Vec::new(), groups: Vec::new(), stripes: Vec::new(), height };
        let mut rest = sources;
        while !rest.is_empty() {
            let (mut nodes, mut count) = (0, 0);
            for source in rest {
                if count >= FEWEST && nodes + source.weights.len() > STRIPE {
                    break;
                }
                nodes += source.weights.len();
                count += 1;
            }
            let (stripe, later) = rest.split_at(count);
            packed.push(stripe, ratio);
            rest = later;
        }
        packed
    }

    fn push(&mut self, sources: &[Weights], ratio: f64) {
        let ([columns, groups], height) = ([self.columns.len(), self.groups.len()], self.height);
        let left = sources.first().map_or(0, |source| source.corner[0]);
        let right = sources.last().map_or(0, |source| source.corner[0]);
        let mut wanted = vec![[usize::MAX, 0]; right - left + TAPS];
        let (mut nodes, mut across) = (Vec::new(), Vec::new());
        for Weights { corner, index, weights } in sources {
            self.columns.push(Column { corner: *corner, count: weights.len(), start: nodes.len() });
            let line = (corner[0] - left) * height + corner[1];
            let group = |row: usize| Across { line: (line + row) as u32, node: (nodes.len() + row) as u32 };
            across.extend((0..weights.len()).step_by(N).map(group));
            let xi = f64::from(index[0]) * ratio;
            nodes.extend((index[1]..).zip(weights).map(|(row, weight)| [*weight, xi, f64::from(row) * ratio]));
            for [low, high] in wanted.iter_mut().skip(corner[0] - left).take(TAPS) {
                (*low, *high) = ((*low).min(corner[1]), (*high).max(corner[1] + weights.len()));
            }
        }
        let lines = wanted.len();
        let along = wanted.into_iter().enumerate().flat_map(|(line, [low, high])| {
            let group = move |row: usize| Along {
                corner: [(left + line) as u32, row as u32],
                line: (line * height + row) as u32,
            };
            (low.min(high)..high).step_by(N).map(group)
        });
        // nodes without weight, at a place that has one, fill up the last group
        if let Some(&[_, xi, eta]) = nodes.last() {
            nodes.resize(nodes.len().next_multiple_of(N), [0.0, xi, eta]);
        }
        let (whole, _) = nodes.as_chunks::<N>();
        self.groups.extend(whole.iter().map(|nodes| Group {
            weight: nodes.map(|[weight, ..]| T::of(weight)),
            xi: nodes.map(|[_, xi, _]| T::of(xi)),
            eta: nodes.map(|[.., eta]| T::of(eta)),
            square: nodes.map(|[_, xi, eta]| T::of(xi * xi + eta * eta)),
        }));
        let (columns, groups) = (columns..self.columns.len(), groups..self.groups.len());
        self.stripes.push(Stripe { columns, groups, along: along.collect(), across, lines });
    }

    /// How many numbers the two parts of the scratch of an evaluation have: lines of the field, and values at the nodes.
    pub(super) fn scratch(&self) -> [usize; 2] {
        let widest = self.stripes.iter().map(|stripe| stripe.lines).max().unwrap_or(0);
        let most = self.stripes.iter().map(|stripe| stripe.groups.len()).max().unwrap_or(0);
        // whole groups are written, also at the end of the last column
        [widest * self.height, (most + 1) * N]
    }
}
