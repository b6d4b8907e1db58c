//! What a panel shows: its layers, looked up in the tables and turned into lines, points, markers and legend entries.

use super::areas::{Band, Bar};
use super::arrows::Arrow;
use super::builder::Builder;
use super::colors::Colors;
use super::error::Mistake;
use super::map::MapContent;
use super::pen::{Dots, Line};
use super::scale::{Extent, Range};
use super::simplify::Rect;
use super::source::Source;
use super::spec::{Axis, Panel, Scale};
use super::symbol::Entry;
use super::tags::Tag;
use super::whiskers::Whisker;
use crate::dataset::{Column, Data};

/// A labelled vertical line.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub(super) x: f64,
    pub(super) label: String,
}

/// The names and units along an axis.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    pub(super) given: Option<String>,
    /// The unit that the axis is given, in place of those of the columns.
    pub(super) unit: Option<String>,
    pub(super) columns: Vec<(String, String)>,
    /// Whether there is a column whose numbers need not be whole.
    pub(super) broken: bool,
}

/// What a panel shows.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) panel: Panel,
    pub(super) x: Range,
    pub(super) y: Range,
    pub(super) x_names: Names,
    pub(super) y_names: Names,
    pub(super) map: Option<MapContent>,
    pub(super) parts: Parts,
}

/// What the layers of a panel give, in the units of the data.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    pub(super) bars: Vec<Bar>,
    pub(super) bands: Vec<Band>,
    pub(super) lines: Vec<Line>,
    pub(super) dots: Vec<Dots>,
    pub(super) whiskers: Vec<Whisker>,
    pub(super) arrows: Vec<Arrow>,
    pub(super) marks: Vec<Mark>,
    pub(super) tags: Vec<Tag>,
    pub(super) legend: Vec<Entry>,
}

impl Content {
    /// Looks up everything that a panel shows.
    pub(super) fn new(panel: &Panel, source: Source<'_>, colors: &mut Colors) -> Result<Self, Mistake> {
        let mut builder = Builder::new(panel, source, colors);
        let map = panel.map.as_ref().map(|map| MapContent::new(map, panel, source, builder.colors)).transpose()?;
        if let Some(map) = &map {
            builder.x_names.add(&map.x_name);
            builder.y_names.add(&map.y_name);
            builder.parts.legend.extend(map.legend());
        }
        panel.bars.iter().try_for_each(|bars| builder.bars(bars))?;
        panel.bands.iter().try_for_each(|bands| builder.bands(bands))?;
        panel.lines.iter().try_for_each(|layer| builder.layer(layer, true))?;
        panel.points.iter().try_for_each(|layer| builder.layer(layer, false))?;
        panel.arrows.iter().try_for_each(|arrows| builder.arrows(arrows))?;
        panel.markers.iter().try_for_each(|markers| builder.markers(markers))?;
        builder.explain_styles();
        builder.drop_needless_legend();
        let (x_edges, y_edges) = builder.edge_names;
        let mut content = Self {
            panel: panel.clone(),
            x: Range { low: 0.0, high: 1.0, log: false },
            y: Range { low: 0.0, high: 1.0, log: false },
            x_names: builder.x_names.or(x_edges),
            y_names: builder.y_names.or(y_edges),
            map,
            parts: builder.parts,
        };
        content.x = content.range("x_axis", &panel.x_axis, true)?;
        content.y = content.range("y_axis", &panel.y_axis, false)?;
        Ok(content)
    }

    /// The place of a point in axes of that size \[pt\]; not a number where a logarithmic axis has none.
    pub(super) fn place(&self, (x, y): (f64, f64), axes: Rect) -> (f64, f64) {
        (self.across(x, axes), self.down(y, axes))
    }

    pub(super) fn across(&self, x: f64, axes: Rect) -> f64 {
        self.x.share(x) * axes.width
    }

    pub(super) fn down(&self, y: f64, axes: Rect) -> f64 {
        (1.0 - self.y.share(y)) * axes.height
    }

    /// Whether there is nothing to see.
    pub(super) fn is_empty(&self) -> bool {
        let parts = &self.parts;
        parts.lines.is_empty()
            && parts.dots.iter().all(|dots| dots.points.is_empty())
            && parts.bars.is_empty()
            && parts.bands.is_empty()
            && parts.arrows.is_empty()
            && parts.marks.is_empty()
            && self.map.as_ref().is_none_or(MapContent::is_empty)
    }

    fn range(&self, name: &str, axis: &Axis, horizontal: bool) -> Result<Range, Mistake> {
        let log = axis.scale == Scale::Log;
        if let Some(ends) = axis.range {
            return given_range(ends, log, name);
        }
        let mut extent = if horizontal { self.x_extent(log) } else { self.y_extent(log) };
        // a graph may touch the left and right frame, but a curve that turns back is not to be drawn along them
        let turns = |line: &Line| line.points.windows(2).any(|pair| matches!(pair, [a, b] if b.0 < a.0));
        let Parts { lines, dots, whiskers, bars, arrows, .. } = &self.parts;
        let has_dots = dots.iter().any(|dots| dots.points.iter().any(|point| !log || point.0 > 0.0));
        let loose = has_dots || !whiskers.is_empty() || !bars.is_empty() || !arrows.is_empty();
        let mut pad = if horizontal && !loose && !lines.iter().any(turns) { 0.0 } else { 0.04 };
        if let Some(map) = &self.map {
            let edges = if horizontal { map.x_edges() } else { map.y_edges() };
            let mut cells = Extent::default();
            edges.iter().for_each(|&edge| cells.add(edge, log));
            // lines over a map do not widen it: the map is the picture
            if cells.ends.is_some() {
                (extent, pad) = (cells, 0.0);
            }
        }
        let mut range = Range::fit(extent, log, pad);
        // bars stand on the frame
        if !horizontal && !bars.is_empty() && !log {
            match extent.ends {
                Some((0.0, high)) if high > 0.0 => range.low = 0.0,
                Some((low, 0.0)) if low < 0.0 => range.high = 0.0,
                _ => {}
            }
        }
        Ok(range)
    }

    fn x_extent(&self, log: bool) -> Extent {
        let (parts, mut extent) = (&self.parts, Extent::default());
        parts.lines.iter().flat_map(|line| &line.points).for_each(|point| extent.add(point.0, log));
        parts.dots.iter().flat_map(|dots| &dots.points).for_each(|point| extent.add(point.0, log));
        parts.bands.iter().flat_map(|band| &band.points).for_each(|point| extent.add(point.0, log));
        parts.bars.iter().flat_map(|bar| [bar.low, bar.high]).for_each(|edge| extent.add(edge, log));
        parts.arrows.iter().for_each(|arrow| extent.add(arrow.at.0, log));
        self.panel.vertical.iter().for_each(|&value| extent.add(value, log));
        parts.marks.iter().for_each(|mark| extent.add(mark.x, log));
        extent
    }

    fn y_extent(&self, log: bool) -> Extent {
        let (parts, mut extent) = (&self.parts, Extent::default());
        parts.lines.iter().flat_map(|line| &line.points).for_each(|point| extent.add(point.1, log));
        parts.dots.iter().flat_map(|dots| &dots.points).for_each(|point| extent.add(point.1, log));
        parts.whiskers.iter().flat_map(|whisker| [whisker.low, whisker.high]).for_each(|end| extent.add(end, log));
        parts.bands.iter().flat_map(|band| &band.points).flat_map(|p| [p.1, p.2]).for_each(|y| extent.add(y, log));
        // a logarithmic axis has no zero to stand on: there a bar begins at the lower end
        parts.bars.iter().flat_map(|bar| [bar.height, 0.0]).for_each(|end| extent.add(end, log));
        parts.arrows.iter().for_each(|arrow| extent.add(arrow.at.1, log));
        self.panel.horizontal.iter().for_each(|&value| extent.add(value, log));
        extent
    }
}

/// The range that an axis is given.
pub(super) fn given_range(ends: [f64; 2], log: bool, axis: &str) -> Result<Range, Mistake> {
    let bad = |expected| Mistake::BadValue { key: format!("{axis}.range"), value: format!("{ends:?}"), expected };
    Range::given(ends, log).map_err(bad)
}

impl Names {
    /// What an axis says itself.
    pub(super) fn of(axis: &Axis) -> Self {
        Self { given: axis.label.clone(), unit: axis.unit.clone(), ..Self::default() }
    }

    pub(super) fn add(&mut self, column: &Column) {
        self.broken |= !matches!(column.data, Data::Integers(_));
        let name = (column.label.clone(), column.unit.clone());
        if !self.columns.contains(&name) {
            self.columns.push(name);
        }
    }

    /// Whether only whole numbers stand along the axis.
    pub(super) fn are_whole(&self) -> bool {
        !self.broken && !self.columns.is_empty()
    }

    /// These names, or the others where no column has been named.
    fn or(mut self, others: Self) -> Self {
        if self.columns.is_empty() {
            (self.columns, self.broken) = (others.columns, others.broken);
        }
        self
    }
}
