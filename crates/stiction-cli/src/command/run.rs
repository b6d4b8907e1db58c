//! `stiction run`: a scenario from its text to its folder of results.

use crate::args;
use crate::failure::Failure;
use crate::progress::Teller;
use crate::{interrupt, terminal, which};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use stiction_lab::report::{self, ReportError, RunRecord};
use stiction_lab::scenario::{Scenario, Size, read};
use stiction_lab::study::{self, StudyError};

pub(crate) fn run(arguments: &args::Run) -> Result<(), Failure> {
    let chosen = which::find(arguments.scenario.scenario.as_deref())?;
    let size = if arguments.quick { Size::Quick } else { Size::Full };
    let scenario = read(chosen.source, &settings(arguments), size)?;
    if arguments.quick && !scenario.reduced {
        terminal::say("note: this scenario has no table [quick]; --quick changes nothing");
    }
    let resolved = scenario.resolved().map_err(|error| Failure::run(error.to_string(), ""))?;
    let folder = folder(arguments, &chosen.name);
    if let Some(folder) = &folder {
        // better before the work than after it
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    start_threads(arguments)?;
    interrupt::listen();

    let teller = Teller::new(arguments.json);
    let outcome = study::run(&scenario, &teller);
    teller.finish();
    let outcome = outcome.map_err(|error| unanswered(error, &scenario))?;

    let record = RunRecord::new(&chosen.name, &command_line(&chosen.word, arguments), &scenario, &resolved, outcome);
    let written = match &folder {
        Some(folder) => Some(report::write_run(&record, folder, arguments.format.into()).map_err(unwritten)?),
        None => None,
    };
    let files = written.as_ref().map_or(&[][..], |written| &written.files);
    let warnings = written.as_ref().map_or(&[][..], |written| &written.warnings);
    if arguments.json {
        for warning in record.outcome.to_json().warnings.iter().chain(warnings) {
            terminal::say(&format!("warning: {warning}"));
        }
        terminal::print(&record.summary_text(files, warnings))?;
    } else {
        terminal::print(&report::human_summary(&record, written.as_ref()))?;
    }
    Ok(())
}

/// The settings in their order; the seed counts as the last of them.
fn settings(arguments: &args::Run) -> Vec<String> {
    let seed = arguments.seed.map(|seed| format!("seed={seed}"));
    arguments.scenario.settings.iter().cloned().chain(seed).collect()
}

/// Where the results go. A program that only reads the summary gets no folder that it did not ask for.
fn folder(arguments: &args::Run, name: &str) -> Option<PathBuf> {
    match &arguments.out {
        Some(folder) => Some(folder.clone()),
        None if arguments.json => None,
        None => Some(Path::new("stiction-out").join(name)),
    }
}

/// A motion that cannot be computed has parameters that do not fit together: they are shown, since any of them may be meant.
fn unanswered(error: StudyError, scenario: &Scenario) -> Failure {
    let StudyError::Integration(_) = &error else { return error.into() };
    let mut numbers = Vec::new();
    if let Ok(system) = serde_json::to_value(&scenario.system) {
        collect_numbers(&system, "system", &mut numbers);
    }
    let hint = format!(
        "the usual reason is a parameter of a wrong size, or a law without bounds; these are {}",
        numbers.join(", ")
    );
    Failure::run(error.to_string(), hint)
}

/// Every number below a place, as `path = value`.
fn collect_numbers(place: &Json, path: &str, numbers: &mut Vec<String>) {
    match place {
        Json::Object(table) => {
            table.iter().for_each(|(key, value)| collect_numbers(value, &format!("{path}.{key}"), numbers));
        }
        Json::Number(number) => numbers.push(format!("{path} = {number}")),
        _ => {}
    }
}

fn unwritable(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::run(format!("cannot write into `{}`: {error}", folder.display()), "choose another folder with --out DIR")
}

#[allow(clippy::needless_pass_by_value)] // for map_err
fn unwritten(error: ReportError) -> Failure {
    Failure::run(error.to_string(), "choose another folder with --out DIR")
}

fn start_threads(arguments: &args::Run) -> Result<(), Failure> {
    let Some(threads) = arguments.threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .build_global()
        .map_err(|error| Failure::run(format!("cannot start {threads} threads: {error}"), ""))
}

/// The command that repeats the run. What does not change the answer (threads, folder, format) is left out: the files of a
/// run have the same bytes wherever and however fast it was made.
fn command_line(word: &str, arguments: &args::Run) -> String {
    let mut words = vec!["stiction".to_owned(), "run".to_owned(), word.to_owned()];
    if arguments.quick {
        words.push("--quick".to_owned());
    }
    for setting in &arguments.scenario.settings {
        words.extend(["--set".to_owned(), setting.clone()]);
    }
    if let Some(seed) = arguments.seed {
        words.extend(["--seed".to_owned(), seed.to_string()]);
    }
    let plain = |c: char| c.is_alphanumeric() || "-_./=+:,".contains(c);
    let quoted = words.into_iter().map(|word| {
        if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    });
    quoted.collect::<Vec<_>>().join(" ")
}
