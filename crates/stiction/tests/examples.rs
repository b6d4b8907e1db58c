//! Every example runs, and prints what is known of it.
#![allow(dead_code, missing_docs, reason = "examples are programs: their `main` is not called here")]

#[path = "../examples/first_run.rs"]
mod first_run;
#[path = "../examples/oscillator.rs"]
mod oscillator;
#[path = "../examples/random_belt.rs"]
mod random_belt;
#[path = "../examples/relay.rs"]
mod relay;
#[path = "../examples/stability_map.rs"]
mod stability_map;

/// The number after a word.
fn after(report: &str, word: &str) -> f64 {
    let rest = report.split_once(word).map_or("", |(_, rest)| rest);
    let number = rest.split_whitespace().next().unwrap_or("");
    number.parse().unwrap_or_else(|_| panic!("no number after {word:?} in\n{report}"))
}

#[test]
fn the_first_run_has_the_period_of_the_formula() {
    let report = first_run::report().unwrap();
    // 2 (π − atan(ΔF/(v √(κ M)))) √(M/κ) + 2 ΔF/(κ v) with ΔF = 4.905 N, printed to nine digits
    assert!((after(&report, "period") - 4.158_825_717).abs() < 1e-8, "{report}");
}

#[test]
fn the_oscillator_is_periodic() {
    let report = oscillator::report().unwrap();
    // the same to 1e-10 s for tolerances of 1e-12 and 1e-9
    assert!((after(&report, "period") - 1.004_434_418).abs() < 2e-9, "{report}");
}

#[test]
fn the_relay_chatters_until_the_known_instant() {
    let report = relay::report().unwrap();
    assert!(
        (after(&report, "switches until") - after(&report.replace(':', " "), "exact end")).abs() < 2e-9,
        "{report}"
    );
}

#[test]
fn realisations_of_a_belt_differ_more_where_friction_varies_over_longer_lengths() {
    let report = random_belt::report().unwrap();
    let deviations: Vec<f64> =
        report.lines().skip(1).map(|line| line.split_whitespace().last().unwrap().parse().unwrap()).collect();
    assert!(deviations.len() == 2 && deviations[0] > 0.0 && deviations[1] > deviations[0], "{report}");
}

#[test]
fn the_map_has_both_kinds_of_rotation() {
    let report = stability_map::report().unwrap();
    let unstable = after(&report, "unstable:");
    assert!(unstable > 0.0 && unstable < 288.0, "{report}");
    assert_eq!(report.matches('#').count() as f64, unstable, "{report}");
}
