//! The paper's own recipe for samples: triangles, a Cholesky factor at their corners, averages over elements.
//!
//! The square is cut into triangles of size min(l, 0.1 a); the field is drawn at the corners, an element has the mean of its
//! three corners and the direction of the velocity at its centroid. A mesh as coarse as the correlation length is tolerable
//! for smooth fields only. It is here for comparison with the paper; [`super::TensorSampler`] and
//! [`super::FieldSampler`] need fewer nodes for more digits.

use super::from_field::unsuitable;
use super::motion::Twist;
use super::plate::Plate;
use super::sampling::Sampler;
use crate::analysis::AnalysisError;
use crate::field::{FieldDescription, GeneratorChoice, Germ, Realisations};
use crate::patch::{Nodes, Shape};

/// Samples of a field on a mesh of triangles.
#[derive(Debug, Clone)]
pub struct MeshSampler {
    nodes: Nodes,
    elements: Vec<Element>,
    realisations: Realisations,
    seed: u64,
}

/// One triangle of the mesh.
#[derive(Debug, Clone, Copy)]
struct Element {
    corners: [usize; 3],
    centroid: [f64; 2],
    /// Area \[m²\].
    area: f64,
}

/// Size of an element over half the side of the plate, where the correlation is long [-].
const COARSEST: f64 = 0.1;

/// Most corners of a mesh: the factor of their correlation takes their number cubed.
const MOST_CORNERS: usize = 6000;

impl MeshSampler {
    /// A sampler for a random field on a square or rectangular plate.
    ///
    /// # Errors
    /// The plate has another shape, the field is not random, or the mesh would have too many corners.
    pub fn new(plate: &Plate, shape: &Shape, field: &FieldDescription, seed: u64) -> Result<Self, AnalysisError> {
        let half_sides = match shape {
            Shape::Square(square) => [square.half_side; 2],
            Shape::Rectangle(sides) => [sides.half_length, sides.half_width],
            _ => {
                let message =
                    "is \"paper_mesh\", which is made for squares and rectangles; use \"quadrature\" for other shapes";
                return Err(AnalysisError::unsuitable("sampler", message));
            }
        };
        let FieldDescription::Random(random) = field else {
            let message = "is \"paper_mesh\", but the coefficient is not random; use \"quadrature\"";
            return Err(AnalysisError::unsuitable("sampler", message));
        };
        let length = random.prescribed.shortest_length();
        let size = length.min(COARSEST * plate.half_side());
        let counts = half_sides.map(|half| (2.0 * half / size).ceil().max(1.0));
        let corners = (counts[0] + 1.0) * (counts[1] + 1.0);
        if corners > MOST_CORNERS as f64 {
            let message = format!(
                "is {length} m: the mesh of the sampler \"paper_mesh\" would have {corners:.0} corners, more than {MOST_CORNERS}; \
                 use the sampler \"quadrature\" or a longer length"
            );
            return Err(AnalysisError::unsuitable("field.correlation_length", message));
        }
        let (nodes, elements) = mesh(half_sides, counts.map(|count| count as usize));
        let realisations = Realisations::at_points(field, None, GeneratorChoice::Cholesky, &nodes.points)
            .map_err(|error| unsuitable(&error))?;
        Ok(Self { nodes, elements, realisations, seed })
    }
}

/// Corners with the areas that they stand for, and the triangles: two in each of the equal rectangles.
fn mesh(half_sides: [f64; 2], [columns, rows]: [usize; 2]) -> (Nodes, Vec<Element>) {
    let steps = [2.0 * half_sides[0] / columns as f64, 2.0 * half_sides[1] / rows as f64];
    let mut nodes = Nodes::default();
    for j in 0..=rows {
        for i in 0..=columns {
            nodes.points.push([i as f64 * steps[0] - half_sides[0], j as f64 * steps[1] - half_sides[1]]);
            nodes.weights.push(0.0);
        }
    }
    let area = 0.5 * steps[0] * steps[1];
    let mut elements = Vec::with_capacity(2 * rows * columns);
    for j in 0..rows {
        for i in 0..columns {
            let at = |right: usize, up: usize| (j + up) * (columns + 1) + i + right;
            // diagonals alternate, so that no direction is preferred
            let halves = if (i + j) % 2 == 0 {
                [[at(0, 0), at(1, 0), at(1, 1)], [at(0, 0), at(1, 1), at(0, 1)]]
            } else {
                [[at(0, 0), at(1, 0), at(0, 1)], [at(1, 0), at(1, 1), at(0, 1)]]
            };
            for corners in halves {
                let mean = |axis: usize| corners.iter().map(|&corner| nodes.points[corner][axis]).sum::<f64>() / 3.0;
                elements.push(Element { corners, centroid: [mean(0), mean(1)], area });
                corners.iter().for_each(|&corner| nodes.weights[corner] += area / 3.0);
            }
        }
    }
    (nodes, elements)
}

impl Sampler for MeshSampler {
    fn seed(&self) -> u64 {
        self.seed
    }

    fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    fn loads(&self, twist: &Twist) -> [Vec<f64>; 3] {
        let mut loads = [0, 1, 2].map(|_| vec![0.0; self.nodes.points.len()]);
        for element in &self.elements {
            for (load, weight) in loads.iter_mut().zip(twist.weights(element.centroid)) {
                element.corners.iter().for_each(|&corner| load[corner] += element.area / 3.0 * weight);
            }
        }
        loads
    }

    fn fill(&self, germ: &Germ, values: &mut [f64], _: &mut Vec<f64>) {
        if self.realisations.fill(germ, values).is_err() {
            // never: the values have the size of the mesh; one that spoils every mean is better than a wrong one
            values.fill(f64::NAN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::planar_sliding::{Covariance, Motion, NoCovariance, Pairing, Samples};
    use crate::field::{CorrelationOf, FieldModel};
    use crate::patch::{Disc, Square};

    fn field(length: f64) -> FieldDescription {
        let text = format!(r#"{{"mean": 0.5, "standard_deviation": 0.1, "correlation_length": {length}}}"#);
        let model: FieldModel = serde_json::from_str(&text).unwrap();
        model.prepared(CorrelationOf::GaussianParent).unwrap()
    }

    fn sampler(length: f64) -> (Plate, Result<MeshSampler, AnalysisError>) {
        let shape = Shape::Square(Square { half_side: 1.0 });
        let plate = Plate::new(&shape, &Motion::default(), 1.0).unwrap();
        let sampler = MeshSampler::new(&plate, &shape, &field(length), 3);
        (plate, sampler)
    }

    #[test]
    fn the_mesh_covers_the_square() {
        let (plate, sampler) = sampler(0.5);
        let sampler = sampler.unwrap();
        assert_eq!((sampler.nodes.points.len(), sampler.elements.len()), (21 * 21, 2 * 20 * 20));
        assert!((sampler.nodes.weights.iter().sum::<f64>() - 4.0).abs() < 1e-12);
        // translation: the loads are the areas, with the sign of the motion
        let [x, y, _] = sampler.loads(&plate.functionals.twist);
        assert!((x.iter().sum::<f64>().abs() - 4.0).abs() < 1e-12 && y.iter().sum::<f64>().abs() < 1e-12);
    }

    #[test]
    fn samples_have_the_exact_moments_up_to_the_mesh() {
        let (plate, sampler) = sampler(0.5);
        let samples = Samples::draw(&sampler.unwrap(), &plate.functionals.twist, 1.0, 4000, Pairing::Independent);
        let FieldDescription::Random(random) = field(0.5) else { panic!() };
        let exact = plate.moments(&Covariance::of(&random), NoCovariance::Refuse).unwrap();
        let sampled = samples.moments(&exact);
        for i in [0, 2] {
            let off = (sampled.variance[i].value - exact.covariance[i][i]).abs();
            // 4 standard errors and 1 % for the mesh, which is a fifth of the correlation length
            assert!(off < 4.0 * sampled.variance[i].standard_error + 0.01 * exact.covariance[i][i], "{i} {off}");
        }
    }

    #[test]
    fn what_it_cannot_do_is_said() {
        assert!(sampler(0.02).1.unwrap_err().to_string().contains("corners"));
        let disc = Shape::Disc(Disc { radius: 1.0 });
        let plate = Plate::new(&disc, &Motion::default(), 1.0).unwrap();
        let error = MeshSampler::new(&plate, &disc, &field(0.5), 3).unwrap_err();
        assert!(error.to_string().contains("squares"), "{error}");
    }
}
