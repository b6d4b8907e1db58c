//! The stick-slip map: from one release position to the next (elmer1997, section on ageing).
//!
//! A block that sticks is carried along until its spring reaches the static limit, which grows with the time at rest. It
//! then slips, comes to rest on the surface somewhere else, and the story repeats. With x the position at release,
//!
//! ```text
//! x_s = g(x)                                    the slip: where the block comes to rest on the surface
//! t   = h(x_s) = min { t > 0 : F_S(t) = κ (x_s + v₀ t) }      the stick: how long the contact holds
//! T(x) = F_S(h(g(x)))/κ                         the next release
//! T′(x) = g′(x) F_S′(t)/(F_S′(t) − κ v₀)
//! ```
//!
//! h is [`Aging::holding_time`]; g is a [`SlipMap`]: [`ConstantFriction`] in closed form, or any other.
//!
//! | file | holds |
//! |---|---|
//! | `slip` | g: where a slip ends |
//! | `fixed_points` | periodic stick-slip, and smooth sliding |
//! | `orbit` | iterates, Lyapunov exponents, cobwebs, bifurcation diagrams |

mod fixed_points;
mod orbit;
mod slip;

pub use fixed_points::{FixedPoint, SmoothSliding};
pub use orbit::Lyapunov;
pub use slip::{ConstantFriction, EndlessOvershoot, Restick, SlipMap};

use crate::analysis::Cancelled;
use crate::keys::number_text;
use crate::law::{Aging, AgingLaw};

/// Why the map has no value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError<E> {
    /// A parameter is outside its range.
    #[error("{name} is {}, but must be {range}", number_text(*value))]
    Parameter {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// The slip did not end.
    #[error("no restick after release at x = {position:e} m: {error}")]
    Slip {
        /// Release position \[m\].
        position: f64,
        /// Why.
        error: E,
    },
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(Cancelled),
    /// The contact grows stronger faster than it is loaded, and holds forever.
    #[error("a contact that sticks at x = {position:e} m never releases: its static limit outgrows the spring force")]
    NeverReleases {
        /// Restick position \[m\].
        position: f64,
    },
}

/// The stick-slip map of an ageing contact.
///
/// ```
/// # use stiction::analysis::stick_slip_map::{ConstantFriction, StickSlipMap};
/// # use stiction::law::{Aging, ExponentialAging};
/// let aging = Aging::Exponential(ExponentialAging { increment: 0.5, time_constant: 1.0 });
/// let slip = ConstantFriction::new(1.0, 0.8, 1.0);
/// let map = StickSlipMap { slip, aging: &aging, static_coefficient: 1.0, normal_load: 1.0, stiffness: 1.0, drive_speed: 0.1 };
/// let periodic = map.fixed_points()?;
/// assert_eq!(periodic.len(), 1);
/// assert!(periodic[0].multiplier.abs() < 1.0);
/// # Ok::<(), stiction::analysis::stick_slip_map::MapError<stiction::analysis::stick_slip_map::EndlessOvershoot>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StickSlipMap<'a, S> {
    /// Where a slip ends.
    pub slip: S,
    /// How the static coefficient grows with the time at rest.
    pub aging: &'a Aging,
    /// Static coefficient at the moment of contact [-], >= 0.
    pub static_coefficient: f64,
    /// Normal load \[N\], > 0.
    pub normal_load: f64,
    /// Stiffness κ [N/m], > 0.
    pub stiffness: f64,
    /// Drive speed v₀ [m/s], > 0.
    pub drive_speed: f64,
}

/// One turn of the map: a slip and the stick that follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// The next release position T(x) \[m\].
    pub release: f64,
    /// Slope T′(x) [-]; infinite where the load touches the static limit.
    pub slope: f64,
    /// Where the slip ended \[m\].
    pub restick: f64,
    /// How long the contact held \[s\].
    pub stick_time: f64,
    /// How often the block crossed the surface's velocity during the slip without sticking.
    pub passes: u32,
}

impl<S: SlipMap> StickSlipMap<'_, S> {
    /// Position at which a contact that has not aged releases \[m\].
    pub fn fresh_release(&self) -> f64 {
        self.static_coefficient * self.normal_load / self.stiffness
    }

    /// Position at which a contact releases that has rested for `time` \[s\] \[m\].
    pub fn release_after(&self, time: f64) -> f64 {
        (self.static_coefficient + self.aging.growth(time)) * self.normal_load / self.stiffness
    }

    /// Position at which a contact releases that has rested forever \[m\]; infinite where ageing never ends.
    pub fn latest_release(&self) -> f64 {
        self.fresh_release() + self.aging.growth_limit() * self.normal_load / self.stiffness
    }

    /// Growth of the spring force while the contact sticks, per normal load [1/s].
    pub(super) fn loading_rate(&self) -> f64 {
        self.stiffness * self.drive_speed / self.normal_load
    }

    /// One turn of the map from the release at `position` \[m\].
    ///
    /// # Errors
    /// [`MapError`] if a parameter is impossible, the slip does not end, or the contact never releases.
    pub fn turn(&self, position: f64) -> Result<Turn, MapError<S::Error>> {
        self.check()?;
        self.turn_unchecked(position)
    }

    /// As [`StickSlipMap::turn`], for parameters that have been checked.
    pub(super) fn turn_unchecked(&self, position: f64) -> Result<Turn, MapError<S::Error>> {
        if !position.is_finite() {
            return Err(MapError::Parameter { name: "position", value: position, range: "finite" });
        }
        let slip = self.slip.restick(position).map_err(|error| MapError::Slip { position, error })?;
        let margin = self.static_coefficient - slip.position * self.stiffness / self.normal_load;
        // the slip ends within the static limit: a margin below zero is a rounding
        let held = self.aging.holding_time(margin.max(0.0), self.loading_rate());
        let stick_time = held.ok_or(MapError::NeverReleases { position: slip.position })?;
        let rate = self.aging.growth_rate(stick_time);
        let stick_slope = if rate.is_infinite() { 1.0 } else { rate / (rate - self.loading_rate()) };
        Ok(Turn {
            release: self.release_after(stick_time),
            slope: slip.slope * stick_slope,
            restick: slip.position,
            stick_time,
            passes: slip.passes,
        })
    }

    pub(super) fn check(&self) -> Result<(), MapError<S::Error>> {
        for (name, value) in
            [("normal_load", self.normal_load), ("stiffness", self.stiffness), ("drive_speed", self.drive_speed)]
        {
            if !(value.is_finite() && value > 0.0) {
                return Err(MapError::Parameter { name, value, range: "finite and > 0" });
            }
        }
        if !(self.static_coefficient.is_finite() && self.static_coefficient >= 0.0) {
            let (name, value) = ("static_coefficient", self.static_coefficient);
            return Err(MapError::Parameter { name, value, range: "finite and >= 0" });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
