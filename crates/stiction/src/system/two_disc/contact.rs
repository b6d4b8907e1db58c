//! Friction of all cells: rates of the bristles, and the resultant force and torque on the upper disc.

use super::cells::{Block, Cells, Pose};
use crate::num::lanes::{Lanes, WIDTH, vectorised};

/// Numbers of one block of eight bristles in the state: eight x, then eight y.
pub(crate) const BRISTLES: usize = 2 * WIDTH;

/// Force \[N\] and torque about O₁ [N m] on the upper disc.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Wrench {
    pub(crate) force: [f64; 2],
    pub(crate) torque: f64,
}

/// Sums of force and torque over lanes.
#[derive(Clone, Copy)]
pub(crate) struct Sums {
    pub(crate) x: Lanes,
    pub(crate) y: Lanes,
    pub(crate) torque: Lanes,
}

impl Sums {
    pub(crate) const ZERO: Sums = Sums { x: Lanes::ZERO, y: Lanes::ZERO, torque: Lanes::ZERO };

    /// Adds forces at arms.
    #[inline(always)]
    pub(crate) fn add(&mut self, arms: (Lanes, Lanes), x: Lanes, y: Lanes) {
        self.x = self.x + x;
        self.y = self.y + y;
        self.torque = self.torque + (arms.0 * y - arms.1 * x);
    }

    #[inline(always)]
    pub(crate) fn wrench(&self) -> Wrench {
        Wrench { force: [self.x.sum(), self.y.sum()], torque: self.torque.sum() }
    }
}

/// What eight cells do.
pub(crate) struct Sliding {
    pub(crate) arms: (Lanes, Lanes),
    pub(crate) velocity: (Lanes, Lanes),
    pub(crate) speed: Lanes,
    /// G/H and its slope against speed.
    pub(crate) shape: (Lanes, Lanes),
    /// 1/G
    pub(crate) inverse: Lanes,
    /// r = σ₀ |V|/G
    pub(crate) rate: Lanes,
    /// Gradient of H in fixed axes.
    pub(crate) gradient: (Lanes, Lanes),
}

impl Cells {
    #[inline(always)]
    pub(crate) fn sliding<const SLOPE: bool>(&self, pose: &Pose, block: &Block) -> Sliding {
        let arms = pose.arms(block);
        let velocity = pose.velocities(arms);
        let square = velocity.0 * velocity.0 + velocity.1 * velocity.1;
        let speed = square.sqrt();
        let shape = self.law.shapes::<SLOPE>(self.tau, square, speed);
        let (coefficient, gradient) = match &self.surface {
            None => (Lanes::all(self.law.static_coefficient), (Lanes::ZERO, Lanes::ZERO)),
            Some(surface) => {
                let (value, gx, gy) = pose.coefficients(surface, arms);
                (value, (gx, gy))
            }
        };
        let inverse = (coefficient * shape.0).inverse();
        let rate = (speed * inverse).scaled(self.law.bristle_stiffness);
        Sliding { arms, velocity, speed, shape, inverse, rate, gradient }
    }

    /// Rates of the bristles `z` into `rates`, and the wrench on the upper disc.
    pub(crate) fn slopes(&self, pose: &Pose, z: &[f64], rates: &mut [f64]) -> Wrench {
        vectorised(
            #[inline(always)]
            || {
                let mut sums = Sums::ZERO;
                let (stiffness, viscous) = (self.law.bristle_stiffness, self.law.viscous_coefficient);
                let states = z.chunks_exact(BRISTLES).zip(rates.chunks_exact_mut(BRISTLES));
                for (block, (z, rates)) in self.blocks.iter().zip(states) {
                    let cell = self.sliding::<false>(pose, block);
                    let (zx, zy) = (Lanes::load(z), Lanes::load(&z[WIDTH..]));
                    let (vx, vy) = cell.velocity;
                    let dx = vx.scaled(stiffness) - zx * cell.rate;
                    let dy = vy.scaled(stiffness) - zy * cell.rate;
                    dx.store(rates);
                    dy.store(&mut rates[WIDTH..]);
                    let fx = -block.load * (zx + dx.scaled(self.relaxation) + vx.scaled(viscous));
                    let fy = -block.load * (zy + dy.scaled(self.relaxation) + vy.scaled(viscous));
                    sums.add(cell.arms, fx, fy);
                }
                sums.wrench()
            },
        )
    }

    /// Bristles in the state that steady sliding leads to: z = G V/|V|.
    pub(crate) fn settle(&self, pose: &Pose, z: &mut [f64]) {
        for (block, z) in self.blocks.iter().zip(z.chunks_exact_mut(BRISTLES)) {
            let cell = self.sliding::<false>(pose, block);
            let strength = cell.inverse.inverse() * cell.speed.inverse_or_zero();
            (strength * cell.velocity.0).store(z);
            (strength * cell.velocity.1).store(&mut z[WIDTH..]);
        }
    }

    /// Largest distance of a cell from O₂ \[m\].
    pub(crate) fn reach(&self, pose: &Pose) -> f64 {
        let mut largest = 0.0_f64;
        for block in &self.blocks {
            let arms = pose.arms(block);
            let (x, y) = (arms.0.shifted(pose.offset[0]), arms.1.shifted(pose.offset[1]));
            largest = largest.max((x * x + y * y).largest());
        }
        largest.sqrt()
    }

    /// A bound of [`Self::reach`] that costs little.
    pub(crate) fn reach_bound(&self, pose: &Pose) -> f64 {
        let ([x, y], radius) = self.circle;
        let (c, s) = pose.turn;
        let (ex, ey) = (pose.offset[0] + c * x - s * y, pose.offset[1] + s * x + c * y);
        (ex * ex + ey * ey).sqrt() + radius
    }

    /// Share-weighted mean square of bristle errors.
    pub(crate) fn bristle_error(&self, error: &[f64]) -> f64 {
        vectorised(
            #[inline(always)]
            || {
                let mut sum = Lanes::ZERO;
                for (block, error) in self.blocks.iter().zip(error.chunks_exact(BRISTLES)) {
                    let (x, y) = (Lanes::load(error), Lanes::load(&error[WIDTH..]));
                    sum = sum + block.weight * (x * x + y * y);
                }
                0.5 * sum.sum()
            },
        )
    }
}
