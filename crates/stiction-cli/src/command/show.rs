//! `stiction show`: a built-in scenario with its comments.

use crate::args;
use crate::failure::Failure;
use crate::terminal;
use stiction_lab::scenario::{DEFAULT_SCENARIO, builtin};

pub(crate) fn show(arguments: &args::Show) -> Result<(), Failure> {
    let name = arguments.name.as_deref().unwrap_or(DEFAULT_SCENARIO);
    let builtin = builtin(name)
        .map_err(|unknown| Failure::arguments(unknown.to_string(), "`stiction list` shows all of them"))?;
    Ok(terminal::print(builtin.text)?)
}
