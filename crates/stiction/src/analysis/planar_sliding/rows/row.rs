//! Nodes along a row and the weights of the functionals there.

use super::{LONGEST_PANEL, NEAR, count, wanted};
use crate::analysis::planar_sliding::motion::Twist;
use crate::num::bulk::{Loop, vectorised};
use crate::num::gauss::Rules;
use crate::num::real::{asinh, exp};
use crate::patch::Point;

/// The nodes of one row.
#[derive(Debug)]
pub(super) struct Row {
    /// Centre of rotation.
    centre: Option<Point>,
    /// What is to be resolved \[m\].
    length: f64,
    extra: i32,
    places: Vec<f64>,
    weights: Vec<f64>,
    loads: [Vec<f64>; 3],
}

impl Row {
    pub(super) fn new(centre: Option<Point>, length: f64, extra: i32) -> Self {
        Self { centre, length, extra, places: Vec::new(), weights: Vec::new(), loads: Default::default() }
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.weights.clear();
    }

    fn push(&mut self, place: f64, weight: f64) {
        self.places.push(place);
        self.weights.push(weight);
    }

    /// Adds the nodes of a row between two ends.
    pub(super) fn between(&mut self, height: f64, [from, to]: [f64; 2]) {
        if to <= from {
            return;
        }
        let length = self.length;
        let Some([x, y]) = self.centre else {
            self.plain([from, to], |_| f64::INFINITY);
            return;
        };
        let miss = (height - y).abs().max(1e-300);
        let beside = |[low, high]: [f64; 2]| {
            let along = (low - x).max(x - high).max(0.0);
            (along * along + miss * miss).sqrt()
        };
        let (left, right) = (from.max(x - NEAR * length), to.min(x + NEAR * length));
        // from far away, differences of angles have no digits
        if miss > NEAR * length || right <= left || beside([from, to]) > 0.6 * (to - from) {
            self.plain([from, to], beside);
            return;
        }
        // no sliver is left beside the part near the centre
        let left = if left - from < 0.5 * length { from } else { left };
        let right = if to - right < 0.5 * length { to } else { right };
        self.plain([from, left], beside);
        let [low, high] = [left, right].map(|end| asinh((end - x) / miss));
        if high - low < 3.0 {
            self.turning([left, right], [low, high], [x, miss], 6.0 + 2.4 * (high - low));
        } else {
            let middle = 0.0_f64.clamp(low, high);
            let cut = x.clamp(left, right);
            self.turning([left, cut], [low, middle], [x, miss], 8.0 + 1.4 * (middle - low));
            self.turning([cut, right], [middle, high], [x, miss], 8.0 + 1.4 * (high - middle));
        }
        self.plain([right, to], beside);
    }

    /// Panels of one size; `distance` from the centre.
    fn plain(&mut self, [from, to]: [f64; 2], distance: impl Fn([f64; 2]) -> f64) {
        let (size, length) = (to - from, self.length);
        if size <= 0.0 {
            return;
        }
        let panels = (size / (LONGEST_PANEL * length)).ceil().max(1.0);
        let width = size / panels;
        for panel in 0..panels as usize {
            let low = from + panel as f64 * width;
            let wanted = wanted(width / length) + 4.0 * width / distance([low, low + width]);
            for (place, weight) in Rules::shared().with(count(wanted, self.extra)).on(low, low + width) {
                self.push(place, weight);
            }
        }
    }

    /// Places x + miss · sinh t.
    fn turning(&mut self, ends: [f64; 2], [low, high]: [f64; 2], [x, miss]: [f64; 2], wanted: f64) {
        if high <= low {
            return;
        }
        let wanted = wanted + 2.8 * (ends[1] - ends[0]) / self.length;
        for (t, weight) in Rules::shared().with(count(wanted, self.extra)).on(low, high) {
            let up = exp(t);
            let down = up.recip();
            self.push(x + 0.5 * miss * (up - down), 0.5 * miss * (up + down) * weight);
        }
    }

    /// Places, in other units, and weights × areas of the functionals on a line with this origin and direction.
    pub(super) fn loads(
        &mut self,
        twist: Twist,
        [origin, along]: [Point; 2],
        weight: f64,
        unit: f64,
    ) -> (&[f64], [&[f64]; 3]) {
        let Self { places, weights, loads, .. } = self;
        loads.iter_mut().for_each(|loads| loads.resize(places.len(), 0.0));
        let targets = loads.each_mut().map(Vec::as_mut_slice);
        vectorised(Loads { twist, origin, along, weight, places, weights, loads: targets });
        places.iter_mut().for_each(|place| *place *= unit);
        (places, loads.each_ref().map(Vec::as_slice))
    }
}

/// Weights × areas along a row: [`Twist::weights`] for many points at once.
struct Loads<'a> {
    twist: Twist,
    /// Where the row starts to be measured \[m\].
    origin: Point,
    along: Point,
    /// Of the whole row.
    weight: f64,
    places: &'a [f64],
    weights: &'a [f64],
    loads: [&'a mut [f64]; 3],
}

impl Loop for Loads<'_> {
    #[inline(always)]
    fn run(self) {
        let Twist { vx, vy, omega } = self.twist;
        let [to_x, to_y, to_torque] = self.loads;
        let targets = to_x.iter_mut().zip(to_y).zip(to_torque);
        for (((load_x, load_y), load_torque), (place, weight)) in targets.zip(self.places.iter().zip(self.weights)) {
            let (x, y) = (self.origin[0] + self.along[0] * place, self.origin[1] + self.along[1] * place);
            let (u, v) = (vx - omega * y, vy + omega * x);
            let speed = (u * u + v * v).sqrt();
            let factor = if speed > 0.0 { -self.weight * weight / speed } else { 0.0 };
            (*load_x, *load_y) = (factor * u, factor * v);
            *load_torque = factor * (x * v - y * u);
        }
    }
}
