//! Hostile input by command: `cargo run --release --example fuzz -- scenarios 100000 [first number]`.
//!
//! The targets are `scenarios`, `formulas` and `maps`. Prints how many inputs were accepted, and every input that panics; such an
//! input is written to `fuzz-TARGET-N` in the current folder. Ends with exit code 1 if there is any.

#[path = "../tests/random_users/draw.rs"]
#[allow(dead_code, reason = "shared with the random users")]
mod draw;
#[path = "../tests/random_users/fuzz.rs"]
mod fuzz;

use fuzz::Target;
use rayon::prelude::*;
use std::process::ExitCode;

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
    let results: Vec<Result<bool, ()>> = (first..first + count)
        .into_par_iter()
        .map(|number| {
            let input = fuzz::mutant(&corpus, number);
            target.survives(&input).map_err(|words| {
                let file = format!("fuzz-{word}-{number}");
                let written = std::fs::write(&file, &input).map_or_else(|error| error.to_string(), |()| file);
                println!("{written}: {words}");
            })
        })
        .collect();
    let accepted = results.iter().filter(|result| **result == Ok(true)).count();
    let panics = results.iter().filter(|result| result.is_err()).count();
    println!("{count} inputs, {accepted} accepted, {panics} panics");
    if panics == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
