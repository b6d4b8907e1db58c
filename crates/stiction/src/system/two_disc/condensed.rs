//! The derivative without its bristles: products with it, and the 12 × 12 matrix that is left of it at a given rate.
//!
//! The eigenvalues λ of the full motion are the roots of det(λ − A(λ)) with the matrix A of [`Discs::condensed`]; its value at
//! zero is the reduced linearisation.

use super::cell_derivative::{ContactMatrix, Gather, Product};
use super::contact::Wrench;
use super::linear::{Columns, DiscLinear};
use super::motion::{Discs, LEADING};
use crate::num::lanes::{Eight, WIDTH, vectorised};
use nalgebra::Complex;

/// A cell as a field sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CellLoad {
    /// Its place relative to the centre of the lower disc, in fixed axes \[m\].
    pub(crate) place: [f64; 2],
    /// Change of the six generalised forces per unit of its static coefficient, with steady bristles [N, N m].
    pub(crate) push: [f64; 6],
}

impl Discs {
    /// What the discs feel of the coefficient below each cell.
    pub(crate) fn cell_loads(&self, linear: &DiscLinear) -> Vec<CellLoad> {
        let pose = &linear.pose;
        let mut loads = Vec::with_capacity(self.cells.count);
        for cell in 0..self.cells.count {
            let Some(derivative) = linear.cells.get(cell / WIDTH) else { break };
            let lane = cell % WIDTH;
            let (lx, ly) = (derivative.arms.0.0[lane], derivative.arms.1.0[lane]);
            let (vx, vy) = (pose.velocity[0] - pose.spin * ly, pose.velocity[1] + pose.spin * lx);
            let speed = (vx * vx + vy * vy).sqrt();
            let strength =
                if speed > 0.0 { -derivative.load.0[lane] * self.cells.law.shape(speed).0 / speed } else { 0.0 };
            let force = [strength * vx, strength * vy];
            let wrench = Wrench { force, torque: lx * force[1] - ly * force[0] };
            loads.push(CellLoad { place: [pose.offset[0] + lx, pose.offset[1] + ly], push: pose.spread(&wrench) });
        }
        loads
    }

    /// ∂f/∂y times a vector: for checks, and to build the full matrix.
    pub(crate) fn derivative_times(&self, linear: &DiscLinear, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let (Some((leading, z)), Some((out, rates))) =
            (x.split_first_chunk::<LEADING>(), out.split_first_chunk_mut::<LEADING>())
        else {
            return;
        };
        let place: [f64; 6] = std::array::from_fn(|i| leading[i]);
        let v: [f64; 6] = std::array::from_fn(|i| leading[6 + i]);
        let inputs = linear.pose.inputs(&place, &v, leading[12]);
        let mut wrench = vectorised(Product { cells: &self.cells, linear, inputs: &inputs, z, rates });
        wrench.torque -= linear.moment * place[2];
        let spread = linear.pose.spread(&wrench);
        let rigid = &self.rigid;
        let [fx, fy] = linear.wrench.force;
        for i in 0..6 {
            let extra = if i == 5 { fx * (place[1] - place[4]) - fy * (place[0] - place[3]) } else { 0.0 };
            out[i] = v[i];
            out[6 + i] =
                (spread[i] + extra - rigid.damping[i] * v[i] - rigid.stiffness[i] * place[i]) / rigid.inertia[i];
        }
    }

    /// Rows of the 12 × 12 matrix of the discs when every cell passes a rate g: S(g) of the full problem without g on its
    /// diagonal. At g = 0 it is the matrix of the reduced linearisation. None where a cell is at rest and g = 0.
    pub(crate) fn condensed(&self, linear: &DiscLinear, rate: Complex<f64>) -> Option<[[Complex<f64>; 12]; 12]> {
        let (k, viscous) = (self.cells.relaxation, self.cells.law.viscous_coefficient);
        let with_field = self.cells.surface.is_some();
        // the sums are linear in the factor (1 + k g)/(g + r): real part, imaginary part, and the part without it
        let (mut real, mut imaginary) = (Vec::new(), Vec::new());
        for cell in &linear.cells {
            let denominators = cell.rate.0.map(|r| rate + r);
            if denominators.iter().any(|d| d.norm_sqr() == 0.0) {
                return None;
            }
            let factors = denominators.map(|d| (Complex::new(1.0, 0.0) + rate * k) / d);
            real.push(Eight(std::array::from_fn(|i| -cell.load.0[i] * factors[i].re)));
            imaginary.push(Eight(std::array::from_fn(|i| -cell.load.0[i] * factors[i].im)));
        }
        let mut real = vectorised(Gather { linear, through: &real, viscous, with_field });
        let imaginary = vectorised(Gather { linear, through: &imaginary, viscous: 0.0, with_field });
        real[2][5] -= linear.moment;
        let real = self.rigid_rows(linear, &real, true);
        let imaginary = self.rigid_rows(linear, &imaginary, false);
        Some(std::array::from_fn(|i| std::array::from_fn(|j| Complex::new(real[i][j], imaginary[i][j]))))
    }

    /// The real condensed matrix at g = 0: bristles that follow at once.
    pub(crate) fn reduced(&self, linear: &DiscLinear) -> Option<[[f64; 12]; 12]> {
        if linear.cells.iter().any(|cell| cell.rate.smallest() <= 0.0) {
            return None;
        }
        let viscous = self.cells.law.viscous_coefficient;
        let through: Vec<Eight> =
            linear.cells.iter().map(|cell| Eight(std::array::from_fn(|i| -cell.load.0[i] / cell.rate.0[i]))).collect();
        let mut matrix = vectorised(Gather { linear, through: &through, viscous, with_field: false });
        matrix[2][5] -= linear.moment;
        Some(self.rigid_rows(linear, &matrix, true))
    }

    /// The 12 × 12 matrix with this contact; `all` of it, or only what the contact changes.
    fn rigid_rows(&self, linear: &DiscLinear, matrix: &ContactMatrix<f64>, all: bool) -> [[f64; 12]; 12] {
        let columns = Columns::of(matrix, &linear.pose);
        let rigid = &self.rigid;
        let mut rows = [[0.0; 12]; 12];
        let [fx, fy] = linear.wrench.force;
        let turned = [-fy, fx, 0.0, fy, -fx, 0.0];
        for column in 0..12 {
            let (parts, i) = if column < 6 { (&columns.place, column) } else { (&columns.velocity, column - 6) };
            let wrench = Wrench { force: [parts[0][i], parts[1][i]], torque: parts[2][i] };
            let mut spread = linear.pose.spread(&wrench);
            if all && column < 6 {
                spread[5] += turned[column];
                spread[column] -= rigid.stiffness[column];
            } else if all {
                spread[i] -= rigid.damping[i];
                rows[i][column] = 1.0;
            }
            for (k, spread) in spread.into_iter().enumerate() {
                rows[6 + k][column] = spread / rigid.inertia[k];
            }
        }
        rows
    }
}
