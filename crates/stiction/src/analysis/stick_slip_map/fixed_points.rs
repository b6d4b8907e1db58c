//! Periodic stick-slip: the fixed points of the map.
//!
//! They are found in the stick time t, not in the position: x = `F_S(t)`/κ turns the condition T(x) = x into
//! v₀ t = x − g(x), which has none of the jumps of h. Candidates whose t is not the *first* release are dropped.

use super::{MapError, SlipMap, StickSlipMap};
use crate::law::AgingLaw;
use crate::num::roots::roots_on;

/// A periodic stick-slip motion with one stick per period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedPoint {
    /// Release position x = T(x) \[m\].
    pub position: f64,
    /// Where the slip ends \[m\].
    pub restick: f64,
    /// Time at rest per period \[s\], > 0.
    pub stick_time: f64,
    /// Multiplier T′(x) [-]; stable if its magnitude is below one.
    pub multiplier: f64,
    /// How often the block crosses the surface's velocity per slip without sticking.
    pub passes: u32,
}

/// Sliding without sticking, seen by the map as a stick of zero time: only where the kinetic friction is `F_S(0)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmoothSliding {
    /// Position `F_S(0)`/κ \[m\].
    pub position: f64,
    /// Multiplier `F_S′(0)`/(κ v₀ − `F_S′(0)`) [-]; −1 in the limit of a vertical start of ageing.
    pub multiplier: f64,
}

/// Stick times below this part of the longest possible one are not told from zero: the roundings of x − g(x) hide them.
const SHORTEST_RELATIVE_STICK: f64 = 1e-7;

impl<S: SlipMap> StickSlipMap<'_, S> {
    /// All periodic motions with one stick per period and a positive stick time, in ascending order of position.
    ///
    /// Releases from which no slip ends are passed over.
    ///
    /// # Errors
    /// As [`StickSlipMap::turn`], if no slip ends at all.
    pub fn fixed_points(&self) -> Result<Vec<FixedPoint>, MapError<S::Error>> {
        self.check()?;
        let Some(longest) = self.longest_stick() else { return Ok(Vec::new()) };
        let grid = self.grid_of_stick_times(longest);
        // a slip that does not end leaves a hole in the scan; only where no slip ends at all is that an answer
        let (mut failure, mut defined) = (None, false);
        let candidates = roots_on(&grid, |time| match self.mismatch(time) {
            Ok(mismatch) => {
                defined = true;
                mismatch
            }
            Err(error) => {
                failure.get_or_insert(error);
                f64::NAN
            }
        });
        if let (Some(error), false) = (failure, defined) {
            return Err(error);
        }
        let mut points: Vec<FixedPoint> = Vec::new();
        for time in candidates {
            let position = self.release_after(time);
            let Ok(turn) = self.turn_unchecked(position) else { continue };
            // a jump of g looks like a root of the scan, and a later release like a first one: both fail here
            let tolerance = 1e-8 * (longest.min(time * 1e3) + time);
            let is_first_release = (turn.stick_time - time).abs() <= tolerance;
            let closes = self.mismatch(time)?.abs() <= 1e-9 * (position.abs() + self.drive_speed * time);
            if is_first_release && closes {
                points.push(FixedPoint {
                    position,
                    restick: turn.restick,
                    stick_time: time,
                    multiplier: turn.slope,
                    passes: turn.passes,
                });
            }
        }
        points.sort_by(|a, b| a.position.total_cmp(&b.position));
        points.dedup_by(|a, b| (a.stick_time - b.stick_time).abs() <= 1e-12 * b.stick_time);
        Ok(points)
    }

    /// Sliding without sticking as a fixed point, where kinetic friction of `kinetic_coefficient` [-] equals the static
    /// coefficient at contact.
    pub fn smooth_sliding(&self, kinetic_coefficient: f64) -> Option<SmoothSliding> {
        let equal =
            (kinetic_coefficient - self.static_coefficient).abs() <= 4.0 * f64::EPSILON * self.static_coefficient.abs();
        let rate = self.aging.growth_rate(0.0);
        let multiplier = if rate.is_infinite() { -1.0 } else { rate / (self.loading_rate() - rate) };
        equal.then(|| SmoothSliding { position: self.fresh_release(), multiplier })
    }

    /// v₀ t − (x − g(x)) for the release after a stick of `time` \[m\].
    fn mismatch(&self, time: f64) -> Result<f64, MapError<S::Error>> {
        let position = self.release_after(time);
        let slip = self.slip.restick(position).map_err(|error| MapError::Slip { position, error })?;
        Ok(self.drive_speed * time - (position - slip.position))
    }

    /// A time that no stick of a periodic motion exceeds \[s\]: the spring cannot be carried further than from −x to x.
    fn longest_stick(&self) -> Option<f64> {
        let strength = |growth: f64| 2.0 * (self.static_coefficient + growth) / self.loading_rate();
        let limit = self.aging.growth_limit();
        if limit.is_finite() {
            return Some(strength(limit)).filter(|&time| time > 0.0);
        }
        // unbounded growth: it is concave for the laws at hand, so the first time beyond is beyond for good
        let mut time = strength(0.0).max(f64::MIN_POSITIVE);
        while time.is_finite() {
            if time >= strength(self.aging.growth(time)) {
                return Some(time);
            }
            time *= 2.0;
        }
        None
    }

    /// Ascending times for the scan: even, geometric towards zero, and both sides of every change in the passes.
    fn grid_of_stick_times(&self, longest: f64) -> Vec<f64> {
        let passes = |time: f64| self.slip.restick(self.release_after(time)).ok().map(|slip| slip.passes);
        let even = (1..=800).map(|k| f64::from(k) / 800.0);
        // 24 points per octave down to the shortest stick that can be told from none
        let octaves = (0..24 * 24).map(|k| crate::num::real::pow(2.0, -f64::from(k) / 24.0));
        let mut grid: Vec<f64> = even
            .chain(octaves.filter(|&fraction| fraction >= SHORTEST_RELATIVE_STICK))
            .chain([SHORTEST_RELATIVE_STICK])
            .map(|fraction| fraction * longest)
            .collect();
        grid.sort_by(f64::total_cmp);
        let mut jumps = Vec::new();
        for cell in grid.windows(2) {
            let &[low, high] = cell else { continue };
            let (mut low, mut high) = (low, high);
            let at_low = passes(low);
            if at_low == passes(high) {
                continue;
            }
            // bisection to neighbouring numbers: several changes in one cell leave one unseen, at worst a coarser scan
            loop {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high {
                    break;
                }
                if passes(middle) == at_low { low = middle } else { high = middle }
            }
            jumps.extend([low, high]);
        }
        grid.extend(jumps);
        grid.sort_by(f64::total_cmp);
        grid.dedup();
        grid
    }
}
