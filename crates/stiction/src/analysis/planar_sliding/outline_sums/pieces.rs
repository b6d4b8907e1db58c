//! Places, panels and distances along the pieces of an outline.

use super::ray::REACH;
use crate::num::gauss::Rule;
use crate::num::real::{cos, sin};
use crate::patch::outline::{angle, cross, dot, length, minus};
use crate::patch::{Outline, Piece, Point};
use std::f64::consts::PI;

/// A node of the outline: place and outward normal.
pub(super) struct Node {
    pub(super) place: Point,
    pub(super) normal: Point,
}

/// The length of a piece \[m\].
pub(super) fn size(piece: &Piece) -> f64 {
    match *piece {
        Piece::Edge { from, to } => length(minus(to, from)),
        Piece::Circle { radius, .. } => 2.0 * PI * radius,
    }
}

/// The node of a piece at a place along it.
pub(super) fn at(piece: &Piece, place: f64) -> Node {
    match *piece {
        Piece::Edge { from, to } => {
            let side = minus(to, from);
            let size = length(side);
            let t = place / size;
            Node { place: [from[0] + t * side[0], from[1] + t * side[1]], normal: [side[1] / size, -side[0] / size] }
        }
        Piece::Circle { radius, .. } => {
            let angle = place / radius;
            let normal = [cos(angle), sin(angle)];
            Node { place: normal.map(|n| radius * n), normal }
        }
    }
}

/// The place along the line or circle of a piece that is nearest to a point.
fn foot(piece: &Piece, point: Point) -> f64 {
    match *piece {
        Piece::Edge { from, to } => dot(minus(point, from), minus(to, from)) / size(piece),
        Piece::Circle { radius, .. } => {
            let angle = angle(point);
            radius * if angle < 0.0 { angle + 2.0 * PI } else { angle }
        }
    }
}

/// Distance of a point from a part of a piece \[m\].
fn distance(piece: &Piece, ends: [f64; 2], point: Point) -> f64 {
    let from = |place: f64| length(minus(at(piece, place).place, point));
    let foot = foot(piece, point);
    if foot > ends[0] && foot < ends[1] { from(foot) } else { from(ends[0]).min(from(ends[1])) }
}

/// Smallest distance of a part of a piece from another piece \[m\].
pub(super) fn gap(piece: &Piece, ends: [f64; 2], other: &Piece) -> f64 {
    if let (Piece::Circle { radius: own, .. }, Piece::Circle { radius: other, .. }) = (piece, other) {
        return (own - other).abs();
    }
    let (Piece::Edge { .. }, Piece::Edge { from, to }) = (piece, other) else { return f64::INFINITY };
    // edges of an outline do not cross: the nearest point is an end of one of them
    let whole = [0.0, size(other)];
    let of_ends = ends.map(|end| distance(other, whole, at(piece, end).place));
    let of_others = [from, to].map(|end| distance(piece, ends, *end));
    of_ends.into_iter().chain(of_others).fold(f64::INFINITY, f64::min)
}

/// The smallest distance between pieces of an outline that do not meet \[m\].
pub(super) fn smallest_gap(outline: &Outline) -> f64 {
    let pieces = &outline.pieces;
    let mut found = f64::INFINITY;
    for (index, piece) in pieces.iter().enumerate() {
        let gaps = pieces[index + 1..].iter().map(|other| gap(piece, [0.0, size(piece)], other));
        found = gaps.filter(|gap| *gap > 1e-12 * size(piece)).fold(found, f64::min);
    }
    found
}

/// A panel of a piece, between two places along it \[m\].
pub(super) struct Panel {
    pub(super) piece: usize,
    pub(super) ends: [f64; 2],
    /// Whether it starts or ends at a corner that must be resolved.
    corners: [bool; 2],
}

impl Panel {
    /// Nodes of a rule; they crowd towards a corner, where sums have a logarithm.
    pub(super) fn nodes(&self, rule: &Rule) -> impl Iterator<Item = (f64, f64)> {
        let ([low, high], corners) = (self.ends, self.corners);
        let width = high - low;
        rule.on(0.0, 1.0).map(move |(t, weight)| match corners {
            [true, _] => (low + width * t * t, 2.0 * t * width * weight),
            [false, true] => (high - width * t * t, 2.0 * t * width * weight),
            [false, false] => (low + width * t, width * weight),
        })
    }
}

/// What the panels of an outline must resolve.
#[derive(Clone, Copy)]
pub(super) struct Panels<'a> {
    pub(super) outline: &'a Outline,
    /// Centre of rotation: panels are no longer than their distance from it.
    pub(super) centre: Option<Point>,
    /// Correlation length \[m\].
    pub(super) length: f64,
    /// Whether the neighbourhood of corners and of other pieces counts.
    pub(super) corners: bool,
}

impl Panels<'_> {
    pub(super) fn all(&self) -> Vec<Panel> {
        let mut panels = Vec::new();
        for (index, piece) in self.outline.pieces.iter().enumerate() {
            let size = size(piece);
            let corners = self.corners && matches!(piece, Piece::Edge { .. });
            let breaks = self.breaks(piece, size);
            let mut waiting: Vec<[f64; 2]> = breaks.windows(2).map(|pair| [pair[0], pair[1]]).collect();
            while let Some([low, high]) = waiting.pop() {
                let width = high - low;
                if width <= 1e-12 * size {
                    continue;
                }
                if width > 0.5 * self.length && width > 1.01 * self.longest(index, [low, high]) {
                    let middle = 0.5 * (low + high);
                    waiting.extend([[low, middle], [middle, high]]);
                } else {
                    let corners = [corners && low == 0.0, corners && high == size];
                    panels.push(Panel { piece: index, ends: [low, high], corners });
                }
            }
        }
        panels
    }

    /// Places where a panel must end.
    fn breaks(&self, piece: &Piece, size: f64) -> Vec<f64> {
        let mut breaks = vec![0.0, size];
        breaks.extend(self.centre.map(|centre| foot(piece, centre)));
        match piece {
            Piece::Circle { .. } => breaks.extend((1..8).map(|i| f64::from(i) * 0.125 * size)),
            Piece::Edge { .. } if self.corners => {
                let zone = (REACH * self.length).min(0.5 * size);
                breaks.extend([zone / 3.0, zone, size - zone, size - zone / 3.0]);
            }
            Piece::Edge { .. } => {}
        }
        breaks.retain(|place| *place >= 0.0 && *place <= size);
        breaks.sort_by(f64::total_cmp);
        breaks
    }

    /// How long a panel may be \[m\].
    fn longest(&self, index: usize, ends: [f64; 2]) -> f64 {
        let piece = &self.outline.pieces[index];
        let apart = self.centre.map_or(f64::INFINITY, |centre| distance(piece, ends, centre));
        if !self.corners {
            return apart;
        }
        // pieces that it does not meet, within reach
        let whole = [0.0, size(piece)];
        let others = self.outline.pieces.iter().enumerate().filter(|(other, _)| *other != index);
        let gaps = others.filter_map(|(_, other)| {
            let found = gap(piece, ends, other);
            (found < REACH * self.length && gap(piece, whole, other) > 0.0).then_some(found)
        });
        gaps.fold(apart, f64::min)
    }
}

/// An edge as seen from a node.
pub(super) struct Seen {
    /// Distance of its line \[m\].
    pub(super) distance: f64,
    /// Unit vector from its line to the node.
    pub(super) upright: Point,
}

impl Seen {
    pub(super) fn new(node: &Node, from: Point, to: Point) -> Self {
        let side = minus(to, from);
        let size = length(side);
        let distance = cross(minus(from, node.place), side) / size;
        // the ray runs against this direction
        let sign = if distance > 0.0 { -1.0 } else { 1.0 };
        Self { distance: distance.abs(), upright: [sign * side[1] / size, -sign * side[0] / size] }
    }
}
