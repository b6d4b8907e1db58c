//! Everything about one run.

use crate::dataset::Outcome;
use crate::figure::Figure;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Everything about one run: what was asked, the answer, and how to get it again. Holds no time and no machine, so that
/// the same scenario leaves the same bytes behind.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    /// Name of the scenario.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// What it shows, in a few sentences.
    pub description: String,
    /// Name of the study.
    pub study: String,
    /// The scenario with every default filled in, as TOML.
    pub resolved: String,
    /// The command that repeats the run.
    pub command: String,
    /// The answer.
    pub outcome: Outcome,
    /// The statements that were checked.
    pub claims: Vec<Verdict>,
    /// The pictures.
    pub figures: Vec<Figure>,
    /// Small text below every picture, for instance that the run was reduced.
    pub note: Option<String>,
    /// Where the answer comes from.
    pub provenance: Provenance,
}

/// A statement and whether it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The statement in a few words.
    pub statement: String,
    /// Where it stands.
    pub source: String,
    /// The quantity that decides it.
    pub quantity: String,
    /// What the quantity is.
    pub value: String,
    /// What it must be for the statement to hold.
    pub band: String,
    /// Whether it holds.
    pub holds: bool,
    /// The erratum, where the statement is known not to hold.
    pub erratum: Option<String>,
}

/// Where an answer comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// Version of the program.
    pub version: String,
    /// Seed of everything random.
    pub seed: u64,
    /// SHA-256 of the resolved scenario.
    pub scenario_sha256: String,
    /// Relative tolerance of a step [-].
    pub relative_tolerance: f64,
    /// Absolute tolerance of a step, in the units of the state.
    pub absolute_tolerance: f64,
}

impl Provenance {
    /// The provenance of a run of this version.
    pub fn new(resolved: &str, seed: u64, relative_tolerance: f64, absolute_tolerance: f64) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed,
            scenario_sha256: sha256(resolved.as_bytes()),
            relative_tolerance,
            absolute_tolerance,
        }
    }

    /// Names and values, for the metadata of a table.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let pair = |name: &str, value: String| (name.to_owned(), value);
        vec![
            pair("program", "stiction".to_owned()),
            pair("version", self.version.clone()),
            pair("seed", self.seed.to_string()),
            pair("scenario_sha256", self.scenario_sha256.clone()),
            pair("relative_tolerance", crate::dataset::number(self.relative_tolerance)),
            pair("absolute_tolerance", crate::dataset::number(self.absolute_tolerance)),
        ]
    }
}

impl Verdict {
    /// How the verdict reads: `holds`, `does not hold`, or `does not hold (E-03)`.
    pub fn words(&self) -> String {
        match (&self.erratum, self.holds) {
            (None, true) => "holds".to_owned(),
            (None, false) => "does not hold".to_owned(),
            (Some(id), true) => format!("holds (but see {id})"),
            (Some(id), false) => format!("does not hold ({id})"),
        }
    }
}

/// SHA-256 as hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_sha256() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
