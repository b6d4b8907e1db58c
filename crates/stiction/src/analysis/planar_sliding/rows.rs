//! Nodes of a moving plate in rows, so that a kernel which is a product of two is applied along one axis at a time.
//!
//! The direction of sliding jumps at the centre of rotation. Along a row that passes it at the distance h, the weights are smooth
//! in t, sinh t = (x − c)/h; across the rows, the sums over a row have a logarithm at the centre, and nodes crowd towards it like
//! the cube. The only other rough places are those where an end of a row passes the centre closely: complex heights, at which it
//! is seen under the slope ±i.

use super::functionals::Functionals;
use super::motion::Twist;
use crate::num::bulk::{Loop, vectorised};
use crate::num::gauss::Rules;
use crate::num::real::{acosh, asin, asinh, atan2, cos, exp, sin};
use crate::patch::outline::{dot, length, minus};
use crate::patch::{Outline, Piece, Point, Resolution};
use std::f64::consts::PI;

/// Longest panel in units of the length to resolve: beyond, two panels need fewer nodes than one.
const LONGEST_PANEL: f64 = 8.0;

/// Lengths from the centre of rotation within which places are taken by their angles.
const NEAR: f64 = 2.5;

/// Longest panel in units of its distance from a rough place.
const LONGEST_BEND: f64 = 2.0;

/// Rough places nearer to the centre of rotation than this are as good as at it, in units of the length to resolve.
const NEAREST: f64 = 1e-5;

/// Most nodes of one panel.
const MOST_IN_PANEL: usize = 60;

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
                Piece::Circle { radius } => [[-radius; 2], [radius; 2]],
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
            Piece::Circle { radius } => radius * self.units[0].max(self.units[1]),
        };
        outline.pieces.iter().map(of_piece).fold(0.0, f64::max)
    }

    /// Hands all rows of a plate to `rows`.
    pub(crate) fn fill(self, functionals: &Functionals, resolution: Resolution, rows: &mut impl Rows) {
        let lengths = self.units.map(|unit| resolution.length / unit);
        let centre = functionals.twist.centre().map(|centre| self.seen(centre));
        let mut plate = Filling {
            frame: self,
            twist: functionals.twist,
            centre,
            lengths,
            extra: resolution.extra,
            rules: Rules::shared(),
            row: Row::default(),
        };
        if let [Piece::Circle { radius }] = functionals.outline.pieces.as_slice() {
            plate.disc(*radius, rows);
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

/// Where sums over a row are rough: a complex height.
#[derive(Debug, Clone, Copy)]
struct Rough {
    at: f64,
    /// Imaginary part.
    beside: f64,
}

impl Rough {
    fn distance(&self, [low, high]: [f64; 2]) -> f64 {
        let along = (low - self.at).max(self.at - high).max(0.0);
        (along * along + self.beside * self.beside).sqrt()
    }
}

/// An edge that spans a slab: x = at + slope · (height − from).
#[derive(Debug, Clone, Copy)]
struct Side {
    from: f64,
    at: f64,
    slope: f64,
}

impl Side {
    fn x(&self, height: f64) -> f64 {
        self.at + self.slope * (height - self.from)
    }

    /// The height at which it is seen from the centre under the slope i.
    fn rough(&self, [x, y]: Point) -> Rough {
        let (away, square) = (self.x(y) - x, 1.0 + self.slope * self.slope);
        Rough { at: y - self.slope * away / square, beside: away.abs() / square }
    }
}

/// The nodes of one row.
#[derive(Debug, Default)]
struct Row {
    places: Vec<f64>,
    weights: Vec<f64>,
    loads: [Vec<f64>; 3],
}

struct Filling<'a> {
    frame: Frame,
    twist: Twist,
    /// In the frame.
    centre: Option<Point>,
    /// What is to be resolved along the axes \[m\].
    lengths: [f64; 2],
    extra: i32,
    rules: &'a Rules,
    row: Row,
}

impl Filling<'_> {
    /// Straight edges: slabs between the heights of corners.
    fn straight(&mut self, outline: &Outline, rows: &mut impl Rows) {
        let edges: Vec<[Point; 2]> =
            outline.straight_edges().map(|edge| edge.map(|point| self.frame.seen(point))).collect();
        let mut levels: Vec<f64> = edges.iter().map(|[from, _]| from[1]).collect();
        levels.sort_by(f64::total_cmp);
        let tall = levels.last().copied().unwrap_or(0.0) - levels.first().copied().unwrap_or(0.0);
        levels.dedup_by(|a, b| *a - *b <= 1e-14 * tall);
        let (mut sides, mut roughs, mut panels) = (Vec::new(), Vec::new(), Vec::new());
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
            // how far a row moves or changes, in lengths, over a unit of height
            let change = (1.0 / self.lengths[1]).max(steepest / self.lengths[0]);
            let centre = self.centre.map(|centre| centre[1]);
            self.panels([low, high], change, centre, &roughs, &mut panels);
            for panel in &panels {
                for (height, weight) in panel.nodes(self.rules) {
                    self.row.clear();
                    for pair in sides.chunks_exact(2) {
                        self.between(height, [pair[0].x(height), pair[1].x(height)]);
                    }
                    self.emit(height, weight, rows);
                }
            }
        }
    }

    /// A disc: rows at heights R sin φ.
    fn disc(&mut self, radius: f64, rows: &mut impl Rows) {
        let (mut roughs, mut turn) = (Vec::new(), None);
        if let Some([x, y]) = self.centre {
            let square = x * x + y * y;
            let factor = 0.5 * (radius * radius - square) / (square.max(1e-300) * radius);
            let complex = [y / radius + factor * y, factor * x];
            if complex.iter().all(|part| part.is_finite()) {
                roughs.push(complex_arcsine(complex));
            }
            turn = (y.abs() <= radius).then(|| asin(y / radius));
            if turn.is_none() {
                roughs.push(complex_arcsine([y / radius, 0.0]));
            }
        }
        let change = radius / self.lengths[0].min(self.lengths[1]);
        let mut panels = Vec::new();
        // a turn by itself counts as well
        let change = change.max(1.2);
        self.panels([-0.5 * PI, 0.5 * PI], change, turn, &roughs, &mut panels);
        for panel in &panels {
            for (turn, weight) in panel.nodes(self.rules) {
                let (height, half) = (radius * sin(turn), radius * cos(turn));
                self.row.clear();
                self.between(height, [-half, half]);
                self.emit(height, weight * half, rows);
            }
        }
    }

    /// Panels of heights between two ends; `change` in lengths per unit.
    fn panels(&self, ends: [f64; 2], change: f64, centre: Option<f64>, roughs: &[Rough], found: &mut Vec<Panel>) {
        found.clear();
        let nearest = NEAREST / change;
        let mut waiting = vec![ends];
        if let Some(centre) = centre.filter(|centre| *centre > ends[0] && *centre < ends[1]) {
            waiting = vec![[ends[0], centre], [centre, ends[1]]];
        }
        while let Some([low, high]) = waiting.pop() {
            let size = high - low;
            if size <= 0.0 {
                continue;
            }
            let at_centre = centre.map_or([false; 2], |centre| [low, high].map(|end| (end - centre).abs() <= nearest));
            let touches = at_centre[0] || at_centre[1];
            let mut distance = f64::INFINITY;
            for rough in roughs {
                let merged = centre.is_some_and(|centre| rough.distance([centre, centre]) <= nearest);
                if !(touches && merged) {
                    distance = distance.min(rough.distance([low, high]));
                }
            }
            if let Some(centre) = centre.filter(|_| !touches) {
                distance = distance.min((low - centre).max(centre - high).max(0.0));
            }
            let longest = if touches { NEAR } else { LONGEST_PANEL };
            let too_long = size * change > longest || size > LONGEST_BEND * distance;
            if too_long && size > nearest {
                let middle = 0.5 * (low + high);
                waiting.extend([[low, middle], [middle, high]]);
                continue;
            }
            let bend = if size > nearest { size / distance } else { 0.0 };
            let wanted = 4.0 + 2.5 * size * change + 4.0 * bend + if touches { 5.0 + 1.5 * size * change } else { 0.0 };
            found.push(Panel { ends: [low, high], at_centre, count: self.count(wanted) });
        }
    }

    fn count(&self, wanted: f64) -> usize {
        (wanted.ceil() as i32 + self.extra).clamp(1, MOST_IN_PANEL as i32) as usize
    }

    /// Adds the nodes of a row between two ends.
    fn between(&mut self, height: f64, [from, to]: [f64; 2]) {
        if to <= from {
            return;
        }
        let length = self.lengths[0];
        let Some([x, y]) = self.centre else {
            self.plain([from, to], |_| f64::INFINITY);
            return;
        };
        let miss = (height - y).abs().max(1e-300);
        let beside = |[low, high]: [f64; 2]| {
            let along = (low - x).max(x - high).max(0.0);
            (along * along + miss * miss).sqrt()
        };
        let (left, right) = (from.max(x - NEAR * length), to.min(x + NEAR * length));
        if miss > NEAR * length || right <= left {
            self.plain([from, to], beside);
            return;
        }
        // no sliver is left beside the part near the centre
        let left = if left - from < 0.5 * length { from } else { left };
        let right = if to - right < 0.5 * length { to } else { right };
        self.plain([from, left], beside);
        let [low, high] = [left, right].map(|end| asinh((end - x) / miss));
        if high - low < 3.0 {
            self.turning([left, right], [low, high], [x, miss], 6.0 + 2.4 * (high - low));
        } else {
            let middle = 0.0_f64.clamp(low, high);
            let cut = x.clamp(left, right);
            self.turning([left, cut], [low, middle], [x, miss], 8.0 + 1.4 * (middle - low));
            self.turning([cut, right], [middle, high], [x, miss], 8.0 + 1.4 * (high - middle));
        }
        self.plain([right, to], beside);
    }

    /// Panels of one size; `distance` from the centre.
    fn plain(&mut self, [from, to]: [f64; 2], distance: impl Fn([f64; 2]) -> f64) {
        let (size, length) = (to - from, self.lengths[0]);
        if size <= 0.0 {
            return;
        }
        let panels = (size / (LONGEST_PANEL * length)).ceil().max(1.0);
        let width = size / panels;
        for panel in 0..panels as usize {
            let low = from + panel as f64 * width;
            let wanted = 4.0 + 2.5 * width / length + 4.0 * width / distance([low, low + width]);
            for (place, weight) in self.rules.with(self.count(wanted)).on(low, low + width) {
                self.row.push(place, weight);
            }
        }
    }

    /// Places x + miss · sinh t.
    fn turning(&mut self, ends: [f64; 2], [low, high]: [f64; 2], [x, miss]: [f64; 2], wanted: f64) {
        if high <= low {
            return;
        }
        let wanted = wanted + 2.8 * (ends[1] - ends[0]) / self.lengths[0];
        for (t, weight) in self.rules.with(self.count(wanted)).on(low, high) {
            let up = exp(t);
            let down = up.recip();
            self.row.push(x + 0.5 * miss * (up - down), 0.5 * miss * (up + down) * weight);
        }
    }

    /// Hands the row on.
    fn emit(&mut self, height: f64, weight: f64, rows: &mut impl Rows) {
        let Row { places, weights, loads } = &mut self.row;
        let count = places.len();
        loads.iter_mut().for_each(|loads| loads.resize(count, 0.0));
        let [along, across] = self.frame.axes;
        let [x, y, torque] = loads.each_mut().map(|loads| loads.as_mut_slice());
        vectorised(Loads {
            twist: self.twist,
            origin: across.map(|part| part * height),
            along,
            weight,
            places,
            weights,
            loads: [x, y, torque],
        });
        let [first, second] = self.frame.units;
        places.iter_mut().for_each(|place| *place *= first);
        rows.add(second * height, places, loads.each_ref().map(Vec::as_slice));
    }
}

impl Row {
    fn clear(&mut self) {
        self.places.clear();
        self.weights.clear();
    }

    fn push(&mut self, place: f64, weight: f64) {
        self.places.push(place);
        self.weights.push(weight);
    }
}

/// A panel of heights.
#[derive(Debug)]
struct Panel {
    ends: [f64; 2],
    /// Which end is at the centre of rotation.
    at_centre: [bool; 2],
    count: usize,
}

impl Panel {
    /// Nodes and weights; they crowd towards the centre of rotation.
    fn nodes<'a>(&self, rules: &'a Rules) -> impl Iterator<Item = (f64, f64)> + use<'a> {
        let ([low, high], at_centre) = (self.ends, self.at_centre);
        let size = high - low;
        rules.with(self.count).on(0.0, 1.0).map(move |(t, weight)| match at_centre {
            [true, _] => (low + size * t * t * t, 3.0 * t * t * size * weight),
            [false, true] => {
                let t = 1.0 - t;
                (high - size * t * t * t, 3.0 * t * t * size * weight)
            }
            [false, false] => (low + size * t, size * weight),
        })
    }
}

/// arcsin of a complex number with the sign of the imaginary part left out.
fn complex_arcsine([x, y]: Point) -> Rough {
    let far = |shift: f64| ((x + shift) * (x + shift) + y * y).sqrt();
    let (plus, minus) = (far(1.0), far(-1.0));
    Rough { at: asin((0.5 * (plus - minus)).clamp(-1.0, 1.0)), beside: acosh((0.5 * (plus + minus)).max(1.0)) }
}

/// Weights × areas along a row: [`Twist::weights`] for many points at once.
struct Loads<'a> {
    twist: Twist,
    /// Where the row starts to be measured \[m\].
    origin: Point,
    along: Point,
    /// Of the whole row.
    weight: f64,
    places: &'a [f64],
    weights: &'a [f64],
    loads: [&'a mut [f64]; 3],
}

impl Loop for Loads<'_> {
    #[inline(always)]
    fn run(self) {
        let Twist { vx, vy, omega } = self.twist;
        let [to_x, to_y, to_torque] = self.loads;
        let targets = to_x.iter_mut().zip(to_y).zip(to_torque);
        for (((load_x, load_y), load_torque), (place, weight)) in targets.zip(self.places.iter().zip(self.weights)) {
            let (x, y) = (self.origin[0] + self.along[0] * place, self.origin[1] + self.along[1] * place);
            let (u, v) = (vx - omega * y, vy + omega * x);
            let speed = (u * u + v * v).sqrt();
            let factor = if speed > 0.0 { -self.weight * weight / speed } else { 0.0 };
            (*load_x, *load_y) = (factor * u, factor * v);
            *load_torque = factor * (x * v - y * u);
        }
    }
}
