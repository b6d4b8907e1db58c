//! Words beside points.

use super::content::Content;
use super::font::{Weight, cut, width};
use super::legend::Obstacles;
use super::simplify::Rect;
use super::svg::{Svg, TextStyle};
use super::theme::SMALL;

/// Most words of a layer.
pub(super) const MOST: usize = 60;
/// Distance of a word from its point \[pt\].
const GAP: f64 = 3.0;
/// Longest word \[pt\].
const LONGEST: f64 = 60.0;

/// A word at a place in the units of the data.
#[derive(Debug, Clone)]
pub(super) struct Tag {
    pub(super) at: (f64, f64),
    pub(super) text: String,
}

/// A word at its place in the axes.
#[derive(Debug, Clone)]
pub(super) struct PlacedTag {
    pub(super) place: Rect,
    text: String,
}

/// Places every visible word beside its point, where it covers least: on its right, on its left, above or below.
pub(super) fn placed(content: &Content, axes: Rect, obstacles: &Obstacles) -> Vec<PlacedTag> {
    let mut placed: Vec<PlacedTag> = Vec::new();
    for tag in &content.parts.tags {
        let at = content.place(tag.at, axes);
        let text = cut(&tag.text, SMALL, Weight::Bold, LONGEST);
        if !axes.holds(at) || text.is_empty() {
            continue;
        }
        let (wide, high) = (width(&text, SMALL, Weight::Bold), SMALL);
        let (centre, middle) = (at.0 - 0.5 * wide, at.1 - 0.5 * high);
        let corners =
            [(at.0 + GAP, middle), (at.0 - GAP - wide, middle), (centre, at.1 - GAP - high), (centre, at.1 + GAP)];
        let places = corners.map(|(left, top)| Rect { left, top, width: wide, height: high });
        let inside = |place: &&Rect| {
            place.left >= 1.0 && place.top >= 1.0 && place.right() < axes.width && place.bottom() < axes.height
        };
        let free = |place: &&Rect| !obstacles.cover(place) && placed.iter().all(|other| !other.place.meets(place));
        let best = places.iter().filter(inside).find(free).or_else(|| places.iter().find(inside));
        if let Some(&place) = best {
            placed.push(PlacedTag { place, text });
        }
    }
    placed
}

pub(super) fn draw(svg: &mut Svg, tags: &[PlacedTag]) {
    for tag in tags {
        let style = TextStyle::new(SMALL).bold().haloed();
        svg.text(tag.place.left, tag.place.top + 0.86 * SMALL, &tag.text, style);
    }
}
