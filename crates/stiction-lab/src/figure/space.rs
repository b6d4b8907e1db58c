//! Curves and points in three dimensions: looked up in the tables, and seen from a direction.

use super::builder::{Builder, MUTED_OR_COLORED};
use super::colors::Colors;
use super::content::{Names, given_range};
use super::error::Mistake;
use super::layers::{Curve, Space};
use super::pen::{Dots, Line, Pen};
use super::scale::{Extent, Range};
use super::source::{Source, text};
use super::spec::{Axis, Panel, Scale};
use super::symbol::Entry;
use super::theme::{Dash, PALE};
use stiction::num::real::{cos, sin};

/// A place or direction in the box, whose centre is the origin.
pub(super) type Vector = [f64; 3];

/// Height of the box divided by its width, unless the axes have equal units.
const HEIGHT: f64 = 0.8;
/// Shortest side of a box with equal units, divided by its longest one.
const FLATTEST: f64 = 0.15;

/// What a panel with a view of space shows.
#[derive(Debug, Clone)]
pub(super) struct SpaceContent {
    pub(super) panel: Panel,
    pub(super) ranges: [Range; 3],
    pub(super) names: [Names; 3],
    /// Lengths of the box.
    pub(super) sides: Vector,
    pub(super) view: View,
    pub(super) lines: Vec<Line<Vector>>,
    pub(super) dots: Vec<Dots<Vector>>,
    pub(super) legend: Vec<Entry>,
}

/// The directions of a picture, in those of the box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct View {
    pub(super) right: Vector,
    pub(super) up: Vector,
    /// Towards the viewer.
    pub(super) toward: Vector,
}

impl View {
    /// The view from a direction given by two angles \[deg\].
    pub(super) fn new(azimuth: f64, elevation: f64) -> Self {
        let (sine, cosine) = turn(azimuth);
        let (rise, flat) = turn(elevation);
        Self {
            right: [-sine, cosine, 0.0],
            up: [-rise * cosine, -rise * sine, flat],
            toward: [flat * cosine, flat * sine, rise],
        }
    }
}

/// Sine and cosine of an angle \[deg\], exact at quarters of a turn.
fn turn(degrees: f64) -> (f64, f64) {
    let angle = degrees.to_radians();
    let exact = |value: f64| if value.abs() < 1e-12 { 0.0 } else { value };
    (exact(sin(angle)), exact(cos(angle)))
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl SpaceContent {
    /// Looks up everything that a view of space shows.
    pub(super) fn new(panel: &Panel, space: &Space, source: Source<'_>, colors: &mut Colors) -> Result<Self, Mistake> {
        check(panel, space)?;
        let mut builder = Builder::new(panel, source, colors);
        let mut z_names = Names::of(&space.z_axis);
        let (mut lines, mut dots) = (Vec::new(), Vec::new());
        let layers =
            space.lines.iter().map(|curve| (curve, true)).chain(space.points.iter().map(|curve| (curve, false)));
        for (curve, joined) in layers {
            let pen = builder.curve(curve, joined, &mut z_names)?;
            let (more_lines, more_dots) = pen.finish();
            lines.extend(more_lines);
            dots.extend(more_dots);
        }
        let axes = [("x_axis", &panel.x_axis), ("y_axis", &panel.y_axis), ("space.z_axis", &space.z_axis)];
        let points = || lines.iter().flat_map(|line| &line.points).chain(dots.iter().flat_map(|dots| &dots.points));
        let range = |index: usize| {
            let (name, axis) = axes.get(index).copied().unwrap_or(("space.z_axis", &space.z_axis));
            range(points().filter_map(|point| point.get(index).copied()), axis, name)
        };
        let mut ranges = [range(0)?, range(1)?, range(2)?];
        let sides = if panel.equal { equal_sides(&mut ranges) } else { [1.0, 1.0, HEIGHT] };
        Ok(Self {
            panel: panel.clone(),
            ranges,
            names: [builder.x_names, builder.y_names, z_names],
            sides,
            view: View::new(space.azimuth, space.elevation),
            legend: builder.parts.legend,
            lines,
            dots,
        })
    }

    /// Whether there is nothing to see.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.dots.iter().all(|dots| dots.points.is_empty())
    }

    /// The place of a point in the box; not finite where a logarithmic axis has none.
    pub(super) fn place(&self, point: Vector) -> Vector {
        let mut place = [0.0; 3];
        for (((place, value), range), side) in place.iter_mut().zip(point).zip(&self.ranges).zip(self.sides) {
            *place = (range.share(value) - 0.5) * side;
        }
        place
    }
}

impl Builder<'_, '_> {
    fn curve(&mut self, curve: &Curve, joined: bool, z_names: &mut Names) -> Result<Pen<Vector>, Mistake> {
        self.check_size(curve.size)?;
        let rows = self.source.table(curve.table.as_deref())?;
        let (x, y, z) = (rows.numbers(&curve.x)?, rows.numbers(&curve.y)?, rows.numbers(&curve.z)?);
        let split = rows.optional(curve.split.as_ref())?;
        let color = rows.optional(curve.color.as_ref())?;
        self.x_names.add(rows.column(&curve.x)?);
        self.y_names.add(rows.column(&curve.y)?);
        let column = rows.column(&curve.z)?;
        z_names.add(column);
        let name = curve.label.clone().unwrap_or_else(|| column.label.clone());
        if curve.muted && color.is_some() {
            return Err(Mistake::BadLayer { layer: "space", reason: MUTED_OR_COLORED });
        }
        let own = if curve.muted { PALE } else { self.own_color(color.is_some(), &name) };
        let mut pen = Pen::new(joined, split.is_some(), curve.size);
        for row in rows.chosen(&curve.only)? {
            let (Some(&x), Some(&y), Some(&z)) = (x.get(row), y.get(row), z.get(row)) else { continue };
            let part = split.map(|column| text(column, row).into_owned()).unwrap_or_default();
            let look = self.look(color, row, own, &name);
            pen.to([x, y, z], part, look, Dash::Solid);
        }
        if !curve.muted || curve.label.is_some() {
            self.explain_pen(&pen, color.is_some() || curve.label.is_some(), false);
        }
        Ok(pen)
    }
}

fn check(panel: &Panel, space: &Space) -> Result<(), Mistake> {
    if !(-360.0..=360.0).contains(&space.azimuth) {
        return Err(Mistake::value("space.azimuth", space.azimuth, "must be between -360 and 360 degrees"));
    }
    if !(-90.0..=90.0).contains(&space.elevation) {
        return Err(Mistake::value("space.elevation", space.elevation, "must be between -90 and 90 degrees"));
    }
    let frame = Panel {
        heading: panel.heading.clone(),
        x_axis: panel.x_axis.clone(),
        y_axis: panel.y_axis.clone(),
        equal: panel.equal,
        aspect: panel.aspect,
        space: panel.space.clone(),
        ..Panel::default()
    };
    if *panel != frame {
        let reason = "fills its panel; move the other layers into a `[[figure.panel]]` of their own";
        return Err(Mistake::BadLayer { layer: "space", reason });
    }
    Ok(())
}

fn range(values: impl Iterator<Item = f64>, axis: &Axis, name: &str) -> Result<Range, Mistake> {
    let log = axis.scale == Scale::Log;
    if let Some(ends) = axis.range {
        return given_range(ends, log, name);
    }
    let mut extent = Extent::default();
    values.for_each(|value| extent.add(value, log));
    Ok(Range::fit(extent, log, 0.03))
}

/// Sides in proportion to the ranges; a range that is much shorter than the others is widened. Logarithmic axes have no
/// unit of length: then the box is as it is without `equal`.
fn equal_sides(ranges: &mut [Range; 3]) -> Vector {
    let longest = ranges.iter().map(Range::length).fold(0.0, f64::max);
    if ranges.iter().any(|range| range.log) || !longest.is_finite() {
        return [1.0, 1.0, HEIGHT];
    }
    let mut sides = [1.0; 3];
    for (side, range) in sides.iter_mut().zip(ranges) {
        if range.length() < FLATTEST * longest {
            *range = range.with_length(FLATTEST * longest);
        }
        *side = range.length() / longest;
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directions_of_a_view_are_perpendicular_and_right_handed() {
        for (azimuth, elevation) in [(-60.0, 25.0), (0.0, 0.0), (130.0, -80.0), (45.0, 90.0), (360.0, -90.0)] {
            let View { right, up, toward } = View::new(azimuth, elevation);
            let cross = [
                right[1] * up[2] - right[2] * up[1],
                right[2] * up[0] - right[0] * up[2],
                right[0] * up[1] - right[1] * up[0],
            ];
            for (a, b, expected) in [(right, right, 1.0), (up, up, 1.0), (right, up, 0.0), (cross, toward, 1.0)] {
                assert!((dot(a, b) - expected).abs() < 1e-12, "{azimuth} {elevation}");
            }
        }
    }

    #[test]
    fn a_view_from_above_is_the_plane_and_a_view_from_the_front_has_z_upwards() {
        let above = View::new(-90.0, 90.0);
        assert_eq!((above.right, above.up), ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
        let front = View::new(-90.0, 0.0);
        assert_eq!((front.right, front.up), ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]));
    }
}
