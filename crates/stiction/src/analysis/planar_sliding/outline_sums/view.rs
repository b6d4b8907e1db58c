//! What a node of the outline sees: directions between which the sums are smooth, and the parts of a ray inside the area.

use super::pieces::{Node, Seen};
use super::ray::{CLOSE, REACH};
use crate::num::gauss::{Rule, Rules};
use crate::num::real::{acos, asin, asinh, cos, exp, sin, tan};
use crate::patch::outline::{angle, cross, dot, minus};
use crate::patch::{Piece, Point};
use std::f64::consts::PI;

/// Additional directions within reach of the centre of rotation.
const ROUGH: usize = 2;

/// A node of the outline and what is near it.
pub(super) struct View<'a> {
    pub(super) node: Node,
    /// The piece that it is on.
    pub(super) own: &'a Piece,
    /// Other pieces within reach.
    pub(super) near: &'a [Piece],
    /// From the node to the centre of rotation, in correlation lengths, if it is within reach.
    pub(super) to_centre: Option<Point>,
    /// Correlation length \[m\].
    pub(super) length: f64,
}

/// Rules for directions from break to break.
pub(super) struct Turns {
    rules: Rules,
    order: usize,
}

impl Turns {
    pub(super) fn new(order: usize) -> Self {
        Self { rules: Rules::up_to(order + ROUGH), order }
    }

    /// The rule for a range of this width \[rad\]: narrow ones need few nodes.
    fn rule(&self, width: f64, rough: bool) -> &Rule {
        let enough = 3 + (4.0 * width) as usize;
        self.rules.with(enough.min(self.order) + if rough { ROUGH } else { 0 })
    }
}

impl<'a> View<'a> {
    /// None of a centre of rotation that no ray passes closely.
    pub(super) fn new(node: Node, own: &'a Piece, near: &'a [Piece], centre: Option<Point>, length: f64) -> Self {
        let to_centre = centre.map(|centre| minus(centre, node.place).map(|x| x / length));
        let to_centre = to_centre.filter(|ray| dot(*ray, *ray) < (REACH + CLOSE) * (REACH + CLOSE));
        Self { node, own, near, to_centre, length }
    }

    /// Directions as cos and sin of their angles from the normal, with their weights \[rad\].
    pub(super) fn directions(&self, turns: &Turns, breaks: &mut Vec<f64>, found: &mut Vec<(Point, f64)>) {
        self.breaks(breaks);
        found.clear();
        // inward rays can end only at other pieces
        let last = if self.near.is_empty() { 0.5 * PI } else { 1.5 * PI };
        for pair in breaks.windows(2).filter(|pair| pair[1] <= last + 1e-9) {
            let [low, high] = [pair[0], pair[1]];
            if let Some(upright) = self.first_hit(0.5 * (low + high)) {
                // the ray ends at distance · cosh t: equal steps of t resolve near and far ends alike
                let place = |angle: f64| asinh(tan(angle - upright));
                let (a, b) = (cos(upright), sin(upright));
                let (from, to) = (place(low), place(high));
                found.extend(turns.rule(to - from, false).on(from, to).map(|(t, w)| {
                    let (up, down) = (exp(t), exp(-t));
                    let (c, s) = (2.0 / (up + down), (up - down) / (up + down));
                    ([a * c - b * s, b * c + a * s], c * w)
                }));
            } else {
                let place = |t: f64| match [low, high].map(|end| self.at_centre(end)) {
                    // nodes crowd towards the centre of rotation, before or behind
                    [true, true] => (t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t)),
                    [true, false] => (t * t, 2.0 * t),
                    [false, true] => (t * (2.0 - t), 2.0 - 2.0 * t),
                    [false, false] => (t, 1.0),
                };
                // rays along a circle reach from no length to all of it within a narrow range
                let width = if matches!(self.own, Piece::Circle { .. }) { PI } else { high - low };
                let rule = turns.rule(width, self.to_centre.is_some());
                found.extend(rule.on(0.0, 1.0).map(|(t, w)| {
                    let (place, density) = place(t);
                    let angle = low + (high - low) * place;
                    ([cos(angle), sin(angle)], (high - low) * density * w)
                }));
            }
        }
    }

    /// Whether the line in this direction meets the centre of rotation.
    fn at_centre(&self, angle: f64) -> bool {
        self.to_centre.is_some_and(|ray| {
            let across = cross(ray, self.direction([cos(angle), sin(angle)]));
            across * across < 1e-12 * dot(ray, ray)
        })
    }

    /// The unit vector with this cos and sin of the angle from the normal.
    #[inline(always)]
    pub(super) fn direction(&self, [c, s]: Point) -> Point {
        let [x, y] = self.node.normal;
        [c * x - s * y, c * y + s * x]
    }

    /// Directions, from the normal, between which the sums are smooth \[rad\].
    fn breaks(&self, breaks: &mut Vec<f64>) {
        breaks.clear();
        breaks.extend([-0.5 * PI, 0.5 * PI, 1.5 * PI]);
        if let Piece::Circle { radius, .. } = self.own {
            // steeper rays end within reach
            let steep = asin((0.5 * REACH * self.length / radius).min(1.0));
            breaks.extend([steep - 0.5 * PI, 0.5 * PI - steep]);
        }
        let mut angles = |found: &[f64]| {
            for angle in found {
                let turned = [angle - 2.0 * PI, *angle, angle + 2.0 * PI];
                breaks.extend(turned.iter().filter(|turn| **turn > -0.5 * PI && **turn < 1.5 * PI));
            }
        };
        if let Some(to_centre) = self.to_centre {
            // before or behind
            let angle = self.angle(to_centre);
            angles(&[angle, angle + PI]);
        }
        let reach = REACH * self.length;
        for piece in self.near {
            if let Piece::Edge { from, to } = piece {
                let seen = Seen::new(&self.node, *from, *to);
                let (upright, steepest) = (self.angle(seen.upright), acos((seen.distance / reach).min(1.0)));
                angles(&[upright - steepest, upright + steepest]);
                for corner in [from, to] {
                    let back = minus(self.node.place, *corner);
                    if dot(back, back) < reach * reach {
                        angles(&[self.angle(back)]);
                    }
                }
            }
        }
        breaks.sort_by(f64::total_cmp);
        breaks.dedup_by(|a, b| (*a - *b).abs() < 1e-7);
    }

    /// Angle of a vector from the normal \[rad\].
    fn angle(&self, vector: Point) -> f64 {
        angle([dot(vector, self.node.normal), cross(self.node.normal, vector)])
    }

    /// The centre of rotation, if a line with these parts inside passes it closely and within reach.
    #[inline(always)]
    pub(super) fn close(&self, e: Point, ends: &[f64]) -> Option<Point> {
        // whole rays have twice the order of their parts
        let close = if *ends == [0.0, REACH] { 0.6 * CLOSE } else { CLOSE };
        self.to_centre.filter(|ray| cross(*ray, e).abs() < close && dot(*ray, e).abs() < REACH + close)
    }

    /// The upright direction, from the normal, of the edge that the ray against this direction meets first within reach.
    fn first_hit(&self, angle: f64) -> Option<f64> {
        let e = self.direction([cos(angle), sin(angle)]);
        let hits = self.near.iter().filter_map(|piece| self.crossing(e, piece).map(|place| (place, piece)));
        let (_, piece) = hits.filter(|hit| hit.0 < REACH).min_by(|a, b| a.0.total_cmp(&b.0))?;
        let Piece::Edge { from, to } = *piece else { return None };
        let seen = Seen::new(&self.node, from, to);
        (seen.distance > 0.0).then(|| self.angle(seen.upright))
    }

    /// Where the ray against e meets an edge, in correlation lengths.
    #[inline(always)]
    fn crossing(&self, e: Point, piece: &Piece) -> Option<f64> {
        let Piece::Edge { from, to } = *piece else { return None };
        let (side, start) = (minus(to, from), minus(from, self.node.place));
        let across = cross(side, e);
        let along = cross(start, side) / across;
        let fraction = cross(e, start) / across;
        (along > 0.0 && (0.0..1.0).contains(&fraction)).then_some(along / self.length)
    }

    /// Parts of the ray backwards that lie inside, as ends in correlation lengths; `outward` is e·n.
    #[inline(always)]
    pub(super) fn parts_inside(&self, e: Point, outward: f64, ends: &mut Vec<f64>) {
        ends.clear();
        if let Piece::Circle { radius, .. } = self.own {
            if outward > 0.0 {
                ends.extend([0.0, (2.0 * radius * outward / self.length).min(REACH)]);
            }
            return;
        }
        if outward > 0.0 {
            ends.push(0.0);
        }
        ends.extend(self.near.iter().filter_map(|piece| self.crossing(e, piece)).filter(|place| *place < REACH));
        ends.sort_by(f64::total_cmp);
        if ends.len() % 2 == 1 {
            ends.push(REACH);
        }
    }
}
