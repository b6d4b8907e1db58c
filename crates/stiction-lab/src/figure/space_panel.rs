//! A panel with a view of space: what is farther away is thinner, paler and drawn first.

use super::cube::Cube;
use super::font::{Weight, wrap};
use super::legend::{Legend, Obstacles};
use super::panel::Margins;
use super::simplify::{Rect, coarse_enough, simplify};
use super::space::{SpaceContent, Vector, dot};
use super::strokes::{MOST_DOTS, MOST_POINTS, Polyline, RASTERS, TOLERANCES, push_pieces, push_runs, runs};
use super::svg::{Anchor, Svg, TextStyle, number};
use super::theme::{GREY, LEADING, TEXT, hex, ink, paler};

/// Steps from the farthest to the nearest.
const DEPTHS: usize = 6;
/// Height of a panel divided by its width.
const ASPECT: f64 = 0.85;

type Point = (f64, f64);

/// Lines of one colour, width and depth.
#[derive(Debug, Clone)]
struct Strand {
    depth: usize,
    color: usize,
    width: f64,
    pieces: Vec<Vec<Point>>,
}

/// Points of one colour, diameter and depth.
#[derive(Debug, Clone)]
struct Swarm {
    depth: usize,
    color: usize,
    diameter: f64,
    runs: Vec<Polyline>,
}

/// A panel of known size.
pub(super) struct SpacePlan<'a> {
    content: &'a SpaceContent,
    pub(super) axes: Rect,
    pub(super) margins: Margins,
    cube: Cube,
    heading: Vec<String>,
    legend: Legend,
    strands: Vec<Strand>,
    swarms: Vec<Swarm>,
}

impl<'a> SpacePlan<'a> {
    /// Plans a panel that is `wide` \[pt\].
    pub(super) fn new(content: &'a SpaceContent, wide: f64) -> Self {
        let axes = Rect { left: 0.0, top: 0.0, width: wide, height: wide * content.panel.aspect.unwrap_or(ASPECT) };
        let cube = Cube::fit(content, axes);
        let (strands, swarms) = (strands(content, &cube), swarms(content, &cube));
        let (mut lines, areas) = cube.obstacles(content);
        lines.extend(strands.iter().flat_map(|strand| strand.pieces.iter().cloned()));
        let dots = swarms.iter().flat_map(|swarm| &swarm.runs).map(|run| run.start).collect();
        let legend = Legend::place(&content.legend, axes, &Obstacles { lines, dots, areas }, true);
        let heading = wrap(&content.panel.heading, TEXT, Weight::Bold, axes.width + 10.0);
        let top = heading.len() as f64 * TEXT * LEADING + legend.height_above() + 3.0;
        let margins = Margins { left: 2.0, right: 2.0, top, bottom: 2.0 };
        Self { content, axes, margins, cube, heading, legend, strands, swarms }
    }

    /// Draws the panel with its upper left corner at that place of the picture.
    pub(super) fn draw(&self, svg: &mut Svg, at: Point) {
        svg.raw(&format!(r#"<g transform="translate({} {})">"#, number(at.0), number(at.1)));
        self.cube.draw(svg, self.content);
        for depth in 0..DEPTHS {
            let near = (depth as f64 + 0.5) / DEPTHS as f64;
            let shade = |color: usize| hex(paler(ink(color), 0.6 * (1.0 - near)));
            for strand in self.strands.iter().filter(|strand| strand.depth == depth) {
                let mut data = String::new();
                push_pieces(&mut data, &strand.pieces);
                let round = r#" stroke-linejoin="round" stroke-linecap="round""#;
                svg.path(&data, &shade(strand.color), strand.width * (0.55 + 0.75 * near), round);
            }
            for swarm in self.swarms.iter().filter(|swarm| swarm.depth == depth) {
                let mut data = String::new();
                push_runs(&mut data, &swarm.runs);
                let diameter = swarm.diameter * (0.7 + 0.5 * near);
                svg.path(&data, &shade(swarm.color), diameter, r#" stroke-linecap="round""#);
            }
        }
        let mut above = 3.0 - self.margins.top;
        for line in &self.heading {
            svg.text(0.0, above + 0.75 * TEXT, line, TextStyle::new(TEXT).bold());
            above += TEXT * LEADING;
        }
        self.legend.draw(svg, -self.legend.height_above());
        if self.content.is_empty() {
            let style = TextStyle::new(TEXT).anchor(Anchor::Middle).fill(GREY);
            svg.text(0.5 * self.axes.width, 0.5 * self.axes.height, "no data", style);
        }
        svg.raw("</g>");
    }
}

/// How near a place of the box is: 0 at its farthest corner, 1 at its nearest one.
fn nearness(content: &SpaceContent, place: Vector) -> f64 {
    let most: f64 = content.view.toward.iter().zip(content.sides).map(|(part, side)| (part * side).abs()).sum();
    dot(place, content.view.toward) / most.max(1e-9) + 0.5
}

fn depth_of(near: f64) -> usize {
    ((near * DEPTHS as f64) as usize).min(DEPTHS - 1)
}

/// The lines in the picture, cut into pieces of one depth; coarser only if a file would be too large.
fn strands(content: &SpaceContent, cube: &Cube) -> Vec<Strand> {
    let mut strands: Vec<Strand> = Vec::new();
    for line in &content.lines {
        let places: Vec<Vector> = line.points.iter().map(|&point| content.place(point)).collect();
        let mut add = |depth: usize, piece: Vec<Point>| {
            let look = (depth, line.color, line.width);
            match strands.iter_mut().find(|other| (other.depth, other.color, other.width) == look) {
                Some(strand) => strand.pieces.push(piece),
                None => strands.push(Strand { depth, color: line.color, width: line.width, pieces: vec![piece] }),
            }
        };
        let mut open: Option<(usize, Vec<Point>)> = None;
        let mut reached: Option<Vector> = None;
        for pair in places.windows(2) {
            let &[a, b] = pair else { continue };
            let Some((from, to)) = inside(content, a, b) else {
                reached = None;
                continue;
            };
            let (near, nearer) = (nearness(content, from), nearness(content, to));
            let steps = ((nearer - near).abs() * DEPTHS as f64).ceil().clamp(1.0, DEPTHS as f64 + 1.0) as u32;
            for step in 0..steps {
                let on = |step: u32| between(from, to, f64::from(step) / f64::from(steps));
                let (start, end) = (on(step), on(step + 1));
                let depth = depth_of(nearness(content, between(start, end, 0.5)));
                match &mut open {
                    Some((d, piece)) if *d == depth && (step > 0 || reached == Some(from)) => {
                        piece.push(cube.project(content, end));
                    }
                    _ => {
                        let piece = vec![cube.project(content, start), cube.project(content, end)];
                        if let Some((depth, done)) = open.replace((depth, piece)) {
                            add(depth, done);
                        }
                    }
                }
            }
            reached = Some(to);
        }
        if let Some((depth, done)) = open {
            add(depth, done);
        } else if let [only] = places.as_slice()
            && holds(content, *only)
        {
            add(depth_of(nearness(content, *only)), vec![cube.project(content, *only)]);
        }
    }
    let seen = |tolerance: f64| -> Vec<Strand> {
        let thin = |piece: &Vec<Point>| if piece.len() < 3 { piece.clone() } else { simplify(piece, tolerance) };
        strands.iter().map(|s| Strand { pieces: s.pieces.iter().map(thin).collect(), ..s.clone() }).collect()
    };
    coarse_enough(TOLERANCES, MOST_POINTS, seen, |seen| seen.iter().flat_map(|s| &s.pieces).map(Vec::len).sum())
}

/// The points in the picture, by depth.
fn swarms(content: &SpaceContent, cube: &Cube) -> Vec<Swarm> {
    let seen = |raster: f64| -> Vec<Swarm> {
        let mut swarms = Vec::new();
        for dots in &content.dots {
            let mut layers = vec![Vec::new(); DEPTHS];
            for place in dots.points.iter().map(|&point| content.place(point)).filter(|&p| holds(content, p)) {
                if let Some(layer) = layers.get_mut(depth_of(nearness(content, place))) {
                    layer.push(cube.project(content, place));
                }
            }
            let (color, diameter) = (dots.color, dots.diameter());
            let swarm = |(depth, places): (usize, &Vec<Point>)| Swarm {
                depth,
                color,
                diameter,
                runs: runs(places, raster, true),
            };
            swarms.extend(layers.iter().enumerate().filter(|(_, places)| !places.is_empty()).map(swarm));
        }
        swarms
    };
    coarse_enough(RASTERS, MOST_DOTS, seen, |seen| seen.iter().map(|swarm| swarm.runs.len()).sum())
}

fn between(a: Vector, b: Vector, share: f64) -> Vector {
    let mut place = a;
    place.iter_mut().zip(b).for_each(|(place, b)| *place += share * (b - *place));
    place
}

fn holds(content: &SpaceContent, place: Vector) -> bool {
    place.iter().zip(content.sides).all(|(part, side)| part.abs() <= 0.5 * side * (1.0 + 1e-9))
}

/// The part of a segment inside the box (Liang and Barsky), or `None`.
fn inside(content: &SpaceContent, a: Vector, b: Vector) -> Option<(Vector, Vector)> {
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for ((a, b), side) in a.iter().zip(b).zip(content.sides) {
        let (step, half) = (b - a, 0.5 * side * (1.0 + 1e-9));
        for (towards, room) in [(-step, a + half), (step, half - a)] {
            if !(towards.is_finite() && room.is_finite()) || (towards == 0.0 && room < 0.0) {
                return None;
            } else if towards < 0.0 {
                from = from.max(room / towards);
            } else if towards > 0.0 {
                to = to.min(room / towards);
            }
        }
    }
    let end = |share: f64| {
        if share <= 0.0 {
            a
        } else if share >= 1.0 {
            b
        } else {
            between(a, b, share)
        }
    };
    (from <= to).then(|| (end(from), end(to)))
}
