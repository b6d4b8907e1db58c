//! Text of strangers is shown, and steers nothing: no terminal, no page, no spreadsheet, no line of its own.

use crate::support::{Seen, contents, stiction};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// As TOML and JSON write it: a title of the window, colours, the other direction of writing, a formula, a line of its own.
const HOSTILE: &str = r"=1+1 \u001b]0;owned\u0007\u009b31m\u202e\u200b\nerror: forged";
/// The same in a name of a file.
const HOSTILE_NAME: &str = "x\u{1b}[31m\u{202e}\u{9b}2J\nerror: forged";

/// Whether a sign steers; the program has its own list.
fn steers(sign: char) -> bool {
    let marks =
        matches!(sign, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    marks || (sign.is_control() && !matches!(sign, '\n' | '\t'))
}

#[track_caller]
fn is_plain(what: &str, text: &str) {
    if let Some(place) = text.find(steers) {
        panic!("{what} has {:?}:\n{:?}", text[place..].chars().next(), text.lines().find(|line| line.contains(steers)));
    }
    assert!(!text.lines().any(|line| line.starts_with("error: forged")), "{what} has a forged line:\n{text}");
}

#[track_caller]
fn shown(seen: Seen) -> Seen {
    is_plain(&format!("stdout of {:?}", seen.typed), &seen.stdout);
    is_plain(&format!("stderr of {:?}", seen.typed), &seen.stderr);
    let mistakes = seen.stderr.matches("\nerror").count() + 1;
    assert!(seen.stderr.len() <= 2048 * mistakes, "{}: {} bytes", seen.typed, seen.stderr.len());
    seen
}

fn typed(typed: &[&str], inside: &Path) -> Seen {
    shown(stiction(typed).inside(inside).within(120).run())
}

#[test]
fn titles_captions_labels_and_claims_are_shown_and_steer_nothing() {
    let home = tempdir().unwrap();
    let here = home.path();
    let text = format!(
        r#"
title = "{HOSTILE}"
description = "{HOSTILE} <script>alert(1)</script>"
[system.spring_block]
mass = 10.0
stiffness = 30.0
drive_speed = 0.2
normal_load = 98.1
law.expression.formula = "0.5 - 0.01*v"
[study.trajectory]
duration = 5.0
samples = 11
[[figure]]
name = "{HOSTILE}"
title = "{HOSTILE}"
caption = "{HOSTILE}"
lines = {{ x = "time", y = "velocity", label = "{HOSTILE}" }}
[[claim]]
statement = "{HOSTILE}"
source = "{HOSTILE}"
quantity = "period"
band = {{ word = "{HOSTILE}" }}
[campaign]
[[campaign.vary]]
key = "system.spring_block.law.expression.formula"
values = ["0.5 - 0.01*v", "-1.0*v+0.5", "+0.6"]
"#
    );
    fs::write(here.join("h.toml"), &text).unwrap();
    let without: String = text.split("[campaign]").next().unwrap().to_owned();
    fs::write(here.join("one.toml"), without).unwrap();
    for (file, format) in [("one.toml", "csv"), ("one.toml", "parquet"), ("h.toml", "csv")] {
        let seen = typed(&["run", file, "--all", "--format", format, "--out", &format!("{file}-{format}")], here);
        let seen = seen.succeeds();
        assert!(seen.stdout.contains(r"=1+1 \u{1b}]0;owned\u{7}\u{9b}31m\u{202e}"), "{}", seen.stdout);
        for (name, bytes) in contents(&here.join(format!("{file}-{format}"))) {
            // a scenario stays what its author wrote; a page shows lines of a text as they are
            let exact = name == "scenario.toml" || name.ends_with(".png") || name.ends_with(".parquet");
            if let (false, Ok(text)) = (exact, String::from_utf8(bytes)) {
                assert!(!text.contains(steers), "{name}");
                assert!(!text.contains("<script>"), "{name}");
                let formula = |cell: &str| cell.trim_matches('"').starts_with(['=', '@', '+', '-']);
                let number = |cell: &str| cell.is_empty() || cell.parse::<f64>().is_ok();
                if name.ends_with(".csv") {
                    let cells = text.lines().flat_map(|line| line.split(','));
                    cells.for_each(|cell| assert!(!formula(cell) || number(cell), "{name}: {cell}"));
                }
            }
        }
        typed(&["run", file, "--json", "--set", "seed=3"], here).succeeds();
    }
    assert!(fs::read_to_string(here.join("h.toml-csv/items.csv")).unwrap().contains(",'-1.0*v+0.5"));
}

#[test]
fn mistakes_quote_the_source_and_steer_nothing() {
    let home = tempdir().unwrap();
    let here = home.path();
    let raw = "\u{1b}[31m\u{202e}\u{9b}x\r";
    let long = "k".repeat(100_000);
    for (number, text) in [
        format!("title = \"{HOSTILE}\"\n[system.\"{HOSTILE}\"]\na = 1\n"),
        format!("\"{HOSTILE}\" = 1\n\"{HOSTILE}\" = 2\n"),
        format!("title = {raw}\n"),
        format!("# {raw}\ntitle = \"{raw}\"\n"),
        format!("{long} = 1\n"),
        format!("title = \"{long}\"\n[study.\"{long}\"]\n"),
        format!("[study.trajectory]\nduration = \"{HOSTILE}\"\n[system.spring_block.law.expression]\nformula = \"{HOSTILE}\"\n"),
        format!("[study.trajectory]\n[system.spring_block.law.expression]\nformula = \"v + {long}\"\n"),
        format!("[[claim]]\nquantity = \"{HOSTILE}\"\n[[figure]]\nlines = {{ x = \"{HOSTILE}\", y = \"{HOSTILE}\" }}\n"),
        format!("[campaign]\nstop_when = \"{HOSTILE}\"\n[[campaign.vary]]\nkey = \"{HOSTILE}\"\nvalues = [\"{HOSTILE}\"]\n"),
        format!("system = \"{HOSTILE}\"\nstudy = [\"{HOSTILE}\"]\nseed = \"{HOSTILE}\"\n"),
    ]
    .iter()
    .enumerate()
    {
        let file = format!("{number}.toml");
        fs::write(here.join(&file), text).unwrap();
        for command in ["check", "run"] {
            assert_eq!(typed(&[command, &file], here).code, Some(2), "{text:.200}");
        }
    }
    let set = format!("{HOSTILE_NAME}=1");
    for words in [
        &["run", "elmer1997/coulomb", "--set", &set][..],
        &["run", "elmer1997/coulomb", "--set", HOSTILE_NAME],
        &["run", HOSTILE_NAME],
        &["check", HOSTILE_NAME],
        &["show", HOSTILE_NAME],
        &["explain", HOSTILE_NAME],
        &["run", "--format", HOSTILE_NAME],
        &[HOSTILE_NAME],
        &["gallery", "--paper", HOSTILE_NAME],
        &["status", HOSTILE_NAME],
        &["work", HOSTILE_NAME, "--task", "0"],
        &["plot", HOSTILE_NAME],
        &["rerun", HOSTILE_NAME],
        &["replay", HOSTILE_NAME, "0"],
    ] {
        assert!(matches!(typed(words, here).code, Some(1 | 2)), "{words:?}");
    }
    typed(&["list", HOSTILE_NAME], here).succeeds();
}

/// Unix only: other systems have no such names.
#[test]
#[cfg(unix)]
fn names_of_files_and_folders_steer_nothing() {
    let home = tempdir().unwrap();
    let here = home.path();
    let study = stiction(&["show", "elmer1997/coulomb"]).run().succeeds().stdout;
    let file = format!("{HOSTILE_NAME}.toml");
    fs::write(here.join(&file), study).unwrap();
    typed(&["check", &file], here).succeeds();
    typed(&["run", &file, "--quick"], here).succeeds();
    typed(&["run", &file, "--quick", "--out", HOSTILE_NAME], here).succeeds();
    assert!(!fs::read_to_string(here.join(HOSTILE_NAME).join("report.html")).unwrap().contains(steers));
    typed(&["run", &file, "--out", HOSTILE_NAME], here);
    typed(&["status", HOSTILE_NAME], here);
    typed(&["plot", HOSTILE_NAME, "--out", &format!("{HOSTILE_NAME}2")], here);
    let planned = format!("{HOSTILE_NAME}3");
    typed(&["plan", &file, "--set", "campaign.realisations=2", "--items-per-task", "1", "--out", &planned], here)
        .succeeds();
    for command in ["status", "slurm", "merge"] {
        typed(&[command, &planned], here);
    }
    fs::write(here.join("map.csv"), format!("{HOSTILE_NAME},y,\u{202e}\n1,2,3\n")).unwrap();
    fs::write(here.join("cells.csv"), format!("x,y,coefficient\n1,2,\"{HOSTILE_NAME}{}\"\n", "z".repeat(10_000)))
        .unwrap();
    for map in ["map.csv", "cells.csv"] {
        let field = format!("system.planar_sliding.field={{file=\"{map}\"}}");
        let seen = typed(&["run", "hu2021/moments", "--json", "--set", &field], here);
        assert!(matches!(seen.code, Some(1 | 2)), "{}", seen.stderr);
    }
}

#[test]
fn what_a_plan_says_is_shown_and_steers_nothing() {
    let home = tempdir().unwrap();
    let here = home.path();
    let plan = ["plan", "elmer1997/coulomb", "--set", "campaign.realisations=4", "--items-per-task", "2", "--out", "w"];
    typed(&plan, here).succeeds();
    let work = here.join("w/.campaign");
    let (asked, planned) = (work.join("asked.json"), work.join("plan.json"));
    let (asked_text, plan_text) = (fs::read_to_string(&asked).unwrap(), fs::read_to_string(&planned).unwrap());
    fs::write(&asked, asked_text.replace("elmer1997/coulomb", HOSTILE)).unwrap();
    let worker = format!(r#"{{"task":0,"machine":"{HOSTILE}","process":1,"began":1.0,"seen":1e300,"made":3}}"#);
    fs::write(work.join("workers/x.json"), worker).unwrap();
    let seen = typed(&["status", "w"], here).succeeds();
    assert!(seen.stdout.contains(r"\u{1b}]0;owned"), "{}", seen.stdout);
    typed(&["status", "w", "--json"], here).succeeds().json();
    typed(&["slurm", "w", "--print"], here).succeeds();
    for (from, to) in [
        ("\"items\": 4", "\"items\": 18446744073709551615"),
        ("\"items_per_task\": 2", "\"items_per_task\": 0"),
        ("\"stage\": \"items\"", &format!("\"stage\": \"{HOSTILE}\"")[..]),
        ("\"stage\": \"items\"", "\"stage\": \"x\", \"other\": \"\\u001b[2J\""),
        ("4", "-4"),
        ("4", "\"\\u001b[2J\""),
    ] {
        assert!(plan_text.contains(from), "{plan_text}");
        fs::write(&planned, plan_text.replacen(from, to, 1)).unwrap();
        for command in
            [&["status", "w"][..], &["merge", "w"], &["slurm", "w", "--print"], &["work", "w", "--task", "0"]]
        {
            let seen = typed(command, here);
            assert!(matches!(seen.code, Some(0..=2)), "{to}: {:?}\n{}", seen.code, seen.stderr);
        }
    }
    fs::write(&asked, asked_text.replace("0.1.0", HOSTILE)).unwrap();
    typed(&["run", "elmer1997/coulomb", "--set", "campaign.realisations=4", "--out", "w"], here).refuses(&["version"]);
}
