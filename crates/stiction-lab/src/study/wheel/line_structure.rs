//! The line where the wheel is at rest on the turntable, over the displacement of the slider.

use super::{column, dynamics, finite, list, range, value, word, words};
use crate::dataset::{Outcome, Table, Value};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Cancelled;
use stiction::analysis::wheel::line_structure::{LinePoint, Threshold, line_point, thresholds};
use stiction::system::wheel::line::{Ray, StickRay};

const KEY: &str = "study.line_structure";

/// Motions into and out of the line v = 0, ω = ω₀ over r: where they appear and disappear, and where friction holds the wheel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LineStructure {
    /// Range of r \[m\].
    pub range: [f64; 2],
    /// Cells of the search for thresholds.
    #[schemars(range(min = 10, max = 100_000))]
    pub cells: usize,
    /// Displacements \[m\] at which every ray is listed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<f64>,
    /// Number of displacements in the table of rays over r.
    #[schemars(range(min = 2, max = 100_000))]
    pub points: usize,
}

impl Default for LineStructure {
    fn default() -> Self {
        Self { range: [-0.4, 1.0], cells: 700, positions: Vec::new(), points: 701 }
    }
}

impl Study for LineStructure {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let dynamics = dynamics(context)?;
        let (low, high) = range(&format!("{KEY}.range"), self.range)?;
        finite(&format!("{KEY}.positions"), &self.positions)?;
        if dynamics.si == 0.0 {
            let message = "is along the slit: there the line of rest is not isolated; choose another angle";
            return Err(StudyError::of_system("wheel_angle", message));
        }
        context.progress.begin("line of rest", self.points as u64 + 1);
        let found = thresholds(&dynamics, (low, high), self.cells);
        context.progress.advance(1);
        let places: Vec<f64> =
            (0..self.points).map(|k| low + (high - low) * k as f64 / (self.points.max(2) - 1) as f64).collect();
        let line = crate::parallel::map(&places, |r| {
            if context.progress.cancelled() {
                return Err(Cancelled);
            }
            context.progress.advance(1);
            Ok(line_point(&dynamics, *r))
        })?;
        let mut outcome = Outcome::default();
        outcome.push("threshold_r", "m", list(&found, |threshold| threshold.r));
        outcome.push("threshold_change", "", list(&found, |threshold| value(&threshold.change)));
        let listed: Vec<LinePoint> = self.positions.iter().map(|r| line_point(&dynamics, *r)).collect();
        push_points(&mut outcome, &listed);
        outcome.tables.push(threshold_table(&found));
        outcome.tables.push(ray_table("rays", &line));
        outcome.tables.push(outgoing_table(&line));
        outcome.tables.push(ray_table("listed_rays", &listed));
        Ok(outcome)
    }
}

/// A ray with its name.
fn rays(point: &LinePoint) -> impl Iterator<Item = (&'static str, &Ray)> {
    point.minus.iter().map(|ray| ("minus", ray)).chain(point.plus.iter().map(|ray| ("plus", ray)))
}

fn push_points(outcome: &mut Outcome, points: &[LinePoint]) {
    outcome.push("positions", "m", list(points, |point| point.r));
    let stick = |ray: &StickRay| {
        let parts: [(&str, Value); 4] = [
            ("sign", ray.sign.into()),
            ("angle", ray.angle().into()),
            ("region", ray.region.name().into()),
            ("rate", ray.rate.into()),
        ];
        Value::Record(parts.map(|(name, value)| (name.to_owned(), value)).into())
    };
    outcome.push("sticking_rays", "", list(points, |point| vec![stick(&point.forward), stick(&point.backward)]));
    outcome.push("outgoing", "", list(points, |point| value(&point.outgoing)));
    outcome.push("lock_force", "N", list(points, |point| point.lock.map(|lock| lock.force)));
    outcome.push("lock_moment", "N m", list(points, |point| point.lock.map(|lock| lock.moment)));
}

fn threshold_table(found: &[Threshold]) -> Table {
    Table::new("thresholds", "displacements at which the structure of the line changes")
        .numbers("r", "m", "displacement r", column(found, |threshold| threshold.r))
        .words("change", "what changes", words(found, |threshold| word(&threshold.change)))
}

fn ray_table(name: &str, points: &[LinePoint]) -> Table {
    let rows: Vec<(f64, &str, Ray)> =
        points.iter().flat_map(|point| rays(point).map(|(side, ray)| (point.r, side, *ray))).collect();
    let direction = |rate: f64| if rate > 0.0 { "out of the line" } else { "into the line" }.to_owned();
    Table::new(name, "slipping motions straight into the line or out of it")
        .numbers("r", "m", "displacement r", column(&rows, |row| row.0))
        .numbers("angle", "rad", "angle θ of (h, g)", column(&rows, |row| row.2.angle))
        .numbers("rate", "m/s per τ", "rate ρ′", column(&rows, |row| row.2.rate))
        .words("side", "side", words(&rows, |row| row.1.to_owned()))
        .words("direction", "direction", words(&rows, |row| direction(row.2.rate)))
        .words(
            "stability",
            "in angle",
            words(&rows, |row| if row.2.attracting { "attracting" } else { "repelling" }.to_owned()),
        )
}

fn outgoing_table(points: &[LinePoint]) -> Table {
    let rows: Vec<_> = points.iter().flat_map(|point| point.outgoing.iter().map(|motion| (point.r, *motion))).collect();
    Table::new("outgoing", "every motion out of the line, and rest where friction can hold the wheel")
        .numbers("r", "m", "displacement r", column(&rows, |row| row.0))
        .words("kind", "motion", words(&rows, |row| word(&row.1.kind).replace('_', " ")))
        .numbers("angle", "rad", "angle θ of (h, g)", column(&rows, |row| row.1.angle))
        .numbers("rate", "m/s per τ", "rate ρ′", column(&rows, |row| row.1.rate))
}
