//! The quantities of the built-in scenarios, run reduced, as they were.
//!
//! A change is either a mistake or an improvement: look at it, then write the files anew as [`HOW`] says.

use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Largest relative difference of a number.
const RELATIVE: f64 = 1e-9;
/// Numbers this small are rounding errors of larger ones.
const ROUNDING: f64 = 1e-13;

pub(crate) const HOW: &str = "UPDATE_GOLDEN=1 cargo test -p stiction-cli --test builtins";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/summaries")
}

/// Where the quantities of a scenario are kept.
fn golden(name: &str) -> PathBuf {
    folder().join(format!("{name}.json"))
}

/// Notes where the quantities of a scenario differ from those that are kept.
pub(crate) fn check(name: &str, new: &Json, wrong: &mut Vec<String>) {
    let path = golden(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("{new:#}\n")).unwrap();
    }
    match fs::read_to_string(&path) {
        Ok(text) => compare(name, &serde_json::from_str(&text).unwrap(), new, wrong),
        Err(_) => wrong.push(format!("{name} has no golden file")),
    }
}

pub(crate) fn every_file_has_its_scenario(names: &[String]) {
    let known: BTreeSet<PathBuf> = names.iter().map(|name| golden(name)).collect();
    for paper in fs::read_dir(folder()).unwrap().map(Result::unwrap) {
        for file in fs::read_dir(paper.path()).unwrap().map(Result::unwrap) {
            assert!(known.contains(&file.path()), "{} is no built-in scenario any more", file.path().display());
        }
    }
}

/// Notes where two answers differ.
fn compare(place: &str, old: &Json, new: &Json, wrong: &mut Vec<String>) {
    match (old, new) {
        (Json::Object(before), Json::Object(after)) => {
            let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            for key in keys {
                let place = format!("{place} {key}");
                match (before.get(key), after.get(key)) {
                    (Some(old), Some(new)) => compare(&place, old, new, wrong),
                    (None, _) => wrong.push(format!("{place}: is new")),
                    (_, None) => wrong.push(format!("{place}: is gone")),
                }
            }
        }
        (Json::Array(before), Json::Array(after)) if before.len() == after.len() => {
            for (index, (old, new)) in before.iter().zip(after).enumerate() {
                compare(&format!("{place}[{index}]"), old, new, wrong);
            }
        }
        (Json::Number(a), Json::Number(b)) if a.is_f64() && b.is_f64() => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            if (a - b).abs() > RELATIVE * a.abs().max(b.abs()) + ROUNDING {
                wrong.push(format!("{place}: was {a}, is {b}"));
            }
        }
        (old, new) if old == new => {}
        (old, new) => wrong.push(format!("{place}: was {old}, is {new}")),
    }
}

#[test]
fn the_comparison_sees_what_matters() {
    let differences = |old: Json, new: Json| {
        let mut wrong = Vec::new();
        compare("x", &old, &new, &mut wrong);
        wrong
    };
    use serde_json::json;
    assert!(differences(json!({ "a": 1.0, "b": ["CS"] }), json!({ "b": ["CS"], "a": 1.000_000_000_5 })).is_empty());
    assert_eq!(differences(json!({ "a": 1.0 }), json!({ "a": 1.000_000_002 })).len(), 1);
    assert_eq!(differences(json!({ "a": 1.0 }), json!({ "a": null })).len(), 1);
    assert_eq!(differences(json!({ "a": 1 }), json!({ "a": 2 })).len(), 1);
    assert_eq!(differences(json!({ "a": ["CS"] }), json!({ "a": ["OS"], "b": 1 })).len(), 2);
    assert_eq!(differences(json!({ "a": [1.0, 2.0] }), json!({ "a": [1.0] })).len(), 1);
}
