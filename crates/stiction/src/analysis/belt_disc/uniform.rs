//! The uniform belt in closed form: a slip is a piece of a harmonic oscillation about x_k or −x_k.
//!
//! ```text
//! x = c + C cos(w t − θ),   c = ∓x_k while the disc is faster or slower than the belt,   slip ends where ẋ = v_b
//! ```

use super::recorder::Recorder;
use super::run::{Phase, TurningPoint};
use crate::num::real::{asin, atan2, cos, sin};
use crate::system::belt_disc::{
    Balance, State,
    balance::{BELT_WORK, DISSIPATED, VX, X},
};
use std::f64::consts::{PI, TAU};

/// One slip in closed form.
#[derive(Debug, Clone, Copy)]
struct Piece {
    centre: f64,
    amplitude: f64,
    phase: f64,
    frequency: f64,
}

impl Piece {
    fn place(&self, time: f64) -> f64 {
        self.centre + self.amplitude * cos(self.frequency * time - self.phase)
    }

    fn velocity(&self, time: f64) -> f64 {
        -self.amplitude * self.frequency * sin(self.frequency * time - self.phase)
    }

    /// The first time after the start at which the velocity is `speed`; `started` if it has that velocity at the start.
    fn reaches(&self, speed: f64, started: bool) -> Option<f64> {
        let ratio = speed / (self.amplitude * self.frequency);
        if ratio.abs() > 1.0 || ratio.is_nan() {
            return None;
        }
        let angle = asin(ratio);
        let earliest = if started { 1e-9 } else { 0.0 };
        let next = |angle: f64| {
            let turn = angle.rem_euclid(TAU);
            // what is a whole turn up to rounding is the start
            if turn <= earliest || (started && turn > TAU - 1e-9) { turn + TAU } else { turn }
        };
        let [first, second] = [self.phase - angle, self.phase + PI + angle].map(next);
        let best = if started && first > TAU - 1e-9 { second } else { first.min(second) };
        Some(best / self.frequency)
    }
}

/// Follows the motion on a belt with one coefficient from a state without transverse motion until the end; returns the state
/// and the friction there.
pub(super) fn follow(
    balance: &Balance,
    coefficient: f64,
    start: &State,
    phase: Phase,
    recorder: &mut Recorder,
) -> (State, f64) {
    let Balance { belt_speed, stiffness, frequency, .. } = *balance;
    let end = recorder.run.duration;
    let largest = coefficient * balance.weight();
    let kinetic = balance.ratio * largest;
    let (static_reach, kinetic_reach) = (largest / stiffness, kinetic / stiffness);
    let (mut state, mut phase, mut now) = (*start, phase, 0.0);
    let mut force = 0.0;
    // at most some transitions per period: the count is bounded for any input
    for _ in 0..20_000_000_u64 {
        match phase {
            Phase::Stick => {
                let wait = (static_reach - state[X]) / belt_speed;
                let until = if belt_speed > 0.0 && now + wait < end { now + wait.max(0.0) } else { end };
                let from = state;
                let at = |time: f64| {
                    let mut at = from;
                    at[X] += belt_speed * (time - now);
                    at[BELT_WORK] += 0.5 * stiffness * (at[X] * at[X] - from[X] * from[X]);
                    at
                };
                while let Some(time) = recorder.due(until) {
                    let sampled = at(time);
                    recorder.sample(time, Phase::Stick, &sampled, stiffness * sampled[X]);
                }
                state = at(until);
                force = stiffness * state[X];
                now = until;
                if until >= end {
                    break;
                }
                state[X] = static_reach;
                recorder.event(now, Phase::Slip, &state, &state, [largest, kinetic]);
                phase = Phase::Slip;
            }
            Phase::Slip => {
                let slip = state[VX] - belt_speed;
                let started = slip == 0.0;
                // from rest relative to the belt the spring decides
                let direction = if started { -state[X].signum() } else { slip.signum() };
                force = -direction * kinetic;
                let centre = -direction * kinetic_reach;
                let (a, b) = (state[X] - centre, state[VX] / frequency);
                let piece = Piece { centre, amplitude: (a * a + b * b).sqrt(), phase: atan2(b, a), frequency };
                let ending = piece.reaches(belt_speed, started).map(|time| now + time).filter(|time| *time < end);
                let until = ending.unwrap_or(end);
                let from = state;
                let at = |time: f64| {
                    let mut at = from;
                    at[X] = piece.place(time - now);
                    at[VX] = piece.velocity(time - now);
                    at[BELT_WORK] += belt_speed * force * (time - now);
                    at[DISSIPATED] += kinetic * (at[X] - from[X] - belt_speed * (time - now)).abs();
                    at
                };
                while let Some(time) = recorder.due(until) {
                    recorder.sample(time, Phase::Slip, &at(time), force);
                }
                // ẋ = 0 at whole multiples of half a turn
                let mut half_turns = (-piece.phase / PI).ceil() as i64;
                loop {
                    let time = now + (piece.phase + half_turns as f64 * PI) / frequency;
                    if time > until || piece.amplitude == 0.0 {
                        break;
                    }
                    if time > now {
                        let maximum = half_turns % 2 == 0;
                        let reach = if maximum { piece.amplitude } else { -piece.amplitude };
                        recorder.turning_point(TurningPoint { time, displacement: centre + reach, force, maximum });
                    }
                    half_turns += 1;
                }
                recorder.slip_time += until - now;
                state = at(until);
                now = until;
                if ending.is_none() {
                    break;
                }
                state[VX] = belt_speed;
                if state[X].abs() <= kinetic_reach {
                    recorder.event(now, Phase::Stick, &state, &state, [force, stiffness * state[X]]);
                    phase = Phase::Stick;
                } else {
                    recorder.near_landing(now, 0.0);
                }
            }
        }
    }
    (state, force)
}
