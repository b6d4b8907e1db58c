//! Follows the disc through stick and slip.
//!
//! Stick is known in closed form: the patch is frozen and the force grows linearly until it leaves the limit body. Slip is
//! integrated; near its end the three components of the slip vanish together in finite time, and the rest is extrapolated.

use super::model::{Setting, unsuitable};
use super::recorder::Recorder;
use super::run::Phase;
use super::slip::{Slipping, Step, Stepper};
use crate::analysis::AnalysisError;
use crate::num::real::{atan2, cos, sin};
use crate::num::roots::{minimum, root};
use crate::patch::limit_body::{breakaway, gauge, onset_acceleration, proximal};
use crate::patch::{FrozenPatch, Twist};
use crate::system::belt_disc::balance::{ANGLE, BELT_WORK, DISSIPATED, SPIN, VX, VY, X, Y};
use crate::system::belt_disc::{Balance, BreakawayRule, LandingRule, OnsetRule, Rules, State};

/// Part of the time to a landing that a step may take at most, so that none is jumped over.
const TOWARD_LANDING: f64 = 0.7;

/// A disc on its way.
pub(super) struct Follower<'s, 'a> {
    pub(super) system: &'s Slipping<'a>,
    pub(super) stepper: Stepper<'s, 'a>,
    pub(super) rules: Rules,
    pub(super) threshold: f64,
    pub(super) onset_step: f64,
    pub(super) setting: Setting,
    pub(super) recorder: Recorder,
    pub(super) time: f64,
    pub(super) state: State,
    /// Friction at the present instant \[N\].
    pub(super) force: f64,
    /// The last three instants of a slip with their forces, newest last.
    trail: Vec<[f64; 2]>,
}

impl<'s, 'a> Follower<'s, 'a> {
    pub(super) fn new(
        system: &'s Slipping<'a>,
        setting: Setting,
        rules: Rules,
        threshold: f64,
        onset_step: f64,
        recorder: Recorder,
        state: State,
    ) -> Self {
        let stepper = Stepper::new(system, setting.tolerance);
        let (time, force) = (0.0, recorder.run.start_force);
        Self { system, stepper, rules, threshold, onset_step, setting, recorder, time, state, force, trail: Vec::new() }
    }

    fn balance(&self) -> Balance {
        self.system.balance
    }

    fn end(&self) -> f64 {
        self.setting.duration
    }

    /// From the start to the end.
    pub(super) fn follow(&mut self, sticks: bool) -> Result<(), AnalysisError> {
        let mut sticks = sticks;
        while self.time < self.end() {
            if sticks {
                self.stick()?;
                if self.time >= self.end() {
                    break;
                }
                self.onset()?;
            }
            sticks = self.slip()?;
        }
        self.recorder.extremes(&self.state);
        Ok(())
    }

    /// Moves with the belt until static friction gives way or the end.
    fn stick(&mut self) -> Result<(), AnalysisError> {
        let balance = self.balance();
        let holding = balance.holding(&self.state);
        let until = if balance.belt_speed == 0.0 {
            self.end()
        } else {
            let place = balance.place(self.time, &self.state);
            let mut contact = self.system.contact.borrow_mut();
            let patch = contact.frozen(place).map_err(|error| unsuitable(&error))?;
            let largest = match self.rules.breakaway {
                BreakawayRule::Section => breakaway(&patch, holding[1]).map(|at| at.force),
                BreakawayRule::Circle => circle(&patch, holding[1]),
            };
            // without a largest force the transverse one is too large by itself: no stick
            let wait = largest.map_or(0.0, |force| {
                (force - holding[0]) * balance.weight() / (balance.stiffness * balance.belt_speed)
            });
            (self.time + wait.max(0.0)).min(self.end())
        };
        let (from, since) = (self.state, self.time);
        let at = |time: f64| {
            let mut at = from;
            at[X] += balance.belt_speed * (time - since);
            at[BELT_WORK] += 0.5 * balance.stiffness * (at[X] * at[X] - from[X] * from[X]);
            at
        };
        while let Some(time) = self.recorder.due(until) {
            let sampled = at(time);
            self.recorder.sample(time, Phase::Stick, &sampled, balance.stiffness * sampled[X]);
        }
        self.state = at(until);
        self.time = until;
        self.force = balance.stiffness * self.state[X];
        Ok(())
    }

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
                let toward = breakaway(&patch, holding[1]).map_or(drive, |at| at.normal.map(|w| -w));
                let masses = [1.0, 1.0, balance.inertia_ratio()];
                let rate = onset_acceleration(&patch, masses[2], balance.ratio, drive, toward);
                let size = rate.iter().fold(0.0_f64, |size, a| size.max(a.abs()));
                let after = if size > 1e-9 { spring + balance.weight() * rate[0] } else { spring };
                let events = (self.time, [spring, after]);
                if size > 1e-9 {
                    self.state = started(&balance, &before, rate, step, &patch, after);
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

    /// Slips until a landing (true) or the end (false).
    fn slip(&mut self) -> Result<bool, AnalysisError> {
        let balance = self.balance();
        let since = self.time;
        let first = self.system.evaluations();
        let longest = if self.time > 0.0 { self.onset_step } else { f64::INFINITY };
        let mut next = self.stepper.restart(self.time, &self.state, (self.end() - self.time).min(longest));
        self.system.error().map_err(|error| unsuitable(&error))?;
        self.trail.clear();
        self.trail.push([self.time, balance.friction_of(&self.state, self.stepper.slopes())]);
        let unit = self.threshold * self.threshold;
        let mut armed = false;
        while self.time < self.end() {
            let [square, slope] = balance.lambda_square(self.stepper.state(), self.stepper.slopes());
            armed |= square > unit;
            let mut length = next.min(self.end() - self.time);
            if slope < 0.0 {
                length = length.min(TOWARD_LANDING * 2.0 * square / -slope);
            }
            let used = self.system.evaluations() - first;
            if used > self.setting.most_evaluations || !(length > 1e-15 * self.end()) {
                return Err(self.stalled(since, used));
            }
            let (step, proposed) = self.stepper.attempt(self.time, length);
            self.system.error().map_err(|error| unsuitable(&error))?;
            next = proposed;
            let Some(step) = step else { continue };
            // the last step ends exactly at the end
            let last = length >= self.end() - self.time;
            self.time = if last { self.end() } else { step.end_time() };
            self.state = step.end;
            self.force = balance.friction_of(&step.end, &step.end_slopes);
            let landing = match self.rules.landing {
                LandingRule::Extrapolate => None,
                LandingRule::Threshold if armed => self.crossed(&step)?,
                LandingRule::Threshold => None,
            };
            if let Some(theta) = landing {
                // the step ends where the disc lands
                let end = self.stepper.at(&step, theta);
                self.time = step.time + theta * step.length;
                self.force = self.system.force(self.time, &end);
                self.state = end;
                self.watch(&step, theta)?;
                let before = self.state;
                (self.state[VX], self.state[VY], self.state[SPIN]) = (balance.belt_speed, 0.0, 0.0);
                self.recorder.jumped += balance.energy(&self.state) - balance.energy(&before);
                let forces = [self.force, balance.stiffness * self.state[X]];
                self.recorder.event(self.time, Phase::Stick, &before, &self.state, forces);
                return Ok(true);
            }
            self.watch(&step, 1.0)?;
            if self.rules.landing == LandingRule::Extrapolate && self.lands(&step)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Extrapolates the end of a step to zero slip, and lands there if kinetic friction can hold the disc.
    fn lands(&mut self, step: &Step) -> Result<bool, AnalysisError> {
        let balance = self.balance();
        let [square, slope] = balance.lambda_square(&step.end, &step.end_slopes);
        if square > self.threshold * self.threshold || slope >= 0.0 {
            return Ok(false);
        }
        let rest = 2.0 * square / -slope;
        let time = self.time + rest;
        if time >= self.end() {
            return Ok(false);
        }
        let mut landed = step.end;
        landed[X] += 0.5 * (step.end[VX] + balance.belt_speed) * rest;
        landed[Y] += 0.5 * step.end[VY] * rest;
        landed[ANGLE] += 0.5 * step.end[SPIN] * rest;
        landed[BELT_WORK] += balance.belt_speed * self.force * rest;
        landed[DISSIPATED] += 0.5 * step.end_slopes[DISSIPATED] * rest;
        (landed[VX], landed[VY], landed[SPIN]) = (balance.belt_speed, 0.0, 0.0);
        if !self.held(time, &landed, balance.ratio)? {
            return Ok(false);
        }
        let mut before = landed;
        (before[VX], before[VY], before[SPIN]) = (landed[VX], 0.0, 0.0);
        while let Some(due) = self.recorder.due(time) {
            // between the last step and the landing the slip falls linearly
            let part = ((due - self.time) / rest).clamp(0.0, 1.0);
            let mut sampled = landed;
            for (k, value) in sampled.iter_mut().enumerate().take(5) {
                *value = step.end[k] + part * (landed[k] - step.end[k]);
            }
            let force = self.force;
            self.recorder.sample(due, Phase::Slip, &sampled, force);
        }
        self.recorder.slip_time += rest;
        let forces = [self.force, balance.stiffness * landed[X]];
        (self.time, self.state) = (time, landed);
        self.recorder.event(time, Phase::Stick, &before, &landed, forces);
        Ok(true)
    }

    /// Whether friction of `ratio` times the static one holds the disc.
    pub(super) fn held(&mut self, time: f64, state: &State, ratio: f64) -> Result<bool, AnalysisError> {
        let balance = self.balance();
        let holding = balance.holding(state);
        let mut contact = self.system.contact.borrow_mut();
        let patch = contact.frozen(balance.place(time, state)).map_err(|error| unsuitable(&error))?;
        Ok(match self.rules.breakaway {
            BreakawayRule::Section => gauge(&patch, holding) < ratio,
            BreakawayRule::Circle => {
                let mean = ratio * patch.moments().mean;
                holding[0] * holding[0] + holding[1] * holding[1] < mean * mean
            }
        })
    }

    /// Where in a step the slip is below the threshold and static friction holds the disc, for the first time.
    fn crossed(&mut self, step: &Step) -> Result<Option<f64>, AnalysisError> {
        let balance = self.balance();
        let unit = self.threshold * self.threshold;
        let square = |state: &State| balance.lambda_square(state, &[0.0; 8])[0];
        if square(&step.end) >= unit {
            return Ok(None);
        }
        let mut low = 0.0;
        if square(&step.start) >= unit {
            let stepper = &mut self.stepper;
            low = root(0.0, 1.0, |theta| square(&stepper.at(step, theta)) - unit)?;
        }
        let at_low = self.stepper.at(step, low);
        if self.held(step.time + low * step.length, &at_low, 1.0)? {
            return Ok(Some(low));
        }
        if !self.held(step.end_time(), &step.end, 1.0)? {
            return Ok(None);
        }
        let (mut outside, mut inside) = (low, 1.0);
        for _ in 0..40 {
            let middle = 0.5 * (outside + inside);
            let state = self.stepper.at(step, middle);
            if self.held(step.time + middle * step.length, &state, 1.0)? {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        Ok(Some(inside))
    }

    /// Records what happens in a step up to the part `until` of it.
    fn watch(&mut self, step: &Step, until: f64) -> Result<(), AnalysisError> {
        let balance = self.balance();
        let end_time = if until < 1.0 { step.time + until * step.length } else { self.time };
        self.recorder.extremes(&self.state);
        self.recorder.slip_time += until * step.length;
        self.recorder.turning_time += until * step.length * turning_part(&balance, &step.start, &self.state);
        self.turning_points(step, until)?;
        self.near_landing(step, until);
        self.force_extremes(step, end_time)?;
        while let Some(due) = self.recorder.due(end_time) {
            let theta = ((due - step.time) / step.length).clamp(0.0, 1.0);
            let state = self.stepper.at(step, theta);
            let force = self.system.force(due, &state);
            self.recorder.sample(due, Phase::Slip, &state, force);
        }
        self.system.error().map_err(|error| unsuitable(&error))
    }

    fn turning_points(&mut self, step: &Step, until: f64) -> Result<(), AnalysisError> {
        let [v0, v1] = [step.start[VX], step.end[VX]];
        let [a0, a1] = [step.start_slopes[VX], step.end_slopes[VX]].map(|a| a * step.length);
        let mut marks = vec![0.0, 1.0];
        // the cubic of velocities and accelerations at both ends: an extreme on the other side of zero has two roots beside it
        let turns = v0 * v1 < 0.0 || v1 == 0.0;
        if !turns && a0 * a1 < 0.0 && v0 * a0 < 0.0 {
            let hermite = |t: f64| {
                let r = 1.0 - t;
                v0 * (1.0 + 2.0 * t) * r * r + v1 * t * t * (3.0 - 2.0 * t) + a0 * t * r * r - a1 * t * t * r
            };
            let sign = v0.signum();
            let least = minimum(0.0, 1.0, |t| sign * hermite(t));
            // near zero the dense output decides
            if least.value < 0.05 * v0.abs().min(v1.abs()) {
                let stepper = &mut self.stepper;
                let exact = minimum(0.0, 1.0, |t| sign * stepper.at(step, t)[VX]);
                if exact.value < 0.0 {
                    marks.insert(1, exact.at);
                }
            }
        }
        if !turns && marks.len() == 2 {
            return Ok(());
        }
        for pair in marks.windows(2) {
            let [low, high] = [pair[0], pair[1]];
            let [left, right] = [low, high].map(|theta| self.stepper.at(step, theta)[VX]);
            if left == 0.0 || left * right > 0.0 {
                continue;
            }
            let stepper = &mut self.stepper;
            let theta = root(low, high, |theta| stepper.at(step, theta)[VX])?;
            if theta <= until {
                let displacement = self.stepper.at(step, theta)[X];
                self.recorder.turning_point(step.time + theta * step.length, displacement, left > 0.0);
            }
        }
        Ok(())
    }

    fn near_landing(&mut self, step: &Step, until: f64) {
        let balance = self.balance();
        let [[_, falling], [_, rising]] = [(&step.start, &step.start_slopes), (&step.end, &step.end_slopes)]
            .map(|(y, s)| balance.lambda_square(y, s));
        if falling < 0.0 && rising >= 0.0 {
            let stepper = &mut self.stepper;
            let least = minimum(0.0, 1.0, |theta| balance.lambda_square(&stepper.at(step, theta), &[0.0; 8])[0]);
            if least.at <= until {
                self.recorder.near_landing(step.time + least.at * step.length, least.value.max(0.0).sqrt());
            }
        }
    }

    /// An extreme of the force lies where three steps have the outermost value in the middle.
    fn force_extremes(&mut self, step: &Step, end_time: f64) -> Result<(), AnalysisError> {
        if self.trail.len() == 3 {
            self.trail.remove(0);
        }
        self.trail.push([end_time, self.force]);
        let [[t0, f0], [t1, f1], [t2, f2]] = match self.trail.as_slice() {
            [a, b, c] => [*a, *b, *c],
            _ => return Ok(()),
        };
        let [left, right] = [(f1 - f0) / (t1 - t0), (f2 - f1) / (t2 - t1)];
        if !(left * right < 0.0) {
            return Ok(());
        }
        let maximum = left > 0.0;
        // vertex of the parabola
        let curvature = (right - left) / (t2 - t0);
        let slope = left + curvature * (t1 - t0);
        let vertex = t1 - slope / (2.0 * curvature);
        let height = f1 - slope * slope / (4.0 * curvature);
        if !self.may_be_outermost(height, maximum) {
            self.recorder.force_extreme(vertex, height, maximum);
            return Ok(());
        }
        // refined with the equations themselves, in the step that holds it or the one before
        let sign = if maximum { -1.0 } else { 1.0 };
        if vertex >= t1 && end_time >= step.end_time() {
            let (stepper, system) = (&mut self.stepper, self.system);
            let force = |theta: f64| {
                let state = stepper.at(step, theta);
                sign * system.force(step.time + theta * step.length, &state)
            };
            let least = minimum(0.0, 1.0, force);
            self.recorder.force_extreme(step.time + least.at * step.length, sign * least.value, maximum);
        } else {
            let mut again = Stepper::new(self.system, self.setting.tolerance);
            let length = t0 - t1;
            // backward from the start of this step over the one before it
            again.restart(t1, &step.start, -length);
            let system = self.system;
            let back = again.forced(t1, length);
            let force = |theta: f64| {
                let state = again.at(&back, theta);
                sign * system.force(t1 + theta * length, &state)
            };
            let least = minimum(0.0, 1.0, force);
            self.recorder.force_extreme(t1 + least.at * length, sign * least.value, maximum);
        }
        self.system.error().map_err(|error| unsuitable(&error))
    }

    /// Whether an extreme can be the largest or smallest force of its cycle, as far as the last one tells.
    fn may_be_outermost(&self, force: f64, maximum: bool) -> bool {
        let kind = if maximum { Phase::Slip } else { Phase::Stick };
        let last = self.recorder.run.events.iter().rev().find(|event| event.kind == kind);
        match last {
            None => true,
            Some(event) if maximum => force > 0.95 * event.force_before.abs(),
            Some(event) => force < 1.1 * event.force_after,
        }
    }

    fn stalled(&self, since: f64, used: u64) -> AnalysisError {
        let message = format!(
            "is {}: the slip that started at t = {since} s used {used} evaluations until t = {} s without an end; raise \
             `landing_threshold`, or lower `relative_tolerance` and `absolute_tolerance` of the solver",
            self.threshold, self.time
        );
        AnalysisError::unsuitable("landing_threshold", message)
    }
}

fn circle(patch: &dyn FrozenPatch, transverse: f64) -> Option<f64> {
    let mean = patch.moments().mean;
    let rest = mean * mean - transverse * transverse;
    (rest > 0.0).then(|| rest.sqrt())
}

/// The state a short time after an onset with the acceleration g `rate`.
fn started(balance: &Balance, before: &State, rate: Twist, step: f64, patch: &dyn FrozenPatch, force: f64) -> State {
    let [ax, ay, turn] = rate.map(|rate| rate * balance.gravity);
    let mut state = *before;
    state[VX] = balance.belt_speed + ax * step;
    state[VY] = ay * step;
    state[SPIN] = turn / balance.radius * step;
    state[X] += balance.belt_speed * step + 0.5 * ax * step * step;
    state[Y] += 0.5 * ay * step * step;
    state[ANGLE] += 0.5 * turn / balance.radius * step * step;
    state[BELT_WORK] += balance.belt_speed * force * step;
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

/// Part of a step with the centre of rotation inside the disc, |v| < R|φ̇|, as if both changed linearly.
fn turning_part(balance: &Balance, start: &State, end: &State) -> f64 {
    let excess = |state: &State| {
        let [a, b, c] = balance.twist(state);
        c.abs() - (a * a + b * b).sqrt()
    };
    match [excess(start), excess(end)] {
        [a, b] if a > 0.0 && b > 0.0 => 1.0,
        [a, b] if a <= 0.0 && b <= 0.0 => 0.0,
        [a, b] => a.max(b) / (a - b).abs(),
    }
}
