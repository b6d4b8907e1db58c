//! Families of mechanisms that differ in one or several parameters.

use super::StudyError;
use crate::dataset::number;
use serde_json::Value as Json;
use std::marker::PhantomData;
use stiction::Problem;
use stiction::analysis::AnalysisError;
use stiction::mechanism::Mechanism;

/// Mechanisms of one kind that differ in one or several parameters.
#[derive(Debug, Clone)]
pub(super) struct Family<M> {
    template: Json,
    parameters: Vec<Parameter>,
    kind: PhantomData<M>,
}

#[derive(Debug, Clone)]
struct Parameter {
    /// Its key below the system.
    key: String,
    path: Vec<String>,
}

impl<M: Mechanism> Family<M> {
    /// The family of `mechanism` along `parameter`, a key below the system; `key` is where the user said so.
    pub(super) fn of(mechanism: &M, parameter: &str, key: &str) -> Result<Self, StudyError> {
        Self::of_several(mechanism, &[(parameter, key)])
    }

    /// The family of `mechanism` along several parameters, each with the key where the user said so.
    pub(super) fn of_several(mechanism: &M, parameters: &[(&str, &str)]) -> Result<Self, StudyError> {
        let template =
            serde_json::to_value(mechanism).map_err(|error| StudyError::unsuitable("system", error.to_string()))?;
        let parameters: Result<Vec<_>, _> =
            parameters.iter().map(|(parameter, key)| Parameter::in_tree(&template, M::NAME, parameter, key)).collect();
        Ok(Self { parameters: parameters?, template, kind: PhantomData })
    }

    /// Keys of the parameters below the system.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|parameter| parameter.key.as_str())
    }

    /// The mechanism with this value of the (first) parameter.
    pub(super) fn at(&self, value: f64) -> Result<M, AnalysisError> {
        self.with(&[value]).map_err(|problem| {
            let key = self.keys().next().unwrap_or_default();
            let place = if problem.key.is_empty() { String::new() } else { format!("{}: ", problem.key) };
            AnalysisError::unsuitable(key, format!("{}: {place}{}", number(value), problem.message))
        })
    }

    /// The mechanism with these values of the parameters, in their order, or what is wrong with them.
    pub(super) fn with(&self, values: &[f64]) -> Result<M, Problem> {
        let mut tree = self.template.clone();
        for (parameter, value) in self.parameters.iter().zip(values) {
            if !value.is_finite() {
                return Err(Problem::new(
                    &parameter.key,
                    format!("is {}, but must be a finite number", number(*value)),
                ));
            }
            let place = parameter.path.iter().try_fold(&mut tree, |place, name| place.get_mut(name.as_str()));
            match place {
                Some(place) => *place = Json::from(*value),
                None => return Err(Problem::new(&parameter.key, "the parameter is gone".to_owned())),
            }
        }
        let mechanism: M = serde_json::from_value(tree).map_err(|error| Problem::new("", error.to_string()))?;
        match mechanism.problems().into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(mechanism),
        }
    }
}

impl Parameter {
    /// The parameter of that name, if there is such a number in the tree of a system.
    fn in_tree(template: &Json, system: &str, parameter: &str, key: &str) -> Result<Self, StudyError> {
        let unsuitable = |message: String| StudyError::unsuitable(key, message);
        let parameter = parameter.strip_prefix(&format!("system.{system}.")).unwrap_or(parameter);
        let path: Vec<String> = parameter.split('.').map(str::to_owned).collect();
        let mut place = template;
        let mut seen = String::new();
        for name in &path {
            let below = place.get(name.as_str());
            let Some(below) = below else {
                let known: Vec<String> = numbers(place, "");
                return Err(unsuitable(format!(
                    "`{parameter}` is not a parameter of this system; below `system.{system}{seen}` there are: {}",
                    known.join(", ")
                )));
            };
            seen = format!("{seen}.{name}");
            place = below;
        }
        if !place.is_number() {
            return Err(unsuitable(format!("`{parameter}` is not a number that can be varied")));
        }
        Ok(Self { key: parameter.to_owned(), path })
    }
}

/// Paths of all numbers below a place.
fn numbers(place: &Json, prefix: &str) -> Vec<String> {
    let Json::Object(entries) = place else { return Vec::new() };
    let mut found = Vec::new();
    for (name, value) in entries {
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        if value.is_number() {
            found.push(path);
        } else {
            found.extend(numbers(value, &path));
        }
    }
    found
}
