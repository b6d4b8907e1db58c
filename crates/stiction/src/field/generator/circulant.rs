//! Any correlation on a regular grid, by circulant embedding.
//!
//! The correlation is continued periodically to a torus larger than the grid. Its Fourier transform are the eigenvalues λ
//! of the covariance on the torus; if none is negative, noise with these variances per wave number, transformed once, is a
//! field with exactly this covariance. If some are negative the torus is too small, or the function is no correlation: the
//! embedding is enlarged, and refused at the limit of memory. Nothing is clipped unless the caller asks for it by name.
//!
//! The continuation takes the lag of smallest magnitude; halfway round, where two lags have it, their mean. That is even
//! along each axis if the correlation is, and right for turned ones, which are even under reflection at a point only.

use super::{DEFAULT_MEMORY, FIELD, GeneratorError, PointMap, check_size};
use crate::field::lattice::Grid;
use crate::num::fft::{Fft, LANES, Pack, smooth_size};
use crate::num::purpose::Germ;

/// What is done about negative eigenvalues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Negative {
    /// An error if their mass exceeds the tolerance.
    Refuse,
    /// They are set to zero and the variance is restored: the field has another covariance, see the report.
    Project,
}

/// How an embedding is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Embedding {
    /// Correlation length \[m\]: the scale of the padding.
    pub(crate) length: f64,
    /// First half period in correlation lengths [-]: 5 for the Gaussian, 8 for rougher, 12 for Matérn of ν ≥ 1.5.
    pub(crate) reach: f64,
    /// Accepted negative mass and deviation of the covariance [-].
    pub(crate) tolerance: f64,
    /// What is done about more than that.
    pub(crate) negative: Negative,
    /// Memory allowed \[bytes\].
    pub(crate) memory: u64,
}

impl Embedding {
    /// A torus of at least `reach` correlation lengths, tolerance 1e-12, 1 GiB.
    pub fn new(length: f64, reach: f64) -> Self {
        Self { length, reach, tolerance: 1e-12, negative: Negative::Refuse, memory: DEFAULT_MEMORY }
    }
}

/// What became of an embedding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbeddingReport {
    /// Points of the torus along x and y.
    pub size: [usize; 2],
    /// Half periods along x and y \[m\].
    pub half_period: [f64; 2],
    /// Smallest eigenvalue [-].
    pub smallest: f64,
    /// Largest eigenvalue [-].
    pub largest: f64,
    /// Number of negative eigenvalues.
    pub negative_count: usize,
    /// Sum of |negative eigenvalues| / sum of all: a fraction of the variance [-].
    pub negative_mass: f64,
    /// The part of it that was set to zero [-].
    pub clipped_mass: f64,
    /// Largest deviation of the covariance on the torus, before clipping, over all lags of the grid [-].
    pub covariance_error: f64,
    /// Largest change of the correlation over all lags of the grid by clipping [-]; 0 unless it was asked for.
    pub projection_change: f64,
}

/// A grid on a torus whose eigenvalues are not negative.
#[derive(Debug, Clone)]
pub struct Circulant {
    grid: Grid,
    transforms: [Fft; 2],
    /// √(λ/N), all kx for ky = 0, then for ky = 1, up to half the period.
    amplitudes: Vec<f64>,
    report: EmbeddingReport,
}

/// Enlargements of a torus at most; each is by a third.
const MOST_ENLARGEMENTS: usize = 40;

const ALTERNATIVE: &str = "use a larger `memory` or `embedding_tolerance`, or the generator `low_rank` (`separable` for \
                           the Gaussian correlation, `cutoff` for exp(-r/l))";

impl Circulant {
    /// Embeds a correlation, given as a function of the lag \[m\].
    ///
    /// # Errors
    /// If the function is no correlation at some lag, or the embedding is too small or too large.
    pub fn new(
        grid: &Grid,
        correlation: &dyn Fn(f64, f64) -> f64,
        embedding: &Embedding,
    ) -> Result<Self, GeneratorError> {
        Self::unless(&|| false, grid, correlation, embedding)
    }

    /// The same unless `stop` says so: a large torus takes many seconds.
    ///
    /// # Errors
    /// As [`Circulant::new`], and [`GeneratorError::Stopped`].
    pub(crate) fn unless(
        stop: &dyn Fn() -> bool,
        grid: &Grid,
        correlation: &dyn Fn(f64, f64) -> f64,
        embedding: &Embedding,
    ) -> Result<Self, GeneratorError> {
        let Embedding { length, reach, tolerance, .. } = *embedding;
        if !(length.is_finite() && length > 0.0) {
            return Err(GeneratorError::Length { length });
        }
        for (what, value) in [("reach", reach), ("embedding_tolerance", tolerance)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(GeneratorError::NotFinite { what, value });
            }
        }
        let at_zero = correlation(0.0, 0.0);
        if at_zero.is_nan() || (at_zero - 1.0).abs() > 1e-12 {
            return Err(GeneratorError::Correlation { value: at_zero, x: 0.0, y: 0.0 });
        }
        let count = grid.count();
        let minimal = count.map(|points| 2 * points.max(2) - 2);
        let half = |axis: usize, half: f64| 2.0 * (half / grid.step()[axis]).ceil();
        let mut wanted = [0, 1].map(|axis| {
            let reached = if axis == 0 {
                decay(count[0], tolerance, |k| correlation(k as f64 * grid.step()[0], 0.0))
            } else {
                decay(count[1], tolerance, |k| correlation(0.0, k as f64 * grid.step()[1]))
            };
            // lags beyond the half period may be wrapped where nothing is left of the correlation
            let compact = (count[axis] + reached).min(minimal[axis]);
            half(axis, reach * length).max(compact as f64)
        });
        for _ in 0..MOST_ENLARGEMENTS {
            let smooth =
                |axis: usize| (wanted[axis] < 1e15).then(|| smooth_size((wanted[axis] as usize).max(count[axis])))?;
            let (Some(x), Some(y)) = (smooth(0), smooth(1)) else {
                return Err(too_large(grid, f64::INFINITY, embedding));
            };
            let size = [x, y];
            let bytes = 20.0 * size[0] as f64 * (size[1] as f64 + 16.0);
            if bytes > embedding.memory as f64 {
                return Err(too_large(grid, bytes, embedding));
            }
            let value = |p: usize, q: usize| wrapped(grid, size, correlation, p, q);
            let found = Self::on_torus(stop, grid, size, &value, correlation)?;
            let report = found.report;
            if report.negative_mass <= tolerance && report.covariance_error <= tolerance {
                return Ok(found);
            }
            if embedding.negative == Negative::Project && report.covariance_error <= tolerance {
                return found.projected(grid, correlation);
            }
            for axis in [0, 1] {
                wanted[axis] = (4.0 / 3.0 * size[axis] as f64).ceil();
                if report.covariance_error > tolerance {
                    wanted[axis] = wanted[axis].max(minimal[axis] as f64);
                }
            }
        }
        Err(too_large(grid, f64::INFINITY, embedding))
    }

    /// A torus of `size` with the covariance `value` at its places; `wanted` is the covariance at the lags of the grid.
    pub(super) fn on_torus(
        stop: &dyn Fn() -> bool,
        grid: &Grid,
        size: [usize; 2],
        value: &dyn Fn(usize, usize) -> f64,
        wanted: &dyn Fn(f64, f64) -> f64,
    ) -> Result<Self, GeneratorError> {
        let [dx, dy] = grid.step();
        let transforms = size.map(Fft::new);
        let half = size[1] / 2 + 1;
        let mut covariance_error = 0.0_f64;
        // along y: eight x side by side; only half of the wave numbers are different
        let mut rows = vec![Pack::ZERO; size[1]];
        let mut work = vec![Pack::ZERO; size[0].max(size[1])];
        let mut half_done = vec![[0.0; 2]; size[0] * half];
        for p in (0..size[0]).step_by(LANES) {
            if stop() {
                return Err(GeneratorError::Stopped);
            }
            for (q, pack) in rows.iter_mut().enumerate() {
                *pack = Pack::ZERO;
                for lane in 0..LANES.min(size[0] - p) {
                    let found = value(p + lane, q);
                    if found.is_nan() || found.abs() > 1.0 + 1e-12 {
                        let (x, y) = ((p + lane) as f64 * dx, q as f64 * dy);
                        return Err(GeneratorError::Correlation { value: found, x, y });
                    }
                    pack.re[lane] = found;
                    if p + lane < grid.count()[0] && q < grid.count()[1] {
                        let exact = wanted((p + lane) as f64 * dx, q as f64 * dy);
                        covariance_error = covariance_error.max((found - exact).abs());
                    }
                    // the lag (dx, −dy) of turned correlations
                    let across = size[1] - q;
                    if p + lane < grid.count()[0] && q > 0 && across < grid.count()[1] && across <= size[1] / 2 {
                        let exact = wanted((p + lane) as f64 * dx, -(across as f64) * dy);
                        covariance_error = covariance_error.max((found - exact).abs());
                    }
                }
            }
            transforms[1].transform(&mut rows, &mut work[..size[1]]);
            for (ky, pack) in rows.iter().take(half).enumerate() {
                for lane in 0..LANES.min(size[0] - p) {
                    half_done[ky * size[0] + p + lane] = [pack.re[lane], pack.im[lane]];
                }
            }
        }
        // along x: eight ky side by side
        let mut eigenvalues = vec![0.0; size[0] * half];
        let mut columns = vec![Pack::ZERO; size[0]];
        for ky in (0..half).step_by(LANES) {
            if stop() {
                return Err(GeneratorError::Stopped);
            }
            let lanes = LANES.min(half - ky);
            for (p, pack) in columns.iter_mut().enumerate() {
                *pack = Pack::ZERO;
                for lane in 0..lanes {
                    [pack.re[lane], pack.im[lane]] = half_done[(ky + lane) * size[0] + p];
                }
            }
            transforms[0].transform(&mut columns, &mut work[..size[0]]);
            for (kx, pack) in columns.iter().enumerate() {
                for lane in 0..lanes {
                    eigenvalues[(ky + lane) * size[0] + kx] = pack.re[lane];
                }
            }
        }
        let report = EmbeddingReport {
            size,
            half_period: [0.5 * size[0] as f64 * dx, 0.5 * size[1] as f64 * dy],
            covariance_error,
            ..summary(&eigenvalues, size)
        };
        Ok(Self { grid: *grid, transforms, amplitudes: amplitudes(&eigenvalues, size), report })
    }

    /// Restores the variance that clipping added, and finds what it did to the correlation.
    fn projected(mut self, grid: &Grid, wanted: &dyn Fn(f64, f64) -> f64) -> Result<Self, GeneratorError> {
        let size = self.report.size;
        let variance = sum(size, |place| self.amplitudes[place] * self.amplitudes[place]);
        self.amplitudes.iter_mut().for_each(|amplitude| *amplitude /= variance.sqrt());
        let covariance = self.covariance();
        let rows = grid.count()[1];
        let [dx, dy] = grid.step();
        for (place, found) in covariance.iter().enumerate() {
            let exact = wanted((place / rows) as f64 * dx, (place % rows) as f64 * dy);
            self.report.projection_change = self.report.projection_change.max((found - exact).abs());
        }
        Ok(self)
    }

    /// What became of the embedding.
    pub(crate) fn report(&self) -> &EmbeddingReport {
        &self.report
    }

    /// The covariance of the field at all lags ≥ 0 of the grid, without sampling: in the order of values on the grid.
    pub(crate) fn covariance(&self) -> Vec<f64> {
        let mut covariance = vec![0.0; self.grid.points()];
        self.synthesise(&mut covariance, |_, row, amplitudes| {
            for (target, amplitude) in row.iter_mut().zip(amplitudes) {
                *target = [amplitude * amplitude, 0.0];
            }
        });
        covariance
    }

    /// One realisation: `map` of the standard Gaussian field, column by column.
    ///
    /// The noise is drawn in the order of the wave numbers: a longer domain is another field.
    ///
    /// # Errors
    /// If `values` has not as many places as the grid has points.
    pub fn fill(&self, germ: &Germ, map: &impl PointMap, values: &mut [f64]) -> Result<(), GeneratorError> {
        check_size(values, self.grid.points())?;
        let [width, height] = self.report.size;
        let (mut stream, sign) = (germ.stream(FIELD), germ.sign());
        let mut noise = vec![0.0; 2 * width];
        self.synthesise(values, |ky, row, amplitudes| {
            let alone = ky == 0 || 2 * ky == height;
            stream.fill_normal(if alone { &mut noise[..width] } else { &mut noise });
            if alone {
                // wave numbers ±kx are conjugate: the noise of both is in one half
                let pair = |k: usize| [noise[2 * k - 1], noise[2 * k]];
                for (kx, (target, amplitude)) in row.iter_mut().zip(amplitudes).enumerate() {
                    let [re, im] = match kx {
                        0 => [std::f64::consts::SQRT_2 * noise[0], 0.0],
                        _ if 2 * kx == width => [std::f64::consts::SQRT_2 * noise[width - 1], 0.0],
                        _ if 2 * kx < width => pair(kx),
                        _ => [pair(width - kx)[0], -pair(width - kx)[1]],
                    };
                    *target = [HALF * sign * amplitude * re, HALF * sign * amplitude * im];
                }
            } else {
                for ((target, amplitude), pair) in row.iter_mut().zip(amplitudes).zip(noise.as_chunks::<2>().0) {
                    let amplitude = HALF * sign * amplitude;
                    *target = [amplitude * pair[0], amplitude * pair[1]];
                }
            }
        });
        for tile in values.chunks_mut(1 << 15) {
            map.apply(tile);
        }
        Ok(())
    }

    /// The real field on the grid whose spectrum `row` writes for one ky after the other, given the amplitudes.
    fn synthesise(&self, values: &mut [f64], mut row: impl FnMut(usize, &mut [[f64; 2]], &[f64])) {
        /// Columns of the grid that are transformed along y together: two in each lane, as real and imaginary part.
        const COLUMNS: usize = 2 * LANES;
        let [width, height] = self.report.size;
        let [nx, ny] = self.grid.count();
        let half = height / 2 + 1;
        let blocks = nx.div_ceil(COLUMNS);
        let mut line = vec![[0.0; 2]; width];
        let mut columns = vec![Pack::ZERO; width];
        let mut work = vec![Pack::ZERO; width.max(height)];
        // for each block of columns its ky, for each of these the columns of both halves
        let mut between = vec![[Pack::ZERO; 2]; blocks * half];
        for ky in (0..half).step_by(LANES) {
            let lanes = LANES.min(half - ky);
            for lane in 0..lanes {
                row(ky + lane, &mut line, &self.amplitudes[(ky + lane) * width..(ky + lane + 1) * width]);
                for (pack, [re, im]) in columns.iter_mut().zip(&line) {
                    pack.re[lane] = *re;
                    pack.im[lane] = *im;
                }
            }
            self.transforms[0].transform(&mut columns, &mut work[..width]);
            // only the columns that the grid has
            for (block, packs) in columns.chunks(COLUMNS).take(blocks).enumerate() {
                for lane in 0..lanes {
                    let [left, right] = &mut between[block * half + ky + lane];
                    for (place, pack) in packs.iter().enumerate() {
                        let target = if place < LANES { &mut *left } else { &mut *right };
                        target.re[place % LANES] = pack.re[lane];
                        target.im[place % LANES] = pack.im[lane];
                    }
                }
            }
        }
        let mut rows = vec![Pack::ZERO; height];
        for (packs, values) in between.chunks_exact(half).zip(values.chunks_mut(COLUMNS * ny)) {
            for (ky, [a, b]) in packs.iter().enumerate() {
                let alone = ky == 0 || 2 * ky == height;
                let mut low = Pack::ZERO;
                let mut high = Pack::ZERO;
                for lane in 0..LANES {
                    // A + iB, and its mirror image conj(A) + i conj(B)
                    low.re[lane] = a.re[lane] - b.im[lane];
                    low.im[lane] = a.im[lane] + b.re[lane];
                    high.re[lane] = a.re[lane] + b.im[lane];
                    high.im[lane] = b.re[lane] - a.im[lane];
                }
                rows[ky] = low;
                if !alone {
                    rows[height - ky] = high;
                }
            }
            self.transforms[1].transform(&mut rows, &mut work[..height]);
            for (place, column) in values.chunks_exact_mut(ny).enumerate() {
                for (value, pack) in column.iter_mut().zip(&rows) {
                    *value = if place < LANES { pack.re[place] } else { pack.im[place - LANES] };
                }
            }
        }
    }
}

/// √½: real and imaginary part of the noise share its variance.
const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The correlation at the lag of smallest magnitude that place (p, q) of a torus stands for; halfway round, the mean of
/// both.
fn wrapped(grid: &Grid, size: [usize; 2], correlation: &dyn Fn(f64, f64) -> f64, p: usize, q: usize) -> f64 {
    let [dx, dy] = grid.step();
    let lags = |place: usize, size: usize, step: f64| {
        let forward = place as f64 * step;
        let back = -((size - place) as f64) * step;
        if 2 * place < size {
            [forward, forward]
        } else if 2 * place > size {
            [back, back]
        } else {
            [forward, back]
        }
    };
    let (x, y) = (lags(p, size[0], dx), lags(q, size[1], dy));
    if x[0] == x[1] && y[0] == y[1] {
        return correlation(x[0], y[0]);
    }
    0.25 * (correlation(x[0], y[0]) + correlation(x[0], y[1]) + correlation(x[1], y[0]) + correlation(x[1], y[1]))
}

/// Steps after which a correlation along an axis stays below the tolerance; all of the axis if it does not.
fn decay(count: usize, tolerance: f64, correlation: impl Fn(usize) -> f64) -> usize {
    (0..count).rev().find(|&k| correlation(k).abs() > tolerance).map_or(1, |last| last + 1)
}

/// Sum over the whole torus of what is stored for half of its wave numbers.
fn sum(size: [usize; 2], term: impl Fn(usize) -> f64) -> f64 {
    let half = size[1] / 2 + 1;
    (0..half).fold(0.0, |total, ky| {
        let row = (0..size[0]).fold(0.0, |row, kx| row + term(ky * size[0] + kx));
        total + if ky == 0 || 2 * ky == size[1] { row } else { 2.0 * row }
    })
}

fn summary(eigenvalues: &[f64], size: [usize; 2]) -> EmbeddingReport {
    let total = sum(size, |place| eigenvalues[place]);
    let negative_mass = sum(size, |place| (-eigenvalues[place]).max(0.0)) / total;
    EmbeddingReport {
        size,
        half_period: [0.0; 2],
        smallest: eigenvalues.iter().copied().fold(f64::INFINITY, f64::min),
        largest: eigenvalues.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        negative_count: sum(size, |place| if eigenvalues[place] < 0.0 { 1.0 } else { 0.0 }) as usize,
        negative_mass,
        clipped_mass: negative_mass,
        covariance_error: 0.0,
        projection_change: 0.0,
    }
}

fn amplitudes(eigenvalues: &[f64], size: [usize; 2]) -> Vec<f64> {
    let points = size[0] as f64 * size[1] as f64;
    eigenvalues.iter().map(|eigenvalue| (eigenvalue.max(0.0) / points).sqrt()).collect()
}

fn too_large(grid: &Grid, bytes: f64, embedding: &Embedding) -> GeneratorError {
    let [width, height] = grid.size();
    GeneratorError::Memory {
        generator: "circulant",
        needed: (bytes / f64::from(1 << 20)).ceil() as u64,
        limit: embedding.memory >> 20,
        width,
        height,
        length: embedding.length,
        alternative: ALTERNATIVE,
    }
}
