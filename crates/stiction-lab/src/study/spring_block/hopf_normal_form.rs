//! A small oscillation next to a Hopf bifurcation, measured and predicted by the normal form.

use crate::dataset::Outcome;
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Budget;
use stiction::analysis::spring_block::{Orbits, SmallCycle};
use stiction::law::Law;

/// A small oscillation next to a Hopf bifurcation, measured and predicted by the normal form: `law.cubic` with a small
/// slope `f1` < 0. A `[campaign]` over `f1` shows the limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HopfNormalForm {}

impl Study for HopfNormalForm {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let block = context.spring_block()?;
        if !matches!(block.law, Law::Cubic(_)) {
            let message = format!(
                "`{}`: this study needs law.cubic, whose derivatives at the drive speed are known",
                block.law.name()
            );
            return Err(StudyError::unsuitable("system.spring_block.law", message));
        }
        context.progress.begin("small oscillation", 1);
        let budget = Budget::of(1, context.progress);
        let cycle = Orbits::without_aging(block, context.solver)?.within(&budget).small_cycle()?;
        context.progress.advance(1);
        let mut outcome = Outcome::default();
        let mut push = |name: &str, unit: &str, of: fn(&SmallCycle) -> f64| {
            outcome.push(name, unit, cycle.as_ref().map(of).filter(|value| value.is_finite()));
        };
        push("minus_slope", "N s/m", |cycle| -cycle.slope);
        push("amplitude", "m", |cycle| cycle.amplitude);
        push("predicted_amplitude", "m", |cycle| cycle.predicted_amplitude);
        push("amplitude_squared_ratio", "", |cycle| {
            let ratio = cycle.amplitude / cycle.predicted_amplitude;
            ratio * ratio
        });
        push("frequency", "rad/s", |cycle| cycle.frequency);
        push("predicted_frequency", "rad/s", |cycle| cycle.predicted_frequency);
        push("detuning_coefficient", "", |cycle| cycle.detuning_coefficient);
        outcome.push("stable", "", cycle.map(|cycle| cycle.stable));
        if cycle.is_none() {
            outcome.warnings.push("there is no small oscillation: it needs law.cubic.f1 < 0 < law.cubic.f3".to_owned());
        }
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::orbits(system)
    }
}
