//! The box around a view of space: its far faces with a grid, and ticks and names along three edges of its outline.

use super::font::{Weight, cut, width};
use super::scale::Range;
use super::simplify::Rect;
use super::space::{SpaceContent, Vector, dot};
use super::svg::{Anchor, Svg, TextStyle, polyline};
use super::theme::{FRAME, GREY, GRID, INK, SMALL, TEXT, TICK};
use super::ticks::Ticks;
use stiction::num::real::{atan2, cos, sin};

type Point = (f64, f64);

/// Edges shorter than this are seen from their end and have no ticks \[pt\].
const SHORTEST: f64 = 14.0;
/// Smallest size of the name of an axis \[pt\].
const SMALLEST: f64 = 5.5;

/// A text with its centre, turned clockwise \[deg\].
#[derive(Debug, Clone)]
struct Word {
    text: String,
    size: f64,
    at: Point,
    turn: f64,
}

impl Word {
    /// The rectangle that holds the text.
    fn room(&self) -> Rect {
        let (wide, high) = (width(&self.text, self.size, Weight::Regular), self.size);
        let (sine, cosine) = (sin(self.turn.to_radians()).abs(), cos(self.turn.to_radians()).abs());
        let (across, down) = (wide * cosine + high * sine, wide * sine + high * cosine);
        Rect { left: self.at.0 - 0.5 * across, top: self.at.1 - 0.5 * down, width: across, height: down }
    }
}

/// The box in the picture.
#[derive(Debug, Clone)]
pub(super) struct Cube {
    /// Points per unit of the box, and the place of its centre.
    scale: f64,
    centre: Point,
    ticks: [Ticks; 3],
    edges: Vec<Vec<Point>>,
    marks: Vec<Vec<Point>>,
    words: Vec<Word>,
}

impl Cube {
    /// The largest box that leaves room for its texts inside `axes`.
    pub(super) fn fit(content: &SpaceContent, axes: Rect) -> Self {
        let half =
            |direction: Vector| direction.iter().zip(content.sides).map(|(d, side)| 0.5 * (d * side).abs()).sum();
        let (half_width, half_height): (f64, f64) = (half(content.view.right), half(content.view.up));
        let fitted = |free: f64, size: f64| if size > 1e-9 { free / (2.0 * size) } else { f64::INFINITY };
        let mut scale = fitted(0.7 * axes.width, half_width).min(fitted(0.7 * axes.height, half_height));
        // texts hardly change with the size of the box: settles in three rounds
        for _ in 0..3 {
            let taken = Self::new(content, scale, (0.0, 0.0)).taken(half_width, half_height);
            let (beside, above) = (taken.width - 2.0 * half_width * scale, taken.height - 2.0 * half_height * scale);
            let room = |whole: f64, texts: f64| (whole - texts).max(0.3 * whole);
            scale = fitted(room(axes.width, beside), half_width).min(fitted(room(axes.height, above), half_height));
        }
        let taken = Self::new(content, scale, (0.0, 0.0)).taken(half_width, half_height);
        let centre =
            (0.5 * axes.width - taken.left - 0.5 * taken.width, 0.5 * axes.height - taken.top - 0.5 * taken.height);
        Self::new(content, scale, centre)
    }

    fn new(content: &SpaceContent, scale: f64, centre: Point) -> Self {
        let mut cube = Self { scale, centre, ticks: Default::default(), edges: vec![], marks: vec![], words: vec![] };
        for axis in 0..3 {
            cube.add_axis(content, axis);
        }
        cube
    }

    /// The place of a point of the box in the picture.
    pub(super) fn project(&self, content: &SpaceContent, place: Vector) -> Point {
        let (right, up) = (dot(place, content.view.right), dot(place, content.view.up));
        (self.centre.0 + self.scale * right, self.centre.1 - self.scale * up)
    }

    /// Ticks and name along one axis, at the edge that is lowest in the picture (leftmost for the vertical axis).
    fn add_axis(&mut self, content: &SpaceContent, axis: usize) {
        let (from, to) = outer_edge(content, axis);
        let (a, b) = (self.project(content, from), self.project(content, to));
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = (dx * dx + dy * dy).sqrt();
        let (Some(&range), Some(names)) = (content.ranges.get(axis), content.names.get(axis)) else { return };
        if length < SHORTEST {
            return;
        }
        let along = (dx / length, dy / length);
        let middle = (0.5 * (a.0 + b.0), 0.5 * (a.1 + b.1));
        let side = (middle.0 - self.centre.0) * -along.1 + (middle.1 - self.centre.1) * along.0;
        let out = if side < 0.0 { (along.1, -along.0) } else { (-along.1, along.0) };
        let measure = |label: &str| width(label, SMALL, Weight::Regular);
        let ticks = ticks_along(range, length, along);
        let depth = |label: &str| out.0.abs() * measure(label) + out.1.abs() * 0.8 * SMALL;
        let mut deepest = 0.0_f64;
        for tick in &ticks.major {
            let share = range.share(tick.value);
            let foot = (a.0 + share * dx, a.1 + share * dy);
            let beyond = |distance: f64| (foot.0 + distance * out.0, foot.1 + distance * out.1);
            self.marks.push(vec![foot, beyond(TICK)]);
            if !tick.label.is_empty() {
                let deep = depth(&tick.label);
                deepest = deepest.max(deep);
                let at = beyond(TICK + 2.0 + 0.5 * deep);
                self.words.push(Word { text: tick.label.clone(), size: SMALL, at, turn: 0.0 });
            }
        }
        let text = names.lines(ticks.factor, f64::INFINITY).join(" ");
        // names of neighbouring edges meet at their corner if they are longer than the edges
        let size = (TEXT * 1.05 * length / width(&text, TEXT, Weight::Regular).max(1.0)).clamp(SMALLEST, TEXT);
        let text = cut(&text, size, Weight::Regular, length + 20.0);
        let distance = TICK + 2.0 + deepest + 2.5 + 0.5 * size;
        let at = (middle.0 + distance * out.0, middle.1 + distance * out.1);
        // read from left to right, or upwards
        let (ex, ey) = if along.0 > 1e-6 { along } else { (-along.0, -along.1) };
        let turn = if ex < 1e-6 { -90.0 } else { atan2(ey, ex).to_degrees() };
        if !text.is_empty() {
            self.words.push(Word { text, size, at, turn });
        }
        self.edges.push(vec![a, b]);
        if let Some(place) = self.ticks.get_mut(axis) {
            *place = ticks;
        }
    }

    /// The rectangle that holds the box, its ticks and texts; half the sizes of the box in the picture are known.
    fn taken(&self, half_width: f64, half_height: f64) -> Rect {
        let (right, bottom) = (self.scale * half_width, self.scale * half_height);
        let ends = self.marks.iter().flatten().map(|&(x, y)| (x, y, x, y));
        let rooms = self.words.iter().map(Word::room).map(|r| (r.left, r.top, r.right(), r.bottom()));
        let (left, top, right, bottom) = ends.chain(rooms).fold((-right, -bottom, right, bottom), |all, one| {
            (all.0.min(one.0), all.1.min(one.1), all.2.max(one.2), all.3.max(one.3))
        });
        Rect { left, top, width: right - left, height: bottom - top }
    }

    /// Lines and texts that the legend must not cover.
    pub(super) fn obstacles(&self, content: &SpaceContent) -> (Vec<Vec<Point>>, Vec<Rect>) {
        let faces = far_faces(content).map(|(_, corners)| self.outline(content, corners));
        (self.edges.iter().cloned().chain(faces).collect(), self.words.iter().map(Word::room).collect())
    }

    fn outline(&self, content: &SpaceContent, corners: [Vector; 4]) -> Vec<Point> {
        let mut outline: Vec<Point> = corners.iter().map(|&corner| self.project(content, corner)).collect();
        outline.extend(outline.first().copied());
        outline
    }

    /// Draws what is behind the data.
    pub(super) fn draw(&self, svg: &mut Svg, content: &SpaceContent) {
        let (mut grid, mut outlines) = (String::new(), String::new());
        for (face, corners) in far_faces(content) {
            let outline = self.outline(content, corners);
            polyline(&mut outlines, &outline);
            for (axis, ticks) in self.ticks.iter().enumerate().filter(|(axis, _)| *axis != face) {
                let Some(range) = content.ranges.get(axis) else { continue };
                for tick in &ticks.major {
                    let share = range.share(tick.value);
                    polyline(&mut grid, &self.grid_line(content, (face, axis), corners, share));
                }
            }
        }
        svg.area(&outlines, "#fafafa", "");
        svg.path(&grid, GRID, 0.5, "");
        svg.path(&outlines, GREY, 0.4, r#" stroke-linejoin="round""#);
        let mut frame = String::new();
        self.edges.iter().chain(&self.marks).for_each(|line| polyline(&mut frame, line));
        svg.path(&frame, INK, FRAME, r#" stroke-linecap="round""#);
        for word in &self.words {
            let style = TextStyle::new(word.size).anchor(Anchor::Middle).turned(word.turn);
            let (down, angle) = (0.36 * word.size, word.turn.to_radians());
            svg.text(word.at.0 - down * sin(angle), word.at.1 + down * cos(angle), &word.text, style);
        }
    }

    /// The line across a face at a share of an axis.
    fn grid_line(
        &self,
        content: &SpaceContent,
        (face, axis): (usize, usize),
        corners: [Vector; 4],
        share: f64,
    ) -> Vec<Point> {
        let other = 3 - face - axis;
        let [mut from, ..] = corners;
        let (Some(&side), Some(&across)) = (content.sides.get(axis), content.sides.get(other)) else { return vec![] };
        if let Some(place) = from.get_mut(axis) {
            *place = (share - 0.5) * side;
        }
        let mut to = from;
        if let (Some(start), Some(end)) = (from.get_mut(other), to.get_mut(other)) {
            (*start, *end) = (-0.5 * across, 0.5 * across);
        }
        vec![self.project(content, from), self.project(content, to)]
    }
}

/// The ticks of an edge: at least two with a label, if there is room for them at all.
fn ticks_along(range: Range, length: f64, along: Point) -> Ticks {
    let mut ticks = Ticks::default();
    for comfort in [10.0, 6.0, 3.0] {
        let room = |label: &str| along.0.abs() * width(label, SMALL, Weight::Regular) + along.1.abs() * SMALL + comfort;
        ticks = Ticks::new(range, length, &room);
        if ticks.major.iter().filter(|tick| !tick.label.is_empty()).count() > 1 {
            break;
        }
    }
    ticks
}

/// The corner of the box with these signs.
fn corner(content: &SpaceContent, signs: Vector) -> Vector {
    let mut corner = signs;
    corner.iter_mut().zip(content.sides).for_each(|(sign, side)| *sign *= 0.5 * side);
    corner
}

/// The edge along an axis that carries its ticks.
fn outer_edge(content: &SpaceContent, axis: usize) -> (Vector, Vector) {
    let mut best: Option<(f64, Vector, Vector)> = None;
    for (one, other) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
        let ends = |along: f64| match axis {
            0 => corner(content, [along, one, other]),
            1 => corner(content, [one, along, other]),
            _ => corner(content, [one, other, along]),
        };
        let (from, to) = (ends(-1.0), ends(1.0));
        let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.5 * (from[2] + to[2])];
        let (right, up) = (dot(middle, content.view.right), dot(middle, content.view.up));
        // of two edges at the same height, the nearer one: its ticks are not behind the box
        let near = 1e-3 * dot(middle, content.view.toward);
        let merit = if axis == 2 { -right - 0.01 * up } else { -up } + near;
        if best.as_ref().is_none_or(|(most, ..)| merit > *most) {
            best = Some((merit, from, to));
        }
    }
    best.map_or(([0.0; 3], [0.0; 3]), |(_, from, to)| (from, to))
}

/// The faces that are seen from inside, with their corners in turn; those seen from their edge are left out.
fn far_faces(content: &SpaceContent) -> impl Iterator<Item = (usize, [Vector; 4])> {
    content.view.toward.iter().enumerate().filter(|(_, toward)| toward.abs() > 1e-9).map(|(axis, toward)| {
        let far = -toward.signum();
        let at = |one: f64, other: f64| match axis {
            0 => corner(content, [far, one, other]),
            1 => corner(content, [one, far, other]),
            _ => corner(content, [one, other, far]),
        };
        (axis, [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Table;
    use crate::figure::source::Source;
    use crate::figure::spec::Panel;

    #[test]
    fn box_and_texts_are_inside_the_panel_from_every_side() {
        let axes = Rect { left: 0.0, top: 0.0, width: 200.0, height: 170.0 };
        let table = Table::new("t", "")
            .numbers("x", "m", "displacement x", vec![-1.0, 2.0])
            .numbers("y", "m/s", "velocity v", vec![1e-7, 3e-7])
            .numbers("z", "N", "force F", vec![-20_000.0, 3.0]);
        for azimuth in [-360.0, -135.0, -60.0, -1.0, 0.0, 45.0, 90.0, 200.0] {
            for elevation in [-90.0, -30.0, 0.0, 5.0, 25.0, 60.0, 90.0] {
                let text = format!(
                    "space = {{ azimuth = {azimuth:?}, elevation = {elevation:?}, lines = {{ x = \"x\", y = \"y\", z = \"z\" }} }}"
                );
                let panel: Panel = toml::from_str(&text).unwrap();
                let source = Source(std::slice::from_ref(&table));
                let space = panel.space.clone().unwrap();
                let content = SpaceContent::new(&panel, &space, source, &mut Default::default()).unwrap();
                let cube = Cube::fit(&content, axes);
                let (lines, rooms) = cube.obstacles(&content);
                // texts are fitted in rounds: what is left is less than the rim around the picture
                let allowed = axes.grown(3.0);
                assert!(lines.iter().flatten().all(|&point| allowed.holds(point)), "{azimuth} {elevation}");
                let corners = rooms.iter().flat_map(|room| [(room.left, room.top), (room.right(), room.bottom())]);
                assert!(corners.into_iter().all(|point| allowed.holds(point)), "{azimuth} {elevation} {rooms:?}");
                // an axis that is seen from its end has no ticks; the other two have
                assert!((2..=3).contains(&cube.edges.len()), "{azimuth} {elevation}: {}", cube.edges.len());
            }
        }
    }
}
