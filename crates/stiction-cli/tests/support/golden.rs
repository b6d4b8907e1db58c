//! Answers as they were: quantities of one or two scenarios of each mechanism, run reduced, and the table of a campaign. Claims in
//! the scenarios hold the rest.
//!
//! A change is either a mistake or an improvement: look at it, then write the files anew as [`HOW`] says.

use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Largest relative difference of a number.
const RELATIVE: f64 = 1e-9;
/// Numbers this small are rounding errors of larger ones.
const ROUNDING: f64 = 1e-13;

pub(crate) const HOW: &str = "UPDATE_GOLDEN=1 cargo test -p stiction-cli --test builtins";

/// Scenarios whose answers are kept.
pub(crate) const SCENARIOS: [&str; 9] = [
    // a block on a belt: branches with their bifurcations, and a map
    "elmer1997/fig3",
    "elmer1997/stick_time_map",
    // a plate, and a crank
    "hu2021/moments",
    "hu2021/crank",
    // a disc on a belt: the default, a field, and an ensemble
    "hu2023_belt/fig9",
    "hu2023_belt/fig3",
    "hu2023_belt/monte_carlo",
    // two discs
    "hu2023_disc/hopf",
    // a wheel
    "szalai2014/itinerary",
];

/// What says how much work an answer took, not what it is.
const EFFORT: [&str; 2] = ["steps", "evaluations"];

/// The quantities without those that count work.
pub(crate) fn answers(quantities: &Json) -> Json {
    let kept = quantities.as_object().unwrap().iter().filter(|(name, _)| !EFFORT.contains(&name.as_str()));
    Json::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// The cells of a table by column, as numbers where they are.
pub(crate) fn cells(table: &str) -> Json {
    let mut lines = table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    let cell = |row: &Vec<&str>, place: usize| {
        let word = row[place];
        word.parse::<f64>().map_or_else(|_| Json::from(word), Json::from)
    };
    let column = |place: usize| Json::Array(rows.iter().map(|row| cell(row, place)).collect());
    Json::Object(names.iter().enumerate().map(|(place, name)| ((*name).to_owned(), column(place))).collect())
}

/// Notes where answers differ from those that are kept.
pub(crate) fn check(name: &str, new: &Json, wrong: &mut Vec<String>) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{}.json", name.replace('/', "-")));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, format!("{new:#}\n")).unwrap();
    }
    match fs::read_to_string(&path) {
        Ok(text) => compare(name, &serde_json::from_str(&text).unwrap(), new, wrong),
        Err(_) => wrong.push(format!("{name} has no golden file")),
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
