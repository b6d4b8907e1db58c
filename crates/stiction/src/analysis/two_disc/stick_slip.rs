//! Whether a run sticks and slips: episodes of small relative spin, counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What counts as stick, and as stick-slip.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StickSlipRule {
    /// Time between samples of the relative spin \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub sample_interval: f64,
    /// Relative spin that counts as stick, as a fraction of the drive's speed [-].
    #[schemars(range(min = 0.0))]
    pub spin_fraction: f64,
    /// Shortest episode of stick \[s\].
    #[schemars(range(min = 0.0))]
    pub shortest_episode: f64,
    /// Episodes that it takes.
    #[schemars(range(min = 1))]
    pub episodes: usize,
    /// Fraction of the run after whose end episodes are *sustained* [-].
    #[schemars(range(min = 0.0, max = 1.0))]
    pub sustained_after: f64,
    /// Drive angle of the quasi-static loading, which does not count \[rad\].
    #[schemars(range(min = 0.0))]
    pub loading_angle: f64,
}

impl Default for StickSlipRule {
    fn default() -> Self {
        Self {
            sample_interval: 0.01,
            spin_fraction: 0.02,
            shortest_episode: 0.1,
            episodes: 3,
            sustained_after: 0.8,
            loading_angle: 0.5,
        }
    }
}

/// Class of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum StickSlipClass {
    /// No stick-slip.
    None,
    /// Stick-slip that ends.
    Partial,
    /// Stick-slip until the end.
    Sustained,
    /// The run is too short to tell.
    Undecided,
}

impl StickSlipClass {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::None, Self::Partial, Self::Sustained, Self::Undecided];

    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            StickSlipClass::None => "none",
            StickSlipClass::Partial => "partial",
            StickSlipClass::Sustained => "sustained",
            StickSlipClass::Undecided => "undecided",
        }
    }
}

/// Stick-slip of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StickSlip {
    /// Its class.
    pub class: StickSlipClass,
    /// Number of episodes of stick.
    pub episodes: usize,
    /// End of the last one \[s\].
    pub last_end: Option<f64>,
    /// If the run is too short to tell: a duration that would do \[s\].
    pub needed_duration: Option<f64>,
}

/// Finds episodes in samples that come one by one.
#[derive(Debug, Clone)]
pub(crate) struct Episodes {
    rule: StickSlipRule,
    drive: f64,
    open: Option<u64>,
    found: Vec<(f64, f64)>,
    count: u64,
}

impl Episodes {
    pub(crate) fn new(rule: StickSlipRule, drive_speed: f64) -> Self {
        Self { rule, drive: drive_speed.abs(), open: None, found: Vec::new(), count: 0 }
    }

    /// Instant of the next sample \[s\].
    pub(crate) fn next_instant(&self) -> f64 {
        self.count as f64 * self.rule.sample_interval
    }

    pub(crate) fn sample(&mut self, spin: f64) {
        let sticks = spin.abs() <= self.rule.spin_fraction * self.drive;
        match (sticks, self.open) {
            (true, None) => self.open = Some(self.count),
            (false, Some(first)) => self.close(first),
            _ => {}
        }
        self.count += 1;
    }

    fn close(&mut self, first: u64) {
        self.open = None;
        let last = self.count.saturating_sub(1);
        let instant = |index: u64| index as f64 * self.rule.sample_interval;
        // instants are multiples of the interval: a duration is compared with half an interval's care
        let duration = instant(last) - instant(first);
        if duration >= self.rule.shortest_episode - 1e-6 * self.rule.sample_interval {
            self.found.push((instant(first), instant(last)));
        }
    }

    /// The class of a run of this length \[s\].
    pub(crate) fn verdict(mut self, duration: f64) -> StickSlip {
        if let Some(first) = self.open {
            self.close(first);
        }
        let late = self.rule.sustained_after * duration;
        let loading = if self.drive > 0.0 { self.rule.loading_angle / self.drive } else { f64::INFINITY };
        let ending_late = self.found.iter().filter(|(_, end)| *end > late).count();
        let after_loading = self.found.iter().filter(|(start, _)| *start > loading).count();
        let class = if ending_late >= self.rule.episodes {
            StickSlipClass::Sustained
        } else if loading >= late {
            StickSlipClass::Undecided
        } else if after_loading >= self.rule.episodes {
            StickSlipClass::Partial
        } else {
            StickSlipClass::None
        };
        let is_short = class == StickSlipClass::Undecided && loading.is_finite() && self.rule.sustained_after > 0.0;
        StickSlip {
            class,
            episodes: self.found.len(),
            last_end: self.found.last().map(|(_, end)| *end),
            needed_duration: is_short.then(|| 1.25 * loading / self.rule.sustained_after),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(duration: f64, sticks: impl Fn(f64) -> bool) -> StickSlip {
        let mut episodes = Episodes::new(StickSlipRule::default(), 0.1);
        while episodes.next_instant() <= duration + 1e-9 {
            let spin = if sticks(episodes.next_instant()) { 0.0 } else { -0.1 };
            episodes.sample(spin);
        }
        episodes.verdict(duration)
    }

    #[test]
    fn the_four_classes_are_told_apart() {
        let cycle = |t: f64| (t / 2.0).fract() < 0.3;
        let sustained = class(100.0, cycle);
        assert_eq!((sustained.class, sustained.episodes), (StickSlipClass::Sustained, 50));
        let partial = class(100.0, |t| t < 40.0 && cycle(t));
        assert_eq!(partial.class, StickSlipClass::Partial);
        assert!((partial.last_end.unwrap() - 38.6).abs() < 0.02, "{partial:?}");
        // all within the loading, 5 s here
        assert_eq!(class(100.0, |t| t < 5.0 && cycle(t)).class, StickSlipClass::None);
        let short = class(6.0, |t| t < 0.5);
        assert_eq!(short.class, StickSlipClass::Undecided);
        assert!(short.needed_duration.unwrap() > 6.25);
    }

    #[test]
    fn an_episode_counts_from_its_first_to_its_last_sample() {
        // eleven samples, ten intervals: just long enough; ten samples are not
        assert_eq!(class(100.0, |t| (10.0..10.1049).contains(&t)).episodes, 1);
        assert_eq!(class(100.0, |t| (10.0..10.0949).contains(&t)).episodes, 0);
    }
}
