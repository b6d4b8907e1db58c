//! Friction of a rigid patch as the gradient of one potential: the dissipation.
//!
//! ```text
//! twist       w = (a, b, c) = (u_x, u_y, R ω)        velocity of the patch relative to the ground, R the length of the patch
//! local       p = a − c η,  r = b + c ξ,  s = √(p² + r²),  τ = ξ r − η p        (ξ, η) in units of R
//! dissipation d(w) = ⟨H s⟩                            mean over the patch; convex, homogeneous of degree 1, even
//! wrench      −∇d(w) = −(⟨H p/s⟩, ⟨H r/s⟩, ⟨H τ/s⟩)    in units of the load, the load, the load times R
//! ```

use super::number::Number;
use crate::num::lanes::{Kernel, Simd, vectorised};

/// Velocity (u_x, u_y, R ω) of a patch relative to the ground, in any unit [m/s].
pub type Twist = [f64; 3];

/// Forces and torque (F_x, F_y, T) in units of the load, the load, and the load times the length of the patch [-].
pub type Wrench = [f64; 3];

/// The dissipation of a twist, with its first and second derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dissipation {
    /// d(w), in the unit of the twist.
    pub value: f64,
    /// ∇d(w) [-]: the point of the limit surface whose outward normal is w.
    pub gradient: Wrench,
    /// Second derivatives, in the inverse unit of the twist.
    pub hessian: [[f64; 3]; 3],
}

/// Mean of the coefficient over a patch and its first moments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchMoments {
    /// ⟨H⟩ [-].
    pub mean: f64,
    /// ⟨H ξ⟩ and ⟨H η⟩, in units of the length of the patch [-].
    pub first: [f64; 2],
}

/// A patch that lies still on its ground: only the twist may change.
pub trait FrozenPatch {
    /// The dissipation of a twist. All zeros for a twist of zero, where it has no derivative.
    fn dissipation(&self, twist: Twist) -> Dissipation;
    /// Mean and first moments of the coefficient.
    fn moments(&self) -> PatchMoments;
}

/// Numbers that are added side by side.
const LANES: usize = 8;

/// A patch as a sum over cells.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cells {
    /// Coefficient times weight; the weights of a patch sum to 1 [-].
    strength: Vec<f64>,
    xi: Vec<f64>,
    eta: Vec<f64>,
    /// Mean square size c² of each cell, in units of the length of the patch squared: s² = p² + r² + c² ω².
    spread: Vec<f64>,
    count: usize,
}

/// One cell of a patch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Coefficient times weight [-].
    pub strength: f64,
    /// Place (ξ, η) in units of the length of the patch [-].
    pub place: [f64; 2],
    /// Mean square size in units of the length of the patch squared [-].
    pub spread: f64,
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let cells = cells.into_iter();
        let room = || Vec::with_capacity(cells.size_hint().0.next_multiple_of(LANES));
        let mut found = Self { strength: room(), xi: room(), eta: room(), spread: room(), count: 0 };
        for cell in cells {
            found.push(cell);
            found.count += 1;
        }
        // cells without strength fill up the last group
        if let Some(k) = found.count.checked_sub(1) {
            let last = Cell { strength: 0.0, place: [found.xi[k], found.eta[k]], spread: found.spread[k] };
            while !found.strength.len().is_multiple_of(LANES) {
                found.push(last);
            }
        }
        found
    }
}

impl Cells {
    fn push(&mut self, cell: Cell) {
        self.strength.push(cell.strength);
        self.xi.push(cell.place[0]);
        self.eta.push(cell.place[1]);
        self.spread.push(cell.spread);
    }

    /// The cells.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        let places = self.xi.iter().zip(&self.eta);
        let cells = self.strength.iter().zip(places).zip(&self.spread).take(self.count);
        cells.map(|((&strength, (&xi, &eta)), &spread)| Cell { strength, place: [xi, eta], spread })
    }
}

/// Σ over all cells of q (p, r, τ) and of the terms of the Hessian, with q = strength/s.
struct Sums<'a> {
    cells: &'a Cells,
    twist: Twist,
}

impl Kernel for Sums<'_> {
    type Output = [f64; 9];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f64; 9] {
        let [a, b, c] = self.twist.map(|w| simd.splat_f64s(w));
        let (cells, zero) = (self.cells, simd.splat_f64s(0.0));
        let mut lanes = [[0.0_f64; LANES]; 9];
        for part in 0..f64::parts::<S>() {
            let mut sums = [zero; 9];
            let vectors = [&cells.strength, &cells.xi, &cells.eta, &cells.spread]
                .map(|numbers| f64::vectors::<S>(numbers).iter().skip(part).step_by(f64::parts::<S>()));
            let [strength, xi, eta, spread] = vectors;
            for (((&strength, &xi), &eta), &spread) in strength.zip(xi).zip(eta).zip(spread) {
                let (p, r) = (simd.negate_mul_add_f64s(c, eta, a), simd.mul_add_f64s(c, xi, b));
                let turn = simd.mul_f64s(spread, c);
                let floor = simd.mul_f64s(turn, c);
                let tau = simd.mul_add_f64s(xi, r, simd.negate_mul_add_f64s(eta, p, turn));
                let square = simd.mul_add_f64s(p, p, simd.mul_add_f64s(r, r, floor));
                let inverse = f64::inverse_root(simd, square);
                let inverse = simd.select_f64s(simd.greater_than_f64s(square, zero), inverse, zero);
                let q = simd.mul_f64s(strength, inverse);
                let cubed = simd.mul_f64s(q, simd.mul_f64s(inverse, inverse));
                let [cp, cr, ct] = [p, r, tau].map(
                    #[inline(always)]
                    |w| simd.mul_f64s(cubed, w),
                );
                // cubed (s² − p²) = cubed (r² + c² ω²), and so on: nothing cancels
                let arm = simd.mul_add_f64s(xi, xi, simd.mul_add_f64s(eta, eta, spread));
                let terms = [
                    simd.mul_add_f64s(q, p, sums[0]),
                    simd.mul_add_f64s(q, r, sums[1]),
                    simd.mul_add_f64s(q, tau, sums[2]),
                    simd.mul_add_f64s(cr, r, simd.mul_add_f64s(cubed, floor, sums[3])),
                    simd.negate_mul_add_f64s(cp, r, sums[4]),
                    simd.mul_add_f64s(cp, p, simd.mul_add_f64s(cubed, floor, sums[5])),
                    simd.negate_mul_add_f64s(cp, tau, simd.negate_mul_add_f64s(q, eta, sums[6])),
                    simd.negate_mul_add_f64s(cr, tau, simd.mul_add_f64s(q, xi, sums[7])),
                    simd.negate_mul_add_f64s(ct, tau, simd.mul_add_f64s(q, arm, sums[8])),
                ];
                sums = terms;
            }
            for (lanes, sum) in lanes.iter_mut().zip(sums) {
                if let Some(out) = f64::vectors_mut::<S>(lanes).get_mut(part) {
                    *out = sum;
                }
            }
        }
        lanes.map(|[a, b, c, d, e, f, g, h]| ((a + e) + (c + g)) + ((b + f) + (d + h)))
    }
}

impl FrozenPatch for Cells {
    fn dissipation(&self, twist: Twist) -> Dissipation {
        let size = twist.iter().fold(0.0_f64, |size, w| size.max(w.abs()));
        if !(size > 0.0 && size.is_finite()) {
            return Dissipation::default();
        }
        // homogeneous: squares of a unit twist neither overflow nor vanish
        let twist = twist.map(|w| w / size);
        let [x, y, t, aa, ab, bb, ac, bc, cc] = vectorised(Sums { cells: self, twist });
        // Euler's theorem
        let value = twist[0] * x + twist[1] * y + twist[2] * t;
        let hessian = [[aa, ab, ac], [ab, bb, bc], [ac, bc, cc]].map(|row| row.map(|entry| entry / size));
        Dissipation { value: value * size, gradient: [x, y, t], hessian }
    }

    fn moments(&self) -> PatchMoments {
        let (mut mean, mut first) = (0.0, [0.0; 2]);
        for cell in self.iter() {
            mean += cell.strength;
            first[0] += cell.strength * cell.place[0];
            first[1] += cell.strength * cell.place[1];
        }
        PatchMoments { mean, first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch() -> Cells {
        let cell = |k: u32| {
            let (x, y) = (f64::from(k % 5) / 5.0 - 0.37, f64::from(k / 5) / 4.0 - 0.52);
            Cell { strength: 0.02 + 0.01 * x * y, place: [x, y], spread: 3e-4 }
        };
        (0..21).map(cell).collect()
    }

    #[test]
    fn derivatives_are_those_of_the_value() {
        let patch = patch();
        for twist in [[1.0, 0.2, -0.4], [-0.3, 0.9, 2.0], [1.0, 0.0, 0.0], [0.02, 0.01, 0.7]] {
            let at = patch.dissipation(twist);
            for i in 0..3 {
                let step = 1e-5;
                let (mut up, mut down) = (twist, twist);
                up[i] += step;
                down[i] -= step;
                let (up, down) = (patch.dissipation(up), patch.dissipation(down));
                assert!(((up.value - down.value) / (2.0 * step) - at.gradient[i]).abs() < 1e-8);
                for j in 0..3 {
                    let slope = (up.gradient[j] - down.gradient[j]) / (2.0 * step);
                    assert!((slope - at.hessian[i][j]).abs() < 1e-6 * (1.0 + slope.abs()), "{twist:?} {i} {j}");
                }
            }
            // homogeneous of degree 1 (Euler), and even
            let along: f64 = (0..3).map(|i| at.gradient[i] * twist[i]).sum();
            assert!((along - at.value).abs() < 1e-15);
            let back = patch.dissipation(twist.map(|w| -w));
            assert_eq!(back.value, at.value);
            assert_eq!(back.gradient, at.gradient.map(|g| -g));
        }
    }

    #[test]
    fn a_patch_at_rest_has_no_wrench_and_a_tiny_twist_the_same_as_a_large_one() {
        let patch = patch();
        assert_eq!(patch.dissipation([0.0; 3]), Dissipation::default());
        let (tiny, large) = (patch.dissipation([1e-200, 2e-200, 0.0]), patch.dissipation([1e200, 2e200, 0.0]));
        assert!((0..3).all(|i| (tiny.gradient[i] - large.gradient[i]).abs() < 1e-15));
    }
}
