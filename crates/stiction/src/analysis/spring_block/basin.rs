//! Basins of attraction in the plane of displacement and velocity.
//!
//! No orbit is followed to its attractor: the plane is two-dimensional, so that the first maximum of the displacement
//! decides. Below the special boundary or an unstable oscillation it spirals one way, above it the other.

use super::attractors::Attractors;
use super::{Orbits, PathEnd};
use crate::analysis::{AnalysisError, Budget, Cancelled, Progress};
use crate::integrate::Solver;
use crate::system::SpringBlock;
use crate::system::spring_block::Mode;
use rayon::prelude::*;

/// Where a motion ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Continuous sliding.
    Sliding,
    /// The stable oscillation with this index in [`Attractors::oscillations`].
    Oscillation(usize),
    /// Stick-slip motion.
    StickSlip,
    /// The periodic motion that passes through without sticking.
    Through,
    /// One of a continuum of undamped oscillations without sticking.
    Continuum,
    /// Exactly on a boundary between basins, or not followed long enough to tell.
    Undecided,
}

impl Fate {
    /// The class of the attractor.
    pub fn class(self) -> &'static str {
        match self {
            Fate::Sliding => "CS",
            Fate::Oscillation(_) => "OS",
            Fate::StickSlip => "SS",
            Fate::Through => "through",
            Fate::Continuum => "continuum",
            Fate::Undecided => "undecided",
        }
    }
}

/// Cells of the plane that cost as much as one set of attractors.
const CELLS_PER_ITEM: usize = 100;

/// Tells where motions end, for one block.
#[derive(Debug, Clone)]
pub struct Basins<'a> {
    orbits: Orbits<'a>,
    /// The attractors.
    pub attractors: Attractors,
    /// Where a block ends that is released at the static limit.
    after_release: Fate,
}

impl<'a> Basins<'a> {
    /// Finds the attractors of `block`.
    ///
    /// # Errors
    /// As [`attractors`](super::attractors()).
    pub fn of(block: &'a SpringBlock, solver: Solver) -> Result<Self, AnalysisError> {
        let budget = Budget::single();
        let orbits = Orbits::without_aging(block, solver)?;
        Self::between(orbits, orbits.within(&budget).attractors()?)
    }

    /// As [`Basins::of`], for the block of some orbits, within their budget.
    ///
    /// # Errors
    /// As [`attractors`](super::attractors()).
    pub fn around(orbits: Orbits<'a>) -> Result<Self, AnalysisError> {
        Self::between(orbits, orbits.attractors()?)
    }

    fn between(orbits: Orbits<'a>, attractors: Attractors) -> Result<Self, AnalysisError> {
        let mut basins = Self { orbits, attractors, after_release: Fate::Undecided };
        basins.after_release = if basins.attractors.stick_slip.is_some() {
            Fate::StickSlip
        } else {
            let limit = orbits.release_displacement();
            match basins.follow(Mode::SlipBelow, limit, orbits.drive())? {
                // released onto the largest of the undamped oscillations, which touches and does not stick
                Fate::Undecided if basins.attractors.continuum => Fate::Continuum,
                fate => fate,
            }
        };
        Ok(basins)
    }

    /// Where the motion from this displacement \[m\] and velocity [m/s] ends.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub fn fate(&self, x: f64, velocity: f64) -> Result<Fate, AnalysisError> {
        match self.orbits.block.mode_at(x, velocity) {
            Mode::Stick { .. } => Ok(self.after_release),
            mode => self.follow(mode, x, velocity),
        }
    }

    fn follow(&self, mut mode: Mode, mut x: f64, mut velocity: f64) -> Result<Fate, AnalysisError> {
        // rounds of a motion that passes through without sticking converge to the periodic one
        for _ in 0..200 {
            let path = self.orbits.path(mode, x, velocity, 1)?;
            let contact = match path.end {
                PathEnd::Contact(contact) => contact,
                PathEnd::Turned => return Ok(self.fate_of_maximum(path.last_maximum.unwrap_or(f64::NAN))),
                PathEnd::Settled if self.attractors.continuum => return Ok(Fate::Continuum),
                PathEnd::Settled if self.attractors.sliding.stable => return Ok(Fate::Sliding),
                _ => return Ok(Fate::Undecided),
            };
            mode = self.orbits.block.contact(mode, contact.displacement, 0.0);
            (x, velocity) = (contact.displacement, self.orbits.drive());
            if let Mode::Stick { .. } = mode {
                return Ok(self.after_release);
            }
        }
        Ok(if self.attractors.through.is_some() { Fate::Through } else { Fate::Undecided })
    }

    /// Where a slip ends that turns at the displacement `x`.
    fn fate_of_maximum(&self, x: f64) -> Fate {
        let Attractors { sliding, oscillations, graze, .. } = &self.attractors;
        // growth changes its sign at every oscillation; next to continuous sliding its stability gives it
        let below = oscillations.iter().take_while(|cycle| cycle.max_displacement < x).count();
        let shrinking = match below.checked_sub(1).map(|i| &oscillations[i]) {
            Some(cycle) => cycle.stable,
            None => sliding.stable,
        };
        if x > graze.maximum_before {
            // it will touch the velocity of the surface within this turn, at a place where it sticks or passes
            return self.after_contact();
        }
        if self.attractors.continuum {
            return Fate::Continuum;
        }
        match (shrinking, below) {
            (true, 0) => Fate::Sliding,
            (true, below) => Fate::Oscillation(below - 1),
            (false, below) if below < oscillations.len() => Fate::Oscillation(below),
            (false, _) => self.after_contact(),
        }
    }

    /// Where a motion ends that leaves the region of slips without contact.
    fn after_contact(&self) -> Fate {
        if self.attractors.stick_slip.is_some() {
            Fate::StickSlip
        } else if self.attractors.through.is_some() {
            Fate::Through
        } else {
            self.after_release
        }
    }

    /// The fates of all points of a grid, row by row: for every velocity all displacements.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved, or on request.
    pub fn map(
        &self,
        displacements: &[f64],
        velocities: &[f64],
        progress: &dyn Progress,
    ) -> Result<Vec<Fate>, AnalysisError> {
        progress.begin("basins", velocities.len() as u64);
        let budget = Budget::of(displacements.len().saturating_mul(velocities.len()) / CELLS_PER_ITEM, progress);
        let coarse = Basins { orbits: self.orbits.coarse().within(&budget), ..self.clone() };
        let rows: Result<Vec<Vec<Fate>>, AnalysisError> = velocities
            .par_iter()
            .map(|&velocity| {
                if progress.cancelled() {
                    return Err(Cancelled.into());
                }
                let row = displacements.iter().map(|&x| coarse.fate(x, velocity)).collect();
                progress.advance(1);
                row
            })
            .collect();
        Ok(rows?.into_iter().flatten().collect())
    }
}
