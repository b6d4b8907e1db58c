//! The value of what decides a claim, from the quantities and tables of a run.

use super::decisive::{Comparison, Condition, Expression, Function, Part, Selection, Wanted};
use super::verdict::shown;
use crate::dataset::{Column, Data, Outcome, Table, Value};
use stiction::num::statistics::{deviation, mean};

/// The value of an expression; where one of its numbers does not exist, it is missing.
///
/// # Errors
/// A sentence that says which name the run does not have, or what is not a single value.
pub(super) fn evaluate(expression: &Expression<'_>, outcome: &Outcome) -> Result<Value, String> {
    match expression {
        Expression::Selection(selection) => single(selection, outcome),
        Expression::Reduced(function, selection) => reduced(*function, selection, outcome),
        other => combined(other, &|leaf| evaluate(leaf, outcome)),
    }
}

/// The value of an expression from those of its leaves.
///
/// # Errors
/// Those of `leaf`.
pub(super) fn combined(
    expression: &Expression<'_>,
    leaf: &dyn Fn(&Expression<'_>) -> Result<Value, String>,
) -> Result<Value, String> {
    match expression {
        Expression::Number(number) => Ok(Value::Number(*number)),
        Expression::Combined(a, operator, b) => {
            let (a, b) = (combined(a, leaf)?, combined(b, leaf)?);
            let both = number(&a).zip(number(&b));
            Ok(both.map_or(Value::Missing, |(a, b)| Value::Number(operator.apply(a, b))))
        }
        other => leaf(other),
    }
}

/// The value as a finite number.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number).filter(|number| number.is_finite()),
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

/// The one value of a selection.
fn single(selection: &Selection<'_>, outcome: &Outcome) -> Result<Value, String> {
    if !selection.is_of_table() {
        return of_quantity(selection, outcome);
    }
    let values = values(selection, outcome)?;
    match <[Value; 1]>::try_from(values) {
        Ok([value]) => Ok(value),
        Err(values) if values.is_empty() => Ok(Value::Missing),
        Err(values) => Err(format!(
            "`{}` has {} such rows: name one of them, or ask for `max`, `min`, `mean`, `first` or `last`",
            selection.name,
            values.len()
        )),
    }
}

fn of_quantity(selection: &Selection<'_>, outcome: &Outcome) -> Result<Value, String> {
    let name = selection.name;
    let Some(value) = outcome.quantity(name) else {
        return Err(format!("the run has no quantity `{name}`"));
    };
    match (&selection.part, value) {
        (Part::Whole, value) => Ok(value.clone()),
        // an entry that a list does not have is a value that there is not, as the band `missing` may ask for
        (Part::Entry(index), Value::List(list)) => Ok(list.get(*index).cloned().unwrap_or(Value::Missing)),
        (Part::Length, Value::List(list)) => Ok(Value::from(list.len())),
        (_, other) => Err(format!("`{name}` is {}, not a list", shown(other))),
    }
}

fn reduced(function: Function, selection: &Selection<'_>, outcome: &Outcome) -> Result<Value, String> {
    if let Function::Count | Function::Share = function {
        let table = table(selection, outcome)?;
        let count = rows(table, &selection.part)?.len();
        let share = || (table.rows() > 0).then(|| count as f64 / table.rows() as f64);
        return Ok(if function == Function::Count { count.into() } else { share().into() });
    }
    let values = values(selection, outcome)?;
    let exist = |value: &&Value| number(value).is_some() || matches!(value, Value::Word(_) | Value::Flag(_));
    let numbers: Vec<f64> = values.iter().filter_map(number).collect();
    let in_order = |ordered: fn(f64, f64) -> bool| {
        let enough = numbers.len() > 1;
        Value::Flag(enough && numbers.windows(2).all(|pair| ordered(pair[0], pair[1])))
    };
    Ok(match function {
        Function::Max => numbers.into_iter().reduce(f64::max).into(),
        Function::Min => numbers.into_iter().reduce(f64::min).into(),
        Function::Mean => mean(numbers).into(),
        Function::Std => deviation(&numbers).into(),
        Function::First => values.iter().find(exist).cloned().unwrap_or(Value::Missing),
        Function::Last => values.iter().rev().find(exist).cloned().unwrap_or(Value::Missing),
        Function::Rises => in_order(|a, b| a < b),
        Function::Falls => in_order(|a, b| a > b),
        Function::Count | Function::Share => Value::Missing,
    })
}

/// The values of a selection: those of a list, or of the rows of a column.
fn values(selection: &Selection<'_>, outcome: &Outcome) -> Result<Vec<Value>, String> {
    if !selection.is_of_table() {
        return match of_quantity(selection, outcome)? {
            Value::List(list) => Ok(list),
            other => Ok(vec![other]),
        };
    }
    let table = table(selection, outcome)?;
    let Some(name) = selection.column else {
        return Err(format!("`{}` is a table: name one of its columns, or ask for `count` or `share`", table.name));
    };
    let column = column(table, name)?;
    Ok(rows(table, &selection.part)?.into_iter().map(|row| entry(column, row)).collect())
}

fn table<'o>(selection: &Selection<'_>, outcome: &'o Outcome) -> Result<&'o Table, String> {
    let found = outcome.tables.iter().find(|table| table.name == selection.name);
    found.ok_or_else(|| format!("the run has no table `{}`, or one that is too long for a claim", selection.name))
}

fn column<'t>(table: &'t Table, name: &str) -> Result<&'t Column, String> {
    table.column(name).ok_or_else(|| format!("table `{}` has no column `{name}`", table.name))
}

/// The value of a column in a row; a number that does not exist is missing.
fn entry(column: &Column, row: usize) -> Value {
    let found = match &column.data {
        Data::Numbers(values) => values.get(row).filter(|value| !value.is_nan()).map(|value| Value::Number(*value)),
        Data::Integers(values) => values.get(row).map(|value| Value::Integer(*value)),
        Data::Words(values) => values.get(row).map(|value| Value::Word(value.clone())),
    };
    found.unwrap_or(Value::Missing)
}

/// The rows of a table that a part names.
fn rows(table: &Table, part: &Part<'_>) -> Result<Vec<usize>, String> {
    let all: Vec<usize> = (0..table.rows()).collect();
    match part {
        Part::Whole => Ok(all),
        Part::Entry(index) => Ok(all.get(*index).copied().into_iter().collect()),
        Part::Length => Err(format!("`{}.len` is not known for a table: ask for `count({0})`", table.name)),
        Part::Rows(conditions) => conditions.iter().try_fold(all, |left, condition| met(table, &left, condition)),
    }
}

/// The rows out of `left` that meet a condition.
fn met(table: &Table, left: &[usize], condition: &Condition<'_>) -> Result<Vec<usize>, String> {
    let column = column(table, condition.column)?;
    let numbers = || left.iter().filter_map(|row| number(&entry(column, *row)));
    let wanted = match condition.value {
        Wanted::Number(value) => Ok(value),
        Wanted::Largest => Ok(numbers().fold(f64::NEG_INFINITY, f64::max)),
        Wanted::Smallest => Ok(numbers().fold(f64::INFINITY, f64::min)),
        Wanted::Word(word) => Err(word),
    };
    let meets = |row: &usize| match (entry(column, *row), wanted) {
        (Value::Word(found), Err(word)) => match condition.comparison {
            Comparison::Equal => found == word,
            Comparison::NotEqual => found != word,
            _ => false,
        },
        (value, Ok(wanted)) => number(&value).is_some_and(|value| compares(value, condition.comparison, wanted)),
        _ => false,
    };
    Ok(left.iter().copied().filter(meets).collect())
}

/// Compares numbers; equal are those that differ by rounding only.
fn compares(value: f64, comparison: Comparison, wanted: f64) -> bool {
    let equal = (value - wanted).abs() <= 1e-9 * value.abs().max(wanted.abs());
    match comparison {
        Comparison::Equal => equal,
        Comparison::NotEqual => !equal,
        Comparison::Less => value < wanted && !equal,
        Comparison::AtMost => value <= wanted || equal,
        Comparison::Greater => value > wanted && !equal,
        Comparison::AtLeast => value >= wanted || equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome {
        let mut outcome = Outcome::default();
        outcome.push("period", "s", 2.5);
        outcome.push("speeds", "m/s", vec![0.1, 0.2, 0.4]);
        let kinds = ["stick", "slip", "slip", "stick"].map(str::to_owned).to_vec();
        let table = Table::new("curve", "")
            .numbers("load", "N", "", vec![1.0, 2.0, 0.1 + 0.2, 4.0])
            .numbers("force", "N", "", vec![5.0, 9.0, f64::NAN, 7.0])
            .words("kind", "", kinds);
        outcome.tables.push(table);
        outcome
    }

    #[test]
    fn expressions_over_tables_and_quantities_have_the_values_that_they_say() {
        for (text, value) in [
            ("curve.force[load = 2]", Value::Number(9.0)),
            ("curve.force[load = 0.3]", Value::Missing),
            ("curve.force[load = 7]", Value::Missing),
            ("curve.load[force = max]", Value::Number(2.0)),
            ("curve.load[kind = stick, force = min]", Value::Number(1.0)),
            ("curve.kind[load = 4]", Value::Word("stick".to_owned())),
            ("max(curve.force)", Value::Number(9.0)),
            ("min(curve.load[kind = slip])", Value::Number(0.1 + 0.2)),
            ("mean(curve.force)", Value::Number(7.0)),
            ("std(curve.force)", Value::Number(2.0)),
            ("last(curve.force[load < 4])", Value::Number(9.0)),
            ("count(curve[kind = slip])", Value::Integer(2)),
            ("count(curve[load >= 2, kind != slip])", Value::Integer(1)),
            ("share(curve[kind = stick])", Value::Number(0.5)),
            ("rises(speeds)", Value::Flag(true)),
            ("falls(curve.force)", Value::Flag(false)),
            ("max(speeds) - speeds[0] * 2", Value::Number(0.2)),
            ("-(period - 0.5) / 2e0", Value::Number(-1.0)),
            ("period / curve.force[load = 0.3]", Value::Missing),
        ] {
            let expression = Expression::parse(text).unwrap();
            assert_eq!(evaluate(&expression, &outcome()), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_not_one_value_or_not_there_is_said() {
        for (text, reason) in [
            ("curve.force[kind = slip]", "2 such rows"),
            ("curves.force", "no table `curves`"),
            ("curve.forces[load = 1]", "no column `forces`"),
            ("max(curve[load = 1])", "name one of its columns"),
            ("speed", "no quantity `speed`"),
        ] {
            let expression = Expression::parse(text).unwrap();
            let found = evaluate(&expression, &outcome());
            assert!(found.as_ref().is_err_and(|found| found.contains(reason)), "{text}: {found:?}");
        }
    }
}
