//! The cells of a grid along one axis, from the centres that a table has.

use super::scale::Range;
use stiction::num::real::{log10, pow};

/// Pixels along a side whose cells are not of equal width on the axis.
const RESAMPLED: usize = 600;

/// The cells along one axis.
#[derive(Debug, Clone)]
pub(super) struct Side {
    pub(super) centres: Vec<f64>,
    pub(super) edges: Vec<f64>,
    log: bool,
}

impl Side {
    pub(super) fn new(values: impl Iterator<Item = f64>, log: bool) -> Self {
        let mut centres: Vec<f64> = values.filter(|value| value.is_finite() && !(log && *value <= 0.0)).collect();
        centres.sort_by(f64::total_cmp);
        centres.dedup();
        let middle = |a: f64, b: f64| if log { a.sqrt() * b.sqrt() } else { 0.5 * a + 0.5 * b };
        let mut edges: Vec<f64> =
            centres.windows(2).filter_map(|pair| if let [a, b] = pair { Some(middle(*a, *b)) } else { None }).collect();
        let beyond = |centre: f64, edge: f64| if log { centre / edge * centre } else { centre - (edge - centre) };
        let (first, last) = (centres.first().copied(), centres.last().copied());
        match (first, last, edges.first().copied(), edges.last().copied()) {
            (Some(first), Some(last), Some(low), Some(high)) => {
                edges.insert(0, beyond(first, low));
                edges.push(beyond(last, high));
            }
            (Some(only), ..) => {
                let half = if only == 0.0 { 0.5 } else { 0.05 * only.abs() };
                edges = vec![only - half, only + half];
            }
            _ => {}
        }
        Self { centres, edges, log }
    }

    pub(super) fn index(&self, value: f64) -> Option<usize> {
        self.centres.binary_search_by(|centre| centre.total_cmp(&value)).ok()
    }

    /// For every pixel along the side, the cell below it. One pixel a cell, if cells have equal widths on the axis.
    pub(super) fn pixels(&self) -> Vec<usize> {
        let (Some(&low), Some(&high)) = (self.edges.first(), self.edges.last()) else { return Vec::new() };
        let range = Range { low, high, log: self.log };
        let count = self.centres.len();
        let even = self
            .edges
            .iter()
            .enumerate()
            .all(|(index, &edge)| (range.share(edge) * count as f64 - index as f64).abs() < 0.02);
        if even || !range.length().is_finite() {
            return (0..count).collect();
        }
        let shares: Vec<f64> = self.edges.iter().map(|&edge| range.share(edge)).collect();
        let pixels = RESAMPLED.max(count);
        (0..pixels)
            .map(|pixel| (pixel as f64 + 0.5) / pixels as f64)
            .map(|place| shares.partition_point(|&share| share <= place).saturating_sub(1).min(count - 1))
            .collect()
    }

    /// The common width of the cells, if their centres are evenly spaced; some may be missing.
    pub(super) fn even_bins(&self) -> Option<EvenBins> {
        let place = |value: f64| if self.log { log10(value) } else { value };
        let steps = || self.centres.windows(2).filter_map(|pair| Some(place(*pair.get(1)?) - place(*pair.first()?)));
        let least = steps().fold(f64::INFINITY, f64::min);
        if !least.is_finite() {
            // one bin has no neighbour to take its width from
            return Some(EvenBins {
                half: self.edges.get(1).zip(self.centres.first()).map_or(0.5, |(e, c)| e - c),
                log: false,
            });
        }
        // centres that were written with few digits are even to about a hundredth
        let even = |step: f64| (step / least - (step / least).round()).abs() < 0.02 * (step / least).min(10.0);
        (least > 0.0 && steps().all(even)).then_some(EvenBins { half: 0.5 * least, log: self.log })
    }
}

/// Bins of equal width on a linear or logarithmic axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EvenBins {
    /// Half the width, in decades on a logarithmic axis.
    half: f64,
    log: bool,
}

impl EvenBins {
    /// The edges of the bin around a centre, if the axis has a place for it.
    pub(super) fn around(&self, centre: f64) -> Option<(f64, f64)> {
        let edges = if self.log {
            let ratio = pow(10.0, self.half);
            (centre / ratio, centre * ratio)
        } else {
            (centre - self.half, centre + self.half)
        };
        ((edges.0 + edges.1).is_finite() && !(self.log && centre <= 0.0)).then_some(edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_their_values_at_their_centres() {
        let side = Side::new([0.0, 1.0, 2.0, 1.0, f64::NAN].into_iter(), false);
        assert_eq!(side.edges, [-0.5, 0.5, 1.5, 2.5]);
        assert_eq!(side.pixels(), [0, 1, 2]);
        assert_eq!((side.index(1.0), side.index(1.5)), (Some(1), None));
    }

    #[test]
    fn uneven_cells_are_as_wide_as_they_are() {
        let side = Side::new([0.0, 1.0, 3.0, 7.0].into_iter(), false);
        let pixels = side.pixels();
        let share = pixels.iter().filter(|&&cell| cell == 3).count() as f64 / pixels.len() as f64;
        // edges -0.5, 0.5, 2, 5, 9: the last cell takes 4 of 9.5
        assert!((share - 4.0 / 9.5).abs() < 0.003, "{share}");
        let even_on_log = Side::new([1.0, 10.0, 100.0].into_iter(), true);
        assert_eq!(even_on_log.pixels(), [0, 1, 2]);
    }

    #[test]
    fn even_bins_may_be_missing_and_uneven_ones_are_refused() {
        let bins = |centres: &[f64], log| Side::new(centres.iter().copied(), log).even_bins();
        assert_eq!(bins(&[1.0, 2.0, 5.0], false).unwrap().around(2.0), Some((1.5, 2.5)));
        assert_eq!(bins(&[1.0, 2.0, 3.5], false), None);
        let (low, high) = bins(&[1.0, 100.0, 10.0], true).unwrap().around(10.0).unwrap();
        assert!((low * low - 10.0).abs() < 1e-12 && (high * high - 1000.0).abs() < 1e-10);
        assert_eq!(bins(&[0.0], false).unwrap().around(0.0), Some((-0.5, 0.5)));
        assert!(bins(&[], false).is_some() && bins(&[f64::NAN, 1.0], true).unwrap().around(-1.0).is_some());
    }
}
