//! A law of growth that the user writes as a formula.

use super::AgingLaw;
use crate::Problem;
use crate::keys::Check;
use crate::num::formula::{Formula, FormulaError};
use crate::num::jet::Jet;
use crate::num::roots::roots_on;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A formula in the time at rest `t` \[s\] that gives the growth of the static coefficient [-]; zero at `t = 0`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "AgingExpressionText", into = "AgingExpressionText")]
pub struct AgingExpression {
    text: AgingExpressionText,
    formula: Formula,
}

/// Growth of the static coefficient as a formula in the time at rest `t`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AgingExpression")]
struct AgingExpressionText {
    /// Growth of the static coefficient [-] as a formula in the time at rest `t` \[s\], such as `0.3*ln(1 + t)`; zero at
    /// `t = 0`.
    #[schemars(extend("x-formula" = { "variables": ["t"], "constants": "constants" }))]
    formula: String,
    /// Named numbers that the formula uses.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    constants: BTreeMap<String, f64>,
}

impl JsonSchema for AgingExpression {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        AgingExpressionText::schema_name()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        AgingExpressionText::json_schema(generator)
    }
}

impl AgingExpression {
    /// The growth `formula` in `t`, with named `constants`.
    ///
    /// # Errors
    /// [`FormulaError`] if the formula cannot be read.
    pub(crate) fn new(formula: impl Into<String>, constants: BTreeMap<String, f64>) -> Result<Self, FormulaError> {
        let text = AgingExpressionText { formula: formula.into(), constants };
        let formula = Formula::parse(&text.formula, &["t"], &text.constants)?;
        Ok(Self { text, formula })
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }
}

impl TryFrom<AgingExpressionText> for AgingExpression {
    type Error = String;
    fn try_from(text: AgingExpressionText) -> Result<Self, String> {
        let shown = text.formula.clone();
        Self::new(text.formula, text.constants).map_err(|error| format!("{error}\n{}", error.render(&shown)))
    }
}

impl From<AgingExpression> for AgingExpressionText {
    fn from(law: AgingExpression) -> Self {
        law.text
    }
}

/// Points of a scan over times: evenly spaced, and closer and closer towards zero.
fn scan(from: f64, to: f64) -> Vec<f64> {
    let even = (0..=256).map(|k| f64::from(k) / 256.0);
    let towards_zero = (9..48).map(|k| 0.5_f64.powi(k));
    let mut fractions: Vec<f64> = even.chain(towards_zero).collect();
    fractions.sort_by(f64::total_cmp);
    fractions.into_iter().map(|fraction| from + fraction * (to - from)).collect()
}

impl AgingLaw for AgingExpression {
    fn growth(&self, time: f64) -> f64 {
        self.formula.eval(&[time])
    }
    fn growth_rate(&self, time: f64) -> f64 {
        let [_, rate] = self.formula.eval(&[Jet::<2>::variable(time)]).derivatives();
        rate
    }
    /// The growth after 10¹⁵ s, or infinity if it is still rising there.
    fn growth_limit(&self) -> f64 {
        let (late, later) = (self.growth(1e15), self.growth(2e15));
        if !late.is_finite() || later > late + 1e-9 * late.abs() { f64::INFINITY } else { late }
    }
    fn rate_turns(&self, until: f64) -> Vec<f64> {
        let curvature = |t: f64| self.formula.eval(&[Jet::<3>::variable(t)]).derivatives()[2];
        // not at zero itself, where the curvature may be infinite
        let mut turns = roots_on(&scan(0.0, until)[1..], curvature);
        turns.retain(|&time| time > 0.0 && time < until);
        turns
    }
    fn problems(&self) -> Vec<Problem> {
        let mut check = Check::default();
        let onset = self.growth(0.0);
        if onset.is_nan() || onset.abs() > 1e-12 {
            let remedy = "subtract it, or put it into the law's static_coefficient";
            check.problem("formula", format!("is {onset} at t = 0, but the growth must start from 0: {remedy}"));
            return check.found();
        }
        for t in (-24..=24).map(|k| 2.0_f64.powi(k)) {
            let growth = self.growth(t);
            if growth.is_nan() || growth < 0.0 {
                let message = format!("is {growth} at t = {t}, but the growth must be a number >= 0 for every t >= 0");
                check.problem("formula", message);
                break;
            }
        }
        check.found()
    }
}
