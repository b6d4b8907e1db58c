//! Looks up the layers of a panel in the tables: lines, points, areas, arrows, markers, and what the legend says.

use super::colors::{Colors, Use};
use super::content::{Mark, Names, Parts};
use super::error::Mistake;
use super::label::bracket;
use super::layers::{Layer, Markers, Shape};
use super::meaning;
use super::pen::{Pen, Place};
use super::source::{Source, readable, text};
use super::spec::Panel;
use super::summary::summarised;
use super::symbol::{Entry, Symbol};
use super::tags::{self, Tag};
use super::theme::{DARK, Dash, PALE};
use super::whiskers::Whiskers;
use crate::dataset::Column;
use std::collections::BTreeMap;

/// Why a layer cannot be both.
pub(super) const MUTED_OR_COLORED: &str =
    "has layers that are both `muted` and coloured by `color`; leave one of them out";

/// What the layers of a panel have given so far.
pub(super) struct Builder<'a, 'c> {
    pub(super) source: Source<'a>,
    pub(super) colors: &'c mut Colors,
    /// Whether the panel has one layer with one column and no words that choose colours: it needs no legend.
    lone: bool,
    /// The panel whose layers are looked up.
    pub(super) panel: &'a Panel,
    /// The plain layer that is dark, over a map.
    dark: Option<String>,
    styles: BTreeMap<String, (usize, Dash)>,
    pub(super) x_names: Names,
    pub(super) y_names: Names,
    /// Names of edges (of bins, of bands), for an axis that no other layer names.
    pub(super) edge_names: (Names, Names),
    pub(super) parts: Parts,
    /// Whether a part of the legend has been asked for: by a label, or by words that choose colours.
    asked: bool,
}

impl<'a, 'c> Builder<'a, 'c> {
    pub(super) fn new(panel: &'a Panel, source: Source<'a>, colors: &'c mut Colors) -> Self {
        Self {
            source,
            colors,
            lone: lone_layer(panel),
            panel,
            dark: None,
            styles: BTreeMap::new(),
            x_names: Names::of(&panel.x_axis),
            y_names: Names::of(&panel.y_axis),
            edge_names: Default::default(),
            parts: Parts::default(),
            asked: false,
        }
    }

    /// Looks up lines (`joined`) or points.
    pub(super) fn layer(&mut self, layer: &Layer, joined: bool) -> Result<(), Mistake> {
        self.check_size(layer.size)?;
        self.check_layer(layer, joined)?;
        let rows = self.source.table(layer.table.as_deref())?;
        let chosen = rows.chosen(&layer.only)?;
        let whiskers = Whiskers::new(layer, rows, &chosen, if joined { "lines" } else { "points" })?;
        let x = rows.numbers(&layer.x)?;
        self.x_names.add(rows.column(&layer.x)?);
        let split = rows.optional(layer.split.as_ref())?;
        let color = rows.optional(layer.color.as_ref())?;
        let style = rows.optional(layer.style.as_ref())?;
        let words = rows.optional(layer.text.as_ref())?;
        if words.is_some() {
            rows.check_number("words", chosen.len(), tags::MOST, "choose rows by `only`")?;
        }
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
            let own = if layer.muted { PALE } else { self.own_color(color.is_some(), &name) };
            let mut pen = Pen::new(joined, split.is_some(), layer.size);
            pen.shape = layer.shape;
            if let Some(summary) = layer.summary {
                let points = chosen.iter().filter_map(|&row| Some((*x.get(row)?, *y.get(row)?)));
                for point in summarised(summary, points) {
                    pen.to(point, String::new(), (own, name.clone()), Dash::Solid);
                }
            }
            for &row in chosen.iter().filter(|_| layer.summary.is_none()) {
                let look = self.look(color, row, own, &name);
                let dash = match style {
                    Some(column) => self.style(&text(column, row)),
                    None if layer.dashed => Dash::Dashed,
                    None => Dash::Solid,
                };
                let part = split.map(|column| text(column, row).into_owned()).unwrap_or_default();
                let (Some(&x), Some(&y)) = (x.get(row), y.get(row)) else { continue };
                self.parts.whiskers.extend(whiskers.at(row, (x, y), look.0));
                self.parts.tags.extend(words.map(|column| Tag { at: (x, y), text: readable(&text(column, row)) }));
                pen.to((x, y), part, look, dash);
            }
            if !layer.muted || layer.label.is_some() {
                self.explain_pen(&pen, color.is_some() || layer.label.is_some(), whiskers.are_some());
            }
            let (lines, dots) = pen.finish();
            self.parts.lines.extend(lines);
            self.parts.dots.extend(dots);
        }
        Ok(())
    }

    /// Refuses keys that say nothing together, or nothing about lines or points.
    fn check_layer(&self, layer: &Layer, joined: bool) -> Result<(), Mistake> {
        let by_words = layer.color.is_some() || layer.style.is_some() || layer.split.is_some();
        let reason = if layer.dashed && (!joined || layer.style.is_some() || layer.summary.is_some()) {
            "with `dashed` must be lines without `style` and `summary`"
        } else if joined && (layer.shape != Shape::Circle || layer.text.is_some()) {
            "have no `shape` and no `text`; add a layer of `points`"
        } else if !joined && layer.summary.is_some() {
            "have no `summary`; add a layer of `lines`"
        } else if layer.summary.is_some() && (by_words || layer.error.is_some()) {
            "with `summary` are one line; leave out `split`, `color`, `style` and error bars"
        } else if layer.muted && layer.color.is_some() {
            MUTED_OR_COLORED
        } else {
            return Ok(());
        };
        let layer = if joined { "lines" } else { "points" };
        Err(Mistake::BadLayer { layer, reason })
    }

    pub(super) fn check_size(&self, size: Option<f64>) -> Result<(), Mistake> {
        let wrong = size.filter(|size| !(0.1..=10.0).contains(size));
        wrong.map_or(Ok(()), |value| Err(Mistake::value("size", value, "must be between 0.1 and 10")))
    }

    /// Colour of a layer by its name; one whose colours are chosen by words has none of its own.
    pub(super) fn own_color(&mut self, by_word: bool, name: &str) -> usize {
        if by_word || self.lone {
            return 0;
        }
        // the first plain layer over a map is dark: every other colour is near that of some cell
        if self.panel.map.is_some() && self.dark.as_deref().is_none_or(|dark| dark == name) {
            self.dark = Some(name.to_owned());
            return DARK;
        }
        let usage = self.usage();
        self.colors.of(&format!("layer {name}"), usage)
    }

    fn usage(&self) -> Use {
        if self.panel.map.is_some() { Use::OverMap } else { Use::Plain }
    }

    /// Colour of a row and its name in the legend.
    pub(super) fn look(&mut self, color: Option<&Column>, row: usize, own: usize, name: &str) -> (usize, String) {
        match color {
            Some(column) => {
                let word = text(column, row);
                let usage = self.usage();
                (self.colors.of(&word, usage), readable(&word))
            }
            None => (own, name.to_owned()),
        }
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

    /// Entries for what a pen has drawn.
    pub(super) fn explain_pen<P: Place>(&mut self, pen: &Pen<P>, named: bool, whisker: bool) {
        let mut looks: Vec<&(usize, String)> = pen.looks.iter().collect();
        looks.sort_by_key(|(_, text)| meaning::rank(text).unwrap_or(usize::MAX));
        for (color, text) in looks {
            let symbol = if pen.joined {
                Symbol::line(*color, Dash::Solid)
            } else {
                Symbol::dot(*color, pen.shape.of_color(*color))
            };
            self.explain(Symbol { whisker, ..symbol }, text, named);
        }
    }

    /// An entry of the legend, if there is more than one layer or the layer is `named`. What has the same colour and name
    /// shares an entry: points on a line, a line in its band.
    pub(super) fn explain(&mut self, symbol: Symbol, text: &str, named: bool) {
        self.asked |= named;
        let beside = self.parts.legend.iter_mut().filter(|entry| entry.text == text);
        if let Some(entry) = beside.into_iter().find(|entry| entry.symbol.goes_with(&symbol)) {
            entry.symbol = entry.symbol.with(symbol);
        } else if (named || !self.lone) && self.parts.legend.len() < 5000 {
            self.parts.legend.push(Entry { symbol, text: text.to_owned() });
        }
    }

    /// Entries for the styles, where there is more than one.
    pub(super) fn explain_styles(&mut self) {
        // a colour that is always drawn in one style shows it; where it is named after the style, that is said already
        for symbol in self.parts.legend.iter_mut().map(|entry| &mut entry.symbol) {
            if let (Some(dash), Some(color)) = (&mut symbol.line, symbol.color) {
                let mut dashes = self.parts.lines.iter().filter(|line| line.color == color).map(|line| line.dash);
                *dash = dashes.next().filter(|first| dashes.all(|other| other == *first)).unwrap_or(*dash);
            }
        }
        if self.styles.len() < 2 {
            return;
        }
        let said = |dash: Dash, word: &str| {
            let named = |entry: &Entry| entry.text == word || entry.text.split(' ').any(|w| w == word);
            self.parts.legend.iter().any(|entry| entry.symbol.line == Some(dash) && named(entry))
        };
        let mut styles: Vec<_> =
            self.styles.iter().map(|(word, &(index, dash))| (index, dash, readable(word))).collect();
        styles.retain(|(_, dash, text)| !said(*dash, text));
        styles.sort();
        if matches!(styles[..], [(_, Dash::Solid, _)]) {
            return;
        }
        self.parts.legend.extend(styles.into_iter().map(|(_, dash, text)| Entry { symbol: Symbol::style(dash), text }));
    }

    /// A legend with one entry that nobody asked for says what the axis says.
    pub(super) fn drop_needless_legend(&mut self) {
        if !self.asked && self.parts.legend.len() == 1 && self.panel.map.is_none() {
            self.parts.legend.clear();
        }
    }

    pub(super) fn markers(&mut self, markers: &Markers) -> Result<(), Mistake> {
        let rows = self.source.table(markers.table.as_deref())?;
        let x = rows.numbers(&markers.x)?;
        self.x_names.add(rows.column(&markers.x)?);
        let label = rows.optional(markers.text.as_ref())?;
        for row in rows.chosen(&markers.only)? {
            let Some(&x) = x.get(row).filter(|x| x.is_finite()) else { continue };
            let label = label.map(|column| readable(&text(column, row))).unwrap_or_default();
            self.parts.marks.push(Mark { x, label });
        }
        Ok(())
    }
}

fn lone_layer(panel: &Panel) -> bool {
    let columns: usize = panel.lines.iter().chain(&panel.points).map(|layer| layer.y.len()).sum();
    let curves = panel.space.iter().map(|space| space.lines.len() + space.points.len()).sum::<usize>();
    let areas = panel.bars.len() + panel.bands.len();
    panel.map.is_none() && columns + areas + panel.arrows.len() + curves == 1
}

#[cfg(test)]
mod tests {
    use crate::dataset::Table;
    use crate::figure::{Figure, FigureError, draw};

    fn drawn(figure: &str) -> Result<String, FigureError> {
        let words = |words: [&str; 4]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let table = Table::new("t", "")
            .integers("n", "number", vec![0, 1, 2, 3])
            .numbers("x", "m", "place x", vec![0.0, 1.0, 2.0, 3.0])
            .numbers("y", "m", "height y", vec![1.0, 2.0, 4.0, 3.0])
            .words("stability", "stability", words(["captured", "captured", "unstable", "stable"]))
            .words("plate", "plate", words(["field A (a)", "field A (a)", "field B (b)", "field B (b)"]))
            .words("point", "point", words(["P", "Q", "F_y", "slow_end"]));
        let figure: Figure = toml::from_str(figure).unwrap();
        draw(&figure, &[table], None).map(|drawing| drawing.svg)
    }

    /// Number of texts that say this and nothing else.
    fn texts(svg: &str, text: &str) -> usize {
        svg.matches(&format!(">{text}</text>")).count()
    }

    #[test]
    fn a_line_with_points_needs_no_legend_and_one_with_a_label_has_it() {
        let layers = |more: &str| {
            let lines = format!(r#"lines = {{ x = "x", y = "y"{more} }}"#);
            drawn(&format!("{lines}\npoints = {{ x = \"x\", y = \"y\"{more} }}")).unwrap()
        };
        assert_eq!(texts(&layers(""), "height y"), 0);
        assert_eq!(texts(&layers(r#", label = "run""#), "run"), 1);
    }

    #[test]
    fn a_legend_names_only_what_is_inside_the_axes_with_what_is_stable_first() {
        let svg = drawn(r#"points = { x = "x", y = "y", color = "stability" }"#).unwrap();
        let place = |word: &str| svg.find(&format!(">{word}</text>")).unwrap();
        assert!(place("stable") < place("unstable") && place("unstable") < place("captured"));
        let svg =
            drawn("points = { x = \"x\", y = \"y\", color = \"stability\" }\nx_axis = { range = [1.5, 4] }").unwrap();
        assert_eq!((texts(&svg, "captured"), texts(&svg, "stable")), (0, 1));
    }

    #[test]
    fn colours_and_styles_of_the_same_words_are_named_once() {
        let svg = drawn(r#"lines = { x = "x", y = "y", color = "plate", style = "plate" }"#).unwrap();
        assert_eq!((texts(&svg, "field A (a)"), texts(&svg, "field B (b)")), (1, 1));
    }

    #[test]
    fn words_stand_beside_points() {
        let svg = drawn(r#"points = { x = "x", y = "y", text = "point" }"#).unwrap();
        assert_eq!((texts(&svg, "P"), texts(&svg, "Q"), texts(&svg, "slow end")), (1, 1, 1));
        assert!(svg.contains(">F<tspan"));
    }

    #[test]
    fn an_axis_of_whole_numbers_has_no_ticks_between_them() {
        let svg = drawn(r#"points = { x = "n", y = "y" }"#).unwrap();
        assert_eq!((texts(&svg, "1"), texts(&svg, "2"), texts(&svg, "0.5")), (1, 1, 0));
        // the heights are not whole numbers
        assert_eq!(texts(&svg, "2.5"), 1);
    }

    #[test]
    fn keys_that_do_not_go_together_are_refused() {
        for (figure, said) in [
            (r#"lines = { x = "x", y = "y", shape = "square" }"#, "`points`"),
            (r#"lines = { x = "x", y = "y", text = "point" }"#, "`points`"),
            (r#"points = { x = "x", y = "y", summary = "median" }"#, "`lines`"),
            (r#"lines = { x = "x", y = "y", summary = "median", split = "plate" }"#, "leave out `split`"),
            (r#"points = { x = "x", y = "y", muted = true, color = "plate" }"#, "`muted`"),
        ] {
            let message = drawn(figure).unwrap_err().to_string();
            assert!(message.contains(said), "{message}");
        }
        let error = drawn("lines = { x = \"x\", y = \"y\" }\ny_axis = { unit = \"[m]\" }").unwrap_err();
        assert!(error.to_string().contains("y_axis.unit = \"[m]\" must be without brackets"), "{error}");
    }

    #[test]
    fn a_muted_layer_is_grey_and_its_median_is_not() {
        let figure = "lines = [{ x = \"x\", y = \"y\", split = \"plate\", muted = true }, \
                      { x = \"x\", y = \"y\", summary = \"median\", label = \"median\" }]";
        let svg = drawn(figure).unwrap();
        assert!(svg.contains(r##"stroke="#999999""##) && svg.contains(r##"stroke="#0072b2""##));
        assert_eq!((texts(&svg, "median"), texts(&svg, "height y")), (1, 0));
    }
}
