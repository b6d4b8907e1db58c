//! The covariance of force and torque for any function of the distance, from one table per area and motion.
//!
//! ```text
//! K_ij = Σ_pq w_i(p) w_j(q) C(r_pq) = Σ_n T_ij[n] C(r_n)
//! ```
//! C is replaced by a polynomial of degree 7 on each of many short ranges of r, so that the double sum over nodes is done once
//! and every further C costs some hundred evaluations. At small correlation lengths, which the nodes do not resolve, the
//! expansion of the pair density a(r) = α₀ + α₁ r + r² (α₂ + β₂ ln r) + … takes over; its coefficients are those of the
//! Gaussian kernel, ∫exp(−r²/l²) rᵏ⁺¹ dr = lᵏ⁺² Γ(1 + k/2)/2.

use super::expansion::Expansion;
use super::functionals::{Functionals, Matrix, PAIRS, difference};
use super::lengths::{LengthTable, matrix};
use crate::num::gauss::Rule;
use crate::num::real::{cos, exp, ln};
use crate::patch::Resolution;
use rayon::prelude::*;
use std::f64::consts::PI;

/// Ranges of r.
const RANGES: usize = 64;

/// Places per range.
const PLACES: usize = 8;

/// Nodes of one task; fixed, so that the order of summation does not depend on the threads.
const CHUNK: usize = 64;

/// Weights of C at certain distances.
#[derive(Debug, Clone)]
pub struct RadialTable {
    /// Largest distance \[m\].
    diameter: f64,
    /// ∫w_i dS.
    integrals: [f64; 3],
    weights: Vec<[f64; 6]>,
    /// Smallest correlation length that the nodes resolve \[m\].
    smallest: f64,
    /// Relative error for Gaussian kernels at the ends of both ranges: below and above `smallest`.
    errors: [f64; 2],
    density: Density,
}

impl RadialTable {
    /// Tabulates pairs of nodes; `lengths` is the table of the same functionals.
    pub fn new(functionals: &Functionals, lengths: &LengthTable) -> Self {
        let scale = functionals.outline.geometry.half_side();
        let resolved = 0.2 * scale;
        let loads = functionals.loads(Resolution { length: resolved, extra: -1 });
        let reach = loads.points.iter().map(|[x, y]| (x * x + y * y).sqrt()).fold(0.0, f64::max);
        let diameter = 2.0 * reach * (1.0 + 1e-12);
        let per_length = RANGES as f64 / diameter;
        let places: [f64; PLACES] = std::array::from_fn(|i| -cos(PI * (i as f64 + 0.5) / PLACES as f64));
        let barycentric: [f64; PLACES] = std::array::from_fn(|i| {
            places.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, x)| places[i] - x).product::<f64>().recip()
        });
        let chunks: Vec<usize> = (0..loads.points.len()).step_by(CHUNK).collect();
        let tables: Vec<Vec<[f64; 6]>> = chunks
            .par_iter()
            .map(|&start| {
                let mut table = vec![[0.0; 6]; RANGES * PLACES];
                for p in start..(start + CHUNK).min(loads.points.len()) {
                    let (at, load) = (loads.points[p], loads.loads[p]);
                    for q in 0..=p {
                        let [dx, dy] = [at[0] - loads.points[q][0], at[1] - loads.points[q][1]];
                        let other = loads.loads[q];
                        let place = (dx * dx + dy * dy).sqrt() * per_length;
                        let range = (place as usize).min(RANGES - 1);
                        let x = 2.0 * (place - range as f64) - 1.0;
                        let half = if p == q { 0.5 } else { 1.0 };
                        let products = PAIRS.map(|(i, j)| half * (load[i] * other[j] + load[j] * other[i]));
                        // Lagrange polynomials as products of prefixes and suffixes: no division
                        let mut suffix = [1.0; PLACES + 1];
                        for k in (0..PLACES).rev() {
                            suffix[k] = suffix[k + 1] * (x - places[k]);
                        }
                        let mut prefix = 1.0;
                        for k in 0..PLACES {
                            let value = prefix * suffix[k + 1] * barycentric[k];
                            prefix *= x - places[k];
                            for (sum, product) in table[range * PLACES + k].iter_mut().zip(products) {
                                *sum += value * product;
                            }
                        }
                    }
                }
                table
            })
            .collect();
        let mut weights = vec![[0.0; 6]; RANGES * PLACES];
        for table in tables {
            for (sum, part) in weights.iter_mut().zip(table) {
                for n in 0..6 {
                    sum[n] += part[n];
                }
            }
        }
        let density = Density::new(lengths.expansion(), lengths.scale());
        let integrals = lengths.integrals();
        let smallest = 0.4 * resolved;
        let mut table = Self { diameter, integrals, weights, smallest, errors: [0.0; 2], density };
        // judged where a second method knows the answer
        let against = |length: f64| {
            let found = table.at(length, |r| exp(-(r / length) * (r / length)));
            difference(&lengths.at(length), &found)
        };
        let largest = |lengths: [f64; 3]| lengths.map(against).into_iter().fold(0.0, f64::max);
        table.errors = [
            largest([0.3 * smallest, 0.6 * smallest, 0.999 * smallest]),
            largest([smallest, 1.5 * smallest, 4.0 * smallest]),
        ];
        table
    }

    /// K/P² for the covariance C(r); `length` \[m\] is the distance over which C falls.
    pub fn at(&self, length: f64, covariance: impl Fn(f64) -> f64) -> Matrix {
        if length < self.smallest {
            return self.short(length, covariance);
        }
        // the value at 0 is split off: it multiplies the integrals, and what is zero stays zero
        let at_zero = covariance(0.0);
        let mut sums = [0.0; 6];
        let width = self.diameter / RANGES as f64;
        for range in 0..RANGES {
            for k in 0..PLACES {
                let x = -cos(PI * (k as f64 + 0.5) / PLACES as f64);
                let r = (range as f64 + 0.5 + 0.5 * x) * width;
                let value = covariance(r) - at_zero;
                for (sum, weight) in sums.iter_mut().zip(&self.weights[range * PLACES + k]) {
                    *sum += weight * value;
                }
            }
        }
        matrix(|n| {
            let (i, j) = PAIRS[n];
            at_zero * self.integrals[i] * self.integrals[j] + sums[n]
        })
    }

    /// Short correlation lengths: ∫C(r) a(r) r dr with the expansion of a(r).
    fn short(&self, length: f64, covariance: impl Fn(f64) -> f64) -> Matrix {
        let rule = Rule::gauss_legendre(16);
        let mut sums = [0.0; 6];
        // panels double away from 0, where C may have a kink and the density a logarithm
        let mut ends = vec![0.0, 1e-3 * length];
        while let Some(last) = ends.last().filter(|last| **last < 16.0 * length) {
            ends.push(last + last.min(0.5 * length));
        }
        for pair in ends.windows(2) {
            for (r, weight) in rule.on(pair[0], pair[1]) {
                let factor = weight * r * covariance(r);
                for (sum, density) in sums.iter_mut().zip(self.density.at(r)) {
                    *sum += factor * density;
                }
            }
        }
        matrix(|n| sums[n])
    }

    /// Estimated relative error [-] for kernels of this length \[m\], as smooth as a Gaussian; rougher ones have larger errors.
    pub fn error(&self, length: f64) -> f64 {
        let [short, long] = self.errors;
        if length < self.smallest { short } else { long }
    }
}

/// The pair density at small distances, α₀ + α₁ r + r² (α₂ + β₂ ln r) + …
#[derive(Debug, Clone)]
pub(crate) struct Density {
    /// α₀ … α₈ of each pair, in units of \[m\].
    powers: [[f64; 6]; 9],
    /// β₂ and β₄.
    logarithms: [[f64; 6]; 2],
}

impl Density {
    /// From the expansion of the covariance for Gaussian kernels in powers of l; `scale` \[m\] is that of the expansion.
    pub(crate) fn new(expansion: &Expansion, scale: f64) -> Self {
        // ∫exp(−r²/l²) r^(k+1) dr = l^(k+2) g_k and ∫… r^(k+1) ln r dr = l^(k+2) (g_k ln l + g_k')
        let root = PI.sqrt();
        let euler = 0.577_215_664_901_532_9;
        let odd = [0.25, 0.375, 0.9375, 3.28125].map(|factor| factor * root);
        let g = [0.5, odd[0], 0.5, odd[1], 1.0, odd[2], 3.0, odd[3], 12.0];
        // derivatives of g_k by k, Γ'(1 + k/2)/4, for k = 2 and 4
        let slopes = [0.25 * (1.0 - euler), 0.5 * (1.5 - euler)];
        let mut density = Self { powers: [[0.0; 6]; 9], logarithms: [[0.0; 6]; 2] };
        for n in 0..6 {
            for (k, power) in expansion.exact.powers.iter().enumerate() {
                density.powers[k][n] = power[n] / g[k];
            }
            let mut logarithms = expansion.exact.logarithms.map(|term| term[n]);
            for ((power, has), fitted) in expansion.exact.fitted_terms().into_iter().zip(&expansion.fitted) {
                let value = fitted[n] / scale.powi(power as i32);
                if has {
                    logarithms[power / 2] += value;
                } else {
                    density.powers[power + 2][n] = value / g[power + 2];
                }
            }
            for (m, (logarithm, slope)) in logarithms.into_iter().zip(slopes).enumerate() {
                let k = 2 * m + 2;
                let beta = logarithm / g[k];
                density.logarithms[m][n] = beta;
                density.powers[k][n] -= (logarithm * ln(scale) + beta * slope) / g[k];
            }
        }
        density
    }

    /// a(r) of each pair at a distance \[m\].
    pub(crate) fn at(&self, r: f64) -> [f64; 6] {
        let square = r * r;
        let logarithm = square * ln(r.max(1e-300));
        let mut sums = [0.0; 6];
        // powers by Horner's rule
        for power in self.powers.iter().rev() {
            for (sum, coefficient) in sums.iter_mut().zip(power) {
                *sum = *sum * r + coefficient;
            }
        }
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum += logarithm * (self.logarithms[0][n] + square * self.logarithms[1][n]);
        }
        sums
    }
}
