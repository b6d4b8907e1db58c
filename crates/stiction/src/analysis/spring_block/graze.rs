//! The orbit that just touches the velocity of the surface: it separates motions that stick from motions that do not.
//!
//! It passes the point (F_K(0)/κ, v₀), where the acceleration vanishes. What it does backward in time decides whether
//! stick-slip motion exists (elmer1997, the three cases after Eq. 4).

use super::{Orbits, PathEnd};
use crate::analysis::AnalysisError;
use crate::system::SpringBlock;
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
    /// The displacement at which a slip can graze the velocity of the surface, F_K(0)/κ \[m\]. Where static and kinetic force
    /// are equal at rest it is that of release: the release is the graze orbit.
    pub(crate) fn graze_displacement(&self) -> f64 {
        if self.block.law.starts_equal() {
            return self.release_displacement();
        }
        self.block.kinetic_force(0.0) / self.block.stiffness
    }

    /// Displacement of release without ageing, F_S(0)/κ \[m\].
    pub fn release_displacement(&self) -> f64 {
        self.block.release_displacement(0.0)
    }

    /// By how much the slip from the static limit exceeds the velocity of the surface when it comes back to it, as a fraction of
    /// the speeds of the block (those of a swing as wide as its displacements, because these are what errors are fractions
    /// of) [-]: positive where it touches, negative where it misses, zero where it grazes. Stick-slip motion exists
    /// where it is positive, whether or not static and kinetic force are equal at rest.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub fn excess(&self) -> Result<f64, AnalysisError> {
        let path = self.path_with_extremes(Mode::SlipBelow, self.release_displacement(), self.drive(), 2)?;
        let contact = match path.end {
            PathEnd::Contact(contact) => Some(contact.displacement),
            _ => None,
        };
        Ok(self.excess_of(contact, path.fastest.map(|fastest| self.drive() - fastest)))
    }

    /// As [`Orbits::excess`], where the first contact \[m\] or the margin [m/s] by which it is missed are known.
    ///
    /// A slip that would reach ẋ = v₀ + e at the graze point x_g meets v₀ a time √(2Me/(κv₀)) before, at a distance of
    /// √(2Mv₀e/κ) from it. So the contact tells e, which goes smoothly through zero.
    pub(super) fn excess_of(&self, contact: Option<f64>, margin: Option<f64>) -> f64 {
        let SpringBlock { mass, stiffness, drive_speed, .. } = self.block;
        let excess = match (contact, margin) {
            (Some(x), _) => {
                let distance = (self.graze_displacement() - x).max(0.0);
                0.5 * stiffness / mass * distance / drive_speed * distance
            }
            (None, Some(margin)) => -margin,
            // it comes to rest without turning back
            (None, None) => -drive_speed,
        };
        excess / (self.length_scale() * (stiffness / mass).sqrt())
    }

    /// By how much the slip from (`x`, v₀) misses the velocity of the surface in its first turn [m/s]; none without a turn.
    pub(super) fn margin(&self, x: f64) -> Result<Option<f64>, AnalysisError> {
        let fastest = self.path_with_extremes(Mode::SlipBelow, x, self.drive(), 2)?.fastest;
        Ok(fastest.map(|fastest| self.drive() - fastest))
    }

    /// The graze orbit.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub(crate) fn graze(&self) -> Result<Graze, AnalysisError> {
        let point = self.graze_displacement();
        let forward = self.path(Mode::SlipBelow, point, self.drive(), 1)?;
        let maximum_after = forward.last_maximum.unwrap_or(forward.max_displacement);
        let backward = self.backward(point, self.drive())?;
        let maximum_before = backward.last_maximum.unwrap_or(f64::INFINITY);
        let equal = self.block.law.starts_equal();
        let (case, left_at) = match backward.end {
            // with equal forces there is no room between the graze point and the limit: what is met there is the start
            PathEnd::Contact(contact) if equal && contact.displacement <= self.release_displacement() => {
                (GrazeCase::Inward, point)
            }
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
