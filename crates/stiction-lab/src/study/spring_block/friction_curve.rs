//! Kinetic friction against speed, with its extrema.

use crate::dataset::{Outcome, Table, number};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::law::{Extremum, FrictionLaw, Law};

/// Kinetic friction against speed, with its extrema: of the system's own law, and of others beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrictionCurve {
    /// Largest speed [m/s], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub largest_speed: f64,
    /// Number of speeds.
    #[serde(default = "points")]
    #[schemars(range(min = 2, max = 1_000_000))]
    pub points: usize,
    /// Name of the system's own law in the table.
    #[serde(default = "own")]
    pub name: String,
    /// Other laws to show beside the system's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<NamedLaw>,
}

/// A law with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedLaw {
    /// Its name in the table.
    pub name: String,
    /// The law.
    pub law: Law,
}

fn points() -> usize {
    601
}

fn own() -> String {
    "law".to_owned()
}

impl Study for FrictionCurve {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let block = context.spring_block()?;
        for (index, other) in self.beside.iter().enumerate() {
            if let Some(problem) = other.law.problems().into_iter().next() {
                let key = format!("study.friction_curve.beside.{index}.law.{}", problem.key);
                return Err(StudyError::unsuitable(key, problem.message));
            }
        }
        let laws = self.beside.iter().map(|other| (&other.name, &other.law)).chain([(&self.name, &block.law)]);
        let mut rows: Vec<(String, f64, f64, f64)> = Vec::new();
        let mut outcome = Outcome::default();
        for (name, law) in laws {
            let mut negative: Option<f64> = None;
            for i in 0..self.points {
                let speed = self.largest_speed * i as f64 / (self.points - 1) as f64;
                let (value, slope) = law.kinetic_with_slope(speed);
                if value < 0.0 && negative.is_none() {
                    negative = Some(speed);
                }
                rows.push((name.clone(), speed, block.normal_load * value, block.normal_load * slope));
            }
            if let Some(speed) = negative {
                outcome.warnings.push(format!(
                    "`{name}` is negative from {} m/s on: motions that come to such speeds are refused",
                    number(speed)
                ));
            }
            let extrema = law.extrema(self.largest_speed);
            let word = |text: &str| text.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
            let key = word(name);
            let column = |of: fn(&Extremum) -> f64| extrema.iter().map(of).collect::<Vec<f64>>();
            let load = block.normal_load;
            outcome.push(&format!("{key}_extremum_speeds"), "m/s", column(|extremum| extremum.speed));
            let scaled = |values: Vec<f64>| values.into_iter().map(|value| load * value).collect::<Vec<f64>>();
            outcome.push(&format!("{key}_extremum_forces"), "N", scaled(column(|extremum| extremum.value)));
            outcome.push(&format!("{key}_extremum_second"), "N s²/m²", scaled(column(|extremum| extremum.second)));
            outcome.push(&format!("{key}_extremum_third"), "N s³/m³", scaled(column(|extremum| extremum.third)));
            outcome.push(&format!("{key}_kinetic_at_rest"), "N", load * law.kinetic(0.0));
            outcome.push(&format!("{key}_static_force"), "N", load * law.static_coefficient());
            outcome.push(&format!("{key}_extrema"), "", extrema.len());
        }
        outcome.tables.push(
            Table::new("friction", "kinetic friction force against sliding speed, law by law")
                .numbers("speed", "m/s", "sliding speed v", rows.iter().map(|row| row.1).collect())
                .numbers("force", "N", "kinetic friction F_K", rows.iter().map(|row| row.2).collect())
                .numbers("slope", "N s/m", "slope dF_K/dv", rows.iter().map(|row| row.3).collect())
                .words("law", "law", rows.into_iter().map(|row| row.0).collect()),
        );
        Ok(outcome)
    }
}
