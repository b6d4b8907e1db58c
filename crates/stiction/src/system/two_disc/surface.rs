//! The static coefficient over the lower disc: one number, or a surface of B-splines between bounds.
//!
//! ```text
//! H_S(x) = H_Sc + H_Sr Σ B_j(x) ξ_j,     −1 ≤ ξ_j ≤ 1
//! ```
//!
//! B_j are products of uniform, unclamped quadratic B-splines on the square that covers the disc: a partition of unity, so
//! that H_S stays within H_Sc ± H_Sr and both ends are reached. Outside the square the coefficient is that of its edge.

use super::TwoDiscError;
use crate::Problem;
use crate::keys::{Check, keyed, outside};
use crate::num::lanes::{Eight, WIDTH};
use crate::num::purpose::{Germ, Purpose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A static coefficient that varies over the lower disc between bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct IntervalField {
    /// Middle H_Sc of the interval [-], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub centre: f64,
    /// Half its width H_Sr [-], below the middle; 0 is a uniform coefficient.
    #[schemars(range(min = 0.0))]
    pub half_width: f64,
    /// Distance R_d over which one coordinate acts \[m\], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub influence_radius: f64,
    /// Spacing of the splines divided by the influence radius [-]; 1, 2/3 and 1/3 are sensible.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub spacing_ratio: f64,
    /// The coordinates ξ of a realisation.
    pub coordinates: CoordinateChoice,
}

keyed!(IntervalField);

impl Default for IntervalField {
    fn default() -> Self {
        Self {
            centre: 0.4,
            half_width: 0.1,
            influence_radius: 0.1,
            spacing_ratio: 2.0 / 3.0,
            coordinates: CoordinateChoice::default(),
        }
    }
}

/// Coordinates of a realisation: drawn by name, or a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CoordinateChoice {
    /// Drawn at random.
    Named(NamedCoordinates),
    /// Given numbers in [−1, 1], those of equal x together.
    Table(Vec<f64>),
}

impl Default for CoordinateChoice {
    fn default() -> Self {
        CoordinateChoice::Named(NamedCoordinates::Uniform)
    }
}

/// How coordinates are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NamedCoordinates {
    /// Evenly between −1 and 1.
    Uniform,
    /// Either −1 or 1.
    Vertices,
}

/// Most coordinates along one axis.
const MAX_PER_AXIS: f64 = 2000.0;

impl IntervalField {
    fn spacing(&self) -> f64 {
        self.spacing_ratio * self.influence_radius
    }

    fn half_cells(&self, disc_radius: f64) -> f64 {
        (disc_radius / self.spacing() - 1e-9).ceil().max(1.0)
    }

    /// Number of coordinates along each axis of a disc of this radius \[m\].
    pub fn per_axis(&self, disc_radius: f64) -> usize {
        2 * self.half_cells(disc_radius).min(MAX_PER_AXIS) as usize + 2
    }

    /// What is wrong with the parameters for a disc of this radius \[m\] (empty if nothing).
    pub(crate) fn problems(&self, disc_radius: f64) -> Vec<Problem> {
        let found = outside(self);
        if found.is_empty() { self.contradictions(disc_radius) } else { found }
    }

    /// What is wrong beyond the range of each parameter.
    pub(crate) fn contradictions(&self, disc_radius: f64) -> Vec<Problem> {
        let mut check = Check::default();
        if self.half_width >= self.centre {
            let message = format!("is {}, but must be below `centre`, which is {}", self.half_width, self.centre);
            check.problem("half_width", message);
        }
        let mut problems = check.found();
        if !problems.is_empty() {
            return problems;
        }
        if self.half_cells(disc_radius) > MAX_PER_AXIS / 2.0 {
            let message = format!("is {}: the disc would need more than a million splines", self.influence_radius);
            problems.push(Problem::new("influence_radius", message));
        } else if let CoordinateChoice::Table(table) = &self.coordinates {
            problems.extend(self.table_problem(disc_radius, table));
        }
        problems
    }

    fn table_problem(&self, disc_radius: f64, table: &[f64]) -> Option<Problem> {
        let per_axis = self.per_axis(disc_radius);
        if table.len() != per_axis * per_axis {
            let message = format!("has {} numbers, but needs {per_axis} x {per_axis}", table.len());
            return Some(Problem::new("coordinates", message));
        }
        let (index, value) = table.iter().enumerate().find(|(_, value)| !(-1.0..=1.0).contains(*value))?;
        Some(Problem::new("coordinates", format!("number {index} is {value}, but must lie in [-1, 1]")))
    }

    /// Coordinates of realisation `index`, a function of (`seed`, `index`) alone; the table if one is given.
    pub fn draw(&self, disc_radius: f64, seed: u64, index: u64) -> Vec<f64> {
        let mut stream = Germ::new(seed, index).stream(Purpose::Coordinates);
        let count = self.per_axis(disc_radius) * self.per_axis(disc_radius);
        match &self.coordinates {
            CoordinateChoice::Table(table) => table.clone(),
            CoordinateChoice::Named(NamedCoordinates::Uniform) => {
                (0..count).map(|_| 2.0 * stream.uniform() - 1.0).collect()
            }
            CoordinateChoice::Named(NamedCoordinates::Vertices) => {
                (0..count).map(|_| if stream.uniform() < 0.5 { -1.0 } else { 1.0 }).collect()
            }
        }
    }

    /// The surface with these coordinates.
    ///
    /// # Errors
    /// If there are too many or too few coordinates, or one lies outside [−1, 1].
    pub fn given(&self, disc_radius: f64, coordinates: &[f64]) -> Result<DiscSurface, TwoDiscError> {
        if let Some(problem) = self.problems(disc_radius).into_iter().next() {
            return Err(problem.below("field").into());
        }
        if let Some(problem) = self.table_problem(disc_radius, coordinates) {
            return Err(problem.below("field").into());
        }
        let half = self.half_cells(disc_radius);
        Ok(DiscSurface {
            edge: half * self.spacing(),
            inverse_spacing: 1.0 / self.spacing(),
            cells: 2 * half as usize,
            values: coordinates.iter().map(|xi| self.centre + self.half_width * xi).collect(),
            largest: self.centre + self.half_width,
        })
    }
}

/// A surface of quadratic B-splines.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscSurface {
    edge: f64,
    inverse_spacing: f64,
    cells: usize,
    values: Vec<f64>,
    largest: f64,
}

/// Place of a point along one axis: the first of its three splines, their values and their slopes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) first: usize,
    pub(crate) value: [f64; 3],
    pub(crate) slope: [f64; 3],
}

/// What eight points need of the surface.
pub(crate) struct Corners {
    /// Place within the cell along x and y.
    pub(crate) fraction: (Eight, Eight),
    /// Cells per metre along x and y; zero where the point is clamped.
    pub(crate) rate: (Eight, Eight),
    /// Nine coefficients of each point, those of equal x together.
    pub(crate) values: [[Eight; 3]; 3],
}

impl DiscSurface {
    /// The cells in which eight points \[m\] lie, and their coefficients.
    #[inline(always)]
    pub(crate) fn corners(&self, x: &Eight, y: &Eight) -> Corners {
        let zero = (Eight::ZERO, Eight::ZERO);
        let mut corners = Corners { fraction: zero, rate: zero, values: [[Eight::ZERO; 3]; 3] };
        let (count, stride) = (self.cells as f64, self.cells + 2);
        for k in 0..WIDTH {
            let mut index = [0; 2];
            for (axis, (coordinate, index)) in [x.0[k], y.0[k]].into_iter().zip(&mut index).enumerate() {
                let scaled = (coordinate + self.edge) * self.inverse_spacing;
                let clamped = if scaled > 0.0 { scaled.min(count) } else { 0.0 };
                *index = (clamped as usize).min(self.cells - 1);
                let fraction = clamped - *index as f64;
                let rate = if scaled > 0.0 && scaled < count { self.inverse_spacing } else { 0.0 };
                if axis == 0 {
                    (corners.fraction.0.0[k], corners.rate.0.0[k]) = (fraction, rate);
                } else {
                    (corners.fraction.1.0[k], corners.rate.1.0[k]) = (fraction, rate);
                }
            }
            let first = index[0] * stride + index[1];
            if let Some(values) = self.values.get(first..first + 2 * stride + 3) {
                for (a, row) in corners.values.iter_mut().enumerate() {
                    for (b, corner) in row.iter_mut().enumerate() {
                        corner.0[k] = values[a * stride + b];
                    }
                }
            }
        }
        corners
    }

    /// Upper bound of the coefficient [-].
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }

    /// Where a coordinate \[m\] lies among the splines.
    #[inline(always)]
    pub(crate) fn place(&self, x: f64) -> Place {
        let scaled = (x + self.edge) * self.inverse_spacing;
        let inside = scaled > 0.0 && scaled < self.cells as f64;
        let clamped = if scaled > 0.0 { scaled.min(self.cells as f64) } else { 0.0 };
        let first = (clamped as usize).min(self.cells - 1);
        let u = clamped - first as f64;
        let rate = if inside { self.inverse_spacing } else { 0.0 };
        Place {
            first,
            value: [0.5 * (1.0 - u) * (1.0 - u), 0.5 + u - u * u, 0.5 * u * u],
            slope: [(u - 1.0) * rate, (1.0 - 2.0 * u) * rate, u * rate],
        }
    }

    /// The coefficient [-] at a point \[m\] of the lower disc, and its gradient [1/m].
    #[inline(always)]
    pub fn at(&self, x: f64, y: f64) -> (f64, [f64; 2]) {
        let (along, across) = (self.place(x), self.place(y));
        let (mut value, mut gradient) = (0.0, [0.0; 2]);
        let stride = self.cells + 2;
        for a in 0..3 {
            let start = (along.first + a) * stride + across.first;
            let Some(&[p, q, r]) = self.values.get(start..).and_then(|row| row.first_chunk::<3>()) else { continue };
            let row = across.value[0] * p + across.value[1] * q + across.value[2] * r;
            let row_slope = across.slope[0] * p + across.slope[1] * q + across.slope[2] * r;
            value += along.value[a] * row;
            gradient[0] += along.slope[a] * row;
            gradient[1] += along.value[a] * row_slope;
        }
        (value, gradient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_splines_are_a_partition_of_unity_within_bounds_and_smooth() {
        let field = IntervalField::default();
        assert_eq!(field.per_axis(2.0), 62);
        let ones = vec![1.0; 62 * 62];
        let top = field.given(2.0, &ones).unwrap();
        let drawn = field.given(2.0, &field.draw(2.0, 1, 0)).unwrap();
        let mut stream = crate::num::random::Stream::new(3, 0, 0);
        for _ in 0..2000 {
            let (x, y) = (5.0 * stream.uniform() - 2.5, 5.0 * stream.uniform() - 2.5);
            let (value, gradient) = top.at(x, y);
            assert!((value - 0.5).abs() < 1e-12 && gradient.iter().all(|g| g.abs() < 1e-12));
            let (value, gradient) = drawn.at(x, y);
            assert!((0.3..=0.5).contains(&value));
            let step = 1e-6;
            let difference = (drawn.at(x + step, y).0 - drawn.at(x - step, y).0) / (2.0 * step);
            // the slope itself is only continuous: a difference across a knot misses by its jump times the step
            assert!((difference - gradient[0]).abs() < 1e-4, "{x} {y} {difference} {gradient:?}");
        }
    }

    #[test]
    fn coordinates_must_fit() {
        let field = IntervalField::default();
        assert!(field.given(2.0, &[0.0; 10]).unwrap_err().to_string().contains("62 x 62"));
        let mut table = vec![0.0; 62 * 62];
        table[7] = 1.5;
        assert!(field.given(2.0, &table).unwrap_err().to_string().contains("number 7 is 1.5"));
        table[7] = f64::NAN;
        assert!(field.given(2.0, &table).is_err());
        let wide = IntervalField { half_width: 0.4, ..field };
        assert_eq!(wide.problems(2.0)[0].key, "half_width");
    }
}
