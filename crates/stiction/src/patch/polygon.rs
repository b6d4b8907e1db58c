//! Polygons with holes: their edges, and whether they are simple.

use super::outline::{Outline, Piece, Point, cross, minus};
use super::shape::Polygon;
use crate::Problem;
use crate::num::dense::solve;
use nalgebra::DMatrix;

/// Most corners of a polygon, so that the check of pairs of edges stays short.
const MOST_CORNERS: usize = 20_000;

impl Polygon {
    /// All loops: the rim first, then the holes, with their keys.
    fn loops(&self) -> Vec<(String, &[Point])> {
        let holes = self.holes.iter().enumerate().map(|(i, hole)| (format!("holes[{i}]"), hole.as_slice()));
        std::iter::once(("corners".to_owned(), self.corners.as_slice())).chain(holes).collect()
    }

    /// Edges with the area to their left: the rim counter-clockwise, holes clockwise, however they were given.
    pub(crate) fn edges(&self) -> Vec<[Point; 2]> {
        let mut edges = Vec::new();
        for (i, (_, corners)) in self.loops().into_iter().enumerate() {
            let count = corners.len();
            let forward = (signed_area(corners) > 0.0) == (i == 0);
            edges.extend((0..count).map(|k| {
                let (here, next) = (corners[k], corners[(k + 1) % count]);
                if forward { [here, next] } else { [next, here] }
            }));
        }
        edges
    }

    /// What is wrong with the polygon; empty if nothing.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let loops = self.loops();
        let total: usize = loops.iter().map(|(_, corners)| corners.len()).sum();
        if total > MOST_CORNERS {
            return vec![Problem::new(
                "corners",
                format!(
                    "are {total} with the holes, but at most {MOST_CORNERS} are allowed; leave out every other corner"
                ),
            )];
        }
        let found: Vec<Problem> = loops.iter().filter_map(|(key, corners)| loop_problem(key, corners)).collect();
        if !found.is_empty() {
            return found;
        }
        if let Some(problem) = self.crossing() {
            return vec![problem];
        }
        let found: Vec<Problem> = self.loops().iter().filter_map(|(key, corners)| area_problem(key, corners)).collect();
        if found.is_empty() { self.misplaced_holes() } else { found }
    }

    /// Two edges that touch or cross.
    fn crossing(&self) -> Option<Problem> {
        let loops = self.loops();
        let mut edges: Vec<(usize, usize, Point, Point)> = Vec::new();
        for (l, (_, corners)) in loops.iter().enumerate() {
            let count = corners.len();
            edges.extend((0..count).map(|k| (l, k, corners[k], corners[(k + 1) % count])));
        }
        // pairs whose boxes touch, in the order of their smallest x
        let ends = |edge: usize, axis: usize| {
            let (_, _, p, q) = edges[edge];
            [p[axis].min(q[axis]), p[axis].max(q[axis])]
        };
        let mut order: Vec<usize> = (0..edges.len()).collect();
        order.sort_by(|a, b| ends(*a, 0)[0].total_cmp(&ends(*b, 0)[0]));
        let mut found: Option<(usize, usize, Point)> = None;
        for (place, &one) in order.iter().enumerate() {
            let ([_, right], [bottom, top]) = (ends(one, 0), ends(one, 1));
            for &other in order[place + 1..].iter().take_while(|other| ends(**other, 0)[0] <= right) {
                let [low, high] = ends(other, 1);
                let (i, k) = (one.min(other), one.max(other));
                if low > top || high < bottom || found.is_some_and(|(a, b, _)| (a, b) < (i, k)) {
                    continue;
                }
                let (first, second) = (&edges[i], &edges[k]);
                let count = loops[first.0].1.len();
                let same = first.0 == second.0;
                let adjacent = same && (second.1 == first.1 + 1 || (first.1 + count - 1) % count == second.1);
                let met = if adjacent {
                    // neighbours share a corner; they may not fold back onto each other
                    folded(first, second).then_some(if second.2 == first.3 { first.3 } else { first.2 })
                } else {
                    meeting([first.2, first.3], [second.2, second.3])
                };
                found = met.map(|at| (i, k, at)).or(found);
            }
        }
        found.map(|(i, k, [x, y])| {
            let (first, second) = (&edges[i], &edges[k]);
            let message = format!(
                "edge {} of `{}` meets edge {} of `{}` at ({x}, {y}), but edges must not touch or cross; give the corners in \
                 order along the rim",
                first.1, loops[first.0].0, second.1, loops[second.0].0
            );
            Problem::new(loops[second.0].0.clone(), message)
        })
    }

    /// Holes outside the rim or inside one another.
    fn misplaced_holes(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        for (i, hole) in self.holes.iter().enumerate() {
            let Some(&[x, y]) = hole.first() else { continue };
            if !inside(&self.corners, [x, y]) {
                let message = format!("lies outside the rim: its corner ({x}, {y}) is not inside `corners`");
                found.push(Problem::new(format!("holes[{i}]"), message));
            }
            for (k, other) in self.holes.iter().enumerate() {
                if k != i && inside(other, [x, y]) {
                    let message =
                        format!("lies inside `holes[{k}]`: its corner ({x}, {y}) does; leave one of them out");
                    found.push(Problem::new(format!("holes[{i}]"), message));
                }
            }
        }
        found
    }
}

fn loop_problem(key: &str, corners: &[Point]) -> Option<Problem> {
    if corners.len() < 3 {
        return Some(Problem::new(key, format!("has {} corners, but needs at least 3", corners.len())));
    }
    if let Some(i) = corners.iter().position(|corner| !corner.iter().all(|x| x.is_finite())) {
        let [x, y] = corners[i];
        return Some(Problem::new(format!("{key}[{i}]"), format!("is ({x}, {y}), but must be two finite numbers")));
    }
    let count = corners.len();
    if let Some(i) = (0..count).find(|&i| corners[i] == corners[(i + 1) % count]) {
        let [x, y] = corners[i];
        let message =
            format!("is repeated by the next corner, ({x}, {y}); the last corner is joined to the first by itself");
        return Some(Problem::new(format!("{key}[{i}]"), message));
    }
    None
}

/// A loop without area.
fn area_problem(key: &str, corners: &[Point]) -> Option<Problem> {
    let area = signed_area(corners);
    let size = corners.iter().map(|c| minus(*c, corners[0])).fold(0.0_f64, |s, c| s.max(c[0].abs()).max(c[1].abs()));
    if !(area.is_finite() && area.abs() > 1e-14 * size * size) {
        return Some(Problem::new(key, format!("enclose an area of {area} m^2, but it must be > 0")));
    }
    None
}

fn signed_area(corners: &[Point]) -> f64 {
    let Some(&anchor) = corners.first() else { return 0.0 };
    let count = corners.len();
    (0..count).map(|i| 0.5 * cross(minus(corners[i], anchor), minus(corners[(i + 1) % count], anchor))).sum()
}

/// Whether a loop encloses a point.
fn inside(corners: &[Point], point: Point) -> bool {
    let count = corners.len();
    let mut odd = false;
    for i in 0..count {
        let (p, q) = (corners[i], corners[(i + 1) % count]);
        if (p[1] > point[1]) != (q[1] > point[1]) {
            let x = p[0] + (point[1] - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
            odd ^= x > point[0];
        }
    }
    odd
}

/// Whether two neighbouring edges run back over each other.
fn folded(first: &(usize, usize, Point, Point), second: &(usize, usize, Point, Point)) -> bool {
    let (a, b) = (minus(first.3, first.2), minus(second.3, second.2));
    cross(a, b) == 0.0 && a[0] * b[0] + a[1] * b[1] < 0.0
}

/// Where two edges meet, ends included.
fn meeting(first: [Point; 2], second: [Point; 2]) -> Option<Point> {
    let (r, s) = (minus(first[1], first[0]), minus(second[1], second[0]));
    let offset = minus(second[0], first[0]);
    if cross(r, s) == 0.0 {
        // parallel: they meet only on a common line
        if cross(offset, r) != 0.0 {
            return None;
        }
        let size = r[0] * r[0] + r[1] * r[1];
        let along = |p: Point| (minus(p, first[0])[0] * r[0] + minus(p, first[0])[1] * r[1]) / size;
        let (low, high) = (along(second[0]).min(along(second[1])), along(second[0]).max(along(second[1])));
        let start = low.max(0.0);
        return (start <= high.min(1.0)).then(|| [first[0][0] + start * r[0], first[0][1] + start * r[1]]);
    }
    let places = solve(DMatrix::from_row_slice(2, 2, &[r[0], -s[0], r[1], -s[1]]), offset)?;
    let within = places.iter().all(|place| (0.0..=1.0).contains(place));
    within.then(|| [first[0][0] + places[0] * r[0], first[0][1] + places[0] * r[1]])
}

impl Outline {
    /// The straight edges of the outline.
    pub(crate) fn straight_edges(&self) -> impl Iterator<Item = [Point; 2]> + '_ {
        self.pieces.iter().filter_map(|piece| match *piece {
            Piece::Edge { from, to } => Some([from, to]),
            Piece::Circle { .. } => None,
        })
    }
}
