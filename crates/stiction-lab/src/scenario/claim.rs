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
    /// What is wrong beyond types and ranges, each with its key (empty if nothing).
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if Expression::parse(&self.quantity).is_none() {
            problems.push(Problem::new("quantity", unreadable(&self.quantity)));
        }
        if let Band::Between([low, high]) = self.band
            && low > high
        {
            problems.push(Problem::new("band.between", format!("the lower end {low} is above the upper end {high}")));
        }
        problems
    }
}

/// Why a text does not decide a claim.
pub(super) fn unreadable(text: &str) -> String {
    format!(
        "\"{text}\" is not a quantity (`name`, `name[2]`, `name.len`), a value of a table (`table.column[other = 0.6]`), a function of one \
         (`max(table.column)`, `share(table[column = word])`) or a combination of these by + - * / and parentheses"
    )
}
