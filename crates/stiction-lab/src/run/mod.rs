//! The answer of a scenario: its study asked once, or over values of any keys and over realisations.
//!
//! | file | holds |
//! |---|---|
//! | `grid` | from the number of an item of a `[campaign]` to the scenario that it asks |
//! | `inputs` | the files that a scenario needs, looked at before it runs |
//! | `items`, `tables` | what all items answered |
//! | `extra`, `kept` | lists, tables and warnings of the items |

mod extra;
mod grid;
mod inputs;
mod items;
mod kept;
mod tables;

pub use grid::seed_of;
pub use inputs::unusable_inputs;
pub use items::item_scenario;

use crate::dataset::Outcome;
use crate::keep::Unkept;
use crate::scenario::Scenario;
use crate::study::{Context, StudyError, Tally, Upkeep, warn_of_infinite, warn_of_missing};
use stiction::analysis::Progress;
use stiction::field::KnownMaps;
use stiction::memory::Memory;

/// Answers the question of a scenario.
///
/// # Errors
/// [`StudyError`] says why there is no answer.
pub fn run(scenario: &Scenario, progress: &dyn Progress) -> Result<Outcome, StudyError> {
    run_kept(scenario, progress, Upkeep { keeper: &Unkept::new(), ..Upkeep::NONE })
}

/// Answers the question of a scenario, with its items kept, resumed or split as `upkeep` says.
///
/// # Errors
/// [`StudyError`] says why there is no answer; [`StudyError::Halted`] if the items that were asked for are finished.
pub fn run_kept(scenario: &Scenario, progress: &dyn Progress, upkeep: Upkeep<'_>) -> Result<Outcome, StudyError> {
    let stop = scenario.campaign.as_ref().and_then(|campaign| campaign.rule());
    let upkeep = Upkeep { stop: stop.as_ref(), ..upkeep };
    let tally = Tally::within(scenario.memory.limit(), progress);
    let maps = KnownMaps::default();
    let mut outcome = match &scenario.campaign {
        Some(campaign) if campaign.repeats() => {
            items::run(scenario, campaign, &context_of(scenario, &tally, upkeep), &maps)?
        }
        _ => answer(scenario, &tally, upkeep, &maps)?,
    };
    outcome.effort = tally.effort();
    warn_of_missing(&mut outcome, scenario.study.name());
    warn_of_infinite(&mut outcome);
    Ok(outcome)
}

fn context_of<'a>(scenario: &'a Scenario, progress: &'a dyn Progress, upkeep: Upkeep<'a>) -> Context<'a> {
    let Scenario { system, seed, .. } = scenario;
    Context { system, solver: scenario.chosen_solver().unwrap_or_default(), seed: *seed, progress, upkeep }
}

/// Asks the study of a scenario once.
fn answer(
    scenario: &Scenario,
    progress: &dyn Progress,
    upkeep: Upkeep<'_>,
    maps: &KnownMaps,
) -> Result<Outcome, StudyError> {
    let memory = progress.memory();
    let admitted = admitted(scenario, memory);
    let mut system = scenario.system.clone();
    if let Some(field) = system.field_mut() {
        field.memory = memory.limit();
        field.maps = maps.clone();
    }
    let context = Context { system: &system, ..context_of(scenario, progress, upkeep) };
    let answer = admitted.and_then(|()| scenario.study.study().run(&context));
    answer.map_err(|error| named(error, scenario))
}

/// Refuses a scenario that will keep more than it may, as far as its keys say so; what else it keeps is counted while it runs.
///
/// # Errors
/// [`StudyError::Memory`] with the key, what its value would take, and what to do.
pub fn check_memory(scenario: &Scenario) -> Result<(), StudyError> {
    admitted(scenario, &Memory::of(scenario.memory.limit())).map_err(|error| named(error, scenario))
}

/// Sets aside the memory for what the study will keep.
fn admitted(scenario: &Scenario, memory: &Memory<'_>) -> Result<(), StudyError> {
    scenario.study.needs().iter().try_for_each(|need| memory.admit(need)).map_err(StudyError::from)
}

/// An error with the full path of its key.
fn named(error: StudyError, scenario: &Scenario) -> StudyError {
    match error {
        StudyError::Analysis(error) => StudyError::within(error, scenario.system.name(), scenario.study.name()),
        error => error,
    }
}
