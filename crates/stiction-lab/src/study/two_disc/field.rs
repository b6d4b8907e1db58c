//! Realisations of the interval field over the lower disc.

use crate::dataset::{Outcome, Table};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::AnalysisError;
use stiction::keys::Key;
use stiction::memory::{Need, WORD};

/// Maps of the static coefficient over the lower disc.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct IntervalFieldMaps {
    /// Number of realisations that are drawn.
    #[schemars(range(min = 1, max = 100))]
    pub maps: usize,
    /// Points of a map along one diameter.
    #[schemars(range(min = 3, max = 2000))]
    pub points: usize,
}

impl Default for IntervalFieldMaps {
    fn default() -> Self {
        Self { maps: 2, points: 241 }
    }
}

impl Study for IntervalFieldMaps {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let discs = context.two_disc()?;
        let Some(field) = &discs.field else {
            let message = "is missing: there is nothing to be shown; give `field = {}` for that of the paper";
            return Err(StudyError::unsuitable("system.two_disc.field", message));
        };
        let radius = discs.lower.radius;
        let place = |i: usize| radius * (2.0 * i as f64 / (self.points - 1) as f64 - 1.0);
        let (mut names, mut xs, mut ys, mut values) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for map in 0..self.maps {
            let coordinates = field.draw(radius, context.seed, map as u64);
            let surface = field.given(radius, &coordinates).map_err(AnalysisError::from)?;
            for i in 0..self.points {
                for j in 0..self.points {
                    let (x, y) = (place(i), place(j));
                    // a map is square; what lies beyond the disc is not there
                    let inside = x * x + y * y <= radius * radius * (1.0 + 1e-12);
                    let value = if inside { surface.at(x, y).0 } else { f64::NAN };
                    names.push((map + 1).to_string());
                    xs.push(x);
                    ys.push(y);
                    values.push(value);
                }
            }
        }
        let mut outcome = Outcome::default();
        let per_axis = field.per_axis(radius);
        outcome.push("coordinates", "", per_axis * per_axis);
        outcome.tables.push(
            Table::new("field", "realisations of the static coefficient, one row a point of a map")
                .words("realisation", "realisation", names)
                .numbers("x", "m", "x", xs)
                .numbers("y", "m", "y", ys)
                .numbers("coefficient", "", "static coefficient H_S", values),
        );
        Ok(outcome)
    }

    fn needs(&self) -> Vec<Need> {
        let (maps, points) = (self.maps as f64, self.points as f64);
        vec![
            Need::new(Key::study("points"), points, maps * points * points, "points of maps", WORD + 32.0)
                .squared()
                .or("maps", self.maps as f64),
        ]
    }
}
