//! One run of the crank: energies, forces and how it ended.

use crate::analysis::{AnalysisError, Pace, Progress, Silent};
use crate::integrate::{Effort, Event, Flow, IntegrationError, Sink, Solver, Span};
use crate::record::{Observe, Samples, Seen};
use crate::system::System;
use crate::system::crank_slider::motion::{ANGLE, SPEED};
use crate::system::crank_slider::{CrankMotion, CrankSlider, Ending, Load, Mode, NormalForcePolicy, State};

/// Most steps of one run: some seconds of work; ordinary runs need some hundred.
const MAX_STEPS: u64 = 2_000_000;
/// Most steps of one of many runs.
pub(super) const MAX_STEPS_OF_MANY: u64 = 300_000;
/// Most samples of a trajectory.
const MAX_SAMPLES: usize = 10_000_000;
/// Determinant [-] below which a motion that cannot be followed is one whose forces grow beyond bounds.
const NEARLY_SINGULAR: f64 = 0.01;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Status {
    /// It ran for its whole duration.
    Completed,
    /// Friction held the slider from this time on; the energies are final.
    Stuck {
        /// When \[s\].
        time: f64,
    },
    /// The track would have had to pull (policy `unilateral`).
    LiftOff {
        /// When \[s\].
        time: f64,
    },
    /// The equations had no solution or several.
    Indeterminate {
        /// When \[s\].
        time: f64,
        /// The total coefficient c [-].
        coefficient: f64,
        /// Determinant of the linear system divided by that without friction [-].
        determinant: f64,
    },
}

impl Status {
    /// The word in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Status::Completed => "completed",
            Status::Stuck { .. } => "stuck",
            Status::LiftOff { .. } => "lift_off",
            Status::Indeterminate { .. } => "indeterminate",
        }
    }

    /// When the run ended before its time \[s\].
    pub fn time(&self) -> Option<f64> {
        match *self {
            Status::Completed => None,
            Status::Stuck { time } | Status::LiftOff { time } | Status::Indeterminate { time, .. } => Some(time),
        }
    }

    /// Whether the energies are those of the whole duration: a slider that sticks dissipates no more.
    pub fn is_whole(&self) -> bool {
        matches!(self, Status::Completed | Status::Stuck { .. })
    }

    pub(super) fn of(mode: Mode, coefficient: f64) -> Self {
        match mode {
            Mode::Turning { .. } => Status::Completed,
            Mode::Over { since: time, ending } => match ending {
                Ending::Stuck => Status::Stuck { time },
                Ending::LiftOff => Status::LiftOff { time },
                Ending::Indeterminate { determinant } => Status::Indeterminate { time, coefficient, determinant },
            },
        }
    }
}

/// What a run gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrankRun {
    /// How it ended.
    pub status: Status,
    /// The total coefficient c [-].
    pub coefficient: f64,
    /// ∫ |f_b ẋ₃| dt \[J\] (hu2021, Eq. 35).
    pub bottom_energy: f64,
    /// ∫ |f_s ẋ₃| dt \[J\] (hu2021, Eq. 35).
    pub side_energy: f64,
    /// W \[J\]: ∫ |F_n ẋ₃| dt; with `clip` only where F_n > 0, with `signed` ∫ F_n |ẋ₃| dt, with `constant_load` that of the
    /// constant load.
    pub sliding_work: f64,
    /// −∫ f ẋ₃ dt \[J\]: what friction took from the mechanism. Differs from the energies with `signed` only.
    pub net_work: f64,
    /// The part of both energies that was collected with F_n < 0 \[J\].
    pub lifted_energy: f64,
    /// First time at which F_n becomes negative \[s\].
    pub first_negative_normal_time: Option<f64>,
    /// The smallest normal force while the slider moves \[N\]; none if it never does.
    pub smallest_normal_force: Option<f64>,
    /// θ at the end \[rad\].
    pub final_angle: f64,
    /// θ̇ at the end [rad/s].
    pub final_speed: f64,
    /// What is missing in the energy balance \[J\]: a measure of the error of the integration.
    pub energy_residual: f64,
    /// What it cost.
    pub effort: Effort,
}

/// The end of a run without the extremes of the normal force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Finish {
    pub(super) mode: Mode,
    pub(super) state: State,
    pub(super) effort: Effort,
}

/// Integrates until the end of the duration or of the motion.
pub(super) fn follow<K: Sink<CrankMotion>>(
    motion: &CrankMotion,
    duration: f64,
    solver: &Solver,
    max_steps: u64,
    sink: &mut K,
    progress: &dyn Progress,
) -> Result<Finish, AnalysisError> {
    let (mode, start) = motion.start();
    let span = Span::until(duration).at_most(max_steps);
    // a turn at the initial speed, or a second: only for methods without step control
    let period = std::f64::consts::TAU / start[SPEED].abs().max(1.0);
    let mut sinks = (Pace::of(progress, 0.0, duration), sink);
    let result = solver.integrate(motion, span, (mode, start), period, &mut sinks);
    sinks.0.proceed()?;
    let (mode, state, effort) = match result {
        Ok(finish) => (finish.mode, finish.state, finish.effort),
        Err(IntegrationError::StepTooSmall { time, state, .. } | IntegrationError::NotFinite { time, state, .. })
            if nearly_singular(motion, &state).is_some() =>
        {
            // the pole came before the guard could see it
            let (state, determinant) = nearly_singular(motion, &state).unwrap_or((start, 0.0));
            (Mode::Over { since: time, ending: Ending::Indeterminate { determinant } }, state, Effort::default())
        }
        Err(error) => return Err(error.into()),
    };
    // next to a dead centre the rounding of the lever leaves works of −1e-40 J
    let [angle, speed, work, lifted] = state;
    Ok(Finish { mode, state: [angle, speed, work.max(0.0), lifted.max(0.0)], effort })
}

/// The state at which forces grow beyond bounds, and the determinant there.
fn nearly_singular(motion: &CrankMotion, state: &[f64]) -> Option<(State, f64)> {
    let state: State = state.try_into().ok()?;
    let determinant = motion.least_determinant(&state);
    (determinant < NEARLY_SINGULAR).then_some((state, determinant))
}

/// One run of `crank` over a `duration` \[s\] whose field has the mean h [-] and the torque coefficient τ \[m\] over the bottom.
///
/// # Errors
/// Parameters that make no sense, and motions that the solver cannot follow. A slider that sticks or lifts off is no error.
pub fn run(
    crank: &CrankSlider,
    mean: f64,
    torque: f64,
    duration: f64,
    solver: &Solver,
) -> Result<CrankRun, AnalysisError> {
    run_with_progress(crank, (mean, torque), duration, solver, &Silent)
}

/// As [`run`], for a person who waits.
///
/// # Errors
/// Those of [`run`]; [`Cancelled`](crate::analysis::Cancelled) if the user interrupts.
pub fn run_with_progress(
    crank: &CrankSlider,
    (mean, torque): (f64, f64),
    duration: f64,
    solver: &Solver,
    progress: &dyn Progress,
) -> Result<CrankRun, AnalysisError> {
    let coefficient = total_coefficient(crank, mean, torque, duration)?;
    let motion = CrankMotion::new(crank, coefficient).with_extrema();
    let mut extremes = Extremes::of(&motion);
    let finish = follow(&motion, duration, solver, MAX_STEPS, &mut extremes, progress)?;
    extremes.look(finish.mode, &finish.state);
    let [_, _, work, lifted] = finish.state;
    let signed = crank.normal_force_policy == NormalForcePolicy::Signed;
    let sliding_work = if signed { work - 2.0 * lifted } else { work };
    let net_work = coefficient * sliding_work;
    let start = motion.start().1;
    let turned = finish.state[ANGLE] - start[ANGLE];
    let gained = motion.energy(&finish.state) - motion.energy(&start);
    Ok(CrankRun {
        status: Status::of(finish.mode, coefficient),
        coefficient,
        bottom_energy: mean * work,
        side_energy: (coefficient - mean) * work,
        sliding_work,
        net_work,
        lifted_energy: coefficient * lifted,
        first_negative_normal_time: extremes.first_negative,
        smallest_normal_force: Some(extremes.smallest).filter(|smallest| smallest.is_finite()),
        final_angle: finish.state[ANGLE],
        final_speed: finish.state[SPEED],
        energy_residual: gained - (crank.drive_torque * turned - net_work),
        effort: finish.effort,
    })
}

/// The coefficient of a realisation, where all parameters make sense.
pub(super) fn total_coefficient(
    crank: &CrankSlider,
    mean: f64,
    torque: f64,
    duration: f64,
) -> Result<f64, AnalysisError> {
    check(crank, duration)?;
    if !(mean.is_finite() && mean >= 0.0) {
        return Err(AnalysisError::question(
            "mean_coefficient",
            format!("is {mean}, but must be a finite number >= 0"),
        ));
    }
    if !torque.is_finite() {
        return Err(AnalysisError::question("torque_coefficient", format!("is {torque}, but must be a finite number")));
    }
    let coefficient = crank.total_coefficient(mean, torque).filter(|coefficient| coefficient.is_finite());
    coefficient.ok_or_else(|| {
        AnalysisError::question("torque_coefficient", format!("is {torque}: the side friction is not finite"))
    })
}

/// Refuses parameters that make no sense.
pub(super) fn check(crank: &CrankSlider, duration: f64) -> Result<(), AnalysisError> {
    if let Some(problem) = crank.problems().into_iter().next() {
        return Err(problem.into());
    }
    if !(duration.is_finite() && duration > 0.0) {
        return Err(AnalysisError::question("duration", format!("is {duration} s, but must be a finite number > 0")));
    }
    Ok(())
}

/// Watches the normal force: its smallest value and its first change to negative. Extrema inside a piece are sections of
/// the motion; the rest is at the ends of pieces.
struct Extremes<'a> {
    motion: &'a CrankMotion,
    smallest: f64,
    first_negative: Option<f64>,
}

impl<'a> Extremes<'a> {
    fn of(motion: &'a CrankMotion) -> Self {
        let mut extremes = Self { motion, smallest: f64::INFINITY, first_negative: None };
        let (mode, state) = motion.start();
        extremes.look(mode, &state);
        extremes.note(mode, 0.0);
        extremes
    }

    fn look(&mut self, mode: Mode, state: &State) {
        if let Mode::Turning { .. } | Mode::Over { ending: Ending::LiftOff, .. } = mode {
            self.smallest = self.smallest.min(self.motion.response(mode, state).normal_force);
        }
    }

    fn note(&mut self, mode: Mode, time: f64) {
        let negative =
            matches!(mode, Mode::Turning { load: Load::Lifted, .. } | Mode::Over { ending: Ending::LiftOff, .. });
        if negative && self.first_negative.is_none() {
            self.first_negative = Some(time);
        }
    }
}

impl Sink<CrankMotion> for Extremes<'_> {
    fn event(&mut self, event: &Event<'_, CrankMotion>) -> Flow {
        self.look(event.mode, event.before);
        if let Some(next) = event.next {
            self.look(next, event.after);
            self.note(next, event.time);
        }
        Flow::Continue
    }
}

/// The crank at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// When \[s\].
    pub time: f64,
    /// θ \[rad\].
    pub angle: f64,
    /// θ̇ [rad/s].
    pub speed: f64,
    /// Place x₃ of the slider \[m\].
    pub place: f64,
    /// Velocity ẋ₃ of the slider [m/s].
    pub velocity: f64,
    /// Normal force F_n \[N\].
    pub normal_force: f64,
    /// Friction f_b of the bottom on the slider \[N\].
    pub bottom_friction: f64,
    /// Friction f_s of the walls on the slider \[N\].
    pub side_friction: f64,
    /// ∫ |f_b ẋ₃| dt until now \[J\].
    pub bottom_energy: f64,
    /// ∫ |f_s ẋ₃| dt until now \[J\].
    pub side_energy: f64,
}

/// A run as in [`run()`], sampled at `count` + 1 evenly spaced instants. A slider that sticks is shown until the end with
/// the friction that holds it; after a lift-off or an indeterminate state there are no samples.
///
/// # Errors
/// As [`run_with_progress()`].
pub fn trajectory(
    crank: &CrankSlider,
    (mean, torque): (f64, f64),
    duration: f64,
    count: usize,
    solver: &Solver,
    progress: &dyn Progress,
) -> Result<(Status, Vec<Sample>), AnalysisError> {
    let coefficient = total_coefficient(crank, mean, torque, duration)?;
    let motion = CrankMotion::new(crank, coefficient);
    if !(1..=MAX_SAMPLES).contains(&count) {
        let message = format!("is {count}, but a trajectory has 1 to {MAX_SAMPLES} samples");
        return Err(AnalysisError::question("samples", message));
    }
    let mut samples = Samples::at(Samples::even(0.0, duration, count + 1), motion.columns().len(), 0);
    let finish = follow(&motion, duration, solver, MAX_STEPS, &mut Seen::by(&motion, &mut samples), progress)?;
    let status = Status::of(finish.mode, coefficient);
    let share = if coefficient > 0.0 { mean / coefficient } else { 1.0 };
    let samples = (0..samples.times.len()).map(|row| {
        let of = |column: usize| samples.columns[column][row];
        let [angle, speed, place, velocity, normal_force, friction, work] = [0, 1, 2, 3, 4, 5, 6].map(of);
        Sample {
            time: samples.times[row],
            angle,
            speed,
            place,
            velocity,
            normal_force,
            bottom_friction: share * friction,
            side_friction: (1.0 - share) * friction,
            bottom_energy: mean * work,
            side_energy: (coefficient - mean) * work,
        }
    });
    Ok((status, samples.collect()))
}
