//! What a `[[claim]]` entry of a scenario says: a statement of a paper, the quantity that decides it, and the band.

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
    /// The quantity that decides it; `name[2]` is the third entry of a list, `name.len` the number of entries. Two of them are
    /// compared by `a - b` or `a / b`.
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
        if Decisive::parse(&self.quantity).is_none() {
            let message =
                format!("\"{}\" is not `name`, `name[2]` or `name.len`, nor `a - b` or `a / b` of two", self.quantity);
            problems.push(Problem::new("quantity", message));
        }
        if let Band::Between([low, high]) = self.band
            && low > high
        {
            problems.push(Problem::new("band.between", format!("the lower end {low} is above the upper end {high}")));
        }
        problems
    }
}

/// What the text of a claim's `quantity` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decisive<'a> {
    /// A quantity, or a part of it.
    One(Address<'a>),
    /// The first less the second.
    Difference([Address<'a>; 2]),
    /// The first over the second.
    Ratio([Address<'a>; 2]),
}

impl<'a> Decisive<'a> {
    /// Reads an address, `a - b` or `a / b`.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let both = |(a, b): (&'a str, &'a str)| Some([Address::parse(a.trim())?, Address::parse(b.trim())?]);
        if let Some(parts) = text.split_once('-') {
            return both(parts).map(Self::Difference);
        }
        if let Some(parts) = text.split_once('/') {
            return both(parts).map(Self::Ratio);
        }
        Address::parse(text).map(Self::One)
    }

    /// The names of the quantities.
    pub(super) fn names(&self) -> Vec<&'a str> {
        match self {
            Self::One(address) => vec![address.name],
            Self::Difference(both) | Self::Ratio(both) => both.iter().map(|address| address.name).collect(),
        }
    }
}

/// What a name in a claim's `quantity` points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Address<'a> {
    /// Name of the quantity.
    pub(super) name: &'a str,
    /// Which part of it.
    pub(super) part: Part,
}

/// A part of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// One entry of a list, counted from zero.
    Entry(usize),
    /// The number of entries of a list.
    Length,
}

impl<'a> Address<'a> {
    /// Reads `name`, `name[2]` or `name.len`.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (name, part) = if let Some(name) = text.strip_suffix(".len") {
            (name, Part::Length)
        } else if let Some((name, index)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            (name, Part::Entry(index.parse().ok()?))
        } else {
            (text, Part::Whole)
        };
        let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        plain.then_some(Self { name, part })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_a_quantity_an_entry_or_a_length() {
        let address = |name, part| Some(Address { name, part });
        assert_eq!(Address::parse("period"), address("period", Part::Whole));
        assert_eq!(Address::parse("fold_speeds[2]"), address("fold_speeds", Part::Entry(2)));
        assert_eq!(Address::parse("fold_speeds.len"), address("fold_speeds", Part::Length));
        let (a, b) = (Address::parse("a").unwrap(), Address::parse("b[1]").unwrap());
        assert_eq!(Decisive::parse("a - b[1]"), Some(Decisive::Difference([a, b])));
        assert_eq!(Decisive::parse("b[1]/a"), Some(Decisive::Ratio([b, a])));
        assert_eq!(Decisive::parse("a - b - a"), None);
        for wrong in ["", "a b", "a[", "a[x]", "a[-1]", "[0]", ".len", "a.length", "a[1][2]"] {
            assert_eq!(Address::parse(wrong), None, "{wrong}");
        }
    }
}
