//! The names that a formula knows: functions, constants, and what was probably meant by the others.

use super::error::FormulaError;
use super::machine::{Binary, Unary};
use std::collections::BTreeMap;

/// Names of the functions that a formula may use, with how many arguments each takes.
pub const FUNCTIONS: [(&str, usize); 20] = [
    ("exp", 1),
    ("ln", 1),
    ("log10", 1),
    ("sqrt", 1),
    ("abs", 1),
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("sign", 1),
    ("step", 1),
    ("min", 2),
    ("max", 2),
    ("pow", 2),
    ("atan2", 2),
];

/// A function by how many arguments it takes.
pub(super) enum Function {
    One(Unary),
    Two(Binary),
}

pub(super) fn function(name: &str) -> Option<Function> {
    use Function::{One, Two};
    Some(match name {
        "exp" => One(Unary::Exp),
        "ln" => One(Unary::Ln),
        "log10" => One(Unary::Log10),
        "sqrt" => One(Unary::Sqrt),
        "abs" => One(Unary::Abs),
        "sin" => One(Unary::Sin),
        "cos" => One(Unary::Cos),
        "tan" => One(Unary::Tan),
        "asin" => One(Unary::Asin),
        "acos" => One(Unary::Acos),
        "atan" => One(Unary::Atan),
        "sinh" => One(Unary::Sinh),
        "cosh" => One(Unary::Cosh),
        "tanh" => One(Unary::Tanh),
        "sign" => One(Unary::Sign),
        "step" => One(Unary::Step),
        "min" => Two(Binary::Min),
        "max" => Two(Binary::Max),
        "pow" => Two(Binary::Power),
        "atan2" => Two(Binary::Atan2),
        _ => return None,
    })
}

/// Constants that every formula knows.
pub(super) const BUILT_IN_CONSTANTS: [(&str, f64); 2] = [("pi", std::f64::consts::PI), ("e", std::f64::consts::E)];

/// Constants must be usable names that mean one thing only.
pub(super) fn check_constants(variables: &[&str], constants: &BTreeMap<String, f64>) -> Result<(), FormulaError> {
    for (name, value) in constants {
        let problem = |what: &str| Err(FormulaError::new(0, format!("constant `{}` {what}", name.escape_debug())));
        let mut letters = name.chars();
        let starts_well = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_');
        if !starts_well || !letters.all(|c| c.is_alphanumeric() || c == '_') {
            return problem("is not a name: use letters, digits and `_`, not starting with a digit");
        }
        if variables.contains(&name.as_str()) {
            return problem("has the name of the variable: choose another name");
        }
        if function(name).is_some() || BUILT_IN_CONSTANTS.iter().any(|(known, _)| known == name) {
            return problem("has the name of a built-in function or constant: choose another name");
        }
        if !value.is_finite() {
            return problem(&format!("is {value}: give a finite number"));
        }
    }
    Ok(())
}

/// The known name that was probably meant.
pub(super) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let scored = known.map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate));
    let (distance, best) = scored.min_by_key(|(distance, _)| *distance)?;
    let allowed = if name.chars().count() <= 2 { 1 } else { 2 };
    (distance <= allowed).then_some(best)
}

/// Names for a message.
pub(super) fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
