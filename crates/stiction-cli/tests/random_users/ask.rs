//! One question and what comes of it.

#![allow(clippy::disallowed_methods, reason = "the patience of a user has a clock")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::ThreadId;
use std::time::{Duration, Instant};
use stiction::analysis::Progress;
use stiction_lab::dataset::Outcome;
use stiction_lab::run::run;
use stiction_lab::scenario::{Scenario, Size, Source, read};
use stiction_lab::study::StudyError;

/// What comes of a question.
pub(crate) enum Answer {
    /// The scenario is refused, with the mistakes.
    Refused(String),
    /// The study gives up, with its reason.
    Failed(String),
    /// It was stopped after the time that a case may take.
    Stopped,
    /// It did not stop when it was told to, or it panicked: always a defect.
    Broken(String),
    /// There is an answer.
    Answered(Box<Outcome>),
}

/// Stops a study after some time.
struct Deadline {
    clock: Clock,
    patience: Duration,
}

impl Progress for Deadline {
    fn begin(&self, _what: &str, _items: u64) {}
    fn advance(&self, _items: u64) {}
    fn cancelled(&self) -> bool {
        self.clock.elapsed() > self.patience
    }
}

/// The time that a question takes; for the thread that asked it, without the time that other programs take.
pub(crate) struct Clock {
    begin: Instant,
    busy: Option<Duration>,
    thread: ThreadId,
}

impl Clock {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Self { begin: Instant::now(), busy: busy_time(), thread: std::thread::current().id() }
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        let wall = self.begin.elapsed();
        // to ask the system takes some microseconds: only where it matters
        if wall < Duration::from_secs(1) || std::thread::current().id() != self.thread {
            return wall;
        }
        self.busy.zip(busy_time()).map_or(wall, |(from, to)| wall.min(to.saturating_sub(from)))
    }
}

/// Asks; a study that takes longer than `patience` is told to stop, and must do so within ten seconds.
pub(crate) fn ask(text: &str, settings: &[String], patience: Duration) -> Answer {
    let asked = catch_unwind(AssertUnwindSafe(|| {
        let scenario = match read(Source::new("case.toml", text), settings, Size::Full) {
            Ok(scenario) => scenario,
            Err(wrong) => return Answer::Refused(wrong.to_string()),
        };
        timed(&scenario, patience)
    }));
    asked.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or_else(|| panic.downcast_ref::<&str>().map(|words| (*words).to_owned()));
        Answer::Broken(format!("panic: {}", words.unwrap_or_default()))
    })
}

/// Time that this thread has had a processor, where the system tells it.
fn busy_time() -> Option<Duration> {
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    counts.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn timed(scenario: &Scenario, patience: Duration) -> Answer {
    let deadline = Deadline { clock: Clock::start(), patience };
    let answer = run(scenario, &deadline);
    // a study looks at the wish to stop between pieces of work
    let spent = deadline.clock.elapsed();
    if spent > patience + Duration::from_secs(10) {
        return Answer::Broken(format!("did not stop for {:.1} s", spent.as_secs_f64()));
    }
    match answer {
        Ok(outcome) => Answer::Answered(Box::new(outcome)),
        Err(StudyError::Cancelled(_)) => Answer::Stopped,
        Err(error) => Answer::Failed(error.to_string()),
    }
}
