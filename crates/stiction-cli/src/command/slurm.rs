//! `stiction slurm`: a job script for all tasks of a plan.

use super::answer::{unusable, unwritable};
use crate::args;
use crate::failure::Failure;
use crate::terminal;
use std::fs;
use stiction_lab::keep::{Home, slurm_script};

pub(crate) fn slurm(arguments: &args::Slurm) -> Result<(), Failure> {
    let home = Home::of(&arguments.folder);
    let (asked, _) = home.asked().map_err(unusable)?;
    let plan = home.plan().map_err(unusable)?;
    let whole = |path: &std::path::Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let program = std::env::current_exe().unwrap_or_else(|_| "stiction".into());
    let folder = whole(&arguments.folder);
    let script = slurm_script(&plan, &program, &folder, &asked.name);
    if arguments.print {
        return Ok(terminal::print(&script)?);
    }
    let path = folder.join("array.sbatch");
    fs::write(&path, script).map_err(|error| unwritable(&folder, &error))?;
    Ok(terminal::print(&format!("{}\n\nsubmit it:   sbatch {0}\n", path.display()))?)
}
