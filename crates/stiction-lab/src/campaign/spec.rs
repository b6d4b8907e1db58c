//! What the table `[campaign]` of a scenario says.

use crate::study::Spacing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::Problem;
use stiction::analysis::campaign::StopRule;
use stiction::num::distribution::Distribution;
use stiction::num::random::Stream;

/// Asks the scenario's study again and again: over values of any keys, and for realisations with seeds of their own.
///
/// ```toml
/// [campaign]
/// realisations = 1000
///
/// [[campaign.vary]]
/// key = "system.spring_block.drive_speed"
/// values = [0.1, 0.2, 0.3]
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Campaign {
    /// Realisations at every point. Realisation 0 has the seed of the scenario, realisation r > 0 a seed that depends on that
    /// seed and on r alone: it is the same at every point, and whatever the number of realisations is.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub realisations: u64,
    /// How the values of several keys are combined.
    #[serde(default)]
    pub combine: Combine,
    /// Ends the campaign early, for instance `displacement_ratio_mean.se < 0.005`: the quantity, a dot, and one of `se`
    /// (standard error of its mean), `relative` (that over the mean), `std`, `mean`, `count`; several joined by `and`. Looked at
    /// after realisations 10, 11, ..., 99, 100, 110, ..., 990, 1000, 1100, ...; with several points it must hold at all of them. In
    /// a scenario without `realisations` and `vary` it ends the realisations of the study itself, where it has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_when: Option<String>,
    /// Rows that are kept of each table of the items, over all of them: every item may have its share, and a longer table is
    /// left out, which is reported. Tables of all items have a column `item`.
    #[serde(default = "hundred_thousand")]
    #[schemars(range(max = 100_000_000))]
    pub keep_rows: u64,
    /// The keys that vary; all others keep their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vary: Vec<Vary>,
    /// The keys that are drawn anew in every realisation, for parameters that are known by their distributions only. A draw
    /// depends on the seed of the scenario, the number of the realisation and the place in this list alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub random: Vec<RandomKey>,
}

/// A key and how its value is distributed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomKey {
    /// The key of a number, as `--set` takes it: for instance `system.spring_block.mass`.
    pub key: String,
    /// How the value is distributed, in the unit of the key.
    pub distribution: Distribution,
}

/// How the values of several keys are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// Every value with every value of the others; the last key varies fastest.
    #[default]
    Grid,
    /// The first values of all keys together, then the second ones, and so on; all keys have equally many.
    List,
}

/// A key and its values: either `values`, or `from`, `to` and `points`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Vary {
    /// The key, as `--set` takes it: for instance `system.spring_block.drive_speed`.
    pub key: String,
    /// The values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Given>,
    /// The first of evenly spaced values, in the unit of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// The last of evenly spaced values, in the unit of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// How many evenly spaced values there are, both ends included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 10_000_000))]
    pub points: Option<u64>,
    /// Whether evenly spaced values have equal differences or equal ratios.
    #[serde(default, skip_serializing_if = "is_linear")]
    pub scale: Spacing,
}

/// A value of a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Given {
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// A word.
    Word(String),
}

fn one() -> u64 {
    1
}

fn hundred_thousand() -> u64 {
    100_000
}

fn is_linear(spacing: &Spacing) -> bool {
    *spacing == Spacing::Linear
}

/// More items than this are no plan but a mistake.
const MOST_ITEMS: u64 = 10_000_000_000;

impl Campaign {
    /// Whether the study is asked more than once; otherwise only `stop_when` is meant, for the study itself.
    pub fn repeats(&self) -> bool {
        self.realisations > 1 || !self.vary.is_empty() || !self.random.is_empty()
    }

    /// The keys whose values differ from item to item: those that vary, then the random ones.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        let random = self.random.iter().map(|random| random.key.as_str());
        self.vary.iter().map(|vary| vary.key.as_str()).chain(random)
    }

    /// The values of the random keys in a realisation.
    pub(crate) fn drawn(&self, seed: u64, realisation: u64) -> impl Iterator<Item = Given> {
        let draw = move |(place, random): (usize, &RandomKey)| {
            Given::Number(random.distribution.draw(&mut Stream::new(seed, realisation, place as u64)))
        };
        self.random.iter().enumerate().map(draw)
    }

    /// Number of points.
    pub fn points(&self) -> u64 {
        let counts = self.vary.iter().map(Vary::count);
        match self.combine {
            Combine::Grid => counts.fold(1, u64::saturating_mul),
            Combine::List => counts.min().unwrap_or(1),
        }
    }

    /// Number of items: realisations at every point.
    pub fn items(&self) -> u64 {
        self.points().saturating_mul(self.realisations)
    }

    /// The rule that ends the campaign, if it can be read.
    pub fn rule(&self) -> Option<StopRule> {
        self.stop_when.as_ref().and_then(|text| text.parse().ok())
    }

    /// What is wrong beyond types and ranges, each with its key (empty if nothing).
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = self
            .vary
            .iter()
            .enumerate()
            .flat_map(|(index, vary)| {
                vary.problem().into_iter().map(move |problem| problem.below(format!("vary[{index}]")))
            })
            .collect();
        if let Some(Err(wrong)) = self.stop_when.as_ref().map(|text| text.parse::<StopRule>()) {
            problems.push(Problem::new("stop_when", wrong.to_string()));
        }
        problems.extend(
            self.random
                .iter()
                .enumerate()
                .filter_map(|(index, random)| Some(random.problem()?.below(index.to_string()).below("random"))),
        );
        for (index, key) in self.keys().enumerate() {
            if self.keys().take(index).any(|other| other.trim() == key.trim()) {
                let random = index.checked_sub(self.vary.len());
                let place = random.map_or(format!("vary.{index}.key"), |index| format!("random.{index}.key"));
                problems.push(Problem::new(place, format!("`{key}` varies twice")));
            }
        }
        let counts: Vec<u64> = self.vary.iter().map(Vary::count).collect();
        if self.combine == Combine::List && counts.windows(2).any(|pair| pair[0] != pair[1]) {
            let told: Vec<String> = counts.iter().map(u64::to_string).collect();
            let message = format!("the keys of a list need equally many values, but have {}", told.join(", "));
            problems.push(Problem::new("combine", message));
        }
        if self.items() > MOST_ITEMS {
            let message =
                format!("{} items are more than {MOST_ITEMS}: take fewer values or realisations", self.items());
            problems.push(Problem::new("realisations", message));
        }
        problems
    }
}

impl Vary {
    /// Number of values.
    pub(crate) fn count(&self) -> u64 {
        if self.values.is_empty() { self.points.unwrap_or(0) } else { self.values.len() as u64 }
    }

    /// A value of the key.
    pub(crate) fn value(&self, index: u64) -> Given {
        if let Some(given) = self.values.get(index as usize) {
            return given.clone();
        }
        let (from, to) = (self.from.unwrap_or(0.0), self.to.unwrap_or(0.0));
        let last = self.points.unwrap_or(1).saturating_sub(1);
        Given::Number(self.scale.value((from, to), index, last))
    }

    fn problem(&self) -> Option<Problem> {
        let wrong = |key: &str, message: &str| Some(Problem::new(key, message.to_owned()));
        let spaced = [self.from.is_some(), self.to.is_some(), self.points.is_some()];
        if self.values.is_empty() && spaced != [true; 3] {
            return wrong("values", "there are no values: give `values`, or `from`, `to` and `points`");
        }
        if !self.values.is_empty() && spaced != [false; 3] {
            return wrong("values", "stands beside `from`, `to` or `points`: give one or the other");
        }
        let ends: Vec<f64> = [self.from, self.to].into_iter().flatten().collect();
        if ends.iter().any(|end| !end.is_finite()) {
            return wrong("from", "both ends must be finite numbers");
        }
        if self.scale == Spacing::Log && ends.iter().any(|end| *end <= 0.0) {
            return wrong("from", "equal ratios need positive ends");
        }
        if self.scale == Spacing::Log && ends.is_empty() {
            return wrong("scale", "is about `from`, `to` and `points`; `values` stand as they are");
        }
        if !begins_with(&self.key, &["system", "study", "solver", "seed"]) {
            return wrong("key", "must be `seed` or begin with `system.`, `study.` or `solver.`");
        }
        None
    }
}

impl RandomKey {
    fn problem(&self) -> Option<Problem> {
        if !begins_with(&self.key, &["system", "study"]) {
            return Some(Problem::new("key", "must begin with `system.` or `study.`"));
        }
        let (name, message) = self.distribution.problem()?;
        Some(Problem::new(format!("distribution.{}.{name}", self.distribution.name()), message))
    }
}

fn begins_with(key: &str, roots: &[&str]) -> bool {
    roots.contains(&key.split('.').next().unwrap_or("").trim())
}

impl Given {
    /// The value as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        match self {
            Given::Whole(number) => (*number).into(),
            Given::Number(number) => (*number).into(),
            Given::Flag(flag) => (*flag).into(),
            Given::Word(word) => word.clone().into(),
        }
    }

    /// The value as a number, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Given::Whole(number) => Some(*number as f64),
            Given::Number(number) => Some(*number),
            Given::Flag(_) | Given::Word(_) => None,
        }
    }

    /// The value as a word.
    pub(crate) fn word(&self) -> String {
        match self {
            Given::Whole(number) => number.to_string(),
            Given::Number(number) => crate::dataset::number(*number),
            Given::Flag(flag) => flag.to_string(),
            Given::Word(word) => word.clone(),
        }
    }
}
