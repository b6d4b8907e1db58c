//! Follows the disc through stick and slip.
//!
//! Stick is known in closed form: the patch is frozen and the force grows linearly until it leaves the limit body. Slip is
//! integrated; near its end the three components of the slip vanish together in finite time, and the rest is extrapolated.

use super::model::{Setting, unsuitable};
use super::recorder::Recorder;
use super::run::Phase;
use super::slip::{Slipping, Step, Stepper};
use crate::analysis::{AnalysisError, Cancelled};
use crate::num::roots::root;
use crate::patch::limit_body::{breakaway, gauge, landing_rate};
use crate::patch::{FrozenPatch, Twist};
use crate::system::belt_disc::balance::{ANGLE, BELT_WORK, DISSIPATED, SPIN, VX, VY, X, Y};
use crate::system::belt_disc::{Balance, BreakawayRule, LandingRule, Rules, State};

/// Part of the time to a landing that a step may take at most, so that none is jumped over.
const TOWARD_LANDING: f64 = 0.7;

/// A disc on its way.
pub(super) struct Follower<'s, 'a> {
    pub(super) system: &'s Slipping<'a>,
    pub(super) stepper: Stepper<'s, 'a>,
    pub(super) rules: Rules,
    pub(super) threshold: f64,
    pub(super) onset_step: f64,
    pub(super) setting: Setting<'a>,
    pub(super) recorder: Recorder,
    pub(super) time: f64,
    pub(super) state: State,
    /// Friction at the present instant \[N\].
    pub(super) force: f64,
    /// Outward normal of the limit body where the disc breaks away, if it is known.
    pub(super) normal: Option<Twist>,
    /// The last three instants of a slip with their forces, newest last.
    pub(super) trail: Vec<[f64; 2]>,
}

impl<'s, 'a> Follower<'s, 'a> {
    pub(super) fn new(
        system: &'s Slipping<'a>,
        setting: Setting<'a>,
        rules: Rules,
        threshold: f64,
        onset_step: f64,
        recorder: Recorder,
        state: State,
    ) -> Self {
        let stepper = Stepper::new(system, setting.tolerance);
        let (time, force) = (0.0, recorder.run.start_force);
        let (normal, trail) = (None, Vec::with_capacity(3));
        Self { system, stepper, rules, threshold, onset_step, setting, recorder, time, state, force, normal, trail }
    }

    pub(super) fn balance(&self) -> Balance {
        self.system.balance
    }

    pub(super) fn end(&self) -> f64 {
        self.setting.duration
    }

    /// From the start to the end.
    pub(super) fn follow(&mut self, sticks: bool) -> Result<(), AnalysisError> {
        let mut sticks = sticks;
        while self.time < self.end() {
            if self.setting.progress.cancelled() {
                return Err(Cancelled.into());
            }
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
                BreakawayRule::Section => {
                    let at = breakaway(&patch, holding[1]);
                    self.normal = at.map(|at| at.normal);
                    at.map(|at| at.force)
                }
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
        let (mut armed, mut before) = (false, f64::INFINITY);
        while self.time < self.end() {
            if self.setting.progress.cancelled() {
                return Err(Cancelled.into());
            }
            let [square, slope] = balance.lambda_square(self.stepper.state(), self.stepper.slopes());
            armed |= square > unit;
            // toward a landing all times shrink with the one that is left
            let left = if slope < 0.0 { 2.0 * square / -slope } else { f64::INFINITY };
            if left < before && before.is_finite() {
                next *= left / before;
            }
            before = left;
            let length = next.min(TOWARD_LANDING * left).min(self.end() - self.time);
            let used = self.system.evaluations() - first;
            if used > self.setting.most_evaluations || length <= 1e-15 * self.end() {
                return Err(self.stalled(since, used));
            }
            let (step, proposed) = self.stepper.attempt(self.time, length);
            self.system.error().map_err(|error| unsuitable(&error))?;
            next = proposed;
            let Some(step) = step else {
                self.recorder.run.refused_steps += 1;
                continue;
            };
            self.recorder.run.steps += 1;
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
                let end = self.stepper.at(theta);
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
        // the impulse of friction is what momentum and spring leave
        let impulse = balance.mass * (balance.belt_speed - step.end[VX])
            + 0.5 * balance.stiffness * (step.end[X] + landed[X]) * rest;
        landed[BELT_WORK] += balance.belt_speed * impulse;
        landed[DISSIPATED] += 0.5 * step.end_slopes[DISSIPATED] * rest;
        (landed[VX], landed[VY], landed[SPIN]) = (balance.belt_speed, 0.0, 0.0);
        let Some(last) = self.last_friction(time, &landed, balance.twist(&step.end))? else {
            return Ok(false);
        };
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
        let forces = [last, balance.stiffness * landed[X]];
        (self.time, self.state) = (time, landed);
        self.recorder.event(time, Phase::Stick, &landed, &landed, forces);
        Ok(true)
    }

    /// Friction \[N\] in the limit of zero slip; none where kinetic friction does not hold the disc.
    fn last_friction(&self, time: f64, landed: &State, slip: Twist) -> Result<Option<f64>, AnalysisError> {
        let balance = self.balance();
        let mut contact = self.system.contact.borrow_mut();
        let patch = contact.frozen(balance.place(time, landed)).map_err(|error| unsuitable(&error))?;
        if !self.holds(&patch, landed, balance.ratio) {
            return Ok(None);
        }
        let (drive, masses) = (balance.holding(landed).map(|force| -force), [1.0, 1.0, balance.inertia_ratio()]);
        let direction = landing_rate(&patch, masses, balance.ratio, drive, slip).unwrap_or(slip);
        Ok(Some(balance.friction(&patch.dissipation(direction).gradient)))
    }

    /// Whether static friction holds the disc.
    fn held(&self, time: f64, state: &State) -> Result<bool, AnalysisError> {
        let mut contact = self.system.contact.borrow_mut();
        let patch = contact.frozen(self.balance().place(time, state)).map_err(|error| unsuitable(&error))?;
        Ok(self.holds(&patch, state, 1.0))
    }

    /// Whether friction of `ratio` times the static one of a patch holds the disc.
    fn holds(&self, patch: &dyn FrozenPatch, state: &State, ratio: f64) -> bool {
        let holding = self.balance().holding(state);
        match self.rules.breakaway {
            BreakawayRule::Section => gauge(patch, holding) < ratio,
            BreakawayRule::Circle => {
                let mean = ratio * patch.moments().mean;
                holding[0] * holding[0] + holding[1] * holding[1] < mean * mean
            }
        }
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
            let stepper = &self.stepper;
            low = root(0.0, 1.0, |theta| square(&stepper.at(theta)) - unit)?;
        }
        let at_low = self.stepper.at(low);
        if self.held(step.time + low * step.length, &at_low)? {
            return Ok(Some(low));
        }
        if !self.held(step.end_time(), &step.end)? {
            return Ok(None);
        }
        let (mut outside, mut inside) = (low, 1.0);
        for _ in 0..40 {
            let middle = 0.5 * (outside + inside);
            let state = self.stepper.at(middle);
            if self.held(step.time + middle * step.length, &state)? {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        Ok(Some(inside))
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
