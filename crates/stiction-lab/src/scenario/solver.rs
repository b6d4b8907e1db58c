//! The table `[solver]`: what a scenario says about how equations of motion are solved, and what becomes of it.

use super::Scenario;
use super::resolved::inline;
use crate::campaign::Campaign;
use crate::study::{ClosedForm, Offer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use stiction::Problem;
use stiction::integrate::{MethodName, Solver};

/// A key that is left out has the default of the mechanism and the study; one that has no effect is refused.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SolverKeys {
    /// The method for phases that are integrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<MethodName>,
    /// Relative tolerance of a step [-].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-15, max = 0.1))]
    pub relative_tolerance: Option<f64>,
    /// Absolute tolerance of a step: for `spring_block` and `belt_disc` a fraction of the length and speed of their motions, for
    /// other mechanisms in the units of the state. By default a fixed fraction of the relative tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub absolute_tolerance: Option<f64>,
    /// Longest step \[s\], for `wheel` in rescaled time, for `two_disc` by default a tenth of the period of the upper disc; for `rk4` the fixed step, by default 1/2000 of the natural period.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub max_step: Option<f64>,
    /// Maximum number of steps of one motion; a motion that needs more ends with a status.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub max_steps: Option<u64>,
    /// Whether phases with a closed-form solution are answered by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_form: Option<bool>,
}

impl SolverKeys {
    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Those of a record, which tells more than the keys.
    pub(crate) fn recorded(solver: &Json) -> Self {
        let keys = Self::of(&Solver { max_step: Some(0.0), ..Solver::default() }).given();
        let known = solver.as_object().into_iter().flatten().filter(|(key, _)| keys.contains_key(*key));
        let known = known.map(|(key, value)| (key.clone(), value.clone())).collect();
        serde_json::from_value(Json::Object(known)).unwrap_or_default()
    }

    /// The keys that are given, with their values.
    pub(crate) fn given(&self) -> Map<String, Json> {
        match serde_json::to_value(self) {
            Ok(Json::Object(given)) => given,
            _ => Map::new(),
        }
    }

    /// Those of the keys that `wanted` names.
    fn only(&self, wanted: impl Fn(&str) -> bool) -> Self {
        let kept: Map<String, Json> = self.given().into_iter().filter(|(key, _)| wanted(key)).collect();
        serde_json::from_value(Json::Object(kept)).unwrap_or_default()
    }

    /// The solver with the defaults of an offer.
    fn solver(&self, offer: &Offer) -> Solver {
        let defaults = offer.defaults;
        let relative_tolerance = self.relative_tolerance.unwrap_or(defaults.relative_tolerance);
        // whoever gives a method or a tolerance where all is known in closed form wants to see it integrated
        let asks_to_integrate = offer.closed_form == ClosedForm::Everything
            && self.given().keys().any(|key| offer.keys.contains(&key.as_str()));
        let absolute = defaults.with_tolerance(relative_tolerance).absolute_tolerance;
        Solver {
            method: self.method.unwrap_or(defaults.method),
            relative_tolerance,
            absolute_tolerance: self.absolute_tolerance.unwrap_or(absolute),
            max_step: self.max_step.or(defaults.max_step),
            max_steps: self.max_steps.unwrap_or(defaults.max_steps),
            closed_form: self.closed_form.unwrap_or(defaults.closed_form && !asks_to_integrate),
        }
    }

    fn of(solver: &Solver) -> Self {
        Self {
            method: Some(solver.method),
            relative_tolerance: Some(solver.relative_tolerance),
            absolute_tolerance: Some(solver.absolute_tolerance),
            max_step: solver.max_step,
            max_steps: Some(solver.max_steps),
            closed_form: Some(solver.closed_form),
        }
    }
}

/// The keys that each mechanism uses, with their defaults, for a person.
pub(super) fn defaults() -> String {
    let mut text = "\nkeys that have an effect, with their defaults:\n".to_owned();
    for (name, offer) in Offer::all() {
        let mut used = offer.keys.to_vec();
        used.extend((offer.closed_form != ClosedForm::Nothing).then_some("closed_form"));
        let keys = SolverKeys::of(&SolverKeys::default().solver(&offer)).given();
        let value = |key: &str| match key {
            "method" => format!("method = {}", named(offer.methods)),
            _ => format!("{key} = {}", keys.get(key).map_or("not limited".to_owned(), inline)),
        };
        text += &format!("  {name}: {}\n", used.into_iter().map(value).collect::<Vec<String>>().join("; "));
    }
    text + "of several methods the first is the default\n"
}

fn named(methods: &[MethodName]) -> String {
    let names = methods.iter().map(|method| serde_json::to_value(method).ok()?.as_str().map(str::to_owned));
    names.flatten().collect::<Vec<String>>().join(", ")
}

impl Scenario {
    /// What `[solver]` can choose; nothing if the study follows no motion.
    fn offer(&self) -> Option<Offer> {
        self.study.solver(&self.system)
    }

    /// The solver of the run; none if the study follows no motion.
    pub fn chosen_solver(&self) -> Option<Solver> {
        self.offer().map(|offer| self.solver.solver(&offer))
    }

    /// The keys of `[solver]` that have an effect, each with its value.
    pub fn effective_solver(&self) -> SolverKeys {
        let Some(offer) = self.offer() else { return SolverKeys::default() };
        let solver = self.solver.solver(&offer);
        let used = offer.used(&solver);
        SolverKeys::of(&solver).only(|key| used.contains(&key))
    }

    /// The scenario with every default of `[solver]` filled in. Where a campaign varies a key of it, the others depend on the
    /// value, and only those that are given are kept.
    #[must_use]
    pub fn filled(&self) -> Self {
        let varied = self.varied_solver_keys().next().is_some();
        let mut solver = if varied { self.solver } else { self.effective_solver() };
        if self.longest_step_varies() {
            solver.max_step = self.solver.max_step;
        }
        Self { solver, ..self.clone() }
    }

    /// The keys of `[solver]` that have one value in the whole run.
    pub(crate) fn recorded_solver(&self) -> SolverKeys {
        self.filled().solver.only(|key| self.varied_solver_keys().all(|varied| varied != key))
    }

    /// Whether the default of `max_step` differs between the items of a campaign.
    fn longest_step_varies(&self) -> bool {
        let decisive = ["system.two_disc.upper.mass", "system.two_disc.upper.stiffness"];
        self.campaign.iter().flat_map(Campaign::keys).any(|key| decisive.contains(&key.trim()))
    }

    fn varied_solver_keys(&self) -> impl Iterator<Item = &str> {
        let vary = self.campaign.iter().flat_map(|campaign| &campaign.vary);
        vary.filter_map(|vary| vary.key.trim().strip_prefix("solver."))
    }

    /// The keys of `[solver]` that have no effect, and methods that do not suit.
    pub(super) fn solver_problems(&self) -> Vec<Problem> {
        let (study, system) = (format!("`study.{}`", self.study.name()), self.system.name());
        let offer = self.offer();
        let solver = offer.map(|offer| self.solver.solver(&offer));
        let used = offer.zip(solver).map(|(offer, solver)| offer.used(&solver)).unwrap_or_default();
        let why = |key: &str| match (&offer, &solver) {
            (Some(offer), Some(solver)) if offer.closed_form == ClosedForm::Everything && solver.closed_form => {
                "every phase is known in closed form; remove it, or set `solver.closed_form` to false".to_owned()
            }
            (Some(_), Some(solver)) if key.ends_with("tolerance") && solver.method == MethodName::Rk4 => {
                "`rk4` has a fixed step; remove it, or set `solver.max_step`".to_owned()
            }
            (Some(_), _) => format!("{study} of {system} uses only {}; remove it", used.join(", ")),
            _ => format!("{study} of {system} integrates no motion; remove it"),
        };
        let idle = self.solver.given().into_iter().filter(|(key, _)| !used.contains(&key.as_str()));
        let mut problems: Vec<Problem> = idle
            .map(|(key, value)| {
                let message = format!("is {}, but has no effect: {}", inline(&value), why(&key));
                Problem::new(format!("solver.{key}"), message)
            })
            .collect();
        if let Some((offer, method)) = offer.zip(self.solver.method)
            && !offer.methods.contains(&method)
        {
            let (method, methods) = (named(&[method]), named(offer.methods));
            problems.retain(|problem| problem.key != "solver.method");
            let message = format!("is {method}, but {study} of {system} offers {methods}");
            problems.insert(0, Problem::new("solver.method", message));
        }
        problems
    }

    /// What is wrong with this value of a key of `[solver]`, if anything is.
    pub(super) fn solver_problem_with(&self, key: &str, value: Json) -> Option<String> {
        let mut given = self.solver.given();
        given.insert(key.to_owned(), value);
        // what is not a key or a value is reported by the schema
        let solver = serde_json::from_value(Json::Object(given)).ok()?;
        let problems = Self { solver, ..self.clone() }.solver_problems();
        let problem = problems.into_iter().find(|problem| problem.key == *format!("solver.{key}"))?;
        Some(format!("{}: {}", problem.key, problem.message))
    }

    /// Leaves out the keys of the file's `[solver]` that have no effect any more because settings ask something else.
    pub(super) fn leave_out_solver_keys(&mut self, file: &Scenario, is_set: impl Fn(&str) -> bool) {
        let problems = |scenario: &Scenario| -> Vec<String> {
            let all = scenario.solver_problems().into_iter();
            all.filter_map(|problem| Some(problem.key.behind("solver")?.to_string())).collect()
        };
        let (now, before) = (problems(self), problems(file));
        let lost = |key: &str| now.iter().any(|idle| idle == key) && !before.iter().any(|idle| idle == key);
        let kept = self.solver.only(|key| is_set(key) || !lost(key));
        for (key, _) in self.solver.given().into_iter().filter(|(key, _)| !kept.given().contains_key(key)) {
            self.notes
                .push(format!("note: solver.{key} of the scenario left out, because the settings ask something else"));
        }
        self.solver = kept;
    }
}
