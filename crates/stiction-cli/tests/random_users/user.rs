//! One user: a case, the ways in which it is asked, and what is found.

use super::ask::{Answer, ask};
use super::draw::Draw;
use super::hold::{defects, differences, lost, numbers, size_of};
use super::units::Units;
use super::{blocks, mutants, plates};
use std::time::Duration;
use stiction_lab::dataset::{Outcome, Quantity, Value};
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

/// Words of a refusal that the work of a question is too much.
const LIMITED: [&str; 2] = ["steps were not enough", "is too light to be followed"];

/// The scenario of a case.
pub(crate) fn scenario(case: u64) -> String {
    let mut draw = Draw::of(case);
    match draw.below(10) {
        0..5 => blocks::block(&mut draw),
        5..7 => plates::plate(&mut draw),
        _ => mutants::mutant(&mut draw),
    }
}

/// Mechanism and study of a case; empty if it is refused.
pub(crate) fn study(text: &str) -> String {
    read(Source::new("case.toml", text), &[], Size::Full)
        .map_or_else(|_| String::new(), |scenario| format!("{}.{}", scenario.system.name(), scenario.study.name()))
}

/// Asks the question of a case in several ways.
pub(crate) fn examine(case: u64, patience: Duration) -> Report {
    let text = scenario(case);
    // choices of the examiner do not move those of the user
    let mut draw = Draw::of(case | 1 << 63);
    let mut defects_found = Vec::new();
    let study = study(&text);
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

/// The resolved scenario as a table.
fn resolved(text: &str) -> Option<Table> {
    let scenario = read(Source::new("case.toml", text), &[], Size::Full).ok()?;
    scenario.resolved().ok()?.text.parse().ok()
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
    // errors of the angle add up over the turns of a crank
    let turned = outcome.quantity("final_angle").map_or(0.0, |angle| numbers(angle).into_iter().fold(0.0, f64::max));
    let turns = (turned / std::f64::consts::TAU).max(1.0);
    let tolerance = if six_digits { 2e-6 } else { 1e-9 * turns };
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
        // twice the values cost twice the work, which is limited
        Answer::Failed(words) if LIMITED.iter().any(|limit| words.contains(limit)) => Vec::new(),
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

/// The keys that change their sign in the mirror, and the columns that do.
fn mirror(table: &Table) -> Option<(&'static [&'static [&'static str]], &'static [&'static str])> {
    let system = table.get("system")?;
    if system.get("spring_block").is_some() {
        let keys: &[&[&str]] = &[&["drive_speed"], &["start", "displacement"], &["start", "velocity"]];
        return Some((keys, &["displacement", "velocity"]));
    }
    // a random belt has no mirror image
    system.get("belt_disc")?.get("field")?.get("constant")?;
    Some((&[&["belt_speed"]], &["displacement", "rotation", "velocity", "angular_velocity"]))
}

/// The mirror image of a mechanism has the mirrored motion.
fn in_the_mirror(text: &str, outcome: &Outcome, patience: Duration) -> Vec<String> {
    let Some(mut table) = resolved(text).filter(|_| text.contains("study.trajectory")) else { return Vec::new() };
    let Some((keys, odd)) = mirror(&table) else { return Vec::new() };
    let Some((_, mechanism)) =
        table.get_mut("system").and_then(toml::Value::as_table_mut).and_then(|system| system.iter_mut().next())
    else {
        return Vec::new();
    };
    // each slip may be late by that; what is late by a part of a period is off by 2π of it
    let count = outcome.quantity("stick_count").or_else(|| outcome.quantity("stick_count_mean"));
    let slips = count.map_or(0.0, |count| match count {
        Value::Integer(count) => *count as f64,
        count => numbers(count).into_iter().fold(0.0, f64::max),
    });
    let tolerance = mirror_tolerance(mechanism) * (1.0 + std::f64::consts::TAU * slips);
    for path in keys {
        let place = path.iter().try_fold(&mut *mechanism, |value, key| value.get_mut(*key));
        if let Some(toml::Value::Float(number)) = place {
            *number = -*number;
        }
    }
    let Answer::Answered(mirrored) = ask(&table.to_string(), &[], 2 * patience) else { return Vec::new() };
    // the quantity of the image, and its sign
    let image = |name: &str| -> Option<(String, f64)> {
        if ["period", "stick_time", "slip_time", "end_time"].contains(&name) {
            return Some((name.to_owned(), 1.0));
        }
        let exchanged =
            [("final", "final"), ("largest", "smallest"), ("smallest", "largest"), ("max", "min"), ("min", "max")];
        // of a campaign means and spreads
        let suffix = ["_mean", "_std", "_se"].into_iter().find(|suffix| name.ends_with(suffix)).unwrap_or_default();
        let (start, column) = name.strip_suffix(suffix)?.split_once('_')?;
        let (_, other) = exchanged.iter().find(|(own, _)| *own == start)?;
        let sign = if ["_std", "_se"].contains(&suffix) { 1.0 } else { -1.0 };
        Some(if odd.contains(&column) { (format!("{other}_{column}{suffix}"), sign) } else { (name.to_owned(), 1.0) })
    };
    let differs = |quantity: &Quantity| {
        let (other, sign) = image(&quantity.name)?;
        let (own, image) = (numbers(&quantity.value), numbers(mirrored.quantity(&other)?));
        let size = size_of(outcome, quantity, 0, 1);
        let alike = |(a, b): (&f64, &f64)| (a - sign * b).abs() <= tolerance * size;
        let same = own.len() == image.len() && own.iter().zip(&image).all(alike);
        (!same).then(|| format!("{} is {own:?}, but {other} of the mirror image {image:?}", quantity.name))
    };
    outcome.quantities.iter().filter_map(differs).collect()
}

/// How exactly the mirror image moves alike (relative). A law that starts as v^p with p < 1 makes of a speed ε that is only
/// rounding a delay that goes with ε^(1 − p), and the oscillation after it is late by that in each of its turns.
fn mirror_tolerance(mechanism: &toml::Value) -> f64 {
    let exponent = mechanism.get("law").and_then(|law| law.get("stribeck")?.get("exponent")?.as_float());
    exponent.filter(|p| *p < 1.0).map_or(1e-9, |p| stiction::num::real::pow(f64::EPSILON, 1.0 - p).max(1e-9) * 10.0)
}
