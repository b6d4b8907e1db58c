//! The kernel of a line, (u + v) exp(−(u+v)²), as a short sum of products of functions of u and of v.
//!
//! It is so smooth that eight functions leave 1e-7 of it: Σ_ab q_a(u) C_ab q_b(v), where the q span what the kernel makes of the
//! first eight Legendre polynomials. Then a rough weight enters only by its moments with eight functions.

use super::ray::REACH;
use crate::num::gauss::Rule;
use crate::num::lanes::{Eight, Lanes, Simd, WIDTH};
use crate::num::real::{cos, exp};
use std::f64::consts::PI;

/// Functions.
const MODES: usize = WIDTH;

/// Legendre polynomials of which they are made.
const DEGREES: usize = 28;

/// Cells in each of which the functions are polynomials.
const CELLS: usize = 64;

/// Coefficients of these polynomials: an error of 1e-8.
const COEFFICIENTS: usize = 5;

/// One number for each function.
type Values = [f64; MODES];

/// The functions in cells, and how they are coupled.
pub(super) struct Modes {
    /// Coefficients of powers of the place in the cell, from 0 to 1; the highest first.
    cells: Vec<[Eight; COEFFICIENTS]>,
    /// C_ab, symmetric.
    coupling: [Eight; MODES],
}

impl Modes {
    pub(super) fn new() -> Self {
        let line = Sampled::new();
        let functions = line.functions();
        let images: Vec<Vec<f64>> = functions.iter().map(|f| line.mapped(f)).collect();
        let entry = |a: usize, b: usize| line.product(&functions[a], &images[b]);
        let coupling = std::array::from_fn(|a| Eight(std::array::from_fn(|b| entry(a, b))));
        let series: Vec<[f64; DEGREES]> = functions.iter().map(|f| line.series(f)).collect();
        let at = |x: f64| -> Values {
            let values = legendre(x);
            std::array::from_fn(|a| series[a].iter().zip(values).map(|(term, value)| term * value).sum())
        };
        let in_cell = |cell: usize, t: f64| at(2.0 * (cell as f64 + t) / CELLS as f64 - 1.0);
        let cells = (0..CELLS).map(|cell| polynomial(|t| in_cell(cell, t)).map(Eight)).collect();
        Self { cells, coupling }
    }

    /// q_a at a place between 0 and [`REACH`].
    #[inline(always)]
    pub(super) fn at<S: Simd>(&self, simd: S, place: f64) -> Lanes<S> {
        let place = place * (CELLS as f64 / REACH);
        let cell = (place as usize).min(CELLS - 1);
        let t = place - cell as f64;
        let mut values = Lanes::all(simd, 0.0);
        if let Some(coefficients) = self.cells.get(cell) {
            for coefficient in coefficients {
                values = values.scaled(t) + Lanes::of(simd, coefficient);
            }
        }
        values
    }

    /// Σ_ab first_a C_ab second_b for all pairs of two lists.
    #[inline(always)]
    pub(super) fn products<S: Simd>(&self, simd: S, first: &[Lanes<S>; 3], second: &[Lanes<S>; 3]) -> [[f64; 3]; 3] {
        let mut sum = [[0.0; 3]; 3];
        for j in 0..3 {
            let mut image = Lanes::all(simd, 0.0);
            for (row, factor) in self.coupling.iter().zip(second[j].eight().0) {
                image = image + Lanes::of(simd, row).scaled(factor);
            }
            for i in 0..3 {
                sum[i][j] = (first[i] * image).sum();
            }
        }
        sum
    }
}

/// Functions from 0 to [`REACH`] by their values at the nodes of a rule.
struct Sampled {
    rule: Rule,
    /// Places and weights.
    nodes: Vec<(f64, f64)>,
}

impl Sampled {
    fn new() -> Self {
        let rule = Rule::gauss_legendre(2 * DEGREES);
        let nodes = rule.on(0.0, REACH).collect();
        Self { rule, nodes }
    }

    fn product(&self, first: &[f64], second: &[f64]) -> f64 {
        self.nodes.iter().zip(first.iter().zip(second)).map(|((_, weight), (a, b))| weight * a * b).sum()
    }

    /// What the kernel makes of a function.
    fn mapped(&self, function: &[f64]) -> Vec<f64> {
        let kernel = |u: f64, v: f64| (u + v) * exp(-(u + v) * (u + v));
        let at = |u: f64| self.nodes.iter().zip(function).map(|((v, weight), f)| weight * f * kernel(u, *v)).sum();
        self.nodes.iter().map(|(u, _)| at(*u)).collect()
    }

    /// Orthonormal functions that span what the kernel, applied twice, makes of the first Legendre polynomials.
    fn functions(&self) -> Vec<Vec<f64>> {
        let mut found: Vec<Vec<f64>> = Vec::new();
        for m in 0..MODES {
            let polynomial: Vec<f64> = self.rule.nodes.iter().map(|x| legendre(*x)[m]).collect();
            let mut function = self.mapped(&self.mapped(&polynomial));
            // twice, for orthogonality to round-off
            for other in found.iter().chain(&found) {
                let part = self.product(&function, other);
                function.iter_mut().zip(other).for_each(|(value, other)| *value -= part * other);
            }
            let norm = self.product(&function, &function).sqrt();
            found.push(function.into_iter().map(|value| value / norm).collect());
        }
        found
    }

    /// Coefficients of the Legendre polynomials.
    fn series(&self, function: &[f64]) -> [f64; DEGREES] {
        let mut series = [0.0; DEGREES];
        for ((x, weight), value) in self.rule.nodes.iter().zip(&self.rule.weights).zip(function) {
            for (m, (term, polynomial)) in series.iter_mut().zip(legendre(*x)).enumerate() {
                *term += (m as f64 + 0.5) * weight * value * polynomial;
            }
        }
        series
    }
}

/// Legendre polynomials at a place.
fn legendre(x: f64) -> [f64; DEGREES] {
    let (mut value, mut next) = (1.0, x);
    std::array::from_fn(|m| {
        let (found, m) = (value, m as f64 + 1.0);
        (value, next) = (next, ((2.0 * m + 1.0) * x * next - m * value) / (m + 1.0));
        found
    })
}

/// Coefficients, the highest first, of the polynomials through values at Chebyshev places between 0 and 1.
fn polynomial(at: impl Fn(f64) -> Values) -> [Values; COEFFICIENTS] {
    let places: [f64; COEFFICIENTS] =
        std::array::from_fn(|k| 0.5 - 0.5 * cos(PI * (k as f64 + 0.5) / COEFFICIENTS as f64));
    // Newton's divided differences, then multiplied out
    let mut differences = places.map(at);
    for order in 1..COEFFICIENTS {
        for k in (order..COEFFICIENTS).rev() {
            let (before, step) = (differences[k - 1], places[k] - places[k - order]);
            for (value, before) in differences[k].iter_mut().zip(before) {
                *value = (*value - before) / step;
            }
        }
    }
    let mut coefficients = [[0.0; MODES]; COEFFICIENTS];
    for k in (0..COEFFICIENTS).rev() {
        // times (t − place), plus the difference
        for n in 0..COEFFICIENTS {
            let lower = if n + 1 < COEFFICIENTS { coefficients[n + 1] } else { [0.0; MODES] };
            for a in 0..MODES {
                coefficients[n][a] = lower[a] - places[k] * coefficients[n][a];
            }
        }
        for a in 0..MODES {
            coefficients[COEFFICIENTS - 1][a] += differences[k][a];
        }
    }
    coefficients
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lanes::{Kernel, vectorised};

    #[test]
    fn eight_functions_make_the_kernel() {
        struct Both<'a>(&'a Modes, [f64; 2]);
        impl Kernel for Both<'_> {
            type Output = f64;
            #[inline(always)]
            fn run<S: Simd>(self, simd: S) -> f64 {
                let [first, second] = self.1.map(|place| [self.0.at(simd, place); 3]);
                self.0.products(simd, &first, &second)[1][2]
            }
        }
        let modes = Modes::new();
        for i in 0..=50 {
            for j in 0..=50 {
                let [u, v] = [i, j].map(|k| REACH * f64::from(k) / 50.0);
                let found = vectorised(Both(&modes, [u, v]));
                let wanted = (u + v) * exp(-(u + v) * (u + v));
                assert!((found - wanted).abs() < 4e-7, "{u}, {v}: {found} not {wanted}");
            }
        }
    }
}
