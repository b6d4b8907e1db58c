//! How the steady rotation answers to a field, to first order: one number for every coordinate of the field.
//!
//! Near a stable equilibrium the answer to a field that turns with the lower disc is periodic with P = 2π/|Ω| and, to first order,
//! linear in the coordinates ξ:
//!
//! ```text
//! h(t) = e_Θᵀ (1 − exp(A P))⁻¹ exp(A t) [0; M⁻¹],     0 ≤ t < P
//! a_j  = H_Sr ∫ h(t) · Σ_i b_i B_j(R(Ω t − ψ*) e_i) dt,     Θ = Θ_e + Σ a_j ξ_j
//! ```
//!
//! b_i is what the six equations feel of the coefficient below cell i. The bounds Θ_e ± Σ|a_j| are an estimate, not an enclosure.

use super::eigenvalues::linearised;
use crate::analysis::AnalysisError;
use crate::num::real::{cos, sin};
use crate::system::TwoDisc;
use crate::system::two_disc::{Equilibrium, Face, IntervalField, LOWER_ROTATION, UPPER_ROTATION};
use nalgebra::SMatrix;
use std::f64::consts::TAU;

type Matrix = SMatrix<f64, 12, 12>;

/// Points of the midpoint rule over one turn of the drive.
const POINTS: usize = 2048;

/// Sensitivities at one angle of the drive.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity {
    /// Angle of the drive at the instant looked at \[rad\].
    pub(crate) drive_angle: f64,
    /// a_j \[rad\], those of equal x together.
    pub(crate) coefficients: Vec<f64>,
}

impl Sensitivity {
    /// Σ|a_j|: by how much Θ may leave its equilibrium, to first order \[rad\].
    pub(crate) fn reach(&self) -> f64 {
        self.coefficients.iter().map(|a| a.abs()).sum()
    }

    /// Σ a_j: the answer to the same change everywhere \[rad\].
    pub fn sum(&self) -> f64 {
        self.coefficients.iter().sum()
    }

    /// Standard deviation of Θ for independent uniform coordinates, to first order \[rad\].
    pub(crate) fn standard_deviation(&self) -> f64 {
        (self.coefficients.iter().map(|a| a * a).sum::<f64>() / 3.0).sqrt()
    }

    /// Coordinates that act at all.
    pub(crate) fn active(&self) -> usize {
        self.coefficients.iter().filter(|a| **a != 0.0).count()
    }

    /// The vertex of the box that raises Θ most; its negative lowers it most.
    pub(crate) fn vertex(&self) -> Vec<f64> {
        self.coefficients.iter().map(|&a| if a == 0.0 { 0.0 } else { a.signum() }).collect()
    }
}

/// What the steady rotation feels of the coefficient below each cell at each lag: everything but the field itself.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    field: IntervalField,
    disc_radius: f64,
    speed: f64,
    rotation: f64,
    /// Places of the cells relative to the centre of the lower disc \[m\].
    places: Vec<[f64; 2]>,
    /// h · b dt H_Sr for each lag, cells together.
    weights: Vec<f64>,
    /// Θ at the equilibrium \[rad\].
    pub(crate) level: f64,
}

impl Response {
    pub(crate) fn new(discs: &TwoDisc, equilibrium: &Equilibrium) -> Result<Self, AnalysisError> {
        let missing = |key: &str, what: &str| AnalysisError::unsuitable(key, what);
        let field =
            discs.field.clone().ok_or_else(|| missing("field", "is missing: there is nothing to be bounded"))?;
        let face = Face::of(discs);
        let (system, linear) = linearised(discs, equilibrium, Some(&face)).ok_or_else(|| {
            missing("normal_load", "gives a captured equilibrium, which has no linear answer; use sampling alone")
        })?;
        let rows = system.reduced(&linear).ok_or_else(|| missing("normal_load", "gives a cell at rest"))?;
        let a = Matrix::from_fn(|i, j| rows[i][j]);
        let period = TAU / discs.drive_speed.abs();
        let step = period / POINTS as f64;
        let half = exponential(&(a * (0.5 * step)));
        let whole = half * half;
        let mut turn = whole;
        for _ in 0..POINTS.trailing_zeros() {
            turn *= turn;
        }
        let singular = || missing("normal_load", "gives an equilibrium without a steady answer: an eigenvalue is zero");
        let resolvent = (Matrix::identity() - turn).try_inverse().ok_or_else(singular)?;
        let mut row = resolvent.row(UPPER_ROTATION) * half;
        let loads = system.cell_loads(&linear);
        let inertia = discs.inertias();
        let mut weights = Vec::with_capacity(POINTS * loads.len());
        for _ in 0..POINTS {
            let h: [f64; 6] = std::array::from_fn(|i| row[6 + i] / inertia[i]);
            for load in &loads {
                let along: f64 = h.iter().zip(load.push).map(|(h, b)| h * b).sum();
                weights.push(along * step * field.half_width);
            }
            row *= whole;
        }
        Ok(Self {
            field,
            disc_radius: discs.lower.radius,
            speed: discs.drive_speed,
            rotation: equilibrium.coordinates[LOWER_ROTATION],
            places: loads.iter().map(|load| load.place).collect(),
            weights,
            level: equilibrium.coordinates[UPPER_ROTATION],
        })
    }

    /// Sensitivities at an angle of the drive \[rad\].
    pub(crate) fn at(&self, drive_angle: f64) -> Result<Sensitivity, AnalysisError> {
        let per_axis = self.field.per_axis(self.disc_radius);
        let surface = self.field.given(self.disc_radius, &vec![0.0; per_axis * per_axis])?;
        let mut coefficients = vec![0.0; per_axis * per_axis];
        let period = TAU / self.speed.abs();
        for (k, weights) in self.weights.chunks_exact(self.places.len().max(1)).enumerate() {
            let lag = (k as f64 + 0.5) * period / POINTS as f64;
            let angle = self.speed * lag - self.rotation - drive_angle;
            let (c, s) = (cos(angle), sin(angle));
            for (weight, [x, y]) in weights.iter().zip(&self.places) {
                let (along, across) = (surface.place(c * x - s * y), surface.place(s * x + c * y));
                for a in 0..3 {
                    let first = (along.first + a) * per_axis + across.first;
                    if let Some(three) = coefficients.get_mut(first..first + 3) {
                        for (out, value) in three.iter_mut().zip(across.value) {
                            *out += weight * along.value[a] * value;
                        }
                    }
                }
            }
        }
        Ok(Sensitivity { drive_angle, coefficients })
    }

    /// The angle of the drive at which the estimate is widest. A quarter turn maps the splines onto themselves.
    pub(crate) fn widest(&self, angles: usize) -> Result<Sensitivity, AnalysisError> {
        let mut best = self.at(0.0)?;
        for i in 1..angles {
            let next = self.at(0.25 * TAU * i as f64 / angles as f64)?;
            if next.reach() > best.reach() {
                best = next;
            }
        }
        Ok(best)
    }
}

/// Sensitivities of the steady rotation at an angle of the drive \[rad\].
///
/// # Errors
/// If there is no field, no equilibrium, or no linearisation.
pub fn sensitivity(discs: &TwoDisc, drive_angle: f64) -> Result<Sensitivity, AnalysisError> {
    let Some(equilibrium) = discs.equilibrium()? else {
        return Err(AnalysisError::unsuitable("normal_load", "leaves no equilibrium with slip"));
    };
    Response::new(discs, &equilibrium)?.at(drive_angle)
}

/// Exponential of a matrix by scaling and squaring.
fn exponential(matrix: &Matrix) -> Matrix {
    let norm = matrix.abs().row_sum().max().max(matrix.abs().column_sum().max());
    let mut squarings = 0;
    let mut scale = 1.0;
    while norm * scale > 0.25 && squarings < 200 {
        scale *= 0.5;
        squarings += 1;
    }
    let small = matrix * scale;
    let mut sum = Matrix::identity();
    let mut term = Matrix::identity();
    for k in 1..=16 {
        term = term * small / f64::from(k);
        sum += term;
    }
    for _ in 0..squarings {
        sum *= sum;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::exp;

    #[test]
    fn the_exponential_of_a_matrix_is_right() {
        // a rotation block, a stiff decay and a Jordan block
        let mut a = Matrix::zeros();
        (a[(0, 1)], a[(1, 0)], a[(2, 2)], a[(3, 4)]) = (-3.0, 3.0, -200.0, 2.0);
        let e = exponential(&a);
        assert!((e[(0, 0)] - cos(3.0)).abs() < 1e-13 && (e[(1, 0)] - sin(3.0)).abs() < 1e-13);
        assert!((e[(2, 2)] / exp(-200.0) - 1.0).abs() < 1e-11 && (e[(3, 4)] - 2.0).abs() < 1e-13);
    }
}
