//! What goes wrong around a campaign: damaged shards, another scenario, signals, a full disk. Never a wrong table.

#![cfg(unix)]

use crate::support::campaigns::{Chance, same, scenario, shards, written};
use crate::support::{Seen, Typed, contents, stiction, watch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::tempdir;

#[allow(clippy::disallowed_methods, reason = "a test of time needs a clock")]
fn now() -> Instant {
    Instant::now()
}

/// Starts a run, waits until a few shards are kept, and sends it a signal.
fn stopped(typed: &Typed, results: &Path, signal: &str) -> (Seen, Duration) {
    let mut child = typed.start();
    drop(child.stdin.take());
    let began = now();
    while shards(results).len() < 2 {
        assert!(began.elapsed() < Duration::from_secs(120) && child.try_wait().unwrap().is_none(), "no shards");
        thread::sleep(Duration::from_millis(5));
    }
    let sent = now();
    assert!(Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap().success());
    (watch(child, "run".to_owned(), Duration::from_secs(20)), sent.elapsed())
}

/// A study of some seconds, and its results when nothing goes wrong.
fn study(home: &Path) -> (PathBuf, std::collections::BTreeMap<String, Vec<u8>>) {
    let study = written(home, &scenario(60, 2, 6));
    let alone = home.join("alone");
    stiction(&["run", study.to_str().unwrap()]).out(&alone).run().succeeds();
    (study, contents(&alone))
}

#[test]
fn signals_leave_what_is_finished_and_the_same_command_goes_on() {
    let home = tempdir().unwrap();
    let (study, expected) = study(home.path());
    let study = study.to_str().unwrap();
    for signal in ["-INT", "-TERM"] {
        let out = home.path().join(signal);
        let typed = || stiction(&["run", study, "--threads", "1"]).out(&out);
        let (seen, took) = stopped(&typed(), &out, signal);
        assert_eq!(seen.code, Some(130), "{}", seen.stderr);
        assert!(took < Duration::from_secs(2), "{took:?}");
        assert!(seen.stderr.contains("kept"), "{}", seen.stderr);
        assert!(!out.join("summary.json").exists());
        let left = stiction(&["status", out.to_str().unwrap()]).run().succeeds().stdout;
        assert!(left.contains("done") && left.contains("items"), "{left}");
        // another question, another version of this one
        let other = stiction(&["run", study, "--set", "system.spring_block.mass=41.0"]).out(&out).run();
        other.refuses(&[
            "unfinished work of another scenario",
            "`system.spring_block.mass` was 40.0, now it is 41.0",
            "--restart",
        ]);
        let again = typed().run().succeeds();
        assert!(again.stderr.contains("going on where an earlier run stopped"), "{}", again.stderr);
        same(&expected, &out);
    }
}

#[test]
fn restart_throws_unfinished_work_away() {
    let home = tempdir().unwrap();
    let (study, _) = study(home.path());
    let study = study.to_str().unwrap();
    let (out, fresh) = (home.path().join("out"), home.path().join("fresh"));
    stopped(&stiction(&["run", study, "--threads", "1"]).out(&out), &out, "-KILL");
    let other = |folder: &Path| stiction(&["run", study, "--restart", "--seed", "2"]).out(folder).run().succeeds();
    assert!(!other(&out).stderr.contains("going on"));
    other(&fresh);
    same(&contents(&fresh), &out);
}

#[test]
fn a_damaged_shard_is_noticed_and_its_items_are_made_again() {
    let home = tempdir().unwrap();
    let (study, expected) = study(home.path());
    let study = study.to_str().unwrap();
    let mut chance = Chance::new(3);
    for round in 0..3 {
        let out = home.path().join(format!("out{round}"));
        stopped(&stiction(&["run", study, "--threads", "1"]).out(&out), &out, "-KILL");
        let damaged = shards(&out)[chance.below(2) as usize].clone();
        let mut bytes = fs::read(&damaged).unwrap();
        if round == 0 {
            bytes.truncate(chance.below(bytes.len() as u64) as usize);
        } else {
            let place = chance.below(bytes.len() as u64) as usize;
            bytes[place] ^= 1 << chance.below(8);
        }
        fs::write(&damaged, bytes).unwrap();
        let status = stiction(&["status", out.to_str().unwrap(), "--json"]).run().succeeds().json();
        assert_eq!(status["damaged"].as_array().unwrap().len(), 1);
        let seen = stiction(&["run", study]).out(&out).run().succeeds();
        assert!(seen.stderr.contains("is not used: it") && seen.stderr.contains("made again"), "{}", seen.stderr);
        same(&expected, &out);
    }
    // nobody merges around a hole
    let out = home.path().join("split");
    let folder = out.to_str().unwrap();
    stiction(&["plan", study, "--items-per-task", "60"]).out(&out).run().succeeds();
    for task in ["0", "1"] {
        stiction(&["work", folder, "--task", task]).run().succeeds();
    }
    let damaged = shards(&out)
        .into_iter()
        .find(|path| {
            path.to_str().unwrap().contains("000000000000-000000000060") || fs::metadata(path).unwrap().len() > 1000
        })
        .unwrap();
    let whole = fs::read(&damaged).unwrap();
    let mut bytes = whole.clone();
    let last = bytes.len() - 1;
    bytes[last] ^= 128;
    fs::write(&damaged, bytes).unwrap();
    stiction(&["merge", folder]).run().fails(&["are missing", "its checksum does not fit"]);
    fs::write(&damaged, whole).unwrap();
    stiction(&["merge", folder]).run().succeeds();
    same(&expected, &out);
}

#[test]
fn a_folder_that_cannot_be_written_any_more_is_told() {
    let home = tempdir().unwrap();
    let (study, expected) = study(home.path());
    let out = home.path().join("out");
    let typed = || stiction(&["run", study.to_str().unwrap(), "--threads", "1"]).out(&out);
    stopped(&typed(), &out, "-KILL");
    // root may write everywhere, but not into a file that should be a folder
    let items = out.join(".campaign/items");
    let moved = out.join("elsewhere");
    fs::rename(&items, &moved).unwrap();
    fs::write(&items, "").unwrap();
    typed().run().fails(&[".campaign/items"]);
    fs::remove_file(&items).unwrap();
    fs::rename(&moved, &items).unwrap();
    typed().run().succeeds();
    same(&expected, &out);
}

/// A disk of a few pages in a namespace of its own: full, then enlarged.
#[test]
fn a_full_disk_is_told_and_the_run_goes_on_when_there_is_space() {
    let home = tempdir().unwrap();
    let (study, expected) = study(home.path());
    let (disk, out) = (home.path().join("disk"), home.path().join("out"));
    fs::create_dir(&disk).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=24k none {disk} || exit 77\n\
         {program} run {study} --threads 1 --out {disk}/out; echo \"first $?\"\n\
         mount -o remount,size=64m {disk} || exit 77\n\
         {program} run {study} --threads 1 --out {disk}/out; echo \"second $?\"\n\
         cp -r {disk}/out {out}\n",
        disk = disk.display(),
        program = env!("CARGO_BIN_EXE_stiction"),
        study = study.display(),
        out = out.display(),
    );
    let done = Command::new("unshare").args(["-rm", "sh", "-c", &script]).output();
    let Ok(done) = done else { return eprintln!("skipped: there is no `unshare` to make a small disk with") };
    let told = format!("{}\n{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    if done.status.code() == Some(77) || told.contains("unshare") {
        return eprintln!("skipped: no small disk can be mounted here: {told}");
    }
    assert!(told.contains("first 1\n") && told.contains("the disk is full"), "{told}");
    assert!(told.contains("free some space") && told.contains("second 0\n"), "{told}");
    same(&expected, &out);
}
