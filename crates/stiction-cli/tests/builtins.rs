//! Every built-in scenario, run as a user would: reduced, once for all tests of this file, and once more on other threads.

mod support;

#[path = "support/golden.rs"]
mod golden;

use golden::HOW;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Instant;
use stiction_lab::scenario::{Size, builtin, explain, read};
use stiction_lab::study::{Answers, Meaning, result};
use support::{contents, names, nulls, stiction, words};
use tempfile::{TempDir, tempdir};

/// What every built-in scenario left behind, run reduced, once for all tests: figures by the gallery, the others alone.
struct Pass {
    folder: TempDir,
    markdown: TempDir,
    /// Names and seconds.
    runs: Vec<(String, f64)>,
}

#[allow(clippy::disallowed_methods, reason = "quick scenarios are run more often than slow ones")]
static PASS: LazyLock<Pass> = LazyLock::new(|| {
    let (folder, markdown) = (tempdir().unwrap(), tempdir().unwrap());
    let made = stiction(&["gallery", "--quick", "--markdown", markdown.path().to_str().unwrap()]);
    made.out(folder.path()).within(1200).run().succeeds();
    let times: Json = serde_json::from_slice(&fs::read(folder.path().join("times.json")).unwrap()).unwrap();
    let mut runs = Vec::new();
    for name in names() {
        let seconds = times[&name].as_f64().unwrap_or_else(|| {
            let start = Instant::now();
            let run = stiction(&["run", &name, "--quick"]).out(&folder.path().join(&name)).within(300).run().succeeds();
            assert!(run.stdout.lines().count() <= 15, "{name}:\n{}", run.stdout);
            start.elapsed().as_secs_f64()
        });
        runs.push((name, seconds));
    }
    Pass { folder, markdown, runs }
});

/// Gives what every built-in scenario left behind to a check.
fn for_every_built_in(check: impl Fn(&str, &Json, &[(String, Vec<u8>)])) {
    for (name, _) in &PASS.runs {
        let files: Vec<_> = contents(&PASS.folder.path().join(name)).into_iter().collect();
        let summary = files.iter().find(|(file, _)| file == "summary.json").unwrap();
        check(name, &serde_json::from_slice(&summary.1).unwrap(), &files);
    }
}

/// A scenario that takes longer runs twice in all, not three times [s].
const QUICK: f64 = 1.0;

#[test]
fn the_number_of_threads_changes_no_byte() {
    for (scenario, seconds) in &PASS.runs {
        let first = contents(&PASS.folder.path().join(scenario));
        let threads: &[&str] = if *seconds < QUICK { &["1", "7"] } else { &["7"] };
        for threads in threads {
            let folder = tempdir().unwrap();
            let run = stiction(&["run", scenario, "--quick", "--threads", threads]);
            run.out(folder.path()).within(300).run().succeeds();
            let again = contents(folder.path());
            for name in first.keys() {
                assert!(again.get(name) == first.get(name), "{scenario}: {name} differs with {threads} threads");
            }
            assert_eq!(again.len(), first.len(), "{scenario}");
        }
    }
}

/// Errors of answers that hold for reduced runs too.
#[test]
fn every_claim_is_decided_and_holds_or_names_its_erratum() {
    let mut wrong = Vec::new();
    let decided = std::cell::Cell::new(0);
    let told = |name: &str, claim: &Json, what: &str| format!("{name}: {}: {what}", claim["statement"]);
    let found = std::cell::RefCell::new(&mut wrong);
    for_every_built_in(|name, summary, _| {
        for claim in summary["claims"].as_array().unwrap() {
            if claim["holds"].is_null() {
                continue; // needs the full size
            }
            decided.set(decided.get() + 1);
            let (holds, erratum) = (claim["holds"] == true, claim["erratum"].is_string());
            if holds && erratum {
                found.borrow_mut().push(told(name, claim, "holds, but names an erratum"));
            } else if !holds && !erratum {
                let value = format!("{} is not {}", claim["value"], claim["band"]);
                found.borrow_mut().push(told(name, claim, &value));
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(decided.get() > 300, "only {} claims are decided", decided.get());
}

#[test]
fn the_gallery_has_every_figure_and_every_verdict() {
    let page = fs::read_to_string(PASS.folder.path().join("index.html")).unwrap();
    let figures: Vec<&String> = PASS.runs.iter().map(|(name, _)| name).filter(|name| name.contains("/fig")).collect();
    assert!(figures.len() > 40, "only {} figures", figures.len());
    for name in figures {
        assert!(page.contains(&format!("id=\"{}\"", name.replace('/', "-"))), "{name}");
    }
    assert!(!page.contains("not decided") && !page.contains("No answer") && !page.contains("NaN"));
    // a second time everything is there already
    let again = stiction(&["gallery", "--quick"]).out(PASS.folder.path()).run().succeeds();
    // on a slow machine lines of progress stand between them
    let mut lines = again.stderr.lines().filter(|line| !line.starts_with('['));
    assert!(lines.all(|line| line.ends_with("as it was")), "{}", again.stderr);
    assert!(page == fs::read_to_string(PASS.folder.path().join("index.html")).unwrap());
}

#[test]
fn the_committed_gallery_is_what_the_program_makes() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/gallery");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let _ = fs::remove_dir_all(&committed);
        fs::create_dir_all(&committed).unwrap();
        for (name, bytes) in contents(PASS.markdown.path()) {
            fs::write(committed.join(name), bytes).unwrap();
        }
    }
    let (made, kept) = (contents(PASS.markdown.path()), contents(&committed));
    assert_eq!(made.keys().collect::<Vec<_>>(), kept.keys().collect::<Vec<_>>(), "{HOW}");
    let text = |files: &BTreeMap<String, Vec<u8>>| String::from_utf8(files["README.md"].clone()).unwrap();
    let (made, kept) = (text(&made), text(&kept));
    for (made, kept) in made.lines().zip(kept.lines()) {
        assert_eq!(made, kept, "{HOW}");
    }
    assert_eq!(made.lines().count(), kept.lines().count(), "{HOW}");
}

#[test]
fn every_null_of_a_built_in_has_a_warning_that_names_it_and_says_why() {
    let count = std::cell::Cell::new(0);
    for_every_built_in(|name, summary, _| {
        let warnings = words(&summary["warnings"]);
        for (quantity, value) in summary["quantities"].as_object().unwrap() {
            if nulls(value).is_empty() {
                continue;
            }
            count.set(count.get() + 1);
            let letter = |sign: char| sign.is_alphanumeric() || "_[]".contains(sign);
            let named = |warning: &&&str| warning.split(|sign| !letter(sign)).any(|word| word == quantity);
            let warning = warnings.iter().find(named);
            let warning = warning.unwrap_or_else(|| panic!("{name}: no warning names {quantity}, which is {value}"));
            assert!(!warning.contains("not defined for these parameters"), "{name}: {warning}");
        }
    });
    assert!(count.get() > 100, "only {} nulls", count.get());
}

#[test]
fn every_built_in_runs_reduced_to_finite_numbers_and_readable_pictures() {
    for_every_built_in(|name, summary, files| {
        assert_eq!(summary["scenario"], name);
        assert!(!summary["quantities"].as_object().unwrap().is_empty(), "{name} answers nothing");
        for warning in words(&summary["warnings"]) {
            assert!(!warning.contains("not finite") && !warning.contains("picture is missing"), "{name}: {warning}");
        }
        for (file, bytes) in files {
            let place = format!("{name}: {file}");
            match file.rsplit('.').next() {
                Some("svg") => is_readable_svg(&place, bytes),
                Some("png") => is_readable_png(&place, bytes),
                Some("html") => {
                    let page = String::from_utf8_lossy(bytes);
                    assert!(page.ends_with("</html>\n") && !page.contains("NaN"), "{place}");
                }
                _ => assert!(!bytes.is_empty(), "{place}"),
            }
        }
    });
}

fn is_readable_svg(place: &str, bytes: &[u8]) {
    let svg = std::str::from_utf8(bytes).unwrap();
    assert!(svg.contains("<svg ") && svg.trim_end().ends_with("</svg>"), "{place}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{place}");
    let sizes = svg.split("font-size=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse::<f64>().unwrap());
    let smallest = sizes.fold(f64::INFINITY, f64::min);
    // subscripts of the smallest text that journals print
    assert!((4.9..20.0).contains(&smallest), "{place}: the smallest text has {smallest} pt");
    // both axes say what they show
    assert!(svg.matches("rotate(-90)").count() >= 1, "{place}: no label at the vertical axis");
}

fn is_readable_png(place: &str, bytes: &[u8]) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert!(info.width >= 800 && info.height >= 400, "{place} is {} x {}", info.width, info.height);
    let channels = info.color_type.samples();
    let colors: BTreeSet<&[u8]> = pixels.chunks_exact(channels).step_by(7).collect();
    assert!(colors.len() >= 8, "{place} has {} colours: it is empty", colors.len());
}

#[test]
fn the_default_scenario_is_in_the_list_and_runs() {
    let list = stiction(&["list"]).run().succeeds().stdout;
    let marked: Vec<&str> = list.lines().filter(|line| line.ends_with("(default)")).collect();
    assert_eq!(marked.len(), 1, "{list}");
    let name = marked[0].split_whitespace().next().unwrap();
    let summary = stiction(&["run", "--quick", "--json"]).run().succeeds().json();
    assert_eq!(summary["scenario"], name);
    let shown = stiction(&["show"]).run().succeeds().stdout;
    assert_eq!(shown, stiction(&["show", name]).run().succeeds().stdout);
}

#[test]
fn claims_are_told_with_the_value_that_decides_them() {
    for_every_built_in(|name, summary, _| {
        for claim in summary["claims"].as_array().unwrap() {
            assert!(
                (claim["holds"].is_boolean() || claim["holds"].is_null())
                    && claim["erratum"].is_null() != claim["erratum"].is_string(),
                "{name}"
            );
            for key in ["statement", "source", "quantity", "band"] {
                assert!(claim[key].as_str().is_some_and(|text| !text.is_empty()), "{name}: {claim}");
            }
            // the value itself, not its text: a number stays a number; a claim that there is none has none, and a claim that
            // needs the full size may ask for a row that a reduced run does not have
            let may_be_missing = claim["band"] == "no value" || claim["holds"].is_null();
            assert!(!claim["value"].is_null() || may_be_missing, "{name}: {claim}");
        }
    });
}

/// `study/answers.txt` lists what every built-in scenario leaves behind, and nothing that none of them does.
#[test]
fn every_study_leaves_behind_what_is_listed_for_it() {
    let wrong = std::cell::RefCell::new(Vec::new());
    let (seen, listed) = (std::cell::RefCell::new(BTreeSet::new()), std::cell::RefCell::new(BTreeSet::new()));
    for_every_built_in(|name, summary, _| {
        let scenario = read(builtin(name).unwrap().source(), &[], Size::Quick).unwrap();
        let answers = Answers::of(&scenario.study, &scenario.system).unwrap();
        let study = scenario.study.name();
        for table in &answers.tables {
            let place = |column: &str| format!("{study}: {}.{column}", table.name);
            listed.borrow_mut().extend(table.columns.iter().map(|column| place(&column.name)));
        }
        let is_campaign = scenario.campaign.is_some();
        for (table, about) in summary["tables"].as_object().unwrap() {
            // a campaign keeps the tables of its items, with columns for what differs between them
            let own = if is_campaign { table.strip_prefix("items_") } else { Some(table.as_str()) };
            let Some(own) = own else { continue };
            let known = answers.tables.iter().find(|known| known.name == own);
            for (column, told) in about["columns"].as_object().unwrap() {
                seen.borrow_mut().insert(format!("{study}: {own}.{column}"));
                let kind = known.and_then(|known| known.column(column)).map(|column| column.data.kind() == "word");
                if kind != Some(told["type"] == "word") && !(is_campaign && known.is_some() && kind.is_none()) {
                    wrong.borrow_mut().push(format!("{name}: {table}.{column} ({})", told["type"]));
                }
            }
        }
        if is_campaign {
            return;
        }
        for quantity in summary["quantities"].as_object().unwrap().keys().filter(|name| !answers.has_quantity(name)) {
            wrong.borrow_mut().push(format!("{name}: quantity {quantity}"));
        }
    });
    let (seen, listed) = (seen.into_inner(), listed.into_inner());
    let never: Vec<&String> = listed.difference(&seen).collect();
    let wrong = wrong.into_inner();
    assert!(wrong.is_empty(), "not in study/answers.txt:\n{}", wrong.join("\n"));
    assert!(never.is_empty(), "in study/answers.txt, but never seen: {never:?}");
}

/// The answer of every built-in scenario is one sentence with its numbers, and `explain` knows every quantity with its unit.
#[test]
fn every_answer_is_a_sentence_and_every_quantity_is_explained() {
    let wrong = std::cell::RefCell::new(Vec::new());
    for_every_built_in(|name, summary, files| {
        let answer = summary["answer"].as_str().unwrap();
        if !answer.ends_with('.') || answer.contains(['{', '}', '[', '\n']) || answer.chars().count() > 300 {
            wrong.borrow_mut().push(format!("{name}: {answer:?}"));
        }
        let report = files.iter().find(|(file, _)| file == "report.html").unwrap();
        let page = String::from_utf8_lossy(&report.1);
        assert!(page.contains("class=\"answer\"") && page.contains("All numbers"), "{name}");
        let study = summary["study"].as_str().unwrap();
        let is_campaign = summary["quantities"].get("points").is_some();
        for (quantity, _) in summary["quantities"].as_object().unwrap() {
            let stem = quantity.split(['[', '.']).next().unwrap();
            let unit = summary["units"][quantity].as_str().unwrap_or_default();
            let listed = result(study, stem);
            let same = |listed: &Meaning| listed.unit().is_none_or(|listed| listed == unit) || is_campaign;
            if explain(stem).is_err() || !listed.as_ref().is_some_and(same) {
                wrong.borrow_mut().push(format!("{name}: {quantity} [{unit}] is listed as {listed:?}"));
            }
        }
    });
    let wrong = wrong.into_inner();
    assert!(wrong.is_empty(), "see study/results.txt and answer/headlines.txt:\n{}", wrong.join("\n"));
}

#[test]
fn the_answers_of_each_mechanism_are_what_they_were() {
    let mut wrong = Vec::new();
    for name in golden::SCENARIOS {
        let summary = fs::read(PASS.folder.path().join(name).join("summary.json")).unwrap();
        let summary: Json = serde_json::from_slice(&summary).unwrap();
        golden::check(name, &golden::answers(&summary["quantities"]), &mut wrong);
    }
    assert!(wrong.is_empty(), "{}\nif these are improvements: {HOW}", wrong.join("\n"));
}

#[test]
fn the_table_of_a_campaign_is_what_it_was() {
    let folder = tempdir().unwrap();
    let vary = "campaign.vary=[{key=\"system.spring_block.drive_speed\",values=[0.05,0.15,1.3]}]";
    let run = stiction(&["run", "elmer1997/attractors", "--format", "csv"]).set(vary);
    run.out(folder.path()).run().succeeds();
    let mut wrong = Vec::new();
    let table = fs::read_to_string(folder.path().join("items.csv")).unwrap();
    golden::check("campaign", &golden::cells(&table), &mut wrong);
    assert!(wrong.is_empty(), "{}\nif these are improvements: {HOW}", wrong.join("\n"));
}

/// Other values for a key of `[solver]`, where it is what the record says: one of them has an effect.
fn others(key: &str, recorded: &Json) -> Vec<String> {
    let tolerance = |factor: f64| {
        let other = recorded.as_f64().map_or(1e-6, |now| if now < 1e-8 { now * factor } else { now / 10.0 });
        vec![format!("{other:e}")]
    };
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    match key {
        "method" => words(if recorded == "rodas4p" { &["rodas5p"] } else { &["rk4"] }),
        "relative_tolerance" => tolerance(10.0),
        "absolute_tolerance" => tolerance(1e4),
        // light blocks take shorter steps anyway
        "max_step" => words(&["0.02", "0.0001"]),
        "max_steps" => words(&["7"]),
        _ => words(&["false"]),
    }
}

/// Why a key of `[solver]` is neither refused by its name nor changes what is recorded of the work; none if it is or does.
fn idle(name: &str, before: &Json, key: &str, value: &str) -> Option<String> {
    let setting = format!("solver.{key}={value}");
    let seen = stiction(&["run", name, "--quick", "--json", "--set", &setting]).within(300).run();
    let wrong = |why: &str| Some(format!("{name}, {setting}: {why} {}", seen.stderr));
    match seen.code {
        Some(2) if !seen.stderr.contains(&format!("solver.{key}")) => wrong("another key is refused"),
        Some(2) if before.get(key).is_some() && key != "method" => wrong("is recorded, but refused"),
        Some(2) => None,
        // motions that may not take so few steps, or need too many, fail
        Some(1) if ["steps", "followed", "tolerance"].iter().any(|reason| seen.stderr.contains(reason)) => None,
        Some(0) => {
            let summary: Json = serde_json::from_str(&seen.stdout).unwrap();
            let after = &summary["provenance"]["solver"];
            let work = |of: &Json| ["steps", "evaluations", "closed_form_events"].map(|name| of[name].clone());
            let given = serde_json::from_str(value).unwrap_or_else(|_| Json::from(value));
            match (work(before) != work(after), after[key] == given) {
                (true, true) => None,
                (false, _) => wrong("changes nothing"),
                (_, false) => wrong("is not recorded"),
            }
        }
        _ => wrong("fails"),
    }
}

#[test]
fn every_key_of_the_solver_changes_the_work_or_is_refused() {
    let keys = ["method", "relative_tolerance", "absolute_tolerance", "max_step", "max_steps", "closed_form"];
    let seconds: BTreeMap<&str, f64> = PASS.runs.iter().map(|(name, seconds)| (name.as_str(), *seconds)).collect();
    for_every_built_in(|name, summary, _| {
        let before = &summary["provenance"]["solver"];
        for key in keys {
            // slow scenarios are asked about what is refused, and one key that makes them faster or hardly slower
            let runs = before.get(key).is_some() || key == "max_step" && !before.is_null();
            if runs && seconds[name] > QUICK && key != "relative_tolerance" {
                continue;
            }
            let found: Vec<_> =
                others(key, &before[key]).iter().map_while(|value| idle(name, before, key, value)).collect();
            assert!(found.len() < others(key, &before[key]).len(), "{}", found.join("\n"));
        }
    });
}
