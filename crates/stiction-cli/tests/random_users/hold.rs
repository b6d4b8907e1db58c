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

/// Variances, standard deviations, coefficients of variation, errors and times.
fn is_spread(name: &str) -> bool {
    let starts = ["var_", "cv_", "period", "stick_time", "slip_time"];
    let ends = ["_std", "_se", "_error", "_variance", "_fraction"];
    starts.iter().any(|start| name.starts_with(start)) || ends.iter().any(|end| name.ends_with(end))
}

/// Energy that is neither in the motion nor taken by friction, relative to what went through friction and drive.
fn unbalanced(outcome: &Outcome) -> Option<String> {
    let number = |name: &str| match outcome.quantity(name) {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    };
    let residual = number("energy_residual")?;
    let through = number("bottom_energy")?.abs() + number("side_energy")?.abs();
    // tolerance 1e-12 a step, some thousand steps, and the work of the drive of the same order or larger
    (residual.abs() > 1e-6 * through.max(residual_scale(outcome)))
        .then(|| format!("energy_residual is {residual} where friction takes {through}"))
}

/// The kinetic energy at the end, by the final speed where nothing else is known.
fn residual_scale(outcome: &Outcome) -> f64 {
    match outcome.quantity("energy_scale") {
        Some(Value::Number(scale)) => *scale,
        _ => 0.0,
    }
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
        let Some(factor) = units.factor(&quantity.unit) else { continue };
        let Some(other) = second.quantity(name) else {
            found.push(format!("{name} is missing in other units"));
            continue;
        };
        let (own, other) = (numbers(&quantity.value), numbers(other));
        if own.len() != other.len() {
            found.push(format!("{name}: {own:?} against {other:?} in other units"));
        }
        // what is only rounding has no digits to compare
        if name.contains("residual") || name.ends_with("_error") {
            continue;
        }
        let size = own.iter().fold(size_of(first, quantity), |size, number| size.max(number.abs()));
        for (own, other) in own.iter().zip(&other) {
            let other = other / factor;
            if (own - other).abs() > tolerance * size {
                found.push(format!("{name} [{}]: {own} against {other} in other units", quantity.unit));
            }
        }
    }
    found
}

/// What a quantity is measured by: the largest one of its unit, or for a covariance the standard deviations.
fn size_of(outcome: &Outcome, quantity: &Quantity) -> f64 {
    let largest = |value: &Value| numbers(value).iter().fold(0.0f64, |size, number| size.max(number.abs()));
    if let Some(rest) = quantity.name.strip_prefix("cov_") {
        let parts = ["force_x", "force_y", "torque"].into_iter().filter(|part| rest.contains(part));
        let variances = parts.filter_map(|part| outcome.quantity(&format!("var_{part}")).map(largest));
        return variances.product::<f64>().sqrt();
    }
    let alike = outcome.quantities.iter().filter(|other| other.unit == quantity.unit && !other.unit.is_empty());
    alike.map(|other| largest(&other.value)).fold(0.0, f64::max)
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
