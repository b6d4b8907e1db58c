//! The part of the covariance that a plate without rim would have, ∫w_i V_j dS, V_j the mean of w_j over the kernel.
//!
//! About the centre of rotation the weights and their means are functions of the distance times those of the direction, and the
//! integral over the area is one over its outline of integrals along the ray from the centre.

use super::pieces::{Panels, at};
use crate::analysis::planar_sliding::functionals::Matrix;
use crate::analysis::planar_sliding::motion::Twist;
use crate::num::gauss::Rule;
use crate::num::real::ln;
use crate::num::special::scaled_bessel_i;
use crate::patch::outline::{dot, minus};
use crate::patch::{Nodes, Outline, Point, Resolution};
use std::f64::consts::PI;
use std::sync::LazyLock;

/// Integrals are series from here on, in correlation lengths: their terms fall below 1e-12.
const FAR: f64 = 6.0;

/// Where a centre of rotation is far away, in sizes of the area.
const DISTANT: f64 = 3.0;

/// Terms of these series.
const TERMS: usize = 14;

/// Places per correlation length up to which integrals are stored.
const STORED: f64 = 4.0;

/// What is the same for every area and length.
static MEANS: LazyLock<Means> = LazyLock::new(Means::new);

/// ∫w_i V_j dS for the kernel exp(−r²/l²), l = `length` \[m\].
pub(super) fn covariance(outline: &Outline, twist: &Twist, length: f64) -> Matrix {
    match twist.centre() {
        Some([x, y]) if x.abs().max(y.abs()) > DISTANT * outline.reach() => distant(outline, twist, [x, y], length),
        Some(centre) => turning(outline, centre, length),
        None => translating(outline, twist, length),
    }
}

/// Constant and linear weights are their own means.
fn translating(outline: &Outline, twist: &Twist, length: f64) -> Matrix {
    let [w_x, w_y, _] = twist.weights([0.0; 2]);
    let (area, [xx, xy, yy]) = (outline.geometry.area, outline.geometry.second_moments);
    let torque = xx * w_y * w_y - 2.0 * xy * w_x * w_y + yy * w_x * w_x;
    let unit =
        [[area * w_x * w_x, area * w_x * w_y, 0.0], [area * w_x * w_y, area * w_y * w_y, 0.0], [0.0, 0.0, torque]];
    unit.map(|row| row.map(|entry| PI * length * length * entry))
}

/// From far away, integrals along the rays are differences of large numbers; but the weights are smooth over the area.
fn distant(outline: &Outline, twist: &Twist, centre: Point, length: f64) -> Matrix {
    let nodes = Nodes::inside(outline, Resolution { length: outline.reach(), extra: 6 });
    let mut sum = [[0.0; 3]; 3];
    for (point, area) in nodes.points.iter().zip(&nodes.weights) {
        let w = twist.weights(*point);
        let ray = minus(*point, centre);
        let distance = dot(ray, ray).sqrt();
        let [mean, slope] = MEANS.direction(distance / length);
        let (x, y) = (mean * w[0], mean * w[1]);
        // the mean of (x' − x) f(x') over the kernel is l²/2 times the slope of the mean of f
        let curl = -twist.omega.signum() * (mean / distance + slope / length);
        let means = [x, y, point[0] * y - point[1] * x + 0.5 * length * length * curl];
        for i in 0..3 {
            for j in 0..3 {
                sum[i][j] += PI * length * length * area * w[i] * means[j];
            }
        }
    }
    sum
}

fn turning(outline: &Outline, centre: Point, length: f64) -> Matrix {
    let (means, rule) = (&*MEANS, Rule::gauss_legendre(12));
    let panels = Panels { outline, centre: Some(centre), length, corners: false };
    let mut sum = [[0.0; 3]; 3];
    for panel in panels.all() {
        for (place, weight) in panel.nodes(&rule) {
            let node = at(&outline.pieces[panel.piece], place);
            let ray = minus(node.place, centre);
            let square = dot(ray, ray);
            if square <= 0.0 {
                continue;
            }
            let distance = square.sqrt();
            // the angle under which the centre sees this part of the outline
            let turn = weight * dot(ray, node.normal) / square;
            let factor = PI * length.powi(4) * turn;
            // along this ray the weights are q, and for the torque less the distance
            let [c, s] = ray.map(|x| x / distance);
            let q = [s, -c, -(centre[0] * c + centre[1] * s)];
            let [[p1, p3], [p2, p4]] = means.integrals(distance / length);
            for i in 0..3 {
                for j in 0..3 {
                    let [first, second] = [i, j].map(|index| if index == 2 { length } else { 0.0 });
                    let entry = q[i] * q[j] * p1 - q[i] * second * p2 - q[j] * first * p3 + first * second * p4;
                    sum[i][j] += factor * entry;
                }
            }
        }
    }
    sum
}

/// Integrals over the distance from the centre of rotation, all lengths in correlation lengths:
///
/// ```text
/// Φ(s) = (√π/2) s [I₀(q) + I₁(q)] e^(−q),   Ψ(s) = (√π/2) [(1 + s²) I₀(q) + s² I₁(q)] e^(−q),   q = s²/2
/// ```
/// are the means of the direction from the centre and of the distance, over a Gaussian about a point at distance s.
struct Means {
    /// ∫Φ s ds, ∫Φ s² ds; ∫Ψ s ds, ∫Ψ s² ds up to equidistant places.
    stored: Vec<[[f64; 2]; 2]>,
    /// From a stored place to the next.
    short: Rule,
    /// The integrals up to [`FAR`], less their series.
    constants: [[f64; 2]; 2],
    /// Coefficients of Φ = Σ α_k s^(−2k) and Ψ = Σ β_k s^(1−2k).
    series: [[f64; TERMS]; 2],
}

impl Means {
    fn new() -> Self {
        let mut series = [[1.0; TERMS]; 2];
        for k in 1..TERMS {
            let j = (k - 1) as f64;
            // powers of the Laplacian of a unit vector and of the distance
            series[0][k] = series[0][k - 1] * (4.0 * j * j - 1.0) / (4.0 * k as f64);
            series[1][k] = series[1][k - 1] * (1.0 - 2.0 * j) * (1.0 - 2.0 * j) / (4.0 * k as f64);
        }
        let short = Rule::gauss_legendre(5);
        let mut stored = vec![[[0.0; 2]; 2]];
        let mut sum = [[0.0; 2]; 2];
        for i in 0..(FAR * STORED) as usize {
            let [low, high] = [i, i + 1].map(|i| i as f64 / STORED);
            add_between(&short, low, high, &mut sum);
            stored.push(sum);
        }
        let mut means = Self { stored, short, constants: [[0.0; 2]; 2], series };
        let far = means.far(FAR);
        means.constants = [0, 1].map(|f| [0, 1].map(|p| sum[f][p] - far[f][p]));
        means
    }

    fn integrals(&self, s: f64) -> [[f64; 2]; 2] {
        let below = (s * STORED) as usize;
        if let (true, Some(stored)) = (s < FAR, self.stored.get(below)) {
            let mut sum = *stored;
            add_between(&self.short, below as f64 / STORED, s, &mut sum);
            return sum;
        }
        let far = self.far(s);
        [0, 1].map(|f| [0, 1].map(|p| far[f][p] + self.constants[f][p]))
    }

    /// Φ and its slope, far from the centre.
    fn direction(&self, s: f64) -> [f64; 2] {
        let (mut power, mut found) = (1.0, [0.0; 2]);
        for (k, coefficient) in self.series[0].iter().enumerate() {
            found[0] += coefficient * power;
            found[1] -= coefficient * power * 2.0 * k as f64 / s;
            power /= s * s;
        }
        found
    }

    /// The series, integrated.
    fn far(&self, s: f64) -> [[f64; 2]; 2] {
        let (logarithm, inverse) = (ln(s), 1.0 / (s * s));
        [0, 1].map(|f| {
            [0, 1].map(|p| {
                // ∫s^(n − 2k) ds
                let n = (1 + f + p) as i32;
                let (mut power, mut sum) = (s.powi(n + 1), 0.0);
                for (k, coefficient) in self.series[f].iter().enumerate() {
                    let exponent = n + 1 - 2 * k as i32;
                    sum += coefficient * if exponent == 0 { logarithm } else { power / f64::from(exponent) };
                    power *= inverse;
                }
                sum
            })
        })
    }
}

/// Adds ∫Φ s ds, ∫Φ s² ds; ∫Ψ s ds, ∫Ψ s² ds between two places.
fn add_between(rule: &Rule, low: f64, high: f64, sums: &mut [[f64; 2]; 2]) {
    for (s, weight) in rule.on(low, high) {
        let q = 0.5 * s * s;
        let (zeroth, first) = (scaled_bessel_i(0, q), scaled_bessel_i(1, q));
        let factor = 0.5 * PI.sqrt();
        let means = [factor * s * (zeroth + first), factor * ((1.0 + s * s) * zeroth + s * s * first)];
        for (sums, mean) in sums.iter_mut().zip(means) {
            sums[0] += weight * mean * s;
            sums[1] += weight * mean * s * s;
        }
    }
}
