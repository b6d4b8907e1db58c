//! Friction of all cells: rates of the bristles, and the resultant force and torque on the upper disc.

use super::cells::{Block, Cells, Pose};
use crate::num::lanes::{Kernel, Lanes, Simd, WIDTH, vectorised};

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
pub(crate) struct Sums<S: Simd> {
    pub(crate) x: Lanes<S>,
    pub(crate) y: Lanes<S>,
    pub(crate) torque: Lanes<S>,
}

impl<S: Simd> Sums<S> {
    #[inline(always)]
    pub(crate) fn zero(simd: S) -> Self {
        let zero = Lanes::all(simd, 0.0);
        Self { x: zero, y: zero, torque: zero }
    }

    /// Adds forces at arms.
    #[inline(always)]
    pub(crate) fn add(&mut self, arms: (Lanes<S>, Lanes<S>), x: Lanes<S>, y: Lanes<S>) {
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
#[derive(Clone, Copy)]
pub(crate) struct Sliding<S: Simd> {
    pub(crate) arms: (Lanes<S>, Lanes<S>),
    pub(crate) velocity: (Lanes<S>, Lanes<S>),
    pub(crate) speed: Lanes<S>,
    /// G/H and its slope against speed.
    pub(crate) shape: (Lanes<S>, Lanes<S>),
    /// 1/G
    pub(crate) inverse: Lanes<S>,
    /// r = σ₀ |V|/G
    pub(crate) rate: Lanes<S>,
    /// Gradient of H in fixed axes.
    pub(crate) gradient: (Lanes<S>, Lanes<S>),
}

/// Rates of eight bristles and the forces on the upper disc.
#[derive(Clone, Copy)]
pub(crate) struct Rubbing<S: Simd> {
    pub(crate) z: (Lanes<S>, Lanes<S>),
    pub(crate) force: (Lanes<S>, Lanes<S>),
}

impl Cells {
    #[inline(always)]
    pub(crate) fn sliding<const SLOPE: bool, S: Simd>(&self, simd: S, pose: &Pose, block: &Block) -> Sliding<S> {
        let arms = pose.arms(simd, block);
        let velocity = pose.velocities(arms);
        let square = velocity.0 * velocity.0 + velocity.1 * velocity.1;
        let speed = square.sqrt();
        let shape = self.law.shapes::<SLOPE, S>(simd, self.tau, square, speed);
        let zero = Lanes::all(simd, 0.0);
        let (coefficient, gradient) = match &self.surface {
            None => (Lanes::all(simd, self.law.static_coefficient), (zero, zero)),
            Some(surface) => pose.coefficients::<SLOPE, S>(simd, surface, arms),
        };
        let inverse = (coefficient * shape.0).inverse();
        let rate = (speed * inverse).scaled(self.law.bristle_stiffness);
        Sliding { arms, velocity, speed, shape, inverse, rate, gradient }
    }

    /// Writes the rates of eight bristles and tells the forces.
    #[inline(always)]
    pub(crate) fn rub<S: Simd>(
        &self,
        simd: S,
        cell: &Sliding<S>,
        block: &Block,
        z: &[f64],
        rates: &mut [f64],
    ) -> Rubbing<S> {
        let (stiffness, viscous) = (self.law.bristle_stiffness, self.law.viscous_coefficient);
        let (zx, zy) = (Lanes::load(simd, z), Lanes::load(simd, &z[WIDTH..]));
        let (vx, vy) = cell.velocity;
        let dx = vx.scaled(stiffness) - zx * cell.rate;
        let dy = vy.scaled(stiffness) - zy * cell.rate;
        dx.store(rates);
        dy.store(&mut rates[WIDTH..]);
        let load = -Lanes::of(simd, &block.load);
        let fx = load * (zx + dx.scaled(self.relaxation) + vx.scaled(viscous));
        let fy = load * (zy + dy.scaled(self.relaxation) + vy.scaled(viscous));
        Rubbing { z: (zx, zy), force: (fx, fy) }
    }

    /// Rates of the bristles `z` into `rates`, and the wrench on the upper disc.
    pub(crate) fn slopes(&self, pose: &Pose, z: &[f64], rates: &mut [f64]) -> Wrench {
        vectorised(Slopes { cells: self, pose, z, rates })
    }

    /// Bristles in the state that steady sliding leads to: z = G V/|V|.
    pub(crate) fn settle(&self, pose: &Pose, z: &mut [f64]) {
        vectorised(Settle { cells: self, pose, z });
    }

    /// Largest distance of a cell from O₂ \[m\].
    pub(crate) fn reach(&self, pose: &Pose) -> f64 {
        vectorised(Reach { cells: self, pose }).sqrt()
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
        vectorised(MeanSquare { cells: self, error })
    }
}

struct Slopes<'a> {
    cells: &'a Cells,
    pose: &'a Pose,
    z: &'a [f64],
    rates: &'a mut [f64],
}

impl Kernel for Slopes<'_> {
    type Output = Wrench;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Wrench {
        let mut sums = Sums::zero(simd);
        let states = self.z.chunks_exact(BRISTLES).zip(self.rates.chunks_exact_mut(BRISTLES));
        for (block, (z, rates)) in self.cells.blocks.iter().zip(states) {
            let cell = self.cells.sliding::<false, S>(simd, self.pose, block);
            let rubbing = self.cells.rub(simd, &cell, block, z, rates);
            sums.add(cell.arms, rubbing.force.0, rubbing.force.1);
        }
        sums.wrench()
    }
}

struct Settle<'a> {
    cells: &'a Cells,
    pose: &'a Pose,
    z: &'a mut [f64],
}

impl Kernel for Settle<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for (block, z) in self.cells.blocks.iter().zip(self.z.chunks_exact_mut(BRISTLES)) {
            let cell = self.cells.sliding::<false, S>(simd, self.pose, block);
            let strength = cell.inverse.inverse() * cell.speed.inverse_or_zero();
            (strength * cell.velocity.0).store(z);
            (strength * cell.velocity.1).store(&mut z[WIDTH..]);
        }
    }
}

struct Reach<'a> {
    cells: &'a Cells,
    pose: &'a Pose,
}

impl Kernel for Reach<'_> {
    type Output = f64;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        let mut largest = 0.0_f64;
        for block in &self.cells.blocks {
            let arms = self.pose.arms(simd, block);
            let (x, y) = (arms.0.shifted(self.pose.offset[0]), arms.1.shifted(self.pose.offset[1]));
            largest = largest.max((x * x + y * y).largest());
        }
        largest
    }
}

struct MeanSquare<'a> {
    cells: &'a Cells,
    error: &'a [f64],
}

impl Kernel for MeanSquare<'_> {
    type Output = f64;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        let mut sum = Lanes::all(simd, 0.0);
        for (block, error) in self.cells.blocks.iter().zip(self.error.chunks_exact(BRISTLES)) {
            let (x, y) = (Lanes::load(simd, error), Lanes::load(simd, &error[WIDTH..]));
            sum = sum + Lanes::of(simd, &block.weight) * (x * x + y * y);
        }
        0.5 * sum.sum()
    }
}
