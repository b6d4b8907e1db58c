//! Those who work in a campaign folder say so now and then, for `stiction status`. No result depends on it.

use crate::files::{self, OWN_TEXT, read_text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Heartbeat of a worker process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Worker {
    /// The task; none for a run that makes all items.
    pub task: Option<u64>,
    /// The machine.
    pub machine: String,
    /// The process.
    pub process: u32,
    /// When it began, in seconds since 1970 by its own clock.
    pub began: f64,
    /// When it last said something, in seconds since 1970 by its own clock.
    pub seen: f64,
    /// Items that it has made.
    pub made: u64,
}

/// The time between two heartbeats.
pub(super) const BEAT: Duration = Duration::from_secs(1);
/// A worker without a heartbeat for this long is presumed dead.
const SILENCE: Duration = Duration::from_millis(3500);
/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(100);

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

    /// Those who are at work, and how many have left a heartbeat but give no other. Clocks of machines differ: a heartbeat is
    /// compared with the one before it, not with the clock of whoever looks, which takes a moment.
    pub(super) fn all(folder: &Path) -> (Vec<Self>, u64) {
        let mut silent = Self::heartbeats(folder);
        let mut alive = Vec::new();
        let began = super::pace::now();
        while !silent.is_empty() && began.elapsed() < SILENCE {
            thread::sleep(PAUSE);
            let mut now = Self::heartbeats(folder);
            silent.retain(|path, before| match now.remove(path) {
                Some(worker) if worker == *before => true,
                Some(worker) => {
                    alive.push(worker);
                    false
                }
                // it has left
                None => false,
            });
        }
        alive.sort_by(|a, b| (a.task, &a.machine, a.process).cmp(&(b.task, &b.machine, b.process)));
        (alive, silent.len() as u64)
    }

    /// The last heartbeat of everyone.
    fn heartbeats(folder: &Path) -> BTreeMap<PathBuf, Self> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let read = |path: &Path| serde_json::from_str::<Self>(&read_text(path, OWN_TEXT).ok()?).ok();
        entries
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .filter_map(|path| Some((read(&path)?, path)))
            .map(|(worker, path)| (path, worker))
            .collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn workers_are_judged_by_their_own_heartbeats_whatever_their_clocks_say() {
        let folder = tempfile::tempdir().unwrap();
        let beat = |name: &str, task: u64, seen: f64| {
            let worker = Worker { task: Some(task), machine: name.into(), process: 1, began: seen, seen, made: 0 };
            let (path, text) = (worker.path(folder.path()), serde_json::to_string(&worker).unwrap());
            fs::write(path.with_extension("tmp"), text).unwrap();
            fs::rename(path.with_extension("tmp"), path).unwrap();
        };
        // a day behind and alive, a day ahead and alive; dead with a clock ahead, dead just now
        let shifts = [("behind", 0, -86400.0), ("ahead", 1, 86400.0)];
        beat("dead_ahead", 2, now() + 86400.0);
        beat("dead_now", 3, now());
        let done = AtomicBool::new(false);
        let (alive, silent) = thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    shifts.iter().for_each(|(name, task, shift)| beat(name, *task, now() + shift));
                    thread::sleep(Duration::from_millis(50));
                }
            });
            thread::sleep(Duration::from_millis(200));
            let found = Worker::all(folder.path());
            done.store(true, Ordering::Relaxed);
            found
        });
        let names: Vec<&str> = alive.iter().map(|worker| worker.machine.as_str()).collect();
        assert_eq!((names, silent), (vec!["behind", "ahead"], 2));
    }
}
