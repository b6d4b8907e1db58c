//! What a `[[claim]]` entry of a scenario says: a statement of a paper, the quantity that decides it, and the band.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// The quantity that decides it; `name[2]` is the third entry of a list, `name.len` the number of entries.
    pub quantity: String,
    /// What the quantity must be for the claim to hold.
    pub band: Band,
    /// The entry of ERRATA.md, where the paper's statement is known not to hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erratum: Option<String>,
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
