//! The words of mistakes: paths, bounds, descriptions, examples.

use serde_json::Value as Json;
use stiction::keys::schema::{Key, Variant, View};

/// How a choice is written, with the keys that it needs.
pub(super) fn example(document: &Json, variant: &Variant<'_>, depth: usize) -> String {
    let Some(below) = variant.below else { return format!("\"{}\"", variant.name) };
    let view = View::new(document, below);
    let value = |key: &Key<'_>| {
        let view = View::new(document, key.schema);
        match view.variants.first() {
            Some(first) if depth < 3 && first.below.is_some() => format!("{{{}}}", example(document, first, depth + 1)),
            Some(first) => format!("\"{}\"", first.name),
            None if view.takes("string") => "\"…\"".to_owned(),
            None => "…".to_owned(),
        }
    };
    let keys: Vec<String> =
        view.keys.iter().filter(|key| key.required).map(|key| format!("{}={}", key.name, value(key))).collect();
    if view.keys.is_empty() {
        format!("{}=…", variant.name)
    } else {
        format!("{}={{{}}}", variant.name, keys.join(", "))
    }
}

/// What a number must be, if there are bounds.
pub(super) fn outside(view: &View<'_>) -> String {
    let range = view.range().to_string();
    if range.is_empty() { range } else { format!("must be {range}") }
}

/// The key and the first line of its description.
pub(super) fn described(view: &View<'_>, path: &str) -> String {
    let description = first_line(view.description());
    if description.is_empty() { String::new() } else { format!("{path}: {description}") }
}

/// The first sentence or line of a description.
pub(super) fn first_line(description: &str) -> String {
    description.split("\n\n").next().unwrap_or("").replace('\n', " ")
}

/// A path and one more key; a key that is not a plain word is put in quotes.
pub(super) fn joined(path: &str, key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let key = if plain { key.to_owned() } else { format!("\"{key}\"") };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

pub(super) fn place_name(path: &str) -> &str {
    if path.is_empty() { "the scenario" } else { path }
}

pub(super) fn quoted_place(path: &str) -> String {
    if path.is_empty() { "the scenario".to_owned() } else { format!("`{path}`") }
}
