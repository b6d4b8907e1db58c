//! What a person says about a sliding plate.

use super::covariance::{Covariance, Kernel, Stretch};
use super::motion::Motion;
use super::plate::{NoCovariance, Plate};
use super::variation::TorqueLength;
use crate::Problem;
use crate::analysis::AnalysisError;
use crate::field::{
    Correlation, CorrelationOf, Family, FieldModel, Indefinite, KernelChoice, LengthChoice, MarginalChoice,
};
use crate::num::real::{exp_m1, ln_1p};
use crate::patch::{Shape, Square};
use crate::problem::Check;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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

/// Defaults of the paper for keys that a field leaves open.
const MEAN: f64 = 0.5;
const STANDARD_DEVIATION: f64 = 0.1;
const CORRELATION_LENGTH: f64 = 1.0;

impl PlanarSliding {
    /// What is wrong with the parameters besides the field; empty if nothing.
    pub fn problems(&self) -> Vec<Problem> {
        let mut check = Check::default();
        check.positive("pressure", self.pressure);
        if let TorqueLength::Metres(length) = self.torque_length {
            check.positive("torque_length", length);
        }
        if self.samples < 2 {
            check.problem("samples", format!("is {}, but must be at least 2", self.samples));
        }
        let mut found = check.found();
        found.extend(self.shape.problems().into_iter().map(|problem| problem.below("shape")));
        found.extend(self.motion.problems().into_iter().map(|problem| problem.below("motion")));
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

    /// Mean and standard deviation of the coefficient [-].
    pub fn coefficient(&self) -> [f64; 2] {
        match self.field.constant {
            Some(constant) => [constant, 0.0],
            None => [self.field.mean.unwrap_or(MEAN), self.field.standard_deviation.unwrap_or(STANDARD_DEVIATION)],
        }
    }

    /// Correlation length \[m\]; the geometric mean if there are two.
    pub fn correlation_length(&self) -> f64 {
        match self.field.correlation_length {
            None => CORRELATION_LENGTH,
            Some(LengthChoice::Isotropic(length)) => length,
            Some(LengthChoice::Anisotropic([along, across])) => (along * across).sqrt(),
        }
    }

    /// The covariance of the coefficient; `unsaid` is the convention if the field does not say whose correlation it gives:
    /// that of the coefficient for exact moments, that of the Gaussian parent for samples.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] for fields that are no homogeneous random field, and for a Gaussian parent of another
    /// marginal than the lognormal one.
    pub fn covariance(&self, unsaid: CorrelationOf) -> Result<Covariance, AnalysisError> {
        let field = &self.field;
        if field.expression.is_some() || field.file.is_some() {
            let message = "is a given function, but statistics need a random field; give `mean`, `standard_deviation` and \
                           `correlation_length`";
            return Err(AnalysisError::unsuitable("field", message));
        }
        let [mean, deviation] = self.coefficient();
        let of = field.correlation_of.unwrap_or(unsaid);
        if of == CorrelationOf::GaussianParent && !matches!(field.marginal, MarginalChoice::Lognormal) {
            let message = "must be lognormal where `correlation_of` is `gaussian_parent`; or give the correlation of the \
                           `coefficient`";
            return Err(AnalysisError::unsuitable("field.marginal", message));
        }
        let length = match field.correlation_length {
            None => [CORRELATION_LENGTH; 2],
            Some(LengthChoice::Isotropic(length)) => [length; 2],
            Some(LengthChoice::Anisotropic(lengths)) => lengths,
        };
        for length in length {
            if !(length.is_finite() && length > 0.0) {
                let message = format!("is {length}, but must be a finite number > 0");
                return Err(AnalysisError::unsuitable("field.correlation_length", message));
            }
        }
        match &field.correlation {
            KernelChoice::PowerExponential => {
                let exponent = field.correlation_exponent;
                if !(exponent.is_finite() && exponent > 0.0) {
                    let message = format!("is {exponent}, but must be a finite number > 0");
                    return Err(AnalysisError::unsuitable("field.correlation_exponent", message));
                }
                let family = Family::PowerExponential { exponent };
                let correlation = Correlation { family, length, angle: field.angle };
                Ok(Covariance::new(mean, deviation, &correlation, of))
            }
            KernelChoice::Matern => {
                let nu = field.smoothness;
                if !(nu.is_finite() && nu > 0.0) {
                    let message = format!("is {nu}, but must be a finite number > 0");
                    return Err(AnalysisError::unsuitable("field.smoothness", message));
                }
                let size = (length[0] * length[1]).sqrt();
                let kernel = match of {
                    CorrelationOf::Coefficient => Kernel::matern(deviation * deviation, nu, size),
                    CorrelationOf::GaussianParent => {
                        let parent = Kernel::matern(1.0, nu, size);
                        let s2 = ln_1p(deviation * deviation / (mean * mean));
                        let value = Arc::new(move |r: f64| mean * mean * exp_m1(s2 * parent.at(r)));
                        Kernel::Function { value, length: size }
                    }
                };
                let ratio = length[0] / length[1];
                Ok(Covariance { mean, kernel, stretch: Stretch { ratio, angle: field.angle } })
            }
            KernelChoice::Table(_) | KernelChoice::Expression(_) => {
                let message = "must be `power_exponential` or `matern` for the statistics of a plate";
                Err(AnalysisError::unsuitable("field.correlation", message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PlanarSliding, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn an_empty_scenario_is_the_paper() {
        let paper = read(r#"{"field": {}}"#).unwrap();
        assert!(paper.problems().is_empty());
        assert_eq!((paper.coefficient(), paper.correlation_length(), paper.samples), ([0.5, 0.1], 1.0, 5000));
        let covariance = paper.covariance(CorrelationOf::Coefficient).unwrap();
        let moments = paper.plate().unwrap().moments(&covariance, paper.policy()).unwrap();
        assert!((moments.mean[0] + 2.0).abs() < 1e-15);
        assert!(
            (moments.covariance[0][0] - 0.01 * crate::analysis::planar_sliding::square::i0(1.0).powi(2)).abs() < 1e-15
        );
    }

    #[test]
    fn lengths_are_read_by_name_or_as_a_number() {
        let named = read(r#"{"field": {}, "torque_length": "rms"}"#).unwrap();
        let outline = crate::patch::Outline::of(&named.shape).unwrap();
        assert!((named.torque_length.of(&outline.geometry) - (2.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        let metres = read(r#"{"field": {}, "torque_length": 0.25}"#).unwrap();
        assert_eq!(metres.torque_length, TorqueLength::Metres(0.25));
        assert!(read(r#"{"field": {}, "torque_length": -1.0}"#).unwrap().problems()[0].key == "torque_length");
    }

    #[test]
    fn what_does_not_fit_is_said_with_its_key() {
        let text = r#"{"field": {"marginal": "uniform", "correlation_of": "gaussian_parent"}}"#;
        let error = read(text).unwrap().covariance(CorrelationOf::Coefficient).unwrap_err();
        assert!(error.to_string().starts_with("field.marginal"), "{error}");
        let cubic = read(r#"{"field": {"correlation_exponent": 3.0}, "motion": "rotation"}"#).unwrap();
        let covariance = cubic.covariance(CorrelationOf::Coefficient).unwrap();
        let error = cubic.plate().unwrap().moments(&covariance, cubic.policy()).unwrap_err();
        assert!(error.to_string().contains("three points"), "{error}");
    }
}
