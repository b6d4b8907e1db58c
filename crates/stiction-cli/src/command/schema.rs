//! `stiction schema`: the JSON Schema of scenario files.

use crate::failure::Failure;
use crate::terminal;

pub(crate) fn schema() -> Result<(), Failure> {
    Ok(terminal::print(&stiction_lab::scenario::schema_text())?)
}
