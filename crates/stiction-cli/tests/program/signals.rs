//! Ctrl-C and termination in the middle of a long run.

#![cfg(unix)]

use crate::support::{Seen, contents, stiction, watch};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Starts a run of minutes, waits until it works, sends the signal, and gives what came of it and how long that took.
#[allow(clippy::disallowed_methods, reason = "a test of time needs a clock")]
fn interrupted(arguments: &[&str], signals: &[&str]) -> (Seen, Duration) {
    let typed = stiction(&["run", "elmer1997/fig3", "--set", "study.bifurcation.points=20000"]);
    let child = arguments.iter().fold(typed, |typed, &argument| typed.with(argument)).start();
    thread::sleep(Duration::from_millis(700));
    let start = Instant::now();
    for signal in signals {
        let sent = Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap();
        assert!(sent.success(), "the program was still at work");
        thread::sleep(Duration::from_millis(20));
    }
    (watch(child, arguments.join(" "), Duration::from_secs(10)), start.elapsed())
}

#[test]
fn a_signal_stops_a_long_run_within_two_seconds_and_leaves_no_results() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let (seen, duration) = interrupted(&["--out", out], &[signal]);
        assert_eq!(seen.code, Some(130), "{}", seen.stderr);
        assert!(duration < Duration::from_secs(2), "{duration:?}");
        assert!(seen.stderr.contains("stopping") && seen.stderr.contains("stopped"), "{}", seen.stderr);
        // nothing of this study is kept
        assert!(seen.stderr.contains("starts it again") && !seen.stderr.contains("kept"), "{}", seen.stderr);
        assert!(!seen.stderr.contains("panicked"), "{}", seen.stderr);
        assert_eq!(seen.stdout, "");
        assert!(contents(folder.path()).is_empty(), "{:?}", contents(folder.path()).keys());
    }
}

#[test]
fn an_interrupted_run_leaves_earlier_results_as_they_were() {
    let folder = tempdir().unwrap();
    stiction(&["run", "elmer1997/fig3", "--quick"]).out(folder.path()).run().succeeds();
    let before = contents(folder.path());
    let (seen, _) = interrupted(&["--restart", "--out", folder.path().to_str().unwrap()], &["-INT"]);
    assert_eq!(seen.code, Some(130));
    assert!(before == contents(folder.path()));
}

#[test]
fn with_json_an_interrupted_run_prints_no_half_of_a_summary() {
    let (seen, _) = interrupted(&["--json"], &["-INT"]);
    assert_eq!((seen.code, seen.stdout.as_str()), (Some(130), ""));
}

#[test]
fn a_second_signal_stops_at_once() {
    let (seen, duration) = interrupted(&["--json"], &["-INT", "-INT"]);
    assert_eq!(seen.code, Some(130));
    assert!(duration < Duration::from_millis(1000), "{duration:?}");
}
