//! Orbits of the map: iterates, Lyapunov exponents, cobwebs.

use super::{MapError, SlipMap, StickSlipMap, Turn};
use crate::analysis::progress::{Cancelled, Progress, Silent};
use crate::num::real::ln;
use crate::num::statistics::standard_error;

/// The growth of small differences along an orbit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lyapunov {
    /// The orbit has an exponent: positive for chaos, negative for a stable period.
    Exponent {
        /// Mean of ln|T′| [-] per turn.
        value: f64,
        /// Standard error of the mean by batch means [-].
        standard_error: f64,
        /// Turns that were averaged.
        turns: u64,
    },
    /// The orbit passed a place with T′ = 0, where all differences vanish: the exponent is minus infinity.
    Superstable,
    /// The orbit landed on a stick of zero time, which is smooth sliding: it has no exponent.
    SmoothSliding {
        /// Turns until then.
        after: u64,
    },
}

/// Batches for the error of a mean: enough to estimate a variance, few enough to be long against correlations.
const BATCHES: u64 = 32;

/// Turns after which an orbit looks whether the user asked to stop.
const TURNS_BETWEEN_LOOKS: u64 = 1000;

impl<S: SlipMap> StickSlipMap<'_, S> {
    /// The turns of an orbit from the release at `start` \[m\], one after the other, without end. After an error the
    /// iterator ends.
    pub(crate) fn orbit(&self, start: f64) -> impl Iterator<Item = Result<Turn, MapError<S::Error>>> {
        self.orbit_while(start, &Silent)
    }

    /// As `StickSlipMap::orbit`, until the user asks to stop.
    pub fn orbit_while(
        &self,
        start: f64,
        progress: &dyn Progress,
    ) -> impl Iterator<Item = Result<Turn, MapError<S::Error>>> {
        let mut position = self.check().map(|()| start).map_err(Some);
        let mut turns = 0_u64;
        std::iter::from_fn(move || match &mut position {
            Ok(_) if turns.is_multiple_of(TURNS_BETWEEN_LOOKS) && progress.cancelled() => {
                position = Err(None);
                Some(Err(MapError::Cancelled(Cancelled)))
            }
            Ok(at) => {
                turns += 1;
                let turn = self.turn_unchecked(*at);
                match &turn {
                    Ok(turn) => *at = turn.release,
                    Err(_) => position = Err(None),
                }
                Some(turn)
            }
            Err(failure) => failure.take().map(Err),
        })
    }

    /// Lyapunov exponent of the orbit from `start` \[m\]: the mean of ln|T′| over `turns` (>= 2) after `transient` turns.
    ///
    /// # Errors
    /// As [`StickSlipMap::turn`].
    pub fn lyapunov(&self, start: f64, transient: u64, turns: u64) -> Result<Lyapunov, MapError<S::Error>> {
        self.lyapunov_while(start, transient, turns, &Silent)
    }

    /// As [`StickSlipMap::lyapunov`], until the user asks to stop.
    ///
    /// # Errors
    /// As [`StickSlipMap::turn`], or on request.
    pub fn lyapunov_while(
        &self,
        start: f64,
        transient: u64,
        turns: u64,
        progress: &dyn Progress,
    ) -> Result<Lyapunov, MapError<S::Error>> {
        if turns < 2 {
            return Err(MapError::Parameter { name: "turns", value: turns as f64, range: "at least 2" });
        }
        let batch_length = (turns / BATCHES).max(1);
        let mut batches = Vec::new();
        let (mut sum, mut batch_sum, mut counted) = (0.0, 0.0, 0);
        let last = transient.saturating_add(turns);
        for (index, turn) in (0..last).zip(self.orbit_while(start, progress)) {
            let turn = turn?;
            if turn.stick_time == 0.0 {
                return Ok(Lyapunov::SmoothSliding { after: index + 1 });
            }
            if index < transient {
                continue;
            }
            if turn.slope == 0.0 {
                return Ok(Lyapunov::Superstable);
            }
            // a touch of the static limit has an infinite slope, on a set that an orbit meets by rounding only
            let growth = ln(turn.slope.abs().min(f64::MAX));
            sum += growth;
            batch_sum += growth;
            counted += 1;
            if counted % batch_length == 0 {
                batches.push(batch_sum / batch_length as f64);
                batch_sum = 0.0;
            }
        }
        let value = sum / counted as f64;
        let standard_error = standard_error(&batches).unwrap_or(f64::NAN);
        Ok(Lyapunov::Exponent { value, standard_error, turns: counted })
    }

    /// The corners of a cobweb of `turns` turns from `start` \[m\]: (x, x), (x, T(x)), (T(x), T(x)), …
    ///
    /// # Errors
    /// As [`StickSlipMap::turn`].
    pub fn cobweb(&self, start: f64, turns: usize) -> Result<Vec<(f64, f64)>, MapError<S::Error>> {
        let mut corners = vec![(start, start)];
        let mut position = start;
        for turn in self.orbit(start).take(turns) {
            let next = turn?.release;
            corners.extend([(position, next), (next, next)]);
            position = next;
        }
        Ok(corners)
    }

    /// The smallest period up to `longest` that the orbit from `start` \[m\] has after `transient` turns, to `tolerance`
    /// \[m\]; None if it is longer or the orbit is irregular.
    ///
    /// # Errors
    /// As [`StickSlipMap::turn`].
    pub fn period(
        &self,
        start: f64,
        transient: usize,
        longest: usize,
        tolerance: f64,
    ) -> Result<Option<usize>, MapError<S::Error>> {
        let turns = self.orbit(start).map(|turn| turn.map(|turn| turn.release));
        let releases: Vec<f64> = turns.take(transient + 2 * longest + 1).collect::<Result<_, _>>()?;
        let releases = &releases[transient..];
        let repeats = |period: &usize| {
            releases.iter().zip(releases.iter().skip(*period)).all(|(a, b)| (a - b).abs() <= tolerance)
        };
        Ok((1..=longest).find(repeats))
    }
}
