//! The motion that a block settles on after a release, followed instead of looked for: for light blocks, whose slow
//! relaxation forgets its start within a turn but takes long to follow.

use super::{Orbits, PathEnd};
use crate::analysis::AnalysisError;
use crate::system::spring_block::Mode;

/// The motion on which a released block settles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Settled {
    /// Stick-slip motion with this period \[s\].
    StickSlip {
        /// Period \[s\].
        period: f64,
    },
    /// An oscillation without sticking, with this period \[s\].
    Oscillation {
        /// Period \[s\].
        period: f64,
    },
    /// Continuous sliding.
    Sliding,
    /// Still changing after as many turns as were followed.
    Undecided,
}

/// Turns that are followed before a motion counts as undecided.
const MAX_TURNS: usize = 200;

impl Orbits<'_> {
    /// The motion that a block settles on that is released at the static limit.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub fn settled(&self) -> Result<Settled, AnalysisError> {
        if let Some(cycle) = self.release()?.stick_slip {
            return Ok(Settled::StickSlip { period: cycle.period() });
        }
        let path = self.path(Mode::SlipBelow, self.release_displacement(), self.drive(), 1)?;
        let (PathEnd::Turned, Some(mut maximum)) = (path.end, path.last_maximum) else { return Ok(Settled::Sliding) };
        for _ in 0..MAX_TURNS {
            let Some(turn) = self.turn(maximum)? else { return Ok(Settled::Sliding) };
            let change = (turn.maximum - maximum).abs();
            if change <= 1e-11 * self.length_scale() {
                let amplitude = turn.maximum - self.sliding_displacement();
                let moving = amplitude > 1e-6 * self.length_scale();
                return Ok(if moving { Settled::Oscillation { period: turn.duration } } else { Settled::Sliding });
            }
            maximum = turn.maximum;
        }
        Ok(Settled::Undecided)
    }
}
