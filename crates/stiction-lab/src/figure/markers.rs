//! Labels of vertical markers: above the axes, spread until none overlaps, tied to their lines by leaders.

use super::content::Mark;
use super::font::{Weight, cut, width};
use super::scale::Range;
use super::svg::{Anchor, Svg, TextStyle};
use super::theme::{FRAME, GREY, SMALL};

/// Height of the leaders.
const LEADER: f64 = 9.0;
/// Longest label that is turned \[pt\].
const LONGEST: f64 = 70.0;
/// Distance of two turned labels \[pt\].
const PITCH: f64 = SMALL * 1.3;

/// The markers of a panel with the places of their labels.
#[derive(Debug, Clone, Default)]
pub(super) struct MarkerPlan {
    marks: Vec<Placed>,
    turned: bool,
    /// Height of the band above the axes that the labels take \[pt\].
    pub(super) band: f64,
}

#[derive(Debug, Clone)]
struct Placed {
    /// Place of the line along the axis \[pt\].
    x: f64,
    /// Place of the label along the axis \[pt\].
    label_x: f64,
    label: String,
}

impl MarkerPlan {
    /// Places the labels of the markers on an axis that is `length` long \[pt\].
    pub(super) fn new(marks: &[Mark], range: Range, length: f64) -> Self {
        let mut visible: Vec<&Mark> = marks.iter().filter(|mark| range.holds(mark.x)).collect();
        visible.sort_by(|a, b| a.x.total_cmp(&b.x));
        let mut placed: Vec<Placed> = visible
            .iter()
            .map(|mark| {
                let x = range.share(mark.x) * length;
                let label = cut(&mark.label, SMALL, Weight::Regular, LONGEST);
                Placed { x, label_x: x, label }
            })
            .collect();
        if placed.iter().all(|mark| mark.label.is_empty()) {
            return Self { marks: placed, ..Self::default() };
        }
        let wanted: Vec<f64> = placed.iter().map(|mark| mark.x).collect();
        let widths: Vec<f64> = placed.iter().map(|mark| width(&mark.label, SMALL, Weight::Regular) + 4.0).collect();
        let moved = |places: &[f64]| wanted.iter().zip(places).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let upright = spread(&wanted, &widths, -4.0, length + 4.0).filter(|places| moved(places) <= 12.0);
        let turned = upright.is_none();
        let places = upright.or_else(|| spread(&wanted, &vec![PITCH; wanted.len()], -4.0, length + 4.0));
        let Some(places) = places else {
            placed.iter_mut().for_each(|mark| mark.label.clear());
            return Self { marks: placed, ..Self::default() };
        };
        for (mark, place) in placed.iter_mut().zip(places) {
            mark.label_x = place;
        }
        let longest = widths.iter().copied().fold(0.0, f64::max) - 4.0;
        let band = LEADER + 2.0 + if turned { longest } else { SMALL };
        Self { marks: placed, turned, band }
    }

    /// The vertical lines, inside the axes.
    pub(super) fn draw_lines(&self, svg: &mut Svg, height: f64) {
        for mark in &self.marks {
            svg.line((mark.x, 0.0), (mark.x, height), GREY, 0.5, r#" stroke-dasharray="2 1.2""#);
        }
    }

    /// Leaders and labels, above the axes.
    pub(super) fn draw_labels(&self, svg: &mut Svg) {
        for mark in self.marks.iter().filter(|mark| !mark.label.is_empty()) {
            let data = format!(
                "M{}L{}L{}",
                super::svg::pair((mark.x, 0.0)),
                super::svg::pair((mark.label_x, 2.0 - LEADER)),
                super::svg::pair((mark.label_x, -LEADER))
            );
            svg.path(&data, GREY, 0.8 * FRAME, "");
            if self.turned {
                let style = TextStyle::new(SMALL).upwards();
                svg.text(mark.label_x + 0.36 * SMALL, -LEADER - 2.0, &mark.label, style);
            } else {
                let style = TextStyle::new(SMALL).anchor(Anchor::Middle);
                svg.text(mark.label_x, -LEADER - 2.0, &mark.label, style);
            }
        }
    }

    /// Places of the lines along the axis \[pt\].
    pub(super) fn places(&self) -> impl Iterator<Item = f64> {
        self.marks.iter().map(|mark| mark.x)
    }
}

/// The places nearest to the wanted ones (least squares) at which things of these widths do not overlap and stay
/// between `low` and `high`; `None` if they do not fit. `wanted` ascends.
///
/// With the distances taken off, "no overlap" becomes "ascending": a regression on ascending sequences, done by pooling
/// neighbours that violate it.
pub(super) fn spread(wanted: &[f64], widths: &[f64], low: f64, high: f64) -> Option<Vec<f64>> {
    let mut offsets = Vec::with_capacity(wanted.len());
    let mut offset = 0.0;
    for (index, width) in widths.iter().enumerate() {
        if index > 0 {
            offset += 0.5 * width;
        }
        offsets.push(offset);
        offset += 0.5 * width;
    }
    let (first, last) = (widths.first()?, widths.last()?);
    let (low, high) = (low + 0.5 * first, high - 0.5 * last - offsets.last()?);
    if low > high {
        return None;
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (place, offset) in wanted.iter().zip(&offsets) {
        let (mut sum, mut count) = (place - offset, 1);
        while let Some(&(before, members)) = pools.last() {
            if before / members as f64 <= sum / count as f64 {
                break;
            }
            pools.pop();
            (sum, count) = (sum + before, count + members);
        }
        pools.push((sum, count));
    }
    let bases =
        pools.iter().flat_map(|&(sum, count)| std::iter::repeat_n((sum / count as f64).clamp(low, high), count));
    Some(bases.zip(&offsets).map(|(base, offset)| base + offset).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_labels_are_spread_evenly_about_their_places() {
        let places = spread(&[49.0, 50.0, 51.0, 90.0], &[10.0; 4], 0.0, 100.0).unwrap();
        assert_eq!(places, [40.0, 50.0, 60.0, 90.0]);
    }

    #[test]
    fn labels_stay_inside_or_are_refused() {
        let places = spread(&[0.0, 0.0, 100.0], &[10.0; 3], 0.0, 100.0).unwrap();
        assert_eq!(places, [5.0, 15.0, 95.0]);
        assert!(spread(&[1.0, 2.0, 3.0], &[40.0; 3], 0.0, 100.0).is_none());
        assert!(spread(&[], &[], 0.0, 100.0).is_none());
    }
}
