//! The run itself: phases by the automaton, and decisions where it ends.

use super::certificate::Certificate;
use super::events::{EventKind, ItineraryEvent, ModeName, StartRecord, named};
use super::line_rule::{Approach, choose, margin};
use super::recorder::{Path, Recorder, push};
use super::start::leave;
use super::{Exit, Go, Itinerary, WheelStart};
use crate::analysis::AnalysisError;
use crate::analysis::wheel::escaping::{Departure, EscapingRegion};
use crate::integrate::{Effort, Solver, Span, Stop};
use crate::num::purpose::{Germ, Purpose};
use crate::num::random::Stream;
use crate::num::real::ln;
use crate::system::filippov::{Automaton, AutomatonEvent, Filippov, Mode, Phase, Region, Side};
use crate::system::wheel::line::{MotionKind, Passage};
use crate::system::wheel::{CLOCK, Dynamics, State, TIME};
use crate::system::{Jump, System};
use serde::Serialize;

/// The motion of a wheel by its events.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItineraryRun {
    /// What was asked for: every policy that decided where the equations do not.
    pub request: Itinerary,
    /// Where the motion started.
    pub start: StartRecord,
    /// What happened, in order.
    pub events: Vec<ItineraryEvent>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// What it cost.
    #[serde(skip)]
    pub effort: Effort,
}

impl ItineraryRun {
    /// The two-fold that ended the run or was passed first, if there is one.
    pub fn two_fold(&self) -> Option<&ItineraryEvent> {
        self.events.iter().find(|event| event.kind == EventKind::TwoFold)
    }
}

/// Most steps between two decisions.
const MAX_STEPS: u64 = 2_000_000;

/// Relative distance from a change of the line's structure below which a passage is reported as ill-posed.
const ILL_POSED: f64 = 1e-5;

impl Itinerary {
    /// Runs it.
    ///
    /// # Errors
    /// If the request does not fit the wheel, if the equations cannot be solved, or if the motion stands where no motion is
    /// possible.
    pub fn run(&self, dynamics: &Dynamics) -> Result<ItineraryRun, AnalysisError> {
        self.run_along(dynamics, &mut ())
    }

    /// Runs it and hands the path to a receiver.
    ///
    /// # Errors
    /// As [`Itinerary::run`].
    pub fn run_along(&self, dynamics: &Dynamics, path: &mut dyn Path) -> Result<ItineraryRun, AnalysisError> {
        self.run_with(dynamics, None, path)
    }

    fn run_with(
        &self,
        dynamics: &Dynamics,
        escape: Option<(f64, Side)>,
        path: &mut dyn Path,
    ) -> Result<ItineraryRun, AnalysisError> {
        if dynamics.regularised {
            let message = "makes a wheel without modes, which has no itinerary; remove it, or ask for a smooth run";
            return Err(AnalysisError::unsuitable("regularisation", message));
        }
        self.check()?;
        let dynamics = &dynamics.clone().with_line_radius(self.line_radius);
        let start = self.start.prepare(dynamics)?;
        let error = self.solver.relative_tolerance * dynamics.omega0.abs() + self.solver.absolute_tolerance;
        let mut warnings = Vec::new();
        if self.line_radius < 1e3 * error {
            let radius = self.line_radius;
            let message =
                format!("line_radius = {radius:e} is less than 1e3 times the error of the velocities, {error:e}");
            warnings.push(message + ": angles on the line of rest may be misjudged");
        }
        let run = ItineraryRun {
            request: self.clone(),
            start: start.record,
            events: Vec::new(),
            warnings,
            effort: Effort::default(),
        };
        let Some(mode) = start.mode else { return Ok(run) };
        let germ = Germ::new(self.seed, self.realisation);
        let journey = Journey {
            request: self,
            dynamics,
            path,
            run,
            mode,
            state: start.state,
            parameter: 0.0,
            escape,
            line_draws: germ.stream(Purpose::LineChoice),
            exit_draws: germ.stream(Purpose::ItineraryExit),
        };
        journey.go()
    }

    /// Runs it from an exit of the escaping region instead of its own start.
    ///
    /// # Errors
    /// As [`Itinerary::run`].
    pub(crate) fn run_from_exit(
        &self,
        dynamics: &Dynamics,
        exit: &Departure,
        path: &mut dyn Path,
    ) -> Result<ItineraryRun, AnalysisError> {
        let go = match (exit.wait > 0.0, exit.side) {
            (true, _) => Go::Stick,
            (false, Side::Plus) => Go::Plus,
            (false, Side::Minus) => Go::Minus,
        };
        let start = WheelStart::Surface { r: exit.r, omega: exit.omega, go };
        let request = Self { start, ..self.clone() };
        request.run_with(dynamics, (exit.wait > 0.0).then_some((exit.wait, exit.side)), path)
    }

    /// The clock that ends the run, and its last value.
    fn end(&self, dynamics: &Dynamics) -> (usize, f64) {
        match (self.duration, self.length(dynamics)) {
            (Some(duration), _) => (TIME, duration),
            (None, length) => (CLOCK, length.unwrap_or(f64::INFINITY)),
        }
    }
}

/// A run under way.
struct Journey<'a> {
    request: &'a Itinerary,
    dynamics: &'a Dynamics,
    path: &'a mut dyn Path,
    run: ItineraryRun,
    mode: Mode,
    state: State,
    parameter: f64,
    /// When a stick in the escaping region ends (in τ), and to which side.
    escape: Option<(f64, Side)>,
    line_draws: Stream,
    exit_draws: Stream,
}

/// Whether a run goes on.
enum Next {
    Phase,
    Finished,
}

impl Journey<'_> {
    fn go(mut self) -> Result<ItineraryRun, AnalysisError> {
        loop {
            if let Next::Finished = self.phase()? {
                return Ok(self.run);
            }
            if self.run.events.len() >= self.request.max_events {
                self.finish(EventKind::EventLimit);
                return Ok(self.run);
            }
        }
    }

    fn phase(&mut self) -> Result<Next, AnalysisError> {
        let (clock, end) = self.request.end(self.dynamics);
        let mut automaton = Automaton::new(self.dynamics, (self.mode, self.state))
            .with_two_fold_radius(self.request.two_fold_radius)
            .until(clock, end);
        if let Some((tau, _)) = self.escape.filter(|_| self.mode.phase == Phase::Escaping) {
            automaton = automaton.with_alarm(CLOCK, tau);
        }
        let mut recorder = Recorder {
            dynamics: self.dynamics,
            automaton: &automaton,
            events: &mut self.run.events,
            limit: self.request.max_events,
            path: &mut *self.path,
            last: None,
            runaway: false,
        };
        let span = Span { start: self.parameter, end: f64::INFINITY, max_steps: MAX_STEPS, closed_form: false };
        let start = (self.mode, self.state);
        let solver = Solver { max_step: Some(self.request.longest_step(self.dynamics)), ..self.request.solver };
        let finish = solver.integrate(&automaton, span, start, self.dynamics.clock_unit(), &mut recorder)?;
        let (last, runaway) = (recorder.last, recorder.runaway);
        (self.parameter, self.mode, self.state) = (finish.time, finish.mode, finish.state);
        self.run.effort += finish.effort;
        if runaway {
            return Err(self.runaway());
        }
        match (finish.stop, last) {
            (Stop::Sink, _) | (Stop::Accumulation { .. }, _) => Ok(Next::Phase),
            (Stop::System, Some((mode, guard, kind, state))) => {
                (self.mode, self.state) = (mode, state);
                match kind {
                    AutomatonEvent::Deadline => {
                        // the clock is known exactly here, its integral only to rounding
                        self.state[clock] = end;
                        Ok(self.finish(EventKind::EndTime))
                    }
                    AutomatonEvent::Alarm => self.leave_escaping(),
                    AutomatonEvent::TwoFold => self.two_fold(),
                    AutomatonEvent::Corner => self.line(&automaton, guard),
                    AutomatonEvent::Degenerate => Err(self.degenerate()),
                    _ => Err(self.contradiction()),
                }
            }
            _ => Err(self.contradiction()),
        }
    }

    fn contradiction(&self) -> AnalysisError {
        let [r, v, omega, tau, _] = self.state;
        AnalysisError::question(
            "start",
            format!(
                "leads onto the escaping region in slip, at r = {r}, v = {v}, omega = {omega}, tau = {tau}: no motion does \
                 that; tighten the tolerances"
            ),
        )
    }

    fn runaway(&self) -> AnalysisError {
        let [r, .., tau, time] = self.state;
        AnalysisError::question(
            "duration_tau",
            format!(
                "is too long: the centrifugal force is stronger than the spring, and the slider has run away to r = {r} m at \
                 tau = {tau}, {time} s; in rescaled time it reaches infinity soon after"
            ),
        )
    }

    fn degenerate(&self) -> AnalysisError {
        let [r, v, omega, tau, _] = self.state;
        AnalysisError::question(
            "start",
            format!(
                "leads in stick to r = {r}, v = {v}, omega = {omega} at tau = {tau}, where friction has no hold on the slip and \
                 no two-fold lies (for a wheel along the slit the two switching surfaces meet at r = 0): the equations do not \
                 say what follows; end the run before it"
            ),
        )
    }

    /// Ends the run where it stands.
    fn finish(&mut self, kind: EventKind) -> Next {
        push(&mut self.run.events, ItineraryEvent::new(kind, &self.state, self.mode.phase.into(), ModeName::Stopped));
        Next::Finished
    }

    /// Whether a state lies beyond the end of the run; then the run ends between here and there.
    fn beyond_end(&mut self, target: &State) -> bool {
        let (clock, end) = self.request.end(self.dynamics);
        let (now, then) = (self.state[clock], target[clock]);
        if then <= end {
            return false;
        }
        let fraction = ((end - now) / (then - now)).clamp(0.0, 1.0);
        for (y, target) in self.state.iter_mut().zip(target) {
            *y += fraction * (target - *y);
        }
        self.state[clock] = end;
        true
    }

    fn two_fold(&mut self) -> Result<Next, AnalysisError> {
        let sign = self.mode.signs.sign(0);
        let Some(certificate) = Certificate::of(self.dynamics, &self.state, sign) else {
            return Err(self.contradiction());
        };
        let target = certificate.state();
        if self.beyond_end(&target) {
            return Ok(self.finish(EventKind::EndTime));
        }
        self.state = target;
        let mut event = ItineraryEvent::new(EventKind::TwoFold, &target, self.mode.phase.into(), ModeName::Stopped);
        event.certificate = Some(Box::new(certificate));
        let Some(exit) = self.request.exit else {
            push(&mut self.run.events, event);
            return Ok(Next::Finished);
        };
        event.mode_after = ModeName::Escaping;
        push(&mut self.run.events, event);
        self.exit(exit)
    }

    /// Goes on past a two-fold as the user asks for.
    fn exit(&mut self, exit: Exit) -> Result<Next, AnalysisError> {
        let region = EscapingRegion::next_to_two_fold(self.dynamics)?;
        let departure = match exit {
            Exit::At(at) => {
                let lie = self.dynamics.lie(at.r, self.dynamics.surface_v(at.r, at.omega), at.omega, region.sign);
                let slip = at.omega - self.dynamics.omega0;
                let signs_agree = !self.dynamics.signed || at.r * slip * self.dynamics.si * region.sign > 0.0;
                if lie.region() != Region::Escaping || !signs_agree {
                    return Err(AnalysisError::question(
                        "exit.at",
                        format!("r = {}, omega = {} is not in the escaping region", at.r, at.omega),
                    ));
                }
                let tau = region.time_from_two_fold(self.dynamics, at.r, at.omega)?;
                if tau.is_none() {
                    self.run.warnings.push(format!(
                        "exit.at: r = {}, omega = {} cannot be reached from the two-fold; no time passes on the way to it",
                        at.r, at.omega
                    ));
                }
                Departure {
                    r: at.r,
                    omega: at.omega,
                    since: tau.unwrap_or((0.0, 0.0)),
                    wait: 0.0,
                    side: at.side.into(),
                }
            }
            Exit::Sampled(sampled) => region.draw(self.dynamics, sampled, &mut self.exit_draws)?,
        };
        let v = self.dynamics.surface_v(departure.r, departure.omega);
        let (tau, time) = departure.since;
        let target = [departure.r, v, departure.omega, self.state[CLOCK] + tau, self.state[TIME] + time];
        let signs = self.mode.signs;
        self.mode = Automaton::mode(self.dynamics, Phase::Escaping, signs, &target);
        if self.beyond_end(&target) {
            return Ok(self.finish(EventKind::EndTime));
        }
        self.state = target;
        self.escape = Some((target[CLOCK] + departure.wait, departure.side));
        if departure.wait > 0.0 { Ok(Next::Phase) } else { self.leave_escaping() }
    }

    fn leave_escaping(&mut self) -> Result<Next, AnalysisError> {
        let Some((_, side)) = self.escape.take() else { return Err(self.contradiction()) };
        self.dynamics.project(&mut self.state);
        let phase = Phase::Slip(side);
        push(
            &mut self.run.events,
            ItineraryEvent::new(EventKind::Escape, &self.state, ModeName::Escaping, phase.into()),
        );
        self.mode = Automaton::mode(self.dynamics, phase, self.mode.signs, &self.state);
        Ok(Next::Phase)
    }

    fn line(&mut self, automaton: &Automaton<'_, Dynamics>, fired: usize) -> Result<Next, AnalysisError> {
        let (mode, dynamics) = (self.mode, self.dynamics);
        let approach = Approach::of(dynamics, mode, fired, &self.state);
        let blow_up = dynamics.blow_up(approach.place);
        let passage = approach.angle.map_or(Passage::Arrival, |angle| blow_up.passage(angle));
        if passage == Passage::SpiralOut {
            return self.spiral_out(automaton, fired);
        }
        if self.beyond_end(&approach.state) {
            return Ok(self.finish(EventKind::EndTime));
        }
        let outgoing = blow_up.outgoing();
        let (kind, chosen) = match passage {
            Passage::Determined(motion) => (EventKind::LinePass, Some(motion)),
            _ => {
                let (policy, weights) = (self.request.line_policy, &self.request.line_weights);
                let chosen = choose(policy, weights, &outgoing, mode.phase, &mut self.line_draws);
                (EventKind::LineArrival, chosen)
            }
        };
        let Some(motion) = chosen else {
            let [r, _, _, tau, _] = approach.state;
            let message = format!("finds no motion out of the line of rest at r = {r}, tau = {tau}, that it allows");
            return Err(AnalysisError::question("line_policy", message));
        };
        if margin(dynamics, approach.place) < ILL_POSED {
            let [r, .., tau, _] = approach.state;
            let message = format!("the line of rest is met at tau = {tau}, r = {r}, next to a change of its structure");
            self.run.warnings.push(format!("{message}: what follows is ill-posed"));
        }
        let left = leave(dynamics, approach.place, &motion, &approach.state);
        let after = left.map_or(ModeName::Locked, |(mode, _)| mode.phase.into());
        let mut event = ItineraryEvent::new(kind, &approach.state, mode.phase.into(), after);
        event.outgoing = Some(outgoing);
        push(&mut self.run.events, event);
        let Some((mode, state)) = left else { return Ok(Next::Finished) };
        (self.mode, self.state) = (mode, state);
        if motion.kind == MotionKind::Escape {
            let weights = &self.request.line_weights;
            let wait = -ln(self.line_draws.uniform()) / weights.escape_rate;
            let plus = self.line_draws.uniform() < weights.side_probability;
            self.escape = Some((state[CLOCK] + wait, if plus { Side::Plus } else { Side::Minus }));
        }
        Ok(Next::Phase)
    }

    /// The line is not reached: the event is what it would be elsewhere, and the line is not watched for a while.
    fn spiral_out(&mut self, automaton: &Automaton<'_, Dynamics>, fired: usize) -> Result<Next, AnalysisError> {
        use crate::system::filippov::guard;
        let before = Automaton::<Dynamics>::leaving_corner(self.mode);
        if fired == guard::CORNER {
            self.mode = before;
            return Ok(Next::Phase);
        }
        match automaton.jump(before, fired, self.parameter, &mut self.state) {
            Ok(Jump::To(next)) => {
                let kind = automaton.kind(before, fired, Some(next), &self.state);
                if let Some(name) = named(kind) {
                    let event = ItineraryEvent::new(name, &self.state, before.phase.into(), next.phase.into());
                    push(&mut self.run.events, event);
                }
                self.mode = Automaton::<Dynamics>::leaving_corner(next);
                Ok(Next::Phase)
            }
            Ok(Jump::End) | Err(_) => Err(self.contradiction()),
        }
    }
}
