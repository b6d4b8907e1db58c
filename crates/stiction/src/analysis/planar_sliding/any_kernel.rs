//! The covariance of force and torque for one function of the distance, whatever it is, without a table of all lengths.
//!
//! ```text
//! K = ∫C(r) a(r) r dr,     C = c₀ + Σ c_k exp(−r²/l_k²) + rest
//! ```
//! The Gaussians with lengths from a shortest one on come from one lattice ([`Ladder`]). The rest lives near r = 0, where C may have
//! a cusp; there the pair density a(r) is known from its expansion, fitted to the shortest Gaussians. What is left beyond changes its
//! sign many times, and the density varies by little more than a(0) in all: that bounds the error.

use super::as_gaussians::Blend;
use super::covariance::Kernel;
use super::expansion::{Exact, Expansion, exact_terms};
use super::functionals::{Functionals, Matrix, PAIRS, difference};
use super::ladder::{Ladder, RUNG_ERROR, rungs};
use super::lengths::{LATTICE_ERROR, entries, matrix, smallest_length};
use super::outline_sums::smallest_gap;
use super::radial::Density;
use super::rows::Frame;
use crate::num::bulk;
use crate::num::gauss::Rules;
use crate::num::real::pow;

/// The shortest lengths that are tried one after another, in the smallest that the lattice allows.
const TRIED: [f64; 5] = [6.0, 3.0, 2.0, 1.4, 1.0];

/// Correlation lengths below which the first and the second of them would not do, in half sides, where nothing is nearer to
/// anything else than a half side.
const TOO_SHORT: [f64; 2] = [0.1, 0.01];

/// Where the rest is small, in shortest lengths.
const NEAR: f64 = 4.0;

/// The longest Gaussian in diameters of the area; a constant takes the place of longer ones.
const LONGEST: f64 = 1.6;

/// How much larger than the last term of the expansion its error may be.
const SAFETY: f64 = 16.0;

/// The total variation of a pair density a(r), in units of a(0): it falls to 0, mostly by way of a shallow minimum.
const VARIATION: f64 = 3.0;

/// K/P² of a plate for any kernel.
pub(super) struct AnyKernel<'a> {
    pub(super) functionals: &'a Functionals,
    /// K/P² for Gaussians of a length \[m\], where it has a closed form.
    pub(super) closed: Option<&'a dyn Fn(f64) -> Matrix>,
}

impl AnyKernel<'_> {
    /// K/P² and its estimated relative error, not above `wanted` if that is possible; none if it is not known at all.
    pub(super) fn covariance(&self, kernel: &Kernel, wanted: f64) -> Option<(Matrix, f64)> {
        let functionals = self.functionals;
        let floor = smallest_length(functionals);
        let reach = Frame::of(&functionals.outline, functionals.map).reach(&functionals.outline);
        let diameter = 2.0 * reach;
        let exact = exact_terms(functionals);
        let mut best: Option<(Matrix, f64)> = None;
        let scale = functionals.outline.geometry.half_side();
        let gap = smallest_gap(functionals);
        let beside = functionals.twist.centre().map_or(gap, |centre| gap.min(functionals.outline.distance(centre)));
        let clear = beside.clamp(1e-3 * scale, scale);
        // the expansion of the density is one in lengths over clearances
        let shorter = kernel.length() / scale * pow(clear / scale, 0.7);
        let skipped = TOO_SHORT.iter().filter(|limit| shorter < **limit).count();
        for tried in TRIED.into_iter().skip(skipped) {
            let shortest = (tried * floor).min(0.1 * diameter);
            // what lies behind a gap is in no expansion
            if tried > 1.0 && shortest > 0.4 * gap {
                continue;
            }
            let Some(found) = self.from(shortest, diameter, exact, kernel) else { continue };
            if best.is_none_or(|best| found.1 < best.1) {
                best = Some(found);
            }
            if found.1 <= wanted {
                break;
            }
        }
        best
    }

    /// With Gaussians from a shortest length \[m\] on.
    fn from(&self, shortest: f64, diameter: f64, exact: Exact, kernel: &Kernel) -> Option<(Matrix, f64)> {
        let longest = LONGEST * diameter;
        let ladder = match self.closed {
            Some(closed) => {
                let lengths = rungs(shortest, longest);
                let values = lengths.iter().map(|length| closed(*length)).collect();
                Ladder { lengths, values }
            }
            None => Ladder::new(self.functionals, shortest, longest)?,
        };
        let near = NEAR * shortest;
        let blend = Blend::new(|places| values(kernel, places), kernel.length(), &ladder.lengths, [near, diameter])?;
        let scale = self.functionals.outline.geometry.half_side();
        let known: Vec<[f64; 6]> = ladder.values.iter().map(entries).collect();
        let [fine, coarse] = Expansion::pair(exact, scale, &ladder.lengths, &known);
        let [fine, coarse] = [fine, coarse].map(|expansion| Density::new(&expansion, scale));
        let (short, other) = self.short(kernel, &blend, near, [&fine, &coarse]);
        let integrals = self.functionals.integrals();
        let (mut sums, mut sizes) = ([0.0; 6], [0.0; 6]);
        for (coefficient, known) in blend.coefficients.iter().zip(&known) {
            for n in 0..6 {
                sums[n] += coefficient * known[n];
                sizes[n] += (coefficient * known[n]).abs();
            }
        }
        let total = |short: &[f64; 6]| {
            matrix(|n| {
                let (i, j) = PAIRS[n];
                blend.constant * integrals[i] * integrals[j] + sums[n] + short[n]
            })
        };
        let found = total(&short);
        // the first terms of the density are those of the diagonal, a_ii(0)
        let at_zero = fine.at(0.0);
        let mut error = RUNG_ERROR.max(SAFETY * difference(&found, &total(&other)));
        for (n, (i, j)) in PAIRS.into_iter().enumerate().filter(|(_, (i, j))| i == j) {
            let entry = found[i][j];
            if entry > 0.0 {
                error = error.max((VARIATION * at_zero[n] * blend.beyond + LATTICE_ERROR * sizes[n]) / entry);
            } else if at_zero[n] > 0.0 {
                error = f64::INFINITY;
            }
        }
        let finite = found.iter().flatten().all(|entry| entry.is_finite());
        finite.then_some((found, error))
    }

    /// ∫rest(r) a(r) r dr up to `near`, with two densities.
    fn short(&self, kernel: &Kernel, blend: &Blend<'_>, near: f64, densities: [&Density; 2]) -> ([f64; 6], [f64; 6]) {
        let length = kernel.length();
        // panels double away from 0, where C may have a cusp and the density a logarithm
        let mut ends = vec![0.0, 1e-3 * length.min(near)];
        while let Some(last) = ends.last().copied().filter(|last| *last < near) {
            let step = if last < 20.0 * length { last.min(length) } else { last };
            ends.push((last + step).min(near));
        }
        let rule = Rules::shared().with(12);
        let (mut places, mut areas) = (Vec::new(), Vec::new());
        for pair in ends.windows(2) {
            for (r, weight) in rule.on(pair[0], pair[1]) {
                places.push(r);
                areas.push(r * weight);
            }
        }
        let rests: Vec<f64> = values(kernel, &places).into_iter().zip(blend.at(&places)).map(|(a, b)| a - b).collect();
        let integral = |density: &Density| {
            let mut sums = [0.0; 6];
            for ((r, area), rest) in places.iter().zip(&areas).zip(&rests) {
                for (sum, value) in sums.iter_mut().zip(density.at(*r)) {
                    *sum += area * rest * value;
                }
            }
            sums
        };
        (integral(densities[0]), integral(densities[1]))
    }
}

/// The covariance at many distances.
fn values(kernel: &Kernel, places: &[f64]) -> Vec<f64> {
    let Kernel::Gaussians(terms) = kernel else { return places.iter().map(|r| kernel.at(*r)).collect() };
    // what has no weight needs no work
    let largest = terms.iter().map(|(weight, _)| weight.abs()).fold(0.0, f64::max);
    let mut terms: Vec<(f64, f64)> =
        terms.iter().copied().filter(|(weight, _)| weight.abs() > 1e-12 * largest).collect();
    terms.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut parts = Vec::with_capacity(terms.len());
    let at = |r: &f64| {
        // shorter ones have fallen below 1e-16
        let seen = &terms[terms.partition_point(|(_, length)| *length < r / 6.1)..];
        parts.clear();
        parts.extend(seen.iter().map(|(_, length)| -(r / length) * (r / length)));
        bulk::exp(&mut parts);
        seen.iter().zip(&parts).map(|((weight, _), part)| weight * part).sum()
    };
    places.iter().map(at).collect()
}
