//! Why a folder could not be written.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Why a folder could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The folder is a file.
    #[error("{} is a file, not a folder; choose another folder with --out", path.display())]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// A file that no earlier run wrote is in the way.
    #[error("{} was not written by an earlier run and is left untouched; move it away, or choose another folder with --out", path.display())]
    Foreign {
        /// The file in the way.
        path: PathBuf,
    },
    /// A file that a person may have edited is in the way.
    #[error("`{}` is there already with another content, and is left untouched; move it away", path.display())]
    Edited {
        /// The file in the way.
        path: PathBuf,
    },
    /// A file that the run reads would be replaced by its results.
    #[error("{} is read by this run and would be replaced; move it, or choose another folder with --out", path.display())]
    Input {
        /// The file.
        path: PathBuf,
    },
    /// Another run writes to the folder.
    #[error("another run is writing to {}; wait for it, or choose another folder with --out", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A file of another run is in the way.
    #[error("{} belongs to another run; choose another folder with --out", path.display())]
    OfAnotherRun {
        /// The file in the way.
        path: PathBuf,
    },
    /// The folder has unfinished work, or is a part of it.
    #[error("{} belongs to unfinished work; choose another folder with --out", path.display())]
    Unfinished {
        /// The path.
        path: PathBuf,
    },
    /// A file would be larger than the system allows.
    #[error("{} would be larger than the limit for files; raise it (`ulimit -f`), or choose another folder with --out", path.display())]
    TooLarge {
        /// The file that did not fit.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("the disk is full at {}; free some space, or choose another folder with --out", path.display())]
    DiskFull {
        /// The file that did not fit.
        path: PathBuf,
    },
    /// The folder may not be written.
    #[error("{} may not be written; change its permissions, or choose another folder with --out", path.display())]
    Forbidden {
        /// The path.
        path: PathBuf,
    },
    /// Something else went wrong.
    #[error("{}: {source}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

impl FolderError {
    /// What went wrong at a path.
    pub fn new(path: &Path, source: std::io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::DiskFull { path },
            ErrorKind::FileTooLarge => Self::TooLarge { path },
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::Forbidden { path },
            ErrorKind::NotADirectory => Self::NotAFolder { path },
            _ => Self::Io { path, source },
        }
    }
}
