//! The outline of an area in pieces, and the complex places at which a point lies on the line of a piece.
//!
//! A quadratic form is a product of two complex linear forms, |M v|² = m(v) m*(v): along a piece z(t) the distance |M (z − x)|
//! vanishes where m(z(t)) = m(x), at a complex t.

use super::line::Rough;
use crate::num::real::{atan2, cos, ln, sin};
use crate::patch::outline::{cross, dot, minus};
use crate::patch::{Outline, Piece, Point};
use nalgebra::Complex;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A linear map of the plane as a complex linear form: the images of both unit vectors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Metric([Complex<f64>; 2]);

impl Metric {
    /// Distances as they are.
    pub(super) const PLAIN: Metric = Metric([Complex::new(1.0, 0.0), Complex::new(0.0, 1.0)]);

    pub(super) fn new([[a, b], [c, d]]: [[f64; 2]; 2]) -> Self {
        Self([Complex::new(a, c), Complex::new(b, d)])
    }

    pub(super) fn of(&self, [x, y]: Point) -> Complex<f64> {
        self.0[0] * x + self.0[1] * y
    }

    /// The largest |M v| of unit vectors, for a map with determinant 1.
    pub(super) fn largest(&self) -> f64 {
        let [a, b] = self.0;
        let trace = a.norm_sqr() + b.norm_sqr();
        (0.5 * (trace + (trace * trace - 4.0).max(0.0).sqrt())).sqrt()
    }

    /// |M v|.
    pub(super) fn length(&self, v: Point) -> f64 {
        self.of(v).norm_sqr().sqrt()
    }
}

/// A piece of the outline with the area to its left, from t = 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side {
    Line {
        from: Point,
        to: Point,
    },
    /// Angles in rad.
    Arc {
        centre: Point,
        radius: f64,
        from: f64,
        turn: f64,
    },
}

/// Pieces of a circle.
const ARCS: usize = 4;

impl Side {
    /// All pieces, as seen from an origin.
    pub(super) fn all(outline: &Outline, origin: Point) -> Vec<Side> {
        let mut sides = Vec::new();
        for piece in &outline.pieces {
            match *piece {
                Piece::Edge { from, to } => {
                    sides.push(Side::Line { from: minus(from, origin), to: minus(to, origin) });
                }
                Piece::Circle { radius, hole } => {
                    let turn = if hole { -FRAC_PI_2 } else { FRAC_PI_2 };
                    let centre = [-origin[0], -origin[1]];
                    let arc = |k: usize| Side::Arc { centre, radius, from: turn * k as f64, turn };
                    sides.extend((0..ARCS).map(arc));
                }
            }
        }
        sides
    }

    /// The point at t and its derivative.
    pub(super) fn at(&self, t: f64) -> [Point; 2] {
        match *self {
            Side::Line { from, to } => {
                let along = minus(to, from);
                // from the nearer end, so that corners lose no digits
                let place = if t < 0.5 {
                    [from[0] + t * along[0], from[1] + t * along[1]]
                } else {
                    [to[0] - (1.0 - t) * along[0], to[1] - (1.0 - t) * along[1]]
                };
                [place, along]
            }
            Side::Arc { centre, radius, from, turn } => {
                let (c, s) = (radius * cos(from + turn * t), radius * sin(from + turn * t));
                [[centre[0] + c, centre[1] + s], [-turn * s, turn * c]]
            }
        }
    }

    /// Where the distance from a point vanishes.
    pub(super) fn roughs(&self, metric: &Metric, point: Point, grain: f64, found: &mut Vec<Rough>) {
        let start = found.len();
        match *self {
            Side::Line { from, to } => {
                let t = metric.of(minus(point, from)) / metric.of(minus(to, from));
                found.push(Rough { at: t.re, beside: t.im.abs(), grain: f64::INFINITY });
            }
            Side::Arc { centre, radius, .. } => {
                // m(z) = α E + β/E with E = exp(i angle)
                let [alpha, beta] = metric.circle();
                let mu = metric.of(minus(point, centre)) / radius;
                let root = (mu * mu - alpha * beta * 4.0).sqrt();
                let larger = if (mu + root).norm_sqr() > (mu - root).norm_sqr() { mu + root } else { mu - root };
                if larger.norm_sqr() > 0.0 {
                    found.extend(self.at_turn(larger / (alpha * 2.0)));
                    found.extend(self.at_turn(beta * 2.0 / larger));
                }
            }
        }
        for rough in &mut found[start..] {
            rough.grain = grain / metric.length(self.at(rough.at)[1]);
        }
    }

    /// Where the piece itself is seen at a right angle to itself: the foci of the ellipse that a metric makes of a circle.
    pub(super) fn own_roughs(&self, metric: &Metric, found: &mut Vec<Rough>) {
        let Side::Arc { .. } = self else { return };
        let [alpha, beta] = metric.circle();
        let root = (beta / alpha).sqrt();
        found.extend(self.at_turn(root));
        found.extend(self.at_turn(-root));
    }

    /// The place of a complex E = exp(i angle), measured along the turn that is nearest.
    fn at_turn(&self, e: Complex<f64>) -> Option<Rough> {
        let Side::Arc { from, turn, .. } = *self else { return None };
        let size = e.norm_sqr();
        // ln 0 and below: too far to matter
        if size.is_nan() || !(1e-200..1e200).contains(&size) {
            return None;
        }
        let t = (atan2(e.im, e.re) - from) / turn;
        let period = TAU / turn.abs();
        Some(Rough {
            at: t - period * ((t - 0.5) / period).round(),
            beside: (0.5 * ln(size) / turn).abs(),
            grain: f64::INFINITY,
        })
    }

    /// Where the ray from x through c arrives, if it passes c before.
    pub(super) fn behind(&self, x: Point, c: Point, found: &mut Vec<Rough>) {
        let ray = minus(c, x);
        match *self {
            Side::Line { from, to } => {
                let along = minus(to, from);
                let t = -cross(minus(from, x), ray) / cross(along, ray);
                let arrived = [from[0] + t * along[0], from[1] + t * along[1]];
                if t.is_finite() && dot(minus(arrived, c), ray) > 0.0 {
                    found.push(Rough { at: t, beside: 0.0, grain: f64::INFINITY });
                }
            }
            Side::Arc { centre, radius, .. } => {
                let start = minus(c, centre);
                let (square, half) = (dot(ray, ray), dot(start, ray));
                let rest = half * half - square * (dot(start, start) - radius * radius);
                if rest.is_nan() || rest < 0.0 || square <= 0.0 {
                    return;
                }
                for way in [-half - rest.sqrt(), -half + rest.sqrt()].map(|way| way / square) {
                    if way > 0.0 {
                        let place = [start[0] + way * ray[0], start[1] + way * ray[1]];
                        let rough = self.at_turn(Complex::new(place[0], place[1]) / radius);
                        found.extend(rough.map(|rough| Rough { beside: 0.0, ..rough }));
                    }
                }
            }
        }
    }
}

impl Metric {
    /// α and β of m(cos, sin) = α E + β/E, E = exp(i angle).
    fn circle(&self) -> [Complex<f64>; 2] {
        let i = Complex::new(0.0, 1.0);
        [(self.0[0] - i * self.0[1]) * 0.5, (self.0[0] + i * self.0[1]) * 0.5]
    }
}
