//! An area cut along lines, so that a function that is smooth between the lines is smooth in every panel.
//!
//! A panel lies between two heights and two ends of its rows: a row is straight along x, its ends move along edges, arcs or lines of
//! the cut. Rows of panels with an arc crowd towards both heights, where the arc may be level.

use super::nodes::{Nodes, Resolution};
use super::outline::{Outline, Piece, Point};
use crate::num::gauss::{Rule, Rules};

/// Where the rows of a panel end.
#[derive(Debug, Clone, Copy)]
enum End {
    /// On the edge between two points.
    Edge([Point; 2]),
    /// On the circle about the origin, to the left of it if the radius is negative.
    Arc(f64),
    /// On a line of the cut.
    Line(f64),
}

impl End {
    fn at(&self, y: f64) -> f64 {
        match *self {
            End::Edge([p, q]) => p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]),
            End::Arc(radius) => ((radius - y) * (radius + y)).max(0.0).sqrt().copysign(radius),
            End::Line(x) => x,
        }
    }

    /// The height between two others at which the end crosses a line.
    fn crosses(&self, x: f64, [low, high]: [f64; 2]) -> Option<f64> {
        let height = match *self {
            End::Edge([p, q]) => p[1] + (x - p[0]) / (q[0] - p[0]) * (q[1] - p[1]),
            End::Arc(radius) if x * radius >= 0.0 => End::Arc(radius.abs()).at(x).copysign(low + high),
            End::Arc(_) | End::Line(_) => return None,
        };
        (height > low && height < high).then_some(height)
    }
}

/// A part of an area, or of such a part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panel {
    heights: [f64; 2],
    ends: [End; 2],
    /// Which shares of the height and of the rows belong to it.
    shares: [[f64; 2]; 2],
}

impl Panel {
    fn new(heights: [f64; 2], ends: [End; 2]) -> Self {
        Self { heights, ends, shares: [[0.0, 1.0]; 2] }
    }

    /// Places and weights \[m²\] of a rule along both directions.
    pub(crate) fn nodes(&self, rule: &Rule) -> impl Iterator<Item = (Point, f64)> {
        let [up, across] = self.shares;
        rule.on(up[0], up[1]).flat_map(move |(s, weight)| {
            let [y, density] = self.height(s);
            let [left, right] = self.ends.map(|end| end.at(y));
            let row = weight * density * (right - left);
            rule.on(across[0], across[1]).map(move |(t, weight)| ([left + (right - left) * t, y], row * weight))
        })
    }

    /// The height at a share of it, and the derivative there.
    fn height(&self, s: f64) -> [f64; 2] {
        let [low, high] = self.heights;
        let curved = self.ends.iter().any(|end| matches!(end, End::Arc(_)));
        let (share, density) = if curved { (s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s)) } else { (s, 1.0) };
        [low + (high - low) * share, (high - low) * density]
    }

    /// Its corners.
    pub(crate) fn corners(&self) -> [Point; 4] {
        let [up, across] = self.shares;
        let at = |s: f64, t: f64| {
            let [y, _] = self.height(s);
            let [left, right] = self.ends.map(|end| end.at(y));
            [left + (right - left) * t, y]
        };
        [at(up[0], across[0]), at(up[0], across[1]), at(up[1], across[0]), at(up[1], across[1])]
    }

    /// Its four quarters.
    pub(crate) fn quarters(&self) -> impl Iterator<Item = Panel> {
        let [up, across] = self.shares.map(|[from, to]| [[from, 0.5 * (from + to)], [0.5 * (from + to), to]]);
        let panel = *self;
        up.into_iter().flat_map(move |up| across.map(|across| Panel { shares: [up, across], ..panel }))
    }
}

/// Most cuts of a panel towards a point: what is left has 1e-7 of its area.
const MOST_CUTS: usize = 12;

impl Nodes {
    /// Nodes inside the area with positive weights, for integrands whose direction jumps at `centre`: panels are cut into quarters
    /// until they are smaller than their distance from it.
    pub(crate) fn towards(outline: &Outline, centre: Point, resolution: Resolution) -> Self {
        let [low, high] = outline.geometry.bounds;
        let lines = std::array::from_fn(|axis| {
            let size = high[axis] - low[axis];
            let panels = resolution.panels(size);
            (1..panels).map(|k| low[axis] + size * k as f64 / panels as f64).collect()
        });
        let mut nodes = Self::default();
        for panel in outline.panels(&lines).flatten() {
            nodes.add(&panel, centre, resolution, MOST_CUTS);
        }
        nodes
    }

    fn add(&mut self, panel: &Panel, centre: Point, resolution: Resolution, cuts: usize) {
        let corners = panel.corners();
        let (mut size, mut distance) = (0.0_f64, 0.0_f64);
        for axis in 0..2 {
            let places = corners.iter().map(|corner| corner[axis]);
            let (low, high) = (places.clone().fold(f64::INFINITY, f64::min), places.fold(f64::NEG_INFINITY, f64::max));
            size = size.max(high - low);
            distance = distance.max(low - centre[axis]).max(centre[axis] - high);
        }
        if cuts > 0 && distance < size {
            panel.quarters().for_each(|quarter| self.add(&quarter, centre, resolution, cuts - 1));
            return;
        }
        let bend = if distance > size { size / distance } else { 1.0 };
        for (point, weight) in panel.nodes(Rules::shared().with(resolution.count(size, bend))) {
            self.points.push(point);
            self.weights.push(weight);
        }
    }
}

impl Outline {
    /// The panels between lines x = … and y = … (ascending), one list for each strip between two heights.
    pub(crate) fn panels(&self, lines: &[Vec<f64>; 2]) -> impl Iterator<Item = Vec<Panel>> {
        let [low, high] = self.geometry.bounds.map(|corner| corner[1]);
        let mut levels: Vec<f64> = lines[1].iter().copied().filter(|y| *y > low && *y < high).collect();
        for piece in &self.pieces {
            match *piece {
                Piece::Edge { from, .. } => levels.push(from[1]),
                // on each side of y = 0 an arc crosses every line once
                Piece::Circle { radius, .. } => levels.extend([-radius, 0.0, radius]),
            }
        }
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        let strips: Vec<[f64; 2]> = levels.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        strips.into_iter().map(|strip| self.strip(strip, &lines[0]))
    }

    fn strip(&self, [low, high]: [f64; 2], lines: &[f64]) -> Vec<Panel> {
        let middle = 0.5 * (low + high);
        let mut ends: Vec<End> = Vec::new();
        for piece in &self.pieces {
            match *piece {
                Piece::Edge { from, to } if from[1].min(to[1]) <= low && from[1].max(to[1]) >= high => {
                    ends.push(End::Edge([from, to]));
                }
                Piece::Circle { radius, .. } if middle.abs() < radius => {
                    ends.extend([End::Arc(-radius), End::Arc(radius)]);
                }
                _ => {}
            }
        }
        ends.sort_by(|a, b| a.at(middle).total_cmp(&b.at(middle)));
        let mut panels = Vec::new();
        for pair in ends.chunks_exact(2) {
            cut([low, high], [pair[0], pair[1]], lines, &mut panels);
        }
        panels
    }
}

/// Round-off of places, in their size.
const ROUNDING: f64 = 1e-13;

/// Cuts what lies between two heights and two ends along lines: at once where a line is inside all the way, else at the heights where
/// it is crossed.
fn cut(heights: [f64; 2], ends: [End; 2], lines: &[f64], panels: &mut Vec<Panel>) {
    let [left, right] = ends.map(|end| heights.map(|y| end.at(y)));
    // a line that is touched at a height where it is crossed is inside all the way
    let rounding = ROUNDING * left.into_iter().chain(right).fold(0.0, |size: f64, x| size.max(x.abs()));
    let first = lines.partition_point(|x| *x <= left[0].min(left[1]) + rounding);
    let last = lines.partition_point(|x| *x < right[0].max(right[1]) - rounding).max(first);
    let met = &lines[first..last];
    if met.is_empty() {
        panels.push(Panel::new(heights, ends));
        return;
    }
    let whole = |x: &f64| *x >= left[0].max(left[1]) - rounding && *x <= right[0].min(right[1]) + rounding;
    if let (Some(from), Some(to)) = (met.iter().position(whole), met.iter().rposition(whole)) {
        cut(heights, [ends[0], End::Line(met[from])], &met[..from], panels);
        for pair in met[from..=to].windows(2) {
            panels.push(Panel::new(heights, [End::Line(pair[0]), End::Line(pair[1])]));
        }
        cut(heights, [End::Line(met[to]), ends[1]], &met[to + 1..], panels);
        return;
    }
    let crossed = met.iter().flat_map(|x| ends.iter().filter_map(|end| end.crosses(*x, heights)));
    let middle = 0.5 * (heights[0] + heights[1]);
    // the one nearest to the middle, so that the depth stays small
    match crossed.min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs())) {
        Some(height) => {
            cut([heights[0], height], ends, met, panels);
            cut([height, heights[1]], ends, met, panels);
        }
        // met by rounding only
        None => panels.push(Panel::new(heights, ends)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::outline::{length, minus};
    use crate::patch::{Annulus, Disc, Polygon, Shape};

    #[test]
    fn nodes_towards_a_point_are_inside_and_resolve_its_directions() {
        let corners = vec![[0.0, 0.0], [3.0, 0.2], [2.6, 1.0], [1.0, 1.1], [1.2, 2.5], [0.0, 2.0]];
        for shape in [Shape::Polygon(Polygon { corners, holes: vec![] }), Shape::Disc(Disc { radius: 1.3 })] {
            let outline = Outline::of(&shape).unwrap();
            for centre in [[0.0, 0.0], [0.3, 0.1], [1.3, 0.0], [1.3001, 0.0], [-0.9, 1.2], [5.0, -2.0]] {
                let nodes = Nodes::towards(&outline, centre, Resolution { length: 0.7, extra: 0 });
                let fan = Nodes::fan(&outline, centre, Resolution { length: 0.7, extra: 0 });
                let sums = |nodes: &Nodes| {
                    let pairs = nodes.points.iter().zip(&nodes.weights);
                    pairs.fold([0.0; 3], |[x, y, r], (point, weight)| {
                        let away = minus(*point, centre);
                        let size = length(away);
                        [x + weight * away[0] / size, y + weight * away[1] / size, r + weight * size]
                    })
                };
                assert!(nodes.points.iter().zip(&nodes.weights).all(|(p, w)| *w > 0.0 && outline.contains(*p)));
                for (found, wanted) in sums(&nodes).into_iter().zip(sums(&fan)) {
                    assert!((found - wanted).abs() < 1e-7, "{centre:?}: {found} not {wanted}");
                }
            }
        }
    }

    #[test]
    fn panels_cover_the_area_and_cross_no_line() {
        let polygon = Polygon {
            corners: vec![[0.0, 0.0], [3.0, 0.2], [2.6, 1.0], [1.0, 1.1], [1.2, 2.5], [0.0, 2.0]],
            holes: vec![vec![[0.2, 0.2], [0.8, 0.3], [0.5, 0.7]]],
        };
        let shapes = [
            Shape::Polygon(polygon),
            Shape::Disc(Disc { radius: 1.3 }),
            Shape::Annulus(Annulus { inner_radius: 0.4, outer_radius: 1.1 }),
        ];
        for shape in shapes {
            let outline = Outline::of(&shape).unwrap();
            for step in [0.1, 0.37, 5.0] {
                let lines =
                    [0, 1].map(|axis| (-40..40).map(|k| (f64::from(k) + 0.3 + 0.1 * f64::from(axis)) * step).collect());
                // exact for edges; arcs that are level just beyond a strip leave 1e-10 with 12 nodes
                let rule = Rule::gauss_legendre(12);
                let (mut area, mut second) = (0.0, 0.0);
                for panel in outline.panels(&lines).flatten() {
                    let nodes: Vec<(Point, f64)> = panel.nodes(&rule).collect();
                    for ([x, y], weight) in &nodes {
                        area += weight;
                        second += weight * x * y;
                        assert!(*weight > 0.0 && outline.contains([*x, *y]), "{x} {y}");
                    }
                    for axis in 0..2 {
                        let along = |best: fn(f64, f64) -> f64| nodes.iter().map(|(point, _)| point[axis]).reduce(best);
                        let (low, high) = (along(f64::min).unwrap(), along(f64::max).unwrap());
                        let crossed =
                            lines[axis].iter().find(|line: &&f64| low + 1e-12 < **line && **line < high - 1e-12);
                        assert_eq!(crossed, None, "{step} {axis}: {panel:?}");
                    }
                }
                let [_, wanted, _] = outline.geometry.second_moments;
                assert!((area - outline.geometry.area).abs() < 1e-9, "{step}: {area}");
                assert!((second - wanted).abs() < 1e-9, "{step}: {second} not {wanted}");
            }
        }
    }
}
