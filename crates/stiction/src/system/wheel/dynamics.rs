//! Equations of motion, friction, and the switching surface of the wheel (szalai2014, Eqs. 1–7, 14–16).
//!
//! ```text
//! Ω = ω − ω₀   q = β² + r²   p₁ = k₂(r₀ − r) − c₂v + m r ω²   p₂ = d r cos γ + q sin γ
//! r' = m q v
//! v' = (q + d²) p₁ − d (c₁ + 2 m r v) ω + F p₂ + d M
//! ω' = d p₁ − (c₁ + 2 m r v) ω + F r cos γ + M          t' = m q: the prime is d/dτ, τ in s/(kg m²)
//! h = −(v − dΩ) sin γ − rΩ cos γ                         lateral sliding velocity
//! g = −(v − dΩ) cos γ + rΩ sin γ                         rolling velocity
//! ```

use super::singular::WheelTwoFold;
use super::{DampingReference, SlipLaw, StickMoment, Wheel, exact_cos_sin, line::AngleTable};
use crate::num::real::{atan2, tan};
use crate::system::filippov::{Lie, Side};

/// Coordinates of the motion: r, v, ω, τ, t.
pub type State = [f64; 5];
/// Place of the displacement r of the slider \[m\] in the state.
pub const R: usize = 0;
/// Place of the speed v of the slider [m/s] in the state.
pub const V: usize = 1;
/// Place of the speed ω of the disc [rad/s] in the state.
pub(crate) const OMEGA: usize = 2;
/// Place of the rescaled time τ [s/(kg m²)] in the state.
pub const CLOCK: usize = 3;
/// Place of the time t \[s\] in the state.
pub(crate) const TIME: usize = 4;

/// The law writes `6 κ` and `18 κ`: κ divided by a hidden unit of length \[m\].
const LENGTH_UNIT: f64 = 1.0;

/// Lateral force and moment of the contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// Lateral force F \[N\].
    pub force: f64,
    /// Moment M [N m].
    pub moment: f64,
}

/// A wheel with all its numbers known. Symbols as in the module's equations.
#[derive(Debug, Clone)]
pub struct Dynamics {
    /// Mass of the slider \[kg\].
    pub m: f64,
    /// Radius of gyration of the disc \[m\].
    pub beta: f64,
    /// Distance of the slit from the axis \[m\].
    pub d: f64,
    /// Stiffness of the spring [N/m].
    pub k2: f64,
    /// Rest position of the spring \[m\].
    pub r0: f64,
    /// Damping of the disc [N m s].
    pub c1: f64,
    /// Damping of the slider [N s/m].
    pub c2: f64,
    /// Speed of the turntable [rad/s].
    pub omega0: f64,
    /// Cosine of the wheel's angle, exact at right angles.
    pub co: f64,
    /// Sine of the wheel's angle, exact at right angles.
    pub si: f64,
    /// Friction force at the onset of slip \[N\].
    pub mu: f64,
    /// Moment arm \[m\].
    pub kappa: f64,
    /// Speed against which the disc is damped [rad/s].
    pub damping_speed: f64,
    /// Whether the moment has the sign of the rolling velocity.
    pub signed: bool,
    /// How force and moment depend on the direction of slip.
    pub slip_law: SlipLaw,
    /// Smallest slip angle ψ₀ = arccot 6κ \[rad\].
    pub psi0: f64,
    /// Slope c_ψ = 1 − 2ψ₀/π of the rescaled slip angle.
    pub c_psi: f64,
    /// Distance from the line of rest at which a slip has reached it [m/s].
    pub line_radius: f64,
    /// Whether friction is smooth: then there are no modes.
    pub regularised: bool,
    pub(super) folds: [Vec<State>; 2],
    pub(super) table: AngleTable,
}

impl Dynamics {
    /// A wheel with this moment arm \[m\] and stiffness [N/m]. Nothing is checked: see [`Wheel::dynamics`].
    pub(crate) fn new(wheel: &Wheel, moment_arm: f64, spring_stiffness: f64) -> Self {
        let mut dynamics = Self::of_parameters(wheel, moment_arm, spring_stiffness);
        dynamics.table = AngleTable::of(&dynamics);
        let places = |folds: Vec<WheelTwoFold>, sign: f64| -> Vec<State> {
            let kept = folds.into_iter().filter(|fold| fold.sign == sign && fold.sign_consistent);
            kept.map(|fold| [fold.r, fold.v, fold.omega, 0.0, 0.0]).collect()
        };
        let all = dynamics.two_folds();
        dynamics.folds = [places(all.clone(), 1.0), places(all, -1.0)];
        dynamics
    }

    /// The same without what only motions need: tables of the line and known two-folds.
    pub(crate) fn of_parameters(wheel: &Wheel, moment_arm: f64, spring_stiffness: f64) -> Self {
        let (co, si) = exact_cos_sin(wheel.wheel_angle);
        let psi0 = atan2(1.0, 6.0 * moment_arm / LENGTH_UNIT);
        Self {
            m: wheel.slider_mass,
            beta: wheel.gyration_radius,
            d: wheel.slit_offset,
            k2: spring_stiffness,
            r0: wheel.rest_position,
            c1: wheel.disc_damping,
            c2: wheel.slider_damping,
            omega0: wheel.turntable_speed,
            co,
            si,
            mu: wheel.friction_force,
            kappa: moment_arm,
            damping_speed: match wheel.damping_reference {
                DampingReference::Ground => 0.0,
                DampingReference::Turntable => wheel.turntable_speed,
            },
            signed: wheel.stick_moment == StickMoment::Signed,
            slip_law: wheel.slip_law,
            psi0,
            c_psi: 1.0 - 2.0 * psi0 / std::f64::consts::PI,
            line_radius: 1e-7,
            regularised: wheel.regularisation.is_some(),
            folds: [Vec::new(), Vec::new()],
            table: AngleTable::default(),
        }
    }

    /// The same with this distance from the line of rest at which a slip has reached it [m/s], > 0.
    #[must_use]
    pub(crate) fn with_line_radius(mut self, radius: f64) -> Self {
        self.line_radius = radius;
        self
    }

    /// Rescaled time τ that makes a second where q is a square metre [s/(kg m²)]. It carries the unit of mass: constants of the
    /// solver are multiples of it, so that a motion does not depend on that unit.
    pub fn clock_unit(&self) -> f64 {
        1.0 / (self.m * LENGTH_UNIT * LENGTH_UNIT)
    }

    /// q = β² + r² \[m²\].
    pub(crate) fn q(&self, r: f64) -> f64 {
        self.beta * self.beta + r * r
    }

    /// p₁ = k₂(r₀ − r) − c₂v + m r ω² \[N\].
    pub(crate) fn p1(&self, r: f64, v: f64, omega: f64) -> f64 {
        self.k2 * (self.r0 - r) - self.c2 * v + self.m * r * omega * omega
    }

    /// p₂ = d r cos γ + q sin γ \[m²\].
    pub(crate) fn p2(&self, r: f64) -> f64 {
        self.d * r * self.co + self.q(r) * self.si
    }

    /// c₁ω + 2 m r v ω, or with c₁Ω where the damping acts against the turntable.
    fn resistance(&self, r: f64, v: f64, omega: f64) -> f64 {
        self.c1 * (omega - self.damping_speed) + 2.0 * self.m * r * v * omega
    }

    /// Lateral sliding velocity h [m/s].
    #[inline]
    pub fn h(&self, r: f64, v: f64, omega: f64) -> f64 {
        let slip = omega - self.omega0;
        -(v - self.d * slip) * self.si - r * slip * self.co
    }

    /// Rolling velocity g [m/s].
    #[inline]
    pub fn g(&self, r: f64, v: f64, omega: f64) -> f64 {
        let slip = omega - self.omega0;
        -(v - self.d * slip) * self.co + r * slip * self.si
    }

    /// Gradient of h in (r, v, ω).
    #[inline]
    pub(crate) fn h_gradient(&self, r: f64, omega: f64) -> [f64; 3] {
        [-(omega - self.omega0) * self.co, -self.si, self.d * self.si - r * self.co]
    }

    /// v and ω of a wheel at r ≠ 0 with these sliding velocities.
    pub(crate) fn of_sliding(&self, r: f64, h: f64, g: f64) -> (f64, f64) {
        let slip = (self.si * g - self.co * h) / r;
        (self.d * slip - (self.si * h + self.co * g), self.omega0 + slip)
    }

    /// v on the switching surface; needs sin γ ≠ 0.
    pub fn surface_v(&self, r: f64, omega: f64) -> f64 {
        (omega - self.omega0) * (self.d - r * self.co / self.si)
    }

    /// Force and moment in slip, for frozen signs of h and g: the smooth continuation of Eqs. 6, 7. Not a number beyond its
    /// pole.
    #[inline]
    pub fn slip_friction(&self, side: f64, rolling: f64, h: f64, g: f64) -> Friction {
        if self.slip_law == SlipLaw::Constant {
            return Friction { force: side * self.mu, moment: side * self.mu * self.kappa };
        }
        self.friction_at_angle(side, rolling, atan2(side * h, rolling * g))
    }

    /// Force and moment at the angle arctan|h/g| \[rad\], or its continuation.
    #[inline]
    pub(crate) fn friction_at_angle(&self, side: f64, rolling: f64, angle: f64) -> Friction {
        let psi = self.psi0 + self.c_psi * angle;
        if psi.is_nan() || psi <= 0.0 || psi >= std::f64::consts::PI {
            return Friction { force: f64::NAN, moment: f64::NAN };
        }
        let cot = 1.0 / tan(psi);
        let force = side * self.mu * (4.0 / 3.0 - cot / (18.0 * self.kappa / LENGTH_UNIT));
        let sign = if self.signed { rolling * side } else { side };
        Friction { force, moment: sign * self.mu / 6.0 * cot }
    }

    /// Force and moment of slip at a state off the surface, with the signs that it has.
    pub(crate) fn friction(&self, r: f64, v: f64, omega: f64) -> Friction {
        let (h, g) = (self.h(r, v, omega), self.g(r, v, omega));
        let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
        self.slip_friction(sign(h), sign(g), h, g)
    }

    /// Limit of force and moment on the surface from one side, for the sign s of g.
    pub(crate) fn limit_friction(&self, side: Side, sign: f64) -> Friction {
        let force = side.sign() * self.mu;
        Friction { force, moment: self.stick_sign(sign) * self.kappa * force }
    }

    /// The sign s with which the moment follows the force in stick.
    pub(crate) fn stick_sign(&self, sign: f64) -> f64 {
        if self.signed { sign } else { 1.0 }
    }

    /// Derivatives of r, v, ω and t in τ under a friction.
    #[inline]
    pub fn slope(&self, r: f64, v: f64, omega: f64, friction: Friction) -> [f64; 4] {
        let Friction { force, moment } = friction;
        let (q, p1, resistance) = (self.q(r), self.p1(r, v, omega), self.resistance(r, v, omega));
        let turn = self.d * p1 - resistance + force * r * self.co + moment;
        let slide = (q + self.d * self.d) * p1 - self.d * resistance + force * self.p2(r) + self.d * moment;
        [self.m * q * v, slide, turn, self.m * q]
    }

    /// L₀: what h would gain without friction.
    pub(crate) fn lie0(&self, r: f64, v: f64, omega: f64) -> f64 {
        let slip = omega - self.omega0;
        -self.p1(r, v, omega) * self.p2(r)
            - self.co * (self.m * slip * v * self.q(r) - r * self.resistance(r, v, omega))
    }

    /// L₁: what h gains per force, for the sign s of g. Depends on r only.
    pub(crate) fn lie1(&self, r: f64, sign: f64) -> f64 {
        -(r * r + self.beta * self.beta * self.si * self.si + self.stick_sign(sign) * self.kappa * r * self.co)
    }

    /// L± = L₀ ± μ L₁ at a state on the surface.
    pub(crate) fn lie(&self, r: f64, v: f64, omega: f64, sign: f64) -> Lie {
        let (lie0, lie1) = (self.lie0(r, v, omega), self.mu * self.lie1(r, sign));
        Lie { plus: lie0 + lie1, minus: lie0 - lie1 }
    }

    /// Derivatives of L(λ) = L₀ + λ L₁ in r, v and ω.
    pub(crate) fn lie_gradient(&self, r: f64, v: f64, omega: f64, sign: f64, lambda: f64) -> [f64; 3] {
        let Self { m, d, k2, c1, c2, co, si, kappa, .. } = *self;
        let (slip, q, p2) = (omega - self.omega0, self.q(r), self.p2(r));
        let along_r = -((m * omega * omega - k2) * p2 + self.p1(r, v, omega) * (d * co + 2.0 * r * si))
            - lambda * (2.0 * r + self.stick_sign(sign) * kappa * co)
            - co * (2.0 * m * slip * v * r - self.resistance(r, v, omega) - 2.0 * m * r * omega * v);
        let along_v = c2 * p2 - co * (m * slip * q - 2.0 * m * r * r * omega);
        let along_omega = -2.0 * m * r * omega * p2 - co * (m * v * q - r * (c1 + 2.0 * m * r * v));
        [along_r, along_v, along_omega]
    }

    /// Mechanical energy \[J\].
    pub fn energy(&self, r: f64, v: f64, omega: f64) -> f64 {
        let (across, stretch) = (v - self.d * omega, r - self.r0);
        0.5 * self.m * (across * across + self.q(r) * omega * omega) + 0.5 * self.k2 * stretch * stretch
    }

    /// Change of the energy per time \[W\] under a friction.
    pub(crate) fn power(&self, r: f64, v: f64, omega: f64, friction: Friction) -> f64 {
        let Friction { force, moment } = friction;
        let drive = (r * self.co - self.d * self.si) * self.omega0;
        let damping = self.c2 * v * v + self.c1 * (omega - self.damping_speed) * omega;
        force * (drive - self.h(r, v, omega)) + moment * omega - damping
    }
}
