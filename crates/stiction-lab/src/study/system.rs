//! The mechanism of a scenario, and families of mechanisms that differ in one or several parameters.

use super::StudyError;
use crate::dataset::number;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use stiction::Problem;
use stiction::analysis::AnalysisError;
use stiction::law::AgingLaw;
use stiction::system::SpringBlock;

/// The mechanism of a scenario, chosen by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnySystem {
    /// A block on a moving surface, held by a spring.
    SpringBlock(SpringBlock),
}

impl AnySystem {
    /// The name under which a scenario chooses the mechanism.
    pub fn name(&self) -> &'static str {
        match self {
            AnySystem::SpringBlock(_) => "spring_block",
        }
    }

    /// What is wrong with the parameters beyond their single ranges (empty if nothing).
    pub fn problems(&self) -> Vec<Problem> {
        let problems = match self {
            AnySystem::SpringBlock(block) => block.problems(),
        };
        problems.into_iter().map(|problem| problem.below(self.name())).collect()
    }
}

/// Values of one parameter of the system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// The parameter: a key below the system, for instance `drive_speed` or `law.two_slope.crossover_speed`.
    #[serde(default = "drive_speed")]
    pub parameter: String,
    /// First value, in the unit of the parameter.
    pub from: f64,
    /// Last value, in the unit of the parameter.
    pub to: f64,
    /// Number of values, both ends included.
    #[schemars(range(min = 2, max = 100_000))]
    pub points: usize,
    /// Whether the values are spaced evenly in their logarithm.
    #[serde(default)]
    pub logarithmic: bool,
}

pub(super) fn drive_speed() -> String {
    "drive_speed".to_owned()
}

impl Sweep {
    /// Evenly spaced values of a parameter.
    pub fn even(parameter: &str, from: f64, to: f64, points: usize) -> Self {
        Self { parameter: parameter.to_owned(), from, to, points, logarithmic: false }
    }

    /// The values.
    ///
    /// # Errors
    /// If the ends do not make a range.
    pub fn values(&self, key: &str) -> Result<Vec<f64>, StudyError> {
        let Self { from, to, points, .. } = *self;
        if from >= to {
            let message =
                format!("{} is not below `to`, which is {}: give the smaller value first", number(from), number(to));
            return Err(StudyError::unsuitable(format!("{key}.from"), message));
        }
        if self.logarithmic && from <= 0.0 {
            let message = format!("{} is not positive: logarithmic spacing needs a positive range", number(from));
            return Err(StudyError::unsuitable(format!("{key}.from"), message));
        }
        let last = (points - 1) as f64;
        Ok((0..points)
            .map(|i| match i {
                0 => from,
                i if i + 1 == points => to,
                i if self.logarithmic => from * stiction::num::real::pow(to / from, i as f64 / last),
                i => from + (to - from) * i as f64 / last,
            })
            .collect())
    }
}

/// Blocks that differ in one or several parameters.
#[derive(Debug, Clone)]
pub(super) struct Family {
    template: Json,
    parameters: Vec<Parameter>,
}

#[derive(Debug, Clone)]
struct Parameter {
    /// Its key below the system.
    key: String,
    path: Vec<String>,
}

impl Family {
    /// The family of `block` along `parameter`, a key below the system; `key` is where the user said so.
    pub(super) fn of(block: &SpringBlock, parameter: &str, key: &str) -> Result<Self, StudyError> {
        Self::of_several(block, &[(parameter, key)])
    }

    /// The family of `block` along several parameters, each with the key where the user said so.
    pub(super) fn of_several(block: &SpringBlock, parameters: &[(&str, &str)]) -> Result<Self, StudyError> {
        let template =
            serde_json::to_value(block).map_err(|error| StudyError::unsuitable("system", error.to_string()))?;
        let parameters: Result<Vec<_>, _> =
            parameters.iter().map(|(parameter, key)| Parameter::in_tree(&template, parameter, key)).collect();
        Ok(Self { parameters: parameters?, template })
    }

    /// Keys of the parameters below the system.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|parameter| parameter.key.as_str())
    }

    /// The block with this value of the (first) parameter.
    pub(super) fn block(&self, value: f64) -> Result<SpringBlock, AnalysisError> {
        self.with(&[value]).map_err(|problem| {
            let key = self.keys().next().unwrap_or_default();
            let place = if problem.key.is_empty() { String::new() } else { format!("{}: ", problem.key) };
            AnalysisError::unsuitable(key, format!("{}: {place}{}", number(value), problem.message))
        })
    }

    /// The block with these values of the parameters, in their order, or what is wrong with them.
    pub(super) fn with(&self, values: &[f64]) -> Result<SpringBlock, Problem> {
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
        let block: SpringBlock = serde_json::from_value(tree).map_err(|error| Problem::new("", error.to_string()))?;
        match out_of_range(&block).or_else(|| block.problems().into_iter().next()) {
            Some(problem) => Err(problem),
            None => Ok(block),
        }
    }
}

/// What a file would not be allowed to say: the reader of scenarios checks single ranges before there is a block.
fn out_of_range(block: &SpringBlock) -> Option<Problem> {
    let positive = [("mass", block.mass), ("stiffness", block.stiffness), ("normal_load", block.normal_load)];
    let wrong = positive.into_iter().find(|(_, value)| *value <= 0.0);
    let wrong = wrong.map(|(key, value)| Problem::new(key, format!("is {}, but must be > 0", number(value))));
    let ageing = || block.aging.iter().flat_map(AgingLaw::problems).next().map(|problem| problem.below("aging"));
    wrong.or_else(ageing)
}

impl Parameter {
    /// The parameter of that name, if there is such a number in the tree of a system.
    fn in_tree(template: &Json, parameter: &str, key: &str) -> Result<Self, StudyError> {
        let unsuitable = |message: String| StudyError::unsuitable(key, message);
        let parameter = parameter.strip_prefix("system.spring_block.").unwrap_or(parameter);
        let path: Vec<String> = parameter.split('.').map(str::to_owned).collect();
        let mut place = template;
        let mut seen = String::new();
        for name in &path {
            let below = place.get(name.as_str());
            let Some(below) = below else {
                let known: Vec<String> = numbers(place, "");
                return Err(unsuitable(format!(
                    "`{parameter}` is not a parameter of this system; below `system.spring_block{seen}` there are: {}",
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

/// Refuses a duration \[s\] that no computer lives to see: more than ten million periods of the block on its spring.
pub(super) fn check_duration(duration: f64, block: &SpringBlock, key: &str) -> Result<(), StudyError> {
    const MOST_PERIODS: f64 = 1e7;
    let periods = duration / block.natural_period();
    if periods <= MOST_PERIODS {
        return Ok(());
    }
    let message = format!(
        "{duration:e} s are {periods:e} periods of the block on its spring; at most {MOST_PERIODS:e} can be followed: shorten it to \
         {:e} s",
        MOST_PERIODS * block.natural_period()
    );
    Err(StudyError::unsuitable(key, message))
}

/// The unit of a parameter of the spring-block system, by the last name of its key.
pub(super) fn unit_of(parameter: &str) -> &'static str {
    match parameter.rsplit('.').next().unwrap_or(parameter) {
        "mass" => "kg",
        "stiffness" => "N/m",
        "drive_speed" | "crossover_speed" | "crossover_width" | "stribeck_speed" | "speed" | "velocity" => "m/s",
        "normal_load" => "N",
        "slope" | "low_speed_slope" | "high_speed_slope" | "viscous" | "f1" => "s/m",
        "f2" => "s²/m²",
        "f3" => "s³/m³",
        "time_constant" => "s",
        "displacement" | "microscopic_length" => "m",
        _ => "",
    }
}
