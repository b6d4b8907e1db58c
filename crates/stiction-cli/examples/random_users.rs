//! Random users by command: `cargo run --release --example random_users -- 20000 [first case [words of studies]]`.
//!
//! Prints what came of the cases by study, the slowest ones, and every case with a defect; such a case is written to `random-user-N.toml` in the
//! current folder. Ends with exit code 1 if there is any.

#![allow(clippy::disallowed_methods, reason = "a program that reports its time")]

#[path = "../tests/random_users/ask.rs"]
mod ask;
#[path = "../tests/random_users/blocks.rs"]
mod blocks;
#[path = "../tests/random_users/draw.rs"]
mod draw;
#[path = "../tests/random_users/hold.rs"]
mod hold;
#[path = "../tests/random_users/mutants.rs"]
mod mutants;
#[path = "../tests/random_users/plates.rs"]
mod plates;
#[path = "../tests/random_users/units.rs"]
mod units;
#[path = "../tests/random_users/user.rs"]
mod user;

use rayon::prelude::*;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;
use user::{Fate, Report};

/// Cases in the list of the slowest ones.
const SLOWEST: usize = 5;

/// Whether the study of a case is one of those that are named (all, if none is).
fn is_wanted(case: u64, words: &[String]) -> bool {
    let study = || user::study(&user::scenario(case));
    words.is_empty() || words.iter().any(|word| study().contains(word))
}

/// Examines a case, and tells of its defects at once.
fn examined(case: u64) -> (u64, Report, Duration) {
    let clock = ask::Clock::start();
    let report = user::examine(case, Duration::from_secs(5));
    if !report.defects.is_empty() {
        let file = format!("random-user-{case}.toml");
        let written = std::fs::write(&file, &report.text).map_or_else(|error| error.to_string(), |()| file);
        println!("{written} {}:\n  {}", report.study, report.defects.join("\n  "));
    }
    (case, report, clock.elapsed())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| arguments.get(place).and_then(|word| word.parse::<u64>().ok());
    let (count, first) = (number(0).unwrap_or(1000), number(1).unwrap_or(0));
    let words = arguments.get(2..).unwrap_or_default();
    // a panic is a defect of its case, which prints it
    std::panic::set_hook(Box::new(|_| {}));
    let cases =
        || (first..first + count).into_par_iter().filter(|case| is_wanted(*case, words)).map(examined).collect();
    // on threads of the pool, which know the time that they were busy
    let mut reports: Vec<_> = rayon::scope(|_| cases());
    reports.sort_by_key(|(.., time)| std::cmp::Reverse(*time));
    let mut table: BTreeMap<&str, (BTreeMap<Fate, usize>, usize, Duration)> = BTreeMap::new();
    for (_, report, time) in &reports {
        let row = table.entry(&report.study).or_default();
        *row.0.entry(report.fate).or_default() += 1;
        row.1 += usize::from(!report.defects.is_empty());
        row.2 += *time;
    }
    println!("\n{:36} refused  failed stopped answered defects   seconds", "study");
    for (study, (fates, wrong, time)) in &table {
        let of = |fate| fates.get(&fate).copied().unwrap_or(0);
        let name = if study.is_empty() { "(not a scenario)" } else { study };
        println!(
            "{name:36} {:7} {:7} {:7} {:8} {wrong:7} {:9.1}",
            of(Fate::Refused),
            of(Fate::Failed),
            of(Fate::Stopped),
            of(Fate::Answered),
            time.as_secs_f64()
        );
    }
    for (case, report, time) in reports.iter().take(SLOWEST) {
        println!("case {case}, {}: {:.1} s", report.study, time.as_secs_f64());
    }
    let wrong: usize = table.values().map(|row| row.1).sum();
    println!("{} cases, {wrong} with a defect", reports.len());
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
