//! What a scenario may say, as a JSON Schema made from the Rust types.
//!
//! The types are the one source of truth: their fields are the keys, their doc comments the descriptions.

use super::Scenario;
use serde_json::{Value as Json, json};
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

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::keys::schema::View;

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
                assert!(document().pointer(name.trim_start_matches('#')).is_some(), "{name}");
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
            "\"strict\", \"first_contact\" or \"kinetic\""
        );
        assert_eq!(view("/$defs/Layer/properties/y").forms.len(), 2);
        assert_eq!(view("/$defs/SolverKeys/properties/relative_tolerance").range().to_string(), ">= 1e-15, <= 0.1");
    }
}
