//! Campaigns as a person types them: points and realisations, plans, tasks, failures, rules that end them.

use crate::support::campaigns::{same, scenario, written};
use crate::support::{contents, stiction, words};
use serde_json::Value as Json;
use std::fs;
use tempfile::tempdir;

fn answered(text: &str, arguments: &[&str]) -> Json {
    let typed = stiction(&["run", "-", "--json"]).reading(text);
    arguments.iter().fold(typed, |typed, argument| typed.with(*argument)).run().succeeds().json()
}

#[test]
fn a_campaign_has_a_row_for_every_realisation_at_every_point() {
    let home = tempdir().unwrap();
    let out = home.path().join("out");
    let study = written(home.path(), &scenario(12, 3, 5));
    let typed = stiction(&["run", study.to_str().unwrap(), "--format", "csv", "--json"]).out(&out);
    let told = typed.run().succeeds().json();
    let quantity = |name: &str| &told["quantities"][name];
    let counts = ["items", "points", "realisations", "failed"].map(|name| quantity(name).as_u64().unwrap());
    assert_eq!(counts, [36, 3, 12, 0]);
    assert_eq!(quantity("has_ss_mean").as_array().unwrap().len(), 3);
    for name in ["items.csv", "statistics.csv", "convergence.csv", "run.json", "scenario.toml"] {
        assert!(words(&told["files"]).contains(&name), "{name}");
    }
    let items = fs::read_to_string(out.join("items.csv")).unwrap();
    assert_eq!(items.lines().count(), 37);
    assert!(items.starts_with("item,realisation,seed,drive_speed,static_coefficient,"), "{items}");
    let row = |number: usize| items.lines().nth(number + 1).unwrap().split(',').map(str::to_owned).collect::<Vec<_>>();
    // all points have their first realisation, which is that of the scenario's own seed, before any has its second
    assert_eq!(row(2)[..4], ["2", "0", "1", "0.25"]);
    assert_eq!((row(3)[1].as_str(), row(3)[3].as_str()), ("1", "0.05"));
    assert_eq!((&row(3)[2], row(3)[2] == "1"), (&row(5)[2], false));

    // an item is a run of its own
    let drawn = format!("system.spring_block.law.two_slope.static_coefficient={}", row(4)[4]);
    let plain = scenario(12, 3, 5);
    let plain = plain.split("[campaign]").next().unwrap();
    let alone = answered(plain, &["--seed", &row(4)[2], "--set", &drawn]);
    let replayed = stiction(&["replay", out.to_str().unwrap(), "4", "--json"]).run().succeeds().json();
    assert_eq!(alone["quantities"], replayed["quantities"]);
    let header: Vec<&str> = items.lines().next().unwrap().split(',').collect();
    let place = header.iter().position(|name| *name == "stick_slip_max").unwrap();
    assert_eq!(row(4)[place].parse::<f64>().ok(), replayed["quantities"]["stick_slip_max"].as_f64());
}

#[test]
fn wrong_campaigns_are_refused_with_their_place() {
    let check = |campaign: &str| {
        let base = scenario(2, 1, 1);
        let text = format!("{}{campaign}", base.split("[campaign]").next().unwrap());
        stiction(&["check", "-"]).reading(&text).run()
    };
    let vary = |text: &str| format!("[campaign]\n[[campaign.vary]]\n{text}\n");
    check(&vary("key = \"system.spring_block.drive_sped\"\nvalues = [1.0]"))
        .refuses(&["drive_sped", "campaign.vary[0]"]);
    check(&vary("key = \"system.spring_block.mass\"\nvalues = [1.0, -2.0]")).refuses(&["-2", "> 0"]);
    check(&vary("key = \"system.spring_block.mass\"\nfrom = -1.0\nto = 2.0\npoints = 3")).refuses(&["mass", "> 0"]);
    check(&vary("key = \"system.spring_block.mass\"")).refuses(&["`from`, `to` and `points`"]);
    check(&vary("key = \"title\"\nvalues = [\"a\"]")).refuses(&["begin with `system.`"]);
    let random = |key: &str, distribution: &str| {
        format!("[campaign]\n[[campaign.random]]\nkey = \"{key}\"\ndistribution.{distribution}\n")
    };
    let mass = "system.spring_block.mass";
    check(&random("system.spring_block.mas", "uniform = { from = 1.0, to = 2.0 }"))
        .refuses(&["campaign.random[0]", "mas"]);
    check(&random("seed", "uniform = { from = 1.0, to = 2.0 }")).refuses(&["must begin with `system.`"]);
    check(&random(mass, "uniform = { from = -2.0, to = -1.0 }")).refuses(&["campaign.random[0]", "mass"]);
    check(&random(mass, "uniform = { from = 2.0, to = 1.0 }")).refuses(&["distribution.uniform.from"]);
    check(&random(mass, "lognormal = { mean = -2.0, standard_deviation = 1.0 }"))
        .refuses(&["distribution.lognormal.mean"]);
    let uniform = random(mass, "uniform = { from = 1.0, to = 2.0 }");
    check(&format!("{uniform}[[campaign.vary]]\nkey = \"{mass}\"\nvalues = [1.0]\n")).refuses(&["varies twice"]);
    check("[campaign]\nrealisations = 0\n").refuses(&["realisations"]);
    check("[campaign]\nstop_when = \"period < 3\"\n").refuses(&["campaign.stop_when", ".se"]);
    check("[campaign]\nrealisation = 3\n").refuses(&["did you mean `realisations`"]);
    check(&vary("key = \"solver.method\"\nvalues = [\"rk4\", \"dop853\"]")).succeeds();
}

#[test]
fn failures_are_rows_and_strict_runs_end_with_one() {
    let home = tempdir().unwrap();
    // a static coefficient below the kinetic one is impossible; the range alone does not forbid it
    let text = r#"
title = "Some of these cannot be"
[system.spring_block]
mass = 10.0
stiffness = 30.0
drive_speed = 0.2
normal_load = 98.1
law.coulomb = { static_coefficient = 0.5, kinetic_coefficient = 0.45 }
[study.trajectory]
duration = 5.0
[campaign]
[[campaign.vary]]
key = "system.spring_block.law.coulomb.static_coefficient"
values = [0.6, 0.4, 0.5]
"#;
    let study = written(home.path(), text);
    let out = home.path().join("out");
    let typed = || stiction(&["run", study.to_str().unwrap(), "--format", "csv", "--json"]).out(&out);
    let seen = typed().run().succeeds();
    assert_eq!(seen.json()["quantities"]["failed"], 1);
    assert!(seen.stderr.contains("warning: 1 of 3 items have no answer"), "{}", seen.stderr);
    let items = fs::read_to_string(out.join("items.csv")).unwrap();
    let row = items.lines().nth(2).unwrap();
    assert!(
        row.contains(",impossible,") && row.contains("static_coefficient") && row.contains("stiction replay . 1"),
        "{row}"
    );
    let strict = typed().with("--strict").run();
    assert_eq!(strict.code, Some(1), "{}", strict.stderr);
    assert!(strict.stderr.contains("1 items have no answer"), "{}", strict.stderr);
    stiction(&["replay", ".", "1"]).inside(&out).run().fails(&["item 1", "static_coefficient"]);
    stiction(&["replay", ".", "3"]).inside(&out).run().fails(&["there is no item 3: there are 3"]);
    stiction(&["replay", ".", "0"]).inside(&out).run().succeeds();
}

#[test]
fn a_rule_ends_a_campaign_at_the_same_item_on_any_number_of_threads() {
    let home = tempdir().unwrap();
    let study = written(home.path(), &scenario(400, 1, 4));
    let rule = "has_ss.se < 0.05";
    let runs = ["1", "2", "7", "64"].map(|threads| {
        let out = home.path().join(threads);
        let typed = stiction(&["run", study.to_str().unwrap(), "--stop-when", rule, "--threads", threads]).out(&out);
        typed.run().succeeds();
        contents(&out)
    });
    for run in &runs {
        assert!(*run == runs[0]);
    }
    let summary: Json = serde_json::from_slice(&runs[0]["summary.json"]).unwrap();
    let realisations = summary["quantities"]["realisations"].as_u64().unwrap();
    assert!((10..400).contains(&realisations), "{realisations}");
    assert!(summary["quantities"]["has_ss_se"].as_f64().unwrap() < 0.05);
    assert_eq!(summary["quantities"]["items"].as_u64(), Some(realisations));
    // split over tasks, of which the rule needs only the first ones
    let split = home.path().join("split");
    let out = split.to_str().unwrap();
    let typed = stiction(&["plan", study.to_str().unwrap(), "--stop-when", rule, "--items-per-task", "100"]);
    typed.out(&split).run().succeeds();
    for task in 0..=(realisations - 1) / 100 {
        stiction(&["work", out, "--task", &task.to_string()]).run().succeeds();
    }
    stiction(&["merge", out]).run().succeeds();
    same(&runs[0], &split);
    // a rule for a study of its own realisations
    let own =
        stiction(&["run", "hu2023_belt/monte_carlo", "--json", "--stop-when", "displacement_ratio_mean.se < 0.02"]);
    let own =
        own.set("study.monte_carlo.duration=20.0").set("study.monte_carlo.realisations=400").run().succeeds().json();
    let realisations = own["quantities"]["realisations"].as_u64().unwrap();
    assert!((10..400).contains(&realisations), "{realisations}");
    stiction(&["run", "elmer1997/coulomb", "--json", "--stop-when", "period.se < 1"])
        .run()
        .refuses(&["`campaign.stop_when`", "trajectory has no realisations"]);
    let typed = stiction(&["run", "elmer1997/random_friction", "--quick", "--json", "--stop-when", "perod.se < 1"]);
    typed.run().refuses(&["no quantity `perod`", "has_ss"]);
    // a rule for a study of its own realisations names one of its quantities; one realisation cannot end early
    stiction(&["run", "hu2023_belt/monte_carlo", "--json", "--stop-when", "period.se < 1"])
        .run()
        .refuses(&["no quantity `period`", "force_ratio"]);
    let once = written(home.path(), &scenario(1, 2, 1));
    stiction(&["run", once.to_str().unwrap(), "--json", "--stop-when", rule])
        .run()
        .refuses(&["there is one realisation"]);
}

#[test]
fn tasks_are_idempotent_and_may_be_worked_on_twice_at_once() {
    let home = tempdir().unwrap();
    let study = written(home.path(), &scenario(20, 2, 10));
    let (alone, split) = (home.path().join("alone"), home.path().join("split"));
    stiction(&["run", study.to_str().unwrap()]).out(&alone).run().succeeds();
    let out = split.to_str().unwrap();
    let plan = stiction(&["plan", study.to_str().unwrap(), "--items-per-task", "15"]).out(&split).run().succeeds();
    assert!(plan.stdout.starts_with("40 items in 3 tasks, numbered 0 to 2\n"), "{}", plan.stdout);
    let work = |task: &str| stiction(&["work", out, "--task", task, "--threads", "2"]);
    let both = [work("0").start(), work("0").start()];
    for child in both {
        crate::support::watch(child, "work".to_owned(), std::time::Duration::from_secs(60)).succeeds();
    }
    work("0").run().succeeds();
    stiction(&["merge", out]).run().fails(&["25 of 40 items are missing, in the tasks 1-2", "--task 1"]);
    let status = stiction(&["status", out, "--json"]).run().succeeds().json();
    let counts = ["missing", "failed"].map(|name| status[name].as_u64().unwrap());
    assert_eq!((counts, status["finished"].as_bool()), ([25, 0], Some(false)));
    assert_eq!((status["done"]["items"].as_u64(), status["tasks_missing"].to_string().as_str()), (Some(15), "[1,2]"));
    work("1").run().succeeds();
    work("2").run().succeeds();
    work("3").run().refuses(&["there is no task 3"]);
    stiction(&["work", out]).run().refuses(&["no task is given", "--task K"]);
    let script = stiction(&["slurm", out, "--print"]).run().succeeds().stdout;
    assert!(script.contains("#SBATCH --array=0-2\n") && script.contains(" work "), "{script}");
    stiction(&["merge", out]).run().succeeds();
    same(&contents(&alone), &split);
    let finished = stiction(&["status", out]).run().succeeds();
    assert!(finished.stdout.contains("is finished"), "{}", finished.stdout);
    stiction(&["work", out, "--task", "0"]).run().refuses(&["no planned or unfinished work"]);
    let plan = || stiction(&["plan", "elmer1997/coulomb", "--items-per-task", "5"]);
    plan().set("campaign.realisations=9").out(&split).run().refuses(&["has the results of another scenario"]);
    plan().out(&split.with_extension("new")).run().refuses(&["has no items"]);
}

#[test]
fn a_run_is_repeated_from_one_of_its_tables() {
    let home = tempdir().unwrap();
    let study = written(home.path(), &scenario(6, 2, 4));
    let (first, again) = (home.path().join("first"), home.path().join("again"));
    stiction(&["run", study.to_str().unwrap(), "--seed", "9"]).out(&first).run().succeeds();
    for table in ["items", "statistics"] {
        let file = first.join(format!("{table}.parquet"));
        stiction(&["rerun", file.to_str().unwrap()]).out(&again).run().succeeds();
        let (first, again) = (contents(&first), contents(&again));
        assert_eq!(first.keys().collect::<Vec<_>>(), again.keys().collect::<Vec<_>>());
        // the page and the summary say by which name and command
        for (name, bytes) in first.iter().filter(|(name, _)| !["report.html", "summary.json"].contains(&name.as_str()))
        {
            assert!(again[name] == *bytes, "{name}");
        }
    }
    let run: Json = serde_json::from_str(&fs::read_to_string(first.join("run.json")).unwrap()).unwrap();
    assert_eq!((run["program"].as_str(), run["seed"].as_u64()), (Some("stiction"), Some(9)));
    assert_eq!(run["threads"], "any");
    assert!(run["target"].as_str().unwrap().contains('-') && run["scenario_sha256"].as_str().unwrap().len() == 64);
    stiction(&["rerun", first.join("run.json").to_str().unwrap()]).run().refuses(&["is not Parquet"]);
    stiction(&["rerun", "nowhere.parquet"]).run().refuses(&["cannot be opened"]);
}

#[test]
fn an_item_of_a_study_with_items_of_its_own_is_replayed() {
    let home = tempdir().unwrap();
    let out = home.path().join("out");
    let typed = stiction(&["run", "hu2023_belt/monte_carlo", "--quick", "--format", "csv"]).out(&out);
    typed.set("study.monte_carlo.duration=20.0").set("study.monte_carlo.realisations=5").run().succeeds();
    let rows = fs::read_to_string(out.join("realisations.csv")).unwrap();
    let column =
        rows.lines().next().unwrap().split(',').position(|name| name == "largest_transverse_displacement").unwrap();
    let told = rows.lines().nth(4).unwrap().split(',').nth(column).unwrap().parse::<f64>().ok();
    let replayed = stiction(&["replay", out.to_str().unwrap(), "3"]).run().succeeds().json();
    assert_eq!((replayed["item"].as_u64(), replayed["stage"].as_str()), (Some(3), Some("realisations")));
    assert!(replayed["result"].to_string().contains(&format!("{:?}", told.unwrap())), "{told:?}");
    stiction(&["replay", out.to_str().unwrap(), "400"]).run().fails(&["there is no item 400"]);
}
