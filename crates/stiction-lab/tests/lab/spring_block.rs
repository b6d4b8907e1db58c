//! What the studies of a block say where its law is unusual: equal coefficients, motions at rest, friction below zero.

use stiction::analysis::Silent;
use stiction_lab::dataset::{Data, Outcome, Value};
use stiction_lab::scenario::{Size, Source, read};
use stiction_lab::study::StudyError;

const BRAKE: &str = r#"
title = "A brake pad"
[system.spring_block]
mass = 0.4
stiffness = 2e5
drive_speed = 0.05
normal_load = 500.0
law.stribeck = { static_coefficient = 0.45, kinetic_coefficient = 0.35, stribeck_speed = 0.1 }
[study.trajectory]
duration = 0.5
"#;

const LAW: &str = "system.spring_block.law";

fn asked(settings: &[&str]) -> Result<Outcome, StudyError> {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let scenario =
        read(Source::new("brake.toml", BRAKE), &settings, Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"));
    stiction_lab::run::run(&scenario, &Silent)
}

fn answer(settings: &[&str]) -> Outcome {
    asked(settings).unwrap_or_else(|error| panic!("{settings:?}: {error}"))
}

fn number(outcome: &Outcome, name: &str) -> Option<f64> {
    match outcome.quantity(name) {
        Some(Value::Number(number)) => Some(*number),
        Some(Value::Missing) => None,
        other => panic!("{name}: {other:?}"),
    }
}

fn numbers(outcome: &Outcome, name: &str) -> Vec<f64> {
    match outcome.quantity(name) {
        Some(Value::List(values)) => values
            .iter()
            .map(|value| match value {
                Value::Number(number) => *number,
                other => panic!("{name}: {other:?}"),
            })
            .collect(),
        other => panic!("{name}: {other:?}"),
    }
}

/// The warnings that are not about a quantity without a value.
fn alarms(outcome: &Outcome) -> Vec<&String> {
    outcome.warnings.iter().filter(|warning| !warning.starts_with("no value for")).collect()
}

#[test]
fn the_critical_speed_of_a_stribeck_law_is_a_tangency_and_not_a_grid_value() {
    let viscous = format!("{LAW}.stribeck.viscous=0.3");
    let search = |points: usize, to: f64| {
        format!("study={{critical_speed={{search={{parameter=\"drive_speed\",from=0.01,to={to},points={points}}}}}}}")
    };
    let studies = ["study={critical_speed={}}".to_owned(), search(20, 1.0), search(57, 0.7), search(211, 3.0)];
    for study in &studies {
        let outcome = answer(&[&viscous, study]);
        // the value of another program, good to 1e-12 (see the tests of the library)
        let speed = number(&outcome, "critical_speed").unwrap();
        assert!((speed / 0.144_716_766_869_85 - 1.0).abs() < 1e-10, "{study}: {speed}");
        assert_eq!(numbers(&outcome, "type1_speeds"), [speed]);
        assert!(alarms(&outcome).is_empty(), "{:?}", outcome.warnings);
    }
    // without a viscous part friction falls everywhere
    let outcome = answer(&["study={critical_speed={}}"]);
    assert_eq!(number(&outcome, "critical_speed"), None);
    assert!(numbers(&outcome, "type1_speeds").is_empty());
    let alarms = alarms(&outcome);
    assert!(alarms.len() == 1 && alarms[0].contains("every drive speed"), "{alarms:?}");
}

#[test]
fn a_bifurcation_diagram_of_a_stribeck_law_has_only_finite_numbers() {
    let outcome = answer(&[&format!("{LAW}.stribeck.viscous=0.3"), "study={bifurcation={from=0.02,to=0.3,points=20}}"]);
    for (name, count) in [("hopf_speeds", 1), ("type1_speeds", 1), ("type2_speeds", 1), ("fold_speeds", 0)] {
        assert_eq!(numbers(&outcome, name).len(), count, "{name}");
    }
    // stick-slip motion exists below the bifurcation of type 1 and nowhere else, up to a hundred-millionth of the range
    let coexistence = outcome.tables.iter().find(|table| table.name == "coexistence").unwrap();
    let column = |name: &str| match coexistence.column(name).map(|column| &column.data) {
        Some(Data::Numbers(values)) => values.clone(),
        other => panic!("{name}: {other:?}"),
    };
    let end = numbers(&outcome, "type1_speeds")[0];
    for (speed, max) in column("drive_speed").into_iter().zip(column("stick_slip")) {
        assert_eq!(max.is_finite(), speed < end, "{speed}: {max}");
    }
    assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
    let ends = outcome.tables.iter().find(|table| table.name == "branch_ends").unwrap();
    let Some(Data::Words(words)) = ends.column("end").map(|column| &column.data) else { panic!("{ends:?}") };
    assert_eq!(*words, ["Hopf", "grazes"]);
}

#[test]
fn constant_equal_coefficients_have_no_stick_slip_whatever_the_law_is_called() {
    for law in [
        "linear={static_coefficient=0.4,kinetic_coefficient=0.4,slope=0.0}",
        "coulomb={static_coefficient=0.4,kinetic_coefficient=0.4}",
        "stribeck={static_coefficient=0.4,kinetic_coefficient=0.4,stribeck_speed=0.1}",
    ] {
        let outcome = answer(&[&format!("{LAW}={{{law}}}"), "study={critical_speed={}}"]);
        assert_eq!(number(&outcome, "critical_speed"), Some(0.0), "{law}");
        assert!(outcome.warnings[0].contains("no stick-slip motion at any drive speed"), "{:?}", outcome.warnings);
    }
    for law in [
        "linear={static_coefficient=0.4,kinetic_coefficient=0.3,slope=0.0}",
        "coulomb={static_coefficient=0.4,kinetic_coefficient=0.3}",
    ] {
        let outcome = answer(&[&format!("{LAW}={{{law}}}"), "study={critical_speed={}}"]);
        assert_eq!(number(&outcome, "critical_speed"), None, "{law}");
        assert!(outcome.warnings[0].contains("exists at every drive speed"), "{:?}", outcome.warnings);
    }
    // a slope without a difference of the coefficients: no number is undefined
    let law = "linear={static_coefficient=0.4,kinetic_coefficient=0.4,slope=0.1}";
    let outcome = answer(&[&format!("{LAW}={{{law}}}"), "study={critical_speed={}}"]);
    assert_eq!(number(&outcome, "critical_speed"), Some(0.0));
    assert_eq!(number(&outcome, "leading_order_error"), None);
}

#[test]
fn a_motion_that_comes_to_rest_has_no_period() {
    // damped to continuous sliding, in closed form and integrated, oscillating and not
    let laws = [
        "linear={static_coefficient=0.5,kinetic_coefficient=0.3,slope=0.5}",
        "linear={static_coefficient=0.5,kinetic_coefficient=0.3,slope=5.0}",
        "stribeck={static_coefficient=0.45,kinetic_coefficient=0.35,stribeck_speed=0.1,viscous=0.5}",
        "expression={formula=\"0.3 + 0.4*v\", static_coefficient=0.4}",
    ];
    for law in laws {
        for speed in ["2.0", "-2.0"] {
            let speed = format!("system.spring_block.drive_speed={speed}");
            let outcome = answer(&[&format!("{LAW}={{{law}}}"), &speed, "study.trajectory.duration=2.0"]);
            assert_eq!(number(&outcome, "period"), None, "{law} {speed}");
            assert!(outcome.warnings.iter().any(|warning| warning.contains("comes to rest")), "{:?}", outcome.warnings);
            let (max, last) = (number(&outcome, "max_displacement"), number(&outcome, "final_displacement"));
            assert_eq!(max, last, "{law}");
        }
    }
    // while it still oscillates the period is that of the oscillation
    let law = format!("{LAW}={{{}}}", laws[0]);
    let outcome = answer(&[&law, "system.spring_block.drive_speed=2.0", "study.trajectory.duration=0.03"]);
    // F' = 250 N s/m: a damped oscillator with ω² = κ/M − (F'/2M)²
    let omega = (2e5_f64 / 0.4 - (250.0_f64 / 0.8) * (250.0 / 0.8)).sqrt();
    let period = number(&outcome, "period").unwrap();
    assert!((period * omega / std::f64::consts::TAU - 1.0).abs() < 1e-9, "{period}");
    // on a surface at rest the block ends on it
    let still = ["system.spring_block.drive_speed=0.0", "system.spring_block.start.displacement=0.01"];
    let outcome = answer(&still);
    assert_eq!(number(&outcome, "period"), None);
    assert!(outcome.warnings.iter().any(|warning| warning.contains("on the surface")), "{:?}", outcome.warnings);
}

#[test]
fn a_slip_that_starts_with_zero_acceleration_is_not_worth_a_warning() {
    assert!(alarms(&answer(&[])).is_empty());
    assert!(alarms(&answer(&["study={attractors={}}"])).is_empty());
    // but a tie at the static limit is
    let law = format!("{LAW}={{coulomb={{static_coefficient=0.4,kinetic_coefficient=0.0}}}}");
    for study in ["study={trajectory={duration=0.5}}", "study={attractors={}}"] {
        let outcome = answer(&[&law, study]);
        assert!(
            outcome.warnings.iter().any(|warning| warning.contains("at the static limit")),
            "{:?}",
            outcome.warnings
        );
    }
}

#[test]
fn friction_below_zero_is_an_error_with_its_key() {
    for (law, key) in [
        ("expression={formula=\"0.4-2*v\"}", "law.expression.formula"),
        ("cubic={value=0.3,f1=-1.0,speed=0.1,static_coefficient=0.5}", "law.cubic.value"),
    ] {
        for study in ["study={trajectory={duration=0.5}}", "study={attractors={}}"] {
            let error = asked(&[&format!("{LAW}={{{law}}}"), study]).unwrap_err().to_string();
            assert!(error.contains(key) && error.contains("m/s"), "{study}: {error}");
        }
    }
}

#[test]
fn sticks_are_counted_over_a_hundred_periods_unless_told_otherwise() {
    let outcome = answer(&["study={attractors={}}"]);
    // the block is released at once: a stick ends every period
    assert_eq!(outcome.quantity("stick_count"), Some(&Value::Integer(100)));
    let outcome = answer(&["study={attractors={duration=0.5}}"]);
    let period = number(&outcome, "stick_slip_period").unwrap();
    let Some(Value::Integer(count)) = outcome.quantity("stick_count") else { panic!("a count") };
    assert!((*count as f64 - 0.5 / period).abs() <= 1.0, "{count}");
}
