//! The outline of a contact area: oriented pieces with the area to their left, in the frame of the centroid.
//!
//! Everything that is asked of an area is a sum over its outline: area, centroid, moments, the mean distance, whether a
//! point is inside. Holes and several parts need no special care: only the orientation counts.

use super::Shape;
use crate::Problem;
use crate::num::real::{asinh, atan2};
use std::f64::consts::PI;

/// A point or a vector in the plane \[m\].
pub type Point = [f64; 2];

/// A piece of an outline, with the area to its left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Piece {
    /// A straight edge.
    Edge {
        /// Start \[m\].
        from: Point,
        /// End \[m\].
        to: Point,
    },
    /// A whole circle about the origin.
    Circle {
        /// Radius \[m\].
        radius: f64,
        /// Whether it is the rim of a hole, which runs clockwise.
        hole: bool,
    },
}

/// Area and moments of a contact area about its centroid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geometry {
    /// Area \[m²\].
    pub area: f64,
    /// Second moments ∫x², ∫xy, ∫y² \[m⁴\].
    pub second_moments: [f64; 3],
    /// ∫r dS, r the distance from the centroid \[m³\].
    pub distance_integral: f64,
    /// Lower left and upper right corner of the bounding box \[m\].
    pub bounds: [Point; 2],
}

/// The outline of a contact area in the frame of its centroid.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// Pieces, the area to their left.
    pub pieces: Vec<Piece>,
    /// Position of the centroid in the coordinates of the shape's keys \[m\].
    pub shift: Point,
    /// Area and moments.
    pub geometry: Geometry,
    /// Side of the cells that the area is made of, if it is \[m\].
    pub cell: Option<f64>,
}

pub(crate) fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(crate) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

impl Outline {
    /// The outline of a shape.
    ///
    /// # Errors
    /// What is wrong with the shape.
    pub fn of(shape: &Shape) -> Result<Self, Vec<Problem>> {
        let problems = shape.problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        let edges = match shape {
            Shape::Square(square) => rectangle(square.half_side, square.half_side),
            Shape::Rectangle(rectangle_) => rectangle(rectangle_.half_length, rectangle_.half_width),
            Shape::Disc(disc) => return Ok(Self::between_circles(0.0, disc.radius)),
            Shape::Annulus(annulus) => return Ok(Self::between_circles(annulus.inner_radius, annulus.outer_radius)),
            Shape::Polygon(polygon) => polygon.edges(),
            Shape::Mask(mask) => return Ok(Self { cell: Some(mask.cell), ..Self::from_edges(&mask.edges()) }),
        };
        Ok(Self::from_edges(&edges))
    }

    /// The outline with these edges, in any frame: it is shifted to the centroid.
    fn from_edges(edges: &[[Point; 2]]) -> Self {
        // about the first corner, so that a shape far from the origin loses no digits
        let anchor = edges.first().map_or([0.0; 2], |edge| edge[0]);
        let (mut area, mut first) = (0.0, [0.0; 2]);
        for [from, to] in edges {
            let (p, q) = (minus(*from, anchor), minus(*to, anchor));
            let twice = cross(p, q);
            area += 0.5 * twice;
            for axis in 0..2 {
                first[axis] += twice * (p[axis] + q[axis]) / 6.0;
            }
        }
        let shift = [anchor[0] + first[0] / area, anchor[1] + first[1] / area];
        let pieces: Vec<Piece> =
            edges.iter().map(|[from, to]| Piece::Edge { from: minus(*from, shift), to: minus(*to, shift) }).collect();
        let mut outline = Self { pieces, shift, geometry: Geometry::empty(), cell: None };
        outline.geometry = outline.moments(area);
        outline
    }

    /// A disc, or an annulus if the inner radius is not zero.
    fn between_circles(inner: f64, outer: f64) -> Self {
        let width = outer - inner;
        // differences of powers as products: a narrow annulus loses no digits
        let area = PI * width * (outer + inner);
        let second = 0.25 * area * (outer * outer + inner * inner);
        let geometry = Geometry {
            area,
            second_moments: [second, 0.0, second],
            distance_integral: 2.0 * PI / 3.0 * width * (outer * outer + outer * inner + inner * inner),
            bounds: [[-outer, -outer], [outer, outer]],
        };
        let mut pieces = vec![Piece::Circle { radius: outer, hole: false }];
        if inner > 0.0 {
            pieces.push(Piece::Circle { radius: inner, hole: true });
        }
        Self { pieces, shift: [0.0, 0.0], geometry, cell: None }
    }

    /// Inner and outer radius \[m\] of an area between circles; the inner one of a disc is zero.
    pub(crate) fn radii(&self) -> Option<[f64; 2]> {
        match *self.pieces.as_slice() {
            [Piece::Circle { radius, .. }] => Some([0.0, radius]),
            [Piece::Circle { radius: outer, .. }, Piece::Circle { radius: inner, .. }] => Some([inner, outer]),
            _ => None,
        }
    }

    /// The same point in the coordinates of the shape's keys \[m\], in which fields are given.
    pub(crate) fn in_field(&self, point: Point) -> Point {
        [point[0] + self.shift[0], point[1] + self.shift[1]]
    }

    fn moments(&self, area: f64) -> Geometry {
        let mut geometry = Geometry { area, ..Geometry::empty() };
        for piece in &self.pieces {
            let Piece::Edge { from: p, to: q } = *piece else { continue };
            let twice = cross(p, q) / 24.0;
            let product = |i: usize, j: usize| 2.0 * (p[i] * p[j] + q[i] * q[j]) + p[i] * q[j] + q[i] * p[j];
            for (moment, (i, j)) in geometry.second_moments.iter_mut().zip([(0, 0), (0, 1), (1, 1)]) {
                *moment += twice * product(i, j);
            }
            let [low, high] = &mut geometry.bounds;
            for ((low, high), place) in low.iter_mut().zip(high).zip(p) {
                (*low, *high) = (low.min(place), high.max(place));
            }
        }
        geometry.distance_integral = self.distance_integral([0.0, 0.0]).unwrap_or(0.0);
        geometry
    }

    /// ∫|x − c| dS \[m³\] in closed form; none for a disc about another point than its centre.
    pub(crate) fn distance_integral(&self, c: Point) -> Option<f64> {
        let mut sum = 0.0;
        for piece in &self.pieces {
            match *piece {
                Piece::Edge { from, to } => {
                    let Some(seen) = Seen::from(c, from, to) else { continue };
                    // ∫R³/3 dθ over the triangle with R = d/cos θ
                    let part = |t: f64| t * seen.ray(t) + seen.d * seen.d * asinh(t / seen.d);
                    sum += seen.sign * seen.d / 6.0 * (part(seen.ends[1]) - part(seen.ends[0]));
                }
                Piece::Circle { .. } if c == [0.0, 0.0] => return Some(self.geometry.distance_integral),
                Piece::Circle { .. } => return None,
            }
        }
        Some(sum)
    }

    /// ∫(x − c)/|x − c| dS \[m²\] in closed form; none for a disc about another point than its centre.
    pub(crate) fn direction_integral(&self, c: Point) -> Option<Point> {
        let mut sum = [0.0, 0.0];
        for piece in &self.pieces {
            match *piece {
                Piece::Edge { from, to } => {
                    let Some(seen) = Seen::from(c, from, to) else { continue };
                    // ∫e(θ) R²/2 dθ, split into the parts along the normal and along the edge
                    let normal = 0.5 * seen.d * seen.d * (asinh(seen.ends[1] / seen.d) - asinh(seen.ends[0] / seen.d));
                    let along = 0.5 * seen.d * (seen.ray(seen.ends[1]) - seen.ray(seen.ends[0]));
                    for (sum, (n, t)) in sum.iter_mut().zip(seen.normal.into_iter().zip(seen.along)) {
                        *sum += seen.sign * (normal * n + along * t);
                    }
                }
                Piece::Circle { .. } if c == [0.0, 0.0] => {}
                Piece::Circle { .. } => return None,
            }
        }
        Some(sum)
    }

    /// Whether a point is inside; points on the outline may count either way.
    pub(crate) fn contains(&self, point: Point) -> bool {
        let mut winding = 0;
        for piece in &self.pieces {
            match *piece {
                Piece::Circle { radius, hole } if length(point) < radius => winding += if hole { -1 } else { 1 },
                Piece::Circle { .. } => {}
                Piece::Edge { from, to } => {
                    let left = cross(minus(to, from), minus(point, from)) > 0.0;
                    if from[1] <= point[1] && to[1] > point[1] && left {
                        winding += 1;
                    } else if from[1] > point[1] && to[1] <= point[1] && !left {
                        winding -= 1;
                    }
                }
            }
        }
        winding != 0
    }

    /// Distance \[m\] of a point from the outline.
    pub(crate) fn distance(&self, point: Point) -> f64 {
        let to_piece = |piece: &Piece| match *piece {
            Piece::Circle { radius, .. } => (length(point) - radius).abs(),
            Piece::Edge { from, to } => {
                let side = minus(to, from);
                let fraction = (dot(minus(point, from), side) / dot(side, side)).clamp(0.0, 1.0);
                length(minus(point, [from[0] + fraction * side[0], from[1] + fraction * side[1]]))
            }
        };
        self.pieces.iter().map(to_piece).fold(f64::INFINITY, f64::min)
    }

    /// Largest distance \[m\] of the area from its centroid.
    pub(crate) fn reach(&self) -> f64 {
        let of_piece = |piece: &Piece| match *piece {
            Piece::Circle { radius, .. } => radius,
            Piece::Edge { from, .. } => length(from),
        };
        self.pieces.iter().map(of_piece).fold(0.0, f64::max)
    }
}

impl Geometry {
    fn empty() -> Self {
        let bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        Self { area: 0.0, second_moments: [0.0; 3], distance_integral: 0.0, bounds }
    }

    /// Half the side of the square with this area \[m\]: the length a of other shapes.
    pub(crate) fn half_side(&self) -> f64 {
        0.5 * self.area.sqrt()
    }
}

/// An edge as seen from a point: its line at distance d, its ends along the line measured from the foot.
struct Seen {
    /// Distance of the line \[m\], > 0.
    d: f64,
    /// Unit vector from the point to the line.
    normal: Point,
    /// Unit vector along the edge.
    along: Point,
    /// Start and end along the line from the foot \[m\].
    ends: [f64; 2],
    /// +1 if the edge runs counter-clockwise as seen from the point.
    sign: f64,
}

impl Seen {
    /// None if the point is on the line: its triangle has no area.
    fn from(c: Point, from: Point, to: Point) -> Option<Self> {
        let (p, q) = (minus(from, c), minus(to, c));
        let side = minus(to, from);
        let size = length(side);
        let along = [side[0] / size, side[1] / size];
        let height = cross(p, along);
        // `height` is the distance, positive where the edge runs counter-clockwise about the point
        let d = height.abs();
        if d.is_nan() || d <= 1e-300 {
            return None;
        }
        let sign = height.signum();
        let normal = [sign * along[1], -sign * along[0]];
        Some(Self { d, normal, along, ends: [dot(p, along), dot(q, along)], sign })
    }

    fn ray(&self, t: f64) -> f64 {
        (self.d * self.d + t * t).sqrt()
    }
}

/// The angle of a point as seen from another \[rad\].
pub(crate) fn angle(of: Point) -> f64 {
    atan2(of[1], of[0])
}

fn rectangle(a: f64, b: f64) -> Vec<[Point; 2]> {
    let corners = [[-a, -b], [a, -b], [a, b], [-a, b]];
    (0..4).map(|i| [corners[i], corners[(i + 1) % 4]]).collect()
}
