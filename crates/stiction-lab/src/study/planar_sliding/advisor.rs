//! How friction should be modelled: as a constant, as one random variable, or as a random field.

use super::{exact_covariance, on_estimated_field, random, warn_of_field};
use crate::dataset::{Outcome, Table};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::planar_sliding::advisor::{Advice, FunctionalAdvice, Question, Thresholds, Verdict};

/// How friction should be modelled at these parameters, and from which correlation lengths on the answer is another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Advisor {
    /// What must be right: the force, the torque, or both.
    pub functionals: Vec<Functional>,
    /// A spread below this part of its scale may be neglected [-].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub deterministic_tolerance: f64,
    /// A spread this close to that of one random variable, in parts of the largest such spread, is taken for it [-]; 0.01 is
    /// strict.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub variable_tolerance: f64,
}

/// Something that must be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Functional {
    /// The length of the force.
    Force,
    /// The torque about the centroid.
    Torque,
}

impl Default for Advisor {
    fn default() -> Self {
        Self {
            functionals: vec![Functional::Force, Functional::Torque],
            deterministic_tolerance: 0.05,
            variable_tolerance: 0.05,
        }
    }
}

impl Study for Advisor {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let sliding = context.planar_sliding()?;
        let plate = sliding.plate()?;
        if self.functionals.is_empty() {
            let message = "is empty: ask for \"force\", \"torque\" or both";
            return Err(StudyError::unsuitable("study.advisor.functionals", message));
        }
        let mut outcome = Outcome::default();
        let sliding = &on_estimated_field(sliding, &plate, &mut outcome, context.progress)?;
        let field = random(sliding)?;
        let covariance = exact_covariance(sliding)?;
        let question = Question {
            force: self.functionals.contains(&Functional::Force),
            torque: self.functionals.contains(&Functional::Torque),
            tolerance_deterministic: self.deterministic_tolerance,
            tolerance_variable: self.variable_tolerance,
            torque_length: sliding.torque_length,
            policy: sliding.policy(),
            closure: sliding.closure()?,
        };
        if field.is_none() {
            let message = "the coefficient is the same everywhere: there is nothing random";
            outcome.push("verdict", "", "deterministic");
            outcome.warnings.push(message.to_owned());
            return Ok(outcome);
        }
        let advice = plate.advice(&covariance, question, context.progress)?;
        let verdict = match advice.verdict {
            Verdict::Deterministic => "deterministic",
            Verdict::RandomVariable => "random_variable",
            Verdict::RandomField => "random_field",
        };
        outcome.push("verdict", "", verdict);
        push_thresholds(&mut outcome, "", Some(&advice.combined));
        for (name, one) in [("force", &advice.force), ("torque", &advice.torque)] {
            push_thresholds(&mut outcome, &format!("_{name}"), one.as_ref().map(|one| &one.thresholds));
            let value = |of: fn(&FunctionalAdvice) -> f64| one.as_ref().map(of);
            outcome.push(&format!("spread_{name}"), "", value(|one| one.spread));
            outcome.push(&format!("spread_limit_{name}"), "", value(|one| one.limit));
        }
        outcome.push("spread_force_error", "", advice.force_error);
        outcome.push("correlation_length", "m", sliding.correlation_length());
        outcome.push("half_side", "m", plate.half_side());
        if let Some(field) = &field {
            outcome.push("convention", "", field.convention().to_string().as_str());
            warn_of_field(&mut outcome, field)?;
        }
        outcome.warnings.extend(advice.warnings.iter().cloned());
        outcome.tables.push(spread_table(&advice, plate.half_side()));
        outcome.tables.push(threshold_table(&advice, sliding.correlation_length()));
        outcome.tables.push(level_table(&advice, self, plate.half_side()));
        Ok(outcome)
    }
}

/// A threshold that does not exist is missing: the spread never reaches the tolerance, or never comes to rest.
fn push_thresholds(outcome: &mut Outcome, suffix: &str, thresholds: Option<&Thresholds>) {
    outcome.push(&format!("length_deterministic{suffix}"), "m", thresholds.and_then(|found| found.deterministic));
    outcome.push(&format!("length_variable{suffix}"), "m", thresholds.and_then(|found| found.variable));
}

/// Lengths that a picture shows, in units of a.
const SHOWN: [f64; 2] = [1e-2, 1e3];

fn shown(advice: &Advice, a: f64) -> impl Iterator<Item = &stiction::analysis::planar_sliding::curves::CurvePoint> {
    advice.curve.iter().filter(move |point| (SHOWN[0] * a..=SHOWN[1] * a).contains(&point.length))
}

fn spread_table(advice: &Advice, a: f64) -> Table {
    let (mut functional, mut length, mut spread) = (Vec::new(), Vec::new(), Vec::new());
    for name in ["force", "torque"] {
        let asked = if name == "force" { advice.force.is_some() } else { advice.torque.is_some() };
        for point in shown(advice, a).filter(|_| asked) {
            let variations = &point.variations;
            let value = if name == "force" { variations.force_norm } else { variations.torque };
            functional.push(name.to_owned());
            length.push(point.length);
            spread.push(value.unwrap_or(f64::NAN));
        }
    }
    let ratio = length.iter().map(|length| length / a).collect();
    Table::new("spreads", "spread of force and torque over their scales, against the correlation length")
        .words("functional", "functional", functional)
        .numbers("correlation_length", "m", "correlation length l", length)
        .numbers("length_ratio", "", "l/a", ratio)
        .numbers("spread", "", "coefficient of variation", spread)
}

fn threshold_table(advice: &Advice, own: f64) -> Table {
    let mut rows: Vec<(String, f64)> = Vec::new();
    let mut add = |name: &str, length: Option<f64>| {
        rows.extend(length.filter(|length| *length > 0.0).map(|length| (name.to_owned(), length)));
    };
    add("constant below", advice.combined.deterministic);
    add("one variable above", advice.combined.variable);
    add("this plate", Some(own));
    Table::new("thresholds", "correlation lengths at which the advice changes, and that of this plate")
        .words("threshold", "threshold", rows.iter().map(|(name, _)| name.clone()).collect())
        .numbers("correlation_length", "m", "correlation length l", rows.iter().map(|(_, length)| *length).collect())
}

/// The tolerances as lines of a picture.
fn level_table(advice: &Advice, study: &Advisor, a: f64) -> Table {
    let limits = [&advice.force, &advice.torque];
    let largest = limits.iter().filter_map(|one| one.as_ref()).map(|one| one.limit).fold(0.0, f64::max);
    let mut rows: Vec<(&str, f64, f64)> = Vec::new();
    for (name, value) in [("tolerance of a constant", study.deterministic_tolerance), ("one random variable", largest)]
    {
        rows.extend(SHOWN.map(|ratio| (name, ratio * a, value)));
    }
    Table::new("levels", "what the spreads are compared with")
        .words("level", "level", rows.iter().map(|row| row.0.to_owned()).collect())
        .numbers("correlation_length", "m", "correlation length l", rows.iter().map(|row| row.1).collect())
        .numbers("spread", "", "coefficient of variation", rows.iter().map(|row| row.2).collect())
}
