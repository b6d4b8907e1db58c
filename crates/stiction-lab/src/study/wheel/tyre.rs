//! Force and moment of the tyre behind the friction law.

use super::{column, dynamics, finite, list, value, words};
use crate::dataset::{Outcome, Table, Value};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI};
use stiction::system::wheel::tyre::Tyre as StringTyre;

const KEY: &str = "study.tyre";

/// Lateral force and moment of stretched-string tyres, and of the wheel's own law, against the slip angle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Tyre {
    /// The tyres.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tyres: Vec<NamedTyre>,
    /// Slip angles \[rad\] in (0, π/2) at which the values are given as quantities.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub angles: Vec<f64>,
    /// Number of slip angles in the table.
    #[schemars(range(min = 10, max = 100_000))]
    pub points: usize,
}

/// A tyre with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedTyre {
    /// Its name in tables and pictures.
    pub name: String,
    /// The stretched string.
    pub string: StringTyre,
}

impl Default for Tyre {
    fn default() -> Self {
        Self { tyres: Vec::new(), angles: Vec::new(), points: 500 }
    }
}

/// A row of the table of curves.
struct Row {
    name: String,
    angle: f64,
    force: f64,
    moment: f64,
    slip: String,
}

impl Study for Tyre {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let dynamics = dynamics(context)?;
        finite(&format!("{KEY}.angles"), &self.angles)?;
        if let Some(angle) = self.angles.iter().find(|angle| !(**angle > 0.0 && **angle < FRAC_PI_2)) {
            let message = format!("holds {angle}, but must lie between 0 and π/2");
            return Err(StudyError::unsuitable(format!("{KEY}.angles"), message));
        }
        for (index, tyre) in self.tyres.iter().enumerate() {
            if let Some(problem) = tyre.string.problems().into_iter().next() {
                let key = format!("{KEY}.tyres.{index}.string.{}", problem.key);
                return Err(StudyError::unsuitable(key, problem.message));
            }
        }
        let mut outcome = Outcome::default();
        let mut rows = Vec::new();
        let tyres = &self.tyres;
        // angles clustered at zero, where the curves rise
        let angles: Vec<f64> = (1..=self.points)
            .map(|k| {
                let part = k as f64 / (self.points + 1) as f64;
                FRAC_PI_2 * part * part * part
            })
            .collect();
        for tyre in tyres {
            for &angle in &angles {
                let found = tyre.string.at(angle);
                let slip = super::word(&found.slip);
                rows.push(Row { name: tyre.name.clone(), angle, force: found.force, moment: found.moment, slip });
            }
        }
        let at = |of: &dyn Fn(&StringTyre, f64) -> Value| -> Vec<Value> {
            list(tyres, |tyre| list(&self.angles, |angle| of(&tyre.string, *angle)))
        };
        outcome.push("tyres", "", list(tyres, |tyre| Value::Word(tyre.name.clone())));
        outcome.push("angles", "rad", self.angles.clone());
        outcome.push("force", "N", at(&|tyre, angle| tyre.at(angle).force.into()));
        outcome.push("moment", "N m", at(&|tyre, angle| tyre.at(angle).moment.into()));
        outcome.push("slip", "", at(&|tyre, angle| value(&tyre.at(angle).slip)));
        outcome.push("slip_border", "m", at(&|tyre, angle| tyre.slip_border(angle).into()));
        if let Some(NamedTyre { string, .. }) = tyres.first() {
            outcome.push("first_force", "N", list(&self.angles, |angle| string.at(*angle).force));
            outcome.push("first_moment", "N m", list(&self.angles, |angle| string.at(*angle).moment));
            outcome.push("first_slip", "", list(&self.angles, |angle| value(&string.at(*angle).slip)));
        }
        outcome.push("slip_begins", "rad", list(tyres, |tyre| tyre.string.borders().0));
        outcome.push("slip_is_full", "rad", list(tyres, |tyre| tyre.string.borders().1));
        let largest = |of: fn(&Row) -> f64| -> Vec<f64> {
            let of_tyre = |tyre: &NamedTyre| {
                rows.iter().filter(|row| row.name == tyre.name).map(of).fold(f64::NEG_INFINITY, f64::max)
            };
            tyres.iter().map(of_tyre).collect()
        };
        outcome.push("largest_force", "N", largest(|row| row.force));
        outcome.push("largest_moment", "N m", largest(|row| row.moment));
        let late = largest(|row| if row.angle > 0.01 { row.moment } else { f64::NEG_INFINITY });
        outcome.push("moment_above_0_01", "N m", late);

        // the law of the wheel: h > 0, g > 0, the angle of (h, g) is the slip angle
        let law = |angle: f64| dynamics.circle_friction(angle);
        outcome.push("law_force", "N", list(&self.angles, |angle| law(*angle).force));
        outcome.push("law_moment", "N m", list(&self.angles, |angle| law(*angle).moment));
        let first = law(1e-12);
        outcome.push("law_force_jump", "N", first.force);
        outcome.push("law_moment_jump", "N m", first.moment);
        outcome.push("law_force_at_right_angle", "N", law(FRAC_PI_2).force);
        outcome.push("moment_arm", "m", dynamics.kappa);
        outcome.push("friction_force", "N", dynamics.mu);
        // the law is the partial slip of one tyre, with its angle rescaled (Appendix B)
        let simple = StringTyre::simplified(dynamics.kappa);
        let rescaled = |angle: f64| dynamics.psi0 + dynamics.c_psi * angle;
        let difference = angles.iter().map(|&angle| {
            let tyre = simple.at(rescaled(angle));
            let own = law(angle);
            // relative to the force and the moment at the onset of slip
            let force = (own.force - dynamics.mu * tyre.force).abs() / dynamics.mu;
            force.max((own.moment - dynamics.mu * tyre.moment).abs() / (dynamics.mu * dynamics.kappa))
        });
        outcome.push("law_minus_tyre", "", difference.fold(0.0, f64::max));
        rows.push(Row { name: "law".to_owned(), angle: 0.0, force: 0.0, moment: 0.0, slip: "none".to_owned() });
        for &angle in [1e-12].iter().chain(&angles) {
            let found = law(angle);
            let slip = "law".to_owned();
            rows.push(Row { name: "law".to_owned(), angle, force: found.force, moment: found.moment, slip });
        }
        let table = Table::new("curves", "force and moment against the slip angle, one row an angle of a tyre")
            .words("tyre", "tyre", words(&rows, |row| row.name.clone()))
            .numbers("angle", "rad", "slip angle φ", column(&rows, |row| row.angle))
            .numbers("angle_degrees", "deg", "slip angle φ", column(&rows, |row| row.angle * 180.0 / PI))
            .numbers("force", "N", "force F", column(&rows, |row| row.force))
            .numbers("moment", "N m", "moment M", column(&rows, |row| row.moment))
            .words("slip", "slip", words(&rows, |row| row.slip.clone()));
        outcome.tables.push(table);
        Ok(outcome)
    }
}
