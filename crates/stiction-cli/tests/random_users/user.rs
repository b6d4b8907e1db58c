//! One user: a case, the ways in which it is asked, and what is found.

use super::ask::{Answer, ask};
use super::draw::Draw;
use super::hold::{defects, differences, lost};
use super::units::Units;
use super::{blocks, mutants, plates};
use std::time::Duration;
use stiction_lab::dataset::Outcome;
use stiction_lab::scenario::{Size, Source, read};
use toml::Table;

/// What came of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// Refused before it ran.
    Refused,
    /// Given up with a reason.
    Failed,
    /// Stopped because it took too long.
    Stopped,
    /// Answered.
    Answered,
}

/// A case and what is wrong with it.
pub(crate) struct Report {
    /// The scenario, as it can be run again.
    pub(crate) text: String,
    /// The question.
    pub(crate) study: String,
    /// What came of it.
    pub(crate) fate: Fate,
    /// What is wrong (empty if nothing).
    pub(crate) defects: Vec<String>,
}

/// Bifurcation values of all studies that locate them.
const LOCATED: [&str; 7] = [
    "hopf_speeds",
    "type1_speeds",
    "type2_speeds",
    "overshoot_speeds",
    "through_speeds",
    "hopf_loads",
    "critical_speed",
];

/// The scenario of a case.
pub(crate) fn scenario(case: u64) -> String {
    let mut draw = Draw::of(case);
    match draw.below(10) {
        0..5 => blocks::block(&mut draw),
        5..7 => plates::plate(&mut draw),
        _ => mutants::mutant(&mut draw),
    }
}

/// Asks the question of a case in several ways.
pub(crate) fn examine(case: u64, patience: Duration) -> Report {
    let text = scenario(case);
    // choices of the examiner do not move those of the user
    let mut draw = Draw::of(case | 1 << 63);
    let mut defects_found = Vec::new();
    let mut study = String::new();
    if let Ok(scenario) = read(Source::new("case.toml", text.clone()), &[], Size::Full) {
        study = format!("{}.{}", scenario.system.name(), scenario.study.name());
    }
    let fate = match ask(&text, &[], patience) {
        Answer::Refused(words) => {
            defects_found.extend(silent("refusal", &words));
            Fate::Refused
        }
        Answer::Failed(words) => {
            defects_found.extend(silent("failure", &words));
            Fate::Failed
        }
        Answer::Stopped => Fate::Stopped,
        Answer::Broken(words) => {
            defects_found.push(words);
            Fate::Failed
        }
        Answer::Answered(outcome) => {
            defects_found.extend(defects(&outcome));
            defects_found.extend(in_other_units(&text, &outcome, &mut draw, patience));
            defects_found.extend(on_a_finer_grid(&text, &outcome, patience));
            defects_found.extend(with_another_tolerance(&text, &outcome, patience));
            defects_found.extend(in_the_mirror(&text, &outcome, patience));
            Fate::Answered
        }
    };
    Report { text, study, fate, defects: defects_found }
}

/// A message that says nothing, or names a number that is none.
fn silent(what: &str, words: &str) -> Option<String> {
    let useless = words.trim().is_empty() || words.contains("NaN");
    useless.then(|| format!("{what} without use: {words}"))
}

/// The resolved scenario as a table, without the solver: in other units its tolerances are those of the mechanism.
fn resolved(text: &str) -> Option<Table> {
    let scenario = read(Source::new("case.toml", text), &[], Size::Full).ok()?;
    let mut table: Table = scenario.resolved().ok()?.text.parse().ok()?;
    table.remove("solver");
    Some(table)
}

/// The same in other units of mass, length and time gives the same dimensionless answer.
fn in_other_units(text: &str, outcome: &Outcome, draw: &mut Draw, patience: Duration) -> Vec<String> {
    // a formula has numbers whose units nobody states
    if text.contains("formula") || text.contains("expression") {
        return Vec::new();
    }
    let mut units = Units { mass: draw.power_of_four(6), length: draw.power_of_four(6), time: draw.power_of_four(6) };
    if text.contains("[system.wheel]") {
        // its tyre has a length of 1 m in arccot 6κ, and the radius of a two-fold is one number for m, m/s and rad/s
        (units.length, units.time) = (1.0, 1.0);
    }
    // what is a sum by quadrature, and what the stiff solver integrates, is promised to six digits
    let six_digits = ["system.planar_sliding", "system.two_disc"].iter().any(|name| text.contains(name));
    let tolerance = if six_digits { 2e-6 } else { 1e-9 };
    let Some(scaled) = resolved(text).and_then(|table| units.scenario(&table)) else { return Vec::new() };
    let scaled = scaled.to_string();
    match ask(&scaled, &[], 2 * patience) {
        Answer::Answered(other) => {
            let found = differences(outcome, &other, &units, tolerance);
            let scale = |words| format!("{words} (mass {}, length {}, time {})", units.mass, units.length, units.time);
            found.into_iter().take(2).map(scale).collect()
        }
        Answer::Stopped => Vec::new(),
        Answer::Refused(words) | Answer::Failed(words) | Answer::Broken(words) => {
            vec![format!("not answered in other units ({units:?}): {words}")]
        }
    }
}

/// The same with twice as many values in the scan finds the same bifurcations, and perhaps more.
fn on_a_finer_grid(text: &str, outcome: &Outcome, patience: Duration) -> Vec<String> {
    let Some(line) = text.lines().find(|line| line.contains("points = ")) else { return Vec::new() };
    if !text.contains("[study.bifurcation]") && !text.contains("[study.critical_speed]") {
        return Vec::new();
    }
    let count = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    let Some((before, after)) = line.split_once("points = ") else { return Vec::new() };
    let (number, rest) = (count(after), &after[count(after).len()..]);
    let Ok(points) = number.parse::<usize>() else { return Vec::new() };
    let finer = text.replace(line, &format!("{before}points = {}{rest}", 2 * points - 1));
    match ask(&finer, &[], 3 * patience) {
        Answer::Answered(fine) => lost(outcome, &fine, &LOCATED, 1e-7),
        Answer::Stopped => Vec::new(),
        Answer::Refused(words) | Answer::Failed(words) | Answer::Broken(words) => {
            vec![format!("not answered on a finer grid: {words}")]
        }
    }
}

/// The same with a looser tolerance, or integrated where there is a closed form, finds the same bifurcations.
fn with_another_tolerance(text: &str, outcome: &Outcome, patience: Duration) -> Vec<String> {
    if !text.contains("[study.bifurcation]") && !text.contains("[study.critical_speed]") {
        return Vec::new();
    }
    let settings = ["solver.relative_tolerance=1e-10", "solver.closed_form=false"].map(str::to_owned);
    // a key without an effect is refused
    let has_effect =
        |setting: &String| read(Source::new("random", text), std::slice::from_ref(setting), Size::Full).is_ok();
    let settings: Vec<String> = settings.into_iter().filter(has_effect).collect();
    match ask(text, &settings, 3 * patience) {
        Answer::Answered(other) => lost(outcome, &other, &LOCATED, 1e-6),
        Answer::Stopped => Vec::new(),
        Answer::Refused(words) | Answer::Failed(words) | Answer::Broken(words) => {
            vec![format!("not answered with another tolerance: {words}")]
        }
    }
}

/// The mirror image of a block has the mirrored motion.
fn in_the_mirror(text: &str, outcome: &Outcome, patience: Duration) -> Vec<String> {
    if !text.contains("[study.trajectory]") || !text.contains("system.spring_block") {
        return Vec::new();
    }
    let Some(mut table) = resolved(text) else { return Vec::new() };
    let Some(block) = table.get_mut("system").and_then(|system| system.get_mut("spring_block")) else {
        return Vec::new();
    };
    let mut flip = |path: &[&str]| {
        let mut value = Some(&mut *block);
        for key in path {
            value = value.and_then(|value| value.get_mut(*key));
        }
        if let Some(toml::Value::Float(number)) = value {
            *number = -*number;
        }
    };
    flip(&["drive_speed"]);
    flip(&["start", "displacement"]);
    flip(&["start", "velocity"]);
    let Answer::Answered(mirrored) = ask(&table.to_string(), &[], 2 * patience) else { return Vec::new() };
    let same = |name: &str, other: &str, sign: f64| {
        let (own, image) = (outcome.quantity(name)?, mirrored.quantity(other)?);
        let (own, image) = (super::hold::numbers(own), super::hold::numbers(image));
        let alike =
            own.len() == image.len() && own.iter().zip(&image).all(|(a, b)| (a - sign * b).abs() <= 1e-9 * a.abs());
        (!alike).then(|| format!("{name} is {own:?}, but {other} of the mirror image {image:?}"))
    };
    let pairs = [
        ("period", "period", 1.0),
        ("stick_time", "stick_time", 1.0),
        ("slip_time", "slip_time", 1.0),
        ("max_displacement", "min_displacement", -1.0),
        ("min_displacement", "max_displacement", -1.0),
    ];
    pairs.into_iter().filter_map(|(name, other, sign)| same(name, other, sign)).collect()
}
