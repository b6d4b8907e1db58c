//! The values of a scenario before they mean anything: a tree whose nodes remember where they were written.

use super::mistake::Mistake;
use super::source::{Place, Source};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// A value and the place where it was written.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// Where the value is; for a table its header, its braces, or the dotted key that makes it.
    pub(super) place: Place,
    pub(super) content: Content,
}

/// What a node holds.
#[derive(Debug, Clone)]
pub(super) enum Content {
    Text(String),
    Whole(i128),
    Real(f64),
    Flag(bool),
    /// A date or a time; no scenario has one.
    Moment,
    List(Vec<Node>),
    Table(Table),
}

/// The entries of a table by key.
pub(super) type Table = BTreeMap<String, Entry>;

/// A key and its value.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// Where the key is written.
    pub(super) key: Place,
    pub(super) node: Node,
}

/// The tree of a TOML text.
pub(super) fn parse(source: &Arc<Source>) -> Result<Table, Vec<Mistake>> {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    if !errors.is_empty() {
        return Err(errors.iter().map(|error| syntax_mistake(source, 0, error)).collect());
    }
    let mut mistakes = Vec::new();
    let table = branch(source, 0, table.get_ref(), &mut mistakes);
    if mistakes.is_empty() { Ok(table) } else { Err(mistakes) }
}

/// The tree of a single TOML value that is written in the source at `span`.
pub(super) fn parse_value(source: &Arc<Source>, span: Range<usize>) -> Result<Node, Vec<Mistake>> {
    let from = span.start;
    let text = source.text.get(span).unwrap_or("");
    let (value, errors) = DeValue::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(errors.iter().map(|error| syntax_mistake(source, from, error)).collect());
    }
    let mut mistakes = Vec::new();
    let node = node(source, from, value.get_ref(), value.span(), &mut mistakes);
    if mistakes.is_empty() { Ok(node) } else { Err(mistakes) }
}

fn syntax_mistake(source: &Arc<Source>, from: usize, error: &toml::de::Error) -> Mistake {
    let place = error.span().map_or_else(|| Place::whole(source), |span| shifted(source, from, span));
    let message = error.message();
    // the parser's sentences are terse; the common ones get a hand
    let help = if message.contains("string values must be quoted") {
        "words are written in quotes: key = \"word\""
    } else if message.contains("duplicate key") {
        "a key or a table can be given once only"
    } else {
        ""
    };
    Mistake::new(&place, format!("not valid TOML: {message}")).note(help)
}

fn shifted(source: &Arc<Source>, from: usize, span: Range<usize>) -> Place {
    Place::new(source, from.saturating_add(span.start)..from.saturating_add(span.end))
}

fn branch(source: &Arc<Source>, from: usize, table: &DeTable<'_>, mistakes: &mut Vec<Mistake>) -> Table {
    let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>), mistakes: &mut Vec<Mistake>| Entry {
        key: shifted(source, from, toml::Spanned::<std::borrow::Cow<'_, str>>::span(key)),
        node: node(source, from, value.get_ref(), value.span(), mistakes),
    };
    table.iter().map(|(key, value)| (key.get_ref().to_string(), entry((key, value), mistakes))).collect()
}

// the parser refuses nesting beyond about eighty levels, so that this recursion ends
fn node(
    source: &Arc<Source>,
    from: usize,
    value: &DeValue<'_>,
    span: Range<usize>,
    mistakes: &mut Vec<Mistake>,
) -> Node {
    let place = shifted(source, from, span);
    let content = match value {
        DeValue::String(text) => Content::Text(text.to_string()),
        DeValue::Integer(digits) => match i128::from_str_radix(digits.as_str(), digits.radix()) {
            Ok(number) => Content::Whole(number),
            Err(_) => {
                mistakes.push(Mistake::new(&place, format!("the whole number `{digits}` is too large")));
                Content::Whole(0)
            }
        },
        // a number beyond the range of f64 becomes infinite here and is refused as such
        DeValue::Float(digits) => Content::Real(digits.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Content::Flag(*flag),
        DeValue::Datetime(_) => Content::Moment,
        DeValue::Array(items) => {
            Content::List(items.iter().map(|item| node(source, from, item.get_ref(), item.span(), mistakes)).collect())
        }
        DeValue::Table(table) => Content::Table(branch(source, from, table, mistakes)),
    };
    Node { place, content }
}

/// Lays `over` onto `base`: tables entry by entry, everything else as a whole.
pub(super) fn overlay(base: &mut Table, over: Table) {
    for (key, entry) in over {
        match (base.get_mut(&key), entry) {
            (
                Some(Entry { node: Node { content: Content::Table(old), .. }, .. }),
                Entry { node: Node { content: Content::Table(new), .. }, .. },
            ) => {
                overlay(old, new);
            }
            (_, entry) => {
                base.insert(key, entry);
            }
        }
    }
}

impl Node {
    /// How a message calls this kind of value.
    pub(super) fn kind(&self) -> &'static str {
        match self.content {
            Content::Text(_) => "a string",
            Content::Whole(_) => "a whole number",
            Content::Real(_) => "a number",
            Content::Flag(_) => "true or false",
            Content::Moment => "a date or time",
            Content::List(_) => "a list",
            Content::Table(_) => "a table",
        }
    }

    /// The value as it was written, shortened.
    pub(super) fn shown(&self) -> String {
        match self.content {
            Content::Table(_) => "a table".to_owned(),
            _ => shortened(self.place.text()),
        }
    }

    /// The value for the deserialiser. What JSON cannot hold becomes null; the check refuses it before.
    pub(super) fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match &self.content {
            Content::Text(text) => Json::String(text.clone()),
            Content::Whole(number) => {
                let whole = i64::try_from(*number).map(Json::from).or_else(|_| u64::try_from(*number).map(Json::from));
                whole.unwrap_or_else(|_| Json::from(*number as f64))
            }
            Content::Real(number) => Json::from(*number),
            Content::Flag(flag) => Json::Bool(*flag),
            Content::Moment => Json::Null,
            Content::List(items) => Json::Array(items.iter().map(Node::to_json).collect()),
            Content::Table(table) => table_to_json(table),
        }
    }
}

/// A table for the deserialiser.
pub(super) fn table_to_json(table: &Table) -> serde_json::Value {
    serde_json::Value::Object(table.iter().map(|(key, entry)| (key.clone(), entry.node.to_json())).collect())
}

/// The text on one line, cut where it is long.
pub(super) fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() > 40 || line.len() < text.trim_end().len() {
        line.chars().take(37).chain("...".chars()).collect()
    } else {
        line.to_owned()
    }
}
