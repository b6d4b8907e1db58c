//! What the program is doing, said within two seconds: one line that is redrawn on a terminal, plain lines elsewhere.
//!
//! A thread of its own looks at the work now and then, so that a study need not know the time, and one that reports nothing for a
//! while is still heard of. Studies report what they begin, how many items are done and how many steps their motions have taken.

use crate::{interrupt, terminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use stiction::analysis::Progress;

/// Reports on stderr how far a study is.
pub(crate) struct Reporter;

/// The present piece of work.
static WORK: Mutex<Work> = Mutex::new(Work::NONE);
/// Items of it that are done, and how many of these were found.
static DONE: AtomicU64 = AtomicU64::new(0);
static FOUND: AtomicU64 = AtomicU64::new(0);
/// Steps of all motions so far.
static STEPS: AtomicU64 = AtomicU64::new(0);

struct Work {
    /// What it is; empty while there is nothing to report.
    what: String,
    items: u64,
    /// What is known so far.
    known: String,
    /// When this piece of work began, and when the program did.
    began: Option<Instant>,
    started: Option<Instant>,
    /// Seconds from the start of the program to the next line.
    due: f64,
}

/// Time between two looks at the work.
const LOOK: Duration = Duration::from_millis(100);

/// Seconds until the first line, and until a terminal shows something.
const FIRST: f64 = 1.8;
const FIRST_SHOWN: f64 = 0.5;

/// Begins to report; called once.
pub(crate) fn start() {
    work().started = Some(now());
    let looks = || loop {
        thread::sleep(LOOK);
        work().look();
    };
    // a process that may not have another thread does its work without reports
    if let Err(error) = thread::Builder::new().name("progress".to_owned()).spawn(looks) {
        terminal::say(&format!("warning: no progress is shown, because no thread can be started for it: {error}"));
    }
}

/// A piece of work without items begins: reading, drawing, writing.
pub(crate) fn phase(what: &str) {
    Reporter.begin(what, 0);
}

/// Nothing is left to report.
pub(crate) fn finish() {
    work().what.clear();
    terminal::clear_status();
}

impl Progress for Reporter {
    fn begin(&self, what: &str, items: u64) {
        let mut work = work();
        DONE.store(0, Ordering::Relaxed);
        FOUND.store(0, Ordering::Relaxed);
        what.clone_into(&mut work.what);
        work.items = items;
        work.known.clear();
        work.began = Some(now());
    }

    fn advance(&self, items: u64) {
        DONE.fetch_add(items, Ordering::Relaxed);
    }

    fn found(&self, items: u64) {
        FOUND.fetch_add(items, Ordering::Relaxed);
        self.advance(items);
    }

    fn stepped(&self, steps: u64) {
        STEPS.fetch_add(steps, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        interrupt::asked()
    }

    fn announce(&self, news: &str) {
        terminal::say(news);
    }

    fn tell(&self, known: &str) {
        known.clone_into(&mut work().known);
    }
}

fn work() -> MutexGuard<'static, Work> {
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Work {
    const NONE: Self =
        Self { what: String::new(), items: 0, known: String::new(), began: None, started: None, due: FIRST };

    /// Reports the work if that is due. The caller holds the lock, so that nothing is shown after the end of the work.
    fn look(&mut self) {
        if self.what.is_empty() || interrupt::asked() {
            return;
        }
        let seconds = |since: Option<Instant>| since.map_or(0.0, |since| since.elapsed().as_secs_f64());
        let (total, own) = (seconds(self.started), seconds(self.began));
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        let text = || self.line([count(&DONE), count(&FOUND), count(&STEPS)], own, total);
        match terminal::status_width() {
            Some(width) if total >= FIRST_SHOWN => terminal::show_status(&shortened(&text(), width)),
            None if total >= self.due => {
                terminal::say(&text());
                self.due = next_line(total);
            }
            _ => {}
        }
    }

    /// What is done, how fast it goes, how long it still takes, and what is known.
    fn line(&self, [done, found, steps]: [u64; 3], own: f64, total: f64) -> String {
        let Self { what, items, known, .. } = self;
        let mut text = format!("[{total:.0} s] {what}");
        // a piece of work in one part has no share
        if *items > 1 {
            let percent = (done as f64 / *items as f64 * 100.0).min(100.0).floor();
            text.push_str(&format!(": {done} of {items} ({percent}%)"));
        }
        // what was found took no time
        let rate = done.saturating_sub(found) as f64 / own;
        if *items > 1 && rate > 0.0 && rate.is_finite() {
            let rounded = if rate < 10.0 { format!("{rate:.2}") } else { format!("{rate:.0}") };
            let left = duration(items.saturating_sub(done) as f64 / rate);
            text.push_str(&format!(", {rounded}/s, {left} left"));
        }
        if steps > 0 {
            text.push_str(&format!(", {steps} steps"));
        }
        if !known.is_empty() {
            text.push_str(&format!("; {known}"));
        }
        text
    }
}

/// A time for a person.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1.0 => "< 1 s".to_owned(),
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds < 360_000.0 => format!("{:.1} h", seconds / 3600.0),
        seconds if seconds < 8.64e7 => format!("{:.0} days", seconds / 86_400.0),
        seconds => format!("{:.0} years", seconds / 31_557_600.0),
    }
}

/// When a line follows one after `total` seconds: soon at first, then every ten seconds, in long runs once a minute.
fn next_line(total: f64) -> f64 {
    match total {
        total if total < 4.5 => 5.0,
        total if total < 9.5 => 10.0,
        total => total + (total / 10.0).clamp(10.0, 60.0),
    }
}

/// The text in at most `width` characters.
fn shortened(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}

/// Measures how long something takes, for a person to see.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(now())
    }

    /// Seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

#[allow(clippy::disallowed_methods, reason = "the shell measures time for a person to see; no result depends on it")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_how_much_and_for_how_long() {
        let told = |items: u64, known: &str, counts: [u64; 3], own: f64| {
            let work = Work { what: "sweep".into(), items, known: known.into(), ..Work::NONE };
            work.line(counts, own, own + 2.0)
        };
        assert_eq!(told(60, "", [30, 0, 0], 10.0), "[12 s] sweep: 30 of 60 (50%), 3.00/s, 10 s left");
        assert_eq!(told(60, "", [0, 0, 1234], 10.0), "[12 s] sweep: 0 of 60 (0%), 1234 steps");
        assert_eq!(told(60, "period 1 ± 0.1 s", [60, 0, 0], 0.0), "[2 s] sweep: 60 of 60 (100%); period 1 ± 0.1 s");
        assert_eq!(told(0, "", [0, 0, 0], 1.0), "[3 s] sweep");
        assert_eq!(told(1, "", [1, 0, 7], 1.0), "[3 s] sweep, 7 steps");
        assert_eq!(
            told(7, "", [u64::MAX, 0, 0], 1.0),
            format!("[3 s] sweep: {} of 7 (100%), {:.0}/s, < 1 s left", u64::MAX, u64::MAX as f64)
        );
    }

    #[test]
    fn items_that_were_found_tell_nothing_of_the_time_that_is_left() {
        let told = |counts: [u64; 3]| Work { what: "items".into(), items: 1000, ..Work::NONE }.line(counts, 10.0, 10.0);
        assert_eq!(told([900, 900, 0]), "[10 s] items: 900 of 1000 (90%)");
        assert_eq!(told([901, 900, 0]), "[10 s] items: 901 of 1000 (90%), 0.10/s, 16 min left");
    }

    #[test]
    fn times_are_short() {
        let told = [0.2, 3.2, 150.0, 9000.0, 1e6, 1e9].map(duration);
        assert_eq!(told, ["< 1 s", "3 s", "2 min", "2.5 h", "12 days", "32 years"]);
    }

    #[test]
    fn lines_come_within_two_seconds_and_then_less_and_less_often() {
        let mut times = vec![FIRST];
        while times.len() < 200 {
            times.push(next_line(times[times.len() - 1]));
        }
        assert!(times[0] < 2.0 && times[1] == 5.0 && times[2] == 10.0 && times[3] == 20.0, "{times:?}");
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] < 60.1 && pair[1] > pair[0]));
        // an hour is no flood
        assert!(times.iter().filter(|time| **time < 3600.0).count() < 100);
    }

    #[test]
    fn a_narrow_terminal_cuts_between_characters() {
        assert_eq!(shortened("± ± ±", 3), "± ±");
    }

    #[test]
    fn any_number_of_threads_may_report() {
        Reporter.begin("test", 4000);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| Reporter.advance(1)));
            }
        });
        assert_eq!(DONE.load(Ordering::Relaxed), 4000);
        Reporter.found(3);
        assert_eq!([&DONE, &FOUND].map(|count| count.load(Ordering::Relaxed)), [4003, 3]);
        Reporter.begin("next", 10);
        assert_eq!([&DONE, &FOUND].map(|count| count.load(Ordering::Relaxed)), [0, 0]);
        finish();
    }
}
