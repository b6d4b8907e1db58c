//! How many items are worked on at once: as many as take about a quarter of a second. No result depends on it.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Measures how long items take.
#[derive(Debug)]
pub(super) struct Pace(Mutex<(Instant, u64)>);

/// How long \[s\] a block of items should take: short enough to watch.
const AIM: f64 = 0.25;
const MOST: u64 = 1 << 16;

impl Pace {
    pub(super) fn new() -> Self {
        Self(Mutex::new((now(), 0)))
    }

    /// The size of the next block, after `finished` items were made since the last call.
    pub(super) fn block(&self, finished: u64) -> u64 {
        // several items for each thread, so that those who are ready early find work
        let least = 8 * rayon::current_num_threads() as u64;
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = last.0.elapsed().as_secs_f64();
        let size = if finished == 0 {
            // the first block, or one that was kept and read in no time
            if last.1 == 0 { least } else { last.1.saturating_mul(2) }
        } else {
            let wanted = finished as f64 * AIM / seconds.max(1e-6);
            (wanted as u64).min(last.1.saturating_mul(8))
        };
        *last = (now(), size.clamp(least, MOST));
        last.1
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "sizes of blocks follow the speed of the machine; no result depends on them"
)]
pub(super) fn now() -> Instant {
    Instant::now()
}
