//! What curves of coefficients of variation say in a few numbers, and their tables.

use super::curves::{KEY, MomentCurves, Variant};
use crate::dataset::{Outcome, Table, number};
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

/// What the curves of a plate say in a few numbers; lengths are in units of a.
pub(super) struct Summary {
    force: One,
    torque: One,
}

struct One {
    /// Place and value of the maximum inside the range; none if it is at an end.
    peak: Option<(f64, f64)>,
    /// Decades of length over which the value is above its maximum divided by √2; none without a maximum, or if it ends outside.
    bandwidth: Option<f64>,
    /// Where each level is reached first.
    reached: Vec<Option<f64>>,
    /// Values at the ratios that are told.
    told: Vec<f64>,
}

/// A number of one of the two curves.
type Pick<'a> = &'a dyn Fn(&One) -> Option<f64>;

impl MomentCurves {
    pub(super) fn summary(&self, curves: &Curves) -> Result<Summary, StudyError> {
        if let Some(ratio) = self.report_at.iter().find(|ratio| !(ratio.is_finite() && **ratio > 0.0)) {
            let message = format!("has {ratio}, but ratios must be finite numbers > 0");
            return Err(StudyError::unsuitable(format!("{KEY}.report_at"), message));
        }
        let a = curves.table.plate().half_side();
        let (from, to) = (self.from * a, self.to * a);
        let one = |quantity: Quantity| -> Result<One, StudyError> {
            let peak = curves.peak(quantity, from, to)?.map(|peak| (peak.length / a, peak.value));
            let sides = peak.map(|(_, value)| curves.crossings(quantity, value / SQRT_2, from, to)).transpose()?;
            let bandwidth = match sides.as_deref() {
                Some([low, high]) => Some(log10(high / low)),
                _ => None,
            };
            let first = |level: &f64| {
                curves.crossings(quantity, *level, from, to).map(|all| all.first().map(|length| length / a))
            };
            let reached = self.levels.iter().map(first).collect::<Result<_, _>>()?;
            let told =
                self.report_at.iter().map(|ratio| curves.value(quantity, ratio * a)).collect::<Result<_, _>>()?;
            Ok(One { peak, bandwidth, reached, told })
        };
        Ok(Summary { force: one(Quantity::ForceNorm)?, torque: one(Quantity::Torque)? })
    }

    /// The summaries of all plates: as lists over the plates, and as tables whose rows are picked by plate, ratio and level.
    pub(super) fn push_summaries(&self, outcome: &mut Outcome, variants: &[Variant], summaries: &[Summary]) {
        let of_plates = |of: fn(&Summary) -> &One, pick: Pick<'_>| -> Vec<Option<f64>> {
            summaries.iter().map(|summary| pick(of(summary))).collect()
        };
        let (force, torque): (fn(&Summary) -> &One, fn(&Summary) -> &One) = (|one| &one.force, |one| &one.torque);
        let mut peaks = Table::new("peaks", "largest coefficients of variation inside the range, one row a plate")
            .words("plate", "plate", variants.iter().map(|variant| variant.name.clone()).collect());
        for (word, symbol, of) in [("force", "‖F‖", force), ("torque", "T", torque)] {
            let parts: [(&str, &str, String, Pick<'_>); 3] = [
                ("max", "", format!("largest CV of {symbol}"), &|one| one.peak.map(|peak| peak.1)),
                ("argmax", "", "l/a there".to_owned(), &|one| one.peak.map(|peak| peak.0)),
                ("bandwidth", "decades", format!("width of the peak of {symbol}"), &|one| one.bandwidth),
            ];
            for (part, unit, label, pick) in parts {
                let (name, values) = (format!("cv_{word}_{part}"), of_plates(of, pick));
                peaks = peaks.numbers(&name, unit, &label, numbers(&values));
                outcome.push(&name, unit, values);
            }
            for (index, ratio) in self.report_at.iter().enumerate() {
                let name = format!("cv_{word}_at_{}", number(*ratio).replace('.', "_"));
                outcome.push(&name, "", of_plates(of, &|one| one.told.get(index).copied()));
            }
            for (index, level) in self.levels.iter().enumerate() {
                let name = format!("cv_{word}_reaches_{}", number(*level).replace('.', "_"));
                outcome.push(&name, "", of_plates(of, &|one| one.reached.get(index).copied().flatten()));
            }
        }
        outcome.tables.push(peaks);
        let by = |given: &[f64], name: &str, column: [&str; 2], pick: fn(&One, usize) -> Option<f64>| {
            let rows =
                || variants.iter().zip(summaries).flat_map(|one| (0..given.len()).map(move |index| (one, index)));
            let values = |of: fn(&Summary) -> &One| {
                numbers(&rows().map(|((_, summary), index)| pick(of(summary), index)).collect::<Vec<_>>())
            };
            Table::new(name, "numbers of the curves, one row a plate and a given number")
                .words("plate", "plate", rows().map(|((variant, _), _)| variant.name.clone()).collect())
                .numbers(column[0], "", column[1], rows().map(|(_, index)| given[index]).collect())
                .numbers("force", "", "CV of ‖F‖", values(force))
                .numbers("torque", "", "CV of T", values(torque))
        };
        if !self.report_at.is_empty() {
            let pick = |one: &One, index: usize| one.told.get(index).copied();
            outcome.tables.push(by(&self.report_at, "reported", ["length_ratio", "l/a"], pick));
        }
        if !self.levels.is_empty() {
            let pick = |one: &One, index: usize| one.reached.get(index).copied().flatten();
            outcome.tables.push(by(&self.levels, "reached", ["level", "level"], pick));
        }
    }
}

fn numbers(values: &[Option<f64>]) -> Vec<f64> {
    values.iter().map(|value| value.unwrap_or(f64::NAN)).collect()
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
