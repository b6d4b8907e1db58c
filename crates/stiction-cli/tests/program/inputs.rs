//! Files that a scenario reads: found from the scenario's folder, known by their contents, named when they change.

use crate::support::{contents, stiction};
use serde_json::Value as Json;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::{TempDir, tempdir};

/// A map of 3 m by 3 m around the origin with this coefficient, and a little more towards x.
fn map(path: &Path, coefficient: f64) {
    let mut text = "x,y,coefficient\n".to_owned();
    for i in -6..=6 {
        for j in -6..=6 {
            writeln!(text, "{},{},{}", 0.25 * f64::from(i), 0.25 * f64::from(j), coefficient + 0.01 * f64::from(i))
                .unwrap();
        }
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn scenario(campaign: &str) -> String {
    format!(
        "title = \"a plate on measured maps\"\n[system.planar_sliding]\nshape.square.half_side = 1.0\npressure = 1.0\n\
         motion.translation.direction = 0.0\nfield.file = \"map.csv\"\n[study.moments]\n{campaign}"
    )
}

const VARY: &str = "[campaign]\n[[campaign.vary]]\nkey = \"system.planar_sliding.field.file\"\n\
                    values = [\"map.csv\", \"../map.csv\"]\n";

/// A folder `a` with a scenario and a map beside it, another map above it, and misleading ones elsewhere.
fn folder(campaign: &str) -> TempDir {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    map(&at("a/map.csv"), 0.4);
    map(&at("map.csv"), 0.5);
    map(&at("b/c/map.csv"), 0.6);
    map(&at("b/map.csv"), 0.7);
    fs::write(at("a/s.toml"), scenario(campaign)).unwrap();
    folder
}

fn forces(answer: &Json) -> Vec<f64> {
    let forces = &answer["quantities"]["mean_force_x"];
    forces
        .as_array()
        .map_or_else(|| vec![forces.as_f64().unwrap()], |all| all.iter().map(|one| one.as_f64().unwrap()).collect())
}

#[track_caller]
fn near(found: &[f64], wanted: &[f64]) {
    assert!(
        found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9),
        "{found:?} {wanted:?}"
    );
}

#[test]
fn files_of_a_campaign_are_found_from_the_scenario_by_every_command() {
    let folder = folder(VARY);
    let home = folder.path().join("b/c");
    let typed = |line: &str| stiction(&line.split(' ').collect::<Vec<_>>()).inside(&home).run();
    // the plate has 4 m², the mean over it is the coefficient at its middle
    let wanted = [-1.6, -2.0];
    near(&forces(&typed("run ../../a/s.toml --json --out run").succeeds().json()), &wanted);
    near(&forces(&typed("replay run 1 --json").succeeds().json()), &wanted[1..]);
    near(&forces(&typed("replay run 0 --json --out item").succeeds().json()), &wanted[..1]);
    assert_eq!(fs::read_to_string(home.join("item/scenario.toml")).unwrap().matches("[[input]]").count(), 1);
    near(&forces(&typed("rerun run/items.parquet --json").succeeds().json()), &wanted);
    near(&forces(&typed("run run/scenario.toml --json").succeeds().json()), &wanted);
    typed("plan ../../a/s.toml --items-per-task 1 --out split").succeeds();
    for task in ["0", "1"] {
        typed(&format!("work split --task {task}")).succeeds();
    }
    near(&forces(&typed("merge split --json").succeeds().json()), &wanted);
    // spelt in another way
    let spelt = VARY.replace("\"system.planar_sliding.field.file\"", "\" system.planar_sliding.field.file \"");
    fs::write(folder.path().join("a/s.toml"), scenario(&spelt)).unwrap();
    near(&forces(&typed("run ../../a/s.toml --json").succeeds().json()), &wanted);
}

#[test]
fn a_scenario_is_known_by_the_contents_of_its_files_not_by_their_paths() {
    let folder = folder("");
    let at = |name: &str| folder.path().join(name);
    let hash = |setting: &str| {
        let path = at("a/s.toml");
        let typed = stiction(&["run", path.to_str().unwrap(), "--json"])
            .set(&format!("system.planar_sliding.field.file=\"{setting}\""));
        typed.run().succeeds().json()["provenance"]["scenario_sha256"].as_str().unwrap().to_owned()
    };
    let (here, above) = (hash("map.csv"), hash("../map.csv"));
    assert_ne!(here, above);
    fs::create_dir(at("copy")).unwrap();
    fs::copy(at("a/map.csv"), at("copy/other_name.csv")).unwrap();
    assert_eq!(hash("../copy/other_name.csv"), here);
    assert_eq!(hash(at("a/map.csv").to_str().unwrap()), here);
    map(&at("a/map.csv"), 0.5);
    assert_eq!(hash("map.csv"), above);
}

#[test]
fn the_record_of_a_run_has_the_hash_of_every_file() {
    let folder = folder(VARY);
    let out = folder.path().join("out");
    let scenario = folder.path().join("a/s.toml");
    let summary = stiction(&["run", scenario.to_str().unwrap(), "--json"]).out(&out).run().succeeds().json();
    let run: Json = serde_json::from_str(&fs::read_to_string(out.join("run.json")).unwrap()).unwrap();
    assert_eq!(run["input"], summary["provenance"]["input"]);
    let text = fs::read_to_string(out.join("scenario.toml")).unwrap();
    let listed = run["input"].as_array().unwrap();
    assert_eq!(listed.len(), 2);
    for input in listed {
        let (file, hash) = (input["file"].as_str().unwrap(), input["sha256"].as_str().unwrap());
        assert!(Path::new(file).is_absolute() && hash.len() == 64, "{input}");
        assert!(text.contains(&format!("[[input]]\nfile = \"{file}\"\nsha256 = \"{hash}\"")), "{text}");
    }
    assert_eq!(text.matches("[[input]]").count(), 2);
    // the same again leaves the same files behind
    let again = folder.path().join("again");
    stiction(&["run", out.join("scenario.toml").to_str().unwrap()]).out(&again).run().succeeds();
    for name in ["scenario.toml", "run.json", "items.parquet"] {
        assert!(contents(&out)[name] == contents(&again)[name], "{name}");
    }
}

#[test]
fn a_changed_file_is_named_by_every_command_that_goes_on_with_earlier_work() {
    let folder = folder(VARY);
    let typed = |line: &str| stiction(&line.split(' ').collect::<Vec<_>>()).inside(folder.path()).run();
    typed("run a/s.toml --out done").succeeds();
    typed("plan a/s.toml --items-per-task 1 --out split").succeeds();
    typed("work split --task 0").succeeds();
    let before = contents(&folder.path().join("done"));
    // only the second of two maps changes
    map(&folder.path().join("map.csv"), 0.9);
    let named = ["map.csv has changed: its SHA-256 was ", ", now it is "];
    for line in [
        "replay done 1",
        "rerun done/items.parquet --json",
        "run done/scenario.toml --json",
        "work split --task 1",
        "merge split",
    ] {
        typed(line).refuses(&named);
    }
    typed("run a/s.toml --out done").refuses(&[
        "has the results of another scenario",
        "map.csv` was a file with SHA-256 ",
        "--restart",
    ]);
    typed("run a/s.toml --out split")
        .refuses(&["unfinished work of another scenario", "map.csv` was a file with SHA-256 "]);
    typed("plan a/s.toml --items-per-task 1 --out split").refuses(&["map.csv` was a file with SHA-256 "]);
    assert!(before == contents(&folder.path().join("done")));
    // pictures and tables of finished results need no map, and restored contents go on
    typed("status split").succeeds();
    map(&folder.path().join("map.csv"), 0.5);
    typed("work split --task 1").succeeds();
    typed("merge split").succeeds();
    fs::remove_file(folder.path().join("map.csv")).unwrap();
    typed("replay done 1").refuses(&["map.csv: cannot be opened"]);
}

#[test]
fn a_file_that_is_missing_or_of_another_kind_is_named_before_the_run() {
    let folder = folder(VARY);
    let check = |file: &str| {
        fs::write(folder.path().join("a/s.toml"), scenario(&VARY.replace("../map.csv", file))).unwrap();
        stiction(&["check", "a/s.toml"]).inside(folder.path()).run()
    };
    check("nowhere.csv").refuses(&["`campaign.vary[0].values[1]`", "nowhere.csv: cannot be opened", "s.toml:"]);
    check("..").refuses(&["is a folder, not a file"]);
    check("../map.csv").succeeds();
    let pinned = |hash: &str| scenario(&format!("[[input]]\nfile = \"map.csv\"\nsha256 = \"{hash}\"\n"));
    fs::write(folder.path().join("a/s.toml"), pinned("00")).unwrap();
    stiction(&["check", "a/s.toml"]).inside(folder.path()).run().refuses(&["map.csv has changed: its SHA-256 was 00,"]);
}

/// A map that changes while items are made from it: what was made since then is not kept, and no results are written.
#[test]
fn a_file_that_changes_during_a_run_ends_it() {
    let folder = folder("[campaign]\nrealisations = 100000\n");
    let out = folder.path().join("out");
    let scenario = folder.path().join("a/s.toml");
    let child = stiction(&["run", scenario.to_str().unwrap(), "--threads", "1"]).out(&out).start();
    let began = out.join(".campaign/asked.json");
    while !began.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    map(&folder.path().join("a/map.csv"), 0.8);
    let seen = crate::support::watch(child, "run".to_owned(), std::time::Duration::from_secs(60));
    assert_eq!(seen.code, Some(1), "{}", seen.stderr);
    assert!(seen.stderr.contains("map.csv has changed since the run began"), "{}", seen.stderr);
    assert!(!out.join("summary.json").exists());
    let again = stiction(&["run", scenario.to_str().unwrap()]).out(&out).run();
    again.refuses(&["unfinished work of another scenario", "map.csv` was a file with SHA-256"]);
}

/// The results of one run as the map of the next, in the same folder.
#[test]
fn a_run_does_not_replace_the_file_that_it_reads() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("out");
    let made = stiction(&["run", "hu2021/fig3", "--format", "csv"]).set("study.field={maps=1, points=11}");
    made.set("system.planar_sliding.shape={square={half_side=5.0}}").out(&out).run().succeeds();
    let before = contents(&out);
    let text = scenario("").replace("map.csv", "out/field.csv");
    fs::write(folder.path().join("s.toml"), text).unwrap();
    let typed = |more: &str| stiction(&["run", "s.toml", "--out", "out", more]).inside(folder.path()).run();
    typed("--restart").fails(&["out/field.csv is read by this run and would be replaced", "--out"]);
    assert!(before == contents(&out));
    stiction(&["run", "s.toml", "--out", "other"]).inside(folder.path()).run().succeeds();
}
