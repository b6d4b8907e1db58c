//! The switching surface: its regions, the sticking flow on it, and motions that leave it.

use super::itinerary::mode;
use super::return_map::{ReturnMap, return_table, warn_of_failures};
use super::{column, dynamics, of_runs, push_policies, range, with_state, words};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use stiction::analysis::wheel::exits::{self, Return};
use stiction::analysis::wheel::itinerary::{EventKind, Go, Itinerary, WheelStart};
use stiction::analysis::wheel::surface::{BoundedTrace, Edge, SurfacePoint, region_border_curves, surface_point};
use stiction::analysis::{AnalysisError, Cancelled};
use stiction::keys::Key;
use stiction::memory::Need;
use stiction::system::filippov::{Phase, Region};
use stiction::system::wheel::{Dynamics, State, WheelTwoFold};

const KEY: &str = "study.surface";

/// Regions of the switching surface over (r, ω), the sticking flow, and motions that leave the escaping region.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Surface {
    /// Range of r \[m\].
    pub positions: [f64; 2],
    /// Range of ω [rad/s].
    pub speeds: [f64; 2],
    /// Points of the map along r.
    #[schemars(range(min = 2, max = 5000))]
    pub columns: usize,
    /// Points of the map along ω.
    #[schemars(range(min = 2, max = 5000))]
    pub rows: usize,
    /// Arrows of the sticking flow along r and along ω.
    #[schemars(range(min = 2, max = 200))]
    pub arrows: usize,
    /// Points in stick, along r and along ω, from which the sticking motion is followed to its end.
    #[schemars(range(min = 2, max = 500))]
    pub probes: usize,
    /// Motions from exits of the escaping region.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<ReturnMap>,
    /// Largest step in τ between the points of a motion that are kept [s/(kg m²)], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub spacing: f64,
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            positions: [0.05, 0.35],
            speeds: [-1.3, -0.8],
            columns: 301,
            rows: 301,
            arrows: 18,
            probes: 30,
            runs: None,
            spacing: 0.1,
        }
    }
}

/// Longest sticking motion that is followed, in units of the clock.
const STICK: f64 = 300.0;

/// Distance from the line of rest at which the region beside it is read [rad/s].
const BESIDE: f64 = 1e-9;

/// Events of the first windings of a motion.
const WINDINGS: usize = 24;

/// Points of a border for each column of the map: borders can be steep.
const FINER: usize = 8;

type Window = ((f64, f64), (f64, f64));

impl Study for Surface {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let dynamics = dynamics(context)?;
        let window =
            (range(&format!("{KEY}.positions"), self.positions)?, range(&format!("{KEY}.speeds"), self.speeds)?);
        let mut outcome = Outcome::default();
        let fold =
            dynamics.two_folds().into_iter().find(|fold| fold.sign_consistent && inside(window, fold.r, fold.omega));
        outcome.push("two_fold_r", "m", fold.map(|fold| fold.r));
        outcome.push("two_fold_omega", "rad/s", fold.map(|fold| fold.omega));
        outcome.tables.push(region_table(&grid(&dynamics, window, (self.columns, self.rows))?));
        outcome.tables.push(hatch_table(&dynamics, window)?);
        outcome.tables.push(border_table(&dynamics, window, FINER * self.columns));
        outcome.tables.push(arrow_table(&grid(&dynamics, window, (self.arrows, self.arrows))?, window));
        self.push_probes(&mut outcome, &dynamics, window, context)?;
        let fold: Vec<WheelTwoFold> = fold.into_iter().collect();
        let special = with_state(Table::new("special", "the two-fold"), &fold, |fold| [fold.r, fold.v, fold.omega]);
        outcome.tables.push(special);
        outcome.tables.push(line_table(&dynamics, window)?);
        if let Some(runs) = &self.runs {
            self.push_runs(&mut outcome, runs, &dynamics, context)?;
        }
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::wheel())
    }

    fn needs(&self) -> Vec<Need> {
        let [columns, rows] = [self.columns, self.rows].map(|count| count as f64);
        vec![Need::new(Key::study("columns"), columns, columns * rows, "points of the surface", 300.0).or("rows", rows)]
    }
}

fn inside(((left, right), (bottom, top)): Window, r: f64, omega: f64) -> bool {
    (left..=right).contains(&r) && (bottom..=top).contains(&omega)
}

/// Points of the surface on a grid of cell centres, row by row.
fn grid(
    dynamics: &Dynamics,
    ((left, right), (bottom, top)): Window,
    (columns, rows): (usize, usize),
) -> Result<Vec<SurfacePoint>, AnalysisError> {
    let at = |low: f64, high: f64, index: usize, count: usize| low + (high - low) * (index as f64 + 0.5) / count as f64;
    let place = |k: usize| (at(left, right, k % columns, columns), at(bottom, top, k / columns, rows));
    (0..columns * rows).map(place).map(|(r, omega)| surface_point(dynamics, r, omega)).collect()
}

/// A region in a word for pictures.
fn region_word(region: Region) -> String {
    match region {
        Region::Sliding => "S: stick",
        Region::Escaping => "E: escape",
        Region::CrossingPlus => "C+: crossing to h > 0",
        Region::CrossingMinus => "C−: crossing to h < 0",
        Region::Undetermined => "undetermined",
    }
    .to_owned()
}

fn region_table(points: &[SurfacePoint]) -> Table {
    let table = Table::new("regions", "regions of the switching surface, one row a point");
    with_state(table, points, |point| [point.r, point.v, point.omega])
        .words("region", "region", words(points, |point| region_word(point.region)))
        .numbers("lambda", "N", "friction force λ", column(points, |point| point.lambda.unwrap_or(f64::NAN)))
}

/// Lines of constant ω, each in one region: they show the regions in a view of space without hiding what is behind.
fn hatch_table(dynamics: &Dynamics, window: Window) -> Result<Table, AnalysisError> {
    const LINES: usize = 36;
    const PLACES: usize = 300;
    let points = grid(dynamics, window, (PLACES, LINES))?;
    let mut line = 0;
    let mut lines: Vec<i64> = Vec::with_capacity(points.len());
    for (index, point) in points.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| points.get(before));
        if index % PLACES == 0 || before.is_none_or(|before| before.region != point.region) {
            line += 1;
        }
        lines.push(line);
    }
    let table =
        Table::new("hatches", "lines on the switching surface, each in one region").integers("line", "line", lines);
    Ok(with_state(table, &points, |point| [point.r, point.v, point.omega]).words(
        "region",
        "region",
        words(&points, |point| region_word(point.region)),
    ))
}

fn border_table(dynamics: &Dynamics, window: Window, points: usize) -> Table {
    let mut rows: Vec<(i64, Edge, f64, f64)> = Vec::new();
    let mut piece = 0;
    for (edge, curve) in region_border_curves(dynamics, window.0, 4 * points) {
        piece += 1;
        for (r, omega) in curve {
            if inside(window, r, omega) {
                rows.push((piece, edge, r, omega));
            } else {
                // what goes out of the window and comes back is two pieces
                piece += 1;
            }
        }
    }
    let name = |edge: Edge| if edge == Edge::Plus { "L+ = 0" } else { "L− = 0" }.to_owned();
    let table = Table::new("borders", "borders of the regions, one row a point")
        .integers("piece", "piece", rows.iter().map(|row| row.0).collect())
        .words("edge", "border", words(&rows, |row| name(row.1)));
    with_state(table, &rows, |row| [row.2, dynamics.surface_v(row.2, row.3), row.3])
}

/// Directions of the sticking flow: all arrows have the same length in the window.
fn arrow_table(points: &[SurfacePoint], ((left, right), (bottom, top)): Window) -> Table {
    let rows: Vec<(f64, f64, f64, f64, Region)> = points
        .iter()
        .filter_map(|point| {
            let [r, _, omega] = point.field?;
            let (x, y) = (r / (right - left), omega / (top - bottom));
            let length = (x * x + y * y).sqrt();
            (length > 0.0).then(|| (point.r, point.omega, r / length, omega / length, point.region))
        })
        .collect();
    Table::new("flow", "directions of the sticking flow, one row an arrow")
        .numbers("r", "m", "displacement r", column(&rows, |row| row.0))
        .numbers("omega", "rad/s", "speed of the disc ω", column(&rows, |row| row.1))
        .numbers("dr", "", "direction along r", column(&rows, |row| row.2))
        .numbers("domega", "", "direction along ω", column(&rows, |row| row.3))
        .words("region", "region", words(&rows, |row| region_word(row.4)))
}

impl Surface {
    /// Where sticking motions of the lower and the upper sliding region end.
    fn push_probes(
        &self,
        outcome: &mut Outcome,
        dynamics: &Dynamics,
        window: Window,
        context: &Context<'_>,
    ) -> Result<(), StudyError> {
        let points = grid(dynamics, window, (self.probes, self.probes))?;
        let starts: Vec<SurfacePoint> = points.into_iter().filter(|point| point.region == Region::Sliding).collect();
        context.progress.begin("sticking motions", starts.len() as u64);
        let ends = crate::parallel::map(&starts, |start| {
            if context.progress.cancelled() {
                return Err(Cancelled);
            }
            let start = WheelStart::Surface { r: start.r, omega: start.omega, go: Go::Stick };
            let solver = context.solver;
            let duration_tau = Some(STICK * dynamics.clock_unit());
            let request = Itinerary { start, duration_tau, max_events: 1, solver, ..Itinerary::default() };
            let run = request.run(dynamics).ok();
            run.iter().for_each(|run| context.progress.worked(run.effort));
            let end = run.and_then(|run| run.events.first().map(|event| (event.kind, event.r)));
            context.progress.advance(1);
            Ok(end)
        })?;
        let failures = ends.iter().filter(|end| end.is_none()).count();
        if failures > 0 {
            let all = ends.len();
            outcome.warnings.push(format!("{failures} of {all} sticking motions could not be computed"));
        }
        // a stick that comes down to the line of rest meets the region below it
        let below = |r: f64| surface_point(dynamics, r, dynamics.omega0 - BESIDE).map(|point| point.region);
        let into = |end: &Option<(EventKind, f64)>| match end {
            Some((EventKind::TwoFold, _)) => "two-fold",
            Some((EventKind::StickLimitPlus | EventKind::StickLimitMinus, _)) => "crossing",
            Some((EventKind::LineArrival, r)) => match below(*r) {
                Ok(Region::CrossingPlus | Region::CrossingMinus) => "crossing",
                _ => "line of rest",
            },
            _ => "elsewhere",
        };
        let end_word = |end: &Option<(EventKind, f64)>| {
            end.map_or("failed".to_owned(), |(kind, _)| super::word(&kind).replace('_', " "))
        };
        let table = Table::new("probes", "where sticking motions end, one row a start")
            .numbers("r", "m", "displacement r", column(&starts, |start| start.r))
            .numbers("omega", "rad/s", "speed of the disc ω", column(&starts, |start| start.omega))
            .words("end", "end of the stick", words(&ends, end_word))
            .words("into", "what it flows into", words(&ends, |end| into(end).to_owned()));
        outcome.tables.push(table);
        Ok(())
    }

    /// Motions from exits.
    fn push_runs(
        &self,
        outcome: &mut Outcome,
        runs: &ReturnMap,
        dynamics: &Dynamics,
        context: &Context<'_>,
    ) -> Result<(), StudyError> {
        let name = "surface.runs";
        let request = runs.request(name, dynamics, context)?;
        let departures = runs.departures(name, dynamics, request.seed, context)?;
        let trace = || BoundedTrace::new(self.spacing, context.progress.memory());
        let motions =
            exits::motions(dynamics, &request, &departures, (trace, "spacing", self.spacing), context.progress)
                .map_err(|error| of_runs(name, error))?;
        push_policies(outcome, &request, dynamics);
        let returns: Vec<Return> = motions.iter().map(|(_, row, _)| row.clone()).collect();
        warn_of_failures(outcome, &returns);
        let events = motions.iter().flat_map(|(.., events)| events);
        let crossings: Vec<_> = events.filter(|event| event.kind == EventKind::Crossing).collect();
        let table = Table::new("crossings", "where the motions cross the switching surface");
        outcome.tables.push(with_state(table, &crossings, |event| [event.r, event.v, event.omega]));
        let rows: Vec<(i64, Phase, State)> = motions
            .iter()
            .enumerate()
            .flat_map(|(index, (path, ..))| path.trace.points.iter().map(move |(phase, y)| (index as i64, *phase, *y)))
            .collect();
        outcome.tables.push(motion_table("runs", "motions from exits of the escaping region, one row a point", &rows));
        // the motion that winds most, until its first windings are done
        let most = motions.iter().enumerate().max_by_key(|(index, motion)| (motion.1.crossings, Reverse(*index)));
        let first: Vec<(i64, Phase, State)> = most.map_or_else(Vec::new, |(index, (.., events))| {
            let end = events.get(WINDINGS).or(events.last()).map_or(0.0, |event| event.tau);
            rows.iter().filter(|row| row.0 == index as i64 && row.2[3] <= end).copied().collect()
        });
        outcome.tables.push(motion_table("windings", "first windings of the motion that winds most", &first));
        outcome.tables.push(return_table(&returns));
        Ok(())
    }
}

/// Motions, one row a point.
fn motion_table(name: &str, about: &str, rows: &[(i64, Phase, State)]) -> Table {
    let table = Table::new(name, about).integers("run", "run", rows.iter().map(|row| row.0).collect()).numbers(
        "tau",
        "s/(kg m²)",
        "rescaled time τ",
        column(rows, |row| row.2[3]),
    );
    with_state(table, rows, |row| [row.2[0], row.2[1], row.2[2]]).words("mode", "mode", words(rows, |row| mode(row.1)))
}

/// The line of rest: the region below each place, and whether stick rises from it into the region above.
fn line_table(dynamics: &Dynamics, ((left, right), _): Window) -> Result<Table, AnalysisError> {
    const PLACES: u32 = 1000;
    let place = |k: u32| left + (right - left) * (f64::from(k) + 0.5) / f64::from(PLACES);
    let places: Vec<f64> = [left].into_iter().chain((0..PLACES).map(place)).chain([right]).collect();
    let beside = |gap: f64| -> Result<Vec<SurfacePoint>, AnalysisError> {
        places.iter().map(|r| surface_point(dynamics, *r, dynamics.omega0 + gap)).collect()
    };
    let rises =
        |point: &SurfacePoint| point.region == Region::Sliding && point.field.is_some_and(|field| field[2] > 0.0);
    let table = with_state(Table::new("line", "the line of rest"), &places, |r| [*r, 0.0, dynamics.omega0]);
    let (below, above) = (beside(-BESIDE)?, beside(BESIDE)?);
    Ok(table.words("below", "region below", words(&below, |point| region_word(point.region))).words(
        "stick",
        "stick above",
        words(&above, |point| if rises(point) { "rises" } else { "falls" }.to_owned()),
    ))
}
