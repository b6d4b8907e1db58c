//! The stick-slip map of an ageing contact: from one release to the next.

use crate::dataset::{Outcome, Table, Value, number};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::critical_speed::{AgingCriticalSpeed, aging_critical_speed};
use stiction::analysis::spring_block::{FollowedSlip, Orbits};
use stiction::analysis::stick_slip_map::{
    ConstantFriction, FixedPoint, Lyapunov, MapError, SlipMap, StickSlipMap as Map, Turn,
};
use stiction::analysis::{Budget, Cancelled, Progress};
use stiction::keys::Key;
use stiction::law::{Aging, ExponentialAging, FrictionLaw, Law};
use stiction::memory::Need;
use stiction::system::SpringBlock;

/// The stick-slip map T of an ageing contact: from one release position to the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StickSlipMap {
    /// Release position of the orbit's first slip \[m\]; by default that of a block that starts at rest with a relaxed spring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Turns of the map before the first iterate that is reported.
    #[serde(default)]
    #[schemars(range(max = 10_000_000))]
    pub skip: usize,
    /// Number of iterates that are reported.
    #[serde(default = "count")]
    #[schemars(range(min = 1, max = 10_000_000))]
    pub count: usize,
    /// Turns of the map before the Lyapunov exponent is measured.
    #[serde(default = "transient")]
    #[schemars(range(max = 1_000_000_000))]
    pub transient: u64,
    /// Turns of the map over which the Lyapunov exponent is averaged; 0 leaves it out.
    #[serde(default = "turns")]
    #[schemars(range(max = 1_000_000_000))]
    pub turns: u64,
    /// Number of points of the curve T(x).
    #[serde(default = "points")]
    #[schemars(range(min = 2, max = 1_000_000))]
    pub points: usize,
}

/// Turns whose slips cost as much as one set of attractors.
const TURNS_PER_ITEM: usize = 100;

fn count() -> usize {
    100
}
fn transient() -> u64 {
    1000
}
fn turns() -> u64 {
    100_000
}
fn points() -> usize {
    801
}

impl Study for StickSlipMap {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let block = context.spring_block()?;
        if block.drive_speed <= 0.0 {
            let message =
                format!("{}: the map needs a surface that moves forward (drive speed > 0)", number(block.drive_speed));
            return Err(StudyError::unsuitable("system.spring_block.drive_speed", message));
        }
        // a contact that does not age is one that ages by nothing: T(x) = F_S/κ
        let frozen = Aging::Exponential(ExponentialAging { increment: 0.0, time_constant: 1.0 });
        let aging = block.aging.as_ref().unwrap_or(&frozen);
        let mut outcome = Outcome::default();
        match constant_friction(block) {
            Some(slip) => self.answer(&mut outcome, &map(block, aging, slip), block, context)?,
            None => {
                let turns = self.transient.saturating_add(self.turns) as usize;
                let turns = turns.saturating_add(self.skip).saturating_add(self.count).saturating_add(self.points);
                let budget = Budget::of(turns / TURNS_PER_ITEM, context.progress);
                let slip = FollowedSlip { orbits: Orbits::new(block, context.solver)?.within(&budget) };
                self.answer(&mut outcome, &map(block, aging, slip), block, context)?;
            }
        }
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        let AnySystem::SpringBlock(block) = system else { return None };
        super::motions(system).filter(|_| constant_friction(block).is_none())
    }

    fn needs(&self) -> Vec<Need> {
        let count = self.count as f64;
        vec![Need::new(Key::study("count"), count, count, "iterates", 160.0)]
    }
}

/// The slips in closed form, where kinetic friction is constant.
fn constant_friction(block: &SpringBlock) -> Option<ConstantFriction> {
    match &block.law {
        Law::Coulomb(_) => Some(ConstantFriction {
            stiffness: block.stiffness,
            kinetic_force: block.kinetic_force(0.0),
            static_force: block.static_force(0.0),
            contact_policy: block.contact_policy,
        }),
        _ => None,
    }
}

fn map<'a, S: SlipMap>(block: &SpringBlock, aging: &'a Aging, slip: S) -> Map<'a, S> {
    Map {
        slip,
        aging,
        static_coefficient: block.law.static_coefficient(),
        normal_load: block.normal_load,
        stiffness: block.stiffness,
        drive_speed: block.drive_speed,
    }
}

fn failed<E: std::error::Error>(error: &MapError<E>, progress: &dyn Progress) -> StudyError {
    if progress.cancelled() {
        return Cancelled.into();
    }
    StudyError::unsuitable("study.stick_slip_map", error.to_string())
}

/// Release of a block that starts at rest with a relaxed spring.
fn first_release<S: SlipMap>(map: &Map<'_, S>) -> Option<f64> {
    let rate = map.stiffness * map.drive_speed / map.normal_load;
    map.aging.holding_time(map.static_coefficient, rate).map(|time| map.release_after(time))
}

impl StickSlipMap {
    fn answer<S: SlipMap + Sync>(
        &self,
        outcome: &mut Outcome,
        map: &Map<'_, S>,
        block: &SpringBlock,
        context: &Context<'_>,
    ) -> Result<(), StudyError> {
        let fixed = map.fixed_points().map_err(|error| failed(&error, context.progress))?;
        let column = |of: fn(&FixedPoint) -> f64| fixed.iter().map(of).collect::<Vec<f64>>();
        outcome.push("fixed_points", "m", column(|point| point.position));
        outcome.push("multipliers", "", column(|point| point.multiplier));
        outcome.push("stick_times", "s", column(|point| point.stick_time));
        outcome.push("stable_fixed_points", "", fixed.iter().filter(|point| point.multiplier.abs() < 1.0).count());
        let smooth = map.smooth_sliding(block.law.kinetic(0.0)).filter(|_| matches!(block.law, Law::Coulomb(_)));
        outcome.push("smooth_sliding_position", "m", smooth.map(|sliding| sliding.position));
        outcome.push("smooth_sliding_multiplier", "", smooth.map(|sliding| sliding.multiplier));
        let critical = block.aging.as_ref().filter(|_| smooth.is_some()).and_then(|aging| {
            match aging_critical_speed(aging, block.stiffness, block.normal_load) {
                AgingCriticalSpeed::Finite { speed, .. } => Some(speed),
                AgingCriticalSpeed::Infinite => None,
            }
        });
        outcome.push("critical_speed", "m/s", critical);
        let start = match self.start.or_else(|| first_release(map)) {
            Some(start) => start,
            None => {
                let message = "the contact never releases: its static limit outgrows the spring force for ever";
                return Err(StudyError::unsuitable("system.spring_block.aging", message));
            }
        };
        self.orbit(outcome, map, start, context.progress)?;
        if self.turns > 0 {
            context.progress.begin("Lyapunov exponent", 1);
            self.exponent(outcome, map, start, context.progress)?;
            context.progress.advance(1);
        }
        self.curve(outcome, map, start, context.progress)
    }

    fn orbit<S: SlipMap>(
        &self,
        outcome: &mut Outcome,
        map: &Map<'_, S>,
        start: f64,
        progress: &dyn Progress,
    ) -> Result<(), StudyError> {
        let mut iterates = Vec::with_capacity(self.count);
        let mut rows = Vec::with_capacity(self.count);
        let mut most_passes = 0;
        for (number, turn) in map.orbit_while(start, progress).take(self.skip + self.count).enumerate() {
            match turn {
                Ok(_) if number < self.skip => {}
                Ok(turn) => {
                    iterates.push(turn.release);
                    most_passes = most_passes.max(turn.passes);
                    rows.push(turn);
                }
                Err(error) if iterates.is_empty() || progress.cancelled() => return Err(failed(&error, progress)),
                Err(error) => {
                    outcome.warnings.push(format!("the orbit ends after {} turns: {error}", iterates.len()));
                    break;
                }
            }
        }
        outcome.push("start", "m", start);
        outcome.push("iterates", "m", iterates);
        outcome.push("most_passes", "", most_passes as usize);
        outcome.tables.push(
            Table::new("orbit", "turns of the map: each row is a slip and the stick after it")
                .integers("turn", "turn n", (1..=rows.len()).map(|turn| (self.skip + turn) as i64).collect())
                .numbers("release", "m", "release position x", rows.iter().map(|turn| turn.release).collect())
                .numbers("restick", "m", "restick position x", rows.iter().map(|turn| turn.restick).collect())
                .numbers("stick_time", "s", "stick time", rows.iter().map(|turn| turn.stick_time).collect())
                .numbers("slope", "", "slope dT/dx", rows.iter().map(|turn| turn.slope).collect())
                .integers("passes", "passes", rows.iter().map(|turn| i64::from(turn.passes)).collect()),
        );
        Ok(())
    }

    fn exponent<S: SlipMap>(
        &self,
        outcome: &mut Outcome,
        map: &Map<'_, S>,
        start: f64,
        progress: &dyn Progress,
    ) -> Result<(), StudyError> {
        let (value, error) = match map.lyapunov_while(start, self.transient, self.turns, progress) {
            Ok(Lyapunov::Exponent { value, standard_error, .. }) => (value.into(), standard_error.into()),
            Ok(Lyapunov::Superstable) => {
                outcome.warnings.push("the orbit is superstable: its Lyapunov exponent is minus infinity".to_owned());
                (Value::Missing, Value::Missing)
            }
            Ok(Lyapunov::SmoothSliding { after }) => {
                outcome.warnings.push(format!(
                    "after {after} turns the orbit sticks for no time at all and slides smoothly: it has no Lyapunov exponent"
                ));
                (Value::Missing, Value::Missing)
            }
            Err(error) if progress.cancelled() => return Err(failed(&error, progress)),
            Err(error) => {
                outcome.warnings.push(format!("no Lyapunov exponent: {error}"));
                (Value::Missing, Value::Missing)
            }
        };
        outcome.push("lyapunov_exponent", "", value);
        outcome.push("lyapunov_error", "", error);
        Ok(())
    }

    /// The curve T(x) over all possible releases, and the cobweb of the orbit.
    fn curve<S: SlipMap>(
        &self,
        outcome: &mut Outcome,
        map: &Map<'_, S>,
        start: f64,
        progress: &dyn Progress,
    ) -> Result<(), StudyError> {
        let lowest = map.fresh_release();
        let reached = outcome.quantity("iterates").and_then(largest).unwrap_or(start).max(start);
        let latest = map.latest_release();
        let highest =
            if latest.is_finite() { latest.min(3.0 * reached.max(lowest)) } else { 1.25 * reached.max(lowest) };
        let highest = if highest > lowest { highest } else { 1.5 * lowest };
        let positions: Vec<f64> =
            (0..self.points).map(|i| lowest + (highest - lowest) * i as f64 / (self.points - 1) as f64).collect();
        let mut turns = Vec::with_capacity(positions.len());
        for part in positions.chunks(1000) {
            if progress.cancelled() {
                return Err(Cancelled.into());
            }
            turns.extend(part.iter().map(|&x| map.turn(x).ok()));
        }
        let column = |of: fn(&Turn) -> f64| turns.iter().map(|turn| turn.as_ref().map_or(f64::NAN, of)).collect();
        let passes = turns.iter().map(|turn| turn.map_or(-1, |turn| i64::from(turn.passes))).collect();
        outcome.push("stick_time_falls", "", stick_time_falls(turns.iter().flatten().copied()));
        outcome.tables.push(
            Table::new("map", "the stick-slip map T over all possible release positions")
                .numbers("position", "m", "release position x", positions)
                .numbers("next", "m", "next release position T(x)", column(|turn| turn.release))
                .numbers("restick", "m", "restick position g(x)", column(|turn| turn.restick))
                .integers("passes", "passes through the velocity of the surface", passes),
        );
        if let Ok(corners) = map.cobweb(start, self.count.min(60)) {
            outcome.tables.push(
                Table::new("cobweb", "corners of the cobweb of the orbit")
                    .numbers("position", "m", "release position x", corners.iter().map(|corner| corner.0).collect())
                    .numbers(
                        "next",
                        "m",
                        "next release position T(x)",
                        corners.iter().map(|corner| corner.1).collect(),
                    ),
            );
        }
        Ok(())
    }
}

/// Whether the stick is the shorter the farther forward the block comes to rest: h of elmer1997, after Eq. 5.
fn stick_time_falls(turns: impl Iterator<Item = Turn>) -> bool {
    let mut sticks: Vec<(f64, f64)> = turns.map(|turn| (turn.restick, turn.stick_time)).collect();
    sticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let longest = sticks.iter().fold(0.0f64, |longest, stick| longest.max(stick.1));
    // equal places differ by rounding
    sticks.windows(2).all(|pair| pair[1].1 <= pair[0].1 + 1e-9 * longest)
}

fn largest(value: &Value) -> Option<f64> {
    let Value::List(list) = value else { return None };
    let numbers = list.iter().filter_map(|entry| if let Value::Number(number) = entry { Some(*number) } else { None });
    numbers.reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::{Turn, stick_time_falls};

    #[test]
    fn sticks_are_compared_in_the_order_of_their_places() {
        let turn = |restick: f64, stick_time: f64| Turn { release: 1.0, slope: 1.0, restick, stick_time, passes: 0 };
        assert!(stick_time_falls([turn(0.3, 1.0), turn(-0.2, 3.0), turn(0.1, 2.0)].into_iter()));
        assert!(!stick_time_falls([turn(0.3, 1.0), turn(-0.2, 0.5)].into_iter()));
    }
}
