//! Nodes on an interval for an integrand that is analytic but for some complex places, which are known.
//!
//! Intervals are cut beside such places. On a part that starts beside one, at the distance δ, nodes are even in τ, s = δ sinh τ:
//! every scale from δ on is resolved alike. A place on the interval itself leaves weak singularities, s ln s or s^½, and nodes
//! crowd towards it like the fourth power.

use crate::num::gauss::Rules;
use crate::num::real::{asinh, exp, hypot, ln};
use std::f64::consts::{FRAC_PI_4, LN_10};

/// A complex place near which an integrand is rough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rough {
    /// Real part.
    pub(super) at: f64,
    /// Size of the imaginary part.
    pub(super) beside: f64,
    /// Distance from which on the kernel changes with the distance from the place.
    pub(super) grain: f64,
}

impl Rough {
    fn distance(&self, place: f64) -> f64 {
        hypot(self.at - place, self.beside)
    }

    /// The larger half axis of the ellipse through the place with its foci at the ends, in half lengths of the interval.
    fn axis(&self, [low, high]: [f64; 2]) -> f64 {
        (self.distance(low) + self.distance(high)) / (high - low)
    }
}

/// Beside the interval, in its lengths: nearer places count as real.
const REAL: f64 = 1e-12;

/// Most nodes of one rule; an interval that needs more is cut.
const MOST: usize = 18;

/// Fewest nodes of one rule.
const FEWEST: usize = 3;

/// Most nodes of a rule in τ.
const MOST_SPREAD: usize = 40;

/// Places that no kernel sees are this far away.
const FAR: f64 = 1e6;

/// Nodes for a number of decimal digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Digits(pub(super) f64);

impl Digits {
    /// Nodes that a decay ln ρ needs, where ρ is the sum of the half axes of an ellipse: the error of a Gauss rule is ρ^(−2n).
    fn count(self, decay: f64) -> usize {
        (1.0 + 0.5 * self.0 * LN_10 / decay.max(1e-3)).ceil().max(FEWEST as f64) as usize
    }

    /// The larger half axis of an ellipse for which a number of nodes is enough.
    pub(super) fn axis_for(self, nodes: usize) -> f64 {
        let ratio = exp(0.5 * self.0 * LN_10 / (nodes as f64 - 1.0));
        0.5 * (ratio + ratio.recip())
    }

    /// Whether such a number of nodes is enough for a place.
    pub(super) fn resolves(ends: [f64; 2], rough: Rough, axis: f64) -> bool {
        rough.axis(ends) >= axis
    }

    /// Appends pairs (place, weight).
    pub(super) fn nodes(self, [low, high]: [f64; 2], roughs: &[Rough], found: &mut Vec<(f64, f64)>) {
        let size = high - low;
        if size.is_nan() || size <= 0.0 || self.plain([low, high], roughs, found) {
            return;
        }
        let inside = |place: f64| place > low + REAL * size && place < high - REAL * size;
        let mut start = low;
        // places inside, one after another; there are few
        while start < high {
            let next = roughs
                .iter()
                .filter(|rough| inside(rough.at) && rough.beside < 0.5 * size && rough.at > start + REAL * size)
                .map(|rough| rough.at)
                .fold(high, f64::min);
            self.between([start, next], roughs, found);
            start = next;
        }
    }

    /// One Gauss rule, if it is enough.
    fn plain(self, ends: [f64; 2], roughs: &[Rough], found: &mut Vec<(f64, f64)>) -> bool {
        let axis = roughs.iter().map(|rough| rough.axis(ends)).fold(FAR, f64::min).max(1.0);
        let count = self.count(ln(axis + ((axis - 1.0) * (axis + 1.0)).sqrt()));
        if count <= MOST {
            found.extend(Rules::shared().with(count).on(ends[0], ends[1]));
        }
        count <= MOST
    }

    /// No place is beside the inner part.
    fn between(self, [low, high]: [f64; 2], roughs: &[Rough], found: &mut Vec<(f64, f64)>) {
        if self.plain([low, high], roughs, found) {
            return;
        }
        let distance = |end: f64| roughs.iter().map(|rough| rough.distance(end)).fold(f64::INFINITY, f64::min);
        let size = high - low;
        match [low, high].map(|end| distance(end) < size) {
            [true, false] => self.from(low, high, roughs, found),
            [false, true] => self.from(high, low, roughs, found),
            _ => {
                let middle = 0.5 * (low + high);
                self.from(low, middle, roughs, found);
                self.from(high, middle, roughs, found);
            }
        }
    }

    /// The part between an end and another place, from which on all is smooth.
    fn from(self, end: f64, other: f64, roughs: &[Rough], found: &mut Vec<(f64, f64)>) {
        let signed = other - end;
        let size = signed.abs();
        let (mut real, mut nearest) = (false, FAR * size);
        for rough in roughs {
            let distance = rough.distance(end);
            if distance <= REAL * size {
                real = true;
                nearest = nearest.min(rough.grain);
            } else {
                nearest = nearest.min(distance);
            }
        }
        let mut spread_from = 0.0;
        if real {
            let first = nearest.min(size);
            let count = (4.0 + self.0).ceil() as usize;
            for (t, weight) in Rules::shared().with(count).on(0.0, 1.0) {
                let cube = t * t * t;
                found.push((end + signed / size * first * cube * t, 4.0 * cube * first * weight));
            }
            if nearest >= size {
                return;
            }
            spread_from = asinh(1.0);
        }
        let spread_to = asinh(size / nearest);
        // beyond this strip of τ Gaussian kernels grow: cosh²(τ + iy) has a negative real part
        let needed = |parts: usize| self.count(asinh(FRAC_PI_4 / (0.5 * (spread_to - spread_from) / parts as f64)));
        let parts = (1..).find(|parts| needed(*parts) <= MOST_SPREAD).unwrap_or(1);
        let width = (spread_to - spread_from) / parts as f64;
        for part in 0..parts {
            let low = spread_from + width * part as f64;
            for (t, weight) in Rules::shared().with(needed(parts)).on(low, low + width) {
                let up = exp(t);
                let down = up.recip();
                let place = 0.5 * nearest * (up - down);
                found.push((end + signed / size * place, 0.5 * nearest * (up + down) * weight));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::atan;

    fn integral(ends: [f64; 2], roughs: &[Rough], digits: f64, value: impl Fn(f64) -> f64) -> f64 {
        let mut nodes = Vec::new();
        Digits(digits).nodes(ends, roughs, &mut nodes);
        nodes.iter().map(|(x, weight)| weight * value(*x)).sum()
    }

    #[test]
    fn poles_beside_the_interval_are_resolved_at_every_distance() {
        for beside in [1.0, 0.1, 1e-3, 1e-7] {
            for at in [-0.3, 0.0, 0.2, 0.7, 1.0] {
                let rough = Rough { at, beside, grain: f64::INFINITY };
                let found = integral([0.0, 1.0], &[rough], 9.0, |x| beside / ((x - at) * (x - at) + beside * beside));
                let wanted = atan((1.0 - at) / beside) + atan(at / beside);
                assert!((found - wanted).abs() < 1e-8, "{at} {beside}: {found} not {wanted}");
            }
        }
    }

    #[test]
    fn logarithms_on_the_interval_are_resolved() {
        let at = 0.3;
        let found = integral([0.0, 1.0], &[Rough { at, beside: 0.0, grain: f64::INFINITY }], 9.0, |x| {
            (x - at).abs() * ln((x - at).abs())
        });
        let part = |s: f64| 0.5 * s * s * (ln(s) - 0.5);
        assert!((found - part(0.3) - part(0.7)).abs() < 1e-10, "{found}");
    }
}
