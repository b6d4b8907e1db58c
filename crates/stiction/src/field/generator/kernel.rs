//! One axis of the separable Gaussian kernel.
//!
//! ```text
//! w_i(x) = √(2/(3√π)) exp(−2 (x − i h)²/l²) f(|x − i h|/h),   h = l/3,   Σ_i w_i(x) w_i(x') = exp(−(x − x')²/l²) + error
//! ```
//! By Poisson's sum the error is at most 2 exp(−π² l²/(4 h²)) = 4.6e-10, whatever l. The factor f ends the sum after the 21
//! terms nearest to the point: it is 1 up to 9.5 h = 3.2 l and falls to 0 at 10.5 h = 3.5 l with two continuous derivatives,
//! so that the field is as smooth. What it takes away is below 1e-10 of covariance, at distances above 3 l, where Poisson's
//! error is smaller still: the bound stays.

use super::GeneratorError;
use crate::num::bulk;

/// Terms of the sum along one axis.
pub(crate) const TERMS: usize = 21;
/// Noise nodes per correlation length.
const PER_LENGTH: f64 = 3.0;
/// −2 h²/l².
const EXPONENT: f64 = -2.0 / (PER_LENGTH * PER_LENGTH);
/// √(2 h/(l √π)) for h = l/3.
const AMPLITUDE: f64 = 0.613_291_438_903_102_2;

/// Noise nodes at the multiples of a third of the correlation length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    name: char,
    length: f64,
    spacing: f64,
    /// Nodes beyond this index have no noise.
    limit: f64,
}

/// The terms of one point: the node of the first one, and the factors of the noise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) first: i64,
    pub(crate) weights: [f64; TERMS],
    /// Derivatives of the weights with respect to the coordinate [1/m].
    pub(crate) slopes: [f64; TERMS],
}

impl Axis {
    pub(crate) fn new(name: char, length: f64, limit: i64) -> Result<Self, GeneratorError> {
        let spacing = length / PER_LENGTH;
        if !(length.is_finite() && spacing > 0.0 && (1.0 / spacing).is_finite()) {
            return Err(GeneratorError::Length { length });
        }
        Ok(Self { name, length, spacing, limit: (limit - 2 * TERMS as i64) as f64 })
    }

    /// The coordinate in units of the distance between nodes, and the first node of its terms.
    fn place(&self, x: f64) -> Result<(f64, i64), GeneratorError> {
        let s = x / self.spacing;
        if s.is_nan() || s.abs() > self.limit {
            let limit = self.limit * self.spacing;
            return Err(GeneratorError::TooFar { axis: self.name, position: x, length: self.length, limit });
        }
        Ok((s, (s + 0.5).floor() as i64 - TERMS as i64 / 2))
    }

    /// Largest number of nodes that the terms of so many points at this distance \[m\] need.
    pub(crate) fn most_nodes(&self, points: usize, step: f64) -> usize {
        let span = (points as f64 * (step / self.spacing)).ceil();
        points.saturating_mul(TERMS).min((span as usize).saturating_add(TERMS + 1))
    }

    /// Largest number of points at this distance \[m\] that pass over no more than so many nodes; at least 1.
    pub(crate) fn most_points(&self, nodes: usize, step: f64) -> usize {
        ((nodes as f64 * (self.spacing / step)) as usize).max(1)
    }

    /// Terms of one point.
    pub(crate) fn window(&self, x: f64) -> Result<Window, GeneratorError> {
        let (s, first) = self.place(x)?;
        let mut window = Window { first, weights: [0.0; TERMS], slopes: [0.0; TERMS] };
        for (weight, node) in window.weights.iter_mut().zip(first..) {
            *weight = exponent(s - node as f64);
        }
        bulk::exp(&mut window.weights);
        for ((weight, slope), node) in window.weights.iter_mut().zip(&mut window.slopes).zip(first..) {
            *weight *= AMPLITUDE;
            *slope = 2.0 * EXPONENT / self.spacing * (s - node as f64) * *weight;
        }
        let offset = s - first as f64;
        for (place, distance) in [(0, offset), (TERMS - 1, offset - (TERMS - 1) as f64)] {
            let [factor, derivative] = fade(distance.abs());
            let along = derivative / self.spacing * f64::copysign(1.0, distance);
            window.slopes[place] = window.slopes[place] * factor + window.weights[place] * along;
            window.weights[place] *= factor;
        }
        Ok(window)
    }

    /// First nodes and weights of many points, the latter with the bits of [`Axis::window`].
    pub(crate) fn windows(
        &self,
        points: impl ExactSizeIterator<Item = f64>,
    ) -> Result<(Vec<i64>, Vec<[f64; TERMS]>), GeneratorError> {
        let mut firsts = Vec::with_capacity(points.len());
        let mut weights = Vec::with_capacity(points.len());
        let mut offsets = Vec::with_capacity(points.len());
        for x in points {
            let (s, first) = self.place(x)?;
            firsts.push(first);
            let mut exponents = [0.0; TERMS];
            offsets.push(s - first as f64);
            for (place, node) in exponents.iter_mut().zip(first..) {
                *place = exponent(s - node as f64);
            }
            weights.push(exponents);
        }
        bulk::exp(weights.as_flattened_mut());
        weights.as_flattened_mut().iter_mut().for_each(|weight| *weight *= AMPLITUDE);
        for (weights, offset) in weights.iter_mut().zip(offsets) {
            weights[0] *= fade(offset.abs())[0];
            weights[TERMS - 1] *= fade((offset - (TERMS - 1) as f64).abs())[0];
        }
        Ok((firsts, weights))
    }
}

/// The exponent of a term at a distance in units of that between nodes.
fn exponent(distance: f64) -> f64 {
    EXPONENT * (distance * distance)
}

/// The factor that ends the sum and its derivative, at a distance in units of that between nodes. Of the terms of a point, it
/// is below 1 for the first and the last only.
fn fade(distance: f64) -> [f64; 2] {
    let t = (distance - (TERMS as f64 / 2.0 - 1.0)).clamp(0.0, 1.0);
    let left = t * (1.0 - t);
    [1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t)), -30.0 * left * left]
}

/// The nodes that windows need: ascending runs without gaps, and the place of every window in the list of all nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Nodes {
    pub(crate) runs: Vec<std::ops::Range<i64>>,
    pub(crate) places: Vec<usize>,
    pub(crate) count: usize,
}

impl Nodes {
    /// Nodes of windows whose first nodes ascend.
    pub(crate) fn of(firsts: &[i64]) -> Self {
        let mut nodes = Self::default();
        for &first in firsts {
            let end = first + TERMS as i64;
            match nodes.runs.last_mut() {
                Some(run) if first <= run.end => {
                    let added = (end - run.end).max(0) as usize;
                    nodes.places.push(nodes.count - (run.end - first) as usize);
                    nodes.count += added;
                    run.end = run.end.max(end);
                }
                _ => {
                    nodes.places.push(nodes.count);
                    nodes.count += TERMS;
                    nodes.runs.push(first..end);
                }
            }
        }
        nodes
    }

    /// All nodes in ascending order.
    pub(crate) fn all(&self) -> impl Iterator<Item = i64> + '_ {
        self.runs.iter().cloned().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real;

    #[test]
    fn the_amplitude_is_that_of_the_formula() {
        assert_eq!(AMPLITUDE, (2.0 / (PER_LENGTH * std::f64::consts::PI.sqrt())).sqrt());
    }

    #[test]
    fn the_error_of_the_covariance_along_an_axis_is_that_of_poissons_sum() {
        let axis = Axis::new('x', 0.7, 1 << 30).unwrap();
        let (mut worst, mut variance) = (0.0_f64, 0.0_f64);
        for i in 0..60 {
            for j in 0..80 {
                let (a, b) = (f64::from(i) * 0.013 - 3.0, f64::from(i) * 0.013 - 3.0 + f64::from(j) * 0.06);
                let (left, right) = (axis.window(a).unwrap(), axis.window(b).unwrap());
                let shift = (right.first - left.first) as usize;
                let sum: f64 = left.weights.iter().skip(shift).zip(&right.weights).map(|(u, v)| u * v).sum();
                let error = (sum - real::exp(-((a - b) / 0.7) * ((a - b) / 0.7))).abs();
                worst = worst.max(error);
                variance = if j == 0 { variance.max(error) } else { variance };
            }
        }
        let bound = 2.0 * real::exp(-std::f64::consts::PI * std::f64::consts::PI * 9.0 / 4.0);
        assert!(worst <= bound * 1.0001 && variance > 0.9 * bound, "{worst:e}, {variance:e}, {bound:e}");
    }

    #[test]
    fn many_windows_have_the_bits_of_one() {
        let axis = Axis::new('y', 0.01, 1 << 30).unwrap();
        let points: Vec<f64> = (0..500).map(|i| f64::from(i) * 0.003_7 - 0.9).collect();
        let (firsts, weights) = axis.windows(points.iter().copied()).unwrap();
        for ((x, first), weights) in points.iter().zip(firsts).zip(weights) {
            let window = axis.window(*x).unwrap();
            assert_eq!((window.first, window.weights), (first, weights));
        }
        assert!(axis.window(1e9).is_err() && axis.window(f64::NAN).is_err());
    }

    #[test]
    fn windows_far_apart_leave_out_what_nobody_needs() {
        let nodes = Nodes::of(&[0, 0, 3, 24, 100, 101]);
        assert_eq!(nodes.runs, [0..45, 100..122]);
        assert_eq!(nodes.places, [0, 0, 3, 24, 45, 46]);
        assert_eq!(nodes.count, 67);
        assert_eq!(nodes.all().count(), 67);
    }
}
