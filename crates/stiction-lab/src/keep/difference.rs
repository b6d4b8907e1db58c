//! The first key in which two resolved scenarios differ.

use super::input::{InputFile, inputs_of};
use std::fmt;
use toml::Value;

/// A key whose values differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The key.
    pub key: String,
    /// Its value before; none if it was not there.
    pub before: Option<String>,
    /// Its value now; none if it is not there.
    pub now: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = |value: &Option<String>| value.clone().unwrap_or_else(|| "not given".to_owned());
        write!(formatter, "`{}` was {}, now it is {}", self.key, told(&self.before), told(&self.now))
    }
}

/// The first key that differs, in the order of the second text; none if the texts mean the same.
pub(super) fn first_difference(before: &str, now: &str) -> Option<Difference> {
    if before == now {
        return None;
    }
    match (toml::from_str::<Value>(before), toml::from_str::<Value>(now)) {
        (Ok(old), Ok(new)) => changed_file(before, now).or_else(|| in_value("", Some(&old), Some(&new), now)),
        _ => Some(Difference { key: "the whole scenario".to_owned(), before: None, now: None }),
    }
}

/// An input file of both whose contents differ.
fn changed_file(before: &str, now: &str) -> Option<Difference> {
    let before = inputs_of(before);
    inputs_of(now).into_iter().find_map(|new| {
        let old = before.iter().find(|old| old.file == new.file && old.sha256 != new.sha256)?;
        let told = |input: &InputFile| Some(format!("a file with SHA-256 {}", input.sha256));
        Some(Difference { key: new.file.clone(), before: told(old), now: told(&new) })
    })
}

fn in_value(key: &str, before: Option<&Value>, now: Option<&Value>, text: &str) -> Option<Difference> {
    let below = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match (before, now) {
        (Some(Value::Table(old)), Some(Value::Table(new))) => {
            let mut names: Vec<&String> =
                new.keys().chain(old.keys().filter(|name| !new.contains_key(*name))).collect();
            // tables of this kind are sorted by name; a person reads them as they stand in the text
            names.sort_by_key(|name| text.find(&format!("{name} =")).unwrap_or(usize::MAX));
            names.into_iter().find_map(|name| in_value(&below(name), old.get(name), new.get(name), text))
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) if old.iter().chain(new).any(Value::is_table) => {
            (0..old.len().max(new.len()))
                .find_map(|index| in_value(&below(&index.to_string()), old.get(index), new.get(index), text))
        }
        (old, new) if old == new => None,
        (old, new) => {
            let told = |value: Option<&Value>| value.map(shown);
            Some(Difference { key: key.to_owned(), before: told(old), now: told(new) })
        }
    }
}

fn shown(value: &Value) -> String {
    let text = match value {
        Value::Table(_) => "a table".to_owned(),
        other => other.to_string(),
    };
    if text.chars().count() > 80 { text.chars().take(77).chain("...".chars()).collect() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_key_that_differs_is_told_with_both_values() {
        let told = |before: &str, now: &str| first_difference(before, now).map(|found| found.to_string());
        assert_eq!(told("a = 1\n", "a = 1\n"), None);
        assert_eq!(told("a = 1\n", "# c\na = 1\n"), None);
        assert_eq!(told("a.b = 1\na.c = 2.5", "a.b = 1\na.c = 3.5").unwrap(), "`a.c` was 2.5, now it is 3.5");
        assert_eq!(told("z = 1\na = 1", "z = 2\na = 2").unwrap(), "`z` was 1, now it is 2");
        assert_eq!(told("a = 1", "a = 1\nb = \"x\"").unwrap(), "`b` was not given, now it is \"x\"");
        assert_eq!(
            told("[[f]]\nx = 1\n[[f]]\nx = 2", "[[f]]\nx = 1\n[[f]]\nx = 3").unwrap(),
            "`f.1.x` was 2, now it is 3"
        );
        assert_eq!(told("[law.a]\nx = 1", "[law.b]\nx = 1").unwrap(), "`law.b` was not given, now it is a table");
    }
}
