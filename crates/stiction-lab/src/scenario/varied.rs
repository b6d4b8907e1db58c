//! Whether the keys of a `[campaign]` exist and may have their values.

use super::Scenario;
use super::read::outside_schema;
use crate::campaign::{Campaign, Vary};
use crate::study::Answers;
use serde_json::Value as Json;
use stiction::Problem;
use stiction::analysis::campaign::Ending;

/// Values of one key that are looked at: its range is the same for all of them.
const LOOKED_AT: u64 = 1000;

/// What is wrong with a campaign of a scenario, each with its key below `campaign` (empty if nothing).
pub(super) fn problems(scenario: &Scenario, campaign: &Campaign) -> Vec<Problem> {
    let mut problems = campaign.problems();
    if !problems.is_empty() {
        return problems;
    }
    let plain = Scenario { campaign: None, figure: Vec::new(), claim: Vec::new(), ..scenario.clone() };
    let Ok(resolved) = plain.resolved() else { return problems };
    for (index, vary) in campaign.vary.iter().enumerate() {
        let settings = settings(vary);
        // one value is enough to know what is wrong
        if let Some((place, message)) = outside_schema(&resolved.text, &settings).into_iter().next() {
            let value = settings.get(place).map_or(String::new(), |(_, value)| value.to_string());
            let part = if vary.values.is_empty() { "key".to_owned() } else { format!("values.{place}") };
            problems.push(Problem::new(format!("vary.{index}.{part}"), format!("{} = {value}: {message}", vary.key)));
        }
    }
    for (index, random) in campaign.random.iter().enumerate() {
        // what lies outside of the range of a key is an item without an answer, but the middle must lie inside
        let middle = (random.key.clone(), plain_number(random.distribution.quantile(0.5).into()));
        if let Some((_, message)) = outside_schema(&resolved.text, std::slice::from_ref(&middle)).into_iter().next() {
            problems
                .push(Problem::new(format!("random.{index}.key"), format!("{} = {}: {message}", middle.0, middle.1)));
        }
    }
    for (index, vary) in campaign.vary.iter().enumerate() {
        let Some(key) = vary.key.trim().strip_prefix("solver.") else { continue };
        let idle = settings(vary).into_iter().find_map(|(_, value)| plain.solver_problem_with(key, value));
        problems.extend(idle.map(|message| Problem::new(format!("vary.{index}.key"), message)));
    }
    problems.extend(idle_rule(scenario, campaign).map(|message| Problem::new("stop_when", message)));
    if campaign.realisations > 1 && campaign.vary.iter().any(|vary| vary.key.trim() == "seed") {
        let message = "every realisation has a seed of its own: vary the seed, or ask for realisations";
        problems.push(Problem::new("realisations", message.to_owned()));
    }
    problems
}

/// Why a rule cannot end anything.
fn idle_rule(scenario: &Scenario, campaign: &Campaign) -> Option<String> {
    let (rule, study) = (campaign.rule()?, &scenario.study);
    if !campaign.repeats() {
        let quantities = study.study().ending_quantities();
        if !quantities.is_empty() {
            return Some(Ending::new(&rule, quantities).err()?.to_string());
        }
        let name = study.name();
        return Some(format!(
            "the study {name} has no realisations that could end early; give campaign.realisations to ask it several times"
        ));
    }
    if campaign.realisations == 1 {
        return Some("there is one realisation, and none that could end early; give campaign.realisations".to_owned());
    }
    let answers = Answers::of(study, &scenario.system)?;
    let known = |name: &str| {
        answers.has_quantity(name) || name.strip_suffix("_mean").is_some_and(|name| answers.has_quantity(name))
    };
    let unknown = rule.conditions.iter().find(|condition| !known(&condition.quantity))?;
    Some(format!("there is no quantity `{}`; there are {}", unknown.quantity, answers.quantities.join(", ")))
}

/// The values that are looked at: all that are given, or both ends.
fn settings(vary: &Vary) -> Vec<(String, Json)> {
    let count = vary.count();
    let numbers: Vec<u64> =
        if vary.values.is_empty() { vec![0, count - 1] } else { (0..count.min(LOOKED_AT)).collect() };
    numbers.into_iter().map(|index| (vary.key.clone(), plain_number(vary.value(index).json()))).collect()
}

/// A whole number fits keys of both kinds.
fn plain_number(value: Json) -> Json {
    match value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9e15) {
        Some(whole) => Json::from(whole as i64),
        None => value,
    }
}
