//! What is looked for in every step of a slip: turning points, near landings, extremes of the force, samples.

use super::follow::Follower;
use super::model::unsuitable;
use super::run::{Phase, TurningPoint};
use super::slip::{Step, Stepper};
use crate::analysis::AnalysisError;
use crate::num::roots::{minimum, root};
use crate::system::belt_disc::balance::{VX, X};
use crate::system::belt_disc::{Balance, State};

/// How far the parabola through three steps may err about an extreme of the force, relative to the range of forces.
const DOUBT: f64 = 0.1;

impl Follower<'_, '_> {
    /// Records what happens in a step up to the part `until` of it.
    pub(super) fn watch(&mut self, step: &Step, until: f64) -> Result<(), AnalysisError> {
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
            let state = self.stepper.at(theta);
            let force = self.system.force(due, &state);
            self.recorder.sample(due, Phase::Slip, &state, force);
        }
        self.system.error().map_err(|error| unsuitable(&error))
    }

    fn turning_points(&mut self, step: &Step, until: f64) -> Result<(), AnalysisError> {
        let [v0, v1] = [step.start[VX], step.end[VX]];
        let [a0, a1] = [step.start_slopes[VX], step.end_slopes[VX]].map(|a| a * step.length);
        let mut middle = None;
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
                let stepper = &self.stepper;
                let exact = minimum(0.0, 1.0, |t| sign * stepper.at(t)[VX]);
                if exact.value < 0.0 {
                    middle = Some(exact.at);
                }
            }
        }
        let parts = match middle {
            Some(middle) => [[0.0, middle], [middle, 1.0]],
            None if turns => [[0.0, 1.0], [1.0, 1.0]],
            None => return Ok(()),
        };
        for [low, high] in parts.into_iter().filter(|[low, high]| low < high) {
            let [left, right] = [low, high].map(|theta| self.stepper.at(theta)[VX]);
            if left == 0.0 || left * right > 0.0 {
                continue;
            }
            let stepper = &self.stepper;
            let theta = root(low, high, |theta| stepper.at(theta)[VX])?;
            if theta <= until {
                let (time, state) = (step.time + theta * step.length, self.stepper.at(theta));
                let force = self.system.force(time, &state);
                self.recorder.turning_point(TurningPoint { time, displacement: state[X], force, maximum: left > 0.0 });
            }
        }
        Ok(())
    }

    fn near_landing(&mut self, step: &Step, until: f64) {
        let balance = self.balance();
        let [[_, falling], [_, rising]] = [(&step.start, &step.start_slopes), (&step.end, &step.end_slopes)]
            .map(|(y, s)| balance.lambda_square(y, s));
        if falling < 0.0 && rising >= 0.0 {
            let stepper = &self.stepper;
            let least = minimum(0.0, 1.0, |theta| balance.lambda_square(&stepper.at(theta), &[0.0; 8])[0]);
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
        if left * right >= 0.0 || (left * right).is_nan() {
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
            let (stepper, system) = (&self.stepper, self.system);
            let force = |theta: f64| {
                let state = stepper.at(theta);
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
            again.forced(t1, length);
            let force = |theta: f64| {
                let state = again.at(theta);
                sign * system.force(t1 + theta * length, &state)
            };
            let least = minimum(0.0, 1.0, force);
            self.recorder.force_extreme(t1 + least.at * length, sign * least.value, maximum);
        }
        self.system.error().map_err(|error| unsuitable(&error))
    }

    /// Whether an extreme can be the largest or smallest force since the last minimum of x, as far as the run went.
    fn may_be_outermost(&self, force: f64, maximum: bool) -> bool {
        let run = &self.recorder.run;
        let last = run.turning_points.iter().rev().find(|point| !point.maximum);
        let since = last.map_or(0.0, |point| point.time);
        let events = run.events.iter().rev().take_while(|event| event.time >= since);
        let extremes = run.force_extremes.iter().rev().take_while(|extreme| extreme.time >= since);
        let known = events
            .flat_map(|event| [event.force_before, event.force_after])
            .chain(extremes.map(|extreme| extreme.force))
            .chain(last.map(|point| point.force));
        let [low, high] =
            known.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], known| [low.min(known), high.max(known)]);
        let doubt = DOUBT * (high - low).max(0.0);
        if maximum { force > high - doubt } else { force < low + doubt }
    }
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
