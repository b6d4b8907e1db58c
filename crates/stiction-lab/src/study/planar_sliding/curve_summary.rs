//! What curves of coefficients of variation say in a few numbers, and their tables.

use super::curves::{KEY, MomentCurves};
use crate::dataset::{Outcome, Table};
use crate::study::StudyError;
use std::f64::consts::SQRT_2;
use stiction::analysis::planar_sliding::curves::CurvePoint;
use stiction::analysis::planar_sliding::{Curves, Quantity};
use stiction::num::real::log10;

/// The curves of one plate.
pub(super) struct Curve {
    pub(super) name: String,
    /// As a function of the length, and at all ratios.
    pub(super) scan: Curves,
    pub(super) points: Vec<CurvePoint>,
    /// Sampled coefficient of variation of ‖F‖ and its standard error.
    pub(super) sampled: Option<Vec<(f64, f64)>>,
}

impl Curve {
    fn half_side(&self) -> f64 {
        self.scan.table.plate().half_side()
    }
}

/// What a curve says in a few numbers, NaN where there is none; lengths are in units of a.
struct Summary {
    /// Peak inside the range, its place, and its width in decades at 1/√2.
    peak: [f64; 3],
    /// Values at the ratios of `report_at`.
    reported: Vec<f64>,
    /// Where the levels are reached first.
    reached: Vec<f64>,
}

impl MomentCurves {
    fn summary(&self, curve: &Curve, quantity: Quantity) -> Result<Summary, StudyError> {
        if let Some(ratio) = self.report_at.iter().find(|ratio| !(ratio.is_finite() && **ratio > 0.0)) {
            let message = format!("has {ratio}, but ratios must be finite numbers > 0");
            return Err(StudyError::unsuitable(format!("{KEY}.report_at"), message));
        }
        let (scan, a) = (&curve.scan, curve.half_side());
        let ends = [self.from * a, self.to * a];
        let crossings = |level: f64| scan.crossings(quantity, level, ends[0], ends[1]);
        let peak = scan.peak(quantity, ends[0], ends[1])?;
        let sides = peak.map(|peak| crossings(peak.value / SQRT_2)).transpose()?.unwrap_or_default();
        let bandwidth = if let [low, high] = sides[..] { log10(high / low) } else { f64::NAN };
        let [value, place] = peak.map_or([f64::NAN; 2], |peak| [peak.value, peak.length / a]);
        let reported = self.report_at.iter().map(|ratio| scan.value(quantity, ratio * a)).collect::<Result<_, _>>()?;
        let first = |level: &f64| crossings(*level).map(|all| all.first().map_or(f64::NAN, |length| length / a));
        let reached = self.levels.iter().map(first).collect::<Result<_, _>>()?;
        Ok(Summary { peak: [value, place, bandwidth], reported, reached })
    }

    /// Adds the numbers of all curves: lists over the plates, and tables whose rows are picked by plate, ratio and level.
    pub(super) fn push_summary(&self, curves: &[Curve], outcome: &mut Outcome) -> Result<(), StudyError> {
        let plates = || curves.iter().map(|curve| curve.name.clone());
        let mut peaks = Table::new("peaks", "largest coefficients of variation inside the range, one row a plate")
            .words("plate", "plate", plates().collect());
        let given = |name: &str, column: [&str; 2], given: &[f64]| {
            Table::new(name, "numbers of the curves, one row a plate and a given number")
                .words("plate", "plate", plates().flat_map(|plate| given.iter().map(move |_| plate.clone())).collect())
                .numbers(column[0], "", column[1], curves.iter().flat_map(|_| given).copied().collect())
        };
        let mut reported = given("reported", ["length_ratio", "l/a"], &self.report_at);
        let mut reached = given("reached", ["level", "level"], &self.levels);
        let named = |number: f64| crate::dataset::number(number).replace('.', "_");
        for (name, symbol, quantity) in [("force", "‖F‖", Quantity::ForceNorm), ("torque", "T", Quantity::Torque)] {
            let all: Vec<Summary> =
                curves.iter().map(|curve| self.summary(curve, quantity)).collect::<Result<_, _>>()?;
            let label = format!("CV of {symbol}");
            let parts = [
                ("max", "", "largest"),
                ("argmax", "", "l/a of the largest"),
                ("bandwidth", "decades", "width of the peak of the"),
            ];
            for (place, (part, unit, words)) in parts.into_iter().enumerate() {
                let values = all.iter().map(|summary| summary.peak[place]).collect();
                peaks = peaks.numbers(&format!("cv_{name}_{part}"), unit, &format!("{words} {label}"), values);
            }
            reported = reported.numbers(name, "", &label, all.iter().flat_map(|one| one.reported.clone()).collect());
            reached = reached.numbers(name, "", &label, all.iter().flat_map(|one| one.reached.clone()).collect());
            let mut push = |end: String, values: Vec<f64>| {
                let known = |value: f64| Some(value).filter(|value| value.is_finite());
                outcome.push(&format!("cv_{name}_{end}"), "", values.into_iter().map(known).collect::<Vec<_>>());
            };
            for (k, ratio) in self.report_at.iter().enumerate() {
                push(format!("at_{}", named(*ratio)), all.iter().map(|one| one.reported[k]).collect());
            }
            for (k, level) in self.levels.iter().enumerate() {
                push(format!("reaches_{}", named(*level)), all.iter().map(|one| one.reached[k]).collect());
            }
        }
        outcome.push_columns(&peaks, &["plate"]);
        outcome.tables.push(peaks);
        let wanted = [(reported, !self.report_at.is_empty()), (reached, !self.levels.is_empty())];
        outcome.tables.extend(wanted.into_iter().filter(|(_, wanted)| *wanted).map(|(table, _)| table));
        Ok(())
    }
}

pub(super) fn table(curves: &[Curve]) -> Table {
    let rows = || curves.iter().flat_map(|curve| curve.points.iter().map(move |point| (curve, point)));
    let column = |of: fn(&CurvePoint) -> Option<f64>| rows().map(|(_, point)| of(point).unwrap_or(f64::NAN)).collect();
    let mut table = Table::new("curves", "coefficients of variation, one row a correlation length of a plate")
        .words("plate", "plate", rows().map(|(curve, _)| curve.name.clone()).collect())
        .numbers("length_ratio", "", "l/a", rows().map(|(curve, point)| point.length / curve.half_side()).collect())
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
