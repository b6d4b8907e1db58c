//! The numbers that a key may have.

use super::Problem;
use super::path::KeyPath;
use super::problem::number_text;
use std::fmt;

/// Bounds of a number; a bound that is not there does not bind.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Range {
    /// Least value.
    pub(crate) at_least: Option<f64>,
    /// Every value is above.
    pub(crate) above: Option<f64>,
    /// Largest value.
    pub(crate) at_most: Option<f64>,
    /// Every value is below.
    pub(crate) below: Option<f64>,
    /// Whether only whole numbers are meant.
    pub(crate) whole: bool,
}

impl Range {
    /// Whether a value lies within.
    pub fn contains(&self, value: f64) -> bool {
        value.is_finite()
            && (!self.whole || value.fract() == 0.0)
            && self.at_least.is_none_or(|bound| value >= bound)
            && self.above.is_none_or(|bound| value > bound)
            && self.at_most.is_none_or(|bound| value <= bound)
            && self.below.is_none_or(|bound| value < bound)
    }

    /// What is wrong with this value of a key, if it lies outside.
    ///
    /// # Errors
    /// The key, the value and the range.
    pub(crate) fn check(&self, key: &KeyPath, value: f64) -> Result<(), Problem> {
        if self.contains(value) {
            return Ok(());
        }
        let kind = if self.whole { "a whole number" } else { "a finite number" };
        let message = format!("is {}, but must be {kind} {self}", number_text(value));
        Err(Problem::new(key, message.trim_end()))
    }
}

impl fmt::Display for Range {
    /// `> 0, <= 0.1`; nothing where there are no bounds.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds = [(">", self.above), (">=", self.at_least), ("<", self.below), ("<=", self.at_most)];
        let mut said = bounds.iter().filter_map(|(sign, bound)| Some((sign, (*bound)?)));
        if let Some((sign, bound)) = said.next() {
            write!(formatter, "{sign} {}", number_text(bound))?;
        }
        said.try_for_each(|(sign, bound)| write!(formatter, ", {sign} {}", number_text(bound)))
    }
}
