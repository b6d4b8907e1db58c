//! Who keeps finished items, and says which of them are to be made here.

use super::Chunk;
use crate::analysis::Cancelled;
use std::ops::Range;

/// A numbered list of items of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage<'a> {
    /// What the items are, in one word of lower-case letters and underscores.
    pub name: &'a str,
    /// How many there are.
    pub items: u64,
    /// Whether the items are split over machines. A stage that is not split is made by everyone who needs it: it is short.
    pub split: bool,
}

impl<'a> Stage<'a> {
    /// Items that may be split over machines.
    pub fn new(name: &'a str, items: u64) -> Self {
        Self { name, items, split: true }
    }

    /// A few items that everyone makes who needs them.
    pub fn shared(name: &'a str, items: u64) -> Self {
        Self { name, items, split: false }
    }
}

/// What is to be done with a stage here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// All items are made, unless they are kept, and reduced.
    Whole,
    /// Only these items are made; nothing is reduced, and the study ends here.
    Only(Range<u64>),
    /// No item is made: all that the reduction needs must be kept.
    Kept,
}

/// Keeps finished items. Called from several threads at once.
pub trait Keeper: Sync {
    /// What is to be done with a stage here.
    ///
    /// # Errors
    /// If what is kept does not belong to this stage, or this study is not to go on.
    fn part(&self, stage: &Stage<'_>) -> Result<Part, Halt>;

    /// Shows every item of the range that is kept, in ascending order, as its bytes.
    ///
    /// # Errors
    /// If what is kept cannot be read.
    fn kept(&self, stage: &str, range: Range<u64>, found: &mut dyn FnMut(u64, &[u8])) -> Result<(), KeepError>;

    /// Keeps finished items.
    ///
    /// # Errors
    /// If they cannot be written.
    fn keep(&self, stage: &str, chunk: Chunk) -> Result<(), KeepError>;

    /// Makes sure that all items that were handed over are kept.
    ///
    /// # Errors
    /// If they cannot be written.
    fn settle(&self) -> Result<(), KeepError>;

    /// How many items are to be worked on next, at least one, after the given number was finished since the last call. No
    /// result depends on it: few items are reduced and watched soon, many cost less.
    fn block(&self, finished: u64) -> u64;
}

/// Keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Forgetful;

impl Keeper for Forgetful {
    fn part(&self, _stage: &Stage<'_>) -> Result<Part, Halt> {
        Ok(Part::Whole)
    }

    fn kept(&self, _stage: &str, _range: Range<u64>, _found: &mut dyn FnMut(u64, &[u8])) -> Result<(), KeepError> {
        Ok(())
    }

    fn keep(&self, _stage: &str, _chunk: Chunk) -> Result<(), KeepError> {
        Ok(())
    }

    fn settle(&self) -> Result<(), KeepError> {
        Ok(())
    }

    fn block(&self, finished: u64) -> u64 {
        finished.saturating_mul(2).clamp(8 * rayon::current_num_threads() as u64, 1 << 14)
    }
}

/// Why a study does not go on, although nothing is wrong with its items.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Halt {
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The items that were asked for are finished; the rest is for others.
    #[error("items {first} to {end} of the stage {stage}, the last not included, are finished", first = range.start, end = range.end)]
    Parted {
        /// The stage.
        stage: String,
        /// How many items the whole stage has.
        items: u64,
        /// The items that were made or found here.
        range: Range<u64>,
    },
    /// Items cannot be kept or read.
    #[error(transparent)]
    Keep(#[from] KeepError),
}

/// Why items cannot be kept or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeepError {
    /// An item that is needed is not there.
    #[error("item {item} of the stage {stage} is missing")]
    Missing {
        /// The stage.
        stage: String,
        /// The first item that is missing.
        item: u64,
    },
    /// The place where items are kept gave an error.
    #[error("{place}: {message}")]
    Place {
        /// Which place.
        place: String,
        /// What is wrong, and the remedy.
        message: String,
    },
    /// The result of an item cannot be written as bytes.
    #[error("the result of item {item} of the stage {stage} cannot be written as bytes")]
    Unwritable {
        /// The stage.
        stage: String,
        /// The item.
        item: u64,
    },
}
