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
    typed("replay c 1 --out c").refuses(&[told, REMEDY]);
    typed("replay c 1 --out a --restart").succeeds();
    // a plan over other results is asked once, not again when its work is merged
    typed("plan elmer1997/coulomb --set campaign.realisations=2 --items-per-task 2 --out b --restart").succeeds();
    typed("work b --task 0").succeeds();
    typed("merge b").succeeds();
}
