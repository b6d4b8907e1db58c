//! What a `[[claim]]` entry of a scenario says: a statement of a paper, the quantity that decides it, and the band.

use super::decisive::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::Problem;

/// A statement that a run checks.
///
/// ```toml
/// [[claim]]
/// statement = "the first type 1 bifurcation is at v0 = 0.059"
/// source = "p. 3, right column"
/// quantity = "type1_speeds[0]"
/// band = { between = [0.0585, 0.0595] }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The statement in a few words.
    pub statement: String,
    /// Where in the paper it stands.
    pub source: String,
    /// What decides it: a quantity (`period`, the entry `speeds[2]` of a list, its length `speeds.len`), a value of a table picked by
    /// its row (`curve.force[length = 0.6]`, `curve.length[force = max]`), or `max`, `min`, `mean`, `first`, `last`, `rises` or
    /// `falls` of a list or column, `count(table[kind = stick])` or `share(…)` of rows; combined by `+ - * /` and parentheses.
    pub quantity: String,
    /// What the quantity must be for the claim to hold.
    pub band: Band,
    /// What the paper states: a number, an order, or a bound. Decides how `stiction claims --audit` tests the claim.
    #[serde(default, skip_serializing_if = "is_number")]
    pub kind: Kind,
    /// Share of the seeds for which the claim holds, where the verdict depends on the seed. `stiction claims --audit` checks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "exclusiveMaximum" = 1.0))]
    pub seed_share: Option<f64>,
    /// Whether only a run of full size decides it, because a reduced one (`--quick`) is too short or too coarse for it.
    #[serde(default, skip_serializing_if = "is_not")]
    pub full_size: bool,
    /// The entry of ERRATA.md, where the paper's statement is known not to hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erratum: Option<String>,
}

fn is_not(flag: &bool) -> bool {
    !flag
}

fn is_number(kind: &Kind) -> bool {
    *kind == Kind::Number
}

/// What a paper states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A number: the claim fails if a value is wrong by 5 %; it must fail if one is wrong by a factor of 2.
    #[default]
    Number,
    /// An order of two values or a sign: the claim must fail if the order is reversed.
    Trend,
    /// A bound that the paper prints: the claim must fail if a value is wrong by a factor of 10.
    Bound,
}

/// What a quantity must be for a claim to hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Band {
    /// Between two numbers, ends included.
    Between([f64; 2]),
    /// At least this number.
    AtLeast(f64),
    /// At most this number.
    AtMost(f64),
    /// Exactly this word.
    Word(String),
    /// A list that contains this word.
    Contains(String),
    /// True or false.
    Flag(bool),
    /// There is no such value (`true`), or there is one (`false`).
    Missing(bool),
}

impl Claim {
    /// A claim without words, for tests.
    #[cfg(test)]
    pub(crate) fn new(quantity: &str, band: Band) -> Self {
        let (statement, source, quantity) = (String::new(), String::new(), quantity.to_owned());
        Self {
            statement,
            source,
            quantity,
            band,
            kind: Kind::Number,
            seed_share: None,
            full_size: false,
            erratum: None,
        }
    }

    /// What is wrong beyond types and ranges, each with its key (empty if nothing).
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        match Expression::parse(&self.quantity) {
            None => problems.push(Problem::new("quantity", unreadable(&self.quantity))),
            Some(expression) => problems.extend(self.kind_problem(&expression)),
        }
        if let Band::Between([low, high]) = self.band
            && low > high
        {
            problems.push(Problem::new("band.between", format!("the lower end {low} is above the upper end {high}")));
        }
        problems
    }

    fn kind_problem(&self, expression: &Expression<'_>) -> Option<Problem> {
        let needs = match self.kind {
            Kind::Trend if self.reversed(expression).is_none() => {
                "a trend compares two values by `-` or `/`, asks whether a list `rises` or `falls`, or has the band `at_least = 0` or \
                 `at_most = 0`"
            }
            Kind::Bound if !matches!(self.band, Band::AtLeast(_) | Band::AtMost(_)) => {
                "a bound has the band `at_least` or `at_most`"
            }
            _ => return None,
        };
        Some(Problem::new("kind", needs))
    }
}

/// Why a text does not decide a claim.
pub(super) fn unreadable(text: &str) -> String {
    format!(
        "\"{text}\" is not a quantity (`name`, `name[2]`, `name.len`), a value of a table (`table.column[other = 0.6]`), a function of one \
         (`max(table.column)`, `share(table[column = word])`) or a combination of these by + - * / and parentheses"
    )
}
