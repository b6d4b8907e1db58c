//! One motion of the wheel by its events.

use super::{Itinerary, column, dynamics, push_policies, value, with_state, words};
use crate::dataset::{Outcome, Table, Value};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use stiction::analysis::Pace;
use stiction::analysis::wheel::exits::OnGrid;
use stiction::analysis::wheel::itinerary::{EventKind, ItineraryEvent, ModeName, Path};
use stiction::analysis::wheel::surface::surface_point;
use stiction::keys::Key;
use stiction::memory::Need;
use stiction::system::filippov::Phase;
use stiction::system::wheel::{CLOCK, Dynamics, State};

impl Study for Itinerary {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let dynamics = dynamics(context)?;
        let request = Itinerary { seed: context.seed, solver: context.solver, ..self.clone() };
        request.check()?;
        let mut outcome = Outcome::default();
        let end = request.duration_tau.unwrap_or(f64::INFINITY);
        let run =
            request.run_along(&dynamics, &mut Paced { pace: Pace::of(context.progress, 0.0, end), path: &mut () })?;
        context.progress.worked(run.effort);
        let fold = run.two_fold();
        let certificate = fold.and_then(|event| event.certificate.as_deref());
        // the spacing is known only now; the same run again gives the same motion
        let length = run.events.last().map_or(0.0, |event| event.tau);
        let mut samples = OnGrid::new(length / (request.samples.max(2) - 1) as f64);
        let pace = Pace::of(context.progress, 0.0, length);
        request.run_along(&dynamics, &mut Paced { pace, path: &mut samples })?;

        outcome.push("start", "", value(&run.start));
        let last = run.events.last();
        outcome.push("end", "", last.map_or(Value::Missing, |event| value(&event.kind)));
        outcome.push("end_tau", "s/(kg m²)", last.map(|event| event.tau));
        outcome.push("end_time", "s", last.map(|event| event.time));
        outcome.push("event_count", "", run.events.len());
        outcome.push("two_fold_tau", "s/(kg m²)", fold.map(|event| event.tau));
        outcome.push("two_fold_time", "s", fold.map(|event| event.time));
        outcome.push("two_fold_case", "", certificate.and_then(|found| found.case).map(usize::from));
        outcome.push("two_fold_force", "N", certificate.map(|found| found.limit_force));
        if let Some(certificate) = certificate {
            // L₊/L₋ on arrival over that of the weak eigenvector: 1 where the motion comes along it
            let approach = certificate.lie_plus / certificate.lie_minus / certificate.weak_direction;
            outcome.push("two_fold_approach", "", approach.is_finite().then_some(approach));
        }
        push_policies(&mut outcome, &request, &dynamics);
        outcome.events = run.events.iter().map(event).collect();
        outcome.warnings.extend(run.warnings.iter().cloned());
        outcome.tables.push(path_table(&dynamics, &path_rows(&dynamics, &samples, &run.events)));
        outcome.tables.push(event_table(&run.events));
        outcome.tables.push(pass_table(&run.events));
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::wheel())
    }

    fn needs(&self) -> Vec<Need> {
        let [samples, events] = [self.samples, self.max_events].map(|count| count as f64);
        vec![
            Need::new(Key::study("samples"), samples, samples, "samples", 360.0),
            Need::new(Key::study("max_events"), events, events, "events", 2400.0),
        ]
    }
}

/// A path, and how far it is.
struct Paced<'a> {
    pace: Pace<'a>,
    path: &'a mut dyn Path,
}

impl Path for Paced<'_> {
    fn stretch(&mut self, phase: Phase, from: f64, to: f64, at: &dyn Fn(f64, &mut State)) {
        self.path.stretch(phase, from, to, at);
        let mut end = [0.0; 5];
        at(to, &mut end);
        // a path cannot end the run: what the user wishes is seen when the motion is over
        let _ = self.pace.beat(end[CLOCK]);
    }
}

/// An event by the names of its parts.
fn event(event: &ItineraryEvent) -> Vec<(String, Value)> {
    match value(event) {
        Value::Record(parts) => parts,
        _ => Vec::new(),
    }
}

/// A row of the path: what it is, its mode, its state, and the lateral friction force \[N\].
struct PathRow {
    row: String,
    mode: ModeName,
    state: State,
    force: f64,
}

/// Samples and events in order of time. An event has two rows, the end of the mode before and the start of the mode after,
/// so that a picture shows both modes up to it.
fn path_rows(dynamics: &Dynamics, samples: &OnGrid, events: &[ItineraryEvent]) -> Vec<PathRow> {
    let made = |row: &str, mode: ModeName, state: State| {
        let force = friction_force(dynamics, mode, &state);
        PathRow { row: row.to_owned(), mode, state, force }
    };
    let sampled = samples.states.iter().zip(&samples.phases);
    let sampled = sampled.map(|(state, phase)| made("sample", ModeName::from(*phase), *state));
    let happened = events.iter().flat_map(|event| {
        let (kind, state) = (super::word(&event.kind), [event.r, event.v, event.omega, event.tau, event.time]);
        let modes = [event.mode_before, event.mode_after].into_iter().filter(|mode| *mode != ModeName::Stopped);
        modes.map(move |mode| made(&kind, mode, state)).collect::<Vec<_>>()
    });
    let mut rows: Vec<PathRow> = sampled.chain(happened).collect();
    rows.sort_by(|a, b| a.state[CLOCK].total_cmp(&b.state[CLOCK]));
    rows
}

/// The lateral friction force \[N\]; none where the wheel is locked, because it is not determined there.
fn friction_force(dynamics: &Dynamics, mode: ModeName, [r, v, omega, ..]: &State) -> f64 {
    let slip = |side: f64| {
        let (h, g) = (dynamics.h(*r, *v, *omega), dynamics.g(*r, *v, *omega));
        dynamics.slip_friction(side, if g < 0.0 { -1.0 } else { 1.0 }, h, g).force
    };
    match mode {
        ModeName::SlipPlus => slip(1.0),
        ModeName::SlipMinus => slip(-1.0),
        ModeName::Sliding | ModeName::Escaping => {
            surface_point(dynamics, *r, *omega).ok().and_then(|point| point.lambda).unwrap_or(f64::NAN)
        }
        ModeName::Locked | ModeName::Stopped => f64::NAN,
    }
}

/// The path of a motion.
fn path_table(dynamics: &Dynamics, rows: &[PathRow]) -> Table {
    let at = |of: fn(&State) -> f64| column(rows, |row| of(&row.state));
    let of_state = |of: &dyn Fn(f64, f64, f64) -> f64| column(rows, |row| of(row.state[0], row.state[1], row.state[2]));
    let table = Table::new("path", "the motion: evenly spaced samples, and two rows for each event between them")
        .numbers("tau", "s/(kg m²)", "rescaled time τ", at(|y| y[3]))
        .numbers("time", "s", "time t", at(|y| y[4]));
    with_state(table, rows, |row| [row.state[0], row.state[1], row.state[2]])
        .numbers("h", "m/s", "lateral sliding velocity h", of_state(&|r, v, omega| dynamics.h(r, v, omega)))
        .numbers("g", "m/s", "rolling velocity g", of_state(&|r, v, omega| dynamics.g(r, v, omega)))
        .numbers(
            "sliding_speed",
            "m/s",
            "lateral sliding speed |h|",
            of_state(&|r, v, omega| dynamics.h(r, v, omega).abs()),
        )
        .numbers("friction_force", "N", "lateral friction force", column(rows, |row| row.force))
        .words("mode", "mode", words(rows, |row| super::word(&row.mode).replace('_', " ")))
        .words("row", "sample or event", words(rows, |row| row.row.clone()))
}

/// A mode in words for pictures.
pub(super) fn mode(phase: Phase) -> String {
    phase.name().replace('_', " ")
}

fn event_table(events: &[ItineraryEvent]) -> Table {
    let name = |mode: ModeName| super::word(&mode);
    let table = Table::new("events", "what happened, in order")
        .words("kind", "event", words(events, |event| super::word(&event.kind)))
        .numbers("tau", "s/(kg m²)", "rescaled time τ", column(events, |event| event.tau))
        .numbers("time", "s", "time t", column(events, |event| event.time));
    with_state(table, events, |event| [event.r, event.v, event.omega])
        .words("mode_before", "mode before", words(events, |event| name(event.mode_before)))
        .words("mode_after", "mode after", words(events, |event| name(event.mode_after)))
}

/// A passage of a two-fold: its number and time, where and when the escaping region was left, and the time until the next one.
struct Pass<'a> {
    at: &'a ItineraryEvent,
    exit: &'a ItineraryEvent,
    return_tau: f64,
}

/// The passages of two-folds that were left again.
fn passes(events: &[ItineraryEvent]) -> Vec<Pass<'_>> {
    let is_fold = |event: &&ItineraryEvent| event.kind == EventKind::TwoFold;
    let after = |index: usize| events.get(index + 1..).unwrap_or_default().iter();
    let found = events.iter().enumerate().filter(|(_, event)| is_fold(event)).filter_map(|(index, at)| {
        let exit = after(index).next().filter(|event| event.kind == EventKind::Escape)?;
        let next = after(index).find(is_fold);
        Some(Pass { at, exit, return_tau: next.map_or(f64::NAN, |next| next.tau - at.tau) })
    });
    found.collect()
}

fn pass_table(events: &[ItineraryEvent]) -> Table {
    let passes = passes(events);
    let table = Table::new("passes", "passages of two-folds: how each was left, and when the motion was back")
        .integers("pass", "passage", (1..=passes.len() as i64).collect())
        .numbers("tau", "s/(kg m²)", "rescaled time τ", column(&passes, |pass| pass.at.tau))
        .numbers("escape_tau", "s/(kg m²)", "τ of the exit", column(&passes, |pass| pass.exit.tau))
        .numbers("return_tau", "s/(kg m²)", "τ until the return", column(&passes, |pass| pass.return_tau))
        .words("side", "side", words(&passes, |pass| super::word(&pass.exit.mode_after)));
    with_state(table, &passes, |pass| [pass.exit.r, pass.exit.v, pass.exit.omega])
}
