//! The checks that every law makes of its parameters.

use super::Problem;

/// Collects the problems of a set of parameters.
#[derive(Debug, Default)]
pub(super) struct Check(Vec<Problem>);

impl Check {
    /// `value` must be finite and >= 0.
    pub(super) fn not_negative(&mut self, key: &str, value: f64) -> &mut Self {
        if !(value.is_finite() && value >= 0.0) {
            self.problem(key, format!("is {value}, but must be a finite number >= 0"));
        }
        self
    }

    /// `value` must be finite and > 0.
    pub(super) fn positive(&mut self, key: &str, value: f64) -> &mut Self {
        if !(value.is_finite() && value > 0.0) {
            self.problem(key, format!("is {value}, but must be a finite number > 0"));
        }
        self
    }

    /// `value` must be finite.
    pub(super) fn finite(&mut self, key: &str, value: f64) -> &mut Self {
        if !value.is_finite() {
            self.problem(key, format!("is {value}, but must be a finite number"));
        }
        self
    }

    /// The value at `key` must not exceed that at `other`.
    pub(super) fn at_most(&mut self, key: &str, value: f64, other: &str, limit: f64) -> &mut Self {
        if value > limit {
            self.problem(key, format!("is {value}, but must not exceed `{other}`, which is {limit}"));
        }
        self
    }

    pub(super) fn problem(&mut self, key: &str, message: String) -> &mut Self {
        self.0.push(Problem::new(key, message));
        self
    }

    pub(super) fn found(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.0)
    }
}
