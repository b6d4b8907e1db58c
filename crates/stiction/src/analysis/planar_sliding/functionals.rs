//! Force and torque as linear functionals of the coefficient, and their covariance for Gaussian kernels.
//!
//! ```text
//! F_x = P ∫H w_x dS,  F_y = P ∫H w_y dS,  T = P ∫H w_T dS          K_ij = ∫∫ w_i(x) w_j(x') exp(−|x−x'|²/l²) dS dS'
//! ```
//! The kernel is a product of two of its kind, exp(−|x−x'|²/l²) = 4/(π l²) ∫exp(−2|x−z|²/l²) exp(−2|x'−z|²/l²) dz, and the
//! integral over z is a sum over a lattice with an error of 2 exp(−π² l²/(4h²)) for spacing h. So K is a sum of products
//! U_i(z) U_j(z): positive semidefinite by construction, free of cancellation at any l, and linear in the number of nodes
//! where a double sum is quadratic. From l = size on, a short series takes its place.

use super::lattice::Lattice;
use super::motion::Twist;
use super::rows::{Frame, Rows};
use super::series::Series;
use crate::patch::{Nodes, Outline, Point, Resolution};

/// A symmetric matrix over (F_x, F_y, T).
pub type Matrix = [[f64; 3]; 3];

/// The six different entries of a symmetric matrix.
pub const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// Most nodes of a direct evaluation: some seconds of work.
const MOST_NODES: f64 = 4e6;

/// Force and torque of a moving plate as functionals of the coefficient.
#[derive(Debug, Clone)]
pub struct Functionals {
    /// The contact area.
    pub outline: Outline,
    /// Its motion.
    pub twist: Twist,
    /// A linear map of the plane with determinant 1 that makes the correlation isotropic.
    pub map: [[f64; 2]; 2],
}

/// Points with the weights of the three functionals, areas included.
#[derive(Debug, Clone, Default)]
pub struct Loads {
    /// Places, after the map \[m\].
    pub points: Vec<Point>,
    /// Weight × area of (F_x, F_y, T) at each place.
    pub loads: Vec<[f64; 3]>,
}

impl Functionals {
    /// The functionals of an area and a motion for isotropic correlations.
    pub fn new(outline: Outline, twist: Twist) -> Self {
        Self { outline, twist, map: [[1.0, 0.0], [0.0, 1.0]] }
    }

    /// Smallest stretch of the map: a length in the plane that is resolved stays resolved after it.
    pub(crate) fn smallest_stretch(&self) -> f64 {
        let [[a, b], [c, d]] = self.map;
        // singular values of a map with determinant 1: s and 1/s
        let trace = a * a + b * b + c * c + d * d;
        let largest = 0.5 * (trace + (trace * trace - 4.0).max(0.0).sqrt());
        1.0 / largest.sqrt()
    }

    /// Quadrature nodes that resolve kernels of this length.
    pub fn nodes(&self, resolution: Resolution) -> Nodes {
        let length = resolution.length * self.smallest_stretch();
        let Some(centre) = self.twist.centre() else {
            return Nodes::inside(&self.outline, Resolution { length, ..resolution });
        };
        let distance = if self.outline.contains(centre) { 0.0 } else { self.outline.distance(centre) };
        if distance > self.outline.reach() {
            return Nodes::inside(&self.outline, Resolution { length: length.min(0.7 * distance), ..resolution });
        }
        Nodes::fan(&self.outline, centre, Resolution { length, ..resolution })
    }

    /// Nodes with the weights of the functionals.
    pub fn loads(&self, resolution: Resolution) -> Loads {
        let nodes = self.nodes(resolution);
        let loads = nodes.points.iter().zip(&nodes.weights).map(|(point, area)| {
            let weights = self.twist.weights(*point);
            [area * weights[0], area * weights[1], area * weights[2]]
        });
        let loads = loads.collect();
        let [[a, b], [c, d]] = self.map;
        let points = nodes.points.iter().map(|[x, y]| [a * x + b * y, c * x + d * y]).collect();
        Loads { points, loads }
    }

    /// ∫w_i dS of the three functionals [m², m², m³]: in closed form for straight edges, to round-off for discs.
    pub fn integrals(&self) -> [f64; 3] {
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
        let loads = self.loads(Resolution { length: 0.5 * reach, extra: 6 }).loads;
        loads.iter().fold([0.0; 3], |sum, load| [sum[0] + load[0], sum[1] + load[1], sum[2] + load[2]])
    }

    /// Unit-variance covariance K/P² of (F_x, F_y, T) for the kernel exp(−r²/l²), l = `length` \[m\].
    ///
    /// None if the length is so small that it cannot be resolved with some million nodes.
    pub fn gaussian(&self, length: f64, extra: i32) -> Option<Matrix> {
        let fine = Resolution { length: length * self.smallest_stretch(), extra };
        if Nodes::estimated_count(&self.outline, fine) >= MOST_NODES {
            return None;
        }
        let (frame, resolution) = (Frame::of(&self.outline, self.map), Resolution { length, extra });
        if length >= frame.reach(&self.outline) {
            let mut series = Series::new(length);
            frame.fill(self, resolution, &mut series);
            return Some(series.covariance());
        }
        let mut lattice = Lattice::new(frame.bounds(&self.outline), length);
        frame.fill(self, resolution, &mut lattice);
        Some(lattice.covariance())
    }

    /// As [`Functionals::gaussian`], with the largest relative change of an entry against fewer nodes.
    pub fn gaussian_with_error(&self, length: f64) -> Option<(Matrix, f64)> {
        let (fine, coarse) = (self.gaussian(length, 0)?, self.gaussian(length, -1)?);
        Some((fine, difference(&fine, &coarse)))
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

impl Loads {
    /// Σ_pq load_i(p) load_j(q) exp(−|x_p − x_q|²/l²).
    pub fn gaussian(&self, length: f64) -> Matrix {
        let reach = self.points.iter().map(|[x, y]| x * x + y * y).fold(0.0, f64::max).sqrt();
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in &self.points {
            for axis in 0..2 {
                (low[axis], high[axis]) = (low[axis].min(point[axis]), high[axis].max(point[axis]));
            }
        }
        if self.points.is_empty() {
            return [[0.0; 3]; 3];
        }
        if length >= reach {
            let mut series = Series::new(length);
            self.one_by_one(&mut series);
            series.covariance()
        } else {
            let mut lattice = Lattice::new([low, high], length);
            self.one_by_one(&mut lattice);
            lattice.covariance()
        }
    }

    /// Every node is a row.
    fn one_by_one(&self, rows: &mut impl Rows) {
        for ([x, y], [first, second, third]) in self.points.iter().zip(&self.loads) {
            rows.add(*y, &[*x], [&[*first], &[*second], &[*third]]);
        }
    }
}
