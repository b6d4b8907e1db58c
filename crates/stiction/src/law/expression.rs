//! A friction law that the user writes as a formula.

use super::{FrictionLaw, exceeds};
use crate::Problem;
use crate::keys::Check;
use crate::num::formula::{Formula, FormulaError};
use crate::num::jet::Jet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A formula in the sliding speed `v` [m/s] that gives the kinetic coefficient [-] for `v >= 0`.
///
/// At negative speeds the law is its own formula where that is smooth at zero, and else its tangent there (or its value,
/// if the tangent is vertical). Derivatives that are infinite at zero are replaced by those at 10⁻⁹ m/s.
///
/// ```
/// # use stiction::law::{Expression, FrictionLaw};
/// # use std::collections::BTreeMap;
/// let constants = BTreeMap::from([("vs".to_owned(), 0.2)]);
/// let law = Expression::new("0.4 + 0.6*exp(-v/vs) + 0.3*v", constants, Some(1.0))?;
/// assert_eq!(law.kinetic(0.0), 1.0);
/// # Ok::<(), stiction::num::formula::FormulaError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ExpressionText", into = "ExpressionText")]
pub struct Expression {
    text: ExpressionText,
    formula: Formula,
    /// Value and slope at zero, for the continuation to negative speeds.
    onset: f64,
    onset_slope: f64,
    continues: bool,
}

/// Kinetic friction as a formula in the sliding speed `v`.
// `x-formula` marks the text for whoever checks a scenario against the schema: the names of the variables, and the
// key beside it that holds the constants. A checker can so parse the text itself and point at the place in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Expression")]
struct ExpressionText {
    /// Kinetic coefficient [-] as a formula in the sliding speed `v` [m/s], such as `0.4 + 0.6*exp(-v/vs)`.
    #[schemars(extend("x-formula" = { "variables": ["v"], "constants": "constants" }))]
    formula: String,
    /// Static coefficient at the moment of contact [-], >= 0 and >= the formula at zero; by default the formula at zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    static_coefficient: Option<f64>,
    /// Named numbers that the formula uses.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    constants: BTreeMap<String, f64>,
}

impl JsonSchema for Expression {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        ExpressionText::schema_name()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        ExpressionText::json_schema(generator)
    }
}

/// Where derivatives that are infinite at zero are taken [m/s].
const SMALLEST_SPEED: f64 = 1e-9;

impl Expression {
    /// The law `formula` in `v`, with named `constants`; without `static_coefficient` it is the formula at zero.
    ///
    /// # Errors
    /// [`FormulaError`] if the formula cannot be read.
    pub fn new(
        formula: impl Into<String>,
        constants: BTreeMap<String, f64>,
        static_coefficient: Option<f64>,
    ) -> Result<Self, FormulaError> {
        ExpressionText { formula: formula.into(), static_coefficient, constants }.compiled()
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    fn derivatives<const N: usize>(&self, speed: f64) -> [f64; N] {
        if speed < 0.0 && !self.continues {
            return std::array::from_fn(|k| match k {
                0 => self.onset + self.onset_slope * speed,
                1 => self.onset_slope,
                _ => 0.0,
            });
        }
        let exact = self.formula.eval(&[Jet::<N>::variable(speed)]).derivatives();
        if speed.abs() >= SMALLEST_SPEED || exact.iter().all(|d| d.is_finite()) {
            return exact;
        }
        let nearby = self.formula.eval(&[Jet::<N>::variable(SMALLEST_SPEED)]).derivatives();
        std::array::from_fn(|k| if k == 0 || exact[k].is_finite() { exact[k] } else { nearby[k] })
    }
}

impl ExpressionText {
    fn compiled(self) -> Result<Expression, FormulaError> {
        let formula = Formula::parse(&self.formula, &["v"], &self.constants)?;
        let [onset, slope, second, third, fourth] = formula.eval(&[Jet::<5>::variable(0.0)]).derivatives();
        let smooth = [slope, second, third, fourth].iter().all(|d| d.is_finite());
        let onset_slope = if slope.is_finite() { slope } else { 0.0 };
        Ok(Expression { continues: smooth && !formula.has_kinks(), text: self, formula, onset, onset_slope })
    }
}

impl TryFrom<ExpressionText> for Expression {
    type Error = String;
    fn try_from(text: ExpressionText) -> Result<Self, String> {
        let shown = text.formula.clone();
        text.compiled().map_err(|error| format!("{error}\n{}", error.render(&shown)))
    }
}

impl From<Expression> for ExpressionText {
    fn from(law: Expression) -> Self {
        law.text
    }
}

impl FrictionLaw for Expression {
    #[inline]
    fn kinetic(&self, speed: f64) -> f64 {
        if speed < 0.0 {
            let continued = if self.continues { self.formula.eval(&[speed]) } else { f64::NAN };
            return if continued.is_finite() { continued } else { self.onset + self.onset_slope * speed };
        }
        self.formula.eval(&[speed])
    }

    #[inline]
    fn kinetic_with_slope(&self, speed: f64) -> (f64, f64) {
        let [value, slope] = self.derivatives(speed);
        (value, slope)
    }

    fn kinetic_derivatives(&self, speed: f64) -> [f64; 4] {
        self.derivatives(speed)
    }

    fn static_coefficient(&self) -> f64 {
        self.text.static_coefficient.unwrap_or(self.onset)
    }

    fn problems(&self) -> Vec<Problem> {
        let mut check = Check::default();
        if !self.onset.is_finite() {
            let message =
                format!("is {} at v = 0, but must be finite for every v >= 0: change the formula", self.onset);
            return check.problem("formula", message).found();
        }
        if self.onset < 0.0 {
            let message = format!("is {} at v = 0, but must be >= 0 for every v >= 0: change the formula", self.onset);
            check.problem("formula", message);
        }
        if exceeds(self.onset, self.static_coefficient()) {
            let message =
                format!("is {}, but must be at least {}, the formula at v = 0", self.static_coefficient(), self.onset);
            check.problem("static_coefficient", message);
        }
        check.found()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_formulas_continue_by_their_tangent() {
        let law = Expression::new("1 - v^1.5 + 0.2*v", BTreeMap::new(), None).unwrap();
        assert_eq!(law.kinetic(-0.1), 1.0 - 0.02);
        let (_, slope) = law.kinetic_with_slope(-0.1);
        assert_eq!(slope, 0.2);
        assert!(law.kinetic_derivatives(0.0).iter().all(|d| d.is_finite()));
        let vertical = Expression::new("1 - sqrt(v)", BTreeMap::new(), None).unwrap();
        assert_eq!(vertical.kinetic(-0.1), 1.0);
        assert!(vertical.kinetic_derivatives(0.0).iter().all(|d| d.is_finite()));
    }

    #[test]
    fn smooth_formulas_continue_by_themselves() {
        let law = Expression::new("exp(-v)", BTreeMap::new(), None).unwrap();
        assert!(law.kinetic(-0.1) > 1.1);
    }

    #[test]
    fn a_formula_that_is_not_finite_at_zero_is_a_problem() {
        let law = Expression::new("ln(v)", BTreeMap::new(), Some(1.0)).unwrap();
        assert_eq!(law.problems()[0].key, "formula");
        let weak = Expression::new("1 + v", BTreeMap::new(), Some(0.5)).unwrap();
        assert_eq!(weak.problems()[0].key, "static_coefficient");
    }
}
