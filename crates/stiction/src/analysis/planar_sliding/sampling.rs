//! Force and torque of realisations, and what samples tell about them.
//!
//! For a lognormal coefficient and a centre of rotation near the centroid, the length of the force is far from that of a
//! Gaussian force: level and gradient of the field multiply. Then samples decide. Antithetic pairs remove what is odd in the
//! noise, and ‖F‖², whose mean is known exactly, serves as control variate.

use super::motion::Twist;
use super::norm::NormMoments;
use super::plate::Moments;
use super::sampler::PlateSampler;
use crate::analysis::{Cancelled, Progress, Silent};
use crate::field::Germ;
use crate::num::bulk::{Loop, vectorised};
use crate::num::statistics::{Running, mean, standard_error};
use rayon::prelude::*;

/// A motion and a pressure \[Pa\] of which samples are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moving {
    /// The motion.
    pub twist: Twist,
    /// Pressure \[Pa\].
    pub pressure: f64,
}

/// How samples follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// Every sample is a realisation of its own.
    Independent,
    /// Samples 2i and 2i + 1 are realisation i with plain and with negated noise.
    Antithetic,
}

impl Pairing {
    fn group(self) -> usize {
        match self {
            Pairing::Independent => 1,
            Pairing::Antithetic => 2,
        }
    }
}

/// Samples of (F_x \[N\], F_y \[N\], T [N m]).
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    /// One row per sample.
    pub rows: Vec<[f64; 3]>,
    /// How they follow each other.
    pub pairing: Pairing,
}

/// A sampled number and its standard error, in the same unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// What samples tell about force and torque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampledMoments {
    /// Means of (F_x, F_y, T).
    pub mean: [Estimate; 3],
    /// Variances of (F_x, F_y, T), about the exact means.
    pub variance: [Estimate; 3],
    /// Covariance of F_x and T.
    pub force_torque: Estimate,
    /// Mean of ‖F‖ \[N\].
    pub norm_mean: Estimate,
    /// Standard deviation of ‖F‖ \[N\].
    pub norm_deviation: Estimate,
    /// Correlation of ‖F‖ and |T| [-]: not zero for a lognormal field even where F and T are uncorrelated.
    pub dependence: Estimate,
}

impl SampledMoments {
    /// Mean and standard deviation of the length of the force.
    pub fn norm(&self) -> NormMoments {
        NormMoments { mean: self.norm_mean.value, standard_deviation: self.norm_deviation.value }
    }
}

/// Force and torque of one realisation in several motions.
struct Forces<'a> {
    values: &'a [f64],
    loads: &'a [[Vec<f64>; 3]],
    rows: &'a mut [[f64; 3]],
}

impl Loop for Forces<'_> {
    #[inline(always)]
    fn run(self) {
        for (row, loads) in self.rows.iter_mut().zip(self.loads) {
            for (sum, load) in row.iter_mut().zip(loads) {
                *sum = dot(self.values, load);
            }
        }
    }
}

/// A sum of products in sixteen partial sums, so that its order is the same with every vector unit.
#[inline(always)]
pub(crate) fn dot(first: &[f64], second: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (first.as_chunks::<16>(), second.as_chunks::<16>());
    let mut sums = [0.0; 16];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

impl Samples {
    /// Draws `count` samples of a moving plate under a pressure \[Pa\]. Sample i does not depend on the others nor on threads.
    pub fn draw(sampler: &PlateSampler, twist: &Twist, pressure: f64, count: usize, pairing: Pairing) -> Self {
        let moving = Moving { twist: *twist, pressure };
        let drawn = Self::draw_many(sampler, &[moving], count, pairing, &Silent).ok().and_then(|mut drawn| drawn.pop());
        drawn.unwrap_or(Self { rows: Vec::new(), pairing })
    }

    /// As [`Samples::draw`] for several motions on the same realisations: each is made once.
    ///
    /// # Errors
    /// [`Cancelled`] if the user interrupts.
    pub fn draw_many(
        sampler: &PlateSampler,
        moving: &[Moving],
        count: usize,
        pairing: Pairing,
        progress: &dyn Progress,
    ) -> Result<Vec<Self>, Cancelled> {
        let loads: Vec<[Vec<f64>; 3]> = moving
            .par_iter()
            .map(|moving| {
                let scaled = |mut load: Vec<f64>| {
                    load.iter_mut().for_each(|load| *load *= moving.pressure);
                    load
                };
                sampler.loads(&moving.twist).map(scaled)
            })
            .collect();
        let places = sampler.count();
        let group = pairing.group();
        // all motions of a sample together
        let mut rows = vec![[0.0; 3]; count * moving.len()];
        let buffers = || (vec![0.0; places], vec![0.0; if group == 2 { places } else { 0 }], Vec::new());
        rows.par_chunks_mut((group * moving.len()).max(1)).enumerate().try_for_each_init(
            buffers,
            |(plain, mirrored, scratch), (index, rows)| {
                if progress.cancelled() {
                    return Err(Cancelled);
                }
                let (seed, realisation) = (sampler.seed(), (group * index) as u64);
                match pairing {
                    Pairing::Independent => sampler.fill(&Germ::new(seed, realisation), plain, scratch),
                    Pairing::Antithetic => {
                        sampler.fill_pair(&Germ::antithetic(seed, realisation), [plain, mirrored], scratch);
                    }
                }
                for (rows, values) in rows.chunks_mut(moving.len()).zip([&*plain, &*mirrored]) {
                    vectorised(Forces { values, loads: &loads, rows });
                }
                Ok(())
            },
        )?;
        let of = |motion: usize| rows.iter().skip(motion).step_by(moving.len()).copied().collect();
        Ok((0..moving.len()).map(|motion| Self { rows: of(motion), pairing }).collect())
    }

    /// Mean coefficient and torque coefficient of each sample of a translation along x, for one-dimensional sliders:
    /// h = (1/S) ∫H dS [-] and τ = (1/S) ∫H y dS \[m\].
    pub fn slider_coefficients(&self, pressure: f64, area: f64) -> Vec<[f64; 2]> {
        let load = pressure * area;
        self.rows.iter().map(|[x, _, torque]| [-x / load, torque / load]).collect()
    }

    /// Statistics; `exact` are the exact moments of the field that was sampled.
    pub fn moments(&self, exact: &Moments) -> SampledMoments {
        let [m_x, m_y, m_t] = exact.mean;
        let mean = [0, 1, 2].map(|i| self.average(|row| row[i]));
        let variance = [0, 1, 2].map(|i| self.average(|row| (row[i] - exact.mean[i]).powi(2)));
        let force_torque = self.average(|row| (row[0] - m_x) * (row[2] - m_t));
        let square = exact.covariance[0][0] + exact.covariance[1][1] + m_x * m_x + m_y * m_y;
        let norm = |row: &[f64; 3]| (row[0] * row[0] + row[1] * row[1]).sqrt();
        let norm_mean = self.controlled(norm, |row| norm(row).powi(2), square);
        let deviation = (square - norm_mean.value * norm_mean.value).max(0.0).sqrt();
        let slope = if deviation > 0.0 { norm_mean.value / deviation } else { 0.0 };
        let norm_deviation = Estimate { value: deviation, standard_error: slope * norm_mean.standard_error };
        let dependence = self.correlation(norm, |row| row[2].abs());
        SampledMoments { mean, variance, force_torque, norm_mean, norm_deviation, dependence }
    }

    /// Mean of a function of a sample; the error is taken over independent groups.
    pub(crate) fn average(&self, value: impl Fn(&[f64; 3]) -> f64) -> Estimate {
        let groups = self.groups(&value);
        Estimate {
            value: mean(groups.iter().copied()).unwrap_or_default(),
            standard_error: standard_error(&groups).unwrap_or(f64::INFINITY),
        }
    }

    /// Means over the groups that are independent of each other; an incomplete last group is left out.
    fn groups(&self, value: &impl Fn(&[f64; 3]) -> f64) -> Vec<f64> {
        let size = self.pairing.group();
        self.rows.chunks_exact(size).map(|rows| rows.iter().map(value).sum::<f64>() / size as f64).collect()
    }

    /// Mean of `value` with the control variate `control`, whose exact mean is known.
    fn controlled(&self, value: impl Fn(&[f64; 3]) -> f64, control: impl Fn(&[f64; 3]) -> f64, exact: f64) -> Estimate {
        let (values, controls) = (self.groups(&value), self.groups(&control));
        let count = values.len() as f64;
        let mean = |numbers: &[f64]| mean(numbers.iter().copied()).unwrap_or_default();
        let (value_mean, control_mean) = (mean(&values), mean(&controls));
        let (mut both, mut square) = (0.0, 0.0);
        for (value, control) in values.iter().zip(&controls) {
            both += (value - value_mean) * (control - control_mean);
            square += (control - control_mean) * (control - control_mean);
        }
        let slope = if square > 0.0 { both / square } else { 0.0 };
        let rest: f64 = values
            .iter()
            .zip(&controls)
            .map(|(value, control)| (value - value_mean - slope * (control - control_mean)).powi(2))
            .sum();
        let standard_error = if count > 2.0 { (rest / (count * (count - 2.0))).sqrt() } else { f64::INFINITY };
        Estimate { value: value_mean - slope * (control_mean - exact), standard_error }
    }

    /// Correlation of two functions of a sample.
    fn correlation(&self, first: impl Fn(&[f64; 3]) -> f64, second: impl Fn(&[f64; 3]) -> f64) -> Estimate {
        let count = self.rows.len() as f64;
        let mean = |value: &dyn Fn(&[f64; 3]) -> f64| mean(self.rows.iter().map(value)).unwrap_or_default();
        let (a, b) = (mean(&first), mean(&second));
        let (mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0);
        for row in &self.rows {
            let (x, y) = (first(row) - a, second(row) - b);
            (aa, ab, bb) = (aa + x * x, ab + x * y, bb + y * y);
        }
        let value = if aa > 0.0 && bb > 0.0 { ab / (aa * bb).sqrt() } else { 0.0 };
        let independent = count / self.pairing.group() as f64;
        Estimate { value, standard_error: (1.0 - value * value) / independent.max(1.0).sqrt() }
    }

    /// Sample variance of one of (F_x, F_y, T) from the first n samples, for each n of `counts`: how the error of the
    /// paper's estimate falls [hu2021, Fig. 6]. None where n < 2 or there are fewer samples.
    pub fn running_variance(&self, functional: usize, counts: &[usize]) -> Vec<Option<f64>> {
        // one pass for all counts
        let mut running = Running::default();
        let values = self.rows.iter().filter_map(|row| row.get(functional));
        let variances: Vec<Option<f64>> = values
            .map(|value| {
                running.add(*value);
                running.variance()
            })
            .collect();
        counts.iter().map(|&n| variances.get(n.checked_sub(1)?).copied().flatten()).collect()
    }
}
