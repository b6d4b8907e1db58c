//! A folder of results, taken before the work: whatever would keep the results from being written is said at once.

use super::folder::{JOURNAL, earlier_files, make_folder, noted_files};
use super::write::{Names, TableFormat};
use crate::campaign::{Campaign, campaign_tables};
use crate::files::{open_folder, remove, write_synced};
use crate::keep::{FolderError, HOME};
use crate::scenario::Scenario;
use crate::study::Answers;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A folder into which nobody else writes results while this lives.
#[derive(Debug)]
pub struct Reserved {
    folder: PathBuf,
    /// Leftovers of a killed run that could not be removed.
    pub warnings: Vec<String>,
    _lock: Option<File>,
}

impl Reserved {
    /// Takes a folder, which is made if needed: no other run may hold it, and files can be written into it. What a killed run
    /// left half-written is removed.
    ///
    /// # Errors
    /// [`FolderError`] names the path and what to do.
    pub fn new(folder: &Path) -> Result<Self, FolderError> {
        if folder.components().any(|part| part.as_os_str() == HOME) {
            return Err(FolderError::Unfinished { path: folder.to_owned() });
        }
        make_folder(folder)?;
        let lock = lock(folder)?;
        let probe = folder.join(temporary_name("probe"));
        let written = write_synced(&probe, b"\n").and_then(|()| remove(&probe));
        written.map_err(|error| {
            let _ = remove(&probe);
            FolderError::new(folder, error)
        })?;
        let warnings = remove_leftovers(folder)?;
        Ok(Self { folder: folder.to_owned(), warnings, _lock: lock })
    }

    /// Refuses files that a run of the scenario would replace although no earlier run wrote them, or although it reads them.
    ///
    /// # Errors
    /// [`FolderError::Foreign`] or [`FolderError::Input`] names the first one.
    pub fn refuse_foreign(&self, scenario: &Scenario, format: TableFormat) -> Result<(), FolderError> {
        let mut ours = earlier_files(&self.folder);
        ours.extend(noted_files(&self.folder));
        let is_read = |path: &Path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            name.is_some_and(|name| ours.contains(&name))
                && path.parent().is_some_and(|parent| same_folder(parent, &self.folder))
        };
        if let Some(input) = scenario.input.iter().find(|input| is_read(Path::new(&input.file))) {
            return Err(FolderError::Input { path: PathBuf::from(&input.file) });
        }
        let foreign = expected_files(scenario, format).into_iter().find(|name| {
            let found = self.folder.join(name).symlink_metadata();
            found.is_ok_and(|found| !ours.contains(name) || !found.is_file())
        });
        foreign.map_or(Ok(()), |name| Err(FolderError::Foreign { path: self.folder.join(name) }))
    }
}

/// Whether two paths lead to the same folder; one that does not exist is another one.
pub fn same_folder(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// A lock on the folder itself: it leaves no file behind, and ends with the process.
fn lock(folder: &Path) -> Result<Option<File>, FolderError> {
    // a system that does not open or lock folders: two runs into one are then kept apart when they write
    let Ok(file) = open_folder(folder) else { return Ok(None) };
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(FolderError::Busy { path: folder.to_owned() }),
        Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(Some(file)),
    }
}

/// The name under which a file is written before it gets its own.
pub(super) fn temporary_name(name: &str) -> String {
    format!(".stiction-{name}.tmp")
}

/// Removes what a killed run left half-written, and gives warnings about what stays. Something else under our names would keep
/// the results from being written.
fn remove_leftovers(folder: &Path) -> Result<Vec<String>, FolderError> {
    let mut warnings = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let unfinished = name.starts_with(".stiction-") && name.ends_with(".tmp");
        let kind = entry.file_type().map_err(|error| FolderError::new(&path, error))?;
        if (unfinished && kind.is_dir()) || (name == JOURNAL && !kind.is_file()) {
            return Err(FolderError::Foreign { path });
        }
        if unfinished && let Err(error) = remove(&path) {
            warnings.push(unremoved(&path, &error));
        }
    }
    Ok(warnings)
}

/// The warning about a file of an earlier run that could not be removed.
pub(super) fn unremoved(path: &Path, error: &std::io::Error) -> String {
    format!("{} of an earlier run cannot be removed: {error}; remove it yourself", path.display())
}

/// Names of the files that a run can leave behind, as far as they are known before it.
fn expected_files(scenario: &Scenario, format: TableFormat) -> Vec<String> {
    let ending = format.ending();
    let answers = Answers::of(&scenario.study, &scenario.system).unwrap_or_default();
    let tables = match scenario.campaign.as_ref().filter(|campaign| Campaign::repeats(campaign)) {
        Some(campaign) => campaign_tables(campaign, &answers, &[]),
        None => answers.tables,
    };
    let (mut of_tables, mut of_pictures) = (Names::default(), Names::default());
    let fixed = ["scenario.toml", "run.json", "report.html", "summary.json"].map(str::to_owned).into_iter();
    let tables = tables.iter().map(|table| format!("{}.{ending}", of_tables.free(&table.name, "table")));
    let pictures = scenario.figure.iter().flat_map(|figure| {
        let name = of_pictures.free(figure.name.as_deref().unwrap_or("figure"), "figure");
        [format!("{name}.svg"), format!("{name}.png")]
    });
    fixed.chain(tables).chain(pictures).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Size, builtin, read};

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_folder_belongs_to_one_run_at_a_time_and_nothing_is_left_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a/b");
        let first = Reserved::new(&place).unwrap();
        assert!(matches!(Reserved::new(&place), Err(FolderError::Busy { path }) if path == place));
        drop(first);
        Reserved::new(&place).unwrap();
        assert!(names(&place).is_empty());
    }

    #[test]
    fn what_cannot_be_a_folder_of_results_is_said_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("below")] {
            assert!(matches!(Reserved::new(&path), Err(FolderError::NotAFolder { path }) if path == file));
        }
        for path in [".campaign", ".campaign/items/x"] {
            assert!(matches!(Reserved::new(&folder.path().join(path)), Err(FolderError::Unfinished { .. })));
        }
        let long = folder.path().join("n".repeat(300));
        assert!(Reserved::new(&long).unwrap_err().to_string().contains("nnn"));
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn leftovers_of_a_killed_run_are_removed_and_other_hidden_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".stiction-report.html.tmp", ".stiction-items.parquet.tmp", ".mine.tmp", ".stiction-notes"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert!(Reserved::new(folder.path()).unwrap().warnings.is_empty());
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, [".mine.tmp", ".stiction-notes"]);
        for name in [".stiction-report.html.tmp", ".stiction-journal"] {
            let path = folder.path().join(name);
            fs::create_dir(&path).unwrap();
            assert!(matches!(Reserved::new(folder.path()), Err(FolderError::Foreign { path: named }) if named == path));
            fs::remove_dir(path).unwrap();
        }
    }

    #[test]
    fn every_file_that_is_known_before_the_run_is_looked_for() {
        let scenario = read(builtin("elmer1997/coulomb").unwrap().source(), &[], Size::Full).unwrap();
        for name in ["report.html", "summary.json", "scenario.toml", "run.json", "trajectory.parquet", "cycles.parquet"]
        {
            let folder = tempfile::tempdir().unwrap();
            let reserved = Reserved::new(folder.path()).unwrap();
            reserved.refuse_foreign(&scenario, TableFormat::Parquet).unwrap();
            let path = folder.path().join(name);
            fs::write(&path, "mine").unwrap();
            let refused = reserved.refuse_foreign(&scenario, TableFormat::Parquet);
            assert!(matches!(refused, Err(FolderError::Foreign { path: named }) if named == path), "{name}");
        }
        let expected = expected_files(&scenario, TableFormat::Csv);
        assert!(expected.contains(&"trajectory.csv".to_owned()), "{expected:?}");
        assert!(expected.iter().any(|name| name.ends_with(".svg")), "{expected:?}");
    }
}
