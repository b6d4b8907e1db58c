//! Infinitely many events in finite time: intervals that shrink geometrically, and where they accumulate.

/// Intervals between recurrences of one event (mode and guard).
///
/// A bouncing ball hits the floor after intervals d, d ρ, d ρ², ...: what is left after an interval d is d ρ/(1 − ρ).
/// Extrapolating early loses digits of ρ, waiting loses time; the sum is taken when it is below [`RESOLUTION`] of the
/// time that has passed, where the error of ρ is multiplied by that small number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Intervals<M> {
    watched: Option<(M, usize)>,
    first: f64,
    last: f64,
    interval: f64,
    ratio: f64,
    steady: u32,
    others: u32,
}

/// Recurrences with a steady ratio before an accumulation is believed.
const STEADY: u32 = 6;
/// Fraction of the time since the first recurrence below which the rest is extrapolated.
const RESOLUTION: f64 = 1e-9;
/// Other events between two recurrences before another event is watched.
const PATIENCE: u32 = 8;

impl<M> Default for Intervals<M> {
    fn default() -> Self {
        Self { watched: None, first: 0.0, last: 0.0, interval: 0.0, ratio: 0.0, steady: 0, others: 0 }
    }
}

impl<M: Copy> Intervals<M> {
    /// Notes an event; tells the instant of accumulation and a bound of its error \[s\] once it is certain.
    pub(crate) fn accumulation(&mut self, mode: M, guard: usize, time: f64) -> Option<(f64, f64)>
    where
        M: PartialEq,
    {
        if self.watched != Some((mode, guard)) {
            self.others += 1;
            if self.watched.is_none() || self.others > PATIENCE {
                *self = Self { watched: Some((mode, guard)), first: time, last: time, ..Self::default() };
            }
            return None;
        }
        self.others = 0;
        let interval = time - self.last;
        let ratio = interval / self.interval;
        // the same ratio twice, to a percent: geometric
        let geometric = ratio > 0.0 && ratio < 0.9999 && (ratio - self.ratio).abs() < 0.01 * ratio;
        self.steady = if geometric { self.steady + 1 } else { 0 };
        let change = (ratio - self.ratio).abs();
        (self.last, self.interval, self.ratio) = (time, interval, ratio);
        if self.steady == 0 {
            self.first = time;
        }
        let rest = interval * ratio / (1.0 - ratio);
        if self.steady < STEADY || rest > RESOLUTION * (time - self.first).max(f64::MIN_POSITIVE) {
            return None;
        }
        let error = interval * change / ((1.0 - ratio) * (1.0 - ratio)) + 4.0 * f64::EPSILON * time.abs();
        let instant = time + rest;
        *self = Self::default();
        Some((instant, error))
    }
}
