//! Random parameters: exact moments, the same bytes for any number of threads, replay, rows for impossible draws.

use stiction::analysis::{Progress, Silent};
use stiction_lab::dataset::{Data, Outcome, Table, Value};
use stiction_lab::scenario::{Size, Source, read};
use stiction_lab::study::StudyError;

/// A block under the linear law; g = 0.1 whatever the static coefficient.
const LINEAR: &str = r#"
title = "random"
[system.spring_block]
mass = 1.0
stiffness = 1.0
drive_speed = 1.0
law.linear = { static_coefficient = 1.0, kinetic_coefficient = 0.5, slope = 0.1 }
[study.random_parameters]
realisations = 5000
question = "critical_speed"
[[study.random_parameters.parameter]]
key = "law.linear.static_coefficient"
distribution.uniform = { from = 0.6, to = 1.4 }
"#;

const TWO_SLOPE: &str = r#"
title = "random"
[system.spring_block]
mass = 40.0
stiffness = 1.0
drive_speed = 0.15
[system.spring_block.law.two_slope]
static_coefficient = 1.0
low_speed_slope = 3.0
high_speed_slope = 0.1
crossover_speed = 0.2
crossover_width = 0.05
[study.random_parameters]
realisations = 40
[[study.random_parameters.parameter]]
key = "law.two_slope.static_coefficient"
distribution.normal = { mean = 1.0, standard_deviation = 0.3 }
[[study.random_parameters.parameter]]
key = "law.two_slope.crossover_speed"
distribution.lognormal = { mean = 0.2, standard_deviation = 0.05 }
"#;

fn asked(text: &str, settings: &[&str]) -> Result<Outcome, StudyError> {
    asked_with(text, settings, &Silent)
}

fn asked_with(text: &str, settings: &[&str], progress: &dyn Progress) -> Result<Outcome, StudyError> {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let scenario =
        read(Source::new("random.toml", text), &settings, Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"));
    stiction_lab::run::run(&scenario, progress)
}

fn answer(text: &str, settings: &[&str]) -> Outcome {
    asked(text, settings).unwrap_or_else(|error| panic!("{error}"))
}

fn number(outcome: &Outcome, name: &str) -> f64 {
    match outcome.quantity(name) {
        Some(Value::Number(number)) => *number,
        Some(Value::Integer(number)) => *number as f64,
        other => panic!("{name} is {other:?}"),
    }
}

fn rows(outcome: &Outcome) -> &Table {
    outcome.tables.iter().find(|table| table.name == "realisations").expect("a table of realisations")
}

fn numbers<'a>(table: &'a Table, name: &str) -> &'a [f64] {
    match table.column(name).map(|column| &column.data) {
        Some(Data::Numbers(numbers)) => numbers,
        other => panic!("{name} is {other:?}"),
    }
}

fn words<'a>(table: &'a Table, name: &str) -> &'a [String] {
    match table.column(name).map(|column| &column.data) {
        Some(Data::Words(words)) => words,
        other => panic!("{name} is {other:?}"),
    }
}

/// The bits of every answer and every row.
fn bits(outcome: &Outcome) -> String {
    let mut text = format!("{:?}{:?}", outcome.quantities, outcome.warnings);
    for column in outcome.tables.iter().flat_map(|table| &table.columns) {
        match &column.data {
            Data::Numbers(numbers) => text.extend(numbers.iter().map(|number| format!("{:x} ", number.to_bits()))),
            other => text.push_str(&format!("{other:?}")),
        }
    }
    text
}

/// The critical speed of the linear law is c (F_S − F_K0) with a constant c, so that a uniform static coefficient makes it
/// uniform. Each comparison is off by five standard errors for one seed in 1.7 million; the seed is fixed.
#[test]
fn the_critical_speed_of_the_linear_law_has_its_exact_moments() {
    let outcome = answer(LINEAR, &[]);
    let single = LINEAR.split("[study.").next().unwrap().to_owned() + "[study.critical_speed]\n";
    let constant = number(&answer(&single, &[]), "critical_speed") / 0.5;
    let table = rows(&outcome);
    for (coefficient, speed) in numbers(table, "static_coefficient").iter().zip(numbers(table, "critical_speed")) {
        let expected = constant * (coefficient - 0.5);
        assert!((speed - expected).abs() < 1e-13 * expected.max(1.0), "{speed} is not {expected}");
    }
    let count = 5000.0_f64;
    let (mean, width) = (0.5 * constant, 0.8 * constant);
    let deviation = width / 12.0_f64.sqrt();
    let off = number(&outcome, "critical_speed_mean") - mean;
    assert!(off.abs() < 5.0 * deviation / count.sqrt(), "the mean is off by {off}");
    // fourth moment of a uniform number: w⁴/80
    let error = ((width.powi(4) / 80.0 - deviation.powi(4)) / count).sqrt();
    let off = number(&outcome, "critical_speed_std").powi(2) - deviation.powi(2);
    assert!(off.abs() < 5.0 * error, "the variance is off by {off}");
    let se = number(&outcome, "critical_speed_se");
    assert!((se - number(&outcome, "critical_speed_std") / count.sqrt()).abs() < 1e-15);
    for (name, probability) in [("05", 0.05), ("50", 0.5), ("95", 0.95)] {
        let off = number(&outcome, &format!("critical_speed_q{name}")) - (mean + width * (probability - 0.5));
        let error = width * (probability * (1.0 - probability) / count).sqrt();
        assert!(off.abs() < 5.0 * error, "quantile {name} is off by {off}");
    }
    assert_eq!(number(&outcome, "probability_none"), 0.0);
    assert_eq!(number(&outcome, "failed"), 0.0);
    assert!(outcome.warnings.is_empty());
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (bits(&answer(TWO_SLOPE, &[])), bits(&answer(LINEAR, &[]))))
    };
    let one = with(1);
    assert!(one == with(2) && one == with(7));
}

#[test]
fn a_realisation_does_not_depend_on_how_many_there_are() {
    let (short, long) = (answer(TWO_SLOPE, &[]), answer(TWO_SLOPE, &["study.random_parameters.realisations=100"]));
    let (short, long) = (rows(&short), rows(&long));
    assert_eq!((short.rows(), long.rows()), (40, 100));
    for name in ["static_coefficient", "crossover_speed", "stick_slip_max", "stick_slip_period"] {
        let same = numbers(short, name).iter().zip(numbers(long, name)).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "{name}");
    }
    assert_eq!(words(short, "attractors"), &words(long, "attractors")[..40]);
}

#[test]
fn another_seed_draws_other_numbers() {
    let (one, two) = (answer(LINEAR, &[]), answer(LINEAR, &["seed=2"]));
    assert_ne!(numbers(rows(&one), "static_coefficient")[0], numbers(rows(&two), "static_coefficient")[0]);
}

#[test]
fn every_row_is_what_the_single_study_says() {
    let outcome = answer(TWO_SLOPE, &["study.random_parameters.realisations=6"]);
    let table = rows(&outcome);
    let single = TWO_SLOPE.split("[study.").next().unwrap().to_owned() + "[study.attractors]\nduration = 10.0\n";
    for row in 0..6 {
        let set = |key: &str| format!("system.spring_block.law.two_slope.{key}={:?}", numbers(table, key)[row]);
        let alone = answer(&single, &[&set("static_coefficient"), &set("crossover_speed")]);
        let Some(Value::List(classes)) = alone.quantity("attractors") else { panic!("no attractors") };
        let listed: Vec<Value> = words(table, "attractors")[row].split('+').map(Value::from).collect();
        assert_eq!(*classes, listed);
        match alone.quantity("stick_slip_max") {
            Some(Value::Number(max)) => assert_eq!(*max, numbers(table, "stick_slip_max")[row]),
            _ => assert!(numbers(table, "stick_slip_max")[row].is_nan()),
        }
    }
}

#[test]
fn impossible_draws_are_rows_with_their_reason() {
    // below 0.5 the static coefficient is less than the kinetic one
    let outcome = answer(
        LINEAR,
        &[
            "study.random_parameters.realisations=1000",
            "study.random_parameters.parameter=[{ key = \"law.linear.static_coefficient\", distribution = { uniform = { from = 0.0, to = 1.0 } } }]",
        ],
    );
    let table = rows(&outcome);
    assert_eq!(table.rows(), 1000);
    let mut impossible = 0;
    for row in 0..1000 {
        let coefficient = numbers(table, "static_coefficient")[row];
        let (status, reason) = (&words(table, "status")[row], &words(table, "reason")[row]);
        if coefficient < 0.5 {
            impossible += 1;
            assert_eq!(status, "impossible");
            assert!(reason.contains("law.linear.kinetic_coefficient"), "{reason}");
            assert!(numbers(table, "critical_speed")[row].is_nan());
        } else {
            assert_eq!((status.as_str(), reason.as_str()), ("answered", ""));
            assert!(numbers(table, "critical_speed")[row] >= 0.0);
        }
    }
    assert!((400..600).contains(&impossible), "{impossible}");
    assert_eq!(number(&outcome, "failed"), f64::from(impossible));
    assert!(outcome.warnings.iter().any(|warning| warning.starts_with(&format!("{impossible} of 1000"))));
}

#[test]
fn a_run_without_any_answer_still_has_its_rows() {
    for (key, status) in [("mass", "impossible"), ("drive_speed", "failed")] {
        let parameter = format!(
            "study.random_parameters.parameter=[{{ key = \"{key}\", distribution = {{ normal = {{ mean = 0.0, standard_deviation = 0.0 }} }} }}]"
        );
        let outcome = answer(TWO_SLOPE, &[&parameter]);
        assert_eq!(number(&outcome, "failed"), 40.0);
        assert_eq!(outcome.quantity("probability_cs"), Some(&Value::Missing));
        assert!(words(rows(&outcome), "status").iter().all(|word| word == status), "{key}");
        assert!(words(rows(&outcome), "reason").iter().all(|reason| reason.contains(key)), "{key}");
    }
}

#[test]
fn probabilities_are_shares_of_the_rows() {
    let outcome = answer(TWO_SLOPE, &[]);
    let table = rows(&outcome);
    for (class, name) in [("CS", "cs"), ("OS", "os"), ("SS", "ss"), ("through", "through")] {
        let hits = words(table, "attractors").iter().filter(|word| word.split('+').any(|part| part == class)).count();
        let share = hits as f64 / 40.0;
        assert_eq!(number(&outcome, &format!("probability_{name}")), share);
        let error = number(&outcome, &format!("probability_{name}_se"));
        assert!((error * error - share * (1.0 - share) / 40.0).abs() < 1e-15);
    }
    let several = numbers(table, "coexisting").iter().filter(|count| **count > 1.0).count();
    assert_eq!(number(&outcome, "probability_multistable"), several as f64 / 40.0);
    assert!(several > 0, "the test should see multistability");
}

#[test]
fn laws_without_a_closed_form_are_searched_as_by_the_single_study() {
    let searched = "search={ from = 0.02, to = 2.0, points = 60 }";
    let random = answer(
        TWO_SLOPE,
        &[
            "study.random_parameters.realisations=2",
            "study.random_parameters.question=\"critical_speed\"",
            &format!("study.random_parameters.{searched}"),
        ],
    );
    let table = rows(&random);
    let single = TWO_SLOPE.split("[study.").next().unwrap().to_owned() + "[study.critical_speed]\n";
    for row in 0..2 {
        let set = |key: &str| format!("system.spring_block.law.two_slope.{key}={:?}", numbers(table, key)[row]);
        let alone = answer(
            &single,
            &[&set("static_coefficient"), &set("crossover_speed"), &format!("study.critical_speed.{searched}")],
        );
        assert_eq!(number(&alone, "critical_speed"), numbers(table, "critical_speed")[row]);
    }
}

#[test]
fn senseless_questions_are_refused_by_key() {
    let parameter = |key: &str, distribution: &str| {
        format!("study.random_parameters.parameter=[{{ key = \"{key}\", distribution = {{ {distribution} }} }}]")
    };
    let uniform = "uniform = { from = 1.0, to = 2.0 }";
    for (setting, expected) in [
        ("study.random_parameters.parameter=[]".to_owned(), "study.random_parameters.parameter"),
        (parameter("law.linear.statics", uniform), "study.random_parameters.parameter[0].key"),
        (parameter("drive_speed", uniform), "does not depend on the drive speed"),
        (
            parameter("mass", "uniform = { from = 2.0, to = 1.0 }"),
            "study.random_parameters.parameter[0].distribution.uniform.from",
        ),
        (
            parameter("mass", "lognormal = { mean = -2.0, standard_deviation = 1.0 }"),
            "study.random_parameters.parameter[0].distribution.lognormal.mean",
        ),
    ] {
        let error = asked(LINEAR, &[&setting]).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let twice = LINEAR.to_owned()
        + "[[study.random_parameters.parameter]]\nkey = \"system.spring_block.law.linear.static_coefficient\"\n\
           distribution.uniform = { from = 0.6, to = 1.4 }\n";
    let error = asked(&twice, &[]).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("study.random_parameters.parameter[1].key"), "{error}");
}

#[test]
fn a_wish_to_stop_is_heard_and_is_no_failed_row() {
    struct Stop;
    impl Progress for Stop {
        fn begin(&self, _what: &str, _items: u64) {}
        fn advance(&self, _items: u64) {}
        fn cancelled(&self) -> bool {
            true
        }
    }
    assert!(matches!(asked_with(TWO_SLOPE, &[], &Stop), Err(StudyError::Cancelled(_))));
}
