//! The legend: in a corner that is free of data, or else above the axes.

use super::font::{Weight, cut, width};
use super::simplify::Rect;
use super::svg::{Svg, TextStyle};
use super::symbol::{Entry, LENGTH, Symbol};
use super::theme::{Dash, LEADING, SMALL};

/// Most entries of a legend; the rest is counted.
const MOST: usize = 24;
/// Most entries of a legend inside the axes.
const MOST_INSIDE: usize = 8;
/// Length of a symbol and its distance from the text.
const SYMBOL: (f64, f64) = (LENGTH, 4.0);
/// Free rim inside the box, and distance of the box from the frame.
const PAD: f64 = 3.0;
const ROW: f64 = SMALL * LEADING;

/// Where the legend is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Legend {
    Nowhere,
    /// In a free place inside the axes.
    Inside {
        place: Rect,
        entries: Vec<Entry>,
    },
    /// Rows above the axes.
    Above {
        rows: Vec<Vec<Entry>>,
    },
}

/// What is drawn in the axes and must not be covered.
#[derive(Debug, Default)]
pub(super) struct Obstacles {
    pub(super) lines: Vec<Vec<(f64, f64)>>,
    pub(super) dots: Vec<(f64, f64)>,
    pub(super) areas: Vec<Rect>,
}

impl Obstacles {
    pub(super) fn cover(&self, place: &Rect) -> bool {
        let place = place.grown(1.5);
        self.dots.iter().any(|&dot| place.holds(dot))
            || self.areas.iter().any(|area| place.meets(area))
            || self.lines.iter().any(|line| {
                line.windows(2).any(|pair| matches!(pair, [a, b] if place.cut(*a, *b).is_some()))
                    || matches!(line.as_slice(), [only] if place.holds(*only))
            })
    }
}

impl Legend {
    /// Finds a place: a free corner or edge of the axes (`inside` may forbid that), else above them.
    pub(super) fn place(entries: &[Entry], axes: Rect, obstacles: &Obstacles, inside: bool) -> Self {
        if entries.is_empty() {
            return Legend::Nowhere;
        }
        let mut shown: Vec<Entry> = entries.iter().take(MOST).map(|entry| shortened(entry, axes.width)).collect();
        if entries.len() > MOST {
            let text = format!("and {} more", entries.len() - MOST);
            shown.push(Entry { symbol: Symbol::style(Dash::Solid), text });
        }
        let wide = shown.iter().map(entry_width).fold(0.0, f64::max) + 2.0 * PAD;
        let high = shown.len() as f64 * ROW + 2.0 * PAD;
        if inside && shown.len() <= MOST_INSIDE && wide <= 0.6 * axes.width && high <= 0.6 * axes.height {
            let (right, bottom) = (axes.width - wide - PAD, axes.height - high - PAD);
            let (centre, middle) = (0.5 * (axes.width - wide), 0.5 * (axes.height - high));
            let corners = [(right, PAD), (PAD, PAD), (right, bottom), (PAD, bottom)];
            let edges = [(right, middle), (PAD, middle), (centre, PAD), (centre, bottom)];
            for (left, top) in corners.into_iter().chain(edges) {
                let place = Rect { left, top, width: wide, height: high };
                if !obstacles.cover(&place) {
                    return Legend::Inside { place, entries: shown };
                }
            }
        }
        let mut rows: Vec<Vec<Entry>> = Vec::new();
        let mut used = f64::INFINITY;
        for entry in shown {
            let width = entry_width(&entry) + 10.0;
            if used + width > axes.width + 10.0 {
                rows.push(Vec::new());
                used = 0.0;
            }
            used += width;
            if let Some(row) = rows.last_mut() {
                row.push(entry);
            }
        }
        Legend::Above { rows }
    }

    /// Height that the legend takes above the axes \[pt\].
    pub(super) fn height_above(&self) -> f64 {
        if let Legend::Above { rows } = self { rows.len() as f64 * ROW + 3.0 } else { 0.0 }
    }

    /// Draws the legend; `above` is the top of its rows if it is above the axes.
    pub(super) fn draw(&self, svg: &mut Svg, above: f64) {
        match self {
            Legend::Nowhere => {}
            Legend::Inside { place, entries } => {
                // no data are here: only the grid is covered
                svg.rectangle(place.left, place.top, place.width, place.height, "#ffffff", "");
                for (index, entry) in entries.iter().enumerate() {
                    draw_entry(svg, place.left + PAD, place.top + PAD + (index as f64 + 0.5) * ROW, entry);
                }
            }
            Legend::Above { rows } => {
                for (index, row) in rows.iter().enumerate() {
                    let mut left = 0.0;
                    for entry in row {
                        draw_entry(svg, left, above + (index as f64 + 0.5) * ROW, entry);
                        left += entry_width(entry) + 10.0;
                    }
                }
            }
        }
    }
}

fn shortened(entry: &Entry, limit: f64) -> Entry {
    let limit = limit - symbol_width(entry) - 2.0 * PAD;
    Entry { symbol: entry.symbol, text: cut(&entry.text, SMALL, Weight::Regular, limit) }
}

fn entry_width(entry: &Entry) -> f64 {
    symbol_width(entry) + width(&entry.text, SMALL, Weight::Regular)
}

/// Width of the symbol and its distance from the text.
fn symbol_width(entry: &Entry) -> f64 {
    if entry.symbol.is_nothing() { 0.0 } else { SYMBOL.0 + SYMBOL.1 }
}

fn draw_entry(svg: &mut Svg, left: f64, middle: f64, entry: &Entry) {
    entry.symbol.draw(svg, left, middle);
    svg.text(left + symbol_width(entry), middle + 0.36 * SMALL, &entry.text, TextStyle::new(SMALL));
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: Rect = Rect { left: 0.0, top: 0.0, width: 200.0, height: 140.0 };

    fn entries(count: usize) -> Vec<Entry> {
        (0..count).map(|i| Entry { symbol: Symbol::line(i, Dash::Solid), text: format!("entry {i}") }).collect()
    }

    #[test]
    fn a_legend_takes_the_first_corner_without_data() {
        let top_right = Obstacles { lines: vec![vec![(150.0, 0.0), (200.0, 20.0)]], ..Obstacles::default() };
        match Legend::place(&entries(2), AXES, &top_right, true) {
            Legend::Inside { place, .. } => assert_eq!((place.left, place.top), (PAD, PAD)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_legend_without_free_place_stands_above() {
        let everywhere = (0..200).map(|i| vec![(0.0, f64::from(i)), (200.0, f64::from(i))]).collect();
        let full = Obstacles { lines: everywhere, ..Obstacles::default() };
        let legend = Legend::place(&entries(9), AXES, &full, true);
        assert!(matches!(&legend, Legend::Above { rows } if rows.len() > 1) && legend.height_above() > 0.0);
    }

    #[test]
    fn thousands_of_entries_are_counted() {
        match Legend::place(&entries(3000), AXES, &Obstacles::default(), true) {
            Legend::Above { rows } => assert_eq!(rows.last().unwrap().last().unwrap().text, "and 2976 more"),
            other => panic!("{other:?}"),
        }
    }
}
