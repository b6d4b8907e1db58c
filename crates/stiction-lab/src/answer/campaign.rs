//! The answer of a campaign: what its items say together about the quantities that matter most.

use super::Answer;
use super::digits::percent;
use super::headline::{Headline, word_of};
use super::template::{joined, number, span, uncertain};
use crate::campaign::{Campaign, Combine, Vary};
use crate::dataset::{Data, Outcome, Quantity, Value};
use crate::study::{fits, result};

/// Quantities of the study that the sentence names.
const NAMED: usize = 2;
/// Different words of a column that the sentence names.
const MOST_WORDS: usize = 3;

pub(super) fn answer(campaign: &Campaign, study: &str, about: &Headline, outcome: &Outcome) -> Answer {
    let parts: Vec<String> = about.main.iter().filter_map(|name| part(study, name, outcome)).take(NAMED).collect();
    let failed = outcome.quantity("failed").and_then(number).filter(|failed| *failed > 0.0);
    let failed = failed.map(|failed| format!("; {failed} of {} items have no answer", campaign.items()));
    let found = if parts.is_empty() { "the table of items has the answers".to_owned() } else { parts.join("; ") };
    let range = range(campaign);
    let sentence = format!("{range}: {found}{}.", failed.unwrap_or_default());
    let question = format!("{} Asked {}.", about.question, lower_first(&range));
    Answer { question, sentence, main: main(about, outcome) }
}

/// What the items differ in: `Over 25 values of drive_speed`, `In 400 realisations of mass`.
fn range(campaign: &Campaign) -> String {
    let names = |keys: &mut dyn Iterator<Item = &String>| {
        let names: Vec<String> = keys.map(|key| format!("`{}`", key.rsplit('.').next().unwrap_or(key))).collect();
        joined(&names).unwrap_or_default()
    };
    let random = names(&mut campaign.random.iter().map(|random| &random.key));
    let counts: Vec<String> = match campaign.combine {
        Combine::Grid => campaign.vary.iter().map(|vary| Vary::count(vary).to_string()).collect(),
        Combine::List => vec![campaign.points().to_string()],
    };
    let values = format!("{} values of {}", counts.join(" × "), names(&mut campaign.vary.iter().map(|vary| &vary.key)));
    let of = if random.is_empty() { String::new() } else { format!(" of {random}") };
    match (campaign.vary.is_empty(), campaign.realisations) {
        (true, many) => format!("In {many} realisations{of}"),
        (false, 1) => format!("Over {values}"),
        (false, many) => format!("Over {values} with {many} realisations{of} each"),
    }
}

fn lower_first(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map_or_else(String::new, |first| first.to_lowercase().chain(signs).collect())
}

/// What the items say about a quantity of the study; none if they say nothing.
fn part(study: &str, name: &str, outcome: &Outcome) -> Option<String> {
    let meaning = result(study, name)?;
    let find = |end: &str| outcome.quantities.iter().find(|quantity| fits(&format!("{name}{end}"), &quantity.name));
    let words = &meaning.meaning;
    if let Some(shares) = shares(name, outcome) {
        return Some(format!("{words}: {shares}"));
    }
    if let (Some(mean), Some(error)) = (find("_mean"), find("_se"))
        && let Some((mean, error)) = number(&mean.value).zip(number(&error.value))
    {
        return Some(match meaning.meaning.strip_prefix("whether ").filter(|_| meaning.is_flag()) {
            Some(statement) => format!("{statement} in {}", uncertain(100.0 * mean, 100.0 * error, "%")),
            None => format!("mean {words} {}", uncertain(mean, error, &find("_mean")?.unit)),
        });
    }
    let (kind, quantity) = find("").map(|found| ("", found)).or_else(|| Some(("mean ", find("_mean")?)))?;
    span(&quantity.value, &quantity.unit).map(|span| format!("{kind}{words} {span}"))
}

/// How often each word of a column stands in the table of items, the most frequent first.
fn shares(name: &str, outcome: &Outcome) -> Option<String> {
    let items = outcome.tables.iter().find(|table| table.name == "items")?;
    let Data::Words(column) = &items.column(name)?.data else { return None };
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for word in column.iter().filter(|word| !word.is_empty()) {
        match counts.iter_mut().find(|(known, _)| known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let all = column.len() as f64;
    let share = |(word, count): &(&str, usize)| format!("{} in {} %", word_of(word), percent(*count as f64 / all));
    let few: Vec<String> = counts.iter().take(MOST_WORDS).map(share).collect();
    let rest: usize = counts.iter().skip(MOST_WORDS).map(|(_, count)| count).sum();
    let rest = if rest > 0 { format!(", others in {} %", percent(rest as f64 / all)) } else { String::new() };
    (!few.is_empty()).then(|| format!("{}{rest}", few.join(", ")))
}

/// Those quantities of the campaign that belong to the most important ones of its study.
fn main(about: &Headline, outcome: &Outcome) -> Vec<String> {
    let of = |name: &String| {
        let ends = ["", "_mean"].map(|end| format!("{name}{end}"));
        let here = outcome.quantities.iter().filter(move |quantity| ends.iter().any(|end| fits(end, &quantity.name)));
        let exists = |quantity: &&Quantity| match &quantity.value {
            Value::List(entries) => entries.iter().any(|entry| *entry != Value::Missing),
            value => *value != Value::Missing,
        };
        here.filter(exists).map(|quantity| quantity.name.clone()).collect::<Vec<_>>()
    };
    about.main.iter().flat_map(of).collect()
}
