//! The line of rest over r: where motions out of it appear and disappear, and where friction can hold the wheel.

use crate::num::roots::roots_on;
use crate::system::filippov::Side;
use crate::system::wheel::line::{Motion, Place, Ray, StickRay};
use crate::system::wheel::{Dynamics, Friction};
use serde::Serialize;

/// What changes at a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// L₊ = 0 for s = +1.
    PlusLimitForward,
    /// L₋ = 0 for s = +1.
    MinusLimitForward,
    /// L₊ = 0 for s = −1.
    PlusLimitBackward,
    /// L₋ = 0 for s = −1.
    MinusLimitBackward,
    /// The sticking motion for s = +1 turns from incoming to outgoing.
    StickForward,
    /// The sticking motion for s = −1 turns from incoming to outgoing.
    StickBackward,
    /// Two rays with h > 0 appear or disappear.
    PlusPair,
    /// Two rays with h < 0 appear or disappear.
    MinusPair,
    /// An end of an interval of r where friction can hold the wheel.
    Lock,
}

/// A displacement at which the structure of the line changes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Threshold {
    /// r \[m\].
    pub r: f64,
    /// What changes.
    pub change: Change,
}

/// The line at one r.
#[derive(Debug, Clone)]
pub struct LinePoint {
    /// r \[m\].
    pub r: f64,
    /// Rays with h > 0, by angle.
    pub plus: Vec<Ray>,
    /// Rays with h < 0, by angle.
    pub minus: Vec<Ray>,
    /// The sticking motion for s = +1.
    pub forward: StickRay,
    /// The sticking motion for s = −1.
    pub backward: StickRay,
    /// Force and moment that hold the wheel, if friction can.
    pub lock: Option<Friction>,
    /// Every motion out of the line.
    pub outgoing: Vec<Motion>,
}

/// The line at r.
pub fn line_point(dynamics: &Dynamics, r: f64) -> LinePoint {
    let blow_up = dynamics.blow_up(Place::Rest { r });
    LinePoint {
        r,
        plus: blow_up.rays(Side::Plus),
        minus: blow_up.rays(Side::Minus),
        forward: blow_up.stick_ray(1.0),
        backward: blow_up.stick_ray(-1.0),
        lock: dynamics.lock(r),
        outgoing: blow_up.outgoing(),
    }
}

/// All thresholds in a range of r that a scan with so many cells sees, ascending.
pub fn thresholds(dynamics: &Dynamics, (low, high): (f64, f64), cells: usize) -> Vec<Threshold> {
    let grid: Vec<f64> = (0..=cells).map(|k| low + (high - low) * k as f64 / cells.max(1) as f64).collect();
    let lie = |r: f64, sign: f64| dynamics.blow_up(Place::Rest { r }).lie(sign);
    let mut found = Vec::new();
    let mut add = |change: Change, function: &dyn Fn(f64) -> f64| {
        found.extend(roots_on(&grid, function).into_iter().map(|r| Threshold { r, change }));
    };
    add(Change::PlusLimitForward, &|r| lie(r, 1.0).plus);
    add(Change::MinusLimitForward, &|r| lie(r, 1.0).minus);
    add(Change::PlusLimitBackward, &|r| lie(r, -1.0).plus);
    add(Change::MinusLimitBackward, &|r| lie(r, -1.0).minus);
    // the numerator of the rate: L₋ W_g(f₊) − L₊ W_g(f₋), which has no pole where L₁ = 0
    let stick = |r: f64, sign: f64| {
        let blow_up = dynamics.blow_up(Place::Rest { r });
        let lie = blow_up.lie(sign);
        let rolling = |force: f64| {
            let moment = if dynamics.signed { sign } else { 1.0 } * dynamics.kappa * force;
            blow_up.sliding_rates(Friction { force, moment }).1
        };
        lie.minus * rolling(dynamics.mu) - lie.plus * rolling(-dynamics.mu)
    };
    let sticks = |r: f64, sign: f64| dynamics.blow_up(Place::Rest { r }).stick_ray(sign).rate != 0.0;
    let margin = |r: f64| {
        let p1 = dynamics.p1(r, 0.0, dynamics.omega0);
        let force = -p1 / dynamics.si;
        let drag = dynamics.c1 * (dynamics.omega0 - dynamics.damping_speed);
        dynamics.lock_margin(Friction { force, moment: drag - dynamics.d * p1 - force * r * dynamics.co })
    };
    if dynamics.si != 0.0 {
        add(Change::Lock, &margin);
    }
    for (change, sign) in [(Change::StickForward, 1.0), (Change::StickBackward, -1.0)] {
        // only where the motion sticks on both sides of the root
        let near = 1e-9 * (high - low);
        let roots = roots_on(&grid, |r| stick(r, sign)).into_iter();
        let kept = roots.filter(|r| sticks(r - near, sign) && sticks(r + near, sign));
        found.extend(kept.map(|r| Threshold { r, change }));
    }
    for (change, side) in [(Change::PlusPair, Side::Plus), (Change::MinusPair, Side::Minus)] {
        found.extend(pairs(dynamics, &grid, side).into_iter().map(|r| Threshold { r, change }));
    }
    found.sort_by(|a, b| a.r.total_cmp(&b.r));
    found
}

/// Where two rays of a half circle meet: their number changes by two, found by bisection. A single ray that comes through an
/// end of the half circle is a change of L± and not listed here.
fn pairs(dynamics: &Dynamics, grid: &[f64], side: Side) -> Vec<f64> {
    let count = |r: f64| dynamics.blow_up(Place::Rest { r }).rays(side).len();
    let counts: Vec<usize> = grid.iter().map(|&r| count(r)).collect();
    let mut found = Vec::new();
    for (cell, pair) in counts.windows(2).enumerate() {
        let &[before, after] = pair else { continue };
        if before.abs_diff(after) % 2 == 0 && before != after {
            let (mut low, mut high) = (grid[cell], grid[cell + 1]);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if count(middle) == before {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            found.push(0.5 * (low + high));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Wheel;

    #[test]
    fn thresholds_are_where_the_line_changes() {
        let dynamics = Wheel::default().dynamics().unwrap();
        let all = thresholds(&dynamics, (-0.3, 0.5), 400);
        assert!(all.len() > 4, "{all:?}");
        for threshold in &all {
            let (before, after) =
                (line_point(&dynamics, threshold.r - 1e-7), line_point(&dynamics, threshold.r + 1e-7));
            let changed = match threshold.change {
                Change::PlusLimitForward | Change::MinusLimitForward => before.forward.region != after.forward.region,
                Change::PlusLimitBackward | Change::MinusLimitBackward => {
                    before.backward.region != after.backward.region
                }
                Change::StickForward => before.forward.rate * after.forward.rate < 0.0,
                Change::StickBackward => before.backward.rate * after.backward.rate < 0.0,
                Change::PlusPair => before.plus.len().abs_diff(after.plus.len()) == 2,
                Change::MinusPair => before.minus.len().abs_diff(after.minus.len()) == 2,
                Change::Lock => before.lock.is_some() != after.lock.is_some(),
            };
            assert!(changed, "{threshold:?}");
        }
    }
}
