//! The wheel with smooth friction: a different system, compared with the one that jumps.

use super::{SurfacePlace, column, finite, with_state, words};
use crate::dataset::{Outcome, Table};
use crate::study::statistics::{push_moments, push_share};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::wheel::exits::OnGrid;
use stiction::analysis::wheel::itinerary::{EventKind, Go, Itinerary, WheelStart};
use stiction::analysis::wheel::smooth::{NoisyExit, NoisyRequest, SmoothWheel, noisy_exits};
use stiction::analysis::wheel::surface::surface_point;
use stiction::system::Wheel;
use stiction::system::wheel::Dynamics;

const KEY: &str = "study.smooth";

/// A motion with smooth friction (`regularisation.tanh`) next to that of the automaton; with `noise.additive` many motions
/// and where they leave the surface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Smooth {
    /// Start on the switching surface.
    pub start: SurfacePlace,
    /// Length of the motion in rescaled time τ [s/(kg m²)], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration_tau: f64,
    /// Number of instants in the table.
    #[schemars(range(min = 2, max = 1_000_000))]
    pub points: usize,
    /// Lateral velocity |h| at which a motion has left the surface [m/s], > 0; ten lateral widths if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub threshold: Option<f64>,
    /// Number of noisy motions; realisation i is the same whatever their number.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub realisations: usize,
    /// Step of noisy motions in τ [s/(kg m²)], > 0; a tenth of the fastest decay at the start if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub step: Option<f64>,
}

impl Default for Smooth {
    fn default() -> Self {
        Self {
            start: SurfacePlace { r: 0.27, omega: -1.25 },
            duration_tau: 12.0,
            points: 601,
            threshold: None,
            realisations: 100,
            step: None,
        }
    }
}

/// Distance in r from the two-fold before which smooth motion and automaton are compared, relative to that of the start.
const COMPARED: f64 = 0.1;

impl Study for Smooth {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let wheel = context.wheel()?;
        let smooth = SmoothWheel::new(wheel)?;
        let lateral = wheel.regularisation.map_or(0.0, |regularisation| regularisation.tanh.lateral);
        finite(&format!("{KEY}.start"), &[self.start.r, self.start.omega])?;
        let dynamics = smooth.dynamics();
        if !dynamics.has_chart() {
            let message = "makes a surface that is no graph over (r, omega); its sine must not be 0";
            return Err(StudyError::of_system("wheel_angle", message));
        }
        let SurfacePlace { r, omega } = self.start;
        let start = [r, dynamics.surface_v(r, omega), omega];
        let interval = self.duration_tau / (self.points.max(2) - 1) as f64;
        let threshold = self.threshold.unwrap_or(10.0 * lateral);
        let tolerance = context.solver.tolerance();
        let path = smooth.run(start, (self.duration_tau, interval), tolerance, context.progress)?;
        let fold = dynamics.two_folds().into_iter().find(|fold| fold.sign_consistent && fold.case().is_some());

        let mut outcome = Outcome::default();
        outcome.push("threshold", "m/s", threshold);
        outcome.push("two_fold_r", "m", fold.map(|fold| fold.r));
        outcome.push("final_state", "m, m/s, rad/s", path.last().map(|y| y.to_vec()));
        let h: Vec<f64> = path.iter().map(|&[r, v, omega]| dynamics.h(r, v, omega)).collect();
        let left = h.iter().position(|h| h.abs() > threshold);
        outcome.push("left_tau", "s/(kg m²)", left.map(|k| k as f64 * interval));
        outcome.push("left_side", "", left.and_then(|k| h.get(k)).map_or("none", |h| side(*h)));
        outcome.push("left_r", "m", left.and_then(|k| path.get(k)).map(|y| y[0]));
        let exact = self.automaton(wheel, interval)?;
        outcome.push("two_fold_tau", "s/(kg m²)", exact.two_fold);
        let before = |y: &[f64; 5]| fold.is_none_or(|fold| (y[0] - fold.r).abs() > COMPARED * (r - fold.r).abs());
        // relative to displacement and speeds at the two-fold, or at the start where there is none
        let (length, speed) = fold.map_or((r, omega), |fold| (fold.r, fold.omega));
        let sizes = [length.abs(), (length * speed).abs(), speed.abs()];
        let apart = path.iter().zip(&exact.states).take_while(|(_, y)| before(y)).map(|(smooth, exact)| {
            let apart = smooth.iter().zip(exact).zip(sizes).map(|((a, b), size)| (a - b).abs() / size);
            apart.fold(0.0, f64::max)
        });
        outcome.push("difference_before_two_fold", "", apart.fold(0.0, f64::max));
        let smooth_rows =
            path.iter().zip(&h).enumerate().map(|(k, (y, h))| ("smooth", [k as f64 * interval, y[0], y[1], y[2], *h]));
        let exact_rows =
            exact.states.iter().map(|y| ("with jumps", [y[3], y[0], y[1], y[2], dynamics.h(y[0], y[1], y[2])]));
        let rows: Vec<(&str, [f64; 5])> = smooth_rows.chain(exact_rows).collect();
        outcome.tables.push(path_table(&rows));
        if let Some(noise) = wheel.noise {
            let request = NoisyRequest {
                start,
                two_fold: fold.map_or(r, |fold| fold.r),
                threshold,
                step: self.step.unwrap_or(0.1 / smooth.rate(r)),
                duration_tau: self.duration_tau,
                seed: context.seed,
            };
            let count = self.realisations as u64;
            let exits = noisy_exits(&smooth, noise.additive, &request, count, context.progress)?;
            outcome.push("step", "s/(kg m²)", request.step);
            push_exits(&mut outcome, dynamics, &exits)?;
        }
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::smooth_wheel())
    }
}

/// The motion of the wheel whose friction jumps, at the same instants.
struct Exact {
    states: Vec<[f64; 5]>,
    two_fold: Option<f64>,
}

impl Smooth {
    fn automaton(&self, wheel: &Wheel, interval: f64) -> Result<Exact, StudyError> {
        let plain = Wheel { regularisation: None, noise: None, ..*wheel };
        let Ok(dynamics) = plain.dynamics() else { return Ok(Exact { states: Vec::new(), two_fold: None }) };
        let SurfacePlace { r, omega } = self.start;
        let request = Itinerary {
            start: WheelStart::Surface { r, omega, go: Go::Auto },
            duration_tau: Some(self.duration_tau),
            ..Itinerary::default()
        };
        let mut path = OnGrid::new(interval);
        // the automaton stops where nothing is determined; a start that it refuses is not one of the smooth wheel
        let run = request.run_along(&dynamics, &mut path)?;
        let two_fold = run.events.iter().find(|event| event.kind == EventKind::TwoFold).map(|event| event.tau);
        Ok(Exact { states: path.states, two_fold })
    }
}

fn side(h: f64) -> &'static str {
    if h > 0.0 { "plus" } else { "minus" }
}

fn push_exits(outcome: &mut Outcome, dynamics: &Dynamics, exits: &[NoisyExit]) -> Result<(), StudyError> {
    let left: Vec<&NoisyExit> = exits.iter().filter(|exit| exit.side != 0.0).collect();
    let plus = left.iter().filter(|exit| exit.side > 0.0).count();
    push_share(outcome, "share_left", left.len(), exits.len());
    push_share(outcome, "share_plus", plus, left.len());
    push_moments(outcome, "delay", "s/(kg m²)", &column(&left, |exit| exit.delay));
    let word = |exit: &NoisyExit| if exit.side == 0.0 { "none" } else { side(exit.side) };
    let below = exits.iter().map(|exit| surface_point(dynamics, exit.r, exit.omega));
    let below = below.collect::<Result<Vec<_>, _>>()?;
    let table = Table::new("exits", "where and when each noisy motion left the surface after the two-fold")
        .integers("realisation", "realisation", (0..exits.len() as i64).collect())
        .words("side", "side", words(exits, |exit| word(exit).to_owned()))
        .numbers("delay", "s/(kg m²)", "τ since the two-fold", column(exits, |exit| exit.delay))
        .numbers("r", "m", "displacement r", column(exits, |exit| exit.r))
        .numbers("omega", "rad/s", "speed of the disc ω", column(exits, |exit| exit.omega))
        .words("region", "region of the surface below", words(&below, |point| point.region.name().to_owned()));
    outcome.tables.push(table);
    Ok(())
}

fn path_table(rows: &[(&str, [f64; 5])]) -> Table {
    let table = Table::new(
        "paths",
        "the smooth motion, and that of the wheel whose friction jumps until nothing is determined",
    )
    .words("friction", "friction", words(rows, |(name, _)| (*name).to_owned()))
    .numbers("tau", "s/(kg m²)", "rescaled time τ", column(rows, |(_, row)| row[0]));
    with_state(table, rows, |(_, row)| [row[1], row[2], row[3]]).numbers(
        "h",
        "m/s",
        "lateral sliding velocity h",
        column(rows, |(_, row)| row[4]),
    )
}
