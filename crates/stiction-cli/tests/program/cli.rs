//! What a user of the program sees.

use crate::support::stiction;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A file with that text, in the folder where the program runs.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

fn coulomb() -> String {
    stiction(&["show", "elmer1997/coulomb"]).run().succeeds().stdout
}

#[test]
fn a_misspelt_key_names_the_nearest_one() {
    file("misspelt.toml", &coulomb().replace("stiffness = ", "stiffnes = "));
    stiction(&["check", "misspelt.toml"]).run().refuses(&[
        "error: unknown key `stiffnes` in system.spring_block\n  --> misspelt.toml:",
        "| ^^^^^^^^ did you mean `stiffness`?\n",
        "= allowed: mass, stiffness, drive_speed,",
        "missing key `stiffness`",
    ]);
}

#[test]
fn a_wrong_type_says_what_was_found_and_what_is_wanted() {
    stiction(&["check", "elmer1997/coulomb", "--set", "system.spring_block.mass=heavy"]).run().refuses(&[
        "`system.spring_block.mass` must be a number > 0, but is a string",
        "--> --set:1:26",
        "found heavy",
        "[kg]",
    ]);
}

#[test]
fn all_mistakes_of_a_file_are_told_at_once() {
    let text = coulomb()
        .replace("mass = 10.0", "mass = -10.0")
        .replace("drive_speed", "drive_sped")
        .replace("law.coulomb", "law.colomb")
        .replace("[study.trajectory]", "[study.trajektory]");
    file("many.toml", &text);
    stiction(&["run", "many.toml"]).run().refuses(&[
        "out of range: -10",
        "did you mean `drive_speed`?",
        "did you mean `coulomb`?",
        "did you mean `trajectory`?",
        "and 1 more",
    ]);
}

#[test]
fn a_syntax_error_has_its_line_and_column() {
    stiction(&["check", "-"]).reading("title = \"a\"\nseed = \n").run().refuses(&["not valid TOML", "--> <stdin>:2:8"]);
}

#[test]
fn a_missing_file_and_an_unknown_scenario_are_refused_with_a_hint() {
    stiction(&["run", "missing.toml"]).run().refuses(&["there is no file `missing.toml`", "hint:"]);
    stiction(&["run", "elmer1997/colomb"])
        .run()
        .refuses(&["neither a built-in scenario nor a file", "did you mean elmer1997/coulomb"]);
    stiction(&["show", "coulomb"]).run().refuses(&["did you mean elmer1997/coulomb, "]);
    stiction(&["check", "."]).run().refuses(&["`.` is a folder"]);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("latin1.toml");
    fs::write(path, b"title = \"a\"\n# caf\xe9\n").unwrap();
    stiction(&["check", "latin1.toml"]).run().refuses(&["not UTF-8", "line 2"]);
}

#[test]
fn a_bad_setting_is_refused_with_its_place() {
    for (setting, told) in [
        ("seed", "the `=` is missing"),
        ("seed=", "without a value"),
        ("sede=1", "did you mean `seed`?"),
        ("seed=1e", "not valid TOML"),
        (
            "system.spring_block.law.two_slope.crossover_speed=1",
            "to switch, replace the whole table: --set 'system.spring_block.law={two_slope={",
        ),
    ] {
        stiction(&["run", "elmer1997/coulomb", "--set", setting]).run().refuses(&[told, "--> --set:1:"]);
    }
    stiction(&["run", "elmer1997/coulomb", "--threads", "0"]).run().refuses(&["--threads"]);
    stiction(&["run", "elmer1997/coulomb", "--frobnicate"]).run().refuses(&["--frobnicate"]);
}

#[test]
fn every_built_in_is_shown_and_checks() {
    let list = stiction(&["list", "--json"]).run().succeeds().stdout;
    let list: Vec<serde_json::Value> = serde_json::from_str(&list).unwrap();
    assert!(!list.is_empty());
    for entry in &list {
        let name = entry["name"].as_str().unwrap();
        let text = stiction(&["show", name]).run().succeeds().stdout;
        assert!(entry["title"].as_str().is_some_and(|title| text.contains(title)), "{entry}");
        let seen = stiction(&["check", "-"]).reading(&text).run().succeeds();
        assert_eq!((seen.stdout.as_str(), seen.stderr.as_str()), ("", "<stdin>: no mistakes\n"));
        stiction(&["check", name]).run().succeeds();
    }
}

#[test]
fn the_list_can_be_narrowed() {
    let all = stiction(&["list"]).run().succeeds().stdout;
    let some = stiction(&["list", "COULOMB", "stick-slip with", "trajectory"]).run().succeeds().stdout;
    let lines: Vec<&str> = some.lines().collect();
    assert!(lines[0] == "Stick-slip of a block" && lines[1].starts_with("  elmer1997/coulomb "), "{some}");
    assert!(lines.len() < 6 && all.contains("  elmer1997/coulomb "), "{some}");
    let topics: Vec<&str> = all.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
    assert_eq!(topics.len(), 6, "{topics:?}");
    // a mechanism, a study and a topic are found as well
    for (word, name) in
        [("two_disc", "hu2023_disc/hopf "), ("return_map", "szalai2014/return_map "), ("crank", "hu2021/crank ")]
    {
        let found = stiction(&["list", word]).run().succeeds().stdout;
        assert!(found.contains(name) && !found.contains("elmer1997/coulomb "), "{word}: {found}");
    }
    let none = stiction(&["list", "qqqq"]).run().succeeds();
    assert!(none.stdout.is_empty() && none.stderr.contains("qqqq"));
}

#[test]
fn explanations_have_units_ranges_and_defaults() {
    let page = stiction(&["explain", "system.spring_block"]).run().succeeds().stdout;
    for word in ["kg", "N/m", "> 0", "required", "strict | first_contact"] {
        assert!(page.contains(word), "no `{word}` in\n{page}");
    }
    let top = stiction(&["explain"]).run().succeeds().stdout;
    assert!(top.contains("spring_block") && top.contains("trajectory") && top.contains("solver"), "{top}");
    stiction(&["explain", "system.spring_block.mas"]).run().refuses(&["did you mean system.spring_block.mass?"]);
    let choice = stiction(&["explain", "system.planar_sliding.field.marginal"]).run().succeeds().stdout;
    assert!(choice.contains("marginal = \"lognormal\"") && choice.contains("marginal.quantiles]"), "{choice}");
    let list = stiction(&["explain", "study.advisor"]).run().succeeds().stdout;
    assert!(list.contains("list of (force | torque) ") && list.contains("length_variable_torque, "), "{list}");
}

#[test]
fn results_are_explained_with_unit_definition_and_study() {
    let period = stiction(&["explain", "period"]).run().succeeds().stdout;
    assert!(period.starts_with("period, a result\n"), "{period}");
    assert!(period.contains("Duration of the last complete cycle [s].\n    given by trajectory\n"), "{period}");
    let many = stiction(&["explain", "stick_time"]).run().succeeds().stdout;
    assert!(many.contains("realisation") && many.contains("stick_slip_map (table orbit)"), "{many}");
    stiction(&["explain", "perod"]).run().refuses(&["`perod` is neither a key nor a result", "did you mean period"]);
}

#[test]
fn the_schema_is_json() {
    let schema: serde_json::Value = serde_json::from_str(&stiction(&["schema"]).run().succeeds().stdout).unwrap();
    assert_eq!(schema["type"], "object");
    for key in ["title", "system", "study", "quick"] {
        assert!(schema["properties"].get(key).is_some(), "{key}");
    }
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stiction(&["completions", shell]).run().succeeds().stdout.contains("explain"), "{shell}");
    }
    assert!(stiction(&["man"]).run().succeeds().stdout.contains(".TH stiction"));
    stiction(&["man", "pages"]).run().succeeds();
    assert!(Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages/stiction-run.1").exists());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_stiction"))
        .arg("schema")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a test of time needs a clock")]
fn the_list_is_there_at_once() {
    let shortest = (0..10).map(|_| {
        let start = Instant::now();
        stiction(&["list"]).run().succeeds();
        start.elapsed()
    });
    // the best of ten, since the machine may be busy
    assert!(shortest.min() < Some(Duration::from_millis(20)));
}

#[test]
fn the_help_names_every_command() {
    let help = stiction(&["--help"]).run().succeeds().stdout;
    for command in ["run", "list", "show", "check", "explain", "schema", "completions", "man", "Exit codes"] {
        assert!(help.contains(command), "{command}");
    }
    assert_eq!(stiction(&[]).run().code, Some(2));
}
