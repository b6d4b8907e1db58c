//! How slip starts and ends: short motions that are known, from rest relative to the belt and to it.

use super::balance::{ANGLE, BELT_WORK, DISSIPATED, SPIN, VX, VY, X, Y};
use super::{BeltBalance, State};
use crate::num::real::{atan2, cos, sin};
use crate::patch::limit_body::{breakaway, landing_rate, onset_acceleration, proximal};
use crate::patch::{FrozenPatch, Twist};

/// Accelerations below this part of g are rounding: friction does not fall where slip starts.
const NO_ACCELERATION: f64 = 1e-9;

/// Largest spring force along the belt on the circle of breakaway, over m g [-]; none if the transverse one exceeds it.
pub(super) fn on_circle(patch: &dyn FrozenPatch, across: f64) -> Option<f64> {
    let mean = patch.moments().mean;
    let square = mean * mean - across * across;
    (square >= 0.0).then(|| square.sqrt())
}

/// The start of a slip from rest relative to the belt.
pub(super) struct Onset {
    /// The state a short time later.
    pub(super) target: State,
    /// That time \[s\].
    pub(super) delay: f64,
    /// Friction just after the start \[N\].
    pub(super) friction: f64,
}

/// How a slip starts by the principle of Gauss.
pub(super) fn onset(
    balance: &BeltBalance,
    patch: &dyn FrozenPatch,
    before: &State,
    step: f64,
    threshold: f64,
) -> Onset {
    let holding = balance.holding(before);
    let drive = holding.map(|force| -force);
    let toward = breakaway(patch, holding[1]).map_or(drive, |at| at.normal.map(|w| -w));
    let rate = onset_acceleration(patch, balance.inertia_ratio(), balance.ratio, drive, toward);
    let spring = balance.stiffness * before[X];
    if rate.iter().any(|a| a.abs() > NO_ACCELERATION) {
        let target = started(balance, before, rate, step, patch);
        Onset { target, delay: step, friction: spring + balance.weight() * rate[0] }
    } else {
        // κ = 1: friction does not fall, the slip grows with the force only
        let (target, delay) = Creep { balance, patch, toward }.from(before, step, threshold);
        Onset { target, delay, friction: spring }
    }
}

/// The state a short time after an onset with the acceleration g `rate`.
fn started(balance: &BeltBalance, before: &State, rate: Twist, step: f64, patch: &dyn FrozenPatch) -> State {
    let [ax, ay, turn] = rate.map(|rate| rate * balance.gravity);
    let mut state = *before;
    state[VX] = balance.belt_speed + ax * step;
    state[VY] = ay * step;
    state[SPIN] = turn / balance.radius * step;
    state[X] += balance.belt_speed * step + 0.5 * ax * step * step;
    state[Y] += 0.5 * ay * step * step;
    state[ANGLE] += 0.5 * turn / balance.radius * step * step;
    let impulse = balance.mass * ax * step + 0.5 * balance.stiffness * (before[X] + state[X]) * step;
    state[BELT_WORK] += balance.belt_speed * impulse;
    let rate_of_loss = balance.ratio * balance.weight() * patch.dissipation([ax, ay, turn]).value;
    state[DISSIPATED] += 0.5 * rate_of_loss * step * step;
    state
}

/// A slip that grows only as the belt loads the spring.
struct Creep<'a> {
    balance: &'a BeltBalance,
    patch: &'a dyn FrozenPatch,
    toward: Twist,
}

impl Creep<'_> {
    /// Implicit steps of growing length until the slip is fast enough for explicit ones.
    fn from(&self, before: &State, step: f64, threshold: f64) -> (State, f64) {
        let (mut state, mut time, mut step) = (*before, 0.0, step);
        for _ in 0..40 {
            let speed = self.step(&mut state, step);
            time += step;
            if speed > threshold * self.balance.radius * self.balance.frequency {
                break;
            }
            step *= 1.5;
        }
        (state, time)
    }

    /// One implicit step, M (w − w₀)/(g Δt) + κ ∇d(w) = e; returns the largest component of the slip [m/s].
    fn step(&self, state: &mut State, length: f64) -> f64 {
        let Self { balance, patch, toward } = *self;
        let mut ahead = *state;
        ahead[X] += balance.belt_speed * length;
        let drive = balance.holding(&ahead).map(|force| -force);
        let old = balance.twist(state);
        let inertia = [1.0, 1.0, balance.inertia_ratio()].map(|mass| mass / (balance.gravity * length));
        let push: Twist = std::array::from_fn(|i| drive[i] + inertia[i] * old[i]);
        let w = proximal(patch, inertia, balance.ratio, push, toward);
        let energy = balance.energy(state);
        state[VX] = balance.belt_speed + w[0];
        state[VY] = w[1];
        state[SPIN] = w[2] / balance.radius;
        state[X] += (balance.belt_speed + 0.5 * (w[0] + old[0])) * length;
        state[Y] += 0.5 * (w[1] + old[1]) * length;
        state[ANGLE] += 0.5 * (w[2] + old[2]) / balance.radius * length;
        let loss = balance.ratio * balance.weight() * patch.dissipation(w).value * length;
        state[DISSIPATED] += loss;
        state[BELT_WORK] += balance.energy(state) - energy + loss;
        w.iter().fold(0.0_f64, |size, w| size.max(w.abs()))
    }
}

/// The state after a jump of the velocity by `threshold` against the force of the springs.
pub(super) fn velocity_jump(balance: &BeltBalance, threshold: f64, before: &State) -> State {
    let holding = balance.holding(before);
    let angle = atan2(holding[1], holding[0]);
    let jump = threshold * balance.radius * balance.frequency;
    let mut state = *before;
    state[VX] = balance.belt_speed - jump * cos(angle);
    state[VY] = -jump * sin(angle);
    state[SPIN] = 0.0;
    state
}

/// The state after a first step that has no friction.
pub(super) fn without_friction(balance: &BeltBalance, before: &State, step: f64) -> State {
    let pull = [-balance.stiffness * before[X] / balance.mass, -balance.transverse * before[Y] / balance.mass];
    let mut state = *before;
    state[VX] += pull[0] * step;
    state[VY] += pull[1] * step;
    state[X] += (balance.belt_speed + 0.5 * pull[0] * step) * step;
    state[Y] += 0.5 * pull[1] * step * step;
    state
}

/// The state where a slow slip dies out, extrapolated, and the time until then \[s\]; none if the slip does not fall.
pub(super) fn landing(balance: &BeltBalance, state: &State, slopes: &State) -> Option<(State, f64)> {
    let [square, slope] = balance.lambda_square(state, slopes);
    if slope >= 0.0 {
        return None;
    }
    let rest = 2.0 * square / -slope;
    let mut landed = *state;
    landed[X] += 0.5 * (state[VX] + balance.belt_speed) * rest;
    landed[Y] += 0.5 * state[VY] * rest;
    landed[ANGLE] += 0.5 * state[SPIN] * rest;
    // the impulse of friction is what momentum and spring leave
    let impulse =
        balance.mass * (balance.belt_speed - state[VX]) + 0.5 * balance.stiffness * (state[X] + landed[X]) * rest;
    landed[BELT_WORK] += balance.belt_speed * impulse;
    landed[DISSIPATED] += 0.5 * slopes[DISSIPATED] * rest;
    balance.stop(&mut landed);
    Some((landed, rest))
}

/// Friction \[N\] in the limit of zero slip before a landing.
pub(super) fn last_friction(balance: &BeltBalance, patch: &dyn FrozenPatch, landed: &State, slip: Twist) -> f64 {
    let (drive, masses) = (balance.holding(landed).map(|force| -force), [1.0, 1.0, balance.inertia_ratio()]);
    let direction = landing_rate(patch, masses, balance.ratio, drive, slip).unwrap_or(slip);
    balance.friction(&patch.dissipation(direction).gradient)
}

/// The state `elapsed` \[s\] after the start of a bridge from `from` to `target` that takes `delay` \[s\]: velocities change
/// linearly, and positions follow from them.
pub(super) fn bridge(from: &State, target: &State, delay: f64, elapsed: f64, y: &mut State) {
    if elapsed >= delay {
        *y = *target;
        return;
    }
    let part = elapsed / delay;
    for k in [VX, VY, SPIN, BELT_WORK, DISSIPATED] {
        y[k] = from[k] + part * (target[k] - from[k]);
    }
    for (k, rate) in [(X, VX), (Y, VY), (ANGLE, SPIN)] {
        let way = |part: f64| delay * part * (from[rate] + 0.5 * part * (target[rate] - from[rate]));
        // what the velocities leave open at the end is spread evenly
        let rest = target[k] - from[k] - way(1.0);
        y[k] = from[k] + way(part) + part * rest;
    }
}
