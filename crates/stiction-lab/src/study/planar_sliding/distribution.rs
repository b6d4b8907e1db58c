//! How force and torque are distributed, beside the distributions with the same mean and variance.

use super::{draw, with_length};
use crate::dataset::{Outcome, Table, number};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Cancelled;
use stiction::analysis::planar_sliding::shape_of_samples::{Fit, Moments34, kolmogorov_smirnov, third_and_fourth};
use stiction::analysis::planar_sliding::{Pairing, PlanarSliding};
use stiction::field::CorrelationOf;
use stiction::num::statistics::{self, Histogram, deviation};

const KEY: &str = "study.distribution";

/// Histograms of F_x and T over realisations, with the density of the same mean and variance, and how far they are apart:
/// normal where the mean is zero (the torque in translation, the force in rotation), else lognormal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Distribution {
    /// Ratios l/a of correlation length and size of the plate [-].
    pub length_ratios: Vec<f64>,
    /// Bars of a histogram.
    #[serde(default = "forty")]
    #[schemars(range(min = 2, max = 1000))]
    pub bars: usize,
}

/// A mean below this part of the standard deviation is zero but for rounding.
const CENTRED: f64 = 1e-9;

fn forty() -> usize {
    40
}

/// One of the two functionals at one ratio.
struct Found {
    word: String,
    functional: &'static str,
    bars: Option<Histogram>,
    fit: Option<Fit>,
    distance: Option<f64>,
    shape: Option<Moments34>,
    /// Mean, standard deviation and share of negative values of the samples.
    sampled: (f64, f64, f64),
}

/// A column of the fits: the start of its name, its unit, and its value.
type ColumnOf = (&'static str, &'static str, fn(&Found) -> Option<f64>);

impl Study for Distribution {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let sliding = context.planar_sliding()?;
        let key = || format!("{KEY}.length_ratios");
        if let Some(wrong) = self.length_ratios.iter().find(|ratio| !(ratio.is_finite() && **ratio > 0.0)) {
            let message = format!("has {}, but ratios must be finite numbers > 0", number(*wrong));
            return Err(StudyError::unsuitable(key(), message));
        }
        if self.length_ratios.is_empty() {
            return Err(StudyError::unsuitable(key(), "is empty: give at least one ratio"));
        }
        context.progress.begin("plates", self.length_ratios.len() as u64);
        let mut found = Vec::new();
        let mut dependences = Vec::new();
        for ratio in &self.length_ratios {
            if context.progress.cancelled() {
                return Err(Cancelled.into());
            }
            dependences.push(self.at(*ratio, sliding, context, &mut found)?);
            context.progress.advance(1);
        }
        let mut outcome = Outcome::default();
        // a fit whose parameters are not taken from the samples is rejected above this distance in one of a hundred cases
        let limit = 1.6276 / (sliding.samples as f64).sqrt();
        let mut fits = Table::new("fits", "how the samples are distributed, one row a ratio").numbers(
            "length_ratio",
            "",
            "l/a",
            self.length_ratios.clone(),
        );
        for (functional, label, unit) in FUNCTIONALS {
            let columns: [ColumnOf; 7] = [
                ("distance", "", |one| one.distance),
                ("mean", unit, |one| Some(one.sampled.0)),
                ("std", unit, |one| Some(one.sampled.1)),
                ("negative_share", "", |one| Some(one.sampled.2)),
                ("skewness", "", |one| one.shape.map(|shape| shape.skewness)),
                ("excess_kurtosis", "", |one| one.shape.map(|shape| shape.excess_kurtosis)),
                ("excess_kurtosis_se", "", |one| one.shape.map(|shape| shape.kurtosis_error)),
            ];
            for (part, unit, of) in columns {
                let name = match part.strip_suffix("_se") {
                    Some(part) => format!("{part}_{functional}_se"),
                    None => format!("{part}_{functional}"),
                };
                let values: Vec<Option<f64>> =
                    found.iter().filter(|one| one.functional == functional).map(of).collect();
                let column = values.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
                fits = fits.numbers(&name, unit, &format!("{} of {label}", part.replace('_', " ")), column);
                outcome.push(&name, unit, values);
            }
            let distances = found.iter().filter(|one| one.functional == functional).filter_map(|one| one.distance);
            let largest = distances.reduce(f64::max);
            outcome.push(&format!("distance_{functional}_max"), "", largest);
            let over = largest.map(|distance| distance / limit);
            outcome.push(&format!("distance_{functional}_max_over_limit"), "", over);
        }
        outcome.tables.push(fits);
        outcome.push("dependence_force_torque", "", dependences);
        outcome.push("distance_at_one_percent", "", limit);
        outcome.push("samples", "", sliding.samples);
        for functional in FUNCTIONALS {
            outcome.tables.push(histogram_table(&found, functional));
            outcome.tables.push(density_table(&found, functional));
        }
        Ok(outcome)
    }
}

impl Distribution {
    /// Adds both functionals at one ratio; returns the correlation of ‖F‖ and |T|.
    fn at(
        &self,
        ratio: f64,
        sliding: &PlanarSliding,
        context: &Context<'_>,
        found: &mut Vec<Found>,
    ) -> Result<f64, StudyError> {
        let a = sliding.plate()?.half_side();
        let here = with_length(sliding, ratio * a);
        let plate = here.plate()?;
        let samples = draw(&here, &plate, here.samples, Pairing::Independent, context.seed, context.progress)?;
        let exact =
            plate.moments_unless(context.progress, &here.covariance(CorrelationOf::GaussianParent)?, here.policy())?;
        let word = format!("l/a = {}", number(ratio));
        for (i, functional) in [(0, "force_x"), (2, "torque")] {
            let values: Vec<f64> = samples.rows.iter().map(|row| row[i]).collect();
            let (mean, variance) = (exact.mean[i], exact.covariance[i][i]);
            // a sum whose mean vanishes has coefficients of both signs: Appendix A takes it as normal
            let centred = mean.abs() <= CENTRED * variance.sqrt();
            let fit = if centred { Fit::normal(mean, variance) } else { Fit::lognormal(mean, variance) };
            let distance = fit.map(|fit| kolmogorov_smirnov(&values, &fit));
            let (bars, shape) = (Histogram::of(&[&values], self.bars), third_and_fourth(&values));
            let negative = values.iter().filter(|value| **value < 0.0).count() as f64 / values.len() as f64;
            let known = |number: Option<f64>| number.unwrap_or(f64::NAN);
            let sampled = (known(statistics::mean(values.iter().copied())), known(deviation(&values)), negative);
            found.push(Found { word: word.clone(), functional, bars, fit, distance, shape, sampled });
        }
        Ok(samples.moments(&exact).dependence.value)
    }
}

/// Name, symbol and unit of the two functionals.
const FUNCTIONALS: [(&str, &str, &str); 2] = [("force_x", "friction force F_x", "N"), ("torque", "torque T", "N m")];

fn histogram_table(found: &[Found], (functional, label, unit): (&str, &str, &str)) -> Table {
    let (mut words, mut low, mut high, mut density) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for one in found.iter().filter(|one| one.functional == functional) {
        let Some(bars) = &one.bars else { continue };
        let edges = bars.edges();
        words.extend(vec![one.word.clone(); bars.counts.len()]);
        low.extend_from_slice(&edges[..bars.counts.len()]);
        high.extend_from_slice(&edges[1..]);
        density.extend(bars.density());
    }
    Table::new(&format!("histogram_{functional}"), "histograms over realisations, one row a bar")
        .words("plate", "plate", words)
        .numbers("low", unit, label, low)
        .numbers("high", unit, label, high)
        .numbers("density", &format!("1/({unit})"), "probability density", density)
}

fn density_table(found: &[Found], (functional, label, unit): (&str, &str, &str)) -> Table {
    const POINTS: usize = 200;
    let mut rows: Vec<(&Found, f64, f64)> = Vec::new();
    for one in found.iter().filter(|one| one.functional == functional) {
        let (Some(fit), Some(bars)) = (one.fit, &one.bars) else { continue };
        let range = bars.width * bars.counts.len() as f64;
        rows.extend((0..=POINTS).map(|k| {
            let x = bars.from + range * k as f64 / POINTS as f64;
            (one, x, fit.density(x))
        }));
    }
    Table::new(
        &format!("density_{functional}"),
        "the density with the same mean and variance: normal where the mean is zero, else lognormal",
    )
    .words("plate", "plate", rows.iter().map(|row| row.0.word.clone()).collect())
    .numbers("value", unit, label, rows.iter().map(|row| row.1).collect())
    .numbers("density", &format!("1/({unit})"), "probability density", rows.iter().map(|row| row.2).collect())
}
