//! Regular grids over the plane, and values on them.
//!
//! Values are stored column by column: all y of the first x, then all y of the second x, and so on. A strip that grows
//! along x thus only appends.

use thiserror::Error;

/// Why points or values do not make a grid.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LatticeError {
    /// An origin or a step that is no number, or a step that is not positive.
    #[error("{what} of the grid along {axis} is {value}; a finite{positive} number is needed")]
    Placement {
        /// Origin or step.
        what: &'static str,
        /// The axis.
        axis: char,
        /// The value given.
        value: f64,
        /// What else it must be, in words.
        positive: &'static str,
    },
    /// No point at all, or more than can be addressed.
    #[error("a grid of {x} times {y} points cannot be stored; between 1 and {limit} points are possible")]
    Count {
        /// Points along x.
        x: usize,
        /// Points along y.
        y: usize,
        /// Largest number of points.
        limit: usize,
    },
    /// As many values as points are needed.
    #[error("{found} values were given for {wanted} grid points")]
    Length {
        /// Values given.
        found: usize,
        /// Points of the grid.
        wanted: usize,
    },
    /// A value that is no number.
    #[error("the value at x = {x} m, y = {y} m is {value}; finite numbers are needed")]
    NotFinite {
        /// Position \[m\].
        x: f64,
        /// Position \[m\].
        y: f64,
        /// The value.
        value: f64,
    },
    /// A friction coefficient that is not positive.
    #[error("the value at x = {x} m, y = {y} m is {value}; a friction coefficient must be > 0")]
    NotPositive {
        /// Position \[m\].
        x: f64,
        /// Position \[m\].
        y: f64,
        /// The value.
        value: f64,
    },
    /// Columns of different lengths.
    #[error("the columns x, y and value have {x}, {y} and {value} entries; they must be equally long")]
    Columns {
        /// Entries of x.
        x: usize,
        /// Entries of y.
        y: usize,
        /// Entries of the values.
        value: usize,
    },
    /// A coordinate that is no number.
    #[error("row {row} (counted from 1) is at x = {x} m, y = {y} m; finite numbers are needed")]
    Coordinate {
        /// Row of the table, from 1.
        row: usize,
        /// Position \[m\].
        x: f64,
        /// Position \[m\].
        y: f64,
    },
    /// Distances between neighbouring points differ.
    #[error(
        "points along {axis} are not evenly spaced: {step} m on average, but {found} m between {from} m and {to} m; \
         resample the map to a regular grid"
    )]
    Spacing {
        /// The axis.
        axis: char,
        /// Mean distance \[m\].
        step: f64,
        /// The distance that deviates most \[m\].
        found: f64,
        /// Where it starts \[m\].
        from: f64,
        /// Where it ends \[m\].
        to: f64,
    },
    /// A grid needs at least two points along each axis.
    #[error("there is only one coordinate along {axis}; a map needs at least two")]
    Flat {
        /// The axis.
        axis: char,
    },
    /// A grid point without a value.
    #[error("the point x = {x} m, y = {y} m is missing; every point of the grid needs a value")]
    Missing {
        /// Position \[m\].
        x: f64,
        /// Position \[m\].
        y: f64,
    },
    /// A grid point with two values.
    #[error("the point x = {x} m, y = {y} m is given twice, in rows {first} and {second} (counted from 1)")]
    Duplicate {
        /// Position \[m\].
        x: f64,
        /// Position \[m\].
        y: f64,
        /// First row, from 1.
        first: usize,
        /// Second row, from 1.
        second: usize,
    },
}

/// Points x = x₀ + i Δx, y = y₀ + j Δy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    origin: [f64; 2],
    step: [f64; 2],
    count: [usize; 2],
}

/// More points than any machine holds as numbers.
const MOST_POINTS: usize = isize::MAX as usize / 16;

impl Grid {
    /// A grid with its first point at `origin` \[m\], distances `step` \[m\] > 0 and `count` points along x and y.
    ///
    /// # Errors
    /// If a number is not finite, a step not positive, or the number of points 0 or too large to be addressed.
    pub fn new(origin: [f64; 2], step: [f64; 2], count: [usize; 2]) -> Result<Self, LatticeError> {
        for (axis, (&origin, &step)) in ['x', 'y'].into_iter().zip(origin.iter().zip(&step)) {
            if !origin.is_finite() {
                return Err(LatticeError::Placement { what: "the origin", axis, value: origin, positive: "" });
            }
            if !(step.is_finite() && step > 0.0) {
                return Err(LatticeError::Placement { what: "the step", axis, value: step, positive: " positive" });
            }
        }
        let [x, y] = count;
        match x.checked_mul(y) {
            Some(points) if points > 0 && points <= MOST_POINTS => {}
            _ => return Err(LatticeError::Count { x, y, limit: MOST_POINTS }),
        }
        let grid = Self { origin, step, count };
        for (axis, end) in ['x', 'y'].into_iter().zip(grid.end()) {
            if !end.is_finite() {
                return Err(LatticeError::Placement { what: "the end", axis, value: end, positive: "" });
            }
        }
        Ok(grid)
    }

    /// The grid over a rectangle from `from` to at least `to` \[m\] with steps `step` \[m\].
    ///
    /// # Errors
    /// As [`Grid::new`].
    pub fn covering(from: [f64; 2], to: [f64; 2], step: [f64; 2]) -> Result<Self, LatticeError> {
        let count = [0, 1].map(|axis| {
            let cells = ((to[axis] - from[axis]) / step[axis]).ceil();
            // a number that is too large saturates and is refused below
            if cells >= 0.0 { (cells as usize).saturating_add(1) } else { 0 }
        });
        let mut grid = Self::new(from, step, count)?;
        // rounding may leave the last point a little short of the end
        for axis in [0, 1] {
            if grid.end()[axis] < to[axis] {
                grid.count[axis] += 1;
            }
        }
        Self::new(grid.origin, grid.step, grid.count)
    }

    /// First point \[m\].
    pub(crate) fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// Distances between neighbouring points along x and y \[m\].
    pub fn step(&self) -> [f64; 2] {
        self.step
    }

    /// Numbers of points along x and y.
    pub fn count(&self) -> [usize; 2] {
        self.count
    }

    /// Last point \[m\].
    pub(crate) fn end(&self) -> [f64; 2] {
        [self.x(self.count[0] - 1), self.y(self.count[1] - 1)]
    }

    /// Side lengths \[m\].
    pub(crate) fn size(&self) -> [f64; 2] {
        [0, 1].map(|axis| (self.count[axis] - 1) as f64 * self.step[axis])
    }

    /// Number of points; at least 1.
    pub fn points(&self) -> usize {
        self.count[0] * self.count[1]
    }

    /// Coordinate of column i \[m\].
    pub fn x(&self, i: usize) -> f64 {
        self.origin[0] + i as f64 * self.step[0]
    }

    /// Coordinate of row j \[m\].
    pub fn y(&self, j: usize) -> f64 {
        self.origin[1] + j as f64 * self.step[1]
    }

    /// Position of the point whose value is stored at this place \[m\].
    pub fn position(&self, place: usize) -> [f64; 2] {
        [self.x(place / self.count[1]), self.y(place % self.count[1])]
    }

    /// Whether a point lies within the rectangle of the grid.
    pub(crate) fn contains(&self, x: f64, y: f64) -> bool {
        let [[left, bottom], [right, top]] = [self.origin, self.end()];
        x >= left && x <= right && y >= bottom && y <= top
    }
}

/// Values on a regular grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    grid: Grid,
    values: Vec<f64>,
}

impl Lattice {
    /// Finite values on a grid, column by column.
    ///
    /// # Errors
    /// If there are not as many values as points, or one is not finite.
    pub(crate) fn new(grid: Grid, values: Vec<f64>) -> Result<Self, LatticeError> {
        if values.len() != grid.points() {
            return Err(LatticeError::Length { found: values.len(), wanted: grid.points() });
        }
        if let Some(place) = values.iter().position(|value| !value.is_finite()) {
            let [x, y] = grid.position(place);
            return Err(LatticeError::NotFinite { x, y, value: values[place] });
        }
        Ok(Self { grid, values })
    }

    /// Friction coefficients on a grid, column by column.
    ///
    /// # Errors
    /// As `Lattice::new`, and if a value is not positive.
    pub fn positive(grid: Grid, values: Vec<f64>) -> Result<Self, LatticeError> {
        let lattice = Self::new(grid, values)?;
        match lattice.values.iter().position(|value| *value <= 0.0) {
            None => Ok(lattice),
            Some(place) => {
                let [x, y] = grid.position(place);
                Err(LatticeError::NotPositive { x, y, value: lattice.values[place] })
            }
        }
    }

    /// A measured map of friction coefficients from the columns of a table, its rows in any order.
    ///
    /// The coordinates must form a complete regular grid, to a millionth of its step or to their ninth digit.
    ///
    /// # Errors
    /// Names the place of what is wrong: a coordinate or a value that is not finite, uneven spacing, a missing or a
    /// repeated point, a value that is not positive.
    pub fn measured(x: &[f64], y: &[f64], value: &[f64]) -> Result<Self, LatticeError> {
        if x.len() != y.len() || y.len() != value.len() {
            return Err(LatticeError::Columns { x: x.len(), y: y.len(), value: value.len() });
        }
        if let Some(row) = (0..x.len()).find(|&row| !(x[row].is_finite() && y[row].is_finite())) {
            return Err(LatticeError::Coordinate { row: row + 1, x: x[row], y: y[row] });
        }
        let (x0, dx, nx) = spacing('x', x)?;
        let (y0, dy, ny) = spacing('y', y)?;
        let grid = Grid::new([x0, y0], [dx, dy], [nx, ny])?;
        // a table of few rows that claims a huge grid lacks points: no memory is spent on it
        if grid.points() > 4 * x.len() {
            let [x, y] = first_missing(&grid, x, y);
            return Err(LatticeError::Missing { x, y });
        }
        // what is not a number has no value yet
        let mut values = vec![f64::NAN; grid.points()];
        let place = |row: usize| {
            let i = ((x[row] - x0) / dx).round() as usize;
            let j = ((y[row] - y0) / dy).round() as usize;
            i.min(nx - 1) * ny + j.min(ny - 1)
        };
        for row in 0..x.len() {
            if !value[row].is_finite() {
                return Err(LatticeError::NotFinite { x: x[row], y: y[row], value: value[row] });
            }
            let here = place(row);
            if !values[here].is_nan() {
                let first = (0..row).find(|other| place(*other) == here).map_or(0, |other| other + 1);
                return Err(LatticeError::Duplicate { x: x[row], y: y[row], first, second: row + 1 });
            }
            values[here] = value[row];
        }
        if let Some(place) = values.iter().position(|value| value.is_nan()) {
            let [x, y] = grid.position(place);
            return Err(LatticeError::Missing { x, y });
        }
        Self::positive(grid, values)
    }

    /// A measured map of friction coefficients from its rows, the first with the largest y; neighbouring points are `step` \[m\]
    /// apart, and the middle of the map is x = y = 0.
    ///
    /// # Errors
    /// As [`Lattice::positive`]; fewer than two rows or columns.
    pub fn measured_rows(rows: &[Vec<f64>], step: f64) -> Result<Self, LatticeError> {
        let count = [rows.first().map_or(0, Vec::len), rows.len()];
        if let Some(axis) = (0..2).find(|axis| count[*axis] < 2) {
            return Err(LatticeError::Flat { axis: ['x', 'y'][axis] });
        }
        // as the coordinates of single points would give it
        let ends = count.map(|count| {
            let middle = 0.5 * (count - 1) as f64;
            [step * (0.0 - middle), step * ((count - 1) as f64 - middle)]
        });
        let steps = [0, 1].map(|axis| (ends[axis][1] - ends[axis][0]) / (count[axis] - 1) as f64);
        let grid = Grid::new([ends[0][0], ends[1][0]], steps, count)?;
        let column = |i: usize| rows.iter().rev().filter_map(move |row| row.get(i).copied());
        Self::positive(grid, (0..count[0]).flat_map(column).collect())
    }

    /// Where the values are.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The values, column by column.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }
}

/// First coordinate, step and number of the different coordinates along one axis.
fn spacing(axis: char, coordinates: &[f64]) -> Result<(f64, f64, usize), LatticeError> {
    let mut sorted = coordinates.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (Some(&first), Some(&last)) = (sorted.first(), sorted.last()) else {
        return Err(LatticeError::Flat { axis });
    };
    // coordinates that differ by rounding of their decimals only are the same
    let same = 1e-9 * (last - first);
    let mut different = sorted;
    let mut before = first;
    different.dedup_by(|next, _| {
        let again = *next - before <= same;
        before = *next;
        again
    });
    different.shrink_to_fit();
    if different.len() < 2 {
        return Err(LatticeError::Flat { axis });
    }
    let step = (last - first) / (different.len() - 1) as f64;
    let worst = different
        .windows(2)
        .enumerate()
        .map(|(i, pair)| {
            let place = (pair[1] - first - (i + 1) as f64 * step).abs();
            (place.max((pair[1] - pair[0] - step).abs()), pair[0], pair[1])
        })
        .fold((0.0, first, first), |worst, next| if next.0 > worst.0 { next } else { worst });
    // coordinates with nine digits are right to 5e-9 of the largest, their distances to twice that
    let digits = (1e-8 * first.abs().max(last.abs())).min(0.01 * step);
    if worst.0 > digits.max(1e-6 * step) {
        return Err(LatticeError::Spacing { axis, step, found: worst.2 - worst.1, from: worst.1, to: worst.2 });
    }
    Ok((first, step, different.len()))
}

/// A point of the first columns that no row has.
fn first_missing(grid: &Grid, x: &[f64], y: &[f64]) -> [f64; 2] {
    let [dx, dy] = grid.step;
    let has = |at: [f64; 2]| x.iter().zip(y).any(|(x, y)| (x - at[0]).abs() < 0.5 * dx && (y - at[1]).abs() < 0.5 * dy);
    // more points than rows are looked at, so that one must be missing
    (0..=x.len().min(grid.points() - 1)).map(|place| grid.position(place)).find(|at| !has(*at)).unwrap_or(grid.end())
}

#[cfg(test)]
impl Lattice {
    /// The value at column i and row j; None outside.
    pub(crate) fn value(&self, i: usize, j: usize) -> Option<f64> {
        let [columns, rows] = self.grid.count;
        (i < columns && j < rows).then(|| self.values[i * rows + j])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measured_map_is_read_in_any_order() {
        let (x, y) = ([0.1, 0.0, 0.2, 0.0, 0.1, 0.2], [1.0, 1.5, 1.5, 1.0, 1.5, 1.0]);
        let map = Lattice::measured(&x, &y, &[0.3, 0.2, 0.6, 0.1, 0.4, 0.5]).unwrap();
        assert_eq!(map.values(), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
        assert_eq!(map.grid().count(), [3, 2]);
        assert_eq!(map.value(2, 1), Some(0.6));
        assert_eq!(map.value(3, 0), None);
    }

    #[test]
    fn a_bad_map_is_refused_with_the_place() {
        let (x, y) = ([0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]);
        let message = |x: &[f64], y: &[f64], value: &[f64]| Lattice::measured(x, y, value).unwrap_err().to_string();
        assert!(message(&x, &y, &[1.0, 1.0, -0.5, 1.0]).contains("x = 1 m, y = 0 m is -0.5"));
        assert!(message(&x, &y, &[1.0, f64::NAN, 1.0, 1.0]).contains("x = 0 m, y = 1 m is NaN"));
        assert!(message(&x[..3], &y[..3], &[1.0; 3]).contains("x = 1 m, y = 1 m is missing"));
        assert!(message(&[0.0, 0.0, 1.0, 0.0], &y, &[1.0; 4]).contains("twice, in rows 2 and 4"));
        assert!(message(&x, &[0.0, f64::NAN, 0.0, 1.0], &[1.0; 4]).contains("row 2"));
        assert!(message(&x, &y[..3], &[1.0; 4]).contains("4, 3 and 4"));
        assert!(message(&[0.0; 4], &y, &[1.0; 4]).contains("only one coordinate along x"));
        assert!(message(&[], &[], &[]).contains("only one coordinate"));
        let uneven = message(&[0.0, 1.0, 2.5, 3.5], &[0.0, 1.0, 2.0, 3.0], &[1.0; 4]);
        assert!(
            uneven.contains("along x are not evenly spaced") && uneven.contains("between 1 m and 2.5 m"),
            "{uneven}"
        );
        // a diagonal of points spans a grid of which most is missing
        let diagonal: Vec<f64> = (0..1000).map(f64::from).collect();
        assert!(message(&diagonal, &diagonal, &[1.0; 1000]).contains("x = 0 m, y = 1 m is missing"));
    }

    #[test]
    fn impossible_grids_are_refused() {
        assert!(Grid::new([0.0, f64::NAN], [1.0; 2], [2; 2]).is_err());
        assert!(Grid::new([0.0; 2], [0.0, 1.0], [2; 2]).is_err());
        assert!(Grid::new([0.0; 2], [1.0; 2], [0, 2]).is_err());
        assert!(Grid::new([0.0; 2], [1.0; 2], [usize::MAX, 2]).is_err());
        assert!(Grid::covering([0.0; 2], [1e300, 1.0], [1e-300, 1.0]).is_err());
        assert!(Grid::covering([0.0; 2], [-1.0, 1.0], [1.0; 2]).is_err());
        let grid = Grid::covering([0.0; 2], [0.3, 1.0], [0.1, 0.3]).unwrap();
        assert!(grid.end()[0] >= 0.3 && grid.end()[1] >= 1.0 && grid.count()[1] == 5);
    }
}
