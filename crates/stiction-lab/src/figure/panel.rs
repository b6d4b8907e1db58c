//! One panel: plans how much room everything needs, then draws it.

use super::areas::{draw_bands, draw_bars, placed_bands, placed_bars, rungs};
use super::arrows::{self, PlacedArrow};
use super::color_bar;
use super::content::Content;
use super::error::Mistake;
use super::font::{Weight, width, wrap};
use super::legend::{Legend, Obstacles};
use super::markers::MarkerPlan;
use super::scale::Range;
use super::simplify::{Rect, clip};
use super::strokes::{Polyline, dots, push_pieces, strokes};
use super::svg::{Anchor, Svg, TextStyle, number, polyline};
use super::symbol::{Entry, Fill};
use super::tags::{self, PlacedTag};
use super::theme::{ASPECT, FRAME, GREY, GRID, INK, LEADING, SMALL, TEXT, TICK, hex, ink};
use super::ticks::Ticks;
use super::whiskers::{self, PlacedWhisker};

/// Ticks of a longer axis are at whole numbers anyway.
const MANY: f64 = 50.0;

/// Room around the axes \[pt\].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Margins {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// A panel of known size: everything in the coordinates of its axes, whose upper left corner is the origin.
pub(super) struct PanelPlan<'a> {
    content: &'a Content,
    pub(super) axes: Rect,
    pub(super) margins: Margins,
    x_ticks: Ticks,
    y_ticks: Ticks,
    bar_ticks: Ticks,
    heading: Vec<String>,
    x_label: Vec<String>,
    y_label: Vec<String>,
    legend: Legend,
    markers: MarkerPlan,
    /// Pieces of every line of the content.
    strokes: Vec<Vec<Vec<(f64, f64)>>>,
    dots: Vec<Vec<Polyline>>,
    bars: Vec<(usize, Rect)>,
    bands: Vec<(usize, Vec<(f64, f64)>)>,
    whiskers: Vec<PlacedWhisker>,
    arrows: Vec<PlacedArrow>,
    tags: Vec<PlacedTag>,
}

impl<'a> PanelPlan<'a> {
    /// Plans a panel whose axes are `wide` \[pt\].
    pub(super) fn new(content: &'a Content, wide: f64) -> Self {
        let axes = Rect { left: 0.0, top: 0.0, width: wide, height: wide * content.panel.aspect.unwrap_or(ASPECT) };
        let across = |label: &str| (width(label, SMALL, Weight::Regular) + 7.0).max(24.0);
        let upright = |_: &str| 2.1 * SMALL;
        let x_ticks = ticks(content.x, axes.width, &across, content.x_names.are_whole());
        let y_ticks = ticks(content.y, axes.height, &upright, content.y_names.are_whole());
        let bar = content.map.as_ref().and_then(|map| map.bar.as_ref());
        let bar_ticks = bar.map(|(_, _, range)| Ticks::new(*range, axes.height, &upright)).unwrap_or_default();
        let heading = wrap(&content.panel.heading, TEXT, Weight::Bold, axes.width + 10.0);
        let x_label = content.x_names.lines(x_ticks.factor, axes.width + 20.0);
        let y_label = content.y_names.lines(y_ticks.factor, axes.height + 10.0);
        let markers = MarkerPlan::new(&content.parts.marks, content.x, axes.width);
        let strokes = strokes(content, axes);
        let dots = dots(content, axes);
        let mut entries = content.parts.legend.clone();
        let mut plan = Self {
            content,
            axes,
            margins: Margins::default(),
            x_ticks,
            y_ticks,
            bar_ticks,
            heading,
            x_label,
            y_label,
            legend: Legend::Nowhere,
            markers,
            strokes,
            dots,
            bars: placed_bars(content, axes),
            bands: placed_bands(content, axes),
            whiskers: whiskers::placed(content, axes),
            arrows: arrows::placed(content, axes),
            tags: Vec::new(),
        };
        let mut obstacles = plan.obstacles();
        plan.tags = tags::placed(content, axes, &obstacles);
        obstacles.areas.extend(plan.tags.iter().map(|tag| tag.place));
        entries.retain(|entry| plan.shows(entry));
        plan.legend = Legend::place(&entries, axes, &obstacles, content.map.is_none());
        plan.margins = plan.room();
        plan
    }

    /// Whether anything of an entry's colour is inside the axes: a legend does not name what cannot be seen.
    fn shows(&self, entry: &Entry) -> bool {
        let Some(color) = entry.symbol.color else { return true };
        let parts = &self.content.parts;
        let lines = parts.lines.iter().zip(&self.strokes).filter(|(_, pieces)| !pieces.is_empty());
        let dots = parts.dots.iter().zip(&self.dots).filter(|(_, runs)| !runs.is_empty());
        let mut seen = lines.map(|(line, _)| line.color).chain(dots.map(|(dots, _)| dots.color));
        let mut areas = self.bars.iter().map(|bar| bar.0).chain(self.bands.iter().map(|band| band.0));
        let symbol = &entry.symbol;
        let other = symbol.fill == Some(Fill::Cell) || symbol.arrow || symbol.whisker;
        other || seen.any(|it| it == color) || areas.any(|it| it == color)
    }

    fn obstacles(&self) -> Obstacles {
        let mut lines: Vec<Vec<(f64, f64)>> = self.strokes.iter().flatten().cloned().collect();
        let Rect { width, height, .. } = self.axes;
        lines.extend(self.markers.places().map(|x| vec![(x, 0.0), (x, height)]));
        let panel = &self.content.panel;
        lines.extend(panel.vertical.iter().map(|&x| self.x_of(x)).map(|x| vec![(x, 0.0), (x, height)]));
        lines.extend(panel.horizontal.iter().map(|&y| self.y_of(y)).map(|y| vec![(0.0, y), (width, y)]));
        if panel.diagonal {
            lines.extend(self.diagonal());
        }
        let (single, long): (Vec<&Polyline>, Vec<&Polyline>) =
            self.dots.iter().flatten().partition(|run| run.length == 0.0);
        lines.extend(long.iter().map(|run| vec![run.start, (run.start.0 + run.length, run.start.1)]));
        lines.extend(self.whiskers.iter().map(PlacedWhisker::line));
        lines.extend(self.arrows.iter().map(|arrow| vec![arrow.from, arrow.to]));
        lines.extend(rungs(self.content, self.axes));
        let areas = self.bars.iter().map(|(_, bar)| *bar).collect();
        Obstacles { lines, dots: single.iter().map(|run| run.start).collect(), areas }
    }

    fn room(&self) -> Margins {
        let measure = |label: &str| width(label, SMALL, Weight::Regular);
        let overhang = self.x_ticks.major.iter().map(|tick| {
            let place = self.x_of(tick.value);
            let half = 0.5 * measure(&tick.label);
            (half - place, place + half - self.axes.width)
        });
        let (before, beyond) = overhang.fold((0.0_f64, 0.0_f64), |(a, b), (x, y)| (a.max(x), b.max(y)));
        let lines = |count: usize, size: f64| count as f64 * size * LEADING;
        let left = TICK + 2.0 + self.y_ticks.widest(&measure) + 3.0 + lines(self.y_label.len(), TEXT);
        let bar = match self.content.map.as_ref().and_then(|map| map.bar.as_ref()) {
            Some(_) => color_bar::room(&self.bar_ticks),
            None => 0.0,
        };
        Margins {
            left: left.max(before),
            right: beyond.max(bar).max(2.0),
            top: lines(self.heading.len(), TEXT) + self.legend.height_above() + self.markers.band + 3.0,
            bottom: TICK + 2.0 + SMALL * LEADING + lines(self.x_label.len(), TEXT) + 2.0,
        }
    }

    /// Draws the panel with the origin of its axes at that place of the picture; `margins` are those of its row and
    /// column.
    pub(super) fn draw(&self, svg: &mut Svg, at: (f64, f64), margins: Margins) -> Result<(), Mistake> {
        svg.raw(&format!(r#"<g transform="translate({} {})">"#, number(at.0), number(at.1)));
        let Rect { width, height, .. } = self.axes;
        // a nested viewport cuts what is outside, without an identifier that another picture of a page may use as well
        svg.raw(&format!(r#"<svg width="{}" height="{}" overflow="hidden">"#, number(width), number(height)));
        match &self.content.map {
            Some(map) => {
                let image = map.image(self.axes, self.content.x, self.content.y)?;
                if !image.is_empty() {
                    svg.raw(&image);
                }
            }
            None => self.draw_grid(svg),
        }
        draw_bars(svg, &self.bars);
        draw_bands(svg, &self.bands);
        self.draw_references(svg);
        self.markers.draw_lines(svg, height);
        arrows::draw(svg, &self.arrows, self.content.map.is_some());
        self.draw_strokes(svg);
        whiskers::draw(svg, &self.whiskers, self.axes);
        self.draw_dots(svg);
        tags::draw(svg, &self.tags);
        svg.raw("</svg>");
        self.draw_frame(svg);
        self.draw_labels(svg, margins);
        if let Some(bar) = self.content.map.as_ref().and_then(|map| map.bar.as_ref()) {
            color_bar::draw(svg, bar, &self.bar_ticks, self.axes)?;
        }
        self.markers.draw_labels(svg);
        self.legend.draw(svg, -self.markers.band - self.legend.height_above());
        if self.content.is_empty() {
            let style = TextStyle::new(TEXT).anchor(Anchor::Middle).fill(GREY);
            svg.text(0.5 * width, 0.5 * height, "no data", style);
        }
        svg.raw("</g>");
        Ok(())
    }

    fn x_of(&self, value: f64) -> f64 {
        self.content.across(value, self.axes)
    }

    fn y_of(&self, value: f64) -> f64 {
        self.content.down(value, self.axes)
    }

    fn draw_grid(&self, svg: &mut Svg) {
        let Rect { width, height, .. } = self.axes;
        let mut data = String::new();
        for tick in &self.x_ticks.major {
            data.push_str(&format!("M{} 0v{}", number(self.x_of(tick.value)), number(height)));
        }
        for tick in &self.y_ticks.major {
            data.push_str(&format!("M0 {}h{}", number(self.y_of(tick.value)), number(width)));
        }
        svg.path(&data, GRID, 0.5, "");
    }

    fn diagonal(&self) -> Vec<Vec<(f64, f64)>> {
        let low = self.content.x.low.max(self.content.y.low);
        let high = self.content.x.high.min(self.content.y.high);
        if low >= high {
            return Vec::new();
        }
        // on mixed scales y = x is a curve
        let steps = if self.content.x.log == self.content.y.log { 1 } else { 64 };
        let at = |step: i32| {
            let value = low + (high - low) * f64::from(step) / f64::from(steps);
            (self.x_of(value), self.y_of(value))
        };
        clip(&(0..=steps).map(at).collect::<Vec<_>>(), self.axes)
    }

    fn draw_references(&self, svg: &mut Svg) {
        let Rect { width, height, .. } = self.axes;
        let panel = &self.content.panel;
        for &value in panel.vertical.iter().filter(|&&value| self.content.x.holds(value)) {
            svg.line((self.x_of(value), 0.0), (self.x_of(value), height), GREY, 0.6, "");
        }
        for &value in panel.horizontal.iter().filter(|&&value| self.content.y.holds(value)) {
            svg.line((0.0, self.y_of(value)), (width, self.y_of(value)), GREY, 0.6, "");
        }
        if panel.diagonal {
            let mut data = String::new();
            self.diagonal().iter().for_each(|piece| polyline(&mut data, piece));
            svg.path(&data, GREY, 0.6, "");
        }
    }

    fn draw_strokes(&self, svg: &mut Svg) {
        // neighbours that look the same share a path
        let mut lines = self.content.parts.lines.iter().zip(&self.strokes).peekable();
        while let Some((line, pieces)) = lines.next() {
            let mut data = String::new();
            push_pieces(&mut data, pieces);
            let look = (line.color, line.dash, line.width);
            while let Some((_, pieces)) = lines.next_if(|(next, _)| (next.color, next.dash, next.width) == look) {
                push_pieces(&mut data, pieces);
            }
            let extra = format!(r#" stroke-linejoin="round" stroke-linecap="{}"{}"#, "butt", line.dash.attributes());
            svg.path(&data, &hex(ink(line.color)), line.width, &extra);
        }
    }

    fn draw_dots(&self, svg: &mut Svg) {
        for (dots, runs) in self.content.parts.dots.iter().zip(&self.dots) {
            dots.shape.draw(svg, runs, dots.diameter(), &hex(ink(dots.color)));
        }
    }

    fn draw_frame(&self, svg: &mut Svg) {
        let Rect { width, height, .. } = self.axes;
        let mut ticks = format!("M0 0h{}v{}h-{}z", number(width), number(height), number(width));
        let minor = self.x_ticks.minor.iter().map(|&value| (value, 0.55 * TICK));
        for (value, length) in self.x_ticks.major.iter().map(|tick| (tick.value, TICK)).chain(minor) {
            ticks.push_str(&format!("M{} {}v{}", number(self.x_of(value)), number(height), number(length)));
        }
        let minor = self.y_ticks.minor.iter().map(|&value| (value, 0.55 * TICK));
        for (value, length) in self.y_ticks.major.iter().map(|tick| (tick.value, TICK)).chain(minor) {
            ticks.push_str(&format!("M0 {}h-{}", number(self.y_of(value)), number(length)));
        }
        svg.path(&ticks, INK, FRAME, "");
        let (below, beside) = (TextStyle::new(SMALL).anchor(Anchor::Middle), TextStyle::new(SMALL).anchor(Anchor::End));
        for tick in self.x_ticks.major.iter().filter(|tick| !tick.label.is_empty()) {
            svg.text(self.x_of(tick.value), height + TICK + 2.0 + 0.8 * SMALL, &tick.label, below);
        }
        for tick in self.y_ticks.major.iter().filter(|tick| !tick.label.is_empty()) {
            svg.text(-TICK - 2.0, self.y_of(tick.value) + 0.36 * SMALL, &tick.label, beside);
        }
    }

    fn draw_labels(&self, svg: &mut Svg, margins: Margins) {
        let Rect { width, height, .. } = self.axes;
        let centred = TextStyle::new(TEXT).anchor(Anchor::Middle);
        let mut below = height + TICK + 2.0 + SMALL * LEADING;
        for line in &self.x_label {
            svg.text(0.5 * width, below + 0.9 * TEXT, line, centred);
            below += TEXT * LEADING;
        }
        let mut beside = -margins.left + 0.85 * TEXT;
        for line in &self.y_label {
            svg.text(beside, 0.5 * height, line, centred.upwards());
            beside += TEXT * LEADING;
        }
        let mut above = 3.0 - self.margins.top;
        for line in &self.heading {
            svg.text(0.0, above + 0.75 * TEXT, line, TextStyle::new(TEXT).bold());
            above += TEXT * LEADING;
        }
    }
}

/// The ticks of an axis; between whole numbers there are none.
fn ticks(range: Range, length: f64, room: &dyn Fn(&str) -> f64, whole: bool) -> Ticks {
    if !whole || range.log || range.length() > MANY {
        return Ticks::new(range, length, room);
    }
    let mut ticks = Ticks::new(range, length, &|label| if label.contains('.') { f64::INFINITY } else { room(label) });
    ticks.minor.retain(|value| (value - value.round()).abs() < 1e-6);
    ticks
}
