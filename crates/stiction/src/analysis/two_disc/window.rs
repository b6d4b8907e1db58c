//! Extremes of a motion in a window, and whether it has settled there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Smallest and largest value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Extremes {
    /// The smallest.
    pub smallest: f64,
    /// When it was there \[s\].
    pub smallest_at: f64,
    /// The largest.
    pub largest: f64,
    /// When it was there \[s\].
    pub largest_at: f64,
}

impl Default for Extremes {
    fn default() -> Self {
        Self { smallest: f64::INFINITY, smallest_at: 0.0, largest: f64::NEG_INFINITY, largest_at: 0.0 }
    }
}

impl Extremes {
    pub(crate) fn add(&mut self, time: f64, value: f64) {
        if value < self.smallest {
            (self.smallest, self.smallest_at) = (value, time);
        }
        if value > self.largest {
            (self.largest, self.largest_at) = (value, time);
        }
    }

    fn with(mut self, other: &Self) -> Self {
        if other.smallest <= other.largest {
            self.add(other.smallest_at, other.smallest);
            self.add(other.largest_at, other.largest);
        }
        self
    }

    /// Largest minus smallest; none if nothing was seen.
    pub(crate) fn peak_to_peak(&self) -> Option<f64> {
        (self.largest >= self.smallest).then_some(self.largest - self.smallest)
    }
}

/// How a motion changes within a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trend {
    /// It has come to rest.
    Settled,
    /// Its amplitude falls.
    Decaying,
    /// Its amplitude grows.
    Growing,
    /// It goes on with the same amplitude.
    Sustained,
    /// It goes on, and its peaks do not repeat.
    Irregular,
}

impl Trend {
    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Trend::Settled => "settled",
            Trend::Decaying => "decaying",
            Trend::Growing => "growing",
            Trend::Sustained => "sustained",
            Trend::Irregular => "irregular",
        }
    }
}

/// Limits between the trends: amplitudes of the last third of a window against those of the first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TrendRule {
    /// Below this ratio the motion has settled [-].
    pub(crate) settled: f64,
    /// Below this amplitude it has settled in any case [rad, m].
    pub(crate) settled_amplitude: f64,
    /// Below this ratio it decays [-].
    pub(crate) decaying: f64,
    /// Above this ratio it grows [-].
    pub(crate) growing: f64,
    /// It is irregular if peaks one period apart in the last third differ by more than this fraction of its peak-to-peak value [-].
    pub(crate) irregular: f64,
}

impl Default for TrendRule {
    fn default() -> Self {
        Self { settled: 0.02, settled_amplitude: 1e-6, decaying: 0.9, growing: 1.1, irregular: 0.05 }
    }
}

/// What a coordinate did in a window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WindowReport {
    /// Extremes over the whole window.
    pub extremes: Extremes,
    /// Peak-to-peak values of its two halves.
    pub halves: [f64; 2],
    /// How the motion changes.
    pub trend: Trend,
    /// How its peaks repeat; none with fewer than two peaks in the last third.
    pub repetition: Option<Repetition>,
}

/// How a sequence of peaks repeats.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Repetition {
    /// Peaks of one period: the number after which heights repeat best.
    pub peaks: usize,
    /// Largest difference of two peaks that are one period apart.
    pub difference: f64,
}

impl Repetition {
    /// The period, out of those seen at least three times (or of a single peak), that the heights repeat best.
    fn of(peaks: &[f64]) -> Option<Self> {
        let longest = (peaks.len() / 3).max(1);
        let after = |lag: usize| {
            let pairs = peaks.iter().zip(peaks.get(lag..).unwrap_or(&[]));
            pairs.map(|(a, b)| (a - b).abs()).reduce(f64::max).map(|difference| Self { peaks: lag, difference })
        };
        (1..=longest).filter_map(after).min_by(|a, b| a.difference.total_cmp(&b.difference))
    }
}

/// Extremes in the pieces of a window, collected as the motion goes by.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pieces: [Extremes; 4],
    /// Heights of the peaks in the last third, in the order of time.
    peaks: Vec<f64>,
}

/// Where the pieces end, so that halves and thirds are sums of pieces.
const ENDS: [f64; 4] = [1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0];

impl Window {
    pub(crate) fn new(from: f64, to: f64) -> Self {
        Self { from, to, pieces: [Extremes::default(); 4], peaks: Vec::new() }
    }

    /// Instants inside the window at which a piece ends.
    pub(crate) fn ends(&self) -> [f64; 4] {
        ENDS.map(|end| self.from + end * (self.to - self.from))
    }

    /// Notes a value; at the end of a piece it belongs to both neighbours.
    pub(crate) fn add(&mut self, time: f64, value: f64) {
        let slack = 1e-12 * self.to.abs();
        let mut begin = self.from;
        for (piece, end) in self.pieces.iter_mut().zip(ENDS.map(|end| self.from + end * (self.to - self.from))) {
            if time >= begin - slack && time <= end + slack {
                piece.add(time, value);
            }
            begin = end;
        }
    }

    /// Notes a local maximum.
    pub(crate) fn peak(&mut self, time: f64, value: f64) {
        if time >= self.from + (self.to - self.from) * 2.0 / 3.0 && time <= self.to {
            self.peaks.push(value);
        }
    }

    /// What was seen; none if nothing was.
    pub(crate) fn report(&self, rule: &TrendRule) -> Option<WindowReport> {
        let [a, b, c, d] = &self.pieces;
        let extremes = a.with(b).with(c).with(d);
        extremes.peak_to_peak()?;
        let size = |extremes: &Extremes| extremes.peak_to_peak().unwrap_or(0.0);
        let (first, last) = (0.5 * size(a), 0.5 * size(d));
        let repetition = Repetition::of(&self.peaks);
        let trend = if last < rule.settled_amplitude || last < rule.settled * first {
            Trend::Settled
        } else if last < rule.decaying * first {
            Trend::Decaying
        } else if last > rule.growing * first {
            Trend::Growing
        } else if repetition.is_some_and(|found| found.difference > rule.irregular * 2.0 * last) {
            Trend::Irregular
        } else {
            Trend::Sustained
        };
        Some(WindowReport { extremes, halves: [size(&a.with(b)), size(&c.with(d))], trend, repetition })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::{exp, sin};

    fn report(f: impl Fn(f64) -> f64) -> WindowReport {
        let mut window = Window::new(200.0, 300.0);
        for i in 0..=100_000 {
            let t = 200.0 + f64::from(i) * 1e-3;
            window.add(t, f(t));
            if f(t) > f(t - 1e-3) && f(t) >= f(t + 1e-3) {
                window.peak(t, f(t));
            }
        }
        window.report(&TrendRule::default()).unwrap()
    }

    fn trend(f: impl Fn(f64) -> f64) -> Trend {
        report(f).trend
    }

    #[test]
    fn trends_follow_from_thirds() {
        assert_eq!(trend(|t| 0.3 + sin(t)), Trend::Sustained);
        assert_eq!(trend(|t| sin(t) * exp(-0.1 * (t - 200.0))), Trend::Settled);
        assert_eq!(trend(|t| sin(t) * exp(-0.01 * (t - 200.0))), Trend::Decaying);
        assert_eq!(trend(|t| sin(t) * exp(0.01 * (t - 200.0))), Trend::Growing);
        assert_eq!(trend(|t| sin(t) + 0.5 * sin(2.3 * t)), Trend::Irregular);
        assert_eq!(trend(|_| 0.2), Trend::Settled);
    }

    #[test]
    fn unequal_peaks_that_repeat_are_not_irregular() {
        // two peaks of different height in each period
        let found = report(|t| sin(t) + 0.9 * sin(2.0 * t));
        assert_eq!(found.trend, Trend::Sustained);
        let repetition = found.repetition.unwrap();
        assert!(repetition.peaks == 2 && repetition.difference < 1e-4, "{repetition:?}");
    }
}
