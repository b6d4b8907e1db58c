//! Where the equilibrium of two discs begins to oscillate: every change of stability along a line, and curves through them.

use super::{level, rotation, without_field};
use crate::dataset::{Outcome, Table, Value};
use crate::study::family::parameter;
use crate::study::{Context, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::AnalysisError;
use stiction::analysis::two_disc::{
    Class, Crossing, CrossingKind, HopfPoint, Linearisation, Scan, criticality, crossings, hopf_curve, uniform_ends,
};
use stiction::keys::Parameter;
use stiction::system::TwoDisc;

const STUDY: &str = "hopf";

/// Every value of a parameter at which the largest real part of the eigenvalues changes its sign.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hopf {
    /// The parameter: a key below the system, for instance `normal_load`, `drive_speed`, `contact.radius`, `damping_level`.
    #[serde(default = "load")]
    pub along: String,
    /// First value, in the unit of the parameter.
    pub from: f64,
    /// Last value, in the unit of the parameter.
    pub to: f64,
    /// Values at which the sign is looked at; between them crossings are found as roots.
    #[serde(default = "points")]
    #[schemars(range(min = 3, max = 100_000))]
    pub points: usize,
    /// Which linearisation decides.
    #[serde(default)]
    pub linearisation: Linearisation,
    /// Follows each Hopf point in a second parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<HopfCurveAlong>,
}

/// The second parameter of curves of Hopf points, and how far they are followed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HopfCurveAlong {
    /// The parameter: a key below the system.
    pub parameter: String,
    /// Smallest value, in the unit of the parameter.
    pub from: f64,
    /// Largest value, in the unit of the parameter.
    pub to: f64,
}

fn load() -> String {
    "normal_load".to_owned()
}

fn points() -> usize {
    1001
}

impl Study for Hopf {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let discs = without_field(context.two_disc()?.clone());
        let along = parameter(&discs, &self.along, &format!("study.{STUDY}.along"))?;
        if discs.drive_speed == 0.0 && *along.path() != "drive_speed" {
            let message = "is 0, but an equilibrium with slip needs a drive that turns";
            return Err(StudyError::unsuitable("system.two_disc.drive_speed", message));
        }
        let values = Sweep::even(&self.along, self.from, self.to, self.points).values(&format!("study.{STUDY}"))?;
        let scan = self.scan(&discs, &along, &values, context)?;
        let mut outcome = Outcome::default();
        self.push(&mut outcome, &discs, &along, &scan);
        if let Some(ends) = uniform_ends(context.two_disc()?) {
            for (name, end) in ["lowest_friction_crossings", "highest_friction_crossings"].into_iter().zip(ends) {
                let scan = self.scan(&end, &along, &values, context)?;
                let found: Vec<f64> = scan.crossings.iter().map(|crossing| crossing.value).collect();
                outcome.push(name, along.unit(), found);
            }
        }
        outcome.tables.push(scan_table(&scan, &along));
        if let Some(curve) = &self.curve {
            let table = self.curves(&discs, &along, &scan, curve, context)?;
            outcome.push("curve_points", "", table.rows());
            outcome.tables.push(table);
        }
        Ok(outcome)
    }
}

impl Hopf {
    fn scan(
        &self,
        discs: &TwoDisc,
        along: &Parameter,
        values: &[f64],
        context: &Context<'_>,
    ) -> Result<Scan, StudyError> {
        let family = |value: f64| Ok(along.at(discs, value)?);
        Ok(crossings(&family, values, self.linearisation, context.progress)?)
    }

    fn push(&self, outcome: &mut Outcome, discs: &TwoDisc, along: &Parameter, scan: &Scan) {
        let name = match along.path().to_string().as_str() {
            "normal_load" => "hopf_loads",
            "drive_speed" => "hopf_speeds",
            _ => "hopf_values",
        };
        let list = |of: &dyn Fn(&Crossing) -> Value| Value::List(scan.crossings.iter().map(of).collect());
        outcome.push(name, along.unit(), list(&|crossing| crossing.value.into()));
        outcome.push("kinds", "", list(&|crossing| crossing.kind.name().into()));
        outcome.push("changes", "", list(&|crossing| change(crossing).into()));
        outcome.push("frequencies", "rad/s", list(&|crossing| crossing.frequency.into()));
        let rotations = list(&|crossing| crossing.equilibrium.as_ref().map(rotation).into());
        outcome.push("upper_rotations", "rad", rotations);
        let born: Vec<Option<f64>> = scan.crossings.iter().map(|crossing| lyapunov(discs, along, crossing)).collect();
        let born_list = |of: &dyn Fn(Option<f64>) -> Value| Value::List(born.iter().map(|one| of(*one)).collect());
        outcome.push("lyapunov_coefficients", "1/J", born_list(&Value::from));
        outcome.push("criticality", "", born_list(&|one| born_word(one).into()));
        outcome.tables.push(crossing_table(scan, along, &born));
        for class in [Class::Stable, Class::Unstable, Class::Captured, Class::None, Class::Undecided] {
            let count = scan.points.iter().filter(|point| point.class == class).count();
            outcome.push(&format!("{}_points", class.name()), "", count);
        }
        let gaps = scan.crossings.iter().filter(|crossing| crossing.kind == CrossingKind::Gap).count();
        if gaps > 0 {
            outcome.warnings.push(format!(
                "{gaps} changes of sign lie across a gap in which a cell is captured: no root of the growth is there"
            ));
        }
        let none = scan.points.iter().filter(|point| point.class == Class::None).count();
        if none > 0 {
            outcome.warnings.push(format!("at {none} of {} values no equilibrium was found", scan.points.len()));
        }
    }

    fn curves(
        &self,
        discs: &TwoDisc,
        first: &Parameter,
        scan: &Scan,
        along: &HopfCurveAlong,
        context: &Context<'_>,
    ) -> Result<Table, StudyError> {
        let second = parameter(discs, &along.parameter, &format!("study.{STUDY}.curve.parameter"))?;
        Sweep::even(&along.parameter, along.from, along.to, 2).values(&format!("study.{STUDY}.curve"))?;
        let value = serde_json::to_value(discs).ok().and_then(|tree| second.value(&tree)).unwrap_or(along.from);
        let family = |x: f64, y: f64| -> Result<TwoDisc, AnalysisError> { Ok(second.at(&first.at(discs, x)?, y)?) };
        let starts: Vec<HopfPoint> = scan
            .crossings
            .iter()
            .filter(|crossing| crossing.kind == CrossingKind::Hopf)
            .filter_map(|crossing| {
                let pole = crossing.equilibrium?.pole;
                Some(HopfPoint { x: crossing.value, y: value, pole, frequency: crossing.frequency })
            })
            .collect();
        context.progress.begin("Hopf curves", starts.len() as u64);
        let ranges = ((self.from, self.to), (along.from, along.to));
        let curves = crate::parallel::map(&starts, |start| {
            if context.progress.cancelled() {
                return Err(StudyError::from(stiction::analysis::Cancelled));
            }
            let curve = hopf_curve(&family, start, ranges, self.linearisation)?;
            context.progress.advance(1);
            Ok(curve)
        })?;
        let rows =
            || curves.iter().enumerate().flat_map(|(index, curve)| curve.iter().map(move |point| (index, point)));
        Ok(Table::new("curves", "points of the curves of Hopf points through each crossing")
            .words("curve", "curve", rows().map(|(index, _)| (index + 1).to_string()).collect())
            .numbers(&first.column(), first.unit(), first.label(), rows().map(|(_, point)| point.x).collect())
            .numbers(&second.column(), second.unit(), second.label(), rows().map(|(_, point)| point.y).collect())
            .numbers("frequency", "rad/s", "frequency ω", rows().map(|(_, point)| point.frequency).collect()))
    }
}

/// Whether stability is lost or gained as the parameter grows.
fn change(crossing: &Crossing) -> &'static str {
    if crossing.is_loss { "loss" } else { "gain" }
}

/// First Lyapunov coefficient of a Hopf point [1/J].
fn lyapunov(discs: &TwoDisc, along: &Parameter, crossing: &Crossing) -> Option<f64> {
    let equilibrium = crossing.equilibrium.filter(|_| crossing.kind == CrossingKind::Hopf)?;
    let there = along.at(discs, crossing.value).ok()?;
    Some(criticality(&there, &equilibrium).ok()?.coefficient)
}

/// What is born at a Hopf point: a stable cycle beyond it, or an unstable one before it.
fn born_word(coefficient: Option<f64>) -> &'static str {
    match coefficient {
        Some(coefficient) if coefficient < 0.0 => "supercritical",
        Some(_) => "subcritical",
        None => "not told",
    }
}

fn crossing_table(scan: &Scan, along: &Parameter, born: &[Option<f64>]) -> Table {
    let column = |of: &dyn Fn(&Crossing) -> f64| scan.crossings.iter().map(of).collect::<Vec<f64>>();
    let words = |of: &dyn Fn(&Crossing) -> &'static str| {
        scan.crossings.iter().map(|crossing| of(crossing).to_owned()).collect::<Vec<String>>()
    };
    let level = |crossing: &Crossing| crossing.equilibrium.as_ref().map_or(f64::NAN, rotation);
    Table::new("crossings", "changes of stability along the parameter, ascending")
        .numbers(&along.column(), along.unit(), along.label(), column(&|crossing| crossing.value))
        .words("kind", "kind", words(&|crossing| crossing.kind.name()))
        .words("change", "change of stability", words(&change))
        .numbers("frequency", "rad/s", "frequency Im λ", column(&|crossing| crossing.frequency))
        .numbers("upper_rotation", "rad", "rotation Θ_e", column(&level))
        .numbers("lyapunov", "1/J", "Lyapunov coefficient", born.iter().map(|one| one.unwrap_or(f64::NAN)).collect())
        .words("criticality", "criticality", born.iter().map(|one| born_word(*one).to_owned()).collect())
}

fn scan_table(scan: &Scan, along: &Parameter) -> Table {
    let column = |of: &dyn Fn(&stiction::analysis::two_disc::Stability) -> Option<f64>| -> Vec<f64> {
        scan.points.iter().map(|point| of(point).unwrap_or(f64::NAN)).collect()
    };
    Table::new("growth", "stability of the equilibrium along the parameter")
        .numbers(&along.column(), along.unit(), along.label(), scan.values.clone())
        .words("stability", "stability", scan.points.iter().map(|point| point.class.name().to_owned()).collect())
        .numbers("growth", "1/s", "growth Re λ", column(&|point| point.growth))
        .numbers("frequency", "rad/s", "frequency Im λ", column(&|point| point.frequency))
        .numbers("upper_rotation", "rad", "rotation Θ_e", column(&level))
}
