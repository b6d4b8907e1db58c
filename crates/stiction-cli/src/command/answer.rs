//! From a scenario to its results: what `run`, `merge`, `replay` and `rerun` have in common.

use crate::args::{self, Telling};
use crate::failure::Failure;
use crate::progress::{self, Reporter};
use crate::{interrupt, terminal};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use stiction_lab::dataset::Value;
use stiction_lab::keep::{Asked, Home, HomeError, Role, Shell, Store, check_inputs};
use stiction_lab::report::{self, FolderError, Provenance, ReportError, Reserved, RunRecord, TableFormat, Written};
use stiction_lab::run::run_kept;
use stiction_lab::scenario::{Resolved, Scenario};
use stiction_lab::study::LongTables;
use stiction_lab::study::{StudyError, Upkeep};

/// A scenario that is to be answered.
pub(super) struct Job {
    /// Name of the run.
    pub(super) name: String,
    /// The command that repeats it.
    pub(super) command: String,
    pub(super) scenario: Scenario,
    pub(super) resolved: Resolved,
}

/// Where the answer goes, and how it is told.
pub(super) struct Delivery {
    /// Folder for the results.
    pub(super) folder: Option<PathBuf>,
    pub(super) format: args::Format,
    pub(super) telling: Telling,
    pub(super) role: Role,
    /// Whether unfinished work and the results of another scenario in the folder are thrown away.
    pub(super) restart: bool,
}

impl Delivery {
    /// The results of a run, as they are by default, in a folder.
    pub(super) fn into_folder(folder: &Path, restart: bool) -> Self {
        let format = args::Format::Parquet;
        let telling = Telling { strict: false, all: false, json: false };
        Self { folder: Some(folder.to_owned()), format, telling, role: Role::Run, restart }
    }
}

/// What the program does for a store of items.
pub(super) const SHELL: Shell = Shell { stopped: interrupt::asked, say: terminal::say };

impl Job {
    pub(super) fn new(name: &str, command: &str, scenario: Scenario) -> Result<Self, Failure> {
        let resolved = scenario.resolved().map_err(|error| Failure::run(error.to_string(), ""))?;
        Ok(Self { name: name.to_owned(), command: command.to_owned(), scenario, resolved })
    }

    /// What is asked, for the folder of unfinished work.
    pub(super) fn asked(&self, format: args::Format) -> Asked {
        Asked {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            name: self.name.clone(),
            command: self.command.clone(),
            scenario_sha256: self.resolved.hash.clone(),
            csv: format == args::Format::Csv,
            memory: Some(self.scenario.memory.limit()),
        }
    }

    /// A provenance with the program that ran.
    fn built(provenance: Provenance) -> Provenance {
        let commit = Some(env!("STICTION_COMMIT")).filter(|commit| !commit.is_empty());
        provenance.built(commit, env!("STICTION_TARGET"))
    }

    /// Answers it, and writes and tells the answer. Finished items are kept in the folder while that goes on.
    pub(super) fn answer(&self, delivery: &Delivery) -> Result<(), Failure> {
        let (record, written) = self.carry_out(delivery)?;
        let files = written.as_ref().map_or(&[][..], |written| &written.files);
        let warnings = written.as_ref().map_or(&[][..], |written| &written.warnings);
        if delivery.telling.json {
            for warning in record.outcome.to_json().warnings.iter().chain(warnings) {
                terminal::say(&format!("warning: {warning}"));
            }
            terminal::print(&record.summary_text(files, warnings))?;
        } else {
            let summary = if delivery.telling.all { report::full_summary } else { report::short_summary };
            terminal::print(&summary(&record, written.as_ref()))?;
        }
        match record.outcome.quantity("failed") {
            Some(Value::Integer(failed)) if delivery.telling.strict && *failed > 0 => Err(Failure::run(
                format!("{failed} items have no answer"),
                "the table of items says why; without --strict this is a warning",
            )),
            _ => Ok(()),
        }
    }

    /// Answers it and writes the answer, silent but for the progress.
    pub(super) fn carry_out(&self, delivery: &Delivery) -> Result<(RunRecord, Option<Written>), Failure> {
        let Delivery { folder, format, role, restart, .. } = delivery;
        // better before the work than after it; held until the results are written
        let _reserved = folder.as_ref().map(|folder| self.reserve(folder, *format, *restart)).transpose()?;
        progress::phase(self.scenario.study.name());
        let mut store = None;
        let mut tables = None;
        if let Some(folder) = folder {
            let home = Home::of(folder);
            interrupt::keep_in(&home);
            let provenance = Self::built(Provenance::new(&self.scenario, &self.resolved));
            let metadata = provenance.metadata(&self.resolved.file());
            tables = Some(LongTables::new(home.clone(), *format == args::Format::Csv, metadata));
            let opened = Store::open(home, self.asked(*format), self.resolved.clone(), role.clone(), SHELL);
            store = Some(opened.map_err(unusable)?);
        }
        interrupt::listen();
        let outcome = match &store {
            Some(store) => {
                let upkeep = Upkeep { keeper: store, replay: None, stop: None, tables: tables.as_ref() };
                run_kept(&self.scenario, &Reporter, upkeep)
            }
            None => stiction_lab::run::run(&self.scenario, &Reporter),
        };
        let outcome = outcome.map_err(|error| unanswered(error, &self.scenario))?;
        check_inputs(&self.resolved.inputs).map_err(|error| Failure::run(error.to_string(), ""))?;
        let mut record = RunRecord::new(&self.name, &self.command, &self.scenario, &self.resolved, outcome);
        record.provenance = Self::built(record.provenance);
        progress::phase("drawing and writing the results");
        let written = match folder {
            Some(folder) => Some(report::write_run(&record, folder, TableFormat::from(*format)).map_err(unwritten)?),
            None => None,
        };
        if let Some(store) = store {
            // the results are there: what was kept for them is not needed any more
            if let Err(error) = store.finish() {
                terminal::say(&format!("warning: {error}"));
            }
        }
        Ok((record, written))
    }

    /// Takes a folder for the results: it can be written, no other run holds it, and it has nothing that must not be replaced.
    /// With `restart` unfinished work is thrown away and the results of another scenario may be replaced.
    pub(super) fn reserve(&self, folder: &Path, format: args::Format, restart: bool) -> Result<Reserved, Failure> {
        let reserved = Reserved::new(folder).map_err(|error| unwritten(error.into()))?;
        for warning in &reserved.warnings {
            terminal::say(&format!("warning: {warning}"));
        }
        let home = Home::of(folder);
        home.refuse_foreign().map_err(unusable)?;
        if !restart {
            home.check(&self.resolved).and_then(|()| home.check_results(&self.resolved)).map_err(unusable)?;
        }
        reserved.refuse_foreign(&self.scenario, TableFormat::from(format)).map_err(|error| unwritten(error.into()))?;
        if restart {
            home.restart().map_err(unusable)?;
        }
        Ok(reserved)
    }
}

/// Trouble with earlier work in a folder.
pub(super) fn unusable(error: HomeError) -> Failure {
    let hint = match &error {
        HomeError::OtherResults { difference, .. } if difference.key.starts_with("figure") => {
            "redraw without running again by `stiction plot`, choose another folder with --out DIR, or replace the results with \
             --restart"
        }
        HomeError::OtherResults { .. } => "choose another folder with --out DIR, or replace the results with --restart",
        HomeError::OtherScenario { .. } | HomeError::OtherVersion { .. } => {
            "go on with the scenario that was begun, choose another folder with --out DIR, or throw the unfinished work away \
             with --restart"
        }
        HomeError::Busy { .. } => "wait for it, or choose another folder with --out DIR",
        HomeError::Nothing { .. } => "`stiction plan FILE --out DIR --items-per-task N` plans work",
        HomeError::Unplanned { .. } => "`stiction plan` splits it; the command that began it goes on with it as it is",
        HomeError::Foreign { .. } => "move it away, or choose another folder with --out DIR",
        HomeError::Damaged { .. } => "begin again with --restart",
        _ => "",
    };
    match error {
        HomeError::OtherScenario { .. }
        | HomeError::OtherResults { .. }
        | HomeError::OtherVersion { .. }
        | HomeError::Nothing { .. }
        | HomeError::Unplanned { .. } => Failure::arguments(error.to_string(), hint),
        error => Failure::run(error.to_string(), hint),
    }
}

/// A motion that cannot be computed has parameters that do not fit together: they are shown, since any of them may be meant.
pub(super) fn unanswered(error: StudyError, scenario: &Scenario) -> Failure {
    match &error {
        StudyError::Cancelled(_) => return Failure::Stopped,
        StudyError::Integration(_) => {}
        _ => return error.into(),
    }
    let mut numbers = Vec::new();
    if let Ok(system) = serde_json::to_value(&scenario.system) {
        collect_numbers(&system, "system", &mut numbers);
    }
    let hint = format!(
        "the usual reason is a parameter of a wrong size, or a law without bounds; these are {}",
        numbers.join(", ")
    );
    Failure::run(error.to_string(), hint)
}

/// Every number below a place, as `path = value`.
fn collect_numbers(place: &Json, path: &str, numbers: &mut Vec<String>) {
    match place {
        Json::Object(table) => {
            table.iter().for_each(|(key, value)| collect_numbers(value, &format!("{path}.{key}"), numbers));
        }
        Json::Number(number) => numbers.push(format!("{path} = {number}")),
        _ => {}
    }
}

#[allow(clippy::needless_pass_by_value)] // for map_err
pub(super) fn unwritten(error: ReportError) -> Failure {
    let hint = match &error {
        ReportError::Folder(FolderError::Io { .. }) | ReportError::Dataset(_) => "choose another folder with --out DIR",
        // the others say what to do
        _ => "",
    };
    Failure::run(error.to_string(), hint)
}
