//! Distances at which a covariance is looked at: Gauss nodes on panels that grow with the distance.

use super::Entries;
use crate::num::gauss::Rules;
use crate::num::real::{ln, pow};
use std::sync::LazyLock;

/// Nodes of a panel.
pub(super) const NODES: usize = 12;

/// What is the same for all panels, on [−1, 1].
struct Unit {
    nodes: [f64; NODES],
    weights: [f64; NODES],
    /// Barycentric weights of the Lagrange polynomials.
    barycentric: [f64; NODES],
    /// Weights of the values for the two highest Legendre coefficients.
    highest: [[f64; NODES]; 2],
}

static UNIT: LazyLock<Unit> = LazyLock::new(|| {
    let rule = Rules::shared().with(NODES);
    let nodes: [f64; NODES] = std::array::from_fn(|i| rule.nodes[i]);
    let weights: [f64; NODES] = std::array::from_fn(|i| rule.weights[i]);
    let others = |i: usize| (0..NODES).filter(move |k| *k != i);
    let barycentric = std::array::from_fn(|i| others(i).map(|k| nodes[i] - nodes[k]).product::<f64>().recip());
    let values = nodes.map(legendre);
    let highest = [NODES - 2, NODES - 1].map(|k| std::array::from_fn(|j| (k as f64 + 0.5) * weights[j] * values[j][k]));
    Unit { nodes, weights, barycentric, highest }
});

/// P_0 … P_NODES at a place.
fn legendre(x: f64) -> [f64; NODES + 1] {
    let mut values = [1.0; NODES + 1];
    values[1] = x;
    for k in 2..=NODES {
        let n = k as f64;
        values[k] = ((2.0 * n - 1.0) * x * values[k - 1] - (n - 1.0) * values[k - 2]) / n;
    }
    values
}

/// Panels of distances from 0 on.
#[derive(Debug, Clone)]
pub(crate) struct Radii {
    /// Ends of the panels, ascending from 0 \[m\].
    pub(super) ends: Vec<f64>,
    /// Gauss nodes of all panels \[m\].
    pub(super) places: Vec<f64>,
    /// Their weights \[m\].
    pub(super) weights: Vec<f64>,
    /// Sixth powers of the places over the start of their panel.
    sixths: Vec<f64>,
    /// Nodes on [−1, 1] and their barycentric weights.
    unit_nodes: [f64; NODES],
    barycentric: [f64; NODES],
}

/// The first panel in shortest correlation lengths: a cusp of the covariance at 0 is felt in it by less than 1e-8.
const FIRST: f64 = 0.03;

/// Ratios of the ends of a panel that are tried.
const RATIOS: [f64; 4] = [2.0, 1.6, 1.35, 1.2];

/// What a covariance may differ from polynomials, in its value at 0.
const UNRESOLVED: f64 = 1e-12;

/// Most halvings of a panel for a covariance with kinks.
const HALVINGS: usize = 12;

/// Most panels: a covariance with more waves than that is not resolved, and the error reports it.
const MOST_PANELS: usize = 300;

impl Radii {
    fn new(ends: Vec<f64>) -> Self {
        let (mut places, mut weights, mut sixths) = (Vec::new(), Vec::new(), Vec::new());
        for pair in ends.windows(2) {
            places.extend(unit_places([pair[0], pair[1]]));
            sixths.extend(unit_places([pair[0], pair[1]]).map(|place| (place / pair[0]).powi(6)));
            weights.extend(UNIT.weights.iter().map(|weight| 0.5 * (pair[1] - pair[0]) * weight));
        }
        Self { ends, places, weights, sixths, unit_nodes: UNIT.nodes, barycentric: UNIT.barycentric }
    }

    /// Panels up to a diameter \[m\] for a covariance of a shortest length \[m\] and for all longer ones.
    pub(crate) fn scan(shortest: f64, diameter: f64, covariance: impl Fn(f64) -> f64) -> Self {
        let wanted = UNRESOLVED * covariance(0.0).abs();
        let resolves = |ratio: &f64| {
            let mut low = FIRST * shortest;
            let mut worst = 0.0_f64;
            while low < 40.0 * shortest {
                worst = worst.max(tail([low, low * ratio], &covariance));
                low *= ratio;
            }
            worst <= wanted
        };
        let ratio = RATIOS.iter().copied().find(resolves).unwrap_or(RATIOS[RATIOS.len() - 1]);
        Self::new(graded(shortest, diameter, ratio))
    }

    /// Panels up to a diameter \[m\] for one covariance of a length \[m\].
    pub(crate) fn of(length: f64, diameter: f64, covariance: impl Fn(f64) -> f64) -> Self {
        let wanted = UNRESOLVED * covariance(0.0).abs();
        let mut ends = vec![0.0];
        for pair in graded(length, diameter, RATIOS[0]).windows(2) {
            let mut waiting = vec![([pair[0], pair[1]], 0)];
            while let Some(([low, high], depth)) = waiting.pop() {
                // what is near 0 has no area
                let share = (high / length).min(1.0) * ((high - low) / length).min(1.0);
                let few = ends.len() + waiting.len() < MOST_PANELS;
                if few && depth < HALVINGS && tail([low, high], &covariance) * share > wanted {
                    let middle = 0.5 * (low + high);
                    waiting.extend([([middle, high], depth + 1), ([low, middle], depth + 1)]);
                } else {
                    ends.push(high);
                }
            }
        }
        Self::new(ends)
    }

    /// Number of panels.
    pub(super) fn panels(&self) -> usize {
        self.ends.len() - 1
    }

    /// The panel of a distance; none beyond the last.
    pub(super) fn panel(&self, place: f64) -> Option<usize> {
        let panel = self.ends.partition_point(|end| *end <= place).saturating_sub(1);
        (panel < self.panels()).then_some(panel)
    }

    /// Width of a panel \[m\].
    pub(super) fn width(&self, panel: usize) -> f64 {
        self.ends[panel + 1] - self.ends[panel]
    }

    /// Values of the Lagrange polynomials of a panel.
    #[inline(always)]
    pub(super) fn basis(&self, panel: usize, place: f64) -> [f64; NODES] {
        let (low, high) = (self.ends[panel], self.ends[panel + 1]);
        let x = (2.0 * place - low - high) / (high - low);
        let mut values = self.barycentric;
        for (value, node) in values.iter_mut().zip(&self.unit_nodes) {
            let away = x - node;
            // at a node its own share is all
            *value /= if away == 0.0 { 1e-30 } else { away };
        }
        let scale = values.iter().sum::<f64>().recip();
        values.map(|value| value * scale)
    }

    /// What the places of a panel count for Ĉ at another place: r⁶ Ĉ(r) is nearer to a polynomial than Ĉ, which falls like r⁻⁴ or
    /// r⁻⁶ beyond the correlation length.
    #[inline(always)]
    pub(super) fn falling_basis(&self, panel: usize, place: f64) -> [f64; NODES] {
        let mut values = self.basis(panel, place);
        if panel > 0 {
            let square = (self.ends[panel] / place) * (self.ends[panel] / place);
            let sixth = square * square * square;
            for (value, node) in values.iter_mut().zip(&self.sixths[panel * NODES..]) {
                *value *= sixth * node;
            }
        }
        values
    }

    /// Hands pairs (place n, w(s)) for which ∫_0^r w(s) f(s) ds ≈ Σ w_n f(s_n) to `take`, where r is a place.
    pub(super) fn up_to(&self, place: usize, weight: impl Fn(f64) -> Entries, mut take: impl FnMut(usize, Entries)) {
        let (panel, end) = (place / NODES, self.places[place]);
        for n in 0..panel * NODES {
            take(n, weight(self.places[n]).map(|weight| self.weights[n] * weight));
        }
        for (s, share) in Rules::shared().with(NODES).on(self.ends[panel], end) {
            let weights = weight(s);
            for (k, basis) in self.basis(panel, s).into_iter().enumerate() {
                take(panel * NODES + k, weights.map(|weight| share * basis * weight));
            }
        }
    }

    /// What values at the places leave unresolved in each panel.
    pub(super) fn tails(&self, values: &[f64]) -> impl Iterator<Item = f64> {
        values.chunks_exact(NODES).map(highest)
    }
}

/// Ends of panels from 0 to a diameter.
fn graded(shortest: f64, diameter: f64, ratio: f64) -> Vec<f64> {
    let first = FIRST * shortest.min(0.5 * diameter);
    let count = (ln(diameter / first) / ln(ratio)).ceil().max(1.0);
    let step = ln(diameter / first) / count;
    let end = |k: usize| if k as f64 == count { diameter } else { first * pow(std::f64::consts::E, step * k as f64) };
    std::iter::once(0.0).chain((0..=count as usize).map(end)).collect()
}

/// The nodes of a panel.
fn unit_places([low, high]: [f64; 2]) -> impl Iterator<Item = f64> {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    UNIT.nodes.iter().map(move |x| middle + half * x)
}

/// What a polynomial through the nodes of a panel leaves of a function.
fn tail(ends: [f64; 2], value: impl Fn(f64) -> f64) -> f64 {
    let mut values = [0.0; NODES];
    values.iter_mut().zip(unit_places(ends)).for_each(|(found, place)| *found = value(place));
    highest(&values)
}

fn highest(values: &[f64]) -> f64 {
    let one = |weights: &[f64; NODES]| weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>();
    UNIT.highest.iter().map(|weights| one(weights).abs()).sum()
}
