//! Two programs, one folder: nobody destroys what the other has made. And readers that go away.

#![cfg(unix)]

use crate::support::campaigns::{scenario, shards, written};
use crate::support::{Typed, stiction, watch};
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;
use tempfile::tempdir;

/// Starts a command and waits until it works and items are kept.
fn at_work(typed: &Typed, results: &Path) -> Child {
    let mut child = typed.start();
    drop(child.stdin.take());
    for _ in 0..4000 {
        let workers = fs::read_dir(results.join(".campaign/workers")).into_iter().flatten().count();
        if workers > 0 && !shards(results).is_empty() {
            return child;
        }
        assert!(child.try_wait().unwrap().is_none(), "ended too soon");
        thread::sleep(Duration::from_millis(5));
    }
    panic!("no shards")
}

#[test]
fn restart_does_not_touch_the_items_of_a_living_run() {
    let home = tempdir().unwrap();
    let study = written(home.path(), &scenario(2000, 2, 6));
    let study = study.to_str().unwrap();
    let out = home.path().join("out");
    let run = || stiction(&["run", study, "--threads", "1"]).out(&out);
    let mut alive = at_work(&run(), &out);
    let before = shards(&out);
    let busy = ["another run is writing to", "wait for it", "--out"];
    run().with("--restart").run().fails(&busy);
    run().run().fails(&busy);
    stiction(&["run", "elmer1997/coulomb", "--restart"]).out(&out).run().fails(&busy);
    stiction(&["plan", study, "--items-per-task", "9", "--restart"]).out(&out).run().fails(&busy);
    assert!(before.iter().all(|path| path.exists()));
    alive.kill().unwrap();
    alive.wait().unwrap();
    // of those who work on tasks as well
    let tasks = home.path().join("tasks");
    stiction(&["plan", study, "--items-per-task", "2000"]).out(&tasks).run().succeeds();
    let mut alive = at_work(&stiction(&["work", tasks.to_str().unwrap(), "--task", "1", "--threads", "1"]), &tasks);
    let before = shards(&tasks);
    stiction(&["run", study, "--restart"]).out(&tasks).run().fails(&["another stiction is working in"]);
    stiction(&["plan", study, "--items-per-task", "9", "--restart"])
        .out(&tasks)
        .run()
        .fails(&["another stiction is working in"]);
    assert!(before.iter().all(|path| path.exists()));
    // and it is told who is at work, whatever the clocks say
    let status = stiction(&["status", tasks.to_str().unwrap(), "--json"]).run().succeeds().json();
    assert_eq!((status["running"][0]["task"].as_u64(), status["silent"].as_u64()), (Some(1), Some(0)), "{status}");
    alive.kill().unwrap();
    alive.wait().unwrap();
    let status = stiction(&["status", tasks.to_str().unwrap(), "--json"]).run().succeeds().json();
    assert_eq!((status["running"].as_array().unwrap().len(), status["silent"].as_u64()), (0, Some(1)), "{status}");
    stiction(&["plan", study, "--items-per-task", "9", "--restart"]).out(&tasks).run().succeeds();
}

#[test]
fn an_interrupted_command_says_kept_only_where_something_is_kept() {
    let home = tempdir().unwrap();
    let study = written(home.path(), &scenario(2000, 2, 6));
    let study = study.to_str().unwrap();
    let out = home.path().join("out");
    let told = |typed: &Typed, results: &Path, after: u64| {
        let child = if after == 0 { at_work(typed, results) } else { typed.start() };
        thread::sleep(Duration::from_millis(after));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let seen = watch(child, "run".to_owned(), Duration::from_secs(20));
        assert_eq!(seen.code, Some(130), "{}", seen.stderr);
        seen.stderr
    };
    let kept = told(&stiction(&["run", study, "--threads", "1"]).out(&out), &out, 0);
    assert!(kept.contains("goes on with what is kept"), "{kept}");
    // without a folder nothing can be kept
    let unkept = told(&stiction(&["run", study, "--threads", "1", "--json"]), &out, 700);
    assert!(unkept.contains("starts it again") && !unkept.contains("kept"), "{unkept}");
}

#[test]
fn a_strict_run_keeps_its_exit_code_when_nobody_reads() {
    let home = tempdir().unwrap();
    let text = r#"
title = "Some of these cannot be"
[system.spring_block]
mass = 10.0
stiffness = 30.0
drive_speed = 0.2
normal_load = 98.1
law.coulomb = { static_coefficient = 0.5, kinetic_coefficient = 0.45 }
[study.trajectory]
duration = 5.0
[campaign]
[[campaign.vary]]
key = "system.spring_block.law.coulomb.static_coefficient"
values = [0.6, 0.4]
"#;
    let study = written(home.path(), text);
    let code = |more: &[&str]| {
        let typed = stiction(&["run", study.to_str().unwrap()]).out(&home.path().join("out"));
        let mut child = more.iter().fold(typed, |typed, argument| typed.with(*argument)).start();
        drop((child.stdin.take(), child.stdout.take()));
        child.wait().unwrap().code()
    };
    assert_eq!([code(&["--strict"]), code(&["--strict", "--json"]), code(&[])], [Some(1), Some(1), Some(0)]);
}
