//! `stiction status`: how far a split or interrupted study is.

use super::answer::unusable;
use crate::args;
use crate::failure::Failure;
use crate::{progress, terminal};
use serde_json::json;
use stiction_lab::keep::{Home, Status};
use stiction_lab::safe_text;

pub(crate) fn status(arguments: &args::Status) -> Result<(), Failure> {
    progress::phase("looking for finished items");
    let home = Home::of(&arguments.folder);
    if !home.exists() && arguments.folder.join("summary.json").is_file() {
        let text = if arguments.json {
            safe_text::json(&json!({ "finished": true }))
        } else {
            format!("{} is finished\n", safe_text::path(&arguments.folder))
        };
        return Ok(terminal::print(&text)?);
    }
    let status = Status::of(&home).map_err(unusable)?.with_workers(&home);
    let text = if arguments.json { safe_text::json(&status.json()) } else { status.text() };
    Ok(terminal::print(&text)?)
}
