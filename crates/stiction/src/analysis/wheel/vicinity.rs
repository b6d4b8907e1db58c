//! How long a motion stays near a point.

use super::itinerary::Path;
use crate::system::filippov::Phase;
use crate::system::wheel::{CLOCK, State};

/// Measures the rescaled time that a motion spends inside a box around a point of (r, v, ω).
///
/// Times of entry and exit are located inside the steps of the solver, so that the sum does not depend on how the motion is sampled.
#[derive(Debug, Clone, PartialEq)]
pub struct Vicinity {
    centre: [f64; 3],
    half_width: f64,
    tau: f64,
}

/// Pieces of a step that are looked at in any case: a step is a polynomial of degree 7.
const PIECES: u32 = 8;
/// A piece along which no coordinate moves by more than this share of the half width is a straight line.
const STRAIGHT: f64 = 1e-4;
/// Most halvings of a piece: 2⁻⁴⁰ of a step is below the accuracy of its clock.
const HALVINGS: u32 = 40;

/// A state on the way, with its parameter and its distance from the wall of the box (negative inside).
#[derive(Clone, Copy)]
struct Moment {
    parameter: f64,
    state: State,
    distance: f64,
}

impl Vicinity {
    /// A box of this half width, in m, m/s and rad/s, around (r, v, ω).
    pub fn new(centre: [f64; 3], half_width: f64) -> Self {
        Self { centre, half_width, tau: 0.0 }
    }

    /// Rescaled time τ inside so far [s/(kg m²)].
    pub fn tau(&self) -> f64 {
        self.tau
    }

    fn instant(&self, parameter: f64, at: &dyn Fn(f64, &mut State)) -> Moment {
        let mut state = [0.0; 5];
        at(parameter, &mut state);
        let farthest = state.iter().zip(self.centre).map(|(y, centre)| (y - centre).abs()).fold(0.0, f64::max);
        Moment { parameter, state, distance: farthest - self.half_width }
    }

    /// The time inside between two instants.
    fn inside(&self, first: Moment, last: Moment, at: &dyn Fn(f64, &mut State), halvings: u32) -> f64 {
        let length = last.state[CLOCK] - first.state[CLOCK];
        let middle = self.instant(0.5 * (first.parameter + last.parameter), at);
        let moved = |a: &Moment, b: &Moment| {
            a.state.iter().zip(b.state).take(self.centre.len()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let way = moved(&first, &middle) + moved(&middle, &last);
        let (low, high) = (first.distance.min(last.distance), first.distance.max(last.distance));
        // the wall is farther than the motion moves: all of it is on one side
        if low > way {
            return 0.0;
        }
        if high < -way {
            return length;
        }
        if way <= STRAIGHT * self.half_width || halvings == 0 {
            return length * if low >= 0.0 { 0.0 } else { (-low / (high.max(0.0) - low)).min(1.0) };
        }
        self.inside(first, middle, at, halvings - 1) + self.inside(middle, last, at, halvings - 1)
    }
}

impl Path for Vicinity {
    fn stretch(&mut self, _phase: Phase, from: f64, to: f64, at: &dyn Fn(f64, &mut State)) {
        let mut first = self.instant(from, at);
        for piece in 1..=PIECES {
            let last = self.instant(from + (to - from) * f64::from(piece) / f64::from(PIECES), at);
            self.tau += self.inside(first, last, at, HALVINGS);
            first = last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::{atan2, sin};
    use crate::system::filippov::Side;

    /// r = sin s, τ = 2 s: r is within 0.1 of 0.3 for 2 (asin 0.4 - asin 0.2) on the way up and again on the way down.
    #[test]
    fn entries_and_exits_are_located_whatever_the_length_of_the_steps() {
        let at = |s: f64, y: &mut State| *y = [sin(s), 5.0, 7.0, 2.0 * s, 0.0];
        let asin = |x: f64| atan2(x, (1.0 - x * x).sqrt());
        let expected = 4.0 * (asin(0.4) - asin(0.2));
        for steps in [1, 3, 50, 1000] {
            let mut vicinity = Vicinity::new([0.3, 5.0, 7.0], 0.1);
            for k in 0..steps {
                let bound = |k: i32| std::f64::consts::PI * f64::from(k) / f64::from(steps);
                vicinity.stretch(Phase::Slip(Side::Plus), bound(k), bound(k + 1), &at);
            }
            // a wall is met within 1e-4 of the half width; the straight line there is off by the square of that over 8
            assert!((vicinity.tau() - expected).abs() < 1e-9, "{} is not {expected}", vicinity.tau());
        }
        let mut beside = Vicinity::new([0.3, 5.2, 7.0], 0.1);
        beside.stretch(Phase::Slip(Side::Plus), 0.0, 3.0, &at);
        assert_eq!(beside.tau(), 0.0);
    }
}
