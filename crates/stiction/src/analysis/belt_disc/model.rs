//! A disc on a belt, prepared for runs.

use super::recorder::Recorder;
use super::run::{BeltRun, Sample};
use crate::analysis::{AnalysisError, Cancelled, Pace, Progress, Silent};
use crate::field::{FieldError, Germ, Surface};
use crate::integrate::{Dopri5, IntegrationError, Span, Tolerance, integrate};
use crate::keys::Key;
use crate::memory::Need;
use crate::patch::{Cells, FrozenPatch, UniformAnnulus};
use crate::system::belt_disc::{BeltBalance, BeltDisc, BeltMotion, ContactPlan, Frozen};
use crate::system::field_fault;

/// How long and how exactly a motion is followed.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// How long \[s\].
    pub duration: f64,
    /// Tolerance of a step.
    pub tolerance: Tolerance,
    /// Whether a motion that is known in closed form is answered by it.
    pub closed_form: bool,
    /// Maximum number of steps of one run.
    pub max_steps: u64,
    /// Polled for cancellation at every step; receives the cost.
    pub progress: &'a dyn Progress,
}

impl Default for Setting<'_> {
    /// 100 s, six digits: enough for statistics.
    fn default() -> Self {
        let tolerance = Tolerance { relative: 1e-6, absolute: 1e-8 };
        Self { duration: 100.0, tolerance, closed_form: true, max_steps: 100_000_000, progress: &Silent }
    }
}

/// How many times the velocity tolerance the landing threshold must be at least.
const CLEAR: f64 = 10.0;

/// Everything that the realisations of a disc share.
#[derive(Debug, Clone)]
pub struct BeltModel {
    disc: BeltDisc,
    balance: BeltBalance,
    plan: ContactPlan,
}

fn of_field(error: &FieldError) -> AnalysisError {
    field_fault(error).into()
}

impl BeltModel {
    /// Prepares a disc for motions of this `duration` \[s\]; `map` is the measured map, where the field is a file.
    ///
    /// # Errors
    /// Parameters that make no sense, and fields that cannot be made.
    pub fn new(disc: &BeltDisc, map: Option<&Surface>, duration: f64) -> Result<Self, AnalysisError> {
        Self::watched(disc, map, duration, &Silent)
    }

    /// The same unless the user asks to stop.
    ///
    /// # Errors
    /// As [`BeltModel::new`], and [`AnalysisError::Cancelled`].
    pub fn watched(
        disc: &BeltDisc,
        map: Option<&Surface>,
        duration: f64,
        progress: &dyn Progress,
    ) -> Result<Self, AnalysisError> {
        if let Some(problem) = disc.problems().into_iter().next() {
            return Err(problem.into());
        }
        if !(duration.is_finite() && duration > 0.0) {
            let message = format!("is {duration} s, but must be a finite number > 0");
            return Err(AnalysisError::question("duration", message));
        }
        let stop = || progress.cancelled();
        let plan = ContactPlan::unless(&stop, disc, map, duration)
            .map_err(|error| if stop() { Cancelled.into() } else { of_field(&error) })?;
        Ok(Self { disc: disc.clone(), balance: BeltBalance::of(disc), plan })
    }

    /// The disc.
    pub fn disc(&self) -> &BeltDisc {
        &self.disc
    }

    /// Step of the lattice \[m\]; none for a uniform field or polar nodes.
    pub fn step(&self) -> Option<f64> {
        self.plan.step()
    }

    /// Points at which friction is summed; 0 for a uniform field.
    pub fn points(&self) -> usize {
        self.plan.points()
    }

    /// What there is to say about a lattice that is coarser than it should be.
    pub fn warning(&self) -> Option<&str> {
        self.plan.warning()
    }

    /// One run.
    ///
    /// # Errors
    /// Settings that would stall, a field that ends or is not positive under the disc.
    pub fn run(&self, germ: &Germ, setting: &Setting<'_>) -> Result<BeltRun, AnalysisError> {
        self.followed(germ, setting, None).map(|(run, _)| run)
    }

    /// One run with samples every `step` \[s\], and two more at every transition.
    ///
    /// # Errors
    /// As [`BeltModel::run`], and if there would be too many samples.
    pub fn trajectory(
        &self,
        germ: &Germ,
        setting: &Setting<'_>,
        step: f64,
    ) -> Result<(BeltRun, Vec<Sample>), AnalysisError> {
        if !(step > 0.0 && step.is_finite()) {
            let message = format!("is {step} s, but must be a finite number > 0");
            return Err(AnalysisError::question("sample_step", message));
        }
        // the sample, its row of the table, and its copy where two motions are compared
        let count = setting.duration / step;
        let need = Need::new(Key::study("sample_step"), step, count, "samples", 448.0).by_step();
        let need = need.or("duration", setting.duration);
        setting.progress.memory().admit(&need)?;
        self.followed(germ, setting, Some(step))
    }

    /// The patch of a realisation where the centre of the disc is at belt coordinates `place` \[m\] (for a belt that runs
    /// toward −x: in its mirror image).
    ///
    /// # Errors
    /// If the field is not known there, or not positive.
    pub fn patch<R>(
        &self,
        germ: &Germ,
        place: [f64; 2],
        question: impl FnOnce(&dyn FrozenPatch) -> R,
    ) -> Result<R, AnalysisError> {
        let mut contact = self.plan.contact(*germ);
        let frozen = contact.frozen(place).map_err(|error| of_field(&error))?;
        if !frozen.moments().mean.is_finite() {
            let message = format!("is not positive under the disc at x = {} m, y = {} m", place[0], place[1]);
            return Err(AnalysisError::unsuitable("field", message));
        }
        Ok(question(&frozen))
    }

    /// The patch as a sum over cells, if it is one, or as a uniform disc.
    ///
    /// # Errors
    /// As [`BeltModel::patch`].
    pub fn cells(&self, germ: &Germ, place: [f64; 2]) -> Result<Option<Cells>, AnalysisError> {
        let mut contact = self.plan.contact(*germ);
        match contact.frozen(place).map_err(|error| of_field(&error))? {
            Frozen::Cells(cells) => Ok(Some(cells)),
            Frozen::Uniform(UniformAnnulus { .. }) | Frozen::Polar(_) => Ok(None),
        }
    }

    /// The coefficient of a realisation at points of the belt \[m\].
    ///
    /// # Errors
    /// As [`BeltModel::patch`].
    pub fn coefficients(&self, germ: &Germ, points: &[[f64; 2]]) -> Result<Vec<f64>, AnalysisError> {
        let mut contact = self.plan.contact(*germ);
        points.iter().map(|point| contact.coefficient(*point).map_err(|error| of_field(&error))).collect()
    }

    fn check(&self, setting: &Setting<'_>) -> Result<(), AnalysisError> {
        let Tolerance { relative, absolute } = setting.tolerance;
        if !(relative > 0.0 && relative < 0.1 && absolute > 0.0 && absolute.is_finite()) {
            let message =
                format!("is {relative} (absolute {absolute}), but both must be > 0 and the relative one below 0.1");
            return Err(AnalysisError::solver("relative_tolerance", message));
        }
        if !(setting.duration.is_finite() && setting.duration > 0.0) {
            let message = format!("is {} s, but must be a finite number > 0", setting.duration);
            return Err(AnalysisError::question("duration", message));
        }
        let velocity = absolute * self.disc.speed_unit() + relative * self.balance.belt_speed;
        let threshold = self.disc.landing_threshold * self.disc.speed_unit();
        if threshold < CLEAR * velocity {
            let least = CLEAR * velocity / self.disc.speed_unit();
            let message = format!(
                "is {}, a slip of {threshold:e} m/s, which is not clear of the velocity tolerance {velocity:e} m/s: steps \
                 would shrink for ever just above it; give at least {least:e}, or lower `relative_tolerance` and \
                 `absolute_tolerance`",
                self.disc.landing_threshold
            );
            return Err(AnalysisError::unsuitable("landing_threshold", message));
        }
        Ok(())
    }

    /// The error of a run, with the keys that would help where it used up its steps.
    fn stalled(&self, error: IntegrationError, setting: &Setting<'_>) -> AnalysisError {
        let IntegrationError::TooManySteps { time, steps, .. } = error else { return error.into() };
        let message = format!(
            "is {}: the run of {} s is only at t = {time} s after {steps} steps; raise `landing_threshold`, or raise \
             `relative_tolerance` and `absolute_tolerance` of the solver",
            self.disc.landing_threshold, setting.duration
        );
        AnalysisError::unsuitable("landing_threshold", message)
    }

    fn followed(
        &self,
        germ: &Germ,
        setting: &Setting<'_>,
        step: Option<f64>,
    ) -> Result<(BeltRun, Vec<Sample>), AnalysisError> {
        self.check(setting)?;
        let motion = BeltMotion::new(&self.disc, &self.plan, *germ)?;
        let pace = Pace::of(setting.progress, 0.0, setting.duration);
        let mut sinks = (pace, Recorder::new(&motion, setting.duration, step, setting.progress.memory())?);
        let mut method = Dopri5::new(&motion, setting.tolerance);
        let span =
            Span { closed_form: setting.closed_form, ..Span::until(setting.duration) }.at_most(setting.max_steps);
        let finish = integrate(&motion, &mut method, span, &mut sinks);
        let finish = finish.map_err(|error| self.stalled(error, setting))?;
        let (pace, mut recorder) = sinks;
        pace.proceed()?;
        recorder.growth.check(Key::study("duration"), "events")?;
        if let Some(fault) = recorder.fault.take() {
            return Err(fault.into());
        }
        setting.progress.worked(finish.effort);
        recorder.run.effort = finish.effort;
        Ok(recorder.finish((finish.mode, finish.state), self.disc.belt_speed < 0.0)?)
    }
}
