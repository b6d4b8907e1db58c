//! Coefficients of variation as functions of the correlation length: curves, level crossings, the largest value.

use super::covariance::Covariance;
use super::motion::Kind;
use super::norm::Closure;
use super::plate::{NoCovariance, Plate, PlateTable};
use super::variation::{TorqueLength, Variations};
use crate::analysis::{AnalysisError, Progress};
use crate::num::real::{exp, ln};
use crate::num::roots::root;
use rayon::prelude::*;

/// One of the coefficients of variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Of the force by the spread of its length.
    ForceNorm,
    /// Of the torque.
    Torque,
}

impl Quantity {
    /// Its value; none if undefined.
    pub fn of(self, variations: &Variations) -> Option<f64> {
        match self {
            Quantity::ForceNorm => variations.force_norm,
            Quantity::Torque => variations.torque,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Quantity::ForceNorm => "a force",
            Quantity::Torque => "a torque",
        }
    }
}

/// A plate whose correlation length varies.
#[derive(Debug, Clone)]
pub struct Curves {
    /// The tables of the plate.
    pub table: PlateTable,
    /// Those of the plate in translation, where the length of the force needs them: see [`Plate::closed_norm`].
    pub level: Option<PlateTable>,
    /// The covariance at the length of its keys; other lengths scale it.
    pub covariance: Covariance,
    /// Length of the keys \[m\].
    pub reference: f64,
    /// The length that makes torques comparable with forces.
    pub torque_length: TorqueLength,
    /// What to do with a function that is no covariance.
    pub policy: NoCovariance,
}

/// One point of the curves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Correlation length \[m\].
    pub length: f64,
    /// Coefficients of variation there.
    pub variations: Variations,
    /// Estimated error of that of the length of the force [-]; none if it is undefined or no field exists.
    pub norm_error: Option<f64>,
    /// Coefficient of variation of the length of a Gaussian force with the same mean and covariance [-].
    pub gaussian: Option<f64>,
}

/// A maximum of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// Correlation length \[m\].
    pub length: f64,
    /// Value there [-].
    pub value: f64,
}

impl Curves {
    /// Curves of a plate for lengths from `shortest` \[m\] on; `reference` is the length of the keys \[m\].
    ///
    /// # Errors
    /// As [`Plate::tabulated`].
    pub fn new(
        plate: &Plate,
        covariance: Covariance,
        [reference, shortest]: [f64; 2],
        torque_length: TorqueLength,
        policy: NoCovariance,
        closure: Closure,
        progress: &dyn Progress,
    ) -> Result<Self, AnalysisError> {
        let table = plate.tabulated(&covariance, shortest, progress)?;
        let varies = plate.kind != Kind::Translation && closure == Closure::Level;
        let level = varies.then(|| plate.translated().tabulated(&covariance, shortest, progress)).transpose()?;
        Ok(Self { table, level, covariance, reference, torque_length, policy })
    }

    /// The coefficients of variation at one correlation length \[m\], with the best length of the force that needs no samples.
    ///
    /// # Errors
    /// As [`PlateTable::moments`].
    pub(crate) fn at(&self, length: f64) -> Result<CurvePoint, AnalysisError> {
        let covariance = self.covariance.scaled(length / self.reference);
        let moments = self.table.moments(&covariance, self.policy)?;
        let level = self.level.as_ref().map(|level| level.moments(&covariance, self.policy)).transpose()?;
        let plate = self.table.plate();
        let best = plate.closed_norm(&moments, level.as_ref());
        let variations = plate.variations_with(&moments, covariance.mean, self.torque_length, best.norm);
        let norm_error = variations.norm_error(best.error, best.error).filter(|_| !moments.formal);
        let gaussian = plate.variations(&moments, covariance.mean, self.torque_length).force_norm;
        Ok(CurvePoint { length, variations, norm_error, gaussian })
    }

    /// The value of one quantity at a length.
    ///
    /// # Errors
    /// As `Curves::at`; [`AnalysisError::Unsuitable`] if it is undefined.
    pub fn value(&self, quantity: Quantity, length: f64) -> Result<f64, AnalysisError> {
        let undefined = || {
            let message =
                format!("gives {} whose mean is zero: its coefficient of variation is undefined", quantity.words());
            AnalysisError::unsuitable("motion", message)
        };
        quantity.of(&self.at(length)?.variations).ok_or_else(undefined)
    }

    /// The curves at these lengths, in their order.
    ///
    /// # Errors
    /// The first error of `Curves::at`.
    pub fn over(&self, lengths: &[f64]) -> Result<Vec<CurvePoint>, AnalysisError> {
        let points: Vec<_> = lengths.par_iter().map(|length| self.at(*length)).collect();
        points.into_iter().collect()
    }

    /// All lengths between `from` and `to` \[m\] at which a quantity crosses a level, ascending, to about 1e-10; crossings
    /// closer to each other than a sixtieth of a decade may be missed.
    ///
    /// # Errors
    /// As [`Curves::value`].
    pub fn crossings(&self, quantity: Quantity, level: f64, from: f64, to: f64) -> Result<Vec<f64>, AnalysisError> {
        let lengths = spaced(from, to);
        let points = self.over(&lengths)?;
        let values: Vec<f64> =
            points.iter().map(|p| quantity.of(&p.variations).map_or(f64::NAN, |value| value - level)).collect();
        let mut found = Vec::new();
        for (ends, values) in lengths.windows(2).zip(values.windows(2)) {
            if (values[0] < 0.0) != (values[1] < 0.0) && values.iter().all(|value| value.is_finite()) {
                let difference = |x: f64| self.value(quantity, exp(x)).map_or(f64::NAN, |value| value - level);
                found.push(exp(root(ln(ends[0]), ln(ends[1]), difference)?));
            }
        }
        Ok(found)
    }

    /// The largest value of a quantity between two lengths \[m\] and where it is, to about 1e-9; none if it is at an end.
    ///
    /// # Errors
    /// As [`Curves::value`].
    pub fn peak(&self, quantity: Quantity, from: f64, to: f64) -> Result<Option<Peak>, AnalysisError> {
        let lengths = spaced(from, to);
        let points = self.over(&lengths)?;
        let values: Vec<f64> =
            points.iter().map(|point| quantity.of(&point.variations).unwrap_or(f64::NEG_INFINITY)).collect();
        let Some(best) = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])) else { return Ok(None) };
        if best == 0 || best + 1 == values.len() {
            return Ok(None);
        }
        // a maximum is found by the root of the slope: values alone give only half the digits
        let slope = |x: f64| slope(x, |x| self.value(quantity, exp(x)).unwrap_or(f64::NAN));
        let (low, high) = (ln(lengths[best - 1]), ln(lengths[best + 1]));
        let length = exp(root(low, high, slope)?);
        Ok(Some(Peak { length, value: self.value(quantity, length)? }))
    }
}

/// Slope by central differences of order eight: 1e-12 for curves that are smooth over a factor of e.
fn slope(x: f64, value: impl Fn(f64) -> f64) -> f64 {
    const STEP: f64 = 0.02;
    const WEIGHTS: [f64; 4] = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    let pairs = WEIGHTS.iter().enumerate().map(|(i, weight)| {
        let h = STEP * (i + 1) as f64;
        weight * (value(x + h) - value(x - h))
    });
    pairs.sum::<f64>() / STEP
}

/// Sixty lengths per decade from `from` to `to`.
pub(crate) fn spaced(from: f64, to: f64) -> Vec<f64> {
    let decades = (ln(to / from) / std::f64::consts::LN_10).clamp(0.0, 40.0);
    let count = (60.0 * decades).ceil().max(2.0) as usize;
    (0..=count).map(|i| from * exp(ln(to / from) * i as f64 / count as f64)).collect()
}
