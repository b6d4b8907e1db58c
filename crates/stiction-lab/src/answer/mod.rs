//! The answer for a person: what was asked, the answer in one sentence, and the quantities that matter most.

mod campaign;
mod digits;
mod headline;
mod template;

use crate::campaign::Campaign;
use crate::dataset::{Outcome, Quantity, Value, readable};
use crate::scenario::Scenario;
use crate::study::fits;
use headline::headline;
use template::{number, said, span, uncertain};

/// What a person wants to know first about a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The question, as a sentence.
    pub question: String,
    /// The answer, in one sentence.
    pub sentence: String,
    /// Names of the quantities that matter most, the most important first. All of them are quantities of the run.
    pub main: Vec<String>,
}

impl Answer {
    /// The answer of a run.
    pub fn of(scenario: &Scenario, outcome: &Outcome) -> Self {
        let about = headline(scenario.study.name());
        if let Some(campaign) = scenario.campaign.as_ref().filter(|campaign| Campaign::repeats(campaign)) {
            return campaign::answer(campaign, scenario.study.name(), about, outcome);
        }
        let names = || outcome.quantities.iter().map(|quantity| &quantity.name);
        let main = about.main.iter().flat_map(|form| names().filter(|name| fits(form, name))).cloned().collect();
        Self { question: about.question.clone(), sentence: about.sentence(outcome), main }
    }
}

/// A quantity with its unit, short enough for a line: with its standard error if the run has one, of a long list the range. None
/// if it has no value.
pub(crate) fn in_short(quantity: &Quantity, outcome: &Outcome) -> Option<String> {
    let stem = quantity.name.strip_suffix("_mean").unwrap_or(&quantity.name);
    let error = outcome.quantity(&format!("{stem}_se")).or_else(|| outcome.quantity(&format!("{}_se", quantity.name)));
    match &quantity.value {
        Value::List(entries) if entries.len() > LONGEST_LIST => span(&quantity.value, &quantity.unit)
            .map(|span| format!("{span} ({} values)", entries.len()))
            .or_else(|| said(&quantity.value, &quantity.unit)),
        Value::Number(value) if value.is_finite() => Some(match error.and_then(number) {
            Some(error) if error > 0.0 => uncertain(*value, error, &quantity.unit),
            _ => format!("{} {}", readable(*value), quantity.unit).trim_end().to_owned(),
        }),
        Value::Word(word) => Some(word.clone()),
        value => said(value, &quantity.unit),
    }
}

/// Longer lists are shown by their range.
const LONGEST_LIST: usize = 4;

/// The quantities of a study that matter most, the most important first; `*` stands for any letters.
pub fn main_quantities(study: &str) -> &'static [String] {
    &headline(study).main
}
