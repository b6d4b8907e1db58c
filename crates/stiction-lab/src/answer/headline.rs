//! What each study asks, what it answers in one sentence, and which of its quantities matter most.
//!
//! `headlines.txt` has all three, study by study; the terminal, the report and other programs read them from here.

use super::template::filled;
use crate::dataset::Outcome;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What is said about every answer of a study.
#[derive(Debug, Default)]
pub(super) struct Headline {
    /// The question, as a sentence.
    pub(super) question: String,
    /// The quantities that matter most, the most important first.
    pub(super) main: Vec<String>,
    /// Sentences with gaps: the first that can be filled is the answer.
    sentences: Vec<String>,
}

struct List {
    studies: BTreeMap<&'static str, Headline>,
    /// Words of quantities, and how a sentence says them.
    words: BTreeMap<&'static str, &'static str>,
}

static LIST: LazyLock<List> = LazyLock::new(|| {
    let mut list = List { studies: BTreeMap::new(), words: BTreeMap::new() };
    let mut place = "";
    for line in include_str!("headlines.txt").lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let Some(entry) = line.strip_prefix("  ") else {
            place = line.trim();
            continue;
        };
        if place == "words" {
            list.words.extend(entry.split_once(": "));
        } else {
            list.studies.entry(place).or_default().add(entry);
        }
    }
    list
});

impl Headline {
    fn add(&mut self, entry: &str) {
        if let Some(question) = entry.strip_prefix("question: ") {
            question.clone_into(&mut self.question);
        } else if let Some(names) = entry.strip_prefix("main: ") {
            self.main = names.split_whitespace().map(str::to_owned).collect();
        } else if let Some(sentence) = entry.strip_prefix("- ") {
            self.sentences.push(sentence.to_owned());
        } else if let Some(last) = self.sentences.last_mut() {
            // a line that is indented more continues the one above
            *last = format!("{last} {}", entry.trim());
        } else {
            self.main.extend(entry.split_whitespace().map(str::to_owned));
        }
    }

    /// The answer in one sentence; empty if no sentence can be filled.
    pub(super) fn sentence(&self, outcome: &Outcome) -> String {
        self.sentences.iter().find_map(|sentence| filled(sentence, outcome)).unwrap_or_default()
    }
}

/// The headline of a study; empty for an unknown one.
pub(super) fn headline(study: &str) -> &'static Headline {
    static EMPTY: LazyLock<Headline> = LazyLock::new(Headline::default);
    LIST.studies.get(study).unwrap_or(&EMPTY)
}

/// How a sentence says a word of a quantity.
pub(super) fn word_of(word: &str) -> String {
    LIST.words.get(word).map_or_else(|| word.replace('_', " "), |said| (*said).to_owned())
}
