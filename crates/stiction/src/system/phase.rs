//! How a contact moves.

use std::fmt;

/// How a contact moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Without sliding.
    Stick,
    /// Sliding in the direction that counts as positive.
    Forward,
    /// Sliding in the other direction.
    Backward,
    /// Sliding in the plane, in a direction that is no sign.
    Slip,
}

impl Phase {
    /// 1 forward, −1 backward, 0 otherwise.
    pub fn sign(self) -> f64 {
        match self {
            Phase::Forward => 1.0,
            Phase::Backward => -1.0,
            Phase::Stick | Phase::Slip => 0.0,
        }
    }

    /// The word in tables.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Stick => "stick",
            Phase::Forward => "forward",
            Phase::Backward => "backward",
            Phase::Slip => "slip",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
