//! One run of the crank with given coefficients of the field.

use crate::dataset::{Outcome, Table, number};
use crate::study::{AnySystem, ClosedForm, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::crank_slider::{Sample, Status, run_with_progress, trajectory};
use stiction::num::real::{asin, cos, sin};
use stiction::system::CrankSlider;
use stiction::system::crank_slider::NormalForcePolicy;

/// One run with given coefficients: its energies, its normal force, and the motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CrankRun {
    /// Mean h of the coefficient over the bottom [-]; by default the mean of the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub mean_coefficient: Option<f64>,
    /// Torque coefficient τ \[m\]: mean over the bottom of the coefficient times the distance from the middle line.
    pub torque_coefficient: f64,
    /// How long the motion is followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Number of samples in the table of the motion.
    #[schemars(range(min = 2, max = 1_000_000))]
    pub samples: usize,
    /// Whether the bottom energy of the same run is computed under every policy for negative normal forces.
    pub compare_policies: bool,
}

/// Coefficients beyond this are no friction, and their squares leave the range of numbers.
const LARGEST_COEFFICIENT: f64 = 1e12;

impl Default for CrankRun {
    fn default() -> Self {
        Self { mean_coefficient: None, torque_coefficient: 0.0, duration: 2.0, samples: 1001, compare_policies: false }
    }
}

impl Study for CrankRun {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let crank = context.crank_slider()?;
        let mean = self.mean_coefficient.or_else(|| crank.mean_coefficient()).ok_or_else(|| {
            let message = "is not given, and the field has no mean: give the mean coefficient over the bottom";
            StudyError::unsuitable("study.crank_run.mean_coefficient", message)
        })?;
        let (torque, duration) = (self.torque_coefficient, self.duration);
        for (key, value) in [("mean_coefficient", mean), ("torque_coefficient", torque)] {
            if value.abs() > LARGEST_COEFFICIENT {
                let message = format!("is {value:e}, but must be within {LARGEST_COEFFICIENT:e}");
                return Err(StudyError::unsuitable(format!("study.crank_run.{key}"), message));
            }
        }
        let found = run_with_progress(crank, (mean, torque), duration, &context.solver, context.progress)?;
        context.progress.worked(found.effort);
        let mut outcome = Outcome::default();
        outcome.push("status", "", found.status.name());
        outcome.push("end_time", "s", found.status.time());
        // the rod follows from the crank by the constraint R sin θ = L sin φ
        let ratio = crank.crank_radius / crank.rod_length;
        let rod = asin((ratio * sin(crank.initial_angle)).clamp(-1.0, 1.0));
        let turn = ratio * cos(crank.initial_angle) / cos(rod) * crank.initial_speed;
        outcome.push("initial_rod_angle", "rad", rod);
        outcome.push("initial_rod_speed", "rad/s", turn.is_finite().then_some(turn));
        outcome.push("bottom_energy", "J", found.bottom_energy);
        outcome.push("side_energy", "J", found.side_energy);
        outcome.push("sliding_work", "J", found.sliding_work);
        outcome.push("net_work", "J", found.net_work);
        outcome.push("lifted_energy", "J", found.lifted_energy);
        outcome.push("total_coefficient", "", found.coefficient);
        outcome.push("first_negative_normal_time", "s", found.first_negative_normal_time);
        outcome.push("min_normal_force", "N", found.smallest_normal_force);
        outcome.push("final_angle", "rad", found.final_angle);
        outcome.push("final_speed", "rad/s", found.final_speed);
        outcome.push("energy_residual", "J", found.energy_residual);
        outcome.push("steps", "", found.effort.steps as usize);
        outcome.push("policy", "", crank.normal_force_policy.name());
        outcome.push("side_friction_coefficient", "", crank.side_coefficient());
        outcome.push("side_contacts", "", usize::from(crank.side_contacts));
        outcome.push("gravity", "m/s²", crank.gravity);
        if self.compare_policies {
            self.policies(&mut outcome, crank, mean, context)?;
        }
        outcome.warnings.extend(warning(&found.status));
        let (solver, progress) = (&context.solver, context.progress);
        let (_, samples) = trajectory(crank, (mean, torque), duration, self.samples, solver, progress)?;
        outcome.tables.push(motion_table(&samples));
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::explicit(ClosedForm::Nothing))
    }
}

impl CrankRun {
    /// The same run under every policy.
    fn policies(
        &self,
        outcome: &mut Outcome,
        crank: &CrankSlider,
        mean: f64,
        context: &Context<'_>,
    ) -> Result<(), StudyError> {
        let mut found = Vec::new();
        for policy in NormalForcePolicy::ALL {
            let crank = CrankSlider { normal_force_policy: policy, ..crank.clone() };
            let (forces, duration) = ((mean, self.torque_coefficient), self.duration);
            found.push((policy, run_with_progress(&crank, forces, duration, &context.solver, context.progress)?));
        }
        for (policy, run) in &found {
            outcome.push(&format!("bottom_energy_{}", policy.name()), "J", run.bottom_energy);
        }
        let column =
            |of: fn(&stiction::analysis::crank_slider::CrankRun) -> f64| found.iter().map(|(_, run)| of(run)).collect();
        let table = Table::new("policies", "the same run under every policy for negative normal forces")
            .words("policy", "policy", found.iter().map(|(policy, _)| policy.name().to_owned()).collect())
            .words("status", "status", found.iter().map(|(_, run)| run.status.name().to_owned()).collect())
            .numbers(
                "end_time",
                "s",
                "end of a run before its time",
                column(|run| run.status.time().unwrap_or(f64::NAN)),
            )
            .numbers("bottom_energy", "J", "bottom energy E_b", column(|run| run.bottom_energy))
            .numbers("side_energy", "J", "side energy E_s", column(|run| run.side_energy))
            .numbers("sliding_work", "J", "sliding work W", column(|run| run.sliding_work))
            .numbers("final_angle", "rad", "final angle θ", column(|run| run.final_angle))
            .numbers("final_speed", "rad/s", "final speed θ̇", column(|run| run.final_speed));
        outcome.tables.push(table);
        Ok(())
    }
}

/// What a person should know about the end of a run.
pub(super) fn warning(status: &Status) -> Option<String> {
    match *status {
        Status::Completed => None,
        Status::Stuck { time } => Some(format!("the slider sticks for ever from {} s on", number(time))),
        Status::LiftOff { time } => Some(format!(
            "at {} s the track would have to hold the slider down; the motion ends there, because the model has no flight \
             (system.crank_slider.normal_force_policy has other choices)",
            number(time)
        )),
        Status::Indeterminate { time, coefficient, determinant } => Some(format!(
            "at {} s the accelerations are not determined: with the coefficient {} the equations have no solution or several \
             (determinant relative to that without friction: {}); the motion ends there",
            number(time),
            number(coefficient),
            number(determinant)
        )),
    }
}

fn motion_table(samples: &[Sample]) -> Table {
    let column = |of: fn(&Sample) -> f64| samples.iter().map(of).collect();
    Table::new("motion", "the motion, one row a sample")
        .numbers("time", "s", "time t", column(|sample| sample.time))
        .numbers("angle", "rad", "crank angle θ", column(|sample| sample.angle))
        .numbers("speed", "rad/s", "crank speed θ̇", column(|sample| sample.speed))
        .numbers("slider_position", "m", "slider position x₃", column(|sample| sample.place))
        .numbers("sliding_speed", "m/s", "sliding speed |ẋ₃|", column(|sample| sample.velocity.abs()))
        .numbers("normal_force", "N", "normal force F_n", column(|sample| sample.normal_force))
        .numbers("bottom_friction", "N", "bottom friction f_b", column(|sample| sample.bottom_friction))
        .numbers("side_friction", "N", "side friction f_s", column(|sample| sample.side_friction))
        .numbers(
            "friction_force",
            "N",
            "friction f_b + f_s",
            column(|sample| sample.bottom_friction + sample.side_friction),
        )
        .numbers("bottom_energy", "J", "bottom energy E_b", column(|sample| sample.bottom_energy))
        .numbers("side_energy", "J", "side energy E_s", column(|sample| sample.side_energy))
}
