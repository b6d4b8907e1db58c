//! What a study leaves behind is what `study/answers.txt` lists, also for keys that no built-in scenario sets.

use crate::built_in;
use std::collections::BTreeSet;
use stiction_lab::dataset::{Data, Outcome, Table};
use stiction_lab::scenario::{Scenario, Size, builtin, builtins, explain, read};
use stiction_lab::study::{Answers, result, results_page};

/// A built-in scenario with settings, reduced, and its answer.
fn answer(name: &str, settings: &[&str]) -> (Scenario, Outcome) {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let scenario =
        read(builtin(name).unwrap().source(), &settings, Size::Quick).unwrap_or_else(|wrong| panic!("{wrong}"));
    let outcome = built_in::run(&scenario).unwrap_or_else(|error| panic!("{name} {settings:?}: {error}"));
    (scenario, outcome)
}

fn column<'t>(outcome: &'t Outcome, table: &str, column: &str) -> &'t Data {
    let table: &Table = outcome.tables.iter().find(|known| known.name == table).unwrap();
    &table.column(column).unwrap_or_else(|| panic!("{} has no {column}", table.name)).data
}

fn numbers<'t>(outcome: &'t Outcome, table: &str, name: &str) -> &'t [f64] {
    match column(outcome, table, name) {
        Data::Numbers(numbers) => numbers,
        other => panic!("{other:?}"),
    }
}

fn words<'t>(outcome: &'t Outcome, table: &str, name: &str) -> &'t [String] {
    match column(outcome, table, name) {
        Data::Words(words) => words,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_study_is_listed() {
    let studies: Vec<String> = builtins()
        .map(|builtin| read(builtin.source(), &[], Size::Quick).unwrap())
        .filter(|scenario| Answers::of(&scenario.study, &scenario.system).is_none())
        .map(|scenario| scenario.study.name().to_owned())
        .collect();
    assert!(studies.is_empty(), "add {studies:?} to study/answers.txt");
}

/// `study/results.txt` explains what `study/answers.txt` lists, for every mechanism and study of the built-in scenarios.
#[test]
fn every_listed_result_has_a_meaning() {
    let mut unknown = BTreeSet::new();
    for builtin in builtins() {
        let scenario = read(builtin.source(), &[], Size::Quick).unwrap();
        let (study, system) = (scenario.study.name(), scenario.system.name());
        let listed = Answers::of(&scenario.study, &scenario.system).unwrap();
        let columns = listed.tables.iter().flat_map(|table| &table.columns).map(|column| &column.name);
        // a column that is named after a key means that key
        let of_key = |name: &str| explain(&format!("system.{system}.{name}")).is_ok();
        let missing = |name: &&String| result(study, name).is_none() && !of_key(name);
        unknown.extend(
            listed.quantities.iter().chain(columns).filter(missing).map(|name| format!("{study} of {system}: {name}")),
        );
    }
    assert!(unknown.is_empty(), "add to study/results.txt: {unknown:#?}");
}

#[test]
fn the_page_of_the_book_lists_every_result() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, results_page()).unwrap();
    }
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        page == results_page(),
        "write docs/results.md again: UPDATE_GOLDEN=1 cargo test -p stiction-lab --test lab answers"
    );
}

#[test]
fn tables_that_depend_on_keys_have_the_listed_columns() {
    let cases: [(&str, &[&str]); 6] = [
        ("elmer1997/linear_law", &["study={critical_speed={}}"]),
        ("elmer1997/fig3", &["study.bifurcation={parameter=\"normal_load\",from=0.5,to=1.5,points=8}"]),
        ("szalai2014/smooth", &["study.smooth.realisations=2", "study.smooth.duration_tau=1.0"]),
        ("hu2023_disc/hopf", &["study.hopf={along=\"drive_speed\",from=1.0,to=2.0,points=11}"]),
        ("elmer1997/coulomb", &["study.trajectory={duration=5.0}"]),
        ("hu2021/crank", &["study.crank_run.compare_policies=false"]),
    ];
    for (name, settings) in cases {
        let (scenario, outcome) = answer(name, settings);
        let listed = Answers::of(&scenario.study, &scenario.system).unwrap();
        for table in &outcome.tables {
            let known = listed.tables.iter().find(|known| known.name == table.name);
            let known = known.unwrap_or_else(|| panic!("{name} {settings:?}: {} is not listed", table.name));
            for column in &table.columns {
                let twin = known.column(&column.name);
                let twin = twin.unwrap_or_else(|| panic!("{name}: {}.{} is not listed", table.name, column.name));
                assert_eq!(twin.data.kind() == "word", column.data.kind() == "word", "{}.{}", table.name, column.name);
            }
        }
        for quantity in &outcome.quantities {
            assert!(listed.has_quantity(&quantity.name), "{name} {settings:?}: {} is not listed", quantity.name);
        }
        let missing: Vec<&String> = listed
            .tables
            .iter()
            .map(|table| &table.name)
            .filter(|name| !outcome.tables.iter().any(|table| table.name == **name))
            .collect();
        assert!(missing.is_empty(), "{name} {settings:?}: listed, but not there: {missing:?}");
    }
}

#[test]
fn motions_mark_their_samples_which_are_evenly_spaced() {
    for (name, table, time, settings) in [
        ("elmer1997/coulomb", "trajectory", "time", &["study.trajectory={duration=20.0,samples=101}"][..]),
        ("hu2023_belt/realisation", "motion", "time", &["study.realisation.duration=20.0"][..]),
        ("hu2023_belt/realisation", "uniform", "time", &["study.realisation.duration=20.0"][..]),
        ("szalai2014/itinerary", "path", "tau", &["study.itinerary.samples=101"][..]),
    ] {
        let (_, outcome) = answer(name, settings);
        let (times, rows) = (numbers(&outcome, table, time), words(&outcome, table, "row"));
        let samples: Vec<f64> = times.iter().zip(rows).filter(|(_, row)| *row == "sample").map(|(t, _)| *t).collect();
        assert!(samples.len() > 50 && samples.len() < times.len(), "{name}: {} of {}", samples.len(), times.len());
        let step = samples[1] - samples[0];
        // instants are multiples of the step, rounded once
        let even = |pair: &[f64]| (pair[1] - pair[0] - step).abs() < 1e-9 * times.last().unwrap();
        assert!(samples.windows(2).all(even), "{name} {table}");
        assert!(numbers(&outcome, table, "sliding_speed").iter().all(|speed| *speed >= 0.0), "{name} {table}");
    }
}

/// In stick friction balances the spring, in slip it is that of the law.
#[test]
fn the_friction_force_of_a_trajectory_is_that_of_the_law_or_balances_the_spring() {
    let (_, outcome) = answer("elmer1997/coulomb", &["study.trajectory={duration=20.0}"]);
    let (friction, spring) =
        (numbers(&outcome, "trajectory", "friction_force"), numbers(&outcome, "trajectory", "spring_force"));
    let speed = numbers(&outcome, "trajectory", "sliding_speed");
    for (row, phase) in words(&outcome, "trajectory", "phase_surface").iter().enumerate() {
        let expected = if phase == "backward" { 0.45 * 98.1 } else { spring[row] };
        assert!((friction[row] - expected).abs() < 1e-12 * 98.1, "{phase}: {} is not {expected}", friction[row]);
        assert!(phase == "backward" || speed[row] < 1e-12, "{phase}: {}", speed[row]);
    }
}

/// `plan`, `replay` and rules that end a study ask before the work whether a study makes items and watches means.
#[test]
fn a_study_that_makes_items_or_ends_early_says_so() {
    fn sources(folder: &std::path::Path, found: &mut Vec<(String, String)>) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/study"), &mut found);
    let mut studies = 0;
    for (path, text) in found.iter().filter(|(_, text)| text.contains("impl Study for ")) {
        let calls = |names: &[&str]| names.iter().any(|name| text.contains(name));
        let makes = calls(&["context.items(", "context.all_items(", "Ensemble::new("]);
        let ends = calls(&["context.ending(", "Ensemble::new("]);
        assert_eq!(makes, text.contains("fn has_items("), "{path}");
        assert_eq!(ends, text.contains("fn ending_quantities("), "{path}");
        studies += u32::from(makes);
    }
    assert!(studies >= 8, "{studies}");
}
