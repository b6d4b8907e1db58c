//! Realisations of a coefficient under a plate.
//!
//! There are two ways and the paper's mesh. A lognormal field whose parent has a Gaussian correlation is smoothed noise on a grid, for
//! plates of any shape. Any other field is drawn at the nodes of a quadrature, or, where these are too many for a factor of their
//! correlation matrix, on an even grid.

use super::functionals::Functionals;
use super::lines::Lines;
use super::mesh::Mesh;
use super::motion::Twist;
use super::noise::SmoothedNoise;
use super::parameters::unsuitable;
use super::plate::Plate;
use crate::analysis::AnalysisError;
use crate::field::{
    CorrelationOf, FieldDescription, GeneratorChoice, Germ, Grid, GridPurpose, Marginal, RandomField, Realisations,
    Surface,
};
use crate::num::real::{cos, sin};
use crate::patch::{Nodes, Outline, Resolution};

/// Draws the coefficient under a plate.
#[derive(Debug, Clone)]
pub struct PlateSampler {
    source: Source,
    places: Places,
    seed: u64,
}

/// What makes the values.
#[derive(Debug, Clone)]
enum Source {
    Noise(SmoothedNoise),
    Field(Box<Realisations>),
    /// A given function: nothing is drawn.
    Given,
}

/// Where the values are, and what they count.
#[derive(Debug, Clone)]
enum Places {
    /// Nodes of a quadrature for the motion of the plate.
    Nodes(Nodes),
    /// A grid, under quadratures of any motion.
    Grid(Box<Gridded>),
    /// Corners of triangles.
    Mesh(Mesh),
    /// One value 1, with the force and the torque of a given function.
    Given([f64; 3]),
}

/// A grid, and what quadratures over it need.
#[derive(Debug, Clone)]
struct Gridded {
    lines: Lines,
    outline: Outline,
    resolution: Resolution,
}

/// Most nodes of a quadrature over smoothed noise, and over any other field.
const MOST_NODES: [f64; 2] = [4e6, 1e6];

/// Most nodes whose field is made by a factor of their correlation matrix; more are served by a grid.
const MOST_POINTS: usize = 800;

impl PlateSampler {
    /// A sampler for a field under a plate, unless `stop` says so; `map` is the measured map, where the field is a file.
    ///
    /// # Errors
    /// No such field can be sampled, the plate needs too many nodes, or the sampler was stopped.
    pub fn new(
        plate: &Plate,
        field: &FieldDescription,
        map: Option<&Surface>,
        asked: GeneratorChoice,
        seed: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, AnalysisError> {
        let FieldDescription::Random(random) = field else {
            let found = plate.given(field, map, stop)?;
            let loads = found.mean.map(|mean| mean / plate.pressure);
            return Ok(Self { source: Source::Given, places: Places::Given(loads), seed });
        };
        let outline = &plate.functionals.outline;
        let gridded =
            |lines, resolution| Places::Grid(Box::new(Gridded { lines, outline: outline.clone(), resolution }));
        let length = random.prescribed.shortest_length();
        let resolution = Resolution { length: length.min(plate.half_side()), extra: -2 };
        let automatic = matches!(asked, GeneratorChoice::Auto | GeneratorChoice::Separable);
        let smooth = gaussian_parent(random).filter(|_| automatic);
        let count = Nodes::estimated_count(outline, resolution);
        let most = MOST_NODES[usize::from(smooth.is_none())];
        if count > most {
            let message = format!(
                "is {length} m, so small against the plate that about {count:.0} nodes would be needed, more than {most:.0}: use the \
                 exact moments, or a longer length"
            );
            return Err(AnalysisError::unsuitable("field.correlation_length", message));
        }
        if let Some(lengths) = smooth {
            let angle = random.prescribed.angle;
            let lines = Lines::covering(outline, lengths, [cos(angle), sin(angle)]);
            let (mean, deviation) = (random.marginal.mean(), random.marginal.standard_deviation());
            let source = Source::Noise(SmoothedNoise::new(&lines.lines, lengths, mean, deviation));
            return Ok(Self { source, places: gridded(lines, resolution), seed });
        }
        let nodes = plate.functionals.positive_nodes(resolution);
        let few = nodes.points.len() <= MOST_POINTS;
        let (made, places) = if few || matches!(asked, GeneratorChoice::Cholesky | GeneratorChoice::LowRank) {
            (Realisations::at_points(stop, field, map, asked, &nodes.points), Places::Nodes(nodes))
        } else {
            let grid = grid_under(outline, random)?;
            let made = Realisations::on_grid_unless(stop, field, None, asked, &grid);
            (made, gridded(Lines::even(&grid), resolution))
        };
        let realisations = made.map_err(|error| unsuitable(&error))?;
        // what can go wrong goes wrong here, not in the middle of a study
        let mut values = vec![0.0; places.count()];
        realisations.fill(&Germ::new(seed, 0), &mut values).map_err(|error| unsuitable(&error))?;
        Ok(Self { source: Source::Field(Box::new(realisations)), places, seed })
    }

    /// The paper's own recipe: the field at the corners of triangles.
    ///
    /// # Errors
    /// The plate is no rectangle, the field is not random, the mesh would have too many corners, or the sampler was stopped.
    pub fn on_mesh(
        plate: &Plate,
        field: &FieldDescription,
        seed: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, AnalysisError> {
        let mesh = Mesh::of(plate, field)?;
        let made = Realisations::at_points(stop, field, None, GeneratorChoice::Cholesky, &mesh.corners);
        let source = Source::Field(Box::new(made.map_err(|error| unsuitable(&error))?));
        Ok(Self { source, places: Places::Mesh(mesh), seed })
    }

    /// Seed of all realisations.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Number of values of a realisation.
    pub fn count(&self) -> usize {
        self.places.count()
    }

    /// Whether a value costs some nanoseconds, and not some tenths of a microsecond.
    pub fn is_fast(&self) -> bool {
        matches!(self.source, Source::Noise(_))
    }

    /// Whether `loads` are accurate for every motion, not only for that of the plate.
    pub fn serves_all_motions(&self) -> bool {
        matches!(self.places, Places::Grid(..))
    }

    /// What each value counts in ∫H w dS of the three functionals [m², m², m³].
    pub(crate) fn loads(&self, twist: &Twist) -> [Vec<f64>; 3] {
        match &self.places {
            Places::Nodes(nodes) => [0, 1, 2].map(|i| {
                let pairs = nodes.points.iter().zip(&nodes.weights);
                pairs.map(|(point, area)| area * twist.weights(*point)[i]).collect()
            }),
            Places::Grid(grid) => {
                let functionals = Functionals { outline: grid.outline.clone(), twist: *twist };
                grid.lines.loads(&functionals, grid.resolution)
            }
            Places::Mesh(mesh) => mesh.loads(twist),
            Places::Given(loads) => loads.map(|load| vec![load]),
        }
    }

    /// Writes the coefficient [-] of a realisation; `scratch` is kept from call to call, so that nothing is allocated twice.
    pub(crate) fn fill(&self, germ: &Germ, values: &mut [f64], scratch: &mut Vec<f64>) {
        match &self.source {
            Source::Noise(noise) => noise.fill(germ, values, scratch),
            Source::Field(realisations) => {
                if realisations.fill(germ, values).is_err() {
                    // never after the trial; a value that spoils every mean is better than a wrong one
                    values.fill(f64::NAN);
                }
            }
            Source::Given => values.fill(1.0),
        }
    }

    /// Writes both realisations of an antithetic pair; `germ` is that of the first.
    pub(crate) fn fill_pair(&self, germ: &Germ, [plain, mirrored]: [&mut [f64]; 2], scratch: &mut Vec<f64>) {
        if let Source::Noise(noise) = &self.source {
            return noise.fill_pair(germ, [plain, mirrored], scratch);
        }
        self.fill(germ, plain, scratch);
        self.fill(&Germ { realisation: germ.realisation + 1, ..*germ }, mirrored, scratch);
    }
}

impl Places {
    fn count(&self) -> usize {
        match self {
            Places::Nodes(nodes) => nodes.points.len(),
            Places::Grid(grid) => grid.lines.count(),
            Places::Mesh(mesh) => mesh.corners.len(),
            Places::Given(_) => 1,
        }
    }
}

/// The lengths \[m\] of a Gaussian correlation of the parent of a lognormal field.
fn gaussian_parent(field: &RandomField) -> Option<[f64; 2]> {
    let parent =
        field.correlation_of == CorrelationOf::GaussianParent && matches!(field.marginal, Marginal::Lognormal(_));
    let (_, scale) = field.prescribed.family.power_exponential().filter(|(exponent, _)| *exponent == 2.0)?;
    parent.then(|| field.prescribed.length.map(|length| scale * length))
}

/// Steps of a grid beyond the area on each side: half a stencil.
const MARGIN: f64 = 3.0;

/// An even grid under an area that shows a field.
fn grid_under(outline: &Outline, random: &RandomField) -> Result<Grid, AnalysisError> {
    let prescribed = &random.prescribed;
    let shortest = prescribed.recommended_step(GridPurpose::Trajectories);
    // along the axes of the correlation each has its own step
    let own = |length: f64| {
        if prescribed.angle == 0.0 { shortest * length / prescribed.shortest_length() } else { shortest }
    };
    let [low, high] = outline.geometry.bounds;
    let steps: [f64; 2] = std::array::from_fn(|axis| own(prescribed.length[axis]).min(0.2 * (high[axis] - low[axis])));
    let from = std::array::from_fn(|axis| low[axis] - MARGIN * steps[axis]);
    let to = std::array::from_fn(|axis| high[axis] + MARGIN * steps[axis]);
    Grid::covering(from, to, steps)
        .map_err(|error| AnalysisError::unsuitable("field.correlation_length", error.to_string()))
}
