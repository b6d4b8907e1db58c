//! The ranges of a type, taken from its schema once, and the check of a value against them.

use super::path::KeyPath;
use super::problem::Problem;
use super::range::Range;
use super::schema::View;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A type whose values are checked against the ranges of its own schema.
pub trait Keyed: Serialize + JsonSchema {
    /// The ranges of its numbers.
    fn rules() -> &'static Rules;
}

/// Makes types [`Keyed`]: the schema of each is made once.
macro_rules! keyed {
    ($($type:ty),*) => {
        $(impl $crate::keys::Keyed for $type {
            fn rules() -> &'static $crate::keys::Rules {
                static RULES: std::sync::OnceLock<$crate::keys::Rules> = std::sync::OnceLock::new();
                RULES.get_or_init($crate::keys::Rules::of::<$type>)
            }
        })*
    };
}
pub(crate) use keyed;

/// Every number of a value that is not finite or lies outside the range of its key (empty if none).
pub fn outside<T: Keyed>(value: &T) -> Vec<Problem> {
    let mut found = Vec::new();
    match serde_json::to_value(value) {
        Ok(tree) => T::rules().root.check(&tree, &mut Vec::new(), &mut found),
        Err(error) => found.push(Problem::new("", error.to_string())),
    }
    found
}

/// What the schema of a type says about the numbers of its values.
#[derive(Debug)]
pub struct Rules {
    document: Json,
    root: Rule,
}

impl Rules {
    /// Those of a type.
    pub fn of<T: JsonSchema>() -> Self {
        let document = schemars::schema_for!(T).to_value();
        Self { root: Rule::of(&document, &document, 0), document }
    }

    /// The schema of the type.
    pub fn document(&self) -> &Json {
        &self.document
    }
}

#[derive(Debug)]
enum Rule {
    Free,
    Number(Range),
    List(Box<Rule>),
    /// Keys of a table, and names of choices.
    Table(BTreeMap<String, Rule>),
    /// Several forms of the same thing: one number or a list of them.
    Forms(Vec<Rule>),
}

/// Types that contain themselves are looked at this deep.
const DEEPEST: usize = 12;

impl Rule {
    fn of(document: &Json, schema: &Json, depth: usize) -> Self {
        if depth > DEEPEST {
            return Self::Free;
        }
        let view = View::new(document, schema);
        let inner = |schema: &Json| Self::of(document, schema, depth + 1);
        if !view.forms.is_empty() {
            return Self::Forms(view.forms.iter().map(|form| inner(form)).collect());
        }
        let keys = view.keys.iter().map(|key| (key.name.to_owned(), inner(key.schema)));
        let choices = view.variants.iter().filter_map(|variant| Some((variant.name.to_owned(), inner(variant.below?))));
        let table: BTreeMap<String, Rule> =
            keys.chain(choices).filter(|(_, rule)| !matches!(rule, Self::Free)).collect();
        match view.keyword("items") {
            _ if !table.is_empty() => Self::Table(table),
            Some(items) => match inner(items) {
                Self::Free => Self::Free,
                rule => Self::List(Box::new(rule)),
            },
            None if view.is_number() => Self::Number(view.range()),
            None => Self::Free,
        }
    }

    /// `path` is where the value is.
    fn check(&self, value: &Json, path: &mut Vec<String>, found: &mut Vec<Problem>) {
        match (self, value) {
            (Self::Number(range), Json::Number(number)) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                if !range.contains(number) {
                    found.extend(range.check(&KeyPath::of(path.iter()), number).err());
                }
            }
            // what is not finite has no other form in a tree
            (Self::Number(range), Json::Null) => {
                found.extend(range.check(&KeyPath::of(path.iter()), f64::NAN).err());
            }
            (Self::List(each), Json::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    path.push(index.to_string());
                    each.check(item, path, found);
                    path.pop();
                }
            }
            (Self::Table(rules), Json::Object(entries)) => {
                for (name, entry) in entries {
                    if let Some(rule) = rules.get(name) {
                        path.push(name.clone());
                        rule.check(entry, path, found);
                        path.pop();
                    }
                }
            }
            (Self::Forms(forms), value) => {
                if let Some(form) = forms.iter().find(|form| form.fits(value)) {
                    form.check(value, path, found);
                }
            }
            _ => {}
        }
    }

    fn fits(&self, value: &Json) -> bool {
        match self {
            Self::Free => false,
            Self::Number(_) => value.is_number() || value.is_null(),
            Self::List(_) => value.is_array(),
            Self::Table(rules) => {
                value.as_object().is_some_and(|entries| entries.keys().any(|key| rules.contains_key(key)))
            }
            Self::Forms(forms) => forms.iter().any(|form| form.fits(value)),
        }
    }
}
