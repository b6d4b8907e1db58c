//! The linearised motion of the paper, M₁ q̈ + C₁ q̇ + K₁ q = 0 (Eq. 7), and the shapes of its modes.

use super::eigenvalues::linearised;
use crate::system::two_disc::{Equilibrium, TwoDisc};
use nalgebra::{Complex, SMatrix, SVector};

/// Matrices of the linearised motion, with bristles that follow at once; coordinates in the order (X₁, Y₁, Θ, X₂, Y₂, Φ).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearMotion {
    /// Diagonal of M₁ [kg, kg m²].
    pub inertia: [f64; 6],
    /// C₁ = C − ∂b/∂q̇, in N s/m, N s/rad, N m s/m and N m s/rad.
    pub damping: [[f64; 6]; 6],
    /// K₁ = K − ∂b/∂q, in N/m, N/rad, N m/m and N m/rad.
    pub stiffness: [[f64; 6]; 6],
}

/// The linearised motion at an equilibrium; none at a captured one.
pub fn linear_motion(discs: &TwoDisc, equilibrium: &Equilibrium) -> Option<LinearMotion> {
    let (system, linear) = linearised(discs, equilibrium, None)?;
    let rows = system.reduced(&linear)?;
    let inertia = discs.inertias();
    let block = |first: usize| std::array::from_fn(|i| std::array::from_fn(|j| -rows[6 + i][first + j] * inertia[i]));
    Some(LinearMotion { inertia, damping: block(6), stiffness: block(0) })
}

impl LinearMotion {
    /// λ² M₁ + λ C₁ + K₁.
    fn at(&self, eigenvalue: Complex<f64>) -> SMatrix<Complex<f64>, 6, 6> {
        SMatrix::from_fn(|i, j| {
            let inertia = if i == j { self.inertia[i] } else { 0.0 };
            eigenvalue * (eigenvalue * inertia + self.damping[i][j]) + self.stiffness[i][j]
        })
    }

    /// Shape of the mode with this `eigenvalue` [1/s], scaled so that its largest coordinate is 1 [m, rad]: inverse iteration. None if
    /// it does not converge, as beside a double eigenvalue.
    pub fn shape(&self, eigenvalue: Complex<f64>) -> Option<[Complex<f64>; 6]> {
        // beside the eigenvalue the matrix has an inverse, which magnifies the mode
        let beside = self.at(eigenvalue * (1.0 + 1e-9)).lu();
        let mut shape = SVector::<Complex<f64>, 6>::repeat(Complex::new(1.0, 0.0));
        for _ in 0..4 {
            let next = beside.solve(&shape)?;
            let largest = next.iter().copied().max_by(|a, b| a.norm_sqr().total_cmp(&b.norm_sqr()))?;
            shape = next / largest;
        }
        let at = self.at(eigenvalue);
        let size = at.iter().map(|entry| entry.norm()).fold(0.0, f64::max);
        let is_converged = (at * shape).iter().all(|left| left.norm() <= 1e-6 * size);
        is_converged.then(|| std::array::from_fn(|i| shape[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::two_disc::spectra;

    #[test]
    fn the_shape_of_every_mode_satisfies_the_linearised_equations() {
        let discs = TwoDisc::new(30.0, 4.0);
        let at = discs.equilibrium().unwrap().unwrap();
        let motion = linear_motion(&discs, &at).unwrap();
        for eigenvalue in spectra(&discs, &at).unwrap().unwrap().reduced.values {
            let shape = motion.shape(eigenvalue).unwrap();
            let left = motion.at(eigenvalue) * SVector::from(shape);
            let size = motion.at(eigenvalue).iter().map(|entry| entry.norm()).fold(0.0, f64::max);
            assert!(left.iter().all(|left| left.norm() < 1e-8 * size), "{eigenvalue}: {left}");
            assert!(shape.iter().any(|q| (*q - Complex::new(1.0, 0.0)).norm() < 1e-14), "{shape:?}");
        }
    }
}
