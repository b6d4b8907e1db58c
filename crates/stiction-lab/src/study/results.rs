//! What results mean: the one list behind `stiction explain`, the terminal, the report and the reference page of the book.
//!
//! `results.txt` has every quantity and every column that a study reports; `answers.txt` says which study reports it.

use super::answers::{fits, places, plain_names};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;
use stiction::keys::nearest_few;

/// What a result means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    /// In a few words.
    pub meaning: String,
    /// How it is defined, where the meaning alone does not say it; may be empty.
    pub definition: String,
    unit: String,
}

impl Meaning {
    /// The unit; empty for a plain number, a word or a flag, none if it depends on the run.
    pub fn unit(&self) -> Option<&str> {
        match self.unit.as_str() {
            "*" => None,
            "word" | "flag" => Some(""),
            unit => Some(unit),
        }
    }

    /// Whether it is yes or no. Its meaning begins with `whether` then.
    pub(crate) fn is_flag(&self) -> bool {
        self.unit == "flag"
    }

    /// What kind of value it is, in brackets; empty for a plain number.
    fn kind(&self) -> String {
        match self.unit.as_str() {
            "" | "*" => String::new(),
            "flag" => " [yes or no]".to_owned(),
            unit => format!(" [{unit}]"),
        }
    }

    /// Meaning, kind of value and definition as sentences.
    fn sentences(&self, kind: &str) -> String {
        // a symbol keeps its case
        let is_word = |text: &str| text.chars().take(2).all(|sign| sign.is_ascii_lowercase());
        let upper = |text: &str| match text.split_at_checked(1) {
            Some((first, rest)) if is_word(text) => first.to_uppercase() + rest,
            _ => text.to_owned(),
        };
        let definition =
            if self.definition.is_empty() { String::new() } else { format!(" {}.", upper(&self.definition)) };
        format!("{}{kind}.{definition}", upper(&self.meaning))
    }
}

/// A line of the list.
struct Entry {
    /// The studies it is about; empty for all others.
    studies: Vec<&'static str>,
    name: &'static str,
    /// Whether it is a column of the motion of a mechanism as well.
    of_motion: bool,
    unit: &'static str,
    meaning: &'static str,
    definition: &'static str,
}

/// What every campaign reports besides the quantities of its study.
const CAMPAIGN: [&str; 7] = ["items", "points", "warned", "warnings", "item", "seed", "replay"];

static LIST: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let lines = include_str!("results.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(Entry::read).collect()
});

impl Entry {
    fn read(line: &'static str) -> Option<Self> {
        let (head, text) = line.split_once(": ")?;
        let (path, unit) = head.split_once(" [").map_or((head, ""), |(path, unit)| (path, unit.trim_end_matches(']')));
        let (studies, name) = path.rsplit_once('.').map_or(("", path), |(studies, name)| (studies, name));
        let (meaning, definition) = text.split_once(" | ").unwrap_or((text, ""));
        let studies = studies.split(',').filter(|study| !study.is_empty()).collect();
        let of_motion = name.starts_with('@');
        Some(Self { studies, name: name.trim_start_matches('@'), of_motion, unit, meaning, definition })
    }

    /// Whether every campaign reports it, and no study.
    fn of_campaign(&self) -> bool {
        self.studies.is_empty() && CAMPAIGN.contains(&self.name)
    }

    /// The meaning of a name of this form in a study.
    fn meaning(&self, study: &str, name: &str) -> Option<Meaning> {
        let owned = |meaning: String, unit: &str| Meaning {
            meaning,
            definition: self.definition.to_owned(),
            unit: unit.to_owned(),
        };
        if !self.meaning.contains("{}") {
            return Some(owned(self.meaning.to_owned(), self.unit));
        }
        let (head, tail) = self.name.split_once('*')?;
        let rest = result(study, name.strip_prefix(head)?.strip_suffix(tail)?)?;
        let unit = if self.unit == "=" { &rest.unit } else { self.unit };
        Some(owned(self.meaning.replace("{}", &rest.meaning), unit))
    }
}

/// What a quantity or column of a study means. An entry of a list (`hopf_speeds[1]`) means what the list means.
pub fn result(study: &str, name: &str) -> Option<Meaning> {
    let name = name.split(['[', '.']).next().unwrap_or(name);
    let of_study = |entry: &&Entry| entry.studies.contains(&study);
    let of_all = |entry: &&Entry| entry.studies.is_empty();
    let exact = |entry: &&Entry| entry.name == name;
    let form = |entry: &&Entry| entry.name.contains('*') && fits(entry.name, name);
    let found = |entry: &Entry| entry.meaning(study, name);
    let list = || LIST.iter();
    list()
        .filter(of_study)
        .filter(exact)
        .find_map(found)
        .or_else(|| list().filter(of_study).filter(form).find_map(found))
        .or_else(|| list().filter(of_all).filter(exact).find_map(found))
        .or_else(|| list().filter(of_all).filter(form).find_map(found))
}

/// Whether a name is a column of the motion of a mechanism.
pub(super) fn is_of_motion(name: &str) -> bool {
    LIST.iter().any(|entry| entry.of_motion && entry.name == name)
}

/// Every name of the list that is no form, sorted.
fn known_results() -> Vec<&'static str> {
    let mut names: Vec<&str> = LIST.iter().map(|entry| entry.name).filter(|name| !name.contains('*')).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Explains a result: its meanings, each with unit, definition and the studies that report it. None if no study does.
pub fn explain_result(name: &str) -> Option<String> {
    let meanings = meanings(name);
    if meanings.is_empty() {
        return None;
    }
    let mut out = format!("{name}, a result\n");
    for (meaning, studies) in meanings {
        // writing to a string cannot fail
        let _ = writeln!(out, "  {}", meaning.sentences(&meaning.kind()));
        let _ = writeln!(out, "    given by {}", studies.join(", "));
    }
    Some(out)
}

/// The meanings of a name with the studies that report it so; columns with their tables.
fn meanings(name: &str) -> Vec<(Meaning, Vec<String>)> {
    let mut meanings: Vec<(Meaning, Vec<String>)> = Vec::new();
    let campaign = || result("", name).map(|_| ("", Vec::new()));
    let mut all = places(name);
    if all.is_empty() {
        all.extend(campaign());
    }
    for (study, tables) in all {
        let Some(meaning) = result(study, name) else { continue };
        let place = match (study, &tables[..]) {
            ("", _) => "every [campaign]".to_owned(),
            (_, []) => study.to_owned(),
            (_, tables) => format!("{study} (table {})", tables.join(", ")),
        };
        match meanings.iter_mut().find(|(known, _)| *known == meaning) {
            Some((_, studies)) => studies.push(place),
            None => meanings.push((meaning, vec![place])),
        }
    }
    meanings
}

/// Names of results that are near to a misspelt one.
pub(crate) fn nearest_results(name: &str) -> Vec<String> {
    nearest_few(name, known_results(), 3).into_iter().map(str::to_owned).collect()
}

/// The page of the book that lists every result.
pub fn results_page() -> String {
    let mut out = String::from(
        "# Results\n\nEvery quantity in `summary.json` and every column of a table, with its unit and its meaning. \
         `stiction explain NAME` prints the same.\n\nIn names, `*` stands for a part that depends on the scenario. `trajectory` \
         reports `final_`, `largest_` and `smallest_` of every coordinate and velocity. A campaign adds `_mean`, `_std`, `_se` \
         and `_count` to the names of its study.\n\n| name | unit | meaning | given by |\n|---|---|---|---|\n",
    );
    let of_motion = LIST.iter().filter(|entry| entry.of_motion || entry.of_campaign()).map(|entry| entry.name);
    let names: BTreeSet<&str> = plain_names().chain(of_motion).collect();
    for name in names {
        for (meaning, studies) in meanings(name) {
            let unit = match meaning.unit.as_str() {
                "*" => "depends",
                "flag" => "yes or no",
                unit => unit,
            };
            let text = meaning.sentences("").replace('|', "\\|");
            let _ = writeln!(out, "| `{name}` | {unit} | {text} | {} |", studies.join(", "));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_list_is_read_and_used() {
        let lines = include_str!("results.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        assert_eq!(lines.count(), LIST.len());
        for entry in LIST.iter().filter(|entry| !entry.meaning.contains("{}")) {
            let studies = places(entry.name);
            let named = |study: &&str| studies.iter().any(|(known, _)| *known == *study);
            assert!(entry.studies.iter().all(named), "{}: no such result", entry.name);
            assert!(!entry.meaning.ends_with('.') && !entry.meaning.is_empty(), "{}", entry.name);
            assert!(entry.unit != "flag" || entry.meaning.starts_with("whether "), "{}", entry.name);
        }
    }

    #[test]
    fn parts_of_names_have_meanings_of_their_own() {
        let meaning = |study: &str, name: &str| result(study, name).map(|found| found.meaning).unwrap_or_default();
        assert_eq!(meaning("trajectory", "final_displacement"), "displacement from the unloaded spring at the end");
        assert_eq!(meaning("", "period_se"), "duration of one cycle (standard error)");
        assert_eq!(meaning("bifurcation", "hopf_speeds[1]"), "values of the parameter at Hopf points");
        assert_eq!(result("trajectory", "largest_velocity").unwrap().unit(), Some("m/s"));
        assert_eq!(result("trajectory", "qqq"), None);
    }

    #[test]
    fn a_name_with_two_meanings_is_explained_twice() {
        let page = explain_result("critical_speed").unwrap();
        assert!(page.contains("[m/s]") && page.contains("given by critical_speed"), "{page}");
        assert!(explain_result("count").unwrap().matches("given by").count() > 1);
        assert!(explain_result("qqq").is_none());
    }
}
