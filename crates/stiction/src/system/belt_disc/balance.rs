//! Equations of motion of the disc, in the frame in which the belt runs toward +x.

use super::{BeltDisc, BeltStart, StartName};
use crate::patch::{Twist, Wrench};

/// x, y, ẋ, ẏ, φ̇, then what follows along: φ, ∫ v_b f_x dt, ∫ D_k dt.
pub type State = [f64; 8];

pub(crate) const X: usize = 0;
pub(crate) const Y: usize = 1;
pub(crate) const VX: usize = 2;
pub(crate) const VY: usize = 3;
pub(crate) const SPIN: usize = 4;
pub(crate) const ANGLE: usize = 5;
pub(crate) const BELT_WORK: usize = 6;
pub(crate) const DISSIPATED: usize = 7;

impl BeltDisc {
    /// x, y, φ, ẋ, ẏ, φ̇ at the start in the frame in which the belt runs toward +x, and whether the disc sticks to the belt.
    pub(crate) fn start_state(&self) -> ([f64; 6], bool) {
        let belt = self.belt_speed.abs();
        let mirror = if self.belt_speed < 0.0 { -1.0 } else { 1.0 };
        match self.start {
            BeltStart::Named(StartName::Rest) => ([0.0; 6], belt == 0.0),
            BeltStart::Named(StartName::Stuck) => ([0.0, 0.0, 0.0, belt, 0.0, 0.0], true),
            BeltStart::State([x, y, angle, vx, vy, spin]) => {
                let state = [mirror * x, y, mirror * angle, mirror * vx, vy, mirror * spin];
                (state, state[3] == belt && vy == 0.0 && spin == 0.0)
            }
        }
    }
}

/// The constants of the equations of motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BeltBalance {
    /// m \[kg\].
    pub(crate) mass: f64,
    /// R \[m\].
    pub(crate) radius: f64,
    /// k [N/m].
    pub(crate) stiffness: f64,
    /// k_y [N/m].
    pub(crate) transverse: f64,
    /// J [kg m²].
    pub(crate) inertia: f64,
    /// |v_b| [m/s]: a belt that runs toward −x is seen in a mirror.
    pub(crate) belt_speed: f64,
    /// g [m/s²].
    pub(crate) gravity: f64,
    /// κ [-].
    pub(crate) ratio: f64,
    /// w_n [rad/s].
    pub(crate) frequency: f64,
}

impl BeltBalance {
    /// Of a disc whose parameters make sense.
    pub(crate) fn of(disc: &BeltDisc) -> Self {
        Self {
            mass: disc.mass,
            radius: disc.radius,
            stiffness: disc.stiffness,
            transverse: disc.transverse(),
            inertia: disc.inertia(),
            belt_speed: disc.belt_speed.abs(),
            gravity: disc.gravity,
            ratio: disc.kinetic_ratio,
            frequency: disc.natural_frequency(),
        }
    }

    /// m g \[N\].
    pub(crate) fn weight(&self) -> f64 {
        self.mass * self.gravity
    }

    /// J/(m R²) [-].
    pub(crate) fn inertia_ratio(&self) -> f64 {
        self.inertia / (self.mass * self.radius * self.radius)
    }

    /// (u_x, u_y, R φ̇) [m/s] relative to the belt.
    pub(crate) fn twist(&self, state: &State) -> Twist {
        [state[VX] - self.belt_speed, state[VY], self.radius * state[SPIN]]
    }

    /// Centre of the disc in belt coordinates \[m\] at a time \[s\].
    pub(crate) fn place(&self, time: f64, state: &State) -> [f64; 2] {
        [state[X] - self.belt_speed * time, state[Y]]
    }

    /// (k x, k_y y, 0)/(m g): the friction that holds the disc in stick; the springs push with the opposite.
    pub(crate) fn holding(&self, state: &State) -> Wrench {
        [self.stiffness * state[X] / self.weight(), self.transverse * state[Y] / self.weight(), 0.0]
    }

    /// Kinetic friction f_x \[N\] of a gradient ∇d.
    pub(crate) fn friction(&self, gradient: &Wrench) -> f64 {
        -self.ratio * self.weight() * gradient[0]
    }

    /// Time derivative of the state in slip, where ∇d of the twist is `gradient`.
    pub(crate) fn slopes(&self, state: &State, gradient: &Wrench) -> State {
        let load = self.ratio * self.weight();
        let [fx, fy, torque] = [-load * gradient[0], -load * gradient[1], -load * self.radius * gradient[2]];
        let twist = self.twist(state);
        // d is homogeneous of degree 1
        let dissipation: f64 = load * (0..3).map(|i| gradient[i] * twist[i]).sum::<f64>();
        let rate = [
            (fx - self.stiffness * state[X]) / self.mass,
            (fy - self.transverse * state[Y]) / self.mass,
            torque / self.inertia,
        ];
        self.slopes_of(state, rate, fx, dissipation)
    }

    /// Time derivative of the state with these accelerations ẍ, ÿ, φ̈, friction f_x \[N\] and dissipation \[W\].
    pub(crate) fn slopes_of(&self, state: &State, rate: [f64; 3], friction: f64, dissipation: f64) -> State {
        let mut slopes = [0.0; 8];
        slopes[X] = state[VX];
        slopes[Y] = state[VY];
        [slopes[VX], slopes[VY], slopes[SPIN]] = rate;
        slopes[ANGLE] = state[SPIN];
        slopes[BELT_WORK] = self.belt_speed * friction;
        slopes[DISSIPATED] = dissipation;
        slopes
    }

    /// Gives the disc the velocity of the belt.
    pub(crate) fn stop(&self, state: &mut State) {
        (state[VX], state[VY], state[SPIN]) = (self.belt_speed, 0.0, 0.0);
    }

    /// Friction f_x \[N\] in slip, from the state and its slopes.
    pub(crate) fn friction_of(&self, state: &State, slopes: &State) -> f64 {
        self.mass * slopes[VX] + self.stiffness * state[X]
    }

    /// Kinetic and potential energy \[J\].
    pub(crate) fn energy(&self, state: &State) -> f64 {
        let [x, y, vx, vy, spin, ..] = *state;
        0.5 * (self.mass * (vx * vx + vy * vy) + self.inertia * spin * spin)
            + 0.5 * (self.stiffness * x * x + self.transverse * y * y)
    }

    /// λ² = (u_x² + u_y²)/(R w_n)² + φ̇²/w_n² and its time derivative [-], [1/s].
    pub(crate) fn lambda_square(&self, state: &State, slopes: &State) -> [f64; 2] {
        let unit = self.radius * self.frequency;
        let w = self.twist(state);
        let rate = [slopes[VX], slopes[VY], self.radius * slopes[SPIN]];
        let square = w.iter().map(|w| w * w).sum::<f64>() / (unit * unit);
        let slope = 2.0 * w.iter().zip(rate).map(|(w, rate)| w * rate).sum::<f64>() / (unit * unit);
        [square, slope]
    }
}
