//! Quantities of interest of one run, each with a named definition (hu2023_belt leaves open how samples are taken).
//!
//! The transient ends at t_a, the first breakaway. A run with fewer than two breakaways is flagged, and t_a is 0.3 of its
//! duration.

use super::run::{BeltRun, Phase, TurningPoint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How samples of peak-to-valley are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PeakToValley {
    /// Displacement: x at a local maximum minus x at the next local minimum. Force: largest minus smallest force between two
    /// consecutive local minima of x.
    #[default]
    TurningPoints,
    /// Largest minus smallest value of each complete slip, with the one-sided forces at its ends.
    PerSlip,
    /// Largest minus smallest value after the transient: one sample for each realisation.
    PerRealisation,
}

/// How the share of stick is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StickMeasure {
    /// Stick time of the whole run over its duration.
    #[default]
    Raw,
    /// Stick time between the first and the last breakaway over that span: a whole number of cycles.
    AfterTransient,
    /// Stick time after the first breakaway over the time from there to the end of the run. Unlike `after_transient` it keeps a long
    /// last slip, which fast belts have.
    AfterFirstBreakaway,
}

/// The end of the transient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TransientCut {
    /// t_a \[s\].
    pub time: f64,
    /// Whether there were fewer than two breakaways.
    pub flagged: bool,
}

/// Largest and smallest of some numbers.
#[derive(Debug, Clone, Copy)]
struct Range([f64; 2]);

impl Range {
    const EMPTY: Self = Self([f64::INFINITY, f64::NEG_INFINITY]);

    fn with(self, value: f64) -> Self {
        Self([self.0[0].min(value), self.0[1].max(value)])
    }

    fn width(self) -> Option<f64> {
        let width = self.0[1] - self.0[0];
        (width >= 0.0 && width.is_finite()).then_some(width)
    }
}

impl BeltRun {
    /// The end of the transient.
    pub fn transient(&self) -> TransientCut {
        let mut breakaways = self.breakaways();
        match (breakaways.next(), breakaways.next()) {
            (Some(first), Some(_)) => TransientCut { time: first, flagged: false },
            _ => TransientCut { time: 0.3 * self.duration, flagged: true },
        }
    }

    /// Times of all breakaways \[s\].
    fn breakaways(&self) -> impl Iterator<Item = f64> + '_ {
        self.events.iter().filter(|event| event.kind == Phase::Slip).map(|event| event.time)
    }

    /// Samples of the peak-to-valley of x \[m\] after the transient.
    pub fn peak_to_valley_displacement(&self, definition: PeakToValley) -> Vec<f64> {
        let after = self.transient().time;
        match definition {
            PeakToValley::TurningPoints => {
                let points: Vec<_> = self.turning_points.iter().filter(|point| point.time >= after).collect();
                let pair = points.windows(2).filter(|pair| pair[0].maximum && !pair[1].maximum);
                pair.map(|pair| pair[0].displacement - pair[1].displacement).collect()
            }
            PeakToValley::PerSlip => {
                self.complete_slips().into_iter().filter_map(|slip| self.displacements(slip).width()).collect()
            }
            PeakToValley::PerRealisation => self.displacements([after, self.duration]).width().into_iter().collect(),
        }
    }

    /// Samples of the peak-to-valley of the friction force \[N\] after the transient.
    pub fn peak_to_valley_force(&self, definition: PeakToValley) -> Vec<f64> {
        let after = self.transient().time;
        match definition {
            PeakToValley::TurningPoints => {
                let minima: Vec<_> =
                    self.turning_points.iter().filter(|point| point.time >= after && !point.maximum).collect();
                let range = |pair: &[&TurningPoint]| {
                    let inside = self.forces([pair[0].time, pair[1].time], false);
                    inside.with(pair[0].force).with(pair[1].force).width()
                };
                minima.windows(2).filter_map(range).collect()
            }
            PeakToValley::PerSlip => {
                self.complete_slips().into_iter().filter_map(|slip| self.forces(slip, true).width()).collect()
            }
            PeakToValley::PerRealisation => self.forces([after, self.duration], true).width().into_iter().collect(),
        }
    }

    /// Start and end of every complete slip after the transient \[s\].
    fn complete_slips(&self) -> Vec<[f64; 2]> {
        let after = self.transient().time;
        let pairs = self.events.windows(2).filter(|pair| pair[0].kind == Phase::Slip && pair[0].time >= after);
        pairs.map(|pair| [pair[0].time, pair[1].time]).collect()
    }

    /// Start and end of every complete stick after the transient \[s\].
    fn complete_sticks(&self) -> Vec<[f64; 2]> {
        let after = self.transient().time;
        let pairs = self.events.windows(2).filter(|pair| pair[0].kind == Phase::Stick && pair[0].time >= after);
        pairs.map(|pair| [pair[0].time, pair[1].time]).collect()
    }

    /// Range of x over a span of time: its extremes are turning points, transitions or the ends of the run.
    fn displacements(&self, [from, to]: [f64; 2]) -> Range {
        let inside = |time: f64| time >= from && time <= to;
        let mut range = Range::EMPTY;
        let ends = [(0.0, self.start_state[0]), (self.duration, self.end_state[0])];
        let events = self.events.iter().map(|event| (event.time, event.displacement));
        let points = self.turning_points.iter().map(|point| (point.time, point.displacement));
        for (time, displacement) in ends.into_iter().chain(events).chain(points) {
            if inside(time) {
                range = range.with(displacement);
            }
        }
        range
    }

    /// Range of the friction force over a span of time; the force before its first and after its last instant counts only
    /// if `ends` says so.
    fn forces(&self, [from, to]: [f64; 2], ends: bool) -> Range {
        let mut range = Range::EMPTY;
        for event in &self.events {
            if (event.time > from || ends && event.time == from) && event.time <= to {
                range = range.with(event.force_before).with(event.force_after);
            }
        }
        for extreme in self.force_extremes.iter().filter(|extreme| extreme.time >= from && extreme.time <= to) {
            range = range.with(extreme.force);
        }
        for (time, force) in [(0.0, self.start_force), (self.duration, self.end_force)] {
            if time >= from && time <= to {
                range = range.with(force);
            }
        }
        range
    }

    /// Share of the time that the disc sticks [-]; none if there is no whole cycle.
    pub fn stick_fraction(&self, measure: StickMeasure) -> Option<f64> {
        match measure {
            StickMeasure::Raw => Some(self.stick_time([0.0, self.duration]) / self.duration),
            StickMeasure::AfterTransient => {
                let (first, last) = (self.breakaways().next()?, self.breakaways().last()?);
                (last > first).then(|| self.stick_time([first, last]) / (last - first))
            }
            StickMeasure::AfterFirstBreakaway => {
                let first = self.breakaways().next()?;
                (self.duration > first).then(|| self.stick_time([first, self.duration]) / (self.duration - first))
            }
        }
    }

    /// Stick time within a span \[s\].
    fn stick_time(&self, [from, to]: [f64; 2]) -> f64 {
        let mut total = 0.0;
        let mut since = (self.start == Phase::Stick).then_some(0.0);
        for event in &self.events {
            match (event.kind, since) {
                (Phase::Stick, _) => since = Some(event.time),
                (Phase::Slip, Some(start)) => {
                    total += (event.time.min(to) - f64::max(start, from)).max(0.0);
                    since = None;
                }
                (Phase::Slip, None) => {}
            }
        }
        total + since.map_or(0.0, |start| (self.duration.min(to) - f64::max(start, from)).max(0.0))
    }

    /// Durations of complete sticks after the transient \[s\].
    pub fn stick_times(&self) -> Vec<f64> {
        self.complete_sticks().into_iter().map(|[from, to]| to - from).collect()
    }

    /// Durations of complete slips after the transient \[s\].
    pub fn slip_times(&self) -> Vec<f64> {
        self.complete_slips().into_iter().map(|[from, to]| to - from).collect()
    }

    /// Times from one breakaway to the next \[s\].
    pub fn periods(&self) -> Vec<f64> {
        let after = self.transient().time;
        let times: Vec<f64> = self.breakaways().filter(|time| *time >= after).collect();
        times.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// x at every landing after the transient \[m\].
    pub fn landing_displacements(&self) -> Vec<f64> {
        let after = self.transient().time;
        let landings = self.events.iter().filter(|event| event.kind == Phase::Stick && event.time >= after);
        landings.map(|event| event.displacement).collect()
    }
}
