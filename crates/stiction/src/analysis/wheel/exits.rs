//! Motions past a two-fold: the equations allow all of them. A set of exits from the escaping region stands for what can
//! happen: how the motions spread (ensemble, tube), and whether they come back to the two-fold (return map).

use super::escaping::{Departure, EscapingRegion};
use super::itinerary::{EventKind, ExitSampled, ExitSide, Itinerary, ItineraryEvent, ItineraryRun, Path};
use crate::analysis::{AnalysisError, Cancelled, Progress};
use crate::keys::Key;
use crate::memory::{Memory, UNBOUNDED};
use crate::num::purpose::{Germ, Purpose};
use crate::system::filippov::{Phase, Side};
use crate::system::wheel::{CLOCK, Dynamics, State};
use rayon::prelude::*;
use serde::Serialize;

/// A grid of exits: middles of even cells in the fractions of the region's range of r and of ω, each to both sides.
///
/// # Errors
/// If there is no escaping region next to a two-fold.
pub fn grid(dynamics: &Dynamics, positions: usize, heights: usize) -> Result<Vec<Departure>, AnalysisError> {
    let region = EscapingRegion::next_to_two_fold(dynamics)?;
    let mut exits = Vec::with_capacity(2 * positions * heights);
    for i in 0..positions {
        for j in 0..heights {
            let fraction = |k: usize, count: usize| (k as f64 + 0.5) / count as f64;
            let (r, omega) = region.point(dynamics, fraction(i, positions), fraction(j, heights))?;
            for side in [Side::Plus, Side::Minus] {
                exits.push(Departure { r, omega, since: (0.0, 0.0), wait: 0.0, side });
            }
        }
    }
    Ok(exits)
}

/// Exits that are drawn: number i depends on the seed and i alone.
///
/// # Errors
/// If nothing of the region can be reached, if the equations cannot be solved, or on request.
pub fn sampled(
    dynamics: &Dynamics,
    how: ExitSampled,
    count: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Vec<Departure>, AnalysisError> {
    let region = EscapingRegion::next_to_two_fold(dynamics)?;
    progress.begin("exits", count as u64);
    (0..count as u64)
        .into_par_iter()
        .map(|index| {
            if progress.cancelled() {
                return Err(Cancelled.into());
            }
            let exit = region.draw(dynamics, how, &mut Germ::new(seed, index).stream(Purpose::EnsembleExit))?;
            progress.advance(1);
            Ok(exit)
        })
        .collect()
}

/// How a motion from an exit ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitOutcome {
    /// It came back to a two-fold.
    Returned,
    /// It did not, until this.
    Ended(EventKind),
    /// It stays at rest on the turntable.
    Locked,
    /// It could not be computed.
    Failed(String),
}

/// One row of a return map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Return {
    /// Displacement at the exit \[m\].
    pub r: f64,
    /// Speed of the disc at the exit [rad/s].
    pub omega: f64,
    /// The side.
    pub side: ExitSide,
    /// How it ended.
    pub outcome: ExitOutcome,
    /// τ from the exit to the end [s/(kg m²)].
    pub tau: f64,
    /// Time from the exit to the end \[s\].
    pub time: f64,
    /// Number of events.
    pub events: usize,
    /// Number of crossings of the switching surface.
    pub crossings: usize,
    /// Number of passages of the line of rest and arrivals on it.
    pub line_events: usize,
    /// Where it landed in stick: (r, ω).
    pub landings: Vec<(f64, f64)>,
}

impl Return {
    /// A motion that ended like this, from an exit.
    fn of(exit: &Departure, outcome: ExitOutcome) -> Self {
        let side = if exit.side == Side::Plus { ExitSide::Plus } else { ExitSide::Minus };
        let (tau, time, events, crossings, line_events) = (0.0, 0.0, 0, 0, 0);
        let (r, omega, landings) = (exit.r, exit.omega, Vec::new());
        Self { r, omega, side, outcome, tau, time, events, crossings, line_events, landings }
    }

    fn fill(&mut self, run: &ItineraryRun) {
        use EventKind::{Crossing, Escape, Landing, LineArrival, LinePass, TwoFold};
        self.events = run.events.len();
        self.crossings = run.events.iter().filter(|event| event.kind == Crossing).count();
        self.line_events = run.events.iter().filter(|event| matches!(event.kind, LineArrival | LinePass)).count();
        self.landings =
            run.events.iter().filter(|event| event.kind == Landing).map(|event| (event.r, event.omega)).collect();
        // time counts from the exit, which is the first event if the motion stays in the region for a while
        let exit = run.events.first().filter(|event| event.kind == Escape);
        let (tau, time) = exit.map_or((0.0, 0.0), |event| (event.tau, event.time));
        if let Some(event) = exit {
            (self.r, self.omega) = (event.r, event.omega);
        }
        let Some(last) = run.events.last() else { return };
        (self.tau, self.time) = (last.tau - tau, last.time - time);
        self.outcome = match last.kind {
            TwoFold => ExitOutcome::Returned,
            LineArrival | LinePass => ExitOutcome::Locked,
            kind => ExitOutcome::Ended(kind),
        };
    }
}

/// A motion from an exit: its path, what became of it, and what happened on the way.
pub(crate) type FromExit<P> = (P, Return, Vec<ItineraryEvent>);

/// Bytes of an event of a motion from an exit, and of its rows in tables.
const EVENT: u64 = 400;

/// Runs a motion from each exit until it comes back to a two-fold or the request ends it. The request's own start and exit do
/// not matter; realisation i of its draws belongs to exit i. `path` keeps points of each motion, as
/// finely as the key `step_key` with the value `step` says.
///
/// # Errors
/// On request, and if the motions do not fit into the memory: a motion that cannot be computed is a row with that outcome.
pub fn motions<P: Path + Send>(
    dynamics: &Dynamics,
    request: &Itinerary,
    exits: &[Departure],
    (path, step_key, step): (impl Fn() -> P + Sync, &str, f64),
    progress: &dyn Progress,
) -> Result<Vec<FromExit<P>>, AnalysisError> {
    progress.begin("motions", exits.len() as u64);
    let follow = |(index, exit): (usize, &Departure)| {
        if progress.cancelled() {
            return Err(Cancelled.into());
        }
        let realisation = request.realisation.wrapping_add(index as u64);
        let member = Itinerary { exit: None, realisation, ..request.clone() };
        let mut path = path();
        let mut row = Return::of(exit, ExitOutcome::Locked);
        let run = member.run_from_exit(dynamics, exit, &mut path);
        progress.advance(1);
        let memory = progress.memory();
        if path.is_full() {
            let known = format!("is {step}, but the points of the first {} of {} motions", index + 1, exits.len());
            return Err(memory.full(Key::study(step_key), &known, "give a larger one").into());
        }
        match run {
            Ok(run) => {
                progress.worked(run.effort);
                if !memory.keep(EVENT * run.events.len() as u64) {
                    let known = format!("is {}, but the events of the first {} motions", request.max_events, index + 1);
                    return Err(memory.full(Key::study("max_events"), &known, "give a smaller one").into());
                }
                row.fill(&run);
                Ok((path, row, run.events))
            }
            Err(error) => Ok((path, Return { outcome: ExitOutcome::Failed(error.to_string()), ..row }, Vec::new())),
        }
    };
    exits.par_iter().enumerate().map(follow).collect()
}

/// What becomes of motions past a two-fold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReturnMap {
    /// One row for each exit.
    pub rows: Vec<Return>,
    /// Share of the rows that came back [-].
    pub probability: f64,
    /// Quantiles of τ of those that came back: 0, 5, 25, 50, 75, 95, 100 %. None if none came back.
    pub tau_quantiles: Option<[f64; 7]>,
}

/// The return map of a set of exits.
///
/// # Errors
/// As [`motions`].
pub fn return_map(
    dynamics: &Dynamics,
    request: &Itinerary,
    exits: &[Departure],
    progress: &dyn Progress,
) -> Result<ReturnMap, AnalysisError> {
    let rows: Vec<Return> =
        motions(dynamics, request, exits, (|| (), "", 0.0), progress)?.into_iter().map(|(_, row, _)| row).collect();
    let mut returned: Vec<f64> =
        rows.iter().filter(|row| row.outcome == ExitOutcome::Returned).map(|row| row.tau).collect();
    returned.sort_by(f64::total_cmp);
    let probability = if rows.is_empty() { 0.0 } else { returned.len() as f64 / rows.len() as f64 };
    let quantile = |p: f64| {
        let place = p * (returned.len().saturating_sub(1)) as f64;
        let (low, high) = (place.floor() as usize, place.ceil() as usize);
        let value = |k: usize| returned.get(k).copied().unwrap_or_default();
        value(low) + (place - place.floor()) * (value(high) - value(low))
    };
    let tau_quantiles = (!returned.is_empty()).then(|| [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0].map(quantile));
    Ok(ReturnMap { rows, probability, tau_quantiles })
}

/// Keeps the state at even values of rescaled time τ.
#[derive(Debug, Clone)]
pub struct OnGrid<'m> {
    interval: f64,
    memory: &'m Memory<'m>,
    full: bool,
    /// The states (r, v, ω, τ, t) at multiples of the interval, from 0.
    pub states: Vec<State>,
    /// Their phases.
    pub phases: Vec<Phase>,
}

impl OnGrid<'static> {
    /// At multiples of `interval` > 0 [s/(kg m²)].
    pub fn new(interval: f64) -> Self {
        Self::within(interval, &UNBOUNDED)
    }
}

impl<'m> OnGrid<'m> {
    /// The same as long as the states fit into the memory.
    pub fn within(interval: f64, memory: &'m Memory<'m>) -> Self {
        Self { interval, memory, full: false, states: Vec::new(), phases: Vec::new() }
    }
}

/// Bytes of a state on the grid: here, among the rows of all motions, and in the table.
const STATE: u64 = 41 + 48 + 48;

impl Path for OnGrid<'_> {
    fn is_full(&self) -> bool {
        self.full
    }

    fn stretch(&mut self, phase: Phase, from: f64, to: f64, at: &dyn Fn(f64, &mut State)) {
        let mut y = [0.0; 5];
        at(to, &mut y);
        let last = y[CLOCK];
        // anything else would never leave the stretch
        while self.interval > 0.0 {
            let instant = self.states.len() as f64 * self.interval;
            self.full = self.full || (instant <= last && !self.memory.keep(STATE));
            if instant > last || self.full {
                return;
            }
            // the clock grows with the parameter: bisection to the last bits, sped up by linear interpolation
            let (mut low, mut high) = (from, to);
            let mut value = |parameter: f64| {
                at(parameter, &mut y);
                y[CLOCK] - instant
            };
            let found = crate::num::roots::root(low, high, &mut value).unwrap_or_else(|_| {
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if value(middle) < 0.0 { low = middle } else { high = middle }
                }
                high
            });
            at(found, &mut y);
            self.states.push(y);
            self.phases.push(phase);
        }
    }
}

/// The motions from a set of exits on a common grid of instants.
#[derive(Debug, Clone, PartialEq)]
pub struct Ensemble {
    /// States (r, v, ω, τ, t) of each member at the multiples of the interval, until it ends.
    pub members: Vec<Vec<State>>,
    /// How each member ended.
    pub outcomes: Vec<ExitOutcome>,
    /// The tube: for each instant the members that still move, and the smallest and largest r, v, ω of them.
    pub tube: Vec<Envelope>,
}

/// What an ensemble covers at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Envelope {
    /// The instant τ [s/(kg m²)].
    pub at: f64,
    /// Members that still move.
    pub members: usize,
    /// Smallest r \[m\], v [m/s], ω [rad/s].
    pub lowest: [f64; 3],
    /// Largest of them.
    pub highest: [f64; 3],
}

/// Runs a motion from each exit and keeps all of them on a grid.
///
/// # Errors
/// If the interval is not positive, or on request: a motion that cannot be computed is a member that ends.
pub fn ensemble(
    dynamics: &Dynamics,
    request: &Itinerary,
    exits: &[Departure],
    interval: f64,
    progress: &dyn Progress,
) -> Result<Ensemble, AnalysisError> {
    if !(interval.is_finite() && interval > 0.0) {
        return Err(AnalysisError::question("interval", format!("is {interval}, but must be > 0")));
    }
    let memory = progress.memory();
    let runs =
        motions(dynamics, request, exits, (|| OnGrid::within(interval, memory), "interval", interval), progress)?;
    let (members, outcomes): (Vec<_>, Vec<_>) =
        runs.into_iter().map(|(path, row, _)| (path.states, row.outcome)).unzip();
    let longest = members.iter().map(Vec::len).max().unwrap_or(0);
    let tube = (0..longest)
        .map(|k| {
            let here = members.iter().filter_map(|member| member.get(k));
            let mut envelope = Envelope {
                at: k as f64 * interval,
                members: 0,
                lowest: [f64::INFINITY; 3],
                highest: [f64::NEG_INFINITY; 3],
            };
            for y in here {
                envelope.members += 1;
                for (i, y) in y.iter().enumerate().take(3) {
                    envelope.lowest[i] = envelope.lowest[i].min(*y);
                    envelope.highest[i] = envelope.highest[i].max(*y);
                }
            }
            envelope
        })
        .collect();
    Ok(Ensemble { members, outcomes, tube })
}
