//! Keys that older scenarios have elsewhere: read under their new names, with a warning.

use super::mistake::Mistake;
use super::tree::{Content, Entry, Node, Table};

/// The new path of a key that older scenarios have below a study or a field.
fn renamed<'a>(path: &[&'a str]) -> Option<Vec<&'a str>> {
    match path {
        ["system", _, "field", "memory"] => Some(vec!["memory"]),
        ["study", _, "solver", key] => Some(vec!["solver", key]),
        ["study", "smooth", "tolerance"] => Some(vec!["solver", "absolute_tolerance"]),
        ["study", "itinerary" | "return_map", key] | ["study", _, "runs", key] => match *key {
            "relative_tolerance" | "absolute_tolerance" | "max_step" => Some(vec!["solver", key]),
            "seed" => Some(vec!["seed"]),
            _ => None,
        },
        _ => None,
    }
}

/// Moves keys of older scenarios to their new places, and says so in `notes`. What is moved replaces what was there; in a
/// `file` of its own both names at once are a mistake.
pub(super) fn rename(table: &mut Table, is_file: bool, notes: &mut Vec<String>) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for (old, entry) in taken(table) {
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let Some(new) = renamed(&old) else { continue };
        let note = format!("`{}` is now `{}`", old.join("."), new.join("."));
        if is_file && has(table, &new) {
            mistakes
                .push(Mistake::new(&entry.key, format!("{note}, which is given as well")).note("remove one of them"));
            continue;
        }
        let note = format!("warning: {note}");
        // zero stood for the seed of the scenario
        if !(new == ["seed"] && matches!(entry.node.content, Content::Whole(0))) {
            put(table, &new, entry);
        }
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    let campaign = table.get_mut("campaign").and_then(|entry| below(&mut entry.node, "vary"));
    if let Some(Node { content: Content::List(varied), .. }) = campaign {
        for key in varied.iter_mut().filter_map(|vary| below(vary, "key")) {
            let Content::Text(text) = &mut key.content else { continue };
            let path: Vec<&str> = text.split('.').map(str::trim).collect();
            if let Some(new) = renamed(&path).map(|new| new.join(".")) {
                notes.push(format!("warning: `{text}` is now `{new}`"));
                *text = new;
            }
        }
    }
    mistakes
}

/// Takes every key with a new name out of the tree.
fn taken(table: &mut Table) -> Vec<(Vec<String>, Entry)> {
    fn walk(table: &mut Table, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, Entry)>) {
        let keys: Vec<String> = table.keys().cloned().collect();
        for key in keys {
            path.push(key.clone());
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            if renamed(&names).is_some() {
                found.extend(table.remove(&key).map(|entry| (path.clone(), entry)));
            } else if let Some(Content::Table(inner)) = table.get_mut(&key).map(|entry| &mut entry.node.content)
                && path.len() < 4
            {
                walk(inner, path, found);
                if inner.is_empty() && path.len() == 3 && key == "solver" {
                    table.remove(&key);
                }
            }
            path.pop();
        }
    }
    let mut found = Vec::new();
    for root in ["system", "study"] {
        if let Some(Content::Table(inner)) = table.get_mut(root).map(|entry| &mut entry.node.content) {
            walk(inner, &mut vec![root.to_owned()], &mut found);
        }
    }
    found
}

fn below<'t>(node: &'t mut Node, key: &str) -> Option<&'t mut Node> {
    match &mut node.content {
        Content::Table(table) => table.get_mut(key).map(|entry| &mut entry.node),
        _ => None,
    }
}

fn has(table: &mut Table, path: &[&str]) -> bool {
    match path {
        [first, second] => table.get_mut(*first).is_some_and(|entry| below(&mut entry.node, second).is_some()),
        [first, ..] => table.contains_key(*first),
        [] => false,
    }
}

fn put(table: &mut Table, path: &[&str], entry: Entry) {
    let Some((first, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        table.insert((*first).to_owned(), entry);
        return;
    }
    let place = entry.key.clone();
    let empty = || Entry { key: place.clone(), node: Node { place, content: Content::Table(Table::new()) } };
    let inner = table.entry((*first).to_owned()).or_insert_with(empty);
    // what is no table is reported by the schema
    if let Content::Table(inner) = &mut inner.node.content {
        put(inner, rest, entry);
    }
}
