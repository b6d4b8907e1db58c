//! Figures and claims are checked before a run, and drawn again after it.

use crate::support::{contents, stiction};
use std::fs;
use tempfile::tempdir;

const HEAD: &str = r#"title = "A block"
[system.spring_block]
mass = 10.0
stiffness = 30.0
drive_speed = 0.2
normal_load = 98.1
law.coulomb = { static_coefficient = 0.5, kinetic_coefficient = 0.45 }
[study.trajectory]
duration = 20.0
"#;

#[test]
fn a_misspelt_table_column_or_quantity_is_refused_before_the_run() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("my.toml");
    let told = |rest: &str, told: &[&str]| {
        fs::write(&file, format!("{HEAD}{rest}")).unwrap();
        for command in ["check", "run"] {
            stiction(&[command, "my.toml"]).inside(folder.path()).run().refuses(told);
        }
        assert!(!folder.path().join("stiction-out").exists());
    };
    let lines = |layer: &str| format!("[[figure]]\nlines = {{ {layer} }}\n");
    told(
        &lines(r#"x = "time", y = "velocty""#),
        &["table `trajectory` has no column `velocty`", "`velocity`", "my.toml:"],
    );
    told(
        &lines(r#"table = "trajectry", x = "time", y = "velocity""#),
        &["there is no table `trajectry`", "`trajectory`"],
    );
    told(&lines(r#"table = "cycles", x = "start", y = "stick_tim""#), &["has no column `stick_tim`", "`stick_time`"]);
    told(
        &lines(r#"x = "time", y = "velocity", only = { phase_surfac = "stick" }"#),
        &["has no column `phase_surfac`", "`phase_surface`"],
    );
    told(&lines(r#"x = "time", y = "phase_surface""#), &["holds words, but an axis needs numbers"]);
    // a table that only a key makes
    told(&lines(r#"table = "sweep", x = "drive_speed", y = "period""#), &["there is no table `sweep`"]);
    let bars = "[[figure]]\n[[figure.panel]]\nbars = { x = \"time\", y = \"velocity\" }\n[[figure.panel]]\nbars = { x = \"tim\", y = \"velocity\" }\n";
    told(bars, &["has no column `tim`", "`time`"]);
    let claim = "[[claim]]\nstatement = \"s\"\nsource = \"p\"\nquantity = \"perod\"\nband = { at_least = 0.0 }\n";
    told(claim, &["the study has no quantity `perod`; did you mean `period`?", "my.toml:13:"]);
    // in a campaign a figure is one of its tables or of the study, and columns may be entries of lists
    let campaign = "[campaign]\nrealisations = 2\n";
    told(
        &format!("{campaign}{}", lines(r#"table = "statistics", x = "point", y = "period_men""#)),
        &["table `statistics` has no column `period_men`", "`period_mean`"],
    );
    told(&format!("{campaign}{}", lines(r#"table = "items_cycls", x = "item", y = "start""#)), &["`items_cycls`"]);
}

#[test]
fn figures_of_campaigns_may_name_entries_of_lists_and_tables_of_items() {
    let folder = tempdir().unwrap();
    let text = stiction(&["show", "elmer1997/attractors"]).run().succeeds().stdout;
    let figures = "[campaign]\n[[campaign.vary]]\nkey = \"system.spring_block.drive_speed\"\nvalues = [0.05, 0.15, 1.3]\n\
                   [[figure]]\nname = \"list\"\npoints = { table = \"items\", x = \"drive_speed\", y = \"oscillation_max[0]\" }\n\
                   [[figure]]\nname = \"table\"\npoints = { table = \"items_attractors\", x = \"item\", y = \"max_displacement\" }\n";
    fs::write(folder.path().join("my.toml"), format!("{text}\n{figures}")).unwrap();
    stiction(&["run", "my.toml", "--out", "out"]).inside(folder.path()).run().succeeds();
    let files = contents(&folder.path().join("out"));
    assert!(files.contains_key("list.png") && files.contains_key("table.png"), "{:?}", files.keys());
}

#[test]
fn settings_that_ask_another_question_leave_out_the_figures_and_claims_of_the_file() {
    let seen = stiction(&["run", "elmer1997/coulomb", "--json"]).set("study={critical_speed={}}").run().succeeds();
    assert!(seen.stderr.contains("of the scenario left out"), "{}", seen.stderr);
    // those about stick and slip times, which both studies report, are still decided
    let decided = seen.json()["claims"].as_array().map(Vec::len);
    assert!(decided.is_some_and(|decided| decided < 9), "{decided:?}");
    // but not those that the settings themselves bring
    let brought = stiction(&["run", "elmer1997/coulomb", "--json"]).set("study={critical_speed={}}");
    brought.set("figure=[{lines={x=\"time\",y=\"velocity\"}}]").run().refuses(&["there is no table"]);
}

#[test]
fn pictures_are_drawn_again_from_the_tables_to_the_same_bytes() {
    for format in ["parquet", "csv"] {
        let folder = tempdir().unwrap();
        let run = stiction(&["run", "elmer1997/fig3", "--quick", "--out", "out", "--format", format]);
        run.inside(folder.path()).run().succeeds();
        let out = folder.path().join("out");
        let before = contents(&out);
        let pictures: Vec<&String> = before.keys().filter(|name| name.ends_with(".png")).collect();
        for name in before.keys().filter(|name| name.ends_with(".svg") || name.ends_with(".png")) {
            fs::remove_file(out.join(name)).unwrap();
        }
        stiction(&["plot", "out"]).inside(folder.path()).run().succeeds();
        let after = contents(&out);
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
        for (name, bytes) in &before {
            assert!(after.get(name) == Some(bytes), "{format}: {name} differs");
        }
        assert!(!pictures.is_empty());
    }
}

#[test]
fn other_figures_are_drawn_beside_the_results_and_nothing_else_changes() {
    let folder = tempdir().unwrap();
    let typed = |line: &str| stiction(&line.split(' ').collect::<Vec<_>>()).inside(folder.path()).run();
    typed("run elmer1997/coulomb --out out").succeeds();
    let before = contents(&folder.path().join("out"));
    let write = |text: &str| fs::write(folder.path().join("f.toml"), text).unwrap();
    write("[[figure]]\nname = \"phase\"\nlines = { x = \"displacement\", y = \"velocity\" }\n");
    let seen = typed("plot out --figures f.toml").succeeds();
    assert!(seen.stdout.contains("phase.svg, phase.png"), "{}", seen.stdout);
    let mut after = contents(&folder.path().join("out"));
    assert!(after.remove("phase.svg").is_some() && after.remove("phase.png").is_some());
    assert!(after == before);
    typed("plot out --figures f.toml --out elsewhere").succeeds();
    assert_eq!(contents(&folder.path().join("elsewhere")).len(), 2);

    write("[[figure]]\nname = \"phase\"\nlines = { x = \"displacment\", y = \"velocity\" }\n");
    typed("plot out --figures f.toml").refuses(&["has no column `displacment`", "`displacement`"]);
    write("[[figures]]\nlines = { x = \"time\", y = \"velocity\" }\n");
    typed("plot out --figures f.toml").refuses(&["there is no `[[figure]]`"]);
    write("[[figure]]\nname = \"mine\"\nlines = { x = \"time\", y = \"velocity\" }\n");
    fs::write(folder.path().join("out/mine.png"), "not a picture of the program").unwrap();
    typed("plot out --figures f.toml").fails(&["mine.png was not written by an earlier run"]);
    typed("plot nowhere").refuses(&["nowhere has no finished results"]);
}

#[test]
fn many_events_are_in_a_table_and_only_the_first_thousand_in_the_summary() {
    let folder = tempdir().unwrap();
    // a cycle takes about 4 s and has two events
    let run =
        stiction(&["run", "elmer1997/coulomb", "--format", "csv", "--json"]).set("study.trajectory={duration=5000.0}");
    let summary = run.out(folder.path()).run().succeeds().json();
    let events = summary["events"].as_array().unwrap();
    assert_eq!(events.len(), 1000);
    let total = summary["more_events"]["total"].as_u64().unwrap();
    assert!(total > 2000 && summary["more_events"]["table"] == "events", "{}", summary["more_events"]);
    let table = fs::read_to_string(folder.path().join("events.csv")).unwrap();
    assert_eq!(table.lines().count() as u64, total + 1);
    assert!(
        table.starts_with("time,kind,contact,from,to,displacement,velocity\n"),
        "{}",
        table.lines().next().unwrap()
    );
    assert_eq!(table.lines().nth(1).unwrap().split(',').nth(1), events[0]["kind"].as_str());
    // a short run has neither
    let short = stiction(&["run", "elmer1997/coulomb", "--json"]).run().succeeds().json();
    assert!(short.get("more_events").is_none() && short["tables"].get("events").is_none());
}

#[test]
fn a_long_run_of_the_wheel_is_as_large_as_its_samples() {
    let folder = tempdir().unwrap();
    let run = stiction(&["run", "szalai2014/run", "--format", "csv", "--json"]).set("study.itinerary.samples=51");
    let summary = run.out(folder.path()).run().succeeds().json();
    let path = fs::read_to_string(folder.path().join("path.csv")).unwrap();
    let samples = path.lines().filter(|line| line.ends_with(",sample")).count();
    let events = summary["events"].as_array().unwrap().len();
    // the last sample may fall behind the end by rounding; the end has one row, the other events two
    assert!((50..=51).contains(&samples), "{samples}");
    assert!(path.lines().count() <= 1 + samples + 2 * events);
}
