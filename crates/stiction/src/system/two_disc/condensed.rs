//! The derivative without its bristles: products with it, and the 12 × 12 matrix that is left of it at a given rate.
//!
//! The eigenvalues λ of the full motion are the roots of det(λ − A(λ)) with the matrix A of [`Discs::condensed`]; its value at
//! zero is the reduced linearisation.

use super::contact::{BRISTLES, Sums, Wrench};
use super::linear::{ContactMatrix, DiscLinear, to_matrix, twist_matrix};
use super::motion::{Discs, LEADING};
use crate::num::lanes::{Lanes, WIDTH, vectorised};
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
    pub fn derivative_times(&self, linear: &DiscLinear, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let (Some((leading, z)), Some((out, rates))) =
            (x.split_first_chunk::<LEADING>(), out.split_first_chunk_mut::<LEADING>())
        else {
            return;
        };
        let place: [f64; 6] = std::array::from_fn(|i| leading[i]);
        let v: [f64; 6] = std::array::from_fn(|i| leading[6 + i]);
        let inputs = twist_matrix(&linear.pose).inputs(&place, &v, leading[12]);
        let with_field = self.cells.surface.is_some();
        let (k, viscous) = (self.cells.relaxation, self.cells.law.viscous_coefficient);
        let mut sums = Sums::ZERO;
        for (cell, (z, rates)) in
            linear.cells.iter().zip(z.chunks_exact(BRISTLES).zip(rates.chunks_exact_mut(BRISTLES)))
        {
            let (cx, cy) = cell.response(&linear.pose, &inputs, with_field);
            let (zx, zy) = (Lanes::load(z), Lanes::load(&z[WIDTH..]));
            let (dx, dy) = (cx - cell.rate * zx, cy - cell.rate * zy);
            dx.store(rates);
            dy.store(&mut rates[WIDTH..]);
            let (vx, vy) = cell.velocity_change(&linear.pose, &inputs);
            sums.add(
                cell.arms,
                -cell.load * (zx + dx.scaled(k) + vx.scaled(viscous)),
                -cell.load * (zy + dy.scaled(k) + vy.scaled(viscous)),
            );
        }
        let mut wrench = sums.wrench();
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
    pub fn condensed(&self, linear: &DiscLinear, rate: Complex<f64>) -> Option<[[Complex<f64>; 12]; 12]> {
        let matrix = self.contact_matrix(linear, rate)?;
        let twist = twist_matrix(&linear.pose);
        let rigid = &self.rigid;
        let zero = Complex::new(0.0, 0.0);
        let mut rows = [[zero; 12]; 12];
        let [fx, fy] = linear.wrench.force;
        for column in 0..12 {
            let mut wrench = [zero; 3];
            for (wrench, row) in wrench.iter_mut().zip(&matrix) {
                for (input, weight) in row.iter().enumerate() {
                    let through =
                        if column < 6 { twist.place[input][column] } else { twist.velocity[input][column - 6] };
                    *wrench += weight * through;
                }
            }
            let [x, y, t] = wrench;
            let [dx, dy] = linear.pose.offset;
            let mut spread = [x, y, t, -x, -y, x * dy - y * dx - t];
            match column {
                0 => spread[5] -= fy,
                1 => spread[5] += fx,
                3 => spread[5] += fy,
                4 => spread[5] -= fx,
                _ => {}
            }
            if column < 6 {
                spread[column] -= rigid.stiffness[column];
            } else {
                spread[column - 6] -= rigid.damping[column - 6];
                rows[column - 6][column] = Complex::new(1.0, 0.0);
            }
            for (i, spread) in spread.into_iter().enumerate() {
                rows[6 + i][column] = spread / rigid.inertia[i];
            }
        }
        Some(rows)
    }

    /// The real condensed matrix at g = 0: bristles that follow at once.
    pub fn reduced(&self, linear: &DiscLinear) -> Option<[[f64; 12]; 12]> {
        if linear.cells.iter().any(|cell| cell.rate.smallest() <= 0.0) {
            return None;
        }
        let viscous = self.cells.law.viscous_coefficient;
        let mut matrix = vectorised(
            #[inline(always)]
            || {
                let mut sums = [Sums::ZERO; 7];
                for cell in &linear.cells {
                    let through = -(cell.load * cell.rate.inverse());
                    cell.add_to(&mut sums, &linear.pose, through, viscous, false);
                }
                to_matrix(&sums)
            },
        );
        matrix[2][5] -= linear.moment;
        let twist = twist_matrix(&linear.pose);
        let rigid = &self.rigid;
        let mut rows = [[0.0; 12]; 12];
        let [fx, fy] = linear.wrench.force;
        let extra = [-fy, fx, 0.0, fy, -fx, 0.0];
        for column in 0..12 {
            let (inputs, i) = if column < 6 { (&twist.place, column) } else { (&twist.velocity, column - 6) };
            let through = |row: usize| (0..7).map(|input| matrix[row][input] * inputs[input][i]).sum::<f64>();
            let mut spread = linear.pose.spread(&Wrench { force: [through(0), through(1)], torque: through(2) });
            if column < 6 {
                spread[5] += extra[column];
                spread[column] -= rigid.stiffness[column];
            } else {
                spread[i] -= rigid.damping[i];
                rows[i][column] = 1.0;
            }
            for (k, spread) in spread.into_iter().enumerate() {
                rows[6 + k][column] = spread / rigid.inertia[k];
            }
        }
        Some(rows)
    }

    fn contact_matrix(&self, linear: &DiscLinear, rate: Complex<f64>) -> Option<ContactMatrix<Complex<f64>>> {
        let (k, viscous) = (self.cells.relaxation, self.cells.law.viscous_coefficient);
        let with_field = self.cells.surface.is_some();
        let zero = Complex::new(0.0, 0.0);
        let mut matrix = [[zero; 7]; 3];
        for cell in &linear.cells {
            let denominators = cell.rate.0.map(|r| rate + r);
            if denominators.iter().any(|d| d.norm_sqr() == 0.0) {
                return None;
            }
            let factors = denominators.map(|d| (Complex::new(1.0, 0.0) + rate * k) / d);
            // the sums are linear in the factor: real part, imaginary part, and the part without it
            let lanes =
                |part: &dyn Fn(Complex<f64>) -> f64| Lanes(std::array::from_fn(|i| -cell.load.0[i] * part(factors[i])));
            let sums = |through: Lanes, viscous: f64| {
                let mut sums = [Sums::ZERO; 7];
                cell.add_to(&mut sums, &linear.pose, through, viscous, with_field);
                to_matrix(&sums)
            };
            let (real, imaginary) = (sums(lanes(&|f| f.re), viscous), sums(lanes(&|f| f.im), 0.0));
            for (row, (real, imaginary)) in matrix.iter_mut().zip(real.iter().zip(&imaginary)) {
                for (entry, (re, im)) in row.iter_mut().zip(real.iter().zip(imaginary)) {
                    *entry += Complex::new(*re, *im);
                }
            }
        }
        matrix[2][5] -= linear.moment;
        Some(matrix)
    }
}
