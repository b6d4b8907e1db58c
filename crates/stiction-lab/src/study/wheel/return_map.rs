//! What becomes of motions past a two-fold.

use super::{column, dynamics, push_policies, word, words, wrong};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::wheel::escaping::{Departure, EscapingRegion};
use stiction::analysis::wheel::exits::{self, ExitOutcome, Return, ReturnMap as Map};
use stiction::analysis::wheel::itinerary::{
    ExitDistribution, ExitSampled, ExitSide, Itinerary, LinePolicy, LineWeights,
};
use stiction::system::wheel::Dynamics;

/// Motions from exits of the escaping region, each until it comes back to a two-fold or the run ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReturnMap {
    /// Where the escaping region is left.
    pub exits: Exits,
    /// Longest run in rescaled time τ [s/(kg m²)], > 0; give this or `duration`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration_tau: Option<f64>,
    /// Longest run \[s\], > 0; give this or `duration_tau`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: Option<f64>,
    /// What follows a stop on the line where both sliding velocities vanish.
    pub line_policy: LinePolicy,
    /// Further policies under which the share that comes back is found from the same exits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compare_policies: Vec<LinePolicy>,
    /// Weights of `line_policy = "sampled"`.
    pub line_weights: LineWeights,
    /// Distance from the line at which a slip has reached it [m/s], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub line_radius: f64,
    /// Distance from a two-fold at which a stick has reached it, in the units of (r, v, ω), > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub two_fold_radius: f64,
    /// Most events before a run ends.
    #[schemars(range(min = 1))]
    pub max_events: usize,
}

/// Where the escaping region next to the two-fold is left: exactly one of these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Exits {
    /// Middles of even cells, each to both sides.
    Grid(GridOfExits),
    /// Drawn from the part that can be reached from the two-fold.
    Sampled(SampledExits),
    /// Given points.
    Points(Vec<ExitPoint>),
}

/// A grid of exits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GridOfExits {
    /// Cells along r.
    #[schemars(range(min = 1, max = 1000))]
    pub positions: usize,
    /// Cells along ω at each r.
    #[schemars(range(min = 1, max = 1000))]
    pub heights: usize,
}

/// Exits that are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SampledExits {
    /// How many.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub count: usize,
    /// Where.
    pub distribution: ExitDistribution,
    /// Probability of the plus side [-].
    #[serde(default = "half")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub side_probability: f64,
    /// Rate of exit [1/τ], > 0, for `hazard`.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub rate: f64,
}

fn half() -> f64 {
    0.5
}

fn one() -> f64 {
    1.0
}

/// A point of the escaping region, and a side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExitPoint {
    /// Displacement of the slider \[m\].
    pub r: f64,
    /// Speed of the disc [rad/s].
    pub omega: f64,
    /// The side to which it is left.
    pub side: ExitSide,
}

impl Default for ReturnMap {
    fn default() -> Self {
        let request = Itinerary::default();
        Self {
            exits: Exits::Grid(GridOfExits { positions: 4, heights: 4 }),
            duration_tau: None,
            duration: None,
            line_policy: request.line_policy,
            compare_policies: Vec::new(),
            line_weights: request.line_weights,
            line_radius: request.line_radius,
            two_fold_radius: request.two_fold_radius,
            max_events: request.max_events,
        }
    }
}

/// How long a motion is followed if nothing is said, in units of the clock: most come back within 150.
const LONGEST: f64 = 300.0;

impl ReturnMap {
    /// What each motion is asked for.
    pub(super) fn request(
        &self,
        study: &str,
        dynamics: &Dynamics,
        context: &Context<'_>,
    ) -> Result<Itinerary, StudyError> {
        let longest = LONGEST * dynamics.clock_unit();
        let duration_tau = self.duration_tau.or(self.duration.is_none().then_some(longest));
        let request = Itinerary {
            duration_tau,
            duration: self.duration,
            line_policy: self.line_policy,
            line_weights: self.line_weights,
            line_radius: self.line_radius,
            two_fold_radius: self.two_fold_radius,
            max_events: self.max_events,
            seed: context.seed,
            solver: context.solver,
            ..Itinerary::default()
        };
        request.check().map_err(|error| wrong(study, error))?;
        Ok(request)
    }

    /// The exits.
    pub(super) fn departures(
        &self,
        study: &str,
        dynamics: &Dynamics,
        seed: u64,
        context: &Context<'_>,
    ) -> Result<Vec<Departure>, StudyError> {
        let at = |point: &ExitPoint| {
            let ExitPoint { r, omega, side } = *point;
            Departure { r, omega, since: (0.0, 0.0), wait: 0.0, side: side.into() }
        };
        match &self.exits {
            Exits::Grid(grid) => {
                exits::grid(dynamics, grid.positions, grid.heights).map_err(|error| wrong(study, error))
            }
            Exits::Sampled(how) => {
                let SampledExits { count, distribution, side_probability, rate } = *how;
                let how = ExitSampled { distribution, side_probability, rate };
                exits::sampled(dynamics, how, count, seed, context.progress).map_err(|error| wrong(study, error))
            }
            Exits::Points(points) => {
                let region = EscapingRegion::next_to_two_fold(dynamics).map_err(|error| wrong(study, error))?;
                for (index, point) in points.iter().enumerate() {
                    if !region.contains(dynamics, point.r, point.omega) {
                        let (low, high) = region.positions;
                        let message = format!(
                            "(r = {}, omega = {}) lies outside of the escaping region next to the two-fold, whose r goes from \
                             {low} to {high}",
                            point.r, point.omega
                        );
                        return Err(StudyError::unsuitable(format!("study.{study}.exits.points.{index}"), message));
                    }
                }
                Ok(points.iter().map(at).collect())
            }
        }
    }
}

impl Study for ReturnMap {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let dynamics = dynamics(context)?;
        let request = self.request("return_map", &dynamics, context)?;
        let exits = self.departures("return_map", &dynamics, request.seed, context)?;
        let map = exits::return_map(&dynamics, &request, &exits, context.progress)?;
        let mut outcome = Outcome::default();
        push_map(&mut outcome, &map);
        let mut policies = vec![(word(&self.line_policy), map.probability)];
        for policy in &self.compare_policies {
            let request = Itinerary { line_policy: *policy, ..request.clone() };
            let other = exits::return_map(&dynamics, &request, &exits, context.progress)?;
            policies.push((word(policy), other.probability));
        }
        let region = EscapingRegion::next_to_two_fold(&dynamics)?;
        outcome.push("escaping_positions", "m", vec![region.positions.0, region.positions.1]);
        outcome.push("reachable_positions", "m", vec![region.reach.0, region.reach.1]);
        push_policies(&mut outcome, &request, &dynamics);
        warn_of_failures(&mut outcome, &map.rows);
        let table = return_table(&map.rows);
        outcome.push_columns(&table, &[]);
        outcome.tables.push(table);
        outcome.tables.push(landing_table(&map.rows));
        let policies_table = Table::new("policies", "share of motions that come back, by policy on the line of rest")
            .words("policy", "policy", words(&policies, |row| row.0.clone()))
            .numbers("probability", "", "share that comes back", column(&policies, |row| row.1));
        outcome.tables.push(policies_table);
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::wheel())
    }
}

/// The answers of a return map.
fn push_map(outcome: &mut Outcome, map: &Map) {
    let share = map.probability;
    outcome.push("exits", "", map.rows.len());
    outcome.push("returned", "", map.rows.iter().filter(|row| row.outcome == ExitOutcome::Returned).count());
    outcome.push("probability", "", share);
    outcome.push("probability_se", "", (share * (1.0 - share) / map.rows.len().max(1) as f64).sqrt());
    outcome.push("tau_quantiles", "s/(kg m²)", map.tau_quantiles.map(|quantiles| quantiles.to_vec()));
}

/// How a motion ended, in a word.
fn ending(outcome: &ExitOutcome) -> String {
    match outcome {
        ExitOutcome::Returned => "returned".to_owned(),
        ExitOutcome::Ended(kind) => word(kind),
        ExitOutcome::Locked => "locked".to_owned(),
        ExitOutcome::Failed(_) => "failed".to_owned(),
    }
}

/// Motions that could not be computed.
pub(super) fn warn_of_failures(outcome: &mut Outcome, rows: &[Return]) {
    let failures: Vec<(usize, &String)> = rows
        .iter()
        .enumerate()
        .filter_map(|(index, row)| match &row.outcome {
            ExitOutcome::Failed(message) => Some((index, message)),
            _ => None,
        })
        .collect();
    if let Some((index, message)) = failures.first() {
        let count = failures.len();
        outcome
            .warnings
            .push(format!("{count} of {} motions could not be computed; exit {index}: {message}", rows.len()));
    }
}

pub(super) fn return_table(rows: &[Return]) -> Table {
    let whole = |of: fn(&Return) -> usize| rows.iter().map(|row| of(row) as i64).collect();
    Table::new("returns", "one row an exit")
        .numbers("r", "m", "displacement r at the exit", column(rows, |row| row.r))
        .numbers("omega", "rad/s", "speed of the disc ω at the exit", column(rows, |row| row.omega))
        .words("side", "side", words(rows, |row| word(&row.side)))
        .words("outcome", "outcome", words(rows, |row| ending(&row.outcome)))
        .numbers("tau", "s/(kg m²)", "τ until the return", column(rows, |row| row.tau))
        .numbers("time", "s", "time until the return", column(rows, |row| row.time))
        .integers("events", "events", whole(|row| row.events))
        .integers("crossings", "crossings", whole(|row| row.crossings))
        .integers("line_events", "events on the line of rest", whole(|row| row.line_events))
}

fn landing_table(rows: &[Return]) -> Table {
    let landings: Vec<(usize, f64, f64)> = rows
        .iter()
        .enumerate()
        .flat_map(|(index, row)| row.landings.iter().map(move |&(r, omega)| (index, r, omega)))
        .collect();
    Table::new("landings", "where motions came to stick")
        .integers("exit", "exit", landings.iter().map(|landing| landing.0 as i64).collect())
        .numbers("r", "m", "displacement r", column(&landings, |landing| landing.1))
        .numbers("omega", "rad/s", "speed of the disc ω", column(&landings, |landing| landing.2))
}
