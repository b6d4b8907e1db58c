//! Values between the points of a grid.
//!
//! Bilinear: continuous, never leaves the range of the values. Cubic: the B-spline that passes through all values, twice
//! continuously differentiable. Its coefficients are those of an infinite grid,
//!
//! ```text
//! c_k = √3 Σ_m z^|m| f_(k+m),   z = √3 − 2,   |m| ≤ 30  (z³⁰ < 1e-17)
//! ```
//! a finite symmetric sum, so that a coefficient does not depend on where a tile ends. Beyond the ends of a grid the values
//! are continued by the cubic through the four outermost ones: cubics are reproduced everywhere. Outside the rectangle of
//! the grid there is no value: nothing is clamped, and nothing is wrapped but a map that is a loop.

use super::generator::{GeneratorError, Sample};
use super::lattice::{Grid, Lattice};
use super::model::InterpolationChoice;
use crate::num::bulk::{Loop, vectorised};

/// Values on either side that a coefficient of the spline depends on.
pub(crate) const REACH: usize = 30;

/// A map so many times larger or smaller than the contact is probably in another unit.
const SUSPICIOUS: f64 = 1000.0;

/// A function on the rectangle of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    grid: Grid,
    kind: InterpolationChoice,
    /// Values (bilinear), or coefficients with one more on every side (cubic), column by column.
    numbers: Vec<f64>,
    /// Whether it repeats along x; then the last column of the grid is the first again.
    periodic: bool,
}

impl Surface {
    /// The function through the values of a lattice, of any sign.
    ///
    /// # Errors
    /// If the grid has only one point along an axis.
    pub(crate) fn new(lattice: &Lattice, kind: InterpolationChoice) -> Result<Self, GeneratorError> {
        let grid = *lattice.grid();
        if let Some(axis) = [0, 1].into_iter().find(|&axis| grid.count()[axis] < 2) {
            return Err(GeneratorError::Setting {
                what: ["the number of grid points along x", "the number of grid points along y"][axis],
                found: grid.count()[axis].to_string(),
                wanted: "at least 2",
            });
        }
        let numbers = match kind {
            InterpolationChoice::Bilinear => lattice.values().to_vec(),
            InterpolationChoice::Cubic => {
                let [columns, rows] = grid.count();
                let extended = extend(lattice.values(), columns, rows);
                coefficients(&extended, columns + 2 * MARGIN, rows + 2 * MARGIN)
            }
        };
        Ok(Self { grid, kind, numbers, periodic: false })
    }

    /// The function through friction coefficients.
    ///
    /// # Errors
    /// As `Surface::new`, and if a value is not positive, also of the spline between the points: it is looked at wherever
    /// one of its coefficients is not positive, at sixteen points per cell.
    pub fn positive(lattice: &Lattice, kind: InterpolationChoice) -> Result<Self, GeneratorError> {
        Self::new(lattice, kind)?.checked(lattice)
    }

    /// The function through friction coefficients that repeats along x. The column after the last is the first again; a last
    /// column that equals the first is that one already.
    ///
    /// # Errors
    /// As [`Surface::positive`].
    pub fn periodic(lattice: &Lattice, kind: InterpolationChoice) -> Result<Self, GeneratorError> {
        let plain = Self::new(lattice, kind)?;
        let ([columns, rows], values) = (plain.grid.count(), lattice.values());
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs();
        let closed = columns > 2 && values[..rows].iter().zip(&values[(columns - 1) * rows..]).all(same);
        let length = if closed { columns - 1 } else { columns };
        let margin = if kind == InterpolationChoice::Cubic { MARGIN } else { 0 };
        let mut wrapped = Vec::with_capacity((length + 1 + 2 * margin) * rows);
        for column in 0..=length + 2 * margin {
            // a multiple of the length, so that nothing is below zero
            let own = (column + margin * (length - 1)) % length;
            wrapped.extend_from_slice(&values[own * rows..(own + 1) * rows]);
        }
        let grid = Grid::new(plain.grid.origin(), plain.grid.step(), [length + 1, rows])?;
        let surface = Self { periodic: true, ..Self::tile(grid, kind, &wrapped) };
        surface.checked(lattice)
    }

    fn checked(self, lattice: &Lattice) -> Result<Self, GeneratorError> {
        for (place, &value) in lattice.values().iter().enumerate() {
            if value <= 0.0 {
                let [x, y] = lattice.grid().position(place);
                return Err(GeneratorError::NotPositive { x, y, value });
            }
        }
        if self.kind == InterpolationChoice::Cubic {
            self.check_between()?;
        }
        Ok(self)
    }

    /// Length of the loop \[m\] of a function that repeats along x.
    pub(crate) fn period(&self) -> Option<f64> {
        self.periodic.then(|| self.grid.size()[0])
    }

    /// What to say about a map that hardly has the unit of a contact of this size \[m\]: a thousand times larger or smaller.
    pub fn unit_warning(&self, contact: f64) -> Option<String> {
        let sides = self.grid.size();
        let ratio = sides[0].max(sides[1]) / contact;
        let (times, word) = if ratio > 1.0 { (ratio, "larger") } else { (1.0 / ratio, "smaller") };
        (times >= SUSPICIOUS).then(|| {
            format!(
                "the measured map is {times:.3e} times {word} than the contact ({:.3e} m against {contact:.3e} m): are its \
                 coordinates in metres?",
                sides[0].max(sides[1])
            )
        })
    }

    /// Checks that a rectangle \[m\] lies within the map.
    ///
    /// # Errors
    /// How far the contact needs the map and how far it reaches, in words.
    pub fn check_covers(&self, low: [f64; 2], high: [f64; 2]) -> Result<(), String> {
        let ([left, bottom], [right, top]) = (self.grid.origin(), self.grid.end());
        // rounding does not count
        let slack = self.grid.step().map(|step| 1e-9 * step);
        let along = self.periodic || (low[0] >= left - slack[0] && high[0] <= right + slack[0]);
        if along && low[1] >= bottom - slack[1] && high[1] <= top + slack[1] {
            return Ok(());
        }
        let unit = self.unit_warning((high[0] - low[0]).max(high[1] - low[1]));
        let unit = unit.map_or(String::new(), |unit| format!(" ({unit})"));
        Err(format!(
            "does not cover the contact, which needs x = {:.6} .. {:.6} m and y = {:.6} .. {:.6} m; the map reaches over \
             x = {left:.6} .. {right:.6} m and y = {bottom:.6} .. {top:.6} m{unit}",
            low[0], high[0], low[1], high[1]
        ))
    }

    /// From values with [`REACH`] + 1 more on both ends of x than the grid has: a tile of a longer strip.
    pub(crate) fn tile(grid: Grid, kind: InterpolationChoice, values: &[f64]) -> Self {
        let [columns, rows] = grid.count();
        let numbers = match kind {
            InterpolationChoice::Bilinear => values.to_vec(),
            InterpolationChoice::Cubic => {
                let columns = columns + 2 * MARGIN;
                coefficients(&extend_rows(values, columns, rows), columns, rows + 2 * MARGIN)
            }
        };
        Self { grid, kind, numbers, periodic: false }
    }

    pub(crate) fn check_between(&self) -> Result<(), GeneratorError> {
        const PARTS: usize = 4;
        // the splines of a cell are positive and sum to 1
        if self.numbers.iter().all(|number| *number > 0.0) {
            return Ok(());
        }
        let [columns, rows] = self.grid.count();
        let stride = self.stride();
        for i in 0..columns - 1 {
            for j in 0..rows - 1 {
                let corner = &self.numbers[i * stride + j..];
                let safe =
                    corner.chunks(stride).take(4).all(|column| column.iter().take(4).all(|number| *number > 0.0));
                if safe {
                    continue;
                }
                for part in 0..PARTS * PARTS {
                    let [u, v] = [part / PARTS, part % PARTS].map(|part| part as f64 / PARTS as f64);
                    let value = self.cell(i, j, u, v).value;
                    if value <= 0.0 {
                        let [dx, dy] = self.grid.step();
                        let (x, y) = (self.grid.x(i) + u * dx, self.grid.y(j) + v * dy);
                        return Err(GeneratorError::NotPositive { x, y, value });
                    }
                }
            }
        }
        Ok(())
    }

    /// The grid.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Value and gradient at a point \[m\].
    ///
    /// # Errors
    /// If the point is outside the rectangle of the grid.
    pub(crate) fn at(&self, x: f64, y: f64) -> Result<Sample, GeneratorError> {
        let ([left, bottom], [right, top]) = (self.grid.origin(), self.grid.end());
        let x = if self.periodic { (left + (x - left).rem_euclid(right - left)).min(right) } else { x };
        if !self.grid.contains(x, y) {
            return Err(GeneratorError::Outside { left, right, bottom, top, x, y });
        }
        let [[x0, y0], [dx, dy]] = [self.grid.origin(), self.grid.step()];
        let [columns, rows] = self.grid.count();
        let (i, u) = cell((x - x0) / dx, columns);
        let (j, v) = cell((y - y0) / dy, rows);
        Ok(self.cell(i, j, u, v))
    }

    /// Value > 0 and gradient of a friction coefficient at a point \[m\].
    ///
    /// # Errors
    /// As [`Surface::at`], and if the value is not positive.
    pub(crate) fn positive_at(&self, x: f64, y: f64) -> Result<Sample, GeneratorError> {
        let sample = self.at(x, y)?;
        if sample.value > 0.0 { Ok(sample) } else { Err(GeneratorError::NotPositive { x, y, value: sample.value }) }
    }

    fn stride(&self) -> usize {
        self.grid.count()[1] + if self.kind == InterpolationChoice::Cubic { 2 } else { 0 }
    }

    /// Inside cell (i, j), at parts u and v of its sides.
    pub(crate) fn cell(&self, i: usize, j: usize, u: f64, v: f64) -> Sample {
        let stride = self.stride();
        let numbers = &self.numbers[i * stride + j..];
        let [dx, dy] = self.grid.step();
        match self.kind {
            InterpolationChoice::Bilinear => {
                let [a, b, c, d] = [numbers[0], numbers[1], numbers[stride], numbers[stride + 1]];
                // weights that sum to 1 never leave the range of the values
                let (left, right) = (a * (1.0 - v) + b * v, c * (1.0 - v) + d * v);
                let value = left * (1.0 - u) + right * u;
                let across = (b - a) * (1.0 - u) + (d - c) * u;
                Sample { value, gradient: [(right - left) / dx, across / dy] }
            }
            InterpolationChoice::Cubic => {
                let ((wx, sx), (wy, sy)) = (spline(u), spline(v));
                let (mut value, mut along, mut across) = (0.0, 0.0, 0.0);
                for (column, (weight, slope)) in numbers.chunks(stride).zip(wx.iter().zip(&sx)) {
                    let sum = |weights: &[f64; 4]| column.iter().zip(weights).fold(0.0, |sum, (c, w)| sum + c * w);
                    let (at, steep) = (sum(&wy), sum(&sy));
                    value += weight * at;
                    along += slope * at;
                    across += weight * steep;
                }
                Sample { value, gradient: [along / dx, across / dy] }
            }
        }
    }
}

/// Cell and place within it; the last point belongs to the last cell.
pub(crate) fn cell(place: f64, count: usize) -> (usize, f64) {
    let index = (place.floor().max(0.0) as usize).min(count - 2);
    (index, (place - index as f64).clamp(0.0, 1.0))
}

/// The four cubic B-splines of a cell and their derivatives with respect to the part u of the cell.
pub(crate) fn spline(u: f64) -> ([f64; 4], [f64; 4]) {
    let t = 1.0 - u;
    let values = [
        t * t * t / 6.0,
        (4.0 - 6.0 * u * u + 3.0 * u * u * u) / 6.0,
        (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0,
        u * u * u / 6.0,
    ];
    (values, [-0.5 * t * t, -2.0 * u + 1.5 * u * u, 2.0 * t - 1.5 * t * t, 0.5 * u * u])
}

/// How far values are continued on every side: one coefficient more than the grid has points.
pub(crate) const MARGIN: usize = REACH + 1;

/// A grid continued by [`MARGIN`] values on all sides.
pub(crate) fn extend(values: &[f64], columns: usize, rows: usize) -> Vec<f64> {
    let height = rows + 2 * MARGIN;
    let tall = extend_rows(values, columns, rows);
    let weights = beyond(columns);
    let mut extended = Vec::with_capacity((columns + 2 * MARGIN) * height);
    let ghost = |weights: &[f64; 4], column: &dyn Fn(usize) -> usize| {
        let mut sums = vec![0.0; height];
        for (k, weight) in weights.iter().enumerate().take(columns.min(4)) {
            let source = &tall[column(k) * height..][..height];
            sums.iter_mut().zip(source).for_each(|(sum, value)| *sum += weight * value);
        }
        sums
    };
    for weights in weights.iter().rev() {
        extended.extend(ghost(weights, &|k| k));
    }
    extended.extend_from_slice(&tall);
    for weights in &weights {
        extended.extend(ghost(weights, &|k| columns - 1 - k));
    }
    extended
}

/// Columns continued by [`MARGIN`] values at both ends.
pub(crate) fn extend_rows(values: &[f64], columns: usize, rows: usize) -> Vec<f64> {
    let weights = beyond(rows);
    let mut tall = Vec::with_capacity(columns * (rows + 2 * MARGIN));
    for column in values.chunks_exact(rows).take(columns) {
        tall.extend(weights.iter().rev().map(|w| w.iter().zip(column).fold(0.0, |sum, (w, f)| sum + w * f)));
        tall.extend_from_slice(column);
        tall.extend(weights.iter().map(|w| w.iter().zip(column.iter().rev()).fold(0.0, |sum, (w, f)| sum + w * f)));
    }
    tall
}

/// Lagrange's weights of the outermost values, nearest first, at 1, 2, ... steps beyond the end of a line: of four values,
/// or of all if there are fewer.
fn beyond(line: usize) -> [[f64; 4]; MARGIN] {
    let count = line.min(4);
    std::array::from_fn(|place| {
        let at = -((place + 1) as f64);
        std::array::from_fn(|k| {
            let others = (0..count).filter(|other| *other != k);
            if k < count { others.fold(1.0, |w, m| w * (at - m as f64) / (k as f64 - m as f64)) } else { 0.0 }
        })
    })
}

/// Coefficients of the spline from values that reach [`REACH`] further on every side.
pub(crate) fn coefficients(values: &[f64], columns: usize, rows: usize) -> Vec<f64> {
    let (width, height) = (columns - 2 * REACH, rows - 2 * REACH);
    let mut along_y = vec![0.0; columns * height];
    let mut both = vec![0.0; width * height];
    vectorised(Prefilter { values, rows, height, along_y: &mut along_y, both: &mut both });
    both
}

struct Prefilter<'a> {
    values: &'a [f64],
    rows: usize,
    height: usize,
    along_y: &'a mut [f64],
    both: &'a mut [f64],
}

impl Loop for Prefilter<'_> {
    #[inline(always)]
    fn run(self) {
        let mut weights = [3.0_f64.sqrt(); REACH + 1];
        for m in 1..=REACH {
            weights[m] = weights[m - 1] * (3.0_f64.sqrt() - 2.0);
        }
        for (column, target) in self.values.chunks_exact(self.rows).zip(self.along_y.chunks_exact_mut(self.height)) {
            symmetric_sum(&weights, column, 1, target);
        }
        for (i, target) in self.both.chunks_exact_mut(self.height).enumerate() {
            symmetric_sum(&weights, &self.along_y[i * self.height..], self.height, target);
        }
    }
}

/// target_k = Σ_m w_|m| source_(k + (m + REACH) stride), smallest weights first.
#[inline(always)]
fn symmetric_sum(weights: &[f64; REACH + 1], source: &[f64], stride: usize, target: &mut [f64]) {
    const LANES: usize = 32;
    let mut start = 0;
    while start < target.len() {
        let length = LANES.min(target.len() - start);
        let mut sums = [0.0; LANES];
        let part = |m: usize| source.get(start + m * stride..).unwrap_or_default();
        for m in (1..=REACH).rev() {
            let (left, right) = (part(REACH - m), part(REACH + m));
            match (left.first_chunk::<LANES>(), right.first_chunk::<LANES>()) {
                (Some(left), Some(right)) => {
                    for lane in 0..LANES {
                        sums[lane] += weights[m] * (left[lane] + right[lane]);
                    }
                }
                _ => {
                    for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
                        *sum += weights[m] * (left + right);
                    }
                }
            }
        }
        for ((target, sum), middle) in target[start..start + length].iter_mut().zip(sums).zip(part(REACH)) {
            *target = sum + weights[0] * middle;
        }
        start += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::{exp, sin};

    fn sampled(step: f64, count: [usize; 2], f: impl Fn(f64, f64) -> f64) -> Lattice {
        let grid = Grid::new([-0.3, 0.2], [step, 1.3 * step], count).unwrap();
        let values = (0..grid.points()).map(|place| grid.position(place)).map(|[x, y]| f(x, y)).collect();
        Lattice::new(grid, values).unwrap()
    }

    #[test]
    fn cubics_are_reproduced_up_to_the_rim_with_their_slopes() {
        let f = |x: f64, y: f64| 1.0 + x - 2.0 * y + x * y * y + 0.5 * x * x * x - y * y * y;
        let surface = Surface::new(&sampled(0.1, [9, 7], f), InterpolationChoice::Cubic).unwrap();
        for i in 0..=40 {
            for j in 0..=30 {
                let (x, y) = (-0.3 + 0.8 * f64::from(i) / 40.0, 0.2 + 0.779_999 * f64::from(j) / 30.0);
                let found = surface.at(x, y).unwrap();
                let slopes = [1.0 + y * y + 1.5 * x * x, -2.0 + 2.0 * x * y - 3.0 * y * y];
                assert!((found.value - f(x, y)).abs() < 1e-13, "{x} {y}");
                assert!((found.gradient[0] - slopes[0]).abs() < 1e-11 && (found.gradient[1] - slopes[1]).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn both_pass_through_the_values_and_converge_with_their_order() {
        let f = |x: f64, y: f64| exp(0.7 * sin(9.0 * x) + 0.5 * sin(7.0 * y + x));
        let worst = |kind, step: f64| {
            let count = (1.0 / step).round() as usize + 1;
            let lattice = sampled(step, [count, count], f);
            let surface = Surface::positive(&lattice, kind).unwrap();
            let at_node = surface.at(lattice.grid().x(3), lattice.grid().y(2)).unwrap().value;
            assert!((at_node - lattice.value(3, 2).unwrap()).abs() < 1e-14);
            (0..500).fold(0.0_f64, |worst, i| {
                let (x, y) = (-0.3 + 0.001_99 * f64::from(i), 0.2 + 0.002_59 * f64::from(i * 7 % 500));
                worst.max((surface.at(x, y).unwrap().value - f(x, y)).abs())
            })
        };
        for (kind, order) in [(InterpolationChoice::Bilinear, 4.0), (InterpolationChoice::Cubic, 16.0)] {
            let ratio = worst(kind, 0.02) / worst(kind, 0.01);
            assert!(ratio > 0.8 * order && ratio < 1.3 * order, "{kind:?}: {ratio}");
        }
    }

    #[test]
    fn there_is_nothing_outside_and_nothing_that_is_not_positive() {
        let lattice = sampled(0.1, [4, 4], |_, _| 1.0);
        for kind in [InterpolationChoice::Bilinear, InterpolationChoice::Cubic] {
            let surface = Surface::positive(&lattice, kind).unwrap();
            assert!((surface.at(0.0, 0.3).unwrap().value - 1.0).abs() < 1e-14);
            for (x, y) in [(-0.31, 0.3), (0.01, 0.3), (0.0, 0.19), (0.0, 1.0), (f64::NAN, 0.3)] {
                assert!(matches!(surface.at(x, y), Err(GeneratorError::Outside { .. })), "{x} {y}");
            }
        }
        // a single peak rings: the spline falls below zero although no value does
        let peak = sampled(0.1, [9, 9], |x, y| if (x - 0.1).abs() + (y - 0.72).abs() < 0.05 { 1.0 } else { 1e-3 });
        assert!(Surface::positive(&peak, InterpolationChoice::Bilinear).is_ok());
        assert!(matches!(
            Surface::positive(&peak, InterpolationChoice::Cubic),
            Err(GeneratorError::NotPositive { value, .. }) if value < 0.0
        ));
    }
}
