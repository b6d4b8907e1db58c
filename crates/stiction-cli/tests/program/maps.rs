//! Measured maps, loops and annuli as a person brings them, and the best spread of the force.

use crate::support::{Seen, stiction};
use ::stiction::num::real::cos;
use serde_json::Value as Json;
use std::fmt::Write;
use std::fs;
use tempfile::{TempDir, tempdir};

fn moments(settings: &[&str]) -> Json {
    let typed = stiction(&["run", "hu2021/moments", "--quick", "--json"]).set("study.moments.sampled=false");
    answer(&settings.iter().fold(typed, |typed, setting| typed.set(setting)).run())
}

#[track_caller]
fn answer(seen: &Seen) -> Json {
    assert_eq!(seen.code, Some(0), "{}\n{}", seen.typed, seen.stderr);
    serde_json::from_str(&seen.stdout).unwrap()
}

#[track_caller]
fn number(answer: &Json, name: &str) -> f64 {
    answer["quantities"][name].as_f64().unwrap_or_else(|| panic!("{name}: {}", answer["quantities"][name]))
}

/// A folder with a map of a wave with the length `wave` \[m\] along x over x = 0 .. `length`, y = −`half` .. `half`.
fn folder(name: &str, length: f64, wave: f64, half: f64) -> TempDir {
    let folder = tempdir().unwrap();
    let mut text = "x,y,coefficient\n".to_owned();
    for i in 0..=80 {
        for j in -8..=8 {
            let (x, y) = (length * f64::from(i) / 80.0, half * f64::from(j) / 8.0);
            let value = 0.5 + 0.05 * cos(std::f64::consts::TAU * x / wave) + 0.02 * y / half;
            writeln!(text, "{x},{y},{value}").unwrap();
        }
    }
    fs::write(folder.path().join(name), text).unwrap();
    folder
}

#[test]
fn the_spread_of_the_force_is_the_sampled_one_with_its_error_and_does_not_jump() {
    // independent samples of a lognormal field on 40 by 40 points: 0.4756 ± 0.0008, 0.1720 ± 0.0005, 0.1334 ± 0.0004
    for (radius, wanted, error) in [(0.1, 0.4756, 0.0008), (0.5, 0.1720, 0.0005), (1.0, 0.1334, 0.0004)] {
        let found = moments(&[&format!("system.planar_sliding.motion={{general={{rotation_radius={radius}}}}}")]);
        let (value, own) = (number(&found, "cv_force_norm"), number(&found, "cv_force_norm_error"));
        assert!((value - wanted).abs() < 4.0 * (own * own + error * error).sqrt(), "{radius}: {value} ± {own}");
        assert!(own > 0.0 && own < 0.01 * value, "{radius}: {own}");
    }
    let near = moments(&["system.planar_sliding.motion={general={rotation_radius=0.1}}"]);
    assert!((number(&near, "cv_force_norm_gaussian") - 0.4583).abs() < 1e-3);
    let at =
        |radius: &str| moments(&[&format!("system.planar_sliding.motion={{general={{rotation_radius={radius}}}}}")]);
    let (zero, tiny) = (at("0.0"), at("1e-9"));
    // the same realisations
    assert!((number(&zero, "cv_force_norm") - number(&tiny, "cv_force_norm")).abs() < 1e-6);
    let rotation = moments(&["system.planar_sliding.motion=\"rotation\""]);
    assert_ne!(rotation["quantities"]["force_scale_of"], zero["quantities"]["force_scale_of"]);
}

#[test]
fn the_advisor_answers_for_a_measured_map_and_tells_its_statistics() {
    let folder = tempdir().unwrap();
    let map = folder.path().join("map.csv");
    let made = answer(
        &stiction(&["run", "hu2021/fig3", "--json", "--format", "csv"])
            .set("study.field={maps=1, points=101}")
            .set("system.planar_sliding.shape={square={half_side=5.0}}")
            .set("system.planar_sliding.field={mean=0.5, standard_deviation=0.1, correlation_length=0.5}")
            .out(&folder.path().join("out"))
            .run(),
    );
    assert_eq!(made["quantities"]["generator"], "separable");
    fs::copy(folder.path().join("out/field.csv"), &map).unwrap();
    let advice = answer(
        &stiction(&["run", "hu2021/advisor", "--json"])
            .set(&format!("system.planar_sliding.field={{file=\"{}\"}}", map.display()))
            .run(),
    );
    assert_eq!(advice["quantities"]["verdict"], "random_field");
    let (length, error) =
        (number(&advice, "estimated_correlation_length"), number(&advice, "estimated_correlation_length_error"));
    assert!((length - 0.5).abs() < 4.0 * error && error < 0.1, "{length} ± {error}");
    assert!(number(&advice, "independent_patches") > 50.0);
}

#[test]
fn a_belt_that_ends_says_how_far_and_a_loop_goes_on() {
    let folder = folder("belt.csv", 2.0, 2.0, 1.0);
    let belt = |field: &str, duration: f64| {
        stiction(&["run", "hu2023_belt/realisation", "--json"])
            .set(&format!("system.belt_disc.field={field}"))
            .set(&format!("study.realisation.duration={duration}"))
            .inside(folder.path())
            .run()
    };
    let path = folder.path().join("belt.csv");
    let ended = belt(&format!("{{file=\"{}\"}}", path.display()), 20.0);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    for part in ["field.file", "periodic", "duration", "larger map", "needs"] {
        assert!(ended.stderr.contains(part), "no `{part}` in {}", ended.stderr);
    }
    let looped =
        answer(&belt(&format!("{{file=\"{}\", periodic=true, interpolation=\"cubic\"}}", path.display()), 20.0));
    let formula = answer(&belt("{expression=\"0.5 + 0.05*cos(pi*x) + 0.02*y\", periodic=true, loop_length=2.0}", 20.0));
    let (a, b) = (number(&looped, "stick_fraction"), number(&formula, "stick_fraction"));
    // the spline of the map is off by 1e-8 of the coefficient, the lattices by 5e-4
    assert!((a - b).abs() < 1e-3, "{a} {b}");
}

#[test]
fn an_annulus_on_a_belt_and_a_map_in_millimetres() {
    let settings = ["system.belt_disc.inner_radius=0.3", "study.realisation.duration=20.0"];
    let expression = "system.belt_disc.field={expression=\"0.5 + 0.1*cos(3*x)*sin(2*y)\"}";
    let run = |quadrature: &str| {
        let typed = stiction(&["run", "hu2023_belt/realisation", "--json"]).set(expression);
        let typed = settings.iter().fold(typed, |typed, setting| typed.set(setting));
        number(&answer(&typed.set(&format!("system.belt_disc.quadrature=\"{quadrature}\"")).run()), "stick_fraction")
    };
    let (lattice, polar) = (run("lattice"), run("polar"));
    // trajectories on the default lattice, R/h = 20, are good to 5e-4 s of each transition
    assert!((lattice - polar).abs() < 2e-3, "{lattice} {polar}");
    let refused = stiction(&["run", "hu2023_belt/limits", "--json"]).set("system.belt_disc.inner_radius=0.3").run();
    assert!(refused.code == Some(1) && refused.stderr.contains("inner_radius"), "{}", refused.stderr);

    let folder = folder("mm.csv", 4000.0, 500.0, 2000.0);
    let field = format!("system.planar_sliding.field={{file=\"{}\"}}", folder.path().join("mm.csv").display());
    let corners = "system.planar_sliding.shape={polygon={corners=[[1.0, 0.0], [2.0, 0.0], [2.0, 1.0]]}}";
    let found = moments(&[&field, corners]);
    assert!(found["warnings"].to_string().contains("metres"), "{}", found["warnings"]);
}

#[test]
fn few_points_with_a_long_correlation_are_made_by_the_cheaper_generator() {
    let field = |length: f64| {
        let settings = format!(
            "system.planar_sliding.field={{mean=0.5, standard_deviation=0.1, correlation=\"matern\", correlation_length={length}}}"
        );
        let typed = stiction(&["run", "hu2021/fig3", "--json"]).set("study.field={maps=2, points=24}").set(&settings);
        answer(&typed.run())["quantities"]["generator"].as_str().unwrap().to_owned()
    };
    assert_eq!([field(8.0), field(0.1)], ["cholesky", "circulant"]);
}
