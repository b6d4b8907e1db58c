//! How much work a question may cost, counted in steps of the solver: what has no end in sight ends in an error.
//!
//! A budget is shared by all parts of a question, on any number of threads. Whether it suffices depends on the sum of their
//! steps alone, so that the number of threads does not decide.

use super::{AnalysisError, Cancelled, Progress, Silent};
use crate::integrate::Effort;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Steps that a question may take at least: some seconds of work.
const BASE: u64 = 5_000_000;

/// Steps for each further item, such as a value of a parameter; ordinary blocks need a hundredth, those with fast friction most.
const PER_ITEM: u64 = 200_000;

/// Steps that a question may still take, and whether the user waits for it.
pub struct Budget<'p> {
    total: u64,
    spent: AtomicU64,
    progress: &'p dyn Progress,
}

impl Budget<'static> {
    /// A budget for one item that nobody can stop.
    pub(crate) fn single() -> Self {
        Budget::of(1, &Silent)
    }
}

impl<'p> Budget<'p> {
    /// A budget for a question with so many items; `progress` tells whether the user asked to stop.
    pub fn of(items: usize, progress: &'p dyn Progress) -> Self {
        let total = BASE.saturating_add(PER_ITEM.saturating_mul(items as u64));
        Self { total, spent: AtomicU64::new(0), progress }
    }

    /// All steps, spent or not.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Steps that are left.
    pub(crate) fn left(&self) -> u64 {
        self.total.saturating_sub(self.spent.load(Ordering::Relaxed))
    }

    /// Takes steps away; whether the budget covered them.
    pub(crate) fn spend(&self, steps: u64) -> bool {
        self.progress.stepped(steps);
        self.spent.fetch_add(steps, Ordering::Relaxed).saturating_add(steps) <= self.total
    }

    /// Reports the cost of a motion.
    pub(super) fn worked(&self, effort: Effort) {
        self.progress.worked(effort);
    }

    /// Ends every other part of the question soon: one has failed.
    pub(crate) fn exhaust(&self) {
        self.spent.fetch_max(self.total, Ordering::Relaxed);
    }

    /// Goes on only if the user did not ask to stop.
    ///
    /// # Errors
    /// [`Cancelled`] on request.
    pub(crate) fn proceed(&self) -> Result<(), AnalysisError> {
        if self.progress.cancelled() { Err(Cancelled.into()) } else { Ok(()) }
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Budget").field("total", &self.total).field("spent", &self.spent).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_covers_its_sum_and_no_more() {
        let budget = Budget::of(2, &Silent);
        assert_eq!(budget.total(), BASE + 2 * PER_ITEM);
        assert!(budget.spend(BASE) && budget.left() == 2 * PER_ITEM);
        assert!(budget.spend(2 * PER_ITEM) && budget.left() == 0);
        assert!(!budget.spend(1));
        let failed = Budget::single();
        failed.exhaust();
        assert!(failed.left() == 0 && !failed.spend(1) && failed.proceed().is_ok());
    }
}
