//! Every built-in scenario, run as a user would.

mod support;

use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::io::Cursor;
use support::{contents, names, stiction, words};
use tempfile::tempdir;

/// Runs every built-in scenario reduced, and gives what it left behind to a check.
fn for_every_built_in(check: impl Fn(&str, &Json, &[(String, Vec<u8>)])) {
    for name in names() {
        let folder = tempdir().unwrap();
        let seen = stiction(&["run", &name, "--quick", "--json"]).out(folder.path()).run().succeeds();
        check(&name, &seen.json(), &contents(folder.path()).into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn every_built_in_runs_reduced_to_finite_numbers_and_readable_pictures() {
    for_every_built_in(|name, summary, files| {
        assert_eq!(summary["scenario"], name);
        assert!(!summary["quantities"].as_object().unwrap().is_empty(), "{name} answers nothing");
        for warning in words(&summary["warnings"]) {
            assert!(!warning.contains("not finite") && !warning.contains("picture is missing"), "{name}: {warning}");
        }
        for (file, bytes) in files {
            let place = format!("{name}: {file}");
            match file.rsplit('.').next() {
                Some("svg") => is_readable_svg(&place, bytes),
                Some("png") => is_readable_png(&place, bytes),
                Some("html") => {
                    let page = String::from_utf8_lossy(bytes);
                    assert!(page.ends_with("</html>\n") && !page.contains("NaN"), "{place}");
                }
                _ => assert!(!bytes.is_empty(), "{place}"),
            }
        }
    });
}

fn is_readable_svg(place: &str, bytes: &[u8]) {
    let svg = std::str::from_utf8(bytes).unwrap();
    assert!(svg.contains("<svg ") && svg.trim_end().ends_with("</svg>"), "{place}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{place}");
    let sizes = svg.split("font-size=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse::<f64>().unwrap());
    let smallest = sizes.fold(f64::INFINITY, f64::min);
    // subscripts of the smallest text that journals print
    assert!((4.9..20.0).contains(&smallest), "{place}: the smallest text has {smallest} pt");
    // both axes say what they show
    assert!(svg.matches("rotate(-90)").count() >= 1, "{place}: no label at the vertical axis");
}

fn is_readable_png(place: &str, bytes: &[u8]) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert!(info.width >= 800 && info.height >= 400, "{place} is {} x {}", info.width, info.height);
    let channels = info.color_type.samples();
    let colors: BTreeSet<&[u8]> = pixels.chunks_exact(channels).step_by(7).collect();
    assert!(colors.len() >= 8, "{place} has {} colours: it is empty", colors.len());
}

#[test]
fn the_default_scenario_is_in_the_list_and_runs() {
    let list = stiction(&["list"]).run().succeeds().stdout;
    let marked: Vec<&str> = list.lines().filter(|line| line.ends_with("(default)")).collect();
    assert_eq!(marked.len(), 1, "{list}");
    let name = marked[0].split_whitespace().next().unwrap();
    let summary = stiction(&["run", "--quick", "--json"]).run().succeeds().json();
    assert_eq!(summary["scenario"], name);
    let shown = stiction(&["show"]).run().succeeds().stdout;
    assert_eq!(shown, stiction(&["show", name]).run().succeeds().stdout);
}

#[test]
fn claims_are_told_with_the_value_that_decides_them() {
    for_every_built_in(|name, summary, _| {
        for claim in summary["claims"].as_array().unwrap() {
            assert!(
                claim["holds"].is_boolean() && claim["erratum"].is_null() != claim["erratum"].is_string(),
                "{name}"
            );
            for key in ["statement", "source", "quantity", "band"] {
                assert!(claim[key].as_str().is_some_and(|text| !text.is_empty()), "{name}: {claim}");
            }
            // the value itself, not its text: a number stays a number
            assert!(!claim["value"].is_null(), "{name}: {claim}");
        }
    });
}
