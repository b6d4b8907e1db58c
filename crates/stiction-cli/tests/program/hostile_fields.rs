//! Fields, plates and cranks that cannot be: an error that names the key, what it holds and what would help; and what two
//! ways of saying the same must give.

use crate::support::{Seen, contents, stiction};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use tempfile::{TempDir, tempdir};

/// Longest run of a test here [s]; on a machine that does nothing else each takes less than a tenth of it.
const LIMIT: u64 = 60;

const MOMENTS: &str = "hu2021/moments";
const FIELD: &str = "hu2021/fig3";
const CRANK: &str = "hu2021/crank";
const ENERGIES: &str = "hu2021/fig14";

fn run(scenario: &str, settings: &[&str]) -> Seen {
    let typed = stiction(&["run", scenario, "--quick", "--json"]).within(LIMIT);
    settings.iter().fold(typed, |typed, setting| typed.set(setting)).run()
}

/// The field of a plate, whole: other keys of the scenario's field are gone.
fn plate_field(keys: &str) -> String {
    format!("system.planar_sliding.field={{ {keys} }}")
}

/// An error with exit code 1 or 2, nothing on stdout, every one of these words, and numbers that can be read.
#[track_caller]
fn is_told(seen: &Seen, told: &[&str]) {
    assert!(matches!(seen.code, Some(1 | 2)), "{} ended with {:?}\n{}", seen.typed, seen.code, seen.stderr);
    assert_eq!(seen.stdout, "", "{}", seen.typed);
    for text in told.iter().chain(&["error: "]) {
        assert!(seen.stderr.contains(text), "{}\nno `{text}` in\n{}", seen.typed, seen.stderr);
    }
    assert!(!seen.stderr.contains("00000000000000000000"), "{}\n{}", seen.typed, seen.stderr);
}

/// No text of a summary stands for a number that is none.
#[track_caller]
fn has_only_numbers(json: &Json) {
    match json {
        Json::String(word) => assert!(word != "NaN" && !word.ends_with("inf"), "{word}"),
        Json::Array(list) => list.iter().for_each(has_only_numbers),
        Json::Object(map) => map.values().for_each(has_only_numbers),
        _ => {}
    }
}

#[test]
fn correlation_lengths_that_are_not_positive_are_refused() {
    let pair = "must be a finite number > 0";
    for (value, told, range) in [
        ("0.0", "out of range: 0.0", "must be > 0"),
        ("-1.0", "out of range: -1.0", "must be > 0"),
        ("[1.0, 0.0]", "is 0,", pair),
        ("[-2.0, 1.0]", "is -2,", pair),
    ] {
        for (scenario, system) in [(MOMENTS, "planar_sliding"), (FIELD, "planar_sliding"), (ENERGIES, "crank_slider")] {
            let key = format!("system.{system}.field.correlation_length");
            let seen = run(scenario, &[&format!("{key}={value}")]);
            seen.refuses(&[&key, told, range, "--> --set:1:"]);
        }
    }
    let key = "study.field.lengths";
    for (value, told) in [("[0.0]", "is 0,"), ("[1.0, -2.0]", "is -2,"), ("[nan]", "nan")] {
        is_told(&run(FIELD, &[&format!("{key}={value}")]), &[key, told, "finite number"]);
    }
}

#[test]
fn a_length_beyond_all_sizes_is_named_as_it_was_given() {
    let key = "system.planar_sliding.field.correlation_length";
    for value in ["1e300", "1e-300"] {
        let seen = run(MOMENTS, &[&format!("{key}={value}")]);
        if seen.code == Some(0) {
            has_only_numbers(&seen.json());
        } else {
            is_told(&seen, &[key, value]);
        }
    }
}

#[test]
fn a_spread_that_no_lognormal_number_can_have_is_refused() {
    let key = "system.planar_sliding.field.standard_deviation";
    for scenario in [MOMENTS, FIELD, "hu2021/advisor"] {
        let seen = run(scenario, &[&format!("{key}=1e300")]);
        seen.refuses(&[key, "times `mean` = 0.5", "give a smaller standard deviation"]);
    }
    run(MOMENTS, &[&format!("{key}=-0.1")]).refuses(&[key, "-0.1", "must be >= 0"]);
}

#[test]
fn numbers_in_messages_about_fields_and_cranks_have_an_exponent_when_large() {
    for (scenario, setting) in [
        (MOMENTS, "system.planar_sliding.field.standard_deviation=1e300"),
        (MOMENTS, "system.planar_sliding.field.mean=1e-300"),
        (CRANK, "system.crank_slider.crank_radius=1e300"),
        (ENERGIES, "system.crank_slider.field.mean=1e300"),
    ] {
        is_told(&run(scenario, &[setting]), &[]);
    }
}

#[test]
fn a_grid_too_coarse_for_the_correlation_says_what_is_needed() {
    let key = "system.planar_sliding.field.grid_step";
    let settings = [&*format!("{key}=0.9"), "study.field.realisations=20"];
    is_told(&run(FIELD, &settings), &[key, "0.9 m is too coarse", "at most 0.333", "allow_coarse"]);
    let allowed = "system.planar_sliding.field.allow_coarse=true";
    let summary = run(FIELD, &[settings[0], settings[1], allowed]).succeeds().json();
    assert!(summary["warnings"].to_string().contains("too coarse"), "{}", summary["warnings"]);
    has_only_numbers(&summary["quantities"]);
}

#[test]
fn outlines_that_bound_no_area_are_refused() {
    let square = "corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]";
    for (polygon, told) in [
        (
            "corners = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]".to_owned(),
            ["corners", "at (0.5, 0.5)", "in order"],
        ),
        ("corners = [[0.0, 0.0], [1.0, 0.0]]".to_owned(), ["corners", "has 2 corners", "at least 3"]),
        (
            format!("{square}, holes = [[[2.0, 2.0], [3.0, 2.0], [3.0, 3.0]]]"),
            ["holes[0]", "(2, 2)", "outside the rim"],
        ),
        (
            format!("{square}, holes = [[[0.5, 0.5], [3.0, 0.5], [3.0, 3.0]]]"),
            ["holes[0]", "(1, 0.5)", "must not touch"],
        ),
    ] {
        let seen = run(MOMENTS, &[&format!("system.planar_sliding.shape={{ polygon = {{ {polygon} }} }}")]);
        seen.refuses(&["system.planar_sliding.shape.polygon"]).refuses(&told);
    }
}

#[test]
fn what_is_no_correlation_comes_with_its_certificate() {
    let key = "system.planar_sliding.field.correlation_exponent";
    let cubic = format!("{key}=3.0");
    for scenario in [MOMENTS, FIELD, "hu2021/advisor"] {
        let told = [key, "is 3", "= -0.340066 < 0", "0 < n <= 2", "\"projected\"", "\"formal\""];
        run(scenario, &[&cubic]).refuses(&told);
    }
    let formal = "system.planar_sliding.field.indefinite=formal";
    let exact = run(MOMENTS, &[&cubic, formal, "study.moments.sampled=false"]).succeeds().json();
    assert!(exact["warnings"].to_string().contains("no such field exists"), "{}", exact["warnings"]);
    is_told(&run(FIELD, &[&cubic, formal]), &["indefinite", "nothing to sample", "\"projected\""]);
    let projected = "system.planar_sliding.field.indefinite=projected";
    let sampled = run(FIELD, &[&cubic, projected]).succeeds().json();
    assert!(sampled["warnings"].to_string().contains("projected onto the nearest field"), "{}", sampled["warnings"]);
    assert!(sampled["quantities"]["projection_change"].as_f64().is_some_and(|change| change > 0.0));
}

#[test]
fn a_remedy_that_is_told_works_or_says_why_not() {
    // the error of an exponent above 2 offers "projected" to every study
    let cubic = "system.planar_sliding.field.correlation_exponent=3.0";
    let projected = "system.planar_sliding.field.indefinite=projected";
    for scenario in [MOMENTS, "hu2021/advisor"] {
        let seen = run(scenario, &[cubic, projected]);
        if seen.code == Some(0) {
            has_only_numbers(&seen.json());
        } else {
            is_told(&seen, &["system.planar_sliding.field.indefinite", "projected"]);
        }
    }
}

#[test]
fn the_entry_of_a_list_that_is_wrong_is_named() {
    is_told(&run(FIELD, &["study.field.lengths=[1e-9]"]), &["study.field.lengths"]);
    let key = "study.distribution.length_ratios";
    is_told(&run("hu2021/figA1", &[&format!("{key}=[1.0, -1.0]")]), &[key, "-1"]);
}

#[test]
fn given_functions_must_be_positive_and_readable() {
    let one_map = "study.field.lengths=[]";
    let key = "system.planar_sliding.field.expression";
    let negative = plate_field("expression = \"0.5 - x\"");
    is_told(&run(MOMENTS, &[&negative]), &[key, " at x = 0.", "must be a finite number > 0"]);
    is_told(&run(FIELD, &[&negative, one_map]), &[key, "is 0 at x = 0.5", "must be a finite number > 0"]);
    is_told(&run(MOMENTS, &[&plate_field("expression = \"1/0\"")]), &[key, "is inf", "finite number > 0"]);
    for (text, column, told) in [
        ("0.5 + ", "--set:1:51", "formula ends"),
        ("0.5 + z", "--set:1:51", "unknown name `z`"),
        ("", "--set:1:", "empty"),
    ] {
        let seen = run(MOMENTS, &[&plate_field(&format!("expression = \"{text}\""))]);
        seen.refuses(&[key, column, told, "names here: x, y"]);
    }
}

#[test]
fn a_field_is_said_in_one_way_only() {
    let field = "system.planar_sliding.field";
    run(MOMENTS, &[&plate_field("constant = 0.5, mean = 0.5")]).refuses(&[
        &format!("{field}.mean"),
        "contradicts `constant`",
        "leave out `mean` or `constant`",
    ]);
    run(MOMENTS, &[&plate_field("constant = 0.5, expression = \"0.5\"")]).refuses(&[
        &format!("{field}.expression"),
        "contradicts `constant`",
        "leave one out",
    ]);
    run(MOMENTS, &[&plate_field("constant = -0.5")]).refuses(&[&format!("{field}.constant"), "-0.5", "must be > 0"]);
}

/// A map over the square from −1 to 1, three by three points; `value` gives the text of a coefficient, none for no point.
fn map(value: impl Fn(i32, i32) -> Option<String>, size: f64) -> (TempDir, String) {
    let mut text = "x,y,coefficient\n".to_owned();
    for x in -1..=1 {
        for y in -1..=1 {
            if let Some(value) = value(x, y) {
                text += &format!("{},{},{value}\n", size * f64::from(x), size * f64::from(y));
            }
        }
    }
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("map.csv"), text).unwrap();
    let path = named(&folder.path().join("map.csv"));
    (folder, path)
}

/// The setting of a plate whose field is in this file.
fn named(path: &Path) -> String {
    plate_field(&format!("file = '{}'", path.display()))
}

#[test]
fn measured_maps_with_holes_or_impossible_values_are_refused_with_the_place() {
    let odd = |text: Option<&'static str>| {
        move |x: i32, y: i32| if (x, y) == (0, 1) { text.map(str::to_owned) } else { Some("0.5".to_owned()) }
    };
    for (text, size, told) in [
        (Some("NaN"), 1.0, ["line 7", "`NaN` is not a finite number"]),
        (Some("rough"), 1.0, ["line 7", "`rough` is not a finite number"]),
        (None, 1.0, ["x = 0 m, y = 1 m is missing", "every point of the grid needs a value"]),
        (Some("-0.1"), 1.0, ["x = 0 m, y = 1 m is -0.1", "must be > 0"]),
        (Some("0.0"), 1.0, ["x = 0 m, y = 1 m is 0", "must be > 0"]),
        (Some("0.5"), 0.5, ["does not cover the contact", "bring a larger map"]),
    ] {
        let (_folder, setting) = map(odd(text), size);
        for (scenario, other) in [(MOMENTS, "study.moments.sampled=false"), (FIELD, "study.field.lengths=[]")] {
            let seen = run(scenario, &[&setting, other]);
            is_told(&seen, &["system.planar_sliding.field.file", told[0], told[1]]);
        }
    }
    let missing = named(Path::new("/no/such/map.csv"));
    is_told(&run(MOMENTS, &[&missing]), &["system.planar_sliding.field.file", "/no/such/map.csv", "cannot be opened"]);
}

#[test]
fn choices_that_do_not_exist_or_do_not_fit_name_those_that_do() {
    let motion = "system.planar_sliding.motion";
    for wrong in ["wobble", "{ wobble = {} }"] {
        run(MOMENTS, &[&format!("{motion}={wrong}")]).refuses(&[motion, "wobble", "translation", "rotation", "twist"]);
    }
    run(CRANK, &["study={ advisor = {} }"]).refuses(&["study.advisor", "crank_slider", "crank_run, crank_energies"]);
    run(MOMENTS, &["study={ crank_run = {} }"]).refuses(&["study.crank_run", "planar_sliding", "moments", "advisor"]);
    run("elmer1997/coulomb", &["study={ field = {} }"]).refuses(&["study.field", "spring_block", "trajectory"]);
    is_told(
        &run("hu2021/advisor", &["study.advisor.functionals=[]"]),
        &["study.advisor.functionals", "is empty", "torque"],
    );
    run("hu2021/advisor", &["study.advisor.functionals=[\"work\"]"])
        .refuses(&["work", "allowed: \"force\", \"torque\""]);
}

#[test]
fn cranks_that_cannot_turn_are_refused() {
    let radius = "system.crank_slider.crank_radius";
    for value in ["0.5", "0.6"] {
        let told = format!("is {value}, but must be below `rod_length`");
        run(CRANK, &[&format!("{radius}={value}")]).refuses(&[radius, &told, "which is 0.5"]);
    }
    let (crank, rod) = ("system.crank_slider.crank_mass=0.0", "system.crank_slider.rod_mass=0.0");
    for settings in [&[crank, rod][..], &[crank, rod, "system.crank_slider.slider_mass=0.0"]] {
        run(CRANK, settings).refuses(&["system.crank_slider.crank_mass", "is 0 as is `rod_mass`", "a mass"]);
    }
}

#[test]
fn a_coefficient_beyond_all_sizes_is_indeterminate_or_named() {
    for setting in ["study.crank_run.mean_coefficient=1e6", "study.crank_run.torque_coefficient=1e6"] {
        let summary = run(CRANK, &[setting]).succeeds().json();
        assert_eq!(summary["quantities"]["status"], "indeterminate");
        assert!(summary["warnings"].to_string().contains("accelerations are not determined"));
        has_only_numbers(&summary["quantities"]);
    }
    for key in ["study.crank_run.mean_coefficient", "study.crank_run.torque_coefficient"] {
        let seen = run(CRANK, &[&format!("{key}=1e300")]);
        if seen.code == Some(0) {
            has_only_numbers(&seen.json());
        } else {
            is_told(&seen, &[key, "1e300"]);
        }
    }
}

#[test]
fn a_reference_run_that_has_no_end_has_no_energy() {
    let summary = run(ENERGIES, &["system.crank_slider.field.mean=1e6"]).succeeds().json();
    assert_eq!(summary["quantities"]["deterministic_bottom_energy"], Json::Null);
}

#[test]
fn a_given_field_below_a_slider_is_used_or_refused_by_its_own_key() {
    let field = "system.crank_slider.field={ expression = \"0.5 + 0.1*y\" }";
    let seen = run(ENERGIES, &[field, "system.crank_slider.side_friction_coefficient=0.5"]);
    if seen.code == Some(0) {
        has_only_numbers(&seen.json());
    } else {
        is_told(&seen, &["system.crank_slider.field"]);
        assert!(!seen.stderr.contains("NaN"), "{}", seen.stderr);
    }
}

#[test]
fn a_map_and_its_formula_give_the_same_numbers() {
    // bilinear interpolation is exact for a bilinear formula
    let formula = plate_field("expression = \"0.5 + 0.1*x + 0.05*y\"");
    let (folder, text) = map(|x, y| Some(format!("{:.2}", 0.5 + 0.1 * f64::from(x) + 0.05 * f64::from(y))), 1.0);
    // the program's own table of the field is a map too
    let made = folder.path().join("made");
    let settings = [&*formula, "study.field.lengths=[]", "study.field.maps=1", "study.field.points=9"];
    let typed = stiction(&["run", FIELD, "--quick", "--format", "parquet"]).out(&made).within(LIMIT);
    settings.iter().fold(typed, |typed, setting| typed.set(setting)).run().succeeds();
    let columns = named(&made.join("field.parquet"));
    let ask = |setting: &str| run(MOMENTS, &[setting, "study.moments.sampled=false"]).succeeds().json();
    let wanted = ask(&formula);
    for setting in [&text, &columns] {
        let found = ask(setting);
        for name in ["mean_force_x", "mean_force_y", "mean_torque", "mean_force_norm"] {
            let of = |summary: &Json| summary["quantities"][name].as_f64().unwrap();
            // both are sums of some thousand roundings of numbers of size 2
            assert!((of(&found) - of(&wanted)).abs() < 1e-12, "{setting} {name}: {} {}", of(&found), of(&wanted));
        }
    }
    assert!((wanted["quantities"]["mean_torque"].as_f64().unwrap() - 0.05 * 4.0 / 3.0).abs() < 1e-12);
}

#[test]
fn a_motion_by_its_word_is_the_motion_with_its_defaults() {
    let ask = |motion: &str| {
        let setting = format!("system.planar_sliding.motion={motion}");
        run(MOMENTS, &[&setting]).succeeds().json()["quantities"].clone()
    };
    assert_eq!(ask("rotation"), ask("{ rotation = {} }"));
    assert_eq!(ask("translation"), ask("{ translation = { direction = 0.0 } }"));
}

#[test]
fn threads_change_no_byte_of_sampled_plates_and_cranks() {
    for scenario in ["hu2021/fig8", ENERGIES] {
        let runs = ["1", "2", "7"].map(|threads| {
            let folder = tempdir().unwrap();
            let typed = stiction(&["run", scenario, "--quick", "--threads", threads]).within(LIMIT);
            typed.out(folder.path()).run().succeeds();
            contents(folder.path())
        });
        assert!(runs[0].contains_key("summary.json"));
        assert!(runs[0] == runs[1] && runs[0] == runs[2], "{scenario}");
    }
}
