//! What a run leaves behind and says.

use crate::support::{contents, stiction, words};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// A scenario with tables, words, a sweep on several threads and two pictures.
const SCENARIO: &str = "elmer1997/fig3";

/// The keys of a summary; programs rely on them.
const KEYS: [&str; 12] = [
    "scenario",
    "study",
    "title",
    "answer",
    "quantities",
    "units",
    "events",
    "warnings",
    "claims",
    "tables",
    "files",
    "provenance",
];

#[test]
fn a_run_writes_exactly_the_files_that_it_names() {
    for (format, ending) in [("parquet", ".parquet"), ("csv", ".csv")] {
        let folder = tempdir().unwrap();
        let seen = stiction(&["run", SCENARIO, "--quick", "--format", format, "--json"]).out(folder.path()).run();
        let summary = seen.succeeds().json();
        let files = contents(folder.path());
        assert_eq!(files.keys().map(String::as_str).collect::<Vec<_>>(), words(&summary["files"]));
        for name in ["summary.json", "run.json", "scenario.toml", "report.html"] {
            assert!(files.contains_key(name), "{name}");
        }
        let scenario = stiction(&["show", SCENARIO]).run().succeeds().stdout;
        let pictures = scenario.matches("[[figure]]").count();
        let count = |ending: &str| files.keys().filter(|name| name.ends_with(ending)).count();
        let tables = summary["tables"].as_object().unwrap();
        assert!(tables.keys().all(|name| files.contains_key(&format!("{name}{ending}"))), "{:?}", files.keys());
        assert_eq!([count(".svg"), count(".png"), count(ending)], [pictures, pictures, tables.len()]);
        assert_eq!(files.len(), 4 + 2 * pictures + tables.len());
        assert!(files.iter().all(|(name, bytes)| !bytes.is_empty() && !name.starts_with('.')));
    }
}

#[test]
fn json_on_stdout_is_the_summary_that_is_written() {
    let folder = tempdir().unwrap();
    let typed = || stiction(&["run", SCENARIO, "--quick", "--json"]);
    let written = typed().out(folder.path()).run().succeeds();
    assert_eq!(written.stdout, fs::read_to_string(folder.path().join("summary.json")).unwrap());
    let summary = written.json();
    assert_eq!(summary.as_object().unwrap().keys().collect::<Vec<_>>(), KEYS);
    assert_eq!([&summary["scenario"], &summary["study"]], [SCENARIO, "bifurcation"]);
    let names = |key: &str| summary[key].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names("quantities"), names("units"));
    for name in ["hopf_speeds", "type1_speeds", "type2_speeds", "fold_speeds", "overshoot_speeds"] {
        let list: Vec<f64> =
            summary["quantities"][name].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
        assert!(!list.is_empty() && list.is_sorted(), "{name}: {list:?}");
    }

    let empty = tempdir().unwrap();
    let mut alone = typed().inside(empty.path()).run().succeeds().json();
    assert_eq!(alone["files"], Json::Array(Vec::new()));
    assert!(contents(empty.path()).is_empty(), "nothing is written that nobody asked for");
    alone["files"] = summary["files"].clone();
    assert_eq!(alone, summary);
}

#[test]
fn numbers_come_back_with_all_their_digits() {
    let seen = stiction(&["run", "elmer1997/coulomb", "--json"]).set("system.spring_block.drive_speed=0.1").run();
    let scenario = seen.succeeds().json();
    let stick_time = scenario["quantities"]["stick_time"].as_f64().unwrap();
    // 2 (F_S - F_K)/(kappa v0)
    let expected = 2.0 * 98.1 * (0.5 - 0.45) / (30.0 * 0.1);
    assert!((stick_time - expected).abs() < 1e-11 * expected, "{stick_time} is not {expected}");
    assert_eq!(scenario["units"]["stick_time"], "s");
    assert_eq!(scenario["events"][0]["kind"], "slip");
}

#[test]
fn without_out_the_results_are_in_a_folder_of_their_name() {
    let folder = tempdir().unwrap();
    let seen = stiction(&["run", "elmer1997/coulomb", "--quick"]).inside(folder.path()).run().succeeds();
    let results = folder.path().join("stiction-out/elmer1997/coulomb");
    assert!(results.join("report.html").exists());
    assert!(seen.stdout.starts_with("The block settles into stick-slip with a period of 4.16 s"), "{}", seen.stdout);
    assert!(seen.stdout.contains("report: stiction-out/elmer1997/coulomb/report.html"), "{}", seen.stdout);
    assert!(seen.stdout.contains("  stick_time           1.635 s    duration of the last"), "{}", seen.stdout);
    assert!(seen.stdout.lines().count() <= 15, "{}", seen.stdout);
    let all = stiction(&["run", "elmer1997/coulomb", "--quick", "--all"]).inside(folder.path()).run().succeeds().stdout;
    assert!(all.contains("files in stiction-out/elmer1997/coulomb:") && all.contains("final_velocity"), "{all}");
}

#[test]
fn the_written_scenario_runs_again_to_the_same_bytes() {
    let (first, second, third) = (tempdir().unwrap(), tempdir().unwrap(), tempdir().unwrap());
    let typed = stiction(&["run", SCENARIO, "--quick", "--seed", "7"]).set("study.bifurcation.points=40");
    typed.out(first.path()).run().succeeds();
    stiction(&["run", "scenario.toml"]).inside(first.path()).out(second.path()).run().succeeds();
    stiction(&["run", "scenario.toml"]).inside(second.path()).out(third.path()).run().succeeds();
    let [mut first, mut second, third] = [first, second, third].map(|folder| contents(folder.path()));
    assert!(second == third, "the second and the third run differ");
    let summaries = [&mut first, &mut second].map(|files| {
        // the page and the summary say which scenario was run, and by which command
        files.remove("report.html").unwrap();
        let mut summary: Json = serde_json::from_slice(&files.remove("summary.json").unwrap()).unwrap();
        summary["scenario"].take();
        (summary["provenance"]["command"].take(), summary)
    });
    for (name, bytes) in &first {
        assert!(second.get(name) == Some(bytes), "{name} differs");
    }
    assert_eq!(first.len(), second.len());
    let [(asked, first), (again, second)] = summaries;
    assert_eq!(first, second);
    assert_eq!(asked, "stiction run elmer1997/fig3 --quick --set study.bifurcation.points=40 --seed 7");
    assert_eq!(again, "stiction run scenario.toml");
}

#[test]
fn a_run_over_its_own_results_leaves_the_same_bytes() {
    let folder = tempdir().unwrap();
    let run = || stiction(&["run", "elmer1997/coulomb", "--quick"]).out(folder.path()).run().succeeds();
    run();
    let first = contents(folder.path());
    run();
    assert!(first == contents(folder.path()));
    // and one in another format takes the old tables away
    stiction(&["run", "elmer1997/coulomb", "--quick", "--format", "csv"]).out(folder.path()).run().succeeds();
    assert!(contents(folder.path()).keys().all(|name| !name.ends_with(".parquet")));
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_the_work() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    // a scan that would take minutes
    let typed = || stiction(&["run", SCENARIO]).set("study.bifurcation.points=100000").within(10);
    let hint = "choose another folder with --out";
    typed().out(&file).run().fails(&["/file is a file, not a folder", hint]);
    typed().out(&file.join("inside")).run().fails(&["/file is a file, not a folder", hint]);
    typed().out(Path::new("/proc/stiction")).run().fails(&["/proc/stiction: ", hint]);
    typed().out(&folder.path().join("n".repeat(256))).run().fails(&["nnnn: ", hint]);
    // it is there, but takes no files, whoever asks
    if Path::new("/sys/kernel").is_dir() {
        typed().out(Path::new("/sys/kernel")).run().fails(&["/sys/kernel", hint]);
    }
    assert_eq!(contents(folder.path()).into_iter().collect::<Vec<_>>(), [("file".to_owned(), b"mine".to_vec())]);
}

#[test]
fn files_of_someone_else_are_not_overwritten() {
    let folder = tempdir().unwrap();
    // a scan that would take minutes: the pages, its tables and its pictures are known before
    let typed = || stiction(&["run", SCENARIO]).set("study.bifurcation.points=100000").within(10);
    for name in ["report.html", "summary.json", "run.json", "branches.parquet", "fig3.png"] {
        fs::write(folder.path().join(name), "mine").unwrap();
        for more in ["--quick", "--restart"] {
            let told = format!("{name} was not written by an earlier run");
            typed().with(more).out(folder.path()).run().fails(&[&told, "--out"]);
        }
        assert_eq!(contents(folder.path()).into_iter().collect::<Vec<_>>(), [(name.to_owned(), b"mine".to_vec())]);
        fs::remove_file(folder.path().join(name)).unwrap();
    }
}

#[test]
fn what_cannot_be_read_is_refused_before_anything_is_written() {
    let folder = tempdir().unwrap();
    let typed = |scenario: &str| stiction(&["run", scenario]).inside(folder.path());
    typed("missing.toml").run().refuses(&["there is no file `missing.toml`", "hint:"]);
    typed("elmer1997/fig33").run().refuses(&["neither a built-in scenario nor a file", "did you mean elmer1997/fig3"]);
    typed(".").run().refuses(&["`.` is a folder"]);
    assert!(contents(folder.path()).is_empty());
}

#[test]
fn a_law_is_switched_by_an_inline_table() {
    let law = "system.spring_block.law={stribeck={static_coefficient=0.5,kinetic_coefficient=0.4,stribeck_speed=0.1,viscous=0.0}}";
    let seen = stiction(&["run", "elmer1997/coulomb", "--quick", "--json"]).set(law).run();
    let switched = seen.succeeds().json();
    let plain = stiction(&["run", "elmer1997/coulomb", "--quick", "--json"]).run().succeeds().json();
    assert_ne!(switched["quantities"]["slip_time"], plain["quantities"]["slip_time"]);
    assert_eq!(switched["provenance"]["command"].as_str().unwrap().matches('\'').count(), 2, "quoted for a shell");
}

#[test]
fn a_scenario_may_come_from_stdin() {
    let text = stiction(&["show", "elmer1997/coulomb"]).run().succeeds().stdout;
    let seen = stiction(&["run", "-", "--quick", "--json"]).reading(&text).run().succeeds().json();
    let named = stiction(&["run", "elmer1997/coulomb", "--quick", "--json"]).run().succeeds().json();
    assert_eq!(seen["scenario"], "stdin");
    assert_eq!(seen["quantities"], named["quantities"]);
    assert_eq!(seen["provenance"]["scenario_sha256"], named["provenance"]["scenario_sha256"]);
}

#[test]
fn warnings_are_talk_and_stay_out_of_the_data() {
    let seen = stiction(&["run", "elmer1997/coulomb", "--json"]).set("study.trajectory.duration=1").run().succeeds();
    let summary = seen.json();
    let warnings = words(&summary["warnings"]);
    assert!(!warnings.is_empty());
    assert!(warnings.iter().all(|warning| seen.stderr.contains(&format!("warning: {warning}\n"))), "{}", seen.stderr);
}
