//! Collects what happens in a run, in the frame in which the belt runs toward +x.

use super::run::{Event, ForceExtreme, NearLanding, Phase, Run, Sample, TurningPoint};
use crate::system::belt_disc::{
    Balance, State,
    balance::{ANGLE, BELT_WORK, DISSIPATED, SPIN, VX, VY, X, Y},
};

/// A run under construction.
#[derive(Debug)]
pub(super) struct Recorder {
    pub(super) run: Run,
    pub(super) samples: Vec<Sample>,
    /// Step of the uniform grid of samples \[s\]; none without samples.
    step: Option<f64>,
    next: usize,
    pub(super) slip_time: f64,
    pub(super) turning_time: f64,
    /// Energy that jumps of the velocity brought \[J\].
    pub(super) jumped: f64,
}

impl Recorder {
    pub(super) fn new(duration: f64, phase: Phase, state: &State, force: f64, step: Option<f64>) -> Self {
        let run = Run {
            duration,
            start: phase,
            events: Vec::new(),
            turning_points: Vec::new(),
            force_extremes: Vec::new(),
            near_landings: Vec::new(),
            start_state: plain(state),
            end_state: plain(state),
            start_force: force,
            end_force: force,
            belt_work: 0.0,
            dissipated: 0.0,
            energy_residual: 0.0,
            evaluations: 0,
            steps: 0,
            refused_steps: 0,
            largest_transverse_displacement: state[Y].abs(),
            largest_angular_velocity: state[SPIN].abs(),
            rotation_share: 0.0,
        };
        Self { run, samples: Vec::new(), step, next: 0, slip_time: 0.0, turning_time: 0.0, jumped: 0.0 }
    }

    /// The next instant of the uniform grid that is not after `until`.
    pub(super) fn due(&self, until: f64) -> Option<f64> {
        let time = self.step? * self.next as f64;
        // the last instant may be rounded beyond the end
        let end = self.run.duration;
        let time = if time > end && time < end * (1.0 + 1e-12) { end } else { time };
        (time <= until).then_some(time)
    }

    pub(super) fn sample(&mut self, time: f64, phase: Phase, state: &State, force: f64) {
        self.samples.push(sample(time, phase, state, force, false));
        self.next += 1;
    }

    pub(super) fn extremes(&mut self, state: &State) {
        let run = &mut self.run;
        run.largest_transverse_displacement = run.largest_transverse_displacement.max(state[Y].abs());
        run.largest_angular_velocity = run.largest_angular_velocity.max(state[SPIN].abs());
    }

    /// A transition from the state `before` with the force `forces[0]` to `after` with `forces[1]`.
    pub(super) fn event(&mut self, time: f64, kind: Phase, before: &State, after: &State, forces: [f64; 2]) {
        if self.step.is_some() {
            let other = if kind == Phase::Stick { Phase::Slip } else { Phase::Stick };
            self.samples.push(sample(time, other, before, forces[0], true));
            self.samples.push(sample(time, kind, after, forces[1], true));
        }
        let [displacement, transverse_displacement, rotation, velocity, transverse_velocity, angular_velocity] =
            plain(after);
        self.run.events.push(Event {
            time,
            kind,
            displacement,
            transverse_displacement,
            rotation,
            velocity,
            transverse_velocity,
            angular_velocity,
            force_before: forces[0],
            force_after: forces[1],
        });
    }

    pub(super) fn turning_point(&mut self, point: TurningPoint) {
        self.run.turning_points.push(point);
    }

    pub(super) fn force_extreme(&mut self, time: f64, force: f64, maximum: bool) {
        self.run.force_extremes.push(ForceExtreme { time, force, maximum });
    }

    pub(super) fn near_landing(&mut self, time: f64, lambda: f64) {
        self.run.near_landings.push(NearLanding { time, lambda });
    }

    /// Completes the run; `mirrored` if the belt really runs toward −x.
    pub(super) fn finish(
        mut self,
        balance: &Balance,
        start: &State,
        end: &State,
        force: f64,
        evaluations: u64,
        mirrored: bool,
    ) -> (Run, Vec<Sample>) {
        let run = &mut self.run;
        run.end_state = plain(end);
        run.end_force = force;
        (run.belt_work, run.dissipated) = (end[BELT_WORK], end[DISSIPATED]);
        let gained = balance.energy(end) - balance.energy(start);
        run.energy_residual = gained - self.jumped - (run.belt_work - run.dissipated);
        run.evaluations = evaluations;
        run.rotation_share = if self.slip_time > 0.0 { self.turning_time / self.slip_time } else { 0.0 };
        if mirrored {
            mirror(run, &mut self.samples);
        }
        (self.run, self.samples)
    }
}

/// x, y, φ, ẋ, ẏ, φ̇
pub(super) fn plain(state: &State) -> [f64; 6] {
    [state[X], state[Y], state[ANGLE], state[VX], state[VY], state[SPIN]]
}

fn sample(time: f64, phase: Phase, state: &State, force: f64, extra: bool) -> Sample {
    let [displacement, transverse_displacement, rotation, velocity, transverse_velocity, angular_velocity] =
        plain(state);
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

/// x → −x: what points along x or turns changes its sign.
fn mirror(run: &mut Run, samples: &mut [Sample]) {
    // 0 stays 0 and does not become −0
    let flip = |value: &mut f64| *value = 0.0 - *value;
    for event in &mut run.events {
        let Event { displacement, rotation, velocity, angular_velocity, force_before, force_after, .. } = event;
        [displacement, rotation, velocity, angular_velocity, force_before, force_after].into_iter().for_each(flip);
    }
    for point in &mut run.turning_points {
        flip(&mut point.displacement);
        flip(&mut point.force);
        point.maximum = !point.maximum;
    }
    for extreme in &mut run.force_extremes {
        flip(&mut extreme.force);
        extreme.maximum = !extreme.maximum;
    }
    for state in [&mut run.start_state, &mut run.end_state] {
        let [x, _, angle, vx, _, spin] = state;
        [x, angle, vx, spin].into_iter().for_each(flip);
    }
    [&mut run.start_force, &mut run.end_force].into_iter().for_each(flip);
    for sample in samples {
        let Sample { displacement, rotation, velocity, angular_velocity, force, .. } = sample;
        [displacement, rotation, velocity, angular_velocity, force].into_iter().for_each(flip);
    }
}
