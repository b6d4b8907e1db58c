//! Force and moment of the tyre behind the friction law.

use super::{column, dynamics, finite, words};
use crate::dataset::{Outcome, Table};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI};
use stiction::system::wheel::Dynamics;
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

/// Force and moment of a tyre, or of the law of the wheel, at a slip angle.
struct TyreRow<'a> {
    name: &'a str,
    angle: f64,
    force: f64,
    moment: f64,
    slip: String,
}

impl<'a> TyreRow<'a> {
    fn of_tyre(tyre: &'a NamedTyre, angle: f64) -> Self {
        let found = tyre.string.at(angle);
        Self { name: &tyre.name, angle, force: found.force, moment: found.moment, slip: super::word(&found.slip) }
    }

    /// The law of the wheel at h > 0, g > 0: the angle of (h, g) is the slip angle.
    fn of_law(dynamics: &Dynamics, angle: f64) -> Self {
        let found = dynamics.circle_friction(angle);
        Self { name: "law", angle, force: found.force, moment: found.moment, slip: "law".to_owned() }
    }
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
        // angles clustered at zero, where the curves rise
        let part = |k: usize| k as f64 / (self.points + 1) as f64;
        let angles: Vec<f64> = (1..=self.points).map(|k| FRAC_PI_2 * part(k) * part(k) * part(k)).collect();
        let of_tyres = |angles: &[f64]| -> Vec<TyreRow<'_>> {
            let at = |tyre| angles.iter().map(move |angle| TyreRow::of_tyre(tyre, *angle)).collect::<Vec<_>>();
            self.tyres.iter().flat_map(at).collect()
        };
        let law = |angle: &f64| TyreRow::of_law(&dynamics, *angle);
        let mut outcome = Outcome::default();
        let chosen: Vec<TyreRow<'_>> = of_tyres(&self.angles).into_iter().chain(self.angles.iter().map(law)).collect();
        let chosen = table("angles", "force and moment at the slip angles that were asked for", &chosen);
        outcome.push_columns(&chosen, &["angle_degrees"]);
        outcome.push("law_minus_tyre", "", law_minus_tyre(&dynamics, &angles));
        outcome.tables.push(chosen);
        let mut rows = of_tyres(&angles);
        // the law jumps at zero, and its curve goes on to a right angle
        rows.push(TyreRow { name: "law", angle: 0.0, force: 0.0, moment: 0.0, slip: "none".to_owned() });
        rows.extend([1e-12].iter().chain(&angles).chain(&[FRAC_PI_2]).map(law));
        outcome.tables.push(table(
            "curves",
            "force and moment against the slip angle, one row an angle of a tyre",
            &rows,
        ));
        let borders = Table::new("tyres", "slip angles at which slip begins and is complete")
            .words("tyre", "tyre", words(&self.tyres, |tyre| tyre.name.clone()))
            .numbers("slip_begins", "rad", "slip begins", column(&self.tyres, |tyre| tyre.string.borders().0))
            .numbers(
                "slip_is_full",
                "rad",
                "slip is complete",
                column(&self.tyres, |tyre| tyre.string.borders().1.unwrap_or(f64::NAN)),
            );
        outcome.push_columns(&borders, &["tyre"]);
        outcome.tables.push(borders);
        Ok(outcome)
    }
}

/// Largest difference between the law and the partial slip of one tyre with its angle rescaled (Appendix B), relative to force
/// and moment at the onset of slip [-].
fn law_minus_tyre(dynamics: &Dynamics, angles: &[f64]) -> f64 {
    let simple = StringTyre::simplified(dynamics.kappa);
    let difference = |&angle: &f64| {
        let tyre = simple.at(dynamics.psi0 + dynamics.c_psi * angle);
        let own = dynamics.circle_friction(angle);
        let force = (own.force - dynamics.mu * tyre.force).abs() / dynamics.mu;
        force.max((own.moment - dynamics.mu * tyre.moment).abs() / (dynamics.mu * dynamics.kappa))
    };
    angles.iter().map(difference).fold(0.0, f64::max)
}

fn table(name: &str, about: &str, rows: &[TyreRow<'_>]) -> Table {
    Table::new(name, about)
        .words("tyre", "tyre", words(rows, |row| row.name.to_owned()))
        .numbers("angle", "rad", "slip angle φ", column(rows, |row| row.angle))
        .numbers("angle_degrees", "deg", "slip angle φ", column(rows, |row| row.angle * 180.0 / PI))
        .numbers("force", "N", "force F", column(rows, |row| row.force))
        .numbers("moment", "N m", "moment M", column(rows, |row| row.moment))
        .words("slip", "slip", words(rows, |row| row.slip.clone()))
}
