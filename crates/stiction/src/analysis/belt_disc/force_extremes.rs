//! Extremes of the friction force inside slips.
//!
//! The dense output knows the acceleration, and with it the force, between the ends of a step. Three neighbouring values with
//! the outermost one in the middle hold an extreme; the parabola through them tells where. What may be the largest or smallest
//! force of its cycle is evaluated there by the equations of motion themselves.

use super::run::{BeltRun, ForceExtreme};
use crate::integrate::Stretch;
use crate::system::Fault;
use crate::system::belt_disc::{BeltMotion, State};

/// Parts of a step at whose ends the force is looked at.
const PARTS: usize = 4;

/// How far the parabola may err about an extreme, relative to the range of forces.
const DOUBT: f64 = 0.1;

/// The last two instants with their forces, newest last.
#[derive(Debug, Default)]
pub(super) struct ForceExtremes {
    trail: [Option<[f64; 2]>; 2],
}

impl ForceExtremes {
    /// A slip ends: what comes next does not belong to it.
    pub(super) fn clear(&mut self) {
        self.trail = [None; 2];
    }

    /// Looks for extremes in a stretch of slip.
    pub(super) fn add(
        &mut self,
        motion: &BeltMotion<'_>,
        stretch: &Stretch<'_, BeltMotion<'_>>,
        run: &mut BeltRun,
    ) -> Result<(), Fault> {
        let first = usize::from(self.trail[1].is_some());
        for part in first..=PARTS {
            let time = stretch.from + (stretch.to - stretch.from) * part as f64 / PARTS as f64;
            let [mut state, mut rate]: [State; 2] = [[0.0; 8]; 2];
            (stretch.at)(time, &mut state);
            (stretch.rate)(time, &mut rate);
            let newest = [time, motion.balance.friction_of(&state, &rate)];
            if let [Some(oldest), Some(middle)] = self.trail
                && let Some(mut extreme) = vertex([oldest, middle, newest])
            {
                if may_be_outermost(run, &extreme) {
                    // a vertex just before this stretch is reached by its dense output, too
                    (stretch.at)(extreme.time, &mut state);
                    extreme.force = motion.friction(stretch.mode, extreme.time, &state)?;
                }
                run.force_extremes.push(extreme);
            }
            self.trail = [self.trail[1], Some(newest)];
        }
        Ok(())
    }
}

/// The vertex of the parabola through three points (instant, force), where the middle one is outermost.
fn vertex([[t0, f0], [t1, f1], [t2, f2]]: [[f64; 2]; 3]) -> Option<ForceExtreme> {
    let [left, right] = [(f1 - f0) / (t1 - t0), (f2 - f1) / (t2 - t1)];
    if left * right >= 0.0 || (left * right).is_nan() {
        return None;
    }
    let curvature = (right - left) / (t2 - t0);
    let slope = left + curvature * (t1 - t0);
    let (time, force) = (t1 - slope / (2.0 * curvature), f1 - slope * slope / (4.0 * curvature));
    Some(ForceExtreme { time, force, maximum: left > 0.0 })
}

/// Whether an extreme can be the largest or smallest force since the last minimum of x, as far as the run went.
fn may_be_outermost(run: &BeltRun, extreme: &ForceExtreme) -> bool {
    let last = run.turning_points.iter().rev().find(|point| !point.maximum);
    let since = last.map_or(0.0, |point| point.time);
    let events = run.events.iter().rev().take_while(|event| event.time >= since);
    let extremes = run.force_extremes.iter().rev().take_while(|extreme| extreme.time >= since);
    let known = events
        .flat_map(|event| [event.force_before, event.force_after])
        .chain(extremes.map(|extreme| extreme.force))
        .chain(last.map(|point| point.force));
    let [low, high] =
        known.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], known| [low.min(known), high.max(known)]);
    let doubt = DOUBT * (high - low).max(0.0);
    if extreme.maximum { extreme.force > high - doubt } else { extreme.force < low + doubt }
}
