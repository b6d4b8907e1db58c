//! Where a design loses determinism.

use super::{column, finite, list, range, value, word, words};
use crate::dataset::{Outcome, Table};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Cancelled;
use stiction::analysis::wheel::two_fold_map::{
    BorderCurve, CONDITIONS, Condition, Convention, MapPoint, Plane, TwoFoldMap as Map,
};
use stiction::keys::Key;
use stiction::memory::Need;

const KEY: &str = "study.two_fold_map";

/// Conditions for a Teixeira singularity of case 1 over the place (r*, ω*) of the two-fold, with their borders as curves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TwoFoldMap {
    /// Range of r* \[m\].
    pub positions: [f64; 2],
    /// Range of ω* [rad/s].
    pub speeds: [f64; 2],
    /// Points of the map along r*.
    #[schemars(range(min = 2, max = 5000))]
    pub columns: usize,
    /// Points of the map along ω*.
    #[schemars(range(min = 2, max = 5000))]
    pub rows: usize,
    /// Which sign of the rolling velocity a design uses.
    pub convention: Convention,
    /// Places at which conditions and values are given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<MapPlace>,
    /// Positions r* \[m\] along which the borders in ω* are given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub borders_at_position: Vec<f64>,
    /// Speeds ω* [rad/s] along which the borders in r* are given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub borders_at_speed: Vec<f64>,
    /// Cells of a line that is searched for borders.
    #[schemars(range(min = 10, max = 100_000))]
    pub cells: usize,
}

/// A place of a two-fold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapPlace {
    /// Position r* of the slider \[m\].
    pub position: f64,
    /// Speed ω* of the disc [rad/s].
    pub speed: f64,
}

impl Default for TwoFoldMap {
    fn default() -> Self {
        Self {
            positions: [-0.6, 0.8],
            speeds: [-2.2, 0.2],
            columns: 281,
            rows: 241,
            convention: Convention::default(),
            points: Vec::new(),
            borders_at_position: Vec::new(),
            borders_at_speed: Vec::new(),
            cells: 400,
        }
    }
}

impl Study for TwoFoldMap {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let wheel = context.wheel()?;
        super::dynamics(context)?;
        let positions = range(&format!("{KEY}.positions"), self.positions)?;
        let speeds = range(&format!("{KEY}.speeds"), self.speeds)?;
        finite(&format!("{KEY}.borders_at_position"), &self.borders_at_position)?;
        finite(&format!("{KEY}.borders_at_speed"), &self.borders_at_speed)?;
        for (index, place) in self.points.iter().enumerate() {
            finite(&format!("{KEY}.points.{index}"), &[place.position, place.speed])?;
        }
        let map = Map::new(wheel, self.convention);
        let plane = Plane { positions, speeds, columns: self.columns, rows: self.rows };
        context.progress.begin("map", 3);
        let step = || {
            context.progress.advance(1);
            if context.progress.cancelled() { Err(Cancelled) } else { Ok(()) }
        };
        let grid = map.grid(&plane);
        step()?;
        let curves = map.border_curves(&plane);
        step()?;
        let mut outcome = Outcome::default();
        outcome.push("convention", "", word(&self.convention).as_str());
        outcome.push("poles", "m", map.poles());
        self.push_points(&mut outcome, &map);
        self.push_borders(&mut outcome, &map, positions, speeds);
        step()?;
        outcome.tables.push(map_table(&plane, &grid));
        outcome.tables.push(border_table(&curves, &map));
        Ok(outcome)
    }

    fn needs(&self) -> Vec<Need> {
        let [columns, rows] = [self.columns, self.rows].map(|count| count as f64);
        vec![Need::new(Key::study("columns"), columns, columns * rows, "points of the map", 300.0).or("rows", rows)]
    }
}

impl TwoFoldMap {
    /// The places that were asked for: flags and values.
    fn push_points(&self, outcome: &mut Outcome, map: &Map) {
        let found: Vec<MapPoint> = self.points.iter().map(|place| map.at(place.position, place.speed)).collect();
        let table = Table::new("points", "places that were asked for")
            .numbers("position", "m", "r*", column(&self.points, |place| place.position))
            .numbers("speed", "rad/s", "ω*", column(&self.points, |place| place.speed))
            .numbers("moment_arm", "m", "moment arm κ", column(&found, |point| point.designed.moment_arm))
            .numbers("spring_stiffness", "N/m", "stiffness k₂", column(&found, |point| point.designed.spring_stiffness))
            .numbers("velocity", "m/s", "speed of the slider v*", column(&found, |point| point.designed.velocity))
            .numbers("sign", "", "sign s of the rolling velocity", column(&found, |point| point.designed.sign))
            .numbers("k_plus_plus", "", "K⁺⁺", column(&found, |point| point.folds.plus_plus))
            .numbers("k_plus_minus", "", "K⁺⁻", column(&found, |point| point.folds.plus_minus))
            .numbers("k_minus_plus", "", "K⁻⁺", column(&found, |point| point.folds.minus_plus))
            .numbers("k_minus_minus", "", "K⁻⁻", column(&found, |point| point.folds.minus_minus))
            .numbers("j_product", "", "J₁J₂", column(&found, |point| point.folds.j_product()));
        outcome.push_columns(&table, &[]);
        outcome.push("all", "", list(&found, MapPoint::all));
        for (index, condition) in CONDITIONS.iter().enumerate() {
            outcome.push(&word(condition), "", list(&found, |point| point.flags.get(index) == Some(&true)));
        }
        outcome.tables.push(with_flags(table, &found));
    }

    fn push_borders(&self, outcome: &mut Outcome, map: &Map, positions: (f64, f64), speeds: (f64, f64)) {
        let at_position =
            list(&self.borders_at_position, |position| value(&map.borders_at_position(*position, speeds, self.cells)));
        let at_speed =
            list(&self.borders_at_speed, |speed| value(&map.borders_at_speed(*speed, positions, self.cells)));
        outcome.push("borders_at_position", "", at_position);
        outcome.push("borders_at_speed", "", at_speed);
    }
}

/// With the flags of every place: the conditions, and whether all of them hold.
fn with_flags(mut table: Table, places: &[MapPoint]) -> Table {
    let holds = |flag: bool| if flag { "holds" } else { "fails" }.to_owned();
    table = table.words("all", "all conditions", words(places, |point| holds(point.all())));
    for (index, condition) in CONDITIONS.iter().enumerate() {
        let column = words(places, |point| holds(point.flags.get(index) == Some(&true)));
        table = table.words(&word(condition), &word(condition).replace('_', " "), column);
    }
    table
}

fn map_table(plane: &Plane, grid: &[MapPoint]) -> Table {
    let columns = plane.columns.max(1);
    let places: Vec<(f64, f64)> =
        (0..grid.len()).map(|k| (plane.position(k % columns), plane.speed(k / columns))).collect();
    let table = Table::new("map", "conditions over the place of the two-fold, one row a place")
        .numbers("position", "m", "r*", column(&places, |place| place.0))
        .numbers("speed", "rad/s", "ω*", column(&places, |place| place.1));
    let both = |point: &MapPoint| match (point.flags.get(5), point.flags.get(6)) {
        (Some(true), Some(true)) => "k₂ > 0 and κ > 0",
        (Some(true), _) => "k₂ > 0",
        (_, Some(true)) => "κ > 0",
        _ => "neither",
    };
    with_flags(table, grid).words("design", "design", words(grid, |point| both(point).to_owned())).words(
        "product",
        "J₁J₂ > 1",
        words(grid, |point| product(point).to_owned()),
    )
}

/// Whether J₁J₂ > 1 for real J: where K⁺⁺ and K⁻⁻ have the same sign J₁ and J₂ are imaginary, and only their product is real.
fn product(point: &MapPoint) -> &'static str {
    match point.folds.j() {
        None => "J imaginary",
        Some((j1, j2)) if j1 * j2 > 1.0 => "holds",
        Some(_) => "fails",
    }
}

/// What a point of a border is: a pole of J₁J₂ (there K⁺⁺ or K⁻⁻ vanishes, which is a border of its own), a place next to
/// which all conditions hold, or neither.
fn role(map: &Map, condition: Condition, position: f64, speed: f64) -> &'static str {
    const STEP: f64 = 1e-3;
    if condition == Condition::ProductAboveOne && (map.at(position, speed).folds.j_product() - 1.0).abs() > 0.5 {
        return "pole";
    }
    let around = [(STEP, 0.0), (-STEP, 0.0), (0.0, STEP), (0.0, -STEP)];
    let outline = around.iter().any(|(dr, domega)| map.at(position + dr, speed + domega).all());
    if outline { "outline" } else { "elsewhere" }
}

fn border_table(curves: &[BorderCurve], map: &Map) -> Table {
    let rows: Vec<(i64, Condition, f64, f64)> = curves
        .iter()
        .enumerate()
        .flat_map(|(index, curve)| {
            curve.points.iter().map(move |&(position, speed)| (index as i64, curve.condition, position, speed))
        })
        .collect();
    let roles: Vec<&str> = rows.iter().map(|row| role(map, row.1, row.2, row.3)).collect();
    // a curve that leaves the outline and comes back is two pieces
    let mut piece = 0;
    let mut pieces = Vec::with_capacity(rows.len());
    let mut before = None;
    for (row, role) in rows.iter().zip(&roles) {
        if before != Some((row.0, *role)) {
            piece += 1;
        }
        before = Some((row.0, *role));
        pieces.push(piece);
    }
    Table::new("borders", "borders of the conditions as curves, one row a point")
        .integers("curve", "curve", rows.iter().map(|row| row.0).collect())
        .integers("piece", "piece", pieces)
        .words("condition", "condition that changes", words(&rows, |row| word(&row.1).replace('_', " ")))
        .numbers("position", "m", "r*", column(&rows, |row| row.2))
        .numbers("speed", "rad/s", "ω*", column(&rows, |row| row.3))
        .words("role", "whether all conditions hold on one side", words(&roles, |role| (*role).to_owned()))
}
