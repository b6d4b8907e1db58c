//! The expansion of the covariance for Gaussian kernels of small length.
//!
//! ```text
//! K/(π l²) = ∫w_i w_j dS − l/(2√π) ∮w_i w_j ds + l² (c₂ + d₂ ln l) + c₃ l³ + l⁴ (c₄ + d₄ ln l) + c₅ l⁵ + …
//! ```
//! The first two terms are exact, and so are the logarithms, which come from a centre of rotation inside the area; the others are
//! fitted to values of K.

use super::chebyshev::chebyshev_places;
use super::functionals::{Functionals, Matrix, PAIRS, difference};
use super::lengths::{Entries, entries, matrix};
use crate::num::dense;
use crate::num::real::{cos, ln, sin};
use crate::patch::{Nodes, Resolution};
use rayon::prelude::*;
use std::f64::consts::PI;

/// Terms of the expansion at small l that are fitted.
pub(crate) const FITTED: usize = 7;

/// Shortest fitted lengths within which a centre of rotation is as good as on the rim.
const ON_RIM: f64 = 0.5;

/// What is known of the expansion of K at small l.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Exact {
    /// π ∫w_i w_j dS and −(√π/2) ∮w_i w_j ds: coefficients of l² and l³.
    pub(crate) powers: [Entries; 2],
    /// Coefficients of l⁴ ln x and l⁶ ln x.
    pub(crate) logarithms: [Entries; 2],
    /// Distance of the centre of rotation from the rim \[m\], if there is one.
    beside: Option<f64>,
    /// Whether logarithms are fitted instead: on the rim they are not those of a centre inside.
    fits_logarithms: bool,
}

/// a(r)-like expansion of K at small l.
#[derive(Debug, Clone)]
pub(crate) struct Expansion {
    pub(crate) exact: Exact,
    /// Coefficients of l⁴ × [`Exact::fitted_terms`] with x = l/scale.
    pub(crate) fitted: [Entries; FITTED],
    /// Largest relative change at the end of the range when one term less is fitted.
    pub(crate) error: f64,
}

impl Expansion {
    /// The expansion below the length `smallest` \[m\], fitted to values of K from there on; the error is the largest change
    /// when one term less is fitted.
    pub(super) fn fitted(functionals: &Functionals, smallest: f64, value: impl Fn(f64) -> Matrix + Sync) -> Self {
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
    pub(crate) fn pair(exact: Exact, scale: f64, lengths: &[f64], values: &[Entries]) -> [Self; 2] {
        let exact = exact.known(lengths.first().copied().unwrap_or(0.0));
        [FITTED, FITTED - 1].map(|terms| {
            let mut expansion = Self { exact, fitted: [[0.0; 6]; FITTED], error: 0.0 };
            let known: Vec<(f64, &Entries)> = lengths.iter().copied().zip(values).take(terms).collect();
            for entry in 0..6 {
                let mut rows: Vec<Vec<f64>> =
                    known.iter().map(|(l, _)| exact.values(l / scale)[..terms].to_vec()).collect();
                let mut right: Vec<f64> = known
                    .iter()
                    .map(|(l, value)| (value[entry] / (l * l) - exact.at(*l, scale, entry)) / (l * l))
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

    pub(super) fn at(&self, length: f64, scale: f64) -> Matrix {
        let terms = self.exact.values(length / scale);
        let l2 = length * length;
        matrix(|n| {
            let fitted: f64 = terms.iter().zip(&self.fitted).map(|(term, fitted)| term * fitted[n]).sum();
            l2 * (self.exact.at(length, scale, n) + fitted * l2)
        })
    }
}

impl Exact {
    /// What is known for lengths from `shortest` \[m\] on.
    fn known(self, shortest: f64) -> Self {
        if self.beside.is_some_and(|distance| distance < ON_RIM * shortest) {
            return Self { logarithms: [[0.0; 6]; 2], fits_logarithms: true, ..self };
        }
        self
    }

    /// The terms that are fitted: powers of x, without their common factor l⁴, and whether they are multiplied by ln x.
    pub(crate) fn fitted_terms(&self) -> [(usize, bool); FITTED] {
        if self.fits_logarithms {
            [(0, false), (0, true), (1, false), (2, false), (2, true), (3, false), (4, false)]
        } else {
            std::array::from_fn(|power| (power, false))
        }
    }

    /// Their values at x = l/scale.
    fn values(&self, x: f64) -> [f64; FITTED] {
        let logarithm = ln(x.max(1e-300));
        self.fitted_terms().map(|(power, has)| x.powi(power as i32) * if has { logarithm } else { 1.0 })
    }

    /// Its share of K/l².
    fn at(&self, length: f64, scale: f64, entry: usize) -> f64 {
        let l2 = length * length;
        let logarithm = ln((length / scale).max(1e-300));
        let [first, second] = self.powers.map(|term| term[entry]);
        let [fourth, sixth] = self.logarithms.map(|term| term[entry]);
        first + second * length + l2 * logarithm * (fourth + sixth * l2)
    }
}

/// What a centre of rotation inside the area adds to the expansion: the coefficients of l⁴ ln l and l⁶ ln l.
///
/// ```text
/// K = π l² ∫w_i exp(l² Δ/4) w_j dS;   f(φ) → Δf = f''/s²,  s g(φ) → Δ(s g) = (g + g'')/s:   ∫ds/s gives the logarithms
/// −(π/4) ∮f_i f_j'' dφ  and  −(π/32) ∮(g + g'')² dφ
/// ```
/// With the angle ψ before the map M these are integrals of f_i'(ψ) f_j'(ψ) |M e|² and |M e|⁴: sums over eight directions.
fn logarithms(functionals: &Functionals) -> [Entries; 2] {
    const DIRECTIONS: usize = 8;
    let mut found = [[0.0; 6]; 2];
    let Some(centre) = functionals.twist.centre().filter(|centre| functionals.outline.contains(*centre)) else {
        return found;
    };
    let [[a, b], [c, d]] = functionals.map;
    let step = 2.0 * PI / DIRECTIONS as f64;
    for k in 0..DIRECTIONS {
        let [x, y] = [cos(step * k as f64), sin(step * k as f64)];
        let (u, v) = (a * x + b * y, c * x + d * y);
        let square = u * u + v * v;
        let slopes = [x, y, centre[0] * y - centre[1] * x];
        for (sum, (i, j)) in found[0].iter_mut().zip(PAIRS) {
            *sum += 0.25 * PI * step * square * slopes[i] * slopes[j];
        }
        // only the torque has a part that grows with the distance
        found[1][5] -= PI / 32.0 * step * square * square;
    }
    found
}

/// What is known of the expansion at small l.
pub(crate) fn exact_terms(functionals: &Functionals) -> Exact {
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
    let beside = functionals.twist.centre().map(|centre| functionals.outline.distance(centre));
    Exact { powers: exact, logarithms: logarithms(functionals), beside, fits_logarithms: false }
}
