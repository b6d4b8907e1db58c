//! Parameters that no mechanism has: a result or a clear error, never a panic, a hang or a made-up number.

use crate::support::{Seen, names, stiction, watch};
use serde_json::Value as Json;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// Longest run of a test here [s]; each takes less than a tenth of it.
const LIMIT: u64 = 30;

/// Longest run that uses up its budget of steps [s]: on a machine that does nothing else about a tenth of it.
const PATIENCE: u64 = 120;

fn run(scenario: &str, settings: &[&str]) -> Seen {
    let typed = stiction(&["run", scenario, "--quick", "--json"]).within(LIMIT);
    settings.iter().fold(typed, |typed, setting| typed.set(setting)).run()
}

/// A whole summary without numbers that are none, or an error that names the keys to change.
#[track_caller]
fn is_honest(seen: &Seen) {
    match seen.code {
        Some(0) => {
            let summary = seen.json();
            for (name, value) in summary["quantities"].as_object().unwrap() {
                assert!(value.as_str().is_none_or(|word| word != "NaN" && word != "inf"), "{}: {name}", seen.typed);
            }
            assert!(summary["warnings"].is_array() && summary["provenance"].is_object(), "{}", seen.typed);
        }
        Some(1 | 2) => {
            assert_eq!(seen.stdout, "", "{}", seen.typed);
            assert!(seen.stderr.contains("error: "), "{}\n{}", seen.typed, seen.stderr);
            let names_a_key = seen.stderr.contains("system.spring_block") || seen.stderr.contains("study.");
            assert!(names_a_key, "{}\n{}", seen.typed, seen.stderr);
        }
        code => panic!("{} ended with {code:?}\n{}", seen.typed, seen.stderr),
    }
}

#[test]
fn what_is_no_number_or_out_of_range_is_refused_by_name() {
    for scenario in names().into_iter().filter(|name| name.starts_with("elmer1997/")) {
        for (value, told) in [
            ("nan", "must be a finite number, but is nan"),
            ("inf", "must be a finite number, but is inf"),
            ("-inf", "must be a finite number, but is -inf"),
            ("-1.0", "is out of range: -1"),
            ("0.0", "is out of range: 0"),
            ("true", "must be a number > 0, but is true or false"),
            ("1e999", "1e999"),
        ] {
            for key in ["mass", "stiffness", "normal_load"] {
                let setting = format!("system.spring_block.{key}={value}");
                let seen = run(&scenario, &[&setting]);
                assert_eq!(seen.code, Some(2), "{}\n{}", seen.typed, seen.stderr);
                let named = format!("system.spring_block.{key}");
                assert!(seen.stderr.contains(told) || value == "true", "{}\n{}", seen.typed, seen.stderr);
                assert!(seen.stderr.contains(&named) && seen.stderr.contains("--> --set:1:"), "{}", seen.stderr);
            }
        }
    }
}

#[test]
fn extreme_sizes_end_in_an_answer_or_an_error_that_names_keys() {
    for (scenario, settings) in [
        (
            "elmer1997/coulomb",
            &["mass=1e-300", "mass=1e300", "stiffness=1e-300", "stiffness=1e-9", "stiffness=1e300"][..],
        ),
        ("elmer1997/coulomb", &["drive_speed=0.0", "drive_speed=-0.2", "drive_speed=1e300", "drive_speed=1e-300"][..]),
        ("elmer1997/coulomb", &["normal_load=1e-300", "normal_load=1e300", "start.displacement=1e300"][..]),
        ("elmer1997/attractors", &["mass=1e-300", "stiffness=1e300", "drive_speed=0.0", "drive_speed=-0.2"][..]),
        ("elmer1997/attractors", &["drive_speed=1e300", "drive_speed=1e-300", "normal_load=1e-300"][..]),
        ("elmer1997/fig3", &["mass=1e-300", "stiffness=1e300", "drive_speed=-1e300"][..]),
        ("elmer1997/basins", &["mass=1e-300", "stiffness=1e300", "drive_speed=0.0", "drive_speed=1e300"][..]),
        ("elmer1997/stick_time_map", &["mass=1e-300", "stiffness=1e-300", "stiffness=1e300", "drive_speed=0.0"][..]),
        ("elmer1997/stick_time_map", &["drive_speed=-1.0", "drive_speed=1e300", "drive_speed=1e-300"][..]),
        ("elmer1997/linear_critical_speed", &["mass=1e-300", "mass=1e300", "stiffness=1e-9", "stiffness=1e300"][..]),
        ("elmer1997/linear_critical_speed", &["normal_load=1e300", "normal_load=1e-300", "drive_speed=0.0"][..]),
        ("elmer1997/hopf_normal_form", &["mass=1e300", "stiffness=1e300", "drive_speed=0.0"][..]),
        ("elmer1997/oscillations", &["mass=1e-300", "stiffness=1e300"][..]),
        ("elmer1997/overdamped", &["mass=1e-300", "stiffness=1e300", "drive_speed=0.0", "drive_speed=-0.2"][..]),
        ("elmer1997/overdamped", &["drive_speed=1e300", "normal_load=1e300", "normal_load=1e-300"][..]),
    ] {
        for setting in settings {
            is_honest(&run(scenario, &[&format!("system.spring_block.{setting}")]));
        }
    }
}

#[test]
fn extreme_questions_end_in_an_answer_or_an_error_that_names_keys() {
    for (scenario, settings) in [
        ("elmer1997/coulomb", &["study.trajectory.duration=1e-300"][..]),
        ("elmer1997/coulomb", &["study.trajectory.duration=-1.0"]),
        ("elmer1997/coulomb", &["study.trajectory.samples=100000000000"]),
        ("elmer1997/coulomb", &["study.trajectory.samples=1"]),
        ("elmer1997/coulomb", &["study.trajectory.samples=-5"]),
        ("elmer1997/fig3", &["study.bifurcation.from=2.0"]),
        ("elmer1997/fig3", &["study.bifurcation.from=0.0"]),
        ("elmer1997/fig3", &["study.bifurcation.from=-1e300", "study.bifurcation.to=1e300"]),
        ("elmer1997/fig3", &["study.bifurcation.points=1000000000"]),
        ("elmer1997/fig3", &["study.bifurcation.parameter=mas"]),
        ("elmer1997/fig3", &["study.bifurcation.parameter=''"]),
        ("elmer1997/fig1", &["study.friction_curve.largest_speed=1e300"]),
        ("elmer1997/fig1", &["study.friction_curve.points=1000000000"]),
        ("elmer1997/stick_time_map", &["study.stick_slip_map.start=1e300"]),
        ("elmer1997/stick_time_map", &["study.stick_slip_map.start=-1e300"]),
        ("elmer1997/stick_time_map", &["study.stick_slip_map.start=0.0"]),
    ] {
        is_honest(&run(scenario, settings));
    }
}

#[test]
fn a_surface_at_rest_has_no_cycle_and_says_so() {
    let summary = run("elmer1997/coulomb", &["system.spring_block.drive_speed=0.0"]).succeeds().json();
    for name in ["stick_time", "slip_time", "period"] {
        assert_eq!(summary["quantities"][name], Json::Null, "{name}");
    }
    assert!(summary["warnings"].to_string().contains("comes to rest on the surface: there is no period"));
    run("elmer1997/attractors", &["system.spring_block.drive_speed=0.0"])
        .fails(&["drive_speed: 0 m/s", "drive speed > 0"]);
}

#[test]
fn a_surface_that_moves_backward_gives_the_mirror_image() {
    let forward = run("elmer1997/coulomb", &[]).succeeds().json();
    let backward = run("elmer1997/coulomb", &["system.spring_block.drive_speed=-0.2"]).succeeds().json();
    let number = |summary: &Json, name: &str| summary["quantities"][name].as_f64().unwrap();
    assert_eq!(number(&forward, "stick_time"), number(&backward, "stick_time"));
    assert_eq!(number(&forward, "max_displacement"), -number(&backward, "min_displacement"));
}

/// Blocks that are hopelessly stiff, heavy or slow: a budget of steps ends the run.
#[test]
fn what_would_take_for_ever_ends_by_itself() {
    for (scenario, setting) in [
        ("elmer1997/coulomb", "study.trajectory.duration=1e300"),
        ("elmer1997/attractors", "study.attractors.duration=1e300"),
        ("elmer1997/attractors", "system.spring_block.stiffness=1e-300"),
        ("elmer1997/attractors", "system.spring_block.normal_load=1e300"),
        ("elmer1997/basins", "system.spring_block.stiffness=1e-9"),
        ("elmer1997/fig3", "system.spring_block.normal_load=1e300"),
        ("elmer1997/oscillations", "system.spring_block.stiffness=1e-300"),
        ("elmer1997/hopf_normal_form", "system.spring_block.mass=1e-300"),
        ("elmer1997/overdamped", "system.spring_block.mass=1e-9"),
        ("elmer1997/overdamped", "system.spring_block.stiffness=1e-9"),
    ] {
        let seen = stiction(&["run", scenario, "--quick", "--json"]).within(PATIENCE).set(setting).run();
        is_honest(&seen);
    }
}

#[test]
fn messages_show_large_numbers_with_an_exponent() {
    for (scenario, setting) in [
        ("elmer1997/fig3", "study.bifurcation.from=1e300"),
        ("elmer1997/attractors", "system.spring_block.mass=1e-320"),
        ("elmer1997/coulomb", "study.trajectory.duration=1e300"),
    ] {
        let seen = run(scenario, &[setting]);
        assert!(matches!(seen.code, Some(1 | 2)), "{} ended with {:?}", seen.typed, seen.code);
        assert!(!seen.stderr.contains("00000000000000000000"), "{}\n{}", seen.typed, seen.stderr);
    }
}

#[test]
fn a_block_almost_without_mass_moves_along_its_slow_manifold() {
    let summary = run("elmer1997/overdamped", &["system.spring_block.mass=1e-9"]).succeeds().json();
    let number = |name: &str| summary["quantities"][name].as_f64().unwrap();
    let slow = number("slow_manifold_period");
    assert!((slow - 2.3456).abs() < 1e-3, "{slow}");
    // the slow manifold is the limit of no mass, reached like its power 2/3
    assert!((number("period") - slow).abs() < 1e-5 * slow, "{} against {slow}", number("period"));
}

/// Runs that are long because long runs were asked for.
#[test]
#[cfg(unix)]
fn what_takes_long_can_be_stopped() {
    for (scenario, setting) in [
        ("elmer1997/stick_time_map", "study.stick_slip_map.turns=1000000000"),
        ("elmer1997/stick_time_map", "study.stick_slip_map.count=10000000"),
        ("elmer1997/fig3", "study.bifurcation.points=100000"),
        ("elmer1997/basins", "study.basin.columns=4000"),
        ("elmer1997/attractors", "system.spring_block.stiffness=1e-300"),
    ] {
        let child = stiction(&["run", scenario, "--json", "--set", setting]).start();
        thread::sleep(Duration::from_millis(300));
        // a run that has refused the parameter meanwhile has ended as it should
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let seen = watch(child, format!("{scenario} {setting}"), Duration::from_millis(2500));
        assert!(matches!(seen.code, Some(130 | 1 | 2)), "{} ended with {:?}", seen.typed, seen.code);
        assert_eq!(seen.stdout, "");
    }
}
