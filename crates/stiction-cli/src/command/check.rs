//! `stiction check`: every mistake of a scenario, without running it.

use crate::args;
use crate::failure::Failure;
use crate::{terminal, which};
use stiction_lab::scenario::{Size, read};

pub(crate) fn check(arguments: &args::Check) -> Result<(), Failure> {
    let chosen = which::find(arguments.scenario.scenario.as_deref())?;
    let name = chosen.source.name.clone();
    // reading one size checks the other as well
    let mut scenario = read(chosen.source, &arguments.scenario.settings, Size::Full)?;
    arguments.limit.apply(&mut scenario);
    stiction_lab::run::check_memory(&scenario)?;
    terminal::say(&format!("{name}: no mistakes"));
    Ok(())
}
