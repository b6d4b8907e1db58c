//! Spectrum of the displacement, beside the lines of the uniform belt.

use super::{model, setting, uniform_belt};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::belt_disc::{Sample, Spectrum as Periodogram, UniformStart, Window, periodogram, welch};
use stiction::field::Germ;
use stiction::keys::Key;
use stiction::memory::Need;
use stiction::num::statistics::{median, quantile};
use stiction::system::BeltDisc;

const KEY: &str = "study.spectrum";

/// Spectrum of the displacement after the transient beside the uniform belt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Spectrum {
    /// Realisations: the first is shown, all make the band and the median.
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

/// How far from a harmonic its peak may be, in fundamental frequencies.
const NEXT_TO: f64 = 0.15;
/// How far a peak must stand above the median around it.
const TOWERS: f64 = 8.0;
/// What counts as next to the fundamental frequency, relative to it.
const WIDE: f64 = 0.25;

impl Study for Spectrum {
    fn has_items(&self) -> bool {
        true
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        let belt = uniform_belt(disc)?;
        let cycle = belt.cycle()?;
        let base = 1.0 / cycle.period;
        let mut outcome = Outcome::default();
        outcome.push("uniform_frequency", "Hz", base);
        outcome.push("uniform_harmonics", "m", belt.harmonics(self.harmonics)?.1);
        let indices: Vec<u64> = (0..self.realisations as u64).collect();
        let make = |here: &Context<'_>, index: &u64| self.spectrum(disc, here, *index);
        let spectra = context.all_items("realisations", &indices, make, |_| false)?;
        let like: Vec<Likeness<'_>> = spectra.iter().map(|spectrum| Likeness { spectrum, base }).collect();
        let counts: Vec<usize> = like.iter().map(|one| one.followed(self.harmonics)).collect();
        let share = |is: &dyn Fn(usize) -> bool| {
            counts.iter().filter(|count| is(**count)).count() as f64 / counts.len().max(1) as f64
        };
        outcome.push("followed_harmonics", "", counts.first().copied());
        outcome.push("share_following_none", "", share(&|count| count == 0));
        outcome.push("share_following_first_two", "", share(&|count| count >= 2));
        outcome.push("share_following_first_four", "", share(&|count| count >= 4));
        outcome.push("fundamental_power_share", "", median(like.iter().map(Likeness::fundamental_share).collect()));
        let peak = like.first().and_then(|one| one.peak(0.05 * base, f64::INFINITY));
        outcome.push("largest_peak_frequency", "Hz", peak.map(|peak| peak.0));
        let mut columns = Columns::default();
        columns.add("random", &spectra, self.largest_frequency);
        // the uniform belt over the same time, sampled alike
        let samples = (self.duration / self.sample_step).floor() as usize;
        let from = belt.transient(UniformStart::Rest).map_or(0.0, |first| first.breakaway_time);
        let signal: Result<Vec<f64>, _> = (0..=samples)
            .map(|i| i as f64 * self.sample_step)
            .filter(|time| *time >= from)
            .map(|time| belt.at(UniformStart::Rest, time).map(|sample| sample.displacement))
            .collect();
        if let Some(spectrum) = self.of(&signal?) {
            outcome.push(
                "uniform_followed_harmonics",
                "",
                Likeness { spectrum: &spectrum, base }.followed(self.harmonics),
            );
            columns.add("uniform", &[spectrum], self.largest_frequency);
        }
        outcome.tables.push(columns.table());
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, false)
    }

    fn needs(&self) -> Vec<Need> {
        let (realisations, step) = (self.realisations as f64, self.sample_step);
        let count = realisations * self.duration / step;
        let need = Need::new(Key::study("sample_step"), step, count, "samples", 64.0).by_step();
        vec![need.or("duration", self.duration).or("realisations", realisations)]
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
        let (run, samples) =
            model(disc, self.duration, context.progress)?.trajectory(&germ, &setting, self.sample_step)?;
        let from = run.transient().time;
        let grid = |sample: &&Sample| !sample.extra && sample.time >= from;
        let signal: Vec<f64> = samples.iter().filter(grid).map(|sample| sample.displacement).collect();
        self.of(&signal).ok_or_else(|| {
            let message = "is too short: too few samples are left after the transient";
            StudyError::unsuitable(format!("{KEY}.duration"), message)
        })
    }
}

/// What a spectrum has in common with that of the uniform belt, whose fundamental frequency is `base` \[Hz\].
struct Likeness<'a> {
    spectrum: &'a Periodogram,
    base: f64,
}

impl Likeness<'_> {
    /// Frequencies \[Hz\] and densities in a range.
    fn between(&self, from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> + Clone {
        let all = self.spectrum.frequency.iter().copied().zip(self.spectrum.density.iter().copied());
        all.filter(move |(frequency, _)| *frequency >= from && *frequency < to)
    }

    fn peak(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        self.between(from, to).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// How many of the first harmonics have a peak, one after the other: the largest density within half a fundamental frequency of
    /// the harmonic lies next to it and towers above the median there.
    fn followed(&self, harmonics: usize) -> usize {
        let has_peak = |n: usize| {
            let (centre, half) = (n as f64 * self.base, 0.5 * self.base);
            let densities = self.between(centre - half, centre + half).map(|bin| bin.1).collect();
            let median = median(densities).unwrap_or(f64::INFINITY);
            self.peak(centre - half, centre + half).is_some_and(|(frequency, density)| {
                (frequency - centre).abs() <= NEXT_TO * self.base && density >= TOWERS * median
            })
        };
        (1..=harmonics).take_while(|n| has_peak(*n)).count()
    }

    /// Share of the power next to the fundamental frequency [-].
    fn fundamental_share(&self) -> f64 {
        let sum = |from: f64, to: f64| self.between(from, to).map(|bin| bin.1).sum::<f64>();
        sum((1.0 - WIDE) * self.base, (1.0 + WIDE) * self.base) / sum(1e-9, f64::INFINITY)
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
            let quantile = |share: f64| quantile(&all, share);
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
