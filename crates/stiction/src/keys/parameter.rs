//! A number of a mechanism by its path: its unit, label and range from the schema, its value in a tree.

use super::nearest::nearest;
use super::path::{KeyPath, entry};
use super::problem::Problem;
use super::range::Range;
use super::rules::Keyed;
use super::schema::{Rest, View};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// A number that can be varied.
///
/// ```
/// # use stiction::keys::Parameter;
/// # use stiction::system::SpringBlock;
/// # use stiction::law::{Coulomb, Law};
/// let law = Law::Coulomb(Coulomb { static_coefficient: 0.5, kinetic_coefficient: 0.4 });
/// let mut tree = serde_json::to_value(SpringBlock::new(10.0, 30.0, 0.1, law)).unwrap();
/// let mass = Parameter::of::<SpringBlock>(&tree, &"mass".into()).unwrap();
/// assert_eq!((mass.unit(), mass.label(), mass.value(&tree)), ("kg", "mass M", Some(10.0)));
/// mass.set(&mut tree, 20.0).unwrap();
/// assert_eq!(mass.value(&tree), Some(20.0));
/// assert!(mass.set(&mut tree, -1.0).unwrap_err().message.contains("> 0"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    path: KeyPath,
    range: Range,
    unit: String,
    label: String,
}

impl Parameter {
    /// The number at a path of a value of this type, given as a tree. A key that is left out can be set where its table is there.
    ///
    /// # Errors
    /// The key that does not exist, is missing in this value, or has no number, and what there is instead.
    pub fn of<T: Keyed>(tree: &Json, path: &KeyPath) -> Result<Self, Problem> {
        let document = T::rules().document();
        let wrong = |message: String| Problem::new(path, message);
        let (mut schema, mut value) = (document, Some(tree));
        for (depth, name) in path.names().enumerate() {
            let Some(here) = value else {
                let missing = KeyPath::of(path.names().take(depth));
                return Err(wrong(format!("cannot be varied: `{missing}` is missing")));
            };
            let Some(below) = step(document, schema, here, name) else {
                return Err(wrong(unknown(document, tree, path)));
            };
            (schema, value) = (below, KeyPath::of([name]).get(here));
        }
        let view = View::new(document, schema);
        let forms = view.forms.iter().map(|form| View::new(document, form));
        let number = std::iter::once(View::new(document, schema)).chain(forms).find(View::is_number);
        let Some(number) = number.filter(|_| value.is_none_or(Json::is_number)) else {
            return Err(wrong("is not a number that can be varied".to_owned()));
        };
        let label = label(path.last(), view.description());
        let unit = view.unit().unwrap_or_default().to_owned();
        Ok(Self { path: path.clone(), range: number.range(), unit, label })
    }

    /// Its path.
    pub fn path(&self) -> &KeyPath {
        &self.path
    }

    /// Its unit; empty for a number without dimension.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// How an axis names it: its last key, and its symbol.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The values that it may have.
    pub fn range(&self) -> Range {
        self.range
    }

    /// Its value in a tree; none if it is left out.
    pub fn value(&self, tree: &Json) -> Option<f64> {
        self.path.get(tree)?.as_f64()
    }

    /// Sets it in a tree of the kind that it was made for.
    ///
    /// # Errors
    /// The value and the range, if it lies outside.
    pub fn set(&self, tree: &mut Json, value: f64) -> Result<(), Problem> {
        self.range.check(&self.path, value)?;
        let value = if self.range.whole { Json::from(value as i64) } else { Json::from(value) };
        if self.path.put(tree, value) { Ok(()) } else { Err(Problem::new(&self.path, "is not in this value")) }
    }

    /// The same value with another number here.
    ///
    /// # Errors
    /// The value and the range, if it lies outside.
    pub fn at<T: Keyed + DeserializeOwned>(&self, of: &T, value: f64) -> Result<T, Problem> {
        let wrong = |error: serde_json::Error| Problem::new(&self.path, error.to_string());
        let mut tree = serde_json::to_value(of).map_err(wrong)?;
        self.set(&mut tree, value)?;
        serde_json::from_value(tree).map_err(wrong)
    }

    /// Its path as the name of a column.
    pub fn column(&self) -> String {
        self.path.column()
    }
}

/// The schema of what stands below a value under a name: a key, a choice that is made, an entry of a list.
fn step<'a>(document: &'a Json, schema: &'a Json, value: &Json, name: &str) -> Option<&'a Json> {
    let view = View::new(document, schema);
    if let Json::Array(items) = value {
        entry(items, name)?;
        let lists = view.forms.iter().filter_map(|form| View::new(document, form).keyword("items"));
        return view.keyword("items").into_iter().chain(lists).next();
    }
    let key = view.key(name).map(|key| key.schema);
    let chosen = || view.variant(name).and_then(|choice| choice.below).filter(|_| value.get(name).is_some());
    let free = || match view.rest {
        Rest::Each(each) if value.get(name).is_some() => Some(each),
        _ => None,
    };
    key.or_else(chosen).or_else(free)
}

fn unknown(document: &Json, tree: &Json, path: &KeyPath) -> String {
    let mut known = Vec::new();
    numbers(document, document, tree, &KeyPath::default(), &mut known);
    let meant = nearest(&path.to_string(), known.iter().map(String::as_str));
    let meant = meant.map(|path| format!("; did you mean `{path}`?")).unwrap_or(".".to_owned());
    format!("is not a number that can be varied{meant} There are: {}", known.join(", "))
}

/// Paths of all numbers that a value has or may have.
fn numbers(document: &Json, schema: &Json, value: &Json, path: &KeyPath, found: &mut Vec<String>) {
    let view = View::new(document, schema);
    let below = |name: &str| path.then(KeyPath::of([name]));
    if let Json::Array(items) = value {
        for (index, item) in items.iter().enumerate() {
            let name = index.to_string();
            if let Some(schema) = step(document, schema, value, &name) {
                numbers(document, schema, item, &below(&name), found);
            }
        }
        return;
    }
    if value.is_number() {
        return found.push(path.to_string());
    }
    for key in &view.keys {
        match value.get(key.name) {
            Some(inner) => numbers(document, key.schema, inner, &below(key.name), found),
            None if View::new(document, key.schema).is_number() => found.push(below(key.name).to_string()),
            None => {}
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten().filter(|(name, _)| view.key(name).is_none()) {
        if let Some(schema) = step(document, schema, value, name) {
            numbers(document, schema, inner, &below(name), found);
        }
    }
}

/// The words of a key and the symbol of its description: `drive speed v₀`.
fn label(key: &str, description: &str) -> String {
    let head = description.split([';', ',', '[', '\\', '.', ':']).next().unwrap_or_default();
    let symbol = head.split_whitespace().find(|word| is_symbol(word));
    let words = key.replace('_', " ");
    symbol.map_or(words.clone(), |symbol| format!("{words} {symbol}"))
}

/// One letter with its indices: `M`, `v₀`, `R_c`, `ω*`.
fn is_symbol(word: &str) -> bool {
    let mut letters = word.chars();
    let first = letters.next().is_some_and(char::is_alphabetic) && !["a", "A", "I"].contains(&word);
    let rest = letters.as_str();
    first && (rest.is_empty() || rest.starts_with('_') || rest.chars().all(|c| "₀₁₂₃₄₅₆₇₈₉*".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{keyed, outside};
    use crate::system::TwoDisc;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    /// The shapes of mechanisms that are lists of named things.
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Assembly {
        /// Numbers of the formulas.
        parameters: BTreeMap<String, f64>,
        contact: Vec<Contact>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Contact {
        name: String,
        /// Normal load N \[N\], > 0.
        #[schemars(extend("exclusiveMinimum" = 0.0))]
        normal_load: f64,
    }

    keyed!(Assembly);

    fn assembly() -> Assembly {
        let contact = |name: &str| Contact { name: name.to_owned(), normal_load: 1.0 };
        Assembly {
            parameters: [("mu".to_owned(), 0.4)].into(),
            contact: vec![contact("a_ground"), contact("pad_belt")],
        }
    }

    #[test]
    fn entries_of_lists_are_found_by_number_and_by_name() {
        let mut tree = serde_json::to_value(assembly()).unwrap();
        for (path, pointer) in [
            ("parameters.mu", "/parameters/mu"),
            ("contact[0].normal_load", "/contact/0/normal_load"),
            ("contact.1.normal_load", "/contact/1/normal_load"),
            ("contact.pad_belt.normal_load", "/contact/1/normal_load"),
        ] {
            let found = Parameter::of::<Assembly>(&tree, &path.into()).unwrap();
            found.set(&mut tree, 0.25).unwrap();
            assert_eq!(tree.pointer(pointer).and_then(Json::as_f64), Some(0.25), "{path}");
            assert_eq!(found.value(&tree), Some(0.25));
            *tree.pointer_mut(pointer).unwrap() = 1.0.into();
        }
        for path in ["parameters.nu", "contact[2].normal_load", "contact.b.normal_load", "contact[0].name"] {
            assert!(Parameter::of::<Assembly>(&tree, &path.into()).is_err(), "{path}");
        }
    }

    #[test]
    fn the_range_of_the_schema_holds_for_a_value_and_for_a_parameter() {
        let wrong = Assembly { contact: vec![Contact { name: String::new(), normal_load: f64::NAN }], ..assembly() };
        let [problem] = &outside(&wrong)[..] else { panic!("one problem") };
        assert_eq!(problem.key, "contact[0].normal_load");
        assert_eq!(problem.message, "is NaN, but must be a finite number > 0");
        assert!(outside(&assembly()).is_empty());
    }

    #[test]
    fn an_unknown_or_missing_number_is_told_with_its_neighbour() {
        let tree = serde_json::to_value(TwoDisc::new(20.0, 1.0)).unwrap();
        let told = |path: &str| Parameter::of::<TwoDisc>(&tree, &path.into()).map_err(|problem| problem.message);
        assert!(told("normal_lod").unwrap_err().contains("did you mean `normal_load`?"));
        assert!(told("field.centre").unwrap_err().contains("`field` is missing"));
        assert!(told("upper").unwrap_err().contains("not a number"));
        let level = told("damping_level").unwrap();
        assert_eq!((level.value(&tree), level.label()), (None, "damping level"));
        let rings = told("contact.rings").unwrap();
        assert!(rings.set(&mut tree.clone(), 2.5).unwrap_err().message.contains("whole number >= 1, <= 200"));
        assert_eq!(told("law.lugre.bristle_stiffness").unwrap().label(), "bristle stiffness σ₀");
    }
}
