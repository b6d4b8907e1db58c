//! Quadrature over a disc with spectral accuracy, for checks: the field is evaluated at the points themselves.
//!
//! While the centre of rotation C is well outside the disc, s is analytic on it: Gauss in the radius times the trapezoidal
//! rule in the angle. Near or inside the disc the points lie on rays from C to the rim,
//!
//! ```text
//! point = C + t (rim(φ) − C),   weight = t (1 − C·rim(φ)) dt dφ,   t from 0 to 1
//! ```
//! whose Jacobian removes the singularity at C. The rule is signed, hence valid for C outside too. Where C is near the rim, the
//! direction of the rays turns fast at the nearest point of the rim; φ = φ_C + ψ − sin ψ crowds the rays there.

use super::dissipation::{Dissipation, FrozenPatch, PatchMoments, Twist, Wrench};
use crate::num::gauss::Rule;
use crate::num::real::{atan2, cos, sin};
use std::f64::consts::{PI, TAU};

/// |v|/(R|ω|) below which the points lie on rays from the centre of rotation.
const NEAR: f64 = 1.3;

/// Numbers of points of a polar quadrature.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PolarRule {
    /// Pairs (radius, weight · radius) on [0, 1].
    radial: Vec<[f64; 2]>,
    /// Directions (cos, sin) for a centre far away.
    rim: Vec<[f64; 2]>,
    /// Inner over outer radius of an annulus, 0 for a disc.
    hole: f64,
}

impl PolarRule {
    /// So many radii and directions, at least 2 and 4.
    pub(crate) fn new(radii: usize, directions: usize) -> Self {
        let rule = Rule::gauss_legendre(radii.max(2));
        let radial = rule.on(0.0, 1.0).map(|(t, weight)| [t, weight * t]).collect();
        let directions = directions.max(4);
        let angle = |k: usize| TAU * k as f64 / directions as f64;
        let rim = (0..directions).map(|k| [cos(angle(k)), sin(angle(k))]).collect();
        Self { radial, rim, hole: 0.0 }
    }

    /// The same for an annulus; `hole` is its inner over its outer radius. The disc of the hole is taken away.
    #[must_use]
    pub(crate) fn with_hole(self, hole: f64) -> Self {
        Self { hole, ..self }
    }

    /// Number of points.
    pub(crate) fn count(&self) -> usize {
        self.radial.len() * self.rim.len() * if self.hole > 0.0 { 2 } else { 1 }
    }

    /// Calls `add` with every point (ξ, η) and its share of the area for a twist.
    fn each(&self, twist: Twist, mut add: impl FnMut([f64; 2], f64)) {
        let area = 1.0 - self.hole * self.hole;
        self.disc(twist, 1.0, 1.0 / area, &mut add);
        if self.hole > 0.0 {
            self.disc(twist, self.hole, -1.0 / area, &mut add);
        }
    }

    /// The points of a disc of some radius, whose shares are those of the unit disc times a factor.
    fn disc(&self, [a, b, c]: Twist, radius: f64, factor: f64, add: &mut impl FnMut([f64; 2], f64)) {
        let share = factor / (PI * self.rim.len() as f64) * TAU;
        let (speed, spin) = ((a * a + b * b).sqrt(), c.abs());
        if speed >= NEAR * spin * radius {
            for [x, y] in &self.rim {
                for [t, weight] in &self.radial {
                    add([t * radius * x, t * radius * y], weight * share * radius * radius);
                }
            }
            return;
        }
        // p = r = 0
        let centre = [-b / c, a / c];
        let start = atan2(centre[1], centre[0]);
        // rays are crowded by a factor of up to 2 elsewhere: twice as many
        let count = 2 * self.rim.len();
        for k in 0..count {
            // half a step off, so that no ray has length zero
            let psi = TAU * (k as f64 + 0.5) / count as f64;
            let angle = start + psi - sin(psi);
            let rim = [radius * cos(angle), radius * sin(angle)];
            let jacobian = (radius * radius - centre[0] * rim[0] - centre[1] * rim[1]) * (1.0 - cos(psi)) * 0.5 * share;
            let ray = [rim[0] - centre[0], rim[1] - centre[1]];
            for [t, weight] in &self.radial {
                add([centre[0] + t * ray[0], centre[1] + t * ray[1]], weight * jacobian);
            }
        }
    }
}

/// A disc over a field that is known at every point.
pub struct PolarPatch<'a> {
    rule: &'a PolarRule,
    /// The coefficient at (ξ, η), in radii.
    field: Box<dyn Fn([f64; 2]) -> f64 + 'a>,
}

impl std::fmt::Debug for PolarPatch<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PolarPatch").field("rule", &self.rule).finish_non_exhaustive()
    }
}

impl<'a> PolarPatch<'a> {
    /// A disc whose coefficient at (ξ, η), in radii, is `field`. Rays from a centre outside also ask for points up to 1.3
    /// radii from the centre of the disc.
    pub(crate) fn new(rule: &'a PolarRule, field: impl Fn([f64; 2]) -> f64 + 'a) -> Self {
        Self { rule, field: Box::new(field) }
    }

    /// ∇d alone.
    pub(crate) fn gradient(&self, twist: Twist) -> Wrench {
        let [a, b, c] = twist;
        let mut gradient = [0.0; 3];
        self.rule.each(twist, |[xi, eta], weight| {
            let (p, r) = (a - c * eta, b + c * xi);
            let s = (p * p + r * r).sqrt();
            if s > 0.0 {
                let q = weight * (self.field)([xi, eta]) / s;
                gradient[0] += q * p;
                gradient[1] += q * r;
                gradient[2] += q * (xi * r - eta * p);
            }
        });
        gradient
    }
}

impl FrozenPatch for PolarPatch<'_> {
    fn dissipation(&self, twist: Twist) -> Dissipation {
        let size = twist.iter().fold(0.0_f64, |size, w| size.max(w.abs()));
        if !(size > 0.0 && size.is_finite()) {
            return Dissipation::default();
        }
        let [a, b, c] = twist.map(|w| w / size);
        let mut found = Dissipation::default();
        self.rule.each([a, b, c], |[xi, eta], weight| {
            let (p, r) = (a - c * eta, b + c * xi);
            let s = (p * p + r * r).sqrt();
            if s > 0.0 {
                let (n, m) = (p / s, r / s);
                let arm = xi * m - eta * n;
                let strength = weight * (self.field)([xi, eta]);
                found.value += strength * s;
                for (sum, part) in found.gradient.iter_mut().zip([n, m, arm]) {
                    *sum += strength * part;
                }
                let q = strength / s;
                let h = &mut found.hessian;
                h[0][0] += q * (1.0 - n * n);
                h[0][1] -= q * n * m;
                h[1][1] += q * (1.0 - m * m);
                h[0][2] -= q * (eta + n * arm);
                h[1][2] += q * (xi - m * arm);
                h[2][2] += q * (xi * xi + eta * eta - arm * arm);
            }
        });
        let h = &mut found.hessian;
        (h[1][0], h[2][0], h[2][1]) = (h[0][1], h[0][2], h[1][2]);
        found.value *= size;
        found.hessian = found.hessian.map(|row| row.map(|entry| entry / size));
        found
    }

    fn moments(&self) -> PatchMoments {
        let (mut mean, mut first) = (0.0, [0.0; 2]);
        self.rule.each([1.0, 0.0, 0.0], |[xi, eta], weight| {
            let strength = weight * (self.field)([xi, eta]);
            mean += strength;
            first[0] += strength * xi;
            first[1] += strength * eta;
        });
        PatchMoments { mean, first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{LimitSurface, UniformAnnulus};

    #[test]
    fn a_uniform_annulus_is_a_disc_less_that_of_its_hole() {
        let rule = PolarRule::new(24, 96).with_hole(0.6);
        let (patch, exact) = (PolarPatch::new(&rule, |_| 1.0), UniformAnnulus { coefficient: 1.0, hole: 0.6 });
        for rho in [0.0, 0.3, 0.59, 0.6, 0.7, 0.9, 1.0, 1.2, 2.0] {
            let twist = [0.6 * rho, 0.8 * rho, 1.0];
            let (found, wanted) = (patch.dissipation(twist), exact.dissipation(twist));
            for (found, wanted) in found.gradient.into_iter().zip(wanted.gradient) {
                assert!((found - wanted).abs() < 2e-9, "{rho}: {:e}", found - wanted);
            }
        }
    }

    #[test]
    fn the_uniform_disc_has_its_closed_form_wherever_the_centre_of_rotation_is() {
        let rule = PolarRule::new(24, 96);
        let patch = PolarPatch::new(&rule, |_| 1.0);
        for rho in [0.0, 1e-3, 0.3, 0.7, 0.95, 0.999, 1.0, 1.001, 1.05, 1.2, 1.31, 2.0, 10.0] {
            let exact = LimitSurface::at(rho);
            let found = patch.dissipation([0.6 * rho, 0.8 * rho, 1.0]);
            let force = (found.gradient[0].powi(2) + found.gradient[1].powi(2)).sqrt();
            assert!((found.value - exact.dissipation).abs() < 1e-9, "{rho}: {:e}", found.value - exact.dissipation);
            assert!((force - exact.force).abs() < 1e-9, "{rho}: {:e}", force - exact.force);
            assert!((found.gradient[2] - exact.torque).abs() < 1e-9, "{rho}: {:e}", found.gradient[2] - exact.torque);
        }
    }
}
