//! The motion from its start, and the cycle that it settles on.

use crate::dataset::{Outcome, Table, Value};
use crate::study::{Context, StudyError};
use stiction::analysis::AnalysisError;
use stiction::analysis::spring_block::{ContactChange, Cycle, History};
use stiction::analysis::trajectory::{Recording, Request, Trajectory};
use stiction::integrate::{Solver, Span};
use stiction::record::{End, Moving, Phase};
use stiction::system::spring_block::Mode;
use stiction::system::{SpringBlock, System};

/// A motion of a block, and what is special about it.
pub(in crate::study) struct BlockMotion<'a> {
    pub(in crate::study) block: &'a SpringBlock,
    pub(in crate::study) request: &'a Request,
    pub(in crate::study) start: Option<&'a [f64]>,
}

impl BlockMotion<'_> {
    /// Follows it and reports the cycle that it settles on.
    pub(in crate::study) fn run(&self, outcome: &mut Outcome, context: &Context<'_>) -> Result<Trajectory, StudyError> {
        let (block, duration) = (self.block, self.request.duration);
        let moving = Moving::of(block.clone());
        let mut recording = Recording::of(&moving, self.request, context.progress)?;
        let mut history = History::of(block);
        let end =
            moving.follow_beside(&context.solver, Span::until(duration), self.start, &mut recording, &mut history);
        let end = end.map_err(AnalysisError::from)?;
        context.progress.worked(end.effort);
        let rest = rest(block, &end, context.solver);
        cycle_quantities(outcome, &history, block, rest);
        outcome.push("stick_count", "", history.stick_count());
        warnings(outcome, &history, block);
        outcome.tables.push(cycle_table(&history.cycles));
        let found = recording.finish(end, self.request)?;
        outcome.push("stick_fraction", "", found.events.stick_shares().first().copied());
        Ok(found)
    }
}

/// Where a motion has come to rest \[m\]: in continuous sliding, or on a surface that does not move. An oscillation below a
/// thousand times the accuracy of a step has a period that is known to less than three digits: it counts as rest.
fn rest(block: &SpringBlock, end: &End, solver: Solver) -> Option<f64> {
    let [x, velocity, ..] = end.state[..] else { return None };
    if end.phases.contains(&Phase::Stick) {
        return (block.drive_speed == 0.0).then_some(x);
    }
    let sliding = block.kinetic_force(block.drive_speed.abs()).copysign(block.drive_speed) / block.stiffness;
    let smallest = 1e3 * (solver.relative_tolerance + solver.absolute_tolerance) * block.length_scale();
    let swing = velocity.abs() * (block.mass / block.stiffness).sqrt();
    (block.drive_speed != 0.0 && (x - sliding).abs() <= smallest && swing <= smallest).then_some(x)
}

/// Quantities of the last complete cycle, or of the last oscillation where the block does not stick. A motion that has come
/// to rest has neither.
fn cycle_quantities(outcome: &mut Outcome, history: &History<'_>, block: &SpringBlock, rest: Option<f64>) {
    let value = |number: Option<f64>| Value::from(number);
    if let Some(x) = rest {
        for name in ["stick_time", "slip_time", "period"] {
            outcome.push(name, "s", Value::Missing);
        }
        outcome.push("max_displacement", "m", x);
        outcome.push("min_displacement", "m", x);
        let place = if block.drive_speed == 0.0 { "on the surface" } else { "in continuous sliding" };
        let message =
            format!("the block comes to rest {place}: there is no period, and its extremes are where it rests");
        outcome.warnings.push(message);
        return;
    }
    // turns against the motion of the surface, so that the mirror image has the same
    let turns = if block.drive_speed < 0.0 { &history.minima } else { &history.maxima };
    // a motion that stuck once and then slides for ever has no cycle at its end
    let sticks_at_end = history.contacts.last().is_some_and(|contact| contact.change != ContactChange::Slip)
        || history.cycles.last().is_some_and(|cycle| {
            let start = history.contacts.last().map_or(0.0, |contact| contact.time);
            turns.last().is_none_or(|(time, _)| *time < start + 2.0 * cycle.slip_time)
        });
    let cycle = history.cycles.last().filter(|_| sticks_at_end);
    if let Some(cycle) = cycle {
        outcome.push("stick_time", "s", cycle.stick_time);
        outcome.push("slip_time", "s", cycle.slip_time);
        outcome.push("period", "s", cycle.period());
        outcome.push("max_displacement", "m", cycle.max_displacement);
        outcome.push("min_displacement", "m", cycle.min_displacement);
        if let [.., last, _] = history.cycles[..] {
            let change = (last.max_displacement - cycle.max_displacement).abs();
            if change > 1e-9 * block.static_force(0.0) / block.stiffness {
                outcome.warnings.push(format!(
                    "the last two cycles differ (largest displacements by {change:.3e} m): the motion has not settled, or is not \
                     periodic; a longer study.trajectory.duration would tell"
                ));
            }
        }
    } else {
        let period = match turns[..] {
            [.., (before, _), (last, _)] => Some(last - before),
            _ => None,
        };
        outcome.push("stick_time", "s", Value::Missing);
        outcome.push("slip_time", "s", Value::Missing);
        outcome.push("period", "s", value(period));
        outcome.push("max_displacement", "m", value(history.maxima.last().map(|(_, x)| *x)));
        outcome.push("min_displacement", "m", value(history.minima.last().map(|(_, x)| *x)));
        let rests = history.contacts.is_empty() && matches!(block.start().0, Mode::Stick { .. });
        let message = if rests {
            "the block rests on the surface for the whole duration and never slips"
        } else {
            "there is no complete stick-slip cycle at the end of the motion: period and extremes are those of its last \
             oscillation"
        };
        outcome.warnings.push(message.to_owned());
    }
}

fn warnings(outcome: &mut Outcome, history: &History<'_>, block: &SpringBlock) {
    if let Some(first) = history.grazings.first() {
        outcome.warnings.push(format!(
            "{} times the block came within 1e-10 of the speed of the surface (first at t = {first} s): whether it sticks there \
             is decided by rounding",
            history.grazings.len()
        ));
    }
    if let Some(first) = history.ties.first() {
        outcome.warnings.push(format!(
            "{} contacts happened at the {} limit, within 1e-10 of it (first at t = {first} s): whether the block sticks or \
             passes there is decided by rounding; change a coefficient by more than that",
            history.ties.len(),
            block.contact_policy.limit_word()
        ));
    }
    let beyond = history.contacts.iter().filter(|contact| contact.beyond_limit).count();
    if beyond > 0 {
        outcome.warnings.push(format!(
            "{beyond} contacts happened beyond the {} limit; contact_policy decides what they do",
            block.contact_policy.limit_word()
        ));
    }
    if let Some(length) = block.microscopic_length {
        let slowest = length / (block.mass / block.stiffness).sqrt();
        let slow = history.cycles.iter().filter(|cycle| cycle.fastest_slip < slowest).count();
        if slow > 0 {
            outcome.warnings.push(format!(
                "{slow} slips never reach {slowest:.3e} m/s, the microscopic length divided by the time of the oscillator: a law \
                 F_K(v) is not valid there (elmer1997, Eq. 6)"
            ));
        }
    }
}

fn cycle_table(cycles: &[Cycle]) -> Table {
    let column = |of: fn(&Cycle) -> f64| cycles.iter().map(of).collect::<Vec<f64>>();
    Table::new("cycles", "complete stick-slip cycles, from release to release")
        .numbers("start", "s", "release at t", column(|cycle| cycle.start))
        .numbers("slip_time", "s", "slip time", column(|cycle| cycle.slip_time))
        .numbers("stick_time", "s", "stick time", column(|cycle| cycle.stick_time))
        .numbers("release_displacement", "m", "displacement at release", column(|cycle| cycle.release_displacement))
        .numbers("stick_displacement", "m", "displacement at contact", column(|cycle| cycle.stick_displacement))
        .numbers("max_displacement", "m", "largest displacement", column(|cycle| cycle.max_displacement))
        .numbers("min_displacement", "m", "smallest displacement", column(|cycle| cycle.min_displacement))
        .numbers("fastest_slip", "m/s", "largest sliding speed", column(|cycle| cycle.fastest_slip))
}
