//! Whatever is read, the answer is a scenario or its mistakes: never a panic, and always something to show.

use proptest::prelude::*;
use stiction_lab::scenario::{Paint, Size, Source, builtins, explain, read};

/// Reads and shows; returns whether it was right.
fn survives(text: &str, settings: &[String]) -> bool {
    let mut right = false;
    for size in [Size::Full, Size::Quick] {
        match read(Source::new("any.toml", text), settings, size) {
            Ok(scenario) => {
                let resolved = scenario.resolved().expect("what was read can be written");
                let again = read(Source::new("again.toml", resolved.text), &[], Size::Full);
                assert_eq!(again.as_ref(), Ok(&scenario.filled()), "from\n{text}");
                right = true;
            }
            Err(wrong) => {
                assert!(!wrong.mistakes.is_empty(), "{text}");
                let shown = wrong.render(Paint::Plain) + &wrong.render(Paint::Colour);
                assert!(shown.contains("error"));
            }
        }
    }
    right
}

/// Words that scenarios are made of, so that random trees come near to real ones.
const WORDS: [&str; 26] = [
    "title",
    "seed",
    "system",
    "spring_block",
    "mass",
    "stiffness",
    "drive_speed",
    "law",
    "coulomb",
    "two_slope",
    "expression",
    "formula",
    "constants",
    "static_coefficient",
    "study",
    "trajectory",
    "duration",
    "solver",
    "method",
    "figure",
    "lines",
    "x",
    "y",
    "claim",
    "band",
    "quick",
];

fn value() -> impl Strategy<Value = toml::Value> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(toml::Value::Integer),
        any::<f64>().prop_map(toml::Value::Float),
        any::<bool>().prop_map(toml::Value::Boolean),
        ".{0,12}".prop_map(toml::Value::String),
        prop::sample::select(&WORDS[..]).prop_map(|word| toml::Value::String(word.to_owned())),
    ];
    leaf.prop_recursive(6, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(toml::Value::Array),
            prop::collection::vec((key(), inner), 0..6)
                .prop_map(|entries| toml::Value::Table(entries.into_iter().collect())),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![8 => prop::sample::select(&WORDS[..]).prop_map(str::to_owned), 1 => ".{0,6}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes), &[]);
    }

    #[test]
    fn any_punctuation_is_read_or_refused(text in "[\\[\\]{}=.,\"'\\\\\n#a-c0-9 _é-]{0,80}", setting in "[\\[\\]{}=.\"'\\\\a-c0-9 é-]{0,20}") {
        survives(&text, &[setting]);
    }

    #[test]
    fn any_tree_is_read_or_refused(entries in prop::collection::vec((key(), value()), 0..8)) {
        let table: toml::Table = entries.into_iter().collect();
        if let Ok(text) = toml::to_string(&table) {
            survives(&text, &[]);
        }
    }

    #[test]
    fn any_setting_is_applied_or_refused(path in prop::collection::vec(key(), 1..5), value in value(), raw in ".{0,20}") {
        let path = path.join(".");
        for builtin in builtins().take(2) {
            survives(builtin.text, &[format!("{path}={value}"), format!("{path}={raw}"), raw.clone()]);
        }
    }

    #[test]
    fn a_scenario_with_a_stretch_replaced_is_read_or_refused(
        which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), length in 0_usize..12, new in ".{0,6}",
    ) {
        let texts: Vec<&str> = builtins().map(|builtin| builtin.text).collect();
        let mut characters: Vec<char> = which.get(&texts).chars().collect();
        let from = at.index(characters.len());
        let to = (from + length).min(characters.len());
        characters.splice(from..to, new.chars());
        survives(&characters.into_iter().collect::<String>(), &[]);
    }

    #[test]
    fn any_path_is_explained_or_refused(path in ".{0,30}", words in prop::collection::vec(key(), 0..5)) {
        for path in [path, words.join(".")] {
            if let Err(unknown) = explain(&path) {
                prop_assert!(unknown.nearest.iter().all(|path| explain(path).is_ok()));
            }
        }
    }
}

#[test]
fn every_built_in_survives() {
    assert!(builtins().all(|builtin| survives(builtin.text, &[])));
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    for count in [50, 100, 10_000] {
        for text in [
            format!("{}a = 1", "a.".repeat(count)),
            format!("a = {}{}", "[".repeat(count), "]".repeat(count)),
            format!("a = {}1{}", "{a=".repeat(count), "}".repeat(count)),
            format!("[{}a]", "system.".repeat(count)),
        ] {
            assert!(!survives(&text, std::slice::from_ref(&text)));
        }
    }
}
