//! Formulas that a user writes, such as `0.4 + 0.6*exp(-v/vs) + 0.3*v`: read once, then evaluated fast and with exact
//! derivatives.
//!
//! ```
//! # use stiction::num::{formula::Formula, jet::Jet};
//! # use std::collections::BTreeMap;
//! let constants = BTreeMap::from([("vs".to_owned(), 0.2)]);
//! let law = Formula::parse("0.4 + 0.6*exp(-(v/vs)^2)", &["v"], &constants)?;
//! assert_eq!(law.eval(&[0.0]), 1.0);
//! let [_, slope] = law.eval(&[Jet::<2>::variable(0.2)]).derivatives();
//! assert!(slope < 0.0);
//! # Ok::<(), stiction::num::formula::FormulaError>(())
//! ```
//!
//! The language: numbers (`2`, `.5`, `1e-3`), the variables, constants of the user, `pi` and `e`; `+ - * / ^` and
//! parentheses; the functions of [`FUNCTIONS`]. Powers bind tighter than a minus in front (`-x^2` is −(x²)) and to the
//! right (`2^3^2` is 2⁹). There are no comparisons and no implied products. Whatever the text, reading it ends with a
//! formula or an error: length, nesting and depth of the stack are bounded.

mod error;
mod functions;
mod machine;
mod parse;
mod token;

pub use error::FormulaError;
pub use functions::FUNCTIONS;

use super::jet::Scalar;
use machine::Operation;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A formula, ready to be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    text: String,
    operations: Vec<Operation>,
    variables: usize,
    depth: usize,
}

impl Formula {
    /// Reads `text` as a formula in the named `variables`, with the values of the user's `constants`.
    ///
    /// # Errors
    /// [`FormulaError`] with the place in the text, what is wrong there, and the nearest known name.
    pub fn parse(text: &str, variables: &[&str], constants: &BTreeMap<String, f64>) -> Result<Self, FormulaError> {
        let (operations, depth) = parse::operations(text, variables, constants)?;
        Ok(Self { text: text.to_owned(), operations, variables: variables.len(), depth })
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value for the given variables, in the order in which they were named. Does not allocate.
    ///
    /// A variable that is not given counts as not a number.
    #[inline]
    pub fn eval<T: Scalar>(&self, variables: &[T]) -> T {
        debug_assert!(variables.len() >= self.variables);
        machine::run(&self.operations, variables, self.depth)
    }

    /// The value with one given side for each kink or jump, true for that of larger arguments: smooth beyond the kinks. The
    /// arguments of the kinks are shown to `argument`, in their order (for `min` and `max` the difference).
    pub(crate) fn eval_sided<T: Scalar>(&self, variables: &[T], sides: &[bool], argument: impl FnMut(f64)) -> T {
        machine::run_with(&self.operations, variables, self.depth, &mut GivenSides { sides, next: 0, argument })
    }

    /// Number of kinks and jumps: places of `abs`, `min`, `max`, `sign`, `step`.
    pub(crate) fn kinks(&self) -> usize {
        self.operations.iter().filter(|operation| operation.has_kink()).count()
    }

    /// The variables that it uses, by their place in the list that it was read with, ascending.
    pub(crate) fn used(&self) -> Vec<usize> {
        let used: BTreeSet<usize> = self.operations.iter().filter_map(Operation::variable).collect();
        used.into_iter().collect()
    }

    /// Whether the formula uses functions with kinks or jumps (`abs`, `min`, `max`, `sign`, `step`).
    pub(crate) fn has_kinks(&self) -> bool {
        self.operations.iter().any(Operation::has_kink)
    }
}

/// Sides of kinks in their order.
struct GivenSides<'a, F> {
    sides: &'a [bool],
    next: usize,
    argument: F,
}

impl<F: FnMut(f64)> machine::Sides for GivenSides<'_, F> {
    fn side(&mut self, argument: f64) -> Option<bool> {
        (self.argument)(argument);
        self.next += 1;
        self.sides.get(self.next - 1).copied()
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
