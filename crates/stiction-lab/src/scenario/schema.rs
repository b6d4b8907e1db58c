//! What a scenario may say, as a JSON Schema made from the Rust types, and a way to look at it.
//!
//! The types are the one source of truth: their fields are the keys, their doc comments the descriptions. [`View`] is
//! what both the check and the explanations see of a schema: references followed, options unwrapped, choices told apart
//! from plain tables.

use super::Scenario;
use serde_json::{Map, Value as Json, json};
use std::sync::OnceLock;

/// The JSON Schema of scenario files as text, for editors and other programs.
pub fn schema_text() -> String {
    format!("{:#}\n", document())
}

/// The JSON Schema of scenario files.
pub(super) fn document() -> &'static Json {
    static DOCUMENT: OnceLock<Json> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        let mut document = schemars::schema_for!(Scenario).to_value();
        // the reduced run stands in the file, but it is gone once a scenario is read
        if let Some(properties) = document.get_mut("properties").and_then(Json::as_object_mut) {
            properties.insert(
                QUICK.to_owned(),
                json!({
                    "description": "What `--quick` changes: a part of a scenario that is laid over the rest, for instance \
                                    `[quick.study.trajectory]`.",
                    "type": "object",
                }),
            );
        }
        without_code(&mut document);
        document
    })
}

/// Drops the Rust examples of doc comments: whoever reads a scenario's schema writes TOML.
fn without_code(schema: &mut Json) {
    match schema {
        Json::Object(map) => {
            if let Some(Json::String(description)) = map.get_mut("description") {
                let pieces = description.split("```").enumerate().filter_map(|(index, piece)| {
                    let outside = index % 2 == 0;
                    let kept = outside || piece.starts_with("text") || piece.starts_with("toml");
                    kept.then(|| if outside { piece.to_owned() } else { format!("```{piece}```") })
                });
                // an escaped bracket is a unit that rustdoc must not take for a link
                let text = pieces.collect::<String>().replace("\\[", "[").replace("\\]", "]");
                text.trim().clone_into(description);
            }
            map.values_mut().for_each(without_code);
        }
        Json::Array(items) => items.iter_mut().for_each(without_code),
        _ => {}
    }
}

/// The table that `--quick` lays over the rest of a scenario.
pub(super) const QUICK: &str = "quick";

/// A schema as a person sees it.
#[derive(Debug, Default)]
pub(super) struct View<'a> {
    /// The schemas that hold at once: the schema itself, what it refers to, what it is composed of.
    pub(super) parts: Vec<&'a Map<String, Json>>,
    /// The kinds of values that are possible, without null; empty if nothing is said.
    pub(super) types: Vec<&'a str>,
    /// The choices by name, if the value is one.
    pub(super) variants: Vec<Variant<'a>>,
    /// Several forms of the same thing, if the value has them (one name or a list of names).
    pub(super) forms: Vec<&'a Json>,
    /// The keys of a table.
    pub(super) keys: Vec<Key<'a>>,
    /// What other keys a table may have.
    pub(super) rest: Rest<'a>,
}

/// One choice out of several.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variant<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    /// What stands below the name; a plain word has nothing below it.
    pub(super) below: Option<&'a Json>,
}

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key<'a> {
    pub(super) name: &'a str,
    pub(super) schema: &'a Json,
    pub(super) required: bool,
}

/// The keys of a table beyond the known ones.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Rest<'a> {
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
    pub(super) fn new(document: &'a Json, schema: &'a Json) -> Self {
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
    pub(super) fn absorb_forms(&mut self, document: &'a Json) {
        for form in std::mem::take(&mut self.forms) {
            let form = View::new(document, form);
            self.keys.extend(form.keys.into_iter().map(|key| Key { required: false, ..key }));
        }
    }

    /// Whether a value of this kind (a word of JSON Schema) is possible.
    pub(super) fn takes(&self, kind: &str) -> bool {
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
    pub(super) fn key(&self, name: &str) -> Option<&Key<'a>> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The choice of that name.
    pub(super) fn variant(&self, name: &str) -> Option<&Variant<'a>> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// The first value of a keyword among the parts.
    pub(super) fn keyword(&self, name: &str) -> Option<&'a Json> {
        self.parts.iter().find_map(|part| part.get(name))
    }

    /// The description nearest to the user: that of the key, else that of its type.
    pub(super) fn description(&self) -> &'a str {
        self.keyword("description").and_then(Json::as_str).unwrap_or("")
    }

    /// The bounds of a number as words, for instance `> 0, <= 0.1`.
    pub(super) fn range(&self) -> String {
        let bounds = [("exclusiveMinimum", ">"), ("minimum", ">="), ("exclusiveMaximum", "<"), ("maximum", "<=")];
        let said = bounds.iter().filter_map(|(keyword, sign)| {
            let bound = self.parts.iter().find_map(|part| part.get(*keyword))?;
            Some(format!("{sign} {}", plain_number(bound)))
        });
        said.collect::<Vec<_>>().join(", ")
    }

    /// What kind of value is wanted, in words: `a number > 0`, `"strict" or "first_contact"`, `a table`.
    pub(super) fn wanted(&self, document: &'a Json) -> String {
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

/// A bound without a useless fraction: `0`, not `0.0`.
pub(super) fn plain_number(number: &Json) -> String {
    match number.as_f64() {
        Some(value) if !number.is_u64() && !number.is_i64() && value.abs() >= 1e-4 || number.as_f64() == Some(0.0) => {
            format!("{}", number.as_f64().unwrap_or(0.0))
        }
        _ => number.to_string(),
    }
}

/// A list keyword of a schema; empty if it is not there.
fn list<'a>(part: &'a Map<String, Json>, key: &str) -> &'a [Json] {
    part.get(key).and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

/// A text keyword of a schema; empty if it is not there.
pub(super) fn text<'a>(part: &'a Map<String, Json>, key: &str) -> &'a str {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every schema inside `schema`, at any depth.
    fn walk<'a>(schema: &'a Json, visit: &mut dyn FnMut(&'a Json)) {
        visit(schema);
        match schema {
            Json::Object(map) => map.values().for_each(|inner| walk(inner, visit)),
            Json::Array(items) => items.iter().for_each(|inner| walk(inner, visit)),
            _ => {}
        }
    }

    #[test]
    fn descriptions_keep_formulas_and_lose_rust() {
        let mut schema = json!([{ "description": "Law.\n\n```text\nμ(v)\n```\n\n```\nlet x = 1;\n```\n" }]);
        without_code(&mut schema);
        assert_eq!(schema, json!([{ "description": "Law.\n\n```text\nμ(v)\n```" }]));
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let mut count = 0;
        walk(document(), &mut |schema| {
            if let Some(name) = schema.get("$ref").and_then(Json::as_str) {
                assert!(referred(document(), name).is_some(), "{name}");
                count += 1;
            }
        });
        assert!(count > 10);
    }

    #[test]
    fn every_key_has_a_description() {
        let mut path = vec![("scenario".to_owned(), document())];
        let mut seen = Vec::new();
        while let Some((name, schema)) = path.pop() {
            if path.len() > 2000 || seen.contains(&std::ptr::from_ref(schema)) {
                continue;
            }
            seen.push(std::ptr::from_ref(schema));
            let view = View::new(document(), schema);
            for key in &view.keys {
                let name = format!("{name}.{}", key.name);
                assert!(!View::new(document(), key.schema).description().is_empty(), "{name} has no description");
                path.push((name, key.schema));
            }
            for variant in &view.variants {
                assert!(!variant.description.is_empty(), "{name}.{} has no description", variant.name);
                path.extend(variant.below.map(|below| (format!("{name}.{}", variant.name), below)));
            }
            path.extend(view.forms.iter().map(|form| (name.clone(), *form)));
            path.extend(view.keyword("items").map(|items| (name.clone(), items)));
        }
    }

    #[test]
    fn a_view_tells_choices_options_and_forms_apart() {
        let view = |pointer: &str| View::new(document(), document().pointer(pointer).unwrap());
        assert!(view("/properties/system").variant("spring_block").is_some());
        assert!(view("/$defs/SpringBlock/properties/aging").takes("object"));
        assert!(!view("/$defs/SpringBlock/properties/aging").takes("string"));
        assert_eq!(view("/$defs/SpringBlock/properties/microscopic_length").wanted(document()), "a number > 0");
        assert_eq!(
            view("/$defs/SpringBlock/properties/contact_policy").wanted(document()),
            "\"strict\" or \"first_contact\""
        );
        assert_eq!(view("/$defs/Layer/properties/y").forms.len(), 2);
        assert_eq!(view("/$defs/SolverKeys/properties/relative_tolerance").range(), ">= 1e-15, <= 0.1");
    }
}
