//! The TOML file that a person writes: read with the place of every value, checked against the schema that its types
//! give, and written again with every default filled in.
//!
//! ```
//! use stiction_lab::scenario::{Size, builtin, read};
//!
//! let coulomb = builtin("elmer1997/coulomb")?;
//! let scenario = read(coulomb.source(), &["system.spring_block.drive_speed=0.3".to_owned()], Size::Full)?;
//! assert_eq!(scenario.seed, 1);
//!
//! let wrong = read(coulomb.source(), &["system.spring_block.drive_sped=0.3".to_owned()], Size::Full);
//! assert!(wrong.is_err_and(|wrong| wrong.to_string().contains("did you mean `drive_speed`?")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builtin;
mod check;
mod claim;
mod decisive;
mod evaluate;
mod explain;
mod fit;
mod formula;
mod inputs;
mod memory;
mod mistake;
mod near;
mod read;
mod renamed;
mod resolved;
mod schema;
mod setting;
mod sharpness;
mod solver;
mod source;
mod tree;
mod varied;
mod verdict;
mod wording;

pub use crate::keep::{InputFile, Resolved};
pub use builtin::{Builtin, DEFAULT_SCENARIO, UnknownName, builtin, builtins};
pub use claim::{Band, Claim, Kind};
pub use explain::{UnknownPath, explain, unit_of_key};
pub use memory::MemoryChoice;
pub use mistake::{Mistake, Paint, WrongScenario};
pub use read::{read, read_with_figures};
pub use resolved::ResolveError;
pub use schema::schema_text;
pub use sharpness::Sharpness;
pub use solver::SolverKeys;
pub use source::{Place, Source};
pub use verdict::Verdict;
pub(crate) use verdict::value_of;

use crate::campaign::Campaign;
use crate::figure::{Figure, mistake};
use crate::study::{AnyStudy, AnySystem};
use fit::Fit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::Problem;

/// How large a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Size {
    /// As the scenario says.
    #[default]
    Full,
    /// With the scenario's table `[quick]` laid over the rest: coarser grids, fewer points.
    Quick,
}

/// A mechanism, a question, and optionally pictures and claims to check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it is, in one line.
    pub title: String,
    /// What it shows, in a few sentences.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// About how long a full run takes on two cores \[s\]; only for the list of scenarios.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Whether this is a reduced run; `--quick` sets it where the scenario has a table `quick`, and pictures say so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reduced: bool,
    /// Seed of everything random: the same seed gives the same bytes. Accepted and recorded where nothing is random as well.
    #[serde(default = "one")]
    pub seed: u64,
    /// What a run may keep, as a number of bytes or a text such as "2 GiB": samples, events, tables, maps, fields. What needs
    /// more is refused, before it starts where that can be known. It decides whether there is an answer, never which one, so
    /// that it is not part of the resolved scenario.
    #[serde(default, skip_serializing)]
    pub memory: MemoryChoice,
    /// The mechanism.
    pub system: AnySystem,
    /// The question.
    pub study: AnyStudy,
    /// How equations of motion are solved.
    #[serde(default, skip_serializing_if = "SolverKeys::is_empty")]
    pub solver: SolverKeys,
    /// Asks the question over values of any keys and over realisations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<Campaign>,
    /// The files that it reads, by their contents. Written by the program; an entry refuses a file whose contents differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<InputFile>,
    /// The pictures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figure: Vec<Figure>,
    /// Statements that the run checks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claim: Vec<Claim>,
    /// What the user should know about how the file was read: keys with new names, parts that settings leave out.
    #[serde(skip)]
    pub notes: Vec<String>,
}

impl Scenario {
    /// What is wrong beyond types and ranges, each with its key (empty if nothing).
    pub fn problems(&self) -> Vec<Problem> {
        let memory = self.memory.bytes().err().map(|message| Problem::new("memory", message));
        let system = self.system.problems().into_iter().map(|problem| problem.below("system"));
        let named = !(self.figure.is_empty() && self.claim.is_empty()) && self.unasked().is_none();
        let fit = named.then(|| Fit::of(self)).flatten();
        let claims = self.claim.iter().enumerate().flat_map(|(index, claim)| {
            let unknown = || fit.as_ref()?.claim(claim).map(|message| Problem::new("quantity", message));
            let problems = claim.problems().into_iter().chain(unknown());
            problems.map(move |problem| problem.below(format!("claim[{index}]"))).collect::<Vec<_>>()
        });
        let campaign = self.campaign.iter().flat_map(|campaign| varied::problems(self, campaign));
        let campaign = campaign.map(|problem| problem.below("campaign"));
        let figures = self.figure.iter().enumerate().filter_map(|(index, figure)| {
            let misfit = || fit.as_ref().and_then(|fit| fit.figure(figure));
            let problem = Problem::new(index.to_string(), mistake(figure).or_else(misfit)?.to_string());
            Some(problem.below("figure"))
        });
        let solver = if self.unasked().is_none() { self.solver_problems() } else { Vec::new() };
        memory
            .into_iter()
            .chain(system)
            .chain(self.unasked())
            .chain(solver)
            .chain(campaign)
            .chain(claims)
            .chain(figures)
            .collect()
    }
}

impl Scenario {
    /// Whether its answer is made of items, which can be split over machines and replayed one by one.
    pub fn has_items(&self) -> bool {
        self.campaign.as_ref().is_some_and(Campaign::repeats) || self.study.study().has_items()
    }

    /// The study, if it cannot be asked of the system.
    fn unasked(&self) -> Option<Problem> {
        let (study, system) = (self.study.name(), self.system.name());
        let suits = self.study.systems().contains(&system);
        let others = || AnyStudy::of_system(system).join(", ");
        let message = || {
            let systems = self.study.systems().join(", ");
            format!("asks about {systems}, but the system is {system}; studies of {system}: {}", others())
        };
        (!suits).then(|| Problem::new(format!("study.{study}"), message()))
    }
}

fn one() -> u64 {
    1
}
