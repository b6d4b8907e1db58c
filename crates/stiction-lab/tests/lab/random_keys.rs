//! Keys that a campaign draws: exact moments, the same bytes for any number of threads, rows for impossible draws.

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
[study.critical_speed]
[campaign]
realisations = 5000
[[campaign.random]]
key = "system.spring_block.law.linear.static_coefficient"
distribution.uniform = { from = 0.6, to = 1.4 }
"#;

fn asked(settings: &[&str], progress: &dyn Progress) -> Result<Outcome, StudyError> {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let scenario =
        read(Source::new("random.toml", LINEAR), &settings, Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"));
    stiction_lab::run::run(&scenario, progress)
}

fn answer(settings: &[&str]) -> Outcome {
    asked(settings, &Silent).unwrap_or_else(|error| panic!("{error}"))
}

fn number(outcome: &Outcome, name: &str) -> f64 {
    match outcome.quantity(name) {
        Some(Value::Number(number)) => *number,
        Some(Value::Integer(number)) => *number as f64,
        other => panic!("{name} is {other:?}"),
    }
}

fn items(outcome: &Outcome) -> &Table {
    outcome.tables.iter().find(|table| table.name == "items").expect("a table of items")
}

fn numbers<'a>(outcome: &'a Outcome, name: &str) -> &'a [f64] {
    match items(outcome).column(name).map(|column| &column.data) {
        Some(Data::Numbers(numbers)) => numbers,
        other => panic!("{name} is {other:?}"),
    }
}

fn words<'a>(outcome: &'a Outcome, name: &str) -> &'a [String] {
    match items(outcome).column(name).map(|column| &column.data) {
        Some(Data::Words(words)) => words,
        other => panic!("{name} is {other:?}"),
    }
}

/// The critical speed of the linear law is c (F_S − F_K0) with a constant c, so that a uniform static coefficient makes it
/// uniform. Each comparison is off by five standard errors for one seed in 1.7 million; the seed is fixed.
#[test]
fn the_critical_speed_of_the_linear_law_has_its_exact_moments() {
    let outcome = answer(&[]);
    let alone = "campaign={realisations=1, random=[]}";
    let constant = number(&answer(&[alone]), "critical_speed") / 0.5;
    for (coefficient, speed) in numbers(&outcome, "static_coefficient").iter().zip(numbers(&outcome, "critical_speed"))
    {
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
    assert_eq!((number(&outcome, "failed"), number(&outcome, "warned")), (0.0, 0.0));
}

#[test]
fn draws_depend_on_seed_and_realisation_alone() {
    let draws = |settings: &[&str]| {
        let outcome = answer(settings);
        numbers(&outcome, "static_coefficient").iter().map(|value| value.to_bits()).collect::<Vec<u64>>()
    };
    let (short, long) = (draws(&["campaign.realisations=40"]), draws(&["campaign.realisations=100"]));
    assert_eq!(short, long[..40]);
    assert_ne!(short[0], draws(&["campaign.realisations=40", "seed=2"])[0]);
    // every point has the same draws
    let vary = "campaign.vary=[{key=\"system.spring_block.mass\",values=[1.0,2.0]}]";
    let both = draws(&["campaign.realisations=40", vary]);
    assert!(both.chunks(2).zip(&short).all(|(pair, draw)| pair == [*draw, *draw]));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| format!("{:?}", answer(&["campaign.realisations=200"])))
    };
    let one = on(1);
    assert!(one == on(2) && one == on(7));
}

#[test]
fn impossible_draws_are_rows_with_their_reason() {
    // below 0.5 the static coefficient is less than the kinetic one
    let random = "campaign.random=[{ key = \"system.spring_block.law.linear.static_coefficient\", distribution = { uniform = { from = 0.0, to = 1.0 } } }]";
    let outcome = answer(&["campaign.realisations=1000", random]);
    let mut impossible = 0;
    for (row, coefficient) in numbers(&outcome, "static_coefficient").iter().enumerate() {
        let (status, reason) = (&words(&outcome, "status")[row], &words(&outcome, "reason")[row]);
        let speed = numbers(&outcome, "critical_speed")[row];
        if *coefficient < 0.5 {
            impossible += 1;
            assert_eq!(status, "impossible");
            assert!(reason.contains("law.linear.kinetic_coefficient") && speed.is_nan(), "{reason}");
        } else {
            assert_eq!((status.as_str(), reason.as_str()), ("answered", ""));
            assert!(speed >= 0.0);
        }
    }
    assert!((400..600).contains(&impossible), "{impossible}");
    assert_eq!(number(&outcome, "failed"), f64::from(impossible));
    assert!(outcome.warnings.iter().any(|warning| warning.starts_with(&format!("{impossible} of 1000"))));
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
    assert!(matches!(asked(&[], &Stop), Err(StudyError::Cancelled(_))));
}
