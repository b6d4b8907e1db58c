//! The motion of anything from its start: samples, events, extremes, balance of energy.

use super::{AnalysisError, Pace, Progress};
use crate::integrate::{Flow, Solver, Span};
use crate::keys::Key;
use crate::memory::{Growth, Need, WORD};
use crate::record::{End, EnergyBalance, EventView, Events, Motion, Samples, StretchView, Watcher, Window};

/// What is asked of a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// How long it is followed \[s\].
    pub duration: f64,
    /// Number of evenly spaced samples.
    pub samples: usize,
    /// Further instants at which columns are wanted \[s\].
    pub sample_times: Vec<f64>,
}

impl Request {
    /// What is wrong with it.
    ///
    /// # Errors
    /// The key at fault, and what to do.
    pub fn check(&self) -> Result<(), AnalysisError> {
        if !(self.duration.is_finite() && self.duration > 0.0) {
            let message = format!("is {} s, but must be a finite number > 0", self.duration);
            return Err(AnalysisError::question("duration", message));
        }
        let wrong = self.sample_times.iter().find(|time| !(0.0..=self.duration).contains(*time));
        if let Some(time) = wrong {
            let message = format!("has {time} s, but the motion lasts from 0 to {} s", self.duration);
            return Err(AnalysisError::question("sample_times", message));
        }
        Ok(())
    }
}

/// What a motion gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    /// Where it stands at the end.
    pub end: End,
    /// The evenly spaced samples.
    pub samples: Samples,
    /// The samples at the instants that were asked for, in their order; what lies beyond an early end is missing.
    pub at_times: Vec<Option<Vec<f64>>>,
    /// Changes of phase, and the time that each contact stuck.
    pub events: Events,
    /// Extremes of coordinates and velocities.
    pub extremes: Window,
    /// The balance of energy.
    pub balance: EnergyBalance,
}

/// Follows a motion from `start`, or from its declared start.
///
/// # Errors
/// A request that makes no sense; motions that the solver cannot follow; `Cancelled` if the user interrupts.
pub fn trajectory(
    motion: &dyn Motion,
    request: &Request,
    start: Option<&[f64]>,
    solver: &Solver,
    progress: &dyn Progress,
) -> Result<Trajectory, AnalysisError> {
    request.check()?;
    let mut recording = Recording::of(motion, request, progress)?;
    let end = motion.follow(solver, Span::until(request.duration), start, &mut recording)?;
    progress.worked(end.effort);
    recording.finish(end, request)
}

/// The state of a motion with the values of some columns replaced.
///
/// # Errors
/// A name that is not a coordinate or velocity, or a value that is not finite; `key` is where the user said so.
pub fn state_with(motion: &dyn Motion, values: &[(String, f64)], key: &str) -> Result<Vec<f64>, AnalysisError> {
    let mut state = motion.start();
    for (name, value) in values {
        let key = format!("{key}.{name}");
        let column = motion.columns().iter().find(|column| column.name == name.as_str());
        let Some((index, sign)) = column.and_then(|column| column.entry()) else {
            let known: Vec<&str> =
                motion.columns().iter().filter(|column| column.entry().is_some()).map(|column| &*column.name).collect();
            let message = format!("is not a coordinate or velocity of this mechanism; these are: {}", known.join(", "));
            return Err(AnalysisError::question(key, message));
        };
        if !value.is_finite() {
            return Err(AnalysisError::question(key, format!("is {value}, but must be a finite number")));
        }
        if let Some(entry) = state.get_mut(index) {
            *entry = sign * value;
        }
    }
    Ok(state)
}

/// Watches a motion for [`trajectory()`]; a caller with a concrete system may show it the motion beside sinks of its own.
pub struct Recording<'p> {
    samples: Samples,
    asked: Samples,
    events: Events,
    extremes: Window,
    balance: EnergyBalance,
    pace: Pace<'p>,
    /// Bytes of a change of phase: the change, its row of the table, and its entry in the list of events.
    change_bytes: u64,
    growth: Growth<'p>,
}

/// Bytes of an event in the lists of those who look at the motion beside the recording.
const EVENT_BYTES: u64 = 128;

impl<'p> Recording<'p> {
    /// Watches `motion` for a request.
    ///
    /// # Errors
    /// If the samples do not fit into the memory.
    pub fn of(motion: &dyn Motion, request: &Request, progress: &'p dyn Progress) -> Result<Self, AnalysisError> {
        let (columns, contacts) = (motion.columns().len(), motion.contacts().len());
        // here and in the table: numbers twice, phases and kind of the row as words
        let row = (16 * (columns + 2)) as f64 + WORD * (contacts + 1) as f64;
        let count = request.samples as f64;
        progress.memory().admit(&Need::new(Key::study("samples"), count, count, "samples", row))?;
        let change_bytes = row as u64 + (80 + 8 * columns + 96 * (5 + motion.entries())) as u64;
        let mut times = request.sample_times.clone();
        times.sort_by(f64::total_cmp);
        Ok(Self {
            // what they take is counted by the memory of the run
            samples: Samples::within(
                u64::MAX,
                Samples::even(0.0, request.duration, request.samples),
                columns,
                contacts,
            ),
            asked: Samples::within(u64::MAX, times, columns, contacts),
            events: Events::of(motion).within(u64::MAX),
            extremes: Window::new(0.0, request.duration, motion.entries()),
            balance: EnergyBalance::new(motion.typical().1),
            pace: Pace::of(progress, 0.0, request.duration),
            change_bytes,
            growth: Growth::over(request.duration, progress.memory()),
        })
    }

    /// What was seen, once the motion is at its `end`.
    ///
    /// # Errors
    /// `Cancelled` if the user interrupted; what happened if that did not fit into the memory.
    pub fn finish(mut self, end: End, request: &Request) -> Result<Trajectory, AnalysisError> {
        self.pace.proceed()?;
        self.growth.check(Key::study("duration"), "events")?;
        self.samples.close(&end);
        self.asked.close(&end);
        // a motion that cannot start has its first state only
        if self.extremes.max.iter().any(|value| !value.is_finite()) {
            self.extremes.widen(&end.columns);
        }
        let asked = |time: &f64| {
            // the first of equal instants, in ascending order
            let row = self.asked.times.partition_point(|known| known < time);
            self.asked.times.get(row).filter(|known| *known == time)?;
            Some(self.asked.columns.iter().map(|column| column[row]).collect())
        };
        let at_times = request.sample_times.iter().map(asked).collect();
        let Self { samples, events, extremes, balance, .. } = self;
        Ok(Trajectory { end, samples, at_times, events, extremes, balance })
    }
}

impl Watcher for Recording<'_> {
    fn stretch(&mut self, stretch: &StretchView<'_>) -> Flow {
        self.samples.stretch(stretch);
        self.asked.stretch(stretch);
        self.events.stretch(stretch);
        self.extremes.stretch(stretch);
        self.balance.stretch(stretch);
        self.pace.beat(stretch.to)
    }

    fn event(&mut self, event: &EventView<'_>) -> Flow {
        let before = self.events.changes.len();
        self.events.event(event);
        let changes = (self.events.changes.len() - before) as u64;
        let bytes = EVENT_BYTES + changes * self.change_bytes;
        if self.growth.keep(1, bytes, event.time) { Flow::Continue } else { Flow::Stop }
    }
}
