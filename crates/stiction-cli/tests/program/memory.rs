//! Memory has one owner: whatever is asked for, there is an answer or a refusal, within 4 GiB of address space.

use crate::support::{Seen, stiction, watch};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Longest run of a test here [s]: refusals take less than a tenth of it on a machine that does nothing else.
const LIMIT: u64 = 60;

/// Runs the program with at most 4 GiB of address space.
#[track_caller]
fn limited(arguments: &[&str]) -> Seen {
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v 4194304; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_stiction")]);
        shell
    } else {
        Command::new(env!("CARGO_BIN_EXE_stiction"))
    };
    let child = command
        .args(arguments)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let seen = watch(child, format!("stiction {}", arguments.join(" ")), Duration::from_secs(LIMIT));
    assert!(
        !seen.stderr.contains("panicked") && !seen.stderr.contains("allocation"),
        "{}\n{}",
        seen.typed,
        seen.stderr
    );
    assert!(seen.code.is_some(), "{} was ended by a signal or after {LIMIT} s\n{}", seen.typed, seen.stderr);
    seen
}

/// Runs a scenario with settings.
#[track_caller]
fn asked(scenario: &str, settings: &[&str]) -> Seen {
    let mut arguments = vec!["run", scenario, "--json"];
    settings.iter().for_each(|setting| arguments.extend(["--set", setting]));
    limited(&arguments)
}

/// Refused with the key, what it takes, the limit and a remedy, in at most three lines.
#[track_caller]
fn refused(seen: &Seen, key: &str) {
    let Seen { typed, stderr, .. } = seen;
    assert_eq!(seen.code, Some(1), "{typed}\n{stderr}");
    assert!(stderr.contains(&format!("error: {key}: ")) && stderr.contains("`memory`"), "{typed}\n{stderr}");
    assert!(stderr.contains("GiB") || stderr.contains("MiB"), "{typed}\n{stderr}");
    assert!(["give ", "raise ", "choose ", "thin "].iter().any(|way| stderr.contains(way)), "{typed}\n{stderr}");
    assert!(stderr.lines().count() <= 3 && seen.stdout.is_empty(), "{typed}\n{stderr}");
}

#[test]
fn what_does_not_fit_into_the_memory_is_refused_by_its_key() {
    for (scenario, settings, key) in [
        ("hu2021/moments", &["study.moments.sampled=true", "samples=1000000000"][..], "system.planar_sliding.samples"),
        ("hu2021/figA1", &["samples=1000000000000000000"], "system.planar_sliding.samples"),
        ("elmer1997/coulomb", &["study.trajectory.samples=10000000"], "study.trajectory.samples"),
        ("elmer1997/coulomb", &["study.trajectory.duration=1e7"], "study.trajectory.duration"),
        ("elmer1997/coulomb", &["system.spring_block.stiffness=1e12"], "study.trajectory.duration"),
        ("szalai2014/fig5", &["study.surface.spacing=1e-5"], "study.surface.spacing"),
        ("szalai2014/fig3", &["study.local_flow.interval=1e-9"], "study.local_flow.interval"),
        ("szalai2014/itinerary", &["study.itinerary.max_events=1000000000000"], "study.itinerary.max_events"),
        ("hu2023_belt/deterministic", &["study.deterministic.duration=1e300"], "study.deterministic.duration"),
        ("hu2023_belt/realisation", &["study.realisation.sample_step=5e-6"], "study.realisation.sample_step"),
        ("hu2023_belt/realisation", &["study.realisation.map_length=1e300"], "study.realisation.map_length"),
        ("hu2023_belt/sensitivity", &["study.sensitivity.sample_step=1e-12"], "study.sensitivity.sample_step"),
        ("hu2023_belt/monte_carlo", &["study.monte_carlo.realisations=10000000"], "study.monte_carlo.realisations"),
        (
            "hu2023_belt/realisation",
            &["system.belt_disc.strip_margin=1e6", "system.belt_disc.field.correlation_exponent=1.0"],
            "system.belt_disc.strip_margin",
        ),
        (
            "hu2023_disc/fig4",
            &["study.stability_map.x.points=10000", "study.stability_map.y.points=10000"],
            "study.stability_map.x.points",
        ),
        ("hu2021/fig3", &["study.field.maps=1000", "study.field.points=4000"], "study.field.points"),
    ] {
        let whole = |setting: &&str| {
            if setting.starts_with("samples") {
                format!("system.planar_sliding.{setting}")
            } else {
                (*setting).to_owned()
            }
        };
        let settings: Vec<String> = settings.iter().map(whole).collect();
        refused(&asked(scenario, &settings.iter().map(String::as_str).collect::<Vec<_>>()), key);
    }
}

#[test]
fn a_margin_without_bounds_costs_nothing_where_the_field_is_made_below_the_disc() {
    for margin in ["1e3", "1e18", "1e300"] {
        let seen = asked(
            "hu2023_belt/realisation",
            &[&format!("system.belt_disc.strip_margin={margin}"), "study.realisation.duration=5"],
        );
        assert_eq!(seen.code, Some(0), "{}\n{}", seen.typed, seen.stderr);
    }
}

#[test]
fn a_refusal_recommends_only_what_is_then_done() {
    let seen = asked("elmer1997/coulomb", &["study.trajectory.samples=10000000"]);
    let fits = seen.stderr.split("at most ").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
    let again = asked("elmer1997/coulomb", &[&format!("study.trajectory.samples={fits}")]);
    assert_eq!(again.code, Some(0), "{}\n{}", again.typed, again.stderr);
    // more than any machine has is not recommended
    let seen = asked("hu2021/moments", &["study.moments.sampled=true", "system.planar_sliding.samples=1000000000000"]);
    assert!(!seen.stderr.contains("raise"), "{}", seen.stderr);
    let seen = asked("elmer1997/coulomb", &["study.trajectory.duration=1e9"]);
    let shorter = seen.stderr.split("shorten it to ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert!(shorter.parse::<f64>().unwrap() < 4e6, "{}", seen.stderr);
}

#[test]
fn the_limit_decides_whether_there_is_an_answer_and_never_which() {
    let folder = tempfile::tempdir().unwrap();
    let outs = ["a", "b", "c"].map(|name| folder.path().join(name));
    let typed = || stiction(&["run", "elmer1997/coulomb", "--quick"]);
    for (typed, out) in [
        (typed(), &outs[0]),
        (typed().with("--memory").with("64MiB"), &outs[1]),
        (typed().set("memory=\"500 MB\""), &outs[2]),
    ] {
        let seen = typed.out(out).run();
        assert_eq!(seen.code, Some(0), "{}\n{}", seen.typed, seen.stderr);
    }
    for file in ["summary.json", "scenario.toml", "trajectory.parquet", "cycles.parquet"] {
        let bytes = |out: &Path| fs::read(out.join(file)).unwrap();
        assert_eq!(bytes(&outs[0]), bytes(&outs[1]), "{file}");
        if file != "summary.json" {
            // its command names the setting
            assert_eq!(bytes(&outs[0]), bytes(&outs[2]), "{file}");
        }
    }
    let seen =
        typed().with("--memory").with("1MiB").out(&folder.path().join("d")).set("study.trajectory.samples=20000").run();
    refused(&seen, "study.trajectory.samples");
    let seen = stiction(&["check", "elmer1997/fig3", "--set", "memory=1048576"]).run();
    assert_eq!(seen.code, Some(0), "{}", seen.stderr);
    let seen = stiction(&["check", "hu2021/fig3", "--memory", "1MiB"]).run();
    refused(&seen, "study.field.points");
}

#[test]
fn a_limit_that_is_none_is_refused_and_the_old_key_is_read_with_a_warning() {
    for value in ["0", "-1", "1e300", "nan", "\"much\"", "\"2 GiBs\"", "\"1 kB\"", "[1]"] {
        let seen = stiction(&["run", "elmer1997/coulomb", "--json", "--set", &format!("memory={value}")]).run();
        assert_eq!(seen.code, Some(2), "{}\n{}", seen.typed, seen.stderr);
        assert!(seen.stderr.contains("memory"), "{}\n{}", seen.typed, seen.stderr);
    }
    let seen = stiction(&["run", "elmer1997/coulomb", "--json", "--memory", "little"]).run();
    assert!(seen.code == Some(2) && seen.stderr.contains("`2 GiB`"), "{}", seen.stderr);
    let old = "system.planar_sliding.field.memory=2000000";
    let seen = stiction(&["run", "hu2021/fig3", "--json", "--quick", "--set", old]).run();
    assert!(seen.stderr.contains("warning: `system.planar_sliding.field.memory` is now `memory`"), "{}", seen.stderr);
    refused_beside_warning(&seen);
}

#[track_caller]
fn refused_beside_warning(seen: &Seen) {
    assert_eq!(seen.code, Some(1), "{}", seen.stderr);
    assert!(
        seen.stderr.contains("error: study.field.points: ") && seen.stderr.contains("1.907 MiB"),
        "{}",
        seen.stderr
    );
}

#[test]
fn an_item_that_does_not_fit_ends_the_campaign_and_is_no_failed_item() {
    let campaign = "campaign={vary=[{key=\"study.trajectory.samples\",values=[100, 30000]}]}";
    let typed = |memory: &str| {
        stiction(&["run", "elmer1997/coulomb", "--quick", "--json", "--threads", "1", "--memory", memory])
            .set(campaign)
            .run()
    };
    refused(&typed("1MiB"), "study.trajectory.samples");
    let seen = typed("64MiB");
    assert_eq!((seen.code, seen.json()["quantities"]["failed"].as_u64()), (Some(0), Some(0)), "{}", seen.stderr);
}

#[test]
fn a_plan_of_a_billion_items_takes_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("plan");
    let out = out.to_str().unwrap();
    let plan = ["plan", "elmer1997/coulomb", "--quick", "--out", out, "--items-per-task", "1"];
    let seen = limited(&[&plan[..], &["--set", "campaign.realisations=1000000000"]].concat());
    assert!(seen.code == Some(0) && seen.stdout.contains("1000000000 tasks"), "{}\n{}", seen.stdout, seen.stderr);
    let seen = limited(&["work", out, "--task", "5"]);
    assert_eq!(seen.code, Some(0), "{}", seen.stderr);
    let seen = limited(&["status", out]);
    assert!(seen.stdout.contains("999999999 items in 999999999 of 1000000000 tasks"), "{}", seen.stdout);
    assert!(seen.stdout.contains("0-4,6-999999999"), "{}", seen.stdout);
    let status = limited(&["status", out, "--json"]).json();
    assert_eq!(
        (status["tasks_missing_count"].as_u64(), status["tasks_missing"][5].as_u64()),
        (Some(999_999_999), Some(6))
    );
    let seen = limited(&["merge", out]);
    assert!(seen.code == Some(1) && seen.stderr.contains("in the tasks 0-4,6-999999999"), "{}", seen.stderr);
}

/// A map of n × n points with this number of digits.
fn map(n: usize, step: f64, digits: usize) -> String {
    let middle = 0.5 * (n - 1) as f64;
    let at = |k: usize| format!("{:.*e}", digits - 1, (k as f64 - middle) * step);
    let rows = (0..n * n).map(|k| format!("{},{},0.{}\n", at(k / n), at(k % n), 4 + k % 3));
    format!("x,y,coefficient\n{}", rows.collect::<String>())
}

#[test]
fn maps_with_nine_digits_are_regular_and_large_ones_stay_within_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.csv");
    let field = format!("system.planar_sliding.field={{file={:?}}}", path.to_str().unwrap());
    let typed = |memory: &str| {
        let shape = "system.planar_sliding.shape={square={half_side=0.004}}";
        stiction(&["run", "hu2021/moments", "--json", "--memory", memory]).set(&field).set(shape).run()
    };
    // the step is 1/3 of 1e-4 m, the last digit of a coordinate up to 1e-10 m
    fs::write(&path, map(401, 1e-4 / 3.0, 9)).unwrap();
    let seen = typed("1GiB");
    assert_eq!(seen.code, Some(0), "{}", seen.stderr);
    // five digits are not enough
    let seen = typed("1MiB");
    refused(&seen, "system.planar_sliding.field.file");
    fs::write(&path, map(401, 1e-4 / 3.0, 5)).unwrap();
    assert!(typed("1GiB").stderr.contains("not evenly spaced"));
}

#[test]
fn a_refusal_that_grows_with_two_keys_recommends_either() {
    for (scenario, study, [key, other]) in [
        ("elmer1997/basins", "basin", ["columns", "rows"]),
        ("hu2023_disc/fig4", "stability_map", ["x.points", "y.points"]),
    ] {
        let settings = [key, other].map(|key| format!("study.{study}.{key}=4000"));
        let seen = asked(scenario, &[&settings[0], &settings[1], "memory=\"1 GiB\""]);
        refused(&seen, &format!("study.{study}.{key}"));
        assert!(seen.stderr.contains(&format!(", or give `{other}` at most ")), "{}", seen.stderr);
    }
}

#[test]
fn maps_that_claim_a_fine_grid_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("two.csv", "0.5,0.6\n0.5,0.6\n"),
        ("four.csv", "x,y,coefficient\n-50,-50,0.5\n-50,50,0.5\n50,-50,0.5\n50,50,0.5\n"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        for (scenario, system) in [("hu2023_belt/realisation", "belt_disc"), ("hu2021/moments", "planar_sliding")] {
            for step in ["1e-6", "1e-300"] {
                let field = format!("system.{system}.field={{file={:?}, grid_step={step}}}", path.to_str().unwrap());
                let seen = asked(scenario, &[&field]);
                assert!(matches!(seen.code, Some(0 | 1)), "{}\n{}", seen.typed, seen.stderr);
            }
        }
    }
}
