//! Stability of the equilibrium over a plane of two parameters, and motions that check it.

use super::{level, runs, without_field};
use crate::dataset::{Outcome, Table};
use crate::study::family::Family;
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::two_disc::{
    Class, Linearisation, Map, Stability, TransientOutcome, TransientRequest, stability, stability_map,
};
use stiction::analysis::{AnalysisError, Quiet};
use stiction::keys::Key;
use stiction::keys::Parameter;
use stiction::memory::Need;
use stiction::system::TwoDisc;
use stiction::system::two_disc::{DiscStart, UPPER_ROTATION};

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

/// The two parameters.
type Axes<'a> = (&'a Parameter, &'a Parameter);

impl Study for StabilityMap {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let discs = without_field(context.two_disc()?.clone());
        let (x_key, y_key) = (format!("study.{STUDY}.x.parameter"), format!("study.{STUDY}.y.parameter"));
        let axes = Family::of_several(&discs, &[(&self.x.parameter, &x_key), (&self.y.parameter, &y_key)])?;
        let family = |x: f64, y: f64| -> Result<TwoDisc, AnalysisError> { Ok(axes.with(&[x, y])?) };
        let [x, y] = axes.parameters() else { return Err(StudyError::unsuitable(x_key, "is missing")) };
        let (xs, ys) = (self.x.values(&format!("study.{STUDY}.x"))?, self.y.values(&format!("study.{STUDY}.y"))?);
        let map = stability_map(&family, &xs, &ys, self.linearisation, context.progress)?;
        let mut outcome = Outcome::default();
        push(&mut outcome, &map);
        outcome.tables.push(map_table(&map, (x, y)));
        outcome.tables.push(boundary_table(&map, (x, y)));
        if !self.point.is_empty() {
            let followed = self.follow(&family, context)?;
            outcome.warnings.extend(runs::warnings(followed.iter().map(|one| &one.run), discs.lower.radius));
            outcome.tables.push(point_table(&followed, (x, y)));
            outcome.tables.push(response_table(&followed));
        }
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, 1e-6).filter(|_| !self.point.is_empty())
    }

    fn needs(&self) -> Vec<Need> {
        let [x, y] = [&self.x, &self.y].map(|sweep| sweep.points as f64);
        vec![Need::new(Key::study("x.points"), x, x * y, "points of the map", 400.0).or("y.points", y)]
    }
}

/// A place and what happened from there.
struct Followed<'a> {
    point: &'a MapPoint,
    stability: Stability,
    run: TransientOutcome,
    times: Vec<f64>,
}

impl StabilityMap {
    fn follow(
        &self,
        family: &dyn Fn(f64, f64) -> Result<TwoDisc, AnalysisError>,
        context: &Context<'_>,
    ) -> Result<Vec<Followed<'_>>, StudyError> {
        const ROWS: usize = 4000;
        context.progress.begin("motions", self.point.len() as u64);
        let mut followed = Vec::new();
        for (index, point) in self.point.iter().enumerate() {
            let mut there = family(point.x, point.y)?;
            let stability = stability(&there, self.linearisation)?;
            there.start = DiscStart::Equilibrium;
            there.perturbation.upper_rotation = point.displacement;
            let system = there
                .uniform()
                .map_err(|error| StudyError::unsuitable(format!("study.{STUDY}.point[{index}]"), error.to_string()))?;
            let times: Vec<f64> = (0..=ROWS).map(|row| point.duration * row as f64 / ROWS as f64).collect();
            let whole = TransientRequest {
                window: (0.0, point.duration),
                sample_times: times.clone(),
                ..runs::transient(STUDY, point.duration, (None, None), context.solver)?
            };
            let run = whole.run_with_progress(&system, &Quiet(context.progress))?;
            context.progress.worked(run.effort);
            followed.push(Followed { point, stability, run, times });
            context.progress.advance(1);
        }
        Ok(followed)
    }
}

fn push(outcome: &mut Outcome, map: &Map) {
    for (class, doubt) in [
        (Class::Stable, None),
        (Class::Unstable, None),
        (Class::Captured, None),
        (Class::None, Some("there is no equilibrium with slip, as where the drive does not turn")),
        (Class::Undecided, Some("the eigenvalues do not converge")),
    ] {
        let count = map.cells.iter().filter(|cell| cell.class == class).count();
        outcome.push(&format!("{}_share", class.name()), "", count as f64 / map.cells.len().max(1) as f64);
        if let Some(doubt) = doubt.filter(|_| count > 0) {
            outcome.warnings.push(format!("at {count} places {doubt}: they are a class of their own"));
        }
    }
}

/// For every x the value of y that separates stable (below) from unstable (above) with the fewest exceptions, and their number.
fn boundary(map: &Map) -> Vec<(f64, usize)> {
    let below = |j: usize| match (j.checked_sub(1).and_then(|j| map.y.get(j)), map.y.get(j)) {
        (Some(low), Some(high)) => 0.5 * (low + high),
        (Some(one), None) | (None, Some(one)) => *one,
        (None, None) => 0.0,
    };
    let split = |i: usize| {
        let column = || (0..map.y.len()).filter_map(move |j| Some((j, map.at(i, j)?.class)));
        // a boundary below everything has every stable place as an exception
        let mut exceptions = column().filter(|(_, class)| *class == Class::Stable).count();
        let mut best = (below(0), exceptions);
        for (j, class) in column() {
            match class {
                Class::Stable => exceptions -= 1,
                Class::Unstable => exceptions += 1,
                Class::Captured | Class::None | Class::Undecided => {}
            }
            if exceptions < best.1 {
                best = (below(j + 1), exceptions);
            }
        }
        best
    };
    (0..map.x.len()).map(split).collect()
}

fn map_table(map: &Map, (x, y): Axes<'_>) -> Table {
    let places = || map.y.iter().flat_map(|y| map.x.iter().map(move |x| (*x, *y)));
    let column =
        |of: &dyn Fn(&Stability) -> Option<f64>| map.cells.iter().map(|cell| of(cell).unwrap_or(f64::NAN)).collect();
    Table::new("map", "stability of the equilibrium, one row a place of the plane")
        .numbers(&x.column(), x.unit(), x.label(), places().map(|place| place.0).collect())
        .numbers(&y.column(), y.unit(), y.label(), places().map(|place| place.1).collect())
        .words("stability", "stability", map.cells.iter().map(|cell| cell.class.name().to_owned()).collect())
        .numbers("growth", "1/s", "growth Re λ", column(&|cell| cell.growth))
        .numbers("frequency", "rad/s", "frequency Im λ", column(&|cell| cell.frequency))
        .numbers("upper_rotation", "rad", "rotation Θ_e", column(&level))
        .numbers("clearance", "m", "distance to the nearest cell", column(&|cell| Some(cell.equilibrium?.clearance)))
}

fn boundary_table(map: &Map, (x, y): Axes<'_>) -> Table {
    let found = boundary(map);
    // the largest y with a stable place; the smallest of all where there is none
    let highest = |i: usize| {
        let stable = |j: &usize| map.at(i, *j).is_some_and(|cell| cell.class == Class::Stable);
        let top = (0..map.y.len()).rev().find(stable).unwrap_or(0);
        map.y.get(top).copied().unwrap_or(f64::NAN)
    };
    Table::new("boundary", "the height that separates stable (below) from unstable (above) with the fewest exceptions")
        .numbers(&x.column(), x.unit(), x.label(), map.x.clone())
        .numbers(&y.column(), y.unit(), y.label(), found.iter().map(|split| split.0).collect())
        .integers("exceptions", "exceptions", found.iter().map(|split| split.1 as i64).collect())
        .numbers("highest_stable", y.unit(), "highest stable place", (0..map.x.len()).map(highest).collect())
}

fn point_table(followed: &[Followed<'_>], (x, y): Axes<'_>) -> Table {
    let column = |of: &dyn Fn(&Followed<'_>) -> Option<f64>| -> Vec<f64> {
        followed.iter().map(|one| of(one).unwrap_or(f64::NAN)).collect()
    };
    let words =
        |of: &dyn Fn(&Followed<'_>) -> &'static str| followed.iter().map(|one| of(one).to_owned()).collect::<Vec<_>>();
    Table::new("points", "places of the plane from which the motion was followed")
        .words("point", "point", followed.iter().map(|one| one.point.name.clone()).collect())
        .numbers(&x.column(), x.unit(), x.label(), column(&|one| Some(one.point.x)))
        .numbers(&y.column(), y.unit(), y.label(), column(&|one| Some(one.point.y)))
        .words("stability", "stability", words(&|one| one.stability.class.name()))
        .numbers("growth", "1/s", "growth Re λ", column(&|one| one.stability.growth))
        .numbers("frequency", "rad/s", "frequency Im λ", column(&|one| one.stability.frequency))
        .numbers("upper_rotation", "rad", "rotation Θ_e", column(&|one| level(&one.stability)))
        .words("trend", "trend of Θ", words(&|one| runs::trend(&one.run)))
}

fn response_table(followed: &[Followed<'_>]) -> Table {
    let rows = || followed.iter().flat_map(|one| one.times.iter().zip(&one.run.samples).map(move |row| (one, row)));
    Table::new("responses", "motions from beside the equilibrium")
        .words("point", "point", rows().map(|(one, _)| one.point.name.clone()).collect())
        .numbers("time", "s", "time t", rows().map(|(_, (time, _))| *time).collect())
        .numbers("rotation", "rad", "rotation Θ", rows().map(|(_, (_, sample))| sample[UPPER_ROTATION]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falling_boundary_is_found_with_its_exceptions() {
        let place = |class: Class| Stability { class, equilibrium: None, growth: None, frequency: None };
        let ticks: Vec<f64> = (1..=4).map(f64::from).collect();
        // stable below the line x + y = 5.5, with one exception at (4, 4) and one captured place
        let class = |x: f64, y: f64| if x + y < 5.5 { Class::Stable } else { Class::Unstable };
        let mut cells: Vec<Stability> =
            ticks.iter().flat_map(|y| ticks.iter().map(move |x| place(class(*x, *y)))).collect();
        cells[15] = place(Class::Stable);
        cells[4] = place(Class::Captured);
        let map = Map { x: ticks.clone(), y: ticks, cells };
        assert_eq!(boundary(&map), [(4.0, 0), (3.5, 0), (2.5, 0), (1.5, 1)]);
    }
}
