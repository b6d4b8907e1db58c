//! Parameters that are only known by their distributions.
//!
//! A realisation draws every parameter from a stream of its own (seed, realisation, parameter), so that it never depends
//! on the other realisations, nor a parameter on the other parameters. Whatever comes of it is a row of the table: an
//! answer, or the reason why there is none.

use super::attractors::forward;
use super::bifurcation::axis_label;
use super::critical_speed::{Answer, answer, is_searched};
use super::{Family, unit_of};
use crate::campaign::convergence_table;
use crate::dataset::{Outcome, Table};
use crate::study::statistics::{push_moments, push_share};
use crate::study::{AnySystem, Context, Offer, Quiet, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use stiction::analysis::Budget;
use stiction::analysis::campaign::{Watch, Watched};
use stiction::analysis::spring_block::Orbits;
use stiction::law::Law;
use stiction::num::distribution::Distribution;
use stiction::num::purpose::{Germ, Purpose};
use stiction::num::statistics::quantile;
use stiction::system::SpringBlock;

const KEY: &str = "study.random_parameters";

/// Parameters that are only known by their distributions: the probability of each attractor, the distribution of the
/// critical speed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomParameters {
    /// Number of realisations. Realisation i is the same whatever their number.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub realisations: usize,
    /// What every realisation is asked.
    #[serde(default)]
    pub question: Question,
    /// For the critical speed under laws without a closed form: the drive speeds among which it is looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Sweep>,
    /// The random parameters; all others keep their values.
    pub parameter: Vec<RandomParameter>,
}

/// What every realisation is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Which attractors there are.
    #[default]
    Attractors,
    /// The drive speed above which stick-slip motion is impossible.
    CriticalSpeed,
}

/// A parameter and its distribution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomParameter {
    /// The parameter: a key below the system, for instance `mass` or `law.two_slope.static_coefficient`.
    pub key: String,
    /// How it is distributed.
    pub distribution: Distribution,
}

/// One draw of all parameters, and what came of it.
#[derive(Serialize, Deserialize)]
struct Realisation<T> {
    values: Vec<f64>,
    answer: Result<T, Failure>,
}

/// Why a realisation has no answer.
#[derive(Serialize, Deserialize)]
struct Failure {
    status: Status,
    reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// There is no such system.
    Impossible,
    /// The analysis gave up.
    Failed,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Status::Impossible => "impossible",
            Status::Failed => "failed",
        }
    }
}

/// The attractors of a realisation, as far as the table shows them.
#[derive(Serialize, Deserialize)]
struct Found {
    classes: Vec<String>,
    coexisting: usize,
    /// Largest displacement \[m\] and period \[s\] of stick-slip motion.
    stick_slip: Option<(f64, f64)>,
}

impl Study for RandomParameters {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let block = context.spring_block()?;
        let family = self.family(block)?;
        match self.question {
            Question::Attractors => self.attractors(&family, context),
            Question::CriticalSpeed => self.critical_speed(&family, context),
        }
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        let asks_attractors = self.question == Question::Attractors;
        super::orbits(system).filter(|_| asks_attractors || is_searched(system))
    }
}

impl RandomParameters {
    /// The blocks that can be drawn; refuses what would fail in every realisation.
    fn family(&self, block: &SpringBlock) -> Result<Family, StudyError> {
        if self.parameter.is_empty() {
            let message = "no parameter is random: give at least one [[study.random_parameters.parameter]]";
            return Err(StudyError::unsuitable(format!("{KEY}.parameter"), message));
        }
        if self.question == Question::Attractors && block.aging.is_some() {
            let message = "the attractors of an ageing contact are those of its stick-slip map: use study.stick_slip_map, or \
                           ask for critical_speed";
            return Err(StudyError::unsuitable("system.spring_block.aging", message));
        }
        if self.question == Question::CriticalSpeed && block.aging.is_some() && !matches!(block.law, Law::Coulomb(_)) {
            return Err(super::critical_speed::ageing_needs_coulomb());
        }
        if let Some(search) = &self.search {
            search.values(&format!("{KEY}.search"))?;
        }
        let places: Vec<String> = (0..self.parameter.len()).map(|i| format!("{KEY}.parameter.{i}.key")).collect();
        let named: Vec<(&str, &str)> = self
            .parameter
            .iter()
            .zip(&places)
            .map(|(parameter, place)| (parameter.key.as_str(), place.as_str()))
            .collect();
        let family = Family::of_several(block, &named)?;
        let keys: Vec<&str> = family.keys().collect();
        for (index, (key, parameter)) in keys.iter().zip(&self.parameter).enumerate() {
            if keys.iter().take(index).any(|other| other == key) {
                let message = format!("`{key}` is already random: give each parameter once");
                return Err(StudyError::unsuitable(format!("{KEY}.parameter.{index}.key"), message));
            }
            if self.question == Question::CriticalSpeed && *key == "drive_speed" {
                let message = "the critical speed does not depend on the drive speed: leave it out";
                return Err(StudyError::unsuitable(format!("{KEY}.parameter.{index}.key"), message));
            }
            if let Some((name, message)) = parameter.distribution.problem() {
                let place = format!("{KEY}.parameter.{index}.distribution.{}.{name}", parameter.distribution.name());
                return Err(StudyError::unsuitable(place, message));
            }
        }
        Ok(family)
    }

    /// The values of all parameters in this realisation.
    fn draw(&self, seed: u64, realisation: usize) -> Vec<f64> {
        let drawn = self.parameter.iter().enumerate();
        drawn
            .map(|(purpose, parameter)| {
                parameter
                    .distribution
                    .draw(&mut Germ::new(seed, realisation as u64).stream(Purpose::Parameter(purpose as u32)))
            })
            .collect()
    }

    /// All realisations in their order, or as many as the scenario's rule asks for; `watched` are their numbers by which it
    /// decides.
    fn realise<T: Send + Serialize + DeserializeOwned>(
        &self,
        family: &Family,
        context: &Context<'_>,
        question: impl Fn(&Context<'_>, &SpringBlock) -> Result<T, StudyError> + Sync + Send,
        quantities: Vec<Watched>,
        watched: impl Fn(&T) -> Vec<f64>,
    ) -> Result<(Vec<Realisation<T>>, Watch), StudyError> {
        let mut watch = context.watch(quantities, 1)?;
        let mut all: Vec<Realisation<T>> = Vec::new();
        let make = |here: &Context<'_>, number: u64| {
            let values = self.draw(context.seed, number as usize);
            let answer = match family.with(&values) {
                Err(problem) => {
                    let place = if problem.key.is_empty() { String::new() } else { format!("{} ", problem.key) };
                    Err(Failure { status: Status::Impossible, reason: format!("{place}{}", problem.message) })
                }
                Ok(block) => match question(here, &block) {
                    Ok(answer) => Ok(answer),
                    Err(StudyError::Cancelled(cancelled)) => return Err(cancelled.into()),
                    Err(error) => Err(Failure { status: Status::Failed, reason: error.to_string() }),
                },
            };
            Ok(Realisation { values, answer })
        };
        let failed = |one: &Realisation<T>| one.answer.is_err();
        context.items("realisations", self.realisations as u64, make, failed, |_, one| {
            if let Ok(answer) = &one.answer {
                watch.add(0, &watched(answer));
            }
            all.push(one);
            let flow = watch.finish_realisation();
            if watch.looks() {
                context.progress.tell(&watch.words());
            }
            Ok(flow)
        })?;
        Ok((all, watch))
    }

    fn attractors(&self, family: &Family, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let classes = ["CS", "OS", "SS", "through"];
        let shares = classes.map(|class| Watched::new(&format!("probability_{}", class.to_lowercase()), ""));
        let others = [("probability_multistable", ""), ("stick_slip_max", "m"), ("stick_slip_period", "s")];
        let quantities = shares.into_iter().chain(others.map(|(name, unit)| Watched::new(name, unit))).collect();
        let watched = |found: &Found| {
            let share = |hit: bool| f64::from(u8::from(hit));
            let mut numbers: Vec<f64> =
                classes.iter().map(|class| share(found.classes.iter().any(|known| known == class))).collect();
            let (max, period) = found.stick_slip.unwrap_or((f64::NAN, f64::NAN));
            numbers.extend([share(found.coexisting > 1), max, period]);
            numbers
        };
        let (all, watch) = self.realise(family, context, found, quantities, watched)?;
        let answered: Vec<&Found> = all.iter().filter_map(|realisation| realisation.answer.as_ref().ok()).collect();
        let count = answered.len();
        let mut outcome = Outcome::default();
        push_counts(&mut outcome, &all);
        for class in classes {
            let hits = answered.iter().filter(|found| found.classes.iter().any(|known| known == class)).count();
            push_share(&mut outcome, &format!("probability_{}", class.to_lowercase()), hits, count);
        }
        let hits = answered.iter().filter(|found| found.coexisting > 1).count();
        push_share(&mut outcome, "probability_multistable", hits, count);
        let cycles: Vec<(f64, f64)> = answered.iter().filter_map(|found| found.stick_slip).collect();
        let (max, period): (Vec<f64>, Vec<f64>) = cycles.into_iter().unzip();
        push_moments(&mut outcome, "stick_slip_max", "m", &max);
        push_moments(&mut outcome, "stick_slip_period", "s", &period);

        let number = |value: fn(&Found) -> Option<f64>| {
            all.iter().map(|one| one.answer.as_ref().ok().and_then(value).unwrap_or(f64::NAN)).collect::<Vec<f64>>()
        };
        let words = all.iter().map(|one| match &one.answer {
            Ok(found) if found.classes.is_empty() => "none".to_owned(),
            Ok(found) => found.classes.join("+"),
            Err(_) => String::new(),
        });
        let table = table(family, &all)
            .words("attractors", "attractors", words.collect())
            .numbers("coexisting", "", "number of attractors", number(|found| Some(found.coexisting as f64)))
            .numbers("stick_slip_max", "m", "largest displacement max x", number(|found| Some(found.stick_slip?.0)))
            .numbers(
                "stick_slip_period",
                "s",
                "period of stick-slip motion",
                number(|found| Some(found.stick_slip?.1)),
            );
        outcome.tables.push(with_status(table, &all));
        outcome.tables.push(convergence_table(&watch));
        Ok(outcome)
    }

    fn critical_speed(&self, family: &Family, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let key = format!("{KEY}.search");
        let asked = |here: &Context<'_>, block: &SpringBlock| {
            answer(block, self.search.as_ref(), &key, here.solver, &Quiet(here.progress))
        };
        let quantities = vec![Watched::new("critical_speed", "m/s"), Watched::new("probability_none", "")];
        let watched = |answer: &Answer| {
            let speed = answer.speed();
            vec![speed.unwrap_or(f64::NAN), f64::from(u8::from(speed.is_none()))]
        };
        let (all, watch) = self.realise(family, context, asked, quantities, watched)?;
        let answered: Vec<Answer> = all.iter().filter_map(|one| one.answer.as_ref().ok().copied()).collect();
        let mut speeds: Vec<f64> = answered.iter().filter_map(Answer::speed).collect();
        let mut outcome = Outcome::default();
        push_counts(&mut outcome, &all);
        push_moments(&mut outcome, "critical_speed", "m/s", &speeds);
        speeds.sort_by(f64::total_cmp);
        for (name, probability) in [("05", 0.05), ("50", 0.5), ("95", 0.95)] {
            outcome.push(&format!("critical_speed_q{name}"), "m/s", quantile(&speeds, probability));
        }
        push_share(&mut outcome, "probability_none", answered.len() - speeds.len(), answered.len());
        let beyond = answered.iter().filter(|answer| **answer == Answer::Beyond).count();
        if beyond > 0 {
            outcome.warnings.push(format!(
                "in {beyond} realisations stick-slip motion still exists at the largest drive speed that was looked at, so they \
                 count as having no critical speed: raise {key}.to"
            ));
        }
        let column = |one: &Realisation<Answer>| one.answer.as_ref().ok().and_then(Answer::speed).unwrap_or(f64::NAN);
        let words = all.iter().map(|one| one.answer.as_ref().map_or("", |answer| answer.word()).to_owned());
        let table = table(family, &all)
            .numbers("critical_speed", "m/s", "critical speed", all.iter().map(column).collect())
            .words("stick_slip", "stick-slip motion", words.collect());
        outcome.tables.push(with_status(table, &all));
        let count = speeds.len() as f64;
        let shares = (0..speeds.len()).map(|i| (i as f64 + 0.5) / count).collect();
        outcome.tables.push(
            Table::new("distribution", "critical speeds in ascending order, and the share of realisations below them")
                .numbers("critical_speed", "m/s", "critical speed", speeds)
                .numbers("share_below", "", "share of realisations below", shares),
        );
        outcome.tables.push(convergence_table(&watch));
        Ok(outcome)
    }
}

fn found(context: &Context<'_>, block: &SpringBlock) -> Result<Found, StudyError> {
    let (block, mirror) = forward(block);
    let quiet = Quiet(context.progress);
    let budget = Budget::of(1, &quiet);
    let found = Orbits::without_aging(&block, context.solver)?.within(&budget).attractors()?;
    let oscillations = found.oscillations.iter().filter(|cycle| cycle.stable).count();
    let coexisting = usize::from(found.sliding.stable)
        + oscillations
        + usize::from(found.stick_slip.is_some())
        + usize::from(found.through.is_some());
    // in the mirror the largest displacement is the smallest with the other sign
    let stick_slip = found
        .stick_slip
        .map(|cycle| (if mirror { -cycle.min_displacement } else { cycle.max_displacement }, cycle.period()));
    let classes = found.classes().into_iter().map(str::to_owned).collect();
    Ok(Found { classes, coexisting, stick_slip })
}

/// How many realisations there are and how many have no answer, with a warning if there are any.
fn push_counts<T>(outcome: &mut Outcome, all: &[Realisation<T>]) {
    let mut failures = all.iter().enumerate().filter_map(|(i, one)| Some((i, one.answer.as_ref().err()?))).peekable();
    let first = failures.peek().map(|(i, failure)| format!("realisation {i}: {}", failure.reason));
    let (impossible, failed): (Vec<_>, Vec<_>) =
        failures.partition(|(_, failure)| failure.status == Status::Impossible);
    let without = impossible.len() + failed.len();
    outcome.push("realisations", "", all.len());
    outcome.push("failed", "", without);
    if let Some(first) = first {
        outcome.warnings.push(format!(
            "{without} of {} realisations have no answer ({} with impossible parameters, {} where the analysis failed); shares, \
             means and quantiles are those of the others. The first is {first}",
            all.len(),
            impossible.len(),
            failed.len()
        ));
    }
}

/// Columns that the table has anyway; a parameter with such a name is called by its whole key.
const TAKEN: [&str; 9] = [
    "realisation",
    "attractors",
    "coexisting",
    "stick_slip_max",
    "stick_slip_period",
    "critical_speed",
    "stick_slip",
    "status",
    "reason",
];

/// A row for every realisation: its number and its parameters.
fn table<T>(family: &Family, all: &[Realisation<T>]) -> Table {
    let mut table = Table::new("realisations", "what was drawn and what came of it, realisation by realisation")
        .integers("realisation", "realisation", (0..all.len() as i64).collect());
    let last = |key: &str| key.rsplit('.').next().unwrap_or(key).to_owned();
    let names: Vec<String> = family.keys().map(last).collect();
    for (index, (key, name)) in family.keys().zip(&names).enumerate() {
        let shared = names.iter().filter(|other| *other == name).count() > 1 || TAKEN.contains(&name.as_str());
        let name = if shared { key.replace('.', "_") } else { name.clone() };
        let values = all.iter().map(|one| one.values.get(index).copied().unwrap_or(f64::NAN)).collect();
        table = table.numbers(&name, unit_of(key), &axis_label(key), values);
    }
    table
}

/// With the columns that say whether there is an answer, and why not.
fn with_status<T>(table: Table, all: &[Realisation<T>]) -> Table {
    let (status, reason) = all
        .iter()
        .map(|one| match &one.answer {
            Ok(_) => ("answered".to_owned(), String::new()),
            Err(failure) => (failure.status.word().to_owned(), failure.reason.clone()),
        })
        .unzip();
    table.words("status", "status", status).words("reason", "reason", reason)
}
