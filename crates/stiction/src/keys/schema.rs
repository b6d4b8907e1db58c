//! A JSON Schema as a person sees it: references followed, options unwrapped, choices told apart from plain tables.
//!
//! Types are the one source of truth: their fields are the keys, their doc comments the descriptions, which name the unit in brackets.

use super::range::Range;
use serde_json::{Map, Value as Json};

/// A schema as a person sees it.
#[derive(Debug, Default)]
pub struct View<'a> {
    /// The schemas that hold at once: the schema itself, what it refers to, what it is composed of.
    pub parts: Vec<&'a Map<String, Json>>,
    /// The kinds of values that are possible, without null; empty if nothing is said.
    pub types: Vec<&'a str>,
    /// The choices by name, if the value is one.
    pub variants: Vec<Variant<'a>>,
    /// Several forms of the same thing, if the value has them (one name or a list of names).
    pub forms: Vec<&'a Json>,
    /// The keys of a table.
    pub keys: Vec<Key<'a>>,
    /// What other keys a table may have.
    pub rest: Rest<'a>,
}

/// One choice out of several.
#[derive(Debug, Clone, Copy)]
pub struct Variant<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it means.
    pub description: &'a str,
    /// What stands below the name; a plain word has nothing below it.
    pub below: Option<&'a Json>,
}

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub struct Key<'a> {
    /// Its name.
    pub name: &'a str,
    /// The schema of its value.
    pub schema: &'a Json,
    /// Whether it has no default.
    pub required: bool,
}

/// The keys of a table beyond the known ones.
#[derive(Debug, Clone, Copy, Default)]
pub enum Rest<'a> {
    /// Nothing is said: anything goes.
    #[default]
    Free,
    /// There are none.
    Closed,
    /// Any name, each with such a value.
    Each(&'a Json),
}

/// References inside references are followed this far; a schema made from types needs three or four.
const DEEPEST: usize = 16;

impl<'a> View<'a> {
    /// Looks at a schema of `document`.
    pub fn new(document: &'a Json, schema: &'a Json) -> Self {
        let mut view = View::default();
        view.collect(document, schema, 0);
        for part in view.parts.clone() {
            view.add_types(part);
            view.add_words(part);
            view.add_keys(part);
        }
        view
    }

    /// Follows references, compositions and options.
    fn collect(&mut self, document: &'a Json, schema: &'a Json, depth: usize) {
        let Some(part) = schema.as_object() else { return };
        if depth > DEEPEST {
            return;
        }
        self.parts.push(part);
        if let Some(target) = part.get("$ref").and_then(Json::as_str).and_then(|name| referred(document, name)) {
            self.collect(document, target, depth + 1);
        }
        for inner in list(part, "allOf") {
            self.collect(document, inner, depth + 1);
        }
        for key in ["oneOf", "anyOf"] {
            let all = list(part, key);
            let forms: Vec<&Json> = all.iter().filter(|form| !is_null(form)).collect();
            let variants: Option<Vec<Vec<Variant<'_>>>> = forms.iter().map(|form| variants(form)).collect();
            match (&forms[..], variants) {
                ([], _) => {}
                // an option: what it may hold
                ([only], _) if all.len() > 1 => self.collect(document, only, depth + 1),
                (_, Some(variants)) => self.variants.extend(variants.into_iter().flatten()),
                (_, None) => self.forms.extend(forms),
            }
        }
    }

    fn add_types(&mut self, part: &'a Map<String, Json>) {
        let said: Vec<&str> = match part.get("type") {
            Some(Json::String(one)) => vec![one],
            Some(Json::Array(several)) => several.iter().filter_map(Json::as_str).collect(),
            _ => return,
        };
        let said = said.into_iter().filter(|&kind| kind != "null");
        self.types.extend(said);
    }

    fn add_words(&mut self, part: &'a Map<String, Json>) {
        let words = list(part, "enum").iter().chain(part.get("const")).filter_map(Json::as_str);
        self.variants.extend(words.map(|name| Variant { name, description: text(part, "description"), below: None }));
    }

    fn add_keys(&mut self, part: &'a Map<String, Json>) {
        let required: Vec<&str> = list(part, "required").iter().filter_map(Json::as_str).collect();
        if let Some(properties) = part.get("properties").and_then(Json::as_object) {
            for (name, schema) in properties {
                let required = required.contains(&name.as_str());
                self.keys.push(Key { name, schema, required });
            }
            // a type that forgot to refuse unknown keys would swallow a misspelt one without a word
            if matches!(self.rest, Rest::Free) {
                self.rest = Rest::Closed;
            }
        }
        for key in ["additionalProperties", "unevaluatedProperties"] {
            match part.get(key) {
                Some(Json::Bool(false)) if matches!(self.rest, Rest::Free) => self.rest = Rest::Closed,
                Some(each @ (Json::Object(_) | Json::Bool(true))) => self.rest = Rest::Each(each),
                _ => {}
            }
        }
    }

    /// Takes the keys of the forms for its own: a table that has keys beside several forms has all of theirs, but none
    /// of them is required by all.
    pub fn absorb_forms(&mut self, document: &'a Json) {
        for form in std::mem::take(&mut self.forms) {
            let form = View::new(document, form);
            self.keys.extend(form.keys.into_iter().map(|key| Key { required: false, ..key }));
        }
    }

    /// Whether a value of this kind (a word of JSON Schema) is possible.
    pub fn takes(&self, kind: &str) -> bool {
        let chosen = self.variants.iter().any(|variant| match kind {
            "string" => variant.below.is_none(),
            "object" => variant.below.is_some(),
            _ => false,
        });
        let open = self.types.is_empty() && self.variants.is_empty() && self.forms.is_empty() && self.keys.is_empty();
        chosen
            || open
            || self.types.contains(&kind)
            || (kind == "integer" && self.types.contains(&"number"))
            || (kind == "object" && !self.keys.is_empty())
    }

    /// The key of that name.
    pub fn key(&self, name: &str) -> Option<&Key<'a>> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The choice of that name.
    pub fn variant(&self, name: &str) -> Option<&Variant<'a>> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// The first value of a keyword among the parts.
    pub fn keyword(&self, name: &str) -> Option<&'a Json> {
        self.parts.iter().find_map(|part| part.get(name))
    }

    /// The description nearest to the user: that of the key, else that of its type.
    pub fn description(&self) -> &'a str {
        self.keyword("description").and_then(Json::as_str).unwrap_or("")
    }

    /// The bounds of a number: the narrowest of all parts.
    pub fn range(&self) -> Range {
        let bounds = |keyword| self.parts.iter().filter_map(move |part| part.get(keyword)).filter_map(Json::as_f64);
        Range {
            at_least: bounds("minimum").reduce(f64::max),
            above: bounds("exclusiveMinimum").reduce(f64::max),
            at_most: bounds("maximum").reduce(f64::min),
            below: bounds("exclusiveMaximum").reduce(f64::min),
            whole: self.types.contains(&"integer") && !self.types.contains(&"number"),
        }
    }

    /// Whether the value is a number.
    pub(crate) fn is_number(&self) -> bool {
        self.variants.is_empty() && (self.types.contains(&"number") || self.types.contains(&"integer"))
    }

    /// The unit in the description, if it has one; empty for a number without dimension.
    pub fn unit(&self) -> Option<&'a str> {
        unit(self.description())
    }

    /// What kind of value is wanted, in words: `a number > 0`, `"strict" or "first_contact"`, `a table`.
    pub fn wanted(&self, document: &'a Json) -> String {
        let mut kinds: Vec<String> = Vec::new();
        if self.variants.is_empty() {
            for form in &self.forms {
                kinds.push(View::new(document, form).wanted(document));
            }
            for kind in &self.types {
                let range = self.range();
                let word = match *kind {
                    "string" => "a string".to_owned(),
                    "boolean" => "true or false".to_owned(),
                    "array" => "a list".to_owned(),
                    "object" => "a table".to_owned(),
                    "integer" => format!("a whole number {range}"),
                    _ => format!("a number {range}"),
                };
                kinds.push(word.trim_end().to_owned());
            }
        } else {
            let name = |variant: &Variant<'_>| match variant.below {
                Some(_) => format!("a table `{}`", variant.name),
                None => format!("\"{}\"", variant.name),
            };
            kinds.extend(self.variants.iter().map(name));
        }
        kinds.dedup();
        match kinds.split_last() {
            None => "a value".to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
        }
    }
}

/// A list keyword of a schema; empty if it is not there.
fn list<'a>(part: &'a Map<String, Json>, key: &str) -> &'a [Json] {
    part.get(key).and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

/// A text keyword of a schema; empty if it is not there.
pub fn text<'a>(part: &'a Map<String, Json>, key: &str) -> &'a str {
    part.get(key).and_then(Json::as_str).unwrap_or("")
}

fn referred<'a>(document: &'a Json, name: &str) -> Option<&'a Json> {
    document.pointer(name.strip_prefix('#')?)
}

fn is_null(schema: &Json) -> bool {
    schema.get("type").and_then(Json::as_str) == Some("null")
}

/// The choices that one entry of a `oneOf` stands for, if it is of that kind: words, or a table with one fixed key.
fn variants(form: &Json) -> Option<Vec<Variant<'_>>> {
    let form = form.as_object()?;
    let description = text(form, "description");
    if let Some(name) = form.get("const").and_then(Json::as_str) {
        return Some(vec![Variant { name, description, below: None }]);
    }
    let words = list(form, "enum");
    if !words.is_empty() {
        return words.iter().map(|word| Some(Variant { name: word.as_str()?, description, below: None })).collect();
    }
    let properties = form.get("properties")?.as_object()?;
    let (name, below) = properties.iter().next()?;
    let only = properties.len() == 1 && list(form, "required").len() == 1;
    // a tag inside the table (`kind = "..."`) is no tag around it
    let inside = below.get("const").is_some();
    (only && !inside && !form.contains_key("$ref")).then(|| vec![Variant { name, description, below: Some(below) }])
}

/// The unit in a description: what stands in the first brackets, if it is one.
fn unit(description: &str) -> Option<&str> {
    // a space in front, since `name[2]` is an entry of a list
    let (_, rest) = description.split_once(" [").or_else(|| description.split_once(" \\["))?;
    let unit = rest.split_once(']')?.0.trim_end_matches('\\');
    let symbols = |c: char| c.is_alphanumeric() || "/-·^√ ²³⁴⁻¹()".contains(c);
    (unit.chars().count() <= 12 && unit.chars().all(symbols)).then_some(if unit == "-" { "" } else { unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_in_brackets() {
        assert_eq!(unit("Stiffness κ of the spring [N/m], > 0."), Some("N/m"));
        assert_eq!(unit("Mass \\[kg\\], > 0."), Some("kg"));
        assert_eq!(unit("Width [s²/m²]; see [elmer1997]"), Some("s²/m²"));
        assert_eq!(unit("Ratio [-]"), Some(""));
        assert_eq!(unit("`name[2]` is the third entry"), None);
        assert_eq!(unit("a range [a, b] of words"), None);
    }
}
