//! Nodes of a moving plate in rows, so that a kernel which is a product of two is applied along one axis at a time.
//!
//! The direction of sliding jumps at the centre of rotation. Along a row that passes it at the distance h, the weights are smooth
//! in t, sinh t = (x − c)/h; across the rows, the sums over a row have a logarithm at the centre, and nodes crowd towards it like
//! the cube. The only other rough places are those where an end of a row passes the centre closely: complex heights, at which it
//! is seen under the slope ±i.

mod heights;
mod row;

use super::functionals::Functionals;
use super::motion::Twist;
use crate::num::real::{asin, atan2, cos, sin};
use crate::patch::outline::{dot, length, minus};
use crate::patch::{Outline, Piece, Point, Resolution};
use heights::{Heights, Rough, Side};
use row::Row;
use std::f64::consts::PI;

/// Longest panel in units of the length to resolve: beyond, two panels need fewer nodes than one.
const LONGEST_PANEL: f64 = 8.0;

/// Lengths from the centre of rotation within which places are taken by their angles.
const NEAR: f64 = 2.5;

/// Most nodes of one panel.
const MOST_IN_PANEL: i32 = 60;

/// Nodes that a panel of so many lengths wants for an integrand that is smooth otherwise.
fn wanted(size: f64) -> f64 {
    (4.0 + 3.4 * size).min(6.4 + 2.2 * size)
}

/// The number of nodes for a panel that wants so many.
fn count(wanted: f64, extra: i32) -> usize {
    (wanted.ceil() as i32 + extra).clamp(1, MOST_IN_PANEL) as usize
}

/// A frame in which the correlation is the same along both axes, up to their units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// Unit vectors along the rows and across them.
    axes: [Point; 2],
    /// What a length along each axis is multiplied by; their product is 1.
    pub(crate) units: [f64; 2],
}

/// Takes rows of nodes.
pub(crate) trait Rows {
    /// A row at a height with the places along it \[m\], in the units of the frame, and the weights × areas of (F_x, F_y, T).
    fn add(&mut self, height: f64, places: &[f64], loads: [&[f64]; 3]);
}

impl Frame {
    /// The frame of an area and of the linear map with determinant 1 that makes the correlation isotropic.
    pub(crate) fn of(outline: &Outline, map: [[f64; 2]; 2]) -> Self {
        let [[a, b], [c, d]] = map;
        let along = if map == [[1.0, 0.0], [0.0, 1.0]] {
            // flat slopes need many rows: the longest edge is a row
            longest_edge(outline)
        } else {
            // right singular vectors
            let half = 0.5 * atan2(2.0 * (a * b + c * d), a * a + c * c - b * b - d * d);
            [cos(half), sin(half)]
        };
        let axes = [along, [-along[1], along[0]]];
        let units = axes.map(|[x, y]| {
            let mapped = [a * x + b * y, c * x + d * y];
            dot(mapped, mapped).sqrt()
        });
        Self { axes, units }
    }

    fn seen(&self, point: Point) -> Point {
        self.axes.map(|axis| dot(axis, point))
    }

    /// Lower left and upper right corner of an area in the units of the frame \[m\].
    pub(crate) fn bounds(&self, outline: &Outline) -> [Point; 2] {
        let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for piece in &outline.pieces {
            let [low, high] = match *piece {
                Piece::Edge { from, .. } => [self.seen(from); 2],
                Piece::Circle { radius, .. } => [[-radius; 2], [radius; 2]],
            };
            for axis in 0..2 {
                bounds[0][axis] = bounds[0][axis].min(self.units[axis] * low[axis]);
                bounds[1][axis] = bounds[1][axis].max(self.units[axis] * high[axis]);
            }
        }
        bounds
    }

    /// Largest distance of the area from its centroid in the units of the frame \[m\].
    pub(crate) fn reach(&self, outline: &Outline) -> f64 {
        let of_piece = |piece: &Piece| match *piece {
            Piece::Edge { from, .. } => {
                let [x, y] = self.seen(from);
                let place = [self.units[0] * x, self.units[1] * y];
                dot(place, place).sqrt()
            }
            Piece::Circle { radius, .. } => radius * self.units[0].max(self.units[1]),
        };
        outline.pieces.iter().map(of_piece).fold(0.0, f64::max)
    }

    /// Hands all rows of a plate to `rows`.
    pub(crate) fn fill(self, functionals: &Functionals, resolution: Resolution, rows: &mut impl Rows) {
        let lengths = self.units.map(|unit| resolution.length / unit);
        let centre = functionals.twist.centre().map(|centre| self.seen(centre));
        let row = Row::new(centre, lengths[0], resolution.extra);
        let mut plate =
            Filling { frame: self, twist: functionals.twist, centre, lengths, extra: resolution.extra, row };
        if let Some([inner, outer]) = functionals.outline.radii() {
            plate.disc(outer, 1.0, rows);
            // a hole is a disc that is taken away
            if inner > 0.0 {
                plate.disc(inner, -1.0, rows);
            }
        } else {
            plate.straight(&functionals.outline, rows);
        }
    }
}

/// Unit vector along the longest edge.
fn longest_edge(outline: &Outline) -> Point {
    let (mut found, mut longest) = ([1.0, 0.0], 0.0);
    for [from, to] in outline.straight_edges() {
        let side = minus(to, from);
        let size = length(side);
        // the first of several
        if size > 1.000_001 * longest {
            (found, longest) = (side.map(|part| part / size), size);
        }
    }
    found
}

/// A plate whose rows are being made.
struct Filling {
    frame: Frame,
    twist: Twist,
    /// In the frame.
    centre: Option<Point>,
    /// What is to be resolved along the axes \[m\].
    lengths: [f64; 2],
    extra: i32,
    row: Row,
}

impl Filling {
    /// Straight edges: slabs between the heights of corners.
    fn straight(&mut self, outline: &Outline, rows: &mut impl Rows) {
        let edges: Vec<[Point; 2]> =
            outline.straight_edges().map(|edge| edge.map(|point| self.frame.seen(point))).collect();
        let mut levels: Vec<f64> = edges.iter().map(|[from, _]| from[1]).collect();
        levels.sort_by(f64::total_cmp);
        let tall = levels.last().copied().unwrap_or(0.0) - levels.first().copied().unwrap_or(0.0);
        levels.dedup_by(|a, b| *a - *b <= 1e-13 * tall);
        let (mut sides, mut roughs) = (Vec::new(), Vec::new());
        for pair in levels.windows(2) {
            let (low, high) = (pair[0], pair[1]);
            let middle = 0.5 * (low + high);
            sides.clear();
            sides.extend(edges.iter().filter_map(|[p, q]| {
                let spans = p[1].min(q[1]) < middle && p[1].max(q[1]) > middle;
                spans.then(|| Side { from: p[1], at: p[0], slope: (q[0] - p[0]) / (q[1] - p[1]) })
            }));
            sides.sort_by(|a, b| a.x(middle).total_cmp(&b.x(middle)));
            roughs.clear();
            roughs.extend(self.centre.iter().flat_map(|centre| sides.iter().map(|side| side.rough(*centre))));
            let steepest = sides.iter().map(|side| side.slope.abs()).fold(0.0, f64::max);
            let change = (1.0 / self.lengths[1]).max(steepest / self.lengths[0]);
            let centre = self.centre.map(|centre| centre[1]);
            let heights = Heights { change, centre, extra: self.extra };
            for panel in heights.panels([low, high], &roughs) {
                for (height, weight) in panel.nodes() {
                    self.row.clear();
                    for pair in sides.chunks_exact(2) {
                        self.row.between(height, [pair[0].x(height), pair[1].x(height)]);
                    }
                    self.emit(height, weight, rows);
                }
            }
        }
    }

    /// A disc, multiplied by a sign: rows at heights R sin φ.
    fn disc(&mut self, radius: f64, sign: f64, rows: &mut impl Rows) {
        let (mut roughs, mut turn) = (Vec::new(), None);
        if let Some([x, y]) = self.centre {
            let square = x * x + y * y;
            let factor = 0.5 * (radius * radius - square) / (square.max(1e-300) * radius);
            let complex = [y / radius + factor * y, factor * x];
            if complex.iter().all(|part| part.is_finite()) {
                roughs.push(Rough::arcsine(complex));
            }
            turn = (y.abs() <= radius).then(|| asin(y / radius));
            if turn.is_none() {
                roughs.push(Rough::arcsine([y / radius, 0.0]));
            }
        }
        // a turn by itself counts as well
        let change = radius / self.lengths[0].min(self.lengths[1]) + 0.8;
        let heights = Heights { change, centre: turn, extra: self.extra };
        for panel in heights.panels([-0.5 * PI, 0.5 * PI], &roughs) {
            for (turn, weight) in panel.nodes() {
                let (height, half) = (radius * sin(turn), radius * cos(turn));
                self.row.clear();
                self.row.between(height, [-half, half]);
                self.emit(height, sign * weight * half, rows);
            }
        }
    }

    /// Hands the row on.
    fn emit(&mut self, height: f64, weight: f64, rows: &mut impl Rows) {
        let Frame { axes: [along, across], units } = self.frame;
        let line = [across.map(|part| part * height), along];
        let (places, loads) = self.row.loads(self.twist, line, weight, units[0]);
        rows.add(units[1] * height, places, loads);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::planar_sliding::functionals::difference;
    use crate::analysis::planar_sliding::square::rectangle_translation;
    use crate::patch::{Disc, Mask, Polygon, Shape, Square};

    fn tilted(half_sides: [f64; 2], angle: f64) -> Shape {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]: Point| {
            let (x, y) = (half_sides[0] * x, half_sides[1] * y);
            [cos(angle) * x - sin(angle) * y, sin(angle) * x + cos(angle) * y]
        });
        Shape::Polygon(Polygon { corners: corners.to_vec(), holes: vec![] })
    }

    fn angled() -> Shape {
        Shape::Polygon(Polygon {
            corners: vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.5], [0.0, 2.0]],
            holes: vec![vec![[0.2, 0.2], [0.8, 0.3], [0.5, 0.7]]],
        })
    }

    #[test]
    fn rows_are_as_good_as_a_fan_about_the_centre() {
        let mask = Shape::Mask(Mask { cell: 0.5, rows: vec!["##..".into(), "#.##".into(), "####".into()] });
        let plates: [(Shape, &[Point]); 5] = [
            (
                Shape::Square(Square { half_side: 1.0 }),
                &[[0.0, 0.0], [0.97, 0.1], [0.0, 1.0], [0.3, 1.03], [1.0, 1.0], [2.0, 0.1]],
            ),
            (
                Shape::Disc(Disc { radius: 1.0 }),
                &[[0.0, 0.0], [0.6, 0.78], [0.0, 1.0], [1.0, 0.0], [1.03, 0.2], [3.0, 1.0]],
            ),
            (tilted([1.0, 0.8], 0.05), &[[0.1, 0.4], [0.9, 0.8]]),
            (angled(), &[[0.1, 0.2], [-0.24, 0.15], [-1.2, -0.9], [5.0, 0.0]]),
            (mask, &[[0.1, 0.0], [0.25, 0.4]]),
        ];
        for (shape, centres) in &plates {
            for [x, y] in *centres {
                let twist = Twist { vx: *y, vy: -*x, omega: 1.0 };
                let mut functionals = Functionals::new(Outline::of(shape).unwrap(), twist);
                for map in [[[1.0, 0.0], [0.0, 1.0]], [[0.6, 0.4], [-0.8, 1.133_333_333_333_333_3]]] {
                    functionals.map = map;
                    for length in [0.1, 0.35, 1.0, 4.0] {
                        let fan = functionals.loads(Resolution { length, extra: 1 }).gaussian(length);
                        let error = difference(&fan, &functionals.gaussian(length, 0).unwrap());
                        assert!(error < 5e-10, "{shape:?} about ({x}, {y}), {map:?}, {length}: {error:e}");
                    }
                }
            }
        }
    }

    #[test]
    fn flat_edges_lose_no_digits() {
        for angle in [0.0, 1e-9, 0.002, 0.05, 0.7] {
            let outline = Outline::of(&tilted([1.3, 0.7], angle)).unwrap();
            let functionals = Functionals::new(outline, Twist { vx: cos(angle), vy: sin(angle), omega: 0.0 });
            for length in [0.05, 0.3, 3.0] {
                let wanted = rectangle_translation(1.3, 0.7, [1.0, 0.0], length);
                let found = functionals.gaussian(length, 0).unwrap();
                let force = found[0][0] + found[1][1];
                let errors = [force / wanted[0][0] - 1.0, found[2][2] / wanted[2][2] - 1.0];
                assert!(errors.iter().all(|error| error.abs() < 1e-9), "{angle}, {length}: {errors:?}");
            }
        }
    }
}
