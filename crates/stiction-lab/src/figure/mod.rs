//! Pictures, drawn from tables and nothing else.
//!
//! A [`Figure`] says which columns are drawn; [`draw`] turns it and the tables of a run into a [`Drawing`]: SVG text
//! whose bytes depend on nothing but these two. [`Drawing::png`] renders that same SVG.

mod content;
mod draw;
mod error;
mod font;
mod label;
mod legend;
mod map;
mod markers;
mod panel;
mod png;
mod scale;
mod simplify;
mod source;
mod spec;
mod strokes;
mod subscript;
mod svg;
mod theme;
mod ticks;

pub use draw::{Drawing, draw};
pub use error::FigureError;
pub use spec::{Axis, Figure, Layer, Map, Markers, Panel, Scale, Width};
pub(crate) use svg::escape;
