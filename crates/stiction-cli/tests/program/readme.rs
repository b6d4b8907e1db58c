//! The examples of the README: three ways to ask the same question give the same number.

use crate::support::stiction;
use std::fs;
use std::path::Path;

/// The README, from the root of the repository.
fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    fs::read_to_string(path).expect("the README is at the root")
}

/// The text of every fenced block in this language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let opened = text.split(fence.as_str()).skip(1);
    opened.filter_map(|rest| rest.split_once("```").map(|(block, _)| block.to_owned())).collect()
}

/// The number that the README says all three give.
fn promised(text: &str) -> f64 {
    let after = text.split_once("All three answer ").expect("the README names the number").1;
    after.split_once(" s;").and_then(|(number, _)| number.parse().ok()).expect("a number with its unit")
}

#[test]
fn the_scenario_of_the_readme_gives_the_number_of_the_readme() {
    let text = readme();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("my.toml");
    fs::write(&file, &blocks(&text, "toml")[0]).expect("a file");
    let answer = stiction(&["run", &file.to_string_lossy(), "--json"]).run().succeeds().json();
    let period = answer["quantities"]["period"].as_f64().expect("a period");
    assert!((period - promised(&text)).abs() < 5e-8, "{period}");
}

#[test]
fn the_plate_of_the_readme_takes_a_measured_map() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("my.toml");
    fs::write(&file, &blocks(&readme(), "toml")[1]).expect("a file");
    let corners = [(-0.02, -0.01), (-0.02, 0.01), (0.02, -0.01), (0.02, 0.01)];
    let rows: String = corners.iter().map(|(x, y)| format!("{x},{y},0.5\n")).collect();
    fs::write(folder.path().join("map.csv"), format!("x,y,coefficient\n{rows}")).expect("a map");
    let quantities = &stiction(&["run", &file.to_string_lossy(), "--json"]).run().succeeds().json()["quantities"];
    // the force of a point is at most pressure times coefficient, and the plate turns about a point on its rim
    let (force, bound) = (quantities["mean_force_x"].as_f64().expect("a force"), 1e5 * 0.5 * 0.04 * 0.02);
    assert!(force < 0.0 && force > -bound, "{force}");
    assert!(quantities["mean_torque"].as_f64().is_some_and(|torque| torque < 0.0), "{quantities}");
}

#[test]
fn the_command_of_the_readme_gives_the_number_of_the_readme() {
    let text = readme();
    let commands = blocks(&text, "sh");
    let line = commands.iter().flat_map(|block| block.lines()).find(|line| line.contains("--json"));
    let words: Vec<&str> = line.expect("a command with --json").split_whitespace().skip(1).collect();
    let answer = stiction(&words).run().succeeds().json();
    let period = answer["quantities"]["period"].as_f64().expect("a period");
    assert!((period - promised(&text)).abs() < 5e-8, "{period}");
}

#[test]
fn the_rust_of_the_readme_asserts_the_number_of_the_readme() {
    // the block itself runs as a doctest of the crate stiction-lab
    let text = readme();
    let block = &blocks(&text, "rust")[0];
    let number = promised(&text).to_string();
    assert!(block.contains(&format!("- {number}).abs() < 1e-7")), "{block}");
}

#[test]
fn every_other_command_of_the_readme_works() {
    let text = readme();
    let lines = blocks(&text, "sh").join("\n");
    let commands =
        lines.lines().filter_map(|line| line.strip_prefix("stiction ")).filter(|line| !line.contains("my.toml"));
    // a folder of its own: results of an earlier version would be in the way
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for command in commands {
        let words: Vec<&str> = command.split('#').next().unwrap_or(command).split_whitespace().collect();
        stiction(&words).inside(folder.path()).run().succeeds();
        count += 1;
    }
    assert!(count >= 4, "{count}");
}
