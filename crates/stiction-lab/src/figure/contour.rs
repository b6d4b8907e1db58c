//! Lines of equal value over a map: marching squares between the centres of its cells.

use super::content::Content;
use super::error::FigureError;
use super::layers::Contours;
use super::scale::{LARGEST, Range};
use super::simplify::{Rect, clip, simplify};
use super::ticks::Ticks;
use std::collections::BTreeMap;
use stiction::num::real::log10;

type Point = (f64, f64);

/// Most levels.
const MOST: usize = 50;
/// Most centres along a side; in a finer map neighbours are replaced by their mean.
const FINEST: usize = 400;
/// Most points of all lines: about 400 kB.
const MOST_POINTS: usize = 40_000;

/// The numbers of a map, and the levels at which lines are drawn.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// Numbers at the centres, row by row from the lowest `y`; `NaN` where there is none. Logarithms, if the colour bar
    /// is logarithmic: a line runs where the colour is half way, too.
    values: Vec<f64>,
    /// Levels, and what they are in `values`.
    levels: Vec<(f64, f64)>,
}

impl Field {
    /// The field of some `cells`, each an index and a number, in a grid of `count` cells.
    pub(super) fn new(
        contours: &Contours,
        range: Range,
        count: usize,
        cells: impl Iterator<Item = (usize, f64)>,
        figure: &str,
    ) -> Result<Self, FigureError> {
        let bad =
            |value, expected| FigureError::BadNumber { figure: figure.to_owned(), key: "contours", value, expected };
        let levels = match contours {
            Contours::Count(count) if (1..=MOST).contains(&usize::from(*count)) => automatic(range, *count),
            Contours::Count(count) => return Err(bad(f64::from(*count), "between 1 and 50, or a list of values")),
            Contours::Levels(levels) if levels.len() > MOST => {
                return Err(bad(levels.len() as f64, "a list of at most 50 values"));
            }
            Contours::Levels(levels) => {
                for &level in levels {
                    if level.is_nan() || level.abs() > LARGEST {
                        return Err(bad(level, "numbers within 1e300"));
                    }
                    if range.log && level <= 0.0 {
                        return Err(bad(level, "positive, because the scale of the map is logarithmic"));
                    }
                }
                levels.clone()
            }
        };
        let mut values = vec![f64::NAN; count];
        let shown = |value: f64| if range.log { log10(value) } else { value };
        for (index, value) in cells {
            if let Some(place) = values.get_mut(index) {
                *place = shown(value);
            }
        }
        Ok(Self { values, levels: levels.into_iter().map(|level| (level, shown(level))).collect() })
    }
}

/// About `count` round values inside a range: on a logarithmic one powers of ten, with 2 and 5 where there is room.
fn automatic(range: Range, count: u8) -> Vec<f64> {
    let count = f64::from(count);
    let ticks = Ticks::new(range, count, &|_| 1.0);
    let mut levels: Vec<f64> = ticks.major.iter().map(|tick| tick.value).collect();
    if range.log && levels.len() as f64 * 3.0 <= count {
        let between = levels.clone().into_iter().flat_map(|level| [0.2 * level, 0.5 * level, 2.0 * level, 5.0 * level]);
        levels.extend(between);
        levels.sort_by(f64::total_cmp);
        levels.dedup_by(|a, b| (*a - *b).abs() <= 1e-9 * b.abs());
    }
    // at the ends of the range there is a point at most
    levels.retain(|&level| (1e-6..=1.0 - 1e-6).contains(&range.share(level)));
    levels
}

/// A line of equal value in the axes \[pt\].
#[derive(Debug, Clone)]
pub(super) struct Contour {
    pub(super) level: f64,
    pub(super) points: Vec<Point>,
}

/// The visible lines of equal value of a panel; coarser only if there are more points than a file should hold.
pub(super) fn placed(content: &Content, axes: Rect) -> Vec<Contour> {
    let Some((map, field)) = content.map.as_ref().and_then(|map| map.field.as_ref().map(|field| (map, field))) else {
        return Vec::new();
    };
    let (xs, ys) = map.centres();
    let grid = Grid {
        x: xs.iter().map(|&x| content.x.share(x) * axes.width).collect(),
        y: ys.iter().map(|&y| (1.0 - content.y.share(y)) * axes.height).collect(),
        values: field.values.clone(),
    }
    .coarsened();
    let lines_of = |&(level, shown): &(f64, f64)| {
        let pieces = grid.lines_at(shown).into_iter().flat_map(|line| clip(&line, axes));
        pieces.map(move |points| Contour { level, points })
    };
    let all: Vec<Contour> = field.levels.iter().flat_map(lines_of).filter(|line| line.points.len() > 1).collect();
    let mut tolerance = 0.05;
    loop {
        let thin = |line: &Contour| Contour { level: line.level, points: simplify(&line.points, tolerance) };
        let seen: Vec<Contour> = all.iter().map(thin).collect();
        if seen.iter().map(|line| line.points.len()).sum::<usize>() <= MOST_POINTS || tolerance > 1.5 {
            return seen;
        }
        tolerance *= 2.0;
    }
}

/// Numbers at the crossings of a grid.
struct Grid {
    x: Vec<f64>,
    y: Vec<f64>,
    values: Vec<f64>,
}

impl Grid {
    /// The grid with means of neighbours in place of neighbours that a picture cannot tell apart.
    fn coarsened(self) -> Self {
        let (across, up) = (self.x.len().div_ceil(FINEST).max(1), self.y.len().div_ceil(FINEST).max(1));
        if across == 1 && up == 1 {
            return self;
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let columns = self.x.len();
        let mut values = Vec::new();
        for rows in self.values.chunks(columns * up) {
            for left in (0..columns).step_by(across) {
                let block = rows.chunks(columns).flat_map(|row| row.iter().skip(left).take(across));
                let known: Vec<f64> = block.copied().filter(|value| value.is_finite()).collect();
                values.push(if known.is_empty() { f64::NAN } else { mean(&known) });
            }
        }
        Self { x: self.x.chunks(across).map(mean).collect(), y: self.y.chunks(up).map(mean).collect(), values }
    }

    /// The lines at which the field has the value `level`, linear along the edges of the grid. In a cell with a saddle the
    /// mean of its corners says which of them are connected.
    fn lines_at(&self, level: f64) -> Vec<Vec<Point>> {
        let columns = self.x.len();
        let value = |column: usize, row: usize| self.values.get(row * columns + column).copied().unwrap_or(f64::NAN);
        let mut segments: Vec<[usize; 2]> = Vec::new();
        for row in 0..self.y.len().saturating_sub(1) {
            for column in 0..columns.saturating_sub(1) {
                let corners =
                    [value(column, row), value(column + 1, row), value(column + 1, row + 1), value(column, row + 1)];
                if !corners.iter().all(|corner| corner.is_finite()) {
                    continue;
                }
                let here = row * columns + column;
                // an edge is twice the index of its first corner, plus one for those along the column
                let [south, east, north, west] = [2 * here, 2 * (here + 1) + 1, 2 * (here + columns), 2 * here + 1];
                let high = corners.map(|corner| corner >= level);
                let centre_high = 0.25 * corners.iter().sum::<f64>() >= level;
                match high {
                    [true, true, true, true] | [false, false, false, false] => {}
                    [true, false, true, false] | [false, true, false, true] => {
                        // the corners that are not connected through the centre are cut off
                        if high[0] == centre_high {
                            segments.extend([[south, east], [north, west]]);
                        } else {
                            segments.extend([[south, west], [north, east]]);
                        }
                    }
                    [a, b, c, d] => {
                        let mut cut = [(a != b, south), (b != c, east), (c != d, north), (d != a, west)]
                            .into_iter()
                            .filter_map(|(cut, edge)| cut.then_some(edge));
                        if let (Some(one), Some(other)) = (cut.next(), cut.next()) {
                            segments.push([one, other]);
                        }
                    }
                }
            }
        }
        let crossing = |edge: usize| self.crossing(edge, level);
        joined(&segments).into_iter().map(|line| line.into_iter().map(crossing).collect()).collect()
    }

    /// Where an edge has the value `level`.
    fn crossing(&self, edge: usize, level: f64) -> Point {
        let columns = self.x.len().max(1);
        let (here, along_column) = (edge / 2, edge % 2 == 1);
        let there = if along_column { here + columns } else { here + 1 };
        let at = |index: usize| {
            let place = self.x.get(index % columns).zip(self.y.get(index / columns));
            let (x, y) = place.map_or((f64::NAN, f64::NAN), |(x, y)| (*x, *y));
            (x, y, self.values.get(index).copied().unwrap_or(f64::NAN))
        };
        let ((x, y, from), (to_x, to_y, to)) = (at(here), at(there));
        // one end is at or above the level and the other below, so they differ
        let share = ((level - from) / (to - from)).clamp(0.0, 1.0);
        (x + share * (to_x - x), y + share * (to_y - y))
    }
}

/// Segments between edges, joined into lines; an edge belongs to two segments at most. Open lines first, then loops.
fn joined(segments: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut of_edge: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, segment) in segments.iter().enumerate() {
        segment.iter().for_each(|edge| of_edge.entry(*edge).or_default().push(index));
    }
    let mut used = vec![false; segments.len()];
    let mut lines = Vec::new();
    let ends = of_edge.iter().filter(|(_, members)| members.len() == 1).map(|(&edge, _)| edge);
    for start in ends.chain(segments.iter().map(|segment| segment[0])) {
        let mut line = vec![start];
        let mut here = start;
        loop {
            let free = |index: &&usize| used.get(**index) == Some(&false);
            let Some(&index) = of_edge.get(&here).and_then(|members| members.iter().find(free)) else { break };
            let (Some(&[a, b]), Some(mark)) = (segments.get(index), used.get_mut(index)) else { break };
            *mark = true;
            here = if a == here { b } else { a };
            line.push(here);
        }
        if line.len() > 1 {
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(count: usize, value: impl Fn(f64, f64) -> f64) -> Grid {
        let side: Vec<f64> = (0..count).map(|i| -1.0 + 2.0 * i as f64 / (count - 1) as f64).collect();
        let values = side.iter().flat_map(|&y| side.iter().map(|&x| value(x, y)).collect::<Vec<_>>()).collect();
        Grid { x: side.clone(), y: side, values }
    }

    #[test]
    fn a_circle_is_one_closed_line_and_converges_with_the_square_of_the_cell() {
        let mut before = f64::INFINITY;
        for count in [21, 41, 81] {
            let lines = grid(count, |x, y| x * x + y * y).lines_at(0.25);
            assert_eq!(lines.len(), 1);
            assert_eq!(lines[0].first(), lines[0].last());
            let error = lines[0].iter().map(|p| ((p.0 * p.0 + p.1 * p.1).sqrt() - 0.5).abs()).fold(0.0, f64::max);
            // along an edge of length h, linear interpolation of a square misses by h^2/8 of its second derivative
            let cell = 2.0 / (count - 1) as f64;
            assert!(error <= cell * cell / 4.0 + 1e-15, "{count}: {error}");
            assert!(error <= 0.5 * before, "{count}: {error} after {before}");
            before = error;
        }
    }

    #[test]
    fn a_plane_has_a_straight_line_across_the_grid() {
        let lines = grid(9, |x, y| x + 0.5 * y).lines_at(0.1);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].iter().all(|p| (p.0 + 0.5 * p.1 - 0.1).abs() < 1e-15));
        assert!(lines[0].iter().any(|p| p.1 == -1.0) && lines[0].iter().any(|p| p.1 == 1.0));
    }

    #[test]
    fn a_saddle_is_cut_by_the_mean_of_its_corners() {
        let cell = |values: [f64; 4]| Grid { x: vec![0.0, 1.0], y: vec![0.0, 1.0], values: values.to_vec() };
        // whether a line runs around the low corner (1, 0), with the high ones (0, 0) and (1, 1)
        let cut_off = |values, level| {
            let lines = cell(values).lines_at(level);
            assert_eq!(lines.len(), 2);
            lines.iter().any(|line| line.iter().all(|p| p.0 + (1.0 - p.1) >= 1.0))
        };
        assert!(cut_off([3.0, 0.0, 0.0, 3.0], 1.0), "mean 1.5 is high: (1, 0) is cut off");
        assert!(!cut_off([3.0, 0.0, 0.0, 3.0], 2.0), "mean 1.5 is low: (0, 0) is cut off");
    }

    #[test]
    fn levels_are_round_and_about_as_many_as_asked_for() {
        assert_eq!(automatic(Range { low: -0.37, high: 1.02, log: false }, 5), [0.0, 0.5, 1.0]);
        assert_eq!(automatic(Range { low: 1e-3, high: 2e2, log: true }, 6), [0.01, 0.1, 1.0, 10.0, 100.0]);
        let many = automatic(Range { low: 0.5, high: 30.0, log: true }, 12);
        assert_eq!(many.len(), 5, "{many:?}");
        for count in 1..=50 {
            for log in [false, true] {
                let levels = automatic(Range { low: 0.2, high: 7e4, log }, count);
                assert!(levels.len() <= usize::from(count) + 1, "{count} {log}: {levels:?}");
            }
        }
    }

    #[test]
    fn holes_and_flat_fields_have_no_line() {
        assert!(grid(5, |x, _| if x == 0.0 { f64::NAN } else { x }).lines_at(0.0).is_empty());
        assert!(grid(5, |_, _| 1.0).lines_at(1.0).is_empty());
        assert!(Grid { x: vec![], y: vec![], values: vec![] }.lines_at(0.0).is_empty());
    }

    #[test]
    fn on_logarithmic_axes_a_product_of_powers_has_straight_lines_at_their_places() {
        let values: Vec<f64> = (0..5).map(|i| stiction::num::real::pow(10.0, f64::from(i))).collect();
        let grid = || values.iter().flat_map(|&y| values.iter().map(move |&x| (x, y)));
        let table = crate::dataset::Table::new("t", "")
            .numbers("x", "", "x", grid().map(|p| p.0).collect())
            .numbers("y", "", "y", grid().map(|p| p.1).collect())
            .numbers("z", "", "z", grid().map(|p| p.0 * p.0).collect());
        let text = "x_axis = { scale = \"log\", range = [1, 1e4] }\ny_axis = { scale = \"log\" }\n\
            map = { x = \"x\", y = \"y\", color = \"z\", scale = \"log\", contours = [1e3, 2.0, 1e30] }";
        let panel = toml::from_str(text).unwrap();
        let source = crate::figure::source::Source { figure: "f", tables: &[table] };
        let content = Content::new(&panel, source, &mut Default::default()).unwrap();
        let axes = Rect { left: 0.0, top: 0.0, width: 100.0, height: 50.0 };
        let lines = placed(&content, axes);
        // x = sqrt(1000) and sqrt(2) on four decades; 1e30 is nowhere
        for (line, place) in lines.iter().zip([37.5, 12.5 * log10(2.0)]) {
            assert!(line.points.iter().all(|point| (point.0 - place).abs() < 1e-9), "{line:?} at {place}");
        }
        assert_eq!(lines.len(), 2);
    }
}
