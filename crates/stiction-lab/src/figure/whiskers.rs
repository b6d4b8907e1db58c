//! Error bars: thin vertical lines with small caps.

use super::content::Content;
use super::error::Mistake;
use super::layers::Layer;
use super::simplify::Rect;
use super::source::Rows;
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

/// The half-lengths of the error bars of a layer, if it has any.
pub(super) struct Whiskers<'a>(Option<Cow<'a, [f64]>>);

impl<'a> Whiskers<'a> {
    pub(super) fn new(layer: &Layer, rows: Rows<'a>, chosen: &[usize], name: &'static str) -> Result<Self, Mistake> {
        let Some(error) = &layer.error else { return Ok(Self(None)) };
        let lengths = rows.numbers(error)?;
        let negative = chosen.iter().find_map(|&row| Some((row, lengths.get(row).filter(|length| **length < 0.0)?)));
        if let Some((row, length)) = negative {
            let expected = "the half-length of an error bar must not be negative";
            return Err(rows.bad_numbers(error, format!("{length:?} in row {}; {expected}", row + 1)));
        }
        if layer.y.len() != 1 {
            let reason = "with error bars must have one `y`; write one layer for each column";
            return Err(Mistake::BadLayer { layer: name, reason });
        }
        rows.check_number("error bars", chosen.len(), MOST, "use `bands` instead, or draw fewer rows")?;
        Ok(Self(Some(lengths)))
    }

    pub(super) fn are_some(&self) -> bool {
        self.0.is_some()
    }

    /// The error bar of a row, if it has one.
    pub(super) fn at(&self, row: usize, (x, y): (f64, f64), color: usize) -> Option<Whisker> {
        let length = self.0.as_ref()?.get(row)?;
        let (low, high) = (y - length, y + length);
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
        let (x, top) = content.place((whisker.x, whisker.high), axes);
        let bottom = content.down(whisker.low, axes);
        let bottom = if bottom.is_nan() { rim.bottom() } else { bottom };
        let visible = x >= rim.left && x <= rim.right() && top <= rim.bottom() && bottom >= rim.top;
        let (top, bottom) = (top.max(rim.top), bottom.min(rim.bottom()));
        visible.then_some(PlacedWhisker { x, top, bottom, color: whisker.color })
    };
    content.parts.whiskers.iter().filter_map(place).collect()
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
