//! Slips under any friction law as the first half of the stick-slip map: integrated where the law has no closed form.

use super::{Orbits, PathEnd};
use crate::analysis::AnalysisError;
use crate::analysis::stick_slip_map::{Restick, SlipMap};
use crate::system::spring_block::Mode;

/// Passes after which a slip counts as endless.
const MAX_PASSES: u32 = 10_000;

/// Where slips end, by following them.
#[derive(Debug, Clone, Copy)]
pub struct FollowedSlip<'a> {
    /// The orbits of the block.
    pub orbits: Orbits<'a>,
}

/// Why a slip does not end.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EndlessSlip {
    /// The block slides on without touching the velocity of the surface again.
    #[error("the block slides on without sticking again")]
    NoContact,
    /// It passes the velocity of the surface again and again without sticking.
    #[error("after {passes} passes the block is still beyond the static limit, at x = {position:e} m")]
    StillMoving {
        /// Passes so far.
        passes: u32,
        /// Position at the last pass \[m\].
        position: f64,
    },
    /// The motion could not be computed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

impl SlipMap for FollowedSlip<'_> {
    type Error = EndlessSlip;

    fn restick(&self, release: f64) -> Result<Restick, EndlessSlip> {
        let Orbits { block, .. } = self.orbits;
        let (mut mode, mut position, mut slope) = (Mode::SlipBelow, release, 1.0);
        for passes in 0..MAX_PASSES {
            let path = self.orbits.path(mode, position, block.drive_speed, 2)?;
            let PathEnd::Contact(contact) = path.end else { return Err(EndlessSlip::NoContact) };
            position = contact.displacement;
            slope *= contact.slope;
            mode = block.contact(mode, position, 0.0);
            if let Mode::Stick { .. } = mode {
                return Ok(Restick { position, slope, passes });
            }
        }
        Err(EndlessSlip::StillMoving { passes: MAX_PASSES, position })
    }
}
