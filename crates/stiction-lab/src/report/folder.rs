//! Writing a folder so that no crash leaves a half-written file under its final name, and no file of someone else is
//! touched.
//!
//! All files are first written under temporary names and synced; then each is renamed, `summary.json` last. Which files
//! are ours is known from the `files` of the old `summary.json`, and from a journal that exists only while files are
//! being renamed: it survives a crash, and is also the lock that keeps two runs apart.

use super::reserve::{temporary_name, unremoved};
use crate::files::{self, OWN_TEXT, is_plain_name, open_lock, read_text, remove, rename, sync_folder, write_synced};
use crate::keep::FolderError;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Name of the file that is renamed last.
pub(super) const SUMMARY: &str = "summary.json";
pub(super) const JOURNAL: &str = ".stiction-journal";

/// A file to be written: its name in the folder and its content.
#[derive(Debug, Clone)]
pub(super) struct NewFile {
    pub(super) name: String,
    pub(super) content: Content,
}

/// The content of a file to be written.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// That of a file on the same disk, synced, which is moved.
    File(PathBuf),
}

impl NewFile {
    /// A file of these bytes.
    pub(super) fn new(name: &str, bytes: Vec<u8>) -> Self {
        Self { name: name.to_owned(), content: Content::Bytes(bytes) }
    }
}

/// Temporary files; those that were not renamed are removed when this goes.
struct Staged(Vec<(PathBuf, PathBuf)>);

impl Drop for Staged {
    fn drop(&mut self) {
        for (temporary, _) in &self.0 {
            let _ = remove(temporary);
        }
    }
}

/// Writes all files into the folder, which is made if needed, and removes what an earlier run wrote and this one does
/// not; what cannot be removed is a warning. The last file is to be `summary.json`.
pub(super) fn write_folder(folder: &Path, files: &[NewFile]) -> Result<Vec<String>, FolderError> {
    make_folder(folder)?;
    let journal_path = folder.join(JOURNAL);
    let mut journal = open_lock(&journal_path).map_err(|error| FolderError::new(&journal_path, error))?;
    match journal.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => return Err(FolderError::Busy { path: folder.to_owned() }),
        // a file system without locks: two runs into one folder are then the user's care
        Err(fs::TryLockError::Error(_)) => {}
    }
    let mut ours = earlier_files(folder);
    let mut noted = String::new();
    let interrupted = journal.read_to_string(&mut noted).is_ok() && !noted.is_empty();
    ours.extend(plain_names(&noted));
    let result = replace(folder, files, &ours, &mut journal);
    // a failure before the first rename has changed nothing: the journal of an interrupted run stays, a new one goes
    let untouched = result.as_ref().is_err_and(|(_, touched)| !touched);
    if result.is_ok() || (untouched && !interrupted) {
        let _ = remove(&journal_path);
    }
    result.map_err(|(error, _)| error)
}

/// The error says whether the folder was changed before it happened.
fn replace(
    folder: &Path,
    files: &[NewFile],
    ours: &BTreeSet<String>,
    journal: &mut File,
) -> Result<Vec<String>, (FolderError, bool)> {
    let before = |error| (error, false);
    for file in files {
        let path = folder.join(&file.name);
        if path.symlink_metadata().is_ok_and(|found| !ours.contains(&file.name) || !found.is_file()) {
            return Err(before(FolderError::Foreign { path }));
        }
    }
    let mut staged = Staged(Vec::new());
    for file in files {
        let (temporary, path) = (folder.join(temporary_name(&file.name)), folder.join(&file.name));
        staged.0.push((temporary.clone(), path.clone()));
        let written = match &file.content {
            Content::Bytes(bytes) => write_synced(&temporary, bytes),
            Content::File(source) => rename(source, &temporary),
        };
        written.map_err(|error| before(FolderError::new(&path, error)))?;
    }
    let new: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let all: BTreeSet<&str> = ours.iter().map(String::as_str).chain(new.iter().copied()).collect();
    let note = all.iter().fold(String::new(), |text, name| text + name + "\n");
    let path = folder.join(JOURNAL);
    files::rewrite(journal, &path, note.as_bytes()).map_err(|error| before(FolderError::new(&path, error)))?;

    let after = |path: &Path, error| (FolderError::new(path, error), true);
    // from here on the old answer is gone: a reader sees no summary rather than one that does not fit its tables
    let summary = folder.join(SUMMARY);
    if summary.symlink_metadata().is_ok() {
        remove(&summary).map_err(|error| after(&summary, error))?;
    }
    for (temporary, path) in &staged.0 {
        rename(temporary, path).map_err(|error| after(path, error))?;
    }
    staged.0.clear();
    let mut warnings = Vec::new();
    for stale in ours.iter().filter(|name| !new.contains(name.as_str())) {
        let path = folder.join(stale);
        if path.symlink_metadata().is_ok_and(|found| found.is_file())
            && let Err(error) = remove(&path)
        {
            warnings.push(unremoved(&path, &error));
        }
    }
    sync_folder(folder);
    Ok(warnings)
}

/// Writes a single file so that no crash leaves it half-written.
///
/// # Errors
/// [`FolderError`] names the path.
pub fn replace_file(path: &Path, content: &[u8]) -> Result<(), FolderError> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let temporary = path.with_file_name(temporary_name(&name));
    files::replace(path, &temporary, content).map_err(|error| FolderError::new(path, error))
}

/// Writes files that a person may edit: none of them is written if one stands there with another content.
///
/// # Errors
/// [`FolderError::Edited`] names the file in the way.
pub fn create_files(files: &[(PathBuf, Vec<u8>)]) -> Result<(), FolderError> {
    let edited = |path: &Path, content: &[u8]| {
        let same = files::read(path, OWN_TEXT).is_ok_and(|standing| standing == content);
        path.symlink_metadata().is_ok_and(|found| !found.is_file() || !same)
    };
    if let Some((path, _)) = files.iter().find(|(path, content)| edited(path, content)) {
        return Err(FolderError::Edited { path: path.clone() });
    }
    files.iter().try_for_each(|(path, content)| replace_file(path, content))
}

pub(super) fn make_folder(folder: &Path) -> Result<(), FolderError> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(path) = folder.ancestors().find(|path| path.is_file()) {
        return Err(FolderError::NotAFolder { path: path.to_owned() });
    }
    files::chosen_folder(folder).map_err(|error| FolderError::new(folder, error))
}

/// The files that an interrupted run was about to replace.
pub(super) fn noted_files(folder: &Path) -> Vec<String> {
    plain_names(&read_text(&folder.join(JOURNAL), OWN_TEXT).unwrap_or_default())
}

fn plain_names(lines: &str) -> Vec<String> {
    lines.lines().filter(|name| is_plain_name(name)).map(str::to_owned).collect()
}

/// The files that an earlier run says it wrote.
pub(super) fn earlier_files(folder: &Path) -> BTreeSet<String> {
    let Ok(text) = read_text(&folder.join(SUMMARY), OWN_TEXT) else { return BTreeSet::new() };
    let Ok(summary) = serde_json::from_str::<serde_json::Value>(&text) else { return BTreeSet::new() };
    let is_ours = summary.pointer("/provenance/program").and_then(|name| name.as_str()) == Some("stiction");
    let files = summary.get("files").and_then(|files| files.as_array()).filter(|_| is_ours);
    let names = files.into_iter().flatten().filter_map(|name| name.as_str()).filter(|name| is_plain_name(name));
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, content: &str) -> NewFile {
        NewFile::new(name, content.as_bytes().to_vec())
    }

    fn run(names: &[&str]) -> Vec<NewFile> {
        let mut files: Vec<NewFile> = names.iter().map(|name| file(name, name)).collect();
        let mut listed = names.to_vec();
        listed.push(SUMMARY);
        let summary = serde_json::json!({ "files": listed, "provenance": { "program": "stiction" } });
        files.push(file(SUMMARY, &summary.to_string()));
        files
    }

    fn listing(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_second_run_replaces_the_first_and_leaves_foreign_files() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a/b");
        write_folder(&place, &run(&["old.csv", "both.csv"])).unwrap();
        fs::write(place.join("notes.txt"), "mine").unwrap();
        write_folder(&place, &run(&["new.csv", "both.csv"])).unwrap();
        assert_eq!(listing(&place), ["both.csv", "new.csv", "notes.txt", "summary.json"]);
    }

    #[test]
    fn a_foreign_file_in_the_way_is_not_overwritten_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("scenario.toml"), "mine").unwrap();
        let error = write_folder(folder.path(), &run(&["table.csv", "scenario.toml"])).unwrap_err();
        assert!(matches!(error, FolderError::Foreign { .. }), "{error}");
        assert_eq!(listing(folder.path()), ["scenario.toml"]);
        assert_eq!(fs::read_to_string(folder.path().join("scenario.toml")).unwrap(), "mine");
    }

    #[test]
    fn a_write_that_fails_leaves_the_earlier_run_and_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        write_folder(folder.path(), &run(&["a.csv"])).unwrap();
        // the temporary name of the second file is taken by a folder: its write fails after the first file was staged
        fs::create_dir(folder.path().join(".stiction-b.csv.tmp")).unwrap();
        assert!(write_folder(folder.path(), &run(&["a2.csv", "b.csv"])).is_err());
        assert_eq!(listing(folder.path()), [".stiction-b.csv.tmp", "a.csv", "summary.json"]);
    }

    #[test]
    fn a_crash_between_renames_is_mended_by_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(JOURNAL), "half.csv\ntable.csv\n../outside\n").unwrap();
        fs::write(folder.path().join("half.csv"), "1").unwrap();
        fs::write(folder.path().join("table.csv"), "1").unwrap();
        write_folder(folder.path(), &run(&["table.csv"])).unwrap();
        assert_eq!(listing(folder.path()), ["summary.json", "table.csv"]);
    }

    #[test]
    fn a_summary_of_someone_else_owns_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(SUMMARY), r#"{"files":["summary.json"]}"#).unwrap();
        assert!(matches!(write_folder(folder.path(), &run(&[])), Err(FolderError::Foreign { .. })));
    }

    #[test]
    fn a_path_through_a_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("below")] {
            assert!(matches!(write_folder(&path, &run(&[])), Err(FolderError::NotAFolder { path }) if path == file));
        }
    }

    #[test]
    fn two_runs_into_one_folder_are_kept_apart() {
        let folder = tempfile::tempdir().unwrap();
        let journal = File::create(folder.path().join(JOURNAL)).unwrap();
        journal.lock().unwrap();
        assert!(matches!(write_folder(folder.path(), &run(&[])), Err(FolderError::Busy { .. })));
    }
}
