//! How far a run is: a bar with the time left on a terminal, a plain line now and then elsewhere.

use crate::{interrupt, terminal};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use stiction::analysis::Progress;
use stiction_lab::plain;

/// Tells on stderr how far a run is.
pub(crate) enum Reporter {
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// Lines, at most one in a few seconds.
    Lines(Lines),
    /// Nothing.
    Silent,
}

/// Where the present piece of work is, and when that was last told.
pub(crate) struct Lines {
    done: AtomicU64,
    work: Mutex<Work>,
}

struct Work {
    what: String,
    items: u64,
    /// What is known so far.
    known: String,
    began: Instant,
    told: Instant,
}

/// The time between two lines.
const PAUSE: Duration = Duration::from_secs(5);

impl Reporter {
    /// A bar on a terminal; elsewhere lines, or nothing for a program that reads JSON.
    pub(crate) fn new(json: bool) -> Self {
        if io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
            let template = "{msg} [{bar:30}] {percent:>3}% {pos}/{len}, {per_sec}, {eta} left {prefix}";
            bar.set_style(
                ProgressStyle::with_template(template)
                    .unwrap_or_else(|_| ProgressStyle::default_bar())
                    .progress_chars("=> "),
            );
            Reporter::Bar(bar)
        } else if json {
            Reporter::Silent
        } else {
            let work = Work { what: String::new(), items: 0, known: String::new(), began: now(), told: now() };
            Reporter::Lines(Lines { done: AtomicU64::new(0), work: Mutex::new(work) })
        }
    }

    /// Takes the bar away when the run is over.
    pub(crate) fn finish(&self) {
        if let Reporter::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Reporter {
    fn begin(&self, what: &str, items: u64) {
        match self {
            Reporter::Bar(bar) => {
                bar.reset();
                bar.set_length(items);
                bar.set_message(plain::line(what));
                bar.set_prefix("");
            }
            Reporter::Lines(lines) => {
                lines.done.store(0, Ordering::Relaxed);
                let mut work = lines.work.lock().unwrap_or_else(PoisonError::into_inner);
                (work.what, work.items) = (what.to_owned(), items);
                (work.known, work.began) = (String::new(), now());
            }
            Reporter::Silent => {}
        }
    }

    fn advance(&self, items: u64) {
        match self {
            Reporter::Bar(bar) => bar.inc(items),
            Reporter::Lines(lines) => {
                let done = lines.done.fetch_add(items, Ordering::Relaxed).saturating_add(items);
                // whoever finds the lock taken leaves the telling to the other thread
                if let Ok(mut work) = lines.work.try_lock()
                    && work.told.elapsed() >= PAUSE
                {
                    work.told = now();
                    terminal::say(&line(&work, done, work.began.elapsed().as_secs_f64()));
                }
            }
            Reporter::Silent => {}
        }
    }

    fn cancelled(&self) -> bool {
        interrupt::asked()
    }

    fn announce(&self, news: &str) {
        match self {
            Reporter::Bar(bar) => bar.suspend(|| terminal::say(news)),
            Reporter::Lines(_) => terminal::say(news),
            Reporter::Silent => {}
        }
    }

    fn tell(&self, known: &str) {
        match self {
            Reporter::Bar(bar) => bar.set_prefix(plain::line(&format!("| {known}"))),
            Reporter::Lines(lines) => {
                let mut work = lines.work.lock().unwrap_or_else(PoisonError::into_inner);
                known.clone_into(&mut work.known);
            }
            Reporter::Silent => {}
        }
    }
}

/// How far the work is after some seconds: the share, how fast it goes, how long it still takes, and what is known.
fn line(work: &Work, done: u64, seconds: f64) -> String {
    let Work { what, items, known, .. } = work;
    let mut text = match done.saturating_mul(100).checked_div(*items) {
        Some(percent) => format!("{what}: {done} of {items} ({}%)", percent.min(100)),
        None => format!("{what}: {done}"),
    };
    let rate = done as f64 / seconds;
    if done > 0 && rate.is_finite() {
        let rounded = if rate < 10.0 { format!("{rate:.2}") } else { format!("{rate:.0}") };
        text.push_str(&format!(", {rounded}/s"));
        if let Some(left) = items.checked_sub(done) {
            text.push_str(&format!(", {:.0} s left", left as f64 / rate));
        }
    }
    if !known.is_empty() {
        text.push_str(&format!("; {known}"));
    }
    text
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
    fn a_line_tells_the_share_that_is_done() {
        let told = |items: u64, known: &str, done: u64, seconds: f64| {
            let work = Work { what: "sweep".into(), items, known: known.into(), began: now(), told: now() };
            line(&work, done, seconds)
        };
        assert_eq!(told(60, "", 30, 10.0), "sweep: 30 of 60 (50%), 3.00/s, 10 s left");
        assert_eq!(told(60, "period 1 ± 0.1 s", 60, 0.0), "sweep: 60 of 60 (100%); period 1 ± 0.1 s");
        assert_eq!(told(0, "", 3, 1.0), "sweep: 3, 3.00/s");
        assert_eq!(told(7, "", u64::MAX, f64::INFINITY), format!("sweep: {} of 7 (100%), 0.00/s", u64::MAX));
    }

    #[test]
    fn any_number_of_threads_may_tell() {
        let teller = Reporter::new(false);
        teller.begin("test", 4000);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| teller.advance(1)));
            }
        });
        if let Reporter::Lines(lines) = &teller {
            assert_eq!(lines.done.load(Ordering::Relaxed), 4000);
        }
        teller.finish();
    }
}
