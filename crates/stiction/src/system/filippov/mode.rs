//! What a phase of a Filippov system is: which field holds, and which signs are frozen.

use std::fmt;

/// A side of the switching surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// h > 0.
    Plus,
    /// h < 0.
    Minus,
}

impl Side {
    /// +1 or −1.
    pub fn sign(self) -> f64 {
        match self {
            Self::Plus => 1.0,
            Self::Minus => -1.0,
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Plus => Self::Minus,
            Self::Minus => Self::Plus,
        }
    }
}

/// What the switching surface does to a motion that meets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// Both fields push onto the surface: the motion stays.
    Sliding,
    /// Both fields push away: the motion may stay or leave.
    Escaping,
    /// Both fields point to the plus side.
    CrossingPlus,
    /// Both fields point to the minus side.
    CrossingMinus,
    /// Neither field has a normal velocity: a two-fold, or a value that is not a number.
    Undetermined,
}

impl Region {
    /// `sliding`, `escaping`, `crossing_plus`, `crossing_minus`, `undetermined`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sliding => "sliding",
            Self::Escaping => "escaping",
            Self::CrossingPlus => "crossing_plus",
            Self::CrossingMinus => "crossing_minus",
            Self::Undetermined => "undetermined",
        }
    }
}

/// Most sign functions that a model may have.
pub(crate) const MAX_SIGNS: usize = 2;

/// The frozen signs of the sign functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signs([bool; MAX_SIGNS]);

impl Default for Signs {
    fn default() -> Self {
        Self([true; MAX_SIGNS])
    }
}

impl Signs {
    /// +1 or −1; +1 for a sign function that does not exist.
    #[inline]
    pub fn sign(self, index: usize) -> f64 {
        if self.0.get(index).copied().unwrap_or(true) { 1.0 } else { -1.0 }
    }

    /// The same with one of them set.
    #[must_use]
    pub(crate) fn with(mut self, index: usize, positive: bool) -> Self {
        if let Some(sign) = self.0.get_mut(index) {
            *sign = positive;
        }
        self
    }

    /// The same with one of them turned round.
    #[must_use]
    pub(crate) fn flipped(self, index: usize) -> Self {
        self.with(index, self.sign(index) < 0.0)
    }
}

/// Which equations hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Off the surface, on this side.
    Slip(Side),
    /// On the surface, held by both fields.
    Sliding,
    /// On the surface, where both fields push away.
    Escaping,
}

impl Phase {
    /// `slip_plus`, `slip_minus`, `sliding`, `escaping`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slip(Side::Plus) => "slip_plus",
            Self::Slip(Side::Minus) => "slip_minus",
            Self::Sliding => "sliding",
            Self::Escaping => "escaping",
        }
    }

    /// Whether the motion is on the surface.
    pub(crate) fn is_stick(self) -> bool {
        matches!(self, Self::Sliding | Self::Escaping)
    }
}

/// A mode of the automaton: the phase, the frozen signs, and how the phase began.
#[derive(Clone, Copy)]
pub struct Mode {
    /// The phase.
    pub phase: Phase,
    /// The frozen signs.
    pub signs: Signs,
    /// Whether the surface was left tangentially a moment ago: until h stops growing, its derivative is the guard. A return
    /// to the surface before that is impossible, and h itself starts with a double zero that rounding would hide.
    pub(super) departing: bool,
    /// Whether the corner is watched: not just after it was left.
    pub(super) armed: bool,
    /// Values of h (or its derivative) and of the sign functions at the start of a phase that begins on their zero. They are
    /// rounding errors, and subtracted: the guards start at exactly zero.
    pub(super) offset: f64,
    pub(super) sign_offsets: [f64; MAX_SIGNS],
    /// Value of |L₋ − L₊| at which the next look for an unknown two-fold is due.
    pub(super) level: f64,
}

impl Mode {
    pub(super) fn at_level(self, level: f64) -> Self {
        Self { level, ..self }
    }
}

/// The name of the phase and its frozen signs: what a message needs.
impl fmt::Debug for Mode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |index: usize| if self.signs.sign(index) > 0.0 { '+' } else { '-' };
        write!(formatter, "{} {}{}", self.phase.name(), sign(0), sign(1))
    }
}

/// How a phase began does not tell modes apart.
impl PartialEq for Mode {
    fn eq(&self, other: &Self) -> bool {
        self.phase == other.phase && self.signs == other.signs
    }
}
