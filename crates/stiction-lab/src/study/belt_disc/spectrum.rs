//! Spectrum of the displacement, beside the lines of the uniform belt.

use super::swept::with_length_ratio;
use super::{model, setting, uniform_belt};
use crate::dataset::{Outcome, Table, number};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::belt_disc::{Sample, Spectrum as Periodogram, UniformStart, Window, periodogram, welch};
use stiction::field::Germ;
use stiction::system::BeltDisc;

const KEY: &str = "study.spectrum";

/// Spectrum of the displacement after the transient for some ratios l/R, beside the uniform belt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Spectrum {
    /// Ratios l/R [-]; empty for the field as it is.
    pub length_ratios: Vec<f64>,
    /// Realisations at each ratio: the first is shown, all make the band and the median.
    #[schemars(range(min = 1, max = 100_000))]
    pub realisations: usize,
    /// How long the motion is followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Time between samples \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub sample_step: f64,
    /// Weights of the samples.
    pub window: Window,
    /// Length of overlapping segments whose spectra are averaged \[s\]; by default the whole signal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub segment: Option<f64>,
    /// Largest frequency in the table \[Hz\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub largest_frequency: f64,
    /// Harmonics of the uniform belt that are looked for.
    #[schemars(range(min = 1, max = 100))]
    pub harmonics: usize,
}

impl Default for Spectrum {
    fn default() -> Self {
        Self {
            length_ratios: Vec::new(),
            realisations: 1,
            duration: 100.0,
            sample_step: 0.01,
            window: Window::default(),
            segment: None,
            largest_frequency: 2.0,
            harmonics: 6,
        }
    }
}

/// Most samples of a motion.
const MOST_SAMPLES: f64 = 2e6;

impl Study for Spectrum {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        if self.duration / self.sample_step > MOST_SAMPLES {
            let message = format!("makes more than {MOST_SAMPLES:.0e} samples: take a longer step");
            return Err(StudyError::unsuitable(format!("{KEY}.sample_step"), message));
        }
        for (index, ratio) in self.length_ratios.iter().enumerate() {
            if !(ratio.is_finite() && *ratio > 0.0) {
                let message = format!("is {ratio}, but must be a finite number > 0");
                return Err(StudyError::unsuitable(format!("{KEY}.length_ratios.{index}"), message));
            }
        }
        let belt = uniform_belt(disc)?;
        let cycle = belt.cycle()?;
        let base = 1.0 / cycle.period;
        let mut cases: Vec<(String, BeltDisc)> = self
            .length_ratios
            .iter()
            .map(|ratio| (format!("l/R = {}", number(*ratio)), with_length_ratio(disc, *ratio)))
            .collect();
        if cases.is_empty() {
            cases.push(("the field".to_owned(), disc.clone()));
        }
        let mut outcome = Outcome::default();
        outcome.push("uniform_frequency", "Hz", base);
        outcome.push("uniform_harmonics", "m", belt.harmonics(self.harmonics)?.1);
        let mut columns = Columns::default();
        let (mut followed, mut peaks) = (Vec::new(), Vec::new());
        let indices = 0..self.realisations as u64;
        let all: Vec<(&BeltDisc, u64)> =
            cases.iter().flat_map(|(_, disc)| indices.clone().map(move |index| (disc, index))).collect();
        let make = |(disc, index): &(&BeltDisc, u64)| self.spectrum(disc, context, *index);
        let spectra = context.all_items("realisations", &all, make, |_| false)?;
        for ((name, _), spectra) in cases.iter().zip(spectra.chunks(self.realisations.max(1))) {
            let (count, peak) = self.followed(spectra, base);
            followed.push(count);
            peaks.push(peak);
            columns.add(name, spectra, self.largest_frequency);
        }
        // the uniform belt over the same time, sampled alike
        let samples = (self.duration / self.sample_step).floor() as usize;
        let from = belt.transient(UniformStart::Rest).map_or(0.0, |first| first.breakaway_time);
        let signal: Result<Vec<f64>, _> = (0..=samples)
            .map(|i| i as f64 * self.sample_step)
            .filter(|time| *time >= from)
            .map(|time| belt.at(UniformStart::Rest, time).map(|sample| sample.displacement))
            .collect();
        if let Some(spectrum) = self.of(&signal?) {
            columns.add("uniform", &[spectrum], self.largest_frequency);
        }
        outcome.push("followed_harmonics", "", followed);
        outcome.push("largest_peak_frequency", "Hz", peaks);
        outcome.tables.push(columns.table());
        Ok(outcome)
    }
}

impl Spectrum {
    fn of(&self, signal: &[f64]) -> Option<Periodogram> {
        match self.segment {
            None => periodogram(signal, self.sample_step, self.window),
            Some(length) => {
                let length = ((length / self.sample_step).round() as usize).min(signal.len());
                welch(signal, self.sample_step, self.window, length)
            }
        }
    }

    fn spectrum(&self, disc: &BeltDisc, context: &Context<'_>, index: u64) -> Result<Periodogram, StudyError> {
        if context.progress.cancelled() {
            return Err(stiction::analysis::Cancelled.into());
        }
        let germ = Germ::new(context.seed, index);
        let setting = setting(context, self.duration);
        let (run, samples) = model(disc, self.duration)?.trajectory(&germ, &setting, self.sample_step)?;
        let from = run.transient().time;
        let grid = |sample: &&Sample| !sample.extra && sample.time >= from;
        let signal: Vec<f64> = samples.iter().filter(grid).map(|sample| sample.displacement).collect();
        self.of(&signal).ok_or_else(|| {
            let message = "is too short: too few samples are left after the transient";
            StudyError::unsuitable(format!("{KEY}.duration"), message)
        })
    }

    /// How many of the first harmonics of the uniform belt have a peak in the spectrum of the first realisation, one after the
    /// other, and where the largest peak is. A peak holds at least three times the power of either neighbouring valley.
    fn followed(&self, spectra: &[Periodogram], base: f64) -> (usize, Option<f64>) {
        let Some(first) = spectra.first() else { return (0, None) };
        let density = |from: f64, to: f64| {
            let inside = first.frequency.iter().zip(&first.density).filter(|(f, _)| **f >= from && **f < to);
            inside.map(|(f, d)| (*f, *d)).fold((0.0, 0.0, 0.0), |(at, top, sum), (f, d)| {
                if d > top { (f, d, sum + d) } else { (at, top, sum + d) }
            })
        };
        let mut count = 0;
        for n in 1..=self.harmonics {
            let centre = n as f64 * base;
            let near = density(centre - 0.2 * base, centre + 0.2 * base).2;
            let left = density(centre - 0.7 * base, centre - 0.3 * base).2;
            let right = density(centre + 0.3 * base, centre + 0.7 * base).2;
            if !(near > 3.0 * left && near > 3.0 * right) {
                break;
            }
            count += 1;
        }
        let peak = density(0.05 * base, f64::INFINITY);
        (count, (peak.1 > 0.0).then_some(peak.0))
    }
}

#[derive(Default)]
struct Columns {
    case: Vec<String>,
    frequency: Vec<f64>,
    density: Vec<f64>,
    amplitude: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    middle: Vec<f64>,
}

impl Columns {
    fn add(&mut self, name: &str, spectra: &[Periodogram], largest: f64) {
        let Some(first) = spectra.first() else { return };
        for (bin, frequency) in first.frequency.iter().enumerate() {
            // the mean is removed: there is nothing at frequency zero
            if bin == 0 || *frequency > largest {
                continue;
            }
            // other realisations have other lengths after their transients: the nearest bin
            let mut all: Vec<f64> = spectra
                .iter()
                .filter_map(|spectrum| {
                    let step = spectrum.frequency.get(1)?;
                    spectrum.density.get((frequency / step).round() as usize).copied()
                })
                .collect();
            all.sort_by(f64::total_cmp);
            let quantile = |share: f64| all.get(((all.len() - 1) as f64 * share).round() as usize).copied();
            self.case.push(name.to_owned());
            self.frequency.push(*frequency);
            self.density.push(first.density.get(bin).copied().unwrap_or(f64::NAN));
            self.amplitude.push(first.amplitude.get(bin).copied().unwrap_or(f64::NAN));
            self.low.push(quantile(0.1).unwrap_or(f64::NAN));
            self.middle.push(quantile(0.5).unwrap_or(f64::NAN));
            self.high.push(quantile(0.9).unwrap_or(f64::NAN));
        }
    }

    fn table(self) -> Table {
        Table::new("spectrum", "one-sided spectra of the displacement, one row a frequency")
            .words("case", "case", self.case)
            .numbers("frequency", "Hz", "frequency f", self.frequency)
            .numbers("density", "m²/Hz", "spectral density S", self.density)
            .numbers("amplitude", "m", "amplitude", self.amplitude)
            .numbers("low", "m²/Hz", "10 % of the realisations are below", self.low)
            .numbers("middle", "m²/Hz", "median", self.middle)
            .numbers("high", "m²/Hz", "90 % of the realisations are below", self.high)
    }
}
