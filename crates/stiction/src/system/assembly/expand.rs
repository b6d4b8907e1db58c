//! Repeated entries: `repeat = 3` makes three bodies, `["b[i]", "b[i+1]"]` a spring for every i for which both exist.

use super::template::evaluated;
use crate::num::formula::Formula;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The bodies that are repeated, and how often.
pub(super) type Repeats = BTreeMap<String, usize>;

/// A text with every index in brackets replaced by its number: `x_b[i+1]` becomes `x_b3`, an end `b[i]` becomes `b2`.
///
/// # Errors
/// What is wrong with an index.
pub(super) fn indexed(text: &str, constants: &BTreeMap<String, f64>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inner, after)) = bracket(rest) {
        let value = evaluated(inner, constants)?;
        if value.fract() != 0.0 {
            return Err(format!("the index `{inner}` is {value}, but must be a whole number"));
        }
        out.push_str(before);
        out.push_str(&format!("{value}"));
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// What stands before, in and after the first brackets.
fn bracket(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('[')?;
    let (inner, after) = rest.split_once(']')?;
    Some((before, inner, after))
}

/// Whether an index in the text depends on `i`.
fn depends_on_i(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    while let Some((_, inner, after)) = bracket(rest) {
        if inner.split(|c| !is_word(c)).any(|word| word == "i") {
            return true;
        }
        rest = after;
    }
    false
}

/// The values of `i` for which every repeated body that the ends name exists; none if nothing is repeated.
///
/// # Errors
/// What is wrong with an index.
pub(super) fn range_of(
    ends: &[&str],
    repeats: &Repeats,
    constants: &BTreeMap<String, f64>,
) -> Result<Option<Vec<i64>>, String> {
    let mut ranges: Vec<(Formula, i64)> = Vec::new();
    for end in ends.iter().filter(|end| depends_on_i(end)) {
        let Some((name, inner, _)) = bracket(end) else { continue };
        let Some(&count) = repeats.get(name) else {
            return Err(format!("`{name}` is not a body with `repeat`, so `{end}` has no meaning"));
        };
        let formula = Formula::parse(inner, &["i"], constants).map_err(|error| error.to_string())?;
        ranges.push((formula, count as i64));
    }
    if ranges.is_empty() {
        return Ok(None);
    }
    let most = ranges.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let exists = |i: i64| {
        ranges.iter().all(|(formula, count)| {
            let index: f64 = formula.eval(&[i as f64]);
            index.fract() == 0.0 && index >= 1.0 && index <= *count as f64
        })
    };
    let found: Vec<i64> = (-most..=2 * most).filter(|i| exists(*i)).collect();
    if found.is_empty() { Err(format!("no `i` makes {} exist", ends.join(" and "))) } else { Ok(Some(found)) }
}

/// An entry with every index in its texts replaced.
///
/// # Errors
/// What is wrong with an index.
pub(super) fn with_indices(value: &Json, constants: &BTreeMap<String, f64>) -> Result<Json, String> {
    Ok(match value {
        Json::String(text) => indexed(text, constants)?.into(),
        Json::Array(items) => {
            Json::Array(items.iter().map(|item| with_indices(item, constants)).collect::<Result<_, _>>()?)
        }
        Json::Object(entries) => {
            let entry = |(name, item): (&String, &Json)| Ok((name.clone(), with_indices(item, constants)?));
            Json::Object(entries.iter().map(entry).collect::<Result<_, String>>()?)
        }
        other => other.clone(),
    })
}
