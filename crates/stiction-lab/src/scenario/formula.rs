//! Formulas inside strings: checked when the scenario is read, with the column of what is wrong.

use super::mistake::Mistake;
use super::tree::{Content, Node, Table};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use stiction::num::formula::Formula;

/// What is wrong with the formula `text` that stands in `node`, if anything.
///
/// `rule` is the schema's `x-formula`: the names of the variables, and the key beside this one that holds constants.
pub(super) fn formula_mistake(
    rule: &Json,
    node: &Node,
    text: &str,
    path: &str,
    siblings: Option<&Table>,
) -> Option<Mistake> {
    let variables: Vec<&str> = rule
        .get("variables")
        .and_then(Json::as_array)
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .filter_map(Json::as_str)
        .collect();
    let constants = constants(rule, siblings);
    let (message, position) = formula_problem(text, &variables, &constants)?;
    // the column is known where the string is written as it reads: in quotes, without escapes
    let written = node.place.text();
    let exact = written.len() == text.len() + 2 && written.get(1..=text.len()) == Some(text);
    let place = if exact { node.place.inside(1 + position) } else { node.place.clone() };
    let mut known: Vec<&str> = variables;
    known.extend(constants.keys().map(String::as_str));
    known.dedup();
    Some(Mistake::new(&place, format!("the formula of `{path}` cannot be read: {message}")).note(if known.is_empty() {
        String::new()
    } else {
        format!("names here: {}", known.join(", "))
    }))
}

/// The constants beside a formula; an entry that is no number is told elsewhere.
fn constants(rule: &Json, siblings: Option<&Table>) -> BTreeMap<String, f64> {
    let table = rule.get("constants").and_then(Json::as_str).and_then(|key| siblings?.get(key));
    let Some(Content::Table(table)) = table.map(|entry| &entry.node.content) else {
        return BTreeMap::new();
    };
    let number = |node: &Node| match node.content {
        Content::Whole(number) => number as f64,
        Content::Real(number) => number,
        _ => 1.0,
    };
    table.iter().map(|(name, entry)| (name.clone(), number(&entry.node))).collect()
}

/// What the parser of formulas says: the message, and the byte of the text that it is about.
fn formula_problem(text: &str, variables: &[&str], constants: &BTreeMap<String, f64>) -> Option<(String, usize)> {
    Formula::parse(text, variables, constants).err().map(|error| (error.to_string(), error.position))
}
