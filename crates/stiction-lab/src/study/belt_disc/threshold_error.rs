//! How far the threshold of the paper's algorithm moves a trajectory.

use super::{model, setting};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::belt_disc::{Sample, trajectory_difference};
use stiction::field::Germ;
use stiction::num::statistics::mean;
use stiction::system::BeltDisc;
use stiction::system::belt_disc::Policy;

const KEY: &str = "study.threshold_error";

/// Integrated squared difference of trajectories against the threshold of the policy `paper`: to that of the smallest threshold, and to
/// the exact policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ThresholdError {
    /// Thresholds [-], from the largest to the smallest.
    pub thresholds: Vec<f64>,
    /// Threshold of the reference [-].
    #[schemars(extend("exclusiveMinimum" = 0.0), range(max = 1.0))]
    pub reference: f64,
    /// Realisations that are compared.
    #[schemars(range(min = 1, max = 100_000))]
    pub realisations: usize,
    /// How long a motion is followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Time between samples \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub sample_step: f64,
}

impl Default for ThresholdError {
    fn default() -> Self {
        Self {
            thresholds: vec![1e-1, 1e-2, 1e-3, 1e-4],
            reference: 1e-5,
            realisations: 1,
            duration: 100.0,
            sample_step: 0.01,
        }
    }
}

/// Differences of one realisation, one entry a threshold.
#[derive(Serialize, Deserialize)]
struct Differences {
    to_reference: Vec<f64>,
    to_exact: Vec<f64>,
}

impl Study for ThresholdError {
    fn has_items(&self) -> bool {
        true
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        for (index, threshold) in self.thresholds.iter().enumerate() {
            if !(threshold.is_finite() && *threshold > 0.0 && *threshold <= 1.0) {
                let message = format!("is {threshold}, but must be above 0 and at most 1");
                return Err(StudyError::unsuitable(format!("{KEY}.thresholds.{index}"), message));
            }
        }
        if self.thresholds.is_empty() {
            return Err(StudyError::unsuitable(format!("{KEY}.thresholds"), "is empty"));
        }
        let indices: Vec<u64> = (0..self.realisations as u64).collect();
        let found = context.all_items(
            "realisations",
            &indices,
            |here, index| self.differences(disc, here, *index),
            |_| false,
        )?;
        let column = |of: fn(&Differences) -> &Vec<f64>, at: usize| -> Vec<f64> {
            found.iter().filter_map(|one| of(one).get(at).copied()).collect()
        };
        let places = 0..self.thresholds.len();
        let to_reference: Vec<Vec<f64>> = places.clone().map(|at| column(|one| &one.to_reference, at)).collect();
        let to_exact: Vec<Vec<f64>> = places.map(|at| column(|one| &one.to_exact, at)).collect();
        let means = |of: &[Vec<f64>]| {
            of.iter().map(|values| mean(values.iter().copied()).unwrap_or_default()).collect::<Vec<f64>>()
        };
        let mut outcome = Outcome::default();
        outcome.push("trajectory_difference", "m² s", means(&to_reference));
        outcome.push("difference_to_exact", "m² s", means(&to_exact));
        let extreme = |of: &[Vec<f64>], pick: fn(f64, f64) -> f64| -> Vec<f64> {
            of.iter().map(|values| values.iter().copied().reduce(pick).unwrap_or(f64::NAN)).collect()
        };
        outcome.tables.push(
            Table::new("differences", "integrated squared differences of trajectories, one row a threshold")
                .numbers("threshold", "", "threshold ε_λ", self.thresholds.clone())
                .numbers("difference", "m² s", "∫(x − x_ref)² dt", means(&to_reference))
                .numbers("difference_low", "m² s", "smallest", extreme(&to_reference, f64::min))
                .numbers("difference_high", "m² s", "largest", extreme(&to_reference, f64::max))
                .numbers("difference_to_exact", "m² s", "∫(x − x_exact)² dt", means(&to_exact)),
        );
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, true)
    }
}

impl ThresholdError {
    fn differences(&self, disc: &BeltDisc, context: &Context<'_>, index: u64) -> Result<Differences, StudyError> {
        let setting = setting(context, self.duration);
        let germ = Germ::new(context.seed, index);
        let path = |disc: &BeltDisc| -> Result<Vec<Sample>, StudyError> {
            if context.progress.cancelled() {
                return Err(stiction::analysis::Cancelled.into());
            }
            Ok(model(disc, self.duration, context.progress)?.trajectory(&germ, &setting, self.sample_step)?.1)
        };
        let paper = |threshold: f64| BeltDisc {
            policy: Policy::Paper,
            breakaway: None,
            onset: None,
            landing: None,
            landing_threshold: threshold,
            ..disc.clone()
        };
        let exact = BeltDisc { policy: Policy::Exact, breakaway: None, onset: None, landing: None, ..disc.clone() };
        let (reference, exact) = (path(&paper(self.reference))?, path(&exact)?);
        let mut found = Differences { to_reference: Vec::new(), to_exact: Vec::new() };
        for threshold in &self.thresholds {
            let samples = path(&paper(*threshold))?;
            found.to_reference.push(trajectory_difference(&samples, &reference).unwrap_or(f64::NAN));
            found.to_exact.push(trajectory_difference(&samples, &exact).unwrap_or(f64::NAN));
        }
        Ok(found)
    }
}
