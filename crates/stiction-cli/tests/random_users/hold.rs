//! What must hold of every answer, and of two answers to the same question asked in two ways.

use super::units::Units;
use stiction_lab::dataset::{Data, Outcome, Quantity, Value};

/// What is wrong with one answer.
pub(crate) fn defects(outcome: &Outcome) -> Vec<String> {
    let mut found = Vec::new();
    for Quantity { name, value, .. } in &outcome.quantities {
        for number in numbers(value) {
            if !number.is_finite() {
                found.push(format!("{name} is {number} instead of a number or null with a reason"));
            } else if is_spread(name) && number < 0.0 {
                found.push(format!("{name} is {number}, but cannot be negative"));
            }
        }
        if has_missing(value) && !outcome.warnings.iter().any(|warning| is_named(warning, name)) {
            found.push(format!("{name} is null, and no warning names it"));
        }
    }
    for table in &outcome.tables {
        for column in &table.columns {
            if let Data::Numbers(values) = &column.data
                && let Some(value) = values.iter().find(|value| value.is_infinite())
            {
                found.push(format!("table {}, column {}: {value}", table.name, column.name));
            }
        }
    }
    found.extend(unbalanced(outcome));
    found
}

fn has_missing(value: &Value) -> bool {
    match value {
        Value::Missing => true,
        Value::List(values) => values.iter().any(has_missing),
        Value::Record(entries) => entries.iter().any(|(_, value)| has_missing(value)),
        _ => false,
    }
}

/// Whether a text has a name as a word of its own.
fn is_named(text: &str, name: &str) -> bool {
    let letter = |sign: char| sign.is_alphanumeric() || sign == '_';
    // names of campaigns have an index
    match name.contains('[') {
        true => text.contains(name),
        false => text.split(|sign| !letter(sign)).any(|word| word == name),
    }
}

/// Variances, standard deviations, coefficients of variation, errors and times.
fn is_spread(name: &str) -> bool {
    let starts = ["var_", "cv_", "period", "stick_time", "slip_time"];
    let ends = ["_std", "_se", "_error", "_variance", "_fraction"];
    starts.iter().any(|start| name.starts_with(start)) || ends.iter().any(|end| name.ends_with(end))
}

/// Energy that is neither in the motion nor taken by friction.
fn unbalanced(outcome: &Outcome) -> Option<String> {
    let number = |name: &str| match outcome.quantity(name) {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    };
    // some hundred steps of two discs with tolerance 1e-6 each; a random belt is at rest from its landing threshold (1e-3) on, which
    // leaves the square of it, and its patch has single precision; others are far below
    let has = |name: &str| outcome.quantity(name).is_some();
    let most = match () {
        () if has("final_lower_rotation") => 1e-3,
        () if has("displacement_ratio_mean") => 1e-4,
        () => 1e-6,
    };
    let warned = outcome.warnings.iter().any(|warning| warning.contains("energy_residual_relative"));
    if let Some(residual) = number("energy_residual_relative").filter(|residual| *residual > most && !warned) {
        return Some(format!("energy_residual_relative is {residual}"));
    }
    let (residual, taken) = (number("energy_residual")?, number("bottom_energy")?.abs() + number("side_energy")?.abs());
    // some thousand steps with tolerance 1e-12 each
    (residual.abs() > 1e-6 * taken).then(|| format!("energy_residual is {residual} where friction takes {taken}"))
}

/// The numbers in a value.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(number) => vec![*number],
        Value::List(values) => values.iter().flat_map(numbers).collect(),
        Value::Record(entries) => entries.iter().flat_map(|(_, value)| numbers(value)).collect(),
        _ => Vec::new(),
    }
}

/// What differs between an answer and the same answer in other units, beyond `tolerance` (relative).
pub(crate) fn differences(first: &Outcome, second: &Outcome, units: &Units, tolerance: f64) -> Vec<String> {
    let mut found = Vec::new();
    for quantity in &first.quantities {
        let name = &quantity.name;
        // names with a value in them are others; what is only rounding has no digits; records have many units
        let incomparable = name.contains("_at_") || name.contains("residual") || name.ends_with("_error");
        let Some(factors) = units.factors(&quantity.unit).filter(|_| !incomparable && !has_record(&quantity.value))
        else {
            continue;
        };
        let Some(other) = second.quantity(name) else {
            found.push(format!("{name} is missing in other units"));
            continue;
        };
        let (own, other) = (numbers(&quantity.value), numbers(other));
        if own.len() != other.len() {
            found.push(format!("{name}: {own:?} against {other:?} in other units"));
        }
        let sizes: Vec<f64> = (0..factors.len()).map(|part| size_of(first, quantity, part, factors.len())).collect();
        for (index, (own, other)) in own.iter().zip(&other).enumerate() {
            let part = index % factors.len();
            let other = other / factors[part];
            if (own - other).abs() > tolerance * sizes[part] {
                found.push(format!("{name} [{}]: {own} against {other} in other units", quantity.unit));
            }
        }
    }
    found
}

/// What entry `part` of every `parts` of a quantity is measured by: the largest one of its unit; for a covariance the standard
/// deviations, for a correlation one.
pub(crate) fn size_of(outcome: &Outcome, quantity: &Quantity, part: usize, parts: usize) -> f64 {
    let largest = |value: &Value| {
        let entries = numbers(value).into_iter().skip(part).step_by(parts);
        entries.fold(0.0f64, |size, number| size.max(number.abs()))
    };
    if let Some(rest) = quantity.name.strip_prefix("cov_") {
        let parts = ["force_x", "force_y", "torque"].into_iter().filter(|part| rest.contains(part));
        let variances = parts.filter_map(|part| outcome.quantity(&format!("var_{part}")).map(largest));
        return variances.product::<f64>().sqrt();
    }
    // a difference of numbers that are known to the tolerance, relative to them
    if quantity.name.starts_with("correlation_") || quantity.name == "simulation_deviation" {
        return 1.0;
    }
    if quantity.name.starts_with("lyapunov_") {
        // the logarithm of a ratio that is known to the tolerance, over the time that was followed
        return largest(&quantity.value).max(1.0 / longest_time(outcome));
    }
    let alike =
        |other: &&Quantity| other.name == quantity.name || (other.unit == quantity.unit && !other.unit.is_empty());
    outcome.quantities.iter().filter(alike).map(|other| largest(&other.value)).fold(0.0, f64::max)
}

/// The last instant of all tables \[s\].
fn longest_time(outcome: &Outcome) -> f64 {
    let columns = outcome.tables.iter().flat_map(|table| &table.columns).filter(|column| column.unit == "s");
    let times = columns.filter_map(|column| match &column.data {
        Data::Numbers(values) => values.iter().copied().reduce(f64::max),
        _ => None,
    });
    times.fold(0.0, f64::max)
}

fn has_record(value: &Value) -> bool {
    match value {
        Value::Record(_) => true,
        Value::List(values) => values.iter().any(has_record),
        _ => false,
    }
}

/// Values of the coarse list that are not in the fine one, to a relative tolerance.
pub(crate) fn lost(coarse: &Outcome, fine: &Outcome, names: &[&str], tolerance: f64) -> Vec<String> {
    let mut found = Vec::new();
    for name in names {
        let list = |outcome: &Outcome| outcome.quantity(name).map(numbers).unwrap_or_default();
        let fine = list(fine);
        for value in list(coarse) {
            if !fine.iter().any(|other| (value - other).abs() <= tolerance * value.abs()) {
                found.push(format!("{name} has {value} on the given grid, but {fine:?} in the second run"));
            }
        }
    }
    found
}
