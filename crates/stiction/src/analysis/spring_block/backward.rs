//! Slips followed backward in time: where the graze orbit came from, and cycles that repel too strongly to be met forward.

use super::orbits::Follow;
use super::{Contact, Orbits, Path, PathEnd, Turn};
use crate::analysis::AnalysisError;
use crate::integrate::{Event, Flow, IntegrationError, Sink, Stop, Stretch};
use crate::num::real;
use crate::system::spring_block::motion::{CONTACT, CONTRACTION, DISPLACEMENT, EXTREMUM, TURNING, VELOCITY};
use crate::system::spring_block::{Mode, State};
use crate::system::{Reversed, Sections, SpringBlock};

/// Follows a slip into the past.
struct Back<const EXTREMES: bool> {
    follow: Follow<EXTREMES>,
    /// Whether the first maximum ends it; otherwise it goes on to the contact or turning point before.
    one_turn: bool,
}

impl<'a, const EXTREMES: bool> Sink<Reversed<'a, SpringBlock>> for Back<EXTREMES> {
    const SECTIONS: Sections = if EXTREMES { Sections::ALL } else { Sections::only(TURNING) };

    fn stretch(&mut self, stretch: &Stretch<'_, Reversed<'a, SpringBlock>>) -> Flow {
        Sink::<Reversed<'a, SpringBlock>>::stretch(&mut self.follow, stretch)
    }

    fn event(&mut self, event: &Event<'_, Reversed<'a, SpringBlock>>) -> Flow {
        let (x, path) = (event.before[DISPLACEMENT], &mut self.follow.path);
        path.max_displacement = path.max_displacement.max(x);
        path.min_displacement = path.min_displacement.min(x);
        match event.guard {
            CONTACT => {
                path.end = PathEnd::Contact(Contact { time: event.time, displacement: x, slope: f64::NAN });
                Flow::Stop
            }
            // backward in time the velocity rises through zero at a maximum
            TURNING if event.rising => {
                path.last_maximum = Some(x);
                if self.one_turn {
                    path.end = PathEnd::Turned;
                    return Flow::Stop;
                }
                Flow::Continue
            }
            TURNING if path.last_maximum.is_some() => {
                path.end = PathEnd::Turned;
                Flow::Stop
            }
            EXTREMUM if event.rising => {
                let velocity = event.before[VELOCITY];
                path.fastest = Some(path.fastest.map_or(velocity, |fastest| fastest.max(velocity)));
                Flow::Continue
            }
            _ => Flow::Continue,
        }
    }
}

impl Orbits<'_> {
    /// Follows the slip that arrives at (`x`, `velocity`) backward in time; durations count into the past. It is followed
    /// through one maximum of the displacement, then to the contact from which it started or to the next turning point.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub(crate) fn backward(&self, x: f64, velocity: f64) -> Result<Path, AnalysisError> {
        self.past::<false>([x, velocity, 0.0], false)
    }

    /// The turn that arrives at the maximum `x`, with the largest velocity on it [m/s]: `maximum` is the one before, and `slope`
    /// that of the map back to it. None if the slip came from the surface or from far away.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub(crate) fn turn_before(&self, x: f64) -> Result<Option<(Turn, f64)>, AnalysisError> {
        let path = self.past::<true>([x, 0.0, 0.0], true)?;
        let (PathEnd::Turned, Some(maximum)) = (path.end, path.last_maximum) else { return Ok(None) };
        let first = self.block.acceleration(Mode::SlipBelow, x, 0.0);
        let last = self.block.acceleration(Mode::SlipBelow, maximum, 0.0);
        let slope = first / last * real::exp(path.contraction);
        let (minimum, duration) = (path.min_displacement, path.duration);
        Ok(Some((Turn { maximum, minimum, slope, duration }, path.fastest.unwrap_or(0.0))))
    }

    fn past<const EXTREMES: bool>(&self, state: State, one_turn: bool) -> Result<Path, AnalysisError> {
        let [x, velocity, _] = state;
        let make = || Back { follow: self.follow::<EXTREMES>(x, velocity), one_turn };
        let reversed = Reversed(self.block);
        let (result, back) = self.solved(&reversed, (Mode::SlipBelow, state), make)?;
        let mut path = back.follow.path;
        let finish = match self.charge(result, back.follow.steps)? {
            Ok(finish) => finish,
            // backward in time friction feeds the motion: it may run away in finite time
            Err(IntegrationError::StepTooSmall { .. } | IntegrationError::NotFinite { .. }) => {
                path.end = PathEnd::Escaped;
                return Ok(path);
            }
            Err(error) => return Err(error.into()),
        };
        if finish.stop == Stop::End {
            path.end = PathEnd::Settled;
        }
        path.duration = finish.time;
        path.contraction = -finish.state[CONTRACTION];
        Ok(path)
    }
}
