//! What curves of coefficients of variation say in a few numbers, and their tables.

use super::curves::{KEY, MomentCurves, Variant};
use crate::dataset::{Outcome, Table, Value};
use crate::study::StudyError;
use std::f64::consts::SQRT_2;
use stiction::analysis::planar_sliding::curves::CurvePoint;
use stiction::analysis::planar_sliding::{Curves, Quantity};
use stiction::num::real::log10;

/// A curve of one variant.
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) a: f64,
    pub(super) points: Vec<CurvePoint>,
    /// Sampled coefficient of variation of ‖F‖ and its standard error.
    pub(super) sampled: Option<Vec<(f64, f64)>>,
}

/// What a curve says in a few numbers; lengths are in units of a.
pub(super) struct Summary {
    force: One,
    torque: One,
}

struct One {
    /// Place and value of the maximum inside the range; none if it is at an end.
    peak: Option<(f64, f64)>,
    /// Decades of length over which the value is above its maximum divided by √2; none without a maximum, or if it ends outside.
    bandwidth: Option<f64>,
    /// Value at the largest ratio.
    last: Option<f64>,
    /// Value at the smallest ratio.
    first: Option<f64>,
    /// Whether the values never fall.
    rises: bool,
    /// Crossings of each level.
    crossings: Vec<Vec<f64>>,
    /// Values at the ratios that are told.
    told: Vec<f64>,
    /// Largest value along the sampled curve (or the exact one), with its ratio.
    highest: Option<(f64, f64)>,
}

impl MomentCurves {
    pub(super) fn summary(
        &self,
        curves: &Curves,
        points: &[CurvePoint],
        sampled: Option<&[(f64, f64)]>,
        ratios: &[f64],
    ) -> Result<Summary, StudyError> {
        let a = curves.table.plate().half_side();
        let one = |quantity: Quantity| -> Result<One, StudyError> {
            let values: Vec<Option<f64>> = points.iter().map(|point| quantity.of(&point.variations)).collect();
            let ends = (self.from * a, self.to * a);
            let peak = curves.peak(quantity, ends.0, ends.1)?.map(|peak| (peak.length / a, peak.value));
            let bandwidth = match peak {
                Some((_, value)) => match curves.crossings(quantity, value / SQRT_2, ends.0, ends.1)?[..] {
                    [low, high] => Some(log10(high / low)),
                    _ => None,
                },
                None => None,
            };
            let mut crossings = Vec::new();
            for level in &self.levels {
                let found = curves.crossings(quantity, *level, ends.0, ends.1)?;
                crossings.push(found.into_iter().map(|length| length / a).collect());
            }
            let mut told = Vec::new();
            for ratio in &self.report_at {
                if !(ratio.is_finite() && *ratio > 0.0) {
                    let message = format!("has {ratio}, but ratios must be finite numbers > 0");
                    return Err(StudyError::unsuitable(format!("{KEY}.report_at"), message));
                }
                told.push(curves.value(quantity, ratio * a)?);
            }
            let rises = values.windows(2).all(|pair| match pair {
                [Some(low), Some(high)] => *high >= low - 1e-9,
                _ => false,
            });
            let best = match (sampled, quantity) {
                (Some(sampled), Quantity::ForceNorm) => sampled
                    .iter()
                    .zip(ratios)
                    .map(|((value, _), ratio)| (*ratio, *value))
                    .filter(|(_, value)| value.is_finite())
                    .max_by(|a, b| a.1.total_cmp(&b.1)),
                _ => {
                    let known =
                        values.iter().zip(ratios).filter_map(|(value, ratio)| value.map(|value| (*ratio, value)));
                    known.max_by(|a, b| a.1.total_cmp(&b.1))
                }
            };
            let (first, last) = (values.first().copied().flatten(), values.last().copied().flatten());
            Ok(One { peak, bandwidth, last, first, rises, crossings, told, highest: best })
        };
        Ok(Summary { force: one(Quantity::ForceNorm)?, torque: one(Quantity::Torque)? })
    }
}

pub(super) fn push_summaries(outcome: &mut Outcome, summaries: &[Summary], levels: &[f64], ratios: &[f64]) {
    for (name, of) in
        [("force", (|summary| &summary.force) as fn(&Summary) -> &One), ("torque", |summary| &summary.torque)]
    {
        let list = |value: fn(&One) -> Option<f64>| -> Vec<Value> {
            summaries.iter().map(|summary| value(of(summary)).into()).collect()
        };
        outcome.push(&format!("cv_{name}_max"), "", Value::List(list(|one| one.peak.map(|peak| peak.1))));
        outcome.push(&format!("cv_{name}_argmax"), "", Value::List(list(|one| one.peak.map(|peak| peak.0))));
        outcome.push(&format!("cv_{name}_highest"), "", Value::List(list(|one| one.highest.map(|highest| highest.1))));
        outcome.push(
            &format!("cv_{name}_highest_at"),
            "",
            Value::List(list(|one| one.highest.map(|highest| highest.0))),
        );
        outcome.push(&format!("cv_{name}_bandwidth"), "decades", Value::List(list(|one| one.bandwidth)));
        outcome.push(&format!("cv_{name}_first"), "", Value::List(list(|one| one.first)));
        outcome.push(&format!("cv_{name}_last"), "", Value::List(list(|one| one.last)));
        let rises: Vec<bool> = summaries.iter().map(|summary| of(summary).rises).collect();
        outcome.push(&format!("cv_{name}_rises"), "", rises);
        for (index, ratio) in ratios.iter().enumerate() {
            let told: Vec<Value> =
                summaries.iter().map(|summary| Value::from(of(summary).told.get(index).copied())).collect();
            let label = crate::dataset::number(*ratio).replace('.', "_");
            outcome.push(&format!("cv_{name}_at_{label}"), "", Value::List(told));
        }
        for (index, level) in levels.iter().enumerate() {
            let crossings: Vec<Value> = summaries
                .iter()
                .map(|summary| Value::from(of(summary).crossings.get(index).and_then(|all| all.first()).copied()))
                .collect();
            let label = crate::dataset::number(*level).replace('.', "_");
            outcome.push(&format!("cv_{name}_reaches_{label}"), "", Value::List(crossings));
        }
    }
}

pub(super) fn table(curves: &[Curve]) -> Table {
    let rows = || curves.iter().flat_map(|curve| curve.points.iter().map(move |point| (curve, point)));
    let column = |of: fn(&CurvePoint) -> Option<f64>| rows().map(|(_, point)| of(point).unwrap_or(f64::NAN)).collect();
    let mut table = Table::new("curves", "coefficients of variation, one row a correlation length of a plate")
        .words("plate", "plate", rows().map(|(curve, _)| curve.name.clone()).collect())
        .numbers("length_ratio", "", "l/a", rows().map(|(curve, point)| point.length / curve.a).collect())
        .numbers("correlation_length", "m", "correlation length l", rows().map(|(_, point)| point.length).collect())
        .numbers("cv_force_norm", "", "CV of ‖F‖", column(|point| point.variations.force_norm))
        .numbers("cv_force_norm_error", "", "estimated error", column(|point| point.norm_error))
        .numbers("cv_force_norm_gaussian", "", "CV of ‖F‖ of a Gaussian force", column(|point| point.gaussian))
        .numbers("cv_force_vector", "", "CV of F as a vector", column(|point| point.variations.force_vector))
        .numbers("cv_force_component", "", "CV of F_x", column(|point| point.variations.force_component))
        .numbers("cv_torque", "", "CV of T", column(|point| point.variations.torque));
    if curves.iter().any(|curve| curve.sampled.is_some()) {
        let sampled = |pick: fn(&(f64, f64)) -> f64| -> Vec<f64> {
            curves.iter().flat_map(|curve| curve.sampled.iter().flatten().map(pick)).collect()
        };
        table = table.numbers("cv_force_norm_sampled", "", "CV of ‖F‖", sampled(|found| found.0)).numbers(
            "cv_force_norm_sampled_se",
            "",
            "standard error",
            sampled(|found| found.1),
        );
    }
    table
}

pub(super) fn summary_table(variants: &[Variant], summaries: &[Summary]) -> Table {
    let column = |of: fn(&Summary) -> Option<f64>| summaries.iter().map(|one| of(one).unwrap_or(f64::NAN)).collect();
    Table::new("peaks", "largest coefficients of variation inside the range, one row a plate")
        .words("plate", "plate", variants.iter().map(|variant| variant.name.clone()).collect())
        .numbers("cv_force_max", "", "largest CV of ‖F‖", column(|one| one.force.peak.map(|peak| peak.1)))
        .numbers("cv_force_argmax", "", "l/a there", column(|one| one.force.peak.map(|peak| peak.0)))
        .numbers("cv_torque_max", "", "largest CV of T", column(|one| one.torque.peak.map(|peak| peak.1)))
        .numbers("cv_torque_argmax", "", "l/a there", column(|one| one.torque.peak.map(|peak| peak.0)))
}
