//! Spectra of sampled signals: the one-sided periodogram, and Welch's mean of periodograms of overlapping segments.
//!
//! ```text
//! S(f_j) = 2 Δt |Σ w_p (x_p − mean) e^(−2πi jp/n)|²/Σ w_p²         f_j = j/(n Δt),   factor 1 at f = 0 and at the Nyquist frequency
//! ```
//! S has the unit of x² per hertz; its integral over all frequencies is the variance of the signal. A steady oscillation of
//! amplitude a shows as a in [`Spectrum::amplitude`].

use crate::num::fft::{Fft, LANES, Pack, smooth_size};
use crate::num::real::{cos, sin};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// Weights of the samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// No weights: narrow peaks, far leakage.
    #[default]
    Rectangular,
    /// (1 − cos)/2: peaks twice as wide, little leakage.
    Hann,
    /// Blackman's: peaks three times as wide, hardly any leakage.
    Blackman,
}

impl Window {
    /// The name under which a scenario chooses the window.
    pub fn name(self) -> &'static str {
        match self {
            Window::Rectangular => "rectangular",
            Window::Hann => "hann",
            Window::Blackman => "blackman",
        }
    }

    /// Weight of sample `p` of `n` (periodic form).
    fn weight(self, p: usize, n: usize) -> f64 {
        let angle = TAU * p as f64 / n as f64;
        match self {
            Window::Rectangular => 1.0,
            Window::Hann => 0.5 - 0.5 * cos(angle),
            Window::Blackman => 0.42 - 0.5 * cos(angle) + 0.08 * cos(2.0 * angle),
        }
    }
}

/// A one-sided spectrum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spectrum {
    /// Frequencies \[Hz\], from 0 to the Nyquist frequency.
    pub frequency: Vec<f64>,
    /// Power spectral density, in the squared unit of the signal per hertz.
    pub density: Vec<f64>,
    /// Amplitude of the oscillation that would make this value, in the unit of the signal.
    pub amplitude: Vec<f64>,
}

/// The periodogram of `signal`, sampled every `step` \[s\], its mean removed; none with fewer than two samples, a step that is not
/// positive, or a value that is not finite.
pub fn periodogram(signal: &[f64], step: f64, window: Window) -> Option<Spectrum> {
    welch(signal, step, window, signal.len())
}

/// Welch's spectrum: the mean of the periodograms of segments of `length` samples that overlap by half. The mean of the whole
/// signal is removed. None as for [`periodogram`], or if no segment fits.
pub fn welch(signal: &[f64], step: f64, window: Window, length: usize) -> Option<Spectrum> {
    let usable = step.is_finite() && step > 0.0 && signal.iter().all(|value| value.is_finite());
    if !usable || length < 2 || signal.len() < length {
        return None;
    }
    let mean = signal.iter().sum::<f64>() / signal.len() as f64;
    let weights: Vec<f64> = (0..length).map(|p| window.weight(p, length)).collect();
    let (sum, squares) = weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
    let transform = Transform::new(length)?;
    let bins = length / 2 + 1;
    let mut power = vec![0.0; bins];
    let starts: Vec<usize> = (0..=signal.len() - length).step_by((length / 2).max(1)).collect();
    for together in starts.chunks(LANES) {
        let mut data = vec![Pack::ZERO; length];
        for (lane, start) in together.iter().enumerate() {
            let segment = signal.get(*start..)?;
            for ((pack, value), weight) in data.iter_mut().zip(segment).zip(&weights) {
                pack.re[lane] = weight * (value - mean);
            }
        }
        let found = transform.of(data);
        for (power, pack) in power.iter_mut().zip(&found) {
            for lane in 0..together.len() {
                *power += pack.re[lane] * pack.re[lane] + pack.im[lane] * pack.im[lane];
            }
        }
    }
    let sides = |bin: usize| if bin == 0 || 2 * bin == length { 1.0 } else { 2.0 };
    let count = starts.len() as f64;
    let density = power.iter().enumerate().map(|(bin, power)| sides(bin) * step * power / (count * squares)).collect();
    let amplitude = power.iter().enumerate().map(|(bin, power)| sides(bin) * (power / count).sqrt() / sum).collect();
    let frequency = (0..bins).map(|bin| bin as f64 / (length as f64 * step)).collect();
    Some(Spectrum { frequency, density, amplitude })
}

/// Fourier transforms of any length: directly for small prime factors, else as a convolution with a chirp (Bluestein).
enum Transform {
    Direct(Fft),
    Chirp { fft: Fft, chirp: Vec<[f64; 2]>, kernel: Vec<[f64; 2]> },
}

impl Transform {
    fn new(length: usize) -> Option<Self> {
        if smooth_size(length) == Some(length) || largest_factor(length) <= 64 {
            return Some(Self::Direct(Fft::new(length)));
        }
        let size = smooth_size(2 * length)?;
        // exp(−πi p²/n); p² modulo 2n keeps the angle small
        let chirp: Vec<[f64; 2]> = (0..length as u128)
            .map(|p| {
                let angle = -PI * ((p * p % (2 * length as u128)) as f64 / length as f64);
                [cos(angle), sin(angle)]
            })
            .collect();
        let fft = Fft::new(size);
        let mut data = vec![Pack::ZERO; size];
        for (p, [c, s]) in chirp.iter().enumerate() {
            for place in [p, (size - p) % size] {
                if let Some(pack) = data.get_mut(place) {
                    (pack.re[0], pack.im[0]) = (*c, -s);
                }
            }
        }
        fft.transform(&mut data, &mut vec![Pack::ZERO; size]);
        let kernel = data.iter().map(|pack| [pack.re[0], pack.im[0]]).collect();
        Some(Self::Chirp { fft, chirp, kernel })
    }

    fn of(&self, mut data: Vec<Pack>) -> Vec<Pack> {
        match self {
            Self::Direct(fft) => {
                fft.transform(&mut data, &mut vec![Pack::ZERO; fft.length()]);
                data
            }
            Self::Chirp { fft, chirp, kernel } => {
                let size = fft.length();
                let mut work = vec![Pack::ZERO; size];
                let mut long = vec![Pack::ZERO; size];
                for ((long, pack), turn) in long.iter_mut().zip(&data).zip(chirp) {
                    *long = turned(pack, *turn);
                }
                fft.transform(&mut long, &mut work);
                for (pack, factor) in long.iter_mut().zip(kernel) {
                    // the inverse transform is that of the conjugate, conjugated
                    *pack = conjugate(&turned(pack, *factor));
                }
                fft.transform(&mut long, &mut work);
                let scale = 1.0 / size as f64;
                for ((pack, long), turn) in data.iter_mut().zip(&long).zip(chirp) {
                    *pack = turned(&conjugate(long), [turn[0] * scale, turn[1] * scale]);
                }
                data
            }
        }
    }
}

fn largest_factor(mut number: usize) -> usize {
    let (mut largest, mut factor) = (1, 2);
    while factor * factor <= number {
        while number.is_multiple_of(factor) {
            largest = factor;
            number /= factor;
        }
        factor += 1;
    }
    largest.max(number)
}

fn turned(pack: &Pack, [c, s]: [f64; 2]) -> Pack {
    let mut product = Pack::ZERO;
    for lane in 0..LANES {
        product.re[lane] = pack.re[lane] * c - pack.im[lane] * s;
        product.im[lane] = pack.re[lane] * s + pack.im[lane] * c;
    }
    product
}

fn conjugate(pack: &Pack) -> Pack {
    Pack { re: pack.re, im: pack.im.map(|im| -im) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(count: usize, cycles: f64) -> Vec<f64> {
        (0..count).map(|p| 3.0 + 0.7 * cos(TAU * cycles * p as f64 / count as f64 + 0.4)).collect()
    }

    #[test]
    fn a_steady_oscillation_shows_its_amplitude_at_its_frequency() {
        for window in [Window::Rectangular, Window::Hann, Window::Blackman] {
            for count in [240, 251, 1009] {
                let found = periodogram(&wave(count, 20.0), 0.01, window).unwrap();
                assert!((found.amplitude[20] - 0.7).abs() < 1e-12, "{} {count}", window.name());
                assert!((found.frequency[20] - 20.0 / (0.01 * count as f64)).abs() < 1e-12);
                assert!(found.amplitude[40] < 1e-12);
            }
        }
    }

    #[test]
    fn the_density_integrates_to_the_variance() {
        let mut stream = crate::num::random::Stream::new(3, 0, 0);
        for count in [300, 307] {
            let signal: Vec<f64> = (0..count).map(|_| stream.normal()).collect();
            let mean = signal.iter().sum::<f64>() / f64::from(count);
            let variance = signal.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / f64::from(count);
            let found = periodogram(&signal, 0.25, Window::Rectangular).unwrap();
            let area = found.density.iter().sum::<f64>() * found.frequency[1];
            assert!((area / variance - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn chirps_and_plain_transforms_agree() {
        let signal = wave(2 * 127, 17.3);
        let direct = Fft::new(signal.len());
        let mut data: Vec<Pack> = signal.iter().map(|x| Pack { re: [*x; LANES], im: [0.0; LANES] }).collect();
        let chirp = Transform::new(signal.len()).unwrap();
        assert!(matches!(chirp, Transform::Chirp { .. }));
        let other = chirp.of(data.clone());
        direct.transform(&mut data, &mut vec![Pack::ZERO; signal.len()]);
        for (a, b) in data.iter().zip(&other) {
            assert!((a.re[0] - b.re[0]).abs() < 1e-10 && (a.im[5] - b.im[5]).abs() < 1e-10);
        }
    }

    #[test]
    fn segments_are_averaged_and_senseless_signals_refused() {
        let signal: Vec<f64> = wave(160, 20.0).into_iter().cycle().take(1600).collect();
        let found = welch(&signal, 0.01, Window::Hann, 160).unwrap();
        assert!((found.amplitude[20] - 0.7).abs() < 1e-12);
        assert!(periodogram(&[1.0], 0.1, Window::Hann).is_none());
        assert!(periodogram(&[1.0, f64::NAN], 0.1, Window::Hann).is_none());
        assert!(welch(&[1.0, 2.0], 0.1, Window::Hann, 3).is_none());
        assert!(periodogram(&[1.0, 2.0], 0.0, Window::Hann).is_none());
    }
}
