//! `stiction slurm`: a job script for all tasks of a plan.

use super::answer::unusable;
use crate::args;
use crate::failure::Failure;
use crate::terminal;
use stiction_lab::keep::{Home, slurm_script};
use stiction_lab::report::create_files;
use stiction_lab::safe_text;

pub(crate) fn slurm(arguments: &args::Slurm) -> Result<(), Failure> {
    let home = Home::of(&arguments.folder);
    let (asked, _) = home.asked().map_err(unusable)?;
    let plan = home.plan().map_err(unusable)?;
    let whole = |path: &std::path::Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let program = std::env::current_exe().unwrap_or_else(|_| "stiction".into());
    let folder = whole(&arguments.folder);
    let script = slurm_script(&plan, &program, &folder, &asked.name)
        .map_err(|message| Failure::arguments(message, "a script has one command a line"))?;
    if arguments.print {
        return Ok(terminal::print(&script)?);
    }
    let path = folder.join("array.sbatch");
    create_files(&[(path.clone(), script.into_bytes())])
        .map_err(|error| Failure::run(error.to_string(), "print the new one with --print"))?;
    Ok(terminal::print(&format!("{}\n\nsubmit it:   sbatch {0}\n", safe_text::path(&path)))?)
}
