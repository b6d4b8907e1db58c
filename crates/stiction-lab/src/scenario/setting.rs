//! `--set path=value`: one argument that changes one key of a scenario.
//!
//! The value is TOML; a word that is not TOML is taken as a string. A table replaces the whole table that was there,
//! which is how a choice (a law, a study) is switched.

use super::mistake::Mistake;
use super::source::{Place, Source};
use super::tree::{Content, Entry, Node, Table, parse_value};
use std::sync::Arc;

/// A key path and the value that it gets.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    path: Vec<Segment>,
    node: Node,
}

#[derive(Debug, Clone)]
struct Segment {
    key: String,
    place: Place,
}

/// Deeper paths than this are refused; no scenario is nested nearly so deep.
const DEEPEST: usize = 40;

impl Setting {
    /// Reads one argument, the `rank`-th, counted from one.
    pub(super) fn parse(argument: &str, rank: usize) -> Result<Self, Vec<Mistake>> {
        let source = Arc::new(Source::setting(argument, rank));
        let one = |mistake| vec![mistake];
        let (path, after) = key_path(&source).map_err(one)?;
        let value = argument.get(after..).unwrap_or("");
        let text = value.trim();
        let from = after + (value.len() - value.trim_start().len());
        if text.is_empty() {
            return Err(vec![
                Mistake::new(&Place::new(&source, 0..argument.len()), "a setting without a value")
                    .note("example: --set system.spring_block.drive_speed=0.3"),
            ]);
        }
        let node = match parse_value(&source, from..from + text.len()) {
            Ok(node) => node,
            // a bare word, for instance rk4 or elmer1997/fig3
            Err(_) if text.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                Node { place: Place::new(&source, from..from + text.len()), content: Content::Text(text.to_owned()) }
            }
            Err(mistakes) => return Err(mistakes),
        };
        Ok(Self { path, node })
    }

    /// Whether it changes something below this key of the scenario.
    pub(super) fn is_below(&self, key: &str) -> bool {
        self.path.first().is_some_and(|first| first.key == key)
    }

    /// Whether it changes this key of a table of the scenario, or the whole table.
    pub(super) fn sets(&self, table: &str, key: &str) -> bool {
        let mut path = self.path.iter().map(|segment| segment.key.as_str());
        path.next() == Some(table) && path.next().is_none_or(|next| next == key)
    }

    /// Changes the key.
    pub(super) fn apply(self, root: &mut Table) -> Result<(), Mistake> {
        let Some((last, way)) = self.path.split_last() else {
            return Ok(());
        };
        match way.split_first() {
            None => {
                root.insert(last.key.clone(), Entry { key: last.place.clone(), node: self.node });
                Ok(())
            }
            Some((first, rest)) => {
                let entry = root.entry(first.key.clone()).or_insert_with(|| empty_table(first));
                descend(&mut entry.node, &first.key, rest, last, self.node)
            }
        }
    }
}

fn empty_table(segment: &Segment) -> Entry {
    let node = Node { place: segment.place.clone(), content: Content::Table(Table::new()) };
    Entry { key: segment.place.clone(), node }
}

/// Follows the path from `node` on, whose key is `name`, and puts the value at its end.
fn descend(node: &mut Node, name: &str, way: &[Segment], last: &Segment, value: Node) -> Result<(), Mistake> {
    let segment = way.first().unwrap_or(last);
    let kind = node.kind();
    match &mut node.content {
        Content::Table(table) => match way.split_first() {
            None => {
                table.insert(last.key.clone(), Entry { key: last.place.clone(), node: value });
                Ok(())
            }
            Some((next, rest)) => {
                let entry = table.entry(next.key.clone()).or_insert_with(|| empty_table(next));
                descend(&mut entry.node, &next.key, rest, last, value)
            }
        },
        Content::List(items) => {
            let count = items.len();
            let item = segment.key.parse::<usize>().ok().and_then(|index| items.get_mut(index)).ok_or_else(|| {
                Mistake::new(
                    &segment.place,
                    format!("`{name}` is a list of {count}, and `{}` is not one of its entries", segment.key),
                )
                .note("entries are counted from 0: --set figure.0.title=\"…\"")
            })?;
            match way.split_first() {
                None => {
                    *item = value;
                    Ok(())
                }
                Some((next, rest)) => descend(item, &next.key, rest, last, value),
            }
        }
        _ => Err(Mistake::new(&segment.place, format!("`{name}` is {kind} and has no key `{}`", segment.key))),
    }
}

/// The dotted key in front of the first `=`, and where the value begins.
fn key_path(source: &Arc<Source>) -> Result<(Vec<Segment>, usize), Mistake> {
    let text = source.text.as_str();
    let wrong = |span: std::ops::Range<usize>, message: &str| {
        Err(Mistake::new(&Place::new(source, span), message).note("example: --set system.spring_block.drive_speed=0.3"))
    };
    let mut path = Vec::new();
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or("");
        at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let rest = text.get(at..).unwrap_or("");
        // a key in quotes, or a bare one
        let (key, start, end) = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let inner = rest.get(1..).unwrap_or("");
                match inner.find(quote) {
                    Some(length) => (inner.get(..length).unwrap_or(""), at, at + length + 2),
                    None => return wrong(at..text.len(), "a quoted key without its second quote"),
                }
            }
            _ => {
                let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
                if length == 0 {
                    let message =
                        if rest.is_empty() { "a setting is written path=value" } else { "a setting begins with a key" };
                    return wrong(at..at + rest.chars().next().map_or(0, char::len_utf8), message);
                }
                (rest.get(..length).unwrap_or(""), at, at + length)
            }
        };
        path.push(Segment { key: key.to_owned(), place: Place::new(source, start..end) });
        if path.len() > DEEPEST {
            return wrong(start..end, "the path of a setting has too many keys");
        }
        let rest = text.get(end..).unwrap_or("");
        at = end + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
        match text.get(at..).and_then(|rest| rest.chars().next()) {
            Some('.') => at += 1,
            Some('=') => return Ok((path, at + 1)),
            Some(other) => {
                return wrong(at..at + other.len_utf8(), "a setting is written path=value, its keys joined by dots");
            }
            None => return wrong(0..text.len(), "a setting is written path=value; the `=` is missing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::tree::{parse, table_to_json};
    use serde_json::json;

    fn with(text: &str, arguments: &[&str]) -> Result<serde_json::Value, String> {
        let mut table = parse(&Arc::new(Source::new("t", text))).map_err(|mistakes| mistakes[0].to_string())?;
        for (index, argument) in arguments.iter().enumerate() {
            let setting = Setting::parse(argument, index + 1).map_err(|mistakes| mistakes[0].to_string())?;
            setting.apply(&mut table).map_err(|mistake| mistake.to_string())?;
        }
        Ok(table_to_json(&table))
    }

    #[test]
    fn later_settings_win_and_tables_replace() {
        let text = "a.b = 1\na.c = 2\nlist = [{ t = 1 }, 2]";
        for (arguments, expected) in [
            (&["a.b=3", " a.b = 4 "][..], json!({"a": {"b": 4, "c": 2}, "list": [{"t": 1}, 2]})),
            (&["a={d=1}"], json!({"a": {"d": 1}, "list": [{"t": 1}, 2]})),
            (&["list.0.t=5", "list.1='x'"], json!({"a": {"b": 1, "c": 2}, "list": [{"t": 5}, "x"]})),
            (&["n.e.w=rk4"], json!({"a": {"b": 1, "c": 2}, "list": [{"t": 1}, 2], "n": {"e": {"w": "rk4"}}})),
            (&["list=[]", "a=true", "\"q.r\"=elmer1997/fig3"], json!({"a": true, "list": [], "q.r": "elmer1997/fig3"})),
        ] {
            assert_eq!(with(text, arguments), Ok(expected), "{arguments:?}");
        }
    }

    #[test]
    fn a_wrong_setting_says_what_is_wrong() {
        for (argument, message) in [
            ("", "path=value"),
            ("a", "`=` is missing"),
            ("a=", "without a value"),
            ("=1", "begins with a key"),
            ("a..b=1", "begins with a key"),
            ("a=1e", "TOML"),
            ("a={", "TOML"),
            ("a.b.c=1", "`b` is a whole number and has no key `c`"),
            ("list.7=1", "not one of its entries"),
            ("\"a=1", "second quote"),
            ("a b=1", "joined by dots"),
        ] {
            let error = with("a.b = 1\nlist = [1]", &[argument]).unwrap_err();
            assert!(error.contains(message), "{argument}: {error}");
        }
    }
}
