//! Families of mechanisms that differ in one or several parameters.

use super::StudyError;
use crate::dataset::number;
use serde_json::Value as Json;
use std::marker::PhantomData;
use stiction::Problem;
use stiction::analysis::AnalysisError;
use stiction::keys::{KeyPath, Parameter};
use stiction::mechanism::Mechanism;

/// Mechanisms of one kind that differ in one or several parameters.
#[derive(Debug, Clone)]
pub(super) struct Family<M> {
    template: Json,
    parameters: Vec<Parameter>,
    kind: PhantomData<M>,
}

/// The parameter of a mechanism by its key below the system; `key` is where the user said so.
pub(super) fn parameter<M: Mechanism>(mechanism: &M, name: &str, key: &str) -> Result<Parameter, StudyError> {
    Ok(Family::of(mechanism, name, key)?.parameters.remove(0))
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
        let found = parameters.iter().map(|(name, key)| {
            let path = KeyPath::from(*name);
            let path = path.behind(KeyPath::of(["system", M::NAME])).unwrap_or(path);
            let wrong = |problem: Problem| StudyError::unsuitable(*key, format!("`{path}` {}", problem.message));
            Parameter::of::<M>(&template, &path).map_err(wrong)
        });
        Ok(Self { parameters: found.collect::<Result<_, _>>()?, template, kind: PhantomData })
    }

    /// The parameters, in their order.
    pub(super) fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The first of them.
    pub(super) fn first(&self) -> &Parameter {
        &self.parameters[0]
    }

    /// The mechanism with this value of the (first) parameter.
    pub(super) fn at(&self, value: f64) -> Result<M, AnalysisError> {
        self.with(&[value]).map_err(|problem| {
            let own = self.parameters.first().map(Parameter::path).cloned().unwrap_or_default();
            let place = if problem.key == own { String::new() } else { format!("{}: ", problem.key) };
            AnalysisError::unsuitable(own, format!("{}: {place}{}", number(value), problem.message))
        })
    }

    /// The mechanism with these values of the parameters, in their order, or what is wrong with them.
    pub(super) fn with(&self, values: &[f64]) -> Result<M, Problem> {
        let mut tree = self.template.clone();
        for (parameter, value) in self.parameters.iter().zip(values) {
            parameter.set(&mut tree, *value)?;
        }
        let mechanism: M = serde_json::from_value(tree).map_err(|error| Problem::new("", error.to_string()))?;
        match mechanism.problems().into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(mechanism),
        }
    }
}
