//! `stiction plot`: other pictures of a finished run, from its tables.

use crate::args;
use crate::failure::Failure;
use crate::{progress, terminal, which};
use std::path::Path;
use stiction_lab::report::{Finished, FinishedError};
use stiction_lab::safe_text;
use stiction_lab::scenario::{Source, read_with_figures};

pub(crate) fn plot(arguments: &args::Plot) -> Result<(), Failure> {
    let args::Plot { folder, figures, out } = arguments;
    progress::phase("reading the tables");
    let finished = Finished::read(folder).map_err(undrawn)?;
    let text = |path: &Path| which::text(path).map(|text| Source::new(path.to_string_lossy(), text));
    let own = text(&folder.join("scenario.toml"))?;
    let figures = figures.as_deref().map(text).transpose()?;
    let scenario = read_with_figures(own, figures)?;
    if scenario.figure.is_empty() {
        return Err(Failure::arguments(
            "there are no figures to draw",
            "add `[[figure]]` entries to the scenario.toml of the folder, or name a file that has some with --figures FILE",
        ));
    }
    progress::phase("drawing");
    let out = out.as_ref().unwrap_or(folder);
    let files = finished.plot(&scenario.figure, scenario.reduced, out).map_err(undrawn)?;
    Ok(terminal::print(&format!("pictures in {}:\n  {}\n", safe_text::path(out), files.join(", ")))?)
}

#[allow(clippy::needless_pass_by_value)] // for map_err
fn undrawn(error: FinishedError) -> Failure {
    match error {
        FinishedError::Folder(_) => Failure::run(error.to_string(), ""),
        FinishedError::Unfinished { .. } => {
            Failure::arguments(error.to_string(), "give the folder of a run that is finished; `stiction run` makes one")
        }
        error => Failure::arguments(error.to_string(), "`stiction explain figure` tells what a figure can have"),
    }
}
