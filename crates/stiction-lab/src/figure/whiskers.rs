//! Error bars: thin vertical lines with small caps.

use super::content::Content;
use super::error::FigureError;
use super::layers::Layer;
use super::simplify::Rect;
use super::source::{Rows, Span};
use super::svg::{Svg, number, pair};
use super::theme::{WHISKER, hex, ink};
use std::borrow::Cow;

/// Most error bars of a layer.
const MOST: usize = 2000;
/// Half the width of a cap \[pt\].
const CAP: f64 = 1.6;

/// An error bar in the units of the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whisker {
    pub(super) x: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) color: usize,
}

/// Where the error bars of a layer come from.
pub(super) enum Whiskers<'a> {
    None,
    /// Half-lengths.
    Error(Cow<'a, [f64]>),
    Ends(Span<'a>),
}

impl<'a> Whiskers<'a> {
    pub(super) fn new(
        layer: &Layer,
        rows: Rows<'a>,
        chosen: &[usize],
        name: &'static str,
    ) -> Result<Self, FigureError> {
        let bad = |reason| Err(FigureError::BadLayer { figure: rows.figure().to_owned(), layer: name, reason });
        let found = match (&layer.error, &layer.low, &layer.high) {
            (None, None, None) => return Ok(Whiskers::None),
            (Some(error), None, None) => {
                let lengths = rows.numbers(error)?;
                let expected = "the half-length of an error bar must not be negative";
                rows.check(error, &lengths, chosen, expected, |length| length < 0.0)?;
                Whiskers::Error(lengths)
            }
            (None, Some(low), Some(high)) => Whiskers::Ends(rows.span(low, high, chosen)?),
            (None, ..) => return bad("with `low` need `high` as well, and the other way round"),
            (Some(_), ..) => return bad("have error bars by `error` or by `low` and `high`, not by both"),
        };
        if layer.y.len() != 1 {
            return bad("with error bars must have one `y`; write one layer for each column");
        }
        let remedy = "use `bands` instead, or draw fewer rows";
        rows.check_number("error bars", chosen.len(), MOST, remedy)?;
        Ok(found)
    }

    pub(super) fn are_some(&self) -> bool {
        !matches!(self, Whiskers::None)
    }

    /// The error bar of a row, if it has one.
    pub(super) fn at(&self, row: usize, (x, y): (f64, f64), color: usize) -> Option<Whisker> {
        let (low, high) = match self {
            Whiskers::None => return None,
            Whiskers::Error(lengths) => lengths.get(row).map(|length| (y - length, y + length))?,
            Whiskers::Ends(span) => span.at(row)?,
        };
        let finite = x.is_finite() && y.is_finite() && low.is_finite() && high.is_finite();
        finite.then_some(Whisker { x, low, high, color })
    }
}

/// An error bar in the axes: its place, its upper and lower end \[pt\].
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedWhisker {
    x: f64,
    top: f64,
    bottom: f64,
    color: usize,
}

impl PlacedWhisker {
    /// The bar as a line.
    pub(super) fn line(&self) -> Vec<(f64, f64)> {
        vec![(self.x, self.top), (self.x, self.bottom)]
    }
}

/// The visible error bars. Below the positive numbers a bar leaves a logarithmic axis at its lower end.
pub(super) fn placed(content: &Content, axes: Rect) -> Vec<PlacedWhisker> {
    let rim = axes.grown(4.0);
    let place = |whisker: &Whisker| {
        let y = |value: f64| (1.0 - content.y.share(value)) * axes.height;
        let (x, top, bottom) = (content.x.share(whisker.x) * axes.width, y(whisker.high), y(whisker.low));
        let bottom = if bottom.is_nan() { rim.bottom() } else { bottom };
        let visible = x >= rim.left && x <= rim.right() && top <= rim.bottom() && bottom >= rim.top;
        let (top, bottom) = (top.max(rim.top), bottom.min(rim.bottom()));
        visible.then_some(PlacedWhisker { x, top, bottom, color: whisker.color })
    };
    content.whiskers.iter().filter_map(place).collect()
}

/// Draws the error bars; caps are narrower where bars are close together.
pub(super) fn draw(svg: &mut Svg, whiskers: &[PlacedWhisker], axes: Rect) {
    for same in whiskers.chunk_by(|a, b| a.color == b.color) {
        let Some(first) = same.first() else { continue };
        let cap = CAP.min(0.35 * axes.width / same.len() as f64);
        let mut data = String::new();
        for bar in same {
            data.push_str(&format!("M{}V{}", pair((bar.x, bar.top)), number(bar.bottom)));
            if cap > 0.3 {
                for end in [bar.top, bar.bottom] {
                    data.push_str(&format!("M{}h{}", pair((bar.x - cap, end)), number(2.0 * cap)));
                }
            }
        }
        svg.path(&data, &hex(ink(first.color)), WHISKER, "");
    }
}
