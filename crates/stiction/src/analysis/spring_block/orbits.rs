//! Single slips: the pieces of which every motion of the block is made.

use super::refusal::explained;
use crate::analysis::{AnalysisError, Budget};
use crate::integrate::{
    Event, Finish, Flow, IntegrationError, MethodName, RODAS5P, Rosenbrock, Sink, Solver, Span, Stretch, integrate_from,
};
use crate::keys::number_text;
use crate::num::real;
use crate::system::spring_block::motion::{CONTACT, CONTRACTION, EXTREMUM, TURNING};
use crate::system::spring_block::{Mode, State};
use crate::system::{Sections, SpringBlock, Stiff, System};

/// Solves slips of one block on a surface that moves forward.
#[derive(Debug, Clone, Copy)]
pub struct Orbits<'a> {
    /// The block; its drive speed is positive.
    pub(crate) block: &'a SpringBlock,
    /// How its equations are solved.
    pub(crate) solver: Solver,
    /// What all its slips together may cost.
    pub(super) budget: Option<&'a Budget<'a>>,
}

/// The block catches up with the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// When, since the start of the slip \[s\].
    pub(crate) time: f64,
    /// Where \[m\].
    pub(crate) displacement: f64,
    /// Slope of the map from the displacement at the start of the slip to that at the contact [-].
    pub(crate) slope: f64,
}

/// How the followed part of a slip ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PathEnd {
    /// With a contact.
    Contact(Contact),
    /// It turned as often as was asked.
    Turned,
    /// It came to rest in continuous sliding.
    Settled,
    /// It ran away (backward in time).
    Escaped,
}

/// What is known of a slip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Path {
    /// How it ends.
    pub end: PathEnd,
    /// Largest displacement \[m\], the start included.
    pub max_displacement: f64,
    /// Smallest displacement \[m\], the start included.
    pub min_displacement: f64,
    /// Largest velocity at an inner extremum [m/s]; none if there was none, or nobody asked.
    pub fastest: Option<f64>,
    /// Displacement of the last maximum that was passed \[m\].
    pub last_maximum: Option<f64>,
    /// Duration until the end \[s\].
    pub duration: f64,
    /// ∫ F_K′/M dt until the end [-].
    pub contraction: f64,
}

/// One turn of the return map on the section ẋ = 0, ẍ < 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// The next maximum \[m\].
    pub maximum: f64,
    /// The minimum in between \[m\].
    pub minimum: f64,
    /// Slope of the return map [-].
    pub slope: f64,
    /// How long the turn takes \[s\].
    pub duration: f64,
}

/// Most steps of one slip: a few seconds of work, and far beyond what slips need that are not hopelessly stiff.
const MAX_STEPS: u64 = 5_000_000;

/// Friction that acts so many times faster than the spring makes a slip stiff.
const STIFF_RATIO: f64 = 1e3;

/// Steps that the explicit method may take on a block with such friction: most of its slips never come to those speeds, and
/// need some hundred.
const EXPLICIT_STEPS: u64 = 2_000;

/// Steps that the stiff method may take, each of which costs as much as ten explicit ones: slips need some thousand.
const STIFF_STEPS: u64 = 200_000;

/// The method for slips on which friction acts much faster than the spring, with the tolerances of the solver.
pub(super) fn stiff_method<S: Stiff>(system: &S, solver: &Solver) -> Rosenbrock<S> {
    let longest = solver.max_step.unwrap_or(f64::INFINITY);
    Rosenbrock::new(system, &RODAS5P, solver.tolerance()).with_longest_step(longest)
}

/// Follows a slip until it touches, has turned often enough, settles or runs away.
///
/// Extremes of the velocity cost as much as the rest of the motion: without `EXTREMES` they are not looked for.
pub(super) struct Follow<const EXTREMES: bool> {
    maxima_wanted: usize,
    maxima: usize,
    pub(super) path: Path,
    rest: [f64; 2],
    settled_below: [f64; 2],
    escaped_above: [f64; 2],
    scratch: State,
    pub(super) steps: u64,
}

impl<S: System<State = State, Mode = Mode>, const EXTREMES: bool> Sink<S> for Follow<EXTREMES> {
    const SECTIONS: Sections = if EXTREMES { Sections::ALL } else { Sections::only(TURNING) };

    fn stretch(&mut self, stretch: &Stretch<'_, S>) -> Flow {
        self.steps += 1;
        (stretch.at)(stretch.to, &mut self.scratch);
        let [x, velocity, _] = self.scratch;
        if x.abs() > self.escaped_above[0] || velocity.abs() > self.escaped_above[1] {
            self.path.end = PathEnd::Escaped;
            return Flow::Stop;
        }
        if (x - self.rest[0]).abs() < self.settled_below[0] && (velocity - self.rest[1]).abs() < self.settled_below[1] {
            self.path.end = PathEnd::Settled;
            return Flow::Stop;
        }
        Flow::Continue
    }

    fn event(&mut self, event: &Event<'_, S>) -> Flow {
        let [x, velocity, _] = *event.before;
        self.path.max_displacement = self.path.max_displacement.max(x);
        self.path.min_displacement = self.path.min_displacement.min(x);
        match event.guard {
            CONTACT => {
                self.path.end = PathEnd::Contact(Contact { time: event.time, displacement: x, slope: f64::NAN });
                Flow::Stop
            }
            TURNING if !event.rising => self.maximum(x),
            EXTREMUM if !event.rising => {
                self.path.fastest = Some(self.path.fastest.map_or(velocity, |fastest| fastest.max(velocity)));
                Flow::Continue
            }
            _ => Flow::Continue,
        }
    }
}

impl<const EXTREMES: bool> Follow<EXTREMES> {
    fn maximum(&mut self, x: f64) -> Flow {
        self.path.last_maximum = Some(x);
        self.maxima += 1;
        if self.maxima >= self.maxima_wanted {
            self.path.end = PathEnd::Turned;
            return Flow::Stop;
        }
        Flow::Continue
    }
}

impl<'a> Orbits<'a> {
    /// The same orbits, whose slips are paid for by a budget.
    #[must_use]
    pub fn within<'b>(self, budget: &'b Budget<'b>) -> Orbits<'b>
    where
        'a: 'b,
    {
        Orbits { block: self.block, solver: self.solver, budget: Some(budget) }
    }

    /// The same orbits to fewer digits: for signs and brackets, not for results.
    #[must_use]
    pub(crate) fn coarse(&self) -> Self {
        let mut solver = self.solver;
        solver.relative_tolerance = solver.relative_tolerance.max(1e-9);
        solver.absolute_tolerance = solver.absolute_tolerance.max(1e-10);
        Self { solver, ..*self }
    }

    /// Period of the block on its spring without friction \[s\].
    pub(crate) fn natural_period(&self) -> f64 {
        self.block.natural_period()
    }

    /// Displacement of continuous sliding \[m\].
    pub(crate) fn sliding_displacement(&self) -> f64 {
        self.block.kinetic_force(self.block.drive_speed) / self.block.stiffness
    }

    /// A length of the size of the motions of this block \[m\].
    pub(crate) fn length_scale(&self) -> f64 {
        self.block.length_scale()
    }

    /// Longest time that a slip is followed \[s\]: far beyond the natural period and every relaxation time.
    fn horizon(&self) -> f64 {
        let block = self.block;
        let crossing = self.length_scale() / block.drive_speed.abs().max(1e-300);
        1e3 * (self.natural_period() + self.steepest() / block.stiffness + crossing)
    }

    /// Steepest slope of the kinetic force up to twice the drive speed [N s/m].
    fn steepest(&self) -> f64 {
        let block = self.block;
        (0..=64)
            .map(|i| block.kinetic_force_derivatives(block.drive_speed * f64::from(i) / 32.0)[1].abs())
            .filter(|slope| slope.is_finite())
            .fold(0.0, f64::max)
    }

    /// The time in which friction stops the block, and that in which the spring relaxes against friction \[s\].
    fn paces(&self) -> (f64, f64) {
        let slope = self.steepest();
        (self.block.mass / slope, slope / self.block.stiffness)
    }

    /// Whether friction acts so much faster than the spring that an explicit method is lost on a slip that meets it.
    pub(super) fn is_stiff(&self) -> bool {
        let (stops, relaxes) = self.paces();
        self.solver.method == MethodName::Dop853 && relaxes > STIFF_RATIO * stops
    }

    /// Whether a motion of this duration \[s\] is beyond an explicit method, whose steps follow the time in which friction acts.
    pub(super) fn is_hopeless(&self, duration: f64) -> bool {
        const EXPLICIT_STEPS: f64 = 1e7;
        self.is_stiff() && duration > EXPLICIT_STEPS * self.paces().0
    }

    /// Solves the slip of a system from `start` for a sink that `make` makes: by the solver, or where that takes too many steps
    /// because friction is fast, by a stiff method from the beginning.
    pub(super) fn solved<S, K>(
        &self,
        system: &S,
        start: (Mode, State),
        make: impl Fn() -> K,
    ) -> Result<(Result<Finish<S>, IntegrationError>, K), AnalysisError>
    where
        S: Stiff<State = State, Mode = Mode>,
        K: Sink<S>,
    {
        let (span, mut sink) = (self.span()?, make());
        let stiff = self.is_stiff();
        let quick = if stiff { span.at_most(EXPLICIT_STEPS.min(span.max_steps)) } else { span };
        let result = self.solver.integrate(system, quick, start, self.natural_period(), &mut sink);
        if !stiff || !matches!(result, Err(IntegrationError::TooManySteps { .. })) {
            return Ok((result, sink));
        }
        if let Some(budget) = self.budget {
            budget.spend(EXPLICIT_STEPS);
        }
        let mut method = stiff_method(system, &self.solver);
        sink = make();
        let span = self.span()?.integrated();
        let result =
            integrate_from(system, &mut method, span.at_most(STIFF_STEPS.min(span.max_steps)), start, &mut sink);
        let result = result.map(|finish| Finish { effort: finish.effort.by_stiff_method(), ..finish });
        Ok((result, sink))
    }

    /// The time in which a slip is followed, and the steps that are left for it.
    pub(super) fn span(&self) -> Result<Span, AnalysisError> {
        let left = match self.budget {
            Some(budget) => {
                budget.proceed()?;
                budget.left()
            }
            None => MAX_STEPS,
        };
        Ok(Span::until(self.horizon()).at_most(left.min(MAX_STEPS)))
    }

    /// Pays for a slip of so many steps.
    pub(super) fn charge<S: System<State = State>>(
        &self,
        result: Result<Finish<S>, IntegrationError>,
        steps: u64,
    ) -> Result<Result<Finish<S>, IntegrationError>, AnalysisError> {
        let Some(budget) = self.budget else {
            return match result {
                Err(error @ IntegrationError::TooManySteps { .. }) => Err(self.too_long(error)),
                other => Ok(other),
            };
        };
        if let Ok(finish) = &result {
            budget.worked(finish.effort);
        }
        match result {
            Err(IntegrationError::TooManySteps { time, steps, mode, state }) => {
                budget.exhaust();
                // a slip that may not take all steps has found little left
                let steps = if steps < MAX_STEPS { budget.total() } else { steps };
                Err(self.too_long(IntegrationError::TooManySteps { time, steps, mode, state }))
            }
            Ok(finish) if !budget.spend(finish.steps) => {
                let Finish { time, mode, state, .. } = finish;
                let (steps, mode) = (budget.total(), format!("{mode:?}"));
                Err(self.too_long(IntegrationError::TooManySteps { time, steps, mode, state: state.to_vec() }))
            }
            Err(error) => {
                budget.spend(steps);
                Ok(Err(error))
            }
            finished => Ok(finished),
        }
    }

    /// Why so many steps were needed, where that is known: friction that acts much faster than the spring.
    fn too_long(&self, error: IntegrationError) -> AnalysisError {
        // beyond this ratio friction is the reason; about as many steps as the second ratio can be afforded in a turn
        const STIFF: f64 = 1e4;
        const AFFORDABLE: f64 = 1e5;
        let (block, slope) = (self.block, self.steepest());
        let (stops, relaxes) = self.paces();
        if (relaxes / stops).is_nan() || relaxes / stops <= STIFF {
            return error.into();
        }
        let remedies = [
            ("a mass of at least", relaxes * slope / AFFORDABLE, "kg"),
            ("a stiffness of at least", slope / stops / AFFORDABLE, "N/m"),
            ("a normal load of at most", block.normal_load * (AFFORDABLE / relaxes * stops).sqrt(), "N"),
        ];
        let remedies: Vec<String> = remedies
            .iter()
            .filter(|(_, value, _)| value.is_finite() && *value > 0.0)
            .map(|(what, value, unit)| format!("{what} {value:.1e} {unit}"))
            .collect();
        let message = format!(
            "{} kg is too light to be followed on a spring of {} N/m: friction changes the speed within {stops:.1e} s, the spring \
             its force within {relaxes:.1e} s; give {}",
            number_text(block.mass),
            number_text(block.stiffness),
            remedies.join(", or ")
        );
        AnalysisError::unsuitable("mass", message)
    }

    pub(super) fn follow<const EXTREMES: bool>(&self, x: f64, velocity: f64) -> Follow<EXTREMES> {
        let length = self.length_scale();
        Follow {
            maxima_wanted: usize::MAX,
            maxima: 0,
            path: Path {
                end: PathEnd::Settled,
                max_displacement: x,
                min_displacement: x,
                fastest: None,
                last_maximum: None,
                duration: 0.0,
                contraction: 0.0,
            },
            rest: [self.sliding_displacement(), 0.0],
            settled_below: [1e-10 * length, 1e-10 * length / self.natural_period()],
            escaped_above: [1e6 * length, 1e7 * (length / self.natural_period() + self.block.drive_speed.abs())],
            scratch: [x, velocity, 0.0],
            steps: 0,
        }
    }

    /// Follows the slip from (`x`, `velocity`) in `mode` until a contact, or until the displacement has had so many maxima.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub fn path(&self, mode: Mode, x: f64, velocity: f64, maxima: usize) -> Result<Path, AnalysisError> {
        self.followed::<false>(mode, x, velocity, maxima)
    }

    /// The same with the largest velocity on the way, for twice the cost.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub(crate) fn path_with_extremes(
        &self,
        mode: Mode,
        x: f64,
        velocity: f64,
        maxima: usize,
    ) -> Result<Path, AnalysisError> {
        self.followed::<true>(mode, x, velocity, maxima)
    }

    fn followed<const EXTREMES: bool>(
        &self,
        mode: Mode,
        x: f64,
        velocity: f64,
        maxima: usize,
    ) -> Result<Path, AnalysisError> {
        let make = || Follow { maxima_wanted: maxima, ..self.follow::<EXTREMES>(x, velocity) };
        let (result, follow) = self.solved(self.block, (mode, [x, velocity, 0.0]), make)?;
        let finish = self.charge(result, follow.steps)?.map_err(|error| explained(self.block, error))?;
        Ok(self.finished(follow.path, mode, (x, velocity), (finish.time, finish.state[CONTRACTION])))
    }

    fn finished(&self, mut path: Path, mode: Mode, (x, velocity): (f64, f64), (time, contraction): (f64, f64)) -> Path {
        path.duration = time;
        path.contraction = contraction;
        if let PathEnd::Contact(contact) = &mut path.end {
            // the flow contracts areas by exp(−contraction); a section at constant velocity is crossed with the
            // acceleration, so the map along it has this slope
            let first = self.block.acceleration(mode, x, velocity);
            let last = self.block.acceleration(mode, contact.displacement, self.block.drive_speed);
            contact.slope = first / last * real::exp(-contraction);
        }
        path
    }

    /// Where the slip from the static limit first touches the velocity of the surface again \[m\]; none if it never does.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub(crate) fn first_contact(&self) -> Result<Option<f64>, AnalysisError> {
        let path = self.path(Mode::SlipBelow, self.release_displacement(), self.drive(), 2)?;
        Ok(match path.end {
            PathEnd::Contact(contact) => Some(contact.displacement),
            _ => None,
        })
    }

    /// One turn from the maximum `x`: none if the block touches the surface or settles on the way.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub(crate) fn turn(&self, x: f64) -> Result<Option<Turn>, AnalysisError> {
        let path = self.path(Mode::SlipBelow, x, 0.0, 1)?;
        let (PathEnd::Turned, Some(maximum)) = (path.end, path.last_maximum) else { return Ok(None) };
        let first = self.block.acceleration(Mode::SlipBelow, x, 0.0);
        let last = self.block.acceleration(Mode::SlipBelow, maximum, 0.0);
        let slope = first / last * real::exp(-path.contraction);
        let (minimum, duration) = (path.min_displacement, path.duration);
        Ok(Some(Turn { maximum, minimum, slope, duration }))
    }

    /// Velocity of the surface [m/s].
    pub(crate) fn drive(&self) -> f64 {
        self.block.drive_speed
    }
}
