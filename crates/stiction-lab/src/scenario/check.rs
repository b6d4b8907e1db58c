//! The check of a tree against the schema: every mistake at once, each with its place and what was probably meant.

use super::formula::formula_mistake;
use super::mistake::Mistake;
use super::source::Place;
use super::tree::{Content, Node, Table};
use super::wording::{described, example, first_line, joined, outside, place_name, quoted_place};
use serde_json::Value as Json;
use stiction::keys::nearest;
use stiction::keys::schema::{Key, Rest, Variant, View};

/// All mistakes of `root`, the tree of a scenario, against `document`, a JSON Schema.
pub(super) fn check(document: &Json, root: &Node) -> Vec<Mistake> {
    let mut checker = Checker { document, mistakes: Vec::new(), depth: 0 };
    checker.value(root, document, &Position { path: "", header: &root.place, siblings: None });
    checker.mistakes
}

/// Where in the tree a value stands.
struct Position<'a> {
    /// Its keys, joined by dots.
    path: &'a str,
    /// Where its key is written, to point at when something is missing.
    header: &'a Place,
    /// The table that it is an entry of.
    siblings: Option<&'a Table>,
}

struct Checker<'a> {
    document: &'a Json,
    mistakes: Vec<Mistake>,
    depth: usize,
}

/// A tree is not nested deeper than its parser allows; only a schema that refers to itself comes here.
const DEEPEST: usize = 300;

impl<'a> Checker<'a> {
    fn value(&mut self, node: &Node, schema: &'a Json, at: &Position<'_>) {
        if self.depth > DEEPEST {
            return;
        }
        self.depth += 1;
        let mut view = View::new(self.document, schema);
        if !view.forms.is_empty() && !view.keys.is_empty() {
            view.absorb_forms(self.document);
        }
        if view.forms.is_empty() {
            self.content(node, &view, at);
        } else {
            self.forms(node, &view, at);
        }
        self.depth -= 1;
    }

    fn content(&mut self, node: &Node, view: &View<'a>, at: &Position<'_>) {
        match &node.content {
            Content::Table(table) if view.takes("object") => self.table(table, view, at),
            Content::List(items) if view.takes("array") => self.list(node, items, view, at),
            Content::Text(text) if view.takes("string") => self.text(node, text, view, at),
            Content::Text(word) if view.variant(word).is_some() => self.word_without_table(node, word, view, at),
            Content::Whole(number) if view.takes("integer") => self.whole(node, *number, view, at),
            Content::Real(number) if view.takes("number") => self.real(node, *number, view, at),
            Content::Flag(_) if view.takes("boolean") => {}
            _ => self.wrong_kind(node, view, at),
        }
    }

    /// One of several forms: the one that fits, or the one with the fewest mistakes.
    fn forms(&mut self, node: &Node, view: &View<'a>, at: &Position<'_>) {
        let kind = match node.content {
            Content::Table(_) => "object",
            Content::List(_) => "array",
            Content::Text(_) => "string",
            Content::Whole(_) => "integer",
            Content::Real(_) => "number",
            Content::Flag(_) => "boolean",
            Content::Moment => "",
        };
        let fits = |form: &&'a Json| {
            let form = View::new(self.document, form);
            !form.forms.is_empty() || form.takes(kind)
        };
        let candidates: Vec<&'a Json> = view.forms.iter().copied().filter(fits).collect();
        let mut best: Option<Vec<Mistake>> = None;
        for form in candidates {
            let kept = std::mem::take(&mut self.mistakes);
            self.value(node, form, at);
            let found = std::mem::replace(&mut self.mistakes, kept);
            if best.as_ref().is_none_or(|best| found.len() < best.len()) {
                best = Some(found);
            }
        }
        match best {
            Some(found) => self.mistakes.extend(found),
            None => self.wrong_kind(node, view, at),
        }
    }

    fn table(&mut self, table: &Table, view: &View<'a>, at: &Position<'_>) {
        let tags: Vec<&Variant<'a>> = view.variants.iter().filter(|variant| variant.below.is_some()).collect();
        let chosen: Vec<&Variant<'a>> = tags.iter().copied().filter(|tag| table.contains_key(tag.name)).collect();
        for (name, entry) in table {
            let path = joined(at.path, name);
            let here = Position { path: &path, header: &entry.key, siblings: Some(table) };
            let one_tag = || chosen.first().filter(|tag| chosen.len() == 1 && tag.name == name);
            if let Some(key) = view.key(name) {
                self.value(&entry.node, key.schema, &here);
            } else if let Some(tag) = one_tag() {
                if let Some(below) = tag.below {
                    self.value(&entry.node, below, &here);
                }
            } else if chosen.iter().any(|tag| tag.name == name) {
                // two choices at once are told below, as one mistake
            } else if let (Rest::Each(each), []) = (view.rest, &tags[..]) {
                self.value(&entry.node, each, &here);
            } else if matches!(view.rest, Rest::Closed) || !tags.is_empty() {
                self.unknown_key(name, &entry.key, view, at);
            }
        }
        let missing: Vec<&Key<'a>> =
            view.keys.iter().filter(|key| key.required && !table.contains_key(key.name)).collect();
        if !missing.is_empty() {
            self.missing_keys(&missing, at);
        }
        match &chosen[..] {
            [_] => {}
            // a misspelt choice has been told as an unknown key
            [] if tags.is_empty() || table.keys().any(|name| view.key(name).is_none()) => {}
            [] => self.nothing_chosen(view, at),
            several => self.several_chosen(several, table, at),
        }
    }

    fn unknown_key(&mut self, name: &str, place: &Place, view: &View<'a>, at: &Position<'_>) {
        let known: Vec<&str> =
            view.keys.iter().map(|key| key.name).chain(view.variants.iter().map(|variant| variant.name)).collect();
        let message = if view.keys.is_empty() && !view.variants.is_empty() {
            format!("unknown choice `{name}` for {}", place_name(at.path))
        } else {
            format!("unknown key `{name}` in {}", place_name(at.path))
        };
        let mut mistake = Mistake::new(place, message);
        if let Some(meant) = nearest(name, known.iter().copied()) {
            mistake = mistake.label(format!("did you mean `{meant}`?"));
        }
        let allowed = if known.is_empty() {
            "there are no keys here".to_owned()
        } else {
            format!("allowed: {}", known.join(", "))
        };
        self.mistakes.push(mistake.note(allowed));
    }

    fn missing_keys(&mut self, missing: &[&Key<'a>], at: &Position<'_>) {
        let names: Vec<String> = missing.iter().map(|key| format!("`{}`", key.name)).collect();
        let plural = if missing.len() == 1 { "key" } else { "keys" };
        let mut mistake =
            Mistake::new(at.header, format!("missing {plural} {} in {}", names.join(", "), place_name(at.path)));
        for key in missing {
            let view = View::new(self.document, key.schema);
            mistake = mistake.note(format!(
                "{} = {}: {}",
                key.name,
                view.wanted(self.document),
                first_line(view.description())
            ));
        }
        self.mistakes.push(mistake);
    }

    fn nothing_chosen(&mut self, view: &View<'a>, at: &Position<'_>) {
        let names: Vec<&str> = view.variants.iter().map(|variant| variant.name).collect();
        let mistake = Mistake::new(at.header, format!("nothing is chosen for {}", place_name(at.path)));
        self.mistakes.push(mistake.note(format!("choose one of: {}", names.join(", "))));
    }

    /// Two choices at once, most often because a setting reaches into a choice that the file does not make.
    fn several_chosen(&mut self, chosen: &[&Variant<'a>], table: &Table, at: &Position<'_>) {
        let mut entries: Vec<_> =
            chosen.iter().filter_map(|tag| table.get(tag.name).map(|entry| (*tag, &entry.key))).collect();
        entries.sort_by_key(|(_, key)| key.order());
        let [(first, first_key), .., (last, last_key)] = &entries[..] else { return };
        let names: Vec<String> = entries.iter().map(|(tag, _)| format!("`{}`", tag.name)).collect();
        let mut mistake =
            Mistake::new(last_key, format!("{} has two choices at once: {}", place_name(at.path), names.join(" and ")))
                .label(format!("`{}` is chosen here", last.name))
                .note(format!("`{}` is chosen at {}", first.name, first_key.label()));
        if last_key.source().is_setting() {
            let example = example(self.document, last, 0);
            mistake = mistake.note(format!("to switch, replace the whole table: --set '{}={{{example}}}'", at.path));
        }
        self.mistakes.push(mistake);
    }

    fn list(&mut self, node: &Node, items: &[Node], view: &View<'a>, at: &Position<'_>) {
        let bound = |keyword| view.keyword(keyword).and_then(Json::as_u64);
        let count = items.len() as u64;
        let (least, most) = (bound("minItems").unwrap_or(0), bound("maxItems").unwrap_or(u64::MAX));
        if count < least || count > most {
            let wanted = match (least, most) {
                (least, most) if least == most => format!("{least}"),
                (least, u64::MAX) => format!("at least {least}"),
                (0, most) => format!("at most {most}"),
                (least, most) => format!("{least} to {most}"),
            };
            let entries = if wanted.ends_with(" 1") || wanted == "1" { "entry" } else { "entries" };
            let message = format!("`{}` needs {wanted} {entries} and has {count}", at.path);
            self.mistakes.push(Mistake::new(&node.place, message).note(described(view, at.path)));
        }
        let heads = view.keyword("prefixItems").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let rest = view.keyword("items");
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = heads.get(index).or(rest) {
                let path = format!("{}[{index}]", at.path);
                self.value(item, schema, &Position { path: &path, header: &item.place, siblings: None });
            }
        }
    }

    fn text(&mut self, node: &Node, text: &str, view: &View<'a>, at: &Position<'_>) {
        let words: Vec<&Variant<'a>> = view.variants.iter().filter(|variant| variant.below.is_none()).collect();
        match view.variant(text) {
            Some(Variant { below: Some(_), .. }) => self.word_without_table(node, text, view, at),
            None if !words.is_empty() => {
                let names = || words.iter().map(|word| word.name);
                let mut mistake = Mistake::new(&node.place, format!("unknown word {} for `{}`", node.shown(), at.path));
                if let Some(meant) = nearest(text, names()) {
                    mistake = mistake.label(format!("did you mean \"{meant}\"?"));
                }
                let allowed: Vec<String> = names().map(|name| format!("\"{name}\"")).collect();
                self.mistakes.push(mistake.note(format!("allowed: {}", allowed.join(", "))));
            }
            _ => {}
        }
        if let Some(formula) = view.keyword("x-formula") {
            self.mistakes.extend(formula_mistake(formula, node, text, at.path, at.siblings));
        }
    }

    fn word_without_table(&mut self, node: &Node, word: &str, view: &View<'a>, at: &Position<'_>) {
        let Some(variant) = view.variant(word) else { return };
        // a table whose keys all have defaults may be left out where its type says so
        let optional = |below: &'a Json| View::new(self.document, below).keyword("x-word").is_some();
        if variant.below.is_some_and(optional) {
            return;
        }
        let example = example(self.document, variant, 0);
        let key = at.path.rsplit('.').next().unwrap_or(at.path);
        let written = if node.place.source().is_setting() {
            format!("--set '{}={{{example}}}'", at.path)
        } else {
            format!("{key} = {{ {example} }}")
        };
        let mistake = Mistake::new(&node.place, format!("`{word}` has parameters and cannot be a plain word"));
        self.mistakes.push(mistake.note(format!("write it as a table: {written}")));
    }

    fn whole(&mut self, node: &Node, number: i128, view: &View<'a>, at: &Position<'_>) {
        let only_whole = view.types.contains(&"integer") && !view.types.contains(&"number");
        let format = view.keyword("format").and_then(Json::as_str).unwrap_or("");
        let largest = match format {
            "uint8" => i128::from(u8::MAX),
            "uint16" => i128::from(u16::MAX),
            "uint32" => i128::from(u32::MAX),
            "int8" => i128::from(i8::MAX),
            "int16" => i128::from(i16::MAX),
            "int32" => i128::from(i32::MAX),
            // what TOML can write again
            _ => i128::from(i64::MAX),
        };
        if only_whole && (number > largest || number < -largest - 1) {
            let message = format!("`{}` is out of range: {number}", at.path);
            self.mistakes.push(Mistake::new(&node.place, message).label(format!("must be at most {largest}")));
        } else {
            self.range(node, number as f64, view, at);
        }
    }

    fn real(&mut self, node: &Node, number: f64, view: &View<'a>, at: &Position<'_>) {
        if number.is_finite() {
            self.range(node, number, view, at);
        } else {
            let message = format!("`{}` must be a finite number, but is {}", at.path, node.shown());
            self.mistakes.push(Mistake::new(&node.place, message).label(outside(view)).note(described(view, at.path)));
        }
    }

    fn range(&mut self, node: &Node, number: f64, view: &View<'a>, at: &Position<'_>) {
        if !view.range().contains(number) {
            let message = format!("`{}` is out of range: {}", at.path, node.shown());
            self.mistakes.push(Mistake::new(&node.place, message).label(outside(view)).note(described(view, at.path)));
        }
    }

    fn wrong_kind(&mut self, node: &Node, view: &View<'a>, at: &Position<'_>) {
        let wanted = view.wanted(self.document);
        let message = format!("{} must be {wanted}, but is {}", quoted_place(at.path), node.kind());
        let mut mistake = Mistake::new(&node.place, message);
        if !matches!(node.content, Content::Table(_)) {
            mistake = mistake.label(format!("found {}", node.shown()));
        }
        self.mistakes.push(mistake.note(described(view, at.path)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::source::Source;
    use crate::scenario::tree::parse;
    use schemars::JsonSchema;
    use std::sync::Arc;

    fn messages<T: JsonSchema>(text: &str) -> Vec<String> {
        let source = Arc::new(Source::new("t", text));
        let root = Node { place: Place::whole(&source), content: Content::Table(parse(&source).unwrap()) };
        check(&schemars::schema_for!(T).to_value(), &root).into_iter().map(|mistake| mistake.message).collect()
    }

    /// Everything that types can make of a schema; only their shapes are used.
    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Zoo {
        pair: Option<(f64, String)>,
        small: Option<u8>,
        map: Option<std::collections::BTreeMap<String, u32>>,
        inside: Option<Inside>,
        mixed: Option<Mixed>,
        tree: Option<Box<Zoo>>,
        #[schemars(flatten)]
        plain: Plain,
        #[schemars(flatten)]
        outside: Outside,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code)]
    struct Plain {
        needed: bool,
    }

    #[derive(JsonSchema)]
    #[schemars(rename_all = "snake_case")]
    #[allow(dead_code)]
    enum Outside {
        Left(f64),
        Right { x: f64 },
    }

    #[derive(JsonSchema)]
    #[schemars(tag = "kind", rename_all = "snake_case")]
    #[allow(dead_code)]
    enum Inside {
        One { a: f64 },
        Two { b: f64 },
    }

    #[derive(JsonSchema)]
    #[schemars(rename_all = "snake_case")]
    #[allow(dead_code)]
    enum Mixed {
        Word,
        Table { x: f64 },
    }

    #[test]
    fn every_kind_of_type_is_checked() {
        for (text, expected) in [
            ("left = 1", ""),
            (
                "right.x = 1\npair = [1, 'a']\nmap = { a = 1, b = 2 }\nmixed = 'word'\ninside = { kind = 'two', b = 1 }",
                "",
            ),
            ("mixed.table.x = 1\nleft = 1\ntree = { needed = true, left = 1 }", ""),
            ("", "nothing is chosen for the scenario"),
            ("left = 1\nright.x = 1", "the scenario has two choices at once: `left` and `right`"),
            ("lfet = 1", "unknown key `lfet` in the scenario"),
            ("left = 1\npair = [1]", "`pair` needs 2 entries and has 1"),
            ("left = 1\npair = ['a', 1]", "`pair[0]` must be a number, but is a string"),
            ("left = 1\nsmall = 256", "`small` is out of range: 256"),
            ("left = 1\nmap = { 'a b' = -1 }", "`map.\"a b\"` is out of range: -1"),
            ("left = 1\ninside = { kind = 'two', b = 'x' }", "`inside.b` must be a number, but is a string"),
            ("left = 1\nmixed = 'wrd'", "unknown word 'wrd' for `mixed`"),
            ("left = 1\nmixed = 'table'", "`table` has parameters and cannot be a plain word"),
            ("left = 1\ntree = { left = 1 }", "missing key `needed` in tree"),
        ] {
            let found = messages::<Zoo>(&format!("needed = true\n{text}"));
            assert_eq!(found.first().map_or("", String::as_str), expected, "{text}: {found:?}");
        }
        assert_eq!(messages::<Zoo>("left = 1"), ["missing key `needed` in the scenario"]);
    }
}
