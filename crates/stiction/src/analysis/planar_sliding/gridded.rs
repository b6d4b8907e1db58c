//! Samples of any field on a plate of any shape: at the nodes of a quadrature, or on a regular grid for fields that are short
//! against the plate.
//!
//! A factor of the correlation matrix costs the cube of the number of nodes; on a grid a field costs little more than its
//! points. The nodes of the quadrature do not lie on the grid, but the field at a node is a sum over the grid points around
//! it, and so are the loads:
//!
//! ```text
//! ∫H w dS ≈ Σ_k A_k w(x_k) Σ_g L_g(x_k) H_g = Σ_g H_g W_g,     W_g = Σ_k A_k w(x_k) L_g(x_k)
//! ```
//! L_g are products of Lagrange polynomials of degree 5.

use super::from_field::unsuitable;
use super::motion::Twist;
use super::sampling::{Sampler, plain_loads};
use crate::analysis::AnalysisError;
use crate::field::{FieldDescription, GeneratorChoice, Germ, Grid, GridPurpose, RandomField, Realisations, Surface};
use crate::patch::{Nodes, Point};

/// Samples of a field on a plate.
#[derive(Debug, Clone)]
pub struct FieldSampler {
    realisations: Realisations,
    /// Where the field is made, and the areas that the points stand for.
    points: Nodes,
    /// The grid that the points are, and the nodes of the quadrature among them.
    spread: Option<Spread>,
    seed: u64,
}

/// A grid under the nodes of a quadrature.
#[derive(Debug, Clone)]
struct Spread {
    grid: Grid,
    quadrature: Nodes,
}

/// Grid points that a node depends on along an axis.
const STENCIL: usize = 6;

impl FieldSampler {
    /// A sampler at the nodes of a quadrature; `places` are these in the coordinates of the field.
    ///
    /// # Errors
    /// No such field can be sampled there.
    pub(crate) fn at_nodes(
        nodes: Nodes,
        places: &[Point],
        field: &FieldDescription,
        map: Option<&Surface>,
        asked: GeneratorChoice,
        seed: u64,
    ) -> Result<Self, AnalysisError> {
        let realisations = Realisations::at_points(field, map, asked, places).map_err(|error| unsuitable(&error))?;
        Self { realisations, points: nodes, spread: None, seed }.tried()
    }

    /// A sampler on a grid under the nodes of a quadrature.
    ///
    /// # Errors
    /// No such field can be sampled on the grid.
    pub(crate) fn on_grid(
        quadrature: Nodes,
        random: &RandomField,
        asked: GeneratorChoice,
        seed: u64,
    ) -> Result<Self, AnalysisError> {
        let shortest = random.prescribed.recommended_step(GridPurpose::Trajectories);
        // along the axes of the correlation each has its own step
        let aligned = random.prescribed.angle == 0.0;
        let steps = random
            .prescribed
            .length
            .map(|length| if aligned { shortest * length / random.prescribed.shortest_length() } else { shortest });
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in &quadrature.points {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        let size: [f64; 2] = std::array::from_fn(|axis| high[axis] - low[axis]);
        let steps: [f64; 2] = std::array::from_fn(|axis| steps[axis].min(0.2 * size[axis]));
        let margins = steps.map(|step| 0.5 * STENCIL as f64 * step);
        let from = std::array::from_fn(|axis| low[axis] - margins[axis]);
        let to = std::array::from_fn(|axis| high[axis] + margins[axis]);
        let grid = Grid::covering(from, to, steps)
            .map_err(|error| AnalysisError::unsuitable("field.correlation_length", error.to_string()))?;
        let field = FieldDescription::Random(Box::new(random.clone()));
        let realisations = Realisations::on_grid(&field, None, asked, &grid).map_err(|error| unsuitable(&error))?;
        let places = (0..grid.points()).map(|place| grid.position(place)).collect();
        let mut areas = vec![0.0; grid.points()];
        let spread = Spread { grid, quadrature };
        spread.gather(|node| [spread.quadrature.weights[node]], std::slice::from_mut(&mut areas));
        let points = Nodes { points: places, weights: areas };
        Self { realisations, points, spread: Some(spread), seed }.tried()
    }

    /// What can go wrong goes wrong here, not in the middle of a study.
    fn tried(self) -> Result<Self, AnalysisError> {
        let mut values = vec![0.0; self.points.points.len()];
        self.realisations.fill(&Germ::new(self.seed, 0), &mut values).map_err(|error| unsuitable(&error))?;
        Ok(self)
    }
}

impl Spread {
    /// Adds what stands at every node to the grid points around it, in proportion to their polynomials.
    fn gather<const N: usize>(&self, of_node: impl Fn(usize) -> [f64; N], sums: &mut [Vec<f64>]) {
        let ([across, up], rows) = ([0, 1].map(|axis| self.grid.count()[axis]), self.grid.count()[1]);
        for (node, point) in self.quadrature.points.iter().enumerate() {
            let (column, columns) = self.stencil(0, point[0], across);
            let (row, ups) = self.stencil(1, point[1], up);
            let values = of_node(node);
            for (i, x) in columns.iter().enumerate() {
                for (j, y) in ups.iter().enumerate() {
                    let place = (column + i) * rows + row + j;
                    for (sum, value) in sums.iter_mut().zip(values) {
                        sum[place] += x * y * value;
                    }
                }
            }
        }
    }

    /// Index of the first grid point around a place along an axis, and the values of the polynomials there.
    fn stencil(&self, axis: usize, place: f64, count: usize) -> (usize, [f64; STENCIL]) {
        let along = (place - self.grid.origin()[axis]) / self.grid.step()[axis];
        let last = count.saturating_sub(STENCIL) as f64;
        let first = (along.floor() - (STENCIL / 2 - 1) as f64).clamp(0.0, last);
        let x = along - first;
        let polynomial = |k: usize| {
            let others = (0..STENCIL).filter(|other| *other != k);
            others.map(|other| (x - other as f64) / (k as f64 - other as f64)).product()
        };
        (first as usize, std::array::from_fn(polynomial))
    }
}

impl Sampler for FieldSampler {
    fn seed(&self) -> u64 {
        self.seed
    }

    fn nodes(&self) -> &Nodes {
        &self.points
    }

    fn loads(&self, twist: &Twist) -> [Vec<f64>; 3] {
        let Some(spread) = &self.spread else { return plain_loads(&self.points, twist) };
        let mut loads = [0, 1, 2].map(|_| vec![0.0; self.points.points.len()]);
        let Nodes { points, weights } = &spread.quadrature;
        spread.gather(|node| twist.weights(points[node]).map(|weight| weights[node] * weight), &mut loads);
        loads
    }

    fn fill(&self, germ: &Germ, values: &mut [f64], _: &mut Vec<f64>) {
        if self.realisations.fill(germ, values).is_err() {
            // never after the trial; a value that spoils every mean is better than a wrong one
            values.fill(f64::NAN);
        }
    }
}
