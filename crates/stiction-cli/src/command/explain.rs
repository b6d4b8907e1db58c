//! `stiction explain`: what keys and results mean.

use crate::args;
use crate::failure::Failure;
use crate::terminal;

pub(crate) fn explain(arguments: &args::Explain) -> Result<(), Failure> {
    let page = stiction_lab::scenario::explain(arguments.path.as_deref().unwrap_or(""))?;
    Ok(terminal::print(&page)?)
}
