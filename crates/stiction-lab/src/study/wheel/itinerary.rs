//! One motion of the wheel by its events.

use super::{Itinerary, check, column, dynamics, push_policies, value, words, wrong};
use crate::dataset::{Outcome, Table, Value};
use crate::study::{Context, Study, StudyError};
use stiction::analysis::wheel::itinerary::{Certificate, Event, EventKind, ModeName};
use stiction::analysis::wheel::surface::Trace;
use stiction::system::filippov::Phase;
use stiction::system::wheel::{Dynamics, State};

/// Points of the table of the path, about.
const POINTS: f64 = 4000.0;

impl Study for Itinerary {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let dynamics = dynamics(context)?;
        // the seed of the scenario, unless the study has one of its own
        let seed = if self.seed == 0 { context.seed } else { self.seed };
        let request = Itinerary { seed, ..self.clone() };
        check("itinerary", &request)?;
        let mut outcome = Outcome::default();
        context.progress.begin("motion", 1);
        let run = request.run(&dynamics).map_err(|error| wrong("itinerary", error))?;
        // the path is spaced by the length of the run, which is known only now; the same run again gives the same motion
        let length = run.events.last().map_or(0.0, |event| event.tau);
        let mut trace = Trace { spacing: length / POINTS, points: Vec::new() };
        request.run_along(&dynamics, &mut trace).map_err(|error| wrong("itinerary", error))?;
        context.progress.advance(1);

        outcome.push("start", "", value(&run.start));
        let last = run.events.last();
        outcome.push("end", "", last.map_or(Value::Missing, |event| value(&event.kind)));
        outcome.push("end_tau", "s/(kg m²)", last.map(|event| event.tau));
        outcome.push("end_time", "s", last.map(|event| event.time));
        outcome.push("event_count", "", run.events.len());
        let count = |kind: EventKind| run.events.iter().filter(|event| event.kind == kind).count();
        outcome.push("crossings", "", count(EventKind::Crossing));
        outcome.push("landings", "", count(EventKind::Landing));
        outcome.push("line_passes", "", count(EventKind::LinePass));
        outcome.push("line_arrivals", "", count(EventKind::LineArrival));
        outcome.push("two_folds", "", count(EventKind::TwoFold));
        let fold = run.two_fold();
        outcome.push("two_fold_tau", "s/(kg m²)", fold.map(|event| event.tau));
        outcome.push("two_fold_time", "s", fold.map(|event| event.time));
        let certificate = fold.and_then(|event| event.certificate.as_deref());
        outcome.push("two_fold_case", "", certificate.and_then(|found| found.case).map(usize::from));
        outcome.push("two_fold_force", "N", certificate.map(|found| found.limit_force));
        push_windings(&mut outcome, &dynamics, &run.events);
        if let Some(certificate) = certificate {
            push_approach(&mut outcome, certificate, &trace);
        }
        push_policies(&mut outcome, &request);
        outcome.push("realisation", "", value(&request.realisation));
        outcome.events = run.events.iter().map(event).collect();
        outcome.warnings.extend(run.warnings.iter().cloned());
        outcome.tables.push(path_table(&dynamics, &trace.points));
        outcome.tables.push(event_table(&run.events));
        Ok(outcome)
    }
}

/// How the windings around the line of rest change from the first crossing to the last one.
fn push_windings(outcome: &mut Outcome, dynamics: &Dynamics, events: &[Event]) {
    let crossings: Vec<&Event> = events.iter().filter(|event| event.kind == EventKind::Crossing).collect();
    let ends = crossings.first().zip(crossings.last()).filter(|_| crossings.len() > 1);
    let width = |event: &Event| (event.omega - dynamics.omega0).abs();
    let growth = ends.map(|(first, last)| width(last) / width(first)).filter(|growth| growth.is_finite());
    outcome.push("winding_growth", "", growth);
    outcome.push("winding_drift", "m", ends.map(|(first, last)| last.r - first.r));
}

/// Half width of the box around a two-fold that counts as its vicinity, in m, m/s and rad/s.
const VICINITY: f64 = 0.01;

/// For how long the motion was near its two-fold, and L₊/L₋ on arrival over that of the weak eigenvector: 1 where it comes along it.
fn push_approach(outcome: &mut Outcome, fold: &Certificate, trace: &Trace) {
    let near = |(_, y): &&(Phase, State)| y.iter().zip(fold.two_fold).all(|(y, at)| (y - at).abs() < VICINITY);
    let count = trace.points.iter().filter(near).count();
    outcome.push("two_fold_vicinity_tau", "s/(kg m²)", count as f64 * trace.spacing);
    let approach = fold.lie_plus / fold.lie_minus / fold.weak_direction;
    outcome.push("two_fold_approach", "", approach.is_finite().then_some(approach));
}

/// An event by the names of its parts.
fn event(event: &Event) -> Vec<(String, Value)> {
    match value(event) {
        Value::Record(parts) => parts,
        _ => Vec::new(),
    }
}

/// The path of a motion.
pub(super) fn path_table(dynamics: &Dynamics, points: &[(Phase, State)]) -> Table {
    let at = |of: fn(&State) -> f64| column(points, |(_, y)| of(y));
    Table::new("path", "the motion, one row a point")
        .numbers("tau", "s/(kg m²)", "rescaled time τ", at(|y| y[3]))
        .numbers("time", "s", "time t", at(|y| y[4]))
        .numbers("r", "m", "displacement r", at(|y| y[0]))
        .numbers("v", "m/s", "speed of the slider v", at(|y| y[1]))
        .numbers("omega", "rad/s", "speed of the disc ω", at(|y| y[2]))
        .numbers("h", "m/s", "lateral sliding velocity h", column(points, |(_, y)| dynamics.h(y[0], y[1], y[2])))
        .numbers("g", "m/s", "rolling velocity g", column(points, |(_, y)| dynamics.g(y[0], y[1], y[2])))
        .words("mode", "mode", words(points, |(phase, _)| mode(*phase)))
}

/// A mode in words for pictures.
pub(super) fn mode(phase: Phase) -> String {
    phase.name().replace('_', " ")
}

fn event_table(events: &[Event]) -> Table {
    let name = |mode: ModeName| super::word(&mode);
    Table::new("events", "what happened, in order")
        .words("kind", "event", words(events, |event| super::word(&event.kind)))
        .numbers("tau", "s/(kg m²)", "rescaled time τ", column(events, |event| event.tau))
        .numbers("time", "s", "time t", column(events, |event| event.time))
        .numbers("r", "m", "displacement r", column(events, |event| event.r))
        .numbers("v", "m/s", "speed of the slider v", column(events, |event| event.v))
        .numbers("omega", "rad/s", "speed of the disc ω", column(events, |event| event.omega))
        .words("mode_before", "mode before", words(events, |event| name(event.mode_before)))
        .words("mode_after", "mode after", words(events, |event| name(event.mode_after)))
}
