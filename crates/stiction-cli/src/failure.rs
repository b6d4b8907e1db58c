//! Why the program ends without having done what was asked, and what it says then.

use crate::{interrupt, terminal};
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use stiction_lab::scenario::{UnknownPath, WrongScenario};
use stiction_lab::study::StudyError;

/// Why a command was not carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The scenario has mistakes.
    WrongScenario(WrongScenario),
    /// The arguments are wrong: what, and a hint.
    WrongArguments {
        /// What is wrong.
        message: String,
        /// What would help; may be empty.
        hint: String,
    },
    /// The run failed: what, and a hint.
    Failed {
        /// What went wrong.
        message: String,
        /// What would help; may be empty.
        hint: String,
    },
    /// The user stopped the run.
    Stopped,
}

/// The exit code of programs that were stopped by Ctrl-C.
pub(crate) const STOPPED: u8 = 130;

impl Failure {
    /// The arguments are wrong.
    pub(crate) fn arguments(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Failure::WrongArguments { message: message.into(), hint: hint.into() }
    }

    /// Some arguments are not text.
    pub(crate) fn not_text(arguments: impl Iterator<Item = OsString>) -> Self {
        let wrong = arguments.filter(|argument| argument.to_str().is_none());
        let wrong: Vec<String> = wrong.map(|argument| format!("{argument:?}")).collect();
        Failure::arguments(
            format!("not UTF-8 text: {}", wrong.join(", ")),
            "folders may have any name, everything else is UTF-8: rename the file, or read a scenario from stdin with `-`",
        )
    }

    /// The run failed.
    pub(crate) fn run(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Failure::Failed { message: message.into(), hint: hint.into() }
    }

    /// Says it on stderr and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::WrongScenario(wrong) => {
                terminal::say_rendered(wrong.render(terminal::paint()).trim_end());
                ExitCode::from(2)
            }
            Failure::WrongArguments { message, hint } => {
                terminal::say_error(&message, &hint);
                ExitCode::from(2)
            }
            Failure::Failed { message, hint } => {
                terminal::say_error(&message, &hint);
                ExitCode::from(1)
            }
            Failure::Stopped => {
                interrupt::say_stopped();
                ExitCode::from(STOPPED)
            }
        }
    }
}

impl From<WrongScenario> for Failure {
    fn from(wrong: WrongScenario) -> Self {
        Failure::WrongScenario(wrong)
    }
}

impl From<UnknownPath> for Failure {
    fn from(unknown: UnknownPath) -> Self {
        Failure::arguments(unknown.to_string(), "`stiction explain` shows where to begin")
    }
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Cancelled(_) => Failure::Stopped,
            other => Failure::run(other.to_string(), ""),
        }
    }
}

/// Trouble with stdout.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::run(format!("cannot write to stdout: {error}"), "")
    }
}
