//! What a person says about a sliding plate.

use super::covariance::Covariance;
use super::motion::Motion;
use super::norm::Closure;
use super::plate::{NoCovariance, Plate};
use super::variation::TorqueLength;
use crate::Problem;
use crate::analysis::AnalysisError;
use crate::field::{
    CorrelationOf, FieldDescription, FieldError, FieldModel, Indefinite, LengthChoice, Marginal, MarginalChoice,
    RandomField,
};
use crate::keys::{keyed, outside};
use crate::patch::{Shape, Square};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rigid plate that slides on a plane; its coefficient of friction is a field fixed to the plate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanarSliding {
    /// The contact area.
    #[serde(default = "paper_shape")]
    pub shape: Shape,
    /// Mean pressure, uniform \[Pa\].
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub pressure: f64,
    /// The friction coefficient over the plate; by default mean 0.5, standard deviation 0.1, correlation length 1 m.
    pub field: FieldModel,
    /// How the plate moves.
    #[serde(default)]
    pub motion: Motion,
    /// The length a_m that makes torques comparable with forces: `paper` (a/√2 with a = √area/2), `rms`, `mean_distance`, or
    /// a number \[m\].
    #[serde(default)]
    pub torque_length: TorqueLength,
    /// Number of realisations where samples are drawn [-].
    #[serde(default = "five_thousand")]
    #[schemars(range(min = 2))]
    pub samples: usize,
    /// Where realisations are drawn on the plate.
    #[serde(default)]
    pub sampler: SamplerChoice,
}

keyed!(PlanarSliding);

/// Where realisations are drawn on the plate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SamplerChoice {
    /// At the nodes of a quadrature that is as fine as the correlation needs.
    #[default]
    Quadrature,
    /// As in the paper: at the corners of triangles of size min(l, 0.1 a), averaged over elements (squares and rectangles).
    PaperMesh,
}

fn paper_shape() -> Shape {
    Shape::Square(Square { half_side: 1.0 })
}

fn one() -> f64 {
    1.0
}

fn five_thousand() -> usize {
    5000
}

/// The first problem of a field, with its key below `field`.
pub(crate) fn unsuitable(error: &FieldError) -> AnalysisError {
    match error.problems().into_iter().next() {
        Some(problem) => problem.below("field").into(),
        None => AnalysisError::unsuitable("field", error.to_string()),
    }
}

/// Defaults of the paper for keys that a random field leaves open.
const MEAN: f64 = 0.5;
const STANDARD_DEVIATION: f64 = 0.1;
const CORRELATION_LENGTH: f64 = 1.0;

impl PlanarSliding {
    /// What is wrong with the parameters; empty if nothing.
    pub fn problems(&self) -> Vec<Problem> {
        let mut found = outside(self);
        if !found.is_empty() {
            return found;
        }
        found.extend(self.shape.contradictions().into_iter().map(|problem| problem.below("shape")));
        found.extend(self.motion.problems().into_iter().map(|problem| problem.below("motion")));
        found.extend(self.field_model().contradictions().into_iter().map(|problem| problem.below("field")));
        found
    }

    /// The plate.
    ///
    /// # Errors
    /// As [`Plate::new`].
    pub fn plate(&self) -> Result<Plate, AnalysisError> {
        Plate::new(&self.shape, &self.motion, self.pressure)
    }

    /// What to do with a function that is no covariance.
    pub fn policy(&self) -> NoCovariance {
        // `projected` changes the covariance before it arrives here
        if self.field.indefinite == Indefinite::Formal { NoCovariance::Formal } else { NoCovariance::Refuse }
    }

    /// How the length of the force follows from its moments: as that of a Gaussian force only for a Gaussian coefficient.
    ///
    /// # Errors
    /// As [`PlanarSliding::description`].
    pub fn closure(&self) -> Result<Closure, AnalysisError> {
        let field = self.description(CorrelationOf::Coefficient)?;
        let gaussian =
            matches!(&field, FieldDescription::Random(field) if matches!(field.marginal, Marginal::Gaussian(_)));
        Ok(if gaussian { Closure::Gaussian } else { Closure::Level })
    }

    /// The keys of the field, with the paper's mean, standard deviation and correlation length where a random field leaves
    /// them open.
    pub fn field_model(&self) -> FieldModel {
        let mut model = self.field.clone();
        let given = model.constant.is_some() || model.expression.is_some() || model.file.is_some();
        if !given {
            if !matches!(model.marginal, MarginalChoice::Quantiles(_)) {
                model.mean.get_or_insert(MEAN);
                model.standard_deviation.get_or_insert(STANDARD_DEVIATION);
            }
            model.correlation_length.get_or_insert(LengthChoice::Isotropic(CORRELATION_LENGTH));
        }
        model
    }

    /// The field; `unsaid` is the convention if the keys do not say whose correlation they give: that of the coefficient for
    /// exact moments, that of the Gaussian parent for samples.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] with the first problem of the field.
    pub fn description(&self, unsaid: CorrelationOf) -> Result<FieldDescription, AnalysisError> {
        self.field_model().prepared(unsaid).map_err(|error| unsuitable(&error))
    }

    /// Correlation length \[m\]; the geometric mean if there are two.
    pub fn correlation_length(&self) -> f64 {
        match self.field.correlation_length {
            None => CORRELATION_LENGTH,
            Some(LengthChoice::Isotropic(length)) => length,
            Some(LengthChoice::Anisotropic([along, across])) => (along * across).sqrt(),
        }
    }

    /// The random field.
    ///
    /// # Errors
    /// As [`PlanarSliding::description`], and if the coefficient is a given function.
    pub(crate) fn random_field(&self, unsaid: CorrelationOf) -> Result<RandomField, AnalysisError> {
        match self.description(unsaid)? {
            FieldDescription::Random(field) => Ok(*field),
            _ => {
                let message = "is a given function, but statistics need a random field; give `mean`, `standard_deviation` > 0 \
                               and `correlation_length`";
                Err(AnalysisError::unsuitable("field", message))
            }
        }
    }

    /// The covariance of the coefficient; none for a uniform one.
    ///
    /// # Errors
    /// As [`PlanarSliding::description`], and if the coefficient is a formula or a measured map.
    pub fn covariance(&self, unsaid: CorrelationOf) -> Result<Covariance, AnalysisError> {
        match self.description(unsaid)? {
            FieldDescription::Constant(mean) => Ok(Covariance::none(mean)),
            _ => {
                let field = self.random_field(unsaid)?;
                let defect = field.defect().map_err(|error| unsuitable(&error))?;
                if defect.is_some_and(|defect| defect.policy == Indefinite::Projected) {
                    let message = "is projected: the nearest field can be sampled (study.field), but its exact moments are \
                                   not known; use \"formal\" for the moments of the function itself";
                    return Err(AnalysisError::unsuitable("field.indefinite", message));
                }
                Ok(Covariance::of(&field))
            }
        }
    }
}
