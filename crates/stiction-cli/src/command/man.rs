//! `stiction man`: manual pages.

use super::answer::unwritten;
use crate::args::{self, Arguments};
use crate::failure::Failure;
use crate::terminal;
use clap::CommandFactory;
use clap_mangen::Man;
use std::io;
use std::path::{Path, PathBuf};
use stiction_lab::files::chosen_folder;
use stiction_lab::report::{FolderError, create_files};

pub(crate) fn man(arguments: &args::Man) -> Result<(), Failure> {
    let Some(folder) = &arguments.folder else {
        let mut page = Vec::new();
        Man::new(Arguments::command()).render(&mut page)?;
        return Ok(terminal::print(&String::from_utf8_lossy(&page))?);
    };
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    render(&command, folder, &mut pages)?;
    chosen_folder(folder).map_err(|error| unwritten(FolderError::new(folder, error).into()))?;
    create_files(&pages).map_err(|error| Failure::run(error.to_string(), ""))
}

/// The pages of a command and of those below it, each with its path.
fn render(command: &clap::Command, folder: &Path, pages: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        render(below, folder, pages)?;
    }
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    pages.push((folder.join(man.get_filename()), page));
    Ok(())
}
