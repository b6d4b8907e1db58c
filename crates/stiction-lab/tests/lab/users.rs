//! What users met: answers that changed with the units, numbers that are none, studies that did not stop.

use crate::built_in;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use stiction::analysis::Progress;
use stiction_lab::dataset::{Outcome, Value};
use stiction_lab::run::run;
use stiction_lab::scenario::{Scenario, Size, Source, builtin, read};
use stiction_lab::study::StudyError;

fn scenario(name: &str, settings: &[String]) -> Scenario {
    read(builtin(name).unwrap().source(), settings, Size::Quick).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn answer(text: &str) -> Outcome {
    let scenario = read(Source::new("case.toml", text), &[], Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"));
    built_in::run(&scenario).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_deviation_compares_times_with_times_and_lengths_with_lengths() {
    let deviation = |length: f64| {
        let system = [("radius", 0.5), ("belt_speed", 0.2), ("gravity", 9.81)];
        let mut settings: Vec<String> =
            system.iter().map(|(key, value)| format!("system.belt_disc.{key}={:?}", value * length)).collect();
        settings.push("study.deterministic.duration=60.0".to_owned());
        settings.push("solver.closed_form=false".to_owned());
        let outcome = built_in::run(&scenario("hu2023_belt/deterministic", &settings)).unwrap();
        match outcome.quantity("simulation_deviation") {
            Some(Value::Number(number)) => *number,
            other => panic!("{other:?}"),
        }
    };
    // in units of length in which a displacement is a huge number, and in which it is a tiny one
    let own = deviation(1.0);
    assert!(own > 0.0 && own < 1e-6, "{own}");
    for length in [65536.0, 1.0 / 65536.0] {
        let other = deviation(length);
        assert!((other - own).abs() <= 1e-9 * own, "{own} {other}");
    }
}

/// Asks to stop from a number of questions on.
struct StopAfter {
    most: usize,
    asked: AtomicUsize,
}

impl Progress for StopAfter {
    fn begin(&self, _what: &str, _items: u64) {}
    fn advance(&self, _items: u64) {}
    fn cancelled(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.most
    }
}

#[test]
fn studies_stop_while_the_generator_of_their_field_is_made() {
    let field = "field = { mean = 0.5, standard_deviation = 0.1, correlation_length = 0.2, correlation = \"matern\", \
                 smoothness = 1.5 }\n";
    let plate = format!(
        "[system.planar_sliding]\nshape.square.half_side = 0.5\npressure = 1.0\n{field}[study.field]\nmaps = 1\n"
    );
    let belt = format!("[system.belt_disc]\n{field}[study.trajectory]\nduration = 2.0\n");
    let realisation = format!("[system.belt_disc]\n{field}[study.realisation]\nduration = 2.0\n");
    for text in [plate, belt, realisation] {
        let scenario = read(Source::new("case.toml", format!("title = \"A field\"\n{text}")), &[], Size::Full);
        let scenario = scenario.unwrap_or_else(|wrong| panic!("{wrong}"));
        let stop = StopAfter { most: 3, asked: AtomicUsize::new(0) };
        let stopped = run(&scenario, &stop);
        assert!(matches!(stopped, Err(StudyError::Cancelled(_))), "{text}: {:?}", stopped.map(|_| ()));
        // the fourth question and the one that asks why there is no generator
        assert_eq!(stop.asked.load(Ordering::Relaxed), 5, "{text}");
    }
}

#[test]
fn a_multiplier_beyond_all_numbers_is_null() {
    let block = "title = \"A light block\"\n[system.spring_block]\nmass = 0.0015\nstiffness = 1.0\ndrive_speed = 0.8\nnormal_load = 1.0\n\
                 law.two_slope = { static_coefficient = 1.0, low_speed_slope = 3.0, high_speed_slope = 0.05, crossover_speed = 0.2, \
                 crossover_width = 0.05 }\n[study.attractors]\n";
    let outcome = answer(block);
    let multipliers = outcome.quantity("unstable_oscillation_multiplier");
    assert_eq!(multipliers, Some(&Value::List(vec![Value::Missing])));
}

/// Takes a file away as soon as the items of a campaign begin.
struct TakeAway(PathBuf);

impl Progress for TakeAway {
    fn begin(&self, what: &str, _items: u64) {
        if what == "items" {
            fs::remove_file(&self.0).unwrap();
        }
    }
    fn advance(&self, _items: u64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

#[test]
fn the_items_of_a_campaign_share_one_reading_of_their_map() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("map.csv");
    let rows = (0..441).map(|k| format!("{},{},0.{}\n", k / 21 - 10, k % 21 - 10, 4 + k % 3));
    fs::write(&map, format!("x,y,coefficient\n{}", rows.collect::<String>())).unwrap();
    let text = format!(
        "title = \"A map\"\n[system.planar_sliding]\nshape.square.half_side = 1.0\nfield.file = {map:?}\n[study.moments]\n\
         sampled = false\n[[campaign.vary]]\nkey = \"system.planar_sliding.shape.square.half_side\"\n\
         values = [1.0, 2.0, 3.0, 4.0]\n"
    );
    let scenario = read(Source::new("case.toml", text), &[], Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"));
    let outcome = run(&scenario, &TakeAway(map.clone())).unwrap();
    assert_eq!(outcome.quantity("failed"), Some(&Value::Integer(0)), "{:?}", outcome.warnings);
    assert!(!map.exists());
}
