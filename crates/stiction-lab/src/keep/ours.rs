//! Which files of a folder `.campaign` are ours: only those are removed, and a folder with others is not used.

use super::folder_error::FolderError;
use super::home::{ASKED, Home, HomeError, ITEMS, LOCK, PLAN, SCENARIO, WORKERS};
use crate::files::{OWN_TEXT, read_text, remove, remove_empty};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

impl Home {
    /// Whether finished items are kept.
    pub fn has_items(&self) -> bool {
        let entries = fs::read_dir(self.items()).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).any(|path| ends_in(&path, "items"))
    }

    /// Refuses a folder `.campaign` in which something is not ours; nothing there is fine.
    ///
    /// # Errors
    /// [`HomeError::Foreign`] names the first such file.
    pub fn refuse_foreign(&self) -> Result<(), HomeError> {
        let foreign = self.look(|_, _| Ok(()))?;
        foreign.map_or(Ok(()), |path| Err(HomeError::Foreign { path }))
    }

    /// Throws all unfinished work away, unless somebody works on it; nothing there is fine.
    ///
    /// # Errors
    /// [`HomeError::Busy`], [`HomeError::Foreign`], or if it cannot be removed.
    pub fn restart(&self) -> Result<(), HomeError> {
        self.refuse_foreign()?;
        if self.path.symlink_metadata().is_err() {
            return Ok(());
        }
        let _alone = self.lock(true)?;
        self.remove()
    }

    /// Removes all unfinished work; nothing there is fine. What is not ours stays.
    ///
    /// # Errors
    /// If something cannot be removed or is not ours.
    pub fn remove(&self) -> Result<(), HomeError> {
        if self.path.symlink_metadata().is_err() {
            return Ok(());
        }
        // first that without which nothing else counts: a crash in between leaves nothing that looks like work
        let _ = remove(&self.path.join(ASKED));
        let foreign = self.look(|path, is_folder| if is_folder { Ok(()) } else { gone(remove(path)) })?;
        if let Some(path) = foreign {
            return Err(HomeError::Foreign { path });
        }
        for folder in [self.items(), self.workers(), self.path.clone()] {
            gone(remove_empty(&folder)).map_err(|error| FolderError::new(&folder, error))?;
        }
        Ok(())
    }

    /// Shows every file and folder that is ours, and gives the first that is not.
    fn look(&self, mut show: impl FnMut(&Path, bool) -> io::Result<()>) -> Result<Option<PathBuf>, HomeError> {
        let mut foreign = None;
        match self.path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(FolderError::new(&self.path, error).into()),
            Ok(found) if !found.is_dir() => return Ok(Some(self.path.clone())),
            Ok(_) => {}
        }
        for folder in [self.items(), self.workers(), self.path.clone()] {
            // a link or a file in its place is told with the folder above
            if !folder.symlink_metadata().is_ok_and(|found| found.is_dir()) {
                continue;
            }
            for entry in fs::read_dir(&folder).map_err(|error| FolderError::new(&folder, error))? {
                let entry = entry.map_err(|error| FolderError::new(&folder, error))?;
                let path = entry.path();
                if self.is_ours(&folder, &entry) {
                    show(&path, path.is_dir()).map_err(|error| FolderError::new(&path, error))?;
                } else {
                    foreign.get_or_insert(path);
                }
            }
        }
        Ok(foreign)
    }

    /// Whether this program makes files of that name and kind in a folder of `.campaign`.
    fn is_ours(&self, folder: &Path, entry: &DirEntry) -> bool {
        let (path, name) = (entry.path(), entry.file_name());
        let Some(name) = name.to_str() else { return false };
        // not followed: a link is never ours
        let Ok(kind) = entry.file_type() else { return false };
        let unfinished = name.starts_with('.') && name.ends_with(".tmp");
        if folder == self.items() {
            return kind.is_file() && (unfinished || ends_in(&path, "items"));
        }
        if folder == self.workers() {
            return kind.is_file() && (unfinished || ends_in(&path, "json") || ends_in(&path, "tmp"));
        }
        let says = |words: &str| read_text(&path, OWN_TEXT).is_ok_and(|text| text.contains(words));
        match name {
            ITEMS | WORKERS => kind.is_dir(),
            _ if !kind.is_file() => false,
            ASKED => says("\"scenario_sha256\""),
            PLAN => says("\"items_per_task\""),
            SCENARIO | LOCK => true,
            // the last ones are what tasks of `array.sbatch` say
            _ => unfinished || ends_in(&path, "growing") || (name.starts_with("slurm-") && ends_in(&path, "log")),
        }
    }
}

fn ends_in(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

/// What is gone already need not be removed.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    removed.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home_with(files: &[(&str, &str)]) -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(".campaign").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let home = Home::of(folder.path());
        (folder, home)
    }

    #[test]
    fn our_files_are_thrown_away_and_those_of_others_are_named_and_stay() {
        let ours = [
            ("asked.json", "{\"scenario_sha256\": \"\"}"),
            ("scenario.toml", ""),
            ("lock", ""),
            ("items/0.items", ""),
            ("items/.machine-1-2.tmp", ""),
            ("workers/machine-1.json", ""),
            ("workers/machine-1.tmp", ""),
            ("items.growing", ""),
            ("slurm-12.log", ""),
        ];
        let (folder, home) = home_with(&ours);
        assert!(home.has_items());
        home.restart().unwrap();
        assert!(!folder.path().join(".campaign").exists() && !home.has_items());
        let mine = ["notes.txt", "items/a.csv", "workers/a.toml", "plan.json", "asked.json"];
        for (name, folders) in mine.map(|name| (name, false)).into_iter().chain([("items/0.items/x", true)]) {
            let shown: Vec<_> =
                ours.iter().copied().filter(|(known, _)| !folders || *known != "items/0.items").collect();
            let (folder, home) = home_with(&[&shown[..], &[(name, "mine")]].concat());
            let before = format!("{:?}", home.restart().unwrap_err());
            assert!(before.contains("Foreign"), "{name}: {before}");
            assert!(folder.path().join(".campaign/scenario.toml").exists(), "{name}");
            // at the end of a run our files go, that file stays
            assert!(matches!(home.remove(), Err(HomeError::Foreign { .. })) || name == "asked.json", "{name}");
            assert!(folder.path().join(".campaign").join(name).exists() || name == "asked.json", "{name}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_never_ours() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("0.items"), "precious").unwrap();
        for link in [".campaign", ".campaign/items"] {
            let path = folder.path().join(link);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(elsewhere.path(), &path).unwrap();
            let home = Home::of(folder.path());
            assert!(matches!(home.restart(), Err(HomeError::Foreign { path: named }) if named == path), "{link}");
            assert!(matches!(home.remove(), Err(HomeError::Foreign { .. })), "{link}");
            assert_eq!(fs::read_to_string(elsewhere.path().join("0.items")).unwrap(), "precious");
            fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn restart_waits_for_nobody_and_destroys_nothing_while_somebody_works() {
        let (folder, home) = home_with(&[("asked.json", "\"scenario_sha256\""), ("items/0.items", "1")]);
        for alone in [true, false] {
            let lock = home.lock(alone).unwrap();
            assert!(matches!(home.restart(), Err(HomeError::Busy { .. })));
            assert!(folder.path().join(".campaign/items/0.items").exists());
            drop(lock);
        }
        home.restart().unwrap();
    }
}
