//! Where a slip ends.

use crate::system::spring_block::ContactPolicy;

/// The end of a slip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restick {
    /// Where the block sticks again: g(x) \[m\].
    pub(crate) position: f64,
    /// Slope g′(x) [-].
    pub(crate) slope: f64,
    /// How often the block crossed the surface's velocity on the way without sticking.
    pub(crate) passes: u32,
}

/// Where a slip ends that started at a release position.
pub trait SlipMap {
    /// Why a slip does not end.
    type Error: std::error::Error;

    /// The end of the slip from the release at `release` \[m\].
    ///
    /// # Errors
    /// If the slip does not end.
    fn restick(&self, release: f64) -> Result<Restick, Self::Error>;
}

/// A slip that did not come to rest.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EndlessOvershoot {
    /// Kinetic friction takes too little energy.
    #[error(
        "after {passes} passes the block is still beyond the static limit, at x = {position:e} m; \
         kinetic friction is too small to stop it: give a larger kinetic coefficient, or another `start`"
    )]
    StillMoving {
        /// Passes so far.
        passes: u32,
        /// Position at the last pass \[m\].
        position: f64,
    },
    /// The position or a force is not finite.
    #[error(
        "the slip from x = {release:e} m is not defined: kinetic force {kinetic_force} N, static force {static_force} N"
    )]
    NotFinite {
        /// Release position \[m\].
        release: f64,
        /// Kinetic friction force \[N\].
        kinetic_force: f64,
        /// Static friction force at contact \[N\].
        static_force: f64,
    },
}

/// Passes after which a slip counts as endless. Every pass costs the amplitude 2 `F_K`/κ, so that a slip of more
/// passes had a release force of more than 200 000 times the kinetic friction.
const MAX_PASSES: u32 = 100_000;

/// Slips against constant kinetic friction: each half swing reflects the block about ±`F_K`/κ, whatever its mass.
///
/// ```text
/// x → 2F_K/κ − x, then −2F_K/κ − x, and so on, until κ|x| ≤ F_S(0), or the limit of the contact policy
/// ```
///
/// A slip starts at x ≥ `F_K`/κ: a spring that pulls less would not let go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstantFriction {
    /// Stiffness κ [N/m], > 0.
    pub stiffness: f64,
    /// Kinetic friction force `F_K` \[N\], from 0 to the static force.
    pub kinetic_force: f64,
    /// Static friction force `F_S(0)` at the moment of contact \[N\].
    pub static_force: f64,
    /// Where a contact sticks.
    pub contact_policy: ContactPolicy,
}

impl ConstantFriction {
    /// Slips with the given static and kinetic force \[N\] and stiffness [N/m], and the strict contact policy.
    pub fn new(static_force: f64, kinetic_force: f64, stiffness: f64) -> Self {
        Self { stiffness, kinetic_force, static_force, contact_policy: ContactPolicy::Strict }
    }
}

impl SlipMap for ConstantFriction {
    type Error = EndlessOvershoot;

    fn restick(&self, release: f64) -> Result<Restick, EndlessOvershoot> {
        let centre = self.kinetic_force / self.stiffness;
        let limit = self.contact_policy.limit(self.static_force, self.kinetic_force) / self.stiffness;
        if !(release.is_finite() && centre.is_finite() && limit.is_finite()) {
            let Self { kinetic_force, static_force, .. } = *self;
            return Err(EndlessOvershoot::NotFinite { release, kinetic_force, static_force });
        }
        let (mut position, mut slope) = (2.0 * centre - release, -1.0);
        if self.contact_policy == ContactPolicy::FirstContact {
            return Ok(Restick { position, slope, passes: 0 });
        }
        let mut side = -1.0;
        for passes in 0..MAX_PASSES {
            if position.abs() <= limit {
                return Ok(Restick { position, slope, passes });
            }
            position = 2.0 * side * centre - position;
            slope = -slope;
            side = -side;
        }
        Err(EndlessOvershoot::StillMoving { passes: MAX_PASSES, position })
    }
}
