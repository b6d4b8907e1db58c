//! What one run of the disc gives.

use crate::integrate::Effort;
use crate::system::belt_disc::State;
use crate::system::belt_disc::balance::{SPIN, Y};
use serde::{Deserialize, Serialize};

/// Whether the disc moves with the belt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// With the belt.
    Stick,
    /// Over the belt.
    Slip,
}

impl Phase {
    /// The word in tables.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Stick => "stick",
            Phase::Slip => "slip",
        }
    }
}

/// A transition.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BeltEvent {
    /// When \[s\].
    pub time: f64,
    /// What begins: `Stick` is a landing, `Slip` a breakaway.
    pub kind: Phase,
    /// x \[m\].
    pub displacement: f64,
    /// y \[m\].
    pub transverse_displacement: f64,
    /// φ \[rad\].
    pub rotation: f64,
    /// ẋ [m/s] after the transition.
    pub velocity: f64,
    /// ẏ [m/s] after the transition.
    pub transverse_velocity: f64,
    /// φ̇ [rad/s] after the transition.
    pub angular_velocity: f64,
    /// Friction f_x on the disc just before \[N\].
    pub force_before: f64,
    /// Friction f_x on the disc just after \[N\].
    pub force_after: f64,
}

impl BeltEvent {
    /// A transition to the state x, y, φ, ẋ, ẏ, φ̇ with the friction just before and just after \[N\].
    pub(super) fn new(time: f64, kind: Phase, after: [f64; 6], [force_before, force_after]: [f64; 2]) -> Self {
        let [displacement, transverse_displacement, rotation, velocity, transverse_velocity, angular_velocity] = after;
        Self {
            time,
            kind,
            displacement,
            transverse_displacement,
            rotation,
            velocity,
            transverse_velocity,
            angular_velocity,
            force_before,
            force_after,
        }
    }
}

/// An instant with ẋ = 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TurningPoint {
    /// When \[s\].
    pub time: f64,
    /// x \[m\].
    pub displacement: f64,
    /// Friction f_x on the disc \[N\].
    pub force: f64,
    /// Whether it is a maximum of x.
    pub maximum: bool,
}

/// A local extreme of the friction force inside a slip.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ForceExtreme {
    /// When \[s\].
    pub(crate) time: f64,
    /// f_x \[N\].
    pub(crate) force: f64,
    /// Whether it is a maximum.
    pub(crate) maximum: bool,
}

/// A minimum of the slip speed that was no landing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NearLanding {
    /// When \[s\].
    pub(crate) time: f64,
    /// λ [-].
    pub(crate) lambda: f64,
}

/// The disc at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// When \[s\].
    pub time: f64,
    /// The phase.
    pub phase: Phase,
    /// x \[m\].
    pub displacement: f64,
    /// y \[m\].
    pub transverse_displacement: f64,
    /// φ \[rad\].
    pub rotation: f64,
    /// ẋ [m/s].
    pub velocity: f64,
    /// ẏ [m/s].
    pub transverse_velocity: f64,
    /// φ̇ [rad/s].
    pub angular_velocity: f64,
    /// Friction f_x on the disc \[N\].
    pub force: f64,
    /// Whether it stands beside the uniform grid, just before or after a transition.
    pub extra: bool,
}

/// What one run gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BeltRun {
    /// How long it lasted \[s\].
    pub duration: f64,
    /// The phase at the start.
    pub start: Phase,
    /// All transitions in order.
    pub events: Vec<BeltEvent>,
    /// All instants with ẋ = 0.
    pub turning_points: Vec<TurningPoint>,
    /// Extremes of the friction force inside slips; those that cannot be the largest or smallest of their cycle are known to
    /// the parabola through three steps only.
    pub force_extremes: Vec<ForceExtreme>,
    /// Minima of λ without a landing.
    pub near_landings: Vec<NearLanding>,
    /// x, y \[m\], φ \[rad\], ẋ, ẏ [m/s], φ̇ [rad/s] at the start.
    pub start_state: [f64; 6],
    /// The same at the end.
    pub end_state: [f64; 6],
    /// f_x at the start \[N\].
    pub start_force: f64,
    /// f_x at the end \[N\].
    pub end_force: f64,
    /// ∫ v_b f_x dt \[J\].
    pub belt_work: f64,
    /// ∫ D_k dt \[J\].
    pub dissipated: f64,
    /// What is missing in the balance of energy \[J\]: a measure of the error of the run.
    pub energy_residual: f64,
    /// What it cost.
    pub effort: Effort,
    /// Largest |y| \[m\].
    pub largest_transverse_displacement: f64,
    /// Largest |φ̇| [rad/s].
    pub largest_angular_velocity: f64,
    /// Share of the slip time with the centre of rotation inside the disc [-]; 0 without slip.
    pub rotation_share: f64,
}

impl BeltRun {
    /// A run that has not moved yet.
    pub(super) fn starting(duration: f64, start: Phase, state: [f64; 6], force: f64) -> Self {
        Self {
            duration,
            start,
            events: Vec::new(),
            turning_points: Vec::new(),
            force_extremes: Vec::new(),
            near_landings: Vec::new(),
            start_state: state,
            end_state: state,
            start_force: force,
            end_force: force,
            belt_work: 0.0,
            dissipated: 0.0,
            energy_residual: 0.0,
            effort: Effort::default(),
            largest_transverse_displacement: state[1].abs(),
            largest_angular_velocity: state[5].abs(),
            rotation_share: 0.0,
        }
    }

    /// Notes how far the disc is beside its track, and how fast it turns.
    pub(super) fn note_extremes(&mut self, state: &State) {
        self.largest_transverse_displacement = self.largest_transverse_displacement.max(state[Y].abs());
        self.largest_angular_velocity = self.largest_angular_velocity.max(state[SPIN].abs());
    }

    /// x → −x: what points along x or turns changes its sign.
    pub(super) fn mirror(&mut self, samples: &mut [Sample]) {
        // 0 stays 0 and does not become −0
        let flip = |value: &mut f64| *value = 0.0 - *value;
        for event in &mut self.events {
            let BeltEvent { displacement, rotation, velocity, angular_velocity, force_before, force_after, .. } = event;
            [displacement, rotation, velocity, angular_velocity, force_before, force_after].into_iter().for_each(flip);
        }
        for point in &mut self.turning_points {
            flip(&mut point.displacement);
            flip(&mut point.force);
            point.maximum = !point.maximum;
        }
        for extreme in &mut self.force_extremes {
            flip(&mut extreme.force);
            extreme.maximum = !extreme.maximum;
        }
        for state in [&mut self.start_state, &mut self.end_state] {
            let [x, _, angle, vx, _, spin] = state;
            [x, angle, vx, spin].into_iter().for_each(flip);
        }
        [&mut self.start_force, &mut self.end_force].into_iter().for_each(flip);
        for sample in samples {
            let Sample { displacement, rotation, velocity, angular_velocity, force, .. } = sample;
            [displacement, rotation, velocity, angular_velocity, force].into_iter().for_each(flip);
        }
    }
}

/// ∫ (x − x')² dt \[m² s\] of two trajectories on the same uniform grid (hu2023_belt, Eq. 15: an integrated square, not a
/// length). Samples beside the grid are left out; none if the grids differ.
pub fn trajectory_difference(first: &[Sample], second: &[Sample]) -> Option<f64> {
    let grid = |samples: &[Sample]| -> Vec<(f64, f64)> {
        samples.iter().filter(|sample| !sample.extra).map(|sample| (sample.time, sample.displacement)).collect()
    };
    let (first, second) = (grid(first), grid(second));
    if first.len() != second.len() || first.len() < 2 || first.iter().zip(&second).any(|(a, b)| a.0 != b.0) {
        return None;
    }
    let square = |k: usize| (first[k].1 - second[k].1) * (first[k].1 - second[k].1);
    let part = |k: usize| 0.5 * (first[k + 1].0 - first[k].0) * (square(k) + square(k + 1));
    Some((0..first.len() - 1).map(part).sum())
}
