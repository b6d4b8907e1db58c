//! `stiction run`: a scenario from its text to its folder of results.

use super::answer::{Delivery, Job};
use crate::args;
use crate::failure::Failure;
use crate::{terminal, which};
use std::path::{Path, PathBuf};
use stiction_lab::keep::Role;
use stiction_lab::scenario::{Size, read};

pub(crate) fn run(arguments: &args::Run) -> Result<(), Failure> {
    let job = asked(&arguments.question)?;
    let folder = folder(arguments, &job.name);
    let args::Run { format, telling, restart, .. } = *arguments;
    job.answer(&Delivery { folder, format, telling, role: Role::Run, restart })
}

/// The scenario that is asked for, read and checked.
pub(super) fn asked(question: &args::Question) -> Result<Job, Failure> {
    let chosen = which::find(question.scenario.scenario.as_deref())?;
    let size = if question.quick { Size::Quick } else { Size::Full };
    let mut scenario = read(chosen.source, &settings(question), size)?;
    question.limit.apply(&mut scenario);
    if question.quick && !scenario.reduced {
        terminal::say("note: this scenario has no table [quick]; --quick changes nothing");
    }
    for note in &scenario.notes {
        terminal::say(note);
    }
    Job::new(&chosen.name, &command_line(&chosen.word, question), scenario)
}

/// The settings in their order; those with arguments of their own count as the last of them.
fn settings(question: &args::Question) -> Vec<String> {
    let seed = question.seed.map(|seed| format!("seed={seed}"));
    // a TOML string: JSON writes one
    let rule = question
        .stop_when
        .as_ref()
        .map(|rule| format!("campaign.stop_when={}", serde_json::Value::from(rule.as_str())));
    question.scenario.settings.iter().cloned().chain(seed).chain(rule).collect()
}

/// Where the results go. A program that only reads the summary gets no folder that it did not ask for.
fn folder(arguments: &args::Run, name: &str) -> Option<PathBuf> {
    match &arguments.out {
        Some(folder) => Some(folder.clone()),
        None if arguments.telling.json => None,
        None => Some(Path::new("stiction-out").join(name)),
    }
}

/// The command that repeats the run. What does not change the answer (threads, memory, folder, format) is left out: the files of a
/// run have the same bytes wherever and however fast it was made.
fn command_line(word: &str, question: &args::Question) -> String {
    let mut words = vec!["stiction".to_owned(), "run".to_owned(), word.to_owned()];
    if question.quick {
        words.push("--quick".to_owned());
    }
    for setting in &question.scenario.settings {
        words.extend(["--set".to_owned(), setting.clone()]);
    }
    if let Some(seed) = question.seed {
        words.extend(["--seed".to_owned(), seed.to_string()]);
    }
    if let Some(rule) = &question.stop_when {
        words.extend(["--stop-when".to_owned(), rule.clone()]);
    }
    let plain = |c: char| c.is_alphanumeric() || "-_./=+:,".contains(c);
    let quoted = words.into_iter().map(|word| {
        if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    });
    quoted.collect::<Vec<_>>().join(" ")
}
