//! Hostile input: what is read is a scenario, a formula, a map, a table or a plan, or it is refused with a reason; nothing panics.
//!
//! The corpus holds inputs near the borders: of the languages, of the numbers, of the formats. Mutants of it are cut, doubled,
//! spliced with one another, and changed byte by byte.

use super::draw::Draw;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::LazyLock;
use stiction::num::formula::Formula;
use stiction::num::jet::Jet;
use stiction_lab::dataset::{Table, parquet_bytes, parquet_metadata, read_map, read_table};
use stiction_lab::keep::{HOME, Home, Plan, Status, slurm_script};
use stiction_lab::safe_text;
use stiction_lab::scenario::{Paint, Scenario, Size, Source, builtins, read};

/// What reads hostile input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Scenario files and settings.
    Scenarios,
    /// Formulas of laws, fields and ageing.
    Formulas,
    /// Measured maps, CSV.
    Maps,
    /// Maps and tables of finished runs, Parquet.
    Tables,
    /// The files of a split study: what was asked, its plan, signs of life.
    Plans,
}

impl Target {
    /// All targets.
    pub(crate) const ALL: [Target; 5] =
        [Target::Scenarios, Target::Formulas, Target::Maps, Target::Tables, Target::Plans];

    /// The word that chooses it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Target::Scenarios => "scenarios",
            Target::Formulas => "formulas",
            Target::Maps => "maps",
            Target::Tables => "tables",
            Target::Plans => "plans",
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
            Target::Maps => separated(include_str!("corpus/maps.txt")),
            Target::Tables => {
                let lines = include_str!("corpus/tables.txt").lines().filter(|line| !line.starts_with('#'));
                lines.map(from_hex).chain(tables()).collect()
            }
            Target::Plans => {
                let hash = asked().resolved().expect("what was read can be written").hash;
                separated(&include_str!("corpus/plans.txt").replace("HASH", &hash))
            }
        }
    }

    /// Reads an input; whether it was accepted, or the words of a panic.
    pub(crate) fn survives(self, input: &[u8]) -> Result<bool, String> {
        catch_unwind(AssertUnwindSafe(|| match self {
            Target::Scenarios => scenario(&String::from_utf8_lossy(input)),
            Target::Formulas => formula(&String::from_utf8_lossy(input)),
            Target::Maps => map(input),
            Target::Tables => table(input),
            Target::Plans => plan(input),
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
            let shown = wrong.render(Paint::Plain);
            assert!(!wrong.mistakes.is_empty() && !shown.is_empty());
            assert!(!shown.contains(|sign| safe_text::steers(sign) && !"\n\t".contains(sign)));
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
    let file = tempfile::Builder::new().suffix(".csv").tempfile().expect("a temporary file");
    fs::write(file.path(), bytes).expect("the file is written");
    match read_map(file.path(), &stiction::analysis::Silent) {
        Ok(_) => true,
        Err(error) => {
            assert!(!error.reason.is_empty());
            false
        }
    }
}

/// A Parquet file is read as a map, as a table, and for its metadata.
fn table(bytes: &[u8]) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("table.parquet");
    fs::write(&path, bytes).expect("the file is written");
    let metadata = parquet_metadata(&path).is_ok();
    let found =
        [read_map(&path, &stiction::analysis::Silent).is_ok(), read_table(folder.path(), "table", &Json::Null).is_ok()];
    assert!(metadata || found == [false, false], "rows without a description");
    found.contains(&true)
}

/// The bytes of tables: a map, all types with gaps and words that repeat, several groups of rows.
fn tables() -> Vec<Vec<u8>> {
    let column = || vec![0.0, 0.5, 1.0, 0.0, 0.5, 1.0];
    let map = Table::new("map", "a map")
        .numbers("x", "m", "x", column())
        .numbers("y", "m", "y", vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
        .numbers("coefficient", "", "coefficient", column().iter().map(|x| 0.3 + x).collect());
    let mixed = Table::new("mixed", "all types")
        .numbers("time", "s", "time t", (0..60).map(|k| if k % 7 == 0 { f64::NAN } else { f64::from(k) }).collect())
        .integers("count", "count", (0..60).map(|k| k % 3).collect())
        .words("kind", "kind", (0..60).map(|k| ["stick", "slip", ""][k % 3].to_owned()).collect());
    let long = Table::new("long", "").integers("n", "n", (0..140_000).map(|k| k / 50_000).collect());
    let provenance = [("scenario_toml".to_owned(), "title = \"A\"".to_owned())];
    [map, mixed, long].iter().map(|table| parquet_bytes(table, &provenance).expect("a table")).collect()
}

fn from_hex(line: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).expect("a hexadecimal digit") as u8;
    line.as_bytes().chunks_exact(2).map(|two| digit(two[0]) << 4 | digit(two[1])).collect()
}

/// The scenario of a split study.
fn asked() -> Scenario {
    let text = "title = \"A\"\n[system.spring_block]\nmass = 1.0\nstiffness = 1.0\ndrive_speed = 0.1\n\
                law.coulomb = { static_coefficient = 0.5, kinetic_coefficient = 0.4 }\n[study.trajectory]\nduration = 1.0\n";
    read(Source::new("plans.toml", text), &[], Size::Full).expect("a scenario")
}

/// A text is taken for each file of a split study in turn.
fn plan(bytes: &[u8]) -> bool {
    static TEXT: LazyLock<String> = LazyLock::new(|| asked().resolved().expect("what was read can be written").text);
    let results = tempfile::tempdir().expect("a temporary folder");
    let (home, work) = (Home::of(results.path()), results.path().join(HOME));
    let inputs = Target::Plans.corpus();
    let write = |name: &str, bytes: &[u8]| fs::write(work.join(name), bytes).expect("the file is written");
    for folder in ["", "items", "workers"] {
        fs::create_dir(work.join(folder)).expect("a folder");
    }
    write("scenario.toml", TEXT.as_bytes());
    let mut accepted = false;
    for (name, usual) in [("plan.json", &inputs[0]), ("asked.json", &inputs[3]), ("workers/x.json", &inputs[4])] {
        write("plan.json", &inputs[0]);
        write("asked.json", &inputs[3]);
        write(name, bytes);
        match Status::of(&home) {
            Ok(status) => {
                assert!(!status.text().contains(|sign| safe_text::steers(sign) && sign != '\n'));
                assert!(!safe_text::json(&status.json()).is_empty());
                let plan = home.plan().expect("the status has read it");
                assert!(plan.range(plan.tasks() / 2).end <= plan.items);
                let plain = Plan { stage: "items".to_owned(), items: 1, items_per_task: 1 };
                assert_eq!(script_lines(&plan, &status.name), script_lines(&plain, "x"), "a line of its own");
                accepted |= name != "workers/x.json" || !status.running.is_empty();
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        write(name, usual);
    }
    accepted
}

/// Lines of a job script.
fn script_lines(plan: &Plan, name: &str) -> Option<usize> {
    let script = slurm_script(plan, Path::new("/opt/stiction"), Path::new("/data/x"), name);
    script.ok().map(|script| script.lines().count())
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
