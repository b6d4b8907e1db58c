//! Shares of the Hermite polynomials in the variance of a marginal, found by quadrature.
//!
//! With the orthonormal polynomials hₖ = Heₖ/√k!, bₖ = E[H hₖ] and Var H = Σ bₖ²; the shares are bₖ²/Var H. What the
//! polynomials that are kept do not explain is given to one more power, so that the shares sum to one and the
//! correlation of a point with itself stays exactly one.

use crate::num::gauss::Rule;
use crate::num::random::inverse_normal;
use crate::num::special::normal_density;

/// Most polynomials that are kept: a table with kinks has shares that fall like k^(−5/2) only.
const MOST: usize = 400;
/// What may be left unexplained of the variance.
const ENOUGH: f64 = 2e-16;

/// The shares of a marginal that is smooth in g.
///
/// The sum over equidistant points converges faster than any power for a smooth function that dies out at both ends.
pub(super) fn of_smooth(value: impl Fn(f64) -> f64, deviation: f64) -> Vec<f64> {
    const STEP: f64 = 1.0 / 24.0;
    let samples: Vec<(f64, f64)> = (-300..=300)
        .map(|k| {
            let g = f64::from(k) * STEP;
            (g, value(g) / deviation * normal_density(g) * STEP)
        })
        .collect();
    shares(expand(&samples, MOST, 0).into_iter().skip(1))
}

/// The shares of a table of quantiles.
///
/// By parts: bₖ = E[H′ hₖ₋₁]/√k, and H′(g) is a constant times φ(g) between two entries.
pub(super) fn of_table(table: &[[f64; 2]], deviation: f64) -> Vec<f64> {
    const FARTHEST: f64 = 9.5;
    const WIDTH: f64 = 0.25;
    let rule = Rule::gauss_legendre(16);
    let mut samples = Vec::new();
    for pair in table.windows(2) {
        let ends = [pair[0][0], pair[1][0]].map(|p| inverse_normal(p).clamp(-FARTHEST, FARTHEST));
        let slope = (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0]) / deviation;
        let panels = (((ends[1] - ends[0]) / WIDTH).ceil()).max(1.0);
        let half = 0.5 * (ends[1] - ends[0]) / panels;
        for panel in 0..panels as usize {
            let middle = ends[0] + half * (2 * panel + 1) as f64;
            for (g, weight) in rule.on(middle - half, middle + half) {
                let density = normal_density(g);
                samples.push((g, weight * slope * density * density));
            }
        }
    }
    let derivative = expand(&samples, MOST, 1);
    shares(derivative.into_iter().zip(1..).map(|(b, k)| b / f64::from(k).sqrt()))
}

/// Σ weight · hₖ(g) over the samples (g, weight), k = 0, 1, …, until Σ (bₖ/√(k + `shift`))² over k ≥ 1 − `shift` reaches one.
fn expand(samples: &[(f64, f64)], most: usize, shift: usize) -> Vec<f64> {
    let mut before = vec![0.0; samples.len()];
    let mut here = vec![1.0; samples.len()];
    let mut found = Vec::new();
    let mut left = 1.0;
    for k in 0..most {
        let b: f64 = samples.iter().zip(&here).map(|((_, weight), h)| weight * h).sum();
        found.push(b);
        if k + shift > 0 {
            left -= if shift > 0 { b * b / (k + shift) as f64 } else { b * b };
        }
        if left <= ENOUGH {
            break;
        }
        let (rise, fall) = (((k + 1) as f64).sqrt(), (k as f64).sqrt());
        for (((g, _), before), here) in samples.iter().zip(&mut before).zip(&mut here) {
            let next = (g * *here - fall * *before) / rise;
            (*before, *here) = (*here, next);
        }
    }
    found
}

/// Shares of the powers 1, 2, … in the variance [-], from b₁, b₂, … in units of the standard deviation. They sum to one: one more
/// power takes what is left of the variance.
fn shares(coefficients: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut shares: Vec<f64> = coefficients.map(|b| b * b).collect();
    let sum: f64 = shares.iter().sum();
    if sum < 1.0 - 1e-14 {
        shares.push(1.0 - sum);
    } else {
        // only roundings are left: the sum is made one
        for share in &mut shares {
            *share /= sum;
        }
    }
    shares
}
