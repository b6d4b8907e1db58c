//! Every statement of a paper that a built-in scenario checks holds, or is explained by an erratum.

use crate::built_in;
use std::fs;
use std::path::Path;
use stiction_lab::scenario::{Builtin, Size, builtins, read};

/// Longest full run that a test waits for [s]; what takes longer is checked reduced, where all built-ins are run.
const PATIENCE: f64 = 5.0;

fn soon_done(builtin: &Builtin) -> bool {
    builtin.title_and_seconds().1.is_some_and(|seconds| seconds <= PATIENCE)
}

#[test]
fn every_claim_holds_or_names_its_erratum() {
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for builtin in builtins().filter(soon_done) {
        let (scenario, outcome) = match built_in::answer(&builtin, Size::Full) {
            Ok(answer) => answer,
            Err(error) => {
                wrong.push(error);
                continue;
            }
        };
        for claim in &scenario.claim {
            let verdict = claim.judge(&outcome);
            judged += 1;
            let told = format!("{}: \"{}\": {}", builtin.name, claim.statement, verdict.reason);
            match (&claim.erratum, verdict.holds) {
                _ if verdict.value.is_none() => wrong.push(told),
                (None, true) | (Some(_), false) => {}
                (None, false) => wrong.push(format!("{told}; no erratum is named")),
                (Some(id), true) => wrong.push(format!("{told}, so it holds; why does it name {id}?")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > 300, "only {judged} claims");
}

#[test]
fn every_erratum_that_a_claim_names_is_explained() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ERRATA.md");
    let text = fs::read_to_string(path).unwrap();
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    let mut named = 0;
    for builtin in builtins() {
        let scenario = read(builtin.source(), &[], Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"));
        for id in scenario.claim.iter().filter_map(|claim| claim.erratum.as_deref()) {
            let number = id.strip_prefix("E-").unwrap_or("");
            let proper = number.len() >= 2 && number.chars().all(|digit| digit.is_ascii_digit());
            assert!(proper, "{}: `{id}` is not of the form E-07", builtin.name);
            let has = |line: &&str| line.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == id);
            assert!(headings.iter().any(has), "{}: ERRATA.md has no heading with {id}", builtin.name);
            named += 1;
        }
    }
    assert!(named > 10, "only {named} claims name an erratum");
}
