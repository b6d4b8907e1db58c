//! Running the built-in scenarios.

use stiction::analysis::Silent;
use stiction_lab::dataset::Outcome;
use stiction_lab::scenario::{Builtin, Scenario, Size, read};
use stiction_lab::study;

/// A built-in scenario and its answer, or why there is none.
pub(crate) fn answer(builtin: &Builtin, size: Size) -> Result<(Scenario, Outcome), String> {
    let scenario = read(builtin.source(), &[], size).map_err(|wrong| format!("{}: {wrong}", builtin.name))?;
    let outcome = run(&scenario).map_err(|error| format!("{}: {error}", builtin.name))?;
    Ok((scenario, outcome))
}

/// The answer of a scenario.
pub(crate) fn run(scenario: &Scenario) -> Result<Outcome, study::StudyError> {
    stiction_lab::run::run(scenario, &Silent)
}
