//! Hostile input by command: `cargo run --release --example fuzz -- scenarios 100000 [first number]`.
//!
//! The targets are `scenarios`, `formulas`, `maps` (CSV), `tables` (Parquet) and `plans` (plan.json and its neighbours). Prints how
//! many inputs were accepted, the slowest one, the most memory that the process had, and every input that panics or takes longer than
//! a few seconds; such an input is written to `fuzz-TARGET-N` in the current folder. Ends with exit code 1 if there is any.

#[path = "../tests/random_users/draw.rs"]
#[allow(dead_code, reason = "shared with the random users")]
mod draw;
#[path = "../tests/random_users/fuzz.rs"]
mod fuzz;

use fuzz::Target;
use rayon::prelude::*;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// An input that takes longer is a finding, also on a busy machine.
const LONGEST: Duration = Duration::from_secs(5);

#[allow(clippy::disallowed_methods, reason = "a time limit needs a clock")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = arguments.first().map_or("", String::as_str);
    let Some(target) = Target::ALL.into_iter().find(|target| target.word() == word) else {
        let words = Target::ALL.map(Target::word).join(", ");
        eprintln!("`{word}` is not a target; the targets are {words}");
        return ExitCode::from(2);
    };
    let number = |place: usize| arguments.get(place).and_then(|word| word.parse::<u64>().ok());
    let (count, first) = (number(1).unwrap_or(10_000), number(2).unwrap_or(0));
    // a panic is a finding, which is printed with its input
    std::panic::set_hook(Box::new(|_| {}));
    let corpus = target.corpus();
    let results: Vec<Result<(bool, Duration), ()>> = (first..first + count)
        .into_par_iter()
        .map(|number| {
            let input = fuzz::mutant(&corpus, number);
            let began = Instant::now();
            let survived = target.survives(&input);
            let took = began.elapsed();
            let quick = if took > LONGEST { Err(format!("takes {took:?}")) } else { Ok(took) };
            survived.and_then(|accepted| quick.map(|took| (accepted, took))).map_err(|words| {
                let file = format!("fuzz-{word}-{number}");
                let written = std::fs::write(&file, &input).map_or_else(|error| error.to_string(), |()| file);
                println!("{written}: {words}");
            })
        })
        .collect();
    let accepted = results.iter().flatten().filter(|(accepted, _)| *accepted).count();
    let slowest = results.iter().flatten().map(|(_, took)| *took).max().unwrap_or_default();
    let findings = results.iter().filter(|result| result.is_err()).count();
    println!("{count} inputs, {accepted} accepted, {findings} findings; slowest {slowest:.2?}, {}", memory());
    if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The most memory that the process had, where the system says it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(str::trim);
    most.map_or("memory not known".to_owned(), |most| format!("{most} of memory"))
}
