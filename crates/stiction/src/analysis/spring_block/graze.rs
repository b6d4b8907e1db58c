//! The orbit that just touches the velocity of the surface: it separates motions that stick from motions that do not.
//!
//! It passes the point (F_K(0)/κ, v₀), where the acceleration vanishes. What it does backward in time decides whether
//! stick-slip motion exists (elmer1997, the three cases after Eq. 4).

use super::{Orbits, PathEnd};
use crate::analysis::AnalysisError;
use crate::system::spring_block::Mode;

/// What the graze orbit does backward in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrazeCase {
    /// It started from a contact within the static limit: the special stick-slip boundary exists.
    Bounded,
    /// It spirals out of an unstable state: everything outside that state ends in stick-slip motion.
    Inward,
    /// It comes from beyond the static limit: stick-slip motion is impossible.
    Outward,
}

/// The graze orbit, forward and backward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Graze {
    /// What it does backward in time.
    pub case: GrazeCase,
    /// Displacement x_b \[m\] at which it left the velocity of the surface; in the case `Inward` the graze point itself, which
    /// is the limit as that case is approached.
    pub left_at: f64,
    /// Its maximum one turn before the graze point \[m\]; infinite if it never turned.
    pub maximum_before: f64,
    /// Its smallest displacement before the graze point \[m\].
    pub minimum_before: f64,
    /// Its first maximum after the graze point \[m\].
    pub maximum_after: f64,
}

impl Orbits<'_> {
    /// The displacement at which a slip can graze the velocity of the surface, F_K(0)/κ \[m\].
    pub fn graze_displacement(&self) -> f64 {
        self.block.kinetic_force(0.0) / self.block.stiffness
    }

    /// Displacement of release without ageing, F_S(0)/κ \[m\].
    pub fn release_displacement(&self) -> f64 {
        self.block.static_force(0.0) / self.block.stiffness
    }

    /// The graze orbit.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub fn graze(&self) -> Result<Graze, AnalysisError> {
        let point = self.graze_displacement();
        let forward = self.path(Mode::SlipBelow, point, self.drive(), 1)?;
        let maximum_after = forward.last_maximum.unwrap_or(forward.max_displacement);
        let backward = self.backward(point, self.drive())?;
        let maximum_before = backward.last_maximum.unwrap_or(f64::INFINITY);
        let (case, left_at) = match backward.end {
            PathEnd::Contact(contact) if contact.displacement <= self.release_displacement() => {
                (GrazeCase::Bounded, contact.displacement)
            }
            PathEnd::Contact(contact) => (GrazeCase::Outward, contact.displacement),
            PathEnd::Turned | PathEnd::Settled => (GrazeCase::Inward, point),
            PathEnd::Escaped => (GrazeCase::Outward, f64::INFINITY),
        };
        let minimum_before = backward.min_displacement;
        Ok(Graze { case, left_at, maximum_before, minimum_before, maximum_after })
    }
}
