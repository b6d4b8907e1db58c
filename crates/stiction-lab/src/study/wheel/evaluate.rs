//! Friction and motion at given states.

use super::{column, dynamics, finite, list, words};
use crate::dataset::{Outcome, Table};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::wheel::surface::{SlipPoint, SurfacePoint, slip_point, surface_point};

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
            push_slips(&mut outcome, &slips);
            outcome.push("energy", "J", list(&self.states, |at| dynamics.energy(at.r, at.v, at.omega)));
            outcome.tables.push(slip_table(&self.states, &slips));
        }
        if !points.is_empty() {
            push_points(&mut outcome, &points);
            outcome.tables.push(point_table(&points));
        }
        Ok(outcome)
    }
}

fn push_slips(outcome: &mut Outcome, slips: &[SlipPoint]) {
    outcome.push("h", "m/s", list(slips, |slip| slip.h));
    outcome.push("g", "m/s", list(slips, |slip| slip.g));
    outcome.push("force", "N", list(slips, |slip| slip.force));
    outcome.push("moment", "N m", list(slips, |slip| slip.moment));
    outcome.push("free_field", "m, m/s, rad/s per τ", list(slips, |slip| slip.free.to_vec()));
    outcome.push("field", "m, m/s, rad/s per τ", list(slips, |slip| slip.field.to_vec()));
}

fn push_points(outcome: &mut Outcome, points: &[SurfacePoint]) {
    outcome.push("v", "m/s", list(points, |point| point.v));
    outcome.push("sign", "", list(points, |point| point.sign));
    outcome.push("region", "", list(points, |point| point.region.name()));
    outcome.push("lie_zero", "m/s per τ", list(points, |point| point.lie0));
    outcome.push("lie_one", "m/(N s) per τ", list(points, |point| point.lie1));
    outcome.push("lie_plus", "m/s per τ", list(points, |point| point.lie_plus));
    outcome.push("lie_minus", "m/s per τ", list(points, |point| point.lie_minus));
    outcome.push("lambda", "N", list(points, |point| point.lambda));
    outcome.push(
        "sticking_field",
        "m, m/s, rad/s per τ",
        list(points, |point| point.field.map(|field| field.to_vec())),
    );
}

fn slip_table(states: &[StatePlace], slips: &[SlipPoint]) -> Table {
    Table::new("states", "friction and motion in slip, one row a state")
        .numbers("r", "m", "displacement r", column(states, |at| at.r))
        .numbers("v", "m/s", "speed of the slider v", column(states, |at| at.v))
        .numbers("omega", "rad/s", "speed of the disc ω", column(states, |at| at.omega))
        .numbers("h", "m/s", "lateral sliding velocity h", column(slips, |slip| slip.h))
        .numbers("g", "m/s", "rolling velocity g", column(slips, |slip| slip.g))
        .numbers("force", "N", "force F", column(slips, |slip| slip.force))
        .numbers("moment", "N m", "moment M", column(slips, |slip| slip.moment))
}

fn point_table(points: &[SurfacePoint]) -> Table {
    Table::new("points", "the switching surface, one row a point")
        .numbers("r", "m", "displacement r", column(points, |point| point.r))
        .numbers("v", "m/s", "speed of the slider v", column(points, |point| point.v))
        .numbers("omega", "rad/s", "speed of the disc ω", column(points, |point| point.omega))
        .words("region", "region", words(points, |point| point.region.name().to_owned()))
        .numbers("lie_plus", "m/s per τ", "L₊", column(points, |point| point.lie_plus))
        .numbers("lie_minus", "m/s per τ", "L₋", column(points, |point| point.lie_minus))
        .numbers("lambda", "N", "friction force λ", column(points, |point| point.lambda.unwrap_or(f64::NAN)))
}
