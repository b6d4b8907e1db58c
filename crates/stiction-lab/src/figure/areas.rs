//! Filled areas: the bars of a histogram and the bands between two columns.

use super::builder::Builder;
use super::cells::Side;
use super::content::Content;
use super::error::Mistake;
use super::layers::{Bands, Bars};
use super::simplify::{Rect, clip_area, simplify, thin_strips};
use super::source::Rows;
use super::spec::Scale;
use super::svg::{Svg, number, pair, polyline};
use super::symbol::{Fill, Symbol};
use super::theme::{BAND, BAR, hex, ink};

/// Most bars of a layer.
const MOST_BARS: usize = 5000;
/// Bars narrower than this have no outline \[pt\]: it would hide the fill.
const OUTLINED: f64 = 2.0;
/// Largest distance between two vertical lines that stand for a band where the legend looks for a place \[pt\].
const RUNG: f64 = 5.0;

/// A bar in the units of the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bar {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) height: f64,
    pub(super) color: usize,
}

/// A band in the units of the data: `x`, lower and upper edge. All are finite.
#[derive(Debug, Clone)]
pub(super) struct Band {
    pub(super) points: Vec<(f64, f64, f64)>,
    pub(super) color: usize,
}

impl Builder<'_, '_> {
    pub(super) fn bars(&mut self, bars: &Bars) -> Result<(), Mistake> {
        let rows = self.source.table(bars.table.as_deref())?;
        let chosen = rows.chosen(&bars.only)?;
        rows.check_number("bars", chosen.len(), MOST_BARS, "use wider bins")?;
        let column = rows.column(&bars.y)?;
        let heights = rows.numbers(&bars.y)?;
        let color = rows.optional(bars.color.as_ref())?;
        let bins = self.bins(bars, rows, &chosen)?;
        self.y_names.add(column);
        let name = bars.label.clone().unwrap_or_else(|| column.label.clone());
        let own = self.own_color(color.is_some(), &name);
        for (row, bin) in chosen.into_iter().zip(bins) {
            let height = heights.get(row).copied().filter(|height| height.is_finite());
            let (Some(height), Some((low, high))) = (height, bin) else { continue };
            let (color_index, text) = self.look(color, row, own, &name);
            self.explain(Symbol::area(color_index, Fill::Bar), &text, color.is_some() || bars.label.is_some());
            self.parts.bars.push(Bar { low, high, height, color: color_index });
        }
        Ok(())
    }

    /// The edges of the bin of each chosen row.
    fn bins(&mut self, bars: &Bars, rows: Rows, chosen: &[usize]) -> Result<Vec<Option<(f64, f64)>>, Mistake> {
        match (&bars.x, &bars.low, &bars.high) {
            (Some(x), None, None) => {
                let centres = rows.numbers(x)?;
                self.x_names.add(rows.column(x)?);
                if chosen.is_empty() {
                    return Ok(Vec::new());
                }
                let log = self.panel.x_axis.scale == Scale::Log;
                let side = Side::new(chosen.iter().filter_map(|&row| centres.get(row).copied()), log);
                let uneven = "centres of bins that are not evenly spaced; \
                              give columns `low` and `high` with their edges instead";
                let bin = side.even_bins().ok_or_else(|| rows.bad_numbers(x, uneven))?;
                Ok(chosen.iter().map(|&row| centres.get(row).and_then(|&centre| bin.around(centre))).collect())
            }
            (None, Some(low), Some(high)) => {
                let span = rows.span(low, high, chosen)?;
                self.edge_names.0.add(rows.column(low)?);
                let finite = |(low, high): &(f64, f64)| low.is_finite() && high.is_finite();
                Ok(chosen.iter().map(|&row| span.at(row).filter(finite)).collect())
            }
            _ => Err(Mistake::BadLayer {
                layer: "bars",
                reason: "need either `x` (centres of the bins) or both `low` and `high` (their edges)",
            }),
        }
    }

    pub(super) fn bands(&mut self, bands: &Bands) -> Result<(), Mistake> {
        let rows = self.source.table(bands.table.as_deref())?;
        let chosen = rows.chosen(&bands.only)?;
        let x = rows.numbers(&bands.x)?;
        let span = rows.span(&bands.low, &bands.high, &chosen)?;
        let color = rows.optional(bands.color.as_ref())?;
        let (low, high) = (rows.column(&bands.low)?, rows.column(&bands.high)?);
        self.x_names.add(rows.column(&bands.x)?);
        self.edge_names.1.add(low);
        self.edge_names.1.add(high);
        let name = bands.label.clone().unwrap_or_else(|| format!("{} to {}", low.label, high.label));
        let own = self.own_color(color.is_some(), &name);
        let mut last = None;
        for row in chosen {
            let (Some(&x), Some((low, high))) = (x.get(row), span.at(row)) else { continue };
            if !(x.is_finite() && low.is_finite() && high.is_finite()) {
                last = None;
                continue;
            }
            let (index, name) = self.look(color, row, own, &name);
            if last != Some(index) {
                self.explain(Symbol::area(index, Fill::Band), &name, color.is_some() || bands.label.is_some());
                self.parts.bands.push(Band { points: Vec::new(), color: index });
                last = Some(index);
            }
            if let Some(band) = self.parts.bands.last_mut() {
                band.points.push((x, low, high));
            }
        }
        Ok(())
    }
}

/// Bars at their places in the axes, with the index of their colour; those of a colour follow each other.
pub(super) fn placed_bars(content: &Content, axes: Rect) -> Vec<(usize, Rect)> {
    let rim = axes.grown(4.0);
    let x = |value: f64, other: f64| {
        let share = content.x.share(value);
        (if share.is_nan() { other } else { share * axes.width }).clamp(rim.left, rim.right())
    };
    let y = |value: f64| content.down(value, axes).clamp(rim.top, rim.bottom());
    let base = if content.y.log { rim.bottom() } else { y(0.0) };
    let place = |bar: &Bar| {
        // a bin that begins at zero begins at the end of a logarithmic axis
        let (left, right, end) = (x(bar.low, rim.left), x(bar.high, f64::NAN), y(bar.height));
        let (top, bottom) = (end.min(base), end.max(base));
        let place = Rect { left, top, width: right - left, height: bottom - top };
        // the place is not a number where a logarithmic axis has none
        (place.width + place.height).is_finite().then_some((bar.color, place))
    };
    let mut colors: Vec<usize> = Vec::new();
    for bar in &content.parts.bars {
        if !colors.contains(&bar.color) {
            colors.push(bar.color);
        }
    }
    let of = |color: usize| content.parts.bars.iter().filter(move |bar| bar.color == color);
    colors.into_iter().flat_map(of).filter_map(place).filter(|(_, place)| place.meets(&rim)).collect()
}

/// Draws bars: all areas first, so that none hides the outlines of another colour.
pub(super) fn draw_bars(svg: &mut Svg, bars: &[(usize, Rect)]) {
    let mut outlines = Vec::new();
    for same in bars.chunk_by(|a, b| a.0 == b.0) {
        let Some((color, _)) = same.first() else { continue };
        let mut data = String::new();
        for (_, bar) in same {
            let (wide, high) = (number(bar.width), number(bar.height));
            data.push_str(&format!("M{}h{wide}v{high}h-{wide}z", pair((bar.left, bar.top))));
        }
        let ink = hex(ink(*color));
        svg.area(&data, &ink, &format!(r#" fill-opacity="{BAR}""#));
        let mean = same.iter().map(|(_, bar)| bar.width).sum::<f64>() / same.len() as f64;
        if mean >= OUTLINED {
            outlines.push((data, ink));
        }
    }
    outlines.iter().for_each(|(data, ink)| svg.path(data, ink, 0.5, ""));
}

/// Bands at their places in the axes: closed polygons, with the index of their colour, cut to the axes.
pub(super) fn placed_bands(content: &Content, axes: Rect) -> Vec<(usize, Vec<(f64, f64)>)> {
    let rim = axes.grown(4.0);
    let x = |value: f64| content.across(value, axes);
    let y = |value: f64| {
        let place = content.down(value, axes);
        // not positive on a logarithmic axis: below its lower end
        if place.is_nan() { rim.bottom() } else { place }
    };
    let thin = |edge: Vec<(f64, f64)>| {
        let strips = if edge.len() > 2000 { thin_strips(&edge, 0.2) } else { None };
        simplify(strips.as_deref().unwrap_or(&edge), 0.05)
    };
    let place = |band: &Band| {
        let visible = || band.points.iter().filter(|point| !x(point.0).is_nan());
        let mut outline = thin(visible().map(|&(at, _, high)| (x(at), y(high))).collect());
        outline.extend(thin(visible().map(|&(at, low, _)| (x(at), y(low))).collect()).into_iter().rev());
        (band.color, clip_area(&outline, rim))
    };
    content.parts.bands.iter().map(place).filter(|(_, outline)| outline.len() > 2).collect()
}

pub(super) fn draw_bands(svg: &mut Svg, bands: &[(usize, Vec<(f64, f64)>)]) {
    for (color, outline) in bands {
        let mut data = String::new();
        polyline(&mut data, outline);
        data.push('z');
        svg.area(&data, &hex(ink(*color)), &format!(r#" fill-opacity="{BAND}""#));
    }
}

/// Lines that fill the bands closely enough for the legend not to be put inside.
pub(super) fn rungs(content: &Content, axes: Rect) -> Vec<Vec<(f64, f64)>> {
    let place = |x: f64, y: f64| {
        let (across, down) = content.place((x, y), axes);
        (across, if down.is_nan() { axes.height } else { down })
    };
    let mut lines = Vec::new();
    for band in &content.parts.bands {
        let mut free_from = f64::NEG_INFINITY;
        for pair in band.points.windows(2) {
            let &[(x0, low0, high0), (x1, low1, high1)] = pair else { continue };
            let (from, to) = ([place(x0, low0), place(x0, high0)], [place(x1, low1), place(x1, high1)]);
            let count = ((to[0].0 - from[0].0).abs() / RUNG).clamp(1.0, 500.0) as u32;
            for step in 0..=count {
                let share = f64::from(step) / f64::from(count);
                let at = |end: usize| {
                    let mix = |a: f64, b: f64| a + share * (b - a);
                    from.get(end).zip(to.get(end)).map(|(a, b)| (mix(a.0, b.0), mix(a.1, b.1)))
                };
                let (Some(bottom), Some(top)) = (at(0), at(1)) else { continue };
                if (bottom.0 - free_from).abs() >= 0.9 * RUNG || step == count {
                    free_from = bottom.0;
                    lines.push(vec![bottom, top]);
                }
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Table;
    use crate::figure::colors::Colors;
    use crate::figure::source::Source;
    use crate::figure::spec::Panel;

    const AXES: Rect = Rect { left: 0.0, top: 0.0, width: 100.0, height: 50.0 };

    fn content(panel: &str) -> Content {
        let table = Table::new("t", "")
            .numbers("x", "m", "x", vec![1.0, 2.0, 4.0])
            .numbers("y", "m", "y", vec![2.0, 4.0, 0.5])
            .numbers("z", "m", "z", vec![-1.0, 1.0, 0.0]);
        let panel: Panel = toml::from_str(panel).unwrap();
        Content::new(&panel, Source(&[table]), &mut Colors::default()).unwrap()
    }

    #[test]
    fn bars_stand_on_zero_and_have_the_width_of_their_bins() {
        let content =
            content("bars = { x = \"x\", y = \"y\" }\nx_axis = { range = [0, 5] }\ny_axis = { range = [-1, 4] }");
        let places: Vec<[f64; 4]> =
            placed_bars(&content, AXES).iter().map(|(_, bar)| [bar.left, bar.width, bar.top, bar.bottom()]).collect();
        assert_eq!(places, [[10.0, 20.0, 20.0, 40.0], [30.0, 20.0, 0.0, 40.0], [70.0, 20.0, 35.0, 40.0]]);
    }

    #[test]
    fn the_axis_of_a_histogram_begins_at_zero_unless_it_is_logarithmic() {
        assert_eq!(content(r#"bars = { x = "x", y = "y" }"#).y.low, 0.0);
        let log = content("bars = { x = \"x\", y = \"y\" }\ny_axis = { scale = \"log\" }");
        assert!(log.y.low > 0.3 && log.y.low < 0.5);
        assert!(placed_bars(&log, AXES).iter().all(|(_, bar)| bar.bottom() >= AXES.height));
    }

    #[test]
    fn a_band_that_is_not_positive_leaves_a_logarithmic_axis_at_its_lower_end() {
        let content =
            content("bands = { x = \"x\", low = \"z\", high = \"y\" }\ny_axis = { scale = \"log\", range = [0.5, 4] }");
        let bands = placed_bands(&content, AXES);
        let lowest = bands[0].1.iter().map(|point| point.1).fold(0.0, f64::max);
        assert!(bands.len() == 1 && lowest > AXES.height, "{bands:?}");
        // 2 is two of the three doublings from 0.5 to 4
        assert!(bands[0].1.iter().any(|point| point.0 == 0.0 && (point.1 - 50.0 / 3.0).abs() < 1e-9));
    }
}
