//! How should friction be modelled: as a constant, as one random number, or as a random field?
//!
//! ```text
//! s_q(l) = std(q)/scale_q,     s_q(∞) = its limit for a uniform random coefficient,     S = max_q s_q(∞)
//! all s_q(l) < ε_det                       → deterministic
//! else all |s_q(l) − s_q(∞)| < ε_rv S      → random variable
//! else                                     → random field
//! ```
//! q are the force and the torque with the scales of the coefficients of variation. A functional without mean has
//! s_q(∞) = 0. If S = 0, no random variable can replace the field. The thresholds belong to this shape, motion, kernel and
//! coefficient of variation: there are no universal ones.

use super::covariance::Covariance;
use super::curves::{CurvePoint, Curves, Quantity, spaced};
use super::motion::Kind;
use super::norm::Closure;
use super::plate::{NoCovariance, Plate};
use super::variation::TorqueLength;
use crate::analysis::{AnalysisError, Progress};
use crate::num::real::{exp, ln};
use crate::num::roots::root;
use serde::Serialize;

/// How friction should be modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As a constant: nothing that was asked for varies.
    Deterministic,
    /// As one random number for the whole plate.
    RandomVariable,
    /// As a random field.
    RandomField,
}

/// What is asked of the advisor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// Whether the force matters.
    pub force: bool,
    /// Whether the torque matters.
    pub torque: bool,
    /// A functional that varies by less is taken as certain [-].
    pub tolerance_deterministic: f64,
    /// A functional that is closer to its limit, relative to S, is taken as that of a random variable [-].
    pub tolerance_variable: f64,
    /// The length that makes torques comparable with forces.
    pub torque_length: TorqueLength,
    /// What to do with a function that is no covariance.
    pub policy: NoCovariance,
    /// How the length of the force follows from its moments.
    pub closure: Closure,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            force: true,
            torque: true,
            tolerance_deterministic: 0.05,
            tolerance_variable: 0.05,
            torque_length: TorqueLength::default(),
            policy: NoCovariance::Refuse,
            closure: Closure::default(),
        }
    }
}

/// Thresholds of one functional, or of all together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// Largest length \[m\] below which it stays certain; none if it is certain at every length.
    pub deterministic: Option<f64>,
    /// Smallest length \[m\] above which a random variable serves; none if at no length.
    pub variable: Option<f64>,
}

/// What the advisor found about one functional.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FunctionalAdvice {
    /// s_q at the length asked for [-].
    pub spread: f64,
    /// s_q(∞) [-].
    pub limit: f64,
    /// Where it changes.
    pub thresholds: Thresholds,
    /// Largest s_q over all lengths and where, if it is not the limit.
    pub peak: Option<(f64, f64)>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// How friction should be modelled at the length asked for.
    pub verdict: Verdict,
    /// The force, if asked for.
    pub force: Option<FunctionalAdvice>,
    /// The torque, if asked for.
    pub torque: Option<FunctionalAdvice>,
    /// Both together.
    pub combined: Thresholds,
    /// Estimated error of the spread of the force at the length asked for [-].
    pub force_error: Option<f64>,
    /// What the reader should know.
    pub warnings: Vec<String>,
    /// s_q against the length, for a picture.
    pub curve: Vec<CurvePoint>,
}

/// Range of the scan in units of a.
const SCAN: [f64; 2] = [1e-4, 1e6];

impl Plate {
    /// Advice for a covariance at its own correlation length.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] if nothing is asked for, a tolerance is not > 0, or the moments do not exist;
    /// [`AnalysisError::Cancelled`] if the user interrupts.
    pub fn advice(
        &self,
        covariance: &Covariance,
        question: Question,
        progress: &dyn Progress,
    ) -> Result<Advice, AnalysisError> {
        for (key, value) in [
            ("tolerance_deterministic", question.tolerance_deterministic),
            ("tolerance_variable", question.tolerance_variable),
        ] {
            if !(value.is_finite() && value > 0.0) {
                return Err(AnalysisError::question(key, format!("is {value}, but must be a finite number > 0")));
            }
        }
        let quantities: Vec<Quantity> = [(question.force, Quantity::ForceNorm), (question.torque, Quantity::Torque)]
            .into_iter()
            .filter_map(|(asked, quantity)| asked.then_some(quantity))
            .collect();
        if quantities.is_empty() {
            return Err(AnalysisError::question("functionals", "are none; ask for the force, the torque or both"));
        }
        let length = covariance.kernel.length();
        let lengths = [length, SCAN[0] * self.half_side()];
        let Question { torque_length, policy, closure, .. } = question;
        let curves = Curves::new(self, covariance.clone(), lengths, torque_length, policy, closure, progress)?;
        let a = self.half_side();
        let curve = curves.over(&spaced(SCAN[0] * a, SCAN[1] * a))?;
        let here = curves.at(length)?;
        let limits: Vec<f64> = quantities.iter().map(|q| self.limit(&curves, *q, &here.variations)).collect();
        let largest = limits.iter().copied().fold(0.0, f64::max);

        let mut advices = Vec::new();
        for (quantity, limit) in quantities.iter().zip(&limits) {
            let spread = curves.value(*quantity, length)?;
            let scan = Scan { curves: &curves, curve: &curve, quantity: *quantity };
            let thresholds = Thresholds {
                deterministic: scan.first_above(question.tolerance_deterministic)?,
                variable: scan.last_outside(*limit, question.tolerance_variable * largest)?,
            };
            advices.push(FunctionalAdvice { spread, limit: *limit, thresholds, peak: scan.peak(*limit) });
        }
        let certain = advices.iter().all(|advice| advice.spread < question.tolerance_deterministic);
        let uniform = largest > 0.0
            && advices.iter().all(|one| (one.spread - one.limit).abs() < question.tolerance_variable * largest);
        let verdict = match (certain, uniform) {
            (true, _) => Verdict::Deterministic,
            (false, true) => Verdict::RandomVariable,
            (false, false) => Verdict::RandomField,
        };
        let smallest = advices.iter().filter_map(|advice| advice.thresholds.deterministic).reduce(f64::min);
        let variable = advices
            .iter()
            .map(|advice| advice.thresholds.variable)
            .reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b)))
            .flatten();
        let combined = Thresholds { deterministic: smallest, variable };
        let mut advices = advices.into_iter();
        let force = question.force.then(|| advices.next()).flatten();
        let torque = question.torque.then(|| advices.next()).flatten();
        let warnings = self.warnings(&here.variations, [("force", force), ("torque", torque)], curves.policy);
        Ok(Advice { verdict, force, torque, combined, force_error: here.norm_error, warnings, curve })
    }

    /// s_q(∞): every point of the plate has the same random coefficient, and force and torque are proportional to it.
    fn limit(&self, curves: &Curves, quantity: Quantity, here: &super::variation::Variations) -> f64 {
        let variation = curves.covariance.variation();
        let [x, y, torque] = curves.table.integrals();
        let pressure = self.pressure * curves.covariance.mean;
        let geometry = &self.functionals.outline.geometry;
        let (integral, natural) = match quantity {
            Quantity::Torque => (torque.abs(), geometry.distance_integral),
            _ => ((x * x + y * y).sqrt(), geometry.area),
        };
        if integral < 1e-12 * natural {
            return 0.0;
        }
        let scaled = match quantity {
            Quantity::Torque => here.scales.torque_scaled.then_some(here.scales.torque),
            _ => here.scales.force_scaled.then_some(here.scales.force),
        };
        // in units of its own mean the limit is the variation of the coefficient
        match scaled.flatten() {
            Some(scale) => variation * pressure * integral / scale,
            None => variation,
        }
    }

    fn warnings(
        &self,
        here: &super::variation::Variations,
        advices: [(&str, Option<FunctionalAdvice>); 2],
        policy: NoCovariance,
    ) -> Vec<String> {
        let mut warnings = Vec::new();
        for (name, advice) in advices {
            if let Some((length, value)) = advice.and_then(|advice| advice.peak) {
                warnings.push(format!(
                    "the spread of the {name} is not monotone: it is largest, {value:.4}, at a correlation length of \
                     {length:.4} m"
                ));
            }
        }
        if let (Kind::General, Some([x, y])) = (self.kind, self.functionals.twist.centre()) {
            let ratio = (x * x + y * y).sqrt() / self.half_side();
            if !(0.5..=2.0).contains(&ratio) {
                let small = if ratio < 0.5 { "force" } else { "torque" };
                warnings.push(format!(
                    "the centre of rotation is {ratio:.3} a from the centroid: the mean {small} is small, and its \
                     coefficient of variation large"
                ));
            }
        }
        if self.kind == Kind::General && (here.scales.force_scaled || here.scales.torque_scaled) {
            warnings.push("a mean is zero: the scaled definition of its coefficient of variation is used".to_owned());
        }
        if policy != NoCovariance::Refuse {
            warnings.push("functions that are no covariance are allowed: no such field may exist".to_owned());
        }
        warnings
    }
}

/// One functional along the scan.
struct Scan<'c> {
    curves: &'c Curves,
    curve: &'c [CurvePoint],
    quantity: Quantity,
}

impl Scan<'_> {
    fn value(&self, point: &CurvePoint) -> f64 {
        self.quantity.of(&point.variations).unwrap_or(f64::NAN)
    }

    /// The smallest length at which the curve reaches a level.
    fn first_above(&self, level: f64) -> Result<Option<f64>, AnalysisError> {
        let Some(index) = self.curve.iter().position(|point| self.value(point) >= level) else { return Ok(None) };
        if index == 0 {
            return Ok(Some(0.0));
        }
        self.bracketed(index - 1, |value| value - level).map(Some)
    }

    /// The length beyond which the curve stays within `distance` of its limit; none if it does not arrive.
    fn last_outside(&self, limit: f64, distance: f64) -> Result<Option<f64>, AnalysisError> {
        if distance.is_nan() || distance <= 0.0 {
            return Ok(None);
        }
        let outside = |point: &CurvePoint| (self.value(point) - limit).abs() >= distance;
        match self.curve.iter().rposition(outside) {
            None => Ok(Some(0.0)),
            Some(index) if index + 1 == self.curve.len() => Ok(None),
            Some(index) => self.bracketed(index, |value| (value - limit).abs() - distance).map(Some),
        }
    }

    fn bracketed(&self, index: usize, sign: impl Fn(f64) -> f64) -> Result<f64, AnalysisError> {
        let (low, high) = (self.curve[index].length, self.curve[index + 1].length);
        let at = |x: f64| self.curves.value(self.quantity, exp(x)).map_or(f64::NAN, &sign);
        Ok(exp(root(ln(low), ln(high), at)?))
    }

    /// Where the curve rises above its limit by more than a thousandth.
    fn peak(&self, limit: f64) -> Option<(f64, f64)> {
        let highest = self.curve.iter().max_by(|a, b| self.value(a).total_cmp(&self.value(b)))?;
        let value = self.value(highest);
        (value > 1.001 * limit).then_some((highest.length, value))
    }
}
