//! From a described field to what the statistics of a plate need: its covariance, and samples at nodes of the plate.

use super::gridded::FieldSampler;
use super::mesh::MeshSampler;
use super::motion::Twist;
use super::norm::NormMoments;
use super::plate::Plate;
use super::sampling::{SampledMoments, Sampler};
use super::tensor::TensorSampler;
use crate::analysis::AnalysisError;
use crate::field::{
    CorrelationOf, FieldDescription, FieldError, GeneratorChoice, Germ, Marginal, RandomField, Surface,
};
use crate::patch::{Nodes, Outline, Resolution, Shape};

/// The first problem of a field, with its key below `field`.
pub fn unsuitable(error: &FieldError) -> AnalysisError {
    match error.problems().into_iter().next() {
        Some(problem) => problem.below("field").into(),
        None => AnalysisError::unsuitable("field", error.to_string()),
    }
}

impl SampledMoments {
    /// Mean and standard deviation of the length of the force.
    pub fn norm(&self) -> NormMoments {
        NormMoments { mean: self.norm_mean.value, standard_deviation: self.norm_deviation.value }
    }
}

/// Samples of a field at nodes of a plate.
#[derive(Debug, Clone)]
pub enum PlateSampler {
    /// Lognormal fields with a Gaussian parent on a rectangle.
    Tensor(TensorSampler),
    /// All others.
    Field(FieldSampler),
    /// The paper's mesh.
    Mesh(MeshSampler),
}

/// Most nodes of a quadrature.
const MOST_NODES: f64 = 1e6;
/// Most nodes on a measured map, which are about a gigabyte.
const MOST_GIVEN_NODES: f64 = 4e7;

/// Most nodes whose field is made by a factor of their correlation matrix; more are served by a grid.
const MOST_POINTS: usize = 800;

impl PlateSampler {
    /// A sampler for a field on a plate of this shape; `map` is the measured map, where the field is a file.
    ///
    /// # Errors
    /// No such field can be sampled, or the plate needs too many nodes.
    pub fn new(
        plate: &Plate,
        shape: &Shape,
        field: &FieldDescription,
        map: Option<&Surface>,
        asked: GeneratorChoice,
        seed: u64,
    ) -> Result<Self, AnalysisError> {
        let half_sides = match shape {
            Shape::Square(square) => Some([square.half_side; 2]),
            Shape::Rectangle(sides) => Some([sides.half_length, sides.half_width]),
            _ => None,
        };
        if let (Some(half_sides), FieldDescription::Random(random)) = (half_sides, field)
            && matches!(asked, GeneratorChoice::Auto | GeneratorChoice::Separable)
            && let Some(length) = gaussian_parent(random)
        {
            let (mean, deviation) = (random.marginal.mean(), random.marginal.standard_deviation());
            return TensorSampler::new(half_sides, length, mean, deviation, seed).map(Self::Tensor);
        }
        let length = match field {
            FieldDescription::Random(random) => random.prescribed.shortest_length(),
            FieldDescription::File(_) => map.map_or(plate.half_side(), |map| {
                let [dx, dy] = map.grid().step();
                dx.min(dy)
            }),
            _ => 0.2 * plate.half_side(),
        };
        let mut resolution = Resolution { length: length.min(plate.half_side()), extra: -2 };
        let outline = &plate.functionals.outline;
        if let FieldDescription::File(_) = field {
            resolution.length = largest_affordable(outline, resolution);
        }
        let count = Nodes::estimated_count(outline, resolution);
        if count > MOST_NODES && matches!(field, FieldDescription::Random(_)) {
            let message = format!(
                "is {length} m, so small against the plate that about {count:.0} nodes would be needed, more than {MOST_NODES:.0}: \
                 use the exact moments, or a longer length"
            );
            return Err(AnalysisError::unsuitable("field.correlation_length", message));
        }
        let nodes = plate.positive_nodes(resolution);
        if let FieldDescription::Random(random) = field
            && nodes.points.len() > MOST_POINTS
            && !matches!(asked, GeneratorChoice::Cholesky | GeneratorChoice::LowRank)
        {
            return FieldSampler::on_grid(nodes, random, asked, seed).map(Self::Field);
        }
        let placed = plate.placed(field, map, &nodes)?;
        FieldSampler::at_nodes(nodes, &placed, field, map, asked, seed).map(Self::Field)
    }

    fn chosen(&self) -> &dyn Sampler {
        match self {
            Self::Tensor(sampler) => sampler,
            Self::Field(sampler) => sampler,
            Self::Mesh(sampler) => sampler,
        }
    }
}

impl Plate {
    /// Nodes with positive weights, all on the plate.
    fn positive_nodes(&self, resolution: Resolution) -> Nodes {
        let around = self.functionals.nodes(resolution);
        // a fan about a centre of rotation may leave the plate: then nodes inside, which do not know the centre
        let fits = around.weights.iter().all(|weight| *weight > 0.0);
        if fits { around } else { Nodes::inside(&self.functionals.outline, resolution) }
    }

    /// The places of nodes in the coordinates of a field: a random one is the same everywhere, a given one has those of the
    /// shape's keys.
    fn placed(
        &self,
        field: &FieldDescription,
        map: Option<&Surface>,
        nodes: &Nodes,
    ) -> Result<Vec<[f64; 2]>, AnalysisError> {
        self.check_covered(field, map)?;
        Ok(match field {
            FieldDescription::Random(_) => nodes.points.clone(),
            _ => nodes.points.iter().map(|point| self.functionals.outline.in_field(*point)).collect(),
        })
    }

    /// Refuses a measured map that ends under the plate.
    pub(super) fn check_covered(&self, field: &FieldDescription, map: Option<&Surface>) -> Result<(), AnalysisError> {
        let (FieldDescription::File(_), Some(map)) = (field, map) else { return Ok(()) };
        let outline = &self.functionals.outline;
        let [low, high] = outline.geometry.bounds.map(|corner| outline.in_field(corner));
        let remedy = "bring a larger map, or make or place the shape so that it lies on the map";
        map.check_covers(low, high)
            .map_err(|message| AnalysisError::unsuitable("field.file", format!("{message}; {remedy}")))
    }
}

/// The length of an isotropic Gaussian correlation of the parent of a lognormal field.
fn gaussian_parent(field: &RandomField) -> Option<f64> {
    let lognormal = matches!(field.marginal, Marginal::Lognormal(_));
    let parent = field.correlation_of == CorrelationOf::GaussianParent && field.prescribed.is_isotropic();
    let (_, scale) = field.prescribed.family.power_exponential().filter(|(exponent, _)| *exponent == 2.0)?;
    (lognormal && parent).then(|| scale * field.prescribed.length[0])
}

impl Sampler for PlateSampler {
    fn seed(&self) -> u64 {
        self.chosen().seed()
    }

    fn nodes(&self) -> &Nodes {
        self.chosen().nodes()
    }

    fn loads(&self, twist: &Twist) -> [Vec<f64>; 3] {
        self.chosen().loads(twist)
    }

    fn serves_all_motions(&self) -> bool {
        self.chosen().serves_all_motions()
    }

    fn fill(&self, germ: &Germ, values: &mut [f64], scratch: &mut Vec<f64>) {
        self.chosen().fill(germ, values, scratch);
    }

    fn fill_pair(&self, germ: &Germ, plain: &mut [f64], mirrored: &mut [f64], scratch: &mut Vec<f64>) {
        self.chosen().fill_pair(germ, plain, mirrored, scratch);
    }
}

/// The length \[m\] that is resolved with a number of nodes that fits into any memory: the one asked for, doubled as often as
/// necessary.
fn largest_affordable(outline: &Outline, mut resolution: Resolution) -> f64 {
    while Nodes::estimated_count(outline, resolution) > MOST_GIVEN_NODES {
        resolution.length *= 2.0;
    }
    resolution.length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::planar_sliding::{Covariance, Motion, NoCovariance, Pairing, Samples};
    use crate::field::FieldModel;
    use crate::patch::{Disc, Square};

    fn field(keys: &str) -> FieldDescription {
        let length = if keys.contains("correlation_length") { "" } else { r#", "correlation_length": 0.7"# };
        let text = format!(r#"{{"mean": 0.5, "standard_deviation": 0.1{length}{keys}}}"#);
        let model: FieldModel = serde_json::from_str(&text).unwrap();
        model.prepared(CorrelationOf::GaussianParent).unwrap()
    }

    fn random(keys: &str) -> RandomField {
        match field(keys) {
            FieldDescription::Random(random) => *random,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn covariances_are_those_of_the_field_at_every_lag() {
        for keys in [
            "",
            r#", "correlation_of": "coefficient""#,
            r#", "correlation_exponent": 1.0"#,
            r#", "correlation": "matern", "smoothness": 2.5"#,
            r#", "correlation": "matern", "smoothness": 0.8, "correlation_of": "coefficient""#,
            r#", "marginal": "uniform""#,
            r#", "marginal": "truncated_normal", "correlation_exponent": 1.5"#,
        ] {
            let random = random(keys);
            let covariance = Covariance::of(&random);
            for lag in [0.0, 0.05, 0.3, 1.1, 2.5] {
                let (found, wanted) = (covariance.kernel.at(lag), random.covariance(lag, 0.0));
                assert!((found - wanted).abs() < 1e-9 * random.covariance(0.0, 0.0), "{keys} {lag}: {found} {wanted}");
            }
        }
    }

    #[test]
    fn samples_of_every_kind_have_the_exact_moments() {
        let square = Shape::Square(Square { half_side: 1.0 });
        let disc = Shape::Disc(Disc { radius: 1.0 });
        for (shape, keys) in [
            (&square, ""),
            (&square, r#", "correlation": "matern", "smoothness": 2.5"#),
            (&disc, ""),
            (&disc, r#", "marginal": "uniform""#),
            (&disc, r#", "correlation_length": [0.6, 0.15], "angle": 0.5"#),
            (&disc, r#", "correlation": "matern", "smoothness": 0.5, "correlation_length": 0.22"#),
        ] {
            let plate = Plate::new(shape, &Motion::default(), 2.0).unwrap();
            let field = field(keys);
            let sampler = PlateSampler::new(&plate, shape, &field, None, GeneratorChoice::Auto, 5).unwrap();
            let samples = Samples::draw(&sampler, &plate.functionals.twist, 2.0, 2000, Pairing::Antithetic);
            let exact = plate.moments(&Covariance::of(&random(keys)), NoCovariance::Refuse).unwrap();
            let sampled = samples.moments(&exact);
            for i in [0, 2] {
                let (mean, variance) = (sampled.mean[i], sampled.variance[i]);
                // 4.5 standard errors: 1 false alarm in 10⁵ tests; the field never changes, so none in practice
                assert!((mean.value - exact.mean[i]).abs() < 4.5 * mean.standard_error + 1e-3, "{keys} {i} {mean:?}");
                let off = (variance.value - exact.covariance[i][i]).abs();
                assert!(off < 4.5 * variance.standard_error, "{keys} {i} {variance:?}");
            }
        }
    }
}
