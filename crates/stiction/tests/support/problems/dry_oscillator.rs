//! A mass on a spring with Coulomb friction on ground at rest.
//!
//! ```text
//! ẍ = −x − f sign(ẋ):  turning points at t = k π, x_k = (−1)^k (x₀ − 2 f k), until |x_k| ≤ f
//! ```

use stiction::system::{Fault, Guard, Jump, System};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Direction {
    Forward,
    Backward,
    Rest,
}

#[derive(Debug, Clone, Copy)]
pub struct DryOscillator {
    pub start: f64,
    pub friction: f64,
}

impl DryOscillator {
    pub fn turning_point(&self, k: i32) -> f64 {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        sign * (self.start - 2.0 * self.friction * f64::from(k))
    }

    fn direction_at_rest(&self, x: f64) -> Direction {
        if x > self.friction {
            Direction::Backward
        } else if x < -self.friction {
            Direction::Forward
        } else {
            Direction::Rest
        }
    }
}

impl System for DryOscillator {
    type State = [f64; 2];
    type Guards = [f64; 1];
    type Mode = Direction;

    fn start(&self) -> (Direction, [f64; 2]) {
        (self.direction_at_rest(self.start), [self.start, 0.0])
    }
    fn rhs(&self, mode: Direction, _t: f64, y: &[f64; 2], dy: &mut [f64; 2]) -> Result<(), Fault> {
        *dy = match mode {
            Direction::Forward => [y[1], -y[0] - self.friction],
            Direction::Backward => [y[1], -y[0] + self.friction],
            Direction::Rest => [0.0; 2],
        };
        Ok(())
    }
    fn guard(&self, mode: Direction, _guard: usize) -> Guard {
        if mode == Direction::Rest { Guard::Unused } else { Guard::Boundary("boundary") }
    }
    fn guards(&self, mode: Direction, _t: f64, y: &[f64; 2], guards: &mut [f64; 1]) {
        guards[0] = if mode == Direction::Forward { y[1] } else { -y[1] };
    }
    fn jump(&self, _mode: Direction, _guard: usize, _t: f64, y: &mut [f64; 2]) -> Result<Jump<Direction>, Fault> {
        y[1] = 0.0;
        Ok(Jump::To(self.direction_at_rest(y[0])))
    }
}
