//! Random users by command: `cargo run --release --example random_users -- 20000 [first case]`.
//!
//! Prints what came of the cases by study, and every case with a defect; such a case is written to `random-user-N.toml` in the
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
use std::time::{Duration, Instant};
use user::Fate;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>().ok());
    let count = arguments.next().flatten().unwrap_or(1000);
    let first = arguments.next().flatten().unwrap_or(0);
    // a panic is a defect of its case, which prints it
    std::panic::set_hook(Box::new(|_| {}));
    let reports: Vec<_> = (first..first + count)
        .into_par_iter()
        .map(|case| {
            let begin = Instant::now();
            let report = user::examine(case, Duration::from_secs(5));
            if !report.defects.is_empty() {
                let file = format!("random-user-{case}.toml");
                let written = std::fs::write(&file, &report.text).map_or_else(|error| error.to_string(), |()| file);
                println!("{written} {}:\n  {}", report.study, report.defects.join("\n  "));
            }
            (report, begin.elapsed())
        })
        .collect();
    let mut table: BTreeMap<&str, (BTreeMap<Fate, usize>, usize, Duration)> = BTreeMap::new();
    for (report, time) in &reports {
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
    let wrong: usize = table.values().map(|row| row.1).sum();
    println!("{count} cases, {wrong} with a defect");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
