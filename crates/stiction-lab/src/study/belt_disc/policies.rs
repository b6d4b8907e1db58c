//! The same realisation under several rules for the transitions.

use super::tables::{Named, motion_table};
use super::{model, setting};
use crate::dataset::Outcome;
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::belt_disc::{Event, Phase, Run, Sample, StickMeasure, trajectory_difference};
use stiction::field::Germ;
use stiction::system::BeltDisc;
use stiction::system::belt_disc::{BreakawayRule, LandingRule, OnsetRule, Policy};

const KEY: &str = "study.policies";

/// One realisation under several rules for the transitions, beside the exact ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Policies {
    /// The rules that are compared.
    pub variant: Vec<PolicyVariant>,
    /// Index of the realisation, as in a campaign.
    pub index: u64,
    /// How long the motion is followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Time between samples \[s\]; samples at transitions are added.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub sample_step: f64,
    /// Time after a breakaway in which a drop of the force is looked for \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub window: f64,
}

/// Rules with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyVariant {
    /// What the rules are called in tables and pictures.
    pub name: String,
    /// The set of rules that the others override.
    #[serde(default)]
    pub policy: Policy,
    /// When a stuck disc breaks away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakaway: Option<BreakawayRule>,
    /// How slip starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub onset: Option<OnsetRule>,
    /// How slip ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landing: Option<LandingRule>,
    /// The threshold [-]; by default that of the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub landing_threshold: Option<f64>,
}

impl Default for Policies {
    fn default() -> Self {
        Self { variant: Vec::new(), index: 0, duration: 20.0, sample_step: 0.01, window: 0.02 }
    }
}

impl Study for Policies {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        if self.variant.is_empty() {
            return Err(StudyError::unsuitable(format!("{KEY}.variant"), "is empty: name some rules"));
        }
        let germ = Germ::new(context.seed, self.index);
        let setting = setting(context, self.duration);
        let followed = |disc: &BeltDisc| -> Result<(Run, Vec<Sample>), StudyError> {
            Ok(model(disc, self.duration, context.progress)?.trajectory(&germ, &setting, self.sample_step)?)
        };
        let mut found = Vec::new();
        for variant in &self.variant {
            let (run, samples) = followed(&variant.of(disc))?;
            found.push((variant.name.as_str(), run, samples));
        }
        let exact = BeltDisc { policy: Policy::Exact, breakaway: None, onset: None, landing: None, ..disc.clone() };
        let (exact, exact_samples) = followed(&exact)?;
        let mut outcome = Outcome::default();
        let list = |of: &dyn Fn(&Run, &[Sample]) -> Option<f64>| -> Vec<Option<f64>> {
            found.iter().map(|(_, run, samples)| of(run, samples)).collect()
        };
        let breakaway = |run: &Run, number: usize| breakaways(run).nth(number).map(|event| event.time);
        let last = breakaways(&exact).count().checked_sub(1);
        outcome.push("policies", "", found.iter().map(|(name, ..)| *name).collect::<Vec<&str>>());
        outcome.push(
            "trajectory_difference",
            "m² s",
            list(&|_, samples| trajectory_difference(samples, &exact_samples)),
        );
        outcome.push("first_breakaway_time", "s", list(&|run, _| breakaway(run, 0)));
        outcome.push(
            "lag",
            "s",
            list(&|run, _| last.and_then(|last| breakaway(run, last).zip(breakaway(&exact, last))).map(|(a, b)| a - b)),
        );
        outcome.push("force_drop", "", list(&|run, samples| self.drop(run, samples)));
        outcome.push("stick_fraction", "", list(&|run, _| run.stick_fraction(StickMeasure::Raw)));
        let counted = |run: &Run| breakaways(run).count();
        outcome.push("breakaways", "", found.iter().map(|(_, run, _)| counted(run)).collect::<Vec<usize>>());
        let motions: Vec<Named<'_>> =
            found.iter().map(|(name, _, samples)| Named { name, samples: samples.as_slice() }).collect();
        outcome.tables.push(motion_table("policy", &motions, disc.belt_speed));
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, true)
    }
}

fn breakaways(run: &Run) -> impl Iterator<Item = &Event> {
    run.events.iter().filter(|event| event.kind == Phase::Slip)
}

impl PolicyVariant {
    fn of(&self, disc: &BeltDisc) -> BeltDisc {
        BeltDisc {
            policy: self.policy,
            breakaway: self.breakaway,
            onset: self.onset,
            landing: self.landing,
            landing_threshold: self.landing_threshold.unwrap_or(disc.landing_threshold),
            ..disc.clone()
        }
    }
}

impl Policies {
    /// Largest drop of the force within the window after a breakaway, below that at the end of the window, relative to it [-].
    fn drop(&self, run: &Run, samples: &[Sample]) -> Option<f64> {
        let one = |event: &Event| {
            let inside = samples.iter().filter(|s| s.time > event.time && s.time <= event.time + self.window);
            let inside: Vec<f64> =
                inside.filter(|sample| sample.phase == Phase::Slip).map(|sample| sample.force).collect();
            let smallest = inside.iter().copied().chain([event.force_after]).reduce(f64::min)?;
            inside.last().map(|last| (last - smallest).max(0.0) / last.abs())
        };
        breakaways(run).filter_map(one).reduce(f64::max)
    }
}
