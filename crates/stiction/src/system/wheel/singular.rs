//! Two-folds of the wheel: where force and moment balance, so that any friction keeps the stick (szalai2014, Eqs. 8–11, 22).
//!
//! ```text
//! L₁(r) = 0:  r² + s κ r cos γ + β² sin²γ = 0        L₀ = 0 on the surface:  a₂ Ω² + a₁ Ω + a₀ = 0
//! ```

use super::{Design, Dynamics, Friction, Wheel};
use crate::system::filippov::{Case, Folds, Local, Visibility};
use serde::Serialize;

/// Moment arm and stiffness that put a two-fold at a chosen point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Designed {
    /// κ \[m\].
    pub moment_arm: f64,
    /// k₂ [N/m].
    pub spring_stiffness: f64,
    /// v* [m/s].
    pub velocity: f64,
    /// The sign s of the rolling velocity that was used.
    pub sign: f64,
}

impl Wheel {
    /// Moment arm and stiffness for a two-fold at a point, in the convention of this wheel: with the sign of the rolling
    /// velocity there, or with s = +1 for an unsigned moment. Values <= 0 or not finite say that there is no such wheel.
    pub fn designed(&self, design: Design) -> Designed {
        let slip = design.speed - self.turntable_speed;
        let sine = super::exact_cos_sin(self.wheel_angle).1;
        let backward = self.stick_moment == super::StickMoment::Signed && design.position * slip * sine < 0.0;
        self.designed_with(design, if backward { -1.0 } else { 1.0 })
    }

    /// The same for a given sign s.
    pub(crate) fn designed_with(&self, design: Design, sign: f64) -> Designed {
        let (r, omega) = (design.position, design.speed);
        // without a spring: what is left of L₀ is linear in k₂
        let bare = Dynamics::of_parameters(self, 1.0, 0.0);
        let velocity = bare.surface_v(r, omega);
        let moment_arm = -sign * (r * r + bare.beta * bare.beta * bare.si * bare.si) / (r * bare.co);
        let spring_stiffness = bare.lie0(r, velocity, omega) / ((bare.r0 - r) * bare.p2(r));
        Designed { moment_arm, spring_stiffness, velocity, sign }
    }
}

/// A two-fold of the wheel with its class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WheelTwoFold {
    /// r* \[m\].
    pub r: f64,
    /// v* [m/s].
    pub v: f64,
    /// ω* [rad/s].
    pub omega: f64,
    /// The sign s that the equations were solved for.
    pub sign: f64,
    /// Whether the rolling velocity there has this sign.
    pub sign_consistent: bool,
    /// The second derivatives K.
    pub folds: Folds,
}

impl WheelTwoFold {
    /// The two-fold at a point that is known to be one.
    pub fn at(dynamics: &Dynamics, (r, v, omega): (f64, f64, f64), sign: f64) -> Self {
        let rolling = dynamics.g(r, v, omega);
        let sign_consistent = !dynamics.signed || rolling * sign > 0.0;
        Self { r, v, omega, sign, sign_consistent, folds: dynamics.folds_at((r, v, omega), sign) }
    }

    /// Which fields curve away.
    pub fn visibility(&self) -> Visibility {
        self.folds.visibility()
    }

    /// Case 1, 2 or 3 of a Teixeira singularity.
    pub fn case(&self) -> Option<Case> {
        self.folds.case()
    }

    /// Node, saddle or focus of the slowed-down sticking flow.
    pub fn local(&self) -> Local {
        self.folds.local()
    }

    /// Eigenvalues of the slowed-down sticking flow in closed form: along the direction of stick, K⁻⁺ − K⁺⁺, and at constant r,
    /// K⁺⁺ − K⁺⁻.
    pub(crate) fn eigenvalues(&self) -> (f64, f64) {
        (self.folds.minus_plus - self.folds.plus_plus, self.folds.plus_plus - self.folds.plus_minus)
    }

    /// The same divided by √|K⁺⁺ K⁻⁻|, which is Kn where that is real, as the paper gives them; none where it is zero.
    pub fn scaled_eigenvalues(&self) -> Option<(f64, f64)> {
        let ((along, across), size) = (self.eigenvalues(), self.folds.size());
        (size > 0.0).then(|| (along / size, across / size))
    }

    /// Friction force λ in the limit of stick into the two-fold \[N\].
    pub fn limit_force(&self, mu: f64) -> f64 {
        let Folds { plus_plus, minus_minus, .. } = self.folds;
        mu * (minus_minus + plus_plus) / (minus_minus - plus_plus)
    }

    /// Velocity (r', v', ω') in the limit of stick into the two-fold.
    pub fn limit_velocity(&self, dynamics: &Dynamics) -> [f64; 3] {
        let force = self.limit_force(dynamics.mu);
        let moment = dynamics.stick_sign(self.sign) * dynamics.kappa * force;
        let [r, v, omega, _] = dynamics.slope(self.r, self.v, self.omega, Friction { force, moment });
        [r, v, omega]
    }
}

impl Dynamics {
    /// K^ab = ∇L_a·f_b at a point of the surface.
    pub(crate) fn folds_at(&self, (r, v, omega): (f64, f64, f64), sign: f64) -> Folds {
        let field = |force: f64| {
            let moment = self.stick_sign(sign) * self.kappa * force;
            self.slope(r, v, omega, Friction { force, moment })
        };
        let (plus, minus) = (field(self.mu), field(-self.mu));
        let gradient = |lambda: f64| self.lie_gradient(r, v, omega, sign, lambda);
        let product = |gradient: [f64; 3], field: &[f64; 4]| -> f64 {
            gradient.iter().zip(field).map(|(gradient, field)| gradient * field).sum()
        };
        Folds {
            plus_plus: product(gradient(self.mu), &plus),
            plus_minus: product(gradient(self.mu), &minus),
            minus_plus: product(gradient(-self.mu), &plus),
            minus_minus: product(gradient(-self.mu), &minus),
        }
    }

    /// Coefficients a₀, a₁, a₂ of L₀ = a₂ Ω² + a₁ Ω + a₀ on the surface at r; needs sin γ ≠ 0.
    pub(crate) fn surface_quadratic(&self, r: f64) -> [f64; 3] {
        let Self { m, c1, c2, omega0, co, .. } = *self;
        let (p2, c) = (self.p2(r), self.d - r * co / self.si);
        let at_rest = self.k2 * (self.r0 - r) + m * r * omega0 * omega0;
        [
            -p2 * at_rest + co * r * c1 * (omega0 - self.damping_speed),
            -p2 * (2.0 * m * r * omega0 - c2 * c) + co * r * (c1 + 2.0 * m * r * c * omega0),
            -m * (r * p2 + co * c * (self.beta * self.beta - r * r)),
        ]
    }

    /// The displacements where L₁ vanishes for the sign s, ascending.
    pub(crate) fn balanced_positions(&self, sign: f64) -> Vec<f64> {
        let [b2, s] = [self.beta * self.beta * self.si * self.si, self.stick_sign(sign)];
        real_roots([b2, s * self.kappa * self.co, 1.0])
    }

    /// All two-folds: for both signs s of the rolling velocity, also those whose sign is not s and which therefore do not
    /// exist in the signed model. An unsigned moment has s = +1 only.
    pub fn two_folds(&self) -> Vec<WheelTwoFold> {
        let signs: &[f64] = if self.signed { &[1.0, -1.0] } else { &[1.0] };
        let mut found = Vec::new();
        for &sign in signs {
            if self.si == 0.0 {
                found.extend(self.aligned_two_fold(sign));
                continue;
            }
            for r in self.balanced_positions(sign) {
                for slip in real_roots(self.surface_quadratic(r)) {
                    let omega = self.omega0 + slip;
                    found.push(WheelTwoFold::at(self, (r, self.surface_v(r, omega), omega), sign));
                }
            }
        }
        found
    }

    /// The wheel along the slit (sin γ = 0): the surface is ω = ω₀, and both fields agree at the two-fold.
    fn aligned_two_fold(&self, sign: f64) -> Option<WheelTwoFold> {
        let Self { m, d, k2, r0, c1, c2, omega0, co, .. } = *self;
        let r = -self.stick_sign(sign) * self.kappa / co;
        let drive = d * (k2 * (r0 - r) + m * r * omega0 * omega0) - c1 * (omega0 - self.damping_speed);
        let v = drive / (d * c2 + 2.0 * m * r * omega0);
        (v.is_finite() && (!self.signed || -v * co * sign > 0.0)).then(|| WheelTwoFold::at(self, (r, v, omega0), sign))
    }
}

/// Real roots of c₂x² + c₁x + c₀, ascending, without cancellation.
pub(crate) fn real_roots([c0, c1, c2]: [f64; 3]) -> Vec<f64> {
    if c2 == 0.0 {
        return if c1 == 0.0 { Vec::new() } else { vec![-c0 / c1] };
    }
    let discriminant = c1 * c1 - 4.0 * c2 * c0;
    if discriminant.is_nan() || discriminant < 0.0 {
        return Vec::new();
    }
    let root = discriminant.sqrt();
    let half = -0.5 * (c1 + if c1 < 0.0 { -root } else { root });
    let mut roots = if half == 0.0 { vec![0.0] } else { vec![half / c2, c0 / half] };
    roots.retain(|root| root.is_finite());
    roots.sort_by(f64::total_cmp);
    roots.dedup();
    roots
}

#[cfg(test)]
impl WheelTwoFold {
    /// Point of the surface with these small values of L₊ and L₋, to first order: (r, ω). None where the folds are
    /// parallel.
    pub(crate) fn nearby(&self, dynamics: &Dynamics, lie: crate::system::filippov::Lie) -> Option<(f64, f64)> {
        let Dynamics { mu, .. } = *dynamics;
        let steep = |lambda: f64| {
            let [along_r, along_v, along_omega] = dynamics.lie_gradient(self.r, self.v, self.omega, self.sign, lambda);
            // v follows r and ω on the surface
            let (v_r, v_omega) = surface_slopes(dynamics, self.r, self.omega)?;
            Some((along_r + along_v * v_r, along_omega + along_v * v_omega))
        };
        let ((a, b), (c, e)) = (steep(mu)?, steep(-mu)?);
        let determinant = a * e - b * c;
        if determinant == 0.0 {
            return None;
        }
        let dr = (lie.plus * e - lie.minus * b) / determinant;
        let domega = (a * lie.minus - c * lie.plus) / determinant;
        Some((self.r + dr, self.omega + domega))
    }
}

/// ∂v/∂r and ∂v/∂ω on the surface; none without a chart.
#[cfg(test)]
fn surface_slopes(dynamics: &Dynamics, r: f64, omega: f64) -> Option<(f64, f64)> {
    let slope = dynamics.co / dynamics.si;
    slope.is_finite().then(|| (-(omega - dynamics.omega0) * slope, dynamics.d - r * slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_designed_two_fold_is_among_all_of_them() {
        let dynamics = Wheel::default().dynamics().unwrap();
        let near = |fold: &&WheelTwoFold| (fold.r - 0.1859).abs() < 1e-10 && (fold.omega + 1.037).abs() < 1e-10;
        let all = dynamics.two_folds();
        let found = all.iter().find(near).unwrap();
        assert!(found.sign_consistent && found.case() == Some(Case::Through));
        assert!(all.len() <= 8);
    }

    #[test]
    fn roots_of_quadratics_keep_their_digits() {
        let roots = real_roots([1.0, -1e9, 1.0]);
        assert!((roots[0] * 1e9 - 1.0).abs() < 1e-15 && (roots[1] / 1e9 - 1.0).abs() < 1e-15);
        assert!(real_roots([1.0, 0.0, 1.0]).is_empty());
        assert_eq!(real_roots([-4.0, 2.0, 0.0]), [2.0]);
        assert_eq!(real_roots([0.0, 0.0, 2.0]), [0.0]);
    }
}
