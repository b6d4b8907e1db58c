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

use super::cells::Pose;
use super::contact::{BRISTLES, Sums, Wrench};
use super::motion::{Discs, LEADING};
use crate::num::lanes::{Lanes, WIDTH, vectorised};

/// The derivative of eight cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellDerivative {
    pub(crate) arms: (Lanes, Lanes),
    pub(crate) rate: Lanes,
    /// ∂ż/∂V by rows.
    turn: [Lanes; 4],
    /// (r/G) z
    lift: (Lanes, Lanes),
    /// ∇G in fixed axes.
    gradient: (Lanes, Lanes),
    pub(crate) load: Lanes,
}

/// Factors of eight cells for one rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellFactors {
    /// 1/(g + r)
    inverse: Lanes,
    /// −N (1 − k r)/(g + r)
    pass: Lanes,
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
        let zero = (Lanes::ZERO, Lanes::ZERO);
        let cell = CellDerivative {
            arms: zero,
            rate: Lanes::ZERO,
            turn: [Lanes::ZERO; 4],
            lift: zero,
            gradient: zero,
            load: Lanes::ZERO,
        };
        Self {
            pose: Pose::default(),
            wrench: Wrench::default(),
            moment: 0.0,
            cells: vec![cell; blocks],
            factors: vec![CellFactors { inverse: Lanes::ZERO, pass: Lanes::ZERO }; blocks],
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
        let cells = &self.cells;
        let (stiffness, viscous) = (cells.law.bristle_stiffness, cells.law.viscous_coefficient);
        let (z, rates) = (y.get(LEADING..).unwrap_or(&[]), slope.get_mut(LEADING..).unwrap_or(&mut []));
        let derivatives = &mut linear.cells;
        let with_field = cells.surface.is_some();
        let (wrench, moment) = vectorised(
            #[inline(always)]
            || {
                let (mut sums, mut moment) = (Sums::ZERO, Lanes::ZERO);
                let states = z.chunks_exact(BRISTLES).zip(rates.chunks_exact_mut(BRISTLES));
                for ((block, derivative), (z, rates)) in cells.blocks.iter().zip(derivatives.iter_mut()).zip(states) {
                    let cell = cells.sliding::<true>(&pose, block);
                    let (zx, zy) = (Lanes::load(z), Lanes::load(&z[WIDTH..]));
                    let (vx, vy) = cell.velocity;
                    let dx = vx.scaled(stiffness) - zx * cell.rate;
                    let dy = vy.scaled(stiffness) - zy * cell.rate;
                    dx.store(rates);
                    dy.store(&mut rates[WIDTH..]);
                    let fx = -block.load * (zx + dx.scaled(cells.relaxation) + vx.scaled(viscous));
                    let fy = -block.load * (zy + dy.scaled(cells.relaxation) + vy.scaled(viscous));
                    sums.add(cell.arms, fx, fy);
                    moment = moment + (cell.arms.0 * fx + cell.arms.1 * fy);
                    // r′ = σ₀/G (1 − |V| G_V/G)
                    let fall = cell.speed * cell.shape.1 * cell.shape.0.inverse();
                    let slope_of_rate = (cell.inverse - cell.inverse * fall).scaled(stiffness);
                    let inverse_speed = cell.speed.inverse_or_zero();
                    let (nx, ny) = (vx * inverse_speed * slope_of_rate, vy * inverse_speed * slope_of_rate);
                    derivative.arms = cell.arms;
                    derivative.rate = cell.rate;
                    derivative.load = block.load;
                    derivative.turn =
                        [(-(zx * nx)).shifted(stiffness), -(zx * ny), -(zy * nx), (-(zy * ny)).shifted(stiffness)];
                    if with_field {
                        let lift = cell.rate * cell.inverse;
                        derivative.lift = (lift * zx, lift * zy);
                        derivative.gradient = (cell.gradient.0 * cell.shape.0, cell.gradient.1 * cell.shape.0);
                    }
                }
                (sums.wrench(), moment.sum())
            },
        );
        linear.pose = pose;
        linear.wrench = wrench;
        linear.moment = moment;
        self.rigid_slopes(y, &pose, wrench, slope);
    }

    /// Factors for `rate` g [1/s].
    pub(crate) fn factorise_at(&self, rate: f64, linear: &mut DiscLinear) -> bool {
        linear.rate = rate;
        let DiscLinear { pose, cells, factors, .. } = linear;
        let (k, viscous) = (self.cells.relaxation, self.cells.law.viscous_coefficient);
        let with_field = self.cells.surface.is_some();
        let mut matrix = vectorised(
            #[inline(always)]
            || {
                let mut sums = [Sums::ZERO; 7];
                for (cell, factor) in cells.iter().zip(factors.iter_mut()) {
                    factor.inverse = cell.rate.shifted(rate).inverse();
                    factor.pass = -(cell.load * factor.inverse * (-cell.rate.scaled(k)).shifted(1.0));
                    let through = -(cell.load * factor.inverse).scaled(1.0 + k * rate);
                    cell.add_to(&mut sums, pose, through, viscous, with_field);
                }
                to_matrix(&sums)
            },
        );
        matrix[2][5] -= linear.moment;
        linear.matrix = matrix;
        self.assemble(linear)
    }

    /// The 6 × 6 system of the velocities, factorised.
    fn assemble(&self, linear: &mut DiscLinear) -> bool {
        let inverse_rate = 1.0 / linear.rate;
        let rigid = &self.rigid;
        let twist = twist_matrix(&linear.pose);
        let mut wrench = [[0.0; 6]; 3];
        for (row, matrix) in wrench.iter_mut().zip(&linear.matrix) {
            for (column, entry) in row.iter_mut().enumerate() {
                for (input, weight) in matrix.iter().enumerate() {
                    *entry += weight * (twist.velocity[input][column] + twist.place[input][column] * inverse_rate);
                }
            }
        }
        let lu = &mut linear.lu;
        for (column, [fx, fy, t]) in (0..6).map(|c| (c, [wrench[0][c], wrench[1][c], wrench[2][c]])) {
            let spread = linear.pose.spread(&Wrench { force: [fx, fy], torque: t });
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
        let passed = vectorised(
            #[inline(always)]
            || {
                let mut sums = Sums::ZERO;
                for ((cell, factor), b) in linear.cells.iter().zip(&linear.factors).zip(bristles.chunks_exact(BRISTLES))
                {
                    let (x, y) = (factor.pass * Lanes::load(b), factor.pass * Lanes::load(&b[WIDTH..]));
                    sums.add(cell.arms, x, y);
                }
                sums.wrench()
            },
        );
        let twist = twist_matrix(&linear.pose);
        let mut place: [f64; 6] = std::array::from_fn(|i| leading[i] * inverse_rate);
        let angle = leading[12] * inverse_rate;
        // what is known of the seven inputs before the velocities are
        let mut inputs: [f64; 7] = std::array::from_fn(|i| (0..6).map(|j| twist.place[i][j] * place[j]).sum::<f64>());
        inputs[6] += angle;
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
        let inputs = twist.inputs(&place, &v, angle);
        let with_field = self.cells.surface.is_some();
        vectorised(
            #[inline(always)]
            || {
                let bristles = bristles.chunks_exact_mut(BRISTLES);
                for ((cell, factor), b) in linear.cells.iter().zip(&linear.factors).zip(bristles) {
                    let (cx, cy) = cell.response(&linear.pose, &inputs, with_field);
                    ((Lanes::load(b) + cx) * factor.inverse).store(b);
                    ((Lanes::load(&b[WIDTH..]) + cy) * factor.inverse).store(&mut b[WIDTH..]);
                }
            },
        );
    }
}

impl CellDerivative {
    /// Adds the change of force per unit of each input: `through` · C plus the viscous part.
    #[inline(always)]
    pub(crate) fn add_to(&self, sums: &mut [Sums; 7], pose: &Pose, through: Lanes, viscous: f64, with_field: bool) {
        let (lx, ly) = self.arms;
        let drag = -self.load.scaled(viscous);
        let [a, b, c, d] = self.turn.map(|entry| entry * through);
        let (a, d) = (a + drag, d + drag);
        sums[0].add(self.arms, a, c);
        sums[1].add(self.arms, b, d);
        sums[2].add(self.arms, b * lx - a * ly, d * lx - c * ly);
        let spin = -pose.spin;
        let (mut tx, mut ty) = ((a * lx + b * ly).scaled(spin), (c * lx + d * ly).scaled(spin));
        if with_field {
            let (px, py) = (self.lift.0 * through, self.lift.1 * through);
            let (gx, gy) = self.gradient;
            sums[3].add(self.arms, px * gx, py * gx);
            sums[4].add(self.arms, px * gy, py * gy);
            let turning = gy * lx - gx * ly;
            tx = tx + px * turning;
            ty = ty + py * turning;
            let (ex, ey) = (lx.shifted(pose.offset[0]), ly.shifted(pose.offset[1]));
            let drifting = gx * ey - gy * ex;
            sums[6].add(self.arms, px * drifting, py * drifting);
        }
        sums[5].add(self.arms, tx, ty);
    }

    #[inline(always)]
    pub(crate) fn velocity_change(&self, pose: &Pose, u: &[f64; 7]) -> (Lanes, Lanes) {
        let (lx, ly) = self.arms;
        let swing = -pose.spin * u[5];
        ((lx.scaled(swing) - ly.scaled(u[2])).shifted(u[0]), (ly.scaled(swing) + lx.scaled(u[2])).shifted(u[1]))
    }

    /// C u
    #[inline(always)]
    pub(crate) fn response(&self, pose: &Pose, u: &[f64; 7], with_field: bool) -> (Lanes, Lanes) {
        let (vx, vy) = self.velocity_change(pose, u);
        let [a, b, c, d] = self.turn;
        let (mut x, mut y) = (a * vx + b * vy, c * vx + d * vy);
        if with_field {
            let (lx, ly) = self.arms;
            let (ex, ey) = (lx.shifted(pose.offset[0]), ly.shifted(pose.offset[1]));
            let mx = (ey.scaled(u[6]) - ly.scaled(u[5])).shifted(u[3]);
            let my = (lx.scaled(u[5]) - ex.scaled(u[6])).shifted(u[4]);
            let rise = self.gradient.0 * mx + self.gradient.1 * my;
            x = x + self.lift.0 * rise;
            y = y + self.lift.1 * rise;
        }
        (x, y)
    }
}

#[inline(always)]
pub(crate) fn to_matrix(sums: &[Sums; 7]) -> ContactMatrix<f64> {
    let mut matrix = [[0.0; 7]; 3];
    for (column, sums) in sums.iter().enumerate() {
        let Wrench { force: [x, y], torque } = sums.wrench();
        matrix[0][column] = x;
        matrix[1][column] = y;
        matrix[2][column] = torque;
    }
    matrix
}

/// How the seven inputs follow from changes of places and velocities.
pub(crate) struct Twist {
    pub(crate) place: [[f64; 6]; 7],
    pub(crate) velocity: [[f64; 6]; 7],
}

pub(crate) fn twist_matrix(pose: &Pose) -> Twist {
    let w = pose.disc_rate;
    let [dx, dy] = pose.offset;
    Twist {
        place: [
            [0.0, w, 0.0, 0.0, -w, 0.0],
            [-w, 0.0, 0.0, w, 0.0, 0.0],
            [0.0; 6],
            [1.0, 0.0, 0.0, -1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0, -1.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        ],
        velocity: [
            [1.0, 0.0, 0.0, -1.0, 0.0, dy],
            [0.0, 1.0, 0.0, 0.0, -1.0, -dx],
            [0.0, 0.0, 1.0, 0.0, 0.0, -1.0],
            [0.0; 6],
            [0.0; 6],
            [0.0; 6],
            [0.0; 6],
        ],
    }
}

impl Twist {
    pub(crate) fn inputs(&self, place: &[f64; 6], v: &[f64; 6], angle: f64) -> [f64; 7] {
        let mut inputs: [f64; 7] = std::array::from_fn(|i| {
            (0..6).map(|j| self.place[i][j] * place[j] + self.velocity[i][j] * v[j]).sum::<f64>()
        });
        inputs[6] += angle;
        inputs
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
