//! The object-safe face of anything that moves.

use super::observe::{Column, Name, Observe};
use super::watch::{Seen, Watcher};
use crate::integrate::{Effort, IntegrationError, Sink, Solver, Span, Stop};
use crate::system::{Coords, Fault, Phase};

/// Anything that moves, for those who ask questions of it: columns and phases instead of modes and guards.
pub trait Motion {
    /// The columns, coordinates and velocities first.
    fn columns(&self) -> &[Column];
    /// Names of the contacts that stick and slip.
    fn contacts(&self) -> &[Name];
    /// The state at the declared start.
    fn start(&self) -> Vec<f64>;
    /// Typical sizes of the entries of the state, and a typical time \[s\].
    fn typical(&self) -> (Vec<f64>, f64);
    /// Moves through `span` from `start`, or from the declared start, and shows the motion to `watcher`.
    ///
    /// # Errors
    /// [`IntegrationError`] says when and in which state the loop gave up.
    fn follow(
        &self,
        solver: &Solver,
        span: Span,
        start: Option<&[f64]>,
        watcher: &mut dyn Watcher,
    ) -> Result<End, IntegrationError>;
    /// The smooth equations that hold at a state.
    ///
    /// # Errors
    /// A [`Fault`] where the equations do not determine how the motion goes on.
    fn frozen(&self, t: f64, state: &[f64]) -> Result<Box<dyn Frozen + '_>, Fault>;

    /// Number of coordinates and velocities: the leading columns, which are entries of the state.
    fn entries(&self) -> usize {
        self.columns().iter().take_while(|column| column.entry().is_some()).count()
    }
}

/// The smooth equations of one mode.
pub trait Frozen {
    /// How each contact moves.
    fn phases(&self) -> Vec<Phase>;
    /// The values of all columns at a state.
    fn columns(&self, t: f64, state: &[f64]) -> Vec<f64>;
    /// Friction on each contact \[N\], where it is known.
    fn friction(&self, t: f64, state: &[f64]) -> Vec<Option<f64>>;
    /// Time derivative of the state.
    ///
    /// # Errors
    /// As [`System::rhs`](crate::system::System::rhs).
    fn slopes(&self, t: f64, state: &[f64]) -> Result<Vec<f64>, Fault>;
    /// Derivative of the slopes with respect to the state, row by row; where the loop runs over another variable than time,
    /// only where the slopes vanish.
    ///
    /// # Errors
    /// As [`System::rhs`](crate::system::System::rhs).
    fn jacobian(&self, t: f64, state: &[f64]) -> Result<Vec<f64>, Fault>;
}

/// Where a motion stands when it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    /// When \[s\].
    pub time: f64,
    /// Why it ended before its time, for a person; none if it did not, or a watcher stopped it.
    pub reason: Option<String>,
    /// The state.
    pub state: Vec<f64>,
    /// The columns.
    pub columns: Vec<f64>,
    /// How each contact moves.
    pub phases: Vec<Phase>,
    /// What it cost.
    pub effort: Effort,
}

/// A system as a [`Motion`].
#[derive(Debug, Clone)]
pub struct Moving<S: Observe> {
    /// The system.
    pub(crate) system: S,
    columns: Vec<Column>,
    contacts: Vec<Name>,
}

impl<S: Observe> Moving<S> {
    /// Motions of `system`.
    pub fn of(system: S) -> Self {
        let (columns, contacts) = (system.columns(), system.contacts());
        Self { system, columns, contacts }
    }

    /// As [`Motion::follow`], with a sink that sees the system itself beside the watcher.
    ///
    /// # Errors
    /// As [`Motion::follow`].
    pub fn follow_beside<W: Watcher + ?Sized, K: Sink<S>>(
        &self,
        solver: &Solver,
        span: Span,
        start: Option<&[f64]>,
        watcher: &mut W,
        sink: &mut K,
    ) -> Result<End, IntegrationError> {
        let start = match start {
            None => self.system.start(),
            Some(entries) => {
                let mut state = self.state(entries);
                let mode = self.system.enter(span.start, &mut state);
                (mode.map_err(|fault| IntegrationError::fault(span.start, *fault))?, state)
            }
        };
        self.follow_from(solver, span, start, watcher, sink)
    }

    /// As [`Moving::follow_beside`], from a mode and a state of the system.
    ///
    /// # Errors
    /// As [`Motion::follow`].
    pub fn follow_from<W: Watcher + ?Sized, K: Sink<S>>(
        &self,
        solver: &Solver,
        span: Span,
        start: (S::Mode, S::State),
        watcher: &mut W,
        sink: &mut K,
    ) -> Result<End, IntegrationError> {
        let bounded = if S::OWN_CLOCK { self.system.until(span.end) } else { None };
        let system = bounded.as_ref().unwrap_or(&self.system);
        // the loop sees an end only at an event: a motion that cannot start ends here
        if let Some(reason) = system.ended(start.0, &start.1) {
            return Ok(self.end(system, span.start, start, Some(reason), Effort::default()));
        }
        let loop_span = if S::OWN_CLOCK { Span { start: 0.0, end: f64::MAX, ..span } } else { span };
        let finish = system.follow(solver, loop_span, start, &mut (Seen::by(system, watcher), sink))?;
        // a clock of its own reaches the end within rounding
        let time = system.time(finish.time, &finish.state).min(span.end);
        let reason = match finish.stop {
            Stop::End => None,
            Stop::Accumulation { guard, .. } => {
                let name = system.guard(finish.mode, guard).name();
                Some(format!("infinitely many events ({name}) accumulate, and the system says nothing of what follows"))
            }
            Stop::Sink | Stop::System => system.ended(finish.mode, &finish.state),
        };
        let end = self.end(system, finish.time, (finish.mode, finish.state), reason, finish.effort);
        Ok(End { time, ..end })
    }

    fn end(&self, system: &S, t: f64, (mode, y): (S::Mode, S::State), reason: Option<String>, effort: Effort) -> End {
        let mut columns = vec![0.0; self.columns.len()];
        system.observe(mode, t, &y, &mut columns);
        let phases = (0..self.contacts.len()).map(|contact| system.phase(mode, contact)).collect();
        End { time: t, reason, columns, phases, state: y.as_slice().to_vec(), effort }
    }

    fn state(&self, entries: &[f64]) -> S::State {
        let mut state = self.system.start().1;
        for (y, entry) in state.as_mut_slice().iter_mut().zip(entries) {
            *y = *entry;
        }
        state
    }
}

impl<S: Observe> Motion for Moving<S> {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn contacts(&self) -> &[Name] {
        &self.contacts
    }

    fn start(&self) -> Vec<f64> {
        self.system.start().1.as_slice().to_vec()
    }

    fn typical(&self) -> (Vec<f64>, f64) {
        let mut sizes = self.system.start().1;
        let time = self.system.typical(&mut sizes);
        (sizes.as_slice().to_vec(), time)
    }

    fn follow(
        &self,
        solver: &Solver,
        span: Span,
        start: Option<&[f64]>,
        watcher: &mut dyn Watcher,
    ) -> Result<End, IntegrationError> {
        self.follow_beside(solver, span, start, watcher, &mut ())
    }

    fn frozen(&self, t: f64, entries: &[f64]) -> Result<Box<dyn Frozen + '_>, Fault> {
        let mut state = self.state(entries);
        let mode = self.system.deviating(t, &mut state)?;
        Ok(Box::new(InMode { moving: self, mode }))
    }
}

/// A system in one mode.
struct InMode<'a, S: Observe> {
    moving: &'a Moving<S>,
    mode: S::Mode,
}

impl<S: Observe> Frozen for InMode<'_, S> {
    fn phases(&self) -> Vec<Phase> {
        (0..self.moving.contacts.len()).map(|contact| self.moving.system.phase(self.mode, contact)).collect()
    }

    fn columns(&self, t: f64, state: &[f64]) -> Vec<f64> {
        let mut columns = vec![0.0; self.moving.columns.len()];
        self.moving.system.observe(self.mode, t, &self.moving.state(state), &mut columns);
        columns
    }

    fn friction(&self, t: f64, state: &[f64]) -> Vec<Option<f64>> {
        let state = self.moving.state(state);
        (0..self.moving.contacts.len())
            .map(|contact| self.moving.system.friction(self.mode, contact, t, &state))
            .collect()
    }

    fn slopes(&self, t: f64, state: &[f64]) -> Result<Vec<f64>, Fault> {
        let (state, mut slopes) = (self.moving.state(state), self.moving.state(&[]));
        self.moving.system.rhs(self.mode, t, &state, &mut slopes)?;
        let rate = self.moving.system.time_rate(&slopes);
        Ok(slopes.as_slice().iter().map(|slope| slope / rate).collect())
    }

    fn jacobian(&self, t: f64, state: &[f64]) -> Result<Vec<f64>, Fault> {
        let (state, mut slopes) = (self.moving.state(state), self.moving.state(&[]));
        let mut jacobian = self.moving.system.jacobian(self.mode, t, &state)?;
        self.moving.system.rhs(self.mode, t, &state, &mut slopes)?;
        let rate = self.moving.system.time_rate(&slopes);
        jacobian.iter_mut().for_each(|entry| *entry /= rate);
        Ok(jacobian)
    }
}
