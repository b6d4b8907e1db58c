//! Sentences with gaps that are filled from an outcome.
//!
//! ```text
//! {EXPRESSION}          a value with its unit; an expression is what decides a claim, `hopf_*` the first quantity of that form
//! {EXPRESSION %}        a share in per cent; also {EXPRESSION ± OTHER %}
//! {EXPRESSION ± OTHER}  a value with its standard error or spread
//! {EXPRESSION range}    the range of the numbers of a list: `2.1 to 4.4 s`
//! {EXPRESSION # noun}   a count of things: `1 point`, `3 points`
//! [text]                is left out if one of its values is missing
//! if CONDITION: text    holds for the rest of a sentence or of a part in brackets; conditions are joined by `and`:
//!                       `x` (exists, is not empty, is true), `not x`, `x is word`, `x is not word`, `x above 1`, `x below 1`
//! ```

use super::digits::{percent, short, with_spread};
use super::headline::word_of;
use crate::dataset::{Outcome, Value};
use crate::scenario::value_of;
use crate::study::fits;
use std::collections::BTreeSet;

/// Entries of a list that a sentence names; of a longer one the first of them.
const MOST_ENTRIES: usize = 4;

/// The sentence; none if its condition does not hold or a value outside brackets is missing.
pub(super) fn filled(text: &str, outcome: &Outcome) -> Option<String> {
    let text = match text.strip_prefix("if ").and_then(|rest| rest.split_once(": ")) {
        Some((conditions, text)) => {
            let all = conditions.split(" and ").all(|condition| holds(condition, outcome));
            all.then_some(text)?
        }
        None => text,
    };
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '[']) {
        let (before, opened) = rest.split_at(at);
        out.push_str(before);
        let (inner, after) = enclosed(opened);
        if opened.starts_with('{') {
            out.push_str(&gap(inner, outcome)?);
        } else {
            out.push_str(&filled(inner, outcome).unwrap_or_default());
        }
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// What stands between the bracket at the start and its partner, and what follows.
fn enclosed(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (at, sign) in text.char_indices() {
        depth += match sign {
            '{' | '[' => 1,
            '}' | ']' => -1,
            _ => 0,
        };
        if depth == 0 {
            return (&text[1..at], &text[at + 1..]);
        }
    }
    (&text[1..], "")
}

fn holds(condition: &str, outcome: &Outcome) -> bool {
    let found = |text: &str| value(text, outcome).unwrap_or(Value::Missing);
    let words = |text: &str| match found(text) {
        Value::Word(word) => Some(word),
        Value::Integer(number) => Some(number.to_string()),
        _ => None,
    };
    let compare = |split: (&str, &str), larger: bool| {
        let limit = split.1.parse::<f64>().ok();
        number(&found(split.0)).zip(limit).is_some_and(|(a, b)| if larger { a > b } else { a < b })
    };
    if let Some(split) = condition.split_once(" above ") {
        compare(split, true)
    } else if let Some(split) = condition.split_once(" below ") {
        compare(split, false)
    } else if let Some((text, word)) = condition.split_once(" is not ") {
        words(text).is_some_and(|found| found != word)
    } else if let Some((text, word)) = condition.split_once(" is ") {
        words(text).is_some_and(|found| found == word)
    } else if let Some(text) = condition.strip_prefix("not ") {
        !is_true(&found(text))
    } else {
        is_true(&found(condition))
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Flag(flag) => *flag,
        Value::List(list) => list.iter().any(|entry| *entry != Value::Missing),
        Value::Number(number) => number.is_finite(),
        other => *other != Value::Missing,
    }
}

/// What a gap is filled with.
fn gap(inner: &str, outcome: &Outcome) -> Option<String> {
    if let Some((text, noun)) = inner.split_once(" # ") {
        let count = number(&value(text, outcome)?)?;
        let plural = if count == 1.0 { "" } else { "s" };
        return Some(format!("{} {noun}{plural}", short(count)));
    }
    if let Some(text) = inner.strip_suffix(" %") {
        let share = |text: &str| number(&value(text, outcome)?);
        return match text.split_once(" ± ").and_then(|(text, spread)| share(text).zip(share(spread))) {
            Some((mean, spread)) => Some(uncertain(100.0 * mean, 100.0 * spread, "%")),
            None => Some(format!("{} %", percent(share(text.split(" ± ").next()?)?))),
        };
    }
    if let Some(text) = inner.strip_suffix(" range") {
        return span(&value(text, outcome)?, &unit_of(text, outcome));
    }
    let (text, spread) = inner.split_once(" ± ").map_or((inner, None), |(text, spread)| (text, Some(spread)));
    let unit = unit_of(text, outcome);
    let found = value(text, outcome)?;
    match spread.and_then(|spread| number(&value(spread, outcome)?)).zip(number(&found)) {
        Some((spread, mean)) => Some(uncertain(mean, spread, &unit)),
        None => said(&found, &unit),
    }
}

/// A value and its spread, with their unit.
pub(super) fn uncertain(value: f64, spread: f64, unit: &str) -> String {
    let (value, spread) = with_spread(value, spread);
    let unit = spaced(unit);
    if spread.is_empty() { format!("{value}{unit}") } else { format!("{value}{unit} ± {spread}{unit}") }
}

/// A value with its unit; none if it does not exist.
pub(super) fn said(value: &Value, unit: &str) -> Option<String> {
    let unit = spaced(unit);
    match value {
        Value::Number(number) => number.is_finite().then(|| format!("{}{unit}", short(*number))),
        Value::Integer(number) => Some(format!("{number}{unit}")),
        Value::Word(word) => Some(word_of(word)),
        Value::Flag(flag) => Some(if *flag { "yes" } else { "no" }.to_owned()),
        Value::List(list) => {
            let mut entries: Vec<String> = list.iter().filter_map(|entry| said(entry, "")).collect();
            if list.iter().all(|entry| matches!(entry, Value::Word(_))) {
                let mut seen = BTreeSet::new();
                entries.retain(|word| seen.insert(word.clone()));
            }
            joined(&entries).map(|text| format!("{text}{unit}"))
        }
        Value::Record(_) | Value::Missing => None,
    }
}

/// The range of the numbers of a list: `2.1 to 4.4 s`, or one number if all are alike.
pub(super) fn span(value: &Value, unit: &str) -> Option<String> {
    let Value::List(entries) = value else { return said(value, unit) };
    let ends = [f64::min, f64::max].map(|of| entries.iter().filter_map(number).reduce(of));
    let [low, high] = ends.map(|end| end.map(short));
    let (low, high) = low.zip(high)?;
    let unit = spaced(unit);
    Some(if low == high { format!("{high}{unit}") } else { format!("{low} to {high}{unit}") })
}

/// `a, b and c`; of a long list the first entries and the number of all.
pub(super) fn joined(entries: &[String]) -> Option<String> {
    match entries {
        [] => None,
        [only] => Some(only.clone()),
        _ if entries.len() > MOST_ENTRIES => {
            Some(format!("{}, … ({} in all)", entries[..MOST_ENTRIES - 1].join(", "), entries.len()))
        }
        [others @ .., last] => Some(format!("{} and {last}", others.join(", "))),
    }
}

fn spaced(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}

/// The value of an expression; none if it does not exist.
fn value(text: &str, outcome: &Outcome) -> Option<Value> {
    value_of(&named(text, outcome)?, outcome).filter(|value| *value != Value::Missing)
}

pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number).filter(|number| number.is_finite()),
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

/// The text with the name of a quantity in place of a form such as `hopf_*`; none if no quantity has this form.
fn named(text: &str, outcome: &Outcome) -> Option<String> {
    let is_form = |word: &&str| word.len() > 1 && word.contains('*');
    let Some(form) = text.split(|sign: char| !(sign.is_alphanumeric() || "_*".contains(sign))).find(is_form) else {
        return Some(text.to_owned());
    };
    let quantity = outcome.quantities.iter().find(|quantity| fits(form, &quantity.name))?;
    Some(text.replace(form, &quantity.name))
}

/// The unit of the first quantity of an expression; a quotient has none.
fn unit_of(text: &str, outcome: &Outcome) -> String {
    let Some(text) = named(text, outcome).filter(|text| !text.contains(" / ")) else { return String::new() };
    let mut words = text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
    let of = |word: &str| outcome.quantities.iter().find(|quantity| quantity.name == word);
    words.find_map(of).filter(|_| !text.ends_with(".len")).map_or_else(String::new, |quantity| quantity.unit.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome {
        let mut outcome = Outcome::default();
        outcome.push("period", "s", 4.158_8);
        outcome.push("period_std", "s", 0.874);
        outcome.push("stick_fraction", "", 0.4298);
        outcome.push("hopf_speeds", "m/s", vec![0.162_57, 0.416_88]);
        outcome.push("critical_speed", "m/s", None::<f64>);
        outcome.push("stable", "", false);
        outcome.push("kind", "", "partly_open");
        outcome
    }

    #[test]
    fn gaps_are_filled_with_units_spreads_and_counts() {
        for (text, sentence) in [
            ("The period is {period}.", Some("The period is 4.16 s.")),
            ("{period ± period_std}, {stick_fraction %}", Some("4.2 s ± 0.9 s, 43 %")),
            ("{stick_fraction ± period_std %}", Some("40 % ± 90 %")),
            ("{hopf_*}", Some("0.163 and 0.417 m/s")),
            ("{hopf_* range}, {period range}", Some("0.163 to 0.417 m/s, 4.16 s")),
            ("{hopf_*.len # point}", Some("2 points")),
            ("{max(hopf_speeds)} and {period / period_std}", Some("0.417 m/s and 4.76")),
            ("it is {kind}", Some("it is partly open")),
            ("at {critical_speed}", None),
            ("sticks[ at {critical_speed}][ for {period}]", Some("sticks for 4.16 s")),
            ("if stable: stable", None),
            (
                "if not stable and period above 4: unstable[if kind is partly_open:  and open]",
                Some("unstable and open"),
            ),
            ("if kind is not partly_open: closed", None),
            ("if critical_speed: {critical_speed}", None),
        ] {
            assert_eq!(filled(text, &outcome()).as_deref(), sentence, "{text}");
        }
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(said(&vec![1.0, 2.0, 3.0, 4.0, 5.0].into(), "m").unwrap(), "1, 2, 3, … (5 in all) m");
        assert_eq!(said(&Vec::<f64>::new().into(), "m"), None);
        assert_eq!(said(&vec!["sliding", "sliding", "escaping"].into(), "").unwrap(), "sliding and escaping");
    }
}
