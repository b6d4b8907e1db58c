//! The derivative of the bristles, eight cells at a time: its entries, its factors, and the sums over cells that a solve needs.

use super::cells::{Cells, Pose};
use super::contact::{BRISTLES, Sums, Wrench};
use super::linear::DiscLinear;
use crate::num::lanes::{Eight, Kernel, Lanes, Simd, WIDTH};

/// The derivative of eight cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellDerivative {
    pub(crate) arms: (Eight, Eight),
    pub(crate) rate: Eight,
    /// ∂ż/∂V by rows.
    pub(crate) turn: [Eight; 4],
    /// (r/G) z
    pub(crate) lift: (Eight, Eight),
    /// ∇G in fixed axes.
    pub(crate) gradient: (Eight, Eight),
    pub(crate) load: Eight,
}

/// Factors of eight cells for one rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellFactors {
    /// 1/(g + r)
    pub(crate) inverse: Eight,
    /// −N (1 − k r)/(g + r)
    pub(crate) pass: Eight,
}

/// Change of force and torque (rows) with relative velocity x and y, spin, offset x and y, Θ, ψ (columns).
pub(crate) type ContactMatrix<T> = [[T; 7]; 3];

pub(crate) struct Linearise<'a> {
    pub(crate) cells: &'a Cells,
    pub(crate) pose: &'a Pose,
    pub(crate) derivatives: &'a mut [CellDerivative],
    pub(crate) z: &'a [f64],
    pub(crate) rates: &'a mut [f64],
}

impl Kernel for Linearise<'_> {
    type Output = (Wrench, f64);
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (Wrench, f64) {
        let cells = self.cells;
        let stiffness = cells.law.bristle_stiffness;
        let (mut sums, mut moment) = (Sums::zero(simd), Lanes::all(simd, 0.0));
        let states = self.z.chunks_exact(BRISTLES).zip(self.rates.chunks_exact_mut(BRISTLES));
        for ((block, derivative), (z, rates)) in cells.blocks.iter().zip(self.derivatives).zip(states) {
            let cell = cells.sliding::<true, S>(simd, self.pose, block);
            let rubbing = cells.rub(simd, &cell, block, z, rates);
            let ((zx, zy), (fx, fy), (vx, vy)) = (rubbing.z, rubbing.force, cell.velocity);
            sums.add(cell.arms, fx, fy);
            moment = moment + (cell.arms.0 * fx + cell.arms.1 * fy);
            // r′ = σ₀/G (1 − |V| G_V/G)
            let fall = cell.speed * cell.shape.1 * cell.shape.0.inverse();
            let slope_of_rate = (cell.inverse - cell.inverse * fall).scaled(stiffness);
            let steepness = cell.speed.inverse_or_zero() * slope_of_rate;
            let (nx, ny) = (vx * steepness, vy * steepness);
            derivative.arms = (cell.arms.0.eight(), cell.arms.1.eight());
            derivative.rate = cell.rate.eight();
            derivative.load = block.load;
            derivative.turn = [
                (-(zx * nx)).shifted(stiffness).eight(),
                (-(zx * ny)).eight(),
                (-(zy * nx)).eight(),
                (-(zy * ny)).shifted(stiffness).eight(),
            ];
            if cells.surface.is_some() {
                let lift = cell.rate * cell.inverse;
                derivative.lift = ((lift * zx).eight(), (lift * zy).eight());
                let (gx, gy) = cell.gradient;
                derivative.gradient = ((gx * cell.shape.0).eight(), (gy * cell.shape.0).eight());
            }
        }
        (sums.wrench(), moment.sum())
    }
}

pub(crate) struct Factorise<'a> {
    pub(crate) cells: &'a Cells,
    pub(crate) pose: &'a Pose,
    pub(crate) derivatives: &'a [CellDerivative],
    pub(crate) factors: &'a mut [CellFactors],
    pub(crate) rate: f64,
}

impl Kernel for Factorise<'_> {
    type Output = ContactMatrix<f64>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ContactMatrix<f64> {
        let (k, viscous) = (self.cells.relaxation, self.cells.law.viscous_coefficient);
        let with_field = self.cells.surface.is_some();
        let mut sums = [Sums::zero(simd); 7];
        for (cell, factor) in self.derivatives.iter().zip(self.factors) {
            let (rate, load) = (Lanes::of(simd, &cell.rate), Lanes::of(simd, &cell.load));
            let inverse = rate.shifted(self.rate).inverse();
            let shared = -(load * inverse);
            factor.inverse = inverse.eight();
            factor.pass = (shared * (-rate.scaled(k)).shifted(1.0)).eight();
            let through = shared.scaled(1.0 + k * self.rate);
            cell.add_to(simd, &mut sums, self.pose, through, viscous, with_field);
        }
        to_matrix(&sums)
    }
}

/// Sums of the change of force per unit of each input, for given factors of the bristles.
pub(crate) struct Gather<'a> {
    pub(crate) linear: &'a DiscLinear,
    pub(crate) through: &'a [Eight],
    pub(crate) viscous: f64,
    pub(crate) with_field: bool,
}

impl Kernel for Gather<'_> {
    type Output = ContactMatrix<f64>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ContactMatrix<f64> {
        let mut sums = [Sums::zero(simd); 7];
        for (cell, through) in self.linear.cells.iter().zip(self.through) {
            let through = Lanes::of(simd, through);
            cell.add_to(simd, &mut sums, &self.linear.pose, through, self.viscous, self.with_field);
        }
        to_matrix(&sums)
    }
}

pub(crate) struct Pass<'a> {
    pub(crate) linear: &'a DiscLinear,
    pub(crate) right: &'a [f64],
}

impl Kernel for Pass<'_> {
    type Output = Wrench;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Wrench {
        let mut sums = Sums::zero(simd);
        let cells = self.linear.cells.iter().zip(&self.linear.factors);
        for ((cell, factor), b) in cells.zip(self.right.chunks_exact(BRISTLES)) {
            let pass = Lanes::of(simd, &factor.pass);
            let (x, y) = (pass * Lanes::load(simd, b), pass * Lanes::load(simd, &b[WIDTH..]));
            sums.add(cell.arms(simd), x, y);
        }
        sums.wrench()
    }
}

pub(crate) struct BackSubstitute<'a> {
    pub(crate) linear: &'a DiscLinear,
    pub(crate) inputs: &'a [f64; 7],
    pub(crate) right: &'a mut [f64],
    pub(crate) with_field: bool,
}

impl Kernel for BackSubstitute<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let cells = self.linear.cells.iter().zip(&self.linear.factors);
        for ((cell, factor), b) in cells.zip(self.right.chunks_exact_mut(BRISTLES)) {
            let (cx, cy) = cell.response(simd, &self.linear.pose, self.inputs, self.with_field);
            let inverse = Lanes::of(simd, &factor.inverse);
            ((Lanes::load(simd, b) + cx) * inverse).store(b);
            ((Lanes::load(simd, &b[WIDTH..]) + cy) * inverse).store(&mut b[WIDTH..]);
        }
    }
}

/// ∂f/∂y of the bristles times a vector.
pub(crate) struct Product<'a> {
    pub(crate) cells: &'a Cells,
    pub(crate) linear: &'a DiscLinear,
    pub(crate) inputs: &'a [f64; 7],
    pub(crate) z: &'a [f64],
    pub(crate) rates: &'a mut [f64],
}

impl Kernel for Product<'_> {
    type Output = Wrench;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Wrench {
        let (k, viscous) = (self.cells.relaxation, self.cells.law.viscous_coefficient);
        let (pose, with_field) = (&self.linear.pose, self.cells.surface.is_some());
        let mut sums = Sums::zero(simd);
        let states = self.z.chunks_exact(BRISTLES).zip(self.rates.chunks_exact_mut(BRISTLES));
        for (cell, (z, rates)) in self.linear.cells.iter().zip(states) {
            let (cx, cy) = cell.response(simd, pose, self.inputs, with_field);
            let (zx, zy) = (Lanes::load(simd, z), Lanes::load(simd, &z[WIDTH..]));
            let rate = Lanes::of(simd, &cell.rate);
            let (dx, dy) = (cx - rate * zx, cy - rate * zy);
            dx.store(rates);
            dy.store(&mut rates[WIDTH..]);
            let (vx, vy) = cell.velocity_change(simd, pose, self.inputs);
            let load = -Lanes::of(simd, &cell.load);
            let fx = load * (zx + dx.scaled(k) + vx.scaled(viscous));
            let fy = load * (zy + dy.scaled(k) + vy.scaled(viscous));
            sums.add(cell.arms(simd), fx, fy);
        }
        sums.wrench()
    }
}

impl CellDerivative {
    #[inline(always)]
    fn arms<S: Simd>(&self, simd: S) -> (Lanes<S>, Lanes<S>) {
        (Lanes::of(simd, &self.arms.0), Lanes::of(simd, &self.arms.1))
    }

    /// Adds the change of force per unit of each input: `through` · C plus the viscous part.
    #[inline(always)]
    fn add_to<S: Simd>(
        &self,
        simd: S,
        sums: &mut [Sums<S>; 7],
        pose: &Pose,
        through: Lanes<S>,
        viscous: f64,
        with_field: bool,
    ) {
        let arms = self.arms(simd);
        let (lx, ly) = arms;
        let drag = Lanes::of(simd, &self.load).scaled(-viscous);
        let [a, b, c, d] = &self.turn;
        let (a, b) = (Lanes::of(simd, a) * through + drag, Lanes::of(simd, b) * through);
        let (c, d) = (Lanes::of(simd, c) * through, Lanes::of(simd, d) * through + drag);
        sums[0].add(arms, a, c);
        sums[1].add(arms, b, d);
        sums[2].add(arms, b * lx - a * ly, d * lx - c * ly);
        let spin = -pose.spin;
        let (mut tx, mut ty) = ((a * lx + b * ly).scaled(spin), (c * lx + d * ly).scaled(spin));
        if with_field {
            let (px, py) = (Lanes::of(simd, &self.lift.0) * through, Lanes::of(simd, &self.lift.1) * through);
            let (gx, gy) = (Lanes::of(simd, &self.gradient.0), Lanes::of(simd, &self.gradient.1));
            sums[3].add(arms, px * gx, py * gx);
            sums[4].add(arms, px * gy, py * gy);
            let turning = gy * lx - gx * ly;
            tx = tx + px * turning;
            ty = ty + py * turning;
            let (ex, ey) = (lx.shifted(pose.offset[0]), ly.shifted(pose.offset[1]));
            let drifting = gx * ey - gy * ex;
            sums[6].add(arms, px * drifting, py * drifting);
        }
        sums[5].add(arms, tx, ty);
    }

    #[inline(always)]
    fn velocity_change<S: Simd>(&self, simd: S, pose: &Pose, u: &[f64; 7]) -> (Lanes<S>, Lanes<S>) {
        let (lx, ly) = self.arms(simd);
        let swing = -pose.spin * u[5];
        ((lx.scaled(swing) - ly.scaled(u[2])).shifted(u[0]), (ly.scaled(swing) + lx.scaled(u[2])).shifted(u[1]))
    }

    /// C u
    #[inline(always)]
    fn response<S: Simd>(&self, simd: S, pose: &Pose, u: &[f64; 7], with_field: bool) -> (Lanes<S>, Lanes<S>) {
        let (vx, vy) = self.velocity_change(simd, pose, u);
        let [a, b, c, d] = &self.turn;
        let (a, b, c, d) = (Lanes::of(simd, a), Lanes::of(simd, b), Lanes::of(simd, c), Lanes::of(simd, d));
        let (mut x, mut y) = (a * vx + b * vy, c * vx + d * vy);
        if with_field {
            let (lx, ly) = self.arms(simd);
            let (ex, ey) = (lx.shifted(pose.offset[0]), ly.shifted(pose.offset[1]));
            let mx = (ey.scaled(u[6]) - ly.scaled(u[5])).shifted(u[3]);
            let my = (lx.scaled(u[5]) - ex.scaled(u[6])).shifted(u[4]);
            let rise = Lanes::of(simd, &self.gradient.0) * mx + Lanes::of(simd, &self.gradient.1) * my;
            x = x + Lanes::of(simd, &self.lift.0) * rise;
            y = y + Lanes::of(simd, &self.lift.1) * rise;
        }
        (x, y)
    }
}

#[inline(always)]
pub(crate) fn to_matrix<S: Simd>(sums: &[Sums<S>; 7]) -> ContactMatrix<f64> {
    let mut matrix = [[0.0; 7]; 3];
    for (column, sums) in sums.iter().enumerate() {
        let Wrench { force: [x, y], torque } = sums.wrench();
        matrix[0][column] = x;
        matrix[1][column] = y;
        matrix[2][column] = torque;
    }
    matrix
}
