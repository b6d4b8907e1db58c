//! Studies of two discs on bad and odd input: what has no answer is a row or a class with its reason, or an error that names the key.

use stiction::analysis::Silent;
use stiction_lab::dataset::{Data, Outcome};
use stiction_lab::scenario::{Size, Source, read};
use stiction_lab::study::StudyError;

/// Two discs that start at their equilibrium, and speeds of the drive through zero, where there is none.
const THROUGH_REST: &str = r#"
title = "through rest"
[system.two_disc]
normal_load = 20.0
drive_speed = 1.0
contact.rings = 1
start = "equilibrium"
[study.transient]
duration = 2.0
window_start = 1.0
rows = 3
[[campaign.vary]]
key = "system.two_disc.drive_speed"
values = [-1.0, 0.0, 1.0]
"#;

const MAP: &str = r#"
title = "map"
[system.two_disc]
normal_load = 20.0
drive_speed = 1.0
contact.radius = 0.0
[study.stability_map]
x = { parameter = "normal_load", from = 4.0, to = 32.0, points = 15 }
y = { parameter = "drive_speed", from = 0.0, to = 8.0, points = 9 }
"#;

fn asked(text: &str, settings: &[&str]) -> Result<Outcome, StudyError> {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let scenario =
        read(Source::new("discs.toml", text), &settings, Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"));
    stiction_lab::run::run(&scenario, &Silent)
}

fn words(outcome: &Outcome, table: &str, column: &str) -> Vec<String> {
    let table = outcome.tables.iter().find(|one| one.name == table).unwrap();
    match &table.columns.iter().find(|one| one.name == column).unwrap().data {
        Data::Words(words) => words.clone(),
        other => panic!("{column} has no words but {other:?}"),
    }
}

fn numbers(outcome: &Outcome, table: &str, column: &str) -> Vec<f64> {
    let table = outcome.tables.iter().find(|one| one.name == table).unwrap();
    match &table.columns.iter().find(|one| one.name == column).unwrap().data {
        Data::Numbers(numbers) => numbers.clone(),
        other => panic!("{column} has no numbers but {other:?}"),
    }
}

#[test]
fn a_value_without_an_equilibrium_is_a_row_with_its_reason() {
    let outcome = asked(THROUGH_REST, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(words(&outcome, "items", "status"), ["answered", "impossible", "answered"]);
    let reasons = words(&outcome, "items", "reason");
    assert!(reasons[0].is_empty() && reasons[2].is_empty(), "{reasons:?}");
    assert!(reasons[1].starts_with("system.two_disc.drive_speed: is 0"), "{reasons:?}");
    // it has neither extremes nor a reach; its neighbours are mirror images
    for column in ["rotation_min", "rotation_max", "max_contact_distance", "equilibrium_rotation"] {
        let values = numbers(&outcome, "items", column);
        assert!(values[0].is_finite() && values[1].is_nan() && values[2].is_finite(), "{column}: {values:?}");
    }
    let rests = numbers(&outcome, "items", "equilibrium_rotation");
    assert!((rests[0] + rests[2]).abs() < 1e-12 && rests[2] > 0.3, "{rests:?}");
    // tables of all items tell which values they belong to
    assert_eq!(numbers(&outcome, "items_motion", "drive_speed"), [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
}

#[test]
fn a_map_tells_where_it_has_no_equilibrium_and_where_stability_ends() {
    let outcome = asked(MAP, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert!(outcome.warnings.iter().any(|told| told.contains("at 15 places there is no equilibrium")));
    let at = |speed: f64| -> Vec<(f64, String)> {
        let places = numbers(&outcome, "map", "normal_load").into_iter().zip(words(&outcome, "map", "stability"));
        let speeds = numbers(&outcome, "map", "drive_speed");
        places.zip(speeds).filter(|(_, other)| *other == speed).map(|(place, _)| place).collect()
    };
    // nothing is said of a drive at rest; at 1 rad/s no slipping equilibrium is unstable, at 4 rad/s those beyond 17 N are
    assert!(at(0.0).iter().all(|(_, class)| class == "none"));
    let counted = |speed: f64, wanted: &str| at(speed).iter().filter(|(_, class)| class == wanted).count();
    assert_eq!((counted(1.0, "stable"), counted(1.0, "unstable"), counted(4.0, "stable")), (13, 0, 7));
    assert!(at(4.0).iter().all(|(load, class)| (class == "stable") == (*load < 17.0)));
}

#[test]
fn hopf_points_of_a_drive_at_rest_are_refused() {
    let study = "study={hopf={along=\"normal_load\",from=1.0,to=9.0}}";
    let told = asked(MAP, &[study, "system.two_disc.drive_speed=0.0"]).unwrap_err().to_string();
    assert!(told.starts_with("system.two_disc.drive_speed: is 0"), "{told}");
}

#[test]
fn a_run_that_starts_on_a_captured_cell_says_so() {
    let settings = ["study={transient={duration=1.0,rows=0}}", "system.two_disc.start=\"equilibrium\""];
    let captured = |load: &str| {
        let outcome = asked(MAP, &[&settings[..], &[load]].concat()).unwrap_or_else(|error| panic!("{error}"));
        outcome.warnings.iter().any(|told| told.contains("captured equilibrium"))
    };
    assert!(captured("system.two_disc.normal_load=60.0"));
    assert!(!captured("system.two_disc.normal_load=10.0"));
}
