//! Weights of the nodes of a square lattice that lies over a contact area.
//!
//! | rule | weight of a node | lever arm | exact for |
//! |---|---|---|---|
//! | `kernel` | integral of the cubic convolution kernel about the node | the node | quadratics |
//! | `moment` | area of the cell about the node that is inside | centroid of that part | linear functions |
//! | `area` | the same | the node | constants |
//!
//! All are integrals of polynomials over the part of a square that is inside the outline, found as line integrals along the
//! outline, ∫∫ f dx dy = −∮ (∫ f dy) dx: holes and several parts need no special care.

use super::outline::{Outline, Piece, Point};
use crate::num::gauss::Rule;
use crate::num::real::{acos, asin, cos, sin};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// How the nodes of a lattice are weighted at the rim of a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuadratureWeights {
    /// Integrals of the cubic convolution kernel: right through second moments; nodes just outside belong to the patch.
    #[default]
    Kernel,
    /// Areas of cut cells with lever arms at their centroids and their mean square size.
    Moment,
    /// Areas of cut cells at the nodes.
    Area,
}

/// A node with weight, in units of the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    /// Column and row, counted from the centroid of the patch.
    pub(super) index: [i32; 2],
    /// In units of the area of a whole cell.
    pub(super) weight: f64,
    /// Lever arm.
    pub(super) place: Point,
    /// Mean square size c².
    pub(super) spread: f64,
    /// Whether place and spread are those of whole cells.
    pub(super) whole: bool,
}

/// Mean square size of a cell for `kernel`, only to avoid 0/0 at a node, in units of the area of a cell.
const KERNEL_SPREAD: f64 = 1e-3;
/// Nodes of the Gauss rule on an edge: exact for the polynomials of degree 7 that occur.
const ON_EDGE: usize = 5;
/// Nodes on an arc of at most 1/16 of a circle.
const ON_ARC: usize = 12;

/// The nodes with weight of a lattice with this `step` \[m\], one of them at the centroid, column by column.
pub(super) fn nodes(outline: &Outline, step: f64, rule: QuadratureWeights) -> Vec<Node> {
    let pieces: Vec<Piece> = outline.pieces.iter().map(|piece| scaled(piece, step)).collect();
    // `kernel`: squares between nodes; the others: squares about nodes
    let corner = if rule == QuadratureWeights::Kernel { 0.0 } else { -0.5 };
    let [low, high] = outline.geometry.bounds.map(|corner| corner.map(|x| x / step));
    let first = low.map(|x| (x - corner).floor() as i32 - 1);
    let last = high.map(|x| (x - corner).ceil() as i32 + 1);
    let size = [0, 1].map(|axis| (last[axis] - first[axis] + 4) as usize);
    let mut sums = vec![[0.0; 6]; size[0] * size[1]];
    let rules = [Rule::gauss_legendre(ON_EDGE), Rule::gauss_legendre(ON_ARC)];
    for i in first[0]..=last[0] {
        for j in first[1]..=last[1] {
            let from = [f64::from(i) + corner, f64::from(j) + corner];
            let Some(moments) = square(outline, &pieces, from, step, rule, &rules) else { continue };
            if rule == QuadratureWeights::Kernel {
                for (a, column) in moments.iter().enumerate() {
                    for (b, moment) in column.iter().enumerate() {
                        let place = ((i - first[0]) as usize + a) * size[1] + (j - first[1]) as usize + b;
                        if let Some(sum) = sums.get_mut(place) {
                            sum[0] += moment;
                        }
                    }
                }
            } else if let Some(sum) =
                sums.get_mut(((i - first[0]) as usize + 1) * size[1] + (j - first[1]) as usize + 1)
            {
                let [[one, v, vv, _], [u, _, _, _], [uu, _, _, _], _] = moments;
                *sum = [one, u, v, uu, vv, 0.0];
            }
        }
    }
    let mut found = Vec::new();
    for (place, sum) in sums.into_iter().enumerate() {
        let index = [first[0] - 1 + (place / size[1]) as i32, first[1] - 1 + (place % size[1]) as i32];
        found.extend(node(index, sum, rule));
    }
    found
}

/// The node of summed moments; none without weight.
fn node(index: [i32; 2], [weight, u, v, uu, vv, _]: [f64; 6], rule: QuadratureWeights) -> Option<Node> {
    let place = index.map(f64::from);
    match rule {
        QuadratureWeights::Kernel => {
            (weight.abs() > 1e-14).then_some(Node { index, weight, place, spread: KERNEL_SPREAD, whole: true })
        }
        QuadratureWeights::Area => {
            (weight > 1e-14).then_some(Node { index, weight, place, spread: 1.0 / 12.0, whole: true })
        }
        QuadratureWeights::Moment if weight > 1.0 - 1e-12 => {
            Some(Node { index, weight: 1.0, place, spread: 1.0 / 12.0, whole: true })
        }
        QuadratureWeights::Moment => {
            let centre = [u / weight, v / weight];
            let spread = 0.5 * ((uu + vv) / weight - centre[0] * centre[0] - centre[1] * centre[1]);
            let place = [place[0] - 0.5 + centre[0], place[1] - 0.5 + centre[1]];
            (weight > 1e-14).then_some(Node { index, weight, place, spread: spread.max(1e-9), whole: false })
        }
    }
}

fn scaled(piece: &Piece, step: f64) -> Piece {
    match *piece {
        Piece::Edge { from, to } => Piece::Edge { from: from.map(|x| x / step), to: to.map(|x| x / step) },
        Piece::Circle { radius, hole } => Piece::Circle { radius: radius / step, hole },
    }
}

type Moments = [[f64; 4]; 4];

/// ∫∫ f_a(u) f_b(v) over the part of the unit square at `from` that is inside; none if there is no such part.
fn square(
    outline: &Outline,
    pieces: &[Piece],
    from: Point,
    step: f64,
    rule: QuadratureWeights,
    rules: &[Rule; 2],
) -> Option<Moments> {
    let middle = from.map(|x| (x + 0.5) * step);
    // half a diagonal, with room for rounding
    if outline.distance(middle) > 0.7072 * step {
        return outline.contains(middle).then(|| {
            let whole = primitive(rule, 1.0);
            whole.map(|along| whole.map(|across| along * across))
        });
    }
    let mut moments = [[0.0; 4]; 4];
    let mut add = |[u, v]: Point, du: f64| {
        let (along, across) = (basis(rule, u), primitive(rule, v.clamp(0.0, 1.0)));
        for (row, along) in moments.iter_mut().zip(along) {
            for (moment, across) in row.iter_mut().zip(across) {
                *moment -= along * across * du;
            }
        }
    };
    for piece in pieces {
        match *piece {
            Piece::Edge { from: p, to: q } => {
                let (p, q) = ([p[0] - from[0], p[1] - from[1]], [q[0] - from[0], q[1] - from[1]]);
                along_edge(p, q, &rules[0], &mut add);
            }
            Piece::Circle { radius, hole } => {
                let sign = if hole { -1.0 } else { 1.0 };
                along_circle(radius, from, &rules[1], &mut |place, du| add(place, sign * du));
            }
        }
    }
    Some(moments)
}

fn along_edge(p: Point, q: Point, rule: &Rule, add: &mut impl FnMut(Point, f64)) {
    let side = [q[0] - p[0], q[1] - p[1]];
    if p[0].max(q[0]) <= 0.0 || p[0].min(q[0]) >= 1.0 {
        return;
    }
    let mut cuts = vec![0.0, 1.0];
    for axis in [0, 1] {
        cuts.extend([0.0, 1.0].map(|line| (line - p[axis]) / side[axis]).into_iter().filter(|s| *s > 0.0 && *s < 1.0));
    }
    cuts.sort_by(f64::total_cmp);
    for pair in cuts.windows(2) {
        let middle = p[0] + 0.5 * (pair[0] + pair[1]) * side[0];
        if !(middle > 0.0 && middle < 1.0) {
            continue;
        }
        for (s, weight) in rule.on(pair[0], pair[1]) {
            add([p[0] + s * side[0], p[1] + s * side[1]], weight * side[0]);
        }
    }
}

fn along_circle(radius: f64, from: Point, rule: &Rule, add: &mut impl FnMut(Point, f64)) {
    if from[0] >= radius || from[0] + 1.0 <= -radius {
        return;
    }
    let mut cuts: Vec<f64> = (0..=16).map(|k| f64::from(k) * PI / 8.0).collect();
    for line in [0.0, 1.0] {
        let (x, y) = ((from[0] + line) / radius, (from[1] + line) / radius);
        if x.abs() < 1.0 {
            cuts.extend([acos(x), TAU - acos(x)]);
        }
        if y.abs() < 1.0 {
            cuts.extend([(asin(y) + TAU) % TAU, PI - asin(y)]);
        }
    }
    cuts.sort_by(f64::total_cmp);
    for pair in cuts.windows(2) {
        let middle = radius * cos(0.5 * (pair[0] + pair[1])) - from[0];
        if !(middle > 0.0 && middle < 1.0) {
            continue;
        }
        for (angle, weight) in rule.on(pair[0], pair[1]) {
            let (x, y) = (radius * cos(angle), radius * sin(angle));
            add([x - from[0], y - from[1]], -y * weight);
        }
    }
}

/// The four functions of one coordinate inside a square: the kernel about the nodes −1, 0, 1, 2 (Keys, a = −1/2), or powers.
fn basis(rule: QuadratureWeights, u: f64) -> [f64; 4] {
    match rule {
        QuadratureWeights::Kernel => [
            u * (-0.5 + u * (1.0 - 0.5 * u)),
            1.0 + u * u * (-2.5 + 1.5 * u),
            u * (0.5 + u * (2.0 - 1.5 * u)),
            u * u * (-0.5 + 0.5 * u),
        ],
        _ => [1.0, u, u * u, u * u * u],
    }
}

/// Their integrals from 0 to v.
fn primitive(rule: QuadratureWeights, v: f64) -> [f64; 4] {
    let square = v * v;
    match rule {
        QuadratureWeights::Kernel => [
            square * (-0.25 + v * (1.0 / 3.0 - 0.125 * v)),
            v + square * v * (-2.5 / 3.0 + 0.375 * v),
            square * (0.25 + v * (2.0 / 3.0 - 0.375 * v)),
            square * v * (-1.0 / 6.0 + 0.125 * v),
        ],
        _ => [v, square / 2.0, square * v / 3.0, square * square / 4.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Annulus, Disc, Mask, Polygon, Shape};

    fn outlines() -> Vec<Outline> {
        let corners = vec![[0.0, 0.0], [3.0, 0.2], [2.7, 1.0], [1.0, 1.1], [1.0, 2.5], [0.0, 2.0]];
        let polygon = Polygon { corners, holes: vec![vec![[0.2, 0.2], [0.8, 0.3], [0.5, 0.7]]] };
        let mask = Mask { cell: 0.5, rows: vec!["##..".into(), "#.##".into(), "####".into()] };
        let annulus = Annulus { inner_radius: 0.33, outer_radius: 0.7 };
        let shapes =
            [Shape::Disc(Disc { radius: 0.7 }), Shape::Annulus(annulus), Shape::Polygon(polygon), Shape::Mask(mask)];
        shapes.iter().map(|shape| Outline::of(shape).unwrap()).collect()
    }

    #[test]
    fn the_kernel_rule_has_the_area_and_all_second_moments() {
        for outline in outlines() {
            for step in [0.09, 0.31] {
                let nodes = nodes(&outline, step, QuadratureWeights::Kernel);
                let sum = |f: &dyn Fn(Point) -> f64| -> f64 {
                    nodes.iter().map(|n| n.weight * step * step * f(n.place.map(|x| x * step))).sum()
                };
                let [xx, xy, yy] = outline.geometry.second_moments;
                let area = outline.geometry.area;
                let pairs = [
                    (sum(&|_| 1.0), area),
                    (sum(&|p| p[0]), 0.0),
                    (sum(&|p| p[1]), 0.0),
                    (sum(&|p| p[0] * p[0]), xx),
                    (sum(&|p| p[0] * p[1]), xy),
                    (sum(&|p| p[1] * p[1]), yy),
                ];
                for (found, wanted) in pairs {
                    assert!((found - wanted).abs() < 1e-12 * area, "{step}: {found} not {wanted}");
                }
            }
        }
    }

    #[test]
    fn cut_cells_have_the_area_its_centroid_and_with_their_size_the_polar_moment() {
        for outline in outlines() {
            let step = 0.13;
            let nodes = nodes(&outline, step, QuadratureWeights::Moment);
            let sum = |f: &dyn Fn(&Node) -> f64| -> f64 { nodes.iter().map(|n| n.weight * step * step * f(n)).sum() };
            let area = outline.geometry.area;
            assert!((sum(&|_| 1.0) - area).abs() < 1e-12 * area);
            assert!(sum(&|n| n.place[0]).abs() < 1e-11 && sum(&|n| n.place[1]).abs() < 1e-11);
            let polar = sum(&|n| (n.place[0].powi(2) + n.place[1].powi(2) + 2.0 * n.spread) * step * step);
            let [xx, _, yy] = outline.geometry.second_moments;
            assert!((polar - xx - yy).abs() < 1e-12 * area, "{polar} not {}", xx + yy);
        }
    }

    #[test]
    fn nodes_deep_inside_have_the_whole_weight() {
        let outline = Outline::of(&Shape::Disc(Disc { radius: 1.0 })).unwrap();
        for rule in [QuadratureWeights::Kernel, QuadratureWeights::Moment, QuadratureWeights::Area] {
            for node in nodes(&outline, 0.1, rule) {
                let distance = (node.place[0].powi(2) + node.place[1].powi(2)).sqrt();
                assert!(distance > 7.0 || (node.weight - 1.0).abs() < 1e-13, "{node:?}");
                assert!(node.weight > -0.06 && node.weight < 1.1, "{node:?}");
            }
        }
    }
}
