//! The exponential correlation exp(−r/l) on a domain short against l: a random constant plus a field of compact support.
//!
//! ```text
//! D largest lag of the domain,   A₀ = exp(−D/l) (1 − D/(2l)) ≥ 0  iff  D ≤ 2l
//! c(r) = A₀ + c̃(r),   c̃ = exp(−r/l) − A₀  for r ≤ D,   b₀ (2D − r)²  for D < r < 2D,   0 beyond,   b₀ = exp(−D/l)/(2 D l)
//! G = √A₀ z + G̃
//! ```
//! A torus of period 2D plus the side, over which the images of c̃ are summed, has no negative eigenvalue, whatever l.

use super::circulant::{Circulant, EmbeddingReport};
use super::{Gaussian, GeneratorError, PointMap};
use crate::field::lattice::Grid;
use crate::num::fft::smooth_size;
use crate::num::purpose::{Germ, Purpose};
use crate::num::real::exp;

/// Round-off that eigenvalues may have, as negative mass [-].
const ROUND_OFF: f64 = 1e-12;

/// The generator of fields with correlation exp(−r/l) on small domains.
#[derive(Debug, Clone)]
pub(crate) struct Cutoff {
    /// A₀ [-].
    constant: f64,
    compact: Circulant,
}

impl Cutoff {
    /// For a grid and a correlation length \[m\], with at most `memory` bytes, unless `stop` says so.
    ///
    /// # Errors
    /// If the largest lag of the grid exceeds two correlation lengths, the torus needs more memory, or an eigenvalue is
    /// negative; and [`GeneratorError::Stopped`].
    pub(crate) fn unless(
        stop: &dyn Fn() -> bool,
        memory: u64,
        grid: &Grid,
        length: f64,
    ) -> Result<Self, GeneratorError> {
        if !(length.is_finite() && length > 0.0) {
            return Err(GeneratorError::Length { length });
        }
        let [width, height] = grid.size();
        let [dx, dy] = grid.step();
        // a single point still needs some lag
        let lag = (width * width + height * height).sqrt().max(dx.min(dy));
        if lag > 2.0 * length {
            return Err(GeneratorError::Cutoff { lag, length });
        }
        let at_lag = exp(-lag / length);
        let constant = at_lag * (1.0 - lag / (2.0 * length));
        let b0 = at_lag / (2.0 * lag * length);
        let compact = |r: f64| {
            if r <= lag {
                exp(-r / length) - constant
            } else if r < 2.0 * lag {
                b0 * (2.0 * lag - r) * (2.0 * lag - r)
            } else {
                0.0
            }
        };
        let cells = [(2.0 * lag + width) / dx, (2.0 * lag + height) / dy].map(f64::ceil);
        let needed = 20.0 * cells[0] * cells[1];
        let size = match cells.map(|cells| if cells < 1e15 { smooth_size(cells as usize) } else { None }) {
            [Some(x), Some(y)] if needed <= memory as f64 => [x, y],
            _ => {
                return Err(GeneratorError::Memory {
                    generator: "cutoff",
                    needed: (needed / f64::from(1 << 20)).ceil() as u64,
                    limit: memory >> 20,
                    width,
                    height,
                    length,
                    alternative: "use a coarser grid, or a larger `memory`",
                });
            }
        };
        let value = |p: usize, q: usize| {
            let images =
                |place: usize, size: usize, step: f64| [place as f64 * step, (place as f64 - size as f64) * step];
            let (xs, ys) = (images(p, size[0], dx), images(q, size[1], dy));
            xs.iter().fold(0.0, |sum, x| ys.iter().fold(sum, |sum, y| sum + compact((x * x + y * y).sqrt())))
        };
        let wanted = |x: f64, y: f64| compact((x * x + y * y).sqrt());
        let compact = Circulant::on_torus(stop, grid, size, &value, &wanted)?;
        let report = compact.report();
        if report.negative_mass > ROUND_OFF || report.covariance_error > ROUND_OFF {
            return Err(GeneratorError::Embedding {
                half_x: report.half_period[0],
                half_y: report.half_period[1],
                length,
                negative_mass: report.negative_mass,
                smallest: report.smallest,
                tolerance: ROUND_OFF,
                alternative: "use the generator `low_rank`",
            });
        }
        Ok(Self { constant, compact })
    }

    /// What became of the embedding of the compact part.
    pub(crate) fn report(&self) -> &EmbeddingReport {
        self.compact.report()
    }

    /// One realisation, column by column; the constant has a stream of its own.
    ///
    /// # Errors
    /// If `values` has not as many places as the grid has points.
    pub(crate) fn fill(&self, germ: &Germ, map: &impl PointMap, values: &mut [f64]) -> Result<(), GeneratorError> {
        self.compact.fill(germ, &Gaussian, values)?;
        let normal = germ.sign() * germ.stream(Purpose::FieldConstant).normal();
        let constant = self.constant.max(0.0).sqrt() * normal;
        values.iter_mut().for_each(|value| *value += constant);
        map.apply(values);
        Ok(())
    }
}

#[cfg(test)]
impl Cutoff {
    /// The same with 1 GiB.
    ///
    /// # Errors
    /// As [`Cutoff::unless`].
    pub(crate) fn new(grid: &Grid, length: f64) -> Result<Self, GeneratorError> {
        Self::unless(&|| false, super::DEFAULT_MEMORY, grid, length)
    }

    /// Variance A₀ of the random constant [-].
    pub(crate) fn constant(&self) -> f64 {
        self.constant
    }

    /// The covariance of the field at all lags ≥ 0 of the grid, without sampling: in the order of values on the grid.
    pub(crate) fn covariance(&self) -> Vec<f64> {
        let mut covariance = self.compact.covariance();
        covariance.iter_mut().for_each(|value| *value += self.constant);
        covariance
    }
}
