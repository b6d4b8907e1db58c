//! Whether a claim holds for the outcome of a run.

use super::claim::unreadable;
use super::decisive::Expression;
use super::evaluate::{evaluate, number};
use super::{Band, Claim};
use crate::dataset::{Outcome, Value};

/// The value of an expression over an outcome; none if it has a name that the run does not have.
pub(crate) fn value_of(expression: &str, outcome: &Outcome) -> Option<Value> {
    evaluate(&Expression::parse(expression)?, outcome).ok()
}

/// Whether a claim holds, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether the claim holds. A claim that cannot be decided does not hold.
    pub holds: bool,
    /// The value that decides it; none if the run has no such quantity.
    pub value: Option<Value>,
    /// The comparison in words, for instance `0.0591 is between 0.0585 and 0.0595`.
    pub reason: String,
}

impl Claim {
    /// Decides the claim from the quantities of a run.
    pub fn judge(&self, outcome: &Outcome) -> Verdict {
        let value = match self.value(outcome) {
            Ok(value) => value,
            Err(reason) => return Verdict { holds: false, value: None, reason },
        };
        let (holds, reason) = self.band.compare(&value);
        Verdict { holds, value: Some(value), reason }
    }

    /// The value that the claim is about.
    fn value(&self, outcome: &Outcome) -> Result<Value, String> {
        let expression = Expression::parse(&self.quantity).ok_or_else(|| unreadable(&self.quantity))?;
        evaluate(&expression, outcome)
    }
}

impl Band {
    /// The band in words.
    pub fn words(&self) -> String {
        match self {
            Band::Between([low, high]) if low == high => format!("exactly {low}"),
            Band::Between([low, high]) => format!("between {low} and {high}"),
            Band::AtLeast(low) => format!("at least {low}"),
            Band::AtMost(high) => format!("at most {high}"),
            Band::Word(word) => format!("\"{word}\""),
            Band::Contains(word) => format!("a list with \"{word}\""),
            Band::Flag(flag) => yes_or_no(*flag).to_owned(),
            Band::Missing(wanted) => (if *wanted { "no value" } else { "any value" }).to_owned(),
        }
    }

    /// Whether a value lies in the band.
    pub(crate) fn holds(&self, value: &Value) -> bool {
        self.compare(value).0
    }

    /// Whether a value lies in the band, and the comparison in words.
    fn compare(&self, value: &Value) -> (bool, String) {
        let shown = shown(value);
        let number = number(value);
        let missing = match value {
            Value::Missing => true,
            Value::Number(number) => !number.is_finite(),
            _ => false,
        };
        let holds = match self {
            Band::Between([low, high]) => number.is_some_and(|number| *low <= number && number <= *high),
            Band::AtLeast(low) => number.is_some_and(|number| number >= *low),
            Band::AtMost(high) => number.is_some_and(|number| number <= *high),
            Band::Word(word) => matches!(value, Value::Word(found) if found == word),
            Band::Contains(word) => {
                let found = |entry: &Value| matches!(entry, Value::Word(found) if found == word);
                matches!(value, Value::List(list) if list.iter().any(found))
            }
            Band::Flag(flag) => matches!(value, Value::Flag(found) if found == flag),
            Band::Missing(wanted) => missing == *wanted,
        };
        let wanted = self.words();
        (holds, if holds { format!("{shown} is {wanted}") } else { format!("{shown} is not {wanted}") })
    }
}

fn yes_or_no(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}

/// The value in words.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => format!("{number}"),
        Value::Integer(number) => format!("{number}"),
        Value::Word(word) => format!("\"{word}\""),
        Value::Flag(flag) => yes_or_no(*flag).to_owned(),
        Value::List(list) => {
            let few: Vec<String> = list.iter().take(8).map(shown).collect();
            let more = if list.len() > few.len() { ", ..." } else { "" };
            format!("[{}{more}]", few.join(", "))
        }
        Value::Record(parts) => {
            let few: Vec<String> =
                parts.iter().take(8).map(|(name, value)| format!("{name} {}", shown(value))).collect();
            format!("({})", few.join(", "))
        }
        Value::Missing => "no value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(quantity: &str, band: Band) -> Verdict {
        let mut outcome = Outcome::default();
        outcome.push("period", "s", 2.5);
        outcome.push("count", "", 3_usize);
        outcome.push("kind", "", "CS");
        outcome.push("stable", "", true);
        outcome.push("critical_speed", "m/s", Value::Missing);
        outcome.push("broken", "", f64::NAN);
        outcome.push("speeds", "m/s", vec![0.1, 0.2, 0.3]);
        outcome.push("attractors", "", vec!["CS", "SS"]);
        Claim::new(quantity, band).judge(&outcome)
    }

    #[test]
    fn bands_decide_values() {
        let word = |word: &str| Band::Word(word.to_owned());
        let contains = |word: &str| Band::Contains(word.to_owned());
        for (quantity, band, holds) in [
            ("period", Band::Between([2.5, 2.5]), true),
            ("period", Band::Between([2.6, 3.0]), false),
            ("period", Band::AtLeast(2.5), true),
            ("period", Band::AtMost(2.4), false),
            ("count", Band::Between([3.0, 3.0]), true),
            ("kind", word("CS"), true),
            ("kind", word("OS"), false),
            ("kind", Band::AtLeast(0.0), false),
            ("stable", Band::Flag(true), true),
            ("stable", Band::Flag(false), false),
            ("attractors", contains("SS"), true),
            ("attractors", contains("OS"), false),
            ("kind", contains("CS"), false),
            ("critical_speed", Band::Missing(true), true),
            ("critical_speed", Band::Between([-1e300, 1e300]), false),
            ("broken", Band::Between([-1e300, 1e300]), false),
            ("broken", Band::Missing(true), true),
            ("period", Band::Missing(false), true),
            ("speeds[1]", Band::Between([0.2, 0.2]), true),
            ("speeds[3]", Band::Missing(true), true),
            ("speeds[3]", Band::AtLeast(0.0), false),
            ("speeds.len", Band::Between([3.0, 3.0]), true),
            ("speeds[2] - speeds[0]", Band::AtLeast(0.0), true),
            ("period / count", Band::AtMost(1.0), true),
            ("period - kind", Band::AtLeast(-1e300), false),
            ("period / critical_speed", Band::Missing(true), true),
        ] {
            let verdict = judge(quantity, band.clone());
            assert_eq!(verdict.holds, holds, "{quantity} {band:?}: {}", verdict.reason);
        }
    }

    #[test]
    fn a_claim_about_a_quantity_that_the_run_lacks_does_not_hold() {
        for band in [Band::Missing(true), Band::Missing(false), Band::AtLeast(0.0)] {
            let verdict = judge("fold_speeds", band);
            assert!(!verdict.holds && verdict.value.is_none());
            assert_eq!(verdict.reason, "the run has no quantity `fold_speeds`");
        }
        assert!(judge("period[0]", Band::AtLeast(0.0)).reason.contains("not a list"));
        assert!(!judge("what ever", Band::Missing(true)).holds);
    }

    #[test]
    fn a_verdict_gives_its_reason_in_words() {
        assert_eq!(judge("period", Band::Between([2.0, 3.0])).reason, "2.5 is between 2 and 3");
        assert_eq!(judge("critical_speed", Band::AtMost(1.0)).reason, "no value is not at most 1");
    }
}
