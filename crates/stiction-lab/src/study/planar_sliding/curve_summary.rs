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

    /// The value at each ratio; NaN where it is undefined.
    fn values(&self, quantity: Quantity) -> Vec<f64> {
        self.points.iter().map(|point| quantity.of(&point.variations).unwrap_or(f64::NAN)).collect()
    }

    /// Largest value along the sampled curve, or the exact one, with its ratio.
    fn highest(&self, quantity: Quantity) -> Option<(f64, f64)> {
        let values = match (&self.sampled, quantity) {
            (Some(sampled), Quantity::ForceNorm) => sampled.iter().map(|found| found.0).collect(),
            _ => self.values(quantity),
        };
        let known = self.points.iter().zip(values).filter(|(_, value)| value.is_finite());
        let highest = known.max_by(|a, b| a.1.total_cmp(&b.1));
        highest.map(|(point, value)| (point.length / self.half_side(), value))
    }
}

/// A number that sums up a curve: the end of its name, its unit, its label and its value, NaN if there is none.
type Number = (String, &'static str, String, f64);

impl MomentCurves {
    /// What a curve says in a few numbers; lengths are in units of a.
    fn numbers(&self, curve: &Curve, quantity: Quantity) -> Result<Vec<Number>, StudyError> {
        let (scan, a) = (&curve.scan, curve.half_side());
        let ends = [self.from * a, self.to * a];
        let crossings = |level: f64| scan.crossings(quantity, level, ends[0], ends[1]);
        let peak = scan.peak(quantity, ends[0], ends[1])?;
        let sides = peak.map(|peak| crossings(peak.value / SQRT_2)).transpose()?.unwrap_or_default();
        let bandwidth = if let [low, high] = sides[..] { Some(log10(high / low)) } else { None };
        let (highest, values) = (curve.highest(quantity), curve.values(quantity));
        let mut numbers: Vec<Number> = [
            ("max", "", "peak inside the range", peak.map(|peak| peak.value)),
            ("argmax", "", "l/a at the peak", peak.map(|peak| peak.length / a)),
            ("highest", "", "largest value", highest.map(|highest| highest.1)),
            ("highest_at", "", "l/a at the largest value", highest.map(|highest| highest.0)),
            ("bandwidth", "decades", "width of the peak at 1/√2", bandwidth),
            ("first", "", "value at the smallest l/a", values.first().copied()),
            ("last", "", "value at the largest l/a", values.last().copied()),
        ]
        .map(|(end, unit, label, value)| (end.to_owned(), unit, label.to_owned(), value.unwrap_or(f64::NAN)))
        .into();
        let named = |number: f64| crate::dataset::number(number).replace('.', "_");
        for ratio in &self.report_at {
            if !(ratio.is_finite() && *ratio > 0.0) {
                let message = format!("has {ratio}, but ratios must be finite numbers > 0");
                return Err(StudyError::unsuitable(format!("{KEY}.report_at"), message));
            }
            let value = scan.value(quantity, ratio * a)?;
            numbers.push((format!("at_{}", named(*ratio)), "", format!("value at l/a = {ratio}"), value));
        }
        for level in &self.levels {
            let first = crossings(*level)?.first().map_or(f64::NAN, |length| length / a);
            numbers.push((format!("reaches_{}", named(*level)), "", format!("l/a at which {level} is reached"), first));
        }
        Ok(numbers)
    }

    /// Adds the numbers of all curves: a table, and its columns as lists.
    pub(super) fn push_summary(&self, curves: &[Curve], outcome: &mut Outcome) -> Result<(), StudyError> {
        let mut table = Table::new("peaks", "what the curves say in a few numbers, one row a plate").words(
            "plate",
            "plate",
            curves.iter().map(|curve| curve.name.clone()).collect(),
        );
        for (name, symbol, quantity) in [("force", "‖F‖", Quantity::ForceNorm), ("torque", "T", Quantity::Torque)] {
            let rows: Vec<Vec<Number>> =
                curves.iter().map(|curve| self.numbers(curve, quantity)).collect::<Result<_, _>>()?;
            for (column, (end, unit, label, _)) in rows.first().into_iter().flatten().enumerate() {
                let values = rows.iter().map(|row| row[column].3).collect();
                table = table.numbers(&format!("cv_{name}_{end}"), unit, &format!("CV of {symbol}: {label}"), values);
            }
            let never_falls = |curve: &Curve| curve.values(quantity).windows(2).all(|pair| pair[1] >= pair[0] - 1e-9);
            outcome.push(&format!("cv_{name}_rises"), "", curves.iter().map(never_falls).collect::<Vec<bool>>());
        }
        outcome.push_columns(&table, &["plate"]);
        outcome.tables.push(table);
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
