//! The summary that a person reads in a terminal: the answer first, at most [`MOST_LINES`] lines; or all of it.

use super::record::RunRecord;
use super::write::Written;
use crate::answer::in_short;
use crate::dataset::readable_value;
use crate::dataset::{Quantity, Value};
use crate::safe_text;
use crate::study::result;

/// Width of a line.
const WIDTH: usize = 100;
/// Most lines of the short summary.
const MOST_LINES: usize = 15;
/// Most quantities of the short summary.
const MOST_QUANTITIES: usize = 8;
/// Failing claims that the short summary names.
const MOST_CLAIMS: usize = 3;
/// Most entries of a list that is shown whole, and of a longer one.
const MOST: usize = 12;
const MOST_OF_LONGER: usize = 8;

/// The answer in one sentence, the quantities that matter most, failing claims, warnings, and where the report is.
pub fn short_summary(record: &RunRecord, written: Option<&Written>) -> String {
    let answer = wrapped("", &flat(answer(record)));
    let mut end = claim_lines(record);
    end.extend(warning_line(&warnings(record, written)));
    end.extend(report_line(record, written));
    let room = MOST_LINES.saturating_sub(answer.len() + end.len() + 2).min(MOST_QUANTITIES);
    let rows = main_rows(record, room);
    let parts = [answer, rows, end].into_iter().filter(|part| !part.is_empty());
    parts.map(|part| part.join("\n") + "\n").collect::<Vec<_>>().join("\n")
}

/// Everything: the answer, the title, all quantities with units and meanings, claims, warnings, and where the files are.
pub fn full_summary(record: &RunRecord, written: Option<&Written>) -> String {
    let title = wrapped("", &format!("{}: {}", flat(&record.scenario), flat(&record.title)));
    let mut parts = vec![wrapped("", &flat(answer(record))), title];
    let quantities = &record.outcome.quantities;
    let longest = quantities.iter().map(|quantity| quantity.name.chars().count()).max().unwrap_or(0).min(40);
    let row = |quantity: &Quantity| {
        let value = with_unit(shortened(&quantity.value), quantity);
        let meaning = meaning(record, &quantity.name);
        let text = if meaning.is_empty() { value } else { format!("{value} ({meaning})") };
        wrapped(&format!("  {:<longest$}  ", flat(&quantity.name)), &flat(&text))
    };
    parts.push(quantities.iter().flat_map(row).collect());
    parts.push(all_claims(record));
    let warnings = warnings(record, written);
    parts.push(warnings.iter().flat_map(|warning| wrapped("warning: ", &flat(warning))).collect());
    if let Some(written) = written {
        let mut files = vec![format!("files in {}:", safe_text::path(&written.folder))];
        files.extend(wrapped("  ", &written.files.join(", ")));
        parts.push(files);
    }
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.map(|part| part.join("\n") + "\n").collect::<Vec<_>>().join("\n")
}

/// The sentence; the title where a study has none.
fn answer(record: &RunRecord) -> &str {
    if record.answer.sentence.is_empty() { &record.title } else { &record.answer.sentence }
}

fn meaning(record: &RunRecord, name: &str) -> String {
    result(&record.study, name).map_or_else(String::new, |result| result.meaning)
}

/// The first quantities that matter and have a value: name, value with unit, meaning.
fn main_rows(record: &RunRecord, most: usize) -> Vec<String> {
    let rows: Vec<[String; 3]> = record
        .main_quantities()
        .filter_map(|quantity| {
            let value = in_short(quantity, &record.outcome)?;
            Some([flat(&quantity.name), flat(&value), meaning(record, &quantity.name)])
        })
        .take(most)
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (names, values) = (width(0), width(1));
    let line = |[name, value, meaning]: &[String; 3]| {
        shortened_line(&format!("  {name:<names$}  {value:<values$}  {meaning}"))
    };
    rows.iter().map(line).collect()
}

/// One line about all claims, and one for each that fails.
fn claim_lines(record: &RunRecord) -> Vec<String> {
    let Some(verdict) = record.claims_in_words() else { return Vec::new() };
    let failing: Vec<_> = record.claims.iter().filter(|claim| claim.holds == Some(false)).collect();
    let mut lines = vec![verdict];
    for claim in failing.iter().take(MOST_CLAIMS) {
        let erratum = claim.erratum.as_ref().map_or_else(String::new, |id| format!(" (known erratum {id})"));
        let statement = cut(&flat(&claim.statement), WIDTH - 17 - erratum.chars().count());
        lines.push(format!("  does not hold: {statement}{erratum}"));
    }
    if failing.len() > MOST_CLAIMS {
        lines.push(format!("  and {} more that do not hold", failing.len() - MOST_CLAIMS));
    }
    lines
}

fn warnings(record: &RunRecord, written: Option<&Written>) -> Vec<String> {
    let mut warnings = record.outcome.to_json().warnings;
    warnings.extend(written.map(|written| written.warnings.clone()).unwrap_or_default());
    warnings
}

fn warning_line(warnings: &[String]) -> Option<String> {
    let first = flat(warnings.first()?);
    Some(shortened_line(&match warnings.len() {
        1 => format!("warning: {first}"),
        many => format!("{many} warnings, the first: {first}"),
    }))
}

fn report_line(record: &RunRecord, written: Option<&Written>) -> Option<String> {
    let report = written?.folder.join("report.html");
    let note = record.note.as_ref().map_or_else(String::new, |note| format!("{}; ", flat(note)));
    let count = record.outcome.quantities.len();
    Some(format!("{note}report: {} (--all prints {count} quantities)", safe_text::path(&report)))
}

fn all_claims(record: &RunRecord) -> Vec<String> {
    let Some(verdict) = record.claims_in_words() else { return Vec::new() };
    let mut lines = vec![verdict];
    for claim in &record.claims {
        let sign = match claim.holds {
            Some(true) => "+",
            Some(false) => "-",
            None => "?",
        };
        lines.extend(wrapped(&format!("  {sign} "), &flat(&claim.statement)));
        let detail = format!("{}: {} = {} (band: {})", claim.words(), claim.quantity, claim.value, claim.band);
        lines.extend(wrapped("    ", &flat(&detail)));
    }
    lines
}

fn with_unit(value: String, quantity: &Quantity) -> String {
    let has_unit = match &quantity.value {
        Value::Number(number) => number.is_finite(),
        Value::List(values) => !values.is_empty(),
        value => *value != Value::Missing,
    };
    if has_unit && !quantity.unit.is_empty() { format!("{value} {}", quantity.unit) } else { value }
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

/// A line that fits the terminal.
fn shortened_line(line: &str) -> String {
    cut(line.trim_end(), WIDTH)
}

/// The text with at most so many characters, the last one `…` if some are left out.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// The lines of a text broken at spaces, the first one after `head` and the others below it.
fn wrapped(head: &str, body: &str) -> Vec<String> {
    let indent = head.chars().count();
    let mut lines = vec![head.to_owned()];
    let mut column = indent;
    // a number stays with its %
    for word in body.replace(" %", "\u{a0}%").split(' ') {
        let length = word.chars().count();
        if column > indent && column + 1 + length > WIDTH {
            lines.push(" ".repeat(indent));
            column = indent;
        }
        if let Some(line) = lines.last_mut() {
            if column > indent {
                line.push(' ');
                column += 1;
            }
            line.push_str(&word.replace('\u{a0}', " "));
        }
        column += length;
    }
    lines
}
