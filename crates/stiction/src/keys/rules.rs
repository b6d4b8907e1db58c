//! The ranges of a type, taken from its schema once, and the check of a value against them.

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
    T::rules().root.check(value)
}

/// What the schema of a type says about the numbers of its values.
#[derive(Debug)]
pub struct Rules {
    document: Json,
    root: Rule,
}

impl Rules {
    /// Those of a type.
    pub(crate) fn of<T: JsonSchema>() -> Self {
        let document = schemars::schema_for!(T).to_value();
        Self { root: Rule::of(&document, &document, 0), document }
    }

    /// The schema of the type.
    pub(crate) fn document(&self) -> &Json {
        &self.document
    }
}

#[derive(Debug)]
pub(super) enum Rule {
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

    /// What holds for a value of this kind, if it has several forms.
    pub(super) fn form(&self, is: fn(&Rule) -> bool) -> &Self {
        match self {
            Self::Forms(forms) => forms.iter().map(|form| form.form(is)).find(|form| is(form)).unwrap_or(&Self::Free),
            rule => rule,
        }
    }
}
