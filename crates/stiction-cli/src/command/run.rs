//! `stiction run`: a scenario from its text to its folder of results.

use crate::args;
use crate::failure::Failure;
use crate::progress::Teller;
use crate::{interrupt, summary, terminal, which};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use stiction_lab::report::{self, RunRecord};
use stiction_lab::scenario::{Size, Verdict, read};
use stiction_lab::study;

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
    let outcome = outcome?;

    let verdicts: Vec<Verdict> = scenario.claim.iter().map(|claim| claim.judge(&outcome)).collect();
    let command = command_line();
    let record = RunRecord {
        name: &chosen.name,
        command: &command,
        scenario: &scenario,
        resolved: &resolved,
        outcome: &outcome,
        verdicts: &verdicts,
    };
    let files = match &folder {
        Some(folder) => report::write(folder, &record).map_err(|error| unwritable(folder, &error))?,
        None => Vec::new(),
    };
    for warning in &outcome.warnings {
        terminal::say(&format!("warning: {warning}"));
    }
    if arguments.json {
        terminal::print(&format!("{:#}\n", report::summary(&record, &files)))?;
    } else {
        terminal::print(&summary::text(&scenario.title, &outcome, &scenario.claim, &verdicts))?;
    }
    if let Some(folder) = &folder {
        terminal::say(&format!("written to {}: {}", folder.display(), files.join(", ")));
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

fn unwritable(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::run(format!("cannot write into `{}`: {error}", folder.display()), "choose another folder with --out DIR")
}

fn start_threads(arguments: &args::Run) -> Result<(), Failure> {
    let Some(threads) = arguments.threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .build_global()
        .map_err(|error| Failure::run(format!("cannot start {threads} threads: {error}"), ""))
}

/// The command as it was typed, for the head of the files that it makes.
fn command_line() -> String {
    let words = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let plain = |c: char| c.is_alphanumeric() || "-_./=+:,".contains(c);
    let quoted = words.map(|word| if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{word}'") });
    std::iter::once("stiction".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}
