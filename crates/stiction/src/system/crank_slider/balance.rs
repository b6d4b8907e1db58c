//! The equations of motion of the crank and the normal force, together and linear.
//!
//! The unknowns are θ̈, φ̈ and the normal force N, for a friction force f on the slider:
//!
//! ```text
//! [ J₁ + (m₂+m₃) R²     −b R L cos(θ+φ)      −R cos θ ] [θ̈]   [ κ − b R L sin(θ+φ) φ̇² − (m₂+m₃) g R cos θ − f R sin θ ]
//! [ −b R L cos(θ+φ)     m₂L²/3 + m₃L²         L cos φ ] [φ̈] = [   − b R L sin(θ+φ) θ̇² + b g L cos φ       − f L sin φ ]
//! [ R cos θ             −L cos φ              0       ] [N]   [ R sin θ θ̇² − L sin φ φ̇²                               ]
//!
//! J₁ = m₁R²/2,  b = m₂/2 + m₃
//! ```
//!
//! Eliminating φ̈ by the third row and the constraint by the sum of the first two leaves two numbers of the frictionless
//! mechanism and two that tell how friction changes them:
//!
//! ```text
//! θ̈ = (P − f D)/M,    N = N₀ + k f,    D = R sin(θ+φ)/cos φ,   ẋ₃ = −D θ̇
//! ```
//!
//! Both pivots, L cos φ and the effective inertia M(θ), are positive for R < L, so nothing needs scaling and nothing is 0/0
//! at a dead centre. With f = e N the matrix has the determinant (1 − e k) M L² cos²φ: friction whose own normal force grows
//! as fast as it does, |e k| = 1, has no answer or two (Painlevé).

use super::CrankSlider;
use crate::num::real;
use crate::num::scalar::Scalar;

/// The mechanism without friction at one state, and how friction changes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CrankBalance<T = f64> {
    /// Effective inertia M seen by the crank [kg m²], > 0.
    pub(crate) inertia: T,
    /// Lever D of a force on the slider \[m\]: ẋ₃ = −D θ̇.
    pub(crate) lever: T,
    /// Generalised force P on the crank without friction [N m].
    pub(crate) torque: T,
    /// Normal force N₀ without friction \[N\].
    pub(crate) load: T,
    /// Change k of the normal force per friction force [-].
    pub(crate) gain: T,
}

/// How the friction force depends on the normal force N.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Friction {
    /// f = e N.
    Proportional(f64),
    /// f is given \[N\].
    Constant(f64),
}

/// What follows from a balance and a friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Response<T = f64> {
    /// θ̈ [rad/s²].
    pub(crate) acceleration: T,
    /// The normal force N \[N\], positive where the track pushes the slider up.
    pub(crate) normal_force: T,
    /// The friction force f on the slider \[N\].
    pub(crate) friction: T,
}

impl<T: Scalar> CrankBalance<T> {
    /// Determinant of the linear system with f = e N, divided by that without friction: 1 − e k [-].
    #[inline]
    pub(crate) fn determinant(&self, e: f64) -> T {
        self.gain.scaled(-e).shifted(1.0)
    }

    /// Acceleration, normal force and friction together.
    #[inline]
    pub(crate) fn response(&self, friction: Friction) -> Response<T> {
        let (normal_force, friction) = match friction {
            Friction::Proportional(e) => {
                let normal_force = self.load / self.determinant(e);
                (normal_force, normal_force.scaled(e))
            }
            Friction::Constant(force) => (self.load + self.gain.scaled(force), T::constant(force)),
        };
        Response { acceleration: (self.torque - friction * self.lever) / self.inertia, normal_force, friction }
    }
}

/// The constants of the equations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Constants {
    radius: f64,
    length: f64,
    ratio: f64,
    crank_inertia: f64,
    rod_mass: f64,
    slider_mass: f64,
    /// b = m₂/2 + m₃ \[kg\].
    carried_mass: f64,
    /// m₂L²/3 + m₃L² [kg m²].
    rod_inertia: f64,
    pub(super) drive_torque: f64,
    gravity: f64,
}

impl Constants {
    pub(crate) fn of(crank: &CrankSlider) -> Self {
        let (radius, length) = (crank.crank_radius, crank.rod_length);
        Self {
            radius,
            length,
            ratio: radius / length,
            crank_inertia: 0.5 * crank.crank_mass * radius * radius,
            rod_mass: crank.rod_mass,
            slider_mass: crank.slider_mass,
            carried_mass: 0.5 * crank.rod_mass + crank.slider_mass,
            rod_inertia: (crank.rod_mass / 3.0 + crank.slider_mass) * length * length,
            drive_torque: crank.drive_torque,
            gravity: crank.gravity,
        }
    }

    /// The weight that rests on the track on average \[N\]: (m₃ + m₂/2)|g|.
    pub(crate) fn constant_load(&self) -> f64 {
        self.carried_mass * self.gravity.abs()
    }

    /// The balance at an angle \[rad\] and a speed [rad/s] of the crank.
    #[inline]
    pub(crate) fn balance<T: Scalar>(&self, theta: T, speed: T) -> CrankBalance<T> {
        let (radius, length) = (self.radius, self.length);
        let (sin, cos) = (theta.sin(), theta.cos());
        let sin_phi = sin.scaled(self.ratio);
        let cos_phi = (T::constant(1.0) - sin_phi * sin_phi).sqrt();
        let one_over = T::constant(1.0) / cos_phi;
        // φ̇ = turn θ̇, φ̈ = turn θ̈ + swing
        let turn = (cos * one_over).scaled(self.ratio);
        let square = speed * speed;
        let rod_square = turn * turn * square;
        let swing = (sin_phi * (rod_square - square)) * one_over;
        let sin_sum = sin * cos_phi + cos * sin_phi;
        let cos_sum = cos * cos_phi - sin * sin_phi;
        let lever = (sin_sum * one_over).scaled(radius);
        // the rod's part is a positive form in (R sin θ, L turn): no cancellation
        let (across, along) = (sin.scaled(radius), turn.scaled(length));
        let rod = across * across + across * sin_phi * along + (along * along).divided(3.0);
        let inertia = rod.scaled(self.rod_mass) + (lever * lever).scaled(self.slider_mass);
        let inertia = inertia.shifted(self.crank_inertia);
        let coupling = self.carried_mass * radius * length;
        let row = turn.scaled(self.rod_inertia) - cos_sum.scaled(coupling);
        let torque = -cos.scaled(0.5 * self.rod_mass * self.gravity * radius)
            - sin_sum.scaled(coupling) * (rod_square + turn * square)
            - row * swing;
        let torque = torque.shifted(self.drive_torque);
        let per_length = one_over.divided(length);
        let right = -(sin_sum * square).scaled(coupling) - swing.scaled(self.rod_inertia);
        let load = ((right - row * torque / inertia) * per_length).shifted(self.carried_mass * self.gravity);
        let gain = (row * lever / inertia - sin_phi.scaled(length)) * per_length;
        CrankBalance { inertia, lever, torque, load, gain }
    }

    /// Kinetic and potential energy \[J\].
    pub(crate) fn energy(&self, theta: f64, speed: f64) -> f64 {
        let inertia = self.balance(theta, speed).inertia;
        0.5 * inertia * speed * speed + 0.5 * self.rod_mass * self.gravity * self.radius * real::sin(theta)
    }

    /// Place of the slider \[m\]: x₃ = R cos θ + L cos φ (hu2021, Eq. 34).
    pub(crate) fn place(&self, theta: f64) -> f64 {
        let sin_phi = self.ratio * real::sin(theta);
        self.radius * real::cos(theta) + self.length * (1.0 - sin_phi * sin_phi).sqrt()
    }
}

#[cfg(test)]
impl CrankSlider {
    /// The equations of motion without friction at an angle \[rad\] and a speed [rad/s] of the crank.
    pub(crate) fn balance(&self, angle: f64, speed: f64) -> CrankBalance {
        Constants::of(self).balance(angle, speed)
    }

    /// Kinetic and potential energy \[J\] at an angle \[rad\] and a speed [rad/s] of the crank.
    pub(crate) fn energy(&self, angle: f64, speed: f64) -> f64 {
        Constants::of(self).energy(angle, speed)
    }
}
