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

use super::cell_derivative::{BackSubstitute, CellDerivative, CellFactors, ContactMatrix, Factorise, Linearise, Pass};
use super::cells::Pose;
use super::contact::Wrench;
use super::motion::{Discs, LEADING};
use crate::num::lanes::{Eight, vectorised};

/// The derivative of the motion at one state, and its factors for one rate.
#[derive(Debug, Clone)]
pub struct DiscLinear {
    pub(crate) pose: Pose,
    pub(crate) wrench: Wrench,
    /// Σ l · F
    pub(crate) moment: f64,
    pub(crate) cells: Vec<CellDerivative>,
    pub(crate) factors: Vec<CellFactors>,
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
        let spreads: [[f64; 6]; 6] = std::array::from_fn(|column| {
            let through = |row: usize| columns.velocity[row][column] + columns.place[row][column] * inverse_rate;
            linear.pose.spread(&Wrench { force: [through(0), through(1)], torque: through(2) })
        });
        for (row, entries) in lu.iter_mut().enumerate() {
            for (entry, spread) in entries.iter_mut().zip(&spreads) {
                *entry = -spread[row];
            }
        }
        let [fx, fy] = linear.wrench.force;
        for (column, change) in [(0, fy), (1, -fx), (3, -fy), (4, fx)] {
            lu[5][column] += change * inverse_rate;
        }
        for (i, row) in lu.iter_mut().enumerate() {
            row[i] += rigid.inertia[i] * linear.rate + rigid.damping[i] + rigid.stiffness[i] * inverse_rate;
        }
        // forces act at about this arm: pivots do not depend on units
        factorise(lu, &mut linear.pivots, self.upper_radius)
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
        for (place, v) in place.iter_mut().zip(v) {
            *place += v * inverse_rate;
        }
        leading[..6].copy_from_slice(&place);
        leading[6..12].copy_from_slice(&v);
        leading[12] = angle;
        let inputs = linear.pose.inputs(&place, &v, angle);
        let with_field = self.cells.surface.is_some();
        vectorised(BackSubstitute { linear, inputs: &inputs, right: bristles, with_field });
    }
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

/// LU factors in place with the largest pivots, where forces are compared with torques by an `arm` \[m\]. Returns whether the matrix
/// is regular.
fn factorise(a: &mut [[f64; 6]; 6], pivots: &mut [usize; 6], arm: f64) -> bool {
    let mut arms = [arm, arm, 1.0, arm, arm, 1.0];
    for pivot in 0..6 {
        let mut best = pivot;
        for row in pivot + 1..6 {
            if arms[row] * a[row][pivot].abs() > arms[best] * a[best][pivot].abs() {
                best = row;
            }
        }
        pivots[pivot] = best;
        a.swap(pivot, best);
        arms.swap(pivot, best);
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
    for (pivot, &row) in pivots.iter().enumerate() {
        x.swap(pivot, row);
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
