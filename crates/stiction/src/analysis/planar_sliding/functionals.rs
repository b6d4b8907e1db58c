//! Force and torque as linear functionals of the coefficient.
//!
//! ```text
//! F_x = P ∫H w_x dS,  F_y = P ∫H w_y dS,  T = P ∫H w_T dS
//! ```

use super::motion::Twist;
use crate::patch::{Nodes, Outline, Resolution};

/// A symmetric matrix over (F_x, F_y, T).
pub(crate) type Matrix = [[f64; 3]; 3];

/// The six different entries of a symmetric matrix.
pub(crate) const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// Force and torque of a moving plate as functionals of the coefficient.
#[derive(Debug, Clone)]
pub struct Functionals {
    /// The contact area.
    pub outline: Outline,
    /// Its motion.
    pub twist: Twist,
}

impl Functionals {
    /// Quadrature nodes that resolve kernels of this length; a fan of signed triangles if the centre of rotation is near.
    pub(crate) fn nodes(&self, resolution: Resolution) -> Nodes {
        let Some(centre) = self.twist.centre() else { return Nodes::inside(&self.outline, resolution) };
        let distance = if self.outline.contains(centre) { 0.0 } else { self.outline.distance(centre) };
        if distance > self.outline.reach() {
            let length = resolution.length.min(0.7 * distance);
            return Nodes::inside(&self.outline, Resolution { length, ..resolution });
        }
        Nodes::fan(&self.outline, centre, resolution)
    }

    /// Quadrature nodes inside the area with positive weights.
    pub(crate) fn positive_nodes(&self, resolution: Resolution) -> Nodes {
        let nodes = self.nodes(resolution);
        // a fan about a centre of rotation may leave the area
        match self.twist.centre().filter(|_| nodes.weights.iter().any(|weight| *weight <= 0.0)) {
            Some(centre) => Nodes::towards(&self.outline, centre, resolution),
            None => nodes,
        }
    }

    /// ∫w_i dS of the three functionals [m², m², m³]: in closed form for straight edges, to round-off for discs.
    pub(crate) fn integrals(&self) -> [f64; 3] {
        let area = self.outline.geometry.area;
        let Some(centre) = self.twist.centre() else {
            // the weights are constant and linear, and the origin is the centroid
            let [w_x, w_y, _] = self.twist.weights([0.0, 0.0]);
            return [area * w_x, area * w_y, 0.0];
        };
        let reach = self.outline.reach();
        let far = centre[0].abs().max(centre[1].abs()) > 3.0 * reach;
        let (direction, distance) = (self.outline.direction_integral(centre), self.outline.distance_integral(centre));
        if let (false, Some([e_x, e_y]), Some(distance)) = (far, direction, distance) {
            let sign = self.twist.omega.signum();
            return [sign * e_y, -sign * e_x, -sign * (centre[0] * e_x + centre[1] * e_y + distance)];
        }
        // from far away the closed forms are differences of large numbers
        let nodes = self.nodes(Resolution { length: 0.5 * reach, extra: 6 });
        let mut sums = [0.0; 3];
        for (point, area) in nodes.points.iter().zip(&nodes.weights) {
            for (sum, weight) in sums.iter_mut().zip(self.twist.weights(*point)) {
                *sum += area * weight;
            }
        }
        sums
    }
}

/// Largest difference of two matrices, relative to the roots of the diagonal entries.
pub fn difference(first: &Matrix, second: &Matrix) -> f64 {
    let mut largest = 0.0_f64;
    for (i, j) in PAIRS {
        let scale = (first[i][i].abs() * first[j][j].abs()).sqrt();
        let change = (first[i][j] - second[i][j]).abs();
        if change > 0.0 && scale > 0.0 {
            largest = largest.max(change / scale);
        }
    }
    largest
}
