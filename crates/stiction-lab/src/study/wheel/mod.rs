//! Questions about the wheel on a turntable: what its equations leave open, and what can follow.

mod evaluate;
mod itinerary;
mod line_structure;
mod local_flow;
mod return_map;
mod smooth;
mod surface;
mod two_fold;
mod two_fold_map;
mod tyre;

pub use evaluate::{Evaluate, StatePlace, SurfacePlace};
pub use line_structure::LineStructure;
pub use local_flow::LocalFlow;
pub use return_map::{ExitPoint, Exits, GridOfExits, ReturnMap, SampledExits};
pub use smooth::Smooth;
pub use stiction::analysis::wheel::Itinerary;
pub use surface::Surface;
pub use two_fold::{TwoFold, TwoFolds};
pub use two_fold_map::{MapPlace, TwoFoldMap};
pub use tyre::{NamedTyre, Tyre};

use super::{Context, StudyError};
use crate::dataset::{Outcome, Table, Value};
use serde::Serialize;
use serde_json::Value as Json;
use stiction::analysis::AnalysisError;
use stiction::analysis::wheel::itinerary::Itinerary as Request;
use stiction::system::wheel::Dynamics;

/// An error of a question that is a part of a study.
fn wrong(study: &str, error: AnalysisError) -> StudyError {
    StudyError::within(error, "wheel", study)
}

/// As [`wrong`] for a key of the table of runs; how finely motions are kept is a key of the study itself.
fn of_runs(table: &str, error: AnalysisError) -> StudyError {
    match error {
        AnalysisError::Memory(excess) if excess.key.path != "max_events" => excess.into(),
        error => wrong(table, error),
    }
}

/// The equations of the wheel of a scenario, whose friction jumps.
fn dynamics(context: &Context<'_>) -> Result<Dynamics, StudyError> {
    let wheel = context.wheel()?;
    if wheel.regularisation.is_some() {
        let message = "makes a wheel without a switching surface, and this study is about the surface; remove it, or ask for \
                       [study.smooth]";
        return Err(StudyError::of_system("regularisation", message));
    }
    wheel.dynamics().map_err(|problems| match problems.into_iter().next() {
        Some(problem) => StudyError::of_system(problem.key, problem.message),
        None => StudyError::of_system("", "cannot be made"),
    })
}

/// A range [low, high] of a key, with low < high.
fn range(key: &str, [low, high]: [f64; 2]) -> Result<(f64, f64), StudyError> {
    if low.is_finite() && high.is_finite() && low < high {
        return Ok((low, high));
    }
    Err(StudyError::unsuitable(
        key,
        format!("is [{low}, {high}], but must be two finite numbers, the smaller one first"),
    ))
}

/// What is wrong with the first number that is not finite.
fn finite(key: &str, values: &[f64]) -> Result<(), StudyError> {
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(value) => Err(StudyError::unsuitable(key, format!("holds {value}, but must be finite"))),
    }
}

/// Values that the library describes by name, as the value of a quantity.
fn value(of: &impl Serialize) -> Value {
    serde_json::to_value(of).map_or(Value::Missing, from_json)
}

fn from_json(json: Json) -> Value {
    match json {
        Json::Null => Value::Missing,
        Json::Bool(flag) => Value::Flag(flag),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => number.as_f64().map_or(Value::Missing, Value::Number),
        },
        Json::String(word) => Value::Word(word),
        Json::Array(values) => Value::List(values.into_iter().map(from_json).collect()),
        Json::Object(parts) => Value::Record(parts.into_iter().map(|(name, value)| (name, from_json(value))).collect()),
    }
}

/// The word by which the library calls something.
fn word(of: &impl Serialize) -> String {
    match value(of) {
        Value::Word(word) => word,
        other => crate::dataset::readable_value(&other),
    }
}

/// A list over rows.
fn list<T, V: Into<Value>>(rows: &[T], of: impl Fn(&T) -> V) -> Vec<Value> {
    rows.iter().map(|row| of(row).into()).collect()
}

/// A column over rows.
fn column<T>(rows: &[T], of: impl Fn(&T) -> f64) -> Vec<f64> {
    rows.iter().map(of).collect()
}

/// A column of words over rows.
fn words<T>(rows: &[T], of: impl Fn(&T) -> String) -> Vec<String> {
    rows.iter().map(of).collect()
}

/// With the columns of the state (r, v, ω) of each row.
fn with_state<T>(table: Table, rows: &[T], of: impl Fn(&T) -> [f64; 3]) -> Table {
    let (mut r, mut v, mut omega) = (Vec::new(), Vec::new(), Vec::new());
    for [a, b, c] in rows.iter().map(of) {
        r.push(a);
        v.push(b);
        omega.push(c);
    }
    table.numbers("r", "m", "displacement r", r).numbers("v", "m/s", "speed of the slider v", v).numbers(
        "omega",
        "rad/s",
        "speed of the disc ω",
        omega,
    )
}

/// Every choice that decides where the equations do not.
fn push_policies(outcome: &mut Outcome, request: &Request, dynamics: &Dynamics) {
    outcome.push("line_policy", "", word(&request.line_policy).as_str());
    outcome.push("exit", "", request.exit.as_ref().map_or(Value::Word("none".to_owned()), value));
    outcome.push("duration_tau", "s/(kg m²)", request.length(dynamics));
}
