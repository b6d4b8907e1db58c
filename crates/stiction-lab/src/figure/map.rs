//! Maps: a grid of coloured cells, kept in the picture as one small image whatever the number of cells.

use super::cells::Side;
use super::colors::{Colors, Use};
use super::content::given_range;
use super::error::Mistake;
use super::layers::Map;
use super::meaning;
use super::scale::{Extent, Range};
use super::simplify::Rect;
use super::source::{Source, readable, text};
use super::spec::{Panel, Scale};
use super::svg::number;
use super::symbol::{Entry, Fill, Symbol};
use super::theme::{Rgb, area, gradient};
use crate::dataset::{Column, Data};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Most cells along one side.
const MOST: usize = 4000;
/// Shades of a colour bar.
const SHADES: usize = 200;
/// Words that can have a colour of their own.
const WORDS: usize = 250;

/// What a map shows.
#[derive(Debug, Clone)]
pub(super) struct MapContent {
    pub(super) x_name: Column,
    pub(super) y_name: Column,
    x: Side,
    y: Side,
    /// Palette index of every cell, row by row from the lowest `y`; 0 is an empty cell.
    cells: Vec<u8>,
    palette: Vec<Rgb>,
    /// Words and their colours, or nothing for numbers.
    words: Vec<(String, usize)>,
    /// What the words are, before them in the legend.
    heading: Option<String>,
    /// For numbers: what the colour bar is called, its unit and its range.
    pub(super) bar: Option<(String, String, Range)>,
}

impl MapContent {
    pub(super) fn new(map: &Map, panel: &Panel, source: Source, colors: &mut Colors) -> Result<Self, Mistake> {
        let rows = source.table(map.table.as_deref())?;
        let chosen = rows.chosen(&map.only)?;
        let (x, y) = (rows.numbers(&map.x)?, rows.numbers(&map.y)?);
        let color = rows.column(&map.color)?;
        let logs = (panel.x_axis.scale == Scale::Log, panel.y_axis.scale == Scale::Log);
        let side = |values: &[f64], log| Side::new(chosen.iter().filter_map(|&row| values.get(row).copied()), log);
        let (x_side, y_side) = (side(&x, logs.0), side(&y, logs.1));
        let (columns, lines) = (x_side.centres.len(), y_side.centres.len());
        if columns > MOST || lines > MOST {
            return Err(Mistake::MapTooLarge { table: rows.name().to_owned(), columns, rows: lines });
        }
        let mut content = Self {
            x_name: bare(rows.column(&map.x)?),
            y_name: bare(rows.column(&map.y)?),
            x: x_side,
            y: y_side,
            cells: vec![0; columns * lines],
            palette: vec![[255, 255, 255]],
            words: Vec::new(),
            heading: map.label.clone(),
            bar: None,
        };
        let place = |content: &Self, row: usize| {
            let column = content.x.index(*x.get(row)?)?;
            Some(content.y.index(*y.get(row)?)? * columns + column)
        };
        if let Data::Words(_) = color.data {
            let mut known = std::collections::BTreeMap::new();
            for &row in &chosen {
                let word = text(color, row);
                if word.is_empty() {
                    continue;
                }
                let shade = match known.get(word.as_ref()) {
                    Some(&shade) => shade,
                    None => {
                        let shade = content.words.len().min(WORDS) as u8 + 1;
                        let index = colors.of(&word, Use::Plain);
                        content.words.push((readable(&word), index));
                        if content.palette.len() <= WORDS {
                            content.palette.push(area(index));
                        }
                        known.insert(word.into_owned(), shade.min(WORDS as u8));
                        shade.min(WORDS as u8)
                    }
                };
                content.paint(place(&content, row), shade);
            }
            // the sort is stable: words without a meaning stay in the order in which they came
            content.words.sort_by_key(|(word, _)| meaning::rank(word).unwrap_or(usize::MAX));
        } else {
            let values = rows.numbers(&map.color)?;
            let log = map.scale == Scale::Log;
            let mut extent = Extent::default();
            chosen.iter().filter_map(|&row| values.get(row)).for_each(|&value| extent.add(value, log));
            let range = match map.range {
                Some(ends) => given_range(ends, log, "map")?,
                None => Range::fit(extent, log, 0.0),
            };
            content.palette.extend((0..SHADES).map(|shade| gradient(shade as f64 / (SHADES - 1) as f64)));
            let drawn =
                |row: usize| values.get(row).copied().filter(|&value| value.is_finite() && !(log && value <= 0.0));
            for &row in &chosen {
                let Some(value) = drawn(row) else { continue };
                let shade = (range.share(value).clamp(0.0, 1.0) * (SHADES - 1) as f64).round() as u8 + 1;
                content.paint(place(&content, row), shade);
            }
            content.bar = Some((map.label.clone().unwrap_or_else(|| color.label.clone()), color.unit.clone(), range));
        }
        Ok(content)
    }

    fn paint(&mut self, place: Option<usize>, shade: u8) {
        if let Some(cell) = place.and_then(|place| self.cells.get_mut(place)) {
            *cell = shade;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cells.iter().all(|&cell| cell == 0)
    }

    pub(super) fn x_edges(&self) -> &[f64] {
        &self.x.edges
    }

    pub(super) fn y_edges(&self) -> &[f64] {
        &self.y.edges
    }

    pub(super) fn legend(&self) -> Vec<Entry> {
        let entry =
            |(text, color): &(String, usize)| Entry { symbol: Symbol::area(*color, Fill::Cell), text: text.clone() };
        let heading = self.heading.iter().filter(|_| !self.words.is_empty());
        let heading = heading.map(|text| Entry { symbol: Symbol::default(), text: format!("{text}:") });
        heading.chain(self.words.iter().map(entry)).collect()
    }

    /// The map as an SVG image at its place in the axes.
    pub(super) fn image(&self, axes: Rect, x: Range, y: Range) -> Result<String, Mistake> {
        let (columns, lines) = (self.x.pixels(), self.y.pixels());
        let ends = |edges: &[f64]| edges.first().copied().zip(edges.last().copied());
        let (Some((west, east)), Some((south, north))) = (ends(&self.x.edges), ends(&self.y.edges)) else {
            return Ok(String::new());
        };
        let across = self.x.centres.len();
        let mut pixels = Vec::with_capacity(columns.len() * lines.len());
        for &line in lines.iter().rev() {
            pixels.extend(columns.iter().map(|&column| self.cells.get(line * across + column).copied().unwrap_or(0)));
        }
        let (left, right) = (axes.left + x.share(west) * axes.width, axes.left + x.share(east) * axes.width);
        let (top, bottom) =
            (axes.bottom() - y.share(north) * axes.height, axes.bottom() - y.share(south) * axes.height);
        let place = Rect { left, top, width: right - left, height: bottom - top };
        image(place, &pixels, (columns.len(), lines.len()), &self.palette)
    }
}

/// The column without its data: name, unit and label for an axis.
fn bare(column: &Column) -> Column {
    Column {
        name: column.name.clone(),
        unit: column.unit.clone(),
        label: column.label.clone(),
        data: Data::Numbers(Vec::new()),
    }
}

/// Columns and lines of pixels as an SVG image, with a palette whose first colour is transparent.
pub(super) fn image(
    place: Rect,
    pixels: &[u8],
    (columns, lines): (usize, usize),
    palette: &[Rgb],
) -> Result<String, Mistake> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, columns as u32, lines as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_trns(vec![0]);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(format!(
        r#"<image x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{}"/>"#,
        number(place.left),
        number(place.top),
        number(place.width),
        number(place.height),
        STANDARD.encode(file)
    ))
}
