//! The motion of any mechanism from its start.

use super::field::Map;
use super::spring_block::BlockMotion;
use super::{AnySystem, ClosedForm, Context, Offer, Study, StudyError};
use crate::dataset::{Outcome, Table, Value, number};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use stiction::analysis::trajectory::{Request, Trajectory as Found, state_with, trajectory};
use stiction::analysis::{AnalysisError, Cancelled};
use stiction::field::Germ;
use stiction::integrate::MethodName;
use stiction::mechanism::Horizon;
use stiction::record::{Column, Motion};

/// The motion from its start: samples, changes of phase, shares of stick, extremes, balance of energy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trajectory {
    /// How long the motion is followed \[s\], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Number of evenly spaced samples in the table; events are added to them.
    #[serde(default = "samples")]
    #[schemars(range(min = 2, max = 10_000_000))]
    pub samples: usize,
    /// Instants at which every column is reported, as lists \[s\].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sample_times: Vec<f64>,
    /// Coordinates and velocities that replace those of the declared start, by their columns: `{ displacement = 0.1 }`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start: BTreeMap<String, f64>,
    /// Number of the realisation, where the friction coefficient is a random field.
    #[serde(default, skip_serializing_if = "is_first")]
    pub realisation: u64,
}

fn samples() -> usize {
    2001
}

fn is_first(realisation: &u64) -> bool {
    *realisation == 0
}

/// Missing energy, relative to the largest term [-], above which the motion is reported as inaccurate.
const LARGEST_RESIDUAL: f64 = 1e-3;

/// Most typical times of a mechanism that a motion may last.
const MOST_TIMES: f64 = 6.3e7;

/// Bytes of an event, about, for an estimate.
const EVENT_BYTES: f64 = 1500.0;

impl Study for Trajectory {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let system = context.system;
        let region = system.region();
        let map = match &region {
            Some((model, _)) => Map::of(model, system.name(), context.progress)?,
            None => Map::none(),
        };
        let stop = || context.progress.cancelled();
        let plan = system.prepare(&Horizon { duration: self.duration, map: map.surface(), stop: &stop });
        let plan = plan.map_err(|fault| if stop() { AnalysisError::from(Cancelled) } else { fault.into() })?;
        let motion = plan.given(Germ::new(context.seed, self.realisation));
        let motion = motion.map_err(AnalysisError::from)?;
        self.check_duration(motion.as_ref(), context.progress.memory().limit())?;
        let start = self.start(motion.as_ref())?;
        let mut outcome = Outcome::default();
        outcome.warnings.extend(plan.warnings());
        let request = self.request();
        request.check()?;
        let found = match system {
            AnySystem::SpringBlock(block) => {
                let special = BlockMotion { block, request: &request, start: start.as_deref() };
                special.run(&mut outcome, context)?
            }
            _ => {
                let found = trajectory(motion.as_ref(), &request, start.as_deref(), &context.solver, context.progress);
                found?
            }
        };
        self.report(&mut outcome, motion.as_ref(), &found);
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        Some(match system {
            AnySystem::SpringBlock(_) => return super::spring_block::motions(system),
            AnySystem::BeltDisc(disc) => {
                let explicit = Offer::explicit(if disc.field.constant.is_none() {
                    ClosedForm::Nothing
                } else if disc.is_closed_form() && self.start.is_empty() {
                    ClosedForm::Everything
                } else {
                    ClosedForm::Phases
                });
                let defaults = Offer::belt(ClosedForm::Nothing).defaults;
                let methods = &[MethodName::Dopri5, MethodName::Dop853, MethodName::Rk4];
                Offer { methods, defaults, ..explicit }
            }
            AnySystem::TwoDisc(discs) => Offer::stiff(discs, 1e-6),
            AnySystem::Wheel(_) => Offer::wheel(),
            AnySystem::Assembly(_) | AnySystem::CrankSlider(_) | AnySystem::PlanarSliding(_) => {
                Offer::explicit(ClosedForm::Nothing)
            }
        })
    }
}

impl Trajectory {
    fn request(&self) -> Request {
        Request { duration: self.duration, samples: self.samples, sample_times: self.sample_times.clone() }
    }

    fn start(&self, motion: &dyn Motion) -> Result<Option<Vec<f64>>, StudyError> {
        if self.start.is_empty() {
            return Ok(None);
        }
        let values: Vec<(String, f64)> = self.start.iter().map(|(name, value)| (name.clone(), *value)).collect();
        Ok(Some(state_with(motion, &values, "start")?))
    }

    /// Refuses a duration \[s\] that no computer lives to see, and recommends one whose events fit into the memory \[bytes\] where
    /// every typical period has two.
    fn check_duration(&self, motion: &dyn Motion, memory: u64) -> Result<(), StudyError> {
        let (_, unit) = motion.typical();
        let times = self.duration / unit;
        if times <= MOST_TIMES {
            return Ok(());
        }
        let message = format!(
            "{:e} s are {times:e} times the typical time of this mechanism, {unit:e} s; at most {MOST_TIMES:e} can be followed: \
             shorten it to {:e} s",
            self.duration,
            MOST_TIMES.min(memory as f64 / EVENT_BYTES * std::f64::consts::PI) * unit
        );
        Err(StudyError::unsuitable("study.trajectory.duration", message))
    }

    fn report(&self, outcome: &mut Outcome, motion: &dyn Motion, found: &Found) {
        let entries = &motion.columns()[..motion.entries()];
        for (column, value) in entries.iter().zip(&found.end.columns) {
            outcome.push(&format!("final_{}", column.name), column.unit, *value);
        }
        for (k, column) in entries.iter().enumerate() {
            outcome.push(&format!("largest_{}", column.name), column.unit, found.extremes.max.get(k).copied());
            outcome.push(&format!("smallest_{}", column.name), column.unit, found.extremes.min.get(k).copied());
        }
        for (contact, share) in motion.contacts().iter().zip(found.events.stick_shares()) {
            outcome.push(&format!("stick_share_{contact}"), "", share);
        }
        outcome.push("energy_residual_relative", "", found.balance.residual());
        if let Some(residual) = found.balance.residual().filter(|residual| *residual > LARGEST_RESIDUAL) {
            outcome.warnings.push(format!(
                "energy_residual_relative is {}: the motion loses or gains energy that nothing supplies or takes, so its last digits \
                 are wrong; tighten solver.relative_tolerance",
                number(residual)
            ));
        }
        outcome.push("end_time", "s", found.end.time);
        if !self.sample_times.is_empty() {
            for (k, column) in motion.columns().iter().enumerate() {
                let value = |row: &Option<Vec<f64>>| row.as_ref().and_then(|row| row.get(k).copied()).into();
                let list = Value::List(found.at_times.iter().map(value).collect());
                outcome.push(&column.name, column.unit, list);
            }
        }
        if let Some(reason) = &found.end.reason {
            outcome.warnings.push(format!("the motion ends at {} s: {reason}", number(found.end.time)));
        }
        for change in &found.events.changes {
            let contact: &str = motion.contacts().get(change.contact).map_or("", |name| name);
            let mut event: Vec<(String, Value)> = vec![
                ("time".to_owned(), change.time.into()),
                ("kind".to_owned(), change.kind().into()),
                ("contact".to_owned(), contact.into()),
                ("from".to_owned(), change.from.name().into()),
                ("to".to_owned(), change.to.name().into()),
            ];
            let columns = entries.iter().zip(&change.columns);
            event.extend(columns.map(|(column, value)| (column.name.to_string(), (*value).into())));
            outcome.events.push(event);
        }
        outcome.tables.insert(0, motion_table(motion, found));
    }
}

/// Samples and changes of phase in order of time.
fn motion_table(motion: &dyn Motion, found: &Found) -> Table {
    let samples = &found.samples;
    let changes = &found.events.changes;
    // the rows: a sample, or a change of phase
    let mut rows: Vec<(f64, Result<usize, usize>)> =
        samples.times.iter().copied().enumerate().map(|(k, t)| (t, Ok(k))).collect();
    rows.extend(changes.iter().enumerate().map(|(k, change)| (change.time, Err(k))));
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut table = Table::new(
        "trajectory",
        "the motion: evenly spaced samples, and the changes of phase between them",
    )
    .numbers("time", "s", "time t", rows.iter().map(|(time, _)| *time).collect());
    for (k, Column { name, unit, label, .. }) in motion.columns().iter().enumerate() {
        let value = |row: &(f64, Result<usize, usize>)| match row.1 {
            Ok(sample) => samples.columns[k][sample],
            Err(change) => changes[change].columns[k],
        };
        table = table.numbers(name, unit, label, rows.iter().map(value).collect());
    }
    for (contact, name) in motion.contacts().iter().enumerate() {
        let mut phase = samples.phases[contact].first().map_or("", |phase| phase.name());
        let mut words = Vec::with_capacity(rows.len());
        for (_, row) in &rows {
            phase = match row {
                Ok(sample) => samples.phases[contact][*sample].name(),
                Err(change) if changes[*change].contact == contact => changes[*change].to.name(),
                Err(_) => phase,
            };
            words.push(phase.to_owned());
        }
        table = table.words(&format!("phase_{name}"), "phase", words);
    }
    let kind = |row: &(f64, Result<usize, usize>)| match row.1 {
        Ok(_) => "sample".to_owned(),
        Err(change) => changes[change].kind().to_owned(),
    };
    table.words("row", "sample or event", rows.iter().map(kind).collect())
}
