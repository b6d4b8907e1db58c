//! The scenarios that the program carries: every file below `scenarios/`.

use super::Source;
use stiction::keys::nearest_few;
use toml::de::{DeTable, DeValue};

/// What `stiction run` runs without a name.
pub const DEFAULT_SCENARIO: &str = "hu2023_belt/fig9";

include!(concat!(env!("OUT_DIR"), "/builtins.rs"));

/// A built-in scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// Its name, `paper/figure`.
    pub name: &'static str,
    /// The TOML text with its comments, as `stiction show` prints it.
    pub text: &'static str,
}

/// Every built-in scenario, sorted by name.
pub fn builtins() -> impl ExactSizeIterator<Item = Builtin> + Clone {
    BUILTINS.iter().map(|&(name, text)| Builtin { name, text })
}

/// The built-in scenario of that name.
///
/// # Errors
/// [`UnknownName`] has the nearest names.
pub fn builtin(name: &str) -> Result<Builtin, UnknownName> {
    builtins()
        .find(|builtin| builtin.name == name)
        .ok_or_else(|| UnknownName { name: name.to_owned(), nearest: nearest_names(name) })
}

/// No built-in scenario has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no built-in scenario `{name}`{}", meant(nearest))]
pub struct UnknownName {
    /// The name.
    pub name: String,
    /// The names that are near, the nearest first.
    pub nearest: Vec<String>,
}

fn meant(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(", ")) }
}

/// The names nearest to an unknown one: by the part after the paper, else as a whole.
fn nearest_names(name: &str) -> Vec<String> {
    let short = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".toml");
    let near = nearest_few(short, builtins().map(|builtin| builtin.short_name()), 3);
    let mut names: Vec<&str> =
        builtins().filter(|builtin| near.contains(&builtin.short_name())).map(|builtin| builtin.name).collect();
    if names.is_empty() {
        names = nearest_few(name, builtins().map(|builtin| builtin.name), 3);
    }
    // the figure of the same paper first; a very long word is not worth the comparison
    if name.len() < 200 {
        names.sort_by_key(|near| strsim::damerau_levenshtein(near, name));
    }
    names.into_iter().take(3).map(str::to_owned).collect()
}

impl Builtin {
    /// The part of the name after the paper.
    fn short_name(&self) -> &'static str {
        self.name.rsplit('/').next().unwrap_or(self.name)
    }

    /// The text with the name that messages use.
    pub fn source(&self) -> Source {
        Source::new(format!("{} (built in)", self.name), self.text)
    }

    /// The name of its mechanism; empty if it has no table of one.
    pub fn mechanism(&self) -> &'static str {
        self.first_below("\n[system.")
    }

    /// The name of its study; empty if it has no table of one.
    pub fn study(&self) -> &'static str {
        self.first_below("\n[study.")
    }

    /// The name behind the first header that begins so, without reading the file as a whole.
    fn first_below(&self, header: &str) -> &'static str {
        let rest = self.text.split_once(header).map_or("", |(_, rest)| rest);
        rest.split([']', '.']).next().unwrap_or("")
    }

    /// What it is in one line, and about how long a full run takes \[s\], without reading it as a whole.
    pub fn title_and_seconds(&self) -> (String, Option<f64>) {
        // both stand above the first table, and the list of scenarios must be quick
        let head = self.text.split("\n[").next().unwrap_or("");
        let (table, _) = DeTable::parse_recoverable(head);
        let value = |name: &str| table.get_ref().get(name).map(toml::Spanned::get_ref);
        let title = match value("title") {
            Some(DeValue::String(title)) => title.to_string(),
            _ => String::new(),
        };
        let seconds = match value("seconds") {
            Some(DeValue::Float(number)) => number.as_str().parse().ok(),
            Some(DeValue::Integer(number)) => number.as_str().parse().ok(),
            _ => None,
        };
        (title, seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_have_a_paper() {
        let names: Vec<&str> = builtins().map(|builtin| builtin.name).collect();
        assert!(names.contains(&"elmer1997/coulomb"));
        assert!(names.is_sorted());
        assert!(names.iter().all(|name| name.split('/').count() == 2 && !name.ends_with(".toml")), "{names:?}");
    }

    #[test]
    fn an_unknown_name_has_neighbours() {
        for name in
            ["elmer1997/colomb", "coulomb", "elmer97/coulomb", "coulomb.toml", "scenarios/elmer1997/coulomb.toml"]
        {
            let error = builtin(name).unwrap_err();
            assert!(error.nearest.contains(&"elmer1997/coulomb".to_owned()), "{error}");
        }
        assert_eq!(builtin("qqqqqqqq").unwrap_err().nearest, Vec::<String>::new());
    }

    #[test]
    fn the_head_of_every_scenario_has_its_title() {
        for builtin in builtins() {
            assert!(!builtin.title_and_seconds().0.is_empty(), "{}", builtin.name);
        }
    }
}
