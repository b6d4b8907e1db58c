//! Pictures, drawn from tables and nothing else.
//!
//! A [`Figure`] says which columns are drawn; [`draw`] turns it and the tables of a run into a [`Drawing`]: SVG text
//! whose bytes depend on nothing but these two. [`Drawing::png`] renders that same SVG.

mod areas;
mod arrows;
mod builder;
mod cells;
mod color_bar;
mod colors;
mod content;
mod cube;
mod draw;
mod error;
mod font;
mod glyph;
mod label;
mod layers;
mod legend;
mod map;
mod markers;
mod meaning;
mod one_or_many;
mod own;
mod panel;
mod pen;
mod png;
mod scale;
mod simplify;
mod source;
mod space;
mod space_panel;
mod spec;
mod strokes;
mod subscript;
mod summary;
mod svg;
mod symbol;
mod tags;
mod theme;
mod ticks;
mod whiskers;

pub use draw::{Drawing, draw};
pub(crate) use draw::{misfit, mistake};
pub use error::{FigureError, Mistake};
pub use layers::{Arrows, Bands, Bars, Curve, Layer, Map, Markers, Shape, Space, Summary};
pub(crate) use own::is_own_picture;
pub use png::png_of;
pub use spec::{Axis, Figure, Panel, Scale, Width};
pub(crate) use svg::escape;
