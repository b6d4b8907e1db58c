//! One line in place of many rows: their median or extremes.

use super::layers::Summary;

/// The line that stands for these points, from left to right; points that are not numbers are left out.
///
/// Median and extremes are the same on a linear and on a logarithmic axis, which a mean is not.
pub(super) fn summarised(summary: Summary, points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = points.filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let groups = points.chunk_by(|a, b| a.0 == b.0);
    let smallest = groups.clone().filter_map(|same| same.first().copied());
    let largest = groups.clone().filter_map(|same| same.last().copied());
    match summary {
        Summary::Median => groups.filter_map(median).collect(),
        Summary::Smallest => smallest.collect(),
        Summary::Largest => largest.collect(),
        Summary::SmallestSoFar => steps(smallest, f64::min),
        Summary::LargestSoFar => steps(largest, f64::max),
    }
}

/// The median of points of one `x` whose `y` ascend.
fn median(same: &[(f64, f64)]) -> Option<(f64, f64)> {
    let middle = same.len() / 2;
    let &(x, upper) = same.get(middle)?;
    let lower = if same.len().is_multiple_of(2) { same.get(middle.checked_sub(1)?)?.1 } else { upper };
    Some((x, lower + 0.5 * (upper - lower)))
}

/// A staircase: what has been reached holds until something reaches farther.
fn steps(points: impl Iterator<Item = (f64, f64)>, farther: fn(f64, f64) -> f64) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = Vec::new();
    for (x, y) in points {
        let reached = line.last().map_or(y, |&(_, reached)| reached);
        if farther(reached, y) != reached {
            line.push((x, reached));
        }
        line.push((x, farther(reached, y)));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [(f64, f64); 6] = [(2.0, 5.0), (1.0, 1.0), (1.0, 9.0), (2.0, f64::NAN), (1.0, 2.0), (2.0, 3.0)];

    #[test]
    fn every_place_has_its_median_and_extremes() {
        let of = |summary| summarised(summary, POINTS.into_iter());
        assert_eq!(of(Summary::Median), [(1.0, 2.0), (2.0, 4.0)]);
        assert_eq!(of(Summary::Smallest), [(1.0, 1.0), (2.0, 3.0)]);
        assert_eq!(of(Summary::Largest), [(1.0, 9.0), (2.0, 5.0)]);
        assert!(summarised(Summary::Median, std::iter::empty()).is_empty());
    }

    #[test]
    fn what_has_been_reached_so_far_goes_in_steps() {
        let points = [(1.0, 4.0), (2.0, 3.0), (3.0, 6.0)];
        let of = |summary| summarised(summary, points.into_iter());
        assert_eq!(of(Summary::LargestSoFar), [(1.0, 4.0), (2.0, 4.0), (3.0, 4.0), (3.0, 6.0)]);
        assert_eq!(of(Summary::SmallestSoFar), [(1.0, 4.0), (2.0, 4.0), (2.0, 3.0), (3.0, 3.0)]);
    }
}
