//! Those who work in a campaign folder say so now and then, for `stiction status`. No result depends on it.

use crate::files::{self, OWN_TEXT, read_text};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// What somebody who works says of himself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Worker {
    /// The task; none for a run that makes all items.
    pub task: Option<u64>,
    /// The machine.
    pub machine: String,
    /// The process.
    pub process: u32,
    /// When it began, in seconds since 1970.
    pub began: f64,
    /// When it last said something, in seconds since 1970.
    pub seen: f64,
    /// Items that it has made.
    pub made: u64,
}

/// Who has not said anything for so long \[s\] is taken for dead.
const SILENCE: f64 = 30.0;

impl Worker {
    pub(super) fn new(task: Option<u64>) -> Self {
        let now = now();
        Self { task, machine: machine(), process: std::process::id(), began: now, seen: now, made: 0 }
    }

    fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}-{}.json", self.machine, self.process))
    }

    /// Says how far the work is. Nobody minds if that fails.
    pub(super) fn tell(&mut self, folder: &Path, made: u64) {
        (self.made, self.seen) = (made, now());
        let path = self.path(folder);
        let temporary = path.with_extension("tmp");
        if let Ok(text) = serde_json::to_string(self) {
            let written = files::create(&temporary).and_then(|mut file| file.write_all(text.as_bytes()));
            let _ = written.and_then(|()| files::rename(&temporary, &path));
        }
    }

    pub(super) fn leave(&self, folder: &Path) {
        let _ = files::remove(&self.path(folder));
    }

    /// Those who are at work.
    pub(super) fn all(folder: &Path) -> Vec<Self> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let read = |path: PathBuf| serde_json::from_str::<Self>(&read_text(&path, OWN_TEXT).ok()?).ok();
        let found = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "json"));
        let mut workers: Vec<Self> = found.filter_map(read).filter(|worker| now() - worker.seen < SILENCE).collect();
        workers.sort_by(|a, b| (a.task, &a.machine, a.process).cmp(&(b.task, &b.machine, b.process)));
        workers
    }

    /// Items a second, once there is something to tell.
    pub fn rate(&self) -> Option<f64> {
        let seconds = self.seen - self.began;
        (self.made > 0 && seconds > 0.0).then(|| self.made as f64 / seconds)
    }
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// A name of this machine for names of files.
pub(super) fn machine() -> String {
    let name = read_text(Path::new("/proc/sys/kernel/hostname"), 256).ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.as_deref().unwrap_or("machine").trim().chars().take(40).map(plain).collect();
    if name.is_empty() { "machine".to_owned() } else { name }
}
