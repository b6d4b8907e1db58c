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
    let said = |word: &str| LIST.words.get(word).map_or_else(|| word.replace('_', " "), |said| (*said).to_owned());
    // a set of attractors is joined by +
    word.split('+').map(said).collect::<Vec<_>>().join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{AnyStudy, quantities_of, result};

    /// Mechanisms, whose studies are all there are.
    const MECHANISMS: [&str; 6] = ["spring_block", "planar_sliding", "crank_slider", "wheel", "two_disc", "belt_disc"];

    #[test]
    fn every_study_has_a_question_numbers_that_it_reports_and_an_answer_without_values() {
        let mut studies: Vec<&str> = MECHANISMS.into_iter().flat_map(AnyStudy::of_system).collect();
        studies.sort_unstable();
        studies.dedup();
        assert_eq!(studies, LIST.studies.keys().copied().collect::<Vec<_>>());
        for study in studies {
            let about = headline(study);
            assert!(about.question.ends_with('?') && !about.main.is_empty(), "{study}");
            let listed = quantities_of(study);
            // a mark such as @entry stands for any name
            let form = |name: &str| name.split('@').next().unwrap_or(name).trim_end_matches('*').to_owned();
            for name in &about.main {
                assert!(listed.iter().any(|known| form(known) == form(name)), "{study} reports no {name}");
            }
            let last = about.sentences.last().map_or("", String::as_str);
            assert!(filled(last, &Outcome::default()).is_some_and(|text| text.ends_with('.')), "{study}: {last}");
            for name in about.sentences.iter().flat_map(|sentence| names(sentence)) {
                assert!(result(study, name).is_some(), "{study}: {name} in a sentence");
            }
        }
    }

    /// The names of quantities in the gaps of a sentence.
    fn names(sentence: &str) -> Vec<&str> {
        let gaps = sentence.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        let gaps = gaps.map(|gap| gap.split(" # ").next().unwrap_or(gap));
        let words = gaps.flat_map(|gap| gap.split(|sign: char| !(sign.is_alphanumeric() || "_*.".contains(sign))));
        // of a column its name without that of its table
        let words = words.map(|word| word.trim_end_matches(".len")).map(|word| word.rsplit('.').next().unwrap_or(word));
        let is_name =
            |word: &&str| !word.is_empty() && !["min", "max", "mean", "first", "last", "range"].contains(word);
        words.filter(is_name).filter(|word| word.parse::<f64>().is_err()).collect()
    }
}
