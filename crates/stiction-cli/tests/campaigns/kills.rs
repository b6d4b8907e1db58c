//! A campaign survives being killed at any moment, split in any way, on any number of threads: one set of bytes.
//!
//! `STICTION_KILLS=200 cargo test -p stiction-cli --test campaigns kills` kills more often.

#![cfg(unix)]

use crate::support::campaigns::{Chance, same, scenario, shards, written};
use crate::support::{Typed, contents, stiction, watch};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::tempdir;

#[allow(clippy::disallowed_methods, reason = "a test of time needs a clock")]
fn now() -> Instant {
    Instant::now()
}

/// Starts a command, kills it after some time, and says whether it was alive then.
fn killed(typed: &Typed, after: Duration) -> Option<Child> {
    let mut child = typed.start();
    drop(child.stdin.take());
    thread::sleep(after);
    if child.try_wait().unwrap().is_some() {
        return Some(child);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

#[test]
fn kills_splits_and_threads_change_no_byte() {
    let wanted: u64 = std::env::var("STICTION_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let seed: u64 = std::env::var("STICTION_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut chance = Chance::new(seed);
    let (mut kills, mut splits, mut resumed, mut rounds) = (0, 0, 0, 0);
    while kills < wanted {
        rounds += 1;
        let home = tempdir().unwrap();
        let (realisations, points) = (8 + chance.below(20) as usize, 1 + chance.below(4) as usize);
        let study = written(home.path(), &scenario(realisations, points, 12));
        let study = study.to_str().unwrap();
        let alone = home.path().join("alone");
        let began = now();
        stiction(&["run", study, "--threads", "2"]).out(&alone).run().succeeds();
        let whole = began.elapsed();
        let expected = contents(&alone);
        let threads = |chance: &mut Chance| ["1", "2", "7", "64"][chance.below(4) as usize];

        // one machine, killed again and again
        let folder = home.path().join("killed");
        let mut left = 8.min(wanted - kills);
        loop {
            let typed = stiction(&["run", study, "--threads", threads(&mut chance)]).out(&folder);
            let kept = !shards(&folder).is_empty();
            resumed += u64::from(kept);
            if left == 0 {
                let seen = typed.run().succeeds();
                assert_eq!(seen.stderr.contains("going on where an earlier run stopped"), kept, "{}", seen.stderr);
                break;
            }
            match killed(&typed, whole.mul_f64(chance.share())) {
                None => (kills, left) = (kills + 1, left - 1),
                Some(child) => {
                    let seen = watch(child, "run".to_owned(), Duration::from_secs(60)).succeeds();
                    assert!(!seen.stderr.contains("panicked"), "{}", seen.stderr);
                    break;
                }
            }
        }
        same(&expected, &folder);

        // several machines, some of them killed
        let folder = home.path().join("split");
        let items = (realisations * points) as u64;
        let tasks = 1 + chance.below(16);
        let per_task = items.div_ceil(tasks).to_string();
        let typed = stiction(&["plan", study, "--items-per-task", &per_task]).out(&folder);
        typed.run().succeeds();
        let tasks = items.div_ceil(items.div_ceil(tasks));
        let out = folder.to_str().unwrap();
        for task in (0..tasks).rev() {
            let (task, threads) = (task.to_string(), threads(&mut chance));
            let typed = || stiction(&["work", out, "--task", &task, "--threads", threads]);
            if chance.below(3) == 0 && kills < wanted && killed(&typed(), whole.mul_f64(chance.share() / 3.0)).is_none()
            {
                kills += 1;
            }
            typed().run().succeeds();
        }
        stiction(&["merge", out, "--threads", threads(&mut chance)]).run().succeeds();
        splits += 1;
        same(&expected, &folder);
    }
    println!(
        "{kills} kills survived, {resumed} runs began with kept items, {splits} splits compared, {rounds} campaigns"
    );
    assert!(kills >= wanted && splits >= 1);
}
