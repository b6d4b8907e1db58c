//! Hostile input: what is read is a scenario, a formula or a map, or it is refused with a reason; nothing panics.
//!
//! The corpus holds inputs near the borders: of the languages, of the numbers, of the formats. Mutants of it are cut, doubled,
//! spliced with one another, and changed byte by byte.

use super::draw::Draw;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use stiction::num::formula::Formula;
use stiction::num::jet::Jet;
use stiction_lab::dataset::{Table, parquet_bytes, read_map};
use stiction_lab::scenario::{Paint, Size, Source, builtins, read};

/// What reads hostile input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Scenario files and settings.
    Scenarios,
    /// Formulas of laws, fields and ageing.
    Formulas,
    /// Measured maps, CSV and Parquet.
    Maps,
}

impl Target {
    /// All targets.
    pub(crate) const ALL: [Target; 3] = [Target::Scenarios, Target::Formulas, Target::Maps];

    /// The word that chooses it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Target::Scenarios => "scenarios",
            Target::Formulas => "formulas",
            Target::Maps => "maps",
        }
    }

    /// The inputs that mutants start from.
    pub(crate) fn corpus(self) -> Vec<Vec<u8>> {
        let separated = |text: &str| text.split("\n----\n").map(|part| part.as_bytes().to_vec()).collect();
        match self {
            Target::Scenarios => {
                let mut all: Vec<Vec<u8>> = separated(include_str!("corpus/scenarios.txt"));
                all.extend(builtins().step_by(7).map(|builtin| builtin.text.as_bytes().to_vec()));
                all
            }
            Target::Formulas => separated(include_str!("corpus/formulas.txt")),
            Target::Maps => {
                let mut all: Vec<Vec<u8>> = separated(include_str!("corpus/maps.txt"));
                let column = || vec![0.0, 0.5, 1.0, 0.0, 0.5, 1.0];
                let map = Table::new("map", "a map")
                    .numbers("x", "m", "x", column())
                    .numbers("y", "m", "y", vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
                    .numbers("coefficient", "", "coefficient", column().iter().map(|x| 0.3 + x).collect());
                all.extend(parquet_bytes(&map, &[]));
                all
            }
        }
    }

    /// Reads an input; whether it was accepted, or the words of a panic.
    pub(crate) fn survives(self, input: &[u8]) -> Result<bool, String> {
        catch_unwind(AssertUnwindSafe(|| match self {
            Target::Scenarios => scenario(&String::from_utf8_lossy(input)),
            Target::Formulas => formula(&String::from_utf8_lossy(input)),
            Target::Maps => map(input),
        }))
        .map_err(|panic| {
            let words = panic.downcast_ref::<String>().cloned();
            words.or_else(|| panic.downcast_ref::<&str>().map(|words| (*words).to_owned())).unwrap_or_default()
        })
    }
}

/// An accepted scenario is written with its defaults, and read again to the same; a refused one has something to show.
fn scenario(text: &str) -> bool {
    match read(Source::new("fuzz.toml", text), &[], Size::Full) {
        Ok(scenario) => {
            let resolved = scenario.resolved().expect("what was read can be written");
            let again = read(Source::new("again.toml", resolved.text.clone()), &[], Size::Full);
            let again = again.expect("what was written can be read").resolved().expect("and written again");
            assert_eq!(again.text, resolved.text);
            true
        }
        Err(wrong) => {
            assert!(!wrong.mistakes.is_empty() && !wrong.render(Paint::Plain).is_empty());
            false
        }
    }
}

/// An accepted formula has a value, and derivatives with the same value.
fn formula(text: &str) -> bool {
    match Formula::parse(text, &["x", "v"], &BTreeMap::from([("a".to_owned(), 0.5)])) {
        Ok(formula) => {
            for at in [0.0, -0.0, 0.3, -7.5, 1e300, 1e-300, f64::INFINITY, f64::NAN] {
                let value: f64 = formula.eval(&[at, 0.3]);
                let jet = formula.eval(&[Jet::<3>::variable(at), Jet::from_coefficients([0.3, 0.0, 0.0])]);
                let [alike, ..] = jet.derivatives();
                let close = (value - alike).abs() <= 1e-12 * value.abs().max(1e-300);
                assert!(
                    value.to_bits() == alike.to_bits() || close || value.is_nan() || alike.is_nan(),
                    "{value} {alike}"
                );
            }
            true
        }
        Err(error) => {
            assert!(!error.render(text).is_empty());
            false
        }
    }
}

/// A map is read from a file.
fn map(bytes: &[u8]) -> bool {
    let ending = if bytes.starts_with(b"PAR1") { ".parquet" } else { ".csv" };
    let file = tempfile::Builder::new().suffix(ending).tempfile().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("the file is written");
    match read_map(file.path(), &stiction::analysis::Silent) {
        Ok(_) => true,
        Err(error) => {
            assert!(!error.reason.is_empty());
            false
        }
    }
}

/// The mutant of this number.
pub(crate) fn mutant(corpus: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut draw = Draw::of(number | 1 << 62);
    let mut bytes = corpus[draw.below(corpus.len())].clone();
    for _ in 0..1 + draw.below(4) {
        let (from, to) = {
            let ends = [draw.below(bytes.len() + 1), draw.below(bytes.len() + 1)];
            (ends[0].min(ends[1]), ends[0].max(ends[1]).min(ends[0].min(ends[1]) + 40))
        };
        match draw.below(6) {
            0 => drop(bytes.drain(from..to)),
            1 => {
                let stretch = bytes[from..to].to_vec();
                bytes.splice(from..from, stretch);
            }
            2 => {
                let other = &corpus[draw.below(corpus.len())];
                let begin = draw.below(other.len() + 1);
                let stretch = other[begin..(begin + 40).min(other.len())].to_vec();
                bytes.splice(from..to, stretch);
            }
            3 => {
                let word = draw.pick(WORDS).as_bytes().to_vec();
                bytes.splice(from..from, word);
            }
            4 => {
                if let Some(byte) = bytes.get_mut(from) {
                    *byte ^= 1 << draw.below(8);
                }
            }
            _ => {
                if let Some(byte) = bytes.get_mut(from) {
                    *byte = draw.below(256) as u8;
                }
            }
        }
    }
    bytes
}

/// What breaks readers.
const WORDS: &[&str] = &[
    "nan",
    "inf",
    "-0.0",
    "1e999",
    "1e-999",
    "9223372036854775807",
    "99999999999999999999",
    "[",
    "]]",
    "{",
    "\"",
    "'''",
    "\\u0000",
    "^",
    "((((((((",
    "-",
    "x",
    "..",
    "=",
    ",",
    "\n",
    "\r\n",
    "#",
    "\u{feff}",
    "é",
    "1",
    "0",
    "e",
    ";",
    "\t",
];
