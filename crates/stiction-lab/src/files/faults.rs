//! Faults on purpose: any call that writes below a folder can fail, once or from then on.
//!
//! A call that fails once is a full disk or a lost permission: the program goes on, tells it and cleans up. Calls that fail from some
//! moment on are a crash at that moment: nothing is written any more, and nothing is cleaned up.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Folders with faults: calls that still succeed, and whether all others fail.
static PLANNED: Mutex<BTreeMap<PathBuf, Plan>> = Mutex::new(BTreeMap::new());

#[derive(Debug, Clone, Copy)]
struct Plan {
    left: usize,
    crash: bool,
    struck: bool,
}

fn planned() -> MutexGuard<'static, BTreeMap<PathBuf, Plan>> {
    PLANNED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One call fails.
    Fault,
    /// This call and all later ones fail.
    Crash,
}

/// Runs `work`, in which the calls that write below `folder` fail after so many; whether one did, and what `work` gave.
pub(crate) fn with<T>(folder: &Path, after: usize, kind: Kind, work: impl FnOnce() -> T) -> (bool, T) {
    planned().insert(folder.to_owned(), Plan { left: after, crash: kind == Kind::Crash, struck: false });
    let found = work();
    let struck = planned().remove(folder).is_some_and(|plan| plan.struck);
    (struck, found)
}

/// Called before anything is written at a path.
pub(super) fn strike(path: &Path) -> io::Result<()> {
    let mut planned = planned();
    let Some((_, plan)) = planned.iter_mut().find(|(folder, _)| path.starts_with(folder)) else { return Ok(()) };
    if plan.left > 0 {
        plan.left -= 1;
    } else if plan.crash || !plan.struck {
        plan.struck = true;
        return Err(io::Error::new(io::ErrorKind::StorageFull, "a fault on purpose"));
    }
    Ok(())
}
