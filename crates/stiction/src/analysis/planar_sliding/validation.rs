//! Samples against closed forms: the translating square over its size and the correlation length [hu2021, Fig. 4–6].

use super::covariance::Covariance;
use super::motion::Motion;
use super::plate::{Moments, NoCovariance, Plate};
use super::sampling::{Estimate, Pairing, Samples};
use super::tensor::TensorSampler;
use crate::analysis::{AnalysisError, Progress};
use crate::field::{Correlation, CorrelationOf};
use crate::patch::{Shape, Square};

/// The coefficient and the number of samples of a validation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Validation {
    /// Pressure \[Pa\].
    pub pressure: f64,
    /// Mean of the coefficient [-].
    pub mean: f64,
    /// Standard deviation of the coefficient [-].
    pub standard_deviation: f64,
    /// Samples at each point [-].
    pub samples: usize,
    /// Seed of the samples.
    pub seed: u64,
}

/// Sampled and exact variances at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValidationPoint {
    /// Half the side of the square \[m\].
    pub half_side: f64,
    /// Correlation length \[m\].
    pub length: f64,
    /// Sampled variance of F_x \[N²\].
    pub sampled_force: Estimate,
    /// Sampled variance of T [N² m²].
    pub sampled_torque: Estimate,
    /// Exact moments of the field that is sampled, whose Gaussian parent has the correlation (convention B).
    pub sampled_field: Moments,
    /// Exact moments of the field of the closed forms, whose coefficient has it (convention A).
    pub closed_form: Moments,
}

impl ValidationPoint {
    /// Relative errors of the two sampled variances against the closed forms [-], as the paper draws them: they contain the
    /// difference of the two conventions.
    pub fn relative_errors(&self) -> [f64; 2] {
        let exact = &self.closed_form.covariance;
        [self.sampled_force.value / exact[0][0] - 1.0, self.sampled_torque.value / exact[2][2] - 1.0]
    }
}

impl Validation {
    /// Sampled and exact variances for every half side \[m\] and every correlation length \[m\], lengths running fastest.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] for sizes or coefficients that are not > 0, [`AnalysisError::Cancelled`] on request.
    pub fn over(
        &self,
        half_sides: &[f64],
        lengths: &[f64],
        progress: &dyn Progress,
    ) -> Result<Vec<ValidationPoint>, AnalysisError> {
        progress.begin("samples of the translating square", (half_sides.len() * lengths.len()) as u64);
        let mut points = Vec::with_capacity(half_sides.len() * lengths.len());
        for &half_side in half_sides {
            for &length in lengths {
                if progress.cancelled() {
                    return Err(crate::analysis::Cancelled.into());
                }
                points.push(self.at(half_side, length)?.0);
                progress.advance(1);
            }
        }
        Ok(points)
    }

    /// One point, with its samples.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] for sizes or coefficients that are not > 0.
    pub fn at(&self, half_side: f64, length: f64) -> Result<(ValidationPoint, Samples), AnalysisError> {
        let plate = Plate::new(&Shape::Square(Square { half_side }), &Motion::default(), self.pressure)?;
        let exact = |of: CorrelationOf| {
            let correlation = Correlation::gaussian(length);
            let covariance = Covariance::new(self.mean, self.standard_deviation, &correlation, of);
            plate.moments(&covariance, NoCovariance::Refuse)
        };
        let (closed_form, sampled_field) = (exact(CorrelationOf::Coefficient)?, exact(CorrelationOf::GaussianParent)?);
        let sides = [half_side, half_side];
        let sampler = TensorSampler::new(sides, length, self.mean, self.standard_deviation, None, self.seed)?;
        let twist = plate.functionals.twist;
        let samples = Samples::draw(&sampler, &twist, self.pressure, self.samples, Pairing::Independent);
        let [sampled_force, _, sampled_torque] = samples.moments(&sampled_field).variance;
        let point = ValidationPoint { half_side, length, sampled_force, sampled_torque, sampled_field, closed_form };
        Ok((point, samples))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Silent;

    #[test]
    fn samples_agree_with_closed_forms_over_sizes_and_lengths() {
        let validation = Validation { pressure: 1.0, mean: 0.5, standard_deviation: 0.1, samples: 2000, seed: 1 };
        let points = validation.over(&[0.5, 2.5], &[0.25, 1.0], &Silent).unwrap();
        assert_eq!((points.len(), points[1].half_side, points[1].length), (4, 0.5, 1.0));
        for point in points {
            // 4 standard errors of a sampled variance, and the difference of the conventions, below 2 % at cv = 0.2
            let bound = 4.0 * (2.0_f64 / 2000.0).sqrt() + 0.02;
            for error in point.relative_errors() {
                assert!(error.abs() < bound, "{point:?}");
            }
        }
        assert!(validation.over(&[-1.0], &[1.0], &Silent).is_err());
        assert!(validation.over(&[1.0], &[0.0], &Silent).is_err());
    }
}
