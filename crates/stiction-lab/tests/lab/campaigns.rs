//! What a campaign keeps of its items: lists, tables, warnings, and how many quantities are null.

use crate::built_in;
use stiction_lab::dataset::{Data, Outcome, Table, Value};
use stiction_lab::scenario::{Size, builtin, read};

fn campaign(name: &str, settings: &[&str]) -> Outcome {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let scenario =
        read(builtin(name).unwrap().source(), &settings, Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"));
    built_in::run(&scenario).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn table<'o>(outcome: &'o Outcome, name: &str) -> &'o Table {
    let names: Vec<&String> = outcome.tables.iter().map(|table| &table.name).collect();
    outcome.tables.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no {name} among {names:?}"))
}

fn numbers(table: &Table, name: &str) -> Vec<f64> {
    match table.column(name).map(|column| &column.data) {
        Some(Data::Numbers(numbers)) => numbers.clone(),
        Some(Data::Integers(numbers)) => numbers.iter().map(|number| *number as f64).collect(),
        other => panic!("{name}: {other:?}"),
    }
}

/// The same study alone, for one value of the varied key.
fn alone(drive_speed: f64) -> Outcome {
    campaign("elmer1997/attractors", &[&format!("system.spring_block.drive_speed={drive_speed}")])
}

fn list(outcome: &Outcome, name: &str) -> Vec<f64> {
    match outcome.quantity(name) {
        Some(Value::List(list)) => list
            .iter()
            .map(|entry| match entry {
                Value::Number(number) => *number,
                other => panic!("{other:?}"),
            })
            .collect(),
        other => panic!("{name}: {other:?}"),
    }
}

const SPEEDS: [f64; 3] = [0.05, 0.15, 1.3];

fn over_speeds(more: &[&str]) -> Outcome {
    let vary = "campaign.vary=[{key=\"system.spring_block.drive_speed\",values=[0.05,0.15,1.3]}]";
    campaign("elmer1997/attractors", &[&[vary][..], more].concat())
}

#[test]
fn entries_of_lists_are_columns_however_long_the_list_of_each_item_is() {
    let outcome = over_speeds(&[]);
    let items = table(&outcome, "items");
    let mut lengths = Vec::new();
    for (row, speed) in SPEEDS.into_iter().enumerate() {
        let expected = list(&alone(speed), "oscillation_max");
        lengths.push(expected.len());
        for (index, value) in expected.iter().enumerate() {
            assert_eq!(numbers(items, &format!("oscillation_max[{index}]"))[row], *value, "{speed}");
        }
        let Some(beyond) = items.column(&format!("oscillation_max[{}]", expected.len())) else { continue };
        assert!(matches!(&beyond.data, Data::Numbers(values) if values[row].is_nan()), "{speed}");
    }
    assert!(lengths.iter().min() < lengths.iter().max(), "the lists differ in length: {lengths:?}");
    // words as well
    let words = items.column("attractors[0]").map(|column| &column.data);
    assert!(matches!(words, Some(Data::Words(words)) if words.iter().all(|word| !word.is_empty())), "{words:?}");
}

#[test]
fn tables_of_all_items_are_kept_with_the_number_of_the_item() {
    let outcome = over_speeds(&[]);
    let all = table(&outcome, "items_attractors");
    let items = numbers(all, "item");
    let mut first = 0;
    for (item, speed) in SPEEDS.into_iter().enumerate() {
        let own = alone(speed);
        let own = table(&own, "attractors");
        let rows = first..first + own.rows();
        assert!(items[rows.clone()].iter().all(|number| *number == item as f64), "{items:?}");
        let (kept, expected) = (&numbers(all, "max_displacement")[rows.clone()], numbers(own, "max_displacement"));
        assert!(kept.iter().zip(&expected).all(|(a, b)| a == b || (a.is_nan() && b.is_nan())), "{speed}");
        first = rows.end;
    }
    assert_eq!(first, all.rows());
    // a bound that leaves no row to an item drops the table, and says so
    let without = over_speeds(&["campaign.keep_rows=2"]);
    assert!(without.tables.iter().all(|table| table.name != "items_attractors"));
    let told = without.warnings.iter().find(|warning| warning.contains("`attractors`"));
    assert!(told.is_some_and(|told| told.contains("campaign.keep_rows = 2")), "{:?}", without.warnings);
}

#[test]
fn warnings_of_items_are_in_their_rows_and_counted_in_the_answer() {
    // the block breaks loose at x = F_S/κ = 1.635 m, which it reaches within 5 s only on the fastest belt
    let vary = "campaign.vary=[{key=\"system.spring_block.drive_speed\",values=[0.01,0.02,0.5]}]";
    let outcome = campaign("elmer1997/coulomb", &[vary, "study.trajectory={duration=5.0}"]);
    let items = table(&outcome, "items");
    let Some(Data::Words(warnings)) = items.column("warnings").map(|column| &column.data) else {
        panic!("no column of warnings");
    };
    assert!(warnings[..2].iter().all(|text| text.contains("rests on the surface")), "{warnings:?}");
    let warned = warnings.iter().filter(|text| !text.is_empty()).count();
    assert_eq!(outcome.quantity("warned"), Some(&Value::Integer(warned as i64)));
    let told = outcome.warnings.iter().find(|told| told.contains("rests on the surface"));
    assert!(
        told.is_some_and(|told| told.starts_with("2 of 3 items warn, the first is item 0")),
        "{:?}",
        outcome.warnings
    );
    // null in these items: not averaged, but counted
    let nulls = numbers(items, "stick_time").iter().filter(|value| value.is_nan()).count();
    assert!(nulls >= 2);
    assert_eq!(outcome.quantity("stick_time_nulls"), Some(&Value::Integer(nulls as i64)));
}

#[test]
fn statistics_say_how_many_values_they_are_of() {
    let outcome = campaign("hu2023_belt/realisation", &["campaign.realisations=4", "study.realisation.duration=12.0"]);
    let (items, statistics) = (table(&outcome, "items"), table(&outcome, "statistics"));
    let lists = items.columns.iter().filter(|column| column.name.starts_with("turning_displacements["));
    let names: Vec<&str> = lists.map(|column| column.name.as_str()).collect();
    assert!(names.len() > 1, "{:?}", items.columns.iter().map(|column| &column.name).collect::<Vec<_>>());
    for name in names {
        let values: Vec<f64> = numbers(items, name).into_iter().filter(|value| value.is_finite()).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert_eq!(numbers(statistics, &format!("{name}_count")), [values.len() as f64], "{name}");
        let found = numbers(statistics, &format!("{name}_mean"))[0];
        // a sum of four numbers has three roundings
        assert!((found - mean).abs() <= 1e-15 * values.iter().map(|value| value.abs()).sum::<f64>(), "{name}");
    }
}
