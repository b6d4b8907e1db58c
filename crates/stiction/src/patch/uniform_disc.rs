//! The disc with a uniform coefficient, in closed form.
//!
//! ```text
//! ρ = |v|/(R |ω|),   d = H c M(ρ),   F = M' and T = M − ρ F: the magnitudes of force and torque over H
//! M(ρ) = 4/(9π) [(7 + ρ²) E(ρ) − 4 (1 − ρ²) K(ρ)]                               ρ ≤ 1
//!      = 4/(9π) [ρ (7 + ρ²) E(1/ρ) − (ρ² − 1)(ρ² + 3)/ρ K(1/ρ)]                 ρ ≥ 1
//! F(ρ) = 4/(3π) [(1 + ρ²) E − (1 − ρ²) K]/ρ   |   4/(3π) [(1 + ρ²) E − (ρ² − 1) K]
//! ```
//! E and K are complete elliptic integrals of the modulus ρ or 1/ρ. These forms lose digits far from ρ = 1, where the series
//! take over: M = (2/3) ₂F₁(−3/2, −1/2; 1; ρ²), and M = Σ C_k ρ^(1−2k) with C_k = binom(1/2, k)²/(k + 1).

use super::dissipation::{Dissipation, FrozenPatch, PatchMoments, Twist};
use std::f64::consts::PI;

/// A disc with one coefficient everywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformDisc {
    /// The coefficient H [-].
    pub(crate) coefficient: f64,
}

/// M, F, T and the slope F' at a ratio ρ = |v|/(R |ω|) ≥ 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitSurface {
    /// Dissipation over H R |ω| [-].
    pub(crate) dissipation: f64,
    /// Force over H times the load [-].
    pub(crate) force: f64,
    /// Torque over H R times the load [-].
    pub(crate) torque: f64,
    /// dF/dρ [-].
    pub(crate) force_slope: f64,
}

impl LimitSurface {
    /// At ρ ≥ 0; rotation about the centre at 0, and about a point of the rim at 1.
    pub(crate) fn at(rho: f64) -> Self {
        if rho <= 0.5 {
            let series = Slow::at(rho * rho);
            let force = rho * series.force_over_rho;
            let torque = series.dissipation - rho * force;
            return Self { dissipation: series.dissipation, force, torque, force_slope: series.force_slope };
        }
        if rho >= 2.0 {
            let fast = Fast::at(1.0 / rho);
            let (dissipation, slope) = (fast.value * rho, fast.along_along / rho);
            return Self { dissipation, force: fast.along, torque: fast.turning, force_slope: slope };
        }
        let square = rho * rho;
        if rho <= 1.0 {
            let (e, rest) = elliptic(square);
            // (1 − ρ²) K, zero at the rim
            let bracket = (1.0 + square) * e - rest;
            let dissipation = 4.0 / (9.0 * PI) * ((7.0 + square) * e - 4.0 * rest);
            let force = 4.0 / (3.0 * PI) * bracket / rho;
            let force_slope = 4.0 / (3.0 * PI) * (3.0 * e - bracket / square);
            Self { dissipation, force, torque: dissipation - rho * force, force_slope }
        } else {
            let (e, rest) = elliptic(1.0 / square);
            // (ρ² − 1) K
            let rest = rest * square;
            let dissipation = 4.0 / (9.0 * PI) * (rho * (7.0 + square) * e - (square + 3.0) / rho * rest);
            let force = 4.0 / (3.0 * PI) * ((1.0 + square) * e - rest);
            let force_slope = 4.0 / (3.0 * PI) * (2.0 * rho * e - e / rho - 2.0 * rest / rho);
            Self { dissipation, force, torque: dissipation - rho * force, force_slope }
        }
    }
}

/// E and (1 − m) K of the parameter m = k², by the arithmetic-geometric mean.
fn elliptic(m: f64) -> (f64, f64) {
    let rest = 1.0 - m;
    if rest <= 0.0 {
        return (1.0, 0.0);
    }
    let (mut a, mut b, mut sum, mut power) = (1.0, rest.sqrt(), 0.5 * m, 0.5);
    for _ in 0..40 {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        power *= 2.0;
        sum += power * c * c;
        if c.abs() < 1e-17 * a {
            break;
        }
    }
    let k = PI / (2.0 * a);
    (k * (1.0 - sum), rest * k)
}

/// The series for ρ ≤ 1/2.
struct Slow {
    dissipation: f64,
    force_over_rho: f64,
    force_slope: f64,
}

impl Slow {
    fn at(square: f64) -> Self {
        let (mut dissipation, mut force, mut slope) = (0.0, 0.0, 0.0);
        let (mut m, mut f) = (2.0 / 3.0, 1.0);
        for n in 0..40 {
            let n = f64::from(n);
            dissipation += m;
            force += f;
            slope += (2.0 * n + 1.0) * f;
            m *= (n - 1.5) * (n - 0.5) / ((n + 1.0) * (n + 1.0)) * square;
            f *= (n + 0.5) * (n - 0.5) / ((n + 1.0) * (n + 2.0)) * square;
        }
        Self { dissipation, force_over_rho: force, force_slope: slope }
    }
}

/// The series in t = R|ω|/|v| ≤ 1/2: d = H |v| Σ C_k t^(2k) and its derivatives along v and c, for |v| = 1.
struct Fast {
    value: f64,
    along: f64,
    turning: f64,
    along_along: f64,
    along_turning: f64,
    turning_turning: f64,
}

impl Fast {
    fn at(t: f64) -> Self {
        let mut sums =
            Self { value: 0.0, along: 0.0, turning: 0.0, along_along: 0.0, along_turning: 0.0, turning_turning: 0.0 };
        // binom(1/2, k) t^(k−1) twice over, to keep t^(2k−2) for k ≥ 1
        let (mut binomial, mut power) = (1.0_f64, 1.0);
        for k in 0..40 {
            let order = f64::from(k);
            let c = binomial * binomial / (order + 1.0);
            if k == 0 {
                sums.value += c;
                sums.along += c;
            } else {
                let even = c * power * t * t;
                sums.value += even;
                sums.along += (1.0 - 2.0 * order) * even;
                sums.turning += 2.0 * order * c * power * t;
                sums.along_along -= (1.0 - 2.0 * order) * 2.0 * order * even;
                sums.along_turning += (1.0 - 2.0 * order) * 2.0 * order * c * power * t;
                sums.turning_turning += 2.0 * order * (2.0 * order - 1.0) * c * power;
                power *= t * t;
            }
            binomial *= (0.5 - order) / (order + 1.0);
        }
        sums
    }
}

impl FrozenPatch for UniformDisc {
    fn dissipation(&self, [a, b, c]: Twist) -> Dissipation {
        let speed = (a * a + b * b).sqrt();
        let spin = c.abs();
        if !(speed.max(spin) > 0.0 && speed.is_finite() && spin.is_finite()) {
            return Dissipation::default();
        }
        let h = self.coefficient;
        // value, F, T and d_vv, d_vc, d_cc of d(v, c); F/v
        let (value, force, torque, vv, vc, cc, over) = if spin <= 0.5 * speed {
            let s = Fast::at(spin / speed);
            let seconds = [s.along_along, s.along_turning, s.turning_turning].map(|x| x / speed);
            (s.value * speed, s.along, s.turning, seconds[0], seconds[1], seconds[2], s.along / speed)
        } else {
            let rho = speed / spin;
            let s = LimitSurface::at(rho);
            let over = if rho <= 0.5 { Slow::at(rho * rho).force_over_rho / spin } else { s.force / speed };
            let slope = s.force_slope / spin;
            (s.dissipation * spin, s.force, s.torque, slope, -rho * slope, rho * rho * slope, over)
        };
        let n = if speed > 0.0 { [a / speed, b / speed] } else { [1.0, 0.0] };
        let sign = if c < 0.0 { -1.0 } else { 1.0 };
        let plane = |i: usize, j: usize| {
            let same = if i == j { 1.0 } else { 0.0 };
            vv * n[i] * n[j] + over * (same - n[i] * n[j])
        };
        let mixed = n.map(|n| sign * vc * n);
        let hessian =
            [[plane(0, 0), plane(0, 1), mixed[0]], [plane(1, 0), plane(1, 1), mixed[1]], [mixed[0], mixed[1], cc]];
        let gradient = [force * n[0], force * n[1], if c == 0.0 { 0.0 } else { sign * torque }];
        let force = if speed > 0.0 { gradient } else { [0.0, 0.0, gradient[2]] };
        Dissipation {
            value: h * value,
            gradient: force.map(|g| h * g),
            hessian: hessian.map(|row| row.map(|entry| h * entry)),
        }
    }

    fn moments(&self) -> PatchMoments {
        PatchMoments { mean: self.coefficient, first: [0.0; 2] }
    }
}

/// A disc with one coefficient everywhere and a round hole in its middle; lengths are in outer radii.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformAnnulus {
    /// The coefficient H [-].
    pub(crate) coefficient: f64,
    /// Inner over outer radius [-], 0 for a disc.
    pub(crate) hole: f64,
}

impl FrozenPatch for UniformAnnulus {
    /// The whole disc less that of the hole: d(a, b, c) = [d₁(a, b, c) − h² d₁(a, b, h c)]/(1 − h²).
    fn dissipation(&self, twist: Twist) -> Dissipation {
        let disc = UniformDisc { coefficient: self.coefficient };
        let outer = disc.dissipation(twist);
        let h = self.hole;
        if h <= 0.0 {
            return outer;
        }
        let [a, b, c] = twist;
        let inner = disc.dissipation([a, b, h * c]);
        let less = |outer: f64, inner: f64| (outer - h * h * inner) / (1.0 - h * h);
        let arm = [1.0, 1.0, h];
        Dissipation {
            value: less(outer.value, inner.value),
            gradient: std::array::from_fn(|i| less(outer.gradient[i], arm[i] * inner.gradient[i])),
            hessian: std::array::from_fn(|i| {
                std::array::from_fn(|j| less(outer.hessian[i][j], arm[i] * arm[j] * inner.hessian[i][j]))
            }),
        }
    }

    fn moments(&self) -> PatchMoments {
        PatchMoments { mean: self.coefficient, first: [0.0; 2] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uniform_annulus_has_the_torque_of_its_radii_and_derivatives_that_fit() {
        // rotation: ⟨r⟩ = (2/3) (1 − h³)/(1 − h²)
        for hole in [0.0, 0.3, 0.9] {
            let annulus = UniformAnnulus { coefficient: 1.0, hole };
            let torque = annulus.dissipation([0.0, 0.0, 1.0]).gradient[2];
            let wanted = 2.0 / 3.0 * (1.0 - hole.powi(3)) / (1.0 - hole * hole);
            assert!((torque - wanted).abs() < 1e-14, "{hole}: {torque} not {wanted}");
            for twist in [[1.0, 0.3, 0.2], [0.4, 0.3, 0.7], [0.1, 0.0, -1.0]] {
                let at = annulus.dissipation(twist);
                for i in 0..3 {
                    let (mut up, mut down) = (twist, twist);
                    up[i] += 1e-5;
                    down[i] -= 1e-5;
                    let (up, down) = (annulus.dissipation(up), annulus.dissipation(down));
                    // errors of the differences: 1e-10 times third derivatives, and 1e-16/1e-5, over 1 − h² = 0.19
                    assert!(((up.value - down.value) / 2e-5 - at.gradient[i]).abs() < 1e-8, "{hole} {twist:?} {i}");
                    for j in 0..3 {
                        assert!(((up.gradient[j] - down.gradient[j]) / 2e-5 - at.hessian[i][j]).abs() < 1e-6);
                    }
                }
            }
        }
    }

    #[test]
    fn rotation_translation_and_a_centre_on_the_rim_are_known() {
        let spin = LimitSurface::at(0.0);
        assert!((spin.torque - 2.0 / 3.0).abs() < 1e-15 && spin.force == 0.0);
        let rim = LimitSurface::at(1.0);
        assert!((rim.force - 8.0 / (3.0 * PI)).abs() < 1e-15 && (rim.torque - 8.0 / (9.0 * PI)).abs() < 1e-15);
        let fast = LimitSurface::at(1e6);
        assert!((fast.force - 1.0).abs() < 1e-12 && (fast.torque * 4e6 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn series_and_elliptic_forms_meet_and_derivatives_are_right() {
        for rho in [0.5, 2.0] {
            let (low, high) = (LimitSurface::at(rho * (1.0 - 1e-15)), LimitSurface::at(rho * (1.0 + 1e-15)));
            assert!((low.dissipation - high.dissipation).abs() < 1e-14);
            assert!((low.force - high.force).abs() < 1e-14 && (low.torque - high.torque).abs() < 2e-14);
            assert!((low.force_slope - high.force_slope).abs() < 1e-13);
        }
        let disc = UniformDisc { coefficient: 0.5 };
        for twist in [[1.0, 0.3, 0.0], [1.0, 0.3, 0.2], [0.4, 0.3, 0.7], [0.1, 0.0, -1.0], [0.8, -0.6, -0.9]] {
            let at = disc.dissipation(twist);
            for i in 0..3 {
                let (mut up, mut down) = (twist, twist);
                up[i] += 1e-5;
                down[i] -= 1e-5;
                let (up, down) = (disc.dissipation(up), disc.dissipation(down));
                assert!(((up.value - down.value) / 2e-5 - at.gradient[i]).abs() < 1e-9, "{twist:?} {i}");
                for j in 0..3 {
                    assert!(((up.gradient[j] - down.gradient[j]) / 2e-5 - at.hessian[i][j]).abs() < 1e-7);
                }
            }
        }
    }
}
