//! The summary that a person reads in a terminal.

use super::record::RunRecord;
use super::write::Written;
use crate::dataset::Value;
use crate::dataset::readable_value;
use crate::safe_text;

/// Width of a line.
const WIDTH: usize = 100;
/// Most entries of a list that is shown whole, and of a longer one.
const MOST: usize = 12;
const MOST_OF_LONGER: usize = 8;

/// Title, quantities with their units, claims, warnings, and where the files are.
pub fn human_summary(record: &RunRecord, written: Option<&Written>) -> String {
    let mut text = format!("{}\n", flat(&record.title));
    if let Some(note) = &record.note {
        text.push_str(&format!("{}\n", flat(note)));
    }
    let quantities = &record.outcome.quantities;
    let longest = quantities.iter().map(|quantity| quantity.name.chars().count()).max().unwrap_or(0).min(40);
    if !quantities.is_empty() {
        text.push('\n');
    }
    for quantity in quantities {
        let has_unit = match &quantity.value {
            Value::Number(number) => number.is_finite(),
            Value::List(values) => !values.is_empty(),
            value => *value != Value::Missing,
        };
        let unit = if has_unit && !quantity.unit.is_empty() { format!(" {}", quantity.unit) } else { String::new() };
        let value = flat(&format!("{}{unit}", shortened(&quantity.value)));
        let name = format!("  {:<longest$}  ", flat(&quantity.name));
        push_wrapped(&mut text, &name, &value);
    }
    if !record.claims.is_empty() {
        let decided: Vec<bool> = record.claims.iter().filter_map(|claim| claim.holds).collect();
        let held = decided.iter().filter(|holds| **holds).count();
        text.push_str(&format!("\nclaims: {held} of {} hold\n", decided.len()));
        for claim in &record.claims {
            let sign = match claim.holds {
                Some(true) => "+",
                Some(false) => "-",
                None => "?",
            };
            push_wrapped(&mut text, &format!("  {sign} "), &flat(&claim.statement));
            let detail = format!("{}: {} = {} (band: {})", claim.words(), claim.quantity, claim.value, claim.band);
            push_wrapped(&mut text, "    ", &flat(&detail));
        }
    }
    let mut warnings = record.outcome.to_json().warnings;
    warnings.extend(written.map(|written| written.warnings.clone()).unwrap_or_default());
    if !warnings.is_empty() {
        text.push('\n');
    }
    for warning in &warnings {
        push_wrapped(&mut text, "warning: ", &flat(warning));
    }
    if let Some(written) = written {
        text.push_str(&format!("\nfiles in {}:\n", safe_text::path(&written.folder)));
        push_wrapped(&mut text, "  ", &written.files.join(", "));
    }
    text
}

fn shortened(value: &Value) -> String {
    match value {
        Value::List(values) if values.len() > MOST => {
            let first = Value::List(values.iter().take(MOST_OF_LONGER).cloned().collect());
            format!("{}, ... ({} in all)", readable_value(&first), values.len())
        }
        _ => readable_value(value),
    }
}

/// A text of others in one line.
fn flat(text: &str) -> String {
    safe_text::line(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Adds a text broken at spaces, with its first line after `head` and the others below it.
fn push_wrapped(text: &mut String, head: &str, body: &str) {
    let indent = head.chars().count();
    text.push_str(head);
    let mut column = indent;
    for word in body.split_whitespace() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
}
