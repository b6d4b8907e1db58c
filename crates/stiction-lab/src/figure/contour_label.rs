//! Draws lines of equal value, with their values where a line is long and straight enough.

use super::contour::Contour;
use super::font::{Weight, width};
use super::legend::Obstacles;
use super::simplify::Rect;
use super::svg::{Anchor, Svg, TextStyle, polyline};
use super::theme::{DARK, NOTE, hex, ink};
use super::ticks::{power_of_ten, short};
use stiction::num::real::{atan2, cos, sin};

type Point = (f64, f64);

/// Width of a line \[pt\].
const LINE: f64 = 0.6;
/// Most labels.
const MOST: usize = 40;
/// How much shorter than its arc the chord below a label may be.
const STRAIGHT: f64 = 0.94;

/// A label on a line.
struct Label {
    text: String,
    at: Point,
    /// Clockwise angle \[deg\].
    turn: f64,
    width: f64,
}

/// Draws lines with labels, which are to be multiplied by ten to the power `factor` like those of the colour bar.
pub(super) fn draw(svg: &mut Svg, contours: &[Contour], axes: Rect, factor: i32, busy: &Obstacles) {
    let mut order: Vec<usize> = (0..contours.len()).collect();
    let long = |index: &usize| contours.get(*index).map_or(0.0, |line| length(&line.points));
    order.sort_by(|a, b| long(b).total_cmp(&long(a)));
    let mut labels: Vec<Label> = Vec::new();
    let mut data = String::new();
    for line in order.into_iter().filter_map(|index| contours.get(index)) {
        let text = short(line.level / power_of_ten(factor), 4);
        match place(&line.points, &text, axes, &labels, busy).filter(|_| labels.len() < MOST) {
            Some((from, to, label)) => {
                polyline(&mut data, &part(&line.points, 0.0, from));
                polyline(&mut data, &part(&line.points, to, f64::INFINITY));
                labels.push(label);
            }
            None => polyline(&mut data, &line.points),
        }
    }
    // a light rim, to be seen on dark cells
    svg.path(&data, "#ffffff", LINE + 0.9, r#" stroke-opacity=".45" stroke-linejoin="round""#);
    svg.path(&data, &hex(ink(DARK)), LINE, r#" stroke-linejoin="round""#);
    for label in &labels {
        let style = TextStyle::new(NOTE).anchor(Anchor::Middle).turned(label.turn).haloed();
        // the baseline is below the middle of the letters, in the turned direction
        let down = 0.36 * NOTE;
        let angle = label.turn.to_radians();
        svg.text(label.at.0 - down * sin(angle), label.at.1 + down * cos(angle), &label.text, style);
    }
}

/// The straightest place of a line for a label that meets nothing else: where its gap begins and ends along the line.
fn place(points: &[Point], text: &str, axes: Rect, others: &[Label], busy: &Obstacles) -> Option<(f64, f64, Label)> {
    const CANDIDATES: u32 = 24;
    let wide = width(text, NOTE, Weight::Regular) + 4.0;
    let total = length(points);
    if total < 3.0 * wide {
        return None;
    }
    let mut best: Option<(f64, f64, Label, f64)> = None;
    for candidate in 0..CANDIDATES {
        let middle = wide + (total - 2.0 * wide) * (f64::from(candidate) + 0.5) / f64::from(CANDIDATES);
        let (from, to) = (middle - 0.5 * wide, middle + 0.5 * wide);
        let (Some(a), Some(b), Some(c)) = (at(points, from), at(points, middle), at(points, to)) else { continue };
        let chord = ((c.0 - a.0).powi(2) + (c.1 - a.1).powi(2)).sqrt();
        let centre = ((a.0 + 2.0 * b.0 + c.0) / 4.0, (a.1 + 2.0 * b.1 + c.1) / 4.0);
        let near = |other: &Label| {
            let distance = ((other.at.0 - centre.0).powi(2) + (other.at.1 - centre.1).powi(2)).sqrt();
            distance < 0.5 * (wide + other.width) + 6.0
        };
        let inside = axes.grown(-0.5 * wide - 1.0).holds(centre);
        let (across, down) = ((c.0 - a.0).abs().max(NOTE), (c.1 - a.1).abs().max(NOTE));
        let room = Rect { left: centre.0 - 0.5 * across, top: centre.1 - 0.5 * down, width: across, height: down };
        if chord < STRAIGHT * wide || !inside || others.iter().any(near) || busy.cover(&room) {
            continue;
        }
        // reading from left to right
        let (dx, dy) = if c.0 < a.0 { (a.0 - c.0, a.1 - c.1) } else { (c.0 - a.0, c.1 - a.1) };
        let turn = atan2(dy, dx).to_degrees();
        let aside = (middle / total - 0.5).abs();
        let score = chord / wide - 0.001 * turn.abs() - 0.02 * aside;
        if best.as_ref().is_none_or(|best| score > best.3) {
            best = Some((from, to, Label { text: text.to_owned(), at: centre, turn, width: wide }, score));
        }
    }
    best.map(|(from, to, label, _)| (from, to, label))
}

fn length(points: &[Point]) -> f64 {
    points.windows(2).map(step).sum()
}

fn step(pair: &[Point]) -> f64 {
    if let [a, b] = pair { ((b.0 - a.0).powi(2) + (b.1 - a.1).powi(2)).sqrt() } else { 0.0 }
}

/// The place at a distance along a line.
fn at(points: &[Point], distance: f64) -> Option<Point> {
    part(points, distance, distance).first().copied()
}

/// The part of a line between two distances along it.
fn part(points: &[Point], from: f64, to: f64) -> Vec<Point> {
    let mut kept = Vec::new();
    let mut passed = 0.0;
    for pair in points.windows(2) {
        let &[a, b] = pair else { continue };
        let long = step(pair);
        let on = |distance: f64| {
            let share = if long > 0.0 { ((distance - passed) / long).clamp(0.0, 1.0) } else { 0.0 };
            (a.0 + share * (b.0 - a.0), a.1 + share * (b.1 - a.1))
        };
        if passed + long >= from && passed <= to {
            if kept.is_empty() {
                kept.push(on(from));
            }
            kept.push(on(to.min(passed + long)));
        }
        passed += long;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_line_are_cut_where_they_should() {
        let corner = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)];
        assert_eq!(length(&corner), 7.0);
        assert_eq!(at(&corner, 5.0), Some((3.0, 2.0)));
        assert_eq!(part(&corner, 1.0, 5.0), [(1.0, 0.0), (3.0, 0.0), (3.0, 2.0)]);
        assert_eq!(part(&corner, 6.0, f64::INFINITY), [(3.0, 3.0), (3.0, 4.0)]);
    }

    #[test]
    fn a_label_reads_from_left_to_right_and_keeps_its_distance() {
        let axes = Rect { left: 0.0, top: 0.0, width: 200.0, height: 100.0 };
        let line = [(190.0, 50.0), (10.0, 50.0)];
        let (from, to, first) = place(&line, "0.5", axes, &[], &Obstacles::default()).unwrap();
        assert!(to > from && first.turn == 0.0 && first.at.1 == 50.0);
        let (before, wide) = (first.at.0, first.width);
        let (_, _, second) = place(&line, "0.5", axes, &[first], &Obstacles::default()).unwrap();
        assert!((second.at.0 - before).abs() > wide);
        assert!(place(&[(0.0, 0.0), (12.0, 0.0)], "0.5", axes, &[], &Obstacles::default()).is_none());
    }
}
