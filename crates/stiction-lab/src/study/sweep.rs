//! Values of one parameter.

use super::StudyError;
use crate::dataset::number;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Values of one parameter of the system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// The parameter: a key below the system, for instance `drive_speed` or `law.two_slope.crossover_speed`.
    #[serde(default = "super::spring_block::drive_speed")]
    pub parameter: String,
    /// First value, in the unit of the parameter.
    pub from: f64,
    /// Last value, in the unit of the parameter.
    pub to: f64,
    /// Number of values, both ends included.
    #[schemars(range(min = 2, max = 100_000))]
    pub points: usize,
    /// Whether the values have equal differences or equal ratios.
    #[serde(default)]
    pub scale: Spacing,
}

/// How values are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spacing {
    /// Equal differences.
    #[default]
    Linear,
    /// Equal ratios.
    Log,
}

impl Spacing {
    /// The value of number `index` from one end to the other, which has number `last`; both ends are exact.
    pub(crate) fn value(self, (from, to): (f64, f64), index: u64, last: u64) -> f64 {
        match (index, self) {
            (0, _) => from,
            (index, _) if index >= last => to,
            (index, Spacing::Linear) => from + (to - from) * index as f64 / last as f64,
            (index, Spacing::Log) => from * stiction::num::real::pow(to / from, index as f64 / last as f64),
        }
    }
}

impl Sweep {
    /// Evenly spaced values of a parameter.
    pub fn even(parameter: &str, from: f64, to: f64, points: usize) -> Self {
        Self { parameter: parameter.to_owned(), from, to, points, scale: Spacing::Linear }
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
        if self.scale == Spacing::Log && from <= 0.0 {
            let message = format!("{} is not positive: logarithmic spacing needs a positive range", number(from));
            return Err(StudyError::unsuitable(format!("{key}.from"), message));
        }
        let points = points as u64;
        Ok((0..points).map(|index| self.scale.value((from, to), index, points - 1)).collect())
    }
}
