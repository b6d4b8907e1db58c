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
    /// Whether the values are spaced evenly in their logarithm.
    #[serde(default)]
    pub logarithmic: bool,
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
