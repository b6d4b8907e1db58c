//! Steady sliding or rest of any mechanism.

use super::field::Map;
use super::two_disc::DiscEquilibrium;
use super::{AnySystem, Context, Study, StudyError};
use crate::dataset::{Outcome, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use stiction::analysis::AnalysisError;
use stiction::analysis::equilibrium::{Equilibrium as Found, EquilibriumKind, equilibrium};
use stiction::analysis::trajectory::state_with;
use stiction::analysis::two_disc::Linearisation;
use stiction::field::Germ;
use stiction::mechanism::Horizon;
use stiction::record::Motion;

/// Steady sliding, in which every coordinate is constant, with its eigenvalues; or rest, with the interval that friction allows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Equilibrium {
    /// Coordinates and velocities near the equilibrium, by their columns; by default the declared start, then the relaxed state.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub guess: BTreeMap<String, f64>,
    /// Which linearisation decides about the stability of two discs; the eigenvalues of both are reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linearisation: Option<Linearisation>,
}

impl Study for Equilibrium {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let system = context.system;
        if let AnySystem::TwoDisc(discs) = system {
            if !self.guess.is_empty() {
                let message = "has no effect for two_disc: all its equilibria are found; leave it out";
                return Err(StudyError::unsuitable("study.equilibrium.guess", message));
            }
            return DiscEquilibrium { linearisation: self.linearisation.unwrap_or_default() }.answer(discs);
        }
        if self.linearisation.is_some() {
            let message = format!("is for two_disc, but the system is {}; leave it out", system.name());
            return Err(StudyError::unsuitable("study.equilibrium.linearisation", message));
        }
        refuse_unsteady(system)?;
        let map = Map::none();
        let horizon = Horizon { duration: 1.0, map: map.surface(), stop: &|| false };
        let plan = system.prepare(&horizon).map_err(AnalysisError::from)?;
        let motion = plan.given(Germ::new(context.seed, 0)).map_err(AnalysisError::from)?;
        let guess = match self.guess.is_empty() {
            true => None,
            false => {
                let values: Vec<_> = self.guess.iter().map(|(name, value)| (name.clone(), *value)).collect();
                Some(state_with(motion.as_ref(), &values, "guess")?)
            }
        };
        let found = equilibrium(motion.as_ref(), guess.as_deref())?;
        let mut outcome = Outcome::default();
        report(&mut outcome, motion.as_ref(), &found);
        Ok(outcome)
    }
}

/// Mechanisms that have no state in which every coordinate is constant.
fn refuse_unsteady(system: &AnySystem) -> Result<(), StudyError> {
    let (key, message) = match system {
        AnySystem::CrankSlider(_) => (
            "study.equilibrium",
            "has no answer for crank_slider: under a constant torque the crank turns ever faster, or friction holds it; ask for \
             `trajectory` or `crank_run`",
        ),
        AnySystem::BeltDisc(disc) if disc.field.constant.is_none() => (
            "system.belt_disc.field",
            "varies along the belt, so that no steady sliding exists; give `constant` for the uniform belt",
        ),
        _ => return Ok(()),
    };
    Err(StudyError::unsuitable(key, message))
}

/// Part of the largest eigenvalue below which a real part is rounding.
const ROUNDING: f64 = 1e-13;

fn report(outcome: &mut Outcome, motion: &dyn Motion, found: &Found) {
    let entries = &motion.columns()[..motion.entries()];
    let kind = if matches!(found.kind, EquilibriumKind::Steady { .. }) { "steady" } else { "rest" };
    outcome.push("kind", "", kind);
    for (column, value) in motion.columns().iter().zip(&found.columns) {
        outcome.push(&format!("state_{}", column.name), column.unit, *value);
    }
    for ((contact, friction), phase) in motion.contacts().iter().zip(&found.friction).zip(&found.phases) {
        outcome.push(&format!("friction_{contact}"), "N", *friction);
        outcome.push(&format!("phase_{contact}"), "", phase.name());
    }
    match &found.kind {
        EquilibriumKind::Steady { eigenvalues } => {
            let growth = eigenvalues.first().map(|value| value.re);
            outcome.push("eigenvalues_real", "1/s", eigenvalues.iter().map(|value| value.re).collect::<Vec<f64>>());
            outcome.push("eigenvalues_imag", "rad/s", eigenvalues.iter().map(|value| value.im).collect::<Vec<f64>>());
            let largest = eigenvalues.iter().fold(0.0, |most: f64, value| most.max(value.norm()));
            let decided = growth.filter(|growth| growth.abs() > ROUNDING * largest);
            outcome.push("stable", "", decided.map(|growth| growth < 0.0));
            if growth.is_some() && decided.is_none() {
                let message = "the largest real part of the eigenvalues is 0 up to rounding: small oscillations neither grow nor die out, and \
                               the linear equations do not decide about stability (`stable` is null)";
                outcome.warnings.push(message.to_owned());
            }
        }
        EquilibriumKind::Rest { bounds } => {
            for (column, [low, high]) in entries.iter().zip(bounds).filter(|(_, [low, high])| low < high) {
                outcome.push(&format!("rest_from_{}", column.name), column.unit, *low);
                outcome.push(&format!("rest_to_{}", column.name), column.unit, *high);
            }
            outcome.push("eigenvalues_real", "1/s", Value::List(Vec::new()));
            outcome.push("eigenvalues_imag", "rad/s", Value::List(Vec::new()));
            outcome.push("stable", "", Value::Missing);
            let message = "friction holds the mechanism at rest anywhere between the bounds: such an equilibrium has no eigenvalues";
            outcome.warnings.push(message.to_owned());
        }
    }
}
