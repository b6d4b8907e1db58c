//! The covariance for Gaussian kernels of every length, tabulated once per area and motion.
//!
//! Three ranges, each with the variable in which K is smooth:
//!
//! ```text
//! large l     (K − m mᵀ) l², a polynomial in 1/l²; it stays exact where the mean is zero and K itself vanishes
//! middle      K (1 + a²/l²), in ln l
//! small l     K/(π l²) = ∫w_i w_j dS − l/(2√π) ∮w_i w_j ds + l² (c₂ + d₂ ln l) + c₃ l³ + l⁴ (c₄ + d₄ ln l) + c₅ l⁵ + …
//! ```
//! The first two coefficients at small l are exact, the others are fitted in the middle range; the logarithms come from a
//! centre of rotation inside the area. All kernels that are mixtures of Gaussians need only this table.

use super::functionals::{Functionals, Matrix, PAIRS, difference};
use super::outline_sums;
use crate::num::dense;
use crate::num::real::{cos, exp, ln};
use crate::patch::{Nodes, Resolution};
use rayon::prelude::*;
use std::f64::consts::PI;

/// Chebyshev nodes per range of the middle.
const MIDDLE: usize = 21;

/// Chebyshev nodes at large l.
const LARGE: usize = 22;

/// Terms of the expansion at small l that are fitted.
pub(crate) const FITTED: usize = 7;

/// The smallest length that is computed without expansion, in half sides.
const SHORTEST: f64 = 0.02;

/// Most nodes at this length: some hundredths of a second.
const MOST_NODES: f64 = 4e5;

/// Error of sums over the lattice.
pub(crate) const LATTICE_ERROR: f64 = 4e-10;

/// The six entries of a symmetric matrix in the order of [`PAIRS`].
type Entries = [f64; 6];

/// K/P² for unit variance and the kernel exp(−r²/l²), for every l.
#[derive(Debug, Clone)]
pub struct LengthTable {
    /// ∫w_i dS.
    integrals: [f64; 3],
    /// Scale of the area \[m\].
    scale: f64,
    /// Ends of the middle ranges \[m\], ascending.
    ends: Vec<f64>,
    middle: Vec<Chebyshev>,
    large: Chebyshev,
    small: Expansion,
    /// Largest relative change of K against fewer nodes, over the table [-].
    error: f64,
}

/// a(r)-like expansion of K at small l.
#[derive(Debug, Clone)]
pub(crate) struct Expansion {
    /// π ∫w_i w_j dS and −(√π/2) ∮w_i w_j ds.
    pub(crate) exact: [Entries; 2],
    /// Coefficients of l⁴ × (1, ln x, x, x², x² ln x, x³, x⁴) with x = l/scale.
    pub(crate) fitted: [Entries; FITTED],
    /// Largest relative change at the end of the range when one term less is fitted.
    pub(crate) error: f64,
}

/// The smallest length \[m\] that is computed without expansion.
pub(crate) fn smallest_length(functionals: &Functionals) -> f64 {
    let geometry = functionals.outline.geometry;
    let [low, high] = geometry.bounds;
    // after the map, some lengths are longer by 1/stretch and others shorter
    let stretch = functionals.smallest_stretch();
    let narrow = 0.5 * (high[0] - low[0]).min(high[1] - low[1]) * stretch;
    (SHORTEST * geometry.half_side().min(narrow)).max(4.2 * (geometry.area / MOST_NODES).sqrt() / stretch)
}

/// How lengths below the smallest of the lattice are treated.
#[derive(Debug)]
enum Short {
    /// There are none.
    Absent,
    /// By sums along the outline.
    Outline,
    /// By the expansion.
    Expansion(Box<Expansion>),
}

/// K/P² for single lengths: by the lattice from a smallest length on, below it by sums along the outline, or by the expansion
/// where there are none.
#[derive(Debug)]
pub(crate) struct SingleLengths<'a> {
    functionals: &'a Functionals,
    smallest: f64,
    short: Short,
    /// Estimated relative error of what is computed.
    error: f64,
}

impl<'a> SingleLengths<'a> {
    /// Prepared for all lengths from `shortest` to `longest` \[m\].
    pub(crate) fn new(functionals: &'a Functionals, shortest: f64, longest: f64) -> Self {
        let scale = functionals.outline.geometry.half_side();
        let by_outline = outline_sums::fastest_below(functionals);
        if let Some(smallest) = by_outline.filter(|below| longest < *below) {
            return Self { functionals, smallest, short: Short::Outline, error: 0.0 };
        }
        // long ones need no limit
        let smallest = match by_outline {
            Some(below) => below,
            None if shortest < 0.1 * scale => smallest_length(functionals),
            None => 0.0,
        };
        // a length that cannot be resolved does not occur here: `smallest` was chosen so
        let value = |length: f64| functionals.gaussian(length, 0).unwrap_or([[f64::NAN; 3]; 3]);
        let short = if by_outline.is_some() {
            Short::Outline
        } else if shortest < smallest {
            Short::Expansion(Box::new(Expansion::fitted(functionals, smallest, value)))
        } else {
            Short::Absent
        };
        // nodes scale with the length: the error of short ones is that of a long one, which costs least
        let judged = shortest.max(2.5 * scale);
        let error = functionals.gaussian_with_error(judged).map_or(f64::INFINITY, |(_, error)| error);
        Self { functionals, smallest, short, error: error.max(LATTICE_ERROR) }
    }

    /// K/P² and its estimated relative error; none if the length cannot be resolved.
    pub(crate) fn at(&self, length: f64) -> Option<(Matrix, f64)> {
        let scale = self.functionals.outline.geometry.half_side();
        match &self.short {
            Short::Outline if length < self.smallest => {
                let matrix = outline_sums::gaussian(self.functionals, length);
                Some((matrix, outline_sums::error(self.functionals, length)))
            }
            Short::Expansion(short) if length < self.smallest => {
                Some((short.at(length, scale), short.error.max(self.error)))
            }
            _ => self.functionals.gaussian(length, 0).map(|matrix| (matrix, self.error)),
        }
    }
}

impl LengthTable {
    /// Tabulates the functionals. The work is spread over the threads; the numbers do not depend on their number.
    pub fn new(functionals: &Functionals) -> Self {
        let scale = functionals.outline.geometry.half_side();
        let stretch = functionals.smallest_stretch();
        let smallest = smallest_length(functionals);
        let largest = (1.06 * functionals.outline.reach() / stretch).max(2.0 * smallest);
        let ranges = (ln(largest / smallest) / 1.8).ceil().max(1.0) as usize;
        let ends: Vec<f64> =
            (0..=ranges).map(|i| smallest * exp(ln(largest / smallest) * i as f64 / ranges as f64)).collect();

        let mut lengths: Vec<f64> = Vec::new();
        for pair in ends.windows(2) {
            lengths.extend(chebyshev_places(MIDDLE, ln(pair[0]), ln(pair[1])).map(exp));
        }
        let steepest = (largest * largest).recip();
        lengths.extend(chebyshev_places(LARGE, 0.0, steepest).map(|v| v.sqrt().recip()));
        let values: Vec<(Matrix, f64)> = lengths
            .par_iter()
            .with_max_len(1)
            .map(|&length| {
                // the smallest length was chosen so that it can be resolved
                let Some(fine) = functionals.gaussian(length, 0) else { return ([[0.0; 3]; 3], f64::INFINITY) };
                // compared with a coarser rule where that costs little; the nodes scale with the length
                let coarse = (length > 0.5 * largest).then(|| functionals.gaussian(length, -1)).flatten();
                (fine, coarse.map_or(0.0, |coarse| difference(&fine, &coarse)))
            })
            .collect();

        let integrals = functionals.integrals();
        let scaled = |range: usize| -> Vec<Entries> {
            let part = range * MIDDLE..(range + 1) * MIDDLE;
            let pairs = values[part.clone()].iter().zip(&lengths[part]);
            pairs.map(|((k, _), l)| entries(k).map(|k| k * (1.0 + scale * scale / (l * l)))).collect()
        };
        let middle =
            (0..ranges).map(|range| Chebyshev::through(&scaled(range), ln(ends[range]), ln(ends[range + 1]))).collect();
        let tail = ranges * MIDDLE..values.len();
        let excess: Vec<Entries> = values[tail.clone()]
            .iter()
            .zip(&lengths[tail])
            .map(|((k, _), l)| {
                std::array::from_fn(|n| {
                    let (i, j) = PAIRS[n];
                    (k[i][j] - integrals[i] * integrals[j]) * l * l
                })
            })
            .collect();
        let mut table = Self {
            integrals,
            scale,
            ends,
            middle,
            large: Chebyshev::through(&excess, 0.0, steepest),
            small: Expansion { exact: [[0.0; 6]; 2], fitted: [[0.0; 6]; FITTED], error: 0.0 },
            error: values.iter().map(|(_, error)| *error).fold(0.0, f64::max),
        };
        table.small = Expansion::fitted(functionals, smallest, |length| table.at(length));
        table
    }

    /// K/P² for unit variance and the kernel exp(−r²/l²), l = `length` \[m\].
    pub fn at(&self, length: f64) -> Matrix {
        let Some((&smallest, &largest)) = self.ends.first().zip(self.ends.last()) else { return [[0.0; 3]; 3] };
        if length >= largest {
            let v = (length * length).recip();
            let excess = self.large.at(v);
            return matrix(|n| {
                let (i, j) = PAIRS[n];
                self.integrals[i] * self.integrals[j] + excess[n] * v
            });
        }
        if length < smallest {
            return self.small.at(length, self.scale);
        }
        let range = self.ends[1..].partition_point(|end| *end <= length).min(self.middle.len() - 1);
        let values = self.middle[range].at(ln(length));
        let factor = (1.0 + self.scale * self.scale / (length * length)).recip();
        matrix(|n| values[n] * factor)
    }

    /// ∫w_i dS of the three functionals [m², m², m³].
    pub fn integrals(&self) -> [f64; 3] {
        self.integrals
    }

    /// Estimated relative error of [`LengthTable::at`] [-], from two node counts or two orders of the expansion.
    pub fn error(&self, length: f64) -> f64 {
        let below = self.ends.first().is_some_and(|smallest| length < *smallest);
        if below { self.small.error.max(self.error) } else { self.error }
    }

    /// Smallest length that was computed without expansion \[m\].
    pub fn smallest(&self) -> f64 {
        self.ends.first().copied().unwrap_or(0.0)
    }

    pub(crate) fn expansion(&self) -> &Expansion {
        &self.small
    }

    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }
}

impl Expansion {
    /// The expansion below the length `smallest` \[m\], fitted to values of K from there on; the error is the largest change
    /// when one term less is fitted.
    fn fitted(functionals: &Functionals, smallest: f64, value: impl Fn(f64) -> Matrix + Sync) -> Self {
        let scale = functionals.outline.geometry.half_side();
        let exact = exact_terms(functionals);
        let lengths: Vec<f64> = chebyshev_places(FITTED, smallest, 4.5 * smallest).collect();
        let values: Vec<Entries> = lengths.par_iter().with_max_len(1).map(|&length| entries(&value(length))).collect();
        let [mut fine, coarse] = Self::pair(exact, scale, &lengths, &values);
        let change = |place: f64| difference(&fine.at(place, scale), &coarse.at(place, scale));
        // a factor for centres of rotation near the rim, where the terms fall slowly
        fine.error = 4.0 * change(0.3 * smallest).max(change(0.6 * smallest));
        fine
    }

    /// The expansions through the values of K at the first lengths, with all terms and with one less.
    pub(crate) fn pair(exact: [Entries; 2], scale: f64, lengths: &[f64], values: &[Entries]) -> [Self; 2] {
        [FITTED, FITTED - 1].map(|terms| {
            let mut expansion = Self { exact, fitted: [[0.0; 6]; FITTED], error: 0.0 };
            let known: Vec<(f64, &Entries)> = lengths.iter().copied().zip(values).take(terms).collect();
            for entry in 0..6 {
                let mut rows: Vec<Vec<f64>> =
                    known.iter().map(|(l, _)| small_terms(l / scale)[..terms].to_vec()).collect();
                let mut right: Vec<f64> = known
                    .iter()
                    .map(|(l, value)| (value[entry] / (l * l) - exact[0][entry] - exact[1][entry] * l) / (l * l))
                    .collect();
                if dense::solve(&mut rows, &mut right) {
                    for (fitted, value) in expansion.fitted.iter_mut().zip(&right) {
                        fitted[entry] = *value;
                    }
                }
            }
            expansion
        })
    }

    fn at(&self, length: f64, scale: f64) -> Matrix {
        let terms = small_terms(length / scale);
        let l2 = length * length;
        matrix(|n| {
            let fitted: f64 = terms.iter().zip(&self.fitted).map(|(term, fitted)| term * fitted[n]).sum();
            l2 * (self.exact[0][n] + self.exact[1][n] * length + fitted * l2)
        })
    }
}

/// The terms that are fitted, as functions of x = l/scale, without their common factor l⁴.
fn small_terms(x: f64) -> [f64; FITTED] {
    let logarithm = ln(x.max(1e-300));
    [1.0, logarithm, x, x * x, x * x * logarithm, x * x * x, x.powi(4)]
}

/// π ∫w_i w_j dS and −(√π/2) ∮w_i w_j ds.
pub(crate) fn exact_terms(functionals: &Functionals) -> [Entries; 2] {
    let reach = functionals.outline.reach();
    let nodes = functionals.nodes(Resolution { length: 0.5 * reach, extra: 4 });
    let mut exact = [[0.0; 6]; 2];
    for (point, area) in nodes.points.iter().zip(&nodes.weights) {
        let w = functionals.twist.weights(*point);
        for (sum, (i, j)) in exact[0].iter_mut().zip(PAIRS) {
            *sum += PI * area * w[i] * w[j];
        }
    }
    let (rim, tangents) = Nodes::along_outline(&functionals.outline, functionals.twist.centre());
    let [[a, b], [c, d]] = functionals.map;
    for ((point, weight), [x, y]) in rim.points.iter().zip(&rim.weights).zip(tangents) {
        let w = functionals.twist.weights(*point);
        let (u, v) = (a * x + b * y, c * x + d * y);
        let stretch = (u * u + v * v).sqrt();
        for (sum, (i, j)) in exact[1].iter_mut().zip(PAIRS) {
            *sum -= 0.5 * PI.sqrt() * weight * stretch * w[i] * w[j];
        }
    }
    exact
}

pub(crate) fn entries(matrix: &Matrix) -> Entries {
    PAIRS.map(|(i, j)| matrix[i][j])
}

pub(crate) fn matrix(entry: impl Fn(usize) -> f64) -> Matrix {
    let mut full = [[0.0; 3]; 3];
    for (n, (i, j)) in PAIRS.into_iter().enumerate() {
        let value = entry(n);
        (full[i][j], full[j][i]) = (value, value);
    }
    full
}

/// Chebyshev places of the first kind between two ends.
fn chebyshev_places(count: usize, low: f64, high: f64) -> impl Iterator<Item = f64> {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    (0..count).map(move |i| middle - half * cos(PI * (i as f64 + 0.5) / count as f64))
}

/// Six polynomials through values at Chebyshev places.
#[derive(Debug, Clone)]
struct Chebyshev {
    low: f64,
    high: f64,
    coefficients: Vec<Entries>,
}

impl Chebyshev {
    fn through(values: &[Entries], low: f64, high: f64) -> Self {
        let count = values.len();
        let coefficients = (0..count)
            .map(|k| {
                let mut sum = [0.0; 6];
                for (i, values) in values.iter().enumerate() {
                    let factor = cos(PI * k as f64 * (count as f64 - i as f64 - 0.5) / count as f64);
                    for (sum, value) in sum.iter_mut().zip(values) {
                        *sum += factor * value;
                    }
                }
                sum.map(|sum| sum * if k == 0 { 1.0 } else { 2.0 } / count as f64)
            })
            .collect();
        Self { low, high, coefficients }
    }

    /// Clenshaw's recurrence.
    fn at(&self, x: f64) -> Entries {
        let t = (2.0 * x - self.low - self.high) / (self.high - self.low);
        let (mut next, mut after) = ([0.0; 6], [0.0; 6]);
        for coefficients in self.coefficients.iter().skip(1).rev() {
            for n in 0..6 {
                (next[n], after[n]) = (2.0 * t * next[n] - after[n] + coefficients[n], next[n]);
            }
        }
        let first = self.coefficients.first().copied().unwrap_or([0.0; 6]);
        std::array::from_fn(|n| first[n] + t * next[n] - after[n])
    }
}
