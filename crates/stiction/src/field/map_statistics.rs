//! Mean, spread and correlation of a measured map, with their errors.
//!
//! Half the mean square difference of points at a lag h, the variogram, estimates σ² [1 − R(h)] without knowing the mean. Of
//! R = exp(−(hᵀA h)^(n/2)), the matrix A follows by linear least squares from (−ln R)^(2/n), and n is the exponent that fits
//! best. The variance about the mean of the map lacks the variance of that mean, σ² ⟨R⟩ with ⟨R⟩ the average over all pairs of
//! points. Errors are the scatter of the same estimates over synthetic maps with the statistics that were found.

use super::{
    Correlation, CorrelationOf, Family, FieldDescription, FieldError, FieldModel, GeneratorChoice, Germ, Grid,
    Indefinite, Lattice, LengthChoice, Marginal, RandomField, Realisations,
};
use crate::num::dense::solve;
use crate::num::gauss::Rule;
use crate::num::real::{atan2, cos, exp, ln, pow, sin};
use crate::num::roots::minimum;
use crate::num::special::gamma;
use crate::num::statistics::{deviation, mean, powers_about};
use nalgebra::DMatrix;
use rayon::prelude::*;
use std::f64::consts::PI;

/// A number that was estimated, and its standard error, in the same unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimated {
    /// The number.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// What a measured map tells about the field that it is a sample of.
#[derive(Debug, Clone, PartialEq)]
pub struct MapStatistics {
    /// Mean of the coefficient [-].
    pub mean: Estimated,
    /// Standard deviation of the coefficient [-].
    pub standard_deviation: Estimated,
    /// Correlation length \[m\]: the geometric mean of those along the principal axes.
    pub length: Estimated,
    /// Correlation lengths along the principal axes \[m\], the longer one first.
    pub lengths: [Estimated; 2],
    /// Angle from the x axis to the first principal axis \[rad\], between −π/2 and π/2.
    pub angle: Estimated,
    /// Exponent n of exp(−(r/l)ⁿ) [-].
    pub exponent: Estimated,
    /// Whether the two lengths differ by no more than their errors allow.
    pub isotropic: bool,
    /// Number of independent patches that the map is worth [-].
    pub patches: f64,
    /// What limits the estimates.
    pub warnings: Vec<String>,
}

/// Directions in which lags are looked at.
const DIRECTIONS: usize = 8;
/// Ratio of successive lags in a direction.
const SPACING: f64 = 1.2;
/// The longest lag in sides of the map.
const LONGEST: f64 = 1.0 / 3.0;
/// Lags count as long as the correlation stays above this value.
const LOWEST: f64 = 0.3;
/// Fewest lags from which an exponent is found.
const FEWEST: usize = 10;
/// Largest average correlation of two points of the map that is corrected for.
const MOST_COMMON: f64 = 0.6;
/// Synthetic maps behind the errors, their seed, and their largest number of points.
const SYNTHETIC: u64 = 48;
const SEED: u64 = 0x6d61_7073;
const MOST_POINTS: f64 = 3e4;
/// A map with a side of fewer correlation lengths is a poor sample.
const FEW_LENGTHS: f64 = 10.0;

impl MapStatistics {
    /// The statistics of a map of friction coefficients.
    ///
    /// # Errors
    /// [`FieldError::Generator`] if the map is too small, or its coefficient does not vary smoothly enough to show a
    /// correlation from one point to the next.
    pub fn of(map: &Lattice) -> Result<Self, FieldError> {
        let grid = map.grid();
        let fit = Fit::of(grid, map.values())?;
        let (lengths, angle) = fit.axes();
        let patches = fit.patches(grid);
        let scatter = fit.scatter(grid, lengths, angle);
        let estimated = |value: f64, error: f64| Estimated { value, error };
        let length = estimated((lengths[0] * lengths[1]).sqrt(), scatter.length);
        let isotropic = ln(lengths[0] / lengths[1]) < 3.0 * scatter.length / length.value;
        let mut warnings = Vec::new();
        let sides = grid.size();
        let narrow = sides[0].min(sides[1]);
        if narrow < FEW_LENGTHS * length.value {
            warnings.push(format!(
                "the map is only {:.1} correlation lengths wide and worth about {patches:.0} independent patches: its \
                 statistics are uncertain; measure a larger area",
                narrow / length.value
            ));
        }
        let step = grid.step()[0].max(grid.step()[1]);
        if lengths[1] < 2.0 * step {
            warnings.push(format!(
                "the correlation length {:.3e} m is shorter than two steps of the map ({step:.3e} m): measure with a finer step",
                lengths[1]
            ));
        }
        Ok(Self {
            mean: estimated(fit.mean, scatter.mean),
            standard_deviation: estimated(fit.variance.sqrt(), scatter.deviation),
            length,
            lengths: [estimated(lengths[0], scatter.lengths[0]), estimated(lengths[1], scatter.lengths[1])],
            angle: estimated(angle, scatter.angle),
            exponent: estimated(fit.exponent, scatter.exponent),
            isotropic,
            patches,
            warnings,
        })
    }

    /// The keys of a random field with these statistics; the correlation is that of the coefficient.
    pub fn model(&self) -> FieldModel {
        let lengths = self.lengths.map(|length| length.value);
        let (length, angle) = if self.isotropic {
            (LengthChoice::Isotropic(self.length.value), 0.0)
        } else {
            (LengthChoice::Anisotropic(lengths), self.angle.value)
        };
        FieldModel {
            mean: Some(self.mean.value),
            standard_deviation: Some(self.standard_deviation.value),
            correlation_length: Some(length),
            angle,
            correlation_exponent: self.exponent.value,
            correlation_of: Some(CorrelationOf::Coefficient),
            ..FieldModel::default()
        }
    }
}

/// Mean, variance and correlation that fit a map.
#[derive(Debug, Clone, Copy)]
struct Fit {
    mean: f64,
    variance: f64,
    /// A_xx, A_yy, A_xy \[1/m²\].
    quadratic: [f64; 3],
    exponent: f64,
}

/// A lag along one of the directions, and the variogram there.
#[derive(Debug, Clone, Copy)]
struct Lag {
    direction: usize,
    /// \[m\].
    step: [f64; 2],
    half_square: f64,
}

fn unusable(message: &str) -> FieldError {
    FieldError::Generator { message: message.to_owned() }
}

impl Fit {
    fn of(grid: &Grid, values: &[f64]) -> Result<Self, FieldError> {
        let mean = mean(values.iter().copied()).unwrap_or(f64::NAN);
        let about = powers_about(mean, values, 2) / values.len() as f64;
        if !(about > 1e-24 * mean * mean && grid.count().iter().all(|count| *count >= 6)) {
            let message = "the statistics of the map cannot be estimated: it needs at least 6 by 6 points, and a coefficient \
                           that varies";
            return Err(unusable(message));
        }
        let lags = variogram(grid, values);
        let mut fit = Self { mean, variance: about, quadratic: [0.0; 3], exponent: 2.0 };
        for _ in 0..5 {
            let used = used(&lags, fit.variance);
            let residual =
                |exponent: f64| quadratic(&used, fit.variance, exponent).map_or(f64::INFINITY, |found| found.1);
            fit.exponent = if used.len() < FEWEST { 2.0 } else { minimum(0.3, 2.0, residual).at };
            // a bound that fits as well as its neighbourhood is meant
            if residual(2.0) <= residual(fit.exponent) {
                fit.exponent = 2.0;
            }
            let Some((found, _)) = quadratic(&used, fit.variance, fit.exponent) else {
                let message = "the statistics of the map cannot be estimated: neighbouring points are hardly correlated, or \
                               the map is smaller than a correlation length; measure with a finer step or over a larger area";
                return Err(unusable(message));
            };
            fit.quadratic = found;
            fit.variance = about / (1.0 - fit.common(grid).min(MOST_COMMON));
        }
        Ok(fit)
    }

    /// Average of the correlation over all pairs of points of the map [-].
    fn common(&self, grid: &Grid) -> f64 {
        let [width, height] = grid.size();
        let rule = Rule::gauss_legendre(32);
        let graded: Vec<(f64, f64)> = rule.on(0.0, 1.0).map(|(t, weight)| (t * t * t, 3.0 * t * t * weight)).collect();
        let mut sum = 0.0;
        for (u, along) in &graded {
            for (v, across) in &graded {
                let pair = 2.0 * along * across * (1.0 - u) * (1.0 - v);
                sum += pair * (self.correlation([u * width, v * height]) + self.correlation([u * width, -v * height]));
            }
        }
        sum
    }

    fn correlation(&self, [x, y]: [f64; 2]) -> f64 {
        let [xx, yy, xy] = self.quadratic;
        exp(-pow((xx * x * x + yy * y * y + 2.0 * xy * x * y).max(0.0), 0.5 * self.exponent))
    }

    /// Lengths along the principal axes \[m\], the longer one first, and the angle of the first.
    fn axes(&self) -> ([f64; 2], f64) {
        let [xx, yy, xy] = self.quadratic;
        let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
        let radius = (half * half + xy * xy).sqrt();
        let largest = mean + radius;
        // the smaller one as determinant over the larger one, which does not cancel
        let smallest = (xx * yy - xy * xy) / largest;
        // the longer axis is that of the smaller eigenvalue
        let angle = 0.5 * atan2(-xy, -half);
        ([smallest.sqrt().recip(), largest.sqrt().recip()], angle)
    }

    /// Area of the map over that of the squared correlation: how many independent values a variance comes from.
    fn patches(&self, grid: &Grid) -> f64 {
        let ([first, second], n) = (self.axes().0, self.exponent);
        let patch = PI * first * second * gamma(1.0 + 2.0 / n) * pow(2.0, -2.0 / n);
        (grid.size().iter().product::<f64>() / patch).max(1.0)
    }

    /// Standard errors of all estimates from synthetic maps.
    fn scatter(&self, grid: &Grid, lengths: [f64; 2], angle: f64) -> Scatter {
        let fits = self.synthetic(grid, lengths, angle).unwrap_or_default();
        let Some((_, smaller)) = fits.first().filter(|_| fits.len() > 3) else {
            // what synthetic maps would tell to leading order
            let part = (2.0 / self.patches(grid)).sqrt();
            let lengths = lengths.map(|length| part * length);
            let (mean, deviation) = (part * self.variance.sqrt(), part * self.variance.sqrt());
            return Scatter { mean, deviation, length: part * lengths[0], lengths, angle: part, exponent: part };
        };
        // synthetic maps may be smaller than the map
        let factor = (self.patches(smaller) / self.patches(grid)).sqrt();
        let spread = |of: &dyn Fn(&Self) -> f64| {
            let found: Vec<f64> = fits.iter().map(|(fit, _)| of(fit)).collect();
            factor * deviation(&found).unwrap_or(f64::NAN)
        };
        let turned = |fit: &Self| {
            let off = fit.axes().1 - angle;
            off - PI * (off / PI).round()
        };
        Scatter {
            mean: spread(&|fit| fit.mean),
            deviation: spread(&|fit| fit.variance.sqrt()),
            length: spread(&|fit| (fit.axes().0[0] * fit.axes().0[1]).sqrt()),
            lengths: [spread(&|fit| fit.axes().0[0]), spread(&|fit| fit.axes().0[1])],
            angle: spread(&turned),
            exponent: spread(&|fit| fit.exponent),
        }
    }

    /// Fits of synthetic maps, and their grid.
    fn synthetic(&self, grid: &Grid, length: [f64; 2], angle: f64) -> Option<Vec<(Self, Grid)>> {
        // as fine as the correlation needs, and not larger than necessary
        let stride = grid.step().map(|step| (length[1] / (6.0 * step)).floor().max(1.0));
        let counts = [0, 1].map(|axis| grid.size()[axis] / (stride[axis] * grid.step()[axis]) + 1.0);
        let shrink = (MOST_POINTS / (counts[0] * counts[1])).sqrt().min(1.0);
        let counts = counts.map(|count| ((shrink * count) as usize).max(8));
        let steps = [0, 1].map(|axis| stride[axis] * grid.step()[axis]);
        let smaller = Grid::new([0.0, 0.0], steps, counts).ok()?;
        let random = RandomField {
            marginal: Marginal::lognormal(self.mean, self.variance.sqrt()).ok()?,
            prescribed: Correlation { family: Family::PowerExponential { exponent: self.exponent }, length, angle },
            correlation_of: CorrelationOf::GaussianParent,
            indefinite: Indefinite::Refuse,
            embedding_tolerance: 1e-6,
            memory: 1 << 28,
        };
        let field = FieldDescription::Random(Box::new(random));
        let made = Realisations::on_grid(&field, None, GeneratorChoice::Auto, &smaller).ok()?;
        let one = |index: u64| {
            let mut values = vec![0.0; smaller.points()];
            made.fill(&Germ::new(SEED, index), &mut values).ok()?;
            Fit::of(&smaller, &values).ok().map(|fit| (fit, smaller))
        };
        Some((0..SYNTHETIC).into_par_iter().map(one).collect::<Vec<_>>().into_iter().flatten().collect())
    }
}

/// Standard errors.
struct Scatter {
    mean: f64,
    deviation: f64,
    length: f64,
    lengths: [f64; 2],
    angle: f64,
    exponent: f64,
}

/// Half the mean square differences at lags in several directions, short ones first.
fn variogram(grid: &Grid, values: &[f64]) -> Vec<Lag> {
    let ([dx, dy], [columns, rows]) = (grid.step(), grid.count());
    let most = [columns, rows].map(|count| (LONGEST * count as f64) as i64);
    let mut places: Vec<([i64; 2], usize)> = Vec::new();
    for direction in 0..DIRECTIONS {
        let turn = PI * direction as f64 / DIRECTIONS as f64;
        let mut distance = dx.min(dy);
        loop {
            let place = [(distance * cos(turn) / dx).round() as i64, (distance * sin(turn) / dy).round() as i64];
            if place[0].abs() > most[0] || place[1].abs() > most[1] {
                break;
            }
            // the opposite lag is the same
            let place = if place[0] < 0 { place.map(|cells| -cells) } else { place };
            if place != [0, 0] && places.iter().all(|(other, _)| *other != place) {
                places.push((place, direction));
            }
            distance *= SPACING;
        }
    }
    let lag = |(place, direction): ([i64; 2], usize)| {
        let step = [place[0] as f64 * dx, place[1] as f64 * dy];
        Lag { direction, step, half_square: half_square(values, [columns, rows], place) }
    };
    places.into_iter().map(lag).collect()
}

fn half_square(values: &[f64], [columns, rows]: [usize; 2], [across, up]: [i64; 2]) -> f64 {
    // lags point to larger x, upward or downward
    let (across, shift) = (across.unsigned_abs() as usize, up.unsigned_abs() as usize);
    let (low, high) = if up >= 0 { (0, shift) } else { (shift, 0) };
    let (mut sum, mut count) = (0.0, 0_usize);
    for i in 0..columns - across {
        let one = &values[i * rows + low..(i + 1) * rows - high];
        let other = &values[(i + across) * rows + high..(i + across + 1) * rows - low];
        sum += one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        count += one.len();
    }
    0.5 * sum / count as f64
}

/// Lags of each direction up to the first at which the correlation is low.
fn used(lags: &[Lag], variance: f64) -> Vec<Lag> {
    let mut ended = [false; DIRECTIONS];
    let mut found = Vec::new();
    for lag in lags {
        let correlation = 1.0 - lag.half_square / variance;
        ended[lag.direction] |= correlation < LOWEST;
        if !ended[lag.direction] && correlation < 1.0 {
            found.push(*lag);
        }
    }
    found
}

/// The matrix A for an exponent, and the mean square relative deviation of −ln R; none if there are not enough lags.
fn quadratic(lags: &[Lag], variance: f64, exponent: f64) -> Option<([f64; 3], f64)> {
    let (mut matrix, mut right) = ([[0.0; 3]; 3], [0.0; 3]);
    let terms = |[x, y]: [f64; 2]| [x * x, y * y, 2.0 * x * y];
    let weighted = |lag: &Lag| {
        let correlation = 1.0 - lag.half_square / variance;
        let logarithm = -ln(correlation);
        // errors of a correlation are about as large as 1 − R
        (logarithm, correlation * logarithm / (1.0 - correlation))
    };
    for lag in lags {
        let (logarithm, weight) = weighted(lag);
        let wanted = pow(logarithm, 2.0 / exponent);
        let row = terms(lag.step).map(|term| term * weight / wanted);
        for i in 0..3 {
            right[i] += row[i] * weight;
            for j in 0..3 {
                matrix[i][j] += row[i] * row[j];
            }
        }
    }
    // in units of the diagonal, so that lengths far from 1 m lose no digits
    let scales: [f64; 3] = std::array::from_fn(|i| matrix[i][i].sqrt());
    let scaled = DMatrix::from_fn(3, 3, |i, j| matrix[i][j] / (scales[i] * scales[j]));
    let solved = solve(scaled, (0..3).map(|i| right[i] / scales[i])).filter(|_| lags.len() >= 3)?;
    let found: [f64; 3] = std::array::from_fn(|i| solved[i] / scales[i]);
    let [xx, yy, xy] = found;
    if !(xx > 0.0 && yy > 0.0 && xx * yy - xy * xy > 1e-12 * xx * yy) {
        return None;
    }
    let mut deviation = 0.0;
    for lag in lags {
        let (logarithm, weight) = weighted(lag);
        let model: f64 = terms(lag.step).iter().zip(found).map(|(term, part)| term * part).sum();
        let off = (0.5 * exponent * ln(model.max(1e-300)) - ln(logarithm)) * weight;
        deviation += off * off;
    }
    Some((found, deviation / lags.len() as f64))
}
