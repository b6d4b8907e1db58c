//! Folders with finished results: the same scenario may write there again, another one may not.

use crate::support::{contents, stiction};
use std::fs;
use tempfile::tempdir;

const REMEDY: &str = "choose another folder with --out DIR, or replace the results with --restart";

#[test]
fn another_scenario_does_not_overwrite_finished_results() {
    let folder = tempdir().unwrap();
    stiction(&["run", "elmer1997/coulomb", "--quick"]).out(folder.path()).run().succeeds();
    let before = contents(folder.path());
    let told = "has the results of another scenario: `";
    // another mechanism, another value, another seed, another size
    stiction(&["run", "szalai2014/two_fold"]).out(folder.path()).run().refuses(&[told, REMEDY]);
    let changed = stiction(&["run", "elmer1997/coulomb", "--quick"]).set("system.spring_block.stiffness=31");
    changed.out(folder.path()).run().refuses(&["`system.spring_block.stiffness` was 30.0, now it is 31.0", REMEDY]);
    let seeded = stiction(&["run", "elmer1997/coulomb", "--quick", "--seed", "9"]).out(folder.path()).run();
    seeded.refuses(&["`seed` was 1, now it is 9", REMEDY]);
    assert!(before == contents(folder.path()));
    stiction(&["run", "szalai2014/two_fold", "--restart"]).out(folder.path()).run().succeeds();
    assert!(before != contents(folder.path()));
}

#[test]
fn a_reduced_run_does_not_destroy_a_run_of_full_size() {
    let folder = tempdir().unwrap();
    let run = |more: &[&str]| stiction(&[&["run", "elmer1997/coulomb"], more].concat()).inside(folder.path()).run();
    run(&[]).succeeds();
    run(&["--quick"])
        .refuses(&["stiction-out/elmer1997/coulomb has the results of another scenario: `reduced`", REMEDY]);
    run(&[]).succeeds();
    run(&["--quick", "--restart"]).succeeds();
}

#[test]
fn whoever_changes_only_pictures_is_told_how_to_redraw_them() {
    let folder = tempdir().unwrap();
    let run = |more: &str| stiction(&["run", "elmer1997/coulomb"]).set(more).out(folder.path()).run();
    let figure = |y: &str| format!("figure=[{{lines={{x=\"time\",y=\"{y}\"}}}}]");
    run(&figure("displacement")).succeeds();
    run(&figure("velocity")).refuses(&["`figure.0.lines.0.y`", "stiction plot", "--restart"]);
}

#[test]
fn results_whose_scenario_file_was_edited_are_not_taken_for_those_of_the_edited_one() {
    let folder = tempdir().unwrap();
    stiction(&["run", "elmer1997/coulomb"]).out(folder.path()).run().succeeds();
    let path = folder.path().join("scenario.toml");
    let edited = fs::read_to_string(&path).unwrap().replace("stiffness = 30.0", "stiffness = 33.0");
    fs::write(&path, edited).unwrap();
    let file = path.to_str().unwrap();
    stiction(&["run", file]).out(folder.path()).run().refuses(&["`scenario_sha256`", REMEDY]);
}

#[test]
fn plans_reruns_and_replays_keep_finished_results_too() {
    let folder = tempdir().unwrap();
    let typed = |line: &str| stiction(&line.split(' ').collect::<Vec<_>>()).inside(folder.path()).run();
    typed("run elmer1997/coulomb --out a").succeeds();
    typed("run szalai2014/two_fold --out b").succeeds();
    let told = "has the results of another scenario";
    typed("plan elmer1997/coulomb --set campaign.realisations=4 --items-per-task 2 --out b").refuses(&[told, REMEDY]);
    typed("rerun a/trajectory.parquet --out b").refuses(&[told, REMEDY]);
    typed("rerun a/trajectory.parquet --out a").succeeds();
    typed("rerun a/trajectory.parquet --out b --restart").succeeds();
    typed("run elmer1997/coulomb --set campaign.realisations=2 --out c").succeeds();
    let before = contents(&folder.path().join("c"));
    for line in ["replay c 1 --out c", "replay c 1 --out ./a/../c --restart", "replay . 1 --out ../c --restart"] {
        let home = folder.path().join(if line.contains("replay .") { "c" } else { "" });
        let seen = stiction(&line.split(' ').collect::<Vec<_>>()).inside(&home).run();
        seen.refuses(&["has the whole study: one item would replace its tables", "--out DIR"]);
    }
    assert!(before == contents(&folder.path().join("c")));
    typed("replay c 1 --out a --restart").succeeds();
    // a plan over other results is asked once, not again when its work is merged
    typed("plan elmer1997/coulomb --set campaign.realisations=2 --items-per-task 2 --out b --restart").succeeds();
    typed("work b --task 0").succeeds();
    typed("merge b").succeeds();
}

/// A folder of somebody else that happens to have our name.
#[test]
fn a_foreign_campaign_folder_is_neither_deleted_nor_used() {
    let folder = tempdir().unwrap();
    let foreign = folder.path().join("out/.campaign");
    fs::create_dir_all(foreign.join("items")).unwrap();
    fs::write(foreign.join("items/photo.jpg"), "mine").unwrap();
    let typed = |line: &str| stiction(&line.split(' ').collect::<Vec<_>>()).inside(folder.path()).within(20).run();
    let study = "elmer1997/coulomb --set campaign.realisations=100000 --out out";
    for line in [
        format!("run {study}"),
        format!("run {study} --restart"),
        format!("plan {study} --items-per-task 10"),
        format!("plan {study} --items-per-task 10 --restart"),
    ] {
        typed(&line).fails(&["out/.campaign/items/photo.jpg was not made by stiction", "move it away"]);
    }
    typed("run elmer1997/coulomb --out out/.campaign").fails(&["out/.campaign belongs to unfinished work"]);
    let left: Vec<_> = fs::read_dir(&foreign).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["items"]);
    assert_eq!(fs::read_to_string(foreign.join("items/photo.jpg")).unwrap(), "mine");
}

#[test]
fn what_cannot_be_split_or_ended_early_is_told_before_the_work() {
    let folder = tempdir().unwrap();
    // a scan that would take minutes
    let long =
        |command: &str| stiction(&[command, "elmer1997/fig3", "--set", "study.bifurcation.points=100000"]).within(10);
    let plan = long("plan").with("--items-per-task").with("10").out(&folder.path().join("out")).run();
    plan.refuses(&["the study bifurcation has no items", "campaign.realisations"]);
    long("run").with("--stop-when").with("period.se < 1").out(&folder.path().join("out")).run().refuses(&[
        "`campaign.stop_when`",
        "bifurcation has no realisations",
        "campaign.realisations",
    ]);
    assert!(contents(folder.path()).is_empty());
    // nor is a study made that has no items to replay
    let out = folder.path().join("done");
    stiction(&["run", "elmer1997/fig3", "--quick"]).out(&out).run().succeeds();
    let scenario = out.join("scenario.toml");
    let text = fs::read_to_string(&scenario).unwrap();
    let points = text.lines().find(|line| line.starts_with("points = ")).unwrap().to_owned();
    fs::write(&scenario, text.replace(&points, "points = 100000")).unwrap();
    stiction(&["replay", out.to_str().unwrap(), "0"]).within(10).run().refuses(&["the study bifurcation has no items"]);
}

#[test]
fn leftovers_of_a_killed_run_go_with_the_next_one() {
    let folder = tempdir().unwrap();
    for name in [".stiction-old.parquet.tmp", ".stiction-journal", ".stiction-report.html.tmp"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    stiction(&["run", "elmer1997/coulomb", "--quick"]).out(folder.path()).run().succeeds();
    assert!(
        contents(folder.path()).keys().all(|name| !name.starts_with(".stiction")),
        "{:?}",
        contents(folder.path()).keys()
    );
}

#[test]
fn pictures_and_pages_do_not_replace_files_of_other_runs_or_people() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let typed = |line: &str| stiction(&line.split(' ').collect::<Vec<_>>()).inside(folder.path()).within(60).run();
    typed("run elmer1997/fig1 --quick --out a").succeeds();
    typed("run elmer1997/fig1 --quick --seed 2 --out b").succeeds();
    let before = contents(&at("b"));
    typed("plot a --out b").fails(&["belongs to another run", "--out"]);
    typed("plan elmer1997/coulomb --set campaign.realisations=9 --items-per-task 3 --out c").succeeds();
    typed("plot a --out c").fails(&["c belongs to unfinished work"]);
    typed("plot a --out c/.campaign").fails(&["belongs to unfinished work"]);
    typed("plot a --out d").succeeds();
    typed("plot a --out d").succeeds();
    assert!(before == contents(&at("b")));
    // pages of a gallery
    for (name, option) in [("index.html", "--out"), ("times.json", "--out"), ("README.md", "--markdown")] {
        fs::create_dir_all(at("mine")).unwrap();
        fs::write(at("mine").join(name), "mine, about stiction").unwrap();
        let other = if option == "--out" { "" } else { " --out page" };
        let told = format!("{name} was not written by an earlier run");
        typed(&format!("gallery --quick --paper szalai2014 {option} mine{other}")).fails(&[&told]);
        assert_eq!(contents(&at("mine")).into_values().collect::<Vec<_>>(), [b"mine, about stiction"]);
        fs::remove_dir_all(at("mine")).unwrap();
    }
    fs::create_dir_all(at("mine")).unwrap();
    fs::write(at("mine/elmer1997-fig1.png"), "mine").unwrap();
    typed("gallery --quick --paper elmer1997 --out page --markdown mine")
        .fails(&["elmer1997-fig1.png was not written by"]);
    assert_eq!(contents(&at("mine")).into_keys().collect::<Vec<_>>(), ["elmer1997-fig1.png"]);
    fs::remove_file(at("mine/elmer1997-fig1.png")).unwrap();
    for _ in 0..2 {
        typed("gallery --quick --paper elmer1997 --out page --markdown mine").succeeds();
    }
}

#[test]
#[cfg(unix)]
fn a_file_that_reaches_the_limit_for_files_is_an_error() {
    let folder = tempdir().unwrap();
    let run = |limit: &str, command: &str| {
        let script = format!("ulimit -f {limit}; exec {} {command}", env!("CARGO_BIN_EXE_stiction"));
        let done = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let (code, told) = run("1", "run elmer1997/coulomb --out out");
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("would be larger than the limit for files") && told.contains("ulimit -f"), "{told}");
    assert!(contents(&folder.path().join("out")).is_empty());
    let (code, told) = run("1", "schema > schema.json");
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("cannot write to stdout"), "{told}");
    let study = "elmer1997/attractors --set campaign.realisations=100000 --out items";
    let (code, told) = run("1", &format!("run {study}"));
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("would be larger than the limit for files"), "{told}");
}

/// A file that is mounted cannot be removed, whoever asks.
#[test]
#[cfg(unix)]
fn an_old_file_that_cannot_be_removed_is_a_warning() {
    let folder = tempdir().unwrap();
    stiction(&["run", "elmer1997/coulomb", "--quick"]).out(folder.path()).run().succeeds();
    let (program, out) = (env!("CARGO_BIN_EXE_stiction"), folder.path().display().to_string());
    let script = format!(
        "touch {out}/.stiction-old.tmp\nfor name in trajectory.parquet .stiction-old.tmp; do\n\
         mount --bind {out}/$name {out}/$name || exit 77\ndone\n\
         {program} run elmer1997/coulomb --quick --format csv --out {out} > /dev/null"
    );
    let Ok(done) = std::process::Command::new("unshare").args(["-rm", "sh", "-c", &script]).output() else {
        return eprintln!("skipped: there is no `unshare` to mount a file with");
    };
    let told = String::from_utf8_lossy(&done.stderr).into_owned();
    if done.status.code() == Some(77) || told.contains("unshare") {
        return eprintln!("skipped: no file can be mounted here: {told}");
    }
    assert_eq!(done.status.code(), Some(0), "{told}");
    assert!(
        told.contains("warning: ") && told.contains(".stiction-old.tmp of an earlier run cannot be removed"),
        "{told}"
    );
    assert!(folder.path().join("trajectory.csv").exists());
}
