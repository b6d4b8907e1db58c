//! Long correlation lengths: the field under the disc is one random number h, and every quantity is that of the uniform belt.
//!
//! ```text
//! per realisation   E[Q(h)]                                    each realisation counts once
//! pooled            E[Q(h)/period(h)]/E[1/period(h)]           each cycle counts once: fast cycles count more
//! pooled_finite     E[Q(h) n(h)]/E[n(h)]                       n(h): samples in a run of finite duration, a step function
//! raw stick         E[stick time in [0, T]]/T                  with the transient
//! ```
//! Counts and stick times have steps and kinks where an event meets the end of the run; the integrals over h are cut there.

use super::not_found;
use crate::analysis::AnalysisError;
use crate::analysis::belt_disc::closed_form::{UniformBelt, UniformCycle, UniformStart};
use crate::field::Marginal;
use crate::num::quadrature::integral_with_singular_ends;
use crate::num::roots::roots_on;
use crate::num::special::normal_density;

/// The standard normal number behind h is followed this far; beyond, 1e-19 of the probability is left.
const FARTHEST: f64 = 9.0;
/// Cells in which events at the end of the run are looked for.
const CELLS: usize = 400;
/// Most cycles in a run: each makes steps that the integrals are cut at.
const MOST_CYCLES: f64 = 20_000.0;

/// Mean and standard deviation of a quantity over its value on the belt with the mean coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Mean [-].
    pub mean: f64,
    /// Standard deviation [-].
    pub standard_deviation: f64,
}

/// The limit of long correlation lengths; all numbers are ratios to the uniform belt with the mean coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LargeLength {
    /// Peak-to-valley displacement, each realisation once.
    pub displacement: Moments,
    /// Peak-to-valley force, each realisation once.
    pub force: Moments,
    /// Stick time over period, each realisation once.
    pub stick: Moments,
    /// Peak-to-valley displacement, each cycle of an endless run once.
    pub displacement_pooled: Moments,
    /// Peak-to-valley force, each cycle of an endless run once.
    pub force_pooled: Moments,
    /// Peak-to-valley displacement, each sample of a finite run once.
    pub displacement_pooled_finite: Moments,
    /// Peak-to-valley force, each sample of a finite run once.
    pub force_pooled_finite: Moments,
    /// Stick time within the run over its duration.
    pub stick_raw: Moments,
    /// Share of runs with fewer than two breakaways [-], which give no pooled samples.
    pub flagged: f64,
}

impl LargeLength {
    /// The limit for runs of `duration` \[s\] from `start`; `belt` has the mean coefficient.
    ///
    /// # Errors
    /// As [`UniformBelt::cycle`], if the run has too many cycles or none, or if an integral does not converge.
    pub fn of(
        belt: &UniformBelt,
        marginal: &Marginal,
        start: UniformStart,
        duration: f64,
    ) -> Result<Self, AnalysisError> {
        let uniform = belt.cycle()?;
        let uniform_raw = belt.formal_raw_fraction(start, duration);
        let shortest = std::f64::consts::TAU / belt.angular_frequency();
        if !(duration > 0.0 && duration / shortest <= MOST_CYCLES) {
            let message = format!(
                "is {duration} s, but the limits need a duration > 0 of at most {} s ({MOST_CYCLES} cycles)",
                MOST_CYCLES * shortest
            );
            return Err(AnalysisError::question("duration", message));
        }
        let ends = Ends { belt, marginal, start, duration };
        let cuts = ends.cuts();
        let over = |weight: &dyn Fn(&BeltRun) -> f64, value: &dyn Fn(&BeltRun) -> f64, scale: f64, what: &str| {
            let total = ends.integral(&cuts, |run| weight(run))?;
            if !(total > 0.0 && scale > 0.0) {
                let message = format!("is {duration} s: the limits need runs with a {what} within the duration");
                return Err(AnalysisError::question("duration", message));
            }
            let mean = ends.integral(&cuts, |run| weight(run) * value(run))? / total;
            let square = |run: &BeltRun| weight(run) * (value(run) - mean) * (value(run) - mean);
            let variance = ends.integral(&cuts, square)? / total;
            Ok(Moments { mean: mean / scale, standard_deviation: variance.max(0.0).sqrt() / scale })
        };
        let displacement = |run: &BeltRun| run.cycle.peak_to_valley_displacement;
        let force = |run: &BeltRun| run.cycle.peak_to_valley_force;
        let stick = |run: &BeltRun| run.cycle.stick_fraction;
        let (travel, pull) = (uniform.peak_to_valley_displacement, uniform.peak_to_valley_force);
        let per_cycle = |run: &BeltRun| 1.0 / run.cycle.period;
        Ok(Self {
            displacement: over(&|_| 1.0, &displacement, travel, "cycle")?,
            force: over(&|_| 1.0, &force, pull, "cycle")?,
            stick: over(&|_| 1.0, &stick, uniform.stick_fraction, "cycle")?,
            displacement_pooled: over(&per_cycle, &displacement, travel, "cycle")?,
            force_pooled: over(&per_cycle, &force, pull, "cycle")?,
            displacement_pooled_finite: over(&|run| run.pairs(), &displacement, travel, "maximum and a minimum")?,
            force_pooled_finite: over(&|run| run.valleys(), &force, pull, "pair of minima")?,
            stick_raw: over(&|_| 1.0, &|run| run.raw_fraction(), uniform_raw, "landing")?,
            flagged: ends.integral(&cuts, |run| f64::from(run.breakaways() < 2.0))?,
        })
    }
}

/// The run of one uniform belt.
struct BeltRun {
    belt: UniformBelt,
    cycle: UniformCycle,
    start: UniformStart,
    duration: f64,
}

impl BeltRun {
    /// Time left after the first breakaway \[s\]; negative if there is none in the run.
    fn left(&self) -> f64 {
        self.belt.transient(self.start).map_or(-1.0, |first| self.duration - first.breakaway_time)
    }

    /// Whole cycles that end before the run, counted from a moment within the first cycle \[s\], plus one.
    fn count(&self, after: f64) -> f64 {
        let left = self.left() - after;
        if left < 0.0 { 0.0 } else { (left / self.cycle.period).floor() + 1.0 }
    }

    fn breakaways(&self) -> f64 {
        self.count(0.0)
    }

    /// Pairs of a maximum and the minimum that follows; none in a flagged run.
    fn pairs(&self) -> f64 {
        if self.breakaways() < 2.0 { 0.0 } else { self.count(self.cycle.second_turning_time) }
    }

    /// Pairs of consecutive minima.
    fn valleys(&self) -> f64 {
        (self.pairs() - 1.0).max(0.0)
    }

    fn raw_fraction(&self) -> f64 {
        self.belt.formal_raw_fraction(self.start, self.duration)
    }
}

/// Integrals over the coefficient, cut where an event meets the end of the run.
struct Ends<'a> {
    belt: &'a UniformBelt,
    marginal: &'a Marginal,
    start: UniformStart,
    duration: f64,
}

impl Ends<'_> {
    fn run(&self, normal: f64) -> BeltRun {
        let belt = self.belt.with_coefficient(self.marginal.value(normal));
        BeltRun { belt, cycle: belt.formal_cycle(), start: self.start, duration: self.duration }
    }

    /// The standard normal numbers between which all integrands are smooth, ascending.
    fn cuts(&self) -> Vec<f64> {
        let landing = self.belt.landing_coefficient();
        let lands = |normal: f64| self.marginal.value(normal) - landing;
        let mut cuts = vec![-FARTHEST, 0.0, FARTHEST];
        // below this coefficient a start at rest never lands
        let first = match self.start {
            UniformStart::Rest => roots_on(&[-FARTHEST, 0.0, FARTHEST], lands).first().copied(),
            UniformStart::Stuck => None,
        };
        let lowest = match first {
            Some(first) => first,
            None if self.start == UniformStart::Rest && lands(FARTHEST) < 0.0 => FARTHEST,
            None => -FARTHEST,
        };
        cuts.push(lowest);
        let cell = (FARTHEST - lowest) / CELLS as f64;
        let grid: Vec<f64> = (0..=CELLS).map(|i| lowest + cell * i as f64).collect();
        if cell > 0.0 {
            let time = |normal: f64, of: &dyn Fn(&BeltRun) -> f64| {
                let run = self.run(normal);
                of(&run) - run.left()
            };
            let landing_time = |normal: f64| {
                let first = self.run(normal).belt.transient(self.start);
                first.map_or(f64::NAN, |first| first.landing_time - self.duration)
            };
            cuts.extend(roots_on(&grid, landing_time));
            let moments: [fn(&UniformCycle) -> f64; 3] =
                [|_| 0.0, |cycle| cycle.slip_time, |cycle| cycle.second_turning_time];
            let most = (self.duration * self.belt.angular_frequency() / std::f64::consts::TAU).ceil() as usize;
            for number in 0..=most {
                for moment in moments {
                    let of = |run: &BeltRun| number as f64 * run.cycle.period + moment(&run.cycle);
                    cuts.extend(roots_on(&grid, |normal| time(normal, &of)));
                }
            }
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        cuts
    }

    fn integral(&self, cuts: &[f64], value: impl Fn(&BeltRun) -> f64) -> Result<f64, AnalysisError> {
        let mut sum = 0.0;
        for ends in cuts.windows(2) {
            let &[from, to] = ends else { continue };
            // a landing that just happens makes a square root at the end of a piece
            let piece =
                integral_with_singular_ends(from, to, |normal| normal_density(normal) * value(&self.run(normal)));
            sum += piece.map_err(not_found)?.value;
        }
        Ok(sum)
    }
}
