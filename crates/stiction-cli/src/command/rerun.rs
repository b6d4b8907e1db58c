//! `stiction rerun`: a run again, from the metadata of one of its tables.

use super::answer::{Delivery, Job};
use crate::args;
use crate::failure::Failure;
use crate::{progress, terminal};
use std::path::PathBuf;
use stiction_lab::dataset::parquet_metadata;
use stiction_lab::keep::Role;
use stiction_lab::scenario::{Size, Source, read};

pub(crate) fn rerun(arguments: &args::Rerun) -> Result<(), Failure> {
    let args::Rerun { file, out, restart, limit, telling, format, .. } = arguments;
    progress::phase("reading the table");
    let shown = file.display();
    let metadata = parquet_metadata(file).map_err(|reason| Failure::arguments(format!("{shown} {reason}"), ""))?;
    let value = |key: &str| metadata.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    let hint = "give a table that `stiction run` wrote, as Parquet";
    let text = value("scenario_toml");
    let text = text.ok_or_else(|| Failure::arguments(format!("{shown} does not say which scenario it is of"), hint))?;
    let this = env!("CARGO_PKG_VERSION");
    if let Some(version) = value("version").filter(|version| *version != this) {
        terminal::say(&format!(
            "warning: {shown} was written by version {version}; this is version {this}, its numbers may differ"
        ));
    }
    let mut scenario = read(Source::new(format!("the scenario in {shown}"), text), &[], Size::Full)?;
    limit.apply(&mut scenario);
    let command = format!("stiction rerun {}", file.file_name().unwrap_or_default().to_string_lossy());
    let job = Job::new("rerun", &command, scenario)?;
    if value("scenario_sha256").is_some_and(|hash| hash != job.resolved.hash) {
        terminal::say(&format!(
            "warning: this version reads the scenario in {shown} differently; its numbers may differ"
        ));
    }
    let default = || (!telling.json).then(|| PathBuf::from("stiction-out/rerun"));
    let folder = out.clone().or_else(default);
    job.answer(&Delivery { folder, format: *format, telling: *telling, role: Role::Run, restart: *restart })
}
