//! The covariance for Gaussian kernels of every length, tabulated once per area and motion.
//!
//! Three ranges, each with the variable in which K is smooth:
//!
//! ```text
//! large l     (K − m mᵀ) l², a polynomial in 1/l²; it stays exact where the mean is zero and K itself vanishes
//! middle      K (1 + a²/l²), in ln l
//! small l     K/(π l²) = ∫w_i w_j dS − l/(2√π) ∮w_i w_j ds + l² (c₂ + d₂ ln l) + c₃ l³ + l⁴ (c₄ + d₄ ln l) + c₅ l⁵ + …
//! ```
//! The first two coefficients at small l are exact, and so are the logarithms, which come from a centre of rotation inside the
//! area; the others are fitted in the middle range. All kernels that are mixtures of Gaussians need only this table.

use super::chebyshev::{Chebyshev, chebyshev_places};
use super::expansion::{Exact, Expansion, FITTED};
use super::functionals::{Functionals, Matrix, PAIRS, difference};
use super::outline_sums;
use crate::num::real::{exp, ln};
use rayon::prelude::*;

/// Chebyshev nodes per range of the middle.
const MIDDLE: usize = 21;

/// Chebyshev nodes at large l.
const LARGE: usize = 22;

/// The smallest length that is computed without expansion, in half sides.
const SHORTEST: f64 = 0.02;

/// Most nodes at this length: some hundredths of a second.
const MOST_NODES: f64 = 4e5;

/// Smallest lengths within which a centre of rotation is beside the rim.
const NEAR_RIM: f64 = 8.0;

/// Chebyshev nodes for lengths beside the rim, and how far they reach below the smallest length.
const BESIDE: usize = 9;
const SHORTER: f64 = 0.2;

/// Error of sums over the lattice.
pub(crate) const LATTICE_ERROR: f64 = 4e-10;

/// The six entries of a symmetric matrix in the order of [`PAIRS`].
pub(crate) type Entries = [f64; 6];

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
    /// Lengths below the middle, where the expansion fails.
    beside_rim: Option<BesideRim>,
    /// Largest relative change of K against fewer nodes, over the table [-].
    error: f64,
}

/// Lengths that are not short against the distance of a centre of rotation from the rim: the logarithms end there, and no
/// expansion holds on both sides. Sums along the outline do not mind.
#[derive(Debug, Clone)]
struct BesideRim {
    /// K (1 + a²/l²) in ln l.
    range: Chebyshev,
    /// From where on \[m\].
    from: f64,
    /// Below.
    small: Expansion,
    /// Relative error of the range.
    error: f64,
}

impl BesideRim {
    /// Lengths below `smallest` \[m\], if the expansion fails there.
    fn new(functionals: &Functionals, smallest: f64) -> Option<Self> {
        let (outline, scale) = (&functionals.outline, functionals.outline.geometry.half_side());
        let distance = functionals.twist.centre().map(|centre| outline.distance(centre))?;
        outline_sums::fastest_below(functionals).filter(|below| distance < NEAR_RIM * smallest && smallest < *below)?;
        let from = SHORTER * smallest;
        let [low, high] = [from, smallest].map(ln);
        let lengths: Vec<f64> = chebyshev_places(BESIDE, low, high).map(exp).collect();
        let values: Vec<Entries> = lengths
            .par_iter()
            .with_max_len(1)
            .map(|length| entries(&outline_sums::gaussian(functionals, *length)))
            .collect();
        let scaled: Vec<Entries> = lengths
            .iter()
            .zip(&values)
            .map(|(length, values)| values.map(|value| value * (1.0 + scale * scale / (length * length))))
            .collect();
        let range = Chebyshev::through(&scaled, low, high);
        let last = range.last_terms();
        let error = last.max(outline_sums::error(functionals, smallest));
        let at = |length: f64| range.matrix(length, scale);
        let mut small = Expansion::fitted(functionals, from, at);
        // its terms fall slowly, and what they are fitted to has an error itself
        small.error = (4.0 * small.error).max(error);
        Some(Self { range, from, small, error })
    }
}

/// The smallest length \[m\] that is computed without expansion.
pub(crate) fn smallest_length(functionals: &Functionals) -> f64 {
    let geometry = functionals.outline.geometry;
    let [low, high] = geometry.bounds;
    // after the map, some lengths are longer by 1/stretch and others shorter
    let stretch = functionals.smallest_stretch();
    let annulus = functionals.outline.radii().filter(|[inner, _]| *inner > 0.0);
    let width = annulus.map_or(f64::INFINITY, |[inner, outer]| outer - inner);
    let narrow = 0.5 * (high[0] - low[0]).min(high[1] - low[1]).min(width) * stretch;
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
            small: Expansion { exact: Exact::default(), fitted: [[0.0; 6]; FITTED], error: 0.0 },
            beside_rim: BesideRim::new(functionals, smallest),
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
            return match &self.beside_rim {
                Some(beside) if length >= beside.from => beside.range.matrix(length, self.scale),
                Some(beside) => beside.small.at(length, self.scale),
                None => self.small.at(length, self.scale),
            };
        }
        let range = self.ends[1..].partition_point(|end| *end <= length).min(self.middle.len() - 1);
        self.middle[range].matrix(length, self.scale)
    }

    /// ∫w_i dS of the three functionals [m², m², m³].
    pub fn integrals(&self) -> [f64; 3] {
        self.integrals
    }

    /// Estimated relative error of [`LengthTable::at`] [-], from two node counts or two orders of the expansion.
    pub fn error(&self, length: f64) -> f64 {
        let below = self.ends.first().is_some_and(|smallest| length < *smallest);
        let of_range = match &self.beside_rim {
            _ if !below => 0.0,
            Some(beside) if length >= beside.from => beside.error,
            Some(beside) => beside.small.error,
            None => self.small.error,
        };
        of_range.max(self.error)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::planar_sliding::motion::Twist;
    use crate::patch::{Disc, Outline, Shape, Square};

    #[test]
    fn the_told_error_is_true_beside_the_rim() {
        let shapes = [Shape::Square(Square { half_side: 1.0 }), Shape::Disc(Disc { radius: 1.0 })];
        for shape in &shapes {
            for [x, y] in [[0.0, 0.9], [0.1, 0.97], [0.0, 0.985], [0.0, 0.99], [0.0, 1.0], [0.0, 1.02], [0.6, 0.4]] {
                let functionals = Functionals::new(Outline::of(shape).unwrap(), Twist { vx: y, vy: -x, omega: 1.0 });
                let table = LengthTable::new(&functionals);
                for share in [0.02, 0.06, 0.1, 0.15, 0.19, 0.3, 0.6, 0.95] {
                    let length = share * table.smallest();
                    let wanted = outline_sums::gaussian(&functionals, length);
                    let error = difference(&wanted, &table.at(length));
                    // the sums have an error themselves
                    let told = table.error(length).max(outline_sums::error(&functionals, length));
                    assert!(error <= told, "{shape:?} about ({x}, {y}), {share}: {error:e}, told {told:e}");
                    assert!(told < 1e-6, "{shape:?} about ({x}, {y}), {share}: told {told:e}");
                }
            }
        }
    }
}
