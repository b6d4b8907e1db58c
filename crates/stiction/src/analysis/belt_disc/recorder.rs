//! Collects what happens in a run: transitions, turning points, extremes of the force, near landings, samples.

use super::force_extremes::ForceExtremes;
use super::run::{BeltEvent, BeltRun, NearLanding, Phase, Sample, TurningPoint};
use crate::integrate::{self, Flow, Sink, Stretch};
use crate::memory::{Growth, Memory};
use crate::num::roots::minimum;
use crate::system::belt_disc::balance::{ANGLE, BELT_WORK, DISSIPATED, SPIN, VX, VY, X, Y};
use crate::system::belt_disc::motion::{CONTACT, TURNING};
use crate::system::belt_disc::{BeltBalance, BeltMotion, Mode, State};
use crate::system::{Fault, Sections, System};

/// A run under construction.
pub(super) struct Recorder<'a> {
    motion: &'a BeltMotion<'a>,
    pub(super) run: BeltRun,
    samples: Vec<Sample>,
    /// Step of the uniform grid of samples \[s\]; none without samples.
    step: Option<f64>,
    next: usize,
    slip_time: f64,
    turning_time: f64,
    /// Energy that jumps of the velocity brought \[J\].
    jumped: f64,
    forces: ForceExtremes,
    /// Why the run was stopped.
    pub(super) fault: Option<Fault>,
    /// Bytes of the lists of the run that were counted.
    counted: u64,
    pub(super) growth: Growth<'a>,
}

/// Bytes of a transition: in the run, in the table of events, among the events of the answer, and two samples beside it.
const TRANSITION: usize = 1600;

/// Bytes of a turning point, an extreme of the force or a near landing, in the run and in its table.
const NOTE: usize = 96;

impl<'a> Recorder<'a> {
    pub(super) fn new(
        motion: &'a BeltMotion<'a>,
        duration: f64,
        step: Option<f64>,
        memory: &'a Memory<'a>,
    ) -> Result<Self, Fault> {
        let (mode, state) = motion.start();
        let force = motion.friction(mode, 0.0, &state)?;
        let run = BeltRun::starting(duration, phase(mode), coordinates(&state), force);
        Ok(Self {
            motion,
            run,
            samples: Vec::new(),
            step,
            next: 0,
            slip_time: 0.0,
            turning_time: 0.0,
            jumped: 0.0,
            forces: ForceExtremes::default(),
            fault: None,
            counted: 0,
            growth: Growth::over(duration, memory),
        })
    }

    /// The next instant of the uniform grid that is not after `until`.
    fn due(&self, until: f64) -> Option<f64> {
        let time = self.step? * self.next as f64;
        // the last instant may be rounded beyond the end
        let end = self.run.duration;
        let time = if time > end && time < end * (1.0 + 1e-12) { end } else { time };
        (time <= until).then_some(time)
    }

    fn samples_of(&mut self, stretch: &Stretch<'_, BeltMotion<'_>>) -> Result<(), Fault> {
        while let Some(time) = self.due(stretch.to) {
            let mut state = [0.0; 8];
            (stretch.at)(time, &mut state);
            let force = self.motion.friction(stretch.mode, time, &state)?;
            self.samples.push(sample(time, phase(stretch.mode), &state, force, false));
            self.next += 1;
        }
        Ok(())
    }

    fn slipped(&mut self, stretch: &Stretch<'_, BeltMotion<'_>>) -> Result<(), Fault> {
        let balance = &self.motion.balance;
        let [mut start, mut end] = [[0.0; 8]; 2];
        (stretch.at)(stretch.from, &mut start);
        (stretch.at)(stretch.to, &mut end);
        self.run.note_extremes(&end);
        let time = stretch.to - stretch.from;
        self.slip_time += time;
        self.turning_time += time * turning_part(balance, &start, &end);
        if let Mode::Slip { .. } = stretch.mode {
            self.near_landing(stretch, &start, &end);
            self.forces.add(self.motion, stretch, &mut self.run)?;
        }
        Ok(())
    }

    /// A minimum of λ inside a stretch.
    fn near_landing(&mut self, stretch: &Stretch<'_, BeltMotion<'_>>, start: &State, end: &State) {
        let balance = &self.motion.balance;
        let slope = |time: f64, state: &State| {
            let mut rate = [0.0; 8];
            (stretch.rate)(time, &mut rate);
            balance.lambda_square(state, &rate)[1]
        };
        if slope(stretch.from, start) < 0.0 && slope(stretch.to, end) >= 0.0 {
            let least = minimum(stretch.from, stretch.to, |time| {
                let mut state = [0.0; 8];
                (stretch.at)(time, &mut state);
                balance.lambda_square(&state, &[0.0; 8])[0]
            });
            self.run.near_landings.push(NearLanding { time: least.at, lambda: least.value.max(0.0).sqrt() });
        }
    }

    fn turning_point(&mut self, event: &integrate::Event<'_, BeltMotion<'_>>) -> Result<(), Fault> {
        let force = self.motion.friction(event.mode, event.time, event.before)?;
        let (time, displacement, maximum) = (event.time, event.before[X], !event.rising);
        self.run.turning_points.push(TurningPoint { time, displacement, force, maximum });
        Ok(())
    }

    /// A transition between stick and slip.
    fn transition(&mut self, event: &integrate::Event<'_, BeltMotion<'_>>, next: Mode) -> Result<(), Fault> {
        let (time, kind) = (event.time, phase(next));
        let forces =
            [self.motion.friction(event.mode, time, event.before)?, self.motion.friction(next, time, event.after)?];
        let balance = &self.motion.balance;
        self.jumped += balance.energy(event.after) - balance.energy(event.before);
        self.forces.clear();
        if self.step.is_some() {
            self.samples.push(sample(time, phase(event.mode), event.before, forces[0], true));
            self.samples.push(sample(time, kind, event.after, forces[1], true));
        }
        self.run.events.push(BeltEvent::new(time, kind, coordinates(event.after), forces));
        Ok(())
    }

    fn flow(&mut self, noted: Result<(), Fault>, time: f64) -> Flow {
        self.fault = noted.err();
        let BeltRun { events, turning_points, force_extremes, near_landings, .. } = &self.run;
        let notes = turning_points.len() + force_extremes.len() + near_landings.len();
        let bytes = (TRANSITION * events.len() + NOTE * notes) as u64;
        let fits = bytes == self.counted || self.growth.keep(1, bytes - self.counted, time);
        self.counted = bytes;
        if self.fault.is_some() || !fits { Flow::Stop } else { Flow::Continue }
    }

    /// Completes the run; `mirrored` if the belt really runs toward −x.
    pub(super) fn finish(mut self, end: (Mode, State), mirrored: bool) -> Result<(BeltRun, Vec<Sample>), Fault> {
        let (balance, start, run) = (&self.motion.balance, self.motion.start().1, &mut self.run);
        let (mode, end) = end;
        run.note_extremes(&end);
        run.end_state = coordinates(&end);
        run.end_force = self.motion.friction(mode, run.duration, &end)?;
        (run.belt_work, run.dissipated) = (end[BELT_WORK], end[DISSIPATED]);
        let gained = balance.energy(&end) - balance.energy(&start);
        run.energy_residual = gained - self.jumped - (run.belt_work - run.dissipated);
        run.rotation_share = if self.slip_time > 0.0 { self.turning_time / self.slip_time } else { 0.0 };
        if mirrored {
            run.mirror(&mut self.samples);
        }
        Ok((self.run, self.samples))
    }
}

impl<'m> Sink<BeltMotion<'m>> for Recorder<'m> {
    const SECTIONS: Sections = Sections::only(TURNING);

    fn stretch(&mut self, stretch: &Stretch<'_, BeltMotion<'m>>) -> Flow {
        let noted = if stretch.mode.is_stick() { Ok(()) } else { self.slipped(stretch) };
        let noted = noted.and_then(|()| self.samples_of(stretch));
        self.flow(noted, stretch.to)
    }

    fn event(&mut self, event: &integrate::Event<'_, BeltMotion<'m>>) -> Flow {
        let noted = match event.next {
            _ if event.guard == TURNING => self.turning_point(event),
            Some(next) if next.is_stick() != event.mode.is_stick() => self.transition(event, next),
            _ => Ok(()),
        };
        if event.guard == CONTACT && event.next != Some(Mode::Stick) {
            self.run.near_landings.push(NearLanding { time: event.time, lambda: 0.0 });
        }
        self.flow(noted, event.time)
    }
}

fn phase(mode: Mode) -> Phase {
    if mode.is_stick() { Phase::Stick } else { Phase::Slip }
}

/// x, y, φ, ẋ, ẏ, φ̇
fn coordinates(state: &State) -> [f64; 6] {
    [X, Y, ANGLE, VX, VY, SPIN].map(|index| state[index])
}

fn sample(time: f64, phase: Phase, state: &State, force: f64, extra: bool) -> Sample {
    let [displacement, transverse_displacement, rotation, velocity, transverse_velocity, angular_velocity] =
        coordinates(state);
    Sample {
        time,
        phase,
        displacement,
        transverse_displacement,
        rotation,
        velocity,
        transverse_velocity,
        angular_velocity,
        force,
        extra,
    }
}

/// Part of a stretch with the centre of rotation inside the disc, |v| < R|φ̇|, as if both changed linearly.
fn turning_part(balance: &BeltBalance, start: &State, end: &State) -> f64 {
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
