//! Friction and motion at given states.

use super::{column, dynamics, finite, list, with_state, words};
use crate::dataset::{Outcome, Table};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::wheel::surface::{SlipPoint, SurfacePoint, slip_point, surface_point};
use stiction::system::wheel::Dynamics;

/// Friction and motion at given states in slip, and at given points of the switching surface.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Evaluate {
    /// States off the switching surface.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<StatePlace>,
    /// Points of the switching surface.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<SurfacePlace>,
}

/// A state of the wheel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatePlace {
    /// Displacement of the slider \[m\].
    pub r: f64,
    /// Speed of the slider [m/s].
    pub v: f64,
    /// Speed of the disc [rad/s].
    pub omega: f64,
}

/// A point of the switching surface; its v follows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurfacePlace {
    /// Displacement of the slider \[m\].
    pub r: f64,
    /// Speed of the disc [rad/s].
    pub omega: f64,
}

impl Study for Evaluate {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        if self.states.is_empty() && self.points.is_empty() {
            let message = "has neither `states` nor `points`: give one of them";
            return Err(StudyError::unsuitable("study.evaluate", message));
        }
        let dynamics = dynamics(context)?;
        for (index, place) in self.states.iter().enumerate() {
            finite(&format!("study.evaluate.states.{index}"), &[place.r, place.v, place.omega])?;
        }
        let slips: Vec<SlipPoint> =
            self.states.iter().map(|place| slip_point(&dynamics, place.r, place.v, place.omega)).collect();
        if let Some((index, _)) = slips.iter().enumerate().find(|(_, slip)| slip.h == 0.0) {
            let message = "lies on the switching surface, where friction is not determined: name it in `points`";
            return Err(StudyError::unsuitable(format!("study.evaluate.states.{index}"), message));
        }
        let mut points = Vec::new();
        for (index, place) in self.points.iter().enumerate() {
            finite(&format!("study.evaluate.points.{index}"), &[place.r, place.omega])?;
            points.push(surface_point(&dynamics, place.r, place.omega)?);
        }
        let mut outcome = Outcome::default();
        if !slips.is_empty() {
            let table = slip_table(&dynamics, &self.states, &slips);
            outcome.push_columns(&table, &["r", "v", "omega"]);
            outcome.push("free_field", "m, m/s, rad/s per τ", list(&slips, |slip| slip.free.to_vec()));
            outcome.push("field", "m, m/s, rad/s per τ", list(&slips, |slip| slip.field.to_vec()));
            outcome.tables.push(table);
        }
        if !points.is_empty() {
            let table = point_table(&points);
            outcome.push_columns(&table, &["r", "omega"]);
            let field = |point: &SurfacePoint| point.field.map(|field| field.to_vec());
            outcome.push("sticking_field", "m, m/s, rad/s per τ", list(&points, field));
            outcome.tables.push(table);
        }
        Ok(outcome)
    }
}

fn slip_table(dynamics: &Dynamics, states: &[StatePlace], slips: &[SlipPoint]) -> Table {
    let table = Table::new("states", "friction and motion in slip, one row a state");
    with_state(table, states, |at| [at.r, at.v, at.omega])
        .numbers("h", "m/s", "lateral sliding velocity h", column(slips, |slip| slip.h))
        .numbers("g", "m/s", "rolling velocity g", column(slips, |slip| slip.g))
        .numbers("force", "N", "force F", column(slips, |slip| slip.force))
        .numbers("moment", "N m", "moment M", column(slips, |slip| slip.moment))
        .numbers("energy", "J", "energy", column(states, |at| dynamics.energy(at.r, at.v, at.omega)))
}

fn point_table(points: &[SurfacePoint]) -> Table {
    let table = Table::new("points", "the switching surface, one row a point");
    with_state(table, points, |point| [point.r, point.v, point.omega])
        .numbers("sign", "", "sign s of the rolling velocity", column(points, |point| point.sign))
        .words("region", "region", words(points, |point| point.region.name().to_owned()))
        .numbers("lie_zero", "m/s per τ", "L₀", column(points, |point| point.lie0))
        .numbers("lie_one", "m/(N s) per τ", "L₁", column(points, |point| point.lie1))
        .numbers("lie_plus", "m/s per τ", "L₊", column(points, |point| point.lie_plus))
        .numbers("lie_minus", "m/s per τ", "L₋", column(points, |point| point.lie_minus))
        .numbers("lambda", "N", "friction force λ", column(points, |point| point.lambda.unwrap_or(f64::NAN)))
}
