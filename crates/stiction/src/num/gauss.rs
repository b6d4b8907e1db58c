//! Gauss–Legendre quadrature with any number of nodes.

use super::real::cos;
use std::f64::consts::PI;
use std::sync::LazyLock;

/// Nodes and weights of a quadrature rule on [−1, 1].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rule {
    /// Nodes, ascending.
    pub(crate) nodes: Vec<f64>,
    /// Weights; their sum is 2.
    pub(crate) weights: Vec<f64>,
}

impl Rule {
    /// The Gauss–Legendre rule with `count` nodes (at least one): exact for polynomials of degree 2 `count` − 1.
    ///
    /// Nodes are the roots of the Legendre polynomial, by Newton's method from an estimate that never leaves its root.
    pub(crate) fn gauss_legendre(count: usize) -> Self {
        let count = count.max(1);
        let (mut nodes, mut weights) = (vec![0.0; count], vec![0.0; count]);
        for i in 0..count.div_ceil(2) {
            let mut x = cos(PI * (i as f64 + 0.75) / (count as f64 + 0.5));
            let mut slope = legendre(count, x).1;
            for _ in 0..20 {
                let value;
                (value, slope) = legendre(count, x);
                let step = value / slope;
                x -= step;
                if step.abs() < 1e-15 {
                    break;
                }
            }
            if 2 * i + 1 == count {
                x = 0.0;
            }
            slope = if 2 * i + 1 == count { legendre(count, 0.0).1 } else { slope };
            let weight = 2.0 / ((1.0 - x * x) * slope * slope);
            (nodes[i], weights[i]) = (-x, weight);
            (nodes[count - 1 - i], weights[count - 1 - i]) = (x, weight);
        }
        Self { nodes, weights }
    }

    /// Pairs (node, weight) of the rule stretched to the interval from `low` to `high`.
    pub(crate) fn on(&self, low: f64, high: f64) -> impl Iterator<Item = (f64, f64)> {
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        self.nodes.iter().zip(&self.weights).map(move |(x, w)| (middle + half * x, half * w))
    }

    /// The integral of `function` from `low` to `high`.
    pub(crate) fn integral(&self, low: f64, high: f64, mut function: impl FnMut(f64) -> f64) -> f64 {
        self.on(low, high).map(|(x, w)| w * function(x)).sum()
    }
}

/// Value and slope of the Legendre polynomial.
fn legendre(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for k in 2..=degree {
        let k = k as f64;
        (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
    }
    (value, degree as f64 * (x * value - before) / (x * x - 1.0))
}

/// Rules up to a number of nodes, made once and looked up.
#[derive(Debug, Clone)]
pub(crate) struct Rules(Vec<Rule>);

impl Rules {
    /// All rules from 1 to `largest` nodes.
    pub(crate) fn up_to(largest: usize) -> Self {
        Self((1..=largest.max(1)).map(Rule::gauss_legendre).collect())
    }

    /// All rules that panels of a few correlation lengths need, made once for all.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: LazyLock<Rules> = LazyLock::new(|| Rules::up_to(64));
        &SHARED
    }

    /// The rule with `count` nodes, or the nearest one there is.
    pub(crate) fn with(&self, count: usize) -> &Rule {
        &self.0[count.clamp(1, self.0.len()) - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_twice_the_degree_are_exact() {
        for count in [1, 2, 3, 5, 16, 33, 100, 400] {
            let rule = Rule::gauss_legendre(count);
            assert!(rule.nodes.is_sorted() && rule.weights.iter().all(|w| *w > 0.0));
            for degree in [0, 2 * count - 2] {
                let found = rule.integral(-1.0, 1.0, |x| x.powi(degree as i32));
                let wanted = 2.0 / (degree as f64 + 1.0);
                assert!((found - wanted).abs() < 1e-13, "{count} nodes, degree {degree}: {found} not {wanted}");
            }
        }
    }

    #[test]
    fn five_nodes_are_those_of_the_tables() {
        let rule = Rule::gauss_legendre(5);
        assert!((rule.nodes[4] - 0.906_179_845_938_664).abs() < 2e-16);
        assert!((rule.weights[4] - 0.236_926_885_056_189_08).abs() < 2e-16);
        assert!(rule.nodes[2] == 0.0 && (rule.weights[2] - 128.0 / 225.0).abs() < 2e-16);
    }
}
