//! What a key means: its description, unit, range and default, from the schema; what a result means, from the list of results.

use super::near::{nearest_names, see_also};
use super::schema::document;
use crate::study::{explain_result, quantities_of};
use serde_json::Value as Json;
use std::fmt::Write;
use stiction::keys::KeyPath;
use stiction::keys::schema::{Key, Variant, View, text};

/// No key and no result has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is neither a key nor a result{}", meant(nearest))]
pub struct UnknownPath {
    /// The path.
    pub path: String,
    /// Paths that are near, the nearest first.
    pub nearest: Vec<String>,
}

fn meant(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(", ")) }
}

/// Explains a part of a scenario (a table with its keys, a choice with its names, a single key), or a result by its name.
///
/// The empty path is the scenario as a whole.
///
/// # Errors
/// [`UnknownPath`] has the nearest paths.
pub fn explain(path: &str) -> Result<String, UnknownPath> {
    let path = KeyPath::from(path);
    let keys: Vec<&str> = path.names().collect();
    let root = Found { schema: document(), key: None };
    let found = keys.iter().try_fold(root, |found, key| step(&found, key));
    let key = found.map(|found| page(&keys.join("."), &found));
    // a name can be both, such as `seed`
    let result = if let [name] = keys[..] { explain_result(name) } else { None };
    match (key, result) {
        (None, None) => Err(UnknownPath { path: path.to_string(), nearest: nearest_names(&keys) }),
        (Some(page), None) => Ok(page),
        (key, Some(result)) => {
            Ok(format!("{}{result}{}", key.map_or_else(String::new, |page| page + "\n"), see_also(&keys)))
        }
    }
}

/// The unit of a key, by its description; empty if it has none or there is no such key.
pub fn unit_of_key(path: impl Into<KeyPath>) -> String {
    let mut found = Found { schema: document(), key: None };
    for key in path.into().names() {
        // the entries of a list are all alike
        found = match step(&found, key) {
            Some(below) => below,
            None if key.parse::<usize>().is_ok() => found,
            None => return String::new(),
        };
    }
    let is_key = found.key.is_some();
    View::new(document(), found.schema).unit().filter(|_| is_key).unwrap_or_default().to_owned()
}

/// A schema, and the key that it is the value of.
pub(super) struct Found {
    pub(super) schema: &'static Json,
    pub(super) key: Option<Key<'static>>,
}

/// What stands below `found` under the name `name`.
pub(super) fn step(found: &Found, name: &str) -> Option<Found> {
    let view = View::new(document(), found.schema);
    if let Some(key) = view.key(name) {
        return Some(Found { schema: key.schema, key: Some(*key) });
    }
    if let Some(below) = view.variant(name).and_then(|variant| variant.below) {
        return Some(Found { schema: below, key: None });
    }
    // a list is explained by its entries
    view.keyword("items")
        .into_iter()
        .chain(view.forms.iter().copied())
        .find_map(|schema| step(&Found { schema, key: None }, name))
}

fn page(path: &str, found: &Found) -> String {
    let view = View::new(document(), found.schema);
    // the entries of a list, or the forms of a value
    let inner: Vec<View<'static>> = view
        .keyword("items")
        .into_iter()
        .chain(view.forms.iter().copied())
        .map(|schema| View::new(document(), schema))
        .collect();
    let views = || std::iter::once(&view).chain(&inner);
    let mut out = String::new();
    let _ = writeln!(out, "{}", if path.is_empty() { "a scenario" } else { path });
    write_descriptions(&mut out, views());
    if let Some(key) = &found.key {
        let facts = Facts::of(key, &view);
        let parts =
            [("type", &facts.kind), ("unit", &facts.unit), ("range", &facts.range), ("default", &facts.default)];
        for (name, value) in parts.iter().filter(|(_, value)| !value.is_empty()) {
            let _ = writeln!(out, "  {name}: {value}");
        }
    }
    if let Some(view) = views().find(|view| !view.keys.is_empty() || !view.variants.is_empty()) {
        write_choices(&mut out, path, view);
        write_keys(&mut out, &view.keys);
    }
    if let Some(study) = path.strip_prefix("study.") {
        write_results(&mut out, study);
    }
    if path == "solver" {
        out.push_str(&super::solver::defaults());
    }
    if path.is_empty() {
        for name in ["system", "study"] {
            if let Some(found) = step(&Found { schema: document(), key: None }, name) {
                write_choices(&mut out, name, &View::new(document(), found.schema));
            }
        }
        let _ = writeln!(out, "\nMore: stiction explain system.spring_block");
    }
    // an example ends with an empty line, a table begins with one
    out.replace("\n\n\n", "\n\n")
}

/// What the key says, and what the types behind it say beyond that, with their formulas and examples.
fn write_descriptions<'a>(out: &mut String, views: impl Iterator<Item = &'a View<'static>>) {
    let mut told = Vec::new();
    for part in views.flat_map(|view| &view.parts) {
        let description = text(part, "description");
        let plain = plain_text(description);
        if !plain.is_empty() && !told.contains(&plain) {
            write_hanging(out, "  ", &plain);
            told.push(plain);
        }
        // every second piece stands between fences; its first line is the language
        for block in description.split("```").skip(1).step_by(2) {
            out.push('\n');
            for line in block.lines().skip(1) {
                let _ = writeln!(out, "    {line}");
            }
            out.push('\n');
        }
    }
}

fn write_choices(out: &mut String, path: &str, view: &View<'_>) {
    if view.variants.is_empty() {
        return;
    }
    let width = view.variants.iter().map(|variant| variant.name.chars().count()).max().unwrap_or(0);
    let (words, tables): (Vec<&Variant<'_>>, Vec<_>) =
        view.variants.iter().partition(|variant| variant.below.is_none());
    let key = path.rsplit('.').next().unwrap_or(path);
    let heads =
        [("one of these words", format!("{key} = \"NAME\"")), ("one of these tables", format!("[{path}.NAME]"))];
    let mut or = "";
    for (variants, (head, form)) in [words, tables].into_iter().zip(heads) {
        let Some(first) = variants.first() else { continue };
        let _ = writeln!(out, "\n{or}{head}, for instance {}:", form.replace("NAME", first.name));
        for variant in variants {
            write_hanging(out, &format!("  {:width$}  ", variant.name), &plain_text(variant.description));
        }
        or = "or ";
    }
}

/// The quantities that a study reports.
fn write_results(out: &mut String, study: &str) {
    let names = quantities_of(study);
    if !names.is_empty() {
        let _ = writeln!(out, "\nresults (stiction explain NAME explains each):");
        write_hanging(out, "  ", &names.join(", "));
    }
}

fn write_keys(out: &mut String, keys: &[Key<'_>]) {
    if keys.is_empty() {
        return;
    }
    let facts: Vec<Facts> = keys.iter().map(|key| Facts::of(key, &View::new(document(), key.schema))).collect();
    let head = Facts {
        name: "key".into(),
        kind: "type".into(),
        unit: "unit".into(),
        range: "range".into(),
        default: "default".into(),
        meaning: "meaning".into(),
    };
    let columns =
        |facts: &Facts| [&facts.name, &facts.kind, &facts.unit, &facts.range, &facts.default].map(String::clone);
    let rows: Vec<[String; 5]> = std::iter::once(&head).chain(&facts).map(columns).collect();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2), width(3), width(4)];
    out.push('\n');
    for (row, facts) in rows.iter().zip(std::iter::once(&head).chain(&facts)) {
        let line: String = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}  ")).collect();
        write_hanging(out, &format!("  {line}"), &facts.meaning);
    }
}

/// Lines of this many characters fit on most terminals, and leave room for what a key means.
const WIDTH: usize = 120;

/// Writes a text behind a lead, its further lines below its first.
fn write_hanging(out: &mut String, lead: &str, text: &str) {
    let indent = lead.chars().count();
    let room = WIDTH.saturating_sub(indent).max(40);
    let mut line = lead.to_owned();
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > room {
            let _ = writeln!(out, "{}", line.trim_end());
            line = " ".repeat(indent);
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += length;
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

/// What is told of a key.
struct Facts {
    name: String,
    kind: String,
    unit: String,
    range: String,
    default: String,
    meaning: String,
}

impl Facts {
    fn of(key: &Key<'_>, view: &View<'_>) -> Self {
        let meaning = plain_text(view.description());
        let default = match view.keyword("default") {
            Some(Json::Null) | None if key.required => "required".to_owned(),
            Some(Json::Null) | None => "none".to_owned(),
            Some(Json::Object(_)) => "by key".to_owned(),
            Some(Json::Number(number)) => match number.as_f64().filter(|value| *value == 0.0 || value.abs() >= 1e-4) {
                // without a useless fraction: `1`, not `1.0`
                Some(value) if number.is_f64() => value.to_string(),
                _ => number.to_string(),
            },
            Some(value) => value.to_string(),
        };
        let unit = view.unit().map_or("", |unit| if unit.is_empty() { "-" } else { unit }).to_owned();
        Self { name: key.name.to_owned(), kind: kind(view), unit, range: view.range().to_string(), default, meaning }
    }
}

/// The type in a word or two.
fn kind(view: &View<'_>) -> String {
    if !view.variants.is_empty() {
        let words: Vec<&str> = view.variants.iter().map(|variant| variant.name).collect();
        let tables = view.variants.iter().any(|variant| variant.below.is_some());
        return if tables { "choice".to_owned() } else { words.join(" | ") };
    }
    if view.keyword("x-formula").is_some() {
        return "formula".to_owned();
    }
    let forms = view.forms.iter().map(|form| kind(&View::new(document(), form)));
    let types = view.types.iter().map(|kind| match *kind {
        "boolean" => "true | false".to_owned(),
        "integer" => "whole number".to_owned(),
        "array" => match view.keyword("items") {
            Some(items) => format!("list of {}", plural(&self::kind(&View::new(document(), items)))),
            None => "list".to_owned(),
        },
        "object" => "table".to_owned(),
        other => other.to_owned(),
    });
    let mut all: Vec<String> = forms.chain(types).collect();
    all.dedup();
    all.join(" | ")
}

/// Several of a kind: numbers, lists of numbers, formulas, (force | torque).
fn plural(kind: &str) -> String {
    if kind.contains(" | ") {
        return format!("({kind})");
    }
    match kind.strip_prefix("list") {
        Some(rest) => format!("lists{rest}"),
        None => format!("{kind}s"),
    }
}

/// The words of a description in front of its first fenced block, on one line.
fn plain_text(description: &str) -> String {
    let text = description.split("```").next().unwrap_or("").replace('\n', " ");
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::near::all_paths;
    use super::*;

    #[test]
    fn every_path_is_explained() {
        let paths = all_paths();
        assert!(paths.len() > 50);
        for path in &paths {
            assert!(explain(path).is_ok_and(|page| page.starts_with(path.as_str())), "{path}");
        }
    }

    #[test]
    fn a_table_is_told_with_units_ranges_and_defaults() {
        let page = explain("system.spring_block").unwrap();
        let line = |name: &str| page.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or("").to_owned();
        let words = |name: &str| line(name).split_whitespace().take(6).collect::<Vec<_>>().join(" ");
        assert_eq!(words("mass"), "mass number kg > 0 required", "{page}");
        assert_eq!(words("normal_load"), "normal_load number N > 0 1", "{page}");
        assert!(line("contact_policy").contains("strict | first_contact"), "{page}");
        assert!(explain("system.spring_block.law").unwrap().contains("two_slope"));
        assert!(explain("figure.lines.x").unwrap().contains("required"));
    }

    #[test]
    fn an_unknown_path_has_neighbours() {
        for (path, meant) in [
            ("two_slope", "system.spring_block.law.two_slope"),
            ("system.spring_blok", "system.spring_block"),
            ("solver.metod", "solver.method"),
            ("sistem.spring_blok.mas", "system.spring_block.mass"),
            ("spring_block.mass", "system.spring_block.mass"),
        ] {
            let error = explain(path).unwrap_err();
            assert!(error.nearest.contains(&meant.to_owned()), "{error}");
        }
    }
}
