//! Arrows of one common scale, as of a flow on a surface or in a phase plane.

use super::builder::Builder;
use super::content::Content;
use super::error::Mistake;
use super::layers::Arrows;
use super::pen::Place;
use super::scale::Range;
use super::simplify::Rect;
use super::svg::{Svg, pair};
use super::symbol::Symbol;
use super::theme::{DARK, hex, ink};
use super::ticks::short;
use std::f64::consts::LN_10;
use stiction::num::real::{hypot, log10};

type Point = (f64, f64);

/// Most arrows of a layer.
const MOST: usize = 5000;
/// Width of a shaft \[pt\].
const SHAFT: f64 = 0.7;
/// Length of a head \[pt\]; that of a short arrow is a part of the arrow.
const HEAD: f64 = 3.4;
/// Smallest and largest length of the longest arrow \[pt\].
const LONGEST: (f64, f64) = (6.0, 34.0);

/// An arrow in the units of the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrow {
    pub(super) at: (f64, f64),
    along: (f64, f64),
    color: usize,
}

/// An arrow in the axes \[pt\].
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedArrow {
    pub(super) from: (f64, f64),
    pub(super) to: (f64, f64),
    color: usize,
}

impl Builder<'_, '_> {
    pub(super) fn arrows(&mut self, arrows: &Arrows) -> Result<(), Mistake> {
        let rows = self.source.table(arrows.table.as_deref())?;
        let chosen = rows.chosen(&arrows.only)?;
        rows.check_number("arrows", chosen.len(), MOST, "write a coarser table")?;
        let (x, y) = (rows.numbers(&arrows.x)?, rows.numbers(&arrows.y)?);
        let (dx, dy) = (rows.numbers(&arrows.dx)?, rows.numbers(&arrows.dy)?);
        self.x_names.add(rows.column(&arrows.x)?);
        self.y_names.add(rows.column(&arrows.y)?);
        let name = match &arrows.label {
            Some(label) => label.clone(),
            None => format!("{}, {}", rows.column(&arrows.dx)?.label, rows.column(&arrows.dy)?.label),
        };
        let color = if self.panel.map.is_some() { DARK } else { self.own_color(false, &name) };
        let (first, mut longest) = (self.parts.arrows.len(), 0.0_f64);
        for row in chosen {
            let (Some(&x), Some(&y), Some(&dx), Some(&dy)) = (x.get(row), y.get(row), dx.get(row), dy.get(row)) else {
                continue;
            };
            if (x, y).is_finite() && (dx, dy).is_finite() {
                self.parts.arrows.push(Arrow { at: (x, y), along: (dx, dy), color });
                longest = longest.max(norm((dx, dy)));
            }
        }
        if self.parts.arrows.len() == first {
            return Ok(());
        }
        let (one, other) = (&rows.column(&arrows.dx)?.unit, &rows.column(&arrows.dy)?.unit);
        // all arrows of a panel have one scale, so the longest of one layer says it for all
        let text = if arrows.label.is_some() && one == other && first == 0 {
            let unit = if one == "-" { "" } else { one };
            format!("{name}, longest {}\u{a0}{unit}", short(longest, 3)).trim_end().to_owned()
        } else {
            name
        };
        self.explain(Symbol::arrow(color), &text, arrows.label.is_some());
        Ok(())
    }
}

fn norm((x, y): (f64, f64)) -> f64 {
    hypot(x, y)
}

/// How the place on an axis changes with the value there, in shares of the axis.
fn slope(range: Range, value: f64) -> f64 {
    if range.log { 1.0 / (value * LN_10 * (log10(range.high) - log10(range.low))) } else { 1.0 / range.length() }
}

/// The visible arrows. Their directions are those of the axes: an arrow of a flow is along the motion that it drives.
pub(super) fn placed(content: &Content, axes: Rect) -> Vec<PlacedArrow> {
    let steps: Vec<(Point, Point, usize)> = content
        .parts
        .arrows
        .iter()
        .map(|arrow| {
            let (x, y) = arrow.at;
            let place = content.place(arrow.at, axes);
            let right = arrow.along.0 * slope(content.x, x) * axes.width;
            let down = -arrow.along.1 * slope(content.y, y) * axes.height;
            (place, (right, down), arrow.color)
        })
        .filter(|(place, step, _)| axes.grown(1.0).holds(*place) && step.is_finite())
        .collect();
    let spacing = (axes.width * axes.height / steps.len().max(1) as f64).sqrt();
    let mut lengths: Vec<f64> = steps.iter().map(|(_, step, _)| norm(*step)).collect();
    lengths.sort_by(f64::total_cmp);
    let longest = lengths.last().copied().unwrap_or(0.0);
    let middle = lengths.get(lengths.len() / 2).copied().unwrap_or(0.0);
    // the longest arrow is about as long as their distance, longer where most arrows would be too short to be seen
    let drawn = if middle > 0.0 { 0.35 * spacing * (longest / middle) } else { 0.0 };
    let drawn = drawn.clamp(0.95 * spacing, 1.7 * spacing).clamp(LONGEST.0, LONGEST.1);
    let arrow = |&((x, y), step, color): &(Point, Point, usize)| {
        let half = |part: f64| if longest > 0.0 { 0.5 * drawn * (part / longest) } else { 0.0 };
        let half = (half(step.0), half(step.1));
        PlacedArrow { from: (x - half.0, y - half.1), to: (x + half.0, y + half.1), color }
    };
    steps.iter().map(arrow).collect()
}

/// Draws arrows; over a map with a light rim, to be seen on dark cells.
pub(super) fn draw(svg: &mut Svg, arrows: &[PlacedArrow], over_map: bool) {
    let (mut rim, mut all) = (String::new(), Vec::new());
    for same in arrows.chunk_by(|a, b| a.color == b.color) {
        let Some(first) = same.first() else { continue };
        let (mut shafts, mut heads) = (String::new(), String::new());
        for arrow in same {
            push_arrow(&mut shafts, &mut heads, arrow.from, arrow.to);
        }
        rim.push_str(&shafts);
        rim.push_str(&heads);
        all.push((hex(ink(first.color)), shafts, heads));
    }
    if over_map {
        svg.path(&rim, "#ffffff", SHAFT + 1.0, r#" stroke-opacity=".6" stroke-linejoin="round""#);
    }
    for (color, shafts, heads) in all {
        svg.path(&shafts, &color, SHAFT, "");
        svg.area(&heads, &color, "");
    }
}

/// Draws one arrow, for the legend.
pub(super) fn draw_arrow(svg: &mut Svg, from: (f64, f64), to: (f64, f64), color: &str) {
    let (mut shaft, mut head) = (String::new(), String::new());
    push_arrow(&mut shaft, &mut head, from, to);
    svg.path(&shaft, color, SHAFT, "");
    svg.area(&head, color, "");
}

fn push_arrow(shafts: &mut String, heads: &mut String, from: (f64, f64), to: (f64, f64)) {
    let along = (to.0 - from.0, to.1 - from.1);
    let length = norm(along);
    if length < 0.3 {
        // too short for a direction: a spot says that there is one with hardly any flow
        heads.push_str(&format!("M{}h.8v.8h-.8z", pair((from.0 - 0.4, from.1 - 0.4))));
        return;
    }
    let (right, down) = (along.0 / length, along.1 / length);
    let head = HEAD.min(0.6 * length);
    let neck = (to.0 - head * right, to.1 - head * down);
    let half = 0.38 * head;
    // the shaft ends inside the head
    shafts.push_str(&format!("M{}L{}", pair(from), pair((to.0 - 0.7 * head * right, to.1 - 0.7 * head * down))));
    heads.push_str(&format!(
        "M{}L{}L{}z",
        pair(to),
        pair((neck.0 - half * down, neck.1 + half * right)),
        pair((neck.0 + half * down, neck.1 - half * right))
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_an_axis_is_that_of_its_places() {
        for range in [Range { low: 2.0, high: 5.0, log: false }, Range { low: 0.1, high: 30.0, log: true }] {
            let step = 1e-5;
            let measured = (range.share(3.0 + step) - range.share(3.0 - step)) / (2.0 * step);
            // the error of the central difference is of the order of its step squared
            assert!((slope(range, 3.0) - measured).abs() < 1e-9, "{range:?}");
        }
    }
}
