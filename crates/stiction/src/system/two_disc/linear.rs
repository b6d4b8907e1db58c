//! The derivative of the motion, made once for integrator, eigenvalues and continuation, and its solve in O(cells).
//!
//! A cell sees the discs through seven numbers u: relative velocity and spin, offset, Θ and ψ. Its bristle's derivative is
//! ż′ = −r z′ + C u. The discs see the cells through force and torque. Eliminating the bristles from (g − ∂f/∂y) x = b,
//!
//! ```text
//! x_z = (b_z + C u)/(g + r)
//! F′  = −N [ (1 − k r)/(g + r) b_z + (1 + k g)/(g + r) C u + σ₂ V′ ],     k = σ₁/σ₀
//! ```
//!
//! leaves a 3 × 7 matrix between twist and wrench, and with x_q = (b_q + x_v)/g a 6 × 6 system. At g = 0 the matrix is that of
//! bristles that follow at once: the reduced linearisation.

use super::cells::{Cells, Pose};
use super::contact::{BRISTLES, Sums, Wrench};
use super::motion::{Discs, LEADING};
use crate::num::lanes::{Eight, Kernel, Lanes, Simd, WIDTH, vectorised};

/// The derivative of eight cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellDerivative {
    pub(crate) arms: (Eight, Eight),
    pub(crate) rate: Eight,
    /// ∂ż/∂V by rows.
    turn: [Eight; 4],
    /// (r/G) z
    lift: (Eight, Eight),
    /// ∇G in fixed axes.
    gradient: (Eight, Eight),
    pub(crate) load: Eight,
}

/// Factors of eight cells for one rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellFactors {
    /// 1/(g + r)
    inverse: Eight,
    /// −N (1 − k r)/(g + r)
    pass: Eight,
}

/// Change of force and torque (rows) with relative velocity x and y, spin, offset x and y, Θ, ψ (columns).
pub(crate) type ContactMatrix<T> = [[T; 7]; 3];

/// The derivative of the motion at one state, and its factors for one rate.
#[derive(Debug, Clone)]
pub struct DiscLinear {
    pub(crate) pose: Pose,
    pub(crate) wrench: Wrench,
    /// Σ l · F
    pub(crate) moment: f64,
    pub(crate) cells: Vec<CellDerivative>,
    factors: Vec<CellFactors>,
    rate: f64,
    matrix: ContactMatrix<f64>,
    lu: [[f64; 6]; 6],
    pivots: [usize; 6],
}

impl DiscLinear {
    pub(crate) fn new(blocks: usize) -> Self {
        let zero = (Eight::ZERO, Eight::ZERO);
        let cell = CellDerivative {
            arms: zero,
            rate: Eight::ZERO,
            turn: [Eight::ZERO; 4],
            lift: zero,
            gradient: zero,
            load: Eight::ZERO,
        };
        Self {
            pose: Pose::default(),
            wrench: Wrench::default(),
            moment: 0.0,
            cells: vec![cell; blocks],
            factors: vec![CellFactors { inverse: Eight::ZERO, pass: Eight::ZERO }; blocks],
            rate: 0.0,
            matrix: [[0.0; 7]; 3],
            lu: [[0.0; 6]; 6],
            pivots: [0; 6],
        }
    }
}

impl Discs {
    /// Slope of the state and its derivative.
    pub(crate) fn linearise_at(&self, y: &[f64], linear: &mut DiscLinear, slope: &mut [f64]) {
        let pose = self.pose(y);
        let (z, rates) = (y.get(LEADING..).unwrap_or(&[]), slope.get_mut(LEADING..).unwrap_or(&mut []));
        let (wrench, moment) =
            vectorised(Linearise { cells: &self.cells, pose: &pose, derivatives: &mut linear.cells, z, rates });
        linear.pose = pose;
        linear.wrench = wrench;
        linear.moment = moment;
        self.rigid_slopes(y, &pose, wrench, slope);
    }

    /// Factors for `rate` g [1/s].
    pub(crate) fn factorise_at(&self, rate: f64, linear: &mut DiscLinear) -> bool {
        linear.rate = rate;
        let mut matrix = vectorised(Factorise {
            cells: &self.cells,
            pose: &linear.pose,
            derivatives: &linear.cells,
            factors: &mut linear.factors,
            rate,
        });
        matrix[2][5] -= linear.moment;
        linear.matrix = matrix;
        self.assemble(linear)
    }

    /// The 6 × 6 system of the velocities, factorised.
    fn assemble(&self, linear: &mut DiscLinear) -> bool {
        let inverse_rate = 1.0 / linear.rate;
        let rigid = &self.rigid;
        let columns = Columns::of(&linear.matrix, &linear.pose);
        let lu = &mut linear.lu;
        for column in 0..6 {
            let through = |row: usize| columns.velocity[row][column] + columns.place[row][column] * inverse_rate;
            let spread = linear.pose.spread(&Wrench { force: [through(0), through(1)], torque: through(2) });
            for row in 0..6 {
                lu[row][column] = -spread[row];
            }
        }
        let [fx, fy] = linear.wrench.force;
        for (column, change) in [(0, fy), (1, -fx), (3, -fy), (4, fx)] {
            lu[5][column] += change * inverse_rate;
        }
        for i in 0..6 {
            lu[i][i] += rigid.inertia[i] * linear.rate + rigid.damping[i] + rigid.stiffness[i] * inverse_rate;
        }
        factorise(lu, &mut linear.pivots)
    }

    /// Solves (g − ∂f/∂y) x = `right` in place.
    pub(crate) fn solve_at(&self, linear: &DiscLinear, right: &mut [f64]) {
        let inverse_rate = 1.0 / linear.rate;
        let Some((leading, bristles)) = right.split_first_chunk_mut::<LEADING>() else { return };
        let passed = vectorised(Pass { linear, right: bristles });
        let mut place: [f64; 6] = std::array::from_fn(|i| leading[i] * inverse_rate);
        let angle = leading[12] * inverse_rate;
        // what is known of the seven inputs before the velocities are
        let inputs = linear.pose.inputs(&place, &[0.0; 6], angle);
        let through = |row: usize| (0..7).map(|i| linear.matrix[row][i] * inputs[i]).sum::<f64>();
        let known = Wrench {
            force: [passed.force[0] + through(0), passed.force[1] + through(1)],
            torque: passed.torque + through(2),
        };
        let spread = linear.pose.spread(&known);
        let rigid = &self.rigid;
        let mut v: [f64; 6] =
            std::array::from_fn(|i| rigid.inertia[i] * leading[6 + i] - rigid.stiffness[i] * place[i] + spread[i]);
        let [fx, fy] = linear.wrench.force;
        v[5] += fx * (place[1] - place[4]) - fy * (place[0] - place[3]);
        substitute(&linear.lu, &linear.pivots, &mut v);
        for i in 0..6 {
            place[i] += v[i] * inverse_rate;
            leading[i] = place[i];
            leading[6 + i] = v[i];
        }
        leading[12] = angle;
        let inputs = linear.pose.inputs(&place, &v, angle);
        let with_field = self.cells.surface.is_some();
        vectorised(BackSubstitute { linear, inputs: &inputs, right: bristles, with_field });
    }
}

struct Linearise<'a> {
    cells: &'a Cells,
    pose: &'a Pose,
    derivatives: &'a mut [CellDerivative],
    z: &'a [f64],
    rates: &'a mut [f64],
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

struct Factorise<'a> {
    cells: &'a Cells,
    pose: &'a Pose,
    derivatives: &'a [CellDerivative],
    factors: &'a mut [CellFactors],
    rate: f64,
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

struct Pass<'a> {
    linear: &'a DiscLinear,
    right: &'a [f64],
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

struct BackSubstitute<'a> {
    linear: &'a DiscLinear,
    inputs: &'a [f64; 7],
    right: &'a mut [f64],
    with_field: bool,
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

/// Change of the wrench with each coordinate and each velocity.
pub(crate) struct Columns {
    pub(crate) place: [[f64; 6]; 3],
    pub(crate) velocity: [[f64; 6]; 3],
}

impl Columns {
    /// From the change with the seven inputs: what [`Pose::inputs`] does, applied from the right.
    pub(crate) fn of(matrix: &ContactMatrix<f64>, pose: &Pose) -> Self {
        let w = pose.disc_rate;
        let [dx, dy] = pose.offset;
        let mut columns = Self { place: [[0.0; 6]; 3], velocity: [[0.0; 6]; 3] };
        for (row, [vx, vy, spin, x, y, theta, psi]) in matrix.iter().enumerate() {
            let (px, py) = (x - w * vy, y + w * vx);
            columns.place[row] = [px, py, *theta, -px, -py, *psi];
            columns.velocity[row] = [*vx, *vy, *spin, -vx, -vy, dy * vx - dx * vy - spin];
        }
        columns
    }
}

impl Pose {
    /// The seven inputs of the cells that follow from changes of places, velocities and the angle of the drive.
    pub(crate) fn inputs(&self, q: &[f64; 6], v: &[f64; 6], angle: f64) -> [f64; 7] {
        let w = self.disc_rate;
        let [dx, dy] = self.offset;
        let (x, y) = (q[0] - q[3], q[1] - q[4]);
        [v[0] - v[3] + dy * v[5] + w * y, v[1] - v[4] - dx * v[5] - w * x, v[2] - v[5], x, y, q[2], q[5] + angle]
    }
}

/// LU factors in place with the largest pivots. Returns whether the matrix is regular.
fn factorise(a: &mut [[f64; 6]; 6], pivots: &mut [usize; 6]) -> bool {
    for pivot in 0..6 {
        let mut best = pivot;
        for row in pivot + 1..6 {
            if a[row][pivot].abs() > a[best][pivot].abs() {
                best = row;
            }
        }
        pivots[pivot] = best;
        a.swap(pivot, best);
        let head = a[pivot][pivot];
        if head == 0.0 || !head.is_finite() {
            return false;
        }
        let inverse = 1.0 / head;
        let upper = a[pivot];
        for row in &mut a[pivot + 1..] {
            let factor = row[pivot] * inverse;
            row[pivot] = factor;
            for column in pivot + 1..6 {
                row[column] -= factor * upper[column];
            }
        }
    }
    true
}

fn substitute(a: &[[f64; 6]; 6], pivots: &[usize; 6], x: &mut [f64; 6]) {
    for pivot in 0..6 {
        x.swap(pivot, pivots[pivot]);
    }
    for row in 1..6 {
        for column in 0..row {
            x[row] -= a[row][column] * x[column];
        }
    }
    for row in (0..6).rev() {
        for column in row + 1..6 {
            x[row] -= a[row][column] * x[column];
        }
        x[row] /= a[row][row];
    }
}
