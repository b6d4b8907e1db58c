//! What a record of a motion may take.

use crate::integrate::Flow;
use crate::memory::DEFAULT;

/// Bytes that a record may still take: 2 GiB at first, unless its user says otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Room {
    left: u64,
    is_full: bool,
}

impl Default for Room {
    fn default() -> Self {
        Self::of(DEFAULT)
    }
}

impl Room {
    /// For so many bytes.
    pub(super) fn of(bytes: u64) -> Self {
        Self { left: bytes, is_full: false }
    }

    /// How many entries of so many bytes there is room for.
    pub(super) fn entries(&self, bytes: u64) -> usize {
        usize::try_from(self.left / bytes.max(1)).unwrap_or(usize::MAX)
    }

    /// Takes room for an entry; false if there is none left.
    pub(super) fn take(&mut self, bytes: u64) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => self.left = left,
            None => self.is_full = true,
        }
        !self.is_full
    }

    /// Whether an entry found no room.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// A motion whose record is full is ended.
    pub(super) fn flow(&self) -> Flow {
        if self.is_full { Flow::Stop } else { Flow::Continue }
    }
}
