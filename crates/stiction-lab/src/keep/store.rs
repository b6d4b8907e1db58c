//! Keeps finished items in shards, so that a run can be stopped at any moment and go on, or be split over machines.
//!
//! Items wait in memory for a moment, then go to the disk together: soon at the beginning, every ten seconds in a long run,
//! at once when the user asks to stop. A thread of its own does that, so that a slow item does not hold back what is ready.
//! Nothing is written for a run that ends before the first moment is over.

use super::home::{Asked, Home, HomeError, Plan, keep_error, write_whole};
use super::index::Index;
use super::input::check_inputs;
use super::pace::{Pace, now};
use super::resolved::Resolved;
use super::shard::encode;
use super::worker::{BEAT, Worker};
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use stiction::analysis::campaign::{Chunk, Halt, KeepError, Keeper, Part, Stage};

/// What is done in a campaign folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Everything, alone.
    Run,
    /// Finds out how many items there are.
    Plan,
    /// The items of one task.
    Work {
        /// The plan.
        plan: Plan,
        /// The task.
        task: u64,
    },
    /// Reduces what others made.
    Merge {
        /// The plan.
        plan: Plan,
    },
}

/// What the shell does for a store.
#[derive(Debug, Clone, Copy)]
pub struct Shell {
    /// Whether the user asked to stop.
    pub stopped: fn() -> bool,
    /// Says something to the user.
    pub say: fn(&str),
}

/// A keeper of items in a campaign folder.
pub struct Store {
    shared: Arc<Shared>,
    role: Role,
    shell: Shell,
    pace: Pace,
    index: Mutex<Option<Index>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    home: Home,
    asked: Asked,
    resolved: Resolved,
    alone: bool,
    task: Option<u64>,
    stopped: fn() -> bool,
    /// Held while shards are written, so that who waits for it knows that they are.
    writer: Mutex<Writer>,
    waiting: Mutex<Waiting>,
    wake: Condvar,
}

/// Who writes, and what must live as long as that.
#[derive(Default)]
struct Writer {
    lock: Option<File>,
    worker: Option<Worker>,
    ready: bool,
}

/// Items that are not on the disk yet.
struct Waiting {
    chunks: BTreeMap<String, Vec<Chunk>>,
    bytes: usize,
    made: u64,
    began: Instant,
    written: Instant,
    told: Instant,
    error: Option<KeepError>,
    closed: bool,
}

/// More bytes than this do not wait.
const MOST_BYTES: usize = 4 << 20;
/// The time between two shards: at first, at last, and as a share of the time since the beginning.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LAST_PAUSE: Duration = Duration::from_secs(10);
const PAUSE_SHARE: u32 = 100;

fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// A store for a run into a folder of results. What is kept there of the same scenario is found; `--restart` is
    /// [`Home::restart`] before this.
    ///
    /// # Errors
    /// [`HomeError`] if there is unfinished work of another scenario, or somebody else works there.
    pub fn open(home: Home, asked: Asked, resolved: Resolved, role: Role, shell: Shell) -> Result<Self, HomeError> {
        home.check(&resolved)?;
        let alone = matches!(role, Role::Run | Role::Merge { .. });
        let task = if let Role::Work { task, .. } = role { Some(task) } else { None };
        let began = now();
        let waiting = Waiting {
            chunks: BTreeMap::new(),
            bytes: 0,
            made: 0,
            began,
            written: began,
            told: began,
            error: None,
            closed: false,
        };
        let exists = home.exists();
        let shared = Arc::new(Shared {
            home,
            asked,
            resolved,
            alone,
            task,
            stopped: shell.stopped,
            writer: Mutex::default(),
            waiting: Mutex::new(waiting),
            wake: Condvar::new(),
        });
        let store = Self { shared, role, shell, pace: Pace::new(), index: Mutex::new(None), thread: Mutex::new(None) };
        if exists || store.role == Role::Plan {
            store.shared.prepare(&mut guard(&store.shared.writer))?;
            *guard(&store.index) = Some(store.find_kept()?);
            // heartbeats from now on: the first item may take long
            store.start_thread();
        }
        Ok(store)
    }

    /// Looks at every shard. Those that cannot be trusted are told, and removed unless they are only to be read.
    fn find_kept(&self) -> Result<Index, HomeError> {
        let folder = self.shared.home.items();
        let index =
            Index::of(&folder, &self.shared.resolved.hash).map_err(|error| super::FolderError::new(&folder, error))?;
        for (path, reason) in &index.damaged {
            let name = path.display();
            if matches!(self.role, Role::Merge { .. }) {
                (self.shell.say)(&format!("warning: {name} is not used: {reason}"));
            } else {
                (self.shell.say)(&format!("warning: {name} is not used: {reason}; its items are made again"));
                let _ = crate::files::remove(path);
            }
        }
        Ok(index)
    }

    /// The run is finished and its results are written: what was kept for it goes.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn finish(self) -> Result<(), HomeError> {
        let home = self.shared.home.clone();
        drop(self);
        home.remove()
    }

    /// Starts the thread that writes, once there is something to write.
    fn start_thread(&self) {
        let mut thread = guard(&self.thread);
        if thread.is_none() {
            let shared = Arc::clone(&self.shared);
            // without a thread items are written when there are many, or at the end
            *thread = thread::Builder::new().name("shards".to_owned()).spawn(move || shared.write_now_and_then()).ok();
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        guard(&self.shared.waiting).closed = true;
        self.shared.wake.notify_all();
        if let Some(thread) = guard(&self.thread).take() {
            let _ = thread.join();
        }
        if let Some(worker) = &guard(&self.shared.writer).worker {
            worker.leave(&self.shared.home.workers());
        }
    }
}

impl Keeper for Store {
    fn part(&self, stage: &Stage<'_>) -> Result<Part, Halt> {
        let parted = |range: Range<u64>| Halt::Parted { stage: stage.name.to_owned(), items: stage.items, range };
        let fits = |plan: &Plan| {
            if plan.items == stage.items {
                return Ok(());
            }
            let message =
                format!("the plan has {} {}, the study has {}: plan again", plan.items, stage.name, stage.items);
            Err(Halt::from(KeepError::Place { place: self.shared.place(), message }))
        };
        let part = match &self.role {
            Role::Plan if stage.split => return Err(parted(0..0)),
            Role::Work { plan, task } if stage.split && plan.stage == stage.name => {
                fits(plan)?;
                Part::Only(plan.range(*task))
            }
            // what comes before the planned items is needed by everyone; what comes after them is for who merges
            Role::Merge { plan } if stage.split && plan.stage == stage.name => {
                fits(plan)?;
                Part::Kept
            }
            Role::Run | Role::Plan | Role::Work { .. } | Role::Merge { .. } => Part::Whole,
        };
        if self.role == Role::Run && stage.split {
            let ranges = guard(&self.index).as_ref().map(|index| index.ranges(stage.name)).unwrap_or_default();
            let kept: u64 = ranges.iter().map(|range| range.end.min(stage.items).saturating_sub(range.start)).sum();
            if kept > 0 {
                let (name, items) = (stage.name, stage.items);
                (self.shell.say)(&format!("going on where an earlier run stopped: {kept} of {items} {name} are kept"));
            }
        }
        Ok(part)
    }

    fn kept(&self, stage: &str, range: Range<u64>, found: &mut dyn FnMut(u64, &[u8])) -> Result<(), KeepError> {
        let mut index = guard(&self.index);
        let Some(index) = index.as_mut() else { return Ok(()) };
        index.show(stage, &range, found).map_err(|(path, reason)| KeepError::Place {
            place: path.display().to_string(),
            message: format!("cannot be read any more: {reason}; run the same command again"),
        })
    }

    fn keep(&self, stage: &str, chunk: Chunk) -> Result<(), KeepError> {
        self.start_thread();
        let full = {
            let mut waiting = guard(&self.shared.waiting);
            if let Some(error) = &waiting.error {
                return Err(error.clone());
            }
            waiting.bytes += chunk.bytes.len() + 4 * chunk.lengths.len();
            waiting.made += chunk.items();
            match waiting.chunks.get_mut(stage) {
                Some(chunks) => chunks.push(chunk),
                None => {
                    waiting.chunks.insert(stage.to_owned(), vec![chunk]);
                }
            }
            waiting.bytes > MOST_BYTES
        };
        if full { self.shared.write() } else { Ok(()) }
    }

    fn settle(&self) -> Result<(), KeepError> {
        self.shared.write()
    }

    fn block(&self, finished: u64) -> u64 {
        self.pace.block(finished)
    }
}

impl Shared {
    fn place(&self) -> String {
        self.home.results().display().to_string()
    }

    /// Makes the folder and takes the lock, once.
    fn prepare(&self, writer: &mut Writer) -> Result<(), HomeError> {
        if writer.ready {
            return Ok(());
        }
        self.home.make(&self.asked, &self.resolved)?;
        writer.lock = Some(self.home.lock(self.alone)?);
        let mut worker = Worker::new(self.task);
        worker.tell(&self.home.workers(), 0);
        writer.worker = Some(worker);
        writer.ready = true;
        Ok(())
    }

    /// Writes what waits; when this returns, everything that waited before is on the disk.
    fn write(&self) -> Result<(), KeepError> {
        let mut writer = guard(&self.writer);
        let chunks = {
            let mut waiting = guard(&self.waiting);
            if let Some(error) = &waiting.error {
                return Err(error.clone());
            }
            (waiting.written, waiting.bytes) = (now(), 0);
            std::mem::take(&mut waiting.chunks)
        };
        let written = self.write_chunks(chunks, &mut writer);
        if let Err(error) = &written {
            guard(&self.waiting).error = Some(error.clone());
        }
        written
    }

    fn write_chunks(&self, chunks: BTreeMap<String, Vec<Chunk>>, writer: &mut Writer) -> Result<(), KeepError> {
        if chunks.is_empty() {
            return Ok(());
        }
        let unkept = |message| KeepError::Place { place: "finished items cannot be kept".to_owned(), message };
        check_inputs(&self.resolved.inputs).map_err(|changed| unkept(changed.to_string()))?;
        self.prepare(writer).map_err(|error| keep_error(&error, self.home.results()))?;
        let folder = self.home.items();
        for (stage, chunks) in chunks {
            if let Some((name, bytes)) = encode(&self.resolved.hash, &stage, chunks) {
                write_whole(&folder, &name, &bytes).map_err(|error| {
                    let next = ". What is finished is kept: the same command goes on";
                    unkept(format!("{error}{}", if self.home.has_items() { next } else { "" }))
                })?;
            }
        }
        Ok(())
    }

    /// The life of the thread that writes.
    fn write_now_and_then(&self) {
        loop {
            let (due, closed, sign) = {
                let waiting = guard(&self.waiting);
                let pause = Duration::from_millis(50);
                let (mut waiting, _) = self.wake.wait_timeout(waiting, pause).unwrap_or_else(PoisonError::into_inner);
                let pause = (waiting.began.elapsed() / PAUSE_SHARE).clamp(FIRST_PAUSE, LAST_PAUSE);
                let due = !waiting.chunks.is_empty() && ((self.stopped)() || waiting.written.elapsed() >= pause);
                let sign = (waiting.told.elapsed() >= BEAT).then_some(waiting.made);
                if sign.is_some() {
                    waiting.told = now();
                }
                (due, waiting.closed, sign)
            };
            if closed {
                return;
            }
            if due {
                // an error is told to the next one who has something to keep
                let _ = self.write();
            }
            if let Some(made) = sign
                && let Some(worker) = &mut guard(&self.writer).worker
            {
                worker.tell(&self.home.workers(), made);
            }
        }
    }
}

/// A keeper without a folder: it keeps nothing, but measures how long items take.
pub(crate) struct Unkept(Pace);

impl Unkept {
    pub(crate) fn new() -> Self {
        Self(Pace::new())
    }
}

impl Keeper for Unkept {
    fn block(&self, finished: u64) -> u64 {
        self.0.block(finished)
    }
}
