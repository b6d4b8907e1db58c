//! What is born at a Hopf point: a stable cycle around an unstable equilibrium, or an unstable one around a stable one.
//!
//! The first Lyapunov coefficient of the reduced motion (Kuznetsov, Elements of Applied Bifurcation Theory, section 5.4),
//!
//! ```text
//! l₁ = 1/(2ω) Re[ ⟨p, C(q, q, q̄)⟩ − 2⟨p, B(q, A⁻¹ B(q, q̄))⟩ + ⟨p, B(q̄, (2iω − A)⁻¹ B(q, q))⟩ ]
//! ```
//!
//! with the second and third derivatives B and C of the equations. They are exact: Taylor series along straight lines give
//! B(u, u) and C(u, u, u), and polarisation gives the rest.

use crate::analysis::AnalysisError;
use crate::num::jet::{Jet, Scalar};
use crate::system::TwoDisc;
use crate::system::two_disc::{Equilibrium, Face, Lugre};
use nalgebra::{Complex, DMatrix, DVector};

type Vector = DVector<f64>;
type ComplexVector = DVector<Complex<f64>>;

/// What is born at a Hopf point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criticality {
    /// The first Lyapunov coefficient l₁ for a mode with a kinetic energy Σ Iᵢ ω² |qᵢ|²/2 of one joule [1/J]: negative if the
    /// cycle is stable. Metres and radians have no common length; their energies have a common unit.
    pub coefficient: f64,
    /// Angular frequency of the mode [rad/s].
    pub frequency: f64,
    /// The mode: complex amplitudes of the six coordinates, divided by that of the one with the most energy.
    pub mode: [Complex<f64>; 6],
}

impl Criticality {
    /// Whether a stable cycle grows out of the equilibrium.
    pub fn is_supercritical(&self) -> bool {
        self.coefficient < 0.0
    }
}

/// Derivatives along straight lines from the equilibrium: f(y + t u) = … + t²/2 B(u, u) + t³/6 C(u, u, u).
pub(crate) trait Series {
    /// B(u, u) and C(u, u, u).
    fn along(&self, u: &Vector) -> (Vector, Vector);
}

/// First Lyapunov coefficient and the mode of the eigenvalue i `omega`; none if the mode cannot be told.
pub(crate) fn lyapunov_coefficient(
    matrix: &DMatrix<f64>,
    omega: f64,
    series: &impl Series,
) -> Option<(f64, ComplexVector)> {
    let complex = matrix.map(|entry| Complex::new(entry, 0.0));
    let q = null_vector(&complex, Complex::new(0.0, omega))?;
    // the adjoint mode belongs to −iω of the transpose
    let p = null_vector(&complex.transpose(), Complex::new(0.0, -omega))?;
    let scale = p.dotc(&q).conj();
    let p = p / scale;
    let (real, imaginary) = (q.map(|z| z.re), q.map(|z| z.im));

    let b = |u: &Vector, v: &Vector| (series.along(&(u + v)).0 - series.along(&(u - v)).0) * 0.25;
    let c = |u: &Vector, v: &Vector| {
        // C(u, u, v)
        (series.along(&(u + v)).1 - series.along(&(u - v)).1) / 6.0 - series.along(v).1 / 3.0
    };
    let complex_of = |re: Vector, im: Vector| re.zip_map(&im, Complex::new);
    let (rr, ii, ri) = (b(&real, &real), b(&imaginary, &imaginary), b(&real, &imaginary));
    let b_qq = complex_of(&rr - &ii, ri * 2.0);
    let b_q_conj = rr + ii;
    let c_qqq =
        complex_of(series.along(&real).1 + c(&imaginary, &real), c(&real, &imaginary) + series.along(&imaginary).1);
    let mean = matrix.clone().lu().solve(&b_q_conj)?;
    let second = (diagonal(complex.nrows(), Complex::new(0.0, 2.0 * omega)) - complex).lu().solve(&b_qq)?;
    let b_q_mean = complex_of(b(&real, &mean), b(&imaginary, &mean));
    let (sr, si) = (second.map(|z| z.re), second.map(|z| z.im));
    // B(q̄, s) = B(qr, sr) + B(qi, si) + i (B(qr, si) − B(qi, sr))
    let b_conj_second = complex_of(b(&real, &sr) + b(&imaginary, &si), b(&real, &si) - b(&imaginary, &sr));
    let value = p.dotc(&c_qqq) - p.dotc(&b_q_mean) * 2.0 + p.dotc(&b_conj_second);
    let coefficient = value.re / (2.0 * omega);
    coefficient.is_finite().then_some((coefficient, q))
}

fn diagonal(size: usize, value: Complex<f64>) -> DMatrix<Complex<f64>> {
    DMatrix::from_diagonal_element(size, size, value)
}

/// Unit vector x with (matrix − value) x ≈ 0, by inverse iteration just beside the eigenvalue.
fn null_vector(matrix: &DMatrix<Complex<f64>>, value: Complex<f64>) -> Option<ComplexVector> {
    let beside = value + Complex::new(1e-9, 1e-9) * value.norm().max(1e-6);
    let size = matrix.nrows();
    let lu = (matrix - diagonal(size, beside)).lu();
    let mut x = ComplexVector::from_fn(size, |i, _| Complex::new(1.0, 0.1 * i as f64));
    for _ in 0..4 {
        x = lu.solve(&x)?;
        let length = x.iter().map(|z| z.norm_sqr()).sum::<f64>().sqrt();
        if !length.is_finite() || length == 0.0 {
            return None;
        }
        x /= Complex::new(length, 0.0);
    }
    Some(x)
}

/// The reduced motion as a series: bristles in the state of steady sliding.
struct Reduced<'a> {
    discs: &'a TwoDisc,
    law: Lugre,
    face: Face,
    place: [f64; 6],
}

impl Reduced<'_> {
    /// Accelerations times inertias at (q, v), without springs and dampers, which are linear.
    fn friction<T: Scalar>(&self, q: &[T; 6], v: &[T; 6]) -> [T; 6] {
        let law = &self.law;
        let [x1, y1, theta, x2, y2, _] = *q;
        let [vx1, vy1, theta_rate, vx2, vy2, phi_rate] = *v;
        let (c, s) = (theta.cos(), theta.sin());
        let turning = phi_rate.shifted(self.discs.drive_speed);
        let (dx, dy) = (x1 - x2, y1 - y2);
        let spin = theta_rate - turning;
        let (vx0, vy0) = (vx1 - vx2 + dy * turning, vy1 - vy2 - dx * turning);
        let mut b = [T::constant(0.0); 6];
        for ((&x, &y), &weight) in self.face.x.iter().zip(&self.face.y).zip(&self.face.weights) {
            let (lx, ly) = (c.scaled(x) - s.scaled(y), s.scaled(x) + c.scaled(y));
            let (vx, vy) = (vx0 - ly * spin, vy0 + lx * spin);
            let speed = (vx * vx + vy * vy).sqrt();
            let power = speed.divided(law.stribeck_speed).pow_constant(law.stribeck_exponent);
            let shape = (-power).exp().scaled(1.0 - law.ratio()).shifted(law.ratio());
            let strength = shape.scaled(law.static_coefficient) / speed + T::constant(law.viscous_coefficient);
            let strength = strength.scaled(-self.discs.normal_load * weight);
            let (fx, fy) = (strength * vx, strength * vy);
            let torque = lx * fy - ly * fx;
            let parts = [fx, fy, torque, -fx, -fy, fx * dy - fy * dx - torque];
            for (b, part) in b.iter_mut().zip(parts) {
                *b = *b + part;
            }
        }
        b
    }
}

impl Series for Reduced<'_> {
    fn along(&self, u: &Vector) -> (Vector, Vector) {
        let line = |start: f64, slope: f64| Jet::<4>::from_coefficients([start, slope, 0.0, 0.0]);
        let q: [Jet<4>; 6] = std::array::from_fn(|i| line(self.place[i], u[i]));
        let v: [Jet<4>; 6] = std::array::from_fn(|i| line(0.0, u[6 + i]));
        let inertia = self.discs.inertias();
        let (mut second, mut third) = (Vector::zeros(12), Vector::zeros(12));
        for (i, jet) in self.friction(&q, &v).into_iter().enumerate() {
            let [_, _, two, three] = jet.derivatives();
            second[6 + i] = two / inertia[i];
            third[6 + i] = three / inertia[i];
        }
        (second, third)
    }
}

/// What is born at a Hopf point of the reduced motion, given the equilibrium there.
///
/// # Errors
/// If the equilibrium has no linearisation or no mode that oscillates.
pub fn criticality(discs: &TwoDisc, equilibrium: &Equilibrium) -> Result<Criticality, AnalysisError> {
    let unsuitable = || AnalysisError::unsuitable("normal_load", "gives no equilibrium on the verge of oscillating");
    let face = Face::of(discs);
    let (system, linear) = super::eigenvalues::linearised(discs, equilibrium, Some(&face)).ok_or_else(unsuitable)?;
    let rows = system.reduced(&linear).ok_or_else(unsuitable)?;
    let spectrum = super::eigenvalues::reduced_spectrum(&system, &linear).ok_or_else(unsuitable)?;
    let frequency = spectrum.frequency();
    if frequency.is_nan() || frequency <= 0.0 {
        return Err(unsuitable());
    }
    let reduced = Reduced { discs, law: discs.effective_law(), face, place: equilibrium.coordinates };
    let matrix = DMatrix::from_fn(12, 12, |i, j| rows[i][j]);
    let (coefficient, mode) = lyapunov_coefficient(&matrix, frequency, &reduced).ok_or_else(unsuitable)?;
    let inertia = discs.inertias();
    let energy = |i: usize| 0.5 * inertia[i] * frequency * frequency * mode[i].norm_sqr();
    let largest = (0..6).max_by(|&i, &j| energy(i).total_cmp(&energy(j))).map_or(mode[0], |i| mode[i]);
    let coefficient = coefficient / (0..6).map(energy).sum::<f64>();
    if !coefficient.is_finite() {
        return Err(unsuitable());
    }
    Ok(Criticality { coefficient, frequency, mode: std::array::from_fn(|i| mode[i] / largest) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x′ = −ω y + f, y′ = ω x + g with polynomials whose formula is known (Guckenheimer and Holmes, Eq. 3.4.11).
    struct Planar;

    impl Series for Planar {
        fn along(&self, u: &Vector) -> (Vector, Vector) {
            let (x, y) = (u[0], u[1]);
            // f = 0.3 x² + 0.5 x y − 0.2 y² − 0.7 x³ + 0.1 x y², g = 0.4 x² − 0.6 x y + 0.15 y² + 0.2 x² y − 0.35 y³
            let second = [0.3 * x * x + 0.5 * x * y - 0.2 * y * y, 0.4 * x * x - 0.6 * x * y + 0.15 * y * y];
            let third = [-0.7 * x * x * x + 0.1 * x * y * y, 0.2 * x * x * y - 0.35 * y * y * y];
            (Vector::from_row_slice(&second) * 2.0, Vector::from_row_slice(&third) * 6.0)
        }
    }

    #[test]
    fn the_coefficient_is_that_of_the_planar_formula() {
        let omega = 1.7;
        let matrix = DMatrix::from_row_slice(2, 2, &[0.0, -omega, omega, 0.0]);
        let (found, _) = lyapunov_coefficient(&matrix, omega, &Planar).unwrap();
        let (fxx, fxy, fyy, gxx, gxy, gyy) = (0.6, 0.5, -0.4, 0.8, -0.6, 0.3);
        let cubic = 6.0 * -0.7 + 2.0 * 0.1 + 2.0 * 0.2 + 6.0 * -0.35;
        let mixed = fxy * (fxx + fyy) - gxy * (gxx + gyy) - fxx * gxx + fyy * gyy;
        let a = cubic / 16.0 + mixed / (16.0 * omega);
        // r′ = a r³; the unit mode has |x|² + |y|² = 1, so that r² = 2 |z|²
        assert!((found - 2.0 * a / omega).abs() < 1e-7, "{found} {}", 2.0 * a / omega);
    }
}
