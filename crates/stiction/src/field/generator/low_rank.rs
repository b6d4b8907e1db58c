//! Fields on any points, by a factor of their correlation matrix.
//!
//! Cholesky's factorisation with the largest remaining variance as the next pivot. It needs only the columns of the
//! pivots, and may stop as soon as the variance that remains is negligible: smooth fields on many points have few degrees
//! of freedom. A matrix that is not positive definite is refused; nothing is added to its diagonal.

use super::{DEFAULT_MEMORY, GeneratorError, PointMap};
use crate::field::lattice::Grid;
use crate::field::purpose::{Germ, Purpose};

/// Variance that may remain if nothing else is said, relative to all [-].
pub const DEFAULT_TOLERANCE: f64 = 1e-12;
/// Up to this many points every pair is checked once more at the end.
const CHECKED: usize = 2000;

/// A factor L of the correlation matrix of points, L Lᵀ = R up to what was dropped.
#[derive(Debug, Clone)]
pub struct PointFactor {
    count: usize,
    /// Column by column.
    columns: Vec<f64>,
    pivots: Vec<usize>,
    dropped: f64,
}

impl PointFactor {
    /// The whole factor: until only round-off remains.
    ///
    /// # Errors
    /// As [`PointFactor::low_rank`].
    pub fn cholesky(points: &[[f64; 2]], correlation: &dyn Fn(f64, f64) -> f64) -> Result<Self, GeneratorError> {
        Self::low_rank(points, correlation, 4.0 * f64::EPSILON)
    }

    /// The factor up to a remaining variance of `tolerance` relative to all [-].
    ///
    /// # Errors
    /// If the correlation matrix is not positive definite or not made of correlations, or the factor needs more than 1 GiB.
    pub fn low_rank(
        points: &[[f64; 2]],
        correlation: &dyn Fn(f64, f64) -> f64,
        tolerance: f64,
    ) -> Result<Self, GeneratorError> {
        let count = points.len();
        let between = |i: usize, j: usize| {
            let lag = [points[i][0] - points[j][0], points[i][1] - points[j][1]];
            let value = correlation(lag[0], lag[1]);
            let right = if i == j { (value - 1.0).abs() <= 1e-12 } else { value.abs() <= 1.0 + 1e-12 };
            if right { Ok(value) } else { Err(GeneratorError::Correlation { value, x: lag[0], y: lag[1] }) }
        };
        // what elimination may leave of an exact zero by rounding
        let round_off = 1e-12 + 16.0 * f64::EPSILON * count as f64;
        let refuse = |point: usize, remaining: f64| {
            let [x, y] = points[point];
            Err(GeneratorError::Indefinite { point, x, y, remaining })
        };
        let mut remaining = vec![1.0_f64; count];
        let mut taken = vec![false; count];
        let (mut columns, mut pivots) = (Vec::new(), Vec::new());
        let mut left = count as f64;
        while pivots.len() < count && left > tolerance * count as f64 {
            let mut pivot = None;
            for i in (0..count).filter(|&i| !taken[i]) {
                if remaining[i] < -round_off {
                    return refuse(i, remaining[i]);
                }
                if pivot.is_none_or(|best: usize| remaining[i] > remaining[best]) {
                    pivot = Some(i);
                }
            }
            let Some(pivot) = pivot.filter(|&pivot| remaining[pivot] > f64::EPSILON) else { break };
            if (columns.len() + count) * 8 > DEFAULT_MEMORY {
                return Err(memory(count, (columns.len() + count) * 8));
            }
            let root = remaining[pivot].sqrt();
            let mut column = vec![0.0; count];
            for (i, entry) in column.iter_mut().enumerate() {
                *entry = if taken[i] { 0.0 } else { between(i, pivot)? };
            }
            for earlier in columns.chunks_exact(count) {
                let factor: f64 = earlier[pivot];
                for (entry, other) in column.iter_mut().zip(earlier) {
                    *entry -= factor * other;
                }
            }
            taken[pivot] = true;
            left = 0.0;
            for (i, entry) in column.iter_mut().enumerate() {
                *entry = if i == pivot {
                    root
                } else if taken[i] {
                    0.0
                } else {
                    *entry / root
                };
                remaining[i] = if taken[i] { 0.0 } else { remaining[i] - *entry * *entry };
                left += remaining[i].max(0.0);
            }
            columns.extend_from_slice(&column);
            pivots.push(pivot);
        }
        if let Some(i) = (0..count).find(|&i| remaining[i] < -round_off) {
            return refuse(i, remaining[i]);
        }
        let factor = Self { count, columns, pivots, dropped: if count == 0 { 0.0 } else { left / count as f64 } };
        if count <= CHECKED {
            // no covariance may remain where no variance does
            for i in (0..count).filter(|&i| !taken[i]) {
                for j in (0..i).filter(|&j| !taken[j]) {
                    let rest = between(i, j)? - factor.covariance(i, j);
                    let most = (remaining[i].max(0.0) * remaining[j].max(0.0)).sqrt();
                    if rest.abs() > most + round_off {
                        return refuse(i, most - rest.abs());
                    }
                }
            }
        }
        Ok(factor)
    }

    /// Number of columns of the factor: degrees of freedom of the field.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// The variance that was dropped, relative to all [-].
    pub fn dropped(&self) -> f64 {
        self.dropped
    }

    /// The covariance that the factor gives to points i and j; 0 if there is no such point.
    pub fn covariance(&self, i: usize, j: usize) -> f64 {
        if i >= self.count || j >= self.count {
            return 0.0;
        }
        self.columns.chunks_exact(self.count).fold(0.0, |sum, column| sum + column[i] * column[j])
    }

    /// One realisation at all points; the noise is drawn in the order of the pivots.
    ///
    /// # Errors
    /// If `values` has not as many places as there are points.
    pub fn fill(
        &self,
        germ: &Germ,
        purpose: Purpose,
        map: &impl PointMap,
        values: &mut [f64],
    ) -> Result<(), GeneratorError> {
        if values.len() != self.count {
            return Err(GeneratorError::Size { found: values.len(), wanted: self.count });
        }
        let mut noise = vec![0.0; self.rank()];
        germ.stream(purpose).fill_normal(&mut noise);
        values.fill(0.0);
        for (column, normal) in self.columns.chunks_exact(self.count.max(1)).zip(noise) {
            let normal = germ.sign() * normal;
            for (value, entry) in values.iter_mut().zip(column) {
                *value += entry * normal;
            }
        }
        map.apply(values);
        Ok(())
    }
}

fn memory(points: usize, bytes: usize) -> GeneratorError {
    GeneratorError::PointMemory {
        generator: "low_rank",
        points,
        needed: (bytes >> 20) as u64 + 1,
        limit: (DEFAULT_MEMORY >> 20) as u64,
        alternative: "use fewer points, a larger tolerance, or a regular grid with the generator `circulant`",
    }
}

/// Factors along both axes of a grid, for correlations that are products R(Δx) R(Δy): G = A_x Z A_yᵀ.
#[derive(Debug, Clone)]
pub struct TensorFactor {
    axes: [PointFactor; 2],
}

impl TensorFactor {
    /// The factors for the correlations along x and y, up to a remaining variance of `tolerance` for each axis.
    ///
    /// # Errors
    /// As [`PointFactor::low_rank`].
    pub fn new(
        grid: &Grid,
        along_x: &dyn Fn(f64) -> f64,
        along_y: &dyn Fn(f64) -> f64,
        tolerance: f64,
    ) -> Result<Self, GeneratorError> {
        let [columns, rows] = grid.count();
        let xs: Vec<[f64; 2]> = (0..columns).map(|i| [grid.x(i), 0.0]).collect();
        let ys: Vec<[f64; 2]> = (0..rows).map(|j| [0.0, grid.y(j)]).collect();
        let x = PointFactor::low_rank(&xs, &|lag, _| along_x(lag), tolerance)?;
        let y = PointFactor::low_rank(&ys, &|_, lag| along_y(lag), tolerance)?;
        Ok(Self { axes: [x, y] })
    }

    /// Degrees of freedom along x and y.
    pub fn rank(&self) -> [usize; 2] {
        [self.axes[0].rank(), self.axes[1].rank()]
    }

    /// The variance that was dropped, relative to all [-].
    pub fn dropped(&self) -> f64 {
        let [x, y] = &self.axes;
        x.dropped + y.dropped - x.dropped * y.dropped
    }

    /// The factors along x and y.
    pub fn axes(&self) -> &[PointFactor; 2] {
        &self.axes
    }

    /// One realisation, column by column.
    ///
    /// # Errors
    /// If `values` has not as many places as the grid has points.
    pub fn fill(
        &self,
        germ: &Germ,
        purpose: Purpose,
        map: &impl PointMap,
        values: &mut [f64],
    ) -> Result<(), GeneratorError> {
        let [x, y] = &self.axes;
        if values.len() != x.count * y.count {
            return Err(GeneratorError::Size { found: values.len(), wanted: x.count * y.count });
        }
        let mut stream = germ.stream(purpose);
        let (mut noise, mut line) = (vec![0.0; y.rank()], vec![0.0; y.count]);
        values.fill(0.0);
        for across in x.columns.chunks_exact(x.count) {
            stream.fill_normal(&mut noise);
            line.fill(0.0);
            for (along, normal) in y.columns.chunks_exact(y.count).zip(&noise) {
                let normal = germ.sign() * normal;
                line.iter_mut().zip(along).for_each(|(sum, entry)| *sum += entry * normal);
            }
            for (column, factor) in values.chunks_exact_mut(y.count).zip(across) {
                column.iter_mut().zip(&line).for_each(|(value, sum)| *value += factor * sum);
            }
        }
        map.apply(values);
        Ok(())
    }
}
