//! The answer of a run as a person reads it.

use std::fmt::Write;
use stiction_lab::dataset::{Outcome, Value};
use stiction_lab::scenario::{Claim, Verdict};

/// Quantities with units, then the claims with their verdicts.
pub(crate) fn text(title: &str, outcome: &Outcome, claims: &[Claim], verdicts: &[Verdict]) -> String {
    // writing to a string cannot fail
    let mut out = String::new();
    let _ = writeln!(out, "{title}");
    let width = outcome.quantities.iter().map(|quantity| quantity.name.chars().count()).max().unwrap_or(0);
    for quantity in &outcome.quantities {
        let line = format!("  {:width$}  {} {}", quantity.name, shown(&quantity.value), quantity.unit);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if !claims.is_empty() {
        let held = verdicts.iter().filter(|verdict| verdict.holds).count();
        let _ = writeln!(out, "claims: {held} of {} hold", claims.len());
        for (claim, verdict) in claims.iter().zip(verdicts) {
            let word = if verdict.holds { "holds" } else { "FAILS" };
            let erratum =
                claim.erratum.as_ref().map(|erratum| format!(" (see ERRATA.md, {erratum})")).unwrap_or_default();
            let _ = writeln!(
                out,
                "  {word}  {} [{}]: {} {}{erratum}",
                claim.statement, claim.source, claim.quantity, verdict.reason
            );
        }
    }
    out
}

/// A value with as many digits as a person wants to read; the files have all of them.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) if !number.is_finite() => "-".to_owned(),
        Value::Number(number) => digits(*number),
        Value::Integer(number) => number.to_string(),
        Value::Word(word) => word.clone(),
        Value::Flag(flag) => flag.to_string(),
        Value::Missing => "-".to_owned(),
        Value::List(list) => {
            let few: Vec<String> = list.iter().take(10).map(shown).collect();
            let more = if list.len() > few.len() { format!(", ... ({} in all)", list.len()) } else { String::new() };
            format!("[{}{more}]", few.join(", "))
        }
    }
}

/// Eight significant digits, without zeros at the end.
fn digits(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 {
        "0".to_owned()
    } else if (1e-4..1e8).contains(&size) {
        let rounded: f64 = format!("{number:.7e}").parse().unwrap_or(number);
        format!("{rounded}")
    } else {
        let rounded: f64 = format!("{number:.7e}").parse().unwrap_or(number);
        format!("{rounded:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_eight_digits_at_most() {
        for (number, text) in [
            (0.0, "0"),
            (1.0 / 3.0, "0.33333333"),
            (2.5, "2.5"),
            (-1e-9, "-1e-9"),
            (1.234_567_890_1e12, "1.2345679e12"),
            (98.1, "98.1"),
        ] {
            assert_eq!(digits(number), text);
        }
    }

    #[test]
    fn the_answer_is_told_with_units_and_verdicts() {
        let mut outcome = Outcome::default();
        outcome.push("period", "s", 2.5);
        outcome.push("critical_speed", "m/s", Value::Missing);
        outcome.push("kinds", "", vec!["CS", "SS"]);
        let text = text("A block", &outcome, &[], &[]);
        assert_eq!(text, "A block\n  period          2.5 s\n  critical_speed  - m/s\n  kinds           [CS, SS]\n");
    }
}
