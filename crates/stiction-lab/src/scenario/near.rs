//! Keys and results that are near to a name: those that were probably meant, and keys that share it.

use super::explain::{Found, step};
use super::schema::document;
use crate::study::nearest_results;
use serde_json::Value as Json;
use stiction::keys::schema::View;
use stiction::keys::{nearest, nearest_few};

/// The keys that have the name of a result.
pub(super) fn see_also(keys: &[&str]) -> String {
    let is_same = |path: &String| path.contains('.') && path.rsplit('.').next() == keys.last().copied();
    let paths: Vec<String> = all_paths().into_iter().filter(is_same).take(3).collect();
    if paths.is_empty() { String::new() } else { format!("\nkeys of this name: {}\n", paths.join(", ")) }
}

/// The path with each misspelt key replaced by its nearest neighbour.
fn mended(keys: &[&str]) -> Option<String> {
    let mut found = Found { schema: document(), key: None };
    let mut path = Vec::new();
    for key in keys {
        let name = if step(&found, key).is_some() { key } else { nearest(key, names_below(found.schema, 0))? };
        found = step(&found, name)?;
        path.push(name);
    }
    Some(path.join("."))
}

/// The names that can follow a path.
fn names_below(schema: &'static Json, depth: usize) -> Vec<&'static str> {
    let view = View::new(document(), schema);
    let tables = view.variants.iter().filter(|variant| variant.below.is_some()).map(|variant| variant.name);
    let mut names: Vec<&str> = view.keys.iter().map(|key| key.name).chain(tables).collect();
    if depth < 4 {
        let inner = view.keyword("items").into_iter().chain(view.forms.iter().copied());
        names.extend(inner.flat_map(|schema| names_below(schema, depth + 1)));
    }
    names
}

/// Keys and results that were probably meant.
pub(super) fn nearest_names(keys: &[&str]) -> Vec<String> {
    let mut names = if let [name] = keys { nearest_results(name) } else { Vec::new() };
    names.extend(nearest_paths(keys));
    names.truncate(4);
    names
}

/// Paths that were probably meant.
fn nearest_paths(keys: &[&str]) -> Vec<String> {
    if let Some(path) = mended(keys) {
        return vec![path];
    }
    let last = keys.last().copied().unwrap_or("");
    let paths = all_paths();
    let ends = |path: &&String| path.rsplit('.').next() == Some(last);
    let mut found: Vec<&String> = paths.iter().filter(ends).collect();
    let whole = keys.join(".");
    if found.is_empty() {
        let near = nearest_few(last, paths.iter().filter_map(|path| path.rsplit('.').next()), 1);
        found = paths.iter().filter(|path| near.contains(&path.rsplit('.').next().unwrap_or(""))).collect();
    }
    if found.is_empty() {
        let near = nearest_few(&whole, paths.iter().map(String::as_str), 3);
        found = paths.iter().filter(|path| near.contains(&path.as_str())).collect();
    }
    if whole.len() < 200 {
        found.sort_by_key(|path| strsim::damerau_levenshtein(path, &whole));
    }
    found.into_iter().take(3).cloned().collect()
}

/// Every path of a scenario down to a sensible depth.
pub(super) fn all_paths() -> Vec<String> {
    let mut paths = Vec::new();
    let mut open = vec![(String::new(), document(), 0)];
    while let Some((path, schema, depth)) = open.pop() {
        let view = View::new(document(), schema);
        let below = view.keys.iter().map(|key| (key.name, key.schema));
        let below = below.chain(view.variants.iter().filter_map(|variant| Some((variant.name, variant.below?))));
        let same = view.keyword("items").into_iter().chain(view.forms.iter().copied());
        if depth < 8 {
            for (name, schema) in below {
                let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
                paths.push(path.clone());
                open.push((path, schema, depth + 1));
            }
            open.extend(same.map(|schema| (path.clone(), schema, depth + 1)));
        }
    }
    paths.sort_by_key(|path| path.matches('.').count());
    paths.dedup();
    paths
}
