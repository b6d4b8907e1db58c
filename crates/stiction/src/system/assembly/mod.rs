//! A mechanism of one's own: bodies, springs, forces, drives and contacts with dry friction.
//!
//! ```text
//! M q̈ = h(q, q̇, t) + Σ wᵢ λᵢ        γᵢ = wᵢᵀ q̇ − sᵢ(t)    sliding velocity of contact i; sᵢ: speed of its drive
//! slip:   λᵢ = −sgn(γᵢ) Nᵢ μᵢ(|γᵢ|)
//! stick:  γᵢ = 0, |λᵢ| ≤ Nᵢ μ_s,ᵢ     λᵢ from γ̇ᵢ = 0; coordinates are eliminated, so that a stuck contact does not slide by one bit
//! ```
//!
//! M and the wᵢ are constant: sliders, rotors and points in the plane whose coordinates are displacements. Large rotations,
//! contacts that lift off and impacts are not modelled.
//!
//! An [`Assembly`] is its scenario text as a tree, in which every number may be a formula in `parameters`; [`Assembly::network`]
//! makes the equations of it.

mod box_problem;
mod declare;
mod expand;
mod forces;
mod motion;
mod network;
mod phases;
mod settle;
mod show;
mod stick;
mod template;

pub use declare::{
    Body, BodyKind, BodyStart, Contact, Declaration, Drive, Force, NumberOrFormula, OneOrTwo, Simultaneous, Spring,
};
pub use motion::Assembled;
pub use network::Network;
pub use phases::Mode;

use crate::Problem;
use crate::keys::{KeyPath, Keyed, keyed, outside};
use expand::{Repeats, range_of, with_indices};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use template::Template;

/// A mechanism of one's own, as a scenario declares it.
///
/// ```
/// # use stiction::system::Assembly;
/// let block: Assembly = serde_json::from_value(serde_json::json!({
///     "parameters": { "k": 30.0 },
///     "body": [{ "name": "m", "mass": 10.0 }],
///     "spring": [{ "between": ["m", "ground"], "stiffness": "k" }],
///     "drive": [{ "name": "belt", "speed": 0.2 }],
///     "contact": [{ "between": ["m", "belt"], "normal_load": 98.1,
///                   "law": { "coulomb": { "static_coefficient": 0.5, "kinetic_coefficient": 0.45 } } }],
/// })).unwrap();
/// assert!(block.problems().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Assembly {
    tree: Json,
}

keyed!(Assembly);

impl JsonSchema for Assembly {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Assembly".into()
    }

    /// That of [`Declaration`], with a formula in parameters allowed for every number.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let settings = SchemaSettings::default().with(|settings| settings.inline_subschemas = true);
        let mut schema = settings.into_generator().into_root_schema_for::<Declaration>().to_value();
        if let Some(entries) = schema.as_object_mut() {
            entries.remove("$schema");
            if let Some(properties) = entries.get_mut("properties").and_then(Json::as_object_mut) {
                properties
                    .iter_mut()
                    .filter(|(name, _)| *name != "parameters")
                    .for_each(|(_, each)| allow_formulas(each));
            }
        }
        Schema::try_from(schema).unwrap_or_default()
    }
}

/// Lets every number of a schema be a text, too. Formulas of laws know the parameters, which only the assembly can check.
fn allow_formulas(schema: &mut Json) {
    match schema {
        Json::Object(entries) => {
            entries.remove("x-formula");
            if entries.get("type").and_then(Json::as_str) == Some("number") {
                entries.insert("type".to_owned(), serde_json::json!(["number", "string"]));
            } else if let Some(Json::Array(types)) = entries.get_mut("type")
                && types.iter().any(|kind| kind == "number")
                && !types.iter().any(|kind| kind == "string")
            {
                types.push("string".into());
            }
            entries.values_mut().for_each(allow_formulas);
        }
        Json::Array(items) => items.iter_mut().for_each(allow_formulas),
        _ => {}
    }
}

/// An entry of one of the lists, with the place in the scenario that it comes from.
#[derive(Debug, Clone)]
pub(super) struct Entry<T> {
    pub(super) origin: KeyPath,
    /// Its number among the copies of a repeated entry.
    pub(super) copy: Option<i64>,
    pub(super) value: T,
}

/// The entries of all lists, repeated ones written out.
#[derive(Debug, Clone)]
pub(super) struct Entries {
    pub(super) parameters: BTreeMap<String, f64>,
    pub(super) bodies: Vec<Entry<Body>>,
    pub(super) springs: Vec<Entry<Spring>>,
    pub(super) forces: Vec<Entry<Force>>,
    pub(super) drives: Vec<Entry<Drive>>,
    pub(super) contacts: Vec<Entry<Contact>>,
    pub(super) simultaneous: Simultaneous,
}

/// Names that mean something else.
const RESERVED: [&str; 5] = ["ground", "t", "i", "pi", "e"];

impl Assembly {
    /// The assembly of a tree, as a scenario has it.
    pub fn new(tree: Json) -> Self {
        Self { tree }
    }

    /// The tree, as a scenario has it.
    pub fn tree(&self) -> &Json {
        &self.tree
    }

    /// What is wrong with the declaration, all of it (empty if nothing).
    pub fn problems(&self) -> Vec<Problem> {
        self.network().err().unwrap_or_default()
    }

    /// The equations.
    ///
    /// # Errors
    /// What is wrong with the declaration, all of it.
    pub fn network(&self) -> Result<Network, Vec<Problem>> {
        Network::of(&self.entries()?)
    }

    /// All lists with their repeated entries written out, and numbers in place of formulas in parameters.
    fn entries(&self) -> Result<Entries, Vec<Problem>> {
        let mut problems = Vec::new();
        let parameters = self.parameters(&mut problems);
        let simultaneous = match self.tree.get("simultaneous") {
            None => Simultaneous::default(),
            Some(word) => serde_json::from_value(word.clone()).unwrap_or_else(|error| {
                problems.push(Problem::new("simultaneous", error.to_string()));
                Simultaneous::default()
            }),
        };
        let mut repeats = Repeats::new();
        for body in self.list("body") {
            let repeated = body.get("name").and_then(Json::as_str).zip(body.get("repeat").and_then(Json::as_u64));
            repeats.extend(repeated.map(|(name, count)| (name.to_owned(), count.min(10_000) as usize)));
        }
        let mut lists = Lists { assembly: self, parameters: &parameters, repeats: &repeats, problems };
        let (bodies, springs, forces) = (lists.read("body"), lists.read("spring"), lists.read("force"));
        let (drives, contacts) = (lists.read("drive"), lists.read("contact"));
        let mut problems = lists.problems;
        problems.dedup();
        if problems.is_empty() {
            Ok(Entries { parameters, bodies, springs, forces, drives, contacts, simultaneous })
        } else {
            Err(problems)
        }
    }

    fn list(&self, name: &str) -> &[Json] {
        self.tree.get(name).and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    fn parameters(&self, problems: &mut Vec<Problem>) -> BTreeMap<String, f64> {
        let mut parameters = BTreeMap::new();
        for (name, value) in self.tree.get("parameters").and_then(Json::as_object).into_iter().flatten() {
            let key = KeyPath::of(["parameters", name.as_str()]);
            match value.as_f64() {
                _ if RESERVED.contains(&name.as_str()) => {
                    problems.push(Problem::new(
                        key,
                        format!("has a reserved name ({}): choose another", RESERVED.join(", ")),
                    ));
                }
                Some(value) if value.is_finite() => {
                    parameters.insert(name.clone(), value);
                }
                _ => problems.push(Problem::new(key, format!("is {value}, but must be a finite number"))),
            }
        }
        parameters
    }
}

/// Reads the lists of an assembly.
struct Lists<'a> {
    assembly: &'a Assembly,
    parameters: &'a BTreeMap<String, f64>,
    repeats: &'a Repeats,
    problems: Vec<Problem>,
}

impl Lists<'_> {
    fn read<T: Keyed + DeserializeOwned>(&mut self, list: &str) -> Vec<Entry<T>> {
        let mut entries = Vec::new();
        for (k, item) in self.assembly.list(list).iter().enumerate() {
            let origin = KeyPath::of([list.to_owned(), k.to_string()]);
            match self.copies(list, item) {
                Ok(None) => entries.extend(self.entry(item, self.parameters, origin, None)),
                Ok(Some(copies)) => {
                    let mut constants = self.parameters.clone();
                    for copy in copies {
                        constants.insert("i".to_owned(), copy as f64);
                        entries.extend(self.entry(item, &constants, origin.clone(), Some(copy)));
                    }
                }
                Err(message) => self.problems.push(Problem::new(origin, message)),
            }
        }
        entries
    }

    /// The numbers of the copies of an entry; none if it is not repeated.
    fn copies(&self, list: &str, item: &Json) -> Result<Option<Vec<i64>>, String> {
        if list == "body" {
            let count = item.get("repeat").and_then(Json::as_u64);
            return Ok(count.map(|count| (1..=count.min(10_000) as i64).collect()));
        }
        let between = item.get("between").and_then(Json::as_array).into_iter().flatten();
        let ends: Vec<&str> = between.chain(item.get("on")).filter_map(Json::as_str).collect();
        range_of(&ends, self.repeats, self.parameters)
    }

    fn entry<T: Keyed + DeserializeOwned>(
        &mut self,
        item: &Json,
        constants: &BTreeMap<String, f64>,
        origin: KeyPath,
        copy: Option<i64>,
    ) -> Option<Entry<T>> {
        let before = self.problems.len();
        match with_indices(item, constants) {
            Err(message) => self.problems.push(Problem::new(origin.clone(), message)),
            Ok(item) => {
                let mut template = Template { document: T::rules().document(), constants, problems: Vec::new() };
                let filled = template.filled(&item);
                self.problems.extend(template.problems.into_iter().map(|problem| problem.below(origin.clone())));
                match serde_json::from_value::<T>(filled) {
                    Ok(value) => {
                        self.problems.extend(outside(&value).into_iter().map(|problem| problem.below(origin.clone())));
                        return (self.problems.len() == before).then_some(Entry { origin, copy, value });
                    }
                    Err(error) if self.problems.len() == before => {
                        self.problems.push(Problem::new(origin, error.to_string()));
                    }
                    Err(_) => {}
                }
            }
        }
        None
    }
}
