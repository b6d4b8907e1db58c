//! The scenario as it was run: every default filled in, as a file that runs again to the same bytes.

use super::Scenario;
use crate::keep::Resolved;
use serde_json::{Map, Value as Json};
use std::fmt::Write;

/// A scenario that cannot be written as TOML.
#[derive(Debug, thiserror::Error)]
#[error("the scenario cannot be written as TOML: {0}")]
pub struct ResolveError(#[from] serde_json::Error);

impl Scenario {
    /// The scenario with every default filled in.
    ///
    /// # Errors
    /// [`ResolveError`] if a value has no form in TOML; a scenario that was read always has one.
    pub fn resolved(&self) -> Result<Resolved, ResolveError> {
        let mut text = String::new();
        let filled = self.filled();
        if let Json::Object(root) = serde_json::to_value(filled)? {
            write_table(&mut text, "", &root);
        }
        Ok(Resolved { inputs: self.input.clone(), ..Resolved::of(text) })
    }
}

/// Writes the entries of a table, plain values first, then the tables below it, each with its header.
///
/// Numbers are written as a person would: the usual TOML writer has `0.000000000001` for `1e-12`.
fn write_table(out: &mut String, path: &str, table: &Map<String, Json>) {
    // writing to a string cannot fail
    for (key, value) in table.iter().filter(|(_, value)| !value.is_null() && !has_header(value)) {
        let _ = writeln!(out, "{} = {}", quoted_key(key), inline(value));
    }
    for (key, value) in table {
        let path = if path.is_empty() { quoted_key(key) } else { format!("{path}.{}", quoted_key(key)) };
        match value {
            Json::Object(inner) => {
                // a table with nothing but tables in it needs no header of its own
                if inner.is_empty() || inner.values().any(|value| !has_header(value)) {
                    let _ = writeln!(out, "\n[{path}]");
                }
                write_table(out, &path, inner);
            }
            Json::Array(items) if has_header(value) => {
                for item in items.iter().filter_map(Json::as_object) {
                    let _ = writeln!(out, "\n[[{path}]]");
                    write_table(out, &path, item);
                }
            }
            _ => {}
        }
    }
}

/// Whether a value is written below a header: a table, or a list of nothing but tables.
fn has_header(value: &Json) -> bool {
    match value {
        Json::Object(_) => true,
        Json::Array(items) => !items.is_empty() && items.iter().all(Json::is_object),
        _ => false,
    }
}

pub(super) fn inline(value: &Json) -> String {
    match value {
        Json::Null => "\"\"".to_owned(),
        Json::Bool(flag) => flag.to_string(),
        Json::Number(number) => match number.as_f64() {
            // the shortest digits that read back to the same number
            Some(real) if number.is_f64() => format!("{real:?}"),
            _ => number.to_string(),
        },
        Json::String(text) => toml::Value::String(text.clone()).to_string(),
        Json::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Json::Object(table) => {
            let entries = table.iter().filter(|(_, value)| !value.is_null());
            let entries: Vec<String> =
                entries.map(|(key, value)| format!("{} = {}", quoted_key(key), inline(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

fn quoted_key(key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { key.to_owned() } else { toml::Value::String(key.replace(['\n', '\r'], " ")).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn any_tree_reads_back_as_it_was() {
        let tree = json!({
            "title": "a \"quoted\" title", "note": "two\nlines \\ and 'quotes'", "small": 1e-12, "large": 1e300, "whole": 3, "real": 3.0,
            "list": [1.5, 2.0], "words": ["a", "b"], "mixed": [[{ "a": 1 }], []], "flag": true,
            "outer": { "only": { "x": 1, "empty": {} } }, "figure": [{ "lines": [{ "x": "t" }, { "x": "u", "k": { "a b": 1 } }] }, {}],
        });
        let Json::Object(map) = &tree else { panic!("a table") };
        let mut text = String::new();
        write_table(&mut text, "", map);
        let back: toml::Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(serde_json::to_value(back).unwrap(), tree, "{text}");
        assert!(
            text.contains("small = 1e-12\n") && text.contains("real = 3.0\n") && !text.contains("[outer]\n"),
            "{text}"
        );
    }
}
