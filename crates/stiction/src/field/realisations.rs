//! Realisations of a described field, on a grid or at points: the generator is chosen, made once, and used for all of them.

use super::generator::{
    Circulant, Cutoff, Embedding, EmbeddingReport, GeneratorError, Lognormal, MatrixReport, Negative, PointFactor,
    PointMap, Projected, Separable, SeparablePlan, WHOLE,
};
use super::{
    Correlation, Defect, Domain, FieldDescription, FieldError, GeneratorChoice, GeneratorDecision, GeneratorKind, Germ,
    Grid, Marginal, RandomField, Surface,
};

/// Variance that a factor of low rank may drop, relative to all [-].
const DROPPED: f64 = 1e-12;

/// Makes the realisations of a field at fixed places.
#[derive(Debug, Clone)]
pub struct Realisations {
    count: usize,
    making: Maker,
    marginal: Option<Marginal>,
    decision: GeneratorDecision,
    defect: Option<Defect>,
}

#[derive(Debug, Clone)]
enum Maker {
    Given(Vec<f64>),
    Separable(SeparablePlan),
    Circulant(Circulant),
    Cutoff(Cutoff),
    Factor(PointFactor),
    Projected(Projected),
}

/// What there is to say about a generator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GeneratorReport {
    /// Nothing: its covariance is exact to this error [-].
    Exact {
        /// Largest error of the covariance [-].
        covariance_error: f64,
    },
    /// Eigenvalues and size of the periodic embedding.
    Embedding(EmbeddingReport),
    /// Rank and dropped variance of a factor.
    Factor {
        /// Number of independent normal numbers.
        rank: usize,
        /// Dropped variance, relative to all [-].
        dropped: f64,
    },
    /// What was clipped to make a matrix positive.
    Projection {
        /// Eigenvalues before the projection.
        matrix: MatrixReport,
        /// Largest change of the correlation over all pairs of points [-].
        largest_change: f64,
    },
}

impl FieldDescription {
    /// The coefficient [-] of a given function at a point \[m\]. `map` is the measured map, where the description is a file.
    ///
    /// # Errors
    /// The point is not on the map, the coefficient is not a finite number > 0, or the field is random.
    pub(crate) fn known_at(&self, map: Option<&Surface>, [x, y]: [f64; 2]) -> Result<f64, FieldError> {
        let (key, value) = match (self, map) {
            (Self::Constant(value), _) => ("constant", *value),
            (Self::Expression(formula), _) => ("expression", formula.at(x, y)),
            (Self::File(_), Some(map)) => ("file", map.at(x, y).map_err(|error| uncovered(&error))?.value),
            (Self::File(_), None) => {
                return Err(FieldError::Generator { message: "the measured map was not read".to_owned() });
            }
            (Self::Random(_), _) => {
                return Err(FieldError::Generator { message: "a random field has no given values".to_owned() });
            }
        };
        if !(value.is_finite() && value > 0.0) {
            return Err(FieldError::NotPositive { key: key.to_owned(), x, y, value });
        }
        Ok(value)
    }
}

impl Realisations {
    /// For all points of a grid, column by column. `map` is the measured map, where the description is a file.
    ///
    /// # Errors
    /// [`FieldError`]: no such field exists, the generator cannot make it, a given function is not positive at a point or
    /// does not cover it.
    pub(crate) fn on_grid(
        field: &FieldDescription,
        map: Option<&Surface>,
        asked: GeneratorChoice,
        grid: &Grid,
    ) -> Result<Self, FieldError> {
        Self::on_grid_unless(&|| false, field, map, asked, grid)
    }

    /// The same unless `stop` says so: a generator of a large grid takes many seconds.
    ///
    /// # Errors
    /// As `Realisations::on_grid`, and if it was stopped.
    pub fn on_grid_unless(
        stop: &dyn Fn() -> bool,
        field: &FieldDescription,
        map: Option<&Surface>,
        asked: GeneratorChoice,
        grid: &Grid,
    ) -> Result<Self, FieldError> {
        let place = |place| grid.position(place);
        let FieldDescription::Random(random) = field else {
            return Self::given(field, map, (0..grid.points()).map(place));
        };
        let [dx, dy] = grid.step();
        let decision = random.generator(asked, Domain::Grid { sides: grid.size(), step: dx.min(dy) })?;
        let (parent, defect) = random.for_sampling()?;
        random.admit(decision.kind, grid.points(), defect.is_some())?;
        let making = match decision.kind {
            GeneratorKind::Separable => Maker::Separable(random.separable(&parent)?.on(grid)?),
            GeneratorKind::Cutoff => {
                let (_, length) = parent.family.power_exponential().unwrap_or((1.0, 1.0));
                Maker::Cutoff(Cutoff::unless(stop, random.memory, grid, length * parent.length[0])?)
            }
            GeneratorKind::Circulant | GeneratorKind::Given => {
                let embedding = embedding(random, &parent, defect.is_some());
                let correlation = |dx: f64, dy: f64| parent.at(dx, dy);
                Maker::Circulant(Circulant::unless(stop, grid, &correlation, &embedding)?)
            }
            GeneratorKind::Cholesky | GeneratorKind::LowRank => {
                let points: Vec<[f64; 2]> = (0..grid.points()).map(place).collect();
                random.factor(stop, decision.kind, &parent, defect.is_some(), &points)?
            }
        };
        let marginal = Some(random.marginal.clone());
        Ok(Self { count: grid.points(), making, marginal, decision, defect })
    }

    /// For scattered points \[m\], unless `stop` says so. `map` is the measured map, where the description is a file.
    ///
    /// # Errors
    /// As [`Realisations::on_grid_unless`].
    pub(crate) fn at_points(
        stop: &dyn Fn() -> bool,
        field: &FieldDescription,
        map: Option<&Surface>,
        asked: GeneratorChoice,
        points: &[[f64; 2]],
    ) -> Result<Self, FieldError> {
        let FieldDescription::Random(random) = field else {
            return Self::given(field, map, points.iter().copied());
        };
        let decision = random.generator(asked, Domain::Points { count: points.len() })?;
        let (parent, defect) = random.for_sampling()?;
        random.admit(decision.kind, points.len(), defect.is_some())?;
        let making = random.factor(stop, decision.kind, &parent, defect.is_some(), points)?;
        let marginal = Some(random.marginal.clone());
        Ok(Self { count: points.len(), making, marginal, decision, defect })
    }

    fn given(
        field: &FieldDescription,
        map: Option<&Surface>,
        points: impl Iterator<Item = [f64; 2]>,
    ) -> Result<Self, FieldError> {
        let values: Vec<f64> = points.map(|point| field.known_at(map, point)).collect::<Result<_, _>>()?;
        let reason = "The field is a given function.".to_owned();
        let decision = GeneratorDecision { kind: GeneratorKind::Given, reason };
        Ok(Self { count: values.len(), making: Maker::Given(values), marginal: None, decision, defect: None })
    }

    /// Number of places.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Which generator was chosen, and why.
    pub fn decision(&self) -> &GeneratorDecision {
        &self.decision
    }

    /// What is wrong with the correlation, if it had to be projected.
    pub fn defect(&self) -> Option<&Defect> {
        self.defect.as_ref()
    }

    /// What there is to say about the generator.
    pub fn report(&self) -> GeneratorReport {
        match &self.making {
            Maker::Given(_) => GeneratorReport::Exact { covariance_error: 0.0 },
            Maker::Separable(_) => GeneratorReport::Exact { covariance_error: Separable::covariance_error() },
            Maker::Circulant(circulant) => GeneratorReport::Embedding(*circulant.report()),
            Maker::Cutoff(cutoff) => GeneratorReport::Embedding(*cutoff.report()),
            Maker::Factor(factor) => GeneratorReport::Factor { rank: factor.rank(), dropped: factor.dropped() },
            Maker::Projected(projected) => {
                GeneratorReport::Projection { matrix: projected.matrix, largest_change: projected.largest_change }
            }
        }
    }

    /// Writes the coefficients [-] of one realisation; the same for every realisation of a given function.
    ///
    /// # Errors
    /// If `values` has not as many places as there are points, or a coefficient is not positive.
    pub fn fill(&self, germ: &Germ, values: &mut [f64]) -> Result<(), FieldError> {
        let made = match &self.marginal {
            Some(Marginal::Lognormal(lognormal)) => {
                self.mapped(germ, &Lognormal { location: lognormal.log_mean, scale: lognormal.log_deviation }, values)
            }
            Some(marginal) => self.mapped(germ, &|g: f64| marginal.value(g), values),
            None => self.mapped(germ, &super::generator::Gaussian, values),
        };
        made.map_err(FieldError::from)
    }

    fn mapped(&self, germ: &Germ, map: &impl PointMap, values: &mut [f64]) -> Result<(), GeneratorError> {
        match &self.making {
            Maker::Given(given) if given.len() == values.len() => {
                values.copy_from_slice(given);
                Ok(())
            }
            Maker::Given(given) => Err(GeneratorError::Size { found: values.len(), wanted: given.len() }),
            Maker::Separable(plan) => plan.fill(germ, map, values),
            Maker::Circulant(circulant) => circulant.fill(germ, map, values),
            Maker::Cutoff(cutoff) => cutoff.fill(germ, map, values),
            Maker::Factor(factor) => factor.fill(germ, map, values),
            Maker::Projected(projected) => projected.factor.fill(germ, map, values),
        }
    }
}

/// A measured map must cover the whole contact: nothing is continued beyond its rim.
pub(super) fn uncovered(error: &GeneratorError) -> FieldError {
    let message = format!("does not cover the contact: {error}; bring a larger map, or make the contact smaller");
    FieldError::Invalid { problems: vec![crate::Problem::new("file", message)] }
}

impl From<GeneratorError> for FieldError {
    fn from(error: GeneratorError) -> Self {
        FieldError::Generator { message: error.to_string() }
    }
}

impl RandomField {
    /// The generator of its Gaussian parent with a Gaussian correlation.
    pub(super) fn separable(&self, parent: &Correlation) -> Result<Separable, FieldError> {
        let (_, scale) = parent.family.power_exponential().unwrap_or((2.0, 1.0));
        let made = Separable::new(parent.length.map(|length| scale * length), parent.angle)?;
        Ok(made.within(self.memory))
    }

    fn factor(
        &self,
        stop: &dyn Fn() -> bool,
        kind: GeneratorKind,
        parent: &Correlation,
        project: bool,
        points: &[[f64; 2]],
    ) -> Result<Maker, FieldError> {
        let correlation = |dx: f64, dy: f64| parent.at(dx, dy);
        if project {
            return Projected::new(points, &correlation).map(Maker::Projected).map_err(FieldError::from);
        }
        let dropped = if kind == GeneratorKind::Cholesky { WHOLE } else { DROPPED };
        let made = PointFactor::unless(stop, self.memory, points, &correlation, dropped);
        made.map(Maker::Factor).map_err(FieldError::from)
    }

    /// Refuses so many points that their values, or the matrix of a factor, do not fit into the memory.
    fn admit(&self, kind: GeneratorKind, points: usize, project: bool) -> Result<(), FieldError> {
        let each = match kind {
            _ if project && kind != GeneratorKind::Circulant => 32.0 * points as f64,
            GeneratorKind::Cholesky => 8.0 * points as f64,
            _ => 24.0,
        };
        let needed = points as f64 * each;
        if needed <= self.memory as f64 {
            return Ok(());
        }
        Err(GeneratorError::PointMemory {
            generator: kind.name(),
            points,
            needed: (needed / 1_048_576.0).ceil() as u64,
            limit: self.memory >> 20,
            alternative: "use fewer points, a larger `memory`, or another generator",
        }
        .into())
    }
}

/// First half period, tolerance and policy of a periodic embedding.
fn embedding(field: &RandomField, parent: &Correlation, project: bool) -> Embedding {
    let reach = match parent.family.power_exponential() {
        Some((exponent, _)) if exponent >= 2.0 => 5.0,
        Some(_) => 8.0,
        None => 12.0,
    };
    let length = parent.length[0].max(parent.length[1]);
    let negative = if project { Negative::Project } else { Negative::Refuse };
    let (tolerance, memory) = (field.accepted_negative_mass(), field.memory);
    Embedding { tolerance, negative, memory, ..Embedding::new(length, reach) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{CorrelationOf, FieldModel};

    fn field(text: &str) -> FieldDescription {
        let model: FieldModel = serde_json::from_str(text).unwrap();
        model.prepared(CorrelationOf::GaussianParent).unwrap()
    }

    #[test]
    fn every_generator_fills_a_small_grid_with_positive_coefficients() {
        let grid = Grid::new([0.0, 0.0], [0.1, 0.1], [12, 9]).unwrap();
        for (keys, kind) in [
            ("", "separable"),
            (r#", "generator": "circulant""#, "circulant"),
            (r#", "correlation_exponent": 1.0"#, "cutoff"),
            (r#", "correlation": "matern""#, "cholesky"),
            (r#", "generator": "low_rank""#, "low_rank"),
            (r#", "generator": "cholesky", "correlation_exponent": 1.0"#, "cholesky"),
            (r#", "marginal": "uniform""#, "separable"),
        ] {
            let text = format!(r#"{{"mean": 0.5, "standard_deviation": 0.1, "correlation_length": 0.8{keys}}}"#);
            let model: FieldModel = serde_json::from_str(&text).unwrap();
            let made = Realisations::on_grid(&field(&text), None, model.generator, &grid).unwrap();
            assert_eq!(made.decision().kind.name(), kind, "{keys}");
            let (mut first, mut again) = (vec![0.0; 108], vec![0.0; 108]);
            made.fill(&Germ::new(7, 3), &mut first).unwrap();
            made.fill(&Germ::new(7, 3), &mut again).unwrap();
            assert_eq!(first, again);
            assert!(first.iter().all(|value| *value > 0.05 && *value < 2.0), "{keys}");
            assert!(made.fill(&Germ::new(7, 3), &mut [0.0; 3]).is_err());
        }
    }

    #[test]
    fn given_functions_are_the_same_in_every_realisation_and_must_be_positive() {
        let grid = Grid::new([0.0, 0.0], [0.5, 0.5], [3, 2]).unwrap();
        let made = Realisations::on_grid(&field(r#"{"expression": "0.5 + x*y"}"#), None, GeneratorChoice::Auto, &grid);
        let mut values = vec![0.0; 6];
        made.unwrap().fill(&Germ::new(1, 5), &mut values).unwrap();
        assert_eq!(values, [0.5, 0.5, 0.5, 0.75, 0.5, 1.0]);
        let negative = field(r#"{"expression": "0.5 - x"}"#);
        let error =
            Realisations::at_points(&|| false, &negative, None, GeneratorChoice::Auto, &[[0.0, 0.0], [0.7, 0.2]]);
        assert!(error.unwrap_err().to_string().contains("x = 0.7, y = 0.2"));
    }

    #[test]
    fn what_is_no_correlation_is_projected_only_on_request() {
        let grid = Grid::new([0.0, 0.0], [0.1, 0.1], [8, 8]).unwrap();
        let keys =
            r#"{"mean": 0.5, "standard_deviation": 0.1, "correlation_length": 0.4, "correlation_of": "coefficient""#;
        let refused = Realisations::on_grid(&field(&format!("{keys}}}")), None, GeneratorChoice::Auto, &grid);
        assert!(refused.unwrap_err().to_string().contains("gaussian_parent"));
        let text = format!(r#"{keys}, "indefinite": "projected"}}"#);
        let made = Realisations::on_grid(&field(&text), None, GeneratorChoice::Auto, &grid).unwrap();
        assert!(made.defect().is_some());
        assert!(matches!(made.report(), GeneratorReport::Embedding(report) if report.negative_mass > 0.0));
    }
}
