//! What a panel shows: its layers, looked up in the tables and turned into lines, points, markers and legend entries.

use super::error::FigureError;
use super::label::bracket;
use super::map::MapContent;
use super::scale::{Extent, Range};
use super::source::{Source, readable, text};
use super::spec::{Axis, Layer, Markers, Panel, Scale};
use super::theme::{DARK, Dash, LINE};
use crate::dataset::Column;
use std::collections::{BTreeMap, BTreeSet};

/// A line in the units of the data; a place that is `NaN` never occurs inside.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) points: Vec<(f64, f64)>,
    pub(super) color: usize,
    pub(super) dash: Dash,
    pub(super) width: f64,
}

/// Points in the units of the data.
#[derive(Debug, Clone)]
pub(super) struct Dots {
    pub(super) points: Vec<(f64, f64)>,
    pub(super) color: usize,
    pub(super) size: Option<f64>,
}

/// A labelled vertical line.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub(super) x: f64,
    pub(super) color: Option<usize>,
    pub(super) label: String,
    /// The word of its colour, for a legend when labels have no room.
    pub(super) word: String,
}

/// What the legend shows beside a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Symbol {
    Line(usize, Dash),
    Dot(usize),
    /// A line with points on it.
    LineDot(usize),
    Area(usize),
    /// A style that several colours share.
    Style(Dash),
}

/// An entry of the legend.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) symbol: Symbol,
    pub(super) text: String,
}

/// The names and units along an axis.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    pub(super) given: Option<String>,
    pub(super) columns: Vec<(String, String)>,
}

/// What a panel shows.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) panel: Panel,
    pub(super) x: Range,
    pub(super) y: Range,
    pub(super) x_names: Names,
    pub(super) y_names: Names,
    pub(super) lines: Vec<Line>,
    pub(super) dots: Vec<Dots>,
    pub(super) marks: Vec<Mark>,
    pub(super) map: Option<MapContent>,
    pub(super) legend: Vec<Entry>,
}

/// Which word has which colour: the same in all panels of a figure.
#[derive(Debug, Default)]
pub(super) struct Colors {
    of_word: BTreeMap<String, usize>,
}

impl Colors {
    pub(super) fn of(&mut self, word: &str) -> usize {
        let next = self.of_word.len();
        *self.of_word.entry(word.to_owned()).or_insert(next)
    }
}

impl Content {
    /// Looks up everything that a panel shows.
    pub(super) fn new(panel: &Panel, source: Source, colors: &mut Colors) -> Result<Self, FigureError> {
        let mut builder = Builder {
            source,
            colors,
            lone: lone_layer(panel),
            over_map: panel.map.is_some(),
            styles: BTreeMap::new(),
            x_names: Names { given: panel.x_axis.label.clone(), ..Names::default() },
            y_names: Names { given: panel.y_axis.label.clone(), ..Names::default() },
            lines: Vec::new(),
            dots: Vec::new(),
            legend: Vec::new(),
        };
        let map = panel.map.as_ref().map(|map| MapContent::new(map, panel, source, builder.colors)).transpose()?;
        if let Some(map) = &map {
            builder.x_names.add(&map.x_name);
            builder.y_names.add(&map.y_name);
            builder.legend.extend(map.legend());
        }
        for layer in &panel.lines {
            builder.layer(layer, true)?;
        }
        for layer in &panel.points {
            builder.layer(layer, false)?;
        }
        let mut marks = Vec::new();
        for markers in &panel.markers {
            builder.markers(markers, &mut marks)?;
        }
        builder.explain_styles();
        let Builder { x_names, y_names, lines, dots, legend, .. } = builder;
        let mut content = Self {
            panel: panel.clone(),
            x: Range { low: 0.0, high: 1.0, log: false },
            y: Range { low: 0.0, high: 1.0, log: false },
            x_names,
            y_names,
            lines,
            dots,
            marks,
            map,
            legend,
        };
        content.x = content.range(source.figure, "x_axis", &panel.x_axis, true)?;
        content.y = content.range(source.figure, "y_axis", &panel.y_axis, false)?;
        Ok(content)
    }

    /// Whether there is nothing to see.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
            && self.dots.iter().all(|dots| dots.points.is_empty())
            && self.marks.is_empty()
            && self.map.as_ref().is_none_or(MapContent::is_empty)
    }

    fn range(&self, figure: &str, name: &'static str, axis: &Axis, horizontal: bool) -> Result<Range, FigureError> {
        let log = axis.scale == Scale::Log;
        if let Some([low, high]) = axis.range {
            return Range::given([low, high], log).map_err(|reason| FigureError::BadRange {
                figure: figure.to_owned(),
                axis: name,
                low,
                high,
                reason,
            });
        }
        let part = |&(x, y): &(f64, f64)| if horizontal { x } else { y };
        let mut extent = Extent::default();
        let mut dotted = Extent::default();
        self.lines.iter().flat_map(|line| &line.points).for_each(|point| extent.add(part(point), log));
        self.dots.iter().flat_map(|dots| &dots.points).for_each(|point| dotted.add(part(point), log));
        let has_dots = dotted.ends.is_some();
        if let Some((low, high)) = dotted.ends {
            extent.add(low, log);
            extent.add(high, log);
        }
        let references = if horizontal { &self.panel.vertical } else { &self.panel.horizontal };
        references.iter().for_each(|&value| extent.add(value, log));
        if horizontal {
            self.marks.iter().for_each(|mark| extent.add(mark.x, log));
        }
        // a graph may touch the left and right frame, but a curve that turns back is not to be drawn along them
        let turns = |line: &Line| line.points.windows(2).any(|pair| matches!(pair, [a, b] if b.0 < a.0));
        let mut pad = if horizontal && !has_dots && !self.lines.iter().any(turns) { 0.0 } else { 0.04 };
        if let Some(map) = &self.map {
            let edges = if horizontal { map.x_edges() } else { map.y_edges() };
            let mut cells = Extent::default();
            edges.iter().for_each(|&edge| cells.add(edge, log));
            // lines over a map do not widen it: the map is the picture
            if cells.ends.is_some() {
                (extent, pad) = (cells, 0.0);
            }
        }
        Ok(Range::fit(extent, log, pad))
    }
}

/// Whether the panel has one layer with one column and no words that choose colours: it needs no legend.
fn lone_layer(panel: &Panel) -> bool {
    let mut layers = panel.lines.iter().chain(&panel.points);
    let first = layers.next();
    panel.map.is_none() && layers.next().is_none() && first.is_some_and(|layer| layer.y.len() == 1)
}

impl Names {
    fn add(&mut self, column: &Column) {
        let name = (column.label.clone(), column.unit.clone());
        if !self.columns.contains(&name) {
            self.columns.push(name);
        }
    }
}

struct Builder<'a, 'c> {
    source: Source<'a>,
    colors: &'c mut Colors,
    lone: bool,
    over_map: bool,
    styles: BTreeMap<String, (usize, Dash)>,
    x_names: Names,
    y_names: Names,
    lines: Vec<Line>,
    dots: Vec<Dots>,
    legend: Vec<Entry>,
}

impl Builder<'_, '_> {
    fn layer(&mut self, layer: &Layer, joined: bool) -> Result<(), FigureError> {
        let figure = self.source.figure;
        if let Some(size) = layer.size.filter(|size| !(0.1..=10.0).contains(size)) {
            let (key, expected) = ("size", "between 0.1 and 10");
            return Err(FigureError::BadNumber { figure: figure.to_owned(), key, value: size, expected });
        }
        let rows = self.source.table(layer.table.as_deref())?;
        let chosen = rows.chosen(&layer.only)?;
        let x = rows.numbers(&layer.x)?;
        self.x_names.add(rows.column(&layer.x)?);
        let split = rows.optional(layer.split.as_ref())?;
        let color = rows.optional(layer.color.as_ref())?;
        let style = rows.optional(layer.style.as_ref())?;
        let columns = layer.y.iter().map(|name| rows.column(name)).collect::<Result<Vec<_>, _>>()?;
        let same_unit = columns.windows(2).all(|pair| matches!(pair, [a, b] if a.unit == b.unit));
        for column in columns {
            let y = rows.numbers(&column.name)?;
            self.y_names.add(column);
            let name = match &layer.label {
                Some(label) if layer.y.len() == 1 => label.clone(),
                _ if same_unit => column.label.clone(),
                _ => format!("{}\u{a0}\u{a0}{}", column.label, bracket(&column.unit, 0)),
            };
            let own = match (color, self.lone) {
                (Some(_), _) | (None, true) => 0,
                // the first plain layer over a map is dark: every other colour is near that of some cell
                (None, false) if self.over_map => {
                    self.over_map = false;
                    DARK
                }
                (None, false) => self.colors.of(&format!("layer {name}")),
            };
            let mut pen = Pen::new(joined, split.is_some(), layer.size);
            for &row in &chosen {
                let look = match color {
                    Some(column) => {
                        let word = text(column, row);
                        let index = self.colors.of(&word);
                        (index, readable(&word))
                    }
                    None => (own, name.clone()),
                };
                let dash = match style {
                    Some(column) => self.style(&text(column, row)),
                    None => Dash::Solid,
                };
                let part = split.map(|column| text(column, row).into_owned()).unwrap_or_default();
                let (Some(&x), Some(&y)) = (x.get(row), y.get(row)) else { continue };
                pen.to((x, y), part, look, dash);
            }
            self.finish(pen, color.is_some(), layer.label.is_some());
        }
        Ok(())
    }

    /// The dashes of a word; words without a meaning of their own are counted in the order in which they come.
    fn style(&mut self, word: &str) -> Dash {
        if let Some(&(_, dash)) = self.styles.get(word) {
            return dash;
        }
        let others = self.styles.keys().filter(|word| !Dash::has_meaning(word)).count();
        let dash = Dash::of_word(word, others);
        self.styles.insert(word.to_owned(), (self.styles.len(), dash));
        dash
    }

    fn finish(&mut self, pen: Pen, by_word: bool, labelled: bool) {
        for (color, text) in pen.looks {
            let symbol = if pen.joined { Symbol::Line(color, Dash::Solid) } else { Symbol::Dot(color) };
            // points on a line of the same name share its entry
            let line = Symbol::Line(color, Dash::Solid);
            let beside = self.legend.iter_mut().find(|entry| !pen.joined && entry.symbol == line && entry.text == text);
            if let Some(entry) = beside {
                entry.symbol = Symbol::LineDot(color);
                continue;
            }
            let entry = Entry { symbol, text };
            if (by_word || labelled || !self.lone) && !self.legend.contains(&entry) && self.legend.len() < 5000 {
                self.legend.push(entry);
            }
        }
        self.lines.extend(pen.lines);
        self.dots.extend(pen.dots.into_iter().map(|(color, points)| Dots { points, color, size: pen.size }));
    }

    /// Entries for the styles, where there is more than one.
    fn explain_styles(&mut self) {
        if self.styles.len() < 2 {
            return;
        }
        // a colour that is always drawn in one style shows it; where it is named after the style, that is said already
        for entry in &mut self.legend {
            if let Symbol::Line(color, dash) = &mut entry.symbol {
                let mut dashes = self.lines.iter().filter(|line| line.color == *color).map(|line| line.dash);
                *dash = dashes.next().filter(|first| dashes.all(|other| other == *first)).unwrap_or(*dash);
            }
        }
        let said = |dash: Dash, word: &str| {
            self.legend.iter().any(|entry| {
                matches!(entry.symbol, Symbol::Line(_, shown) if shown == dash)
                    && entry.text.split(' ').any(|w| w == word)
            })
        };
        let mut styles: Vec<_> =
            self.styles.iter().map(|(word, &(index, dash))| (index, dash, readable(word))).collect();
        styles.retain(|(_, dash, text)| !said(*dash, text));
        styles.sort();
        if matches!(styles[..], [(_, Dash::Solid, _)]) {
            return;
        }
        self.legend.extend(styles.into_iter().map(|(_, dash, text)| Entry { symbol: Symbol::Style(dash), text }));
    }

    fn markers(&mut self, markers: &Markers, marks: &mut Vec<Mark>) -> Result<(), FigureError> {
        let rows = self.source.table(markers.table.as_deref())?;
        let x = rows.numbers(&markers.x)?;
        self.x_names.add(rows.column(&markers.x)?);
        let color = rows.optional(markers.color.as_ref())?;
        let label = rows.optional(markers.text.as_ref())?.or(color);
        for row in rows.chosen(&markers.only)? {
            let Some(&x) = x.get(row).filter(|x| x.is_finite()) else { continue };
            let word = color.map(|column| text(column, row)).unwrap_or_default();
            marks.push(Mark {
                x,
                color: color.map(|_| self.colors.of(&word)),
                label: label.map(|column| readable(&text(column, row))).unwrap_or_default(),
                word: readable(&word),
            });
        }
        Ok(())
    }
}

/// Joins rows into lines, or collects them as points.
struct Pen {
    joined: bool,
    /// A change of look inside the same part goes on from the last point.
    bridges: bool,
    size: Option<f64>,
    last: Option<((f64, f64), String, usize, Dash)>,
    lines: Vec<Line>,
    dots: BTreeMap<usize, Vec<(f64, f64)>>,
    looks: Vec<(usize, String)>,
    seen: BTreeSet<usize>,
}

impl Pen {
    fn new(joined: bool, bridges: bool, size: Option<f64>) -> Self {
        let (lines, dots) = (Vec::new(), BTreeMap::new());
        Self { joined, bridges, size, last: None, lines, dots, looks: Vec::new(), seen: BTreeSet::new() }
    }

    fn to(&mut self, point: (f64, f64), part: String, (color, name): (usize, String), dash: Dash) {
        if !(point.0.is_finite() && point.1.is_finite()) {
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

    fn start(&mut self, points: Vec<(f64, f64)>, color: usize, dash: Dash) {
        self.lines.push(Line { points, color, dash, width: self.size.unwrap_or(LINE) });
    }
}
