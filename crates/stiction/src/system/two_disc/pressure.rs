//! Pressure over the contact face that the user writes as a formula.

use crate::num::formula::{Formula, FormulaError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Pressure over the contact face, up to a factor: a formula in `x`, `y` and `r`, measured from the centre of the face in units of
/// its radius.
///
/// ```
/// # use stiction::system::two_disc::Pressure;
/// let hertz = Pressure::new("sqrt(1 - r^2)")?;
/// assert_eq!(hertz.at(0.6, 0.0), 0.8);
/// # Ok::<(), stiction::num::formula::FormulaError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pressure(Formula);

impl Pressure {
    /// Reads the formula.
    ///
    /// # Errors
    /// [`FormulaError`] if the formula cannot be read.
    pub fn new(formula: &str) -> Result<Self, FormulaError> {
        Formula::parse(formula, &["x", "y", "r"], &BTreeMap::new()).map(Self)
    }

    /// The pressure at a place of the face, both coordinates in units of its radius.
    pub fn at(&self, x: f64, y: f64) -> f64 {
        self.0.eval(&[x, y, (x * x + y * y).sqrt()])
    }
}

impl TryFrom<String> for Pressure {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        Self::new(&text).map_err(|error| format!("{error}\n{}", error.render(&text)))
    }
}

impl From<Pressure> for String {
    fn from(pressure: Pressure) -> Self {
        pressure.0.text().to_owned()
    }
}

impl JsonSchema for Pressure {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Pressure".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "x-formula": { "variables": ["x", "y", "r"] } })
    }
}
