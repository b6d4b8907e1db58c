//! Covariances for short Gaussian kernels from the outline alone: the work does not grow as the length falls.
//!
//! Without a rim the kernel G = exp(−r²/l²) would turn a weight into its mean over the plane, V_j = ∫G w_j, which is known in
//! closed form (Rice's distribution). What the plane has too much are the pairs of a point inside and a point outside, and each
//! of them crosses the outline:
//!
//! ```text
//! K_ij = ∫w_i V_j dS − ∮ds ∫dθ (n·e) ∫du ∫dv (u + v) exp(−(u+v)²/l²) w_i(b − u e) w_j(b + v e)
//! ```
//! b runs along the outline, e over all directions, n is the outward normal, u over the parts of the ray that lie inside and v
//! from 0 to ∞: of all crossings between a point inside and another, outward ones count +1 and inward ones −1, and one is left if
//! the other is outside, none if it is inside. Nothing is expanded; along the outline everything is smooth over the distance to the
//! centre of rotation, but near corners, which cost the same at every length.

use super::functionals::{Functionals, Matrix, PAIRS};
use super::lengths::matrix;
use super::motion::Twist;
use crate::num::bulk;
use crate::num::gauss::Rule;
use crate::num::lanes::widely;
use crate::num::real::{acos, asin, asinh, atan2, cos, exp, ln, sin, tan};
use crate::num::special::scaled_bessel_i;
use crate::patch::{Outline, Piece, Point};
use std::f64::consts::PI;

/// Where a ray ends, in correlation lengths: beyond, the kernel is below 4e-9.
const REACH: f64 = 4.4;

/// Nodes of a ray.
const ALONG: usize = 16;

/// Nodes on each side of the centre of rotation, of rays that pass it closely.
const SPLIT: usize = 16;

/// Rays that pass the centre of rotation within so many correlation lengths pass it closely.
const CLOSE: f64 = 2.0;

/// Radial integrals are series from here on, in correlation lengths: their terms fall below 1e-12.
const FAR: f64 = 6.0;

/// Terms of these series.
const TERMS: usize = 14;

type Many = [f64; ALONG];

/// How many nodes are used.
#[derive(Debug, Clone, Copy)]
struct Orders {
    /// Along a panel of the outline.
    along: usize,
    /// Of directions, from break to break.
    turn: usize,
}

/// Estimated relative error [-] at a length \[m\]: corners and the centre of rotation matter like the square of the length. Twice
/// as many nodes of every kind change less, for the square, the disc and an angled polygon with a hole.
pub(crate) fn error(functionals: &Functionals, length: f64) -> f64 {
    2e-9 + 1e-5 * (length / functionals.outline.geometry.half_side()).powi(2)
}

/// Most pieces of an outline whose gaps are looked up one by one.
const MOST_PIECES: usize = 64;

/// Whether there are sums along the outline: not where the distance is measured differently in two directions.
pub(crate) fn serve(functionals: &Functionals) -> bool {
    functionals.map == [[1.0, 0.0], [0.0, 1.0]] && functionals.outline.pieces.len() <= MOST_PIECES
}

/// K/P² for unit variance and the kernel exp(−r²/l²), l = `length` \[m\].
pub(crate) fn gaussian(functionals: &Functionals, length: f64) -> Matrix {
    with_orders(functionals, length, Orders { along: 8, turn: 10 })
}

fn with_orders(functionals: &Functionals, length: f64, orders: Orders) -> Matrix {
    let sums = OutlineSums::new(functionals, length, orders);
    let (inside, crossing) = (sums.inside(), widely(|| sums.crossings()));
    matrix(|n| {
        let (i, j) = PAIRS[n];
        let part = |sum: &Matrix| 0.5 * (sum[i][j] + sum[j][i]);
        part(&inside) - part(&crossing)
    })
}

struct OutlineSums<'a> {
    outline: &'a Outline,
    twist: Twist,
    centre: Option<Point>,
    length: f64,
    orders: Orders,
    ray: Ray,
}

/// A panel of a piece, between two places along it \[m\].
struct Panel {
    piece: usize,
    ends: [f64; 2],
    /// Whether it starts or ends at a corner.
    corners: [bool; 2],
}

impl Panel {
    /// Nodes of a rule; they crowd towards a corner, where sums have a logarithm.
    fn nodes(&self, rule: &Rule) -> impl Iterator<Item = (f64, f64)> {
        let ([low, high], corners) = (self.ends, self.corners);
        let width = high - low;
        rule.on(0.0, 1.0).map(move |(t, weight)| match corners {
            [true, _] => (low + width * t * t, 2.0 * t * width * weight),
            [false, true] => (high - width * t * t, 2.0 * t * width * weight),
            [false, false] => (low + width * t, width * weight),
        })
    }
}

/// A node of the outline: place, outward normal, and pieces whose crossings count.
struct Node {
    place: Point,
    normal: Point,
}

impl<'a> OutlineSums<'a> {
    fn new(functionals: &'a Functionals, length: f64, orders: Orders) -> Self {
        let twist = functionals.twist;
        Self { outline: &functionals.outline, twist, centre: twist.centre(), length, orders, ray: Ray::new() }
    }

    /// Panels of the outline; `corners`: whether they resolve the neighbourhood of other pieces.
    fn panels(&self, corners: bool) -> Vec<Panel> {
        let mut panels = Vec::new();
        for (index, piece) in self.outline.pieces.iter().enumerate() {
            let size = size(piece);
            let mut breaks = vec![0.0, size];
            breaks.extend(self.centre.map(|centre| foot(piece, centre)));
            match piece {
                Piece::Circle { .. } => breaks.extend((1..8).map(|i| f64::from(i) * 0.125 * size)),
                Piece::Edge { .. } if corners => {
                    let zone = (REACH * self.length).min(0.5 * size);
                    breaks.extend([zone / 3.0, zone, size - zone, size - zone / 3.0]);
                }
                Piece::Edge { .. } => {}
            }
            breaks.retain(|place| *place >= 0.0 && *place <= size);
            breaks.sort_by(f64::total_cmp);
            let mut waiting: Vec<[f64; 2]> = breaks.windows(2).map(|pair| [pair[0], pair[1]]).collect();
            while let Some([low, high]) = waiting.pop() {
                let width = high - low;
                if width <= 1e-12 * size {
                    continue;
                }
                let apart = self.centre.map_or(f64::INFINITY, |centre| distance(piece, [low, high], centre));
                let thin = || self.opposite(index, [low, high]);
                let wanted = if corners { apart.min(thin()) } else { apart };
                if width > 0.5 * self.length && width > 1.01 * wanted {
                    let middle = 0.5 * (low + high);
                    waiting.extend([[low, middle], [middle, high]]);
                } else {
                    let at_corner = corners && matches!(piece, Piece::Edge { .. });
                    panels.push(Panel {
                        piece: index,
                        ends: [low, high],
                        corners: [at_corner && low == 0.0, at_corner && high == size],
                    });
                }
            }
        }
        panels
    }

    /// Distance of a part of a piece from pieces that it does not meet, if that is within reach; else infinite.
    fn opposite(&self, index: usize, ends: [f64; 2]) -> f64 {
        let piece = &self.outline.pieces[index];
        let whole = [0.0, size(piece)];
        let others = self.outline.pieces.iter().enumerate().filter(|(other, _)| *other != index);
        let gaps = others.filter_map(|(_, other)| {
            let found = gap(piece, ends, other);
            (found < REACH * self.length && gap(piece, whole, other) > 0.0).then_some(found)
        });
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// ∫w_i V_j dS.
    fn inside(&self) -> Matrix {
        let mut sum = [[0.0; 3]; 3];
        let l = self.length;
        let Some(centre) = self.centre else {
            // constant and linear weights are their own means
            let [w_x, w_y, _] = self.twist.weights([0.0; 2]);
            let geometry = self.outline.geometry;
            let [xx, xy, yy] = geometry.second_moments;
            let torque = xx * w_y * w_y - 2.0 * xy * w_x * w_y + yy * w_x * w_x;
            let area = geometry.area;
            let unit = [
                [area * w_x * w_x, area * w_x * w_y, 0.0],
                [area * w_x * w_y, area * w_y * w_y, 0.0],
                [0.0, 0.0, torque],
            ];
            return unit.map(|row| row.map(|entry| PI * l * l * entry));
        };
        let radial = Radial::new();
        let rule = Rule::gauss_legendre(12);
        let scale = PI * l.powi(4);
        for panel in self.panels(false) {
            let piece = &self.outline.pieces[panel.piece];
            for (place, weight) in panel.nodes(&rule) {
                let node = at(piece, place);
                let ray = [node.place[0] - centre[0], node.place[1] - centre[1]];
                let square = ray[0] * ray[0] + ray[1] * ray[1];
                if square <= 0.0 {
                    continue;
                }
                let distance = square.sqrt();
                let turn = weight * (ray[0] * node.normal[0] + ray[1] * node.normal[1]) / square;
                let (c, s) = (ray[0] / distance, ray[1] / distance);
                let q = [s, -c, -(centre[0] * c + centre[1] * s)];
                let [[p1, p3], [p2, p4]] = radial.integrals(distance / l);
                for i in 0..3 {
                    for j in 0..3 {
                        let mut entry = q[i] * q[j] * p1;
                        if j == 2 {
                            entry -= q[i] * p2 * l;
                        }
                        if i == 2 {
                            entry -= q[j] * p3 * l;
                        }
                        if i == 2 && j == 2 {
                            entry += p4 * l * l;
                        }
                        sum[i][j] += scale * turn * entry;
                    }
                }
            }
        }
        sum
    }

    #[inline(always)]
    fn crossings(&self) -> Matrix {
        let rule = Rule::gauss_legendre(self.orders.along);
        let turn = Rule::gauss_legendre(self.orders.turn);
        let half_turn = Rule::gauss_legendre(self.orders.turn.saturating_sub(2));
        let mut sum = [[0.0; 3]; 3];
        let (mut near, mut breaks, mut ends, mut scratch) = (Vec::new(), Vec::new(), Vec::new(), Scratch::default());
        for panel in self.panels(true) {
            let piece = &self.outline.pieces[panel.piece];
            near.clear();
            near.extend(self.outline.pieces.iter().enumerate().filter_map(|(other, edge)| {
                let close = other != panel.piece && gap(piece, panel.ends, edge) < REACH * self.length;
                close.then_some(*edge)
            }));
            for (place, weight) in panel.nodes(&rule) {
                let node = at(piece, place);
                let to_centre =
                    self.centre.map(|c| [(c[0] - node.place[0]) / self.length, (c[1] - node.place[1]) / self.length]);
                let to_centre = to_centre.filter(|[x, y]| x * x + y * y < (REACH + CLOSE) * (REACH + CLOSE));
                self.turns(piece, &node, &near, to_centre, &mut breaks);
                let last = if near.is_empty() { 0.5 * PI } else { 1.5 * PI };
                for pair in breaks.windows(2).filter(|pair| pair[1] <= last + 1e-9) {
                    let mut add = |[c, s]: Point, angle_weight: f64| {
                        let e = [c * node.normal[0] - s * node.normal[1], c * node.normal[1] + s * node.normal[0]];
                        self.lengths_inside(piece, &node, &near, e, c, &mut ends);
                        if ends.is_empty() {
                            return;
                        }
                        let factor = weight * angle_weight * c * self.length.powi(3);
                        let part = match to_centre.filter(|to_centre| passes(*to_centre, e)) {
                            Some(to_centre) => self.split_pair(&node, e, to_centre, &ends, &mut scratch),
                            None => self.pair(&node, e, &ends),
                        };
                        for i in 0..3 {
                            for j in 0..3 {
                                sum[i][j] += factor * part[i][j];
                            }
                        }
                    };
                    let [low, high] = [pair[0], pair[1]];
                    if let Some(upright) = self.first_hit(&node, &near, 0.5 * (low + high)) {
                        // the ray ends at distance · cosh t: equal steps of t resolve near and far ends alike
                        let place = |angle: f64| asinh(tan(angle - upright));
                        for (t, w) in turn.on(place(low), place(high)) {
                            let (up, down) = (exp(t), exp(-t));
                            let (c, s) = (2.0 / (up + down), (up - down) / (up + down));
                            let (a, b) = (cos(upright), sin(upright));
                            add([a * c - b * s, b * c + a * s], c * w);
                        }
                    } else if to_centre.is_some() {
                        // nodes crowd towards both breaks
                        let half = 0.5 * (high - low);
                        for (t, w) in half_turn.on(0.0, 1.0) {
                            for angle in [low + half * t * t, high - half * t * t] {
                                add([cos(angle), sin(angle)], 2.0 * t * half * w);
                            }
                        }
                    } else {
                        for (angle, w) in turn.on(low, high) {
                            add([cos(angle), sin(angle)], w);
                        }
                    }
                }
            }
        }
        sum
    }

    /// Directions, from the normal, between which the sums are smooth \[rad\].
    fn turns(&self, own: &Piece, node: &Node, near: &[Piece], to_centre: Option<Point>, breaks: &mut Vec<f64>) {
        breaks.clear();
        breaks.extend([-0.5 * PI, 0.5 * PI, 1.5 * PI]);
        if let Piece::Circle { radius } = own {
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
        if let Some(to_centre) = to_centre {
            // before or behind
            let angle = self.angle(node, to_centre);
            angles(&[angle, angle + PI]);
        }
        for piece in near {
            if let Piece::Edge { from, to } = piece {
                let (distance, upright) = self.seen(node, *from, *to);
                let steepest = acos((distance / REACH).min(1.0));
                angles(&[upright - steepest, upright + steepest]);
                for corner in [from, to] {
                    let ray = [corner[0] - node.place[0], corner[1] - node.place[1]];
                    if ray[0] * ray[0] + ray[1] * ray[1] < (REACH * self.length).powi(2) {
                        angles(&[self.angle(node, [-ray[0], -ray[1]])]);
                    }
                }
            }
        }
        breaks.sort_by(f64::total_cmp);
        breaks.dedup_by(|a, b| (*a - *b).abs() < 1e-7);
    }

    /// Angle of a vector from the normal \[rad\].
    fn angle(&self, node: &Node, [x, y]: Point) -> f64 {
        let [n_x, n_y] = node.normal;
        atan2(y * n_x - x * n_y, x * n_x + y * n_y)
    }

    /// Distance of the line of an edge in correlation lengths, and the direction e from the normal whose ray meets it upright.
    fn seen(&self, node: &Node, from: Point, to: Point) -> (f64, f64) {
        let side = [to[0] - from[0], to[1] - from[1]];
        let size = norm(side);
        let upright = [side[1] / size, -side[0] / size];
        let distance = (from[0] - node.place[0]) * upright[0] + (from[1] - node.place[1]) * upright[1];
        // the ray runs against e
        let sign = if distance > 0.0 { -1.0 } else { 1.0 };
        (distance.abs() / self.length, self.angle(node, [sign * upright[0], sign * upright[1]]))
    }

    /// The upright direction of the edge that the ray against this direction meets first within reach.
    fn first_hit(&self, node: &Node, near: &[Piece], angle: f64) -> Option<f64> {
        let (c, s) = (cos(angle), sin(angle));
        let e = [c * node.normal[0] - s * node.normal[1], c * node.normal[1] + s * node.normal[0]];
        let hits = near.iter().filter_map(|piece| match *piece {
            Piece::Edge { from, to } => self.crossing(node, e, from, to).map(|place| (place, from, to)),
            Piece::Circle { .. } => None,
        });
        let (_, from, to) = hits.filter(|hit| hit.0 < REACH).min_by(|a, b| a.0.total_cmp(&b.0))?;
        let (distance, upright) = self.seen(node, from, to);
        (distance > 0.0).then_some(upright)
    }

    /// Where the ray against e meets an edge, in correlation lengths.
    fn crossing(&self, node: &Node, e: Point, from: Point, to: Point) -> Option<f64> {
        let side = [to[0] - from[0], to[1] - from[1]];
        let start = [from[0] - node.place[0], from[1] - node.place[1]];
        let across = e[1] * side[0] - e[0] * side[1];
        let along = (start[0] * side[1] - start[1] * side[0]) / across;
        let fraction = (e[0] * start[1] - e[1] * start[0]) / across;
        (along > 0.0 && (0.0..1.0).contains(&fraction)).then_some(along / self.length)
    }

    /// Parts of the ray from a node backwards that lie inside, as ends in correlation lengths.
    fn lengths_inside(&self, own: &Piece, node: &Node, near: &[Piece], e: Point, outward: f64, ends: &mut Vec<f64>) {
        ends.clear();
        if let Piece::Circle { radius } = own {
            if outward > 0.0 {
                ends.extend([0.0, (2.0 * radius * outward / self.length).min(REACH)]);
            }
            return;
        }
        ends.extend(near.iter().filter_map(|piece| match *piece {
            Piece::Edge { from, to } => self.crossing(node, e, from, to).map(|place| place.min(REACH)),
            Piece::Circle { .. } => None,
        }));
        if outward > 0.0 {
            ends.push(0.0);
        }
        ends.sort_by(f64::total_cmp);
        if ends.len() % 2 == 1 {
            ends.push(REACH);
        }
        if ends.iter().all(|end| *end >= REACH) {
            ends.clear();
        }
    }

    /// ∫du ∫dv (u + v) exp(−(u+v)²) w_i w_j on one line, u between the ends.
    #[inline(always)]
    fn pair(&self, node: &Node, e: Point, ends: &[f64]) -> Matrix {
        let ray = &self.ray;
        let before = weights(&self.twist, node.place, [-e[0] * self.length, -e[1] * self.length], &ray.places);
        let after = weights(&self.twist, node.place, [e[0] * self.length, e[1] * self.length], &ray.places);
        let mut means = [[0.0; ALONG]; 3];
        for (v, row) in ray.kernel.iter().enumerate() {
            for j in 0..3 {
                for u in 0..ALONG {
                    means[j][u] += row[u] * after[j][v];
                }
            }
        }
        let mut parts = [0.0; ALONG];
        for pair in ends.chunks_exact(2) {
            ray.add_part(pair[0], pair[1], &mut parts);
        }
        let mut sum = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                let mut products = [0.0; ALONG];
                for u in 0..ALONG {
                    products[u] = parts[u] * before[i][u] * means[j][u];
                }
                sum[i][j] = products.iter().sum();
            }
        }
        sum
    }

    /// The same for a line that passes the centre of rotation.
    fn split_pair(&self, node: &Node, e: Point, to_centre: Point, ends: &[f64], scratch: &mut Scratch) -> Matrix {
        let foot = to_centre[0] * e[0] + to_centre[1] * e[1];
        let miss = (to_centre[0] * e[1] - to_centre[1] * e[0]).abs();
        let Scratch { before, after, values, kernel } = scratch;
        before.clear();
        after.clear();
        for pair in ends.chunks_exact(2) {
            self.ray.split(pair[0], pair[1], -foot, miss, before);
        }
        self.ray.split(0.0, REACH, foot, miss, after);
        let value = |u: f64, sign: f64| {
            let step = sign * u * self.length;
            self.twist.weights([node.place[0] + step * e[0], node.place[1] + step * e[1]])
        };
        values.clear();
        values.extend(after.iter().map(|(v, weight)| value(*v, 1.0).map(|w| w * weight)));
        kernel.clear();
        kernel.extend(before.iter().flat_map(|(u, _)| after.iter().map(move |(v, _)| -(u + v) * (u + v))));
        bulk::exp(kernel);
        let mut sum = [[0.0; 3]; 3];
        for ((u, weight), kernel) in before.iter().zip(kernel.chunks_exact(after.len())) {
            let mut mean = [0.0; 3];
            for (((v, _), value), kernel) in after.iter().zip(values.iter()).zip(kernel) {
                for j in 0..3 {
                    mean[j] += (u + v) * kernel * value[j];
                }
            }
            let w = value(*u, -1.0);
            for i in 0..3 {
                for j in 0..3 {
                    sum[i][j] += weight * w[i] * mean[j];
                }
            }
        }
        sum
    }
}

/// Whether a line along e passes a place closely and within reach.
fn passes([x, y]: Point, e: Point) -> bool {
    (x * e[1] - y * e[0]).abs() < CLOSE && (x * e[0] + y * e[1]).abs() < REACH + CLOSE
}

#[derive(Default)]
struct Scratch {
    /// Places and weights on both sides of the outline.
    before: Vec<(f64, f64)>,
    after: Vec<(f64, f64)>,
    values: Vec<[f64; 3]>,
    kernel: Vec<f64>,
}

/// Nodes along a ray, in correlation lengths.
struct Ray {
    places: Many,
    /// (u + v) exp(−(u+v)²) times the weight of v; rows of v.
    kernel: Vec<Many>,
    /// What the value at a node adds to the coefficients of the Legendre polynomials; rows of degrees.
    legendre: Vec<Many>,
    /// P_(m+2) = rise · x · P_(m+1) − fall · P_m.
    recurrence: [[f64; 2]; ALONG],
    rule: Rule,
    /// For each side of the centre of rotation.
    split: Rule,
}

impl Ray {
    fn new() -> Self {
        let (rule, split) = (Rule::gauss_legendre(ALONG), Rule::gauss_legendre(SPLIT));
        let mut places = [0.0; ALONG];
        let mut sizes = [0.0; ALONG];
        for ((place, size), (x, w)) in places.iter_mut().zip(&mut sizes).zip(rule.on(0.0, REACH)) {
            (*place, *size) = (x, w);
        }
        let kernel = std::iter::zip(places, sizes)
            .map(|(v, size)| places.map(|u| size * (u + v) * exp(-(u + v) * (u + v))))
            .collect();
        let mut legendre: Vec<Many> = vec![[0.0; ALONG]; ALONG];
        for (k, (x, size)) in rule.nodes.iter().zip(sizes).enumerate() {
            let (mut before, mut value) = (0.0, 1.0);
            for (m, row) in legendre.iter_mut().enumerate() {
                row[k] = 0.5 * size * value;
                let m = m as f64;
                (before, value) = (value, ((2.0 * m + 1.0) * x * value - m * before) / (m + 1.0));
            }
        }
        let recurrence = std::array::from_fn(|m| {
            let m = m as f64 + 1.0;
            [(2.0 * m + 1.0) / (m + 1.0), m / (m + 1.0)]
        });
        Self { places, kernel, legendre, recurrence, rule, split }
    }

    /// Adds the weights of the integral from `low` to `high` of the polynomial through values at the nodes.
    #[inline(always)]
    fn add_part(&self, low: f64, high: f64, parts: &mut Many) {
        if low == 0.0 && high == REACH {
            for (part, row) in parts.iter_mut().zip(&self.legendre[0]) {
                *part += 2.0 * row;
            }
            return;
        }
        // (2m + 1) ∫P_m = P_(m+1) − P_(m−1)
        let [low, high] = [low, high].map(|end| 2.0 * end / REACH - 1.0);
        let ([mut a, mut b], [mut next_a, mut next_b]) = ([1.0, 1.0], [low, high]);
        let mut integral = high - low;
        for (m, row) in self.legendre.iter().enumerate() {
            for (part, value) in parts.iter_mut().zip(row) {
                *part += integral * value;
            }
            let [rise, fall] = self.recurrence[m];
            let (after_a, after_b) = (rise * low * next_a - fall * a, rise * high * next_b - fall * b);
            integral = (after_b - b) - (after_a - a);
            (a, b, next_a, next_b) = (next_a, next_b, after_a, after_b);
        }
    }

    /// Nodes between `low` and `high` for a weight that turns about a place `foot` within the distance `miss`.
    fn split(&self, low: f64, high: f64, foot: f64, miss: f64, nodes: &mut Vec<(f64, f64)>) {
        if high <= low {
            return;
        }
        let gap = (low - foot).max(foot - high).max(0.0);
        if gap > CLOSE {
            nodes.extend(self.rule.on(low, high));
            return;
        }
        let miss = miss.max(0.02);
        let place = |end: f64| asinh((end - foot) / miss);
        let (from, to) = (place(low), place(high));
        let middle = if foot > low && foot < high { 0.0 } else { from };
        for pair in [[from, middle], [middle, to]] {
            if pair[1] > pair[0] {
                nodes.extend(self.split.on(pair[0], pair[1]).map(|(t, w)| {
                    let (up, down) = (exp(t), exp(-t));
                    (foot + 0.5 * miss * (up - down), 0.5 * miss * (up + down) * w)
                }));
            }
        }
    }
}

/// The weights at many places of a ray.
#[inline(always)]
fn weights(twist: &Twist, from: Point, step: Point, places: &Many) -> [Many; 3] {
    let mut found = [[0.0; ALONG]; 3];
    for k in 0..ALONG {
        let (x, y) = (from[0] + step[0] * places[k], from[1] + step[1] * places[k]);
        let (u, v) = (twist.vx - twist.omega * y, twist.vy + twist.omega * x);
        let speed = (u * u + v * v).sqrt();
        let factor = if speed > 0.0 { -1.0 / speed } else { 0.0 };
        found[0][k] = factor * u;
        found[1][k] = factor * v;
        found[2][k] = factor * (x * v - y * u);
    }
    found
}

/// Integrals over the distance from the centre of rotation, all lengths in correlation lengths:
///
/// ```text
/// Φ(s) = (√π/2) s [I₀(q) + I₁(q)] e^(−q),   Ψ(s) = (√π/2) [(1 + s²) I₀(q) + s² I₁(q)] e^(−q),   q = s²/2
/// ```
/// are the means of the direction from the centre and of the distance, over a Gaussian about a point at distance s.
struct Radial {
    /// ∫Φ s ds, ∫Φ s² ds; ∫Ψ s ds, ∫Ψ s² ds up to [`FAR`], less their series.
    constants: [[f64; 2]; 2],
    /// Coefficients of Φ = Σ α_k s^(−2k) and Ψ = Σ β_k s^(1−2k).
    series: [[f64; TERMS]; 2],
}

impl Radial {
    fn new() -> Self {
        let mut series = [[1.0; TERMS]; 2];
        for k in 1..TERMS {
            let j = (k - 1) as f64;
            // powers of the Laplacian of a unit vector and of the distance
            series[0][k] = series[0][k - 1] * (4.0 * j * j - 1.0) / (4.0 * k as f64);
            series[1][k] = series[1][k - 1] * (1.0 - 2.0 * j) * (1.0 - 2.0 * j) / (4.0 * k as f64);
        }
        let mut radial = Self { constants: [[0.0; 2]; 2], series };
        let (near, far) = (near_integrals(FAR), radial.far(FAR));
        radial.constants = [0, 1].map(|f| [0, 1].map(|p| near[f][p] - far[f][p]));
        radial
    }

    fn integrals(&self, s: f64) -> [[f64; 2]; 2] {
        if s < FAR {
            return near_integrals(s);
        }
        let far = self.far(s);
        [0, 1].map(|f| [0, 1].map(|p| far[f][p] + self.constants[f][p]))
    }

    /// The series, integrated.
    fn far(&self, s: f64) -> [[f64; 2]; 2] {
        let (logarithm, inverse) = (ln(s), 1.0 / (s * s));
        [0, 1].map(|f| {
            [0, 1].map(|p| {
                // ∫s^(n − 2k) ds
                let n = (1 + f + p) as i32;
                let (mut power, mut sum) = (s.powi(n + 1), 0.0);
                for (k, coefficient) in self.series[f].iter().enumerate() {
                    let exponent = n + 1 - 2 * k as i32;
                    sum += coefficient * if exponent == 0 { logarithm } else { power / f64::from(exponent) };
                    power *= inverse;
                }
                sum
            })
        })
    }
}

fn near_integrals(s: f64) -> [[f64; 2]; 2] {
    let rule = Rule::gauss_legendre(6 + (3.5 * s) as usize);
    let mut sums = [[0.0; 2]; 2];
    for (s, weight) in rule.on(0.0, s) {
        let q = 0.5 * s * s;
        let (zeroth, first) = (scaled_bessel_i(0, q), scaled_bessel_i(1, q));
        let factor = 0.5 * PI.sqrt();
        let means = [factor * s * (zeroth + first), factor * ((1.0 + s * s) * zeroth + s * s * first)];
        for (sums, mean) in sums.iter_mut().zip(means) {
            sums[0] += weight * mean * s;
            sums[1] += weight * mean * s * s;
        }
    }
    sums
}

fn size(piece: &Piece) -> f64 {
    match *piece {
        Piece::Edge { from, to } => norm([to[0] - from[0], to[1] - from[1]]),
        Piece::Circle { radius } => 2.0 * PI * radius,
    }
}

fn norm([x, y]: Point) -> f64 {
    (x * x + y * y).sqrt()
}

/// The node of a piece at a place along it.
fn at(piece: &Piece, place: f64) -> Node {
    match *piece {
        Piece::Edge { from, to } => {
            let side = [to[0] - from[0], to[1] - from[1]];
            let size = norm(side);
            let t = place / size;
            Node { place: [from[0] + t * side[0], from[1] + t * side[1]], normal: [side[1] / size, -side[0] / size] }
        }
        Piece::Circle { radius } => {
            let angle = place / radius;
            let normal = [cos(angle), sin(angle)];
            Node { place: [radius * normal[0], radius * normal[1]], normal }
        }
    }
}

/// The place along a piece that is nearest to a point.
fn foot(piece: &Piece, point: Point) -> f64 {
    match *piece {
        Piece::Edge { from, to } => {
            let side = [to[0] - from[0], to[1] - from[1]];
            ((point[0] - from[0]) * side[0] + (point[1] - from[1]) * side[1]) / norm(side)
        }
        Piece::Circle { radius } => {
            let angle = atan2(point[1], point[0]);
            radius * if angle < 0.0 { angle + 2.0 * PI } else { angle }
        }
    }
}

/// Distance of a point from a part of a piece; for a circle, a lower bound.
fn distance(piece: &Piece, ends: [f64; 2], point: Point) -> f64 {
    let nearest = |place: f64| {
        let node = at(piece, place);
        norm([node.place[0] - point[0], node.place[1] - point[1]])
    };
    let foot = foot(piece, point);
    if foot > ends[0] && foot < ends[1] { nearest(foot) } else { nearest(ends[0]).min(nearest(ends[1])) }
}

/// Smallest distance of a part of an edge from another edge; infinite for circles, which are alone.
fn gap(piece: &Piece, ends: [f64; 2], other: &Piece) -> f64 {
    let (Piece::Edge { .. }, Piece::Edge { from, to }) = (piece, other) else { return f64::INFINITY };
    let (first, last) = (at(piece, ends[0]).place, at(piece, ends[1]).place);
    // edges of an outline do not cross: the nearest point is an end of one of them
    let whole = [0.0, size(other)];
    let of_ends = distance(other, whole, first).min(distance(other, whole, last));
    of_ends.min(distance(piece, ends, *from)).min(distance(piece, ends, *to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::planar_sliding::functionals::difference;
    use crate::analysis::planar_sliding::square::rectangle_translation;
    use crate::patch::{Disc, Polygon, Rectangle, Resolution, Shape, Square};

    fn turning(shape: &Shape, [x, y]: Point) -> Functionals {
        Functionals::new(Outline::of(shape).unwrap(), Twist { vx: y, vy: -x, omega: 1.0 })
    }

    #[test]
    fn sums_along_the_outline_are_those_over_a_fan() {
        let angled = Polygon {
            corners: vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.5], [0.0, 2.0]],
            holes: vec![vec![[0.2, 0.2], [0.8, 0.3], [0.5, 0.7]]],
        };
        let square = Shape::Square(Square { half_side: 1.0 });
        // from the middle over the rim to outside, and at a corner
        for (shape, centres) in [
            (
                square,
                vec![[0.0, 0.0], [0.0, 0.5], [0.0, 0.9], [0.0, 0.97], [0.0, 1.0], [0.3, 1.03], [1.0, 1.0], [2.0, 0.1]],
            ),
            (Shape::Rectangle(Rectangle { half_length: 2.0, half_width: 0.4 }), vec![[0.2, 0.1], [1.95, 0.39]]),
            (Shape::Disc(Disc { radius: 1.0 }), vec![[0.0, 0.0], [0.1, 0.4], [0.0, 0.98], [0.0, 1.05]]),
            (Shape::Polygon(angled), vec![[0.1, 0.2], [-0.7, -0.4]]),
        ] {
            for centre in centres {
                let functionals = turning(&shape, centre);
                let fan = functionals.loads(Resolution { length: 0.06, extra: 0 }).gaussian(0.06);
                let error = difference(&fan, &gaussian(&functionals, 0.06));
                assert!(error < 2e-7, "{shape:?}, {centre:?}: {error:e}");
            }
        }
    }

    #[test]
    fn translation_has_its_closed_form_at_every_length() {
        let rectangle = Shape::Rectangle(Rectangle { half_length: 1.3, half_width: 0.7 });
        let functionals = Functionals::new(Outline::of(&rectangle).unwrap(), Twist { vx: 0.6, vy: 0.8, omega: 0.0 });
        for length in [1e-6, 1e-3, 0.01, 0.1] {
            let wanted = rectangle_translation(1.3, 0.7, [0.6, 0.8], length);
            let error = difference(&wanted, &gaussian(&functionals, length));
            assert!(error < 3e-8, "{length}: {error:e}");
        }
    }
}
