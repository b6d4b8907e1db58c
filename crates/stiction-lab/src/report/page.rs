//! `report.html`: one page that needs nothing but itself.

use super::record::{CheckedClaim, RunRecord};
use super::write::Picture;
use crate::dataset::{Quantity, Value, exact_value, readable_value};
use crate::figure::escape;
use crate::study::result;

/// Most events that the page shows.
const MOST_EVENTS: usize = 200;
/// With more claims than this, those that hold are folded.
const MOST_CLAIMS: usize = 6;
/// Warnings that are not folded.
const MOST_WARNINGS: usize = 3;
/// Most entries of a list that the page shows at once, and folded.
const MOST_ENTRIES: usize = 5;
const MOST_FOLDED: usize = 1000;

/// The page of a run: the answer and its warnings first, then the numbers that matter and the pictures, what was asked, the claims,
/// all numbers, how to go on, and where it all comes from.
pub(super) fn page(record: &RunRecord, pictures: &[Picture], files: &[String], more_warnings: &[String]) -> String {
    let outcome = record.outcome.to_json();
    let warnings: Vec<&String> = outcome.warnings.iter().chain(more_warnings).collect();
    let note = record.note.as_ref().map(|note| format!(" · {}", escape(note))).unwrap_or_default();
    let (title, name) = (escape(&record.title), escape(&record.scenario));
    let mut body = format!("<h1>{title}</h1>\n<p class=\"name\">{name}{note}</p>\n");
    if !record.answer.sentence.is_empty() {
        body.push_str(&format!("<p class=\"answer\">{}</p>\n", escape(&record.answer.sentence)));
    }
    push_warnings(&mut body, &warnings);
    push_main(&mut body, record);
    push_pictures(&mut body, pictures);
    push_question(&mut body, record);
    push_claims(&mut body, record);
    push_quantities(&mut body, record);
    push_events(&mut body, record);
    push_next(&mut body, record, files);
    push_origin(&mut body, record, files);
    html(&record.title, &body)
}

/// A self-contained page around a body that is HTML already.
pub fn html(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(title),
        include_str!("page.css")
    )
}

fn push_warnings(body: &mut String, warnings: &[&String]) {
    if warnings.is_empty() {
        return;
    }
    body.push_str("<div class=\"warnings\" role=\"note\"><strong>Before you trust the answer</strong>\n");
    let list = |warnings: &[&String]| {
        let entries: String = warnings.iter().map(|warning| format!("<li>{}</li>\n", escape(warning))).collect();
        format!("<ul>\n{entries}</ul>")
    };
    let (first, rest) = warnings.split_at(MOST_WARNINGS.min(warnings.len()));
    body.push_str(&list(first));
    if !rest.is_empty() {
        body.push_str(&format!("<details><summary>{} more</summary>{}</details>", rest.len(), list(rest)));
    }
    body.push_str("</div>\n");
}

fn push_question(body: &mut String, record: &RunRecord) {
    body.push_str("<h2>What was asked</h2>\n");
    if !record.answer.question.is_empty() {
        body.push_str(&format!("<p><em>{}</em></p>\n", escape(&record.answer.question)));
    }
    for paragraph in record.description.split("\n\n").map(str::trim).filter(|text| !text.is_empty()) {
        body.push_str(&format!("<p>{}</p>\n", escape(paragraph)));
    }
    body.push_str(&format!(
        "<details><summary>The scenario with every default filled in (study <code>{}</code>)</summary>\n\
         <pre>{}</pre></details>\n",
        escape(&record.study),
        escape(&record.resolved)
    ));
}

/// The numbers that matter most.
fn push_main(body: &mut String, record: &RunRecord) {
    let rows: String = record.main_quantities().map(|quantity| row(record, quantity, false)).collect();
    if !rows.is_empty() {
        body.push_str("<h2>The numbers that matter</h2>\n<div class=\"wide\"><table>\n");
        body.push_str("<tr><th>quantity</th><th>value</th><th>unit</th><th>meaning</th></tr>\n");
        body.push_str(&format!("{rows}</table></div>\n"));
    }
}

/// All numbers with all their digits, folded.
fn push_quantities(body: &mut String, record: &RunRecord) {
    body.push_str("<h2>All numbers</h2>\n");
    let quantities = &record.outcome.quantities;
    if quantities.is_empty() {
        body.push_str("<p>This study has no quantities; see the tables and pictures.</p>\n");
        return;
    }
    let rows: String = quantities.iter().map(|quantity| row(record, quantity, true)).collect();
    body.push_str(&format!(
        "<details><summary>{} quantities with all digits</summary>\n<div class=\"wide\"><table>\n\
         <tr><th>quantity</th><th>value</th><th>unit</th><th>meaning</th><th>all digits</th></tr>\n\
         {rows}</table></div></details>\n",
        quantities.len()
    ));
}

/// A quantity with its meaning, and with all digits if asked for; the definition is the tooltip.
fn row(record: &RunRecord, quantity: &Quantity, digits: bool) -> String {
    let value = readable_value(&quantity.value);
    let exact = exact_value(&quantity.value);
    let (value, exact) = match &quantity.value {
        Value::List(values) if values.len() > MOST_ENTRIES => (folded_list(values), String::new()),
        Value::Missing => (escape(&value), String::new()),
        _ if exact == value => (escape(&value), String::new()),
        _ => (escape(&value), escape(&exact)),
    };
    let unit = if quantity.unit.is_empty() { "–" } else { &quantity.unit };
    let meaning = result(&record.study, &quantity.name).map_or_else(String::new, |result| result.meaning);
    let exact = if digits { format!("<td class=\"exact\">{exact}</td>") } else { String::new() };
    format!(
        "<tr><td>{}</td><td class=\"number\">{value}</td><td>{}</td><td>{}</td>{exact}</tr>\n",
        explained(record, &quantity.name),
        escape(unit),
        escape(&meaning),
    )
}

/// A name as code, with what it means as its tooltip.
fn explained(record: &RunRecord, name: &str) -> String {
    let words = result(&record.study, name).map_or_else(String::new, |result| {
        let definition = if result.definition.is_empty() { String::new() } else { format!("; {}", result.definition) };
        format!(" title=\"{}\"", escape(&format!("{}{definition}", result.meaning)))
    });
    format!("<code{words}>{}</code>", escape(name))
}

/// The first entries of a long list, and the rest folded away.
fn folded_list(values: &[Value]) -> String {
    let part = |values: &[Value]| escape(&readable_value(&Value::List(values.to_vec())));
    let (first, rest) = values.split_at(MOST_ENTRIES.min(values.len()));
    let (rest, left) = rest.split_at(MOST_FOLDED.min(rest.len()));
    let more = if left.is_empty() { String::new() } else { format!(", and {} more in summary.json", left.len()) };
    format!("{}, …<details><summary>{} in all</summary>{}{more}</details>", part(first), values.len(), part(rest))
}

/// The claims; of many only those that do not hold at once, the others folded.
fn push_claims(body: &mut String, record: &RunRecord) {
    let Some(verdict) = record.claims_in_words() else { return };
    body.push_str(&format!("<h2>{verdict}</h2>\n"));
    let fold = record.claims.len() > MOST_CLAIMS;
    let (folded, open): (Vec<&CheckedClaim>, Vec<_>) =
        record.claims.iter().partition(|claim| fold && claim.holds == Some(true));
    body.push_str(&claim_table(record, &open));
    if !folded.is_empty() {
        let table = claim_table(record, &folded);
        body.push_str(&format!("<details><summary>{} that hold</summary>\n{table}</details>\n", folded.len()));
    }
}

fn claim_table(record: &RunRecord, claims: &[&CheckedClaim]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let mut table = String::from(
        "<div class=\"wide\"><table>\n<tr><th>statement</th><th>source</th><th>quantity</th><th>value</th><th>band</th>\
         <th>verdict</th></tr>\n",
    );
    for claim in claims {
        table.push_str(&format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"{}\">{}</td></tr>\n",
            escape(&claim.statement),
            escape(&claim.source),
            explained(record, &claim.quantity),
            escape(&claim.value),
            escape(&claim.band),
            match claim.holds {
                Some(true) => "holds",
                Some(false) => "fails",
                None => "open",
            },
            escape(&claim.words()),
        ));
    }
    table + "</table></div>\n"
}

fn push_pictures(body: &mut String, pictures: &[Picture]) {
    if pictures.is_empty() {
        return;
    }
    body.push_str(if pictures.len() == 1 { "<h2>The picture</h2>\n" } else { "<h2>The pictures</h2>\n" });
    for picture in pictures {
        // on a page a picture is as wide as the text, whatever it is in print
        let class = if picture.drawing.width < 100.0 { "column" } else { "page" };
        let svg = picture.drawing.svg.replacen(
            "<svg ",
            &format!("<svg class=\"{class}\" role=\"img\" aria-label=\"{}\" ", escape(&picture.caption)),
            1,
        );
        let caption = if picture.caption.is_empty() { String::new() } else { format!("{} ", escape(&picture.caption)) };
        let name = escape(&picture.drawing.name);
        body.push_str(&format!(
            "<figure><div class=\"picture\">{svg}</div><figcaption>{caption}(<a href=\"{name}.svg\">SVG</a>, \
             <a href=\"{name}.png\">PNG</a>)</figcaption></figure>\n"
        ));
    }
}

fn push_events(body: &mut String, record: &RunRecord) {
    let events = &record.outcome.events;
    if events.is_empty() {
        return;
    }
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in events.iter().take(MOST_EVENTS).flatten() {
        if !names.contains(&name) && names.len() < 30 {
            names.push(name);
        }
    }
    let shown = if events.len() > MOST_EVENTS {
        format!("the first {MOST_EVENTS} of {}", events.len())
    } else {
        events.len().to_string()
    };
    body.push_str(&format!("<h2>Events</h2>\n<details><summary>{shown}</summary>\n<div class=\"wide\"><table>\n<tr>"));
    for name in &names {
        body.push_str(&format!("<th>{}</th>", explained(record, name)));
    }
    body.push_str("</tr>\n");
    for event in events.iter().take(MOST_EVENTS) {
        body.push_str("<tr>");
        for name in &names {
            let value = event.iter().find(|(known, _)| known == *name).map(|(_, value)| readable_value(value));
            body.push_str(&format!("<td class=\"number\">{}</td>", escape(&value.unwrap_or_default())));
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</table></div></details>\n");
}

/// Commands to repeat the run, to change a parameter, and to read the tables.
fn push_next(body: &mut String, record: &RunRecord, files: &[String]) {
    let mut commands = vec![("Repeat it; the same scenario and seed give the same bytes:", record.command.clone())];
    if let Some(setting) = first_parameter(&record.resolved) {
        commands.push(("Change a parameter:", format!("{} --set {setting} --out changed", record.command)));
    }
    let table = |ending: &str| files.iter().find(|file| file.ends_with(ending));
    let python = match (table(".parquet"), table(".csv")) {
        (Some(file), _) => Some(format!("import pandas; print(pandas.read_parquet(\"{file}\"))")),
        (None, Some(file)) => Some(format!("import pandas; print(pandas.read_csv(\"{file}\"))")),
        (None, None) => None,
    };
    commands.extend(python.map(|code| ("Open a table in Python, in this folder:", code)));
    commands.extend(table(".parquet").map(|file| {
        let code = format!("import pyarrow.parquet as pq; print(pq.read_metadata(\"{file}\").metadata)");
        ("Its units and its provenance are in the file:", code)
    }));
    if let Some(name) = record.answer.main.first() {
        commands.push(("What a number means:", format!("stiction explain {}", name.split('[').next().unwrap_or(name))));
    }
    body.push_str("<h2>How to go on</h2>\n");
    for (what, command) in commands {
        body.push_str(&format!("<p>{what}</p>\n<pre>{}</pre>\n", escape(&command)));
    }
}

/// The first number of the mechanism with its key, as `--set` takes it.
fn first_parameter(resolved: &str) -> Option<String> {
    let table: toml::Table = resolved.parse().ok()?;
    let (mechanism, keys) = table.get("system")?.as_table()?.iter().next()?;
    let number = |(key, value): (&String, &toml::Value)| {
        let shown = match value {
            toml::Value::Float(number) => crate::dataset::number(*number),
            toml::Value::Integer(number) => number.to_string(),
            _ => return None,
        };
        Some(format!("system.{mechanism}.{key}={shown}"))
    };
    keys.as_table()?.iter().find_map(number)
}

fn push_origin(body: &mut String, record: &RunRecord, files: &[String]) {
    body.push_str("<h2>Files</h2>\n<ul class=\"files\">\n");
    for file in files {
        body.push_str(&format!("<li><a href=\"{0}\">{0}</a></li>\n", escape(file)));
    }
    body.push_str("</ul>\n<h2>Provenance</h2>\n<dl>\n");
    let effort = record.provenance.effort_pairs().into_iter().map(|(name, count)| (name.to_owned(), count.to_string()));
    for (name, value) in record.provenance.pairs().into_iter().chain(effort) {
        body.push_str(&format!("<dt>{}</dt><dd>{}</dd>\n", escape(&name.replace('_', " ")), escape(&value)));
    }
    body.push_str("</dl>\n");
}
