//! Paths of keys, and the tables of a scenario that they belong to.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::fmt;

/// The keys from a value down to one of its parts: `law.coulomb.static_coefficient`, `contact[0].normal_load`.
///
/// An entry of a list is named by its number, counted from 0, or by its own name: `contact.0.radius` and `contact[0].radius` are the
/// same path, and `contact.pad_belt.radius` is that of the entry with `name = "pad_belt"`.
///
/// ```
/// # use stiction::keys::KeyPath;
/// let path = KeyPath::from("contact.0.radius");
/// assert_eq!(path.to_string(), "contact[0].radius");
/// assert_eq!(path, KeyPath::from("contact[0].radius"));
/// assert_eq!(path.column(), "contact_0_radius");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct KeyPath(Vec<String>);

impl KeyPath {
    /// The path of these names.
    pub fn of<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self(names.into_iter().map(Into::into).collect())
    }

    /// The names from the outside in.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.0.iter().map(String::as_str)
    }

    /// Whether it is the value itself.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The innermost name; empty for the value itself.
    pub fn last(&self) -> &str {
        self.0.last().map_or("", String::as_str)
    }

    /// The same part seen from further up.
    #[must_use]
    pub(crate) fn below(mut self, parent: impl Into<KeyPath>) -> Self {
        self.0.splice(0..0, parent.into().0);
        self
    }

    /// The part that `rest` names inside this one.
    #[must_use]
    pub(crate) fn then(&self, rest: impl Into<KeyPath>) -> Self {
        rest.into().below(self.clone())
    }

    /// The rest of the path behind `front`, if it begins with that.
    pub fn behind(&self, front: impl Into<KeyPath>) -> Option<Self> {
        self.0.strip_prefix(front.into().0.as_slice()).map(|rest| Self(rest.to_vec()))
    }

    /// The part of a tree at this path.
    pub fn get<'t>(&self, tree: &'t Json) -> Option<&'t Json> {
        self.names().try_fold(tree, |here, name| match here {
            Json::Array(items) => items.get(entry(items, name)?),
            _ => here.get(name),
        })
    }

    /// Puts a value at the end of the path, making tables on the way. Whether there is such a place: a list has its entries only.
    pub fn put(&self, tree: &mut Json, value: Json) -> bool {
        let mut here = tree;
        for name in self.names() {
            if !(here.is_object() || here.is_array()) {
                *here = Json::Object(Map::new());
            }
            let below = match here {
                Json::Array(items) => entry(items, name).and_then(|index| items.get_mut(index)),
                Json::Object(entries) => Some(entries.entry(name.to_owned()).or_insert(Json::Null)),
                _ => None,
            };
            match below {
                Some(below) => here = below,
                None => return false,
            }
        }
        *here = value;
        true
    }

    /// The path as the name of a column.
    pub fn column(&self) -> String {
        self.0.join("_")
    }
}

/// The number of an entry of a list that is named by its number or its name.
pub(super) fn entry(items: &[Json], name: &str) -> Option<usize> {
    let named = |item: &Json| item.get("name").and_then(Json::as_str) == Some(name);
    name.parse().ok().or_else(|| items.iter().position(named)).filter(|index| *index < items.len())
}

impl From<&str> for KeyPath {
    /// Any text is a path: what is no key is found when the path is followed.
    fn from(text: &str) -> Self {
        let mut names = Vec::new();
        let mut rest = text.trim();
        while let Some(first) = rest.chars().next() {
            if matches!(first, '.' | '[' | ']') || first.is_whitespace() {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let quoted = matches!(first, '"' | '\'').then(|| rest[1..].find(first)).flatten();
            let (name, end) = match quoted {
                Some(length) => (&rest[1..=length], length + 2),
                None => {
                    let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
                    (rest[..end].trim_end(), end)
                }
            };
            names.push(name.to_owned());
            rest = &rest[end..];
        }
        Self(names)
    }
}

impl From<String> for KeyPath {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<&String> for KeyPath {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<&KeyPath> for KeyPath {
    fn from(path: &KeyPath) -> Self {
        path.clone()
    }
}

impl From<KeyPath> for String {
    fn from(path: KeyPath) -> Self {
        path.to_string()
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, name) in self.names().enumerate() {
            if place > 0 && name.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() {
                write!(formatter, "[{name}]")?;
                continue;
            }
            let dot = if place > 0 { "." } else { "" };
            let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
            let quote = if plain { "" } else { "\"" };
            write!(formatter, "{dot}{quote}{name}{quote}")?;
        }
        Ok(())
    }
}

impl PartialEq<str> for KeyPath {
    fn eq(&self, text: &str) -> bool {
        KeyPath::from(text).0 == self.0
    }
}

impl PartialEq<&str> for KeyPath {
    fn eq(&self, text: &&str) -> bool {
        *self == **text
    }
}

/// The table of a scenario that a key stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum KeyTable {
    /// `[system.<mechanism>]`: what moves.
    System,
    /// `[study.<study>]`: what is asked.
    Study,
    /// `[solver]`: how equations are solved.
    Solver,
}

/// A key of a mechanism, of a question about it, or of the solver.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The table.
    pub table: KeyTable,
    /// The path below the mechanism, the study or the table itself.
    pub path: KeyPath,
}

impl Key {
    /// A key of the question.
    pub fn study(path: impl Into<KeyPath>) -> Self {
        Self { table: KeyTable::Study, path: path.into() }
    }

    /// A key of the mechanism.
    pub fn system(path: impl Into<KeyPath>) -> Self {
        Self { table: KeyTable::System, path: path.into() }
    }

    /// The path in a scenario with this mechanism and this study, or a part of a study: `surface.runs`.
    pub fn full(&self, system: &str, study: &str) -> KeyPath {
        self.path.clone().below(match self.table {
            KeyTable::System => KeyPath::from("system").then(system),
            KeyTable::Study => KeyPath::from("study").then(study),
            KeyTable::Solver => KeyPath::from("solver"),
        })
    }
}

impl fmt::Display for Key {
    /// As it is called where mechanism and question are values: without their tables.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.table == KeyTable::Solver {
            formatter.write_str("solver.")?;
        }
        self.path.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_as_it_is_written() {
        for (text, shown) in [
            ("mass", "mass"),
            ("", ""),
            ("holes[1][0]", "holes[1][0]"),
            ("parameter.0.key", "parameter[0].key"),
            (" a . b ", "a.b"),
            ("map.\"a b\".c", "map.\"a b\".c"),
            ("'q.r'.s", "\"q.r\".s"),
            ("κ.ü[3]", "κ.ü[3]"),
            ("\"open", "\"\"open\""),
        ] {
            let path = KeyPath::from(text);
            assert_eq!(path.to_string(), shown, "{text}");
        }
    }

    #[test]
    fn a_key_has_the_name_of_its_table() {
        let key = |table| Key { table, path: "a.b".into() };
        assert_eq!(key(KeyTable::System).full("wheel", "smooth"), "system.wheel.a.b");
        assert_eq!(key(KeyTable::Study).full("wheel", "smooth"), "study.smooth.a.b");
        assert_eq!(key(KeyTable::Solver).full("wheel", "smooth"), "solver.a.b");
        let path = KeyPath::from("system.wheel.a");
        assert_eq!(path.behind("system.wheel"), Some("a".into()));
        assert_eq!(path.behind("system.whe"), None);
        assert_eq!(KeyPath::from("a").then("[2].b").to_string(), "a[2].b");
    }
}
