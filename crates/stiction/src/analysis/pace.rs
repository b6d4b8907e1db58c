//! How far a motion is, while it is followed.

use super::{Cancelled, Progress};
use crate::integrate::{Flow, Sink, Stretch};
use crate::system::{Sections, System};

/// Parts of a motion that progress is reported in.
const PARTS: u64 = 100;

/// Stretches between two reports: some milliseconds of work.
const BETWEEN: u64 = 256;

/// A sink that counts the steps of a motion, reports how much of it is done, and asks now and then whether to stop.
pub struct Pace<'p> {
    progress: &'p dyn Progress,
    start: f64,
    end: f64,
    told: u64,
    stretches: u64,
    is_cancelled: bool,
}

impl<'p> Pace<'p> {
    /// Begins a motion from `start` to `end` on its clock; one of many motions reports to a [`Quiet`](super::Quiet) listener.
    pub fn of(progress: &'p dyn Progress, start: f64, end: f64) -> Self {
        progress.begin("motion", PARTS);
        Self { progress, start, end, told: 0, stretches: 0, is_cancelled: false }
    }

    /// The motion has been followed until `time`.
    pub fn beat(&mut self, time: f64) -> Flow {
        self.stretches += 1;
        if !self.stretches.is_multiple_of(BETWEEN) {
            return Flow::Continue;
        }
        self.progress.stepped(BETWEEN);
        let done = ((time - self.start) / (self.end - self.start) * PARTS as f64) as u64;
        self.progress.advance(done.saturating_sub(self.told));
        self.told = done.max(self.told);
        self.is_cancelled = self.progress.cancelled();
        if self.is_cancelled { Flow::Stop } else { Flow::Continue }
    }

    /// Goes on only if the user did not interrupt the motion.
    ///
    /// # Errors
    /// [`Cancelled`] if the user did.
    pub fn proceed(&self) -> Result<(), Cancelled> {
        if self.is_cancelled { Err(Cancelled) } else { Ok(()) }
    }
}

impl<S: System> Sink<S> for Pace<'_> {
    const SECTIONS: Sections = Sections::NONE;

    fn stretch(&mut self, stretch: &Stretch<'_, S>) -> Flow {
        self.beat(stretch.to)
    }
}

/// Reports the steps since the last report.
impl Drop for Pace<'_> {
    fn drop(&mut self) {
        self.progress.stepped(self.stretches % BETWEEN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Quiet;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Counts what is reported; interrupts after some steps.
    #[derive(Default)]
    struct Counts {
        done: AtomicU64,
        steps: AtomicU64,
        most: u64,
    }

    impl Progress for Counts {
        fn begin(&self, _what: &str, _items: u64) {}
        fn advance(&self, items: u64) {
            self.done.fetch_add(items, Ordering::Relaxed);
        }
        fn stepped(&self, steps: u64) {
            self.steps.fetch_add(steps, Ordering::Relaxed);
        }
        fn cancelled(&self) -> bool {
            self.steps.load(Ordering::Relaxed) > self.most
        }
    }

    #[test]
    fn every_step_is_counted_once_and_the_share_never_falls() {
        let counts = Counts { most: u64::MAX, ..Counts::default() };
        let mut pace = Pace::of(&counts, 10.0, 20.0);
        // a clock that goes back for a while, as rounding may
        for step in 1..=1000_u32 {
            let back = if step == 512 { 3.0 } else { 0.0 };
            assert_eq!(pace.beat(10.0 + f64::from(step) / 100.0 - back), Flow::Continue);
        }
        drop(pace);
        assert_eq!(counts.steps.into_inner(), 1000);
        assert_eq!(counts.done.into_inner(), 76);
    }

    #[test]
    fn a_motion_stops_soon_after_it_is_interrupted() {
        let counts = Counts { most: 1000, ..Counts::default() };
        let quiet = Quiet(&counts);
        let mut pace = Pace::of(&quiet, 0.0, 1e4);
        let steps = (1..10_000).take_while(|step| pace.beat(f64::from(*step)) == Flow::Continue).count();
        assert!((1000..2000).contains(&steps) && pace.proceed().is_err(), "{steps}");
        drop(pace);
        assert_eq!(counts.done.into_inner(), 0);
    }
}
