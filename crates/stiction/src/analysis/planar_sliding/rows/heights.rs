//! Panels of heights across the rows, and where sums over a row are rough.

use super::{LONGEST_PANEL, NEAR, count, wanted};
use crate::num::gauss::Rules;
use crate::num::real::{acosh, asin};
use crate::patch::Point;

/// Longest panel in units of its distance from a rough place.
const LONGEST_BEND: f64 = 2.0;

/// Rough places nearer to the centre of rotation than this are as good as at it, in units of the length to resolve.
const NEAREST: f64 = 1e-5;

/// Where sums over a row are rough: a complex height.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rough {
    at: f64,
    /// Imaginary part.
    beside: f64,
}

impl Rough {
    fn distance(&self, [low, high]: [f64; 2]) -> f64 {
        let along = (low - self.at).max(self.at - high).max(0.0);
        (along * along + self.beside * self.beside).sqrt()
    }
}

/// An edge that spans a slab: x = at + slope · (height − from).
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub(super) from: f64,
    pub(super) at: f64,
    pub(super) slope: f64,
}

impl Side {
    pub(super) fn x(&self, height: f64) -> f64 {
        self.at + self.slope * (height - self.from)
    }

    /// The height at which it is seen from the centre under the slope i.
    pub(super) fn rough(&self, [x, y]: Point) -> Rough {
        let (away, square) = (self.x(y) - x, 1.0 + self.slope * self.slope);
        Rough { at: y - self.slope * away / square, beside: away.abs() / square }
    }
}

impl Rough {
    /// arcsin of a complex number; the sign of the imaginary part does not matter.
    pub(super) fn arcsine([x, y]: Point) -> Self {
        let far = |shift: f64| ((x + shift) * (x + shift) + y * y).sqrt();
        let (plus, minus) = (far(1.0), far(-1.0));
        Self { at: asin((0.5 * (plus - minus)).clamp(-1.0, 1.0)), beside: acosh((0.5 * (plus + minus)).max(1.0)) }
    }
}

/// A panel of heights.
#[derive(Debug)]
pub(super) struct Panel {
    ends: [f64; 2],
    /// Which end is at the centre of rotation.
    at_centre: [bool; 2],
    count: usize,
}

impl Panel {
    /// Nodes and weights; they crowd towards the centre of rotation.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (f64, f64)> + use<> {
        let ([low, high], at_centre) = (self.ends, self.at_centre);
        let size = high - low;
        Rules::shared().with(self.count).on(0.0, 1.0).map(move |(t, weight)| match at_centre {
            [true, _] => (low + size * t * t * t, 3.0 * t * t * size * weight),
            [false, true] => {
                let t = 1.0 - t;
                (high - size * t * t * t, 3.0 * t * t * size * weight)
            }
            [false, false] => (low + size * t, size * weight),
        })
    }
}

/// Heights that panels must resolve.
#[derive(Debug)]
pub(super) struct Heights {
    /// How far a row moves or changes, in lengths, over a unit of height.
    pub(super) change: f64,
    /// Height of the centre of rotation.
    pub(super) centre: Option<f64>,
    pub(super) extra: i32,
}

impl Heights {
    /// Panels between two ends.
    pub(super) fn panels(&self, ends: [f64; 2], roughs: &[Rough]) -> Vec<Panel> {
        let Self { change, centre, extra } = *self;
        let mut found = Vec::new();
        let nearest = NEAREST / change;
        let mut waiting = vec![ends];
        if let Some(centre) = centre.filter(|centre| *centre > ends[0] && *centre < ends[1]) {
            waiting = vec![[ends[0], centre], [centre, ends[1]]];
        }
        while let Some([low, high]) = waiting.pop() {
            let size = high - low;
            if size <= 0.0 {
                continue;
            }
            let at_centre = centre.map_or([false; 2], |centre| [low, high].map(|end| (end - centre).abs() <= nearest));
            let touches = at_centre[0] || at_centre[1];
            let mut distance = f64::INFINITY;
            for rough in roughs {
                let merged = centre.is_some_and(|centre| rough.distance([centre, centre]) <= nearest);
                if !(touches && merged) {
                    distance = distance.min(rough.distance([low, high]));
                }
            }
            if let Some(centre) = centre.filter(|_| !touches) {
                distance = distance.min((low - centre).max(centre - high).max(0.0));
            }
            let longest = if touches { NEAR } else { LONGEST_PANEL };
            let too_long = size * change > longest || size > LONGEST_BEND * distance;
            if too_long && size > nearest {
                let middle = 0.5 * (low + high);
                waiting.extend([[low, middle], [middle, high]]);
                continue;
            }
            let bend = if size > nearest { size / distance } else { 0.0 };
            let crowded = if touches { 5.0 + 1.5 * size * change } else { 0.0 };
            let wanted = wanted(size * change) + 4.0 * bend + crowded;
            found.push(Panel { ends: [low, high], at_centre, count: count(wanted, extra) });
        }
        found
    }
}
