//! Everything about one run.

use super::write::REDUCED;
use crate::answer::Answer;
use crate::campaign::Campaign;
use crate::dataset::{Outcome, Quantity, Value};
use crate::figure::Figure;
use crate::report::readable_value;
use crate::safe_text;
use crate::scenario::{Claim, InputFile, Resolved, Scenario, SolverKeys};
use crate::study::convergence_figure;
use serde_json::{Map, Value as Json, json};
use stiction::integrate::Effort;

/// Everything about one run: what was asked, the answer, and how to get it again. Holds no time and no machine, so that
/// the same scenario leaves the same bytes behind.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    /// Name of the scenario.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// What it shows, in a few sentences.
    pub description: String,
    /// Name of the study.
    pub study: String,
    /// The question, the answer in one sentence, and the quantities that matter most.
    pub answer: Answer,
    /// The scenario with every default filled in, as TOML.
    pub resolved: String,
    /// The command that repeats the run.
    pub command: String,
    /// The answer.
    pub outcome: Outcome,
    /// The statements that were checked.
    pub claims: Vec<CheckedClaim>,
    /// The pictures.
    pub figures: Vec<Figure>,
    /// Small text below every picture, for instance that the run was reduced.
    pub note: Option<String>,
    /// Where the answer comes from.
    pub provenance: Provenance,
}

/// A statement and whether it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedClaim {
    /// The statement in a few words.
    pub statement: String,
    /// Where it stands.
    pub source: String,
    /// The quantity that decides it.
    pub quantity: String,
    /// What the quantity is; none if the run has no such quantity.
    pub found: Option<Value>,
    /// What the quantity is, as a person reads it.
    pub value: String,
    /// What it must be for the statement to hold.
    pub band: String,
    /// Whether it holds; none if this run is too small to decide it.
    pub holds: Option<bool>,
    /// The erratum, where the statement is known not to hold.
    pub erratum: Option<String>,
}

/// Where an answer comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// Version of the program.
    pub version: String,
    /// Commit of the program, if it was built from git.
    pub commit: Option<String>,
    /// What the program was built for; empty if that is not known.
    pub target: String,
    /// Seed of everything random.
    pub seed: u64,
    /// SHA-256 of the resolved scenario.
    pub scenario_sha256: String,
    /// The files that were read, by their contents.
    pub input: Vec<InputFile>,
    /// How equations of motion were solved: the keys that had an effect, and nothing if no motion was followed. A key that a
    /// campaign varies is a column of its tables instead.
    pub solver: SolverKeys,
    /// What that cost; none if no motion was followed. Left out of tables and pictures: long tables are begun before the run.
    pub effort: Option<Effort>,
}

impl Provenance {
    /// The provenance of a run of this version.
    pub fn new(scenario: &Scenario, resolved: &Resolved) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: None,
            target: String::new(),
            seed: scenario.seed,
            scenario_sha256: resolved.hash.clone(),
            input: resolved.inputs.clone(),
            solver: scenario.recorded_solver(),
            effort: scenario.chosen_solver().map(|_| Effort::default()),
        }
    }

    /// With what the motions cost.
    #[must_use]
    pub fn worked(mut self, effort: Effort) -> Self {
        self.effort = self.effort.map(|_| effort);
        self
    }

    /// With the commit, if it is known, and the target of the program that ran it.
    #[must_use]
    pub fn built(mut self, commit: Option<&str>, target: &str) -> Self {
        (self.commit, self.target) = (commit.map(str::to_owned), target.to_owned());
        self
    }

    /// Names and values for the metadata of a table: the pairs, and the resolved scenario, from which alone the run can be
    /// repeated. Any
    /// number of threads, any machine and any time give the same bytes.
    pub fn metadata(&self, scenario_toml: &str) -> Vec<(String, String)> {
        let mut pairs = self.pairs();
        pairs.push(("threads".to_owned(), "any".to_owned()));
        pairs.push(("scenario_toml".to_owned(), scenario_toml.to_owned()));
        pairs
    }

    /// The content of `run.json`.
    pub fn run_text(&self) -> String {
        let mut run = json!({
            "program": "stiction",
            "version": self.version,
            "commit": self.commit,
            "target": self.target,
            "scenario_sha256": self.scenario_sha256,
            "seed": self.seed,
            "threads": "any",
            "repeat": "stiction run scenario.toml",
        });
        self.add_input(&mut run);
        self.add_solver(&mut run);
        safe_text::json(&run)
    }

    /// Adds the files that were read; nothing if there are none.
    pub(super) fn add_input(&self, to: &mut Json) {
        if !self.input.is_empty() {
            to["input"] = json!(self.input);
        }
    }

    /// Adds how motions were followed and what they cost; nothing if none was.
    pub(super) fn add_solver(&self, to: &mut Json) {
        let mut solver = self.solver.given();
        if solver.is_empty() && self.effort.is_none() {
            return;
        }
        let tolerances: Map<String, Json> = ["relative", "absolute"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), solver.get(&format!("{name}_tolerance"))?.clone())))
            .collect();
        solver.extend(self.effort_pairs().into_iter().map(|(name, count)| (name.to_owned(), count.into())));
        to["solver"] = Json::Object(solver);
        if !tolerances.is_empty() {
            to["tolerances"] = Json::Object(tolerances);
        }
    }

    /// What the motions cost, by name.
    pub(super) fn effort_pairs(&self) -> Vec<(&'static str, u64)> {
        let Some(effort) = self.effort else { return Vec::new() };
        let mut pairs = vec![
            ("steps", effort.steps),
            ("rejected_steps", effort.rejected),
            ("evaluations", effort.evaluations),
            ("closed_form_events", effort.closed_form),
        ];
        // slips against fast friction are followed by rodas5p in place of the chosen method
        if effort.stiff > 0 {
            pairs.push(("rodas5p_steps", effort.stiff));
        }
        pairs
    }

    /// The provenance that `run.json` tells.
    pub(super) fn of_run(run: &Json) -> Self {
        let text = |key: &str| run[key].as_str().unwrap_or_default().to_owned();
        Self {
            version: text("version"),
            commit: run["commit"].as_str().map(str::to_owned),
            target: text("target"),
            seed: run["seed"].as_u64().unwrap_or(0),
            scenario_sha256: text("scenario_sha256"),
            input: serde_json::from_value(run["input"].clone()).unwrap_or_default(),
            solver: SolverKeys::recorded(&run["solver"]),
            effort: None,
        }
    }

    /// Names and values, for a picture or a page.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let pair = |name: &str, value: String| (name.to_owned(), value);
        let mut all = vec![
            pair("program", "stiction".to_owned()),
            pair("version", self.version.clone()),
            pair("commit", self.commit.clone().unwrap_or_default()),
            pair("target", self.target.clone()),
            pair("seed", self.seed.to_string()),
            pair("scenario_sha256", self.scenario_sha256.clone()),
        ];
        let word = |value: Json| match value {
            Json::String(word) => word,
            Json::Number(number) if number.is_f64() => number.as_f64().map_or_else(String::new, crate::dataset::number),
            other => other.to_string(),
        };
        all.extend(self.solver.given().into_iter().map(|(name, value)| (name, word(value))));
        all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }
}

impl RunRecord {
    /// The record of a run of `scenario`, known as `name`, by `command`.
    pub fn new(name: &str, command: &str, scenario: &Scenario, resolved: &Resolved, mut outcome: Outcome) -> Self {
        outcome.tables.extend(outcome.missing_event_table());
        let mut claims: Vec<CheckedClaim> =
            scenario.claim.iter().map(|claim| CheckedClaim::of(claim, &outcome, scenario.reduced)).collect();
        let mut figures = scenario.figure.clone();
        let convergence = convergence_figure(&outcome.tables);
        if scenario.campaign.as_ref().is_some_and(Campaign::repeats) {
            // claims and pictures of the study itself are about one answer, a campaign has many
            claims.retain(|claim| claim.found.is_some());
            figures.retain(|figure| figure.draws_only(&outcome.tables));
        }
        if scenario.campaign.is_some() {
            figures.extend(convergence);
        }
        Self {
            scenario: name.to_owned(),
            title: scenario.title.clone(),
            description: scenario.description.clone(),
            study: scenario.study.name().to_owned(),
            answer: Answer::of(scenario, &outcome),
            resolved: resolved.file(),
            command: command.to_owned(),
            provenance: Provenance::new(scenario, resolved).worked(outcome.effort),
            outcome,
            claims,
            figures,
            note: scenario.reduced.then(|| REDUCED.to_owned()),
        }
    }

    /// The quantities that matter most, the most important first.
    pub(super) fn main_quantities(&self) -> impl Iterator<Item = &Quantity> {
        let all = &self.outcome.quantities;
        self.answer.main.iter().filter_map(|name| all.iter().find(|quantity| quantity.name == *name))
    }

    /// How many claims hold, for instance `3 of 4 claims hold; 2 need a run of full size`; none if there are none.
    pub(super) fn claims_in_words(&self) -> Option<String> {
        let held = self.claims.iter().filter(|claim| claim.holds == Some(true)).count();
        let open = self.claims.iter().filter(|claim| claim.holds.is_none()).count();
        let decided = self.claims.len() - open;
        let need = if open == 1 { "needs" } else { "need" };
        let plural = if decided == 1 { " holds" } else { "s hold" };
        let decision = format!("{held} of {decided} claim{plural}");
        match (decided, open) {
            (0, 0) => None,
            (0, _) => Some(format!("{open} {need} a run of full size to be decided", open = claims(open))),
            (_, 0) => Some(decision),
            _ => Some(format!("{decision}; {open} {need} a run of full size")),
        }
    }
}

fn claims(count: usize) -> String {
    format!("{count} claim{}", if count == 1 { "" } else { "s" })
}

impl CheckedClaim {
    /// A claim of a scenario, decided by an outcome.
    fn of(claim: &Claim, outcome: &Outcome, reduced: bool) -> Self {
        let verdict = claim.judge(outcome);
        Self {
            statement: claim.statement.clone(),
            source: claim.source.clone(),
            quantity: claim.quantity.clone(),
            found: verdict.value.clone(),
            value: verdict.value.as_ref().map_or("nothing that this run gives".to_owned(), readable_value),
            band: claim.band.words(),
            holds: (!(reduced && claim.full_size)).then_some(verdict.holds),
            erratum: claim.erratum.clone(),
        }
    }

    /// How the verdict reads: `holds`, `does not hold`, `does not hold (E-03)`, or that the run is too small.
    pub fn words(&self) -> String {
        match (&self.erratum, self.holds) {
            (_, None) => "only a run of full size decides it".to_owned(),
            (None, Some(true)) => "holds".to_owned(),
            (None, Some(false)) => "does not hold".to_owned(),
            (Some(id), Some(true)) => format!("holds (but see {id})"),
            (Some(id), Some(false)) => format!("does not hold ({id})"),
        }
    }
}
