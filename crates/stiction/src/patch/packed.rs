//! The nodes of a lattice in the order in which the sums over them are made.
//!
//! Rows are handled together, as many as fill the widest vector register of any machine: a run walks along such a band of rows,
//! from column to column. Where there is no node, there is no weight; where a band has no nodes for a while, a new run begins.

use super::number::Number;

/// `N` numbers: 64 bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Group<T, const N: usize>(pub(super) [T; N]);

/// Columns side by side in one band of rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Strip<T, const N: usize> {
    /// First column and first row, counted from the corner of the lattice.
    pub(super) corner: [usize; 2],
    /// The band of rows, and how many of them have nodes or lie below one that has.
    pub(super) band: usize,
    pub(super) rows: usize,
    pub(super) columns: Vec<Place<T, N>>,
}

/// A column of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place<T, const N: usize> {
    pub(super) weight: Group<T, N>,
    /// ξ and ξ².
    pub(super) xi: [T; 2],
}

/// A lattice in numbers of one precision.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Packed<T, const N: usize> {
    pub(super) runs: Vec<Strip<T, N>>,
    /// η of the rows of every band.
    pub(super) bands: Vec<Group<T, N>>,
}

/// Most columns of a run: so many terms are added in the numbers of the field.
const LONGEST: usize = 64;

/// Columns without nodes that a run passes: to begin anew costs as much.
const GAP: usize = 3;

/// A column of weights; ξ and η of a node are `ratio` times its index.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights {
    pub(super) corner: [usize; 2],
    /// Index of the first node, counted from the one at the centroid.
    pub(super) index: [i32; 2],
    pub(super) weights: Vec<f64>,
}

impl Weights {
    /// The weights of `N` rows from `row` on, if one of them is not zero.
    fn part<const N: usize>(&self, row: usize) -> Option<[f64; N]> {
        let at = |k: usize| (row + k).checked_sub(self.corner[1]).and_then(|place| self.weights.get(place));
        let part = std::array::from_fn(|k| at(k).copied().unwrap_or(0.0));
        part.iter().any(|weight| *weight != 0.0).then_some(part)
    }
}

impl<T: Number, const N: usize> Strip<T, N> {
    fn push(&mut self, weights: [f64; N], xi: f64) {
        let rows = weights.iter().rposition(|weight| *weight != 0.0).map_or(0, |last| last + 1);
        self.rows = self.rows.max(rows);
        self.columns.push(Place { weight: Group(weights.map(T::of)), xi: [xi, xi * xi].map(T::of) });
    }
}

impl<T: Number, const N: usize> Packed<T, N> {
    pub(super) fn new(sources: &[Weights], ratio: f64) -> Self {
        let height = sources.iter().map(|source| source.corner[1] + source.weights.len()).max().unwrap_or(0);
        // index of row 0
        let bottom = sources.first().map_or(0, |source| source.index[1] - source.corner[1] as i32);
        let mut packed = Self { runs: Vec::new(), bands: Vec::new() };
        for (band, row) in (0..height).step_by(N).enumerate() {
            let eta = |k: usize| T::of(f64::from(bottom + (row + k) as i32) * ratio);
            packed.bands.push(Group(std::array::from_fn(eta)));
            packed.runs.extend(Self::runs(sources, ratio, band, row));
        }
        packed
    }

    /// The runs of one band, which begins at this row.
    fn runs(sources: &[Weights], ratio: f64, band: usize, row: usize) -> Vec<Strip<T, N>> {
        let mut runs: Vec<Strip<T, N>> = Vec::new();
        for source in sources {
            let Some(weights) = source.part(row) else { continue };
            let (column, xi) = (source.corner[0], f64::from(source.index[0]) * ratio);
            // columns that are passed from the end of the last run to here
            let passed = |run: &Strip<T, N>| column - run.corner[0] - run.columns.len();
            let near = |run: &&mut Strip<T, N>| passed(run) <= GAP && run.columns.len() + passed(run) < LONGEST;
            if let Some(run) = runs.last_mut().filter(near) {
                for left in (1..=passed(run)).rev() {
                    run.push([0.0; N], xi - left as f64 * ratio);
                }
                run.push(weights, xi);
            } else {
                let mut run = Strip { corner: [column, row], band, rows: 0, columns: Vec::new() };
                run.push(weights, xi);
                runs.push(run);
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty rows: two bands of single precision. Columns 4 to 9 have nodes in the upper band only, as over a wide notch.
    fn notched() -> Packed<f32, 16> {
        let columns: Vec<Weights> = (0..80)
            .map(|column| {
                let low = if (4..10).contains(&column) { 17 } else { 0 };
                let corner = [column, low];
                Weights { corner, index: [column as i32 - 40, low as i32 - 10], weights: vec![1.0; 20 - low] }
            })
            .collect();
        Packed::new(&columns, 0.1)
    }

    #[test]
    fn every_node_has_its_weight_and_place_once() {
        let packed = notched();
        let mut nodes = 0;
        for run in &packed.runs {
            assert!(run.columns.len() <= LONGEST && run.corner[1] == 16 * run.band);
            for (column, place) in (run.corner[0]..).zip(&run.columns) {
                assert!((place.xi[0] - 0.1 * (column as f32 - 40.0)).abs() < 1e-6);
                assert!((place.xi[1] - place.xi[0] * place.xi[0]).abs() < 1e-5);
                for (row, weight) in (run.corner[1]..).zip(place.weight.0) {
                    let inside = row < 20 && !((4..10).contains(&column) && row < 17);
                    assert_eq!(weight != 0.0, inside, "{column} {row}");
                    assert!(weight == 0.0 || row - run.corner[1] < run.rows);
                    nodes += usize::from(weight != 0.0);
                }
            }
            let eta = packed.bands[run.band].0;
            assert!((0..16).all(|k| (eta[k] - 0.1 * (run.corner[1] as f32 + k as f32 - 10.0)).abs() < 1e-6));
        }
        assert_eq!(nodes, 80 * 20 - 6 * 17);
    }

    #[test]
    fn wide_gaps_begin_a_run_and_long_bands_are_cut() {
        let runs: Vec<_> = notched().runs.iter().map(|run| (run.corner[0], run.columns.len(), run.rows)).collect();
        assert_eq!(runs, [(0, 4, 16), (10, 64, 16), (74, 6, 16), (0, 64, 4), (64, 16, 4)]);
    }
}
