//! Gaussian correlation exp(−r²/l²) from white noise through a separable kernel.
//!
//! ```text
//! G(x, y) = a² h Σ_ij ξ_ij exp(−2 (x − i h)²/l²) exp(−2 (y − j h)²/l²),   a² = 2/(l √π),   h = l/3
//! ```
//! Of the sums 21 terms are kept along each axis; the outermost fade, see the kernel. Positive definite by construction, smooth
//! to 1e-9 of an analytic field and twice differentiable beyond that, without a period, for any ratio of l to the domain. The noise ξ_ij belongs
//! to the plane, not to a grid: the same germ is the same field on every grid, strip and tile, bit for bit at common
//! points, and at another l the same field stretched by l. Lengths may differ along two axes, which may be turned.

use super::kernel::{Axis, TERMS, Window};
use super::noise::{COLUMNS, Noise, ROWS};
use super::sweep::{LANES, Rows, Sweep};
use super::{DEFAULT_MEMORY, GeneratorError, PointMap, Sample, check_size};
use crate::field::lattice::Grid;
use crate::num::bulk::{Loop, vectorised};
use crate::num::purpose::Germ;
use crate::num::real::{cos, sin};
use std::ops::Range;

/// Columns of the grid that are made together at most.
const MOST_TILE: usize = 1024;
/// Columns that are made together if the axes are turned.
const TURNED_TILE: usize = 128;

/// The generator of fields with a Gaussian correlation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separable {
    length: [f64; 2],
    axes: [Axis; 2],
    /// Cosine and sine of the angle from the x axis to the first principal axis; None if they coincide.
    turn: Option<[f64; 2]>,
    /// Memory that the noise may use \[bytes\].
    memory: u64,
}

impl Separable {
    /// Correlation lengths along the principal axes \[m\] and the angle from the x axis to the first of them \[rad\].
    ///
    /// # Errors
    /// If a length is not positive or the angle no number.
    pub(crate) fn new(length: [f64; 2], angle: f64) -> Result<Self, GeneratorError> {
        if !angle.is_finite() {
            return Err(GeneratorError::NotFinite { what: "angle", value: angle });
        }
        let axes = [Axis::new('x', length[0], COLUMNS)?, Axis::new('y', length[1], ROWS)?];
        // a round kernel is not turned: its field stays the same
        let turn = (angle != 0.0 && length[0] != length[1]).then(|| [cos(angle), sin(angle)]);
        Ok(Self { length, axes, turn, memory: DEFAULT_MEMORY })
    }

    /// The same with another limit of memory \[bytes\] than 1 GiB.
    #[must_use]
    pub(crate) fn within(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// The same length in all directions \[m\].
    ///
    /// # Errors
    /// If the length is not positive.
    pub fn isotropic(length: f64) -> Result<Self, GeneratorError> {
        Self::new([length; 2], 0.0)
    }

    /// Largest deviation of the covariance from exp(−r²/l²) [-], for both axes together.
    pub(crate) fn covariance_error() -> f64 {
        1e-9
    }

    /// The covariance of two points \[m\] that the sums have, without any sampling [-].
    ///
    /// # Errors
    /// If a point is too far from the origin.
    pub fn covariance(&self, a: [f64; 2], b: [f64; 2]) -> Result<f64, GeneratorError> {
        let (a, b) = (self.principal(a[0], a[1]), self.principal(b[0], b[1]));
        let mut product = 1.0;
        for axis in [0, 1] {
            let (left, right) = (self.axes[axis].window(a[axis])?, self.axes[axis].window(b[axis])?);
            let nodes = (left.first..).zip(left.weights);
            product *= nodes.fold(0.0, |sum, (node, weight)| {
                let other = usize::try_from(node - right.first).ok().and_then(|k| right.weights.get(k));
                sum + weight * other.unwrap_or(&0.0)
            });
        }
        Ok(product)
    }

    /// All that is common to the realisations on a grid.
    ///
    /// # Errors
    /// If the grid lies too far from the origin.
    pub fn on(&self, grid: &Grid) -> Result<SeparablePlan, GeneratorError> {
        self.on_shifted(grid, 0)
    }

    /// As [`Separable::on`] for a part of an endless grid: column i is that of node `first` + i, bit for bit.
    ///
    /// # Errors
    /// If the grid lies too far from the origin.
    pub(crate) fn on_shifted(&self, grid: &Grid, first: i64) -> Result<SeparablePlan, GeneratorError> {
        // whole numbers beyond this are not all different as coordinates
        if first.unsigned_abs() > 1 << 50 || grid.count()[0] > 1 << 50 {
            let found = first.to_string();
            return Err(GeneratorError::Setting { what: "the first column", found, wanted: "below 2^50" });
        }
        let rows = match self.turn {
            None => Some(Rows::new(&self.axes[1], grid)?),
            Some(_) => None,
        };
        let plan = SeparablePlan { generator: *self, grid: *grid, first, rows };
        for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let [columns, rows] = grid.count();
            let place = self.principal(plan.x(i * (columns - 1)), grid.y(j * (rows - 1)));
            self.axes[0].window(place[0])?;
            self.axes[1].window(place[1])?;
        }
        Ok(plan)
    }

    /// One realisation over a rectangle from `from` to `to` \[m\], for evaluation at any of its points.
    ///
    /// # Errors
    /// If the rectangle is too far from the origin, or its noise needs more memory than allowed.
    pub(crate) fn over(&self, germ: &Germ, from: [f64; 2], to: [f64; 2]) -> Result<SeparableField, GeneratorError> {
        let mut ends = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for corner in [[from[0], from[1]], [to[0], from[1]], [from[0], to[1]], [to[0], to[1]]] {
            let place = self.principal(corner[0], corner[1]);
            for axis in [0, 1] {
                ends[0][axis] = ends[0][axis].min(place[axis]);
                ends[1][axis] = ends[1][axis].max(place[axis]);
            }
        }
        let mut first = [0; 2];
        let mut count = [0; 2];
        for axis in [0, 1] {
            // one node more at both ends: points on the rim may be rounded across it
            first[axis] = self.axes[axis].window(ends[0][axis])?.first - 1;
            let last = self.axes[axis].window(ends[1][axis])?.first + TERMS as i64;
            count[axis] = (last + 1 - first[axis]).max(0) as usize;
        }
        let bytes = count[0].saturating_mul(count[1]).saturating_mul(8) as u64;
        if bytes > self.memory {
            return Err(self.too_large(bytes, [to[0] - from[0], to[1] - from[1]]));
        }
        let mut noise = vec![0.0; count[0] * count[1]];
        let mut source = Noise::new(germ);
        let mut column = vec![0.0; count[1]];
        for i in 0..count[0] {
            let rows = first[1]..first[1] + count[1] as i64;
            source.column(first[0] + i as i64, rows, &mut column);
            column.iter().enumerate().for_each(|(j, value)| noise[j * count[0] + i] = *value);
        }
        Ok(SeparableField { generator: *self, from, to, first, count, noise })
    }

    /// The shorter correlation length \[m\].
    pub(crate) fn shortest_length(&self) -> f64 {
        self.length[0].min(self.length[1])
    }

    fn too_large(&self, bytes: u64, size: [f64; 2]) -> GeneratorError {
        GeneratorError::Memory {
            generator: "separable",
            needed: (bytes >> 20) + 1,
            limit: self.memory >> 20,
            width: size[0],
            height: size[1],
            length: self.shortest_length(),
            alternative: "use a larger `memory`, or make the field on a grid or a strip, which needs the noise of a few \
                          columns only",
        }
    }

    /// Coordinates along the principal axes \[m\].
    fn principal(&self, x: f64, y: f64) -> [f64; 2] {
        match self.turn {
            None => [x, y],
            Some([c, s]) => [c * x + s * y, c * y - s * x],
        }
    }
}

/// What is common to all realisations on one grid.
#[derive(Debug, Clone)]
pub struct SeparablePlan {
    generator: Separable,
    grid: Grid,
    /// Node of the first column.
    first: i64,
    /// None if the axes are turned: then every point is summed by itself.
    rows: Option<Rows>,
}

impl SeparablePlan {
    /// Coordinate of column i \[m\].
    pub(crate) fn x(&self, i: usize) -> f64 {
        self.grid.origin()[0] + (self.first + i as i64) as f64 * self.grid.step()[0]
    }

    /// One realisation: `map` of the standard Gaussian field, column by column.
    ///
    /// # Errors
    /// If `values` has not as many places as the grid has points.
    pub fn fill(&self, germ: &Germ, map: &impl PointMap, values: &mut [f64]) -> Result<(), GeneratorError> {
        self.columns(germ, 0..self.grid.count()[0], map, values)
    }

    /// Some columns of a realisation: the same bits as in the whole.
    ///
    /// # Errors
    /// If the grid has no such columns, or `values` has not as many places as they have points.
    pub(crate) fn columns(
        &self,
        germ: &Germ,
        range: Range<usize>,
        map: &impl PointMap,
        values: &mut [f64],
    ) -> Result<(), GeneratorError> {
        let [columns, rows] = self.grid.count();
        if range.end > columns || range.start > range.end {
            return Err(GeneratorError::Setting {
                what: "the range of columns",
                found: format!("{range:?}"),
                wanted: "within the grid",
            });
        }
        check_size(values, range.len() * rows)?;
        let Some(plan) = &self.rows else {
            return self.turned_columns(germ, range, map, values);
        };
        // so many columns that the noise columns of all tiles but the first fill the lanes of the sums
        let tile = self.generator.axes[0].most_points(LANES, self.grid.step()[0]).min(MOST_TILE);
        let needed = plan.memory(self.generator.axes[0].most_nodes(tile, self.grid.step()[0])) as u64;
        if needed > self.generator.memory {
            return Err(self.generator.too_large(needed, self.grid.size()));
        }
        let mut sweep = Sweep::new(plan, Noise::new(germ));
        for (start, values) in range.clone().step_by(tile).zip(values.chunks_mut(tile * rows)) {
            let columns = start..range.end.min(start + tile);
            sweep.fill(&self.generator.axes[0], columns.map(|i| self.x(i)), map, values)?;
        }
        Ok(())
    }

    /// Point by point, since the lines of the grid are no lines of the noise.
    fn turned_columns(
        &self,
        germ: &Germ,
        range: Range<usize>,
        map: &impl PointMap,
        values: &mut [f64],
    ) -> Result<(), GeneratorError> {
        let rows = self.grid.count()[1];
        let (bottom, top) = (self.grid.y(0), self.grid.y(rows - 1));
        for (tile, values) in range.clone().step_by(TURNED_TILE).zip(values.chunks_mut(TURNED_TILE * rows)) {
            let columns = tile..range.end.min(tile + TURNED_TILE);
            let ends = [self.x(columns.start), self.x(columns.end - 1)];
            let field = self.generator.over(germ, [ends[0], bottom], [ends[1], top])?;
            for (i, column) in columns.zip(values.chunks_mut(rows)) {
                for (j, value) in column.iter_mut().enumerate() {
                    *value = field.sum(self.x(i), self.grid.y(j))?.value;
                }
            }
            map.apply(values);
        }
        Ok(())
    }
}

/// One realisation that can be evaluated at any point of a rectangle, without a grid.
#[derive(Debug, Clone)]
pub(crate) struct SeparableField {
    generator: Separable,
    from: [f64; 2],
    to: [f64; 2],
    /// First noise node along the principal axes.
    first: [i64; 2],
    count: [usize; 2],
    /// Row by row, so that the sums along y run over many columns at once.
    noise: Vec<f64>,
}

impl SeparableField {
    /// The standard Gaussian field and its gradient at a point \[m\]; the value has the bits that it has on any grid.
    ///
    /// # Errors
    /// If the point is outside the rectangle that the field was made for.
    pub(crate) fn at(&self, x: f64, y: f64) -> Result<Sample, GeneratorError> {
        let inside = x >= self.from[0] && x <= self.to[0] && y >= self.from[1] && y <= self.to[1];
        if inside { self.sum(x, y) } else { Err(self.outside(x, y)) }
    }

    fn outside(&self, x: f64, y: f64) -> GeneratorError {
        let ([left, bottom], [right, top]) = (self.from, self.to);
        GeneratorError::Outside { left, right, bottom, top, x, y }
    }

    fn sum(&self, x: f64, y: f64) -> Result<Sample, GeneratorError> {
        let place = self.generator.principal(x, y);
        let across = self.generator.axes[0].window(place[0])?;
        let along = self.generator.axes[1].window(place[1])?;
        let start = [across.first - self.first[0], along.first - self.first[1]];
        let fits = |axis: usize| start[axis] >= 0 && start[axis] as usize + TERMS <= self.count[axis];
        if !(fits(0) && fits(1)) {
            return Err(self.outside(x, y));
        }
        let mut sums = [0.0; 3];
        vectorised(PointSums {
            noise: &self.noise[start[1] as usize * self.count[0] + start[0] as usize..],
            stride: self.count[0],
            across: &across,
            along: &along,
            sums: &mut sums,
        });
        let [value, slope @ ..] = sums;
        let gradient = match self.generator.turn {
            None => slope,
            Some([c, s]) => [c * slope[0] - s * slope[1], s * slope[0] + c * slope[1]],
        };
        Ok(Sample { value, gradient })
    }
}

/// The sum over the nodes near a point, and its derivatives along the two axes.
struct PointSums<'a> {
    noise: &'a [f64],
    stride: usize,
    across: &'a Window,
    along: &'a Window,
    sums: &'a mut [f64; 3],
}

impl Loop for PointSums<'_> {
    #[inline(always)]
    fn run(self) {
        let (mut smoothed, mut slopes) = ([0.0; TERMS], [0.0; TERMS]);
        let rows = self.noise.chunks(self.stride);
        for ((row, weight), slope) in rows.zip(&self.along.weights).zip(&self.along.slopes) {
            let Some(row) = row.first_chunk::<TERMS>() else { continue };
            for i in 0..TERMS {
                smoothed[i] = weight.mul_add(row[i], smoothed[i]);
                slopes[i] = slope.mul_add(row[i], slopes[i]);
            }
        }
        for i in 0..TERMS {
            self.sums[0] = self.across.weights[i].mul_add(smoothed[i], self.sums[0]);
            self.sums[1] = self.across.slopes[i].mul_add(smoothed[i], self.sums[1]);
            self.sums[2] = self.across.weights[i].mul_add(slopes[i], self.sums[2]);
        }
    }
}
