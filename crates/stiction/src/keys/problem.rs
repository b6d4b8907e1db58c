//! What is wrong with a parameter, in words that name the key.

use super::path::KeyPath;
use serde::{Deserialize, Serialize};

/// Something wrong with a parameter: which key, what, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The key, relative to the value that was checked.
    pub key: KeyPath,
    /// What is wrong, with the value, and what is allowed.
    pub message: String,
}

impl Problem {
    /// A problem at `key`.
    pub fn new(key: impl Into<KeyPath>, message: impl Into<String>) -> Self {
        Self { key: key.into(), message: with_short_numbers(&message.into()) }
    }

    /// The same problem seen from further up.
    #[must_use]
    pub fn below(self, parent: impl Into<KeyPath>) -> Self {
        Self { key: self.key.below(parent), ..self }
    }
}

/// A number as a message shows it: all digits that it has, and an exponent instead of many zeros.
pub(crate) fn number_text(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-5..1e16).contains(&size) { value.to_string() } else { format!("{value:e}") }
}

/// A text whose longest numbers are written with an exponent: 1e300 instead of 301 digits.
pub(crate) fn with_short_numbers(text: &str) -> String {
    const LONGEST: usize = 22;
    let mut out = String::with_capacity(text.len());
    let mut number = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() || (c == '.' && !number.is_empty()) {
            number.push(c);
            continue;
        }
        match number.trim_end_matches('.').parse::<f64>() {
            Ok(value) if number.len() > LONGEST => {
                out.push_str(&format!("{value:e}"));
                out.extend(number.ends_with('.').then_some('.'));
            }
            _ => out.push_str(&number),
        }
        number.clear();
        out.push(c);
    }
    out.pop();
    out
}

/// Collects what is wrong with a set of parameters beyond the range of each, which its schema has.
#[derive(Debug, Default)]
pub(crate) struct Check(Vec<Problem>);

impl Check {
    /// `value` must be finite and > 0.
    pub(crate) fn positive(&mut self, key: &str, value: f64) -> &mut Self {
        if !(value.is_finite() && value > 0.0) {
            self.problem(key, format!("is {value}, but must be a finite number > 0"));
        }
        self
    }

    /// The value at `key` must not exceed that at `other`.
    pub(crate) fn at_most(&mut self, key: &str, value: f64, other: &str, limit: f64) -> &mut Self {
        if value > limit {
            self.problem(key, format!("is {value}, but must not exceed `{other}`, which is {limit}"));
        }
        self
    }

    pub(crate) fn problem(&mut self, key: impl Into<KeyPath>, message: String) -> &mut Self {
        self.0.push(Problem::new(key, message));
        self
    }

    /// Whether nothing was found so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn found(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_get_an_exponent_and_others_stay() {
        let text = format!("is {}, but {} or 0.123456 is meant. See 2.", 1e300, 1e-300);
        assert_eq!(with_short_numbers(&text), "is 1e300, but 1e-300 or 0.123456 is meant. See 2.");
        assert_eq!(with_short_numbers(""), "");
        assert_eq!(with_short_numbers(&format!("at most {}.", 1e30)), "at most 1e30.");
    }
}
