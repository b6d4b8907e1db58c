//! A function of the distance as a sum of Gaussians of given lengths, by least squares.
//!
//! ```text
//! C(r) = c₀ + Σ c_k exp(−r²/l_k²) + rest(r)
//! ```
//! The rest matters where it is beyond a few of the shortest lengths, in proportion to the area r dr; nearer, where C may have a
//! cusp, it may be as large as it likes. Coefficients are kept small enough that errors of what they multiply do not grow.

use crate::num::bulk;
use crate::num::gauss::Rules;
use crate::num::real::{exp, ln};

/// How much the near part of the rest counts, at most; less if the covariance ends there.
const NEAR: f64 = 1e-5;

/// How much the size of the coefficients counts.
const SIZE: f64 = 1e-8;

/// Nodes of a panel of the fit, and of its proof.
const NODES: [usize; 2] = [12, 17];

/// A sum of Gaussians.
#[derive(Debug)]
pub(super) struct Blend<'a> {
    lengths: &'a [f64],
    pub(super) coefficients: Vec<f64>,
    pub(super) constant: f64,
    /// The largest |∫rest r dr| from the near part to any distance \[m²\].
    pub(super) beyond: f64,
}

/// Places at equal steps of the logarithm, with weights of r dr.
fn places([low, high]: [f64; 2], count: usize) -> Vec<(f64, f64)> {
    let (from, to) = (ln(low), ln(high));
    let panels = (to - from).ceil().max(1.0);
    let width = (to - from) / panels;
    let mut found = Vec::new();
    for panel in 0..panels as usize {
        let start = from + width * panel as f64;
        found.extend(Rules::shared().with(count).on(start, start + width).map(|(x, weight)| {
            let r = exp(x);
            (r, r * r * weight)
        }));
    }
    found
}

impl<'a> Blend<'a> {
    /// The sum that fits `values`, the covariance at many distances, from `near` to `far` \[m\]; `length`
    /// \[m\] is that over which it falls. None if numbers are not finite.
    pub(super) fn new(
        values: impl Fn(&[f64]) -> Vec<f64>,
        length: f64,
        lengths: &'a [f64],
        [near, far]: [f64; 2],
    ) -> Option<Self> {
        let outside = places([near, far], NODES[0]);
        let inside = places([0.03 * near, near], 8);
        let counts = NEAR * (length / near).clamp(0.02, 1.0);
        let (mut distances, mut weights) = (Vec::new(), Vec::new());
        for (part, share) in [(&outside, 1.0), (&inside, counts)] {
            distances.extend(part.iter().map(|(r, _)| *r));
            weights.extend(part.iter().map(|(_, weight)| share * weight));
        }
        let proof = places([near, far], NODES[1]);
        let proved: Vec<f64> = proof.iter().map(|(r, _)| *r).collect();
        let covariance = values(&distances);
        // what is the same at all distances is exact
        let last = *values(&[far]).first()?;
        let areas = outside.iter().chain(&inside).map(|(_, weight)| weight);
        let total: f64 = covariance.iter().zip(areas).map(|(value, area)| area * (value - last).abs()).sum();
        if !(total.is_finite() && last.is_finite()) {
            return None;
        }
        let mut blend = Self { lengths, coefficients: vec![0.0; lengths.len()], constant: last, beyond: 0.0 };
        if total > 0.0 {
            let mut columns: Vec<Vec<f64>> = lengths.iter().map(|length| gaussian(*length, &distances)).collect();
            columns.push(vec![1.0; distances.len()]);
            let mut right: Vec<f64> =
                covariance.iter().zip(&weights).map(|(value, weight)| (value - last) * weight / total).collect();
            let unknowns = columns.len();
            for (index, column) in columns.iter_mut().enumerate() {
                column.iter_mut().zip(&weights).for_each(|(value, weight)| *value *= weight / total);
                column.extend((0..unknowns).map(|other| if other == index { SIZE } else { 0.0 }));
            }
            right.resize(right.len() + unknowns, 0.0);
            let mut found = least_squares(columns, right)?;
            blend.constant += found.pop()?;
            blend.coefficients = found;
        }
        let rests = values(&proved).into_iter().zip(blend.at(&proved)).zip(&proof);
        let (mut sum, mut largest) = (0.0_f64, 0.0_f64);
        for ((value, blended), (_, area)) in rests {
            sum += area * (value - blended);
            largest = if sum.is_nan() { f64::INFINITY } else { largest.max(sum.abs()) };
        }
        blend.beyond = largest;
        blend.beyond.is_finite().then_some(blend)
    }

    /// The sum at many distances \[m\].
    pub(super) fn at(&self, distances: &[f64]) -> Vec<f64> {
        let mut sums = vec![self.constant; distances.len()];
        for (length, coefficient) in self.lengths.iter().zip(&self.coefficients) {
            for (sum, value) in sums.iter_mut().zip(gaussian(*length, distances)) {
                *sum += coefficient * value;
            }
        }
        sums
    }
}

fn gaussian(length: f64, distances: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = distances.iter().map(|r| -(r / length) * (r / length)).collect();
    bulk::exp(&mut values);
    values
}

/// The x for which the sum of x_k · column k is nearest to `right`, by reflections; none if numbers are not finite.
fn least_squares(mut columns: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let unknowns = columns.len();
    for k in 0..unknowns {
        let (before, after) = columns.split_at_mut(k + 1);
        let own = before[k].get_mut(k..)?;
        let norm = own.iter().map(|x| x * x).sum::<f64>().sqrt();
        let first = *own.first()?;
        let turned = if first > 0.0 { -norm } else { norm };
        // the mirror between the column and its image
        own[0] = first - turned;
        let square = own.iter().map(|x| x * x).sum::<f64>();
        if square > 0.0 {
            for other in after.iter_mut().map(|column| &mut column[k..]).chain([&mut right[k..]]) {
                let product: f64 = own.iter().zip(other.iter()).map(|(a, b)| a * b).sum();
                let factor = 2.0 * product / square;
                other.iter_mut().zip(own.iter()).for_each(|(b, a)| *b -= factor * a);
            }
        }
        own[0] = turned;
    }
    let mut found = vec![0.0; unknowns];
    for k in (0..unknowns).rev() {
        let known: f64 = (k + 1..unknowns).map(|other| columns[other][k] * found[other]).sum();
        found[k] = (right[k] - known) / columns[k][k];
    }
    found.iter().all(|x| x.is_finite()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::planar_sliding::ladder::rungs;
    use crate::num::real::{cos, pow};

    #[test]
    fn covariances_with_cusps_are_sums_of_long_gaussians() {
        type Correlation = fn(f64) -> f64;
        let kernels: [(&str, Correlation); 4] = [
            ("root", |r| exp(-r.sqrt())),
            ("exponential", |r| exp(-r)),
            ("smoother", |r| exp(-pow(r, 1.5))),
            ("waves", |r| exp(-r) * cos(r)),
        ];
        let lengths = rungs(0.1, 4.5);
        for (name, kernel) in kernels {
            for length in [0.3, 3.0, 100.0] {
                let values = |places: &[f64]| places.iter().map(|r| kernel(r / length)).collect();
                let blend = Blend::new(values, length, &lengths, [0.4, 2.8]).unwrap();
                let total = length.min(1.0) * length.min(1.0);
                assert!(blend.beyond < 1e-6 * total, "{name}, {length}: {:e}", blend.beyond);
                let size: f64 = blend.coefficients.iter().map(|x| x.abs()).sum();
                assert!(size < 1e3, "{name}, {length}: {size:e}");
            }
        }
    }

    #[test]
    fn least_squares_are_the_normal_equations() {
        // a line through four points: 3.5 + 1.4 x is the textbook's
        let columns = vec![vec![1.0; 4], vec![1.0, 2.0, 3.0, 4.0]];
        let found = least_squares(columns, vec![6.0, 5.0, 7.0, 10.0]).unwrap();
        assert!((found[0] - 3.5).abs() < 1e-14 && (found[1] - 1.4).abs() < 1e-14, "{found:?}");
    }
}
