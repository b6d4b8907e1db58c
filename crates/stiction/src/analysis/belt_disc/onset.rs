//! How a slip starts from rest relative to the belt.

use super::follow::Follower;
use super::model::unsuitable;
use super::run::Phase;
use crate::analysis::AnalysisError;
use crate::num::real::{atan2, cos, sin};
use crate::patch::limit_body::{breakaway, onset_acceleration, proximal};
use crate::patch::{FrozenPatch, Twist};
use crate::system::belt_disc::balance::{ANGLE, BELT_WORK, DISSIPATED, SPIN, VX, VY, X, Y};
use crate::system::belt_disc::{Balance, OnsetRule, State};

impl Follower<'_, '_> {
    /// Starts a slip from rest relative to the belt.
    pub(super) fn onset(&mut self) -> Result<(), AnalysisError> {
        let balance = self.balance();
        let before = self.state;
        let holding = balance.holding(&before);
        let drive = holding.map(|force| -force);
        let step = self.onset_step.min(self.end() - self.time);
        let spring = balance.stiffness * before[X];
        match self.rules.onset {
            OnsetRule::Exact => {
                let place = balance.place(self.time, &before);
                let mut contact = self.system.contact.borrow_mut();
                let patch = contact.frozen(place).map_err(|error| unsuitable(&error))?;
                let normal = self.normal.take().or_else(|| breakaway(&patch, holding[1]).map(|at| at.normal));
                let toward = normal.map_or(drive, |normal| normal.map(|w| -w));
                let masses = [1.0, 1.0, balance.inertia_ratio()];
                let rate = onset_acceleration(&patch, masses[2], balance.ratio, drive, toward);
                let size = rate.iter().fold(0.0_f64, |size, a| size.max(a.abs()));
                let after = if size > 1e-9 { spring + balance.weight() * rate[0] } else { spring };
                let events = (self.time, [spring, after]);
                if size > 1e-9 {
                    self.state = started(&balance, &before, rate, step, &patch);
                    self.time += step;
                } else {
                    // κ = 1: friction does not fall, the slip grows with the force only
                    let (state, time) =
                        crept(&balance, &before, self.time, self.end(), step, &patch, toward, self.threshold);
                    (self.state, self.time) = (state, time);
                }
                drop(patch);
                drop(contact);
                self.recorder.event(events.0, Phase::Slip, &before, &before, events.1);
            }
            OnsetRule::VelocityJump => {
                let angle = atan2(holding[1], holding[0]);
                let jump = self.threshold * balance.radius * balance.frequency;
                self.state[VX] = balance.belt_speed - jump * cos(angle);
                self.state[VY] = -jump * sin(angle);
                self.state[SPIN] = 0.0;
                self.recorder.jumped += balance.energy(&self.state) - balance.energy(&before);
                let after = self.system.force(self.time, &self.state);
                self.recorder.event(self.time, Phase::Slip, &before, &self.state, [spring, after]);
            }
            OnsetRule::ZeroStart => {
                // the first step has no friction
                let pull = [-spring / balance.mass, -balance.transverse * before[Y] / balance.mass];
                self.recorder.event(self.time, Phase::Slip, &before, &before, [spring, 0.0]);
                self.state[VX] += pull[0] * step;
                self.state[VY] += pull[1] * step;
                self.state[X] += (balance.belt_speed + 0.5 * pull[0] * step) * step;
                self.state[Y] += 0.5 * pull[1] * step * step;
                self.time += step;
                // what the missing friction would have done is no error of the integration
                self.recorder.jumped += balance.energy(&self.state) - balance.energy(&before);
            }
        }
        self.system.error().map_err(|error| unsuitable(&error))
    }
}

/// The state a short time after an onset with the acceleration g `rate`.
fn started(balance: &Balance, before: &State, rate: Twist, step: f64, patch: &dyn FrozenPatch) -> State {
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

/// Implicit steps of growing length until the slip is fast enough for explicit ones: for onsets without a fall of friction.
#[expect(clippy::too_many_arguments, reason = "all are numbers of one short computation")]
fn crept(
    balance: &Balance,
    before: &State,
    since: f64,
    end: f64,
    step: f64,
    patch: &dyn FrozenPatch,
    toward: Twist,
    threshold: f64,
) -> (State, f64) {
    let (mut state, mut time, mut step) = (*before, since, step);
    for _ in 0..40 {
        let length = step.min(end - time);
        let mut ahead = state;
        ahead[X] += balance.belt_speed * length;
        let drive = balance.holding(&ahead).map(|force| -force);
        // M (w − w₀)/(g Δt) + κ ∇d(w) = e
        let old = balance.twist(&state);
        let inertia = [1.0, 1.0, balance.inertia_ratio()].map(|mass| mass / (balance.gravity * length));
        let push: Twist = std::array::from_fn(|i| drive[i] + inertia[i] * old[i]);
        let w = proximal(patch, inertia, balance.ratio, push, toward);
        let energy = balance.energy(&state);
        state[VX] = balance.belt_speed + w[0];
        state[VY] = w[1];
        state[SPIN] = w[2] / balance.radius;
        state[X] += (balance.belt_speed + 0.5 * (w[0] + old[0])) * length;
        state[Y] += 0.5 * (w[1] + old[1]) * length;
        state[ANGLE] += 0.5 * (w[2] + old[2]) / balance.radius * length;
        let loss = balance.ratio * balance.weight() * patch.dissipation(w).value * length;
        state[DISSIPATED] += loss;
        state[BELT_WORK] += balance.energy(&state) - energy + loss;
        time += length;
        let size = w.iter().fold(0.0_f64, |size, w| size.max(w.abs()));
        if time >= end || size > threshold * balance.radius * balance.frequency {
            break;
        }
        step *= 1.5;
    }
    (state, time)
}
