//! How far the rotation can go under an interval field: by random realisations, by a linear estimate, and by runs at the
//! vertices that the estimate points to.

use super::runs;
use crate::dataset::{Outcome, Table, number};
use crate::study::offer::COARSE;
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::AnalysisError;
use stiction::analysis::two_disc::{
    Bounds, IntervalStudy, Realisation, StickSlipClass, StickSlipRule, bounds, sensitivity,
};

const STUDY: &str = "interval";

/// Bounds of the rotation in a late window under the interval field of the system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Interval {
    /// Length of every run \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Begin of the window in which extremes are sought \[s\]; by default after two thirds of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub window_start: Option<f64>,
    /// End of the window \[s\]; by default that of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub window_end: Option<f64>,
    /// Random realisations of the field; 0 for none.
    #[schemars(range(max = 10_000_000))]
    pub realisations: u64,
    /// Whether the linear answer to the field is found, and runs are made at the vertices that it points to.
    pub vertices: bool,
    /// Most rounds in which the worst vertices are improved.
    #[schemars(range(max = 100))]
    pub rounds: usize,
    /// How stick-slip of the realisations is detected.
    pub stick_slip: StickSlipRule,
}

impl Default for Interval {
    fn default() -> Self {
        Self {
            duration: 300.0,
            window_start: None,
            window_end: None,
            realisations: 1000,
            vertices: true,
            rounds: 4,
            stick_slip: StickSlipRule::default(),
        }
    }
}

impl Study for Interval {
    fn has_items(&self) -> bool {
        true
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let discs = context.two_disc()?;
        let window = (self.window_start, self.window_end);
        let mut transient = runs::transient(STUDY, self.duration, window, context.solver)?;
        runs::check_rule(STUDY, &self.stick_slip, self.duration)?;
        transient.stick_slip = Some(self.stick_slip);
        let study = IntervalStudy { transient, seed: context.seed, rounds: self.vertices.then_some(self.rounds) };
        let indices: Vec<u64> = (0..self.realisations).collect();
        let make = |here: &Context<'_>, index: &u64| {
            let one = Realisation::of(discs, &study, *index, here.progress)?;
            here.progress.worked(one.outcome.effort);
            Ok(one)
        };
        let realisations = context.all_items("realisations", &indices, make, |one| one.outcome.rotation.is_none())?;
        let found = bounds(discs, &study, &realisations, context.progress)?;
        let mut outcome = Outcome::default();
        // a bound that is attained is a bound, whatever search found it
        for (name, ends) in [
            ("rotation", found.vertices),
            ("sampled", found.sampled),
            ("deterministic", found.deterministic),
            ("first_vertices", found.first_vertices),
            ("linear", found.linear),
        ] {
            outcome.push(&format!("{name}_lower"), "rad", ends.map(|ends| ends.0));
            outcome.push(&format!("{name}_upper"), "rad", ends.map(|ends| ends.1));
        }
        let class = found.deterministic_stick_slip.unwrap_or(StickSlipClass::Undecided);
        outcome.push("deterministic_stick_slip", "", class.name());
        let width = |ends: (f64, f64)| ends.1 - ends.0;
        outcome.push("sampled_width", "rad", found.sampled.map(width));
        outcome.push("deterministic_width", "rad", found.deterministic.map(width));
        let enclosed = found.sampled.zip(found.deterministic).map(|(all, one)| all.0 <= one.0 && one.1 <= all.1);
        outcome.push("sampled_encloses", "", enclosed);
        let level = discs.equilibrium().map_err(AnalysisError::from)?.as_ref().map(super::rotation);
        outcome.push("equilibrium_rotation", "rad", level);
        outcome.push("linear_reach", "rad", found.linear.map(|ends| 0.5 * width(ends)));
        outcome.push("linear_reach_widest", "rad", found.widest_reach);
        outcome.push("linear_standard_deviation", "rad", found.standard_deviation);
        let sum = found.linear.and_then(|_| sensitivity(discs, 0.0).ok()).map(|one| one.sum());
        outcome.push("linear_uniform_answer", "rad", sum);
        outcome.push("active_coordinates", "", found.active);
        outcome.push("vertex_runs", "", found.vertex_runs);
        outcome.push("realisations", "", realisations.len());
        // pictures of campaigns choose rows by words
        outcome.push("field", "", if realisations.is_empty() { "uniform" } else { "sampled" });
        outcome.push("failed", "", found.failed as usize);
        for class in StickSlipClass::ALL {
            let count = realisations.iter().filter(|one| class_of(one) == class).count();
            let share = (!realisations.is_empty()).then(|| count as f64 / realisations.len() as f64);
            outcome.push(&format!("{}_share", class.name()), "", share);
        }
        outcome.warnings.extend(doubts(&found, self.vertices));
        outcome.warnings.extend(runs::warnings(realisations.iter().map(|one| &one.outcome), discs.lower.radius));
        outcome.tables.push(table(&realisations));
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, COARSE)
    }
}

/// What a person should know about the bounds.
fn doubts(found: &Bounds, asked: bool) -> Vec<String> {
    let mut doubts = vec![
        "the bounds by vertices and by sampling are attained, hence inner bounds, and the linear one is an estimate: none of them \
         is an enclosure"
            .to_owned(),
    ];
    if asked && found.vertices.is_none() {
        let message = "there is no linear answer to the field here (no equilibrium, or a captured one, or no run at a vertex reached \
                       its end): only sampling bounds the rotation";
        doubts.push(message.to_owned());
    }
    if let (Some(vertices), Some(sampled)) = (found.vertices, found.sampled)
        && (sampled.0 < vertices.0 || sampled.1 > vertices.1)
    {
        doubts.push(format!(
            "a random realisation goes beyond the vertices that were tried ({} to {} rad, against {} to {} rad): the answer to the \
             field is not linear here",
            number(sampled.0),
            number(sampled.1),
            number(vertices.0),
            number(vertices.1)
        ));
    }
    doubts
}

/// The class of a realisation; one whose run did not complete is undecided.
fn class_of(one: &Realisation) -> StickSlipClass {
    one.outcome.stick_slip.map_or(StickSlipClass::Undecided, |found| found.class)
}

fn table(realisations: &[Realisation]) -> Table {
    let column = |of: &dyn Fn(&Realisation) -> Option<f64>| -> Vec<f64> {
        realisations.iter().map(|one| of(one).unwrap_or(f64::NAN)).collect()
    };
    let ends = |one: &Realisation| runs::extremes(&one.outcome);
    Table::new("realisations", "extremes of the rotation in the window, one row a realisation of the field")
        .integers("realisation", "realisation", realisations.iter().map(|one| one.index as i64).collect())
        .numbers("rotation_min", "rad", "smallest rotation Θ", column(&|one| ends(one).map(|ends| ends.0)))
        .numbers("rotation_max", "rad", "largest rotation Θ", column(&|one| ends(one).map(|ends| ends.1)))
        .words("stick_slip", "stick-slip", realisations.iter().map(|one| class_of(one).name().to_owned()).collect())
        .numbers(
            "max_contact_distance",
            "m",
            "largest distance of the contact",
            column(&|one| runs::reach(&one.outcome)),
        )
        .words("status", "status", realisations.iter().map(|one| one.outcome.status.name().to_owned()).collect())
        .integers("steps", "steps", realisations.iter().map(|one| one.outcome.effort.steps as i64).collect())
}
