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
use crate::study::{Context, StopWish, StudyError, Tally, Upkeep, warn_of_missing};
use stiction::analysis::Progress;

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
    let stop = scenario.campaign.as_ref().and_then(|campaign| campaign.rule()).map(StopWish::new);
    let upkeep = Upkeep { stop: stop.as_ref(), ..upkeep };
    let tally = Tally::new(progress);
    let mut outcome = match &scenario.campaign {
        Some(campaign) if campaign.repeats() => items::run(scenario, campaign, &context_of(scenario, &tally, upkeep))?,
        _ => answer(scenario, &tally, upkeep)?,
    };
    outcome.effort = tally.effort();
    warn_of_missing(&mut outcome, scenario.study.name());
    if stop.is_some_and(|stop| !stop.was_heard()) {
        let message = format!(
            "the study {} has no realisations that could end early; give campaign.realisations to ask it several times",
            scenario.study.name()
        );
        return Err(StudyError::unsuitable("campaign.stop_when", message));
    }
    Ok(outcome)
}

fn context_of<'a>(scenario: &'a Scenario, progress: &'a dyn Progress, upkeep: Upkeep<'a>) -> Context<'a> {
    let Scenario { system, seed, .. } = scenario;
    Context { system, solver: scenario.chosen_solver().unwrap_or_default(), seed: *seed, progress, upkeep }
}

/// Asks the study of a scenario once.
fn answer(scenario: &Scenario, progress: &dyn Progress, upkeep: Upkeep<'_>) -> Result<Outcome, StudyError> {
    let answer = scenario.study.study().run(&context_of(scenario, progress, upkeep));
    answer.map_err(|error| match error {
        StudyError::Analysis(error) => StudyError::within(error, scenario.system.name(), scenario.study.name()),
        error => error,
    })
}
