//! `stiction list`: the built-in scenarios, by topic.

use crate::args;
use crate::failure::Failure;
use crate::{progress, terminal};
use serde_json::json;
use std::fmt::Write;
use stiction_lab::safe_text;
use stiction_lab::scenario::{Builtin, DEFAULT_SCENARIO, builtins};

/// The topics in the order of the list: a mechanism and its heading.
const TOPICS: [(&str, &str); 6] = [
    ("spring_block", "Stick-slip of a block"),
    ("planar_sliding", "Random surfaces"),
    ("crank_slider", "A crank and its slider"),
    ("belt_disc", "A disc on a belt"),
    ("two_disc", "Two discs"),
    ("wheel", "A wheel on a turntable"),
];

/// The heading of mechanisms without a topic.
const OTHERS: &str = "Other mechanisms";

struct Listing {
    builtin: Builtin,
    topic: &'static str,
    title: String,
    seconds: Option<f64>,
}

impl Listing {
    fn of(builtin: Builtin) -> Self {
        let (title, seconds) = builtin.title_and_seconds();
        let known = TOPICS.into_iter().find(|(mechanism, _)| *mechanism == builtin.mechanism());
        Self { builtin, topic: known.map_or(OTHERS, |(_, topic)| topic), title, seconds }
    }

    /// Whether a lower-case word is in its name, topic or text; the text has its title, its mechanism and its study.
    fn has(&self, word: &str) -> bool {
        let texts = [self.builtin.name, self.topic, self.builtin.text];
        texts.into_iter().any(|text| text.to_lowercase().contains(word))
    }
}

pub(crate) fn list(arguments: &args::List) -> Result<(), Failure> {
    let words: Vec<String> =
        arguments.words.iter().flat_map(|words| words.split_whitespace()).map(str::to_lowercase).collect();
    let rows: Vec<Listing> = builtins().map(Listing::of).filter(|row| words.iter().all(|word| row.has(word))).collect();
    if rows.is_empty() && !arguments.json {
        terminal::say(&format!("no built-in scenario has all of these words: {}", words.join(" ")));
    }
    Ok(terminal::print(&if arguments.json { json_text(&rows) } else { text(&rows) })?)
}

fn text(rows: &[Listing]) -> String {
    let width = rows.iter().map(|row| row.builtin.name.len()).max().unwrap_or(0);
    let group = |topic: &str| {
        let mut out = String::new();
        for row in rows.iter().filter(|row| row.topic == topic) {
            let default = if row.builtin.name == DEFAULT_SCENARIO { " (default)" } else { "" };
            // writing to a string cannot fail
            let _ =
                writeln!(out, "  {:width$}  {:>6}  {}{default}", row.builtin.name, duration(row.seconds), row.title);
        }
        (!out.is_empty()).then(|| format!("{topic}\n{out}"))
    };
    TOPICS.iter().map(|(_, topic)| *topic).chain([OTHERS]).filter_map(group).collect::<Vec<_>>().join("\n")
}

fn json_text(rows: &[Listing]) -> String {
    let entry = |row: &Listing| {
        json!({
            "name": row.builtin.name,
            "title": row.title,
            "topic": row.topic,
            "mechanism": row.builtin.mechanism(),
            "study": row.builtin.study(),
            "seconds": row.seconds,
        })
    };
    safe_text::json(&serde_json::Value::Array(rows.iter().map(entry).collect()))
}

/// About how long a run takes, for a person.
fn duration(seconds: Option<f64>) -> String {
    seconds.map_or("?".to_owned(), progress::duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_has_a_topic() {
        for builtin in builtins() {
            let row = Listing::of(builtin);
            assert!(row.topic != OTHERS && !builtin.study().is_empty(), "{}", builtin.name);
        }
    }
}
