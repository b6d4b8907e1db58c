//! `stiction check`: every mistake of a scenario, without running it.

use crate::args;
use crate::failure::Failure;
use crate::progress::{self, Reporter};
use crate::{terminal, which};
use stiction_lab::run::unusable_inputs;
use stiction_lab::scenario::{Size, read};

/// Unusable input files that are listed.
const SHOWN: usize = 5;

pub(crate) fn check(arguments: &args::Check) -> Result<(), Failure> {
    let chosen = which::find(arguments.scenario.scenario.as_deref())?;
    let name = chosen.source.name.clone();
    let mut unusable = Vec::new();
    for size in [Size::Full, Size::Quick] {
        let mut scenario = read(chosen.source.clone(), &arguments.scenario.settings, size)?;
        arguments.limit.apply(&mut scenario);
        stiction_lab::run::check_memory(&scenario)?;
        progress::phase("reading the input files");
        for words in unusable_inputs(&scenario, &Reporter) {
            if !unusable.contains(&words) {
                unusable.push(words);
            }
        }
    }
    if !unusable.is_empty() {
        let more = unusable.len().saturating_sub(SHOWN);
        unusable.truncate(SHOWN);
        if more > 0 {
            unusable.push(format!("and {more} more files"));
        }
        let hint = "relative names start at the folder of the scenario; `stiction explain system.NAME.field.file` describes maps";
        return Err(Failure::arguments(unusable.join("\n"), hint));
    }
    terminal::say(&format!("{name}: no mistakes"));
    Ok(())
}
