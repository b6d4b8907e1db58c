//! Random users: mechanisms, laws, fields and shapes over many decades, with the equalities, zeros and extremes that people
//! choose on purpose; every answer must be finite or null with a reason, and the same in other units, in the mirror, on a
//! finer grid and with a second tolerance.
//!
//! A long run: `cargo run --release --example random_users -- 20000`.

mod ask;
mod blocks;
mod draw;
mod fuzz;
mod hold;
mod mutants;
mod plates;
mod units;
mod user;

use rayon::prelude::*;
use std::time::Duration;

#[test]
fn hostile_input_is_read_or_refused() {
    for target in fuzz::Target::ALL {
        let corpus = target.corpus();
        let accepted = corpus.iter().filter(|input| target.survives(input) == Ok(true)).count();
        // otherwise nothing beyond the first line is examined
        assert!(accepted > 1, "{}", target.word());
        for number in 0..300 {
            let input = fuzz::mutant(&corpus, number);
            let words = target.survives(&input);
            assert!(words.is_ok(), "{target:?} {number}: {words:?}\n{}", String::from_utf8_lossy(&input));
        }
    }
}

/// Cases that every build asks.
const CASES: u64 = 240;

#[test]
fn random_users_get_an_answer_that_holds_or_a_reason() {
    let reports: Vec<_> = (0..CASES).into_par_iter().map(|case| user::examine(case, Duration::from_secs(5))).collect();
    let answered = reports.iter().filter(|report| report.fate == user::Fate::Answered).count();
    let wrong = reports.iter().enumerate().filter(|(_, report)| !report.defects.is_empty());
    let wrong: Vec<String> = wrong
        .map(|(case, report)| format!("case {case}, {}:\n{}\n{}", report.study, report.defects.join("\n"), report.text))
        .collect();
    assert!(wrong.is_empty(), "{} of {CASES} cases:\n{}", wrong.len(), wrong.join("\n\n"));
    // otherwise nothing was examined
    assert!(answered as u64 > CASES / 2, "only {answered} of {CASES} answered");
}
