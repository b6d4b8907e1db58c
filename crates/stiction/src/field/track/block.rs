//! Part of a track, stored so that a whole patch is interpolated at once.

use super::TrackSetting;
use crate::field::generator::GeneratorError;
use crate::field::interpolation::spline;
use crate::field::{FieldError, InterpolationChoice};

/// Rows above the last one that may be read and do not count.
const FILL: usize = 40;

/// Numbers of an interpolation in double or single precision.
#[derive(Debug, Clone, PartialEq)]
pub enum Numbers {
    /// Half the memory and twice the speed, for many realisations.
    Single(Vec<f32>),
    /// All digits.
    Double(Vec<f64>),
}

/// Part of a track: values (bilinear) or coefficients of the spline (cubic), column by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Column and row of the first number.
    pub(super) first: [i64; 2],
    /// Columns and rows.
    pub(super) count: [usize; 2],
    stride: usize,
    numbers: Numbers,
    interpolation: InterpolationChoice,
    step: f64,
}

/// Interpolation weights of one place within a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Taps {
    across: [f64; 4],
    along: [f64; 4],
    count: usize,
}

impl Block {
    /// Stores numbers with room above every column, after a look at their sign.
    pub(super) fn of(
        setting: &TrackSetting,
        first: [i64; 2],
        count: [usize; 2],
        numbers: &[f64],
    ) -> Result<Self, FieldError> {
        let TrackSetting { step, interpolation, single, .. } = *setting;
        let [width, height] = count;
        let stride = height + FILL;
        let mut padded = vec![0.0; width * stride];
        for (column, source) in padded.chunks_exact_mut(stride).zip(numbers.chunks_exact(height)) {
            let (inside, above) = column.split_at_mut(height);
            inside.copy_from_slice(source);
            above.fill(source.last().copied().unwrap_or(1.0));
        }
        let positive = padded.iter().all(|number| *number > 0.0);
        let block = Self { first, count, stride, numbers: Numbers::Double(padded), interpolation, step };
        if !positive {
            block.check_between()?;
        }
        Ok(if single { block.rounded() } else { block })
    }

    /// How values between nodes are found.
    pub(crate) fn interpolation(&self) -> InterpolationChoice {
        self.interpolation
    }

    /// The numbers.
    pub(crate) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Numbers from one column to the next.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    pub(super) fn covers(&self, columns: [i64; 2], rows: [i64; 2]) -> bool {
        let [[left, bottom], [width, height]] = [self.first, self.count.map(|count| count as i64)];
        columns[0] >= left && columns[1] < left + width && rows[0] >= bottom && rows[1] < bottom + height
    }

    /// Where the first tap of the node `node` + `corner` is stored, if all nodes within `reach` of `node` are.
    ///
    /// # Errors
    /// [`GeneratorError::Outside`] if they are not.
    pub fn place(&self, node: [i64; 2], corner: [i64; 2], reach: [[i64; 2]; 2]) -> Result<usize, GeneratorError> {
        let around = [0, 1].map(|axis| reach[axis].map(|offset| node[axis].saturating_add(offset)));
        if !self.covers(around[0], around[1]) {
            let [left, bottom] = self.first.map(|node| node as f64 * self.step);
            let [width, height] = self.count.map(|count| (count - 1) as f64 * self.step);
            let (right, top) = (left + width, bottom + height);
            let [x, y] = node.map(|node| node as f64 * self.step);
            return Err(GeneratorError::Outside { left, right, bottom, top, x, y });
        }
        let shift = if self.interpolation == InterpolationChoice::Cubic { 1 } else { 0 };
        let at = [0, 1].map(|axis| (node[axis] + corner[axis] - shift - self.first[axis]) as usize);
        Ok(at[0] * self.stride + at[1])
    }

    /// Weights of the place at the part (u, v) of a cell.
    pub fn taps(&self, [u, v]: [f64; 2]) -> Taps {
        match self.interpolation {
            InterpolationChoice::Cubic => Taps { across: spline(u).0, along: spline(v).0, count: 4 },
            InterpolationChoice::Bilinear => {
                Taps { across: [1.0 - u, u, 0.0, 0.0], along: [1.0 - v, v, 0.0, 0.0], count: 2 }
            }
        }
    }

    /// The values at nodes one above the other, the first `corner` columns and rows from the place `start`, all at the place
    /// of the taps within their cells; `line` is scratch.
    pub(crate) fn column(
        &self,
        start: usize,
        corner: [usize; 2],
        taps: &Taps,
        line: &mut Vec<f64>,
        values: &mut [f64],
    ) {
        let start = start + corner[0] * self.stride + corner[1];
        line.clear();
        line.resize(values.len() + taps.count - 1, 0.0);
        match &self.numbers {
            Numbers::Single(numbers) => combined(numbers, start, self.stride, taps, line, |x| f64::from(*x)),
            Numbers::Double(numbers) => combined(numbers, start, self.stride, taps, line, |x| *x),
        }
        values.fill(0.0);
        for (k, along) in taps.along.iter().enumerate().take(taps.count) {
            for (value, number) in values.iter_mut().zip(line.iter().skip(k)) {
                *value += along * number;
            }
        }
    }

    /// The value at the node that is `corner` columns and rows from the place `start`, at the place of the taps within its cell.
    pub fn value(&self, start: usize, corner: [usize; 2], taps: &Taps) -> f64 {
        let start = start + corner[0] * self.stride + corner[1];
        match &self.numbers {
            Numbers::Single(numbers) => interpolated(numbers, start, self.stride, taps, |x| f64::from(*x)),
            Numbers::Double(numbers) => interpolated(numbers, start, self.stride, taps, |x| *x),
        }
    }

    fn rounded(self) -> Self {
        let numbers = match self.numbers {
            Numbers::Double(numbers) => Numbers::Single(numbers.into_iter().map(|x| x as f32).collect()),
            single => single,
        };
        Self { numbers, ..self }
    }

    /// Looks at sixteen points of every cell: a spline may fall below zero between positive values.
    fn check_between(&self) -> Result<(), FieldError> {
        let taps = if self.interpolation == InterpolationChoice::Cubic { 4 } else { 2 };
        for i in 0..self.count[0].saturating_sub(taps - 1) {
            for j in 0..self.count[1].saturating_sub(taps - 1) {
                for part in 0..16 {
                    let part = [part / 4, part % 4].map(|k| f64::from(k) / 4.0);
                    let value = self.value(0, [i, j], &self.taps(part));
                    if value <= 0.0 || value.is_nan() {
                        let shift = if taps == 4 { 1.0 } else { 0.0 };
                        let at = |axis: usize, k: usize| {
                            ((self.first[axis] + k as i64) as f64 + shift + part[axis]) * self.step
                        };
                        return Err(GeneratorError::NotPositive { x: at(0, i), y: at(1, j), value }.into());
                    }
                }
            }
        }
        Ok(())
    }
}

#[inline]
fn interpolated<T>(numbers: &[T], start: usize, stride: usize, taps: &Taps, wide: impl Fn(&T) -> f64) -> f64 {
    let mut value = 0.0;
    for (k, across) in taps.across.iter().enumerate().take(taps.count) {
        let column = numbers.get(start + k * stride..).unwrap_or_default();
        let mut sum = 0.0;
        for (number, along) in column.iter().zip(&taps.along).take(taps.count) {
            sum += along * wide(number);
        }
        value += across * sum;
    }
    value
}

/// Columns of numbers combined into one.
fn combined<T>(numbers: &[T], start: usize, stride: usize, taps: &Taps, line: &mut [f64], wide: impl Fn(&T) -> f64) {
    for (k, across) in taps.across.iter().enumerate().take(taps.count) {
        let column = numbers.get(start + k * stride..).unwrap_or_default();
        for (out, number) in line.iter_mut().zip(column) {
            *out += across * wide(number);
        }
    }
}
