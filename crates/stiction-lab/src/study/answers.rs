//! What a study will leave behind, known before it runs: its tables with their columns, and the names of its quantities.
//!
//! `answers.txt` lists them, study by study. Figures and claims of a scenario are checked against it, and a test against what
//! every built-in scenario really leaves behind.

use super::results::is_of_motion;
use super::{AnyStudy, AnySystem};
use crate::dataset::Table;
use serde_json::Value as Json;
use std::sync::LazyLock;

/// The tables and quantities that a run can have.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answers {
    /// The tables in their order, without rows. A table whose existence depends on what is found is among them.
    pub tables: Vec<Table>,
    /// Names of quantities; `*` stands for any letters.
    pub quantities: Vec<String>,
}

/// A line of the list.
struct Entry {
    name: &'static str,
    /// The key that must be set.
    condition: Option<&'static str>,
    words: Vec<&'static str>,
}

/// Every study with its entries.
static LIST: LazyLock<Vec<(&'static str, Vec<Entry>)>> = LazyLock::new(|| {
    let mut studies: Vec<(&'static str, Vec<Entry>)> = Vec::new();
    for line in include_str!("answers.txt").lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let entries = studies.last_mut().map(|(_, entries)| entries);
        match (line.strip_prefix("  "), entries) {
            (None, _) => studies.push((line.trim(), Vec::new())),
            // a line that is indented more continues the one above
            (Some(more), Some(entries)) if more.starts_with(' ') => {
                entries.iter_mut().last().into_iter().for_each(|entry| entry.words.extend(more.split_whitespace()));
            }
            (Some(line), Some(entries)) => {
                let (head, words) = line.split_once(": ").unwrap_or((line, ""));
                let (name, condition) = head.split_once(" if ").map_or((head, None), |(name, key)| (name, Some(key)));
                entries.push(Entry { name, condition, words: words.split_whitespace().collect() });
            }
            (Some(_), None) => {}
        }
    }
    studies
});

impl Answers {
    /// What one answer of a study of a mechanism has; none if the study is not in the list.
    pub fn of(study: &AnyStudy, system: &AnySystem) -> Option<Self> {
        let (_, entries) = LIST.iter().find(|(name, _)| *name == study.name())?;
        let keys = Keys::of(study, system);
        let mut answers = Self::default();
        let holds = |entry: &&Entry| entry.condition.is_none_or(|condition| keys.hold(condition));
        for entry in entries.iter().filter(holds) {
            if entry.name == "quantities" {
                let names = entry.words.iter().flat_map(|name| keys.expanded(name));
                answers.quantities.extend(names);
                continue;
            }
            let columns = entry.words.iter().flat_map(|word| keys.columns(word));
            let tables = &mut answers.tables;
            let place = tables.iter().position(|table| table.name == entry.name).unwrap_or_else(|| {
                tables.push(Table::new(entry.name, ""));
                tables.len() - 1
            });
            if let Some(table) = tables.get_mut(place) {
                *table = columns.fold(table.clone(), with_column);
            }
        }
        Some(answers)
    }

    /// Whether there can be a quantity of that name.
    pub fn has_quantity(&self, name: &str) -> bool {
        self.quantities.iter().any(|known| fits(known, name))
    }
}

/// The studies that report a result, each with the tables that have it as a column; none if it is a quantity of the study.
pub(super) fn places(name: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut found = Vec::new();
    for (study, entries) in LIST.iter() {
        let has = |entry: &&Entry| entry.words.iter().any(|word| stands_for(word, name));
        if entries.iter().filter(|entry| entry.name == "quantities").any(|entry| has(&entry)) {
            found.push((*study, Vec::new()));
            continue;
        }
        let tables: Vec<&str> = entries.iter().filter(has).map(|entry| entry.name).collect();
        if !tables.is_empty() {
            found.push((*study, tables));
        }
    }
    found
}

/// The names of the quantities of a study, as in the list; empty for an unknown study.
pub(crate) fn quantities_of(study: &str) -> Vec<&'static str> {
    let entries = LIST.iter().filter(|(name, _)| *name == study).flat_map(|(_, entries)| entries);
    entries.filter(|entry| entry.name == "quantities").flat_map(|entry| entry.words.iter().copied()).collect()
}

/// Every name of the list that does not depend on a mechanism or on the value of a key.
pub(super) fn plain_names() -> impl Iterator<Item = &'static str> {
    let words = LIST.iter().flat_map(|(_, entries)| entries).flat_map(|entry| entry.words.iter().copied());
    words.map(|word| word.strip_suffix(":word").unwrap_or(word)).filter(|name| !name.contains(['@', '{', '<']))
}

/// Whether a word of the list can mean a name, or the form of a name.
fn stands_for(word: &str, name: &str) -> bool {
    let word = word.strip_suffix(":word").unwrap_or(word);
    match word.split_once('@') {
        None => fits(word, name) || word == name,
        Some((head, "contact")) => fits(&format!("{head}*"), name),
        Some((head, _)) => name.strip_prefix(head).is_some_and(is_of_motion),
    }
}

/// Adds an empty column; one that is there already stays.
pub(crate) fn with_column(table: Table, (name, is_word): (String, bool)) -> Table {
    match table.column(&name) {
        Some(_) => table,
        None if is_word => table.words(&name, "", Vec::new()),
        None => table.numbers(&name, "", "", Vec::new()),
    }
}

/// Whether a name fits a pattern, in which each `*` stands for one letter or more.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => name.strip_prefix(head).is_some_and(|rest| {
            let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8());
            ends.into_iter().any(|at| fits(tail, &rest[at..]))
        }),
    }
}

/// The values of a key of a table, or every entry of a list.
fn below<'j>(place: &'j Json, name: &str) -> Vec<&'j Json> {
    match (name, place) {
        ("*", Json::Array(list)) => list.iter().collect(),
        _ => place.get(name).into_iter().collect(),
    }
}

/// The keys of a scenario on which names depend.
struct Keys {
    study: Json,
    system: Json,
    prefix: String,
    /// Columns of the motions of the mechanism, and whether each is a coordinate or a velocity.
    motion: Vec<(String, bool)>,
    contacts: Vec<String>,
}

impl Keys {
    fn of(study: &AnyStudy, system: &AnySystem) -> Self {
        let inner = |tree: Result<Json, serde_json::Error>, name: &str| {
            tree.ok().and_then(|mut tree| tree.get_mut(name).map(Json::take)).unwrap_or_default()
        };
        let name = system.name();
        let columns = system.columns().into_iter();
        let columns = columns.map(|column| (column.name.to_string(), column.entry().is_some()));
        Self {
            study: inner(serde_json::to_value(study), study.name()),
            system: inner(serde_json::to_value(system), name),
            prefix: format!("system.{name}."),
            motion: columns.collect(),
            contacts: system.contacts().iter().map(ToString::to_string).collect(),
        }
    }

    /// The values at the end of a path below the study, or below the system with `system.`; `*` is every entry of a list.
    fn values(&self, path: &str) -> Vec<&Json> {
        let (root, path) = match path.strip_prefix("system.") {
            Some(path) => (&self.system, path),
            None => (&self.study, path),
        };
        path.split('.')
            .fold(vec![root], |places, name| places.into_iter().flat_map(|place| below(place, name)).collect())
    }

    /// Whether a key is set to something (`key`), or to a word (`key=word`).
    fn hold(&self, condition: &str) -> bool {
        if let Some((path, word)) = condition.split_once('=') {
            return self.values(path).iter().any(|value| *value == word);
        }
        let says_something = |value: &&Json| match value {
            Json::Null => false,
            Json::Bool(flag) => *flag,
            Json::Number(number) => number.as_f64() != Some(0.0),
            Json::Array(list) => !list.is_empty(),
            Json::String(_) | Json::Object(_) => true,
        };
        self.values(condition).iter().any(says_something)
    }

    /// The names that a word of the list means: `@column`, `@entry` and `@contact` stand for those of the mechanism.
    fn expanded(&self, word: &str) -> Vec<String> {
        let of_motion = |only_entries: bool| {
            let columns = self.motion.iter().filter(move |(_, is_entry)| *is_entry || !only_entries);
            columns.map(|(name, _)| name.as_str()).collect::<Vec<&str>>()
        };
        let kinds = [
            ("@column", of_motion(false)),
            ("@entry", of_motion(true)),
            ("@contact", self.contacts.iter().map(String::as_str).collect()),
        ];
        match kinds.into_iter().find(|(mark, _)| word.contains(mark)) {
            Some((mark, names)) => names.into_iter().map(|name| word.replace(mark, name)).collect(),
            None => vec![word.to_owned()],
        }
    }

    /// The columns that a word of the list means, and whether they hold words.
    fn columns(&self, word: &str) -> Vec<(String, bool)> {
        let (name, is_word) = word.strip_suffix(":word").map_or((word, false), |name| (name, true));
        let between = |open, close| name.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        let keys = |path: &str| {
            let texts = self.values(path).into_iter().filter_map(Json::as_str);
            texts.map(|text| text.strip_prefix(&self.prefix).unwrap_or(text).to_owned()).collect::<Vec<_>>()
        };
        let whole = |key: &String| key.replace('.', "_");
        let last = |key: &String| key.rsplit('.').next().unwrap_or(key).to_owned();
        let names: Vec<String> = if let Some(path) = between('{', '}') {
            keys(path).iter().map(last).collect()
        } else if let Some(path) = between('<', '>') {
            keys(path).iter().map(whole).collect()
        } else {
            self.expanded(name)
        };
        names.into_iter().map(|name| (name, is_word)).collect()
    }
}
