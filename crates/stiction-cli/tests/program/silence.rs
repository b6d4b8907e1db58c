//! Long work is reported, on any machine and however little it says of itself; input files and names are looked at first.

#![cfg(unix)]

use crate::support::stiction;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Runs that take minutes or hours, and were silent until they ended.
const LONG: [&[&str]; 6] = [
    &["run", "hu2021/fig14", "--set", "study.crank_energies.duration=1e6"],
    &["run", "hu2023_belt/monte_carlo", "--json", "--set", "study.monte_carlo.duration=1e5"],
    &["run", "hu2023_belt/realisation", "--set", "system.belt_disc.transverse_stiffness=1e12"],
    &[
        "run",
        "elmer1997/coulomb",
        "--set",
        "system.spring_block.law={expression={formula=\"0.3+0.1*sin(1e6*v)\",static_coefficient=0.5}}",
    ],
    &["run", "elmer1997/fig3", "--set", "study.bifurcation.points=100000"],
    &["run", "hu2021/fig3", "--set", "study.field.points=400", "--set", "study.field.realisations=1000000"],
];

/// The program with the arguments, in a folder.
fn command(arguments: &[&str], folder: &std::path::Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a test of time needs a clock")]
fn long_work_is_reported_within_two_seconds_and_stops_within_one() {
    for arguments in LONG {
        let folder = tempdir().unwrap();
        let start = Instant::now();
        let mut child = command(arguments, folder.path()).env("TERM", "dumb").spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        // twice the time that is promised: other tests run beside this one
        assert!(start.elapsed() < Duration::from_secs(4), "{arguments:?}: {:?}", start.elapsed());
        assert!(line.starts_with('[') && line.contains(" s] ") && line.len() > 12, "{arguments:?}: {line}");
        let stop = Instant::now();
        assert!(Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap().success());
        let rest: Vec<String> = lines.map(Result::unwrap).collect();
        let code = child.wait().unwrap().code();
        assert_eq!(code, Some(130), "{arguments:?}: {rest:?}");
        assert!(stop.elapsed() < Duration::from_secs(2), "{arguments:?}: {:?}", stop.elapsed());
    }
}

#[test]
fn short_work_is_not_talked_about() {
    let seen = stiction(&["run", "elmer1997/coulomb", "--quick", "--json"]).run().succeeds();
    assert!(!seen.stderr.contains(" s] "), "{}", seen.stderr);
}

/// A quick run by the shell.
fn by_shell(script: &str) -> Output {
    let folder = tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_stiction");
    let script = format!("{script} exec {program} run elmer1997/coulomb --quick --json");
    Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap()
}

#[test]
fn where_threads_cannot_be_started_fewer_do_the_work() {
    let quiet = by_shell("");
    for script in ["RAYON_NUM_THREADS=100000", "ulimit -v 4000000; RAYON_NUM_THREADS=1000"] {
        let seen = by_shell(script);
        let talk = String::from_utf8_lossy(&seen.stderr);
        assert!(seen.status.success(), "{script}: {talk}");
        assert!(talk.contains("threads cannot be started") && talk.contains("working with"), "{script}: {talk}");
        assert_eq!(seen.stdout, quiet.stdout, "{script}");
    }
}

#[test]
fn check_reads_the_maps_that_a_scenario_needs() {
    let folder = tempdir().unwrap();
    let good = "x,y,coefficient\n-1,-1,0.3\n1,-1,0.4\n-1,1,0.5\n1,1,0.6\n";
    fs::write(folder.path().join("good.csv"), good).unwrap();
    fs::write(folder.path().join("broken.csv"), "x,y,coefficient\n0,0,high\n").unwrap();
    let check = |setting: &str| {
        let typed = stiction(&["check", "hu2021/moments"]).inside(folder.path());
        typed.set("system.planar_sliding.shape={square={half_side=0.5}}").set(setting).run()
    };
    let file = |name: &str| format!("system.planar_sliding.field={{file=\"{name}\"}}");
    assert_eq!(check(&file("good.csv")).code, Some(0));
    check(&file("none.csv")).refuses(&["system.planar_sliding.field.file", "none.csv", "cannot be opened"]);
    check(&file("broken.csv")).refuses(&["broken.csv", "line 2", "`high` is not a finite number"]);
    check(&file(".")).refuses(&["system.planar_sliding.field.file", "cannot be opened"]);
    let vary = |names: &str| {
        let typed = stiction(&["check", "hu2021/moments"]).inside(folder.path()).set(&file("good.csv"));
        let axis = format!("campaign.vary=[{{key=\"system.planar_sliding.field.file\",values=[{names}]}}]");
        typed.set("system.planar_sliding.shape={square={half_side=0.5}}").set(&axis).run()
    };
    assert_eq!(vary("\"good.csv\"").code, Some(0));
    vary("\"good.csv\",\"none.csv\",\"broken.csv\"").refuses(&["none.csv", "broken.csv"]);
}

#[test]
fn names_that_are_not_utf8_work_or_are_refused_by_name() {
    let folder = tempdir().unwrap();
    let strange = |name: &[u8]| OsStr::from_bytes(name).to_owned();
    let run = |arguments: &[&OsStr]| {
        let output = command(&[], folder.path()).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let word = |text: &'static str| OsStr::new(text);
    let out = strange(b"out\xff");
    let (code, talk) = run(&[word("run"), word("elmer1997/coulomb"), word("--quick"), word("--out"), &out]);
    assert_eq!(code, Some(0), "{talk}");
    assert!(folder.path().join(&out).join("summary.json").is_file());
    let (code, talk) = run(&[word("plot"), &out]);
    assert_eq!(code, Some(0), "{talk}");
    let scenario = strange(b"mine\xff.toml");
    fs::write(folder.path().join(&scenario), "title = \"x\"").unwrap();
    for arguments in
        [[word("run"), &*scenario], [word("check"), &scenario], [word("explain"), &scenario], [word("show"), &scenario]]
    {
        let (code, talk) = run(&arguments);
        assert_eq!(code, Some(2), "{talk}");
        assert!(talk.contains("not UTF-8") && talk.contains("mine\\xFF.toml"), "{talk}");
    }
    // a map beside a scenario, in a folder whose name is not UTF-8
    let inside = folder.path().join(&out);
    let map = "x,y,coefficient\n-1,-1,0.3\n1,-1,0.4\n-1,1,0.5\n1,1,0.6\n";
    fs::write(inside.join("map.csv"), map).unwrap();
    let settings = ["--set", "system.planar_sliding.shape={square={half_side=0.5}}", "--set"];
    let mut command = command(&["run", "hu2021/moments", "--quick", "--json"], &inside);
    let output = command.args(settings).arg("system.planar_sliding.field={file=\"map.csv\"}").output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{talk}");
    assert!(talk.contains("map.csv is not UTF-8: move the scenario and its files"), "{talk}");
    // a job script would lose the name
    let plan = strange(b"plan\xff");
    let (code, talk) = run(&[
        word("plan"),
        word("elmer1997/random_friction"),
        word("--quick"),
        word("--items-per-task"),
        word("100"),
        word("--out"),
        &plan,
    ]);
    assert_eq!(code, Some(0), "{talk}");
    let (code, talk) = run(&[word("slurm"), &plan]);
    assert_eq!(code, Some(2), "{talk}");
    assert!(talk.contains("not UTF-8") && talk.contains("plan\\xFF"), "{talk}");
}
