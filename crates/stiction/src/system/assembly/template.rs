//! Formulas in parameters, replaced by their numbers wherever a number is wanted.

use crate::Problem;
use crate::keys::KeyPath;
use crate::keys::schema::{Rest, View};
use crate::num::formula::Formula;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// Replaces formulas by numbers in values of one schema.
pub(super) struct Template<'a> {
    /// The schema.
    pub(super) document: &'a Json,
    /// The numbers that formulas know.
    pub(super) constants: &'a BTreeMap<String, f64>,
    /// What is wrong, by its path in the value.
    pub(super) problems: Vec<Problem>,
}

impl Template<'_> {
    /// The value with numbers only.
    pub(super) fn filled(&mut self, value: &Json) -> Json {
        self.below(self.document, value, &KeyPath::default())
    }

    fn below(&mut self, schema: &Json, value: &Json, path: &KeyPath) -> Json {
        let document = self.document;
        let view = View::new(document, schema);
        match value {
            Json::String(text) if wants_number(document, &view) => match evaluated(text, self.constants) {
                Ok(number) => number.into(),
                Err(message) => {
                    self.problems.push(Problem::new(path.clone(), message));
                    0.0.into()
                }
            },
            Json::Array(items) => {
                let each = items_of(document, &view);
                let entry = |(k, item): (usize, &Json)| match &each {
                    Some(each) => self.below(each, item, &path.then(KeyPath::of([k.to_string()]))),
                    None => item.clone(),
                };
                Json::Array(items.iter().enumerate().map(entry).collect())
            }
            Json::Object(entries) => {
                let mut filled = Map::new();
                for (name, item) in entries {
                    let schema = key_of(document, &view, name);
                    let item = match schema {
                        Some(schema) => self.below(&schema, item, &path.then(KeyPath::of([name.as_str()]))),
                        None => item.clone(),
                    };
                    filled.insert(name.clone(), item);
                }
                self.add_constants(&view, &mut filled);
                Json::Object(filled)
            }
            other => other.clone(),
        }
    }

    /// Laws that are formulas know the parameters as their constants.
    fn add_constants(&self, view: &View<'_>, entries: &mut Map<String, Json>) {
        for key in view.keys.iter().filter(|key| entries.contains_key(key.name)) {
            let Some(marks) = View::new(self.document, key.schema).keyword("x-formula") else { continue };
            let Some(place) = marks.get("constants").and_then(Json::as_str) else { continue };
            let is_variable = |name: &str| {
                let variables = marks.get("variables").and_then(Json::as_array);
                variables.is_some_and(|known| known.iter().any(|known| known.as_str() == Some(name)))
            };
            let known = entries.entry(place).or_insert_with(|| Json::Object(Map::new()));
            for (name, value) in self.constants.iter().filter(|(name, _)| !is_variable(name)) {
                if let Some(known) = known.as_object_mut().filter(|known| !known.contains_key(name)) {
                    known.insert(name.clone(), (*value).into());
                }
            }
            return;
        }
    }
}

/// Whether a value is a number and nothing else.
fn wants_number(document: &Json, view: &View<'_>) -> bool {
    let forms: Vec<View<'_>> = view.forms.iter().map(|form| View::new(document, form)).collect();
    let takes_text = view.takes("string") && !view.types.is_empty() || forms.iter().any(|form| form.takes("string"));
    !takes_text && (view.is_number() || forms.iter().any(View::is_number))
}

/// The schema of the entries of a list.
fn items_of(document: &Json, view: &View<'_>) -> Option<Json> {
    let lists = view.forms.iter().filter_map(|form| View::new(document, form).keyword("items").cloned());
    view.keyword("items").cloned().into_iter().chain(lists).next()
}

/// The schema of what stands below a name.
fn key_of(document: &Json, view: &View<'_>, name: &str) -> Option<Json> {
    let direct = |view: &View<'_>| {
        let chosen = || view.variant(name).and_then(|choice| choice.below);
        let free = || if let Rest::Each(each) = view.rest { Some(each) } else { None };
        view.key(name).map(|key| key.schema).or_else(chosen).or_else(free).cloned()
    };
    direct(view).or_else(|| view.forms.iter().find_map(|form| direct(&View::new(document, form))))
}

/// The number that a formula in constants gives.
pub(super) fn evaluated(text: &str, constants: &BTreeMap<String, f64>) -> Result<f64, String> {
    let formula = Formula::parse(text, &[], constants).map_err(|error| format!("{error}\n{}", error.render(text)))?;
    let value: f64 = formula.eval(&[]);
    if value.is_finite() { Ok(value) } else { Err(format!("`{text}` is {value}, but must be a finite number")) }
}
