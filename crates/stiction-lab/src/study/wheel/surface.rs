//! The switching surface: its regions, the sticking flow on it, and motions that leave it.

use super::itinerary::mode;
use super::return_map::{ReturnMap, push_map, return_table, warn_of_failures};
use super::{SurfacePlace, column, dynamics, finite, push_policies, range, words, wrong};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::wheel::exits;
use stiction::analysis::wheel::itinerary::{EventKind, Go, Itinerary, Start};
use stiction::analysis::wheel::surface::{
    Edge, SurfacePoint, Trace, region_border_curves, sticking_path, surface_point,
};
use stiction::analysis::{AnalysisError, Cancelled};
use stiction::system::filippov::{Phase, Region};
use stiction::system::wheel::{Dynamics, State};

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
    /// Starts of sticking motions that are drawn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<SurfacePlace>,
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
            paths: Vec::new(),
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
        outcome.push("turntable_speed", "rad/s", dynamics.omega0);
        let points = grid(&dynamics, window, (self.columns, self.rows))?;
        for region in [Region::Sliding, Region::Escaping, Region::CrossingPlus, Region::CrossingMinus] {
            let count = points.iter().filter(|point| point.region == region).count();
            outcome.push(&format!("share_{}", region.name()), "", count as f64 / points.len().max(1) as f64);
        }
        outcome.tables.push(region_table(&points));
        outcome.tables.push(border_table(&dynamics, window, FINER * self.columns));
        outcome.tables.push(arrow_table(&grid(&dynamics, window, (self.arrows, self.arrows))?, window));
        self.push_probes(&mut outcome, &dynamics, window, context)?;
        outcome.tables.push(self.paths(&dynamics)?);
        let special = Table::new("special", "the two-fold")
            .numbers("r", "m", "displacement r", fold.iter().map(|fold| fold.r).collect())
            .numbers("v", "m/s", "speed of the slider v", fold.iter().map(|fold| fold.v).collect())
            .numbers("omega", "rad/s", "speed of the disc ω", fold.iter().map(|fold| fold.omega).collect());
        outcome.tables.push(special);
        let ((low, high), _) = window;
        let line = Table::new("line", "the line of rest")
            .numbers("r", "m", "displacement r", vec![low, high])
            .numbers("v", "m/s", "speed of the slider v", vec![0.0, 0.0])
            .numbers("omega", "rad/s", "speed of the disc ω", vec![dynamics.omega0, dynamics.omega0]);
        outcome.tables.push(line);
        if let Some(runs) = &self.runs {
            self.push_runs(&mut outcome, runs, &dynamics, context)?;
        }
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::wheel())
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
    Table::new("regions", "regions of the switching surface, one row a point")
        .numbers("r", "m", "displacement r", column(points, |point| point.r))
        .numbers("omega", "rad/s", "speed of the disc ω", column(points, |point| point.omega))
        .numbers("v", "m/s", "speed of the slider v", column(points, |point| point.v))
        .words("region", "region", words(points, |point| region_word(point.region)))
        .numbers("lambda", "N", "friction force λ", column(points, |point| point.lambda.unwrap_or(f64::NAN)))
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
    Table::new("borders", "borders of the regions, one row a point")
        .integers("piece", "piece", rows.iter().map(|row| row.0).collect())
        .words("edge", "border", words(&rows, |row| name(row.1)))
        .numbers("r", "m", "displacement r", column(&rows, |row| row.2))
        .numbers("v", "m/s", "speed of the slider v", column(&rows, |row| dynamics.surface_v(row.2, row.3)))
        .numbers("omega", "rad/s", "speed of the disc ω", column(&rows, |row| row.3))
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
            let start = Start::Surface { r: start.r, omega: start.omega, go: Go::Stick };
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
        let crosses = |end: &(EventKind, f64)| match end.0 {
            EventKind::StickLimitPlus | EventKind::StickLimitMinus => true,
            EventKind::LineArrival => {
                matches!(below(end.1), Ok(Region::CrossingPlus | Region::CrossingMinus))
            }
            _ => false,
        };
        for (name, lower) in [("lower", true), ("upper", false)] {
            let here: Vec<Option<(EventKind, f64)>> = starts
                .iter()
                .zip(&ends)
                .filter(|(start, _)| (start.omega < dynamics.omega0) == lower)
                .map(|(_, end)| *end)
                .collect();
            let share = |kinds: &[EventKind]| {
                let count = here.iter().flatten().filter(|end| kinds.contains(&end.0)).count();
                (!here.is_empty()).then(|| count as f64 / here.len() as f64)
            };
            outcome.push(&format!("{name}_probes"), "", here.len());
            outcome.push(&format!("{name}_into_two_fold"), "", share(&[EventKind::TwoFold]));
            outcome.push(&format!("{name}_into_line"), "", share(&[EventKind::LineArrival]));
            outcome.push(
                &format!("{name}_into_slip"),
                "",
                share(&[EventKind::StickLimitPlus, EventKind::StickLimitMinus]),
            );
            let crossing = here.iter().flatten().filter(|end| crosses(end)).count();
            let crossing = (!here.is_empty()).then(|| crossing as f64 / here.len() as f64);
            outcome.push(&format!("{name}_into_crossing"), "", crossing);
        }
        outcome.push("upper_rises_from_escaping", "", rises_from_escaping(dynamics, window));
        let end_word = |end: &Option<(EventKind, f64)>| {
            end.map_or("failed".to_owned(), |(kind, _)| super::word(&kind).replace('_', " "))
        };
        let table = Table::new("probes", "where sticking motions end, one row a start")
            .numbers("r", "m", "displacement r", column(&starts, |start| start.r))
            .numbers("omega", "rad/s", "speed of the disc ω", column(&starts, |start| start.omega))
            .words("end", "end of the stick", words(&ends, end_word));
        outcome.tables.push(table);
        Ok(())
    }

    /// The sticking motions that were asked for.
    fn paths(&self, dynamics: &Dynamics) -> Result<Table, StudyError> {
        let mut rows: Vec<(i64, State)> = Vec::new();
        for (index, place) in self.paths.iter().enumerate() {
            finite(&format!("{KEY}.paths.{index}"), &[place.r, place.omega])?;
            let path = sticking_path(dynamics, (place.r, place.omega), STICK * dynamics.clock_unit(), self.spacing)
                .map_err(|error| {
                    StudyError::unsuitable(format!("{KEY}.paths.{index}"), format!("has no sticking motion: {error}"))
                })?;
            rows.extend(path.into_iter().map(|y| (index as i64, y)));
        }
        Ok(Table::new("paths", "sticking motions, one row a point")
            .integers("path", "path", rows.iter().map(|row| row.0).collect())
            .numbers("r", "m", "displacement r", column(&rows, |row| row.1[0]))
            .numbers("v", "m/s", "speed of the slider v", column(&rows, |row| row.1[1]))
            .numbers("omega", "rad/s", "speed of the disc ω", column(&rows, |row| row.1[2])))
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
        let map =
            exits::return_map(dynamics, &request, &departures, context.progress).map_err(|error| wrong(name, error))?;
        push_map(outcome, &map);
        push_policies(outcome, &request, dynamics);
        warn_of_failures(outcome, &map);
        context.progress.begin("paths", departures.len() as u64);
        let numbered: Vec<(usize, _)> = departures.iter().enumerate().collect();
        let spacing = self.spacing;
        let traces = crate::parallel::map(&numbered, |(index, exit)| {
            if context.progress.cancelled() {
                return Err(Cancelled);
            }
            let mut trace = Trace { spacing, points: Vec::new() };
            let member = Itinerary { realisation: request.realisation.wrapping_add(*index as u64), ..request.clone() };
            // a motion that cannot be computed keeps what there is; the return map has named it already
            let run = member.run_from_exit(dynamics, exit, &mut trace).ok();
            context.progress.advance(1);
            Ok((trace.points, run))
        })?;
        let fold = map_fold(dynamics);
        let crossings: Vec<f64> = traces
            .iter()
            .filter_map(|(_, run)| run.as_ref())
            .flat_map(|run| run.events.iter().filter(|event| event.kind == EventKind::Crossing).map(|event| event.r))
            .collect();
        let below = fold.map(|fold| crossings.iter().filter(|r| **r < fold).count());
        outcome.push("crossings_in_all", "", crossings.len());
        outcome.push(
            "crossings_below_two_fold",
            "",
            below.filter(|_| !crossings.is_empty()).map(|below| below as f64 / crossings.len() as f64),
        );
        let rows: Vec<(i64, Phase, State)> = traces
            .iter()
            .enumerate()
            .flat_map(|(index, (points, _))| points.iter().map(move |(phase, y)| (index as i64, *phase, *y)))
            .collect();
        outcome.tables.push(motion_table("runs", "motions from exits of the escaping region, one row a point", &rows));
        // the motion that winds most, until its first windings are done
        let most = map.rows.iter().enumerate().max_by_key(|(index, row)| (row.crossings, std::cmp::Reverse(*index)));
        let winding = most.and_then(|(index, _)| traces.get(index).map(|trace| (index as i64, trace.1.as_ref())));
        let first: Vec<(i64, Phase, State)> = winding.map_or_else(Vec::new, |(index, run)| {
            let events = run.map_or(&[][..], |run| &run.events);
            let end = events.get(WINDINGS).or(events.last()).map_or(0.0, |event| event.tau);
            rows.iter().filter(|row| row.0 == index && row.2[3] <= end).copied().collect()
        });
        outcome.tables.push(motion_table("windings", "first windings of the motion that winds most", &first));
        outcome.tables.push(return_table(&map.rows));
        Ok(())
    }
}

/// Motions, one row a point.
fn motion_table(name: &str, about: &str, rows: &[(i64, Phase, State)]) -> Table {
    Table::new(name, about)
        .integers("run", "run", rows.iter().map(|row| row.0).collect())
        .numbers("tau", "s/(kg m²)", "rescaled time τ", column(rows, |row| row.2[3]))
        .numbers("r", "m", "displacement r", column(rows, |row| row.2[0]))
        .numbers("v", "m/s", "speed of the slider v", column(rows, |row| row.2[1]))
        .numbers("omega", "rad/s", "speed of the disc ω", column(rows, |row| row.2[2]))
        .words("mode", "mode", words(rows, |row| mode(row.1)))
}

/// Share of the part of the line of rest above the escaping region from which stick rises into the upper sliding region; none
/// where the escaping region does not meet the line.
fn rises_from_escaping(dynamics: &Dynamics, ((left, right), _): Window) -> Option<f64> {
    const PLACES: u32 = 1000;
    let place = |k: u32| left + (right - left) * (f64::from(k) + 0.5) / f64::from(PLACES);
    let region = |r: f64, omega: f64| surface_point(dynamics, r, omega).ok();
    let escaping = |r: &f64| region(*r, dynamics.omega0 - BESIDE).is_some_and(|point| point.region == Region::Escaping);
    let above: Vec<f64> = (0..PLACES).map(place).filter(escaping).collect();
    let rising = |r: &&f64| {
        let point = region(**r, dynamics.omega0 + BESIDE);
        point.is_some_and(|point| point.region == Region::Sliding && point.field.is_some_and(|field| field[2] > 0.0))
    };
    (!above.is_empty()).then(|| above.iter().filter(rising).count() as f64 / above.len() as f64)
}

/// The displacement of the two-fold of case 1.
fn map_fold(dynamics: &Dynamics) -> Option<f64> {
    let exist = dynamics.two_folds().into_iter().filter(|fold| fold.sign_consistent);
    exist
        .filter(|fold| fold.case().is_some())
        .min_by_key(|fold| fold.case().map(|case| case.number()))
        .map(|fold| fold.r)
}
