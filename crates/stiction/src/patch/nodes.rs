//! Quadrature over a contact area.
//!
//! Two kinds of nodes, and a third beside the panels. `Nodes::inside` lie inside the area and have positive weights: for smooth
//! integrands and for sampling. `Nodes::fan` are for integrands with a jump of direction at one point, such as the velocity at the centre of
//! rotation: signed triangles from that point to every piece of the outline, whose Jacobian removes the singularity. They
//! also work where the point is on the rim or outside, and then some nodes lie outside the area and cancel.

use super::outline::{Outline, Piece, Point, angle, cross, dot, length, minus};
use crate::num::gauss::{Rule, Rules};
use crate::num::real::{cos, sin};
use std::f64::consts::PI;

/// Nodes and weights of a quadrature over an area.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Nodes {
    /// Places \[m\].
    pub(crate) points: Vec<Point>,
    /// Weights \[m²\]; their sum is the area.
    pub(crate) weights: Vec<f64>,
}

/// How fine a quadrature is.
///
/// With `extra` = 0 a smooth function times exp(−2|x − z|²/l²), l = `length`, is integrated to about 1e-10 of its scale
/// wherever z is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Resolution {
    /// The length that must be resolved \[m\], > 0.
    pub(crate) length: f64,
    /// Additional nodes per panel and direction; negative for a coarser rule to compare with.
    pub(crate) extra: i32,
}

/// Longest panel in units of the length to resolve: beyond, two panels need fewer nodes than one.
const LONGEST_PANEL: f64 = 5.0;

/// Most nodes of one panel in one direction.
const MOST_IN_PANEL: usize = 40;

impl Resolution {
    /// Nodes for a panel of this size; `bend` is its size in units of the distance to the singularity of the integrand.
    pub(super) fn count(&self, size: f64, bend: f64) -> usize {
        let wanted = 3.6 + 3.4 * size / self.length + 4.0 * bend;
        (wanted.ceil() as i32 + self.extra).clamp(1, MOST_IN_PANEL as i32) as usize
    }

    /// Number of equal panels for an interval of this size.
    pub(super) fn panels(&self, size: f64) -> usize {
        ((size / (LONGEST_PANEL * self.length)).ceil() as usize).max(1)
    }
}

impl Nodes {
    /// Nodes inside the area with positive weights.
    pub(crate) fn inside(outline: &Outline, resolution: Resolution) -> Self {
        let rules = Rules::shared();
        let mut nodes = Self::default();
        if let Some(radii) = outline.radii() {
            nodes.rings(radii, resolution, rules);
        } else {
            for trapezoid in trapezoids(outline) {
                nodes.fill(&trapezoid, resolution, rules);
            }
        }
        nodes
    }

    /// Signed nodes for integrands whose direction jumps at `centre`.
    pub(crate) fn fan(outline: &Outline, centre: Point, resolution: Resolution) -> Self {
        let rules = Rules::shared();
        let mut nodes = Self::default();
        for piece in &outline.pieces {
            Blade::new(*piece, centre).fill(&mut nodes, resolution, rules);
        }
        nodes
    }

    /// About how many nodes [`Nodes::inside`] makes.
    pub(crate) fn estimated_count(outline: &Outline, resolution: Resolution) -> f64 {
        let per_length = 4.2 / resolution.length;
        outline.geometry.area * per_length * per_length + 400.0
    }

    fn push(&mut self, point: Point, weight: f64) {
        self.points.push(point);
        self.weights.push(weight);
    }

    fn rings(&mut self, [inner, outer]: [f64; 2], resolution: Resolution, rules: &Rules) {
        let panels = resolution.panels(outer - inner);
        let width = (outer - inner) / panels as f64;
        for panel in 0..panels {
            let low = inner + panel as f64 * width;
            for (r, weight) in rules.with(resolution.count(width, 0.0)).on(low, low + width) {
                let count = (2.0 * PI * r * 2.6 / resolution.length).ceil() as usize + 18;
                let count = (count as i64 + 2 * i64::from(resolution.extra)).max(3) as usize;
                let step = 2.0 * PI / count as f64;
                for i in 0..count {
                    let angle = step * i as f64;
                    self.push([r * cos(angle), r * sin(angle)], weight * r * step);
                }
            }
        }
    }

    fn fill(&mut self, trapezoid: &Trapezoid, resolution: Resolution, rules: &Rules) {
        let Trapezoid { low, high, left, right } = *trapezoid;
        // the ends of a row move with its height: flat edges need many rows
        let change = (left[1] - left[0]).abs().max((right[1] - right[0]).abs()).max(high - low);
        let panels = resolution.panels(change);
        let height = (high - low) / panels as f64;
        let rows = rules.with(resolution.count(change / panels as f64, 0.0));
        let between = |ends: [f64; 2], fraction: f64| ends[0] + fraction * (ends[1] - ends[0]);
        for row in 0..panels {
            let bottom = low + row as f64 * height;
            for (y, row_weight) in rows.on(bottom, bottom + height) {
                let fraction = (y - low) / (high - low);
                let (from, to) = (between(left, fraction), between(right, fraction));
                let columns = resolution.panels(to - from);
                let width = (to - from) / columns as f64;
                let rule = rules.with(resolution.count(width, 0.0));
                for column in 0..columns {
                    let start = from + column as f64 * width;
                    for (x, weight) in rule.on(start, start + width) {
                        self.push([x, y], weight * row_weight);
                    }
                }
            }
        }
    }
}

/// A part of an area between two horizontal lines and two edges.
struct Trapezoid {
    low: f64,
    high: f64,
    /// x of the left edge at the low and the high line.
    left: [f64; 2],
    right: [f64; 2],
}

/// Cuts an area with straight edges into trapezoids at the heights of its corners.
fn trapezoids(outline: &Outline) -> Vec<Trapezoid> {
    let mut levels: Vec<f64> = outline.straight_edges().map(|[from, _]| from[1]).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let mut found: Vec<Trapezoid> = Vec::new();
    for pair in levels.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        let at = |[p, q]: [Point; 2], y: f64| p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
        let spans = |[p, q]: &[Point; 2]| p[1].min(q[1]) <= low && p[1].max(q[1]) >= high;
        let mut sides: Vec<[f64; 2]> =
            outline.straight_edges().filter(spans).map(|edge| [at(edge, low), at(edge, high)]).collect();
        sides.sort_by(|a, b| (a[0] + a[1]).total_cmp(&(b[0] + b[1])));
        for side in sides.chunks_exact(2) {
            found.push(Trapezoid { low, high, left: side[0], right: side[1] });
        }
    }
    found
}

/// The signed triangle from the centre to one piece of the outline.
struct Blade {
    piece: Piece,
    centre: Point,
    /// Distance of the nearest point of the line or circle \[m\].
    nearest: f64,
    /// Start and end along the piece, measured from the nearest point \[m\].
    ends: [f64; 2],
    /// Largest distance of the piece from the centre \[m\].
    farthest: f64,
    /// Longest panel along the piece that its own curvature allows \[m\].
    longest: f64,
}

impl Blade {
    fn new(piece: Piece, centre: Point) -> Self {
        match piece {
            Piece::Edge { from, to } => {
                let (p, side) = (minus(from, centre), minus(to, from));
                let size = length(side);
                let along = [side[0] / size, side[1] / size];
                let start = dot(p, along);
                let farthest = length(p).max(length(minus(to, centre)));
                let ends = [start, start + size];
                Self { piece, centre, nearest: cross(p, along).abs(), ends, farthest, longest: f64::INFINITY }
            }
            Piece::Circle { radius, .. } => {
                let distance = length(centre);
                let nearest = (radius - distance).abs().max(1e-9 * radius);
                let ends = [-PI * radius, PI * radius];
                let farthest = radius + distance;
                Self { piece, centre, nearest, ends, farthest, longest: 0.8 * radius }
            }
        }
    }

    /// Point of the piece relative to the centre at `t` along it, and (twice the) area per t.
    fn at(&self, t: f64) -> (Point, f64) {
        match self.piece {
            Piece::Edge { from, to } => {
                let side = minus(to, from);
                let size = self.ends[1] - self.ends[0];
                let fraction = (t - self.ends[0]) / size;
                let place = [from[0] + fraction * side[0], from[1] + fraction * side[1]];
                let relative = minus(place, self.centre);
                (relative, cross(minus(from, self.centre), side) / size)
            }
            Piece::Circle { radius, hole } => {
                let turn = angle(self.centre) + t / radius;
                let outward = [cos(turn), sin(turn)];
                let relative = minus([radius * outward[0], radius * outward[1]], self.centre);
                let area = dot(relative, outward);
                (relative, if hole { -area } else { area })
            }
        }
    }

    /// Breaks along the piece: short near the nearest point, doubling away from it, never longer than `limit`.
    fn breaks(&self, limit: f64) -> Vec<f64> {
        let limit = limit.min(self.longest);
        let [start, end] = self.ends;
        let outward = |from: f64, to: f64| {
            // distances 0 <= from < to from the nearest point
            let mut places = vec![from];
            let mut here = from;
            while here < to {
                // never so small that the sum does not move
                let step = here.max(self.nearest).min(limit).max(1e-13 * to);
                // no sliver at the end
                here = if to - here < 1.3 * step { to } else { here + step };
                places.push(here);
            }
            places
        };
        if start >= 0.0 {
            outward(start, end)
        } else if end <= 0.0 {
            outward(-end, -start).into_iter().rev().map(|t| -t).collect()
        } else {
            let left = outward(0.0, -start).into_iter().rev().map(|t| -t);
            left.chain(outward(0.0, end).into_iter().skip(1)).collect()
        }
    }

    fn fill(&self, nodes: &mut Nodes, resolution: Resolution, rules: &Rules) {
        // a centre on the line sees no area
        if self.nearest.is_nan() || self.nearest <= 1e-14 * self.farthest {
            return;
        }
        let panels = resolution.panels(self.farthest);
        for panel in 0..panels {
            let (inner, outer) = (panel as f64 / panels as f64, (panel + 1) as f64 / panels as f64);
            let along_ray = rules.with(resolution.count(self.farthest / panels as f64, 0.0));
            let breaks = self.breaks(LONGEST_PANEL * resolution.length / outer);
            for ends in breaks.windows(2) {
                self.fill_panel(nodes, [inner, outer], [ends[0], ends[1]], resolution, along_ray, rules);
            }
        }
    }

    fn fill_panel(
        &self,
        nodes: &mut Nodes,
        s: [f64; 2],
        t: [f64; 2],
        resolution: Resolution,
        along_ray: &Rule,
        rules: &Rules,
    ) {
        let size = t[1] - t[0];
        let distance = self.nearest.max(t[0].abs().min(t[1].abs())).min(self.longest);
        let across = rules.with(resolution.count(size * s[1], size / distance));
        for (place, weight) in across.on(t[0], t[1]) {
            let (ray, jacobian) = self.at(place);
            for (fraction, ray_weight) in along_ray.on(s[0], s[1]) {
                let point = [self.centre[0] + fraction * ray[0], self.centre[1] + fraction * ray[1]];
                nodes.push(point, weight * ray_weight * fraction * jacobian);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Annulus, Disc, Mask, Polygon, Rectangle, Shape};

    fn shapes() -> Vec<Outline> {
        let polygon = Polygon {
            corners: vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.5], [0.0, 2.0]],
            holes: vec![vec![[0.2, 0.2], [0.8, 0.3], [0.5, 0.7]]],
        };
        let mask = Mask { cell: 0.5, rows: vec!["##..".into(), "#.##".into(), "####".into()] };
        let shapes = [
            Shape::Rectangle(Rectangle { half_length: 1.5, half_width: 0.4 }),
            Shape::Disc(Disc { radius: 0.7 }),
            Shape::Annulus(Annulus { inner_radius: 0.25, outer_radius: 0.7 }),
            Shape::Polygon(polygon),
            Shape::Mask(mask),
        ];
        shapes.iter().map(|shape| Outline::of(shape).unwrap()).collect()
    }

    #[test]
    fn both_kinds_of_nodes_give_area_centroid_and_second_moments() {
        for outline in shapes() {
            let resolution = Resolution { length: 0.5, extra: 0 };
            let centres = [[0.0, 0.0], [0.3, 0.1], [0.7, 0.0], [5.0, -2.0]];
            let fans = centres.map(|centre| Nodes::fan(&outline, centre, resolution));
            for nodes in fans.iter().chain([&Nodes::inside(&outline, resolution)]) {
                let sum = |f: &dyn Fn(Point) -> f64| -> f64 {
                    nodes.points.iter().zip(&nodes.weights).map(|(p, w)| w * f(*p)).sum()
                };
                let [xx, xy, yy] = outline.geometry.second_moments;
                let area = outline.geometry.area;
                for (found, wanted) in [
                    (sum(&|_| 1.0), area),
                    (sum(&|p| p[0]), 0.0),
                    (sum(&|p| p[1]), 0.0),
                    (sum(&|p| p[0] * p[0]), xx),
                    (sum(&|p| p[0] * p[1]), xy),
                    (sum(&|p| p[1] * p[1]), yy),
                ] {
                    assert!((found - wanted).abs() < 3e-12 * area, "{found} not {wanted}");
                }
            }
        }
    }

    #[test]
    fn inner_nodes_are_inside_and_positive() {
        for outline in shapes() {
            let nodes = Nodes::inside(&outline, Resolution { length: 0.3, extra: 0 });
            assert!(nodes.weights.iter().all(|w| *w > 0.0));
            assert!(nodes.points.iter().all(|point| outline.contains(*point)));
        }
    }

    #[test]
    fn flat_edges_have_rows_enough() {
        // a kernel at the rim of an area with a flat edge, by rows and by a fan
        let flat = Polygon { corners: vec![[0.0, 0.0], [3.0, 0.1], [2.9, 1.2], [-0.1, 1.0]], holes: vec![] };
        let outline = Outline::of(&Shape::Polygon(flat)).unwrap();
        let resolution = Resolution { length: 0.2, extra: 0 };
        for place in [[0.0, -0.52], [-1.2, -0.57], [0.3, 0.55]] {
            let sum = |nodes: &Nodes| -> f64 {
                let value = |p: Point| {
                    let away = length(minus(p, place)) / resolution.length;
                    crate::num::real::exp(-2.0 * away * away)
                };
                nodes.points.iter().zip(&nodes.weights).map(|(p, w)| w * value(*p)).sum()
            };
            let (rows, fan) = (Nodes::inside(&outline, resolution), Nodes::fan(&outline, place, resolution));
            let error = sum(&rows) / sum(&fan) - 1.0;
            assert!(error.abs() < 1e-9, "{place:?}: {error:e}");
        }
    }

    #[test]
    fn a_fan_integrates_distance_and_direction_from_its_centre() {
        for outline in shapes() {
            for centre in [[0.0, 0.0], [0.31, 0.05], [1.4999, 0.1], [0.2, 0.4], [2.0, 0.3]] {
                let nodes = Nodes::fan(&outline, centre, Resolution { length: 1.0, extra: 0 });
                let (mut distance, mut direction) = (0.0, [0.0; 2]);
                for (point, weight) in nodes.points.iter().zip(&nodes.weights) {
                    let ray = minus(*point, centre);
                    distance += weight * length(ray);
                    direction[0] += weight * ray[0] / length(ray);
                    direction[1] += weight * ray[1] / length(ray);
                }
                let (Some(exact), Some(toward)) =
                    (outline.distance_integral(centre), outline.direction_integral(centre))
                else {
                    continue;
                };
                assert!((distance - exact).abs() < 1e-11, "{centre:?}: {distance} not {exact}");
                for axis in 0..2 {
                    assert!((direction[axis] - toward[axis]).abs() < 1e-11, "{centre:?}: {direction:?} not {toward:?}");
                }
            }
        }
    }
}
