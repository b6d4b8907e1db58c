//! `stiction list`: the built-in scenarios.

use crate::args;
use crate::failure::Failure;
use crate::terminal;
use serde_json::json;
use std::fmt::Write;
use stiction_lab::safe_text;
use stiction_lab::scenario::{DEFAULT_SCENARIO, builtins};

struct Listing {
    name: &'static str,
    title: String,
    seconds: Option<f64>,
}

pub(crate) fn list(arguments: &args::List) -> Result<(), Failure> {
    let pattern = arguments.pattern.as_deref().unwrap_or("").to_lowercase();
    let all = builtins().map(|builtin| {
        let (title, seconds) = builtin.title_and_seconds();
        Listing { name: builtin.name, title, seconds }
    });
    let rows: Vec<Listing> =
        all.filter(|row| row.name.contains(&pattern) || row.title.to_lowercase().contains(&pattern)).collect();
    if rows.is_empty() && !arguments.json {
        terminal::say(&format!("no built-in scenario has `{pattern}` in its name or title"));
    }
    Ok(terminal::print(&if arguments.json { json_text(&rows) } else { text(&rows) })?)
}

fn text(rows: &[Listing]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for row in rows {
        let default = if row.name == DEFAULT_SCENARIO { " (default)" } else { "" };
        // writing to a string cannot fail
        let _ = writeln!(out, "{:width$}  {:>6}  {}{default}", row.name, duration(row.seconds), row.title);
    }
    out
}

fn json_text(rows: &[Listing]) -> String {
    let list: Vec<_> =
        rows.iter().map(|row| json!({ "name": row.name, "title": row.title, "seconds": row.seconds })).collect();
    safe_text::json(&serde_json::Value::Array(list))
}

/// About how long a run takes, for a person.
fn duration(seconds: Option<f64>) -> String {
    match seconds {
        None => "?".to_owned(),
        Some(seconds) if seconds < 1.0 => "< 1 s".to_owned(),
        Some(seconds) if seconds < 100.0 => format!("{seconds:.0} s"),
        Some(seconds) if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        Some(seconds) => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        let told = |seconds| duration(Some(seconds));
        assert_eq!([told(0.2), told(3.2), told(150.0), told(9000.0)], ["< 1 s", "3 s", "2 min", "2.5 h"]);
        assert_eq!(duration(None), "?");
    }
}
