//! The program `stiction`: a laboratory for dry friction.
//!
//! stdout carries data, stderr carries talk. Exit code 0: done; 1: the run failed; 2: the scenario or the arguments are
//! wrong; 130: stopped by the user (Ctrl-C or a termination signal).

mod args;
mod command;
mod failure;
mod interrupt;
mod progress;
mod terminal;
mod threads;
mod which;

use args::{Arguments, Command};
use clap::Parser;
use clap::error::ErrorKind;
use failure::Failure;
use std::env;
use std::process::ExitCode;
use stiction_lab::safe_text;

fn main() -> ExitCode {
    interrupt::outlive_file_limit();
    let command = match Arguments::try_parse() {
        Ok(arguments) => arguments.command,
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => return Failure::not_text(env::args_os()).report(),
        Err(error) if error.use_stderr() => return misused(error),
        // help, or the version
        Err(error) => error.exit(),
    };
    progress::start();
    let done = threads::with(command.threads(), || dispatch(command));
    progress::finish();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Arguments that are none: they may be names of files that others made.
fn misused(error: clap::Error) -> ExitCode {
    // said of arguments in which nothing steers
    let visible = env::args_os().map(|argument| safe_text::line(&argument.to_string_lossy()));
    let error = Arguments::try_parse_from(visible).err().unwrap_or(error);
    let text = safe_text::lines(&error.render().to_string());
    terminal::say_rendered(safe_text::cut(&text, safe_text::LONGEST).trim_end());
    ExitCode::from(2)
}

fn dispatch(command: Command) -> Result<(), Failure> {
    match command {
        Command::Run(arguments) => command::run(&arguments),
        Command::Plan(arguments) => command::plan(&arguments),
        Command::Work(arguments) => command::work(&arguments),
        Command::Merge(arguments) => command::merge(&arguments),
        Command::Status(arguments) => command::status(&arguments),
        Command::Slurm(arguments) => command::slurm(&arguments),
        Command::Replay(arguments) => command::replay(&arguments),
        Command::Rerun(arguments) => command::rerun(&arguments),
        Command::Plot(arguments) => command::plot(&arguments),
        Command::List(arguments) => command::list(&arguments),
        Command::Show(arguments) => command::show(&arguments),
        Command::Check(arguments) => command::check(&arguments),
        Command::Claims(arguments) => command::claims(&arguments),
        Command::Explain(arguments) => command::explain(&arguments),
        Command::Gallery(arguments) => command::gallery(&arguments),
        Command::Schema => command::schema(),
        Command::Completions(arguments) => command::completions(&arguments),
        Command::Man(arguments) => command::man(&arguments),
    }
}
