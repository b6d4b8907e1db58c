//! The folder `.campaign` inside a folder of results: what was asked, the plan, and where the items are.
//!
//! It exists while a run is unfinished. Everything in it is written under a temporary name, synced and renamed.

use super::difference::{Difference, first_difference};
use super::folder_error::FolderError;
use super::resolved::Resolved;
use crate::files::{self, OWN_TEXT, open_lock, own_folder, read_text, sync_folder};
use crate::safe_text::cut;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use stiction::analysis::campaign::KeepError;

/// Name of the folder inside the folder of results.
pub const HOME: &str = ".campaign";
pub(super) const ASKED: &str = "asked.json";
pub(super) const SCENARIO: &str = "scenario.toml";
pub(super) const PLAN: &str = "plan.json";
pub(super) const ITEMS: &str = "items";
pub(super) const WORKERS: &str = "workers";
pub(super) const LOCK: &str = "lock";

/// What was asked, and by whom it is answered: only the same scenario and version go on with what is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Version of the program.
    pub version: String,
    /// Name of the run.
    pub name: String,
    /// The command that repeats it.
    pub command: String,
    /// SHA-256 of the resolved scenario.
    pub scenario_sha256: String,
    /// Whether tables are written as CSV.
    pub csv: bool,
    /// What the run may keep \[bytes\]: for those who work on a plan. Nobody is refused for another value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

/// How the items of a stage are split into tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The stage whose items are split.
    pub stage: String,
    /// How many items it has.
    pub items: u64,
    /// How many of them make a task.
    pub items_per_task: u64,
}

impl Plan {
    /// Number of tasks.
    pub fn tasks(&self) -> u64 {
        self.items.div_ceil(self.items_per_task.max(1))
    }

    /// What no plan of this program says, if there is something.
    pub(super) fn problem(&self) -> Option<String> {
        let plain = |c: char| c.is_alphanumeric() || " _-".contains(c);
        if self.stage.is_empty() || self.stage.len() > 200 || !self.stage.chars().all(plain) {
            let stage = cut(&self.stage, 200);
            return Some(format!("`stage` is {stage:?}, which is not a plain word; make the plan again"));
        }
        (self.items_per_task == 0).then(|| "`items_per_task` is 0; make the plan again".to_owned())
    }

    /// The items of a task.
    pub fn range(&self, task: u64) -> std::ops::Range<u64> {
        let first = task.saturating_mul(self.items_per_task.max(1)).min(self.items);
        first..first.saturating_add(self.items_per_task.max(1)).min(self.items)
    }
}

/// Why a campaign folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HomeError {
    /// It has unfinished work of another scenario.
    #[error("{} has unfinished work of another scenario: {difference}", folder.display())]
    OtherScenario {
        /// The folder of results.
        folder: PathBuf,
        /// The first key that differs.
        difference: Difference,
    },
    /// It has the finished results of another scenario.
    #[error("{} has the results of another scenario: {difference}", folder.display())]
    OtherResults {
        /// The folder of results.
        folder: PathBuf,
        /// The first key that differs.
        difference: Difference,
    },
    /// It has unfinished work of another version of the program.
    #[error("{} has unfinished work of version {version} of the program; this is version {}", folder.display(), env!("CARGO_PKG_VERSION"))]
    OtherVersion {
        /// The folder of results.
        folder: PathBuf,
        /// The version that began the work.
        version: String,
    },
    /// It has no unfinished work.
    #[error("{} has no planned or unfinished work", folder.display())]
    Nothing {
        /// The folder of results.
        folder: PathBuf,
    },
    /// Its work is not split into tasks.
    #[error("the work in {} is not split into tasks", folder.display())]
    Unplanned {
        /// The folder of results.
        folder: PathBuf,
    },
    /// Another program works there and must be alone.
    #[error("another stiction is working in {}", folder.display())]
    Busy {
        /// The folder of results.
        folder: PathBuf,
    },
    /// It has a file that this program did not make.
    #[error("{} was not made by stiction and is left untouched", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Its description was changed or damaged.
    #[error("{} was changed or is damaged: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// It cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// The campaign folder of a folder of results.
#[derive(Debug, Clone)]
pub struct Home {
    results: PathBuf,
    pub(super) path: PathBuf,
}

impl Home {
    /// The campaign folder of a folder of results; it need not exist.
    pub fn of(results: &Path) -> Self {
        Self { results: results.to_owned(), path: results.join(HOME) }
    }

    /// The folder of results.
    pub fn results(&self) -> &Path {
        &self.results
    }

    /// Whether there is unfinished work.
    pub fn exists(&self) -> bool {
        self.path.join(ASKED).symlink_metadata().is_ok()
    }

    /// Refuses a link: what is done here is done in the folder of results, not elsewhere.
    fn refuse_link(&self) -> Result<(), FolderError> {
        if self.path.is_symlink() { self.own(&self.path) } else { Ok(()) }
    }

    fn own(&self, path: &Path) -> Result<(), FolderError> {
        own_folder(path).map_err(|error| FolderError::new(path, error))
    }

    /// What was asked, and the resolved scenario.
    ///
    /// # Errors
    /// If there is nothing, or it was changed.
    pub fn asked(&self) -> Result<(Asked, String), HomeError> {
        let path = self.path.join(ASKED);
        if !self.exists() {
            return Err(HomeError::Nothing { folder: self.results.clone() });
        }
        self.refuse_link()?;
        let asked: Asked = self.read_json(&path)?;
        let path = self.path.join(SCENARIO);
        let text = read_text(&path, OWN_TEXT).map_err(|error| FolderError::new(&path, error))?;
        if Resolved::of(text.clone()).hash != asked.scenario_sha256 {
            let message = "it is not the scenario that was asked; begin again with --restart".to_owned();
            return Err(HomeError::Damaged { path, message });
        }
        Ok((asked, text))
    }

    /// Refuses unfinished work of another scenario or version; nothing there is fine.
    ///
    /// # Errors
    /// [`HomeError::OtherScenario`] with the first key that differs, or what cannot be read.
    pub fn check(&self, resolved: &Resolved) -> Result<(), HomeError> {
        if !self.exists() {
            return Ok(());
        }
        let (asked, text) = self.asked()?;
        let folder = || self.results.clone();
        let difference = || first_difference(&text, &resolved.text);
        if let Some(difference) = difference().filter(|_| asked.scenario_sha256 != resolved.hash) {
            return Err(HomeError::OtherScenario { folder: folder(), difference });
        }
        if asked.version != env!("CARGO_PKG_VERSION") {
            return Err(HomeError::OtherVersion { folder: folder(), version: asked.version });
        }
        Ok(())
    }

    /// Refuses the finished results of another scenario; no results are fine, and so is unfinished work, because whoever
    /// began it was allowed to replace them.
    ///
    /// # Errors
    /// [`HomeError::OtherResults`] with the first key that differs.
    pub fn check_results(&self, resolved: &Resolved) -> Result<(), HomeError> {
        let Some(hash) = finished_hash(&self.results).filter(|hash| *hash != resolved.hash && !self.exists()) else {
            return Ok(());
        };
        let text = read_text(&self.results.join(SCENARIO), OWN_TEXT).unwrap_or_default();
        let found = if Resolved::of_file(&text).hash == hash { first_difference(&text, &resolved.text) } else { None };
        // the file beside the results was changed or is gone: only the hashes are left to compare
        let difference = found.unwrap_or_else(|| Difference {
            key: "scenario_sha256".to_owned(),
            before: Some(hash),
            now: Some(resolved.hash.clone()),
        });
        Err(HomeError::OtherResults { folder: self.results.clone(), difference })
    }

    /// Makes the folder and says what is asked, unless that is there already.
    ///
    /// # Errors
    /// As [`Home::check`], or if it cannot be written.
    pub fn make(&self, asked: &Asked, resolved: &Resolved) -> Result<(), HomeError> {
        self.refuse_foreign()?;
        self.check(resolved)?;
        for path in [self.path.clone(), self.items(), self.workers()] {
            self.own(&path)?;
        }
        if !self.exists() {
            // `asked.json` last: without it there is nothing here
            self.write(SCENARIO, resolved.text.as_bytes())?;
            self.write_json(ASKED, asked)?;
        }
        Ok(())
    }

    /// Says again what is asked, by the same scenario.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn rename(&self, asked: &Asked) -> Result<(), HomeError> {
        self.write_json(ASKED, asked)
    }

    /// How the work is split.
    ///
    /// # Errors
    /// [`HomeError::Unplanned`] if it is not.
    pub fn plan(&self) -> Result<Plan, HomeError> {
        let path = self.path.join(PLAN);
        if path.symlink_metadata().is_err() {
            return Err(HomeError::Unplanned { folder: self.results.clone() });
        }
        let plan: Plan = self.read_json(&path)?;
        match plan.problem() {
            Some(message) => Err(HomeError::Damaged { path, message }),
            None => Ok(plan),
        }
    }

    /// Splits the work.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn set_plan(&self, plan: &Plan) -> Result<(), HomeError> {
        self.write_json(PLAN, plan)
    }

    /// A lock that others who work here share (`alone = false`), or that keeps everyone else out. Held until it is dropped.
    ///
    /// # Errors
    /// [`HomeError::Busy`] if others are here.
    pub fn lock(&self, alone: bool) -> Result<File, HomeError> {
        let path = self.path.join(LOCK);
        let file = open_lock(&path).map_err(|error| FolderError::new(&path, error))?;
        match if alone { file.try_lock() } else { file.try_lock_shared() } {
            Err(fs::TryLockError::WouldBlock) => Err(HomeError::Busy { folder: self.results.clone() }),
            // a file system without locks: shards are safe without them
            Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(file),
        }
    }

    /// Where the shards are.
    pub(super) fn items(&self) -> PathBuf {
        self.path.join(ITEMS)
    }

    /// Where those who work here say so.
    pub(super) fn workers(&self) -> PathBuf {
        self.path.join(WORKERS)
    }

    /// Where long tables grow.
    pub(crate) fn growing(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.growing"))
    }

    /// Writes a file under its name only when it is whole and on the disk.
    pub(super) fn write(&self, name: &str, content: &[u8]) -> Result<(), HomeError> {
        Ok(write_whole(&self.path, name, content)?)
    }

    fn write_json(&self, name: &str, content: &impl Serialize) -> Result<(), HomeError> {
        let path = self.path.join(name);
        let text = serde_json::to_string_pretty(content)
            .map_err(|error| HomeError::Damaged { path, message: error.to_string() })?;
        self.write(name, format!("{text}\n").as_bytes())
    }

    fn read_json<T: serde::de::DeserializeOwned>(&self, path: &Path) -> Result<T, HomeError> {
        let text = read_text(path, OWN_TEXT).map_err(|error| FolderError::new(path, error))?;
        serde_json::from_str(&text)
            .map_err(|error| HomeError::Damaged { path: path.to_owned(), message: error.to_string() })
    }
}

/// The hash of the scenario whose results a folder has, if they are results of this program.
fn finished_hash(folder: &Path) -> Option<String> {
    let text = read_text(&folder.join("summary.json"), OWN_TEXT).ok()?;
    let summary: serde_json::Value = serde_json::from_str(&text).ok()?;
    let provenance = summary.get("provenance").filter(|found| found["program"] == "stiction")?;
    Some(provenance["scenario_sha256"].as_str().unwrap_or_default().to_owned())
}

/// Writes a file into a folder: under a temporary name of its own, synced, renamed. What could not be finished is removed.
pub(super) fn write_whole(folder: &Path, name: &str, content: &[u8]) -> Result<(), FolderError> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let path = folder.join(name);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".{}-{}-{number}.tmp", super::worker::machine(), std::process::id()));
    files::replace(&path, &temporary, content).map_err(|error| FolderError::new(&path, error))?;
    sync_folder(folder);
    Ok(())
}

/// Trouble with the folder, told to a study that keeps items in it.
pub(super) fn keep_error(error: &HomeError, results: &Path) -> KeepError {
    KeepError::Place { place: results.display().to_string(), message: error.to_string() }
}
