//! The strongly overdamped limit: relaxation oscillations of a light block.

use crate::dataset::{Outcome, Table, Value};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::overdamped::LightBlock;
use stiction::analysis::spring_block::{Orbits, Settled};
use stiction::analysis::trajectory::{Recording, Request};
use stiction::analysis::{AnalysisError, Budget};
use stiction::integrate::{Solver, Span};
use stiction::record::Moving;
use stiction::system::SpringBlock;
use stiction::system::spring_block::Mode;

/// The strongly overdamped limit: the period on the slow manifold, and that of the full model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overdamped {
    /// Number of periods in the table of the motion; 0 leaves it out.
    #[serde(default = "periods")]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub periods: f64,
}

/// A light block costs as much as so many sets of attractors of ordinary blocks.
const LIGHT: usize = 40;

fn periods() -> f64 {
    2.0
}

impl Study for Overdamped {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let block = context.spring_block()?;
        let light = LightBlock {
            law: &block.law,
            aging: block.aging.as_ref(),
            stiffness: block.stiffness,
            normal_load: block.normal_load,
            drive_speed: block.drive_speed,
        };
        let mut outcome = Outcome::default();
        let slow = light.relaxation();
        outcome.push("slow_manifold_period", "s", slow.as_ref().map_or(Value::Missing, |slow| slow.period.into()));
        let (period, class) = match full_period(block, context.solver, &Budget::of(LIGHT, context.progress)) {
            // the slow manifold is known all the same
            Err(error @ (StudyError::Unsuitable { .. } | StudyError::Analysis(_) | StudyError::Integration(_)))
                if slow.is_ok() =>
            {
                outcome.warnings.push(format!("the full model could not be followed: {error}"));
                (None, "unknown")
            }
            full => full?,
        };
        outcome.push("period", "s", period);
        outcome.push("class", "", class);
        match &slow {
            Ok(slow) => {
                outcome.push("relative_difference", "", period.map(|period| period / slow.period - 1.0));
            }
            Err(reason) => {
                outcome.warnings.push(format!("there is no relaxation oscillation on the slow manifold: {reason}"));
            }
        }
        if let Some(period) = period.filter(|_| self.periods > 0.0) {
            outcome.tables.push(motion(block, self.periods * period, context)?);
        }
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::orbits(system)
    }
}

/// Period and class of the motion that the full model settles on.
fn full_period(
    block: &SpringBlock,
    solver: Solver,
    budget: &Budget<'_>,
) -> Result<(Option<f64>, &'static str), StudyError> {
    Ok(match Orbits::without_aging(block, solver)?.within(budget).settled()? {
        Settled::StickSlip { period } => (Some(period), "SS"),
        Settled::Oscillation { period } => (Some(period), "OS"),
        Settled::Sliding => (None, "CS"),
        Settled::Undecided => (None, "undecided"),
    })
}

/// The motion after a release: relative speed against spring force shows the slow manifold.
fn motion(block: &SpringBlock, duration: f64, context: &Context<'_>) -> Result<Table, StudyError> {
    const SAMPLES: usize = 20_001;
    let start = (Mode::SlipBelow, [block.release_displacement(0.0), block.drive_speed, 0.0]);
    let moving = Moving::of(block.clone());
    let request = Request { duration, samples: SAMPLES, sample_times: Vec::new() };
    let mut recording = Recording::of(&moving, &request, context.progress)?;
    let end = moving.follow_from(&context.solver, Span::until(duration), start, &mut recording, &mut ());
    let end = end.map_err(AnalysisError::from)?;
    context.progress.worked(end.effort);
    let samples = recording.finish(end, &request)?.samples;
    let [x, velocity] = [0, 1].map(|column: usize| samples.columns[column].clone());
    let sliding = velocity.iter().map(|velocity| block.drive_speed - velocity).collect();
    let spring = x.iter().map(|x| block.stiffness * x).collect();
    Ok(Table::new("motion", "the motion after a release at the static limit")
        .numbers("time", "s", "time t", samples.times)
        .numbers("displacement", "m", "displacement x", x)
        .numbers("velocity", "m/s", "velocity dx/dt", velocity)
        .numbers("sliding_speed", "m/s", "sliding speed v", sliding)
        .numbers("spring_force", "N", "spring force κx", spring))
}
