//! Stability of the equilibrium over a plane of two parameters, for one pair of discs or several, and motions that check it.

use super::map_shape::{Plane, mean_between};
use super::runs;
use super::variant::{DiscVariant, Named, named, without_field};
use crate::dataset::{Outcome, Table, Value};
use crate::study::family::{Family, parameter};
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::two_disc::{
    Class, Linearisation, Map, Outcome as Run, Stability, Transient, stability, stability_map,
};
use stiction::keys::Parameter;
use stiction::system::TwoDisc;
use stiction::system::two_disc::Start;

const STUDY: &str = "stability_map";

/// Stability of the equilibrium that continues from small loads, over a plane of two parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StabilityMap {
    /// The first parameter and its values.
    #[serde(default = "loads")]
    pub x: Sweep,
    /// The second parameter and its values.
    #[serde(default = "speeds")]
    pub y: Sweep,
    /// Which linearisation decides.
    #[serde(default)]
    pub linearisation: Linearisation,
    /// Values of the second parameter at which the first unstable value of the first and the stable share are told, in the
    /// unit of the parameter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub report_at: Vec<f64>,
    /// Several pairs of discs, a map each; quantities are lists in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variant: Vec<DiscVariant>,
    /// Places of the plane from which the motion is followed, beside the equilibrium there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub point: Vec<MapPoint>,
}

/// A place of the plane whose motion is followed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapPoint {
    /// Its name.
    pub name: String,
    /// Value of the first parameter.
    pub x: f64,
    /// Value of the second parameter.
    pub y: f64,
    /// Displacement of Θ from the equilibrium at the start \[rad\].
    pub displacement: f64,
    /// How long the motion is followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
}

fn loads() -> Sweep {
    Sweep::even("normal_load", 1.0, 100.0, 100)
}

fn speeds() -> Sweep {
    Sweep::even("drive_speed", 0.1, 10.0, 100)
}

impl Study for StabilityMap {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let discs = without_field(context.two_disc()?.clone());
        let knobs = [("x", &self.x), ("y", &self.y)]
            .map(|(axis, sweep)| parameter(&discs, &sweep.parameter, &format!("study.{STUDY}.{axis}.parameter")));
        let [x_knob, y_knob] = knobs;
        let (x_knob, y_knob) = (x_knob?, y_knob?);
        let x = self.x.values(&format!("study.{STUDY}.x"))?;
        let y = self.y.values(&format!("study.{STUDY}.y"))?;
        let all = named(&self.variant, &discs, STUDY)?;
        let mut maps = Vec::new();
        for Named { discs, .. } in &all {
            let axes = [("study.stability_map.x", &self.x), ("study.stability_map.y", &self.y)];
            let family = Family::of_several(discs, &axes.map(|(key, sweep)| (sweep.parameter.as_str(), key)))?;
            maps.push(stability_map(&|x, y| Ok(family.with(&[x, y])?), &x, &y, self.linearisation, context.progress)?);
        }
        let mut outcome = Outcome::default();
        outcome.push("variants", "", all.iter().map(|one| one.name.as_str()).collect::<Vec<_>>());
        push(&mut outcome, &maps, (&x_knob, &y_knob));
        self.along_rows(&mut outcome, &maps, &x_knob);
        let followed = self.follow(&discs, (&x_knob, &y_knob), context)?;
        self.tell(&mut outcome, &followed, discs.lower.radius);
        outcome.tables.push(map_table(&all, &maps, (&x_knob, &y_knob)));
        outcome.tables.push(boundary_table(&all, &maps, (&x_knob, &y_knob)));
        if !followed.is_empty() {
            outcome.tables.push(point_table(&followed, (&x_knob, &y_knob)));
            outcome.tables.push(response_table(&followed));
        }
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        (!self.point.is_empty()).then(|| Offer::stiff(1e-6))
    }
}

/// A place and what happened from there.
struct Followed<'a> {
    point: &'a MapPoint,
    stability: Stability,
    run: Run,
    times: Vec<f64>,
}

impl StabilityMap {
    /// What the rows of `report_at` say.
    fn along_rows(&self, outcome: &mut Outcome, maps: &[Map], x: &Parameter) {
        let list = |of: &dyn Fn(&Map) -> Option<f64>| Value::List(maps.iter().map(|map| of(map).into()).collect());
        for value in &self.report_at {
            let place = runs::in_a_name(*value);
            let critical = list(&|map| plane(map).first_no(*value));
            outcome.push(&format!("critical_x_at_{place}"), x.unit(), critical);
            outcome.push(&format!("stable_share_at_{place}"), "", list(&|map| plane(map).share_at(*value)));
        }
    }

    fn follow(
        &self,
        discs: &TwoDisc,
        (x, y): (&Parameter, &Parameter),
        context: &Context<'_>,
    ) -> Result<Vec<Followed<'_>>, StudyError> {
        const ROWS: usize = 4000;
        context.progress.begin("motions", self.point.len() as u64);
        let mut followed = Vec::new();
        for (index, point) in self.point.iter().enumerate() {
            let mut there = y.at(&x.at(discs, point.x)?, point.y)?;
            let stability = stability(&there, self.linearisation)?;
            there.start = Start::Equilibrium;
            there.perturbation.upper_rotation = point.displacement;
            let system = there
                .uniform()
                .map_err(|error| StudyError::unsuitable(format!("study.{STUDY}.point[{index}]"), error.to_string()))?;
            let times: Vec<f64> = (0..=ROWS).map(|row| point.duration * row as f64 / ROWS as f64).collect();
            let whole = Transient {
                window: (0.0, point.duration),
                sample_times: times.clone(),
                ..runs::transient(STUDY, point.duration, (None, None), context.solver)?
            };
            let run = whole.run(&system);
            context.progress.worked(run.effort);
            followed.push(Followed { point, stability, run, times });
            context.progress.advance(1);
        }
        Ok(followed)
    }

    fn tell(&self, outcome: &mut Outcome, followed: &[Followed<'_>], lower_radius: f64) {
        if followed.is_empty() {
            return;
        }
        let list = |of: &dyn Fn(&Followed<'_>) -> Value| Value::List(followed.iter().map(of).collect());
        outcome.push("points", "", list(&|one| one.point.name.as_str().into()));
        let rotation =
            |one: &Followed<'_>| -> Value { one.stability.equilibrium.map(|found| found.coordinates[2]).into() };
        outcome.push("point_rotations", "rad", list(&rotation));
        outcome.push("point_growths", "1/s", list(&|one| one.stability.growth.into()));
        outcome.push("point_frequencies", "rad/s", list(&|one| one.stability.frequency.into()));
        outcome.push("point_stability", "", list(&|one| one.stability.class.name().into()));
        outcome.push("point_trends", "", list(&|one| runs::trend(&one.run).into()));
        outcome.push("point_amplitude_ratios", "", list(&|one| amplitude_ratio(one).into()));
        outcome.warnings.extend(runs::warnings(followed.iter().map(|one| &one.run), lower_radius));
    }
}

/// Largest distance from the equilibrium in the last tenth of a motion, divided by that at its start.
fn amplitude_ratio(followed: &Followed<'_>) -> Option<f64> {
    let level = followed.stability.equilibrium?.coordinates[2];
    let away: Vec<f64> = followed.run.samples.iter().map(|sample| (sample[2] - level).abs()).collect();
    let late = away.get(away.len() * 9 / 10..)?;
    Some(late.iter().copied().reduce(f64::max)? / followed.point.displacement.abs())
}

fn plane(map: &Map) -> Plane<'_> {
    let says = |cell: &Stability| match cell.class {
        Class::Stable => Some(true),
        Class::Unstable => Some(false),
        Class::Captured | Class::None | Class::Undecided => None,
    };
    Plane { x: &map.x, y: &map.y, cells: map.cells.iter().map(says).collect() }
}

fn push(outcome: &mut Outcome, maps: &[Map], (x, y): (&Parameter, &Parameter)) {
    let list = |of: &dyn Fn(&Map) -> Option<f64>| Value::List(maps.iter().map(|map| of(map).into()).collect());
    let share = |map: &Map, class: Class| {
        map.cells.iter().filter(|cell| cell.class == class).count() as f64 / map.cells.len().max(1) as f64
    };
    outcome.push("stable_share", "", list(&|map| Some(share(map, Class::Stable))));
    outcome.push("unstable_share", "", list(&|map| Some(share(map, Class::Unstable))));
    outcome.push("captured_share", "", list(&|map| Some(share(map, Class::Captured))));
    outcome.push("no_equilibrium_share", "", list(&|map| Some(share(map, Class::None))));
    outcome.push("undecided_share", "", list(&|map| Some(share(map, Class::Undecided))));
    let (low, high) = ((0.0, 0.5), (0.5, 1.0));
    for (name, x, y) in [
        ("stable_share_lower_left", low, low),
        ("stable_share_upper_left", low, high),
        ("stable_share_lower_right", high, low),
        ("stable_share_upper_right", high, high),
        ("stable_share_first_tenth", (0.0, 0.1), (0.0, 1.0)),
    ] {
        outcome.push(name, "", list(&|map| plane(map).share(x, y)));
    }
    let heights = |map: &Map| plane(map).boundary().into_iter().map(|(height, _)| height).collect::<Vec<f64>>();
    outcome.push("boundary_first_tenth", y.unit(), list(&|map| mean_between(&heights(map), 0.0, 0.1)));
    outcome.push("boundary_middle", y.unit(), list(&|map| mean_between(&heights(map), 0.4, 0.6)));
    outcome.push("boundary_right_half", y.unit(), list(&|map| mean_between(&heights(map), 0.5, 1.0)));
    outcome.push("boundary_last_tenth", y.unit(), list(&|map| mean_between(&heights(map), 0.9, 1.0)));
    let highest = |map: &Map| mean_between(&plane(map).highest_yes(), 0.5, 1.0);
    outcome.push("highest_stable_right_half", y.unit(), list(&highest));
    let exceptions = |map: &Map| plane(map).boundary().iter().map(|(_, count)| *count).sum::<usize>();
    outcome.push("exception_share", "", list(&|map| Some(exceptions(map) as f64 / map.cells.len().max(1) as f64)));
    outcome.push("largest_stable_x", x.unit(), list(&|map| plane(map).last_yes()));
    let nowhere: usize = maps.iter().flat_map(|map| &map.cells).filter(|cell| cell.class == Class::None).count();
    if nowhere > 0 {
        outcome.warnings.push(format!(
            "at {nowhere} places there is no equilibrium with slip, as where the drive does not turn: they are a class of their own"
        ));
    }
    let holes: usize = maps.iter().flat_map(|map| &map.cells).filter(|cell| cell.class == Class::Undecided).count();
    if holes > 0 {
        outcome
            .warnings
            .push(format!("at {holes} places the eigenvalues do not converge: they are a class of their own"));
    }
}

fn map_table(all: &[Named], maps: &[Map], (x, y): (&Parameter, &Parameter)) -> Table {
    let size: usize = maps.iter().map(|map| map.cells.len()).sum();
    let (mut names, mut xs, mut ys) = (Vec::with_capacity(size), Vec::with_capacity(size), Vec::with_capacity(size));
    for (one, map) in all.iter().zip(maps) {
        for y in &map.y {
            for x in &map.x {
                names.push(one.name.clone());
                xs.push(*x);
                ys.push(*y);
            }
        }
    }
    let cells = || maps.iter().flat_map(|map| &map.cells);
    let column = |of: &dyn Fn(&Stability) -> Option<f64>| cells().map(|cell| of(cell).unwrap_or(f64::NAN)).collect();
    Table::new("map", "stability of the equilibrium, one row a place of the plane")
        .words("variant", "discs", names)
        .numbers(&x.column(), x.unit(), x.label(), xs)
        .numbers(&y.column(), y.unit(), y.label(), ys)
        .words("stability", "stability", cells().map(|cell| cell.class.name().to_owned()).collect())
        .numbers("growth", "1/s", "growth Re λ", column(&|cell| cell.growth))
        .numbers("frequency", "rad/s", "frequency Im λ", column(&|cell| cell.frequency))
        .numbers("upper_rotation", "rad", "rotation Θ_e", column(&|cell| Some(cell.equilibrium?.coordinates[2])))
        .numbers("clearance", "m", "distance to the nearest cell", column(&|cell| Some(cell.equilibrium?.clearance)))
}

fn boundary_table(all: &[Named], maps: &[Map], (x, y): (&Parameter, &Parameter)) -> Table {
    let rows: Vec<(&str, f64, f64, usize)> = all
        .iter()
        .zip(maps)
        .flat_map(|(one, map)| {
            let boundary = plane(map).boundary();
            map.x.iter().zip(boundary).map(|(x, (y, count))| (one.name.as_str(), *x, y, count)).collect::<Vec<_>>()
        })
        .collect();
    Table::new("boundary", "the height that separates stable (below) from unstable (above) with the fewest exceptions")
        .words("variant", "discs", rows.iter().map(|row| row.0.to_owned()).collect())
        .numbers(&x.column(), x.unit(), x.label(), rows.iter().map(|row| row.1).collect())
        .numbers(&y.column(), y.unit(), y.label(), rows.iter().map(|row| row.2).collect())
        .integers("exceptions", "exceptions", rows.iter().map(|row| row.3 as i64).collect())
}

fn point_table(followed: &[Followed<'_>], (x, y): (&Parameter, &Parameter)) -> Table {
    Table::new("points", "places of the plane from which the motion was followed")
        .words("point", "point", followed.iter().map(|one| one.point.name.clone()).collect())
        .numbers(&x.column(), x.unit(), x.label(), followed.iter().map(|one| one.point.x).collect())
        .numbers(&y.column(), y.unit(), y.label(), followed.iter().map(|one| one.point.y).collect())
}

fn response_table(followed: &[Followed<'_>]) -> Table {
    let rows = || {
        followed.iter().flat_map(|one| one.times.iter().zip(&one.run.samples).map(move |(time, q)| (one, *time, q[2])))
    };
    Table::new("responses", "motions from beside the equilibrium")
        .words("point", "point", rows().map(|(one, ..)| one.point.name.clone()).collect())
        .numbers("time", "s", "time t", rows().map(|(_, time, _)| time).collect())
        .numbers("rotation", "rad", "rotation Θ", rows().map(|(_, _, rotation)| rotation).collect())
}
