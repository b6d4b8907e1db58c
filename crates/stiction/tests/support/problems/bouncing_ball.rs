//! A ball that falls from a height and bounces: infinitely many bounces in finite time.
//!
//! ```text
//! ḧ = −g,   at h = 0: ḣ → −e ḣ
//! first hit t₀ = √(2 h₀/g),   bounces end at t₀ (1 + e)/(1 − e)
//! ```

use stiction::system::{Fault, Guard, Jump, System};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ball {
    Flight,
    Rest,
}

#[derive(Debug, Clone, Copy)]
pub struct BouncingBall {
    pub height: f64,
    pub gravity: f64,
    pub restitution: f64,
    /// Whether the ball may come to rest after infinitely many bounces.
    pub can_rest: bool,
}

impl BouncingBall {
    /// When the ball first hits the floor [s].
    pub fn first_hit(&self) -> f64 {
        (2.0 * self.height / self.gravity).sqrt()
    }

    /// When the bounces end [s].
    pub fn end_of_bounces(&self) -> f64 {
        self.first_hit() * (1.0 + self.restitution) / (1.0 - self.restitution)
    }

    /// When the ball hits the floor for the (n + 1)-th time [s].
    pub fn hit(&self, n: i32) -> f64 {
        let shrunk = self.restitution.powi(n + 1);
        self.first_hit() * (1.0 + 2.0 * (self.restitution - shrunk) / (1.0 - self.restitution))
    }
}

impl System for BouncingBall {
    type State = [f64; 2];
    type Guards = [f64; 1];
    type Mode = Ball;

    fn start(&self) -> (Ball, [f64; 2]) {
        (Ball::Flight, [self.height, 0.0])
    }
    fn rhs(&self, mode: Ball, _t: f64, y: &[f64; 2], dy: &mut [f64; 2]) -> Result<(), Fault> {
        *dy = if mode == Ball::Flight { [y[1], -self.gravity] } else { [0.0; 2] };
        Ok(())
    }
    fn guard(&self, mode: Ball, _guard: usize) -> Guard {
        if mode == Ball::Flight { Guard::Boundary("boundary") } else { Guard::Unused }
    }
    fn guards(&self, _mode: Ball, _t: f64, y: &[f64; 2], guards: &mut [f64; 1]) {
        guards[0] = y[0];
    }
    fn jump(&self, _mode: Ball, _guard: usize, _t: f64, y: &mut [f64; 2]) -> Result<Jump<Ball>, Fault> {
        *y = [0.0, -self.restitution * y[1]];
        Ok(Jump::To(Ball::Flight))
    }
    fn rest(&self, _mode: Ball, _guard: usize, _t: f64, y: &mut [f64; 2]) -> Option<Ball> {
        self.can_rest.then(|| {
            *y = [0.0; 2];
            Ball::Rest
        })
    }
}
