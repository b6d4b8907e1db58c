//! What the legend shows beside a text.

use super::layers::Shape;
use super::strokes::Polyline;
use super::svg::{Svg, pair};
use super::theme::{BAND, BAR, Dash, FRAME, GREY, INK, LINE, WHISKER, area, hex, ink};

/// Length of a symbol \[pt\].
pub(super) const LENGTH: f64 = 15.0;

/// What the legend shows beside a text: the parts that have one colour and one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Symbol {
    /// Without a colour it is a style that several colours share.
    pub(super) color: Option<usize>,
    pub(super) fill: Option<Fill>,
    pub(super) line: Option<Dash>,
    pub(super) whisker: bool,
    pub(super) dot: Option<Shape>,
    pub(super) arrow: bool,
}

/// How an area is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// As a cell of a map.
    Cell,
    Bar,
    Band,
}

/// An entry of the legend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) symbol: Symbol,
    pub(super) text: String,
}

impl Symbol {
    pub(super) fn line(color: usize, dash: Dash) -> Self {
        Self { color: Some(color), line: Some(dash), ..Self::default() }
    }

    pub(super) fn dot(color: usize, shape: Shape) -> Self {
        Self { color: Some(color), dot: Some(shape), ..Self::default() }
    }

    pub(super) fn arrow(color: usize) -> Self {
        Self { color: Some(color), arrow: true, ..Self::default() }
    }

    pub(super) fn area(color: usize, fill: Fill) -> Self {
        Self { color: Some(color), fill: Some(fill), ..Self::default() }
    }

    /// Whether there is nothing to draw, only a text.
    pub(super) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn style(dash: Dash) -> Self {
        Self { line: Some(dash), ..Self::default() }
    }

    /// Whether both can be one symbol. A cell of a map is paler than a line of its colour and stays alone.
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        let cell = |symbol: &Self| symbol.fill == Some(Fill::Cell);
        self.color.is_some() && self.color == other.color && !cell(self) && !cell(other)
    }

    /// Both in one.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            color: self.color,
            fill: self.fill.or(other.fill),
            line: self.line.or(other.line),
            whisker: self.whisker || other.whisker,
            dot: self.dot.or(other.dot),
            arrow: self.arrow || other.arrow,
        }
    }

    /// Draws the symbol from its left end, at that height.
    pub(super) fn draw(&self, svg: &mut Svg, left: f64, middle: f64) {
        let (from, to) = ((left, middle), (left + LENGTH, middle));
        let centre = left + 0.5 * LENGTH;
        let color = self.color.map_or_else(|| GREY.to_owned(), |color| hex(ink(color)));
        let mut swatch = |fill: &str, extra: &str| svg.rectangle(left + 1.0, middle - 3.5, 13.0, 7.0, fill, extra);
        match (self.fill, self.color) {
            (Some(Fill::Cell), Some(index)) => {
                let extra = format!(r#" stroke="{INK}" stroke-width="{}""#, 0.5 * FRAME);
                swatch(&hex(area(index)), &extra);
            }
            (Some(Fill::Bar), _) => {
                let extra = format!(r#" fill-opacity="{BAR}" stroke="{color}" stroke-width="{}""#, 0.5);
                swatch(&color, &extra);
            }
            (Some(Fill::Band), _) => swatch(&color, &format!(r#" fill-opacity="{BAND}""#)),
            _ => {}
        }
        if let Some(dash) = self.line {
            let width = if self.color.is_some() { 1.3 * LINE } else { 1.2 * LINE };
            svg.line(from, to, &color, width, dash.attributes());
        }
        if self.whisker {
            let cap = |y: f64| format!("M{}h3", pair((centre - 1.5, y)));
            let data = format!("M{}v7{}{}", pair((centre, middle - 3.5)), cap(middle - 3.5), cap(middle + 3.5));
            svg.path(&data, &color, WHISKER, "");
        }
        if let Some(shape) = self.dot {
            shape.draw(svg, &[Polyline { start: (centre, middle), length: 0.0 }], 4.0, &color);
        }
        if self.arrow {
            super::arrows::draw_arrow(svg, from, to, &color);
        }
    }
}
