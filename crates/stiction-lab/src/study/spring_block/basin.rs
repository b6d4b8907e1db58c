//! Which attractor a motion ends on, over the plane of displacement and velocity.

use super::attractors::forward;
use crate::dataset::{Outcome, Table, number};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Budget;
use stiction::analysis::spring_block::{Basins, Fate, Orbits};
use stiction::keys::Key;
use stiction::memory::{Need, WORD};

/// Which attractor a motion ends on, over the plane of displacement and velocity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Basin {
    /// Smallest and largest displacement \[m\]; by default around all attractors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub displacement: Option<[f64; 2]>,
    /// Smallest and largest velocity [m/s]; by default around all attractors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<[f64; 2]>,
    /// Number of displacements.
    #[serde(default = "cells")]
    #[schemars(range(min = 2, max = 4000))]
    pub columns: usize,
    /// Number of velocities.
    #[serde(default = "cells")]
    #[schemars(range(min = 2, max = 4000))]
    pub rows: usize,
}

fn cells() -> usize {
    200
}

impl Study for Basin {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let given = context.spring_block()?;
        let (block, mirror) = forward(given);
        context.progress.begin("attractors", 1);
        let budget = Budget::of(1, context.progress);
        let basins = Basins::around(Orbits::without_aging(&block, context.solver)?.within(&budget))?;
        let found = &basins.attractors;
        let side = if mirror { -1.0 } else { 1.0 };
        let largest = found
            .oscillations
            .iter()
            .map(|cycle| cycle.max_displacement)
            .chain(found.stick_slip.map(|cycle| cycle.max_displacement))
            .chain(found.through.map(|cycle| cycle.max_displacement))
            .chain([found.sliding.displacement, block.static_force(0.0) / block.stiffness])
            .fold(0.0, f64::max);
        let speed = largest * (block.stiffness / block.mass).sqrt();
        let displacement = range(self.displacement, [-1.3 * largest, 1.3 * largest], "study.basin.displacement")?;
        let reach = 1.4 * speed.max(block.drive_speed);
        let velocity = range(self.velocity, [-reach, reach], "study.basin.velocity")?;
        let (xs, vs) = (grid(displacement, self.columns), grid(velocity, self.rows));
        let seen = |values: &[f64]| values.iter().map(|value| side * value).collect::<Vec<f64>>();
        let fates = basins.map(&seen(&xs), &seen(&vs), context.progress)?;
        let mut outcome = Outcome::default();
        outcome.push("attractors", "", found.classes());
        for class in ["CS", "OS", "SS", "through", "continuum", "undecided"] {
            let share = fates.iter().filter(|fate| fate.class() == class).count() as f64 / fates.len() as f64;
            outcome.push(&format!("share_{}", class.to_lowercase()), "", share);
        }
        let start = basins.fate(block.start.displacement, block.start.velocity.unwrap_or(block.drive_speed))?;
        outcome.push("start_ends_on", "", start.class());
        outcome.tables.push(
            Table::new("basin", "the attractor on which the motion from each point of the plane ends")
                .numbers("displacement", "m", "displacement x", vs.iter().flat_map(|_| xs.iter().copied()).collect())
                .numbers(
                    "velocity",
                    "m/s",
                    "velocity dx/dt",
                    vs.iter().flat_map(|v| xs.iter().map(move |_| *v)).collect(),
                )
                .words(
                    "attractor",
                    "attractor",
                    fates.iter().map(|fate| name(*fate, found.oscillations.len())).collect(),
                ),
        );
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::orbits(system)
    }

    fn needs(&self) -> Vec<Need> {
        let [columns, rows] = [self.columns, self.rows].map(|count| count as f64);
        vec![
            Need::new(Key::study("columns"), columns, columns * rows, "points of the plane", 48.0 + WORD)
                .or("rows", rows),
        ]
    }
}

/// The class of an attractor; oscillations are numbered where there are several.
fn name(fate: Fate, oscillations: usize) -> String {
    match fate {
        Fate::Oscillation(index) if oscillations > 2 => format!("OS {}", index + 1),
        other => other.class().to_owned(),
    }
}

fn range(given: Option<[f64; 2]>, default: [f64; 2], key: &str) -> Result<[f64; 2], StudyError> {
    let [low, high] = given.unwrap_or(default);
    if low < high {
        Ok([low, high])
    } else {
        Err(StudyError::unsuitable(
            key,
            format!("[{}, {}]: the first value must be below the second", number(low), number(high)),
        ))
    }
}

/// Centres of `count` equal cells.
fn grid([low, high]: [f64; 2], count: usize) -> Vec<f64> {
    (0..count).map(|i| low + (high - low) * (i as f64 + 0.5) / count as f64).collect()
}
