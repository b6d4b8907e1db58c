//! Sums the cost of the motions of a study.

use std::sync::{Mutex, PoisonError};
use stiction::analysis::Progress;
use stiction::integrate::Effort;
use stiction::memory::Memory;

/// Passes progress on and keeps the cost to itself: the work, and the memory until it is dropped.
///
/// The whole study has one, and so has each of its items, whose cost is kept on disk beside its result: a run that was
/// resumed, split over machines or made by any number of threads records the same sums.
pub(crate) struct Tally<'a> {
    progress: &'a dyn Progress,
    effort: Mutex<Effort>,
    memory: Memory<'a>,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(progress: &'a dyn Progress) -> Self {
        Self { progress, effort: Mutex::default(), memory: Memory::part(progress.memory()) }
    }

    /// That of a whole run, which may keep so many bytes.
    pub(crate) fn within(limit: u64, progress: &'a dyn Progress) -> Self {
        Self { progress, effort: Mutex::default(), memory: Memory::of(limit) }
    }

    /// The cost so far.
    pub(crate) fn effort(&self) -> Effort {
        *self.effort.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Tally<'_> {
    fn begin(&self, what: &str, items: u64) {
        self.progress.begin(what, items);
    }
    fn advance(&self, items: u64) {
        self.progress.advance(items);
    }
    fn found(&self, items: u64) {
        self.progress.found(items);
    }
    fn cancelled(&self) -> bool {
        self.progress.cancelled()
    }
    fn announce(&self, news: &str) {
        self.progress.announce(news);
    }
    fn tell(&self, known: &str) {
        self.progress.tell(known);
    }
    fn memory(&self) -> &Memory<'_> {
        &self.memory
    }
    fn stepped(&self, steps: u64) {
        self.progress.stepped(steps);
    }
    fn worked(&self, effort: Effort) {
        *self.effort.lock().unwrap_or_else(PoisonError::into_inner) += effort;
    }
}
