//! Branches of oscillations without sticking, followed through folds.

use super::bifurcation::axis_label;
use super::{Family, branch_ends, drive_speed, unit_of};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::continuation as generic;
use stiction::analysis::spring_block::bifurcation::scan;
use stiction::analysis::spring_block::{CycleBranch, CyclePoint, cycle_branches};
use stiction::num::statistics::mean;

/// Branches of oscillations without sticking, followed through folds by pseudo-arclength.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Continuation {
    /// The parameter: a key below the system.
    #[serde(default = "drive_speed")]
    pub parameter: String,
    /// First value, in the unit of the parameter.
    pub from: f64,
    /// Last value, in the unit of the parameter.
    pub to: f64,
    /// Number of values at which oscillations are looked for to start a branch.
    #[serde(default = "seeds")]
    #[schemars(range(min = 2, max = 10_000))]
    pub seeds: usize,
    /// Longest step along a branch, as a fraction of the range of the parameter and of the largest amplitude [-].
    #[serde(default = "longest_step")]
    #[schemars(range(min = 1e-4, max = 0.5))]
    pub longest_step: f64,
    /// Most points of a branch in one direction.
    #[serde(default = "max_points")]
    #[schemars(range(min = 10, max = 1_000_000))]
    pub max_points: usize,
}

fn seeds() -> usize {
    24
}

fn longest_step() -> f64 {
    0.02
}

fn max_points() -> usize {
    5000
}

impl Study for Continuation {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let block = context.spring_block()?;
        let sweep = Sweep::even(&self.parameter, self.from, self.to, self.seeds);
        let values = sweep.values("study.continuation")?;
        let family = Family::of(block, &self.parameter, "study.continuation.parameter")?;
        let make = |value: f64| family.at(value);
        let points = scan(&make, &values, context.solver, context.progress)?;
        let known: Vec<_> = points.iter().map(|point| (point.value, &point.attractors)).collect();
        let settings = generic::Continuation {
            first_step: 0.5 * self.longest_step,
            longest_step: self.longest_step,
            max_points: self.max_points,
            ..generic::Continuation::default()
        };
        let branches = cycle_branches(&make, &known, settings, context.solver, context.progress)?;
        let mut outcome = Outcome::default();
        let word = if self.parameter == "drive_speed" { "speeds" } else { "values" };
        let mut folds: Vec<f64> = branches.iter().flat_map(|branch| branch.folds.iter().copied()).collect();
        folds.sort_by(f64::total_cmp);
        outcome.push(&format!("fold_{word}"), unit_of(&self.parameter), folds);
        outcome.push("branches", "", branches.len());
        outcome.push("points", "", branches.iter().map(|branch| branch.points.len()).sum::<usize>());
        let periods = branches.iter().flat_map(|branch| branch.points.iter().map(|p| p.oscillation.period));
        outcome.push("mean_period", "s", mean(periods));
        outcome.tables.push(table(&branches, &self.parameter));
        branch_ends::report(&mut outcome, &branches, &self.parameter, 0);
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::orbits(system)
    }
}

fn table(branches: &[CycleBranch], parameter: &str) -> Table {
    let rows: Vec<(usize, &CyclePoint)> = branches
        .iter()
        .enumerate()
        .flat_map(|(index, branch)| branch.points.iter().map(move |point| (index, point)))
        .collect();
    let column = |of: fn(&CyclePoint) -> f64| rows.iter().map(|(_, point)| of(point)).collect::<Vec<f64>>();
    let name = parameter.rsplit('.').next().unwrap_or(parameter).to_owned();
    let stability = |stable: bool| if stable { "stable" } else { "unstable" }.to_owned();
    Table::new("oscillations", "oscillations without sticking, in order along their branches")
        .numbers(&name, unit_of(parameter), &axis_label(parameter), column(|point| point.value))
        .numbers(
            "max_displacement",
            "m",
            "largest displacement max x",
            column(|point| point.oscillation.max_displacement),
        )
        .numbers(
            "min_displacement",
            "m",
            "smallest displacement min x",
            column(|point| point.oscillation.min_displacement),
        )
        .numbers("period", "s", "period", column(|point| point.oscillation.period))
        .numbers("multiplier", "", "multiplier", column(|point| point.oscillation.multiplier))
        .numbers("fastest", "m/s", "largest velocity", column(|point| point.oscillation.fastest))
        .words("stability", "stability", rows.iter().map(|(_, point)| stability(point.oscillation.stable)).collect())
        .integers("branch", "branch", rows.iter().map(|(index, _)| *index as i64).collect())
}
