//! Which wheels lose determinism: over two parameters, and at random.

use super::{column, list, words};
use crate::dataset::{Outcome, Table, Value};
use crate::study::family::Family;
use crate::study::statistics::{push_moments, push_share};
use crate::study::{AnySystem, Context, Offer, RandomParameter, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::wheel::cases::{WheelClass, classes, returns};
use stiction::analysis::wheel::itinerary::{ExitDistribution, ExitSampled, Itinerary, LinePolicy};
use stiction::num::purpose::{Germ, Purpose};
use stiction::system::Wheel;

/// The class of the two-folds over two parameters of the wheel. A wheel with a `design` keeps the moment arm and the stiffness
/// that it was built with, unless a parameter below `design` is varied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseMap {
    /// The parameter of the horizontal axis and its values.
    pub horizontal: Sweep,
    /// The parameter of the vertical axis and its values.
    pub vertical: Sweep,
}

/// The probability that a wheel loses determinism if some of its parameters are only known by their distributions. A wheel
/// with a `design` keeps the moment arm and the stiffness that it was built with, unless a parameter below `design` is random.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomCases {
    /// Number of wheels. Wheel i is the same whatever their number.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub realisations: usize,
    /// The random parameters; all others keep their values.
    pub parameter: Vec<RandomParameter>,
    /// Exits from the escaping region that are followed for each wheel; 0 asks for the class alone.
    #[serde(default)]
    #[schemars(range(max = 100_000))]
    pub exits: usize,
    /// Longest motion from an exit in τ [s/(kg m²)], > 0.
    #[serde(default = "longest")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration_tau: f64,
    /// What follows a stop on the line where both sliding velocities vanish.
    #[serde(default)]
    pub line_policy: LinePolicy,
}

fn longest() -> f64 {
    300.0
}

/// Most points of a map.
const MOST_POINTS: usize = 4_000_000;

/// The wheels that differ in some parameters.
fn family(wheel: &Wheel, parameters: &[(&str, &str)]) -> Result<Family<Wheel>, StudyError> {
    let below_design =
        |(name, _): &(&str, &str)| name.strip_prefix("system.wheel.").unwrap_or(name).starts_with("design");
    let mut template = *wheel;
    if template.moment_arm.is_none() {
        let design = template.design.unwrap_or_default();
        if parameters.iter().any(below_design) {
            template.design = Some(design);
        } else {
            let built = wheel.designed(design);
            template.design = None;
            template.moment_arm = Some(built.moment_arm);
            template.spring_stiffness = Some(built.spring_stiffness);
        }
    }
    Family::of_several(&template, parameters)
}

/// What became of a wheel, in words.
fn told(class: Option<&WheelClass>) -> String {
    match class {
        None => "impossible".to_owned(),
        Some(WheelClass { case: Some(case), .. }) => format!("case {case}"),
        Some(class) if class.two_folds.is_empty() => "no two-fold".to_owned(),
        Some(_) => "other two-folds".to_owned(),
    }
}

/// The wheel with these values, or one that cannot be made: it is a row without an answer.
fn made(family: &Family<Wheel>, values: &[f64]) -> Wheel {
    let impossible = || Wheel { slider_mass: -1.0, ..Wheel::default() };
    family.with(values).unwrap_or_else(|_| impossible())
}

impl Study for CaseMap {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        const KEY: &str = "study.case_map";
        let wheel = context.wheel()?;
        super::dynamics(context)?;
        let (x_key, y_key) = (format!("{KEY}.horizontal"), format!("{KEY}.vertical"));
        let (x_place, y_place) = (format!("{x_key}.parameter"), format!("{y_key}.parameter"));
        let (x, y) = (&self.horizontal.parameter, &self.vertical.parameter);
        let family = family(wheel, &[(x, &x_place), (y, &y_place)])?;
        if x == y {
            return Err(StudyError::unsuitable(y_place, format!("`{y}` is already the horizontal axis")));
        }
        let (columns, rows) = (self.horizontal.values(&x_key)?, self.vertical.values(&y_key)?);
        if columns.len() * rows.len() > MOST_POINTS {
            let message = format!("{} x {} points are more than {MOST_POINTS}", columns.len(), rows.len());
            return Err(StudyError::unsuitable(KEY, message));
        }
        let places: Vec<[f64; 2]> = rows.iter().flat_map(|y| columns.iter().map(|x| [*x, *y])).collect();
        let wheels: Vec<Wheel> = places.iter().map(|place| made(&family, place)).collect();
        let found = classes(&wheels, context.progress)?;
        let mut outcome = Outcome::default();
        push_classes(&mut outcome, &found);
        let table = Table::new("map", "class of the two-folds, one row a wheel")
            .numbers("x", unit_of(x), x, column(&places, |place| place[0]))
            .numbers("y", unit_of(y), y, column(&places, |place| place[1]))
            .words("class", "class", words(&found, |class| told(class.as_ref())))
            .integers("two_folds", "two-folds", found.iter().map(count).collect());
        outcome.tables.push(table);
        Ok(outcome)
    }
}

fn count(class: &Option<WheelClass>) -> i64 {
    class.as_ref().map_or(0, |class| class.two_folds.len() as i64)
}

/// Shares of the classes.
fn push_classes(outcome: &mut Outcome, found: &[Option<WheelClass>]) {
    let made = found.iter().flatten().count();
    let with = |case: u8| found.iter().flatten().filter(|class| class.case == Some(case)).count();
    outcome.push("wheels", "", found.len());
    outcome.push("impossible", "", found.len() - made);
    for case in 1..=3 {
        push_share(outcome, &format!("probability_case_{case}"), with(case), made);
    }
    let several = found.iter().flatten().filter(|class| class.singularities() > 1).count();
    push_share(outcome, "probability_several_singularities", several, made);
}

impl Study for RandomCases {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        const KEY: &str = "study.random_cases";
        let wheel = context.wheel()?;
        super::dynamics(context)?;
        if self.parameter.is_empty() {
            let message = "no parameter is random: give at least one [[study.random_cases.parameter]]";
            return Err(StudyError::unsuitable(format!("{KEY}.parameter"), message));
        }
        let places: Vec<String> = (0..self.parameter.len()).map(|i| format!("{KEY}.parameter.{i}.key")).collect();
        let named: Vec<(&str, &str)> =
            self.parameter.iter().zip(&places).map(|(one, place)| (one.key.as_str(), place.as_str())).collect();
        let family = family(wheel, &named)?;
        for (index, one) in self.parameter.iter().enumerate() {
            if self.parameter.iter().take(index).any(|other| other.key == one.key) {
                let message = format!("`{}` is already random: give each parameter once", one.key);
                return Err(StudyError::unsuitable(format!("{KEY}.parameter.{index}.key"), message));
            }
            if let Some((name, message)) = one.distribution.problem() {
                let place = format!("{KEY}.parameter.{index}.distribution.{}.{name}", one.distribution.name());
                return Err(StudyError::unsuitable(place, message));
            }
        }
        let draw = |realisation: u64| -> Vec<f64> {
            let of = |(purpose, one): (usize, &RandomParameter)| {
                one.distribution
                    .draw(&mut Germ::new(context.seed, realisation).stream(Purpose::Parameter(purpose as u32)))
            };
            self.parameter.iter().enumerate().map(of).collect()
        };
        let drawn: Vec<Vec<f64>> = (0..self.realisations as u64).map(draw).collect();
        let wheels: Vec<Wheel> = drawn.iter().map(|values| made(&family, values)).collect();
        let found = classes(&wheels, context.progress)?;
        let mut outcome = Outcome::default();
        push_classes(&mut outcome, &found);
        let mut table = Table::new("wheels", "one row a wheel");
        for (index, one) in self.parameter.iter().enumerate() {
            let values = drawn.iter().map(|values| values.get(index).copied().unwrap_or(f64::NAN)).collect();
            table = table.numbers(&one.key.replace('.', "_"), unit_of(&one.key), &one.key, values);
        }
        table = table.words("class", "class", words(&found, |class| told(class.as_ref())));
        if self.exits > 0 {
            let shares = self.returns(&wheels, &found, context)?;
            let known: Vec<f64> = shares.iter().flatten().copied().collect();
            outcome.push("wheels_followed", "", known.len());
            push_moments(&mut outcome, "return_probability", "", &known);
            let all = known.iter().filter(|share| **share == 1.0).count();
            push_share(&mut outcome, "probability_all_return", all, known.len());
            outcome.push("return_probability", "", list(&shares, |share| share.map_or(Value::Missing, Value::Number)));
            outcome.push("line_policy", "", super::word(&self.line_policy).as_str());
            table = table.numbers(
                "return_probability",
                "",
                "share of motions that come back",
                column(&shares, |share| share.unwrap_or(f64::NAN)),
            );
        }
        outcome.tables.push(table);
        if outcome.quantity("impossible") != Some(&Value::Integer(0)) {
            let impossible = found.iter().filter(|class| class.is_none()).count();
            let message = format!("{impossible} of {} draws make no wheel and count in no share", found.len());
            outcome.warnings.push(message);
        }
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        (self.exits > 0).then(Offer::wheel)
    }
}

impl RandomCases {
    /// For each wheel of case 1 the share of motions from the escaping region that come back.
    fn returns(
        &self,
        wheels: &[Wheel],
        found: &[Option<WheelClass>],
        context: &Context<'_>,
    ) -> Result<Vec<Option<f64>>, StudyError> {
        let request = Itinerary {
            duration_tau: Some(self.duration_tau),
            line_policy: self.line_policy,
            seed: context.seed,
            solver: context.solver,
            ..Itinerary::default()
        };
        super::check("random_cases", &request)?;
        let how = ExitSampled { distribution: ExitDistribution::Area, side_probability: 0.5, rate: 1.0 };
        let of = |(wheel, class): (&Wheel, &Option<WheelClass>)| -> Result<Option<f64>, StudyError> {
            if !class.as_ref().is_some_and(WheelClass::loses_determinism) {
                return Ok(None);
            }
            let maps = returns(std::slice::from_ref(wheel), &request, (how, self.exits), context.progress)
                .map_err(|error| super::wrong("random_cases", error))?;
            Ok(maps.into_iter().flatten().next().map(|map| map.probability))
        };
        wheels.iter().zip(found).map(of).collect()
    }
}

/// The unit of a parameter of the wheel, by the last name of its key.
fn unit_of(parameter: &str) -> &'static str {
    match parameter.rsplit('.').next().unwrap_or(parameter) {
        "slider_mass" => "kg",
        "gyration_radius" | "slit_offset" | "rest_position" | "moment_arm" | "position" => "m",
        "spring_stiffness" => "N/m",
        "disc_damping" => "N m s",
        "slider_damping" => "N s/m",
        "turntable_speed" | "speed" => "rad/s",
        "wheel_angle" => "rad",
        "friction_force" => "N",
        _ => "",
    }
}
