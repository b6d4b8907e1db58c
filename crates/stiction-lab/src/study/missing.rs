//! Why a quantity has no value: no null of a summary is without a warning that names it, and no infinite value of a table.
//!
//! A study that knows more says it in a warning of its own, with the name of the quantity. For the rest `missing.txt` lists the
//! reasons, study by study.

use super::answers::fits;
use crate::dataset::{Column, Data, Outcome, Table, Value};
use std::sync::LazyLock;

/// The reason where the list has none.
const UNLISTED: &str = "it is not defined for these parameters";

/// A spread of a campaign with fewer than two values.
const TOO_FEW: &str = "a standard deviation and a standard error need at least two values";

/// An entry of a list that only some items of a campaign have.
const SHORTER: &str = "lists of other items are shorter, or this entry has no value";

/// Why some quantities of some studies have no value.
struct Entry {
    studies: Vec<&'static str>,
    quantities: Vec<&'static str>,
    reason: &'static str,
}

/// The list.
static REASONS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut reasons = Vec::new();
    let mut studies = Vec::new();
    for line in include_str!("missing.txt").lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("  ").and_then(|entry| entry.split_once(": ")) {
            Some((names, reason)) => {
                let quantities = names.split_whitespace().collect();
                reasons.push(Entry { studies: studies.clone(), quantities, reason });
            }
            None => studies = line.split_whitespace().collect(),
        }
    }
    reasons
});

/// Warns of every quantity without a value that no warning names yet: quantities with the same reason together.
pub(crate) fn warn_of_missing(outcome: &mut Outcome, study: &str) {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for quantity in &outcome.quantities {
        let (missing, all) = missing(&quantity.value);
        let name = &quantity.name;
        if missing == 0 || outcome.warnings.iter().any(|warning| names(warning, name)) {
            continue;
        }
        let part = if quantity.value == Value::Missing { String::new() } else { format!(" ({missing} of {all})") };
        let words = format!("`{name}`{part}");
        let reason = reason(outcome, study, name);
        match groups.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, group)) => group.push(words),
            None => groups.push((reason, vec![words])),
        }
    }
    let warning = |(reason, group): (&str, Vec<String>)| format!("no value for {}: {reason}", group.join(", "));
    outcome.warnings.extend(groups.into_iter().map(warning));
}

/// Warns of numbers in tables that overflowed. An empty cell is a number that does not exist, and needs no warning.
pub(crate) fn warn_of_infinite(outcome: &mut Outcome) {
    let infinite = |column: &Column| match &column.data {
        Data::Numbers(values) => values.iter().filter(|value| value.is_infinite()).count(),
        _ => 0,
    };
    let warning = |table: &Table| {
        let named = table.columns.iter().map(|column| (&column.name, infinite(column))).filter(|(_, count)| *count > 0);
        let words: Vec<String> = named.map(|(name, count)| format!("`{name}` ({count} of {})", table.rows())).collect();
        (!words.is_empty()).then(|| format!("infinite values in table `{}`: {}", table.name, words.join(", ")))
    };
    outcome.warnings.extend(outcome.tables.iter().filter_map(warning));
}

/// How many of the values in a value are missing, and how many there are.
fn missing(value: &Value) -> (usize, usize) {
    let sum = |counts: &mut dyn Iterator<Item = (usize, usize)>| counts.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    match value {
        Value::Missing => (1, 1),
        Value::List(values) => sum(&mut values.iter().map(missing)),
        Value::Record(parts) => sum(&mut parts.iter().map(|(_, value)| missing(value))),
        _ => (0, 1),
    }
}

/// Whether a text has a name as a whole word.
fn names(text: &str, name: &str) -> bool {
    let inside = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + name.len()..].chars().next());
        !before.is_some_and(inside) && !after.is_some_and(inside)
    })
}

/// Why a quantity has no value. Campaigns add `[index]`, `_mean`, `_std` and `_se` to the names of their items.
fn reason(outcome: &Outcome, study: &str, name: &str) -> &'static str {
    let listed = |name: &str| {
        let fits =
            |entry: &&Entry| entry.studies.contains(&study) && entry.quantities.iter().any(|known| fits(known, name));
        REASONS.iter().find(fits).map(|entry| entry.reason)
    };
    if name.contains('[') {
        return SHORTER;
    }
    if let Some(reason) = listed(name) {
        return reason;
    }
    let Some((item, statistic)) = name.rsplit_once('_') else { return UNLISTED };
    let has_mean = outcome.quantity(&format!("{item}_mean")).is_some_and(|mean| *mean != Value::Missing);
    match statistic {
        "std" | "se" if has_mean => TOO_FEW,
        "mean" | "std" | "se" => listed(item).unwrap_or(UNLISTED),
        _ => UNLISTED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::AnyStudy;

    #[test]
    fn every_missing_value_is_named_once_with_its_reason() {
        let mut outcome = Outcome::default();
        outcome.push("stick_time", "s", None::<f64>);
        outcome.push("slip_time", "s", None::<f64>);
        outcome.push("period", "s", None::<f64>);
        outcome.push("places", "m", Value::List(vec![1.0.into(), Value::Missing]));
        outcome.push("time", "s", None::<f64>);
        outcome.push("mass", "kg", 1.0);
        outcome.warnings.push("there is no period".to_owned());
        warn_of_missing(&mut outcome, "trajectory");
        assert_eq!(
            outcome.warnings[1..],
            [
                "no value for `stick_time`, `slip_time`: there is no complete stick-slip cycle at the end of the motion",
                // `stick_time` does not name `time`
                "no value for `places` (1 of 2), `time`: it is not defined for these parameters",
            ]
        );
        let before = outcome.clone();
        warn_of_missing(&mut outcome, "trajectory");
        assert_eq!(outcome, before);
    }

    #[test]
    fn numbers_that_overflowed_are_named_with_their_table_and_empty_cells_are_not() {
        let mut outcome = Outcome::default();
        let table = |name: &str, values: Vec<f64>| {
            Table::new(name, "").numbers("time", "s", "", vec![0.0; 3]).numbers("speed", "m/s", "", values)
        };
        outcome.tables.push(table("motion", vec![f64::INFINITY, 1.0, f64::NEG_INFINITY]));
        outcome.tables.push(table("holes", vec![f64::NAN, 1.0, f64::MAX]));
        warn_of_infinite(&mut outcome);
        assert_eq!(outcome.warnings, ["infinite values in table `motion`: `speed` (2 of 3)"]);
    }

    #[test]
    fn items_of_a_campaign_have_the_reasons_of_their_study() {
        let mut outcome = Outcome::default();
        for (name, value) in [("x_mean", Some(1.0)), ("x_se", None), ("through_max_mean", None), ("slip_time[2]", None)]
        {
            outcome.push(name, "", value);
        }
        warn_of_missing(&mut outcome, "attractors");
        let told = outcome.warnings.join("\n");
        assert_eq!(outcome.warnings.len(), 3, "{told}");
        assert!(
            told.contains(&format!("`x_se`: {TOO_FEW}")) && told.contains(&format!("`slip_time[2]`: {SHORTER}")),
            "{told}"
        );
        assert!(told.contains("`through_max_mean`: no motion passes through"), "{told}");
    }

    #[test]
    fn reasons_are_listed_below_studies_that_exist() {
        let systems = ["spring_block", "planar_sliding", "crank_slider", "wheel", "two_disc", "belt_disc"];
        let all: Vec<&str> = systems.into_iter().flat_map(AnyStudy::of_system).collect();
        for Entry { studies, quantities, reason } in REASONS.iter() {
            assert!(!studies.is_empty() && !quantities.is_empty() && !reason.is_empty());
            for study in studies {
                assert!(all.contains(study), "there is no study {study}");
            }
        }
        assert!(REASONS.len() > 60);
    }
}
