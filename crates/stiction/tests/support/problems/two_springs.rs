//! A mass between two springs of different stiffness, one on each side: it changes the spring at x = 0.
//!
//! ```text
//! ẍ = −x (x > 0),   ẍ = −4 x (x < 0):   half periods π and π/2, ẋ² kept at every crossing
//! ```

use stiction::system::{Fault, Guard, Jump, System};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Side {
    Soft,
    Stiff,
}

/// Starts at x = 0 with velocity 1 into the soft spring.
#[derive(Debug, Clone, Copy)]
pub struct TwoSprings;

impl TwoSprings {
    /// When the mass crosses x = 0 for the n-th time, n >= 1.
    pub fn crossing(n: u32) -> f64 {
        std::f64::consts::PI * (f64::from(n.div_ceil(2)) + 0.5 * f64::from(n / 2))
    }

    pub fn energy(y: &[f64; 2], side: Side) -> f64 {
        let stiffness = if side == Side::Soft { 1.0 } else { 4.0 };
        0.5 * (y[1] * y[1] + stiffness * y[0] * y[0])
    }
}

impl System for TwoSprings {
    type State = [f64; 2];
    type Guards = [f64; 1];
    type Mode = Side;

    fn start(&self) -> (Side, [f64; 2]) {
        (Side::Soft, [0.0, 1.0])
    }
    fn rhs(&self, mode: Side, _t: f64, y: &[f64; 2], dy: &mut [f64; 2]) -> Result<(), Fault> {
        *dy = [y[1], if mode == Side::Soft { -y[0] } else { -4.0 * y[0] }];
        Ok(())
    }
    fn guard(&self, _mode: Side, _guard: usize) -> Guard {
        Guard::Boundary("boundary")
    }
    fn guards(&self, mode: Side, _t: f64, y: &[f64; 2], guards: &mut [f64; 1]) {
        guards[0] = if mode == Side::Soft { y[0] } else { -y[0] };
    }
    fn jump(&self, mode: Side, _guard: usize, _t: f64, y: &mut [f64; 2]) -> Result<Jump<Side>, Fault> {
        y[0] = 0.0;
        Ok(Jump::To(if mode == Side::Soft { Side::Stiff } else { Side::Soft }))
    }
}
