//! The rule of Gauss and Legendre.

use crate::num::real::cos;
use std::f64::consts::PI;

/// Nodes and weights of the rule with `count` points on [−1, 1], by ascending nodes; exact up to degree 2 `count` − 1.
pub fn gauss_legendre(count: usize) -> Vec<(f64, f64)> {
    let order = count as f64;
    let mut rule = Vec::with_capacity(count);
    for k in 0..count {
        // Tricomi's guess, then Newton: three rounds reach the last bit
        let mut x = -cos(PI * (k as f64 + 0.75) / (order + 0.5));
        let mut slope = 1.0;
        for _ in 0..6 {
            let (mut before, mut here) = (0.0, 1.0);
            for degree in 0..count {
                let degree = degree as f64;
                (before, here) = (here, ((2.0 * degree + 1.0) * x * here - degree * before) / (degree + 1.0));
            }
            slope = order * (x * here - before) / (x * x - 1.0);
            x -= here / slope;
        }
        rule.push((x, 2.0 / ((1.0 - x * x) * slope * slope)));
    }
    rule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_exact_for_polynomials_of_its_degree() {
        for count in [1_usize, 2, 7, 16, 40] {
            for degree in 0..2 * count as i32 {
                let sum: f64 = gauss_legendre(count).iter().map(|(x, w)| w * x.powi(degree)).sum();
                let exact = if degree % 2 == 0 { 2.0 / f64::from(degree + 1) } else { 0.0 };
                assert!((sum - exact).abs() < 1e-14, "{count} {degree}: {sum} {exact}");
            }
        }
    }
}
