//! One figure of a paper: what a run of its scenario left behind.

use crate::dataset::Value;
use crate::figure::is_own_picture;
use crate::files::{OWN_TEXT, read_text};
use crate::report::readable_value;
use crate::scenario::{Claim, Scenario};
use serde_json::Value as Json;
use std::path::Path;

/// One figure of a paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Exhibit {
    /// Name of the scenario, `paper/figure`.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// What it shows, in one sentence.
    pub sentence: String,
    /// The command that makes it.
    pub command: String,
    /// How long it took \[s\], where that is known. Only for people: it differs from machine to machine.
    pub seconds: Option<f64>,
    /// Whether the run was reduced.
    pub reduced: bool,
    /// The pictures.
    pub pictures: Vec<Picture>,
    /// The statements of the paper.
    pub statements: Vec<Statement>,
    /// Why there is no answer, if there is none.
    pub trouble: Option<String>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Name of its file without ending.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The picture itself.
    pub svg: String,
}

/// A statement of the paper and its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The statement in a few words.
    pub statement: String,
    /// Where it stands.
    pub source: String,
    /// The quantity that decides it.
    pub quantity: String,
    /// What the quantity is.
    pub value: String,
    /// What it must be for the statement to hold.
    pub band: String,
    /// Whether the run is large enough and has the quantity.
    pub decided: bool,
    /// Whether only a run of full size could decide it, and this was none.
    pub needs_full_size: bool,
    /// Whether the statement holds.
    pub holds: bool,
    /// The erratum that explains why it does not.
    pub erratum: Option<String>,
}

impl Statement {
    /// The verdict in words.
    pub fn verdict(&self) -> String {
        if self.needs_full_size {
            return "only a run of full size decides it".to_owned();
        }
        match (self.decided, self.holds, &self.erratum) {
            (false, _, _) => "not decided".to_owned(),
            (true, true, _) => "holds".to_owned(),
            (true, false, Some(id)) => format!("does not hold ({id})"),
            (true, false, None) => "does not hold".to_owned(),
        }
    }
}

impl Exhibit {
    /// Reads the exhibit of a scenario from the folder that its run wrote; none if the folder has no complete run, or one that this
    /// program cannot have written: whoever made the folder does not write the page.
    pub fn read(name: &str, scenario: &Scenario, folder: &Path, seconds: Option<f64>) -> Option<Self> {
        let summary: Json = serde_json::from_str(&read_text(&folder.join("summary.json"), OWN_TEXT).ok()?).ok()?;
        let mut pictures = Vec::new();
        for file in summary["files"].as_array()?.iter().filter_map(Json::as_str) {
            let Some(stem) = file.strip_suffix(".svg") else { continue };
            let known = scenario.figure.iter().position(|figure| figure.name.as_deref() == Some(stem));
            let caption = known.and_then(|index| scenario.figure.get(index)).map(|figure| figure.caption.clone());
            let plain = |sign: char| sign.is_ascii_alphanumeric() || "_-".contains(sign);
            let svg = read_text(&folder.join(Some(file).filter(|_| stem.chars().all(plain))?), OWN_TEXT).ok()?;
            let svg = Some(svg).filter(|svg| is_own_picture(svg))?;
            let picture = Picture { name: stem.to_owned(), caption: caption.unwrap_or_default(), svg };
            pictures.push((known.unwrap_or(usize::MAX), picture));
        }
        // in the order of the scenario, not of the alphabet
        pictures.sort_by_key(|(place, _)| *place);
        let claims = summary["claims"].as_array()?.iter();
        Some(Self {
            pictures: pictures.into_iter().map(|(_, picture)| picture).collect(),
            statements: claims.map(|claim| statement(claim, scenario)).collect::<Option<_>>()?,
            seconds,
            ..Self::empty(name, scenario)
        })
    }

    /// The exhibit of a run that failed.
    pub fn failed(name: &str, scenario: &Scenario, trouble: String) -> Self {
        Self { trouble: Some(trouble), ..Self::empty(name, scenario) }
    }

    fn empty(name: &str, scenario: &Scenario) -> Self {
        Self {
            scenario: name.to_owned(),
            title: scenario.title.clone(),
            sentence: first_sentence(&scenario.description),
            command: format!("stiction run {name}{}", if scenario.reduced { " --quick" } else { "" }),
            seconds: None,
            reduced: scenario.reduced,
            pictures: Vec::new(),
            statements: Vec::new(),
            trouble: None,
        }
    }

    /// The key of the paper.
    pub fn paper(&self) -> &str {
        self.scenario.split('/').next().unwrap_or(&self.scenario)
    }

    /// The name of the figure.
    pub fn figure(&self) -> &str {
        self.scenario.rsplit('/').next().unwrap_or(&self.scenario)
    }
}

/// The verdict on a claim of the scenario, from what a run found; none if the scenario has no such claim, or if what was found
/// contradicts the verdict.
fn statement(found: &Json, scenario: &Scenario) -> Option<Statement> {
    let asked = |claim: &&Claim| found["statement"] == claim.statement && found["quantity"] == claim.quantity;
    let claim = scenario.claim.iter().find(asked)?;
    let (value, holds) = (value(&found["value"]), found["holds"].as_bool());
    // an infinite number is null in the file: only the run could compare it
    if holds.is_some_and(|holds| value != Value::Missing && holds != claim.band.holds(&value)) {
        return None;
    }
    Some(Statement {
        statement: claim.statement.clone(),
        source: claim.source.clone(),
        quantity: claim.quantity.clone(),
        value: readable_value(&value),
        band: claim.band.words(),
        decided: holds == Some(true) || (value != Value::Missing && holds.is_some()),
        needs_full_size: holds.is_none(),
        holds: holds == Some(true),
        erratum: claim.erratum.clone(),
    })
}

/// A number that the program wrote, as it was before.
fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Missing,
        Json::Bool(flag) => Value::Flag(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(word) => Value::Word(word.clone()),
        Json::Array(values) => Value::List(values.iter().map(value).collect()),
        // a quantity is never an object
        Json::Object(_) => Value::Missing,
    }
}

/// The text up to the first full stop that ends a sentence.
fn first_sentence(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.find(". ") {
        Some(end) => text[..=end].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_its_stop() {
        assert_eq!(first_sentence("\nAt v = 0.5 it\n slips. Then it sticks."), "At v = 0.5 it slips.");
        assert_eq!(first_sentence("Only one"), "Only one");
    }

    #[test]
    fn values_come_back_from_their_file() {
        let list = serde_json::json!([1, 0.5, "a", true, null]);
        assert_eq!(readable_value(&value(&list)), "1, 0.5, a, yes, none");
    }
}
