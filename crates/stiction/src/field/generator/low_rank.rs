//! Fields on any points, by a factor of their correlation matrix.
//!
//! Cholesky's factorisation with the largest remaining variance as the next pivot. It needs only the columns of the
//! pivots, and may stop as soon as the variance that remains is negligible: smooth fields on many points have few degrees
//! of freedom. A matrix that is not positive definite is refused; nothing is added to its diagonal.

use super::{FIELD, GeneratorError, PointMap, check_size};
use crate::num::purpose::Germ;

/// Up to this many points every pair is checked once more at the end.
const CHECKED: usize = 2000;

/// The remaining variance of a whole factor, relative to all [-]: only rounding.
pub(crate) const WHOLE: f64 = 4.0 * f64::EPSILON;

/// A factor L of the correlation matrix of points, L Lᵀ = R up to what was dropped.
#[derive(Debug, Clone)]
pub(crate) struct PointFactor {
    pub(super) count: usize,
    /// Column by column, in the order in which noise is drawn.
    pub(super) columns: Vec<f64>,
    pub(super) dropped: f64,
}

/// The correlation between two of the points.
pub(super) fn between(
    points: &[[f64; 2]],
    correlation: &dyn Fn(f64, f64) -> f64,
    [i, j]: [usize; 2],
) -> Result<f64, GeneratorError> {
    let [x, y] = [0, 1].map(|axis| points[i][axis] - points[j][axis]);
    let value = correlation(x, y);
    let right = if i == j { (value - 1.0).abs() <= 1e-12 } else { value.abs() <= 1.0 + 1e-12 };
    if right { Ok(value) } else { Err(GeneratorError::Correlation { value, x, y }) }
}

impl PointFactor {
    /// The factor up to a remaining variance of `tolerance` relative to all [-], with at most `memory` bytes, unless `stop` says
    /// so: the cost grows with the square of the rank.
    ///
    /// # Errors
    /// If the correlation matrix is not positive definite or not made of correlations, the factor needs more memory, or
    /// [`GeneratorError::Stopped`].
    pub(crate) fn unless(
        stop: &dyn Fn() -> bool,
        memory: u64,
        points: &[[f64; 2]],
        correlation: &dyn Fn(f64, f64) -> f64,
        tolerance: f64,
    ) -> Result<Self, GeneratorError> {
        let count = points.len();
        let between = |i: usize, j: usize| between(points, correlation, [i, j]);
        // what elimination may leave of an exact zero by rounding
        let round_off = 1e-12 + 16.0 * f64::EPSILON * count as f64;
        let refuse = |point: usize, remaining: f64| {
            let [x, y] = points[point];
            Err(GeneratorError::Indefinite { point, x, y, remaining })
        };
        let mut remaining = vec![1.0_f64; count];
        let mut taken = vec![false; count];
        let (mut columns, mut rank) = (Vec::new(), 0);
        let mut left = count as f64;
        while rank < count && left > tolerance * count as f64 {
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
            let needed = 8 * (columns.len() + count) as u64;
            if needed > memory {
                return Err(too_large(count, needed, memory));
            }
            if stop() {
                return Err(GeneratorError::Stopped);
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
            rank += 1;
        }
        if let Some(i) = (0..count).find(|&i| remaining[i] < -round_off) {
            return refuse(i, remaining[i]);
        }
        let factor = Self { count, columns, dropped: if count == 0 { 0.0 } else { left / count as f64 } };
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
    pub(crate) fn rank(&self) -> usize {
        self.columns.len() / self.count.max(1)
    }

    /// The variance that was dropped, relative to all [-].
    pub(crate) fn dropped(&self) -> f64 {
        self.dropped
    }

    /// The covariance that the factor gives to points i and j; 0 if there is no such point.
    pub(crate) fn covariance(&self, i: usize, j: usize) -> f64 {
        if i >= self.count || j >= self.count {
            return 0.0;
        }
        self.columns.chunks_exact(self.count).fold(0.0, |sum, column| sum + column[i] * column[j])
    }

    /// One realisation at all points; the noise is drawn in the order of the columns.
    ///
    /// # Errors
    /// If `values` has not as many places as there are points.
    pub(crate) fn fill(&self, germ: &Germ, map: &impl PointMap, values: &mut [f64]) -> Result<(), GeneratorError> {
        check_size(values, self.count)?;
        let mut noise = vec![0.0; self.rank()];
        germ.stream(FIELD).fill_normal(&mut noise);
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

fn too_large(points: usize, needed: u64, memory: u64) -> GeneratorError {
    GeneratorError::PointMemory {
        generator: "low_rank",
        points,
        needed: (needed >> 20) + 1,
        limit: memory >> 20,
        alternative: "use fewer points, a larger `memory`, or a regular grid with the generator `circulant`",
    }
}
