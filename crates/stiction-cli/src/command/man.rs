//! `stiction man`: manual pages.

use crate::args::{self, Arguments};
use crate::failure::Failure;
use crate::terminal;
use clap::CommandFactory;
use std::fs;

pub(crate) fn man(arguments: &args::Man) -> Result<(), Failure> {
    let command = Arguments::command();
    match &arguments.folder {
        Some(folder) => {
            fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder)).map_err(|error| {
                Failure::run(format!("cannot write manual pages into `{}`: {error}", folder.display()), "")
            })
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            Ok(terminal::print(&String::from_utf8_lossy(&page))?)
        }
    }
}
