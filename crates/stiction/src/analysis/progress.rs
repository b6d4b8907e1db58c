//! How a long analysis tells its caller how far it is, and hears that it should stop.
//!
//! The science crate has no clock and prints nothing: the shell that implements [`Progress`] does.

use crate::integrate::Effort;
use crate::memory::{Memory, UNBOUNDED};

/// Receives the progress of an analysis. Called from several threads at once.
pub trait Progress: Sync {
    /// A new piece of work begins: what it is, and how many items it has.
    fn begin(&self, what: &str, items: u64);
    /// So many more items are finished.
    fn advance(&self, items: u64);
    /// So many items need not be made, because an earlier run has kept them: they tell nothing of how long the rest takes.
    fn found(&self, items: u64) {
        self.advance(items);
    }
    /// Whether the user asked to stop. An analysis that sees `true` returns [`Cancelled`] soon.
    fn cancelled(&self) -> bool;
    /// Something that a person wants to know before a long piece of work begins, for instance what it will cost.
    fn announce(&self, _news: &str) {}
    /// The cost of motions that were followed to their end; motions that fail, and those that are followed again only to
    /// sample them, are not reported.
    fn worked(&self, _effort: Effort) {}
    /// So many more steps of motions are done, finished or not: a sign of life for a person who waits.
    fn stepped(&self, _steps: u64) {}
    /// What is known so far, in a few words, for a person who waits.
    fn tell(&self, _known: &str) {}
    /// What may be kept; everything, unless the caller has a limit. Whoever passes progress on passes this on as well.
    fn memory(&self) -> &Memory<'_> {
        &UNBOUNDED
    }
}

/// The user asked to stop before the analysis was finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, thiserror::Error)]
#[error("stopped on request before the analysis was finished")]
pub struct Cancelled;

/// Reports nothing and never stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _what: &str, _items: u64) {}
    fn advance(&self, _items: u64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// Passes on the wish to stop and the work that is done: inside one of many items nothing begins and nothing is finished.
#[derive(Clone, Copy)]
pub struct Quiet<'a>(pub &'a dyn Progress);

impl Progress for Quiet<'_> {
    fn begin(&self, _what: &str, _items: u64) {}
    fn advance(&self, _items: u64) {}
    fn found(&self, _items: u64) {}
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
    fn worked(&self, effort: Effort) {
        self.0.worked(effort);
    }
    fn stepped(&self, steps: u64) {
        self.0.stepped(steps);
    }
    fn memory(&self) -> &Memory<'_> {
        self.0.memory()
    }
}
