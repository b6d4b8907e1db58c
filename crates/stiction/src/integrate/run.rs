//! The loop itself: phases, steps, events, jumps.

use super::events::{CHECKS, SAMPLES};
use super::locate::{MAX_EVENTS_IN_STEP, Root};
use super::{Effort, Event, Flow, IntegrationError, Method, Sink, Stretch, zeno::Intervals};
use crate::Problem;
use crate::system::{ClosedForm, Coords, Fault, Guard, GuardValues, Jump, Sections, System, Upcoming};

/// Most jumps without progress in time before the loop gives up.
pub const MAX_JUMPS_AT_ONCE: usize = 64;

/// Part of the time that a mode has left ([`System::time_left`]) that a step takes at most, so that its end is not jumped over.
const PART_OF_TIME_LEFT: f64 = 0.7;

/// How often a step that meets a fault is shortened before the motion has come to it.
const MAX_FAULTS: u32 = 24;

/// How often a step is halved because a guard varies faster than its polynomial; then the guard has a kink.
const MAX_HALVINGS: u32 = 12;

/// From when to when, and within which limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// First instant \[s\].
    pub start: f64,
    /// Last instant \[s\], >= `start`.
    pub end: f64,
    /// Most steps before the loop gives up.
    pub max_steps: u64,
    /// Whether phases that the system knows in closed form are answered by it.
    pub closed_form: bool,
}

impl Span {
    /// From zero until `end` \[s\], with closed-form phases.
    pub fn until(end: f64) -> Self {
        Self { start: 0.0, end, max_steps: 100_000_000, closed_form: true }
    }

    /// The same with every phase integrated.
    #[must_use]
    pub fn integrated(mut self) -> Self {
        self.closed_form = false;
        self
    }

    /// The same with at most so many steps.
    #[must_use]
    pub fn at_most(mut self, max_steps: u64) -> Self {
        self.max_steps = max_steps;
        self
    }
}

/// Why the loop came back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stop {
    /// The end of the span.
    End,
    /// The sink had enough.
    Sink,
    /// A jump ended the motion.
    System,
    /// Infinitely many events: the instant \[s\] at which they accumulate, and a bound of its error \[s\].
    Accumulation {
        /// The guard whose events accumulate.
        guard: usize,
        /// Bound of the error of the instant \[s\].
        error: f64,
    },
}

/// Where the motion stands when the loop comes back.
#[derive(Debug, Clone)]
pub struct Finish<S: System> {
    /// Why.
    pub stop: Stop,
    /// When \[s\].
    pub time: f64,
    /// In which mode.
    pub mode: S::Mode,
    /// In which state.
    pub state: S::State,
    /// Steps taken, rejected ones and those that refine events included.
    pub steps: u64,
    /// What it cost.
    pub effort: Effort,
}

/// Moves `system` from its start through `span`.
///
/// # Errors
/// [`IntegrationError`] says when, in which mode and in which state the loop gave up.
pub fn integrate<S, M, K>(system: &S, method: &mut M, span: Span, sink: &mut K) -> Result<Finish<S>, IntegrationError>
where
    S: System,
    M: Method<S>,
    K: Sink<S>,
{
    let (mode, state) = system.start();
    integrate_from(system, method, span, (mode, state), sink)
}

/// Moves `system` through `span` from a given mode and state.
///
/// # Errors
/// [`IntegrationError`] says when, in which mode and in which state the loop gave up.
pub fn integrate_from<S, M, K>(
    system: &S,
    method: &mut M,
    span: Span,
    (mode, state): (S::Mode, S::State),
    sink: &mut K,
) -> Result<Finish<S>, IntegrationError>
where
    S: System,
    M: Method<S>,
    K: Sink<S>,
{
    let guards = || S::Guards::zeros(system.guard_count());
    let run = Loop {
        system,
        span,
        t: span.start,
        mode,
        before: state.clone(),
        scratch: state.clone(),
        guards: guards(),
        samples: std::array::from_fn(|_| guards()),
        checks: std::array::from_fn(|_| guards()),
        found: [Root { theta: 0.0, slope: 0.0, guard: 0, kind: Guard::Unused }; MAX_EVENTS_IN_STEP],
        state,
        steps: 0,
        effort: Effort::default(),
        jumps_at_once: 0,
        intervals: Intervals::default(),
    };
    run.go(method, sink)
}

/// What the loop knows while it runs.
pub(super) struct Loop<'a, S: System> {
    pub(super) system: &'a S,
    pub(super) span: Span,
    pub(super) t: f64,
    pub(super) mode: S::Mode,
    pub(super) state: S::State,
    pub(super) before: S::State,
    pub(super) scratch: S::State,
    pub(super) guards: S::Guards,
    pub(super) samples: [S::Guards; SAMPLES],
    pub(super) checks: [S::Guards; CHECKS.len()],
    pub(super) found: [Root; MAX_EVENTS_IN_STEP],
    pub(super) steps: u64,
    pub(super) effort: Effort,
    pub(super) jumps_at_once: usize,
    pub(super) intervals: Intervals<S::Mode>,
}

/// What comes after a phase.
enum After {
    NextPhase,
    Finished(Stop),
}

impl<S: System> Loop<'_, S> {
    fn go<M: Method<S>, K: Sink<S>>(mut self, method: &mut M, sink: &mut K) -> Result<Finish<S>, IntegrationError> {
        let evaluations = method.evaluations();
        loop {
            let after = if let Some(guard) = self.violated_boundary() {
                self.jump(guard, false, sink)?
            } else if self.t >= self.span.end || self.span.end.is_nan() {
                After::Finished(Stop::End)
            } else if self.is_closed_form() {
                self.closed_form_phase(sink)?
            } else {
                self.integrated_phase(method, sink)?
            };
            if let After::Finished(stop) = after {
                let Self { t, mode, state, steps, mut effort, .. } = self;
                effort.steps = steps - effort.closed_form;
                effort.evaluations = method.evaluations() - evaluations;
                return Ok(Finish { stop, time: t, mode, state, steps, effort });
            }
        }
    }

    fn is_closed_form(&self) -> bool {
        match self.system.closed_form(self.mode) {
            ClosedForm::Never => false,
            ClosedForm::Offered => self.span.closed_form,
            ClosedForm::Always => true,
        }
    }

    /// The first boundary that the current state violates.
    fn violated_boundary(&mut self) -> Option<usize> {
        self.system.guards(self.mode, self.t, &self.state, &mut self.guards);
        let guards = self.guards.as_slice();
        (0..guards.len()).find(|&i| guards[i] < 0.0 && self.system.guard(self.mode, i).is_boundary())
    }

    fn closed_form_phase<K: Sink<S>>(&mut self, sink: &mut K) -> Result<After, IntegrationError> {
        let (system, mode, since) = (self.system, self.mode, self.t);
        self.before.clone_from(&self.state);
        loop {
            let from = self.t;
            // an event in closed form costs about as much as a step
            self.steps += 1;
            self.effort.closed_form += 1;
            if self.steps > self.span.max_steps {
                return Err(self.too_many_steps());
            }
            let sections = K::SECTIONS != Sections::NONE;
            let upcoming = system.next_event(mode, since, &self.before, from, sections);
            let upcoming = upcoming.map_err(|fault| self.fault(*fault))?;
            let to = upcoming.map_or(self.span.end, |upcoming| upcoming.time.min(self.span.end));
            let start = &self.before;
            let flow = if to > from {
                sink.stretch(&Stretch {
                    mode,
                    from,
                    to,
                    at: &|t, y: &mut S::State| system.flow(mode, since, start, t, y),
                    rate: &|t, rate: &mut S::State| {
                        let mut y = start.clone();
                        system.flow(mode, since, start, t, &mut y);
                        if system.rhs(mode, t, &y, rate).is_err() {
                            rate.as_mut_slice().fill(f64::NAN);
                        }
                    },
                })
            } else {
                Flow::Continue
            };
            system.flow(mode, since, &self.before, to, &mut self.state);
            self.t = to;
            if to > from {
                self.jumps_at_once = 0;
            }
            if !self.state.as_slice().iter().all(|y| y.is_finite()) {
                return Err(self.not_finite());
            }
            if flow == Flow::Stop {
                return Ok(After::Finished(Stop::Sink));
            }
            match upcoming {
                Some(Upcoming { time, guard, rising }) if time <= self.span.end => match system.guard(mode, guard) {
                    Guard::Boundary(_) => return self.jump(guard, rising, sink),
                    kind => {
                        let (before, after) = (&self.state, &self.state);
                        let event = Event { time, guard, kind, rising, mode, next: Some(mode), before, after };
                        if sink.event(&event) == Flow::Stop {
                            return Ok(After::Finished(Stop::Sink));
                        }
                    }
                },
                _ => return Ok(After::Finished(Stop::End)),
            }
        }
    }

    fn integrated_phase<M: Method<S>, K: Sink<S>>(
        &mut self,
        method: &mut M,
        sink: &mut K,
    ) -> Result<After, IntegrationError> {
        let restart = method.restart(self.system, self.mode, self.t, &self.state, self.span.end - self.t);
        let mut h = restart.map_err(|fault| self.fault(*fault))?;
        let first = h;
        let mut finite = true;
        let (mut halvings, mut faults) = (0, 0);
        let mut fault: Option<Fault> = None;
        let mut time_left = f64::INFINITY;
        loop {
            // one step that passes the error test
            let remaining = self.span.end - self.t;
            let left = self.system.time_left(self.mode, self.t, method.start(), method.slope());
            if left < time_left && time_left.is_finite() {
                h *= left / time_left;
            }
            time_left = left;
            h = h.min(method.longest_step()).min(PART_OF_TIME_LEFT * left);
            let last = h >= remaining * (1.0 - 1e-12);
            if last {
                h = remaining;
            }
            // a step that cannot be told from rounding is still taken at the very end of the span
            if !last && h <= 4.0 * f64::EPSILON * self.t.abs() || h.is_nan() || h == 0.0 {
                return Err(match fault {
                    Some(fault) => self.fault(*fault),
                    None if finite => self.step_too_small(h),
                    None => self.not_finite(),
                });
            }
            self.steps += 1;
            if self.steps > self.span.max_steps {
                return Err(self.too_many_steps());
            }
            let error = match method.attempt(self.system, self.mode, self.t, h) {
                Ok(error) => error,
                // a stage may lie where the motion does not come to
                Err(found) if faults < MAX_FAULTS => {
                    (fault, faults) = (Some(found), faults + 1);
                    self.effort.rejected += 1;
                    h *= 0.25;
                    continue;
                }
                Err(fault) => return Err(self.fault(*fault)),
            };
            (fault, faults) = (None, 0);
            finite = error.is_finite() && method.end().as_slice().iter().all(|y| y.is_finite());
            let next = method.next_step(h, if finite { error } else { f64::INFINITY });
            let hopeless = next < 1e-3 * f64::EPSILON * first.max(self.t.abs()) || next >= h;
            if !finite && hopeless {
                return Err(self.not_finite());
            }
            if !finite || error > 1.0 {
                self.effort.rejected += 1;
                h = next;
                continue;
            }

            // events inside it, in order of time
            method.prepare_dense(self.system, self.mode, self.t, h).map_err(|fault| self.fault(*fault))?;
            let Some(count) = self.roots(method, h, K::SECTIONS, halvings < MAX_HALVINGS)? else {
                self.effort.rejected += 1;
                h *= 0.5;
                halvings += 1;
                continue;
            };
            halvings = 0;
            let mut from = self.t;
            for index in 0..count {
                let root = self.found[index];
                let theta = self.refine(method, h, &root);
                // refined roots that are closer than their errors keep their order, and none leaves the span
                let time = (self.t + theta * h).max(from).min(self.span.end);
                if self.pass(method, sink, h, (from, time)) == Flow::Stop {
                    // the sink stops within the stretch: the motion stands at its end
                    self.t = time;
                    return Ok(After::Finished(Stop::Sink));
                }
                from = time;
                let rising = root.slope > 0.0;
                match root.kind {
                    Guard::Boundary(_) => {
                        if time > self.t {
                            self.jumps_at_once = 0;
                        }
                        self.t = time;
                        return self.jump(root.guard, rising, sink);
                    }
                    kind => {
                        let (mode, before, after) = (self.mode, &self.state, &self.state);
                        let event =
                            Event { time, guard: root.guard, kind, rising, mode, next: Some(mode), before, after };
                        if sink.event(&event) == Flow::Stop {
                            self.t = time;
                            return Ok(After::Finished(Stop::Sink));
                        }
                    }
                }
            }

            // on to the next step
            let end = if last { self.span.end } else { self.t + h };
            let flow = self.pass(method, sink, h, (from, end));
            self.state.clone_from(method.end());
            self.t = end;
            self.jumps_at_once = 0;
            if flow == Flow::Stop {
                return Ok(After::Finished(Stop::Sink));
            }
            if last {
                return Ok(After::Finished(Stop::End));
            }
            method.advance();
            h = next;
        }
    }

    /// Tells the sink of a piece of the current step.
    fn pass<M: Method<S>, K: Sink<S>>(&self, method: &M, sink: &mut K, h: f64, (from, to): (f64, f64)) -> Flow {
        if to <= from {
            return Flow::Continue;
        }
        let start = self.t;
        let at = |t: f64, y: &mut S::State| method.at((t - start) / h, y);
        let rate = |t: f64, rate: &mut S::State| {
            method.rate_at((t - start) / h, rate);
            rate.as_mut_slice().iter_mut().for_each(|rate| *rate /= h);
        };
        sink.stretch(&Stretch { mode: self.mode, from, to, at: &at, rate: &rate })
    }

    /// Lets the system jump, and tells the sink.
    fn jump<K: Sink<S>>(&mut self, guard: usize, rising: bool, sink: &mut K) -> Result<After, IntegrationError> {
        self.jumps_at_once += 1;
        if self.jumps_at_once > MAX_JUMPS_AT_ONCE {
            return Err(IntegrationError::EndlessJumps {
                time: self.t,
                guard: self.system.guard(self.mode, guard).name().to_owned(),
                mode: format!("{:?}", self.mode),
                state: self.state.as_slice().to_vec(),
            });
        }
        let mode = self.mode;
        self.before.clone_from(&self.state);
        let kind = self.system.guard(mode, guard);
        let jump = self.system.jump(mode, guard, self.t, &mut self.state).map_err(|fault| self.fault(*fault))?;
        let next = match jump {
            Jump::To(next) => Some(next),
            Jump::End => None,
        };
        let event = Event { time: self.t, guard, kind, rising, mode, next, before: &self.before, after: &self.state };
        let flow = sink.event(&event);
        let Some(next) = next else { return Ok(After::Finished(Stop::System)) };
        self.mode = next;
        if flow == Flow::Stop {
            return Ok(After::Finished(Stop::Sink));
        }
        if let Some((instant, error)) = self.intervals.accumulation(mode, guard, self.t) {
            let from = self.t;
            self.t = instant.min(self.span.end);
            let Some(rest) = self.system.rest(mode, guard, instant, &mut self.state) else {
                return Ok(After::Finished(Stop::Accumulation { guard, error }));
            };
            self.mode = rest;
            // what is left until the accumulation is below the resolution of the motion: it is spent at rest
            let state = &self.state;
            let at = |_: f64, y: &mut S::State| y.clone_from(state);
            let rate = |_: f64, rate: &mut S::State| rate.as_mut_slice().fill(0.0);
            let stretch = Stretch { mode: rest, from, to: self.t, at: &at, rate: &rate };
            if self.t > from && sink.stretch(&stretch) == Flow::Stop {
                return Ok(After::Finished(Stop::Sink));
            }
        }
        Ok(After::NextPhase)
    }

    fn fault(&self, problem: Problem) -> IntegrationError {
        IntegrationError::Fault { time: self.t, problem }
    }

    fn step_too_small(&self, step: f64) -> IntegrationError {
        let (mode, state) = (format!("{:?}", self.mode), self.state.as_slice().to_vec());
        IntegrationError::StepTooSmall { time: self.t, step, mode, state }
    }

    pub(super) fn not_finite(&self) -> IntegrationError {
        let (mode, state) = (format!("{:?}", self.mode), self.state.as_slice().to_vec());
        IntegrationError::NotFinite { time: self.t, mode, state }
    }

    fn too_many_steps(&self) -> IntegrationError {
        let (mode, state) = (format!("{:?}", self.mode), self.state.as_slice().to_vec());
        IntegrationError::TooManySteps { time: self.t, steps: self.span.max_steps, mode, state }
    }
}
