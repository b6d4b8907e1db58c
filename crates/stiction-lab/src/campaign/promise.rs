//! The tables and quantities of a campaign, known before it runs.

use super::spec::Campaign;
use crate::dataset::Table;
use crate::study::{Answers, with_column};

/// Longer tables grow in a file.
pub(crate) const LONGEST: u64 = 100_000;

/// The name of the table of all items.
pub(crate) fn kept_name(table: &str) -> String {
    format!("items_{table}")
}

/// What a campaign pushes of its own.
const OWN: [&str; 5] = ["items", "points", "realisations", "failed", "warned"];
/// What it says of a quantity of the study.
const MEASURES: [&str; 5] = ["_mean", "_std", "_se", "_count", "_nulls"];

/// The tables of a campaign whose study has these answers, without rows. Which entries lists will have is not known: of the
/// names that are `asked` for, all that can be an entry are columns.
pub(crate) fn tables(campaign: &Campaign, answers: &Answers, asked: &[String]) -> Vec<Table> {
    let plain = answers.quantities.iter().filter(|name| !name.contains('*')).cloned();
    let known: Vec<String> = plain.chain(asked.iter().filter(|name| is_quantity(answers, name)).cloned()).collect();
    let keys = || {
        campaign.keys().flat_map(|key| {
            let last = key.rsplit('.').next().unwrap_or(key).trim().to_owned();
            [last, key.replace(['.', ' '], "_")]
        })
    };
    let table = |name: &str, numbers: &[&str], words: &[&str]| {
        let fixed = numbers.iter().map(|name| ((*name).to_owned(), false));
        let words = words.iter().map(|name| ((*name).to_owned(), true));
        fixed.chain(words).fold(Table::new(name, ""), with_column)
    };
    let with = |table: Table, names: &mut dyn Iterator<Item = String>| {
        names.fold(table, |table, name| with_column(table, (name, false)))
    };
    let measured = || {
        let both = known.iter().flat_map(|name| MEASURES.map(|measure| format!("{name}{measure}")));
        both.chain(asked.iter().filter(|name| is_measure(answers, name)).cloned())
    };
    let mut tables = Vec::new();
    // a longer table grows in its file, and pictures are drawn from memory
    if campaign.items() <= LONGEST {
        let words = ["status", "reason", "replay", "warnings"];
        let items = table("items", &["item", "realisation", "seed", "failure_time"], &words);
        tables.push(with(with(items, &mut keys()), &mut known.iter().cloned()));
    }
    if campaign.realisations > 1 {
        let statistics = table("statistics", &["point", "count", "failed"], &[]);
        tables.push(with(with(statistics, &mut keys().take(2 * campaign.vary.len())), &mut measured()));
        tables.push(with(table("convergence", &["realisations", "point"], &[]), &mut measured()));
    }
    tables.extend(answers.tables.iter().map(|kept| {
        let mut all = with(table(&kept_name(&kept.name), &["item"], &[]), &mut keys());
        all.columns.retain(|column| kept.column(&column.name).is_none() || column.name == "item");
        all.columns.extend(kept.columns.iter().filter(|column| column.name != "item").cloned());
        all
    }));
    tables
}

/// Whether a campaign can have a quantity of that name.
pub(crate) fn has_quantity(answers: &Answers, name: &str) -> bool {
    OWN.contains(&name) || is_quantity(answers, name) || is_measure(answers, name)
}

/// A quantity of the study, or an entry of one.
fn is_quantity(answers: &Answers, name: &str) -> bool {
    answers.has_quantity(name.split(['[', '.']).next().unwrap_or(name))
}

fn is_measure(answers: &Answers, name: &str) -> bool {
    MEASURES.iter().any(|measure| name.strip_suffix(measure).is_some_and(|name| is_quantity(answers, name)))
}
