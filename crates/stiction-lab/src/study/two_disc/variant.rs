//! Discs that differ from those of the system in some numbers, compared in one study.

use crate::study::StudyError;
use crate::study::family::parameter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use stiction::system::TwoDisc;
use stiction::system::two_disc::Start;

/// Discs that differ from those of the system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscVariant {
    /// Name in tables and pictures.
    pub name: String,
    /// Numbers that differ: their keys below the system, for instance `"contact.radius" = 0.3`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, f64>,
    /// Whether the field of the system acts; without it the coefficient is that in its middle, the same everywhere.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub field: bool,
    /// Another start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
}

fn yes() -> bool {
    true
}

fn is_yes(flag: &bool) -> bool {
    *flag
}

/// Named discs.
#[derive(Debug, Clone)]
pub(super) struct Named {
    /// Name; empty for the discs of the system themselves.
    pub(super) name: String,
    /// The discs.
    pub(super) discs: TwoDisc,
}

/// The discs of all variants, or those of the system if there are none.
pub(super) fn named(variants: &[DiscVariant], discs: &TwoDisc, study: &str) -> Result<Vec<Named>, StudyError> {
    if variants.is_empty() {
        return Ok(vec![Named { name: String::new(), discs: discs.clone() }]);
    }
    variants.iter().enumerate().map(|(index, variant)| variant.of(discs, study, index)).collect()
}

impl DiscVariant {
    fn of(&self, discs: &TwoDisc, study: &str, index: usize) -> Result<Named, StudyError> {
        let key = format!("study.{study}.variant[{index}]");
        let mut changed = discs.clone();
        for (name, value) in &self.set {
            let knob = parameter(discs, name, &format!("{key}.set"))?;
            changed = knob.at(&changed, *value)?;
        }
        if let Some(start) = self.start {
            changed.start = start;
        }
        if !self.field {
            changed = without_field(changed);
        }
        if let Some(problem) = changed.problems().into_iter().next() {
            return Err(StudyError::unsuitable(key, format!("{}: {}", problem.key, problem.message)));
        }
        Ok(Named { name: self.name.clone(), discs: changed })
    }
}

/// The discs with the coefficient in the middle of their field everywhere.
pub(super) fn without_field(mut discs: TwoDisc) -> TwoDisc {
    if let Some(field) = discs.field.take() {
        let law = discs.law.lugre_mut();
        let ratio = law.ratio();
        law.static_coefficient = field.centre;
        law.kinetic_coefficient = ratio * field.centre;
    }
    discs
}
