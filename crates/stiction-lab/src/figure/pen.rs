//! Joins rows into lines, or collects them as points.

use super::layers::Shape;
use super::theme::{Dash, LINE};
use std::collections::{BTreeMap, BTreeSet};

/// A place in the units of the data: on a plane, or in space.
pub(super) trait Place: Copy {
    fn is_finite(self) -> bool;
}

impl Place for (f64, f64) {
    fn is_finite(self) -> bool {
        self.0.is_finite() && self.1.is_finite()
    }
}

impl Place for [f64; 3] {
    fn is_finite(self) -> bool {
        self.iter().all(|part| part.is_finite())
    }
}

/// A line in the units of the data; a place that is `NaN` never occurs inside.
#[derive(Debug, Clone)]
pub(super) struct Line<P = (f64, f64)> {
    pub(super) points: Vec<P>,
    pub(super) color: usize,
    pub(super) dash: Dash,
    pub(super) width: f64,
}

/// Points in the units of the data.
#[derive(Debug, Clone)]
pub(super) struct Dots<P = (f64, f64)> {
    pub(super) points: Vec<P>,
    pub(super) color: usize,
    pub(super) size: Option<f64>,
    pub(super) shape: Shape,
}

impl<P> Dots<P> {
    /// Diameter of a point \[pt\]: the more there are, the smaller.
    pub(super) fn diameter(&self) -> f64 {
        let automatic = match self.points.len() {
            0..=60 => 3.0,
            61..=600 => 1.8,
            601..=5000 => 1.0,
            _ => 0.6,
        };
        self.size.unwrap_or(automatic)
    }
}

/// Goes from row to row of a layer.
pub(super) struct Pen<P> {
    /// Whether rows are joined into lines.
    pub(super) joined: bool,
    /// A change of look inside the same part goes on from the last point.
    bridges: bool,
    size: Option<f64>,
    /// Shape of the points.
    pub(super) shape: Shape,
    last: Option<(P, String, usize, Dash)>,
    lines: Vec<Line<P>>,
    dots: BTreeMap<usize, Vec<P>>,
    /// Colours and their names, in the order in which they come.
    pub(super) looks: Vec<(usize, String)>,
    seen: BTreeSet<usize>,
}

impl<P: Place> Pen<P> {
    pub(super) fn new(joined: bool, bridges: bool, size: Option<f64>) -> Self {
        let (lines, dots) = (Vec::new(), BTreeMap::new());
        let (looks, seen) = (Vec::new(), BTreeSet::new());
        Self { joined, bridges, size, shape: Shape::Circle, last: None, lines, dots, looks, seen }
    }

    pub(super) fn to(&mut self, point: P, part: String, (color, name): (usize, String), dash: Dash) {
        if !point.is_finite() {
            self.last = None;
            return;
        }
        if self.seen.insert(color) {
            self.looks.push((color, name));
        }
        if !self.joined {
            self.dots.entry(color).or_default().push(point);
            return;
        }
        let goes_on = match &self.last {
            Some((_, before, c, d)) if *before == part && (*c, *d) == (color, dash) => true,
            Some((from, before, ..)) if *before == part && self.bridges => {
                self.start(vec![*from], color, dash);
                true
            }
            _ => false,
        };
        if !goes_on {
            self.start(Vec::new(), color, dash);
        }
        if let Some(line) = self.lines.last_mut() {
            line.points.push(point);
        }
        self.last = Some((point, part, color, dash));
    }

    fn start(&mut self, points: Vec<P>, color: usize, dash: Dash) {
        self.lines.push(Line { points, color, dash, width: self.size.unwrap_or(LINE) });
    }

    /// What has been drawn.
    pub(super) fn finish(self) -> (Vec<Line<P>>, Vec<Dots<P>>) {
        let (size, shape) = (self.size, self.shape);
        let dot = |(color, points)| Dots { points, color, size, shape: shape.of_color(color) };
        let dots = self.dots.into_iter().map(dot).collect();
        (self.lines, dots)
    }
}
