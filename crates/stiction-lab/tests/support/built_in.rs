//! Running the built-in scenarios.

use stiction::analysis::Silent;
use stiction_lab::dataset::Outcome;
use stiction_lab::scenario::{Builtin, Scenario, Size, read};
use stiction_lab::study;

/// A built-in scenario and its answer.
pub(crate) fn answer(builtin: &Builtin, size: Size) -> (Scenario, Outcome) {
    let scenario = read(builtin.source(), &[], size).unwrap_or_else(|wrong| panic!("{wrong}"));
    let outcome = study::run(&scenario, &Silent).unwrap_or_else(|error| panic!("{}: {error}", builtin.name));
    (scenario, outcome)
}
