//! The paper's own recipe for samples: triangles, a Cholesky factor at their corners, averages over elements.
//!
//! The square is cut into triangles of size min(l, 0.1 a); the field is drawn at the corners, an element has the mean of its
//! three corners and the direction of the velocity at its centroid. A mesh as coarse as the correlation length is tolerable
//! for smooth fields only. It is here for comparison with the paper; the other samplers need fewer nodes for more digits.

use super::motion::Twist;
use super::plate::Plate;
use crate::analysis::AnalysisError;
use crate::field::FieldDescription;
use crate::patch::Point;

/// A rectangle in triangles.
#[derive(Debug, Clone)]
pub(crate) struct Mesh {
    /// Places \[m\].
    pub(crate) corners: Vec<Point>,
    /// Indices of the corners of each triangle.
    pub(crate) elements: Vec<[usize; 3]>,
    /// Area of a triangle \[m²\].
    pub(crate) area: f64,
}

/// Size of an element over half the side of the plate, where the correlation is long [-].
const COARSEST: f64 = 0.1;

/// Most corners of a mesh: the factor of their correlation takes their number cubed.
const MOST_CORNERS: usize = 6000;

impl Mesh {
    /// The mesh for a random field on a square or rectangular plate.
    ///
    /// # Errors
    /// The plate has another shape, the field is not random, or the mesh would have too many corners.
    pub(crate) fn of(plate: &Plate, field: &FieldDescription) -> Result<Self, AnalysisError> {
        let Some(half_sides) = plate.half_sides() else {
            let message =
                "is \"paper_mesh\", which is made for squares and rectangles; use \"quadrature\" for other shapes";
            return Err(AnalysisError::unsuitable("sampler", message));
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
        Ok(Self::new(half_sides, counts.map(|count| count as usize)))
    }

    /// Two triangles in each of the equal rectangles.
    fn new(half_sides: [f64; 2], [columns, rows]: [usize; 2]) -> Self {
        let steps = [2.0 * half_sides[0] / columns as f64, 2.0 * half_sides[1] / rows as f64];
        let place = |k: usize, axis: usize| k as f64 * steps[axis] - half_sides[axis];
        let corners = (0..=rows).flat_map(|j| (0..=columns).map(move |i| [place(i, 0), place(j, 1)])).collect();
        let mut elements = Vec::with_capacity(2 * rows * columns);
        for j in 0..rows {
            for i in 0..columns {
                let at = |right: usize, up: usize| (j + up) * (columns + 1) + i + right;
                // diagonals alternate, so that no direction is preferred
                elements.extend(if (i + j) % 2 == 0 {
                    [[at(0, 0), at(1, 0), at(1, 1)], [at(0, 0), at(1, 1), at(0, 1)]]
                } else {
                    [[at(0, 0), at(1, 0), at(0, 1)], [at(1, 0), at(1, 1), at(0, 1)]]
                });
            }
        }
        Self { corners, elements, area: 0.5 * steps[0] * steps[1] }
    }

    /// What the field at each corner counts in the three functionals [m², m², m³].
    pub(crate) fn loads(&self, twist: &Twist) -> [Vec<f64>; 3] {
        let mut loads = [0, 1, 2].map(|_| vec![0.0; self.corners.len()]);
        for element in &self.elements {
            let mean = |axis: usize| element.iter().map(|corner| self.corners[*corner][axis]).sum::<f64>() / 3.0;
            for (load, weight) in loads.iter_mut().zip(twist.weights([mean(0), mean(1)])) {
                element.iter().for_each(|corner| load[*corner] += self.area / 3.0 * weight);
            }
        }
        loads
    }
}
