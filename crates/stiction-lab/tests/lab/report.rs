//! What a run leaves behind.

use crate::golden::assert_golden;
use crate::record;
use std::collections::BTreeMap;
use std::path::Path;
use stiction_lab::figure::Figure;
use stiction_lab::report::{FolderError, ReportError, TableFormat, full_summary, short_summary, write_run};

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn a_run_leaves_the_files_that_it_lists_and_the_same_bytes_twice() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let written = write_run(&record::record(), first.path(), TableFormat::Parquet).unwrap();
    write_run(&record::record(), second.path(), TableFormat::Parquet).unwrap();
    let files = contents(first.path());
    assert_eq!(files.keys().cloned().collect::<Vec<_>>(), written.files);
    assert_eq!(files, contents(second.path()));
    for name in ["motion.parquet", "history.svg", "history.png", "scenario.toml", "report.html", "summary.json"] {
        assert!(files.contains_key(name), "{name}");
    }
    let svg = String::from_utf8_lossy(&files["history.svg"]).into_owned();
    let hash = record::record().provenance.scenario_sha256;
    assert!(svg.contains(&format!("scenario_sha256: {hash}\n")), "{}", &svg[..600]);
    assert!(files["history.png"].windows(hash.len()).any(|part| part == hash.as_bytes()));
    // once more over itself, as CSV: the old tables go
    let again = write_run(&record::record(), first.path(), TableFormat::Csv).unwrap();
    assert_eq!(contents(first.path()).into_keys().collect::<Vec<_>>(), again.files);
    assert!(again.files.contains(&"motion.csv".to_owned()) && !again.files.contains(&"motion.parquet".to_owned()));
}

#[test]
fn the_page_of_a_run_is_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    write_run(&record::record(), folder.path(), TableFormat::Csv).unwrap();
    assert_golden("report.html", &std::fs::read_to_string(folder.path().join("report.html")).unwrap());
}

#[test]
fn the_summary_has_what_programs_read() {
    let folder = tempfile::tempdir().unwrap();
    write_run(&record::record(), folder.path(), TableFormat::Csv).unwrap();
    let text = std::fs::read_to_string(folder.path().join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(summary["scenario"], "elmer1997/fig3");
    assert_eq!(summary["study"], "bifurcation_diagram");
    assert_eq!(summary["quantities"]["period"], 2.094_395_102_393_195_3);
    assert_eq!(summary["quantities"]["attractors"], serde_json::json!(["CS", "SS"]));
    assert!(summary["quantities"]["critical_speed"].is_null() && summary["quantities"]["lyapunov_exponent"].is_null());
    assert_eq!(summary["units"]["period"], "s");
    assert_eq!(summary["events"].as_array().unwrap().len(), 250);
    assert_eq!(summary["warnings"].as_array().unwrap().len(), 2);
    assert!(summary["warnings"][1].as_str().unwrap().contains("lyapunov_exponent"));
    assert_eq!(summary["claims"][1]["erratum"], "E-03");
    assert_eq!(summary["tables"]["motion"]["columns"]["time"]["unit"], "s");
    assert_eq!(summary["provenance"]["seed"], 7);
    assert_eq!(summary["provenance"]["tolerances"]["relative"], 1e-12);
    assert!(summary["files"].as_array().unwrap().contains(&"summary.json".into()));
}

#[test]
fn a_picture_that_cannot_be_drawn_does_not_cost_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = record::record();
    record.figures.push(toml::from_str::<Figure>(r#"lines = { x = "time", y = "velocty" }"#).unwrap());
    let written = write_run(&record, folder.path(), TableFormat::Csv).unwrap();
    assert_eq!(written.warnings.len(), 1);
    let report = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(report.contains("a picture is missing") && report.contains("velocty"));
}

#[test]
fn the_page_stands_alone_and_escapes_what_it_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = record::record();
    for text in [
        &mut record.title,
        &mut record.description,
        &mut record.study,
        &mut record.command,
        &mut record.answer.sentence,
    ] {
        text.push_str("<script>alert(1)</script>\"'");
    }
    record.resolved.push_str("# <script>alert(1)</script>\"'\n");
    record.outcome.push("<script>", "<script>", "<script>");
    record.claims[0].statement = "<script>".to_owned();
    record.outcome.events[0][0].0 = "<script>".to_owned();
    record.figures[0].title = "<script>".to_owned();
    record.figures[0].caption = "<script>".to_owned();
    record.figures[0].name = Some("\"><script>".to_owned());
    write_run(&record, folder.path(), TableFormat::Csv).unwrap();
    let report = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(!report.contains("<script") && !report.contains("src=") && !report.contains("@import"));
    let links = report.matches("http").count();
    // the only address is the name of SVG's language
    assert_eq!(links, report.matches("http://www.w3.org/2000/svg").count());
    assert!(report.contains("the first 200 of 250") && report.contains("does not hold (E-03)"));
    for command in ["--set system.spring_block.mass=10", "pandas.read_csv", "stiction explain period"] {
        assert!(report.contains(command), "{command}");
    }
    let place = |text: &str| report.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(
        place("class=\"answer\"") < place("class=\"warnings\"")
            && place("The numbers that matter") < place("All numbers")
    );
}

#[test]
fn a_person_reads_the_answer_in_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let written = write_run(&record::record(), folder.path(), TableFormat::Csv).unwrap();
    let text = short_summary(&record::record(), Some(&written));
    assert!(text.starts_with("Stick-slip has a period of 2.09 s; "), "{text}");
    assert!(text.contains("\n  period       2.0944 s                    duration of one cycle\n"), "{text}");
    assert!(
        text.contains("  iterates     0 to 29.9 s (300 values)    release positions after the transient\n"),
        "{text}"
    );
    assert!(!text.contains("critical_speed") && !text.contains("lyapunov"), "{text}");
    assert!(
        text.contains("\n1 of 2 claims hold\n  does not hold: the fold is at v0 = 0.3 (known erratum E-03)\n"),
        "{text}"
    );
    assert!(text.contains("\n2 warnings, the first: the law has no") && text.contains("report.html"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100 || line.contains("report: ")), "{text}");
    assert!(text.lines().count() <= 15, "{text}");
}

#[test]
fn a_summary_never_has_more_than_fifteen_lines() {
    let mut record = record::record();
    record.answer.sentence = "a long answer ".repeat(20);
    let failing = record.claims[1].clone();
    record.claims.extend(vec![failing; 40]);
    record.outcome.warnings.extend(vec!["something is odd ".repeat(30); 40]);
    record.answer.main = record.outcome.quantities.iter().map(|quantity| quantity.name.clone()).collect();
    let folder = tempfile::tempdir().unwrap();
    let written = write_run(&record, folder.path(), TableFormat::Csv).unwrap();
    let text = short_summary(&record, Some(&written));
    assert!(text.lines().count() <= 15 && text.contains("and 38 more that do not hold"), "{text}");
    assert!(text.contains("  period ") && text.contains("42 warnings"), "{text}");
}

#[test]
fn all_of_the_answer_is_printed_where_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let written = write_run(&record::record(), folder.path(), TableFormat::Csv).unwrap();
    let text = full_summary(&record::record(), Some(&written));
    assert!(text.contains("  period             2.0944 s (duration of one cycle)\n"), "{text}");
    assert!(text.contains("  critical_speed     none (drive speed above which there is no stick-slip)\n"), "{text}");
    assert!(text.contains("1 of 2 claims hold") && text.contains("does not hold (E-03)"), "{text}");
    assert!(text.contains("(300 in all)") && text.contains("warning: ") && text.contains("report.html"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100 || line.contains("files in")), "{text}");
}

#[test]
fn the_scenario_of_the_user_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scenario.toml"), "mine").unwrap();
    let error = write_run(&record::record(), folder.path(), TableFormat::Csv).unwrap_err();
    assert!(matches!(error, ReportError::Folder(FolderError::Foreign { .. })), "{error}");
    assert_eq!(contents(folder.path()).into_keys().collect::<Vec<_>>(), ["scenario.toml"]);
}
