//! What happened in a motion: releases, contacts, and the cycles between them.

use super::Orbits;
use super::orbits::stiff_method;
use super::refusal::explained;
use crate::analysis::{AnalysisError, Pace, Progress, Silent};
use crate::integrate::{Event, Finish, Flow, IntegrationError, Sink, Solver, Span, integrate_from};
use crate::system::SpringBlock;
use crate::system::spring_block::motion::{CONTACT, DISPLACEMENT, EXTREMUM, TURNING, VELOCITY};
use crate::system::spring_block::{ContactPolicy, Mode, State};

/// What a contact event was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactChange {
    /// The block came to rest on the surface.
    Stick,
    /// The block broke loose.
    Slip,
    /// The block passed the velocity of the surface without sticking.
    Pass,
}

/// A contact event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactEvent {
    /// When \[s\].
    pub time: f64,
    /// What.
    pub change: ContactChange,
    /// Displacement \[m\].
    pub displacement: f64,
    /// Velocity just before [m/s].
    pub velocity: f64,
    /// Whether the spring force was beyond the static limit of a fresh contact.
    pub beyond_limit: bool,
}

/// A stick-slip cycle: from one release to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cycle {
    /// When it began \[s\].
    pub start: f64,
    /// Duration of its slip \[s\].
    pub slip_time: f64,
    /// Duration of its stick \[s\].
    pub stick_time: f64,
    /// Largest displacement \[m\].
    pub max_displacement: f64,
    /// Smallest displacement \[m\].
    pub min_displacement: f64,
    /// Displacement at the release that began it \[m\].
    pub release_displacement: f64,
    /// Displacement at which the block stuck \[m\].
    pub stick_displacement: f64,
    /// Largest speed relative to the surface [m/s].
    pub fastest_slip: f64,
}

impl Cycle {
    /// Period \[s\].
    pub fn period(&self) -> f64 {
        self.slip_time + self.stick_time
    }
}

/// Collects the history of a motion as it is computed.
#[derive(Debug, Clone)]
pub struct History<'a> {
    block: &'a SpringBlock,
    /// Contact events in order.
    pub contacts: Vec<ContactEvent>,
    /// Complete cycles in order.
    pub cycles: Vec<Cycle>,
    /// Maxima of the displacement: time \[s\] and place \[m\].
    pub maxima: Vec<(f64, f64)>,
    /// Minima of the displacement: time \[s\] and place \[m\].
    pub minima: Vec<(f64, f64)>,
    /// Instants \[s\] at which the velocity had an extremum within 1e-10 of the velocity of the surface.
    pub grazings: Vec<f64>,
    /// Instants \[s\] of releases at which static and kinetic force were equal: slip starts with zero acceleration (normal where
    /// μ(0) = μ_s).
    pub marginal_releases: Vec<f64>,
    /// Instants \[s\] of contacts at the static limit within 1e-10 of it: rounding decides whether the block sticks or passes.
    pub ties: Vec<f64>,
    current: Option<Cycle>,
    stuck_at: Option<f64>,
    most_cycles: usize,
}

impl<'a> History<'a> {
    /// An empty history of a motion of `block`.
    pub fn of(block: &'a SpringBlock) -> Self {
        Self {
            block,
            contacts: Vec::new(),
            cycles: Vec::new(),
            maxima: Vec::new(),
            minima: Vec::new(),
            grazings: Vec::new(),
            marginal_releases: Vec::new(),
            ties: Vec::new(),
            current: None,
            stuck_at: None,
            most_cycles: usize::MAX,
        }
    }

    /// Ends the motion after so many cycles.
    #[must_use]
    pub fn at_most(mut self, cycles: usize) -> Self {
        self.most_cycles = cycles;
        self
    }

    /// Follows the block through `span` from a mode and a state.
    ///
    /// # Errors
    /// As [`Solver::integrate`], or the law where friction is negative at a speed that is met.
    pub fn follow(
        &mut self,
        solver: Solver,
        span: Span,
        start: (Mode, State),
    ) -> Result<Finish<SpringBlock>, AnalysisError> {
        self.follow_watched(solver, span, start, &Silent)
    }

    /// As [`History::follow`], with its progress in hundredths of the span.
    ///
    /// # Errors
    /// As [`History::follow`]; `Cancelled` if the user interrupts.
    pub fn follow_watched(
        &mut self,
        solver: Solver,
        span: Span,
        start: (Mode, State),
        progress: &dyn Progress,
    ) -> Result<Finish<SpringBlock>, AnalysisError> {
        let block = self.block;
        watched(block, solver, (span, start), self, progress)
    }

    /// Number of times that the block came to rest on the surface.
    pub fn stick_count(&self) -> usize {
        self.contacts.iter().filter(|contact| contact.change == ContactChange::Stick).count()
    }

    fn contact(&mut self, event: &Event<'_, SpringBlock>) {
        let x = event.after[DISPLACEMENT];
        let change = match (event.mode, event.next) {
            (Mode::Stick { .. }, _) => ContactChange::Slip,
            (_, Some(Mode::Stick { .. })) => ContactChange::Stick,
            _ => ContactChange::Pass,
        };
        let (force, limit) = (self.block.stiffness * x.abs(), self.block.contact_limit());
        let sticks_anywhere = self.block.contact_policy == ContactPolicy::FirstContact;
        if event.guard == CONTACT && !sticks_anywhere && (force - limit).abs() <= 1e-10 * limit {
            self.ties.push(event.time);
        }
        self.contacts.push(ContactEvent {
            time: event.time,
            change,
            displacement: x,
            velocity: event.before[VELOCITY],
            beyond_limit: event.guard == CONTACT && force > limit * (1.0 + 1e-10),
        });
        match change {
            ContactChange::Slip => self.release(event.time, x),
            ContactChange::Stick => {
                self.stuck_at = Some(event.time);
                if let Some(cycle) = &mut self.current {
                    cycle.slip_time = event.time - cycle.start;
                    cycle.stick_displacement = x;
                }
            }
            ContactChange::Pass => {}
        }
        self.widen(x, None);
    }

    fn release(&mut self, time: f64, x: f64) {
        if let (Some(mut cycle), Some(stuck_at)) = (self.current.take(), self.stuck_at.take()) {
            cycle.stick_time = time - stuck_at;
            // the stick moves the block monotonically: its end belongs to the range of the cycle
            cycle.max_displacement = cycle.max_displacement.max(x);
            cycle.min_displacement = cycle.min_displacement.min(x);
            self.cycles.push(cycle);
        }
        let kinetic = self.block.kinetic_force(0.0);
        if (self.block.stiffness * x.abs() - kinetic).abs() <= 1e-12 * kinetic {
            self.marginal_releases.push(time);
        }
        self.current = Some(Cycle {
            start: time,
            slip_time: f64::NAN,
            stick_time: f64::NAN,
            max_displacement: x,
            min_displacement: x,
            release_displacement: x,
            stick_displacement: f64::NAN,
            fastest_slip: 0.0,
        });
    }

    fn widen(&mut self, x: f64, velocity: Option<f64>) {
        if let Some(cycle) = &mut self.current {
            cycle.max_displacement = cycle.max_displacement.max(x);
            cycle.min_displacement = cycle.min_displacement.min(x);
            if let Some(velocity) = velocity {
                cycle.fastest_slip = cycle.fastest_slip.max((self.block.drive_speed - velocity).abs());
            }
        }
    }
}

/// Follows a block by the solver, or where friction is too fast for it, by a stiff method.
pub(crate) fn follow<K: Sink<SpringBlock>>(
    block: &SpringBlock,
    solver: &Solver,
    span: Span,
    start: (Mode, State),
    sink: &mut K,
) -> Result<Finish<SpringBlock>, IntegrationError> {
    let stiff = Orbits::new(block, *solver).is_ok_and(|orbits| orbits.is_hopeless(span.end - span.start));
    let result = if stiff {
        let span = Span { closed_form: span.closed_form && solver.closed_form, ..span };
        let result = integrate_from(block, &mut stiff_method(block, solver), span, start, sink);
        result.map(|finish| Finish { effort: finish.effort.by_stiff_method(), ..finish })
    } else {
        solver.integrate(block, span, start, block.natural_period(), sink)
    };
    result.map_err(|error| explained(block, error))
}

/// Follows a block and reports how far it is.
fn watched<K: Sink<SpringBlock>>(
    block: &SpringBlock,
    solver: Solver,
    (span, start): (Span, (Mode, State)),
    sink: &mut K,
    progress: &dyn Progress,
) -> Result<Finish<SpringBlock>, AnalysisError> {
    let mut sinks = (Pace::of(progress, span.start, span.end), sink);
    let result = follow(block, &solver, span, start, &mut sinks);
    sinks.0.proceed()?;
    let finish = result?;
    progress.worked(finish.effort);
    Ok(finish)
}

impl Sink<SpringBlock> for History<'_> {
    fn event(&mut self, event: &Event<'_, SpringBlock>) -> Flow {
        let [x, velocity, _] = *event.before;
        match event.guard {
            TURNING => {
                let list = if event.rising { &mut self.minima } else { &mut self.maxima };
                list.push((event.time, x));
                self.widen(x, None);
            }
            EXTREMUM => {
                let drive = self.block.drive_speed;
                if drive != 0.0 && (drive - velocity).abs() < 1e-10 * drive.abs() {
                    self.grazings.push(event.time);
                }
                self.widen(x, Some(velocity));
            }
            _ => self.contact(event),
        }
        if self.cycles.len() >= self.most_cycles { Flow::Stop } else { Flow::Continue }
    }
}
