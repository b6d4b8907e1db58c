//! `stiction completions`: what a shell needs to complete commands.

use crate::args::{self, Arguments};
use crate::failure::Failure;
use crate::terminal;
use clap::CommandFactory;

pub(crate) fn completions(arguments: &args::Completions) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "stiction", &mut text);
    Ok(terminal::print(&String::from_utf8_lossy(&text))?)
}
