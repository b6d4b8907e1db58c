//! Friction of a rigid patch as the gradient of one potential: the dissipation.
//!
//! ```text
//! twist       w = (a, b, c) = (u_x, u_y, R ω)        velocity of the patch relative to the ground, R the length of the patch
//! local       p = a − c η,  r = b + c ξ,  s = √(p² + r²),  τ = ξ r − η p        (ξ, η) in units of R
//! dissipation d(w) = ⟨H s⟩                            mean over the patch; convex, homogeneous of degree 1, even
//! wrench      −∇d(w) = −(⟨H p/s⟩, ⟨H r/s⟩, ⟨H τ/s⟩)    in units of the load, the load, the load times R
//! ```

use crate::num::bulk::{Loop, vectorised};

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

    /// Number of cells.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The cells.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        let places = self.xi.iter().zip(&self.eta);
        let cells = self.strength.iter().zip(places).zip(&self.spread).take(self.count);
        cells.map(|((&strength, (&xi, &eta)), &spread)| Cell { strength, place: [xi, eta], spread })
    }
}

/// Σ over all cells of q (p, r, τ), q s², and of the terms of the Hessian, with q = strength/s.
struct Sums<'a> {
    cells: &'a Cells,
    twist: Twist,
    sums: &'a mut [f64; 10],
}

impl Loop for Sums<'_> {
    #[inline(always)]
    fn run(self) {
        let [a, b, c] = self.twist;
        let mut sums = [[0.0_f64; LANES]; 10];
        let cells = self.cells;
        let groups = cells.strength.chunks_exact(LANES).zip(cells.xi.chunks_exact(LANES));
        let groups = groups.zip(cells.eta.chunks_exact(LANES)).zip(cells.spread.chunks_exact(LANES));
        for (((strength, xi), eta), spread) in groups {
            for k in 0..LANES {
                let (xi, eta, spread) = (xi[k], eta[k], spread[k]);
                let (p, r) = (a - c * eta, b + c * xi);
                let tau = xi * r - eta * p + spread * c;
                let square = p * p + r * r + spread * c * c;
                let inverse = if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 };
                let q = strength[k] * inverse;
                let cubed = q * inverse * inverse;
                sums[0][k] += q * p;
                sums[1][k] += q * r;
                sums[2][k] += q * tau;
                sums[3][k] += q * square;
                sums[4][k] += q - cubed * p * p;
                sums[5][k] -= cubed * p * r;
                sums[6][k] += q - cubed * r * r;
                sums[7][k] -= q * eta + cubed * p * tau;
                sums[8][k] += q * xi - cubed * r * tau;
                sums[9][k] += q * (xi * xi + eta * eta + spread) - cubed * tau * tau;
            }
        }
        for (sum, lanes) in self.sums.iter_mut().zip(sums) {
            let [a, b, c, d, e, f, g, h] = lanes;
            *sum = ((a + e) + (c + g)) + ((b + f) + (d + h));
        }
    }
}

impl FrozenPatch for Cells {
    fn dissipation(&self, twist: Twist) -> Dissipation {
        let size = twist.iter().fold(0.0_f64, |size, w| size.max(w.abs()));
        if !(size > 0.0 && size.is_finite()) {
            return Dissipation::default();
        }
        // homogeneous: squares of a unit twist neither overflow nor vanish
        let mut sums = [0.0; 10];
        vectorised(Sums { cells: self, twist: twist.map(|w| w / size), sums: &mut sums });
        let [x, y, t, value, aa, ab, bb, ac, bc, cc] = sums;
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
